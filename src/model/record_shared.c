/* record_shared.c: what the recorded runs of one tape share: leaves, weights, and what hooks compute of
 * these alone, made once for each input that they depend on. */
#include <string.h>

#include "model_in.h"

struct node **record_leaves(const struct model *model, struct arena *a)
{
	return arena_calloc(a, model->n_leaves + 1, sizeof(struct node *));
}

struct node *(*record_weights(const struct model *model, struct arena *a))[WEIGHT_COUNT]
{
	return arena_calloc(a, model->config.layers, sizeof(struct node *[WEIGHT_COUNT]));
}

struct record_shared *record_share(const struct model *model, struct arena *a)
{
	struct record_shared *const shared = arena_calloc(a, 1, sizeof *shared);
	shared->leaves = record_leaves(model, a);
	shared->weights = record_weights(model, a);
	shared->own = record_weights(model, a);
	return shared;
}

struct record_shared *record_shared_of(const struct run *run)
{
	return run->private->record ? run->private->record->shared : NULL;
}

const void *record_shared_find(const struct run *run, const struct record_memo *of)
{
	const struct record_shared *const shared = record_shared_of(run);
	for (const struct record_memo *m = shared ? shared->memos : NULL; m; m = m->next)
		if (m->member == of->member && m->layer == of->layer && m->input == of->input &&
		    strcmp(m->name, of->name) == 0)
			return m->at;
	return NULL;
}

void record_shared_add(struct run *run, struct record_memo of, const void *at)
{
	struct record_shared *const shared = record_shared_of(run);
	struct record_memo *const memo = arena_alloc(run->arena, sizeof *memo);
	*memo = of;
	memo->at = at;
	memo->next = shared->memos;
	shared->memos = memo;
}

struct node *record_shared_node(struct run *run, struct record_memo of,
				struct node *(*build)(struct run *run, const struct member *m,
						      struct err *err),
				struct err *err)
{
	const void *const known = record_shared_find(run, &of);
	if (known)
		return (struct node *)(uintptr_t)known;
	struct node *const made = build(run, of.member, err);
	if (made)
		record_shared_add(run, of, made);
	return made;
}
