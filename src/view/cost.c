/* cost.c: the view Cost: bars of time, learned parameters and multiply-adds for the scheme, the
 * schemes that it is compared with, and those with published values; a card tells how they are
 * measured.
 *
 * The numbers are those of BERT-base and not of the scene's sentence, so that they can be
 * compared with published ones, and stay valid while the user edits the sentence. */
#include "posviz/analysis/cost.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "posviz/base/num.h"
#include "run_in.h"

enum { PUBLISHED = 16 };

static unsigned cost_wants(const struct scene *scene)
{
	(void)scene;
	return 0;
}

/* ---- measuring ------------------------------------------------------------------------------- */

/* Measures at most one more time per picture, so that the others are shown meanwhile; all of
 * them if j->most is SIZE_MAX; none without a clock. */
bool cost_run(const struct job *j, struct picture *p, struct err *err)
{
	const struct setup *const s = &j->scene->setup;
	const struct setup setup = cost_setup(s, cost_own(s));
	const char *expressions[COMPARE_MAX + PUBLISHED];
	size_t n = scene_compared(s, j->a, expressions);
	for (size_t i = 0; cost_published[i]; i++) {
		BUG_IF(n == sizeof expressions / sizeof *expressions);
		expressions[n++] = cost_published[i];
	}
	const bool clock = j->watch && j->watch->seconds;
	const struct cost_request r = {.setup = &setup,
				       .expressions = expressions,
				       .n = n,
				       .most = !clock		    ? 0
					       : j->most < SIZE_MAX ? j->most > 0
								    : SIZE_MAX,
				       .untimed = !j->scene->timing,
				       .patience = cost_patience,
				       .cache = j->cache,
				       .watch = j->watch};
	if (!cost_measure(&r, j->a, &p->cost, err))
		return false;
	p->unmeasured = p->cost.to_come;
	return true;
}

/* ---- numbers as words ------------------------------------------------------------------------ */

/* Returns "18.87 M", "50.7 k", "24". */
static const char *amount(double value, bool sign, struct arena *a)
{
	const double size = fabs(value);
	const char *const plus = sign && value > 0 ? "+" : "";
	return size >= 1e5   ? arena_printf(a, "%s%.2f M", plus, value / 1e6)
	       : size >= 1e3 ? arena_printf(a, "%s%.1f k", plus, value / 1e3)
			     : arena_printf(a, "%s%.0f", plus, value);
}

static const char *percent(double part, struct arena *a)
{
	char text[32];
	return arena_printf(a, "%s %%", num_show(text, sizeof text, 100 * part, 2));
}

static const struct cost_row *shown_row(const struct view_data *d)
{
	return &d->cost->rows[0]; /* the scene's own row comes first */
}

/* Returns "n 128 · d 768 · h 12 · 1 layer". */
static const char *sizes(const struct view_data *d, struct arena *a)
{
	const struct cost *const c = d->cost;
	const struct setup *const s = &c->setup;
	const char *const units = c->units > 0 ? arena_printf(a, "n %zu · ", c->units) : "";
	return arena_printf(a, "%sd %ld · h %ld%s · %ld layer%s", units, s->d_model, s->heads,
			    setup_heads_text(s, a), s->layers, s->layers == 1 ? "" : "s");
}

/* ---- bars ------------------------------------------------------------------------------------ */

/* The bar that a panel shows for a row: without a value it is NaN, and the note says why. */
struct shown {
	double value, mark;
	const char *note;
	double lo, hi; /* the interval of the value, if `measured` */
	bool measured, faint;
};
typedef struct shown show_row(const struct cost *c, const struct cost_row *row, struct arena *a);

static struct shown nothing(const char *why)
{
	return (struct shown){.value = NAN, .mark = NAN, .note = why ? "not run" : "measuring …"};
}

/* A time that is within noise is faint. */
static struct shown show_time(const struct cost *c, const struct cost_row *row, struct arena *a)
{
	struct shown out = nothing(row->why);
	if (row->timed)
		out = (struct shown){.value = row->time.median,
				     .note = arena_printf(a, "%.2f (%.2f–%.2f)", row->time.median,
							  row->time.low, row->time.high),
				     .lo = row->time.low,
				     .hi = row->time.high,
				     .measured = true,
				     .faint = cost_within_noise(c, row)};
	out.mark = row->printed_time;
	return out;
}

/* Returns "18.87 M = 17 %"; "0". */
static const char *part_of(double value, double part, bool sign, struct arena *a)
{
	return value == 0 ? "0"
			  : arena_printf(a, "%s = %s", amount(value, sign, a), percent(part, a));
}

