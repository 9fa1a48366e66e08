/* test_tested.c: the table of what is tested of newer schemes: that it has all of them, that its tests
 * exist and show what it says, and that no cell is empty. `make tested` prints it. */
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_tested.h"
#include "posviz/format/file.h"
#include "posviz/scheme/scheme.h"

enum { SINCE = 2023 };

static struct tested table[TESTED_FAMILIES];
static size_t count;

static int open_table(void **state)
{
	const int code = open_arena(state);
	count = help_tested(table, &arena);
	return code;
}

FIXTURE(open_table, close_arena)

/* ---- schemes --------------------------------------------------------------------------------- */

static bool is_listed(const char *id)
{
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; table[i].schemes[k]; k++)
			if (strcmp(table[i].schemes[k], id) == 0)
				return true;
	return false;
}

TEST(every_newer_scheme_has_a_family)
{
	size_t newer = 0;
	for (size_t i = 0; i < scheme_count(); i++) {
		const struct scheme *const s = scheme_at(i);
		if (s->year >= SINCE && !is_listed(s->id))
			fail_msg("%s, of %d, is in no family of tested.txt", s->id, s->year);
		newer += s->year >= SINCE;
	}
	assert_true(newer > 50);
}

static bool is_in_registry(const char *id)
{
	for (size_t i = 0; i < scheme_count(); i++)
		if (strcmp(scheme_at(i)->id, id) == 0)
			return true;
	return false;
}

TEST(families_are_of_the_registry)
{
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; table[i].schemes[k]; k++)
			if (!is_in_registry(table[i].schemes[k]))
				fail_msg("%s: %s is no scheme", table[i].family,
					 table[i].schemes[k]);
}

/* ---- cells ----------------------------------------------------------------------------------- */

static bool is_empty(const struct tested *t, size_t column)
{
	/* The tests of all schemes go through it; is_swept says whether they do. */
	const bool swept = t->schemes[0] && (column == TESTED_GRADIENT || column == TESTED_DUMP);
	return t->n[column] == 0 && !t->why[column] && !swept &&
	       !(column == TESTED_REFUSED && t->bad);
}

TEST(no_cell_is_empty)
{
	for (size_t i = 0; i < count; i++)
		for (size_t c = 0; c < TESTED_COLUMNS; c++) {
			if (is_empty(&table[i], c))
				fail_msg("%s has no %s, and no reason", table[i].family,
					 tested_names[c]);
			if (table[i].why[c] && (table[i].n[c] > 0 || strlen(table[i].why[c]) < 10))
				fail_msg("%s, %s: a reason beside tests, or none", table[i].family,
					 tested_names[c]);
		}
}

/* Of a family with a scheme bad input can be given, so it is. */
TEST(bad_input_of_every_family_is_tried)
{
	for (size_t i = 0; i < count; i++)
		if (table[i].schemes[0] && !table[i].bad)
			fail_msg("%s: no expression that is refused", table[i].family);
}

/* ---- their tests ----------------------------------------------------------------------------- */

/* Returns the source of a file of tests, "scheme_t5: ..."; NULL: there is none. */
static const char *source_of(const char *test)
{
	static const char *const folders[] = {"unit", "layout", "whole"};
	const int len = (int)strcspn(test, ":");
	char *text;
	size_t size;
	for (size_t i = 0; i < 3; i++)
		if (file_read(arena_printf(&arena, "%s/../%s/test_%.*s.c", test_data, folders[i],
					   len, test),
			      1 << 20, &arena, &text, &size, NULL))
			return arena_strndup(&arena, text, size);
	return NULL;
}

/* Returns whether a line begins with TEST and has this name in brackets. */
static bool has_test(const char *source, const char *name)
{
	const char *const open = arena_printf(&arena, "(%s", name);
	for (const char *at = source; (at = strstr(at, open)) != NULL; at++) {
		const char end = at[strlen(open)], *line = at;
		while (line > source && line[-1] != '\n')
			line--;
		if ((end == ')' || end == ',') && strncmp(line, "TEST", 4) == 0)
			return true;
	}
	return false;
}

/* Rows of the great tables are whole expressions; of gradients those that say so. */
static bool has_words(const char *source, const struct tested_cell *cell, size_t column)
{
	static const char *const tables[] = {"scheme_ways:", "gradients:", "dump_recompute:"};
	const char *words = cell->words;
	bool row = false;
	for (size_t i = 0; i < 3; i++)
		row |= strncmp(cell->test, tables[i], strlen(tables[i])) == 0;
	if (!row)
		return strstr(source, words) != NULL;
	words = arena_printf(&arena, "\"%s\"", words);
	const bool says = column == TESTED_GRADIENT && cell->test[0] == 's';
	for (const char *at = source; (at = strstr(at, words)) != NULL; at++) {
		const char *const found = strstr(at, "GRADIENTS");
		if (!says || (found && found < strchr(at, '}')))
			return true;
	}
	return false;
}

