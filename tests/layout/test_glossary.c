/* test_glossary.c: what words mean: the list itself, what of the screen it covers, and help on any word. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "test.h"
#include "help_app.h"
#include "help_arena.h"
#include "help_view.h"
#include "help_frame.h"
#include "cli/cli.h"
#include "posviz/app/glossary.h"
#include "posviz/base/text.h"
#include "posviz/picture/picture.h"

FIXTURE(open_arena, close_arena)

static const struct glossary_entry *all;
static size_t n_all;

static void read_all(void)
{
	all = glossary_all(&arena, &n_all);
}

/* ---- the list -------------------------------------------------------------------------------- */

TEST(a_glossary_is_read)
{
	static const char text[] =
		"# a comment\n\n[First]\n\none | uno | the one\nA text\nof two lines.\n"
		"seen: there\nfrom: a paper\n\n[Second]\n\n[VNode] | v\nAnother.\n";
	const struct glossary_entry *read;
	size_t n;
	struct err err = {""};
	assert_true(glossary_read(text, sizeof text - 1, &arena, &read, &n, &err));
	assert_int_equal(n, 2);
	assert_string_equal(read[0].section, "First");
	assert_string_equal(read[0].names[2], "the one");
	assert_null(read[0].names[3]);
	assert_string_equal(read[0].text, "A text of two lines.");
	assert_string_equal(read[0].seen, "there");
	assert_string_equal(read[0].from, "a paper");
	assert_string_equal(read[1].section, "Second");
	assert_string_equal(read[1].names[0], "[VNode]");
	assert_string_equal(read[1].seen, "");
	assert_ptr_equal(glossary_find(read, n, "UNO"), &read[0]);
	assert_null(glossary_find(read, n, "two"));
	assert_string_equal(glossary_title(&read[0], &arena), "one (uno, the one)");
}

/* Dashes and raised letters are on no keyboard, numbers are whatever the screen has. */
TEST(names_are_found_as_people_type_them)
{
	static const struct {
		const char *word, *name; /* the first name; NULL: there is none */
	} rows[] = {
		{"unit-unit", "a"}, {"UNIT–unit", "a"}, {"query-kr", "b"}, {"query–K^r", "b"},
		{"query-w", "c"},   {"query-...", "c"}, {"query-", NULL},  {"a query-w", NULL},
		{"1/9", "1/5"},	    {"1/12", "1/5"},	{"1/n", NULL},	   {"layer 2", "layer 1"},
		{"table 1", "d"},   {"Table 2", "e"},	{"table 3", "d"},  {"4", NULL},
		{"tmax", "t_max"},  {"r of 9 at", "f"}, {"r of 9", NULL},  {"REORDER", "h"},
		{"re order", "g"}, /* the same letters come before nearly the same */
	};
	static const char text[] = "[A]\n\na | unit–unit\nA.\n\nb | query–Kʳ\nB.\n\n"
				   "c | query–…\nC.\n\n1/5\nD.\n\nlayer 1\nE.\n\n"
				   "d | Table 1\nF.\n\ne | Table 2\nG.\n\nt_max\nH.\n\n"
				   "f | r of … at\nI.\n\ng | re-order\nJ.\n\nh | Reorder\nK.\n";
	const struct glossary_entry *read;
	size_t n;
	struct err err = {""};
	assert_true(glossary_read(text, sizeof text - 1, &arena, &read, &n, &err));
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct glossary_entry *const e = glossary_find(read, n, rows[i].word);
		const char *const name = e ? e->names[0] : NULL;
		if (!name != !rows[i].name || (name && strcmp(name, rows[i].name) != 0))
			fail_msg("%s: %s", rows[i].word, name ? name : "nothing");
	}
}

