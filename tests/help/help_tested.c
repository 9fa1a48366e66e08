/* help_tested.c: see help_tested.h. */
#include "help_tested.h"

#include <string.h>

#include "test.h"
#include "posviz/base/err.h"
#include "posviz/format/file.h"

const char *const tested_names[TESTED_COLUMNS] = {"vectors",  "worked", "limit",
						  "gradient", "dump",	"refused"};

/* Parts a text at the first `at`; returns what is behind it, NULL if it is not there. */
static char *part(char *text, const char *at)
{
	char *const found = strstr(text, at);
	if (found)
		*found = '\0';
	return found ? found + strlen(at) : NULL;
}

static void open_family(struct tested *t, char *line)
{
	size_t n = 0;
	char *const schemes = part(line, ":");
	*t = (struct tested){.family = line};
	if (!schemes)
		fail_msg("\"%s\" has no colon", line);
	for (char *at = strtok(schemes, " "); at; at = strtok(NULL, " ")) {
		assert_true(n + 1 < TESTED_SCHEMES);
		t->schemes[n++] = at;
	}
}

static size_t column_of(const char *name)
{
	size_t i = 0;
	while (i < TESTED_COLUMNS && strcmp(tested_names[i], name) != 0)
		i++;
	if (i == TESTED_COLUMNS)
		fail_msg("\"%s\" is no column", name);
	return i;
}

static void read_cell(struct tested *t, size_t column, char *text)
{
	if (strncmp(text, "- ", 2) == 0) {
		t->why[column] = text + 2;
		return;
	}
	char *const says = part(text, " -> ");
	if (says) {
		t->bad = text;
		t->says = says;
		return;
	}
	assert_true(t->n[column] < TESTED_CELLS);
	char *const words = part(text, " | ");
	t->at[column][t->n[column]++] = (struct tested_cell){text, words};
}

size_t help_tested(struct tested *out, struct arena *a)
{
	const char *const folder = test_data[0] ? test_data : "tests/data";
	char *text;
	size_t len, n = 0, column = TESTED_COLUMNS;
	struct err err = {""};
	if (!file_read(arena_printf(a, "%s/tested.txt", folder), 1 << 20, a, &text, &len, &err))
		fail_msg("%s", err.text);
	for (char *line = arena_strndup(a, text, len), *next; line; line = next) {
		next = part(line, "\n");
		if (line[0] == '\0' || line[0] == '#')
			continue;
		if (line[0] != '\t') {
			assert_true(n < TESTED_FAMILIES);
			open_family(&out[n++], line);
			column = TESTED_COLUMNS;
			continue;
		}
		char *const cell = part(++line, "\t");
		if (!cell || n == 0 || (column == TESTED_COLUMNS && line[0] == '\0'))
			fail_msg("\"%s\" is no cell", line);
		column = line[0] ? column_of(line) : column;
		read_cell(&out[n - 1], column, cell);
	}
	return n;
}