static struct shown show_parameters(const struct cost *c, const struct cost_row *row,
				    struct arena *a)
{
	struct shown out = nothing(row->no_count);
	const double n = (double)row->parameters;
	(void)c;
	if (row->counted)
		out = (struct shown){.value = 100 * n / cost_bert,
				     .note = part_of(n, n / cost_bert, false, a)};
	out.mark = 100 * row->printed_parameters / cost_bert;
	return out;
}

static struct shown show_operations(const struct cost *c, const struct cost_row *row,
				    struct arena *a)
{
	if (!row->passed || isnan(row->more))
		return nothing(row->why);
	return (struct shown){.value = 100 * row->more / c->multiply_adds,
			      .mark = NAN,
			      .note = part_of(row->more, row->more / c->multiply_adds, true, a)};
}

struct entry {
	const struct cost_row *row;
	struct shown shown;
};

/* Orders by value, the largest first; rows still to be measured are last. Equal rows keep the
 * order in which they were requested. */
static int by_most(const void *x, const void *y)
{
	const struct entry *const a = x, *const b = y;
	const double p = isnan(a->shown.value) ? -INFINITY : a->shown.value;
	const double q = isnan(b->shown.value) ? -INFINITY : b->shown.value;
	return p < q ? 1 : p > q ? -1 : a->row < b->row ? -1 : a->row > b->row;
}

static struct bars draw_bars(const struct view_data *d, show_row *show, const char *none,
			     double base, struct arena *a)
{
	const struct cost *const c = d->cost;
	struct entry *const entries = arena_calloc(a, c->n + 1, sizeof *entries);
	const char **const labels = arena_calloc(a, c->n + 1, sizeof *labels);
	const char **const notes = arena_calloc(a, c->n + 1, sizeof *notes);
	double *const values = arena_calloc(a, c->n + 1, sizeof *values);
	double *const marks = arena_calloc(a, c->n + 1, sizeof *marks);
	double *const lo = arena_calloc(a, c->n + 1, sizeof *lo);
	double *const hi = arena_calloc(a, c->n + 1, sizeof *hi);
	bool *const faint = arena_calloc(a, c->n + 1, sizeof *faint);
	struct bars out = {.n = c->n,
			   .labels = labels,
			   .values = values,
			   .notes = notes,
			   .marks = marks,
			   .mark_title = "published",
			   .lo = lo,
			   .hi = hi,
			   .faint = faint,
			   .axis = true,
			   .base = base,
			   .has_cursor = true};
	for (size_t i = 0; i < c->n; i++)
		entries[i] = (struct entry){&c->rows[i], show(c, &c->rows[i], a)};
	qsort(entries, c->n, sizeof *entries, by_most);
	for (size_t i = 0; i < c->n; i++) {
		const struct shown *const s = &entries[i].shown;
		labels[i] = entries[i].row == &c->rows[c->none] ? none : entries[i].row->name;
		notes[i] = s->note;
		values[i] = isnan(s->value) ? base : s->value;
		marks[i] = s->mark;
		lo[i] = s->measured ? s->lo : NAN;
		hi[i] = s->measured ? s->hi : NAN;
		faint[i] = s->faint;
		out.cursor = entries[i].row == shown_row(d) ? i : out.cursor;
	}
	return out;
}

/* ---- panels ---------------------------------------------------------------------------------- */

static const char *time_note(const struct view_data *d, struct arena *a)
{
	const size_t n = d->cost->n;
	size_t to_come = 0, rough = 0;
	for (size_t i = 0; i < n; i++) {
		const struct cost_row *const row = &d->cost->rows[i];
		to_come += !row->timed && !row->why;
		rough += row->timed && row->time.rough;
	}
	return to_come ? arena_printf(a, "measuring: %zu of %zu", n - to_come, n)
	       : rough ? arena_printf(a, "measuring more rounds: %zu of %zu", n - rough, n)
		       : "measured here";
}

/* Returns the sentences below the bars of time. Grey is what cost_within_noise says. */
static const char *time_legend(const struct view_data *d, struct arena *a)
{
	bool published = false;
	for (size_t i = 0; i < d->cost->n; i++)
		published |= isfinite(d->cost->rows[i].printed_time);
	return arena_printf(
		a,
		"%sLine: middle half of runs. Stroke: median. Grey: meets 1 or the control's line, or "
		"takes less time for no less work.",
		published ? "Dot: published. " : "");
}

static void time_panel(const struct view_data *d, struct arena *a, struct panel *p)
{
	*p = (struct panel){.kind = PANEL_BARS,
			    .name = "time",
			    .title = "Time of a forward pass; without positions = 1",
			    .brief_title = "Time; without positions = 1",
			    .note = time_note(d, a)};
	p->bars = draw_bars(d, show_time, "no positions (control)", 1, a);
	p->bars.spans = true;
	p->bars.unit = "times as long";
	p->bars.legend = time_legend(d, a);
	p->bars.legend_more = arena_printf(
		a,
		"A run is the ratio to a pass without positions, in turn with it, until "
		"their middle half is within %.0f %%, or for %.2g s.",
		100 * cost_patience.width, cost_patience.seconds);
}

