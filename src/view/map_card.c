/* map_card.c: the card of the view Map: what the distance is, the chosen scheme, and the schemes that are left
 * out. */
#include "map_in.h"

static const struct shown_map *map_shown(const struct view_data *d)
{
	return d->kept;
}

/* Returns "grpe, rwpe, laplacian …": the schemes that are left out for this reason. */
static const char *names_out(const struct view_data *d, enum map_state state, struct arena *a)
{
	enum { NAMED = 4 };
	const struct shown_map *const k = map_shown(d);
	const char *names = "";
	size_t n = 0;
	for (size_t i = 0; i < k->n; i++) {
		const struct map_entry *const e = &k->entries[i];
		const bool no_bias =
			d->scene->distance_of != DISTANCE_WEIGHTS && e->state == MAP_HERE && e->why;
		if (e->state != state && !(state == MAP_NO_BIAS && no_bias))
			continue;
		if (n++ < NAMED)
			names = arena_printf(a, "%s%s%s", names, *names ? ", " : "", e->name);
	}
	return n > NAMED ? arena_printf(a, "%s …", names) : names;
}

static void say_left_out(const struct view_data *d, struct arena *a, struct card *card)
{
	static const char *const why[MAP_STATES] = {[MAP_FAILS] = "cannot be computed here",
						    [MAP_UNITS] = "with other tokens",
						    [MAP_NO_BIAS] = "without a bias",
						    [MAP_NO_PAIR] =
							    "sharing no pair with the others"};
	const struct map_kind *const k = map_kind_of(d);
	const char *all = "";
	size_t n = 0, reasons = 0;
	for (enum map_state state = MAP_FAILS; state < MAP_STATES; state++) {
		n += k->out[state];
		reasons += k->out[state] > 0;
	}
	for (enum map_state state = MAP_FAILS; state < MAP_STATES; state++) {
		if (k->out[state] == 0)
			continue;
		const char *const names = names_out(d, state, a);
		const char *const many = reasons > 1 ? arena_printf(a, "%zu ", k->out[state]) : "";
		all = arena_printf(a, "%s%s%s%s%s%s", all, *all ? "; " : "", many, why[state],
				   *names ? ": " : "", names);
	}
	if (n > 0)
		card_add(card, "left out",
			 arena_printf(a, reasons > 1 ? "%zu: %s" : "%zu %s", n, all), NULL);
}

static void say_neighbour(const struct view_data *d, struct arena *a, struct card *card)
{
	const struct map_kind *const k = map_kind_of(d);
	size_t n, row;
	const size_t *const all = map_neighbours(d, a, &n);
	const size_t at = map_chosen_of(d, all, n, &row);
	if (at == SIZE_MAX)
		return;
	const double apart = mat_row(k->d, 0)[at];
	const struct map_entry *const e = map_entry_of(d, at);
	/* Before any is chosen the list says the same of the nearest one. */
	if (d->scene->row == 0 && !(apart <= map_same && map_writes_otherwise(e)))
		return;
	card_add(card, "chosen", e->name,
		 apart > map_same
			 ? arena_printf(a, "%s%s from %s", map_apart_text(apart, e, 3, a),
					map_words_now(d)->unit, map_shown(d)->entries[0].name)
		 : map_writes_otherwise(e) ? "the same here, other outputs"
					   : "the same here");
	if (apart <= map_same && map_writes_otherwise(e))
		card_add(card, "outputs", arena_printf(a, "%.3g", e->outputs),
			 "relative difference: what it adds to the values is not in this distance");
}

void map_card(const struct view_data *d, struct arena *a, struct panel *p)
{
	const struct shown_map *const m = map_shown(d);
	*p = (struct panel){.name = "card", .title = "About the list"};
	struct card *const card = card_new(p, a);
	card->about = map_finding(d, a) ? NULL : map_words_now(d)->about;
	say_neighbour(d, a, card);
	say_left_out(d, a, card);
	if (m->rows < m->of_rows)
		card_add(card, "part", arena_printf(a, "%zu of %zu rows", m->rows, m->of_rows),
			 "of each matrix are compared");
}
