/* results.c: reading the published tables under assets/results.
 *
 * It is strict, because a number shifted by a column would go unnoticed: every row has a cell
 * for every column, and a cell is a number or empty. */
#include "posviz/scheme/results.h"

#include <math.h>
#include <string.h>

#include "posviz/base/asset.h"
#include "posviz/base/num.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"

enum { MOST_COLS = 24, FIRST = 2 }; /* the columns before FIRST are scheme and model */

struct reader {
	const char *at, *end;
	size_t line;
	struct arena *a;
	struct err *err;
};

static bool fail(struct reader *r, const char *what)
{
	return err_set(r->err, "line %zu: %s", r->line, what);
}

/* Takes the rest of the line, which must exist, and moves behind it. */
static const char *take_line(struct reader *r)
{
	const char *end = memchr(r->at, '\n', (size_t)(r->end - r->at));
	end = end ? end : r->end;
	const char *line = arena_strndup(r->a, r->at, (size_t)(end - r->at));
	r->at = end < r->end ? end + 1 : end;
	r->line++;
	return line;
}

/* Takes one cell of a line; `*at` moves behind its comma, or becomes NULL at the end of the
 * line. A quoted cell may contain commas; no cell contains a quote. */
static bool take_cell(struct reader *r, const char **at, const char **out)
{
	const bool quoted = **at == '"';
	const char *from = *at + quoted;
	const size_t len = strcspn(from, quoted ? "\"" : ",\"");
	const char *behind = from + len;
	if (quoted && *behind != '"')
		return fail(r, "a quote is never closed");
	behind += quoted;
	if (*behind != ',' && *behind != '\0')
		return fail(r, "a comma or the end of the line must stand here");
	*out = arena_strndup(r->a, from, len);
	*at = *behind == ',' ? behind + 1 : NULL;
	return true;
}

static bool take_cells(struct reader *r, const char *line, const char **cells, size_t *n)
{
	*n = 0;
	for (const char *at = line; at;) {
		if (*n == MOST_COLS)
			return fail(r, "too many columns");
		if (!take_cell(r, &at, &cells[(*n)++]))
			return false;
	}
	return true;
}

/* Takes a line "# key: text". */
static bool take_key(struct reader *r, const char *line, struct results *out)
{
	const struct {
		const char *key;
		const char **to;
	} keys[] = {{"source", &out->source}, {"table", &out->table}, {"about", &out->about}};
	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
		const size_t len = strlen(keys[i].key);
		if (strncmp(line, "# ", 2) != 0 || strncmp(line + 2, keys[i].key, len) != 0 ||
		    strncmp(line + 2 + len, ": ", 2) != 0)
			continue;
		*keys[i].to = line + 2 + len + 2;
		return **keys[i].to != '\0' || fail(r, "nothing stands behind the key");
	}
	return fail(r, "a comment is \"# source: \", \"# table: \" or \"# about: \" and text");
}

static bool take_head(struct reader *r, const char *line, struct results *out)
{
	const char *cells[MOST_COLS];
	size_t n;
	if (!take_cells(r, line, cells, &n))
		return false;
	if (n <= FIRST || strcmp(cells[0], "scheme") != 0 || strcmp(cells[1], "model") != 0)
		return fail(r, "the columns are scheme, model and \"METRIC: TASK\"");
	out->cols = n - FIRST;
	const char **metrics = arena_calloc(r->a, out->cols, sizeof *metrics);
	const char **tasks = arena_calloc(r->a, out->cols, sizeof *tasks);
	for (size_t i = 0; i < out->cols; i++) {
		const char *colon = strstr(cells[FIRST + i], ": ");
		if (!colon || colon == cells[FIRST + i] || colon[2] == '\0')
			return fail(r, "a column of numbers is called \"METRIC: TASK\"");
		metrics[i] =
			arena_strndup(r->a, cells[FIRST + i], (size_t)(colon - cells[FIRST + i]));
		tasks[i] = colon + 2;
	}
	out->metrics = metrics;
	out->tasks = tasks;
	return true;
}

