/* skew.c: rotations of more than two columns, by the exponential of learned skew-symmetric matrices:
 * LieRE (Ostmeier et al. 2025) and ComRoPE (Yu et al. 2025).
 *
 *   q'_t = R(p_t) q_t,  k'_s = R(p_s) k_s,  R(p) = exp(Σ_a p_a S_a),  S_a = F_a - F_aᵀ
 *
 * R is made of blocks along the diagonal. Matrices that commute give R(p)ᵀ R(p') = R(p' - p), so
 * that logits are relative; those of LieRE need not on two axes. Where gradients are recorded, all
 * exponentials are made at once, for all inputs of a tape with the same positions. */
#include <math.h>

#include "posviz/base/rng.h"
#include "posviz/scheme/scheme.h"
#include "scheme/encoding.h"
#include "scheme/leaves.h"
#include "scheme/rotation.h"

static const double most_angle = 4096; /* at which the exponential has 12 digits */
enum { COM_LD, COM_AP };
static const char *const com_names[] = {"ld", "ap", NULL};

struct skew {
	long grid, prefix, block;
	int com;
};

/* A summand of the exponent: positions times a skew matrix. */
struct summand {
	struct node *p; /* [n,1] */
	struct node *s; /* [g,g] */
};

struct skew_state {
	size_t g, blocks, summands;
	const struct summand *at; /* [h, blocks, summands] */
	struct node *rotations;	  /* [h · blocks · n · g, g], if gradients are recorded */
};

static size_t width_of(const struct skew *p, size_t dk)
{
	return p->block > 0 ? (size_t)p->block : dk;
}

static size_t axes_of(const struct skew *p)
{
	return p->grid > 0 ? 2 : 1;
}

static bool skew_declare(struct model *model, const struct member *m, struct err *err)
{
	const struct skew *p = m->param;
	if (width_of(p, model->dk) > model->dk)
		return err_set(
			err,
			"block: %s rotates %ld components together, and a head has %zu; block "
			"%zu would be right",
			m->text, p->block, model->dk, model->dk);
	return rotation_has_pairs(model, m, err) && leaves_declare(model, m, err);
}

/* ---- coordinates ----------------------------------------------------------------------------- */

/* Returns a coordinate of index i of `steps`: from 0 to 1, or at the middle of its cell. */
static double coordinate(double i, double steps, bool middle)
{
	return middle ? (i + 0.5) / steps : steps > 1 ? i / (steps - 1) : 0;
}

/* Fills in the coordinates of all tokens, [n, axes]: row and column, or the position alone. Tokens
 * before the first cell are at 0, or in the middle of everything. */
static struct mat coordinates(struct run *run, const struct skew *p, const double *position,
			      bool middle)
{
	const size_t n = run->n, axes = axes_of(p);
	const struct mat out = mat_new(run->arena, n, axes);
	const double cells = fmax((double)n - (double)p->prefix, 1);
	const double across = p->grid > 0 ? (double)p->grid : cells;
	const double down = ceil(cells / across);
	for (size_t t = 0; t < n; t++) {
		const double cell = position[t] - (double)p->prefix, row = floor(cell / across);
		double *const at = mat_row(out, t);
		if (cell < 0) {
			for (size_t a = 0; a < axes; a++)
				at[a] = middle ? 0.5 : 0;
		} else if (axes == 1) {
			at[0] = coordinate(cell, cells, middle);
		} else {
			at[0] = coordinate(row, down, middle);
			at[1] = coordinate(cell - row * across, across, middle);
		}
	}
	return out;
}

static struct node *column_of(struct run *run, struct mat at, size_t axis)
{
	const struct mat out = mat_new(run->arena, at.rows, 1);
	for (size_t t = 0; t < at.rows; t++)
		out.at[t] = mat_row(at, t)[axis];
	return tape_const(run->tape, out);
}

/* ---- exponents ------------------------------------------------------------------------------- */

