/* tupe.c: untied positions (Ke, He, Liu 2021), absolute alone (TUPE-A) or with relative (TUPE-R).
 *
 *   A_ts = c q_t·k_s + reset(c (p_t V_q)·(p_s V_k) [+ b_{s-t}]),  c = 1/√(2 d_k)
 *
 * The position part depends on nothing but positions, so P V_q and P V_k are made once and every
 * layer adds their product. Position 0 is [CLS]: reset puts θ1 in its row and θ2 in the rest of its
 * column. That is of rank 2, so two more columns say it: with e_t = 1 for position 0, else 0,
 *
 *   (1 - e_t)(1 - e_s) p_t V_q·p_s V_k + e_t θ1 + (1 - e_t) e_s θ2
 *
 * is one product. The released code has no free θ: they are what two rows of P make of
 * themselves. */
#include "posviz/scheme.h"
#include "posviz/stage.h"

#include <math.h>

#include "scheme/inject.h"
#include "scheme/leaves.h"
#include "scheme/sinusoid.h"

enum theta { THETA_FREE, THETA_ROWS };
static const char *const theta_names[] = {"free", "rows", NULL};

enum scale { SCALE_2D, SCALE_D };
static const char *const scale_names[] = {"2d", "d", NULL};

struct tupe {
	bool reset, ln_p, bias;
	int theta, scale;
	long buckets, max_distance; /* TUPE-R; buckets 0: a number for each distance */
};

struct tupe_state {
	struct injected relative; /* TUPE-R */
	struct node *pq, *pk;	  /* [n,d] */
	struct node *cls, *other; /* e and 1 - e, [n,1] */
	struct node *ones;	  /* [n,1] */
	struct node *theta;	  /* [2,h]: as logits */
};

/* The code's P has a row more in front, and reads θ1 off it. */
static bool has_rows(const struct tupe *p)
{
	return p->reset && p->theta == THETA_ROWS;
}

static struct bucket_rule rule_of(const struct tupe *p)
{
	return (struct bucket_rule){p->buckets, p->max_distance, true};
}

/* Without those of [CLS]. Survey: b has 2 t_max numbers, the first of which is never read. */
static long relative_rows(const struct model *model, const struct tupe *p)
{
	return p->buckets > 0 ? p->buckets : 2 * (long)model->config.t_max;
}

static bool tupe_r_check(const void *param, struct err *err)
{
	const struct tupe *p = param;
	const struct bucket_rule rule = rule_of(p);
	if (p->buckets == 0)
		return true;
	if (p->buckets < 4 || p->buckets % 2 != 0)
		return err_set(err, "buckets: %ld; an even number of at least 4, or 0 for none",
			       p->buckets);
	if (p->max_distance <= bucket_exact(&rule))
		return err_set(err,
			       "max_distance: %ld; with %ld buckets it must be above %ld, the "
			       "distances that have a bucket of their own",
			       p->max_distance, p->buckets, bucket_exact(&rule));
	return true;
}

/* ---- leaves ---- */

/* The base of P's waves: with 10000 most are so slow that a head could not tell its neighbours. */
static const double wave_base = 10;

/* Sinusoids of the position: what learned tables come to look like. */
static void make_waves(struct mat at, const struct leaf_maker *of)
{
	struct arena scratch;
	arena_init(&scratch);
	double *position = arena_calloc(&scratch, at.rows, sizeof *position);
	for (size_t t = 0; t < at.rows; t++)
		position[t] = (double)t - (has_rows(of->m->param) ? 1 : 0);
	sinusoid_fill(at, position, SINUSOID_INTERLEAVED, SINUSOID_PAPER, wave_base);
	arena_release(&scratch);
}

/* Where head i, from 0, looks: -1, +1, -2, +2, … places away. */
static double offset_of(size_t i)
{
	const double steps = 1 + (double)(i / 2);
	return i % 2 == 0 ? -steps : steps;
}

/* Pair j of head i reads wave j·h + i: every head gets slow and fast ones. The query's side turns
 * it on by its offset and carries the strength: twice that of content. */
