/* test_registry.c: every descriptor is complete, and parameters go to text and back.
 *
 * A new scheme is tested here by being in the list. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "posviz/base/text.h"
#include "posviz/scheme/scheme.h"

FIXTURE(open_arena, close_arena)

/* ---- descriptors ---- */

static void require(const struct scheme *s, const char *field, bool holds)
{
	if (!holds)
		fail_msg("%s: %s", s->id, field);
}

static void require_line(const struct scheme *s, const char *field, const char *text)
{
	require(s, field, text != NULL && text[0] != '\0');
	require(s, field, strcmp(text_escape(&arena, text, strlen(text)), text) == 0);
}

TEST(descriptors_are_complete)
{
	assert_true(scheme_count() > 0);
	for (size_t i = 0; i < scheme_count(); i++) {
		const struct scheme *s = scheme_at(i);
		require_line(s, "title", s->title);
		require_line(s, "authors", s->authors);
		require_line(s, "cite", s->cite);
		require_line(s, "formula", s->formula);
		require_line(s, "about", s->about);
		require_line(s, "evidence_note", s->evidence_note);
		require(s, "year", s->year >= 2014 && s->year <= 2026);
		require(s, "topic", (unsigned)s->topic < TOPIC_COUNT);
		require(s, "ref", (unsigned)s->ref < REF_COUNT);
		require(s, "inj", (unsigned)s->inj < INJ_COUNT);
		require(s, "rows", (unsigned)s->rows < ROWS_COUNT);
		require(s, "evidence", (unsigned)s->evidence < EVIDENCE_COUNT);
		require(s, "demo_note",
			s->demo_note == NULL || s->hooks.declare != NULL || s->expression != NULL);
		require(s, "param_size", (s->params != NULL) == (s->param_size > 0));
		require(s, "a combination has no parameters",
			s->expression == NULL || s->params == NULL);
	}
}

TEST(claims_end_and_say_why)
{
	for (size_t i = 0; i < scheme_count(); i++) {
		const struct scheme *s = scheme_at(i);
		for (const struct claim *c = s->claims; c != NULL && c->why != NULL; c++) {
			require(s, "claim kind", (unsigned)c->kind < CLAIM_KINDS);
			require(s, "a count is printed",
				c->kind != CLAIM_COUNT || s->count_printed != NULL);
			require_line(s, "why", c->why);
		}
	}
}

/* The words of a blank-separated list one by one; false at its end. */
static bool next_word(const char **list, char *word, size_t size)
{
	const char *at = *list + strspn(*list, " ");
	const size_t len = strcspn(at, " ");
	assert_true(len < size);
	memcpy(word, at, len);
	word[len] = '\0';
	*list = at + len;
	return len > 0;
}

/* The survey's Table 2, row by row; a scheme stands for its paper. */
TEST(topics_are_those_of_the_survey)
{
	static const struct {
		enum table2 topic;
		const char *ids;
	} rows[] = {
		{TABLE2_GENERIC,
		 "bert shaw txl axial tupe_a tupe_r t5 floater dufter_abs dufter_rel composite "
		 "shortformer deberta da complex huang1 huang2 huang3 huang4 disan gru spe_sine"},
		{TABLE2_SINUSOIDAL, "sinusoidal tener ut rope mvpe cape"},
		{TABLE2_GRAPHS,
		 "tpe spr_abs spr_rel struct_tr laplacian graphbert graph_tr graformer"},
		{TABLE2_DECODER, "ldpe lrpe lennoise pnat"},
		{TABLE2_CROSSLINGUAL, "langpe xlpe resdrop freezepe ort"},
		{TABLE2_ANALYSIS, "ros_sin ros_konly ros_abs diet_abs diet_rel diet_abslin"},
		{TABLE2_NONE, "none causal alibi kerple_log synth_random matrix llama3"},
	};
	char word[32];
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		for (const char *at = rows[i].ids; next_word(&at, word, sizeof word);) {
			const struct scheme *s = scheme_find(word, strlen(word), NULL);
			require(s, table2_names[rows[i].topic], s->table2 == rows[i].topic);
		}
	}
	for (size_t i = 0; i < scheme_count(); i++)
		if (scheme_at(i)->table2 != TABLE2_NONE)
			require(scheme_at(i), "found by its topic",
				scheme_matches(scheme_at(i), table2_names[scheme_at(i)->table2]));
}

