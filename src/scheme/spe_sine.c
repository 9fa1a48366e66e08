/* spe_sine.c: stochastic positional encoding with sines (Liutkus et al. 2021, sineSPE).
 *
 * The limit of many draws is exact with finite width: cos(a(t-s) + θ) = cos(at + θ) cos(as) +
 * sin(at + θ) sin(as), so q and k are widened. A finite number of draws is the same product with
 * a random matrix in between. */
#include <math.h>
#include <string.h>

#include "scheme/encoding.h"
#include "scheme/leaves.h"
#include "scheme/spe.h"

static const double two_pi = 6.28318530717958647693;

enum { MAX_SINES = 16 };

struct sine {
	long sines, samples;
	bool gated, norm;
};

struct sine_state {
	struct node *positions;		      /* [n,1] */
	struct node *freqs, *offsets, *gains; /* [h·dk, K] */
	struct node *gate;		      /* [h, dk] or NULL */
};

/* Returns the common maximum of a head's features, in positions from the query. */
static double centre_of(size_t head)
{
	const double far = 1 + (double)(head / 2);
	return head % 2 == 0 ? -far : far;
}

/* Increases evenly from 0 to 1/8 over a head's features and their sines. */
static double frequency(size_t row, size_t k, size_t sines, size_t dk)
{
	const double step = ((double)k + 0.5) / (double)sines;
	return 0.125 * ((double)(row % dk) + step) / (double)dk;
}

/* f = σ(x)/2 */
static void make_freqs(struct mat at, const struct leaf_maker *of)
{
	for (size_t r = 0; r < at.rows; r++)
		for (size_t k = 0; k < at.cols; k++) {
			const double f = frequency(r, k, at.cols, of->model->dk);
			mat_row(at, r)[k] = log(2 * f / (1 - 2 * f));
		}
}

/* cos(2πf(t-s) + θ) is 1 at the head's centre. */
static double make_offsets(const struct leaf_maker *of, size_t r, size_t k)
{
	return two_pi * frequency(r, k, of->cols, of->model->dk) * centre_of(r / of->model->dk);
}

static void make_paper_freqs(struct mat at, const struct leaf_maker *of)
{
	for (size_t i = 0; i < at.rows * at.cols; i++)
		at.at[i] = rng_normal(of->rng) - 4;
}

static void make_paper_gains(struct mat at, const struct leaf_maker *of)
{
	mat_fill_normal(at, 1, of->rng);
	for (size_t r = 0; r < at.rows; r++) {
		const double by = 2 / sqrt(mat_norm(mat_rows(at, r, 1)));
		for (size_t k = 0; k < at.cols; k++)
			mat_row(at, r)[k] *= by;
	}
}

static bool sine_prepare(struct run *run, const struct member *m, struct err *err)
{
	const struct sine *p = m->param;
	struct sine_state *state = run_state(run, m, sizeof *state);
	const double *at = run_column(run, m, err);
	if (!at)
		return false;
	const struct mat column = mat_new(run->arena, run->n, 1);
	memcpy(column.at, at, run->n * sizeof *at);
	state->positions = tape_const(run->tape, column);
	state->freqs = run_leaf(run, m, "freqs");
	state->offsets = run_leaf(run, m, "offsets");
	state->gains = run_leaf(run, m, "gains");
	state->gate = p->gated ? run_leaf(run, m, "gate") : NULL;
	return true;
}

/* Returns a head's [dk, K] as one row, sine after sine: column κ·dk + j. */
static struct node *sine_row(struct head *head, struct node *leaf)
{
	struct tape *t = head->tape;
	const size_t dk = head->run->model->dk, k = leaf->v.cols;
	struct node *mine = tape_slice(t, leaf, head->index * dk, dk, 0, k);
	return tape_reshape(t, tape_transpose(t, mine), 1, k * dk);
}

static struct node *repeat(struct tape *t, struct node *x, size_t times)
{
	struct node *copies[MAX_SINES];
	for (size_t i = 0; i < times; i++)
		copies[i] = x;
	return times == 1 ? x : tape_concat_cols(t, copies, times);
}

/* Widens x [n,dk] to [x cos φ λ', x sin φ λ', x √g], [n, (2K+1) dk]. */
static struct node *widen(struct tape *t, struct node *x, struct node *phase,
			  struct node *amplitude, const struct spe_gate *g, size_t sines)
{
	struct node *copies = tape_mul(t, repeat(t, x, sines), amplitude);
	struct node *parts[3] = {tape_mul(t, copies, tape_cos(t, phase)),
				 tape_mul(t, copies, tape_sin(t, phase))};
	if (g->shared)
		parts[2] = tape_mul(t, x, g->shared);
	return tape_concat_cols(t, parts, g->shared ? 3 : 2);
}

/* Multiplies by samples of noise, whose covariance tends to the identity. */
static void draw_samples(struct head *head, const struct member *m, size_t samples)
{
	struct tape *t = head->tape;
	const struct mat z =
		spe_noise(t->arena, head->run, m, head->index, 0, head->q->v.cols, samples);
	struct node *codes = tape_const(t, z);
	run_keep(head->run, m, arena_printf(t->arena, "noise.%zu", head->index), z);
	const double by = 1 / sqrt((double)samples);
	head->q = tape_matmul(t, head->q, false, codes, false, by);
	head->k = tape_matmul(t, head->k, false, codes, false, by);
}

