/* universal.c: the Universal Transformer (Dehghani et al. 2019): one layer applied repeatedly.
 *
 *   X = X + P^τ,  P^τ_t = sinusoid(t) + sinusoid(τ)   before every step τ (survey eq. 24)
 *
 * The encodings of position and step are added, so the difference of two rows is the same at
 * every step. */
#include "scheme/halting.h"
#include "scheme/leaves.h"
#include "scheme/sinusoid.h"

enum step_signal { STEP_SINUSOID, STEP_LEARNED };
static const char *const step_names[] = {"sinusoid", "learned", NULL};

struct universal {
	struct sinusoid_param sinusoid; /* start is base01: the first position and the first step */
	int step;
	bool shared;
	int halt;
	double epsilon;
};

static const struct param universal_params[] = {
	CHOICE_PARAM(struct universal, step, STEP_SINUSOID, step_names,
		     "the signal of the step: a sinusoid as in the paper, or a learned row"),
	SWITCH_PARAM(struct universal, shared, true,
		     "all steps use the weights of one layer; off: layers of their own"),
	PARAM_AT(struct sinusoid_param, start, base01,
		 "number of the first position and of the first step: 0 as in the code, or 1",
		 NUMBER_TYPE(0, 0, 1, 1)),
	SINUSOID_SHAPE_PARAMS(SINUSOID_INTERLEAVED, SINUSOID_PAPER),
	SINUSOID_BASE_PARAM,
	HALTING_PARAMS(struct universal),
	{0},
};

static bool universal_declare(struct model *model, const struct member *m, struct err *err)
{
	const struct universal *p = m->param;
	return halting_fits(model, m, (enum halt)p->halt, err) && leaves_declare(model, m, err);
}

static bool universal_schedule(struct model *model, const struct member *m, struct err *err)
{
	(void)err;
	const struct universal *p = m->param;
	for (size_t l = 0; p->shared && l < model->config.layers; l++)
		model->weights_of[l] = 0;
	return true;
}

/* [1,d]. If another member adds a step, the last learned row is used again. */
static struct node *step_row(struct run *run, const struct member *m)
{
	const struct universal *p = m->param;
	const size_t d = run->model->config.d, step = run->step_index;
	const size_t last = run->model->config.layers - 1, row_of = step < last ? step : last;
	if (p->step == STEP_LEARNED)
		return tape_slice(run->tape, run_leaf(run, m, "step"), row_of, 1, 0, d);
	const double number = (double)(step + (size_t)p->sinusoid.start);
	const struct mat row = mat_new(run->arena, 1, d);
	sinusoid_fill(row, &number, (enum sinusoid_layout)p->sinusoid.layout,
		      (enum sinusoid_freq)p->sinusoid.freq, p->sinusoid.base);
	return tape_const(run->tape, row);
}

static bool universal_embed(struct run *run, const struct member *m, struct err *err)
{
	struct node *table = run_cached(run, m, "table", false, sinusoid_table, err);
	if (table == NULL)
		return false;
	run_add_part(run, "position", tape_add(run->tape, table, step_row(run, m)));
	return true;
}

static bool universal_project(struct run *run, const struct member *m, struct err *err)
{
	(void)err;
	const struct universal *p = m->param;
	halting_step(run, m, (enum halt)p->halt, p->epsilon);
	return true;
}

static bool universal_finish(struct run *run, const struct member *m, struct err *err)
{
	(void)err;
	const struct universal *p = m->param;
	halting_finish(run, m, (enum halt)p->halt);
	return true;
}

static const struct claim universal_claims[] = {
	{CLAIM_LEARNABLE, ANSWER_YES, "steps are learned, positions are not", "step == learned"},
	{CLAIM_LEARNABLE, ANSWER_YES, "when to halt is learned, positions are not", "halt != off"},
	{CLAIM_COUNT, ANSWER_NO, "printed with sinusoids alone, and without halting",
	 "step == learned || halt != off"},
	{0},
};

static const struct leaf_row ut_leaves[] = {
	{"step", "l, d", "row of a step: added to the input of that step", .by_layer = ALL_LAYERS,
	 .when = "step == learned", .demo = {FILL_NORMAL, 0.70710678118654752440},
	 .paper = {FILL_NORMAL, 1}},
	HALTING_LEAVES,
	{0},
};

const struct scheme scheme_universal[] = {
	{
		.id = "ut",
		.aliases = "universal dehghani",
		.title = "Universal Transformer",
		.formula = "X^τ_t ← X^τ_t + [sin(t ω_i) + sin(τ ω_i), cos(t ω_i) + cos(τ ω_i)]",
		.authors = "Dehghani et al.",
		.cite = "@dehghani2019universal",
		.recipe = "part.position of step L is member.ut.table, the sinusoids of the "
			  "positions, plus one row for the step: its sinusoid, or "
			  "param.ut.step[L]; with shared=on all steps have the weights of layer 0, "
			  "as the metadata's steps say for leaves; " HALTING_RECIPE,
		.about = "One layer is applied again and again. Every step adds the sinusoids of "
			 "position and step to its input, so positions are never forgotten on the "
			 "way up.",
		.year = 2019,
		.table2 = TABLE2_SINUSOIDAL,
		.ref = REF_ABSOLUTE,
		.inj = INJ_EMBEDDING,
		.leaves = ut_leaves,
		.flags = SCHEME_RECURRING | SCHEME_UNBOUNDED,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "tensor2tensor bafdc1b, universal_transformer_util: "
				 "layout=concat,freq=t2t, step=learned unless asked otherwise, "
				 "halt=act (its act_type basic, the paper's listing), accumulated "
				 "and global, without numbers of it. Paper and survey count from "
				 "1: base01=1",
		.demo_note = "learned steps are N(0,1), as in the code, over √2; w_halt is normal "
			     "of variance 4/d in the first quarter of its rows, else 0; b_halt = 0",
		.count_printed = "0",
		.claims = universal_claims,
		.params = universal_params,
		.param_size = sizeof(struct universal),
		.hooks = {.declare = universal_declare,
			  .schedule = universal_schedule,
			  .embed = universal_embed,
			  .project = universal_project,
			  .finish = universal_finish,
			  .recurring = true},
	},
	{0},
};
