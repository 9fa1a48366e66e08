/* table_card.c: the card of a row of the view Table, and the published results about its scheme.
 *
 * Each claim is a line: the printed answer beside the measured one, and the reason if they
 * differ. */
#include <math.h>

#include "posviz/scheme/results.h"
#include "table_in.h"

static const char *word(enum answer answer)
{
	return answer == ANSWER_YES ? "yes" : answer == ANSWER_NO ? "no" : "not said";
}

static void add_claim(struct card *card, const char *key, const struct table_row *row,
		      enum claim_kind kind, struct arena *a)
{
	const struct fact *const f = &row->facts[kind];
	const char *value = word(f->measured);
	if (!row->known && f->measured == ANSWER_UNSAID)
		value = f->printed == ANSWER_UNSAID ? "measured …" : word(f->printed);
	else if (f->printed == ANSWER_UNSAID)
		value = arena_printf(a, "measured %s", word(f->measured));
	else if (fact_differs(f))
		value = arena_printf(a, "printed %s ≠ measured %s", word(f->printed),
				     word(f->measured));
	card_add(card, key, value, f->why);
}

/* Adds the reference point. Only "relative" can be measured. */
static void add_reference(struct card *card, const struct table_row *row, struct arena *a)
{
	const struct fact *f = &row->facts[CLAIM_RELATIVE];
	const char *name = reference_names[row->scheme->ref];
	const char *is = f->measured == ANSWER_YES ? "relative" : "not relative";
	const bool differs = fact_differs(f);
	if (!row->known)
		is = "…";
	card_add(card, "reference",
		 differs ? arena_printf(a, "printed %s ≠ measured %s", name, is) : name,
		 f->why	   ? f->why
		 : differs ? NULL
			   : arena_printf(a, "measured %s", is));
}

static void add_count(struct card *card, const struct table_row *row, struct arena *a)
{
	const struct fact *f = &row->facts[CLAIM_COUNT];
	const char *made = row->counted ? arena_printf(a, "%zu made", row->made) : "n/a";
	if (!row->counted)
		card_add(card, "parameters", made, row->no_count);
	else if (!row->scheme->count_printed)
		card_add(card, "parameters", made, NULL);
	else if (isnan(row->printed))
		card_add(card, "parameters", made,
			 arena_printf(a, "printed %s", row->scheme->count_printed));
	else if (!fact_differs(f))
		card_add(card, "parameters", made,
			 arena_printf(a, "as printed: %s", row->scheme->count_printed));
	else
		card_add(card, "parameters",
			 arena_printf(a, "printed %.0f ≠ %s", row->printed, made),
			 arena_printf(a, "%s; %s", row->scheme->count_printed, f->why));
}

static const char *shown(double value, struct arena *a)
{
	return isnan(value) ? "n/a" : measure_show_value(value, a);
}

static const char *length_note(const struct behaviour *is, struct arena *a)
{
	static const char *const far[] = {[FAR_UNSAID] = "",
					  [FAR_ONE] = "; far positions are all one",
					  [FAR_TOLD] = "; far positions are told apart"};
	return arena_printf(a, "%d tokens with t-max %d%s", BEHAVIOUR_LONG, BEHAVIOUR_T_MAX,
			    is->computes ? far[is->far] : "");
}

static void add_behaviour(struct card *card, const struct table_row *row, struct arena *a)
{
	const struct behaviour *const is = &row->is;
	const bool known = row->known;
	card_add(card, measure_table[MEASURE_ROW_shift].title, known ? shown(is->shift, a) : "…",
		 arena_printf(a, "with all tokens equal; %s with random projections",
			      known ? shown(is->shift_random, a) : "…"));
	card_add(card, measure_table[MEASURE_ROW_equivariance].name,
		 known ? shown(is->equivariance, a) : "…",
		 arena_printf(a, "equivariance, %d shuffles; 0: order is not seen",
			      MEASURE_SHUFFLES));
	card_add(card, "length",
		 !known		? "…"
		 : is->computes ? "computes"
				: "refuses",
		 length_note(is, a));
}

/* Adds the split, as on the cards of other views, of the sentence that tables are measured on. */
static void add_split(struct card *card, const struct table_row *row, struct arena *a)
{
	const struct shares *const s = &row->is.split;
	const struct view_split split = {
		.parts = {.distance = s->distance,
			  .query = s->query,
			  .key = s->key,
			  .rest = s->rest},
		.what = s->weights ? "weights" : "bias",
		.by = s->relation ? "relation" : "distance",
		.absent = isnan(s->distance) ? "the same everywhere, or no pair counts" : NULL};
	if (row->known)
		card_split(&split, a, card);
	else
		card_add(card, "split", "…", NULL);
}

