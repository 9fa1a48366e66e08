/* parts.c: the table of the parts, and going through it. */
#include <math.h>
#include <poll.h>

#include "tui_in.h"

const struct tui_part *const tui_parts[PART_COUNT] = {
#define PART(id) &part_##id,
#include "part_list.h"
#undef PART
};

void parts_at(struct tui *t, enum part_moment moment)
{
	const bool back = moment == PART_CLOSE || moment == PART_GONE;
	for (size_t i = 0; i < PART_COUNT; i++) {
		const struct tui_part *const p = tui_parts[back ? PART_COUNT - 1 - i : i];
		if (moment == PART_TURN && t->life >= LIFE_LEFT)
			return;
		struct arena *const arena = p->arena ? (void *)((char *)t + p->arena) : NULL;
		if (arena && moment == PART_OPEN)
			arena_init(arena);
		if (p->at[moment])
			p->at[moment](t);
		if (arena && moment == PART_GONE)
			arena_release(arena);
	}
}

size_t parts_poll(const struct tui *t, struct pollfd *fds, size_t counts[PART_COUNT])
{
	size_t n = 0;
	for (size_t i = 0; i < PART_COUNT; i++) {
		const struct tui_part *const p = tui_parts[i];
		BUG_IF(n + p->n_fds > PART_FDS);
		counts[i] = p->poll ? p->poll(t, fds + n) : 0;
		n += counts[i];
	}
	return n;
}

void parts_serve(struct tui *t, const struct pollfd *fds, const size_t counts[PART_COUNT])
{
	for (size_t i = 0; i < PART_COUNT && t->life < LIFE_LEFT; fds += counts[i++])
		if (counts[i] > 0 && tui_parts[i]->serve)
			tui_parts[i]->serve(t, fds, counts[i]);
}

double parts_due(const struct tui *t)
{
	double at = INFINITY;
	for (size_t i = 0; i < PART_COUNT; i++)
		if (tui_parts[i]->due)
			at = fmin(at, tui_parts[i]->due(t));
	return at;
}

bool parts_hold(const struct tui *t)
{
	for (size_t i = 0; i < PART_COUNT; i++)
		if (tui_parts[i]->holds && tui_parts[i]->holds(t))
			return true;
	return false;
}

bool parts_key(struct tui *t, const struct key *key)
{
	for (size_t i = 0; i < PART_COUNT; i++)
		if (tui_parts[i]->key && tui_parts[i]->key(t, key))
			return true;
	return false;
}

void parts_draw(struct tui *t, struct canvas *c, const struct layout *l)
{
	for (size_t i = 0; i < PART_COUNT; i++) {
		const struct tui_part *const p = tui_parts[i];
		if (p->draw)
			p->draw(t, c, l);
		if (p->alone && p->alone(t))
			return;
	}
}