/* Returns F - Fᵀ of rows first.. of a leaf, with `upper` of what is above the diagonal alone. */
static struct node *skewed(struct run *run, struct node *leaf, size_t first, size_t g, bool upper)
{
	struct tape *const t = run->tape;
	struct node *f = tape_slice(t, leaf, first, g, 0, g);
	if (upper) {
		const struct mat above = mat_zero(run->arena, g, g);
		for (size_t i = 0; i < g; i++)
			for (size_t j = i + 1; j < g; j++)
				mat_row(above, i)[j] = 1;
		f = tape_mul(t, f, tape_const(t, above));
	}
	return tape_sub(t, f, tape_transpose(t, f));
}

/* Returns a bound of the angle of all tokens: of p, the largest, times that of the norm. Frequencies
 * of a skew matrix come twice, with both signs, so the root of half the squares bounds them. */
static double angle_of(const struct summand *x)
{
	double most = 0, norm = 0;
	for (size_t t = 0; t < x->p->v.rows; t++)
		most = fmax(most, fabs(mat_row(x->p->v, t)[0]));
	for (size_t i = 0; i < x->s->v.rows; i++) {
		double sum = 0;
		for (size_t j = 0; j < x->s->v.cols; j++)
			sum += fabs(mat_row(x->s->v, i)[j]);
		norm = fmax(norm, sum);
	}
	return most * fmin(norm, mat_norm(x->s->v) / sqrt(2));
}

static bool check_angles(const struct member *m, const struct skew_state *state, size_t count,
			 struct err *err)
{
	for (size_t i = 0; i < count; i++) {
		double angle = 0;
		for (size_t k = 0; k < state->summands; k++)
			angle += angle_of(&state->at[i * state->summands + k]);
		if (!(angle <= most_angle))
			return err_set(err,
				       "%s rotates by up to %g radians, more than is computed with "
				       "all digits; smaller matrices are wanted",
				       m->text, angle);
	}
	return true;
}

/* Returns p S of all tokens, a row for each matrix: [n, g · g]. */
static struct node *product_of(struct tape *t, const struct summand *of, size_t g)
{
	return tape_matmul(t, of->p, false, tape_reshape(t, of->s, 1, g * g), false, 1);
}

/* Returns Σ_a p_a S_a of all tokens, [n · g, g]. */
static struct node *exponents(struct tape *t, const struct summand *of, size_t summands, size_t g)
{
	struct node *sum = product_of(t, &of[0], g);
	for (size_t a = 1; a < summands; a++)
		sum = tape_add(t, sum, product_of(t, &of[a], g));
	return tape_reshape(t, sum, sum->v.rows * g, g);
}

static struct node *build_rotations(struct run *run, const struct member *m, struct err *err)
{
	(void)err;
	const struct skew_state *const state = run_kept(run, m);
	const size_t count = run->model->config.heads * state->blocks;
	struct node **const parts = arena_calloc(run->arena, count, sizeof(struct node *));
	for (size_t i = 0; i < count; i++)
		parts[i] = exponents(run->tape, state->at + i * state->summands, state->summands,
				     state->g);
	return tape_exponential(run->tape, tape_concat_rows(run->tape, parts, count));
}

/* Ends the preparation. */
static bool make_rotations(struct run *run, const struct member *m, struct err *err)
{
	struct skew_state *const state = run_kept(run, m);
	if (!check_angles(m, state, run->model->config.heads * state->blocks, err))
		return false;
	if (run->tape->recording)
		state->rotations = run_cached(run, m, "rotations", true, build_rotations, err);
	return !run->tape->recording || state->rotations;
}

static struct summand *begin(struct run *run, const struct member *m, size_t summands, bool middle,
			     struct mat *at, struct err *err)
{
	const struct skew *p = m->param;
	const size_t heads = run->model->config.heads;
	struct skew_state *const state = run_state(run, m, sizeof *state);
	const double *position = run_column(run, m, err);
	if (!position)
		return NULL;
	state->g = width_of(p, run->model->dk);
	state->blocks = run->model->dk / state->g;
	state->summands = summands;
	struct summand *const all =
		arena_calloc(run->arena, heads * state->blocks * summands, sizeof *all);
	state->at = all;
	*at = coordinates(run, p, position, middle);
	run_keep(run, m, "coordinates", *at);
	return all;
}

