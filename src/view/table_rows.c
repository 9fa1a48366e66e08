/* table_rows.c: the columns of the view Table, and the choice and order of its rows.
 *
 * A cell shows the printed answer. If something else was measured, this follows the sign ≠; if
 * nothing is printed, the measured answer is in brackets. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run_in.h"
#include "table_in.h"

/* ---- columns --------------------------------------------------------------------------------- */

static const char *cell_scheme(const struct table_row *row, struct arena *a)
{
	(void)a;
	return row->scheme->id;
}

/* Returns "Shaw 18": the first author, and the year. */
static const char *cell_source(const struct table_row *row, struct arena *a)
{
	const struct scheme *s = row->scheme;
	return arena_printf(a, "%.*s %d", (int)strcspn(s->authors, " ,;"), s->authors, s->year);
}

static double key_year(const struct table_row *row)
{
	return row->scheme->year;
}

/* The text of a cell that is not measured yet. */
static const char to_come[] = "…";

/* Returns `printed`, followed by `measured` if this is something else. */
static const char *beside(const struct fact *f, const char *printed, const char *measured,
			  struct arena *a)
{
	if (f->printed == ANSWER_UNSAID)
		return arena_printf(a, "(%s)", measured);
	return fact_differs(f) ? arena_printf(a, "%s ≠ %s", printed, measured) : printed;
}

static const char *cell_reference(const struct table_row *row, struct arena *a)
{
	const struct fact *f = &row->facts[CLAIM_RELATIVE];
	const char *printed = reference_names[row->scheme->ref];
	const bool unsaid = f->printed == ANSWER_UNSAID;
	return beside(f, printed,
		      unsaid			  ? printed
		      : f->measured == ANSWER_YES ? "relative"
						  : "not",
		      a);
}

static const char *cell_injection(const struct table_row *row, struct arena *a)
{
	(void)a;
	return injection_names[row->scheme->inj];
}

static const char *yes_no(enum answer answer)
{
	return answer == ANSWER_YES ? "yes" : answer == ANSWER_NO ? "no" : "?";
}

static const char *cell_answer(const struct table_row *row, enum claim_kind kind, struct arena *a)
{
	const struct fact *const f = &row->facts[kind];
	const bool known = row->known || f->measured != ANSWER_UNSAID;
	return beside(f, yes_no(f->printed), known ? yes_no(f->measured) : to_come, a);
}

static const char *cell_learned(const struct table_row *row, struct arena *a)
{
	return cell_answer(row, CLAIM_LEARNABLE, a);
}

static const char *cell_recurring(const struct table_row *row, struct arena *a)
{
	return cell_answer(row, CLAIM_RECURRING, a);
}

static const char *cell_unbounded(const struct table_row *row, struct arena *a)
{
	return cell_answer(row, CLAIM_UNBOUNDED, a);
}

static const char *cell_printed(const struct table_row *row, struct arena *a)
{
	(void)a;
	return row->scheme->count_printed ? row->scheme->count_printed : "";
}

static double key_printed(const struct table_row *row)
{
	return row->printed;
}

static const char *cell_made(const struct table_row *row, struct arena *a)
{
	if (!row->counted)
		return "n/a";
	return arena_printf(a, "%s%zu", fact_differs(&row->facts[CLAIM_COUNT]) ? "≠ " : "",
			    row->made);
}

static double key_made(const struct table_row *row)
{
	return row->counted ? (double)row->made : NAN;
}

static const char *cell_number(double value, struct arena *a)
{
	return isnan(value) ? "n/a" : value < 1e-9 ? "0" : measure_show_value(value, a);
}

/* Returns the larger shift of the two: on the probe, and on the sentence with random
 * projections. */
static double key_shift(const struct table_row *row)
{
	const double probe = row->is.shift, random = row->is.shift_random;
	return !row->known || isnan(probe) || isnan(random) ? NAN : fmax(probe, random);
}

static const char *cell_shift(const struct table_row *row, struct arena *a)
{
	return row->known ? cell_number(key_shift(row), a) : to_come;
}

static double key_order(const struct table_row *row)
{
	return row->known ? row->is.equivariance : NAN;
}

static const char *cell_order(const struct table_row *row, struct arena *a)
{
	return row->known ? cell_number(key_order(row), a) : to_come;
}

static const char *cell_length(const struct table_row *row, struct arena *a)
{
	(void)a;
	return !row->known ? to_come : row->is.computes ? "computes" : "refuses";
}

static const char *cell_far(const struct table_row *row, struct arena *a)
{
	static const char *const words[] = {
		[FAR_UNSAID] = "n/a", [FAR_ONE] = "all one", [FAR_TOLD] = "told apart"};
	(void)a;
	return row->known ? words[row->is.far] : to_come;
}

