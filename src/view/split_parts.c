/* split_parts.c: the split of the shown matrix into parts, for the view Split and for every
 * card. */
#include <math.h>
#include <string.h>

#include "view_in.h"

/* Chooses the logits if the scene shows them, else the bias, or the weights if there is no bias. */
static void choose_matrix(const struct view_data *d, struct view_split *out)
{
	const struct trace_head *const first = &d->trace->layers[0].heads[view_head(d)];
	const struct trace_head *const shown = &d->trace->layers[view_layer(d)].heads[view_head(d)];
	if (d->scene->matrix == MATRIX_LOGITS && shown->logits.at) {
		out->what = "logits";
		out->m = shown->logits;
		out->mask = shown->mask;
	} else if (first->bias.at && !d->trace->bias_absent) {
		out->what = "bias";
		out->m = first->bias;
		out->mask = first->mask;
		if (d->trace->bias_is_mask)
			out->absent = "a mask adds nothing to the logits";
	} else {
		out->what = "weights";
		out->m = shown->weights;
		out->mask = shown->mask;
		if (!out->m.at)
			out->absent = "there are neither a bias nor weights";
	}
}

static void choose_numbers(const struct view_data *d, struct arena *a, struct view_split *out)
{
	struct pair_numbers by;
	out->by = "distance";
	out->x_title = view_apart_title(d);
	out->sign = "s−t";
	if (!view_pair_numbers(d->built, d->trace, a, &by) || by.rows != out->m.rows ||
	    by.cols != out->m.cols)
		return;
	out->number = by.at;
	out->by = by.name;
	out->x_title = by.x_title;
	out->sign = by.sign;
}

void view_split_make(const struct view_data *d, struct watch *watch, struct arena *a,
		     struct view_split *out)
{
	*out = (struct view_split){0};
	choose_matrix(d, out);
	choose_numbers(d, a, out);
	const struct axis *const query = &d->trace->query, *const key = &d->trace->key;
	if (!out->absent && (out->m.rows != query->n || out->m.cols != key->n))
		out->absent = "its rows and columns are no tokens of the sentence";
	if (out->absent)
		return;
	struct arena scratch;
	arena_init(&scratch);
	const struct split_of of = {.m = out->m,
				    .mask = out->mask,
				    .number = out->number ? out->number
							  : split_distances(d->trace, &scratch),
				    .seed = d->scene->setup.seed,
				    .watch = watch};
	split_make(&of, d->view == &view_split, a, &out->parts);
	arena_release(&scratch);
}

/* ---- words ----------------------------------------------------------------------------------- */

static const double ALL = 0.9995; /* from here on 100 % is shown */

/* Returns the meaning of the largest part. */
static const char *meaning(const struct view_split *s, struct arena *a)
{
	const struct split *const p = &s->parts;
	const char *const far =
		strcmp(s->by, "distance") == 0 ? "distance" : arena_printf(a, "the %s", s->by);
	if (p->distance >= ALL)
		return arena_printf(a, "%s is all that counts", far);
	if (p->distance >= fmax(p->rest, fmax(p->query, p->key)))
		return "where they stand counts too";
	if (p->key >= fmax(p->query, p->rest))
		return "some keys get more, whoever asks";
	if (p->query >= p->rest)
		return "it differs by query: that changes no weight";
	return "most is of the two together";
}

void card_split(const struct view_split *s, struct arena *a, struct card *card)
{
	const struct split *const p = &s->parts;
	if (s->absent || p->why) {
		card_add(card, "split", "none",
			 s->absent ? s->absent : arena_printf(a, "the %s: %s", s->what, p->why));
		return;
	}
	const char *note = meaning(s, a);
	if (strcmp(s->what, "bias") != 0)
		note = arena_printf(a, "of the %s: %s", s->what, note);
	else if (p->distance < ALL)
		note = arena_printf(a, "of the variance: %s", note);
	const char *const part = sample_show(&p->sample, a);
	if (part)
		note = arena_printf(a, "%s; %s", note, part);
	if (p->infinite > 0)
		note = arena_printf(a, "%s; %zu values that are not finite are left out", note,
				    p->infinite);
	card_add(card, "split", split_show(p, s->by, a), note);
}
