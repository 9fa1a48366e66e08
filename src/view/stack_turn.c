/* stack_turn.c: what the rotations of a stack leave of a product of equal vectors, a curve for each of them. */
#include <math.h>
#include <string.h>

#include "stack_in.h"

enum { POINTS = 96, MOST_CURVES = 4 };

/* Returns the distances from 1 to the last of the text, evenly spaced on a logarithmic axis. */
static double *distances(size_t tokens, struct arena *a, size_t *n)
{
	double *const x = arena_calloc(a, POINTS, sizeof *x);
	const double last = (double)tokens - 1;
	*n = 0;
	for (size_t i = 0; i < POINTS; i++) {
		const double at = round(pow(last, (double)i / (POINTS - 1)));
		if (*n == 0 || at > x[*n - 1])
			x[(*n)++] = at;
	}
	return x;
}

/* Returns the mean of cosines over the pairs of columns: those that do not rotate have 1. */
static double left_at(const struct member_rates *r, size_t all, double distance)
{
	double sum = (double)(all - r->pairs);
	for (size_t i = 0; i < r->pairs; i++)
		sum += cos(distance * r->now[i]);
	return sum / (double)all;
}

static const double *left(const struct built *b, size_t layer, const double *x, size_t n,
			  struct arena *a)
{
	const size_t all = model_dk(&b->model.config) / 2;
	double *const y = arena_calloc(a, n, sizeof *y);
	for (size_t i = 0; i < n; i++)
		y[i] = 1;
	for (size_t m = 0; m < b->n_members; m++) {
		struct member_rates r;
		if (!subset_has(&b->members[m].layers, layer) || !b->members[m].scheme ||
		    !stack_rates(b, &b->members[m], a, &r) || r.pairs > all)
			continue;
		for (size_t i = 0; i < n; i++)
			y[i] = left_at(&r, all, x[i]);
	}
	return y;
}

/* Returns whether a kind is the first of those with its rotation. */
static bool is_first(const struct stack_kept *k, size_t kind)
{
	for (size_t i = 0; i < kind; i++)
		if (strcmp(k->words[i].rotation, k->words[kind].rotation) == 0)
			return false;
	return true;
}

void stack_find_turns(const struct built *b, struct arena *a, struct stack_kept *out)
{
	const struct stack *const s = &out->s;
	size_t n;
	if (!out->rotates || s->tokens < 3)
		return;
	const double *const x = distances(s->tokens, a, &n);
	struct series *const series = arena_calloc(a, MOST_CURVES, sizeof *series);
	for (size_t kind = 0; kind < s->n_kinds; kind++) {
		size_t layer = 0;
		if (!is_first(out, kind))
			continue;
		if (out->n_turns == MOST_CURVES) { /* more could not be told apart */
			out->n_turns = 0;
			return;
		}
		while (s->kind[layer] != kind)
			layer++;
		const char *const words = out->words[kind].rotation;
		series[out->n_turns] =
			(struct series){.label = strcmp(words, "none") == 0 ? "no rotation" : words,
					.n = n,
					.x = x,
					.y = left(b, layer, x, n, a),
					.colour = out->n_turns,
					.active = out->n_turns == 0};
		out->n_turns++;
	}
	out->turns = series;
}

void stack_turn_panel(const struct stack_kept *k, struct arena *a, struct panel *p)
{
	*p = (struct panel){
		.kind = PANEL_CURVES,
		.name = "turned",
		.title = "How much equal vectors agree after rotation, by distance",
		.brief_title = "Agreement after rotation",
		.note = arena_printf(a, "text of %zu tokens", k->s.tokens),
		.short_note = "1: not rotated",
		.subtitle =
			"q·k of a query and a key whose numbers are all equal, as a part of that "
			"without rotation: the mean cosine of the angles between them"};
	p->curves = (struct curves){.series = k->turns,
				    .n = k->n_turns,
				    .x_title = "distance (log)",
				    .y_title = "q·k, 1: not rotated",
				    .log_x = true,
				    .integer_x = true,
				    .unit = true,
				    .together = true};
}
