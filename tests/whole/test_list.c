/* test_list.c: posviz list schemes and list table: every format holds every row, and can be read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "test.h"
#include "help_cli.h"
#include "posviz/scheme/scheme.h"

FIXTURE(cli_enter, cli_leave)

static void list(struct cli_result *r, const char *name, const char *format)
{
	const struct cli_case c = {.args = {"list", name, "--format", format}};
	cli_run(r, &c);
	if (r->code != 0)
		fail_msg("list %s --format %s: %s", name, format, r->err);
}

static size_t lines_of(const char *text)
{
	size_t n = 0;
	for (; *text; text++)
		n += *text == '\n';
	return n;
}

/* The cells of one CSV line; quotes are doubled inside quotes. Returns how many, and the first. */
static size_t csv_cells(const char **at, char *first, size_t room)
{
	size_t n = 1, len = 0;
	bool quoted = false;
	for (; **at && (quoted || **at != '\n'); ++*at) {
		if (**at == '"')
			quoted = !quoted;
		else if (**at == ',' && !quoted)
			n++;
		else if (n == 1 && len + 1 < room)
			first[len++] = **at;
	}
	first[len] = '\0';
	*at += **at == '\n';
	return n;
}

static const char *const names[] = {"schemes", "table"};
enum { NAMES = sizeof names / sizeof *names };

/* Columns are found by their names: what stands below them is what they say. */
static void check_table(const json_t *rows)
{
	size_t reasons = 0;
	for (size_t k = 0; k < json_array_size(rows); k++) {
		const json_t *const row = json_array_get(rows, k);
		const char *const id = json_string_value(json_object_get(row, "scheme"));
		const struct scheme *const s = scheme_find(id, strlen(id), NULL);
		assert_non_null(s);
		assert_string_equal(json_string_value(json_object_get(row, "evidence")),
				    evidence_names[s->evidence]);
		assert_string_equal(json_string_value(json_object_get(row, "parameters")),
				    s->count_printed ? s->count_printed : "");
		const char *const why = json_string_value(json_object_get(row, "why"));
		const char *const differs = json_string_value(json_object_get(row, "differs"));
		if (*differs && !strchr(why, ':'))
			fail_msg("%s differs in %s, because \"%s\"", id, differs, why);
		reasons += *why != '\0';
	}
	assert_true(reasons > 0);
}

/* Truths and numbers stand as words, and in "about" as what they are. */
static void check_about(json_t *row)
{
	json_t *const about = json_object_get(row, "about");
	const char *name;
	json_t *value;
	assert_true(json_is_boolean(json_object_get(about, "learned")) ||
		    json_is_null(json_object_get(about, "learned")));
	json_object_foreach(about, name, value)
	{
		const char *const word = json_string_value(json_object_get(row, name));
		if (json_is_boolean(value))
			assert_string_equal(word, json_is_true(value) ? "yes" : "no");
		else if (json_is_number(value))
			assert_true(strtod(word, NULL) == json_number_value(value));
		else
			assert_true(json_is_null(value) && strcmp(word, "yes") != 0 &&
				    strcmp(word, "no") != 0);
	}
}

static void check_csv_and_json(const char *name)
{
	struct cli_result csv, json;
	char id[64];
	bool seen[512] = {false};
	json_error_t why;
	list(&csv, name, "csv");
	list(&json, name, "json");
	json_t *const rows = json_loads(json.out, 0, &why);
	if (!rows)
		fail_msg("list %s: %s", name, why.text);
	assert_int_equal(json_array_size(rows), scheme_count());
	const char *at = csv.out;
	const size_t cols = csv_cells(&at, id, sizeof id);
	assert_string_equal(id, "scheme");
	for (size_t i = 0; i < scheme_count(); i++) {
		json_t *const row = json_array_get(rows, i);
		assert_int_equal(csv_cells(&at, id, sizeof id), cols);
		assert_int_equal(json_object_size(row), cols + 1);
		check_about(row);
		assert_string_equal(json_string_value(json_object_get(row, "scheme")), id);
		for (size_t k = 0; k < scheme_count(); k++)
			seen[k] |= strcmp(scheme_at(k)->id, id) == 0;
	}
	assert_int_equal(*at, '\0');
	for (size_t k = 0; k < scheme_count(); k++)
		if (!seen[k])
			fail_msg("list %s: no row of %s", name, scheme_at(k)->id);
	if (strcmp(name, "table") == 0)
		check_table(rows);
	json_decref(rows);
	cli_done(&csv);
	cli_done(&json);
}