/* What a name for an expression leaves open it has from what it stands for, and one that says so does not. */
TEST(known_models_inherit_from_what_they_name)
{
	enum { OF = SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_UNBOUNDED | SCHEME_CAUSAL };
	static const struct {
		const char *id;
		enum reference ref;
		enum injection inj;
		unsigned flags;
	} rows[] = {
		{"bert", REF_ABSOLUTE, INJ_EMBEDDING, SCHEME_LEARNABLE},
		{"t5_encoder", REF_RELATIVE, INJ_MATRIX, SCHEME_LEARNABLE | SCHEME_RECURRING},
		{"t5_decoder", REF_RELATIVE, INJ_MATRIX,
		 SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_CAUSAL},
		{"neox", REF_RELATIVE, INJ_MATRIX,
		 SCHEME_RECURRING | SCHEME_UNBOUNDED | SCHEME_CAUSAL},
		{"roformer", REF_RELATIVE, INJ_MATRIX, SCHEME_RECURRING | SCHEME_UNBOUNDED},
		{"freezepe", REF_ABSOLUTE, INJ_EMBEDDING, 0},
		{"longformer", REF_ABSOLUTE, INJ_BOTH, SCHEME_LEARNABLE | SCHEME_RECURRING},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct scheme *const s = scheme_find(rows[i].id, strlen(rows[i].id), NULL);
		require(s, "reference", s->ref == rows[i].ref && s->inj == rows[i].inj);
		require(s, "flags", (s->flags & OF) == rows[i].flags);
	}
	const struct scheme *const model = scheme_find("t5-model", 8, NULL);
	const struct scheme *const t5 = scheme_find("t5", 2, NULL);
	assert_string_equal(model->cite, t5->cite);
	assert_string_equal(model->formula, t5->formula);
	assert_string_equal(model->demo_note, t5->demo_note);
	assert_null(scheme_find("ros_sin", 7, NULL)->demo_note);
}