static bool sine_qk(struct head *head, const struct member *m, struct err *err)
{
	const struct sine *p = m->param;
	const struct sine_state *s = head_state(head, m);
	struct tape *t = head->tape;
	const size_t k = (size_t)p->sines;
	if (!head_needs_width(head, m, err))
		return false;
	const struct spe_gate g = spe_gate_of(head, s->gate);
	struct node *f = tape_scale(t, tape_sigmoid(t, sine_row(head, s->freqs)), two_pi / 2);
	struct node *phase = tape_matmul(t, s->positions, false, f, false, 1);
	struct node *amplitude = tape_softplus(t, sine_row(head, s->gains));
	if (p->norm)
		amplitude = tape_scale(t, amplitude, 1 / sqrt(2 * (double)k));
	if (g.apart)
		amplitude = tape_mul(t, amplitude, repeat(t, g.apart, k));
	struct node *ahead = tape_add(t, phase, sine_row(head, s->offsets));
	head->q = widen(t, head->q, ahead, amplitude, &g, k);
	head->k = widen(t, head->k, phase, amplitude, &g, k);
	if (p->samples > 0)
		draw_samples(head, m, (size_t)p->samples);
	return true;
}

static const struct param sine_params[] = {
	NUMBER_PARAM(struct sine, sines, 1, 1, MAX_SINES, 1, "K: sinusoids of each feature"),
	SPE_GATED_PARAM(struct sine),
	SPE_SAMPLES_PARAM(struct sine),
	SWITCH_PARAM(struct sine, norm, true,
		     "divide P by 2K, as the drawn codes do; off: as the paper writes P"),
	{0},
};

static const struct claim sine_claims[] = {
	{CLAIM_RELATIVE, ANSWER_NO,
	 "codes that are drawn are an estimate: its noise knows positions, only its mean is relative",
	 "samples > 0"},
	{CLAIM_UNBOUNDED, ANSWER_YES,
	 "printed as bounded, but a sum of sines is defined for every distance"},
	{CLAIM_COUNT, ANSWER_UNSAID,
	 "printed with d for the width of a head in the first term and of the model in the second"},
	{0},
};

static const struct leaf_row spe_sine_leaves[] = {
	{"freqs", "h d_h, sines",
	 "row of a column of q and k: logits of the frequencies of its sines",
	 .by_layer = ALL_LAYERS, .demo = {.make = make_freqs}, .paper = {.make = make_paper_freqs}},
	{"offsets", "h d_h, sines", "the phases of these sines", .by_layer = ALL_LAYERS,
	 .demo = {.entry = make_offsets}, .paper = {FILL_NORMAL, 1}},
	/* its softplus is √2, so that P is the mean of the cosines */
	{"gains", "h d_h, sines", "their gains before softplus", .by_layer = ALL_LAYERS,
	 .demo = {FILL_CONSTANT, 1.135667318287122}, .paper = {.make = make_paper_gains}},
	SPE_GATE_LEAF,
	{0},
};

const struct scheme scheme_spe_sine[] = {
	{
		.id = "spe_sine",
		.aliases = "spe sinespe spe-sine",
		.title = "Stochastic positional encoding, sines",
		.formula = "A_ts = Σ_j q_tj k_sj [g_j + (1−g_j) P_j] / √d_h,  P_j = Σ_κ λ_{jκ}^2 "
			   "cos(2πf_{jκ}(t−s) + θ_{jκ}) / 2K",
		.authors = "Liutkus et al.",
		.cite = SPE_CITE,
		.recipe = "q and k are widened by the qk stage; as if logits[t,s] = c times the "
			  "sum over features j of q_raw[t,j] k_raw[s,j] (g + (1 - g) P[j](t - s)), "
			  "g = sigmoid(gate), P = the sum of softplus(gains)^2 cos(pi "
			  "sigmoid(freqs) (t - s) + offsets) / 2K (not divided with norm=off); "
			  "with samples q and k of that width are each @ member.spe_sine.noise.H / "
			  "sqrt(samples)",
		.about =
			"Queries and keys are multiplied by random sinusoids that agree between two "
			"positions as much as their distance says, so that attention in linear "
			"time sees distances. Shown is what infinitely many sinusoids give; a gate "
			"keeps part of every feature free of position.",
		.year = 2021,
		.table2 = TABLE2_GENERIC,
		.ref = REF_RELATIVE,
		.inj = INJ_MATRIX,
		.leaves = spe_sine_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_RECURRING,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "aliutkus/spe 3aa364b: its drawn codes hold a factor 1/2K that "
				 "the paper's P lacks; the codes are shared by layers, gates are "
				 "not",
		.demo_note = "f runs evenly to 1/8 over a head's features; θ puts the maximum 1 "
			     "behind, 1 ahead, 2 behind, … in turn; P is 1 there; g = 0.12",
		.count_printed = "3 sines d h + l d",
		.claims = sine_claims,
		.params = sine_params,
		.param_size = sizeof(struct sine),
		.hooks = {.declare = leaves_declare,
			  .prepare = sine_prepare,
			  .qk = sine_qk,
			  .relation = encoding_relate_signed,
			  .modulates = true},
	},
	{0},
};
