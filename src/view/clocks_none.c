/* clocks_none.c: the view Clocks of a scheme that rotates nothing and has no sines: in words why, and
 * which schemes have clocks; beside it the curve of what it does instead, its bias or its weights by
 * distance. */
#include <math.h>
#include <string.h>

#include "vectors_in.h"

const struct clocks_named clocks_named[] = {
	{"relative", "rope, xpos, selrope, rope_2d"},
	{"absolute", "sinusoidal, ut, rand_pe, mvpe"},
	{"both", "tupe_r, ros_abs"},
	{"trees", "spr_abs"},
	{0},
};

/* Returns the kind of the scheme, as in the table. */
static const char *kind_of(const struct scheme *s)
{
	return s->topic == TOPIC_TREE || s->topic == TOPIC_GRAPH ? "trees"
	       : s->ref == REF_ABSOLUTE				 ? "absolute"
	       : s->ref == REF_BOTH				 ? "both"
								 : "relative";
}

/* Returns the text up to its first full stop or semicolon. */
static const char *first_sentence(const char *text, struct arena *a)
{
	const char *const stop = strstr(text, ". "), *const part = strstr(text, "; ");
	const char *const end = part && (!stop || part < stop) ? part : stop ? stop + 1 : NULL;
	return end ? arena_strndup(a, text, (size_t)(end - text)) : text;
}

/* Returns a long sentence up to a comma or colon in it, where it can end. */
static const char *brief(const char *text, struct arena *a)
{
	enum { MOST = 100 };
	size_t end = 0, at = 0;
	for (; at < MOST && text[at] != '\0'; at++)
		end = (text[at] == ',' || text[at] == ':') && text[at + 1] == ' ' ? at : end;
	return text[at] == '\0' || end == 0 ? text : arena_strndup(a, text, end);
}

/* Returns the schemes of this kind that have clocks. */
static const char *named(const char *kind)
{
	size_t i = 0;
	while (clocks_named[i].kind && strcmp(clocks_named[i].kind, kind) != 0)
		i++;
	return clocks_named[i].kind ? clocks_named[i].ids : "";
}

static void card_panel(const struct view_data *d, const char *why, bool has, const char *elsewhere,
		       struct arena *a, struct panel *p)
{
	const struct scheme *const s = expr_main(&d->built->expr)->scheme;
	const char *const kind = kind_of(s);
	*p = (struct panel){.name = "clocks",
			    .title = has ? "No clocks here"
					 : arena_printf(a, "%s has no clocks", s->id)};
	struct card *const card = card_new(p, a);
	card->about =
		"A clock would be a pair of dimensions, whose hand each position rotates by one "
		"angle.";
	const char *const reason = strncmp(why, "no ", 3) == 0 ? strstr(why, ": ") : NULL;
	card_add(card, "why", reason ? reason + 2 : why, NULL);
	if (!has)
		card_add(card, "clocks have", named(kind),
			 strcmp(kind, "absolute") == 0 ? "they tell absolute positions, as it does"
						       : "absolute: sinusoidal");
	if (elsewhere)
		card_add(card, "elsewhere", arena_printf(a, "%s has clocks", elsewhere),
			 arena_printf(a, ":%s shows them", elsewhere));
	else
		card_add(card, "instead", brief(first_sentence(s->about, a), a), NULL);
	card_add(card, "keys", "1 Explore,",
		 "its bias and weights; / rope Enter, a scheme with clocks");
	card->n_spare = card->n_keys = 1;
}

