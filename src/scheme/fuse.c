/* fuse.c: see fuse.h. */
#include "scheme/fuse.h"

const char *const fuse_names[] = {"none", "sum", "tanh", NULL};

struct node *fuse_tanh(struct tape *t, struct node *a, struct node *b)
{
	return tape_tanh(t, tape_scale(t, tape_add(t, a, b), 0.5));
}

struct fused fuse_rows(struct arena *arena, const struct index *a, const struct index *b)
{
	const size_t all = a->rows * a->cols, both = a->count * b->count;
	const size_t most = all < both ? all : both;
	int32_t *number = arena_calloc(arena, both, sizeof *number);
	int32_t *pair = arena_calloc(arena, all + 1, sizeof *pair);
	struct fused out = {.a = arena_calloc(arena, most + 1, sizeof *out.a),
			    .b = arena_calloc(arena, most + 1, sizeof *out.b)};
	size_t n = 0;
	for (size_t i = 0; i < all; i++) {
		pair[i] = -1;
		if (a->at[i] < 0)
			continue;
		int32_t *known = &number[(size_t)a->at[i] * b->count + (size_t)b->at[i]];
		if (*known == 0) {
			out.a[n] = a->at[i];
			out.b[n] = b->at[i];
			*known = (int32_t)++n;
		}
		pair[i] = *known - 1;
	}
	struct index *index = arena_calloc(arena, 1, sizeof *index);
	/* With no pair at all, one row that is never read. */
	*index = (struct index){
		.rows = a->rows, .cols = a->cols, .count = n > 0 ? n : 1, .at = pair};
	out.pair = index;
	return out;
}

struct node *fuse_tables(struct tape *t, const struct fused *f, struct node *a, struct node *b)
{
	const size_t n = f->pair->count;
	return fuse_tanh(t, tape_gather_rows(t, a, f->a, n), tape_gather_rows(t, b, f->b, n));
}
