/* list_table.c: the survey's Table 1 as a list: printed, made and measured values in columns of
 * their own, so that readers of CSV or JSON can compare them. */
#include "cli.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "posviz/base/num.h"
#include "posviz/view/view.h"

static const char *word(enum answer answer)
{
	return answer == ANSWER_YES ? "yes" : answer == ANSWER_NO ? "no" : "";
}

/* Returns digits that read back, or "" if there is no number. */
static const char *number(struct arena *a, double value)
{
	char text[32];
	return isnan(value) ? "" : arena_strdup(a, num_print(text, sizeof text, value));
}

/* Returns the reasons of all differences: "recurring: reason; parameters: reason". */
static const char *reasons(const struct table_row *row, struct arena *a)
{
	static const char *const names[CLAIM_KINDS] = {
		[CLAIM_RELATIVE] = "reference", [CLAIM_UNBOUNDED] = "unbounded",
		[CLAIM_LEARNABLE] = "learned",	[CLAIM_RECURRING] = "recurring",
		[CLAIM_COUNT] = "parameters",
	};
	const char *out = "";
	for (size_t i = 0; i < CLAIM_KINDS; i++)
		if (fact_differs(&row->facts[i]))
			out = arena_printf(a, "%s%s%s: %s", out, *out ? "; " : "", names[i],
					   row->facts[i].why ? row->facts[i].why : "not said");
	return *out || row->counted ? out : arena_printf(a, "parameters: %s", row->no_count);
}

/* ---- columns --------------------------------------------------------------------------------- */

/* A column: its name, the function that makes its cells, and the claim, column of the view or
 * measure that it shows. */
struct list_column {
	const char *name;
	const char *(*cell)(const struct list_column *c, const struct table_row *row,
			    struct arena *a);
	enum claim_kind claim;
	const char *view;
	size_t measure; /* offset of a double in struct behaviour */
};

static bool in_survey(const struct table_row *row)
{
	return !(row->scheme->flags & SCHEME_NOT_IN_SURVEY);
}

static const char *cell_scheme(const struct list_column *c, const struct table_row *row,
			       struct arena *a)
{
	(void)c, (void)a;
	return row->scheme->id;
}

static const char *cell_source(const struct list_column *c, const struct table_row *row,
			       struct arena *a)
{
	(void)c;
	return arena_printf(a, "%s %d", row->scheme->authors, row->scheme->year);
}

static const char *cell_reference(const struct list_column *c, const struct table_row *row,
				  struct arena *a)
{
	(void)c, (void)a;
	return in_survey(row) ? reference_names[row->scheme->ref] : "";
}

static const char *cell_injection(const struct list_column *c, const struct table_row *row,
				  struct arena *a)
{
	(void)c, (void)a;
	return in_survey(row) ? injection_names[row->scheme->inj] : "";
}

static const char *cell_claimed(const struct list_column *c, const struct table_row *row,
				struct arena *a)
{
	(void)a;
	return word(row->facts[c->claim].printed);
}

static const char *cell_measured(const struct list_column *c, const struct table_row *row,
				 struct arena *a)
{
	(void)a;
	return word(row->facts[c->claim].measured);
}

static const char *cell_parameters(const struct list_column *c, const struct table_row *row,
				   struct arena *a)
{
	(void)c, (void)a;
	return row->scheme->count_printed;
}

static const char *cell_printed(const struct list_column *c, const struct table_row *row,
				struct arena *a)
{
	(void)c;
	return number(a, row->printed);
}

static const char *cell_made(const struct list_column *c, const struct table_row *row,
			     struct arena *a)
{
	(void)c;
	return row->counted ? arena_printf(a, "%zu", row->made) : "";
}

static const char *cell_measure(const struct list_column *c, const struct table_row *row,
				struct arena *a)
{
	double value;
	memcpy(&value, (const char *)&row->is + c->measure, sizeof value);
	return number(a, value);
}

