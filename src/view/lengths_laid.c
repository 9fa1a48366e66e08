/* lengths_laid.c: the view Lengths for several schemes: their curves over one another on the same axes, the angles
 * that each leaves to its pairs of columns, and the limits of each. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "lengths_in.h"
#include "posviz/base/num.h"
#include "posviz/base/text.h"

enum { NAME_COLS = 16 };

/* Returns "yarn" for "rope_yarn" beside another "rope" or "rope_pi"; NULL: there is none, or another
 * scheme's name is as short. */
static const char *brief_name(const struct view_data *d, size_t i)
{
	const char *const name = d->laid[i].name, *const bar = strchr(name, '_');
	const size_t family = bar ? (size_t)(bar - name) : 0;
	bool shared = false;
	for (size_t k = 0; k < d->n_laid && bar; k++) {
		const char *const other = d->laid[k].name;
		shared |= k != i && strncmp(other, name, family) == 0 &&
			  !isalnum((unsigned char)other[family]);
		if (k != i && strcmp(other, bar + 1) == 0)
			return NULL;
	}
	return shared ? bar + 1 : NULL;
}

/* The last query's measure at each length that is known; of the entropy, how far it is below ln n: all
 * schemes come near that line, and are told apart by what is missing. */
static struct series series_of(const struct view_data *d, size_t i, enum lengths_measure m,
			       struct arena *a)
{
	const struct lengths *const l = d->laid[i].lengths;
	const size_t head = view_chosen(d->scene->head, l->heads);
	double *const x = arena_calloc(a, l->n + 1, sizeof *x);
	double *const y = arena_calloc(a, l->n + 1, sizeof *y);
	size_t n = 0;
	for (size_t k = 0; k < l->n && !l->why; k++) {
		if (!l->rows[k].known)
			continue;
		x[n] = (double)l->rows[k].n;
		const double is = l->rows[k].heads[head].last[m];
		y[n++] = m == LENGTHS_ENTROPY ? log((double)l->rows[k].n) - is : is;
	}
	return (struct series){.label = d->laid[i].name,
			       .brief = brief_name(d, i),
			       .n = n,
			       .x = x,
			       .y = y,
			       .colour = i,
			       .active = i == 0};
}

static void measure_panel(const struct view_data *d, enum lengths_measure m, struct arena *a,
			  struct panel *p)
{
	static const struct lengths_words entropy = {"Entropy below ln n, in nats",
						     "Entropy below ln n",
						     "ln n + Σ p ln p; 0: all keys alike", false};
	const struct lengths_words words = m == LENGTHS_ENTROPY ? entropy : lengths_words(d, m, a);
	const size_t t_max = d->lengths->t_max;
	struct series *const series = arena_calloc(a, d->n_laid + 1, sizeof *series);
	struct curve_mark *const mark = arena_calloc(a, 1, sizeof *mark);
	for (size_t i = 0; i < d->n_laid; i++)
		series[i] = series_of(d, i, m, a);
	*mark = (struct curve_mark){.upright = true,
				    .x = (double)t_max,
				    .label =
					    arena_printf(a, "t-max %zu: length of training", t_max),
				    .brief = arena_printf(a, "t-max %zu", t_max)};
	const bool by_decades = m != LENGTHS_ENTROPY && lengths_in_decades(series, d->n_laid);
	*p = (struct panel){.kind = PANEL_CURVES,
			    .name = "curve",
			    .title = words.title,
			    .brief_title = words.brief,
			    .note = view_head_note(d, a),
			    .short_note = view_short_head(d, a),
			    .subtitle = arena_printf(a, "%s; of the last query", words.says)};
	p->curves = (struct curves){.series = series,
				    .n = d->n_laid,
				    .marks = mark,
				    .n_marks = 1,
				    .x_title = d->earlier ? "length in tokens"
							  : "length in tokens (log)",
				    .y_title = "",
				    .log_x = true,
				    .x_to = LENGTHS_TIMES * (double)t_max,
				    .unit = words.unit && !by_decades,
				    .spread = by_decades ? CURVES_LOG : CURVES_LINEAR,
				    .together = true,
				    .row_title = "schemes",
				    .colormap = view_colormap(d, true)};
}

/* ---- angles ---------------------------------------------------------------------------------- */