static void spread_waves(struct mat at, const struct model *model, bool query)
{
	const size_t h = model->config.heads, dk = model->dk, d = model->config.d;
	const double gain = query ? 4 * model->config.content / (model->c * (double)dk) : 1;
	mat_fill(at, 0);
	for (size_t i = 0; i < h; i++)
		for (size_t j = 0; j + 1 < dk; j += 2) {
			const size_t wave = j / 2 * h + i, to = i * dk + j, from = 2 * wave;
			const double w = pow(wave_base, -2 * (double)wave / (double)d);
			const double angle = query ? w * offset_of(i) : 0;
			if (from + 1 >= d)
				continue;
			mat_row(at, from)[to] = mat_row(at, from + 1)[to + 1] = gain * cos(angle);
			mat_row(at, from + 1)[to] = gain * sin(angle);
			mat_row(at, from)[to + 1] = -gain * sin(angle);
		}
}

static void make_v_q(struct mat at, const struct leaf_maker *of)
{
	spread_waves(at, of->model, true);
}

static void make_v_k(struct mat at, const struct leaf_maker *of)
{
	spread_waves(at, of->model, false);
}

/* Words keep off [CLS]; its own row is even. */
static void make_theta(struct mat at, const struct leaf_maker *of)
{
	mat_fill(mat_rows(at, 0, 1), 0);
	mat_fill(mat_rows(at, 1, 1), -of->model->config.content);
}

/* b's numbers without buckets are for t - s from -t_max, which is never read. */
static struct encoding encoding_of(const struct tupe *p, long t_max)
{
	struct encoding e = encoding_signed(true, t_max - 1);
	e.least = -t_max;
	return p->buckets > 0 ? encoding_buckets(rule_of(p)) : e;
}

static long relative_row(const struct tupe *p, long t_max, long delta)
{
	const struct encoding e = encoding_of(p, t_max);
	return e.number(&e, delta) - e.least;
}

/* -log(1 + |s-t|) / 2, of the least distance in a bucket; 0 for [CLS]. */
static void make_decay(struct mat at, const struct leaf_maker *of)
{
	const struct tupe *p = of->m->param;
	const long t_max = (long)of->model->config.t_max;
	const long reach = p->buckets > 0 ? p->max_distance : t_max - 1;
	mat_fill(at, 0);
	for (long distance = reach; distance >= 0; distance--) {
		const double by = -log1p((double)distance) / 2;
		mat_fill(mat_rows(at, (size_t)relative_row(p, t_max, distance), 1), by);
		mat_fill(mat_rows(at, (size_t)relative_row(p, t_max, -distance), 1), by);
	}
}

static double tupe_scale(const struct model *model, const struct member *m)
{
	const struct tupe *p = m->param;
	return 1 / sqrt((double)model->dk * (p->scale == SCALE_2D ? 2 : 1));
}

/* ---- P V_q and P V_k ---- */

enum { LEAD = 2 }; /* rows in front of those of the units, when θ is read off P */

/* The rows of P that the units have, after LayerNorm when it is on. */
static struct node *position_rows(struct run *run, const struct member *m, struct err *err)
{
	const struct tupe *p = m->param;
	const size_t lead = has_rows(p) ? LEAD : 0;
	const int32_t *places = run_rows(run, m, run->model->config.t_max, err);
	if (!places)
		return NULL;
	int32_t *rows = arena_calloc(run->arena, run->n + LEAD, sizeof *rows);
	for (size_t i = 0; i < lead; i++)
		rows[i] = (int32_t)i;
	for (size_t t = 0; t < run->n; t++)
		rows[lead + t] = places[t] + (lead ? 1 : 0);
	struct tape *t = run->tape;
	struct node *x = tape_gather_rows(t, run_leaf(run, m, "p"), rows, lead + run->n);
	if (!p->ln_p)
		return x;
	x = tape_mul(t, tape_layer_norm(t, x, 1e-5), run_leaf(run, m, "ln_weight"));
	return tape_accumulate(t, x, run_leaf(run, m, "ln_bias"));
}

