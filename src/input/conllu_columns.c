/* conllu_columns.c: the meaning of columns: the ten of CoNLL-U, those that a file of CoNLL-U
 * Plus names (universaldependencies.org/ext-format.html), and those of the earlier shared tasks
 * CoNLL-X and CoNLL-2009, which are not named: their columns of predicted heads hold numbers
 * where CoNLL-U has none. */
#include <string.h>

#include "conllu_in.h"
#include "posviz/base/text.h"

enum { PLAIN_COLUMNS = 10, X_PHEAD = 8, Y2009_COLUMNS = 14, Y2009_HEAD = 8, Y2009_PHEAD = 9 };

static const char *const field_names[FIELDS] = {"ID", "FORM", "HEAD", "DEPREL"};

static void skip_blanks(struct field *f)
{
	while (f->len > 0 && (*f->at == ' ' || *f->at == '\t')) {
		f->at++;
		f->len--;
	}
}

static bool skip_word(struct field *f, const char *word)
{
	const size_t n = strlen(word);
	skip_blanks(f);
	if (f->len < n || memcmp(f->at, word, n) != 0)
		return false;
	f->at += n;
	f->len -= n;
	return true;
}

void naming_read(struct naming *out, struct field line, size_t number)
{
	if (skip_word(&line, "#") && skip_word(&line, "global.columns") && skip_word(&line, "="))
		*out = (struct naming){line, number};
}

/* Takes the next name; false after the last. */
static bool next_name(struct field *left, struct field *name)
{
	skip_blanks(left);
	*name = (struct field){left->at, 0};
	while (left->len > 0 && *left->at != ' ' && *left->at != '\t') {
		left->at++;
		left->len--;
		name->len++;
	}
	return name->len > 0;
}

static bool read_names(struct columns *out, const struct source *s, const struct naming *naming,
		       struct err *err)
{
	struct field left = naming->names, name;
	for (; next_name(&left, &name); out->n++)
		for (size_t i = 0; i < FIELDS; i++) {
			if (name.len != strlen(field_names[i]) ||
			    memcmp(name.at, field_names[i], name.len) != 0)
				continue;
			if (out->at[i] != NO_COLUMN)
				return source_blame(
					s, naming->line, err,
					"global.columns names %s twice: columns %zu and "
					"%zu",
					field_names[i], out->at[i] + 1, out->n + 1);
			out->at[i] = out->n;
		}
	return true;
}

static bool named(struct columns *out, const struct source *s, const struct naming *naming,
		  struct arena *a, struct err *err)
{
	if (!read_names(out, s, naming, err))
		return false;
	if (out->at[ID] == NO_COLUMN || out->at[FORM] == NO_COLUMN)
		return source_blame(
			s, naming->line, err,
			"global.columns names no %s: the words are read from ID and FORM, "
			"their tree from HEAD and DEPREL",
			out->at[ID] == NO_COLUMN ? "ID" : "FORM");
	if (out->at[HEAD] == NO_COLUMN)
		out->note = arena_printf(a,
					 "line %zu names no HEAD, so there is no tree: the words "
					 "are a chain",
					 naming->line);
	out->line = naming->line;
	return true;
}

/* Counts the columns; *out gets the column with this index. */
static size_t column(struct field line, size_t index, struct field *out)
{
	const char *at = line.at, *const end = line.at + line.len;
	for (size_t n = 0;; n++) {
		const char *const tab = memchr(at, '\t', (size_t)(end - at));
		const char *const stop = tab ? tab : end;
		if (n == index)
			*out = (struct field){at, (size_t)(stop - at)};
		if (!tab)
			return n + 1;
		at = tab + 1;
	}
}

static bool is_number(struct field f)
{
	size_t digits = 0;
	while (digits < f.len && f.at[digits] >= '0' && f.at[digits] <= '9')
		digits++;
	return digits > 0 && digits == f.len;
}

bool columns_find(struct columns *out, const struct source *s, const struct naming *naming,
		  struct field first, struct arena *a, struct err *err)
{
	struct field head = {"", 0}, predicted = {"", 0}, extra = {"", 0};
	if (naming->line > 0) {
		*out = (struct columns){.at = {NO_COLUMN, NO_COLUMN, NO_COLUMN, NO_COLUMN}};
		return named(out, s, naming, a, err);
	}
	*out = (struct columns){.n = PLAIN_COLUMNS, .at = {0, 1, 6, 7}};
	const size_t n = column(first, Y2009_HEAD, &head);
	column(first, Y2009_PHEAD, &predicted);
	column(first, X_PHEAD, &extra);
	if (n >= Y2009_COLUMNS && is_number(head) && is_number(predicted))
		*out = (struct columns){.n = Y2009_COLUMNS,
					.more = true,
					.at = {0, 1, Y2009_HEAD, Y2009_HEAD + 2},
					.note = "the columns are those of CoNLL-2009: of heads and "
						"relations the first ones, not the predicted"};
	else if (n == PLAIN_COLUMNS && is_number(extra))
		out->note = "the columns are those of CoNLL-X: PHEAD and PDEPREL are not read";
	return true;
}
