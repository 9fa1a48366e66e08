/* test_called.c: what is looked for by the words that people use is found first: by help, which :help and
 * posviz help are, and by / in the list. tests/data/words.txt has a line for each word: how the title of what help says
 * first begins, and the first scheme found; "-": nothing is called so. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_app.h"
#include "help_arena.h"
#include "help_frame.h"
#include "posviz/base/text.h"
#include "posviz/format/file.h"
#include "posviz/scheme/called.h"

FIXTURE(open_arena, close_arena)

struct row {
	char *word, *help, *scheme;
};

static bool next_row(char **at, struct row *out)
{
	while (**at == '#')
		*at += strcspn(*at, "\n") + 1;
	char *const line = *at;
	if (*line == '\0')
		return false;
	char *const end = line + strcspn(line, "\n");
	*at = *end ? end + 1 : end;
	*end = '\0';
	*out = (struct row){line, strchr(line, '\t'), strrchr(line, '\t')};
	if (!out->help || out->help == out->scheme)
		fail_msg("%s: three columns, parted by tabs", line);
	*out->help++ = *out->scheme++ = '\0';
	return true;
}

static char *words(void)
{
	char *text;
	size_t len;
	struct err err = {""};
	if (!file_read(arena_printf(&arena, "%s/words.txt", test_data), 1 << 20, &arena, &text,
		       &len, &err))
		fail_msg("%s", err.text);
	return text;
}

TEST(help_has_the_words_that_people_use)
{
	struct app app;
	struct row row;
	size_t n = 0;
	app_init(&app);
	for (char *at = words(); next_row(&at, &row); n++) {
		const struct help_topic *topics;
		size_t count;
		struct err err = {""};
		const bool found = topics_find(&app, row.word, &arena, &topics, &count, &err);
		const char *const is = found ? topics[0].title : "-";
		if (strncmp(is, row.help, strlen(row.help)) != 0)
			fail_msg("%s: %s, and not %s", row.word, is, row.help);
	}
	assert_true(n >= 100);
	app_release(&app);
}

TEST(the_list_finds_them_first)
{
	struct row row;
	struct tui *const t = help_tui(&arena, "none", "", BACKGROUND_DARK);
	for (char *at = words(); next_row(&at, &row);) {
		size_t n;
		const struct scheme **const found = schemes_found(t, row.word, &arena, &n);
		const char *const is = n > 0 ? found[0]->id : "-";
		if (strcmp(row.scheme, "*") != 0 && strcmp(is, row.scheme) != 0)
			fail_msg("%s: %s, and not %s", row.word, is, row.scheme);
	}
	help_tui_done(t);
}

/* An id that is typed whole is what is taken. */
TEST(every_id_is_found_first)
{
	struct tui *const t = help_tui(&arena, "none", "", BACKGROUND_DARK);
	for (size_t i = 0; i < scheme_count(); i++) {
		size_t n;
		const struct scheme *const s = scheme_at(i);
		const struct scheme **const found = schemes_found(t, s->id, &arena, &n);
		if (n == 0 || found[0] != s)
			fail_msg("%s: %s", s->id, n > 0 ? found[0]->id : "nothing");
	}
	help_tui_done(t);
}

static void type(struct tui *t, const char *text)
{
	t->mode = MODE_FIND;
	t->match = 0;
	t->prompt.len = strlen(text);
	memcpy(t->prompt.text, text, t->prompt.len + 1);
}

/* Fails unless Enter takes the scheme itself, or one with these parameters, after the text is typed. */
static void takes(struct tui *t, const char *typed, const struct scheme *wanted)
{
	size_t n;
	type(t, typed);
	const struct scheme *const s = schemes_chosen(t, &n);
	if (s != wanted && !(s && scheme_is_called(s, typed)))
		fail_msg("%s takes %s", typed, s ? s->id : "nothing");
	const char *const line = schemes_line(t, s, &arena);
	const char *const by_id = arena_printf(&arena, "pick %s", s->id);
	if (strcmp(line, by_id) != 0 && !scheme_called(typed))
		fail_msg("%s runs %s", typed, line);
}

/* Whatever begins or contains it: /shaw is not shaw_abs, /llama3 not rope_llama3. */
TEST(a_whole_name_is_taken_by_enter)
{
	struct tui *const t = help_tui(&arena, "none", "", BACKGROUND_DARK);
	for (size_t i = 0; i < scheme_count(); i++) {
		const struct scheme *const s = scheme_at(i);
		char capitals[64];
		size_t n = 0;
		for (; s->id[n]; n++)
			capitals[n] = (char)toupper((unsigned char)s->id[n]);
		capitals[n] = '\0';
		takes(t, s->id, s);
		takes(t, capitals, s);
		for (const char *at = s->aliases ? s->aliases : ""; *at; at += strspn(at, " ")) {
			const size_t len = strcspn(at, " ");
			takes(t, arena_strndup(&arena, at, len), s);
			at += len;
		}
	}
	help_tui_done(t);
}

TEST(beside_the_prompt_stands_what_is_meant)
{
	static const char *const rows[][3] = {
		{"nezha", "shaw(clip=64,table=sinusoidal)",
		 "scheme shaw(clip=64,table=sinusoidal)"},
		{"shaw", "Relative position", "pick shaw"},
		{"qwerty", "nothing is called qwerty", NULL},
		{"packing", "no scheme, but :help packing knows it", NULL},
		{"packin", "nothing is called packin; near is packing", NULL},
	};
	struct tui *const t = help_tui(&arena, "none", "", BACKGROUND_DARK);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		size_t n;
		type(t, rows[i][0]);
		const struct scheme *const s = schemes_chosen(t, &n);
		const char *const said = schemes_words(t, &arena);
		if (!strstr(said, rows[i][1]))
			fail_msg("%s: %s", rows[i][0], said);
		assert_true(!s == !rows[i][2]);
		if (s)
			assert_string_equal(schemes_line(t, s, &arena), rows[i][2]);
	}
	help_tui_done(t);
}

/* ---- the table ----------------------------------------------------------------------------------- */

TEST(what_is_called_so_can_be_computed)
{
	for (const struct scheme_call *c = scheme_calls; c->names; c++) {
		struct expr e;
		struct err err = {""};
		if (!expr_parse(&e, c->expression, &arena, &err))
			fail_msg("%s: %s", c->names, err.text);
		if (c->note[strlen(c->note) - 1] != '.')
			fail_msg("%s: %s", c->names, c->note);
	}
}

/* No name stands for two things, nor hides a scheme. */
TEST(names_of_calls_are_their_own)
{
	const char *name;
	size_t len;
	for (const struct scheme_call *c = scheme_calls; c->names; c++)
		for (size_t i = 0; (name = scheme_call_name(c, i, &len)) != NULL; i++) {
			const char *const word = arena_strndup(&arena, name, len);
			assert_ptr_equal(scheme_called(word), c);
			for (size_t k = 0; k < scheme_count(); k++)
				if (text_same_name(scheme_at(k)->id, strlen(scheme_at(k)->id),
						   word) ||
				    scheme_is_called(scheme_at(k), word))
					fail_msg("%s is %s", word, scheme_at(k)->id);
		}
	assert_null(scheme_called("qwerty"));
	assert_null(scheme_called(""));
}

TEST(an_expression_is_told_what_it_is_called_here)
{
	struct err err = {""};
	assert_null(scheme_find("nezha", 5, &err));
	assert_string_equal(err.text,
			    "no scheme \"nezha\"; here it is \"shaw(clip=64,table=sinusoidal)\"");
}
