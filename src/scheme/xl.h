/* xl.h: the relative attention of Transformer-XL (Dai et al. 2019), which XLNet shares.
 *
 *   A_ts = c [(q_t + b)·k_s + (q_t + e)·(R_{t-s} V_k)]
 *
 * R_{t-s} depends only on the distance, so R V_k is one table with a row for each distance, made
 * once per layer and read by distance. The original code shifts rows instead, which leaves other
 * rows' values above the diagonal; reading by distance gives the same below it and R_{t-s}
 * above, which is what XLNet, attending in both directions, computes. */
#ifndef SCHEME_XL_H
#define SCHEME_XL_H

#include "posviz/model/stage.h"
#include "scheme/leaves.h"

/* R V_k of 2 · 16383 + 1 distances at d = 768 takes 200 MB. */
enum { XL_MAX_DISTANCE = 16383 };

/* The first parameters of both schemes. */
struct xl {
	bool untie;
	long clamp;
	bool bi_data; /* XLNet's: R_{s-t} */
};

/* The first members of the state of both schemes. */
struct xl_state {
	const struct index *row; /* [n,n] → row of the table */
	struct node *table;	 /* [2r+1, d]: R V_k for distances -r..r */
	struct node *b, *e;	 /* [h, dk] */
};

bool xl_fill(struct run *run, const struct member *m, struct xl_state *state, struct err *err);
bool xl_relation(struct run *run, const struct member *m, struct relation *out, struct err *err);
bool xl_logits(struct head *head, const struct member *m, struct err *err);
double xl_reach(const void *param, const struct model_config *config);

/* Demonstration for vectors [., d_h]: drawn, as strong as content. */
void xl_make_content(struct mat at, const struct leaf_maker *of);
/* For e, equally strong: even heads (from 0) read only the cosines: near keys. Odd heads read
 * only the sines: past before future. */
void xl_make_near_or_past(struct mat at, const struct leaf_maker *of);
/* For V_k: column j of head i reads column j·h + i of R, which wraps around: every head gets slow and fast sinusoids
 * alike. */
void xl_make_spread(struct mat at, const struct leaf_maker *of);

/* clang-format off */
#define XL_LEAVES \
	{"r_w_bias", "h, d_h", "row of a head: b, added to the query before keys", .by_layer = "untie", \
	 .demo = {.make = xl_make_content}, .paper = {FILL_NORMAL, 0.02}}, \
	{"r_r_bias", "h, d_h", "row of a head: e, added to the query before vectors of distances", \
	 .by_layer = "untie", .demo = {.make = xl_make_near_or_past}, .paper = {FILL_NORMAL, 0.02}}, \
	{"w_r", "d, h d_h", "V_k, from the sinusoid of a distance to keys", .by_layer = EACH_LAYER, \
	 .demo = {.make = xl_make_spread}, .paper = {FILL_NORMAL, 0.02}}
#define XL_DEMO_NOTE \
	"V_k spreads the sinusoids over the heads; e: odd heads read the cosines, near, even heads the " \
	"sines, past; "
#define XL_RECIPE(name) \
	"with R_ts = columns of H of layer.L.member." name ".R V_k[row], that is member." name ".R @ " \
	"param." name ".w_r.L, R the [sin | cos] of distances and row = member." name ".index.*: " \
	"term.query–R = c q_raw[t] . R_ts, term.b–key = c r_w_bias[H] . k_raw[s], term.e–R = c " \
	"r_r_bias[H] . R_ts (.L with untie=on)"
#define XL_CLAMP_CLAIMS \
	{CLAIM_UNBOUNDED, ANSWER_UNSAID, \
	 "distances beyond clamp count as it, and it is farther than what is measured", \
	 "clamp > 448"}, \
	{CLAIM_UNBOUNDED, ANSWER_NO, "distances beyond clamp count as it", "clamp > 0"}
/* clang-format on */

#endif