static const char *cell_differs(const struct table_row *row, struct arena *a)
{
	static const char *const words[CLAIM_KINDS] = {
		[CLAIM_RELATIVE] = "reference", [CLAIM_UNBOUNDED] = "unbounded",
		[CLAIM_LEARNABLE] = "learned",	[CLAIM_RECURRING] = "recurring",
		[CLAIM_COUNT] = "count",
	};
	const char *out = "";
	for (size_t i = 0; i < CLAIM_KINDS; i++)
		if (fact_differs(&row->facts[i]))
			out = *out ? arena_printf(a, "%s, %s", out, words[i])
				   : arena_printf(a, "≠ %s", words[i]);
	return row->known ? out : *out ? arena_printf(a, "%s, …", out) : to_come;
}

const char *table_said(const struct table_row *row, struct arena *a)
{
	bool said = false;
	for (size_t i = 0; i < CLAIM_KINDS; i++)
		said |= row->facts[i].printed != ANSWER_UNSAID;
	const char *const differs = row->known ? cell_differs(row, a) : "";
	return !row->known ? NULL
	       : *differs
		       ? arena_printf(a, "not as the survey says (≠): %s", differs + strlen("≠ "))
	       : said ? "measured as the survey says"
		      : "not in the survey: all of it is measured";
}

/* Sorts rows with the most differences first. */
static double key_differs(const struct table_row *row)
{
	double n = 0;
	for (size_t i = 0; i < CLAIM_KINDS; i++)
		n -= fact_differs(&row->facts[i]);
	return n;
}

static const char *cell_evidence(const struct table_row *row, struct arena *a)
{
	(void)a;
	return evidence_names[row->scheme->evidence];
}

const struct table_column table_columns[] = {
	{"scheme", "scheme", 0, false, cell_scheme, NULL},
	{"year", "paper", 3, false, cell_source, key_year},
	{"reference", "reference", 1, false, cell_reference, NULL},
	{"injection", "injection", 4, false, cell_injection, NULL},
	{"learned", "learned", 7, false, cell_learned, NULL},
	{"recurring", "recurring", 6, false, cell_recurring, NULL},
	{"unbounded", "unbounded", 5, false, cell_unbounded, NULL},
	{"printed", "count printed", 11, false, cell_printed, key_printed},
	{"made", "count", 2, true, cell_made, key_made},
	{"shift", "shift", 9, true, cell_shift, key_shift},
	{"order", "order", 10, true, cell_order, key_order},
	{"length", "beyond t-max", 12, false, cell_length, NULL},
	{"far", "far keys", 13, false, cell_far, NULL},
	{"differs", "differs", 8, false, cell_differs, key_differs},
	{"evidence", "evidence", 14, false, cell_evidence, NULL},
	{0},
};

/* ---- choice and order of rows ---------------------------------------------------------------- */

/* A row, its index among all rows, and its sort key. */
struct entry {
	const struct scheme *scheme;
	size_t at;
	double key; /* NaN: it is sorted last */
	const char *text;
};

/* Orders by the survey's groups: sequences first, then other topics; within a topic by
 * reference, then injection; masks and known models at the end. */
double table_group(const struct scheme *s)
{
	if (s->flags & SCHEME_MASK)
		return 1e6;
	if (s->flags & SCHEME_MODEL)
		return 2e6;
	return 1e4 * s->topic + 1e2 * s->ref + s->inj;
}

static int by_key(const void *x, const void *y)
{
	const struct entry *a = x, *b = y;
	const bool a_last = isnan(a->key), b_last = isnan(b->key);
	if (a_last != b_last)
		return a_last ? 1 : -1;
	if (!a_last && (a->key < b->key || a->key > b->key))
		return a->key < b->key ? -1 : 1;
	const int text = strcmp(a->text, b->text);
	return text ? text : a->at < b->at ? -1 : a->at > b->at;
}

/* Sorts downwards, but rows without a key stay last, and equal rows keep their order. */
static int by_key_down(const void *x, const void *y)
{
	const struct entry *a = x, *b = y;
	const bool last = isnan(a->key) || isnan(b->key);
	const bool equal = !(a->key < b->key || a->key > b->key) && strcmp(a->text, b->text) == 0;
	return last || equal ? by_key(x, y) : by_key(y, x);
}

static bool in_cells(const struct table_row *row, const char *word, struct arena *a)
{
	for (const struct table_column *c = table_columns; c->name; c++)
		if (text_contains(c->cell(row, a), word))
			return true;
	return false;
}

/* Returns whether a word may occur in cells that are still to be measured. */
static bool may_be_measured(const char *word)
{
	static const char words[] =
		"(yes) (no) ? absolute ≠ relative ≠ not computes refuses all one "
		"told apart n/a reference, unbounded, learned, recurring, count";
	return strpbrk(word, "0123456789") != NULL || text_contains(words, word);
}

/* Returns whether a row passes the filter; with `soon`, also whether it may pass after it is
 * measured. */
