/* spe.h: gates and noise, which the two kinds of stochastic positional encoding share.
 *
 *   A_ts = c Σ_j q_tj k_sj [g_j + (1 - g_j) P_j(t - s)]
 *
 * The method draws random codes whose covariance over positions is P, multiplies queries and
 * keys by them, and so needs no matrix of pairs. The limit of many draws is shown, unless
 * samples= gives a number of them. */
#ifndef SCHEME_SPE_H
#define SCHEME_SPE_H

#include "posviz/model/stage.h"
#include "posviz/scheme/scheme.h"

enum { SPE_MAX_SAMPLES = 1024 };

/* √g and √(1 - g) of a head's features, [1, dk]; NULL without gates. */
struct spe_gate {
	struct node *shared, *apart;
};

/* The leaf of the gates, a row for a table, for a scheme with a switch `gated`; and a head's
 * part of it (leaf NULL: none). */
/* clang-format off */
#define SPE_GATE_LEAF \
	{"gate", "h, d_h", "row of a head: logit of the share that has no position", \
	 .by_layer = EACH_LAYER, .when = "gated", .demo = {FILL_CONSTANT, -2}, \
	 .paper = {FILL_NORMAL, 1}}
/* clang-format on */
struct spe_gate spe_gate_of(struct head *head, struct node *leaf);

/* Draws numbers N(0,1) for a feature of a head, the same in all layers: codes are drawn once. */
struct mat spe_noise(struct arena *a, const struct run *run, const struct member *m, size_t head,
		     size_t feature, size_t rows, size_t cols);

/* The rows of the parameters that both have. */
/* clang-format off */
#define SPE_GATED_PARAM(type) \
	SWITCH_PARAM(type, gated, true, \
		     "a feature is a learned mixture of content alone and content by position")

#define SPE_SAMPLES_PARAM(type) \
	NUMBER_PARAM(type, samples, 0, 0, SPE_MAX_SAMPLES, 64, \
		     "draws of the random codes, slow when many; 0: the limit of many")

#define SPE_CITE \
	"@liutkus2021relative"
/* clang-format on */

#endif