static struct node *projected(struct run *run, const struct member *m, const char *weight,
			      const char *bias, struct err *err)
{
	const struct tupe *p = m->param;
	struct node *x = position_rows(run, m, err);
	if (!x)
		return NULL;
	struct node *out = tape_matmul(run->tape, x, false, run_leaf(run, m, weight), false, 1);
	return p->bias ? tape_accumulate(run->tape, out, run_leaf(run, m, bias)) : out;
}

static struct node *build_pq(struct run *run, const struct member *m, struct err *err)
{
	return projected(run, m, "v_q", "v_q_bias", err);
}

static struct node *build_pk(struct run *run, const struct member *m, struct err *err)
{
	return projected(run, m, "v_k", "v_k_bias", err);
}

/* θ as the code has it: c (P V_q)_i·(P V_k)_i of rows 0 and 1, head by head. [2,h] */
static struct node *theta_of_rows(struct run *run, struct node *pq, struct node *pk)
{
	struct tape *t = run->tape;
	const struct model *model = run->model;
	const size_t h = model->config.heads, d = model->config.d;
	struct node *product =
		tape_mul(t, tape_slice(t, pq, 0, LEAD, 0, d), tape_slice(t, pk, 0, LEAD, 0, d));
	const struct mat sums = mat_zero(run->arena, d, h);
	for (size_t j = 0; j < d; j++)
		mat_row(sums, j)[j / model->dk] = 1;
	return tape_matmul(t, product, false, tape_const(t, sums), false, model->c);
}

/* ---- hooks ---- */

static void mark_cls(struct run *run, struct tupe_state *state, const double *position)
{
	const struct mat cls = mat_zero(run->arena, run->n, 1);
	const struct mat other = mat_new(run->arena, run->n, 1);
	const struct mat all = mat_new(run->arena, run->n, 1);
	for (size_t t = 0; t < run->n; t++) {
		cls.at[t] = fabs(position[t]) < 0.5;
		other.at[t] = 1 - cls.at[t];
	}
	mat_fill(all, 1);
	state->cls = tape_const(run->tape, cls);
	state->other = tape_const(run->tape, other);
	state->ones = tape_const(run->tape, all);
}

static bool prepare_absolute(struct run *run, const struct member *m, struct tupe_state *state,
			     struct err *err)
{
	const struct tupe *p = m->param;
	struct tape *t = run->tape;
	const double *position = run_column(run, m, err);
	if (!position)
		return false;
	struct node *pq = run_cached(run, m, "P V_q", false, build_pq, err);
	struct node *pk = pq ? run_cached(run, m, "P V_k", false, build_pk, err) : NULL;
	if (!pk)
		return false;
	const size_t d = run->model->config.d;
	state->pq = tape_slice(t, pq, pq->v.rows - run->n, run->n, 0, d);
	state->pk = tape_slice(t, pk, pk->v.rows - run->n, run->n, 0, d);
	if (!p->reset)
		return true;
	mark_cls(run, state, position);
	state->theta = has_rows(p) ? theta_of_rows(run, pq, pk) : run_leaf(run, m, "theta");
	run_keep(run, m, "theta", state->theta->v);
	return true;
}

static bool tupe_prepare(struct run *run, const struct member *m, struct err *err)
{
	struct tupe_state *state = run_state(run, m, sizeof *state);
	return prepare_absolute(run, m, state, err) && inject_fill(run, m, &state->relative, err);
}

/* ---- TUPE-R's numbers of distances ---- */

struct relative {
	const struct tupe *p;
	const double *position;
	long t_max, cls_column, cls_row; /* rows of b where [CLS] is the key, the query */
};

static long row_of_pair(const void *context, size_t t, size_t s)
{
	const struct relative *r = context;
	if (r->p->reset && fabs(r->position[t]) < 0.5)
		return r->cls_row;
	if (r->p->reset && fabs(r->position[s]) < 0.5)
		return r->cls_column;
	return relative_row(r->p, r->t_max, lround(r->position[s] - r->position[t]));
}