void card_table_row(const struct view_data *data, const struct table_row *row, struct arena *a,
		    struct panel *panel)
{
	const struct scheme *s = row->scheme;
	struct card *card = card_new(panel, a);
	(void)data;
	panel->title = s->title;
	panel->paper_title = arena_printf(a, "Card: %s", s->title);
	panel->note = arena_printf(a, "%s %d", s->authors, s->year);
	panel->short_note = s->id;
	panel->subtitle = s->id;
	card->formula = s->formula;
	card->said = table_said(row, a);
	if (s->expression)
		card_add(card, "stands for", s->expression, NULL);
	add_reference(card, row, a);
	card_add(card, "injection", injection_names[s->inj], NULL);
	add_claim(card, "learned", row, CLAIM_LEARNABLE, a);
	add_claim(card, "recurring", row, CLAIM_RECURRING, a);
	add_claim(card, "unbounded", row, CLAIM_UNBOUNDED, a);
	add_count(card, row, a);
	if (s->other_keys)
		card_add(card, "measured on", "its sample", "what it has without a file");
	add_behaviour(card, row, a);
	add_split(card, row, a);
	card_add(card, "evidence", evidence_names[s->evidence], s->evidence_note);
}

/* ---- published ------------------------------------------------------------------------------- */

enum { COLS = 3 };

struct lines {
	const char **cells;
	bool *group;
	size_t n, cap;
	size_t results, tables; /* numbers of values, and of the papers' tables that have them */
	struct arena *a;
};

static void add_cells(struct lines *l, const char *what, const char *value, const char *model)
{
	if (l->n == l->cap) {
		const size_t cap = l->cap ? 2 * l->cap : 64;
		const char **cells = arena_calloc(l->a, cap * COLS, sizeof *cells);
		bool *group = arena_calloc(l->a, cap, sizeof *group);
		for (size_t i = 0; i < l->n * COLS; i++)
			cells[i] = l->cells[i];
		for (size_t i = 0; i < l->n; i++)
			group[i] = l->group[i];
		l->cells = cells;
		l->group = group;
		l->cap = cap;
	}
	const char **cells = l->cells + COLS * l->n++;
	cells[0] = what;
	cells[1] = value;
	cells[2] = model;
}

static void add_title(struct lines *l, const char *text)
{
	add_cells(l, text, "", "");
	l->group[l->n - 1] = true;
}

/* Adds the results of a model, each with its name. */
static void add_row(struct lines *l, const struct results *r, const struct result_row *row)
{
	for (size_t i = 0; i < r->cols; i++) {
		if (*row->cells[i] == '\0')
			continue;
		add_cells(l, arena_printf(l->a, "%s %s", r->metrics[i], r->tasks[i]), row->cells[i],
			  row->model);
		l->results++;
	}
}

static size_t add_table(struct lines *l, const struct results *r, const char *id)
{
	size_t found = 0;
	for (size_t i = 0; i < r->n; i++) {
		if (!results_name(&r->rows[i], id))
			continue;
		if (found++ == 0) {
			l->tables++;
			add_title(l, arena_printf(l->a, "%s, %s", r->source, r->table));
			add_title(l, r->about);
		}
		add_row(l, r, &r->rows[i]);
	}
	return found;
}

void table_results(const char *id, struct arena *a, struct panel *panel)
{
	static const char *const head[COLS] = {"measured", "value", "model"};
	static const bool right[COLS] = {[1] = true};
	struct lines l = {.a = a};
	size_t n, found = 0;
	const struct results *all = results_all(a, &n);
	for (size_t t = 0; t < n; t++)
		found += add_table(&l, &all[t], id);
	*panel = (struct panel){
		.kind = PANEL_TABLE, .name = "results", .title = "Published results"};
	if (found == 0)
		panel->absent = "none of the embedded tables has this scheme";
	else
		panel->note = arena_printf(a, "%zu of them, in %zu table%s of papers", l.results,
					   l.tables, l.tables == 1 ? "" : "s");
	panel->table = (struct table){.rows = l.n,
				      .cols = COLS,
				      .head = head,
				      .cells = l.cells,
				      .right = right,
				      .group = l.group};
}