static bool lie_prepare(struct run *run, const struct member *m, struct err *err)
{
	struct mat at;
	const size_t axes = axes_of(m->param), heads = run->model->config.heads;
	struct summand *const all = begin(run, m, axes, false, &at, err);
	if (!all)
		return false;
	struct skew_state *const state = run_kept(run, m);
	struct node *const leaf = run_leaf(run, m, "generators");
	const size_t count = heads * state->blocks;
	for (size_t i = 0; i < count; i++)
		for (size_t a = 0; a < axes; a++)
			all[i * axes + a] = (struct summand){
				column_of(run, at, a),
				skewed(run, leaf, (a * count + i) * state->g, state->g, true)};
	return make_rotations(run, m, err);
}

static bool com_prepare(struct run *run, const struct member *m, struct err *err)
{
	const struct skew *p = m->param;
	struct mat at;
	struct summand *const all = begin(run, m, 1, true, &at, err);
	if (!all)
		return false;
	struct skew_state *const state = run_kept(run, m);
	struct node *const leaf = run_leaf(run, m, "freqs");
	struct node *const by = p->com == COM_LD ? run_leaf(run, m, "multiplier") : NULL;
	const size_t count = run->model->config.heads * state->blocks;
	for (size_t i = 0; i < count; i++) {
		const size_t block = i % state->blocks;
		struct node *const own =
			by ? tape_matmul(run->tape, tape_const(run->tape, at), false,
					 tape_slice(run->tape, by, 0, at.cols, block, 1), false, 1)
			   : column_of(run, at, block % at.cols);
		all[i] = (struct summand){own, skewed(run, leaf, i * state->g, state->g, false)};
	}
	return make_rotations(run, m, err);
}

/* ---- a head ---------------------------------------------------------------------------------- */

/* Returns the rows of x, each multiplied by its rotation of `r` [n · g, g]: component j is the sum
 * over i of R_ji x_i. */
static struct node *rotated(struct tape *t, struct node *x, struct node *r)
{
	const size_t n = x->v.rows, g = x->v.cols;
	int32_t *const row = arena_alloc(t->arena, n * g * sizeof *row);
	for (size_t i = 0; i < n * g; i++)
		row[i] = (int32_t)(i / g);
	struct node *const products = tape_mul(t, tape_gather_rows(t, x, row, n * g), r);
	return tape_reshape(t, tape_row_sum(t, products), n, g);
}

static struct node *turned(struct head *head, const struct skew_state *state, struct node *x)
{
	struct tape *const t = head->tape;
	const size_t n = x->v.rows, wide = state->blocks * state->g;
	struct node **parts = arena_calloc(t->arena, state->blocks + 1, sizeof(struct node *));
	for (size_t b = 0; b < state->blocks; b++) {
		const size_t i = head->index * state->blocks + b, rows = n * state->g;
		parts[b] = rotated(t, tape_slice(t, x, 0, n, b * state->g, state->g),
				   tape_slice(t, state->rotations, i * rows, rows, 0, state->g));
	}
	if (wide < x->v.cols)
		parts[state->blocks] = tape_slice(t, x, 0, n, wide, x->v.cols - wide);
	return tape_concat_cols(t, parts, state->blocks + (wide < x->v.cols));
}

/* ---- without recording ----------------------------------------------------------------------- */

static void fill_exponent(struct mat a, const struct skew_state *state, size_t i, size_t t)
{
	mat_fill(a, 0);
	for (size_t k = 0; k < state->summands; k++) {
		const struct summand *const x = &state->at[i * state->summands + k];
		const double by = x->p->v.at[t];
		for (size_t e = 0; e < a.rows * a.cols; e++)
			a.at[e] += by * x->s->v.at[e];
	}
}

