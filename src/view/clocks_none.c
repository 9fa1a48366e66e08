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

static bool curve_panel(const struct view_data *d, struct arena *a, struct panel *p)
{
	const bool bias = view_distance_curve(d, true, a, p);
	if (!bias && !view_distance_curve(d, false, a, p))
		return false;
	p->title = !bias	       ? "Instead: its weights by distance"
		   : view_layer(d) > 0 ? "Instead: its bias, of layer 1"
				       : "Instead: its bias by distance";
	return true;
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