static void expect_test(const char *family, const struct tested_cell *cell, size_t column)
{
	const char *const source = source_of(cell->test), *const name = strstr(cell->test, ": ");
	if (!source || !name || !has_test(source, name + 2))
		fail_msg("%s, %s: there is no test \"%s\"", family, tested_names[column],
			 cell->test);
	if (cell->words && !has_words(source, cell, column))
		fail_msg("%s, %s: \"%s\" has no \"%s\"", family, tested_names[column], cell->test,
			 cell->words);
}

TEST(tests_that_are_named_exist)
{
	for (size_t i = 0; i < count; i++)
		for (size_t c = 0; c < TESTED_COLUMNS; c++)
			for (size_t k = 0; k < table[i].n[c]; k++)
				expect_test(table[i].family, &table[i].at[c][k], c);
	static const char *const all[] = {TESTED_ALL_GRADIENTS, TESTED_ALL_DUMPS,
					  TESTED_ALL_REFUSED};
	for (size_t k = 0; k < 3; k++)
		expect_test("all", &(struct tested_cell){all[k], NULL}, TESTED_COLUMNS - 1);
}

/* The gradients of all schemes leave some out by name. */
TEST(no_family_is_left_out_of_all)
{
	static const char begin[] = "left_out[] = {";
	const char *const from = strstr(source_of(TESTED_ALL_GRADIENTS), begin);
	assert_non_null(from);
	const char *const list = arena_strndup(&arena, from, (size_t)(strchr(from, '}') - from));
	assert_non_null(strstr(list, "\"gauss\""));
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; table[i].schemes[k]; k++)
			if (strstr(list, arena_printf(&arena, "\"%s\"", table[i].schemes[k])))
				fail_msg("%s is left out", table[i].schemes[k]);
}

/* ---- numbers of the codes -------------------------------------------------------------------- */

/* Whether words name the file: its name, without "-a", behind a slash or a quote or alone. */
static bool is_named(const char *words, const char *file, size_t len)
{
	const char *name = words;
	for (const char *at = words; *at; at++)
		if ((*at == '/' || *at == '"') && at[1])
			name = at + 1;
	size_t own = strcspn(name, "\"");
	own -= own > 2 && strncmp(name + own - 2, "-a", 2) == 0 ? 2 : 0;
	return own == len && strncmp(name, file, len) == 0;
}

static bool is_compared(const char *file, size_t len)
{
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < table[i].n[TESTED_VECTORS]; k++) {
			const char *const words = table[i].at[TESTED_VECTORS][k].words;
			if (words && is_named(words, file, len))
				return true;
		}
	return false;
}

TEST(every_file_of_numbers_is_compared)
{
	static const char *const folders[] = {"newer", "grid"};
	size_t seen = 0;
	for (size_t i = 0; i < 2; i++) {
		DIR *const d = opendir(arena_printf(&arena, "%s/%s", test_data, folders[i]));
		assert_non_null(d);
		for (const struct dirent *e; (e = readdir(d)) != NULL;) {
			const char *const end = strstr(e->d_name, "-a.safetensors");
			if (!end)
				continue;
			seen++;
			if (!is_compared(e->d_name, (size_t)(end - e->d_name)))
				fail_msg("%s/%s is in no cell of vectors", folders[i], e->d_name);
		}
		closedir(d);
	}
	assert_true(seen >= 37);
}

/* ---- in Markdown ----------------------------------------------------------------------------- */

static void print_code(const char *text)
{
	putchar('`');
	for (; *text; text++)
		printf(*text == '|' ? "\\|" : "%c", *text);
	putchar('`');
}

static void print_cell(const struct tested *t, size_t c)
{
	const char *const all = !t->schemes[0]	       ? NULL
				: c == TESTED_GRADIENT ? TESTED_ALL_GRADIENTS
				: c == TESTED_DUMP     ? TESTED_ALL_DUMPS
						       : NULL;
	const char *between = "";
	printf(" | ");
	if (t->why[c])
		printf("*none: %s*", t->why[c]);
	if (all)
		printf("%s", all);
	if (c == TESTED_REFUSED && t->bad)
		print_code(t->bad);
	between = all || t->bad ? "; " : "";
	for (size_t k = 0; k < t->n[c]; k++) {
		const struct tested_cell *const cell = &t->at[c][k];
		const bool same = k > 0 && strcmp(cell[-1].test, cell->test) == 0;
		printf("%s%s",
		       same				       ? ", "
		       : (k > 0 || all || c == TESTED_REFUSED) ? between
							       : "",
		       same ? "" : cell->test);
		between = "; ";
		if (!cell->words)
			continue;
		printf(same ? "" : " ");
		print_code(cell->words);
	}
}

TEST_PROGRAM(tested)
{
	void *state = NULL;
	(void)argv;
	open_table(&state);
	printf("| family | schemes");
	for (size_t c = 0; c < TESTED_COLUMNS; c++)
		printf(" | %s", tested_names[c]);
	printf(" |\n|---|---|---|---|---|---|---|---|\n");
	for (size_t i = 0; i < count; i++) {
		printf("| %s |", table[i].family);
		for (size_t k = 0; table[i].schemes[k]; k++)
			printf(" %s", table[i].schemes[k]);
		for (size_t c = 0; c < TESTED_COLUMNS; c++)
			print_cell(&table[i], c);
		printf(" |\n");
	}
	return close_arena(&state);
}