/* False: no scheme rotates pairs of columns. Only those that do have a curve; the colours are those of the other panels. */
static bool angle_panel(const struct view_data *d, struct arena *a, struct panel *p)
{
	struct series *const series = arena_calloc(a, d->n_laid, sizeof *series);
	const char *without = "";
	size_t n = 0;
	for (size_t i = 0; i < d->n_laid; i++) {
		const struct lengths_turns *const t = &d->laid[i].lengths->turns;
		if (!t->share) {
			without = arena_printf(a, "%s%s%s", without, *without ? ", " : "",
					       d->laid[i].name);
			continue;
		}
		double *const x = arena_calloc(a, t->pairs, sizeof *x);
		for (size_t k = 0; k < t->pairs; k++)
			x[k] = (double)(k + 1);
		series[n] = (struct series){.label = d->laid[i].name,
					    .brief = brief_name(d, i),
					    .n = t->pairs,
					    .x = x,
					    .y = t->share,
					    .colour = i,
					    .active = i == 0};
		n++;
	}
	*p = (struct panel){
		.kind = PANEL_CURVES,
		.name = "angles",
		.title = "Angle of each pair of columns",
		.note = *without ? arena_printf(a, "no rotation: %s", without) : NULL,
		.subtitle = arena_printf(a,
					 "per position at n = %zu, as a share of the angle "
					 "without scaling",
					 LENGTHS_TIMES * d->lengths->t_max),
	};
	p->curves = (struct curves){.series = series,
				    .n = n,
				    .x_title = "pair of columns",
				    .y_title = "",
				    .integer_x = true,
				    .unit = true,
				    .together = true,
				    .row_title = "schemes",
				    .colormap = view_colormap(d, true)};
	return n > 0;
}

/* ---- limits ---------------------------------------------------------------------------------- */

/* Pairs that make no full rotation in training reach angles beyond it in longer texts; a scaling makes them fewer. */
static const char *rotation_note(const struct lengths_turns *t, struct arena *a)
{
	if (t->pairs == 0)
		return "no rotation";
	return arena_printf(a, "new angles in %zu of %zu pairs",
			    t->scaled ? t->leave[LENGTHS_BEYOND - 1] : t->slow, t->pairs);
}

static const struct lengths_row *last_row(const struct lengths *l)
{
	for (size_t i = l->n; i-- > 0 && !l->why;)
		if (l->rows[i].known)
			return &l->rows[i];
	return NULL;
}

static void limits_panel(const struct view_data *d, struct arena *a, struct panel *p)
{
	*p = (struct panel){.name = "ends",
			    .title = "Limits of length",
			    .note = view_head_note(d, a),
			    .short_note = view_short_head(d, a)};
	struct card *const card = card_new(p, a);
	for (size_t i = 0; i < d->n_laid; i++) {
		const struct lengths *const l = d->laid[i].lengths;
		const struct lengths_row *const far = last_row(l);
		const char *const name = text_shorten(a, d->laid[i].name, NAME_COLS, false);
		if (!far) {
			card_add(card, name, "no lengths", l->why);
			continue;
		}
		const size_t head = view_chosen(d->scene->head, l->heads);
		const double window = far->heads[head].window;
		const char *const within = isnan(window)
						   ? "no shares of positions"
						   : arena_printf(a, "99 %% within %.0f", window);
		card_add(card, name, l->ends ? arena_printf(a, "ends at %zu", l->ends) : within,
			 rotation_note(&l->turns, a));
	}
}

/* Names every scheme that has curves, unless the user has named the picture's first. */
static const char *title(const struct view_data *d, struct arena *a)
{
	const char *out = "";
	for (size_t i = 0; i < d->n_laid; i++)
		out = arena_printf(a, "%s%s%s", out,
				   i == 0		? ""
				   : i + 1 == d->n_laid ? " and "
							: ", ",
				   d->laid[i].name);
	return arena_printf(a, "%s on longer texts", out);
}

void lengths_lay_over(const struct view_data *d, struct arena *a, struct figure *out)
{
	static const struct {
		enum lengths_measure measure;
		unsigned char row, col, priority;
	} places[] = {{LENGTHS_ENTROPY, 0, 0, 0},
		      {LENGTHS_WITHIN, 0, 1, 2},
		      {LENGTHS_DISTANCE, 1, 0, 3},
		      {LENGTHS_FIRST_TOKEN, 1, 1, 5}};
	for (size_t i = 0; i < LENGTHS_MEASURES; i++) {
		measure_panel(d, places[i].measure, a, &out->panels[i]);
		view_place(&out->panels[i], places[i].row, places[i].col, 1, places[i].priority);
	}
	/* Without a rotation its place is for the limits. */
	const bool angles = angle_panel(d, a, &out->panels[LENGTHS_MEASURES]);
	out->n = LENGTHS_MEASURES + angles + 1;
	if (angles)
		view_place(&out->panels[LENGTHS_MEASURES], 0, 2, 1, 1);
	limits_panel(d, a, &out->panels[out->n - 1]);
	view_place(&out->panels[out->n - 1], angles, 2, 1, 6);
	out->panels[out->n - 1].rows = angles ? 1 : 2;
	out->by_grid = true;
	out->finding = lengths_finding_laid(d, a);
	out->title = title(d, a);
	memset(out->col_weight, 1, 3);
	memset(out->row_weight, 1, 2);
}
