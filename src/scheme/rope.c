/* rope.c: rotary position embedding (Su et al. 2021).
 *
 * Queries and keys are turned by angles that grow with their positions; a product of two turned
 * vectors depends on the difference of the angles alone. The survey's eq. 26 prints R_(t-s), the
 * turn in the other sense: with q'_t = R_t q_t and k'_s = R_s k_s it is q_t·R_(s-t) k_s. */
#include "posviz/scheme.h"
#include "posviz/stage.h"

#include <math.h>

enum layout { LAYOUT_INTERLEAVED, LAYOUT_HALF };
static const char *const layout_names[] = {"interleaved", "half", NULL};

struct rope {
	int layout;
	double base, partial;
	long start;
	bool rotary_value;
};

static const struct param rope_params[] = {
	{.name = "layout",
	 .help = "which columns are a pair: neighbours (RoFormer, GPT-J) or halves (NeoX, Llama)",
	 .kind = PARAM_CHOICE,
	 .offset = offsetof(struct rope, layout),
	 .def = LAYOUT_INTERLEAVED,
	 .choices = layout_names},
	{.name = "base",
	 .help = "B: pair i of D/2 turns by B^(-2i/D) per position",
	 .kind = PARAM_REAL,
	 .offset = offsetof(struct rope, base),
	 .def = 10000,
	 .min = 1,
	 .max = 1e300,
	 .step = 10,
	 .geometric = true},
	{.name = "partial",
	 .help = "fraction of a head's columns that is turned, the first D; 0 turns none",
	 .kind = PARAM_REAL,
	 .offset = offsetof(struct rope, partial),
	 .def = 1,
	 .min = 0,
	 .max = 1,
	 .step = 0.125},
	{.name = "start",
	 .help = "number of the first position; the logits do not depend on it",
	 .kind = PARAM_INT,
	 .offset = offsetof(struct rope, start),
	 .def = 0,
	 .min = -1e6,
	 .max = 1e6,
	 .step = 1},
	{.name = "rotary_value",
	 .help = "turn the values as well",
	 .kind = PARAM_BOOL,
	 .offset = offsetof(struct rope, rotary_value)},
	{0},
};

/* cos and sin of position times frequency, [n, D/2]; shared by all heads. */
struct turn {
	size_t pairs;
	struct mat cos, sin;
	bool half;
};

/* D/2 for the greatest even D within partial·dk; a fraction such as 0.7·10 may fall short of its
 * whole number by rounding. */
static size_t count_pairs(const struct rope *p, size_t dk)
{
	return (size_t)floor(p->partial * (double)dk / 2 + 1e-9);
}

static bool rope_declare(struct model *model, const struct member *m, struct err *err)
{
	if (model->dk >= 2)
		return true;
	return err_set(err, "%s turns pairs of columns, but a head has only %zu; take fewer heads",
		       m->text, model->dk);
}

static void fill_angles(struct turn *turn, const double *positions, const struct rope *p)
{
	const double width = 2 * (double)turn->pairs;
	for (size_t i = 0; i < turn->pairs; i++) {
		const double theta = pow(p->base, -2 * (double)i / width);
		for (size_t t = 0; t < turn->cos.rows; t++) {
			const double angle = (positions[t] + (double)p->start) * theta;
			mat_row(turn->cos, t)[i] = cos(angle);
			mat_row(turn->sin, t)[i] = sin(angle);
		}
	}
}

/* v [n,d] with each head's columns turned, where m acts on the head. */
static void turn_values(struct run *run, const struct member *m, const struct turn *turn)
{
	const size_t heads = run->model->config.heads, dk = run->model->dk, n = run->n;
	struct node **parts = arena_calloc(run->arena, heads, sizeof(struct node *));
	for (size_t i = 0; i < heads; i++) {
		parts[i] = tape_slice(run->tape, run->v, 0, n, i * dk, dk);
		if (member_on_head(m, i))
			parts[i] =
				tape_rotate(run->tape, parts[i], turn->cos, turn->sin, turn->half);
	}
	run->v = tape_concat_cols(run->tape, parts, heads);
}

static bool rope_prepare(struct run *run, const struct member *m, struct err *err)
{
	const struct rope *p = m->param;
	struct turn *turn = run_state(run, m, sizeof *turn);
	turn->half = p->layout == LAYOUT_HALF;
	turn->pairs = count_pairs(p, run->model->dk);
	if (run->keys->n != run->n)
		return err_set(err, "%s needs a key for every query: %zu queries, %zu keys",
			       m->name, run->n, run->keys->n);
	const double *positions = run_column(run, m, err);
	if (positions == NULL)
		return false;
	if (turn->pairs == 0)
		return true;
	turn->cos = mat_new(run->arena, run->n, turn->pairs);
	turn->sin = mat_new(run->arena, run->n, turn->pairs);
	fill_angles(turn, positions, p);
	if (p->rotary_value)
		turn_values(run, m, turn);
	return true;
}

/* q'_t = R_t q_t, k'_s = R_s k_s */
static bool rope_qk(struct head *head, const struct member *m, struct err *err)
{
	const struct turn *turn = head_state(head, m);
	if (turn->pairs == 0)
		return true;
	if (head->q->v.cols < 2 * turn->pairs)
		return err_set(err, "%s turns %zu columns, but only %zu are left of a head",
			       m->name, 2 * turn->pairs, head->q->v.cols);
	head->q = tape_rotate(head->tape, head->q, turn->cos, turn->sin, turn->half);
	head->k = tape_rotate(head->tape, head->k, turn->cos, turn->sin, turn->half);
	return true;
}

const struct scheme scheme_rope[] = {
	{
		.id = "rope",
		.aliases = "rotary roformer",
		.title = "Rotary position embedding",
		.authors = "Su et al.",
		.cite = "Su, Lu, Pan, Murtadha, Wen, Liu: RoFormer: enhanced Transformer with "
			"rotary position embedding. arXiv 2104.09864, 2021",
		.formula = "A_ts = q_t·R_{s−t} k_s / √d_h, R_m turns pair i by m·B^{−2i/d_h}",
		.recipe = "with rotary_value=on v is turned as k is",
		.about = "Each pair of columns of a query or key is turned by an angle "
			 "proportional to its position. Lengths stay, and the product of query "
			 "and key sees their distance only.",
		.year = 2021,
		.topic = TOPIC_SEQUENCE,
		.ref = REF_RELATIVE,
		.inj = INJ_MATRIX,
		.rows = ROWS_STOCHASTIC,
		.flags = SCHEME_RECURRING | SCHEME_UNBOUNDED,
		.evidence = EVIDENCE_PORT,
		.evidence_note = "RoFormer, GPT-J, GPT-NeoX and Llama in huggingface/transformers; "
				 "survey eq. 26 prints t−s for s−t, the turn in the other sense",
		.count_printed = "0",
		.params = rope_params,
		.param_size = sizeof(struct rope),
		.hooks = {.declare = rope_declare,
			  .prepare = rope_prepare,
			  .qk = rope_qk,
			  .modulates = true},
	},
	{0},
};
