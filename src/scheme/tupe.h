/* tupe.h: a product of positions with positions, separate from (untied from) the words (Ke, He, Liu
 * 2021).
 *
 *   A_ts = c q_t·k_s + reset(c (p_t V_q)·(p_s V_k)),  c = 1/√(2 d_k)
 *
 * Position 0 is [CLS]: reset puts θ1 in its row and θ2 in the rest of its column. */
#ifndef SCHEME_TUPE_H
#define SCHEME_TUPE_H

#include "scheme/inject.h"
#include "scheme/leaves.h"

enum tupe_theta { THETA_FREE, THETA_ROWS };
extern const char *const tupe_theta_names[];

enum tupe_scale { SCALE_2D, SCALE_D };
extern const char *const tupe_scale_names[];

/* The first parameters of both schemes. */
struct tupe {
	bool reset, ln_p, bias;
	int theta, scale;
};

/* Returns whether P has one more row at the front, from which θ1 is computed, as in the authors'
 * code. */
bool tupe_has_rows(const struct tupe *p);

/* The hooks, which also call those of inject.h for additional numbers. */
double tupe_scale(const struct model *model, const struct member *m);
bool tupe_prepare(struct run *run, const struct member *m, struct err *err);
bool tupe_logits(struct head *head, const struct member *m, struct err *err);

/* Demonstration: sinusoids of the position, which learned tables tend to resemble; V_k, or with
 * value 1 V_q; and θ for them. */
void tupe_make_waves(struct mat at, const struct leaf_maker *of);
void tupe_make_spread(struct mat at, const struct leaf_maker *of);
void tupe_make_theta(struct mat at, const struct leaf_maker *of);

/* clang-format off */
#define TUPE_PARAMS \
	SWITCH_PARAM(struct tupe, reset, true, \
		     "untie [CLS], position 0: θ1 in its row, θ2 in the rest of its column"), \
	CHOICE_PARAM(struct tupe, theta, THETA_FREE, tupe_theta_names, \
		     "free: θ1, θ2 learned for each head; rows: from two rows of P, as released"), \
	SWITCH_PARAM(struct tupe, ln_p, false, "LayerNorm on P, as released"), \
	SWITCH_PARAM(struct tupe, bias, false, "V_q and V_k have biases, as released"), \
	CHOICE_PARAM(struct tupe, scale, SCALE_2D, tupe_scale_names, \
		     "2d: token vectors and positions times 1/√(2 d_h); d: times 1/√d_h")

#define TUPE_LEAVES \
	{"p", "t_max + reset theta, d", \
	 "row t: the position vector; with theta=rows row t + 1, and θ1, θ2 are what rows 0 and 1 " \
	 "make of themselves", \
	 .by_layer = ALL_LAYERS, .demo = {.make = tupe_make_waves}, .paper = {FILL_NORMAL, 0.02}}, \
	{"v_q", "d, h d_h", "from position vectors to queries", .by_layer = ALL_LAYERS, \
	 .demo = {.make = tupe_make_spread, .value = 1}, .paper = {FILL_NORMAL, 0.02}}, \
	{"v_k", "d, h d_h", "from position vectors to keys", .by_layer = ALL_LAYERS, \
	 .demo = {.make = tupe_make_spread}, .paper = {FILL_NORMAL, 0.02}}, \
	{"ln_weight", "1, d", "LayerNorm of p: multiplies", .by_layer = ALL_LAYERS, .when = "ln_p", \
	 .demo = {FILL_CONSTANT, 1}, .paper = {FILL_CONSTANT, 1}}, \
	{"ln_bias", "1, d", "LayerNorm of p: added", .by_layer = ALL_LAYERS, .when = "ln_p", \
	 .demo = {FILL_CONSTANT}, .paper = {FILL_CONSTANT}}, \
	{"v_q_bias", "1, h d_h", "added to the queries of positions", .spare = true, \
	 .by_layer = ALL_LAYERS, .when = "bias", .demo = {FILL_CONSTANT}, .paper = {FILL_CONSTANT}}, \
	{"v_k_bias", "1, h d_h", "added to the keys of positions", .spare = true, \
	 .by_layer = ALL_LAYERS, .when = "bias", .demo = {FILL_CONSTANT}, .paper = {FILL_CONSTANT}}, \
	{"theta", "2, h", \
	 "the logits of the row of position 0, then of its column, a column for each head", \
	 .by_layer = ALL_LAYERS, .when = "reset && theta == free", .demo = {.make = tupe_make_theta}, \
	 .paper = {FILL_NORMAL, 0.02}}

#define TUPE_RESET_CLAIM \
	{CLAIM_RELATIVE, ANSWER_UNSAID, \
	 "P is of sinusoids here, and only distances are seen; one that is trained tells positions", \
	 "!reset"}

#define TUPE_DEMO_NOTE \
	"P: sinusoids of base 10, spread over the heads by V_k; V_q rotates them so that heads " \
	"look −1, +1, −2, +2, … positions away; θ1 = 0, θ2 = −content"

#define TUPE_RECIPE(name) \
	"term.position–position[t,s] = c (P V_q)[t] · (P V_k)[s], the last rows of member." name \
	".P V_q and P V_k, columns of H; with reset=on it is member." name ".theta[0, H] where t " \
	"is at position 0, else theta[1, H] where s is"

#define TUPE \
	.authors = "Ke et al.", \
	.cite = "@ke2021rethinking", \
	.year = 2021, .table2 = TABLE2_GENERIC, .inj = INJ_MATRIX, .evidence = EVIDENCE_PAPER
#define TUPE_HOOKS \
	.declare = inject_declare, .scale = tupe_scale, .prepare = tupe_prepare, .logits = tupe_logits, \
	.matrices = 2
/* clang-format on */

#endif