/* Returns the mean of a matrix at each s − t; pairs that are masked do not count. */
static struct series by_distance(const struct view_data *d, struct mat m, const uint8_t *allowed,
				 struct arena *a)
{
	const size_t n = m.rows + m.cols;
	const long first = -(long)(m.rows - 1) - (long)d->trace->memory;
	double *const sum = arena_calloc(a, n, sizeof *sum), *const x =
								     arena_calloc(a, n, sizeof *x);
	size_t *const count = arena_calloc(a, n, sizeof *count), kept = 0;
	for (size_t i = 0; i < m.rows * m.cols; i++) {
		const size_t at = i % m.cols + (m.rows - 1) - i / m.cols;
		const bool counts = (!allowed || allowed[i]) && isfinite(m.at[i]);
		sum[at] += counts ? m.at[i] : 0;
		count[at] += counts;
	}
	for (size_t i = 0; i + 1 < n; i++)
		if (count[i] > 0) {
			x[kept] = (double)((long)i + first);
			sum[kept++] = sum[i] / (double)count[i];
		}
	return (struct series){
		.label = view_short_head(d, a), .n = kept, .x = x, .y = sum, .active = true};
}

static bool has_bias(const struct view_data *d, const struct trace_head *head)
{
	bool any = false;
	for (size_t i = 0; head->bias.at && i < head->bias.rows * head->bias.cols; i++)
		any |= fabs(head->bias.at[i]) > 0;
	return any && !d->trace->bias_absent && !d->trace->bias_is_mask;
}

static bool curve_panel(const struct view_data *d, struct arena *a, struct panel *p)
{
	const struct trace_head *const first = &d->trace->layers[0].heads[view_head(d)];
	const struct trace_head *const shown = &d->trace->layers[view_layer(d)].heads[view_head(d)];
	const bool bias = has_bias(d, first);
	const struct mat m = bias ? first->bias : shown->weights;
	if (!m.at || !view_has_tokens(&d->trace->key))
		return false;
	struct series *const series = arena_calloc(a, 1, sizeof *series);
	*series = by_distance(d, m, bias ? first->mask : shown->mask, a);
	*p = (struct panel){
		.kind = PANEL_CURVES,
		.name = "curve",
		.title =
			bias ? "Instead: its bias by distance" : "Instead: its weights by distance",
		.brief_title = bias ? "Bias by distance" : "Weights by distance",
		.note = bias ? "logits" : "attention",
		.subtitle =
			bias ? "what it adds to the logit, in logits, mean of the pairs at each "
			       "distance"
			     : "mean attention weight of the pairs at each distance",
		.curves = {.series = series,
			   .n = 1,
			   .x_title = "key minus query, s − t",
			   .y_title = "",
			   .integer_x = true}};
	view_curves(d, a, &p->curves);
	return series->n > 1;
}

static void matrix_panel(const struct view_data *d, struct arena *a, struct panel *p)
{
	const struct trace_head *const head = &d->trace->layers[view_layer(d)].heads[view_head(d)];
	const struct paint paint = {
		.allowed = head->mask, .unit = true, .weights = true, .more_of = "attention"};
	*p = (struct panel){.name = "weights",
			    .title = "Attention weights",
			    .note = view_layer_note(d, a),
			    .short_note = view_short_layer(d, a)};
	view_heatmap(d, head->weights, &paint, a, p);
}

void clocks_none(const struct view_data *d, const char *why, bool has, const char *elsewhere,
		 struct arena *a, struct figure *out)
{
	const struct trace_head *const head = &d->trace->layers[view_layer(d)].heads[view_head(d)];
	/* The keys of the focus are those of the picture. */
	out->n = curve_panel(d, a, &out->panels[0]);
	if (head->weights.at)
		matrix_panel(d, a, &out->panels[out->n++]);
	const unsigned char across = out->n > 1 ? 2 : 1;
	for (size_t i = 0; i < out->n; i++)
		view_place(&out->panels[i], 1, (unsigned char)i, 1, (unsigned char)(i + 1));
	card_panel(d, why, has, elsewhere, a, &out->panels[out->n]);
	view_place(&out->panels[out->n++], 0, 0, across, 0);
	out->col_weight[0] = 1;
	out->col_weight[1] = across > 1;
	out->row_weight[0] = out->n > 1 ? 4 : 1;
	out->row_weight[1] = out->n > 1 ? 9 : 0;
	out->by_grid = true;
}