static bool passes(const struct table_row *row, const char *filter, bool soon, struct arena *a)
{
	if (strcmp(filter, "all") == 0)
		return true;
	for (const char *at = filter + strspn(filter, " "); *at; at += strspn(at, " ")) {
		const size_t len = strcspn(at, " ");
		const char *word = arena_strndup(a, at, len);
		if (!scheme_matches(row->scheme, word) && !in_cells(row, word, a) &&
		    !(soon && !row->known && may_be_measured(word)))
			return false;
		at += len;
	}
	return true;
}

static const struct table_column *column_named(const char *name)
{
	for (const struct table_column *c = table_columns; c->name; c++)
		if (strcmp(c->name, name) == 0)
			return c;
	return NULL;
}

const struct table_row **view_table_rows(const struct scene *scene, const struct table_row *rows,
					 size_t n, struct arena *a, size_t *shown)
{
	const struct table_column *by = column_named(table_sorts[scene->sort]);
	struct entry *entries = arena_calloc(a, n + 1, sizeof *entries);
	*shown = 0;
	for (size_t i = 0; i < n; i++)
		if (scene_lists(scene, rows[i].scheme) && passes(&rows[i], scene->filter, false, a))
			entries[(*shown)++] =
				(struct entry){.scheme = rows[i].scheme,
					       .at = i,
					       .key = !by	? table_group(rows[i].scheme)
						      : by->key ? by->key(&rows[i])
								: 0,
					       .text = by && !by->key ? by->cell(&rows[i], a) : ""};
	qsort(entries, *shown, sizeof *entries, scene->descending ? by_key_down : by_key);
	const struct table_row **out = arena_calloc(a, *shown + 1, sizeof *out);
	for (size_t i = 0; i < *shown; i++)
		out[i] = &rows[entries[i].at];
	return out;
}

bool view_table_may_show(const struct scene *scene, const struct table_row *row, struct arena *a)
{
	return scene_lists(scene, row->scheme) && passes(row, scene->filter, true, a);
}

/* Adds a row to the wanted ones, unless it is measured or was added before. */
static void want(struct table_row *row, bool *taken, struct table_row **out, size_t *n)
{
	if (!row->known && !*taken)
		out[(*n)++] = row;
	*taken = true;
}

/* Returns the rows that are not measured and that the view shows or may show, in the order in
 * which to measure them: the row of `now` (NULL: none), the shown rows from the cursor, or
 * without one from that row, outwards, and the rows that may pass the filter after they are
 * measured. out[*wanted] from `a`. */
static struct table_row **rows_wanted(const struct scene *scene, const struct scheme *now,
				      struct table_row *rows, size_t n, struct arena *a,
				      size_t *wanted)
{
	struct table_row **const out = arena_calloc(a, n + 1, sizeof *out);
	bool *const taken = arena_calloc(a, n + 1, sizeof *taken);
	size_t shown;
	const struct table_row **const at = view_table_rows(scene, rows, n, a, &shown);
	size_t here = scene->row > 0 && (size_t)scene->row <= shown ? (size_t)scene->row - 1 : 0;
	*wanted = 0;
	for (size_t i = 0; i < shown && scene->row < 1; i++)
		here = at[i]->scheme == now ? i : here;
	for (size_t i = 0; i < n; i++)
		if (rows[i].scheme == now && view_table_may_show(scene, &rows[i], a))
			want(&rows[i], &taken[i], out, wanted);
	for (size_t d = 0; d < shown; d++) {
		const size_t below = here + d, above = here - d;
		if (below < shown)
			want(&rows[at[below] - rows], &taken[at[below] - rows], out, wanted);
		if (d <= here)
			want(&rows[at[above] - rows], &taken[at[above] - rows], out, wanted);
	}
	for (size_t i = 0; i < n; i++)
		if (view_table_may_show(scene, &rows[i], a))
			want(&rows[i], &taken[i], out, wanted);
	return out;
}

/* The row of the scene's scheme is always measured, if there is a cache to keep it; then the
 * rows that the table shows, from the top or the cursor on. */
size_t table_run(const struct job *j, struct picture *p, struct err *err)
{
	const struct scheme *const now = j->cache ? expr_main(&p->built.expr)->scheme : NULL;
	size_t n, unknown = 0, taken = 0, most = j->most;
	analysis_table_kept(&j->scene->setup, j->cache, j->a, &p->table, &p->n_table);
	struct table_row **const rows = rows_wanted(j->scene, now, p->table, p->n_table, j->a, &n);
	for (size_t i = 0; i < n; i++) {
		const bool first = rows[i]->scheme == now;
		if (most == 0 && !first) {
			unknown++;
			continue;
		}
		most -= most > 0 && !first;
		rows[taken++] = rows[i];
	}
	if (!analysis_table_measure(&j->scene->setup, j->cache, j->watch, rows, taken, err))
		return SIZE_MAX;
	return unknown;
}
