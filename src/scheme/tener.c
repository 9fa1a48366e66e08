/* tener.c: direction- and distance-aware attention (Yan et al. 2019).
 *
 *   A_ts = q_t·k_s + q_t·R_{t-s} + u·k_s + v·R_{t-s},  W_k = 1, no scale   (survey eq. 22)
 *
 * The authors' code differs: R_{s-t} for R_{t-s}, a further term k_s·R_{t-s}, a learned W_k, and
 * tensor2tensor's frequencies. R depends only on the distance and has a head's width, so one
 * small table serves all heads and layers, and is read by distance. */
#include <math.h>

#include "scheme/encoding.h"
#include "scheme/leaves.h"
#include "scheme/sinusoid.h"

enum { MAX_DISTANCE = 131071 };

enum table { TABLE_AUTO, TABLE_PAPER, TABLE_T2T };
static const char *const table_names[] = {"auto", "paper", "t2t", NULL};

struct tener {
	bool code, scale;
	int table;
};

struct tener_state {
	const struct index *row;    /* [n,n] → row of R for t-s, or s-t with code=on */
	const struct index *mirror; /* the opposite one, with code=on */
	struct node *table;	    /* [2r+1, dk]: R for distances -r..r */
	struct node *u, *v;	    /* [h, dk] */
};

static bool is_t2t(const struct tener *p)
{
	return p->table == TABLE_T2T || (p->table == TABLE_AUTO && p->code);
}

/* Twice as strong as content: c Σ_j v_j of a head is ±2 content. Even heads (from 0) read only
 * the cosines: near keys. Odd heads read only the sines: past before future, in whichever
 * direction R is read. */
static void make_near_or_past(struct mat at, const struct leaf_maker *of)
{
	const struct tener *p = of->m->param;
	const double strength = 4 * of->model->config.content / (of->model->c * (double)at.cols);
	for (size_t i = 0; i < at.rows; i++)
		for (size_t j = 0; j < at.cols; j++) {
			const bool sine = is_t2t(p) ? j < at.cols / 2 : j % 2 == 0;
			const double by = sine && p->code ? -strength : strength;
			mat_row(at, i)[j] = sine == (i % 2 == 1) ? by : 0;
		}
}

static void make_content(struct mat at, const struct leaf_maker *of)
{
	mat_fill_normal(at, of->model->config.content / of->model->c / (double)at.cols, of->rng);
}

static double tener_scale(const struct model *model, const struct member *m)
{
	const struct tener *p = m->param;
	return p->scale ? 1 / sqrt((double)model->dk) : 1;
}

static bool tener_identity_keys(const struct member *m)
{
	const struct tener *p = m->param;
	return !p->code;
}

static bool reach(struct run *run, const struct member *m, long *r, struct err *err)
{
	long lo;
	if (!run_delta_range(run, m, &lo, r, err))
		return false;
	return *r <= MAX_DISTANCE ||
	       err_set(err,
		       "%s makes a row for each distance, up to %d, and column %s has distances up "
		       "to %ld",
		       m->text, MAX_DISTANCE, m->pos, *r);
}

/* R [2r+1, dk]: row i is the sinusoid of the distance i - r. */
static struct node *build_sinusoids(struct run *run, const struct member *m, struct err *err)
{
	long r;
	if (!reach(run, m, &r, err))
		return NULL;
	const bool t2t = is_t2t(m->param);
	return tape_const(run->tape,
			  sinusoid_distances(run->arena, r, run->model->dk,
					     t2t ? SINUSOID_CONCAT : SINUSOID_INTERLEAVED,
					     t2t ? SINUSOID_T2T : SINUSOID_PAPER));
}

/* R_{t-s}, and R_{s-t} in the authors' code. */
static bool tener_relation(struct run *run, const struct member *m, struct relation *out,
			   struct err *err)
{
	const struct tener *p = m->param;
	long r;
	if (!reach(run, m, &r, err))
		return false;
	const struct encoding e = encoding_signed(!p->code, r);
	return encoding_relation(run, m, &e, out, err);
}

static bool tener_prepare(struct run *run, const struct member *m, struct err *err)
{
	const struct tener *p = m->param;
	struct tener_state *state = run_state(run, m, sizeof *state);
	long r;
	if (!reach(run, m, &r, err))
		return false;
	const struct encoding ts = encoding_signed(true, r), st = encoding_signed(false, r);
	state->mirror = p->code ? encoding_index(run, m, &ts, err) : NULL;
	state->row = encoding_index(run, m, p->code ? &st : &ts, err);
	state->table = run_cached(run, m, "R", false, build_sinusoids, err);
	state->u = run_leaf(run, m, "u");
	state->v = run_leaf(run, m, "v");
	return state->row && state->table;
}