static const struct index *relative_index(struct run *run, const struct member *m,
					  const struct encoding *e, struct err *err)
{
	const struct tupe *p = m->param;
	const long rows = relative_rows(run->model, p);
	const bool with_cls = e->most >= rows;
	struct relative r = {.p = p,
			     .position = run_column(run, m, err),
			     .t_max = (long)run->model->config.t_max,
			     .cls_column = with_cls ? rows : -1,
			     .cls_row = with_cls ? p->buckets / 2 : -1};
	if (!r.position || !run_rows(run, m, run->model->config.t_max, err))
		return NULL;
	return run_index_places(run, m, e->title, encoding_rows(e), row_of_pair, &r, err);
}

static const char *tupe_r_says(const struct relation *r, int32_t value,
			       const struct relation_cell *at, struct arena *a)
{
	return value == RELATION_NO_PATH ? "[CLS], position 0: θ1 in its row, θ2 in its column"
					 : encoding_says(r, value, at, a);
}

/* As the code has it, [CLS] has a number more as the key, and as the query the one that no distance
 * reads. What is told of distances leaves it out. */
static struct encoding relative(const struct model *model, const struct tupe *p, bool with_cls)
{
	return (struct encoding){.title = with_cls ? "relative, [CLS]" : "relative",
				 .most = relative_rows(model, p) - 1 + with_cls,
				 .index = relative_index};
}

static bool tupe_r_relation(struct run *run, const struct member *m, struct relation *out,
			    struct err *err)
{
	const struct encoding rows = relative(run->model, m->param, false);
	const struct encoding e = encoding_of(m->param, (long)run->model->config.t_max);
	if (!encoding_relation_of(run, m, &e, encoding_index(run, m, &rows, err), out, err))
		return false;
	out->says = tupe_r_says;
	return true;
}

static size_t tupe_r_injects(const struct model *model, const struct member *m, struct inject *out)
{
	*out = (struct inject){.at = INJECT_ADD,
			       .by = relative(model, m->param, has_rows(m->param)),
			       .leaf = "rel_bias",
			       .label = "relative",
			       .share = SHARE_LAYER,
			       .demo = {.make = make_decay},
			       .paper = {.fill = FILL_NORMAL, .value = 0.02}};
	return 1;
}

/* ---- heads ---- */

/* [P V_q, θ1/c where t is [CLS], θ2/c where it is not], [n, dk+2]; the other factor is
 * [P V_k, 1, 1 where s is [CLS]]. */
static struct node *reset_queries(struct head *head, const struct tupe_state *state)
{
	struct tape *t = head->tape;
	const size_t i = head->index;
	struct node *theta = tape_scale(t, state->theta, 1 / head_scale(head));
	struct node *parts[] = {
		tape_mul(t, head_slice(head, state->pq, head->run->model->dk), state->other),
		tape_mul(t, state->cls, tape_slice(t, theta, 0, 1, i, 1)),
		tape_mul(t, state->other, tape_slice(t, theta, 1, 1, i, 1)),
	};
	return tape_concat_cols(t, parts, 3);
}

static struct node *reset_keys(struct head *head, const struct tupe_state *state)
{
	struct tape *t = head->tape;
	struct node *parts[] = {
		tape_mul(t, head_slice(head, state->pk, head->run->model->dk), state->other),
		state->ones,
		state->cls,
	};
	return tape_concat_cols(t, parts, 3);
}

static bool tupe_logits(struct head *head, const struct member *m, struct err *err)
{
	const struct tupe *p = m->param;
	const struct tupe_state *state = head_state(head, m);
	const size_t dk = head->run->model->dk;
	struct node *q = p->reset ? reset_queries(head, state) : head_slice(head, state->pq, dk);
	struct node *k = p->reset ? reset_keys(head, state) : head_slice(head, state->pk, dk);
	head_add_term(head, "position–position", TERM_POSITION,
		      tape_matmul(head->tape, q, false, k, true, head_scale(head)));
	return inject_logits(head, m, err);
}

/* ---- descriptors ---- */