/* Returns the cell of the view's column with this name. */
static const char *cell_view(const struct list_column *c, const struct table_row *row,
			     struct arena *a)
{
	for (const struct table_column *v = table_columns; v->name; v++)
		if (strcmp(v->name, c->view) == 0)
			return v->cell(row, a);
	BUG("the table has no column %s", c->view);
}

static const char *cell_why(const struct list_column *c, const struct table_row *row,
			    struct arena *a)
{
	(void)c;
	return reasons(row, a);
}

static const char *cell_evidence(const struct list_column *c, const struct table_row *row,
				 struct arena *a)
{
	(void)c, (void)a;
	return evidence_names[row->scheme->evidence];
}

static const char *cell_topic(const struct list_column *c, const struct table_row *row,
			      struct arena *a)
{
	(void)c, (void)a;
	return table2_names[row->scheme->table2];
}

#define MEASURE(member) .measure = offsetof(struct behaviour, member)

static const struct list_column columns[] = {
	{"scheme", cell_scheme},
	{"source", cell_source},
	{"reference", cell_reference},
	{"injection", cell_injection},
	{"learned", cell_claimed, .claim = CLAIM_LEARNABLE},
	{"recurring", cell_claimed, .claim = CLAIM_RECURRING},
	{"unbounded", cell_claimed, .claim = CLAIM_UNBOUNDED},
	{"parameters", cell_parameters},
	{"printed", cell_printed},
	{"made", cell_made},
	{"is relative", cell_measured, .claim = CLAIM_RELATIVE},
	{"is learned", cell_measured, .claim = CLAIM_LEARNABLE},
	{"is recurring", cell_measured, .claim = CLAIM_RECURRING},
	{"is unbounded", cell_measured, .claim = CLAIM_UNBOUNDED},
	{"shift", cell_measure, MEASURE(shift)},
	{"shift, random", cell_measure, MEASURE(shift_random)},
	{"order", cell_measure, MEASURE(equivariance)},
	{"beyond t-max", cell_view, .view = "length"},
	{"far positions", cell_view, .view = "far"},
	{"differs", cell_view, .view = "differs"},
	{"why", cell_why},
	{"evidence", cell_evidence},
	{"topic", cell_topic},
};

enum { COLUMNS = sizeof columns / sizeof columns[0] };

static bool is_value(const struct list_column *c)
{
	return c->cell == cell_claimed || c->cell == cell_measured || c->cell == cell_printed ||
	       c->cell == cell_made || c->cell == cell_measure;
}

static void add_row(struct listing *l, const struct table_row *row)
{
	const char *cells[LISTING_COLS] = {0};
	for (size_t i = 0; i < COLUMNS; i++)
		cells[i] = columns[i].cell(&columns[i], row, l->arena);
	listing_add(l, cells);
}

bool list_table(const struct scene *scene, struct arena *a, struct listing *out, struct err *err)
{
	static_assert((int)COLUMNS <= (int)LISTING_COLS, "a listing holds them");
	const char **const head = arena_calloc(a, COLUMNS + 1, sizeof *head);
	for (size_t i = 0; i < COLUMNS; i++)
		head[i] = columns[i].name;
	struct table_row *rows;
	size_t n, shown;
	const struct setup *const s = &scene->setup;
	if (s->head_dim == 0 && s->d_model % s->heads != 0)
		return err_set(err, "heads: %ld heads do not divide d-model %ld", s->heads,
			       s->d_model);
	if (!analysis_table(s, NULL, NULL, a, &rows, &n, err))
		return false;
	const struct table_row **const at = view_table_rows(scene, rows, n, a, &shown);
	listing_init(out, a, head);
	for (size_t i = 0; i < COLUMNS; i++)
		if (is_value(&columns[i]))
			out->values |= 1u << i;
	for (size_t i = 0; i < shown; i++)
		add_row(out, at[i]);
	return true;
}