static void parameters_panel(const struct view_data *d, struct arena *a, struct panel *p)
{
	*p = (struct panel){.kind = PANEL_BARS,
			    .name = "parameters",
			    .title = "Learned parameters of positions",
			    .brief_title = "Learned parameters",
			    .note = "in BERT-base",
			    .subtitle = "in a model of width 768 with 12 heads, 12 layers and 512 "
					"positions"};
	p->bars = draw_bars(d, show_parameters, "no positions", 0, a);
	p->bars.unit = arena_printf(a, "%% of BERT-base's %s", amount(cost_bert, false, a));
}

static void operations_panel(const struct view_data *d, struct arena *a, struct panel *p)
{
	*p = (struct panel){.kind = PANEL_BARS,
			    .name = "operations",
			    .title = "Multiply–adds that positions add",
			    .brief_title = "Multiply–adds added",
			    .note = arena_printf(a, "%ld layer%s", d->cost->setup.layers,
						 d->cost->setup.layers == 1 ? "" : "s"),
			    .subtitle = "products and sums of a forward pass, beyond those of one "
					"without positions"};
	p->bars = draw_bars(d, show_operations, "no positions", 0, a);
	p->bars.unit = isnan(d->cost->multiply_adds)
			       ? "% of a pass without positions"
			       : arena_printf(a, "%% of the %s without positions",
					      amount(d->cost->multiply_adds, false, a));
}

static void say_time(const struct view_data *d, const struct cost_row *row, struct arena *a,
		     struct card *card)
{
	const struct cost_time *const t = &row->time;
	if (!d->scene->timing)
		card_add(card, "time", "off", "passes are only counted; timing on measures them");
	else if (!row->timed)
		card_add(card, "time", row->why ? "n/a" : "…", row->why);
	else if (row == &d->cost->rows[d->cost->none])
		card_add(card, "time", "1 ×", "the pass that others are compared with");
	else
		card_add(
			card, "time", cost_show_time(t, a),
			arena_printf(a, "%s%.1f ms, %.1f ms without positions; %zu rounds%s",
				     cost_within_noise(d->cost, row) ? "no clear difference; " : "",
				     1e3 * t->seconds, 1e3 * t->base, t->rounds,
				     t->rough	  ? ", more to come"
				     : t->settled ? ""
						  : ": the machine is busy"));
}

static void say_counts(const struct view_data *d, const struct cost_row *row, struct arena *a,
		       struct card *card)
{
	const double n = (double)row->parameters;
	card_add(card, "learned", row->counted ? amount(n, false, a) : "n/a",
		 row->counted ? arena_printf(a, "%s of BERT-base", percent(n / cost_bert, a))
			      : row->no_count);
	if (row->passed && !isnan(row->more))
		card_add(card, "products", amount(row->more, true, a),
			 arena_printf(a, "multiply–adds more than %s without positions",
				      amount(d->cost->multiply_adds, false, a)));
}

static void say_published(const struct view_data *d, struct card *card)
{
	const size_t before = card->n;
	card_add(card, "published", "Chen et al. 2021",
		 "Table 1: inference on TPU v2, beyond BERT with learned positions; Table 6, less "
		 "BERT's other 109.7 M. DIET-ABS has d_p 128");
	for (size_t i = 0; i < d->cost->n; i++) {
		const struct cost_row *const row = &d->cost->rows[i];
		if (row->differs)
			card_add(card, row->name, "not as published", row->differs);
	}
	card->n_spare = card->n - before;
}

static void card_panel(const struct view_data *d, struct arena *a, struct panel *p)
{
	const struct cost_row *const row = shown_row(d);
	*p = (struct panel){
		.name = "card", .title = "How it is measured", .paper_title = "How it is measured"};
	struct card *const card = card_new(p, a);
	card->about = arena_printf(
		a,
		"Passes with the scheme and without positions take turns. Each round gives a ratio of "
		"their times; rounds end when the middle half of the ratios is no wider than %.0f %% of "
		"the median, or after %.2g s. No clear difference: that half meets the one of two "
		"equal passes without positions.",
		100 * cost_patience.width, cost_patience.seconds);
	card_add(card, "scheme", row->name, NULL);
	say_time(d, row, a, card);
	say_counts(d, row, a, card);
	card_add(card, "sizes", sizes(d, a),
		 "tokens, width, heads of the pass; nothing is kept from one to the next");
	say_published(d, card);
}

/* ---- the finding ----------------------------------------------------------------------------- */

