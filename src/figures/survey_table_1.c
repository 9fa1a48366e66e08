/* survey_table_1.c: the survey's comparison of models, as printed, and how many numbers were made here. */
#include <math.h>
#include <string.h>

#include "fig.h"

enum { COLS = 9, WORDS = 8, MOST_ROWS = 60 };

struct printed_rows {
	const struct table_row *at[MOST_ROWS];
	size_t n;
};

static const char *yes(enum answer answer)
{
	return answer == ANSWER_YES ? "yes" : answer == ANSWER_NO ? "no" : "–";
}

static const char *injection(const struct scheme *s)
{
	static const char *const names[INJ_COUNT] = {[INJ_NONE] = "–",
						     [INJ_EMBEDDING] = "APE",
						     [INJ_MATRIX] = "MAM",
						     [INJ_BOTH] = "Both",
						     [INJ_OTHER] = "–"};
	return names[s->inj];
}

static const char *reference(const struct scheme *s)
{
	static const char *const names[REF_COUNT] = {
		[REF_NONE] = "–", [REF_ABSOLUTE] = "A", [REF_RELATIVE] = "R", [REF_BOTH] = "B"};
	return names[s->ref];
}

/* Counts that are computed here by parameters of ours, in the survey's letters. */
static const struct printed {
	const char *id, *count;
} printed[] = {{"floater", "0 or more"},
	       {"axial", "(d − d1) t_max / t1 + d1 t1"},
	       {"spe_sine", "3 K d h + l d"},
	       {"tpe", "d / D_max"},
	       {"graformer", "2(D_max + 1) h"}};

/* "2(2 t_max − 1) d l": with a true minus. */
static const char *with_minus(struct fig *f, const char *count)
{
	const char *const minus = strstr(count, " - ");
	return minus ? arena_printf(f->a, "%.*s − %s", (int)(minus - count), count,
				    with_minus(f, minus + strlen(" - ")))
		     : count;
}

static const char *as_printed(struct fig *f, const struct scheme *s)
{
	for (size_t i = 0; i < sizeof printed / sizeof *printed; i++)
		if (strcmp(s->id, printed[i].id) == 0)
			return printed[i].count;
	return with_minus(f, s->count_printed);
}

static void fill(struct fig *f, const struct table_row *row, const char **cells)
{
	const struct scheme *const s = row->scheme;
	cells[0] = arena_printf(f->a, "%s %d", s->authors, s->year);
	cells[1] = s->id;
	cells[2] = reference(s);
	cells[3] = injection(s);
	cells[4] = yes(scheme_printed(s, CLAIM_LEARNABLE));
	cells[5] = yes(scheme_printed(s, CLAIM_RECURRING));
	cells[6] = yes(scheme_printed(s, CLAIM_UNBOUNDED));
	cells[7] = as_printed(f, s);
	cells[8] = row->counted ? arena_printf(f->a, "%zu", row->made) : "";
}

/* Half of the rows, beside the other half. */
static void half_panel(struct fig *f, const struct printed_rows *r, size_t from, size_t to,
		       unsigned char col)
{
	static const char *const head[COLS] = {
		"model",   "here",	"ref.",	     "injection",
		"learned", "recurring", "unbounded", "parameters, printed",
		"made"};
	static const unsigned char priority[COLS] = {0, 4, 1, 2, 6, 7, 5, 3, 8};
	const char **const cells = arena_calloc(f->a, (to - from) * COLS + 1, sizeof *cells);
	struct panel *const p = fig_panel(
		f, "table", from == 0 ? "Printed and made" : "Printed and made, continued", 0, col,
		1, 0);
	for (size_t i = from; i < to; i++)
		fill(f, r->at[i], cells + (i - from) * COLS);
	fig_table(f, p, head, COLS, cells, to - from, WORDS);
	p->table.priority = priority;
}

void draw_survey_table_1(struct fig *f)
{
	struct scene *const sizes = arena_calloc(f->a, 1, sizeof *sizes);
	struct table_row *rows;
	struct printed_rows r = {.n = 0};
	double equal = 0;
	size_t n;
	scene_init(sizes);
	sizes->setup.d_model = 768;
	sizes->setup.heads = sizes->setup.layers = 12;
	analysis_table_kept(&sizes->setup, f->d->cache, f->a, &rows, &n);
	for (size_t i = 0; i < n; i++) {
		if (!rows[i].scheme->count_printed)
			continue;
		BUG_IF(r.n == MOST_ROWS);
		r.at[r.n++] = &rows[i];
		equal += rows[i].counted && fabs(rows[i].printed - (double)rows[i].made) < 0.5;
	}
	half_panel(f, &r, 0, (r.n + 1) / 2, 0);
	half_panel(f, &r, (r.n + 1) / 2, r.n, 1);
	fig_number(f, "rows", (double)r.n, "schemes here that the table has a row for");
	fig_number(f, "equal", equal, "of which as many numbers were made as are printed");
	for (size_t i = 0; i < r.n; i++)
		if (strcmp(r.at[i]->scheme->id, "learned") == 0)
			fig_number(f, "learned", (double)r.at[i]->made,
				   "numbers of the learned table");
}