TEST(a_damaged_glossary_is_refused_by_its_line)
{
	static const struct {
		const char *text, *error;
	} rows[] = {
		{"one\nText.\n", "line 1: a word outside of all sections"},
		{"[A]\n\none\n\ntwo\nText.\n", "line 4: the word before has no text"},
		{"[A]\n\none\n", "line 4: the word before has no text"},
		{"[A]\n\none | | two\nText.\n", "line 3: an empty name"},
		{"[A]\n\none\nText.\nseen: here\nMore.\n", "line 6: text belongs in front"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct glossary_entry *read;
		size_t n;
		struct err err = {""};
		assert_false(
			glossary_read(rows[i].text, strlen(rows[i].text), &arena, &read, &n, &err));
		if (!strstr(err.text, rows[i].error))
			fail_msg("%s: %s", rows[i].error, err.text);
	}
}

static size_t sentences(const char *text)
{
	size_t n = 0;
	for (const char *at = text; *at; at++)
		n += *at == '.' &&
		     (at[1] == '\0' || (at[1] == ' ' && isupper((unsigned char)at[2])));
	return n;
}

TEST(every_word_has_one_entry_of_a_few_sentences)
{
	read_all();
	assert_true(n_all > 80);
	for (size_t i = 0; i < n_all; i++) {
		const char *const word = all[i].names[0], *const text = all[i].text;
		if (text[strlen(text) - 1] != '.' || sentences(text) < 1 || sentences(text) > 4)
			fail_msg("%s: %zu sentences", word, sentences(text));
		if (!text_valid(text, strlen(text)) || strstr(text, "  "))
			fail_msg("%s: %s", word, text);
		for (const char *const *name = all[i].names; *name; name++)
			if (glossary_find(all, n_all, *name) != &all[i])
				fail_msg("%s is a name of two entries", *name);
	}
}

static bool is_option(const char *name)
{
	for (const struct cli_option *o = cli_options; o->name; o++)
		if (strcmp(o->name, name) == 0)
			return true;
	return field_find(name) || setting_find(name);
}

/* What is said to be an option is one. */
TEST(options_that_entries_name_exist)
{
	size_t n = 0;
	read_all();
	for (size_t i = 0; i < n_all; i++) {
		const char *const said = arena_printf(&arena, "%s %s", all[i].text, all[i].seen);
		for (const char *at = said; (at = strstr(at, "--")) != NULL; n++) {
			const size_t len = strspn(at += 2, "abcdefghijklmnopqrstuvwxyz-");
			if (!is_option(arena_strndup(&arena, at, len)))
				fail_msg("%s: there is no option --%.*s", all[i].names[0], (int)len,
					 at);
		}
	}
	assert_true(n > 20);
}

/* ---- what it covers -------------------------------------------------------------------------- */

static void assert_known(const char *word, const char *where)
{
	if (!glossary_find(all, n_all, word))
		fail_msg("%s: the glossary has no %s", where, word);
}

TEST(words_of_tables_are_in_the_glossary)
{
	read_all();
	for (size_t i = 0; i < REF_COUNT; i++)
		if (i != REF_NONE)
			assert_known(reference_names[i], "reference");
	for (size_t i = 0; i < PROJ_COUNT; i++)
		assert_known(projection_names[i], "proj");
	for (size_t i = 0; i < INIT_COUNT; i++)
		assert_known(init_names[i], "init");
	for (size_t i = 0; i < EVIDENCE_COUNT; i++)
		assert_known(evidence_names[i], "evidence");
	for (const struct colormap *m = colormaps; m->name; m++)
		assert_known(m->name, "colormap");
	for (size_t i = 0; i < SCALE_MODES; i++)
		assert_known(scale_mode_names[i], "scale");
	for (const struct table_column *c = table_columns; c->name; c++)
		if (strcmp(c->head, "source") != 0)
			assert_known(c->head, "the view Table");
}

/* What a newcomer cannot know of the first screens, said by a list of what one did not. */
TEST(words_that_were_asked_for_are_there)
{
	static const char *const words[] = {
		"probe",
		"probe ones",
		"units",
		"content",
		"content 2",
		"c",
		"invariance",
		"equivariance",
		"prefix order",
		"order seen",
		"place",
		"distance",
		"share",
		"bucket",
		"head",
		"layer",
		"logit",
		"weights",
		"softmax",
		"bias",
		"term",
		"query",
		"key",
		"value",
		"mask",
		"causal",
		"sequence order",
		"injection",
		"embedding",
		"injection matrix",
		"reference",
		"absolute",
		"relative",
		"rows",
		"stochastic",
		"recurring",
		"learnable",
		"unbounded",
		"printed …=",
		"made",
		"evidence",
		"year",
		"count",
		"shuffles",
		"permutation",
		"wavelength",
		"frequency",
		"rotation",
		"slope",
		"window",
		"stretch",
		"memory",
		"seed",
		"identity",
		"d",
		"h",
		"n",
		"relation",
		"virtual node",
		"[CLS]",
		"model",
		"not trained",
		"residual",
		"slate",
		"1/9",
		"n/a",
		"query-Kr",
		"Qr-key",
		"unit-unit",
		"your order",
		"of this sentence",
		"unseen",
		"mean",
		"pinned",
		"less",
		"more",
		"norm",
		"frame",
		"threads",
		"bar",
		"figure",
		"page",
		"pane",
	};
	read_all();
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcmp(words[i], "printed …=") != 0)
			assert_known(words[i], "asked for");
	assert_known("printed … =", "asked for");
}