/* Multiplies the rows of q and k by their exponentials, each made once. */
static void turn_rows(struct head *head, const struct skew_state *state)
{
	struct arena *const a = head->tape->arena;
	const size_t g = state->g, n = head->q->v.rows;
	const struct mat q = mat_copy(a, head->q->v), k = mat_copy(a, head->k->v);
	const struct mat exponent = mat_new(a, g, g), rotation = mat_new(a, g, g);
	const struct mat room = mat_new(a, MAT_EXPONENTIAL_ROOM * g, g);
	for (size_t b = 0; b < state->blocks; b++)
		for (size_t t = 0; t < n; t++) {
			fill_exponent(exponent, state, head->index * state->blocks + b, t);
			mat_exponential(rotation, exponent, room);
			mat_mul(mat_cols(mat_rows(q, t, 1), b * g, g), 1,
				mat_cols(mat_rows(head->q->v, t, 1), b * g, g), false, rotation,
				true, 0);
			mat_mul(mat_cols(mat_rows(k, t, 1), b * g, g), 1,
				mat_cols(mat_rows(head->k->v, t, 1), b * g, g), false, rotation,
				true, 0);
		}
	tape_count_exponentials(head->tape, (double)(n * state->blocks), g);
	head->q = tape_const(head->tape, q);
	head->k = tape_const(head->tape, k);
}

static bool skew_qk(struct head *head, const struct member *m, struct err *err)
{
	const struct skew_state *const state = head_state(head, m);
	if (!head_needs_width(head, m, err))
		return false;
	if (!head->tape->recording) {
		turn_rows(head, state);
		return true;
	}
	head->q = turned(head, state, head->q);
	head->k = turned(head, state, head->k);
	return true;
}

/* Returns the memory of the skew matrices, with what each is made of, and of one exponential and the
 * rotated rows of each head. */
static double skew_memory(const struct model *model, const struct member *m,
			  const struct model_input *in, unsigned kinds)
{
	enum { MADE_OF = 7, ROOM = 5 };
	(void)kinds;
	const struct skew *const p = m->param;
	const size_t g = width_of(p, model->dk), heads = model->config.heads;
	const double matrices = (double)(heads * (model->dk / g) * axes_of(p));
	const double rows = 2 * (double)in->axis.n * (double)model->qk_width;
	return 8 * ((double)(g * g) * (MADE_OF * matrices + ROOM * (double)heads) + rows);
}

