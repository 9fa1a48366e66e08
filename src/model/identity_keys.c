/* identity_keys.c: W_k of heads whose keys are the token vectors themselves: the identity, beside columns
 * of other heads that are drawn, given, or learned. */
#include "model_in.h"

/* Returns a weight with some columns of fixed numbers, so that only the others learn. */
static struct node *fix_columns(struct run *run, struct node *w_k, struct mat fixed,
				const bool *is_fixed)
{
	const struct mat stays = mat_zero(run->arena, 1, fixed.cols);
	for (size_t c = 0; c < fixed.cols; c++)
		for (size_t r = 0; r < fixed.rows; r++) {
			stays.at[c] = !is_fixed[c];
			mat_row(fixed, r)[c] *= is_fixed[c];
		}
	return tape_add(run->tape, tape_mul(run->tape, w_k, tape_const(run->tape, stays)),
			tape_const(run->tape, fixed));
}

struct node *weight_identity_keys(struct run *run, size_t layer, struct node *w_k)
{
	const struct model *model = run->model;
	struct mat w = {.at = NULL};
	bool *const is_fixed = arena_calloc(run->arena, w_k->v.cols, sizeof *is_fixed);
	for (size_t i = 0; i < model->n_members; i++) {
		const struct member *m = &model->members[i];
		if (!m->hooks->identity_keys || !member_on(m, layer) || !m->hooks->identity_keys(m))
			continue;
		if (!w.at)
			w = mat_copy(run->arena, w_k->v);
		for (size_t c = 0; c < w.cols; c++) {
			if (!member_on_head(m, c / model->dk * model->group))
				continue;
			is_fixed[c] = true;
			for (size_t r = 0; r < w.rows; r++)
				mat_row(w, r)[c] = r == c % w.rows;
		}
	}
	if (!w.at)
		return w_k;
	return w_k->wants ? fix_columns(run, w_k, w, is_fixed) : tape_const(run->tape, w);
}
