/* forget.h: forget gates, for the families that have them.
 *
 * The leaves are w_f [d,h] and b_f [1,h] of every layer, with 2h columns if both directions have
 * gates; a gate is σ(x_t·w_f + b_f) in (0,1). */
#ifndef SCHEME_FORGET_H
#define SCHEME_FORGET_H

#include "posviz/model/stage.h"

/* Declares the leaves. `open`: the paper's b_f is 5, gates of 0.993; else it is drawn as in
 * PyTorch's linear layers. */
bool forget_declare(struct model *model, const struct member *m, bool open, bool both,
		    struct err *err);

/* Returns [n, gates]: the sums of the logarithms of all gates, σ(sign (x_t·w_f + b_f)), up to a token's position in m's
 * column, its own included; tokens at the same position share their sum. For prepare. NULL: an
 * error. */
struct node *forget_sums(struct run *run, const struct member *m, double sign, struct err *err);

/* Returns [n,n] of a head: the difference of the sums from s to t, for all pairs. */
struct node *forget_gains(struct head *head, struct node *sums);

/* The recipe and the rule of the demonstration in words. */
/* clang-format off */
#define FORGET_SUM \
	"the sum of ln sigmoid(input[r] @ w_f + b_f)[H] over s < r <= t in the order of the " \
	"column; where s > t, which the mask forbids, minus that sum over t < r <= s"
#define FORGET_NOTE \
	"b_f: a token vector of ones lets 0.7 (first head) to 0.98 (last) through; w_f normal of variance " \
	"2/d less the mean of its column"
/* clang-format on */

#endif