TEST(names_are_unique_and_found)
{
	char word[64];
	for (size_t i = 0; i < scheme_count(); i++) {
		const struct scheme *s = scheme_at(i);
		assert_ptr_equal(scheme_find(s->id, strlen(s->id), NULL), s);
		require(s, "id",
			strspn(s->id, "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(s->id));
		const char *list = s->aliases != NULL ? s->aliases : "";
		while (next_word(&list, word, sizeof word)) {
			if (scheme_find(word, strlen(word), NULL) != s)
				fail_msg("%s: alias %s belongs to another", s->id, word);
			require(s, "an alias is a word of an expression",
				strspn(word, "abcdefghijklmnopqrstuvwxyz0123456789_-.") ==
					strlen(word));
			require(s, "an alias is not the id", strcmp(word, s->id) != 0);
		}
	}
}

TEST(the_plain_schemes_are_there)
{
	const struct scheme *none = scheme_find("none", 4, NULL);
	assert_ptr_equal(scheme_at(0), none);
	assert_ptr_equal(scheme_find("baseline", 8, NULL), none);
	assert_ptr_equal(scheme_find("NONE of it", 4, NULL), none);
	assert_int_equal(none->year, 2017);
	const struct hooks no_hooks = {0};
	assert_memory_equal(&none->hooks, &no_hooks, sizeof no_hooks);
	const struct scheme *causal = scheme_find("causal", 6, NULL);
	assert_int_equal(causal->flags & (SCHEME_MASK | SCHEME_CAUSAL),
			 SCHEME_MASK | SCHEME_CAUSAL);
}

TEST(unknown_names_get_a_suggestion)
{
	struct err err = {0};
	assert_null(scheme_find("casual", 6, &err));
	assert_string_equal(err.text, "no scheme \"casual\"; did you mean \"causal\"?");
	assert_null(scheme_find("CASUAL", 6, &err));
	assert_non_null(strstr(err.text, "did you mean \"causal\"?"));
	assert_null(scheme_find("qqqqqqqqqqqq", 12, &err));
	assert_non_null(strstr(err.text, "posviz list schemes"));
	assert_null(scheme_find("", 0, &err));
	assert_null(scheme_find("\x1b[2J", 4, &err));
	assert_null(strchr(err.text, '\x1b'));
}

TEST(searching_looks_at_what_people_remember)
{
	const struct scheme *causal = scheme_find("causal", 6, NULL);
	static const char *const found[] = {"",	       "caus", "CAUSAL",       "autoreg", "mask",
					    "vaswani", "2017", "vaswani 2017", "sequence"};
	static const char *const lost[] = {"2018", "vaswani 2018", "graph", "zzz"};
	for (size_t i = 0; i < sizeof found / sizeof found[0]; i++)
		assert_true(scheme_matches(causal, found[i]));
	for (size_t i = 0; i < sizeof lost / sizeof lost[0]; i++)
		assert_false(scheme_matches(causal, lost[i]));
}

/* ---- parameters of the registry ---- */

static void check_range(const struct scheme *s, const struct param *p)
{
	const bool numeric = value_is_number(&p->type);
	if (numeric) {
		require(s, p->name,
			p->type.min < p->type.max && p->type.def <= p->type.max &&
				(p->type.def >= p->type.min ||
				 (p->type.zero != NULL && p->type.def == 0)));
		require(s, p->name, p->type.geometric ? p->type.step > 1 : p->type.step > 0);
	}
	if (p->type.kind == &value_integer) {
		require(s, p->name, p->type.min >= -1e15 && p->type.max <= 1e15);
		require(s, p->name, p->type.def == (double)(long)p->type.def);
	}
}

/* Set to what it prints, it is what it was. */
static void check_round_trip(const struct scheme *s, const struct param *p, void *params)
{
	struct err err = {0};
	const char *printed = param_print(p, params, &arena);
	if (!param_set(p, params, printed, strlen(printed), &arena, &err))
		fail_msg("%s: %s", s->id, err.text);
	assert_string_equal(param_print(p, params, &arena), printed);
}

static void check_choices(const struct scheme *s, const struct param *p, void *params)
{
	for (size_t i = 0; p->type.kind == &value_choice && p->type.choices[i] != NULL; i++) {
		require(s, p->name,
			param_set(p, params, p->type.choices[i], strlen(p->type.choices[i]), &arena,
				  NULL));
		assert_string_equal(param_print(p, params, &arena), p->type.choices[i]);
	}
}

TEST(parameters_have_ranges_and_print)
{
	for (size_t i = 0; i < scheme_count(); i++) {
		const struct scheme *s = scheme_at(i);
		void *params = scheme_defaults(s, &arena);
		for (const struct param *p = s->params; p != NULL && p->name != NULL; p++) {
			require_line(s, p->name, p->help);
			require(s, p->name,
				strcmp(p->name, "pos") != 0 && strcmp(p->name, "layers") != 0 &&
					strcmp(p->name, "heads") != 0);
			require(s, p->name, scheme_param(s, p->name, strlen(p->name)) == p);
			require(s, p->name, p->offset < s->param_size);
			check_range(s, p);
			require(s, p->name, param_is_default(p, params));
			check_round_trip(s, p, params);
			require(s, p->name, param_is_default(p, params));
			check_choices(s, p, params);
		}
		require(s, "defaults fit together",
			s->check == NULL || s->check(scheme_defaults(s, &arena), NULL));
	}
}

TEST(stepped_parameters_stay_in_range_and_come_to_an_end)
{
	for (size_t i = 0; i < scheme_count(); i++) {
		const struct scheme *s = scheme_at(i);
		for (const struct param *p = s->params; p != NULL && p->name != NULL; p++)
			for (int direction = -1; direction <= 1; direction += 2) {
				void *params = scheme_defaults(s, &arena);
				size_t steps = 0;
				while (steps < 200 && param_step(p, params, direction)) {
					check_round_trip(s, p, params);
					steps++;
				}
			}
	}
}

TEST(what_descriptors_say_is_read)
{
	const struct model_config config = {.d = 64, .heads = 4, .layers = 2, .t_max = 512};
	for (size_t i = 0; i < scheme_count(); i++) {
		const struct scheme *s = scheme_at(i);
		const void *params = scheme_defaults(s, &arena);
		if (s->count_printed != NULL)
			require(s, "count",
				scheme_value(s, params, &config, s->count_printed) >= 0);
		const char *const when[] = {s->causal_when, s->numbers_when, s->segments_when};
		for (size_t k = 0; k < 3; k++)
			require(s, "when",
				when[k] == NULL || !isnan(scheme_value(s, params, NULL, when[k])));
		for (const struct claim *c = s->claims; c != NULL && c->why != NULL; c++)
			require(s, "when",
				c->when == NULL || !isnan(scheme_value(s, params, NULL, c->when)));
		require(s, "what is learned has a rule for init=demo",
			(s->leaves == NULL && !(s->flags & SCHEME_LEARNABLE)) ||
				s->demo_note != NULL);
	}
}

/* ---- parameters of a scheme made for the test ---- */

struct made {
	long clip, size;
	double rate, base;
	bool values;
	int layout;
	struct value_list list;
	const char *note;
};

static const char *const layouts[] = {"interleaved", "half", NULL};
static const struct param made_params[] = {
	NUMBER_PARAM(struct made, clip, 8, 0, 10, 4, "largest distance, in tokens"),
	RATIO_PARAM(struct made, size, 3, 1, 100, 1.5, "rows of the table"),
	NUMBER_PARAM(struct made, rate, 0.1, 0, 1, 0.1, "share of the pairs"),
	RATIO_PARAM(struct made, base, 10000, 1, 1e8, 10, "of the wavelengths"),
	SWITCH_PARAM(struct made, values, true, "also in the values"),
	CHOICE_PARAM(struct made, layout, 1, layouts, "which coordinates are a pair"),
	LIST_PARAM(struct made, list, "[1,2]", 0, 9, "sections"),
	{.name = "note",
	 .help = "any text",
	 .offset = offsetof(struct made, note),
	 .type = {.kind = &value_text, .def_text = "a b"}},
	{0},
};
static const struct scheme made = {
	.id = "made", .params = made_params, .param_size = sizeof(struct made)};

static const struct param *param(const char *name)
{
	const struct param *p = scheme_param(&made, name, strlen(name));
	assert_non_null(p);
	return p;
}

TEST(defaults_are_those_of_the_table)
{
	const struct made *m = scheme_defaults(&made, &arena);
	assert_int_equal(m->clip, 8);
	assert_true(m->rate == 0.1 && m->base == 10000);
	assert_true(m->values);
	assert_int_equal(m->layout, 1);
	assert_int_equal(m->list.n, 2);
	assert_true(m->list.at[1] == 2);
	assert_string_equal(m->note, "a b");
	assert_null(scheme_param(&made, "cli", 3));
}

TEST(values_are_read_and_printed)
{
	static const struct {
		const char *name, *value, *printed;
	} cases[] = {
		{"clip", "0", "0"},
		{"rate", "1e-3", "0.001"},
		{"base", "5e5", "500000"},
		{"values", "off", "off"},
		{"layout", "interleaved", "interleaved"},
		{"list", "[ 3 , 4.5 ]", "[3,4.5]"},
		{"list", "7", "[7]"},
		{"list", "[]", "[]"},
		{"note", "(a, [b])", "(a, [b])"},
		{"note", "\"a, b)\"", "\"a, b)\""},
		{"note", "\"say \\\"x\\\" \\\\ \\n\"", "\"say \\\"x\\\" \\\\ \\\\n\""},
		{"note", "\"plain\"", "plain"},
		{"note", "\"\"", "\"\""},
		{"note", "猫\\t", "猫\\t"},
		{"note", "C:\\\\x", "C:\\\\x"},
	};
	void *params = scheme_defaults(&made, &arena);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct param *p = param(cases[i].name);
		struct err err = {0};
		if (!param_set(p, params, cases[i].value, strlen(cases[i].value), &arena, &err))
			fail_msg("%s", err.text);
		assert_string_equal(param_print(p, params, &arena), cases[i].printed);
		assert_false(param_is_default(p, params));
		check_round_trip(&made, p, params);
	}
}

TEST(wrong_values_are_refused_and_change_nothing)
{
	char long_text[PARAM_TEXT_MAX + 1];
	memset(long_text, 'x', sizeof long_text - 1);
	long_text[sizeof long_text - 1] = '\0';
	char many[2 * VALUE_LIST_MAX + 4] = "[";
	for (size_t i = 0; i <= VALUE_LIST_MAX; i++)
		memcpy(many + 1 + 2 * i, i < VALUE_LIST_MAX ? "1," : "1]", 3);
	const struct {
		const char *name, *value, *error;
	} cases[] = {
		{"clip", "11",
		 "clip (largest distance, in tokens): \"11\" is out of range, it must be from 0 to "
		 "10"},
		{"clip", "1.5", "is not a whole number"},
		{"rate", "2", "from 0 to 1"},
		{"rate", "nan", "is not a number"},
		{"values", "ja", "\"ja\" is neither on nor off"},
		{"layout", "hafl", "is none of interleaved|half; did you mean \"half\"?"},
		{"layout", "qqqqqq",
		 "layout (which coordinates are a pair): \"qqqqqq\" is none of interleaved|half"},
		{"list", "[1,]", "is not a number"},
		{"list", "[1,10]", "from 0 to 9"},
		{"list", "[1", "is not a number"},
		{"list", many, "more than 4096 numbers"},
		{"note", "a\nb", "control characters"},
		{"note", "\xFF", "UTF-8"},
		{"note", long_text, "255 bytes"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		void *params = scheme_defaults(&made, &arena);
		const struct param *p = param(cases[i].name);
		struct err err = {0};
		assert_false(
			param_set(p, params, cases[i].value, strlen(cases[i].value), &arena, &err));
		if (strstr(err.text, cases[i].error) == NULL)
			fail_msg("%s=%s: %s", cases[i].name, cases[i].value, err.text);
		assert_true(param_is_default(p, params));
	}
}

TEST(steps_follow_the_table)
{
	static const struct {
		const char *name;
		int direction;
		const char *values; /* after each step until there is none */
	} cases[] = {
		{"clip", 1, "10"},
		{"clip", -1, "4 0"},
		{"size", 1, "4 6 9 13 19 28 42 63 94 100"},
		{"size", -1, "2 1"},
		{"rate", 1, "0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1"},
		{"rate", -1, "0"},
		{"base", -1, "1000 100 10 1"},
		{"base", 1, "100000 1000000 10000000 100000000"},
		{"values", 1, ""},
		{"values", -1, "off"},
		{"layout", 1, ""},
		{"layout", -1, "interleaved"},
		{"list", 1, ""},
		{"note", -1, ""},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct param *p = param(cases[i].name);
		void *params = scheme_defaults(&made, &arena);
		char word[64];
		const char *list = cases[i].values;
		while (next_word(&list, word, sizeof word)) {
			assert_true(param_step(p, params, cases[i].direction));
			assert_string_equal(param_print(p, params, &arena), word);
		}
		assert_false(param_step(p, params, cases[i].direction));
	}
}

/* ---- leaves ------------------------------------------------------------------------------------ */

/* Sizes that nothing takes for one another. */
static const struct model_config leaf_sizes = {.d = 48,
					       .heads = 3,
					       .layers = 2,
					       .ff = 13,
					       .t_max = 23,
					       .norm_eps = 1e-5,
					       .unfilled = true};

static void check_shape(const struct scheme *s, const void *param, const struct leaf *leaf,
			const struct leaf_row *note)
{
	const char *const comma = strchr(note->shape, ',');
	assert_non_null(comma);
	const char *const first = arena_strndup(&arena, note->shape, (size_t)(comma - note->shape));
	const double rows = scheme_value(s, param, &leaf_sizes, first);
	const double cols = scheme_value(s, param, &leaf_sizes, comma + 1);
	if ((size_t)rows != leaf->at.rows || (size_t)cols != leaf->at.cols)
		fail_msg("%s: %s is [%s]: %g x %g, and there are %zu x %zu", s->id, leaf->base,
			 note->shape, rows, cols, leaf->at.rows, leaf->at.cols);
}

/* Notes of this scheme that a variant has shown to be needed. */
static void check_leaves(const struct scheme *s, void *param, bool *needed)
{
	struct member m = {.hooks = &s->hooks,
			   .scheme = s,
			   .param = param,
			   .name = s->id,
			   .text = s->id,
			   .pos = "seq",
			   .layers = SUBSET_ALL,
			   .heads = SUBSET_ALL};
	struct model model;
	if ((s->check && !s->check(param, NULL)) ||
	    (s->load && !s->load(param, &arena, &m, NULL)) ||
	    !model_build(&model, &leaf_sizes, &m, 1, NULL, &arena, NULL))
		return;
	for (size_t i = 0; i < model.n_leaves; i++) {
		const struct leaf *const leaf = &model.leaves[i];
		const struct leaf_row *const note = scheme_leaf(s, leaf->base);
		if (!note || !note->meaning || strlen(note->meaning) < 5)
			fail_msg("%s: nothing says what %s (%zu x %zu) is", s->id, leaf->base,
				 leaf->at.rows, leaf->at.cols);
		needed[note - s->leaves] = true;
		if (note->shape)
			check_shape(s, param, leaf, note);
	}
}

static void vary(const struct scheme *s, const struct param *p, bool *needed)
{
	void *const param = scheme_defaults(s, &arena);
	static const char *const switches[] = {"off", "on", NULL};
	const char *const *const words = p->type.kind == &value_switch ? switches : p->type.choices;
	for (int direction = -1; direction <= 1; direction += 2) {
		void *const stepped = scheme_defaults(s, &arena);
		if (param_step(p, stepped, direction))
			check_leaves(s, stepped, needed);
	}
	for (size_t i = 0;
	     (p->type.kind == &value_switch || p->type.kind == &value_choice) && words[i]; i++) {
		assert_true(param_set(p, param, words[i], strlen(words[i]), &arena, NULL));
		check_leaves(s, param, needed);
		for (const struct param *q = s->params; q->name; q++) {
			void *const both = arena_alloc(&arena, s->param_size);
			memcpy(both, param, s->param_size);
			if (q->type.kind == &value_listed &&
			    param_set(q, both, "[1]", 3, &arena, NULL))
				check_leaves(s, both, needed);
			for (int direction = -1; q != p && direction <= 1; direction += 2)
				if (param_step(q, both, direction))
					check_leaves(s, both, needed);
		}
	}
}

/* What somebody must know who brings numbers of their own; no note is of a leaf that is not there. */
TEST(every_leaf_says_what_it_is)
{
	for (size_t i = 0; i < scheme_count(); i++) {
		const struct scheme *const s = scheme_at(i);
		const struct arena_mark mark = arena_mark(&arena);
		bool needed[64] = {false};
		check_leaves(s, scheme_defaults(s, &arena), needed);
		for (const struct param *p = s->params; p && p->name; p++)
			vary(s, p, needed);
		for (size_t k = 0; s->leaves && s->leaves[k].base; k++)
			if (!needed[k])
				fail_msg("%s: there is no leaf %s", s->id, s->leaves[k].base);
		arena_rewind(&arena, mark);
	}
}
