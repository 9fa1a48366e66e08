/* calc_eval.c: formulas evaluated on a stack of blocks.
 *
 * A step works on a block of values at a time, so that it is dispatched once for many; a value
 * that is the same for the whole block is stored, and computed, once. */
#include <string.h>

#include "math/calc_step.h"

enum { BLOCK = 64 };

/* A block of values; only at[0] is valid if all are the same. */
struct slot {
	bool same;
	double at[BLOCK];
};

static void fill_block(struct slot *s, size_t n)
{
	for (size_t i = 1; s->same && i < n; i++)
		s->at[i] = s->at[0];
	s->same = false;
}

/* The operands are the last `args` slots; the result takes the place of the first. */
static void operate_on(struct slot *first, const struct calc_step *step, size_t n)
{
	bool same = true;
	for (size_t k = 0; k < step->index; k++)
		same = same && first[k].same;
	for (size_t k = 0; k < step->index && !same; k++)
		fill_block(&first[k], n);
	const double *const y = step->index > 1 ? first[1].at : NULL;
	const double *const z = step->index > 2 ? first[2].at : NULL;
	step->run(first->at, y, z, same ? 1 : n);
}

/* Evaluates values first..first+n of every name. */
static void eval_block(const struct calc *c, const struct calc_input *in, struct slot *stack,
		       size_t first, size_t n)
{
	size_t top = 0;
	for (size_t i = 0; i < c->n; i++) {
		const struct calc_step *const step = &c->steps[i];
		if (step->kind == STEP_OPERATION) {
			top -= step->index;
			operate_on(&stack[top++], step, n);
			continue;
		}
		struct slot *const s = &stack[top++];
		const struct calc_input *const from = &in[step->index];
		s->same = step->kind == STEP_NUMBER || from->at == NULL;
		if (!s->same)
			memcpy(s->at, from->at + first, n * sizeof *s->at);
		else
			s->at[0] = step->kind == STEP_NUMBER ? step->number : from->all;
	}
}

void calc_eval(const struct calc *c, const struct calc_input *in, double *out, size_t n)
{
	struct slot stack[CALC_WAITING];
	for (size_t first = 0; first < n; first += BLOCK) {
		const size_t size = n - first < BLOCK ? n - first : BLOCK;
		eval_block(c, in, stack, first, size);
		fill_block(&stack[0], size);
		memcpy(out + first, stack[0].at, size * sizeof *out);
	}
}