/* clang-format off */
#define TUPE_HOOKS \
	.declare = inject_declare, .scale = tupe_scale, .prepare = tupe_prepare, .logits = tupe_logits, \
	.matrices = 2
/* clang-format on */

/* clang-format off */
#define TUPE_PARAMS \
	SWITCH_PARAM(struct tupe, reset, true, \
		     "untie [CLS], position 0: θ1 in its row, θ2 in the rest of its column"), \
	CHOICE_PARAM(struct tupe, theta, THETA_FREE, theta_names, \
		     "free: θ1, θ2 learned for each head; rows: from two rows of P, as released"), \
	SWITCH_PARAM(struct tupe, ln_p, false, "LayerNorm on P, as released"), \
	SWITCH_PARAM(struct tupe, bias, false, "V_q and V_k have biases, as released"), \
	CHOICE_PARAM(struct tupe, scale, SCALE_2D, scale_names, \
		     "2d: units and positions times 1/√(2 d_h); d: times 1/√d_h")
/* clang-format on */

static const struct param tupe_a_params[] = {TUPE_PARAMS, {0}};

static const struct param tupe_r_params[] = {
	TUPE_PARAMS,
	NUMBER_PARAM(struct tupe, buckets, 0, 0, 1024, 2,
		     "T5's buckets of distances, 32 as released; 0: a number for each distance"),
	RATIO_PARAM(struct tupe, max_distance, 128, 2, 65536, 2,
		    "with buckets: distances from here on share the last one"),
	{0},
};

/* clang-format off */
#define RESET_CLAIM \
	{CLAIM_RELATIVE, ANSWER_UNSAID, \
	 "P is of sinusoids here, and only distances are seen; one that is trained tells places", \
	 "!reset"}
/* clang-format on */

static const struct claim tupe_a_claims[] = {RESET_CLAIM, {0}};

static const struct claim tupe_r_claims[] = {
	RESET_CLAIM,
	{CLAIM_RECURRING, ANSWER_YES,
	 "printed for where it is computed: once; the released code adds it in every layer"},
	{CLAIM_COUNT, ANSWER_UNSAID,
	 "printed with one b and without θ; here every head has its own b, θ1 and θ2"},
	{0},
};

/* clang-format off */
#define DEMO_NOTE \
	"P: sinusoids of base 10, spread over the heads by V_k; V_q turns them so that heads " \
	"look −1, +1, −2, +2, … places away; θ1 = 0, θ2 = −content"
/* clang-format on */

/* The first is TUPE-R's alone. */
static const struct leaf_row tupe_leaves[] = {
	{"rel_bias", NULL,
	 "row of a bucket or distance of s − t: added to the logits, a column for each head"},
	{"p", "t_max + reset theta, d",
	 "row t: the position vector; with theta=rows row t + 1, and θ1, θ2 are what rows 0 and 1 "
	 "make of themselves",
	 .by_layer = ALL_LAYERS, .demo = {.make = make_waves}, .paper = {FILL_NORMAL, 0.02}},
	{"v_q", "d, d", "from position vectors to queries", .by_layer = ALL_LAYERS,
	 .demo = {.make = make_v_q}, .paper = {FILL_NORMAL, 0.02}},
	{"v_k", "d, d", "from position vectors to keys", .by_layer = ALL_LAYERS,
	 .demo = {.make = make_v_k}, .paper = {FILL_NORMAL, 0.02}},
	{"ln_weight", "1, d", "LayerNorm of p: multiplies", .by_layer = ALL_LAYERS, .when = "ln_p",
	 .demo = {FILL_CONSTANT, 1}, .paper = {FILL_CONSTANT, 1}},
	{"ln_bias", "1, d", "LayerNorm of p: added", .by_layer = ALL_LAYERS, .when = "ln_p",
	 .demo = {FILL_CONSTANT}, .paper = {FILL_CONSTANT}},
	{"v_q_bias", "1, d", "added to the queries of positions", .spare = true,
	 .by_layer = ALL_LAYERS, .when = "bias", .demo = {FILL_CONSTANT}, .paper = {FILL_CONSTANT}},
	{"v_k_bias", "1, d", "added to the keys of positions", .spare = true,
	 .by_layer = ALL_LAYERS, .when = "bias", .demo = {FILL_CONSTANT}, .paper = {FILL_CONSTANT}},
	{"theta", "2, h",
	 "the logits of the row of position 0, then of its column, a column for each head",
	 .by_layer = ALL_LAYERS, .when = "reset && theta == free", .demo = {.make = make_theta},
	 .paper = {FILL_NORMAL, 0.02}},
	{0},
};

