/* plain_places.c: dials and points in a plane as words. */
#include <math.h>

#include "plain_in.h"
#include "posviz/plot/dials.h"
#include "posviz/plot/plane.h"

static bool says(const char *text)
{
	return text && *text;
}

/* "1. θ = 0.32, round in 20 words: 100°, before 154°; adds −0.06, before −0.31". */
static void say_dial(const struct dials *d, size_t i, struct strbuf *out, struct arena *a)
{
	const struct dial *const k = &d->at[i];
	struct strbuf b;
	strbuf_init(&b, a);
	strbuf_printf(&b, "%zu. %s", i + 1, k->title ? k->title : "");
	if (says(k->note))
		strbuf_printf(&b, ", %s", k->note);
	if (says(k->angle))
		strbuf_printf(&b, ": %s", k->angle);
	if (says(k->angle_before))
		strbuf_printf(&b, ", %s", k->angle_before);
	if (!isnan(k->after))
		strbuf_printf(&b, "; adds %s", plain_number(a, k->after));
	if (!isnan(k->after) && !isnan(k->before))
		strbuf_printf(&b, ", before %s", plain_number(a, k->before));
	plain_say(out, "%s%s", b.at, d->has_cursor && d->cursor == i ? ", chosen" : "");
}

void plain_dials(const struct panel *p, struct strbuf *out, struct arena *a)
{
	const struct dials *const d = &p->dials;
	for (size_t i = 0; i < DIAL_HANDS; i++)
		if (d->names[i])
			plain_say(out, "Hand %zu: %s", i + 1, d->names[i]);
	if (says(d->value_title))
		plain_say(out, "Each adds: %s", d->value_title);
	for (size_t i = 0; i < d->n; i++)
		say_dial(d, i, out, a);
	if (says(d->sum))
		plain_say(out, "%s", d->sum);
	if (says(d->about))
		plain_say(out, "%s", d->about);
}

static const char *group_of(const struct plane *l, size_t i, struct arena *a)
{
	return !l->group	? ""
	       : l->group_names ? arena_printf(a, ", %s", l->group_names[l->group[i]])
				: arena_printf(a, ", group %zu", l->group[i] + 1);
}

void plain_plane(const struct panel *p, struct strbuf *out, struct arena *a)
{
	const struct plane *const l = &p->plane;
	size_t missing = 0;
	if (says(l->x_title))
		plain_say(out, "Along: %s", l->x_title);
	if (says(l->y_title))
		plain_say(out, "Up: %s", l->y_title);
	if (l->joined)
		plain_say(out, "A line joins the points in their order.");
	for (size_t i = 0; i < l->n; i++) {
		const struct plane_point *const at = &l->at[i];
		if (!isfinite(at->x) || !isfinite(at->y)) {
			missing++;
			continue;
		}
		plain_say(out, "%zu%s%s: %s, %s%s%s%s", i + 1, at->label ? " " : "",
			  at->label ? at->label : "", plain_number(a, at->x),
			  plain_number(a, at->y), group_of(l, i, a),
			  l->has_own && l->own == i ? ", looked at" : "",
			  l->has_cursor && l->cursor == i ? ", chosen" : "");
	}
	if (missing > 0)
		plain_say(out, "%s without a place.", plain_many(a, missing, "point"));
}