/* The keys of cards, which name what is told: "reference", "shift". */
TEST_SAMPLED(cards_say_nothing_that_help_does_not_know, 1, 3)
{
	static const char *const expressions[] = {"rope+causal", "t5", "shaw"};
	static const char *const extra[] = {
		"query–w_key",		   /* terms are called after what is multiplied */
		"your order", "this cell", /* what it is stands beside it */
	};
	struct app app;
	app_init(&app);
	for (size_t v = 0; views[v]; v++)
		for (size_t e = 0; e < 3 && !views[v]->table && !views[v]->compare; e++) {
			if ((v + e) % test_parts != test_part)
				continue;
			struct tui *const t =
				help_tui(&arena, expressions[e], help_view(&arena, views[v]->name),
					 BACKGROUND_DARK);
			const struct figure *const f = &t->picture->picture.figure;
			for (size_t i = 0; i < f->n; i++)
				for (size_t k = 0;
				     f->panels[i].kind == PANEL_CARD && k < f->panels[i].card.n;
				     k++) {
					const char *const key = f->panels[i].card.lines[k].key;
					const struct help_topic *topics;
					size_t n;
					struct err err;
					bool known = !key || !*key;
					for (size_t x = 0; x < 3 && !known; x++)
						known = strcmp(extra[x], key) == 0;
					if (!known &&
					    !topics_find(&app, key, &arena, &topics, &n, &err))
						fail_msg("%s: help knows nothing of \"%s\"",
							 views[v]->name, key);
				}
			help_tui_done(t);
		}
	app_release(&app);
}

/* ---- help on any word ------------------------------------------------------------------------ */

static const struct app *words_app(void)
{
	static struct app app;
	app_init(&app);
	return &app;
}

TEST(help_finds_all_that_is_called_so)
{
	static const struct {
		const char *word;
		enum help_kind kinds[4];
		size_t n;
		const char *title, *line; /* of the last */
	} rows[] = {
		{"probe",
		 {HELP_WORD, HELP_OPTION},
		 2,
		 "option --probe ones|WORD|off; command :probe",
		 "Keys: w"},
		{"order",
		 {HELP_VIEW, HELP_OPTION, HELP_WORD, HELP_PARAM},
		 4,
		 "parameter order",
		 "of pnat"},
		{"none", {HELP_SCHEME}, 1, "scheme none: No position", "sees a set of tokens"},
		{"sliding window",
		 {HELP_WORD, HELP_SCHEME},
		 2,
		 "scheme window",
		 "posviz show window"},
		{"nezha", {HELP_SCHEME}, 1, "nezha: shaw(clip=64,table=sinusoidal)", "posviz show"},
		{"t5", {HELP_SCHEME}, 1, "scheme t5: Bucketed relative bias", "Raffel et al. 2020"},
		{"rotary", {HELP_WORD, HELP_SCHEME}, 2, "scheme rope", "posviz show rope"},
		{"slide", {HELP_PRESET}, 1, "preset slide", "labels of 18 pt"},
		{"for",
		 {HELP_COMMAND, HELP_PRESET},
		 2,
		 "what a picture can be for",
		 "acl: a column"},
		{"max_distance", {HELP_PARAM}, 1, "parameter max_distance", "of t5"},
		{"zoom", {HELP_COMMAND}, 1, "command :zoom", "Keys: z"},
		{"z",
		 {HELP_KEY},
		 1,
		 "key z",
		 "everywhere: one pane on the whole screen, and back (:zoom)"},
		{"Z", {HELP_KEY}, 1, "key Z", "(:grid next)"},
		{"f5", {HELP_KEY}, 1, "key F5", "(:presenter)"},
		{"Enter", {HELP_KEY}, 1, "key Enter", "in matrix: why this cell?"},
		{"mouse", {HELP_OPTION}, 1, "option --mouse on|off, command :mouse", "Default: on"},
		{"D", {HELP_KEY}, 1, "key D", "in compare: the difference of another pair"},
		{"h", {HELP_WORD, HELP_KEY}, 2, "key h", "cursor left"},
	};
	const struct app *const app = words_app();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct help_topic *topics;
		size_t n;
		struct err err = {""};
		if (!topics_find(app, rows[i].word, &arena, &topics, &n, &err))
			fail_msg("%s", err.text);
		if (n != rows[i].n)
			fail_msg("%s: %zu topics, the last %s", rows[i].word, n,
				 topics[n - 1].title);
		for (size_t k = 0; k < n; k++)
			assert_int_equal(topics[k].kind, rows[i].kinds[k]);
		const struct help_topic *const last = &topics[n - 1];
		bool there = false;
		for (size_t k = 0; k < last->n; k++)
			there |= strstr(last->lines[k], rows[i].line) != NULL;
		if (!strstr(last->title, rows[i].title) || !there)
			fail_msg("%s: %s: %s", rows[i].word, last->title, rows[i].line);
	}
}