/* Adds table·xᵀ for every row of x, read by distance and scaled by c. */
static void add_product(struct head *head, const char *label, enum term_kind kind, struct node *x,
			const struct tener_state *state, const struct index *index, enum gather how)
{
	struct node *by_row = tape_matmul(head->tape, x, false, state->table, true, 1);
	head_add_indexed(head, label, kind, by_row, index, how, head_scale(head));
}

static bool tener_logits(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct tener_state *state = head_state(head, m);
	struct tape *t = head->tape;
	struct node *u = head_row(head, state->u), *v = head_row(head, state->v);
	struct node *key_bias = tape_matmul(t, u, false, head->k_raw, true, head_scale(head));
	if (head->split) {
		add_product(head, "query–R", TERM_UNIT_POSITION, head->q_raw, state, state->row,
			    GATHER_BY_ROW);
		head_add_row(head, "u–key", TERM_POSITION_UNIT, key_bias);
		add_product(head, "v–R", TERM_POSITION, v, state, state->row, GATHER_SHARED);
	} else {
		head_add_row(head, "u–key", TERM_POSITION_UNIT, key_bias);
		add_product(head, "position", TERM_OTHER, tape_add(t, head->q_raw, v), state,
			    state->row, GATHER_BY_ROW);
	}
	if (state->mirror)
		add_product(head, "R–key", TERM_POSITION_UNIT, head->k_raw, state, state->mirror,
			    GATHER_BY_COL);
	return true;
}

static const struct param tener_params[] = {
	SWITCH_PARAM(struct tener, code, false,
		     "on: as released: R_{s−t}, a further term k_s·R_{t−s}, and W_k learned"),
	CHOICE_PARAM(struct tener, table, TABLE_AUTO, table_names,
		     "R: paper: sine, cosine in turn; t2t: tensor2tensor's; auto: t2t with "
		     "code=on"),
	SWITCH_PARAM(struct tener, scale, false,
		     "divide all terms by √d_h, which the paper leaves out"),
	{0},
};

static const struct claim tener_claims[] = {
	{CLAIM_COUNT, ANSWER_UNSAID,
	 "printed with d for the width of a head; here the u and v of all heads take 2 d numbers "
	 "in a layer"},
	{0},
};

static const struct leaf_row tener_leaves[] = {
	{"u", "h, d_h", "row of a head: multiplied by the key", .by_layer = EACH_LAYER,
	 .demo = {.make = make_content}, .paper = {FILL_XAVIER, 1}},
	{"v", "h, d_h", "row of a head: multiplied by the vector of the distance",
	 .by_layer = EACH_LAYER, .demo = {.make = make_near_or_past}, .paper = {FILL_XAVIER, 1}},
	{0},
};

const struct scheme scheme_tener[] = {
	{
		.id = "tener",
		.aliases = "direction-aware",
		.title = "TENER",
		.formula =
			"A_ts = q_t·k_s + q_t·R_{t−s} + u·k_s + v·R_{t−s},  k_s = X_s, no 1/√d_h",
		.authors = "Yan et al.",
		.cite = "@yan2019tener",
		.recipe = "with R_ts = member.tener.R[row], the sinusoid of the distance in dk "
			  "columns, row = member.tener.index.t − s (s − t with code=on) and c as "
			  "given: term.query–R = c q_raw[t] . R_ts, term.u–key = c u[H] . "
			  "k_raw[s], term.v–R = c v[H] . R_ts, with code=on also term.R–key = c "
			  "k_raw[s] . R_ts of index.t − s; u and v are param.tener.u.L and v.L",
		.about = "Projections make sinusoids forget direction, so the sinusoid of the "
			 "distance enters without one: its sines tell past from future. Keys are "
			 "not projected either, and nothing is scaled, which sharpens the weights.",
		.year = 2019,
		.table2 = TABLE2_SINUSOIDAL,
		.ref = REF_RELATIVE,
		.inj = INJ_MATRIX,
		.leaves = tener_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_UNBOUNDED,
		.evidence = EVIDENCE_PAPER,
		.evidence_note = "eq. 22 and 23 of the survey; code=on is the authors' "
				 "fastnlp/TENER d2614d5, relative_transformer.py, which differs",
		.demo_note = "v: odd heads read the cosines, near, even heads the sines, past; u "
			     "is drawn",
		.count_printed = "2 d l h",
		.claims = tener_claims,
		.params = tener_params,
		.param_size = sizeof(struct tener),
		.hooks = {.declare = leaves_declare,
			  .relation = tener_relation,
			  .scale = tener_scale,
			  .prepare = tener_prepare,
			  .logits = tener_logits,
			  .matrices = 4,
			  .identity_keys = tener_identity_keys},
	},
	{0},
};
