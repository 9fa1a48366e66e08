/* test_cli_json.c: what show, check and doctor print as JSON: it says all that the text says, by names
 * that stay, with numbers that are numbers; and show --format bibtex. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "test.h"
#include "help_cli.h"
#include "posviz/scheme/scheme.h"

FIXTURE(cli_enter, cli_leave)

/* The value of a run that ends with this status. */
static json_t *json_of(const struct cli_case *c, int code)
{
	struct cli_result r;
	json_error_t error;
	cli_run(&r, c);
	if (r.code != code)
		fail_msg("%s: status %d: %s", c->args[0], r.code, r.err);
	json_t *const value = json_loads(r.out, 0, &error);
	if (!value)
		fail_msg("%s: line %d: %s", c->args[0], error.line, error.text);
	cli_done(&r);
	return value;
}

/* "members/0/cite": names and places, parted by slashes. */
static const json_t *at(const json_t *value, const char *path)
{
	char name[64];
	for (const char *p = path; *p && value;) {
		const size_t len = strcspn(p, "/");
		snprintf(name, sizeof name, "%.*s", (int)len, p);
		value = json_is_array(value) ? json_array_get(value, strtoul(name, NULL, 10))
					     : json_object_get(value, name);
		p += len + (p[len] == '/');
	}
	if (!value)
		fail_msg("there is no %s", path);
	return value;
}

static const char *text_at(const json_t *value, const char *path)
{
	const json_t *const found = at(value, path);
	if (!json_is_string(found))
		fail_msg("%s is no text", path);
	return json_string_value(found);
}

static long whole_at(const json_t *value, const char *path)
{
	const json_t *const found = at(value, path);
	if (!json_is_integer(found))
		fail_msg("%s is no whole number", path);
	return (long)json_integer_value(found);
}

static double number_at(const json_t *value, const char *path)
{
	const json_t *const found = at(value, path);
	if (!json_is_number(found))
		fail_msg("%s is no number", path);
	return json_number_value(found);
}

/* The object of an array whose `name` is `text`. */
static const json_t *row_of(const json_t *array, const char *name, const char *text)
{
	size_t i;
	const json_t *row;
	json_array_foreach(array, i, row) if (strcmp(text_at(row, name), text) == 0) return row;
	fail_msg("no row has %s %s", name, text);
	return NULL;
}

/* ---- show --------------------------------------------------------------------------------------- */

TEST(a_card_has_typed_facts)
{
	json_t *const v = json_of(
		&(struct cli_case){.args = {"show", "shaw(sign=ts)+causal", "--format", "json"}},
		0);
	const json_t *const shaw = at(v, "members/0"), *const made = at(v, "learned_numbers");
	const json_t *const clip = row_of(at(shaw, "parameters"), "name", "clip");
	const json_t *const sign = row_of(at(shaw, "parameters"), "name", "sign");
	assert_string_equal(text_at(v, "expression"), "shaw(sign=ts)+causal");
	assert_int_equal(json_array_size(at(v, "members")), 2);
	assert_int_equal(whole_at(shaw, "year"), 2018);
	assert_string_equal(text_at(shaw, "papers/0/doi"), "10.18653/v1/N18-2074");
	assert_true(json_is_true(at(shaw, "learned")) && json_is_false(at(shaw, "unbounded")));
	assert_int_equal(whole_at(clip, "value"), 16);
	assert_int_equal(number_at(clip, "max"), 4096);
	assert_string_equal(text_at(sign, "value"), "ts");
	assert_string_equal(text_at(sign, "default"), "st");
	assert_int_equal(json_array_size(at(sign, "choices")), 2);
	/* 2(2 t_max − 1) d l with t_max 512, d 64, l 2; two tables of 33 rows of 16 in 2 layers. */
	assert_int_equal(number_at(made, "printed"), 2 * 1023 * 64 * 2);
	assert_int_equal(whole_at(made, "made"), 2 * 33 * 16 * 2);
	assert_int_equal(whole_at(v, "leaves/0/rows"), 33);
	assert_true(json_is_true(at(v, "leaves/0/by_layer")));
	assert_true(number_at(row_of(at(v, "measures"), "measure", "equivariance"), "value") > 0);
	assert_true(json_is_null(at(row_of(at(v, "claims"), "claim", "parameters"), "here")));
	json_decref(v);
}

TEST(a_mixture_says_its_weights)
{
	json_t *const v = json_of(
		&(struct cli_case){.args = {"show", "0.25*t5+alibi+causal", "--format", "json"}},
		0);
	assert_true(fabs(number_at(v, "members/0/weight") - 0.25) < 1e-15);
	assert_true(fabs(number_at(v, "members/1/weight") - 1) < 1e-15);
	assert_true(json_is_null(at(v, "members/2/weight"))); /* a mask has none */
	json_decref(v);
}

