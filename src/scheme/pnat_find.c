/* pnat_find.c: the order of a non-autoregressive decoder's inputs: by matching them with the
 * target words, or by a network that predicts it. */
#include <math.h>

#include "posviz/model/stage.h"
#include "scheme/matching.h"
#include "scheme/order_net.h"
#include "scheme/pair_order.h"
#include "scheme/pnat.h"

size_t pnat_side(const struct pnat *p)
{
	size_t side = 0;
	while (side * side < p->similarity.n)
		side++;
	return side;
}

/* Divides rows by their length, so that products are cosines. */
static void normalise_rows(struct mat m)
{
	for (size_t r = 0; r < m.rows; r++) {
		const double norm = mat_norm(mat_rows(m, r, 1));
		for (size_t j = 0; j < m.cols; j++)
			mat_row(m, r)[j] = norm > 0 && isfinite(norm) ? mat_row(m, r)[j] / norm : 0;
	}
}

/* Returns the input of the predictor: the words, even if a probe replaces them. */
static struct mat token_rows(struct run *run, const struct reordered *r)
{
	const struct model_input *in = run->in;
	const struct mat words = in->words.at ? in->words : in->units;
	const struct mat out = mat_zero(run->arena, r->tokens, words.cols);
	for (size_t i = 0; i < r->tokens; i++)
		for (size_t k = 0; k < in->axis.n; k++)
			if (in->axis.token[k] == run->queries->token[r->token[i]])
				mat_set(mat_rows(out, i, 1), mat_rows(words, k, 1));
	return out;
}

/* Computes the cosines of the tokens with the first rows of the target. [tokens,tokens] */
static bool cosines(struct run *run, const struct member *m, const struct reordered *r,
		    struct mat *out, struct err *err)
{
	const size_t k = r->tokens, t_max = run->model->config.t_max;
	if (k > t_max)
		return err_set(err,
			       "%s matches %zu tokens with %zu words of the target; raise t-max",
			       m->text, k, t_max);
	const struct mat words = token_rows(run, r);
	const struct mat all = run_leaf(run, m, "target")->v;
	const struct mat target = mat_copy(run->arena, mat_rows(all, 0, k));
	normalise_rows(words);
	normalise_rows(target);
	*out = mat_new(run->arena, k, k);
	mat_mul(*out, 1, words, false, target, true, 0);
	return true;
}

/* Returns the given matrix, for as many tokens as both it and the input have. */
static struct mat given_matrix(struct run *run, const struct member *m, const struct reordered *r)
{
	const struct pnat *p = m->param;
	const size_t side = pnat_side(p), k = side < r->tokens ? side : r->tokens;
	const struct mat out = mat_new(run->arena, k, k);
	for (size_t i = 0; i < k; i++)
		for (size_t j = 0; j < k; j++)
			mat_row(out, i)[j] = p->similarity.at[i * side + j];
	if (side != r->tokens)
		run_note(run, m,
			 arena_printf(run->arena,
				      "the matrix is for %zu tokens, and here are %zu: %s", side,
				      r->tokens,
				      side < r->tokens ? "the others keep their positions"
						       : "a corner of it is used"));
	return out;
}

static bool match(struct run *run, const struct member *m, const struct reordered *z,
		  struct pnat_found *out, struct err *err)
{
	const struct pnat *p = m->param;
	struct mat c;
	if (p->from == FROM_MATRIX)
		c = given_matrix(run, m, z);
	else if (!cosines(run, m, z, &c, err))
		return false;
	for (size_t i = 0; i < z->tokens; i++)
		out->rank[i] = i;
	matching_find(c, (enum matching)p->match, run->arena, out->rank);
	return true;
}

static int8_t sign_of(int32_t x)
{
	return (int8_t)((x > 0) - (x < 0));
}

static bool classify(struct run *run, const struct member *m, const struct reordered *z,
		     struct pnat_found *out, struct err *err)
{
	const struct pnat *p = m->param;
	const size_t n = z->tokens;
	const int32_t *said =
		p->given ? pnat_said_by_given(run, m, z, err)
			 : order_classifier_run(run, m, p->clip, token_rows(run, z), err);
	if (!said)
		return false;
	int8_t *sign = arena_calloc(run->arena, n * n + 1, sizeof *sign);
	for (size_t i = 0; i < n * n; i++)
		sign[i] = sign_of(said[i]);
	pair_order_find(sign, n, (enum pair_order)p->order, run->arena, out->rank);
	for (size_t i = 0; i < n * n; i++)
		out->turned += sign[i] != sign_of(said[i]);
	out->said = said;
	return true;
}

static bool find_rank(struct run *run, const struct member *m, const struct reordered *z,
		      struct pnat_found *out, struct err *err)
{
	const struct pnat *p = m->param;
	out->rank = arena_calloc(run->arena, z->tokens + 1, sizeof *out->rank);
	if (p->from == FROM_CLASSIFIER)
		return classify(run, m, z, out, err);
	if (p->from == FROM_POINTER)
		return order_pointer_run(run, m, p->depth, p->score == SCORE_TANH,
					 token_rows(run, z), out->rank, err);
	return match(run, m, z, out, err);
}

bool pnat_find(struct run *run, const struct member *m, struct reordered *z,
	       const struct pnat_found **state, struct err *err)
{
	const struct pnat *p = m->param;
	*state = NULL;
	if (p->from == FROM_REORDER)
		return reordered_given(run, m, z, err);
	if (!reordered_begin(run, m, z, err))
		return false;
	if (!run_kept(run, m) &&
	    !find_rank(run, m, z, run_state(run, m, sizeof(struct pnat_found)), err))
		return false;
	*state = run_kept(run, m);
	reordered_move(z, run->arena, (*state)->rank);
	z->given = true;
	return true;
}