/* clang-format off */
#define ABSOLUTE_RECIPE(name) \
	"term.position–position[t,s] = c (P V_q)[t] · (P V_k)[s], the last rows of member." name \
	".P V_q and P V_k, columns of H; with reset=on it is member." name ".theta[0, H] where t " \
	"is at position 0, else theta[1, H] where s is"
/* clang-format on */

const struct scheme scheme_tupe[] = {
	{
		.id = "tupe_a",
		.aliases = "tupe-a",
		.title = "TUPE-A: untied absolute positions",
		.formula =
			"A_ts = (q_t·k_s + p_t V_q · p_s V_k) / √(2 d_h),  θ_1 and θ_2 for [CLS]",
		.authors = "Ke et al.",
		.cite = "Ke, He, Liu: Rethinking positional encoding in language pre-training. "
			"ICLR 2021",
		.recipe = ABSOLUTE_RECIPE("tupe_a"),
		.about = "Positions meet positions in a product of their own, untied from the "
			 "words: no word–position terms are left. [CLS], the first token, is taken "
			 "out of it, since where it stands means nothing.",
		.year = 2021,
		.table2 = TABLE2_GENERIC,
		.ref = REF_ABSOLUTE,
		.inj = INJ_MATRIX,
		.leaves = tupe_leaves + 1,
		.flags = SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_PAPER,
		.evidence_note = "the paper's equation; the authors' code, guolinke/TUPE 4c64ff7, "
				 "is theta=rows,ln_p=on,bias=on",
		.demo_note = DEMO_NOTE,
		.claims = tupe_a_claims,
		.params = tupe_a_params,
		.param_size = sizeof(struct tupe),
		.hooks = {TUPE_HOOKS},
	},
	{
		.id = "tupe_r",
		.aliases = "tupe-r tupe",
		.title = "TUPE-R: untied absolute and relative positions",
		.formula = "A_ts = (q_t·k_s + p_t V_q · p_s V_k) / √(2 d_h) + b_{t−s},  θ_1 and "
			   "θ_2 for [CLS]",
		.authors = "Ke et al.",
		.cite = "Ke, He, Liu: Rethinking positional encoding in language pre-training. "
			"ICLR 2021",
		.recipe = ABSOLUTE_RECIPE(
			"tupe_r") "; term.relative[t,s] = param.tupe_r.rel_bias[row, H], row = "
				  "member.tupe_r.index.relative, 0 for row -1",
		.about = "TUPE-A and a learned number for each distance: the two complement each "
			 "other. In [CLS]'s row and column both give way to θ1 and θ2.",
		.year = 2021,
		.table2 = TABLE2_GENERIC,
		.ref = REF_BOTH,
		.inj = INJ_MATRIX,
		.leaves = tupe_leaves,
		.flags = SCHEME_LEARNABLE,
		.evidence = EVIDENCE_PAPER,
		.evidence_note = "eq. 13 of the survey, with a b for each head; the authors' code, "
				 "guolinke/TUPE 4c64ff7, is theta=rows,ln_p=on,bias=on,buckets=32",
		.demo_note = DEMO_NOTE "; b = −log(1 + |s−t|) / 2",
		.count_printed = "2 d^2 + t_max (d + 2)",
		.claims = tupe_r_claims,
		.params = tupe_r_params,
		.param_size = sizeof(struct tupe),
		.check = tupe_r_check,
		.hooks = {.injects = tupe_r_injects, .relation = tupe_r_relation, TUPE_HOOKS},
	},
	{0},
};