/* Returns "adds 384 learned parameters (0.00035 % of BERT-base) and 0.021 % of the multiply–adds". */
static const char *counts(const struct view_data *d, const struct cost_row *row, struct arena *a)
{
	const double n = (double)row->parameters;
	const char *const learned =
		!row->counted ? "no count of learned parameters"
		: n > 0	      ? arena_printf(a, "%s learned parameters (%s of BERT-base)",
					     amount(n, false, a), percent(n / cost_bert, a))
			      : "no learned parameters";
	if (!row->passed || isnan(row->more))
		return learned;
	return arena_printf(a, "%s and %s of the multiply–adds", learned,
			    percent(row->more / d->cost->multiply_adds, a));
}

static const char *finding(const struct view_data *d, struct arena *a)
{
	const struct cost_row *const row = shown_row(d);
	const char *const adds = counts(d, row, a);
	if (row->why)
		return arena_printf(a, "%s is not run at these sizes: %s.", row->name, row->why);
	if (row == &d->cost->rows[d->cost->none])
		return "Without positions nothing is added: the others are compared with this pass.";
	if (!d->scene->timing)
		return arena_printf(a, "%s adds %s; times are not measured.", row->name, adds);
	if (!row->timed)
		return arena_printf(a, "%s adds %s; its time is being measured.", row->name, adds);
	if (cost_within_noise(d->cost, row))
		return arena_printf(a,
				    "A pass with %s takes about as long as one without positions "
				    "(%s: no clear difference); it adds %s.",
				    row->name, cost_show_interval(&row->time, a), adds);
	return arena_printf(a,
			    "A pass with %s takes %s the time of one without positions, and adds "
			    "%s.",
			    row->name, cost_show_interval(&row->time, a), adds);
}

static void cost_figure(const struct view_data *d, struct arena *a, struct figure *out)
{
	view_frame(d, sizes(d, a), a, out);
	out->title = "What position schemes cost";
	out->finding = finding(d, a);
	out->caption = arena_printf(
		a,
		"One forward pass at %s, weights drawn, GELU; time varies with the machine. Learned "
		"parameters in BERT-base. Multiply–adds of products and sums; functions of single "
		"numbers and looking up are none. Published: Chen et al. 2021, Tables 1 and 6.",
		sizes(d, a));
	/* Without times the card is placed beside both other panels. */
	const bool timing = d->scene->timing;
	if (timing) {
		time_panel(d, a, &out->panels[out->n]);
		view_place(&out->panels[out->n++], 0, 0, 1, 0);
	}
	operations_panel(d, a, &out->panels[out->n]);
	view_place(&out->panels[out->n++], timing, 0, 1, timing ? 2 : 0);
	parameters_panel(d, a, &out->panels[out->n]);
	view_place(&out->panels[out->n++], 1, timing, 1, 1);
	card_panel(d, a, &out->panels[out->n]);
	view_place(&out->panels[out->n], 0, 1, 1, 3);
	out->panels[out->n++].rows = timing ? 1 : 2;
	out->names_hidden = true;
	memcpy(out->col_weight, (unsigned char[]){1, 1}, 2);
	memcpy(out->row_weight, (unsigned char[]){1, 1}, 2);
	view_close(d, out);
}

/* ---- numbers for dumps ----------------------------------------------------------------------- */

static void cost_numbers(const struct view_data *d, struct arena *a, struct numbers *out)
{
	for (size_t i = 0; i < d->cost->n; i++) {
		const struct cost_row *const row = &d->cost->rows[i];
		const char *const e = row->expression, *const why = row->why ? row->why : "…";
		numbers_say(out, arena_printf(a, "cost.%s.parameters", e),
			    row->counted ? (double)row->parameters : NAN,
			    row->counted ? arena_printf(a, "%zu", row->parameters)
					 : arena_printf(a, "n/a: %s", row->no_count),
			    "learned parameters of positions in BERT-base");
		numbers_say(out, arena_printf(a, "cost.%s.multiply_adds", e),
			    row->passed ? row->more : NAN,
			    row->passed ? arena_printf(a, "%.0f", row->more)
					: arena_printf(a, "n/a: %s", why),
			    "of a pass, beyond those of none");
		if (d->scene->timing)
			numbers_say(out, arena_printf(a, "cost.%s.time", e),
				    row->timed ? row->time.ratio : NAN,
				    row->timed ? cost_show_time(&row->time, a)
					       : arena_printf(a, "n/a: %s", why),
				    "of a pass, over that of none; measured, so it varies");
	}
}

const struct view view_cost = {
	"cost",	      "Cost",	       "How much time, and how many parameters?",
	cost_wants,   cost_figure,     .numbers = cost_numbers,
	.cost = true, .no_cell = true, .slow = true};