TEST(csv_and_json_have_a_row_of_every_scheme)
{
	for (size_t i = 0; i < NAMES; i++)
		check_csv_and_json(names[i]);
}

/* Of schemes alone: the rows of the table, which csv and json have, are measured each time. */
TEST(text_and_markdown_are_a_line_each)
{
	static const struct {
		const char *format;
		size_t more;
	} rows[] = {{"text", 1}, {"markdown", 2}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct cli_result r;
		list(&r, "schemes", rows[i].format);
		assert_int_equal(lines_of(r.out), scheme_count() + rows[i].more);
		cli_done(&r);
	}
}

TEST(the_table_is_at_the_sizes_asked_for)
{
	struct cli_result r;
	const struct cli_case c = {.args = {"list", "table", "--format", "json", "--d-model", "768",
					    "--heads", "12", "--layers", "12", "--filter",
					    "learned", "--sort", "made", "--descending", "on"}};
	cli_run(&r, &c);
	assert_int_equal(r.code, 0);
	json_t *const rows = json_loads(r.out, 0, NULL);
	assert_non_null(rows);
	assert_true(json_array_size(rows) < scheme_count());
	bool found = false;
	for (size_t k = 0; k < json_array_size(rows); k++) {
		const json_t *const row = json_array_get(rows, k);
		if (strcmp(json_string_value(json_object_get(row, "scheme")), "learned") != 0)
			continue;
		assert_string_equal(json_string_value(json_object_get(row, "made")), "393216");
		assert_string_equal(json_string_value(json_object_get(row, "printed")), "393216");
		assert_string_equal(json_string_value(json_object_get(row, "is learned")), "yes");
		assert_string_equal(json_string_value(json_object_get(row, "topic")), "generic");
		found = true;
	}
	assert_true(found);
	json_decref(rows);
	cli_done(&r);
}

TEST(what_is_no_size_is_refused)
{
	static const struct {
		const char *args[8], *says;
	} rows[] = {
		{{"list", "table", "--sentence", "a"}, "takes no option"},
		{{"list", "table", "--heads", "7"}, "divide"},
		{{"list", "table", "--sort", "mad"}, "made"},
		{{"list", "tabel"}, "did you mean \"table\""},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct cli_case c = {0};
		memcpy(c.args, rows[i].args, sizeof rows[i].args);
		cli_refuse(&c, rows[i].says);
	}
}

TEST(show_has_what_was_published)
{
	struct cli_result r;
	const struct cli_case c = {.args = {"show", "t5"}};
	cli_run(&r, &c);
	assert_int_equal(r.code, 0);
	assert_non_null(strstr(r.out, "Published results"));
	assert_non_null(strstr(r.out, "Chen et al. 2021 (DIET), Table 2"));
	assert_non_null(strstr(r.out, "CoLA 59.6"));
	cli_done(&r);
}

TEST(show_follows_the_parameters)
{
	static const struct {
		const char *expression, *says;
	} rows[] = {
		{"t5", "Table 2       generic\n"},
		{"synth_random", "kind          learned, in every layer, bounded\n"},
		{"synth_random(learned=off)",
		 "kind          not learned, in every layer, bounded\n"},
		{"laplacian(local=on)",
		 "Table 1       not learned, not in every layer, unbounded\n"},
		{"laplacian(local=on)", "recurring   no       yes   yes       ok"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct cli_result r;
		const struct cli_case c = {.args = {"show", rows[i].expression}};
		cli_run(&r, &c);
		if (r.code != 0 || !strstr(r.out, rows[i].says))
			fail_msg("%s: exit %d, %s", rows[i].expression, r.code, r.out);
		cli_done(&r);
	}
}
