/* diet.h: the parts that the decoupled positional attentions of Chen et al. 2021 share: positions
 * and segments enter only the logits, head by head, and are not divided by √d_h.
 *
 *   P_Q P_Kᵀ   of vectors of positions          E_S(S(t), S(s))   of segments */
#ifndef SCHEME_DIET_H
#define SCHEME_DIET_H

#include "scheme/inject.h"
#include "scheme/leaves.h"

/* The parameters of all these schemes. */
struct diet {
	long rank, segments, keys;
	int share;
};

/* The state of schemes with P_Q. */
struct diet_state {
	struct injected segments;
	struct node *p_q, *p_k; /* [n, h·rank], [keys, h·rank] */
};

enum share diet_share(const struct member *m);

/* E_S, if there are segments: the hook `injects`, or a row of it. */
size_t diet_segments(const struct model *model, const struct member *m, struct inject *out);
/* Adds P_Q P_Kᵀ and the injected terms. */
bool diet_logits(struct head *head, const struct member *m, struct err *err);

/* Demonstration: vectors of sinusoids whose products depend on the distance from a head's
 * target. Head i, from 0, has its target i modulo 4 plus 1 positions back; a key represents the
 * middle of as many positions as the value says. */
void diet_make_keys(struct mat at, const struct leaf_maker *of);
void diet_make_queries(struct mat at, const struct leaf_maker *of);
void diet_make_segments(struct mat at, const struct leaf_maker *of);

/* clang-format off */
#define DIET_RANK_PARAM \
	NUMBER_PARAM(struct diet, rank, 0, 0, 1024, 1, \
		     "d_p: the largest rank that P_Q P_K^T can have; 0: d_h; 128 is best in the paper")
#define DIET_SEGMENTS_PARAM \
	NUMBER_PARAM(struct diet, segments, 2, 0, 64, 1, \
		     "segments that the table E_S knows, parted by ||| in the text; 0: no E_S")

/* A leaf that is shared like the positions. */
#define DIET_LEAF(...) \
	.by_layer = SHARE_BY_LAYER, .demo = {.make = __VA_ARGS__}, .paper = {FILL_NORMAL, 0.02}
#define DIET_RANKS SHARE_COPIES " (rank ? rank : d_h)"
#define DIET_P_Q \
	{"p_q", "t_max, " DIET_RANKS, \
	 "row t: factor of the query's position; heads side by side in columns", \
	 DIET_LEAF(diet_make_queries)}
#define DIET_E_S \
	{"e_s", "segments^2, " SHARE_COPIES, \
	 "row S(t) segments + S(s): added to the logits of two segments, a column for each head", \
	 .when = "segments > 0", DIET_LEAF(diet_make_segments)}

#define DIET \
	.authors = "Chen et al.", \
	.cite = "@chen2021simple", \
	.year = 2021, .table2 = TABLE2_ANALYSIS, .inj = INJ_MATRIX, \
	.flags = SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_NOT_IN_SURVEY, \
	.evidence = EVIDENCE_PAPER, .param_size = sizeof(struct diet)
#define DIET_NO_CODE \
	"; √d there is read as √d_h; E_S is shared as the positions are; no code was found"
#define DIET_SEGMENTS_NOTE \
	"; E_S = 0 in the own segment, −4 to those before and −1 to those behind (heads 2, 4, …: " \
	"the other way round)"
#define DIET_WAVES_NOTE \
	"P_Q P_K^T is 4 at one position back (2, 3, 4 by head in turn), from sinusoids of periods 3 to " \
	"24, and 2 for the first position"
/* clang-format on */

#endif