/* A number that there is none of is null, with the reason; a limit that is none is "inf". */
TEST(what_is_no_number_is_said)
{
	json_t *const v = json_of(
		&(struct cli_case){.args = {"show", "xpos", "-s", "alone", "--format", "json"}}, 0);
	const json_t *const none = row_of(at(v, "measures"), "measure", "equivariance");
	assert_true(json_is_null(at(none, "value")));
	assert_true(*text_at(none, "why_none"));
	assert_true(json_is_null(at(v, "learned_numbers/printed_formula")));
	assert_true(json_is_null(at(v, "learned_numbers/printed")));
	json_decref(v);
}

/* Every word of the text stands in the JSON too, but for headings. */
static void check_words(const char *text, const char *json, const char *expression)
{
	static const char *const headings[] = {
		"Learned",   "numbers",	  "whole",     "expression", "Claims",	  "Measured",
		"Masks",     "Published", "results",   "Table",	     "made",	  "here",
		"default",   "range",	  "parameter", "params",     "takes",	  "them",
		"these",     "names",	  "being",     "from",	     "without",	  "layers",
		"either",    "what",	  "stands",    "before",     "first",	  "most",
		"precise",   "counts",	  "LEAF",      "TENSOR",     "same",	  "another",
		"tensor",    "printed",	  "nothing",   "claim",	     "FALSE",	  "measure",
		"columns",   "name",	  "text",      "file",	     "numbers",	  "Tensors",
		"that",	     "where",	  "lacks",     "acts",	     "positions", "reads",
		"remaining", "word",	  "segment",   "member",     "adds",	  "even",
		"learned",   "every",	  "layer",     "bounded",    "unbounded", "with",
		"frozen",    "demo",	  "value",     "values",     "rows",	  "meaning",
		"kind",	     "heads",	  "dots",      "differ",     "head",	  "factor",
		"stay",	     "times",	  "logits",    "mask",	     "pictures",  "temporal",
		"height",    "width",	  "column"};
	for (const char *c = text; *c;) {
		size_t len = 0;
		while (isalpha((unsigned char)c[len]))
			len++;
		char word[64];
		snprintf(word, sizeof word, "%.*s", (int)len, c);
		bool known = len < 4 || len >= sizeof word || strstr(json, word);
		for (size_t i = 0; i < sizeof headings / sizeof *headings && !known; i++)
			known = strcmp(headings[i], word) == 0;
		if (!known)
			fail_msg("%s: \"%s\" of the text is not in the JSON", expression, word);
		c += len ? len : 1;
	}
}

TEST(json_says_what_the_text_says)
{
	static const char *const expressions[] = {"t5(buckets=16)+causal", "llama3", "spr_rel",
						  "window(heads=1)+shaw", "freezepe"};
	for (size_t i = 0; i < sizeof expressions / sizeof *expressions; i++) {
		struct cli_result text, json;
		cli_run(&text, &(struct cli_case){.args = {"show", expressions[i]}});
		cli_run(&json,
			&(struct cli_case){.args = {"show", expressions[i], "--format", "json"}});
		assert_int_equal(json.code, 0);
		check_words(text.out, json.out, expressions[i]);
		cli_done(&text);
		cli_done(&json);
	}
}

/* Names of heads, layers and expressions, whose units were drawn, and which part of a long text was measured. */
TEST(names_and_what_was_measured_are_facts_too)
{
	json_t *v = json_of(&(struct cli_case){.args = {"show", "rope", "--name",
							"head.3=induction; layer.2=top", "--name",
							"expr.1=Ours", "--format", "json"}},
			    0);
	assert_string_equal(text_at(v, "names/expressions/0/name"), "Ours");
	assert_int_equal(whole_at(v, "names/heads/0/number"), 3);
	assert_string_equal(text_at(v, "names/heads/0/name"), "induction");
	assert_int_equal(whole_at(v, "names/layers/0/number"), 2);
	assert_int_equal(json_array_size(at(v, "names/layers")), 1);
	assert_true(json_is_false(at(v, "measured_on/drawn_units")));
	assert_true(json_is_null(at(v, "measured_on/part")));
	json_decref(v);
	cli_write("m.csv", "1,0\n0.5,0.5\n", 12);
	v = json_of(&(struct cli_case){.args = {"show", "matrix(from=m.csv,as=weights)", "-s",
						"a b", "--format", "json"}},
		    0);
	assert_true(json_is_true(at(v, "measured_on/drawn_units")));
	json_decref(v);
	cli_remove("m.csv");
	struct cli_result r;
	cli_run(&r, &(struct cli_case){.args = {"show", "rope", "--name", "head.3=induction"}});
	assert_non_null(strstr(r.out, "\nNames\n\n  head 3"));
	assert_non_null(strstr(r.out, "induction\n"));
	cli_done(&r);
}

