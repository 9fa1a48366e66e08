/* list_table.c: the survey's Table 1 as a list: printed, made and measured in columns of their own, so
 * that who reads it as CSV or JSON compares them himself. */
#include "cli.h"

#include <math.h>
#include <string.h>

#include "posviz/num.h"
#include "posviz/view.h"

static const char *word(enum answer answer)
{
	return answer == ANSWER_YES ? "yes" : answer == ANSWER_NO ? "no" : "";
}

/* Digits that read back, "" where there is no number. */
static const char *number(struct arena *a, double value)
{
	char text[32];
	return isnan(value) ? "" : arena_strdup(a, num_print(text, sizeof text, value));
}

/* What the view's column of this name says. */
static const char *cell(const char *name, const struct table_row *row, struct arena *a)
{
	for (const struct table_column *c = table_columns; c->name; c++)
		if (strcmp(c->name, name) == 0)
			return c->cell(row, a);
	BUG("the table has no column %s", name);
}

/* "recurring: reason; parameters: reason" */
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

static void add_row(struct listing *l, const struct table_row *row)
{
	struct arena *const a = l->arena;
	const struct scheme *const s = row->scheme;
	const struct fact *const f = row->facts;
	const bool printed = !(s->flags & SCHEME_NOT_IN_SURVEY);
	listing_add(l, (const char *const[LISTING_COLS]){
			       s->id,
			       arena_printf(a, "%s %d", s->authors, s->year),
			       printed ? reference_names[s->ref] : "",
			       printed ? injection_names[s->inj] : "",
			       word(f[CLAIM_LEARNABLE].printed),
			       word(f[CLAIM_RECURRING].printed),
			       word(f[CLAIM_UNBOUNDED].printed),
			       s->count_printed,
			       number(a, row->printed),
			       row->counted ? arena_printf(a, "%zu", row->made) : "",
			       word(f[CLAIM_RELATIVE].measured),
			       word(f[CLAIM_LEARNABLE].measured),
			       word(f[CLAIM_RECURRING].measured),
			       word(f[CLAIM_UNBOUNDED].measured),
			       number(a, row->is.shift),
			       number(a, row->is.shift_random),
			       number(a, row->is.equivariance),
			       cell("length", row, a),
			       cell("far", row, a),
			       cell("differs", row, a),
			       evidence_names[s->evidence],
			       reasons(row, a),
			       table2_names[s->table2],
		       });
}

bool list_table(const struct scene *scene, struct arena *a, struct listing *out, struct err *err)
{
	static const char *const head[] = {
		"scheme",	"source",	"reference",   "injection",
		"learned",	"recurring",	"unbounded",   "parameters",
		"printed",	"made",		"is relative", "is learned",
		"is recurring", "is unbounded", "shift",       "shift, random",
		"order",	"beyond t-max", "far places",  "differs",
		"why",		"evidence",	"topic",       NULL};
	struct table_row *rows;
	size_t n, shown;
	const struct setup *const s = &scene->setup;
	if (s->d_model % s->heads != 0)
		return err_set(err, "heads: %ld heads do not divide d-model %ld", s->heads,
			       s->d_model);
	if (!analysis_table(s, NULL, NULL, a, &rows, &n, err))
		return false;
	const struct table_row **const at = view_table_rows(scene, rows, n, a, &shown);
	listing_init(out, a, head);
	for (size_t i = 0; i < shown; i++)
		add_row(out, at[i]);
	return true;
}