TEST(an_unknown_word_gets_the_nearest)
{
	static const char *const rows[][2] = {
		{"prob", "did you mean \"probe\"?"},
		{"invarianc", "did you mean \"invariance\"?"},
		{"aliby", "did you mean \"alibi\"?"},
		{"Entr", "did you mean \"Enter\"?"},
		{"prefix orde", "did you mean \"prefix order\"?"},
		{"eigenval", "did you mean \"eigenvalue\"?"},
		{"qqqqqqqqqqqq", "which is no word of the glossary"},
	};
	const struct app *const app = words_app();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct help_topic *topics;
		size_t n;
		struct err err = {""};
		assert_false(topics_find(app, rows[i][0], &arena, &topics, &n, &err));
		if (!strstr(err.text, rows[i][1]))
			fail_msg("%s: %s", rows[i][0], err.text);
	}
}

/* A bound key is found where the user put it. */
TEST(help_knows_keys_of_the_user)
{
	struct app app;
	unsigned reactions;
	const struct help_topic *topics;
	size_t n;
	struct err err = {""};
	app_init(&app);
	assert_true(app_command(&app, "bind Ctrl-n scheme-next", &reactions, &err));
	assert_true(topics_find(&app, "ctrl-n", &arena, &topics, &n, &err));
	assert_string_equal(topics[0].lines[0], "everywhere: next scheme (:scheme-next)");
	assert_true(topics_find(&app, "scheme-next", &arena, &topics, &n, &err));
	assert_non_null(strstr(topics[0].lines[1], "Ctrl-n"));
	app_release(&app);
}

TEST(help_completes)
{
	static const char *const rows[][2] = {
		{"help equi", "help equivariance"}, {"help prefix or", "help prefix order"},
		{"help al", "help alibi"},	    {"help max_d", "help max_distance"},
		{"help Shift-T", "help Shift-Tab"}, {"help scheme-n", "help scheme-next"},
	};
	const struct app *const app = words_app();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		size_t n;
		bool there = false;
		const char **const found = help_app_completions(app, rows[i][0], &arena, &n);
		for (size_t k = 0; k < n; k++)
			there |= strcmp(found[k], rows[i][1]) == 0;
		if (!there)
			fail_msg("%s: no %s", rows[i][0], rows[i][1]);
	}
}

/* Letters in their order say nothing of a long name. */
TEST(help_guesses_no_long_names)
{
	static const char *const rows[] = {"help qwerty", "help lrnpe"};
	const struct app *const app = words_app();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		size_t n;
		const char **const found = help_app_completions(app, rows[i], &arena, &n);
		if (n > 0)
			fail_msg("%s: %s", rows[i], found[0]);
	}
}