/* jansson refuses a name that stands twice in an object. */
TEST(no_fact_is_said_twice)
{
	struct cli_result r;
	json_error_t error;
	cli_run(&r, &(struct cli_case){.args = {"show", "0.5*t5+causal", "--format", "json"}});
	json_t *const v = json_loads(r.out, JSON_REJECT_DUPLICATES, &error);
	if (!v)
		fail_msg("line %d: %s", error.line, error.text);
	json_decref(v);
	cli_done(&r);
}

/* ---- check -------------------------------------------------------------------------------------- */

TEST(checks_are_rows)
{
	json_t *const v =
		json_of(&(struct cli_case){.args = {"check", "rope", "t5", "--format", "json"}}, 0);
	assert_true(json_is_true(at(v, "ok")));
	assert_int_equal(json_array_size(at(v, "checked")), 2);
	assert_string_equal(text_at(v, "checked/1/expression"), "t5");
	const json_t *const relative = row_of(at(v, "checked/1/claims"), "claim", "relative");
	assert_true(json_is_true(at(relative, "printed")) &&
		    json_is_true(at(relative, "measured")));
	assert_true(*text_at(relative, "found"));
	json_decref(v);
}

TEST(same_models_say_where_channels_go)
{
	static const int halves[16] = {1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15, 8, 16};
	json_t *const v =
		json_of(&(struct cli_case){.args = {"check", "--same", "rope", "rope(layout=half)",
						    "--format", "json"}},
			0);
	const json_t *const channels = at(v, "head_channels");
	assert_string_equal(text_at(v, "found"), "permuted");
	assert_true(json_is_null(at(v, "unit_channels")) && json_is_true(at(v, "proven")));
	assert_int_equal(json_array_size(channels), 16);
	for (size_t i = 0; i < 16; i++)
		assert_int_equal(json_integer_value(json_array_get(channels, i)), halves[i]);
	assert_true(number_at(v, "outputs_difference") < 1e-12);
	json_decref(v);
}

/* A causal mask takes n (n − 1) / 2 pairs away, 36 of nine words; alibi brings one. */
TEST(models_that_part_say_where)
{
	json_t *const v = json_of(&(struct cli_case){.args = {"check", "--same", "rope", "alibi",
							      "--format", "json"}},
				  1);
	assert_string_equal(text_at(v, "found"), "apart");
	assert_int_equal(whole_at(v, "compared/units"), 9);
	assert_int_equal(whole_at(v, "pairs_only_first_sees"), 36);
	assert_int_equal(whole_at(v, "pairs_only_second_sees"), 0);
	assert_true(number_at(v, "differ_most/first") != number_at(v, "differ_most/second"));
	json_decref(v);
}

/* ---- doctor ------------------------------------------------------------------------------------- */

TEST(doctor_has_groups_of_facts)
{
	json_t *const v =
		json_of(&(struct cli_case){.args = {"doctor", "--format", "json"},
					   .environment = {"TERM=xterm-256color", "NO_COLOR=1"}},
			0);
	assert_true(whole_at(v, "program/processors") > 0);
	assert_true(strncmp(text_at(v, "terminal/TERM"), "xterm-256color", 14) == 0);
	assert_string_equal(text_at(v, "terminal/NO_COLOR"), "1");
	assert_true(strncmp(text_at(v, "decisions/colours/is"), "mono", 4) == 0);
	assert_true(*text_at(v, "decisions/colours/because"));
	assert_string_equal(text_at(v, "files/pictures/path"), ".");
	json_decref(v);
}

/* ---- bibtex ------------------------------------------------------------------------------------- */

TEST(entries_are_printed_or_said_not_to_be)
{
	cli_expect(&(struct cli_case){.args = {"show", "xpos", "--format", "bibtex"}}, 0,
		   "doi           = {10.18653/v1/2023.acl-long.816}", "");
	cli_expect(&(struct cli_case){.args = {"show", "rope+formula", "--format", "bibtex"}}, 0,
		   "@article{su2024roformer,", "");
	cli_expect(&(struct cli_case){.args = {"show", "formula", "--format", "bibtex"}}, 2, "",
		   "show: formula has no paper to cite: yours");
	cli_expect(&(struct cli_case){.args = {"show", "t5", "--seed", "1", "--format", "bibtex"}},
		   0, "@article{raffel2020exploring,", "--seed means nothing for bibtex");
	cli_expect(&(struct cli_case){.args = {"list", "schemes", "--format", "bibtex"}}, 0,
		   "@inproceedings{zhu2019modeling,", "");
	cli_expect(&(struct cli_case){.args = {"list", "views", "--format", "bibtex"}}, 2, "",
		   "list: bibtex is for list schemes");
}
