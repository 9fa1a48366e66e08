/* kerple.c: see kerple.h. */
#include "scheme/kerple.h"

#include "posviz/base/rng.h"

struct node *kerple_number(struct head *head, const struct member *m, struct node *leaf,
			   double most)
{
	const struct kerple *k = m->param;
	struct node *own = tape_slice(head->tape, leaf, 0, 1, head->index, 1);
	return tape_clip(head->tape, own, k->least, most);
}

double kerple_from_first(size_t head, size_t heads)
{
	return heads > 1 ? 1 - (double)head / (double)(heads - 1) : 0.5;
}

void kerple_uniform(struct mat at, const struct leaf_maker *of)
{
	for (size_t i = 0; i < at.cols; i++)
		at.at[i] = of->value * rng_uniform(of->rng);
}
