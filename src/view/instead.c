/* instead.c: the next best picture where a scheme has nothing that a view shows: its weights and its bias, beside a
 * sentence that says where to look. */
#include <math.h>

#include "view_in.h"

const char *view_lead(const char *why, struct arena *a)
{
	return arena_printf(a, "%s. The view Explore shows what the scheme does instead", why);
}

static bool has_bias(const struct view_data *d)
{
	const struct trace_head *const first = &d->trace->layers[0].heads[view_head(d)];
	bool any = false;
	for (size_t i = 0; first->bias.at && i < first->bias.rows * first->bias.cols; i++)
		any |= fabs(first->bias.at[i]) > 0;
	return !d->trace->bias_absent && !d->trace->bias_is_mask && any;
}

const char *view_bias_of(const struct view_data *d, const char *note, struct arena *a)
{
	return view_layer(d) > 0 && !view_bias_is_own(d->built)
		       ? view_beside(note, "always of layer 1", a)
		       : note;
}

bool view_bias_picture(const struct view_data *d, struct arena *a, struct panel *p)
{
	const struct trace_head *const first = &d->trace->layers[0].heads[view_head(d)];
	const struct paint paint = {.allowed = first->mask,
				    .is_signed = true,
				    .more_of = "attention",
				    .than = "content alone"};
	if (!has_bias(d))
		return false;
	*p = (struct panel){.name = "bias",
			    .title = "Position bias",
			    .note = view_bias_of(d, view_bias_note(d, a), a),
			    .short_note = view_bias_of(d, view_short_bias(d, a), a)};
	view_heatmap(d, first->bias, &paint, a, p);
	return true;
}

void view_instead(const struct view_data *d, struct arena *a, struct figure *out)
{
	const struct trace_head *const head = &d->trace->layers[view_layer(d)].heads[view_head(d)];
	struct panel *const why = &out->panels[0];
	const bool bias = has_bias(d), weights = head->weights.at != NULL;
	why->lead = true;
	why->rows = 1;
	out->n = 1;
	if (weights) {
		struct panel *const p = &out->panels[out->n++];
		const struct paint paint = {.allowed = head->mask,
					    .unit = true,
					    .weights = true,
					    .more_of = "attention"};
		*p = (struct panel){.name = "weights",
				    .title = "Attention weights",
				    .note = view_layer_note(d, a),
				    .short_note = view_short_layer(d, a)};
		view_heatmap(d, head->weights, &paint, a, p);
	}
	if (bias)
		view_bias_picture(d, a, &out->panels[out->n++]);
	const unsigned char across = bias && weights ? 2 : 1;
	view_place(why, 0, 0, across, 0);
	for (size_t i = 1; i < out->n; i++)
		view_place(&out->panels[i], 1, (unsigned char)(i - 1), 1, (unsigned char)i);
	out->col_weight[0] = out->col_weight[1] = 1;
	out->col_weight[1] = across > 1;
	out->row_weight[0] = out->n > 1 ? 2 : 1;
	out->row_weight[1] = out->n > 1 ? 9 : 0;
	out->by_grid = true;
}