static bool take_row(struct reader *r, const char *line, const struct results *of,
		     struct result_row *out)
{
	const char **cells = arena_calloc(r->a, MOST_COLS, sizeof *cells);
	double *values = arena_calloc(r->a, of->cols, sizeof *values);
	struct err why = {""};
	size_t n;
	if (!take_cells(r, line, cells, &n))
		return false;
	if (n != of->cols + FIRST)
		return fail(r, "a row has as many cells as there are columns");
	if (*cells[0] == '\0' || *cells[1] == '\0')
		return fail(r, "a row names a scheme and a model");
	for (size_t i = 0; i < of->cols; i++) {
		const char *cell = cells[FIRST + i];
		values[i] = NAN;
		if (*cell && !num_parse_double(cell, strlen(cell), -1e9, 1e9, &values[i], &why))
			return fail(r, why.text);
	}
	*out = (struct result_row){cells[0], cells[1], cells + FIRST, values};
	return true;
}

static size_t count_lines(const char *text, size_t len)
{
	size_t n = 1;
	for (size_t i = 0; i < len; i++)
		n += text[i] == '\n';
	return n;
}

bool results_read(struct results *out, const char *text, size_t len, struct arena *a,
		  struct err *err)
{
	struct reader r = {text, text + len, 0, a, err};
	struct result_row *rows = arena_calloc(a, count_lines(text, len), sizeof *rows);
	*out = (struct results){.rows = rows};
	if (!text_valid(text, len) || memchr(text, '\0', len))
		return err_set(err, "not UTF-8 text");
	while (r.at < r.end) {
		const char *line = take_line(&r);
		if (*line == '\0')
			return fail(&r, "an empty line");
		const bool ok = *line == '#' ? take_key(&r, line, out)
				: !out->cols ? take_head(&r, line, out)
					     : take_row(&r, line, out, &rows[out->n++]);
		if (!ok)
			return false;
	}
	if (!out->source || !out->table || !out->about)
		return err_set(err, "it must say its source, table and about");
	return out->n > 0 || err_set(err, "it has no rows");
}

const struct results *results_all(struct arena *a, size_t *n)
{
	static const char folder[] = "results/";
	size_t files = 0;
	for (const struct asset *f = assets; f->path; f++)
		files += strncmp(f->path, folder, strlen(folder)) == 0;
	struct results *out = arena_calloc(a, files + 1, sizeof *out);
	*n = 0;
	for (const struct asset *f = assets; f->path; f++) {
		struct err err = {""};
		if (strncmp(f->path, folder, strlen(folder)) != 0)
			continue;
		struct results *const r = &out[(*n)++];
		const char *const name = f->path + strlen(folder);
		if (!results_read(r, f->begin, (size_t)(f->end - f->begin), a, &err))
			BUG("%s: %s", f->path, err.text);
		r->name = arena_strndup(a, name, strcspn(name, "."));
	}
	return out;
}

const struct results *results_of(const char *name, struct arena *a)
{
	size_t n;
	const struct results *const all = results_all(a, &n);
	for (size_t i = 0; i < n; i++)
		if (strcmp(all[i].name, name) == 0)
			return &all[i];
	BUG("there are no results %s", name);
}

bool results_name(const struct result_row *row, const char *id)
{
	const size_t len = strlen(id);
	for (const char *at = row->schemes; *at; at += strspn(at, " ")) {
		const size_t size = strcspn(at, " ");
		if (size == len && memcmp(at, id, len) == 0)
			return true;
		at += size;
	}
	return false;
}

static bool seen_before(const struct results *r, size_t col)
{
	for (size_t i = 0; i < col; i++)
		if (strcmp(r->metrics[i], r->metrics[col]) == 0)
			return true;
	return false;
}

const char *results_line(const struct results *r, const struct result_row *row, struct arena *a)
{
	struct strbuf b;
	strbuf_init(&b, a);
	for (size_t m = 0; m < r->cols; m++) {
		const size_t before = b.len;
		if (seen_before(r, m))
			continue;
		for (size_t i = m; i < r->cols; i++)
			if (strcmp(r->metrics[i], r->metrics[m]) == 0 && *row->cells[i])
				strbuf_printf(&b, "%s%s %s",
					      b.len == before
						      ? arena_printf(a,
								     "%s%s: ", before ? "; " : "",
								     r->metrics[m])
						      : ", ",
					      r->tasks[i], row->cells[i]);
	}
	return b.at;
}