static bool skew_relation(struct run *run, const struct member *m, struct relation *out,
			  struct err *err)
{
	const struct skew *p = m->param;
	return p->grid > 0 || p->prefix > 0 || encoding_relate_signed(run, m, out, err);
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* make_turns() draws angles as the authors do before training: uniformly from [0, 2π). */
static void make_turns(struct mat at, const struct leaf_maker *of)
{
	for (size_t i = 0; i < at.rows * at.cols; i++)
		at.at[i] = 2 * M_PI * rng_uniform(of->rng);
}

/* clang-format off */
#define SHARED_PARAMS \
	NUMBER_PARAM(struct skew, block, 0, 0, 4096, 1, \
		     "g: components that rotate together; columns beyond whole blocks stay; 0: a head"), \
	NUMBER_PARAM(struct skew, grid, 0, 0, 1e6, 1, \
		     "W: tokens fill rows of W, coordinates are row and column; 0: a line"), \
	NUMBER_PARAM(struct skew, prefix, 0, 0, 1e6, 1, \
		     "tokens in front of the first cell, such as a class token")
#define G "(block + (block == 0) d_h)"
#define SKEW_ROW(of) \
	.ref = REF_RELATIVE, .inj = INJ_MATRIX, .leaves = of##_leaves, .claims = of##_claims, \
	.flags = SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_UNBOUNDED | SCHEME_NOT_IN_SURVEY, \
	.evidence = EVIDENCE_CODE, .params = of##_params, .param_size = sizeof(struct skew), \
	.rotates_when = "1", .hooks = {.declare = skew_declare, .prepare = of##_prepare, .qk = skew_qk, \
		  .relation = skew_relation, .memory = skew_memory, .modulates = true}
/* clang-format on */

#define GRID                                                                                    \
	"coordinates are rows and columns; only a shift within a row, or by whole rows, could " \
	"keep logits"

#define ONE_COLUMN "a skew matrix of one column is 0: nothing rotates"

static const struct claim lie_claims[] = {
	{CLAIM_RELATIVE, ANSWER_NO, GRID, "grid > 1 && grid < 8"},
	{CLAIM_RELATIVE, ANSWER_UNSAID, GRID, "grid > 0"},
	{CLAIM_RELATIVE, ANSWER_UNSAID, "tokens in front stay where they are", "prefix > 0"},
	{CLAIM_RECURRING, ANSWER_UNSAID, "tokens in front stay where they are", "prefix > 0"},
	{CLAIM_RELATIVE, ANSWER_NO, ONE_COLUMN, "block == 1"},
	{CLAIM_RECURRING, ANSWER_NO, ONE_COLUMN, "block == 1"},
	{0},
};
#define com_claims lie_claims

static const struct param lie_params[] = {SHARED_PARAMS, {0}};
static const struct param com_params[] = {
	SHARED_PARAMS,
	CHOICE_PARAM(
		struct skew, com, COM_LD, com_names,
		"how matrices commute: ld, those of all axes are multiples of one; ap, a block "
		"belongs to one axis"),
	{0}};

static const struct leaf_row lie_leaves[] = {
	{"generators", "(1 + (grid > 0)) h floor(d_h / " G ") " G ", " G,
	 "F of each axis, head and block, one below the other; what is above the diagonal counts",
	 .by_layer = EACH_LAYER, .demo = {.make = make_turns}, .paper = {.make = make_turns}},
	{0},
};

static const struct leaf_row com_leaves[] = {
	{"freqs", "h floor(d_h / " G ") " G ", " G, "F of each head and block, one below the other",
	 .by_layer = EACH_LAYER, .demo = {FILL_NORMAL, 2}, .paper = {FILL_NORMAL, 1}},
	{"multiplier", "1 + (grid > 0), floor(d_h / " G ")",
	 "by what a block's matrix is multiplied for each axis", .by_layer = EACH_LAYER,
	 .when = "com == ld", .demo = {FILL_NORMAL, 1}, .paper = {FILL_NORMAL, 1}},
	{0},
};

#define SKEW_RECIPE                                                                                 \
	"q and k are q_raw and k_raw, each block of g columns of row t multiplied by exp(sum over " \
	"axes a of p_a S_a), p = member.NAME.coordinates[t]; "

const struct scheme scheme_skew[] = {
	{
		.id = "liere",
		.aliases = "lie-rotational lie-rotations",
		.title = "Lie rotational position encodings",
		.formula =
			"A_ts = (R(p_t) q_t)·(R(p_s) k_s) / √d_h,  R(p) = exp(Σ_a p_a S_a),  S_a = "
			"U_a − U_a^⊤",
		.authors = "Ostmeier et al.",
		.cite = "@ostmeier2025liere",
		.recipe = SKEW_RECIPE
		"S_a = U - U.T, U what is above the diagonal of rows ((a h + H) blocks + b) "
		"g.. of param.NAME.generators.LAYER",
		.about =
			"RoPE rotates columns in pairs, at fixed speeds; here all columns of a head "
			"rotate together, and training chooses the planes. On a line logits depend "
			"on distances; on two axes the matrices need not commute.",
		.year = 2025,
		SKEW_ROW(lie),
		.evidence_note =
			"StanfordMIMI/LieRE b27b41b, models/rope_vit.py: coordinates from 0 to "
			"1, a class token that does not rotate",
		.demo_note = "numbers are uniform in 0 to 2π, as when training begins",
	},
	{
		.id = "comrope",
		.aliases = "commuting-rope trainable-commuting",
		.title = "Commuting rotations",
		.formula =
			"A_ts = q_t·R(p_s − p_t) k_s / √d_h,  R(p) = exp(Σ_a p_a A_a),  A_a A_b = A_b "
			"A_a",
		.authors = "Yu et al.",
		.cite = "@yu2025comrope",
		.recipe = SKEW_RECIPE
		"S_a = multiplier[a,b] (F - F.T), with com=ap F - F.T if a is b modulo the "
		"axes, else 0; F rows (H blocks + b) g.. of param.NAME.freqs.LAYER",
		.about =
			"Learned rotations of more than two columns whose matrices commute by "
			"construction, so that logits depend on differences of coordinates whatever "
			"is learned.",
		.year = 2025,
		SKEW_ROW(com),
		.evidence_note =
			"Longin-Yu/ComRoPE 7aeef08, model.py: coordinates (index + 1/2) / side, "
			"a class token in the middle, which rotates",
		.demo_note = "F and multipliers are normal, of our choice",
	},
	{0},
};
