/* mrope.c: multimodal rotary position embedding (Wang et al. 2024, Qwen2-VL; Qwen3-VL).
 *
 *   A_ts = c (R_t q_t)·(R_s k_s),  R_t rotates pair i by P_t[axis(i)] B^(-2i/d_h)
 *
 * A token has three positions P_t: temporal, height, width. Each pair of columns reads one of
 * them; the frequencies are those of a whole head, whatever the axis. In a text the three numbers
 * are equal, and the scheme is RoPE. */
#include "posviz/base/strbuf.h"
#include "posviz/scheme/scheme.h"
#include "scheme/encoding.h"
#include "scheme/rates.h"
#include "scheme/rope.h"
#include "scheme/rotation.h"

#include <math.h>
#include <string.h>

enum axes { AXES_BLOCKS, AXES_INTERLEAVED };
static const char *const axes_names[] = {"blocks", "interleaved", NULL};

struct mrope {
	int axes, layout; /* enum axes, enum rope_layout */
	double base;
	struct value_list sections;
};

static bool mrope_check(const void *param, struct err *err)
{
	const struct mrope *p = param;
	if (p->sections.n != 0 && p->sections.n != PLACE_AXES)
		return err_set(
			err,
			"sections: %zu number%s; three, of temporal, height and width, or [] "
			"would be right",
			p->sections.n, p->sections.n == 1 ? "" : "s");
	for (size_t i = 0; i < p->sections.n; i++)
		if (p->sections.at[i] != floor(p->sections.at[i]))
			return err_set(err, "sections: %g; whole numbers of pairs would be right",
				       p->sections.at[i]);
	return true;
}

/* Gets the pairs of each axis: as given, or by the shares of the models, 16 24 24 of 64 in blocks
 * and 24 20 20 of 64 if they are interleaved. */
static void sections_of(const struct mrope *p, size_t pairs, size_t out[PLACE_AXES])
{
	for (size_t i = 0; i < p->sections.n; i++)
		out[i] = (size_t)p->sections.at[i];
	if (p->sections.n > 0)
		return;
	if (p->axes == AXES_BLOCKS) {
		out[PLACE_TEMPORAL] = pairs / 4;
		out[PLACE_HEIGHT] = (pairs - pairs / 4) / 2;
		out[PLACE_WIDTH] = pairs - out[PLACE_TEMPORAL] - out[PLACE_HEIGHT];
	} else {
		out[PLACE_HEIGHT] = out[PLACE_WIDTH] = pairs * 20 / 64;
		out[PLACE_TEMPORAL] = pairs - 2 * out[PLACE_HEIGHT];
	}
}

/* Returns the axis that pair i reads. */
static enum place_column axis_of(const struct mrope *p, const size_t section[PLACE_AXES], size_t i)
{
	if (p->axes == AXES_BLOCKS)
		return i < section[0]		     ? PLACE_TEMPORAL
		       : i < section[0] + section[1] ? PLACE_HEIGHT
						     : PLACE_WIDTH;
	for (size_t axis = PLACE_HEIGHT; axis < PLACE_AXES; axis++)
		if (i % PLACE_AXES == axis && i < PLACE_AXES * section[axis])
			return (enum place_column)axis;
	return PLACE_TEMPORAL;
}

static bool mrope_declare(struct model *model, const struct member *m, struct err *err)
{
	const struct mrope *p = m->param;
	const size_t pairs = model->dk / 2;
	size_t given[PLACE_AXES], own[PLACE_AXES];
	if (!rotation_has_pairs(model, m, err))
		return false;
	sections_of(p, pairs, given);
	if (given[0] + given[1] + given[2] == pairs)
		return true;
	struct mrope plain = *p;
	plain.sections.n = 0;
	sections_of(&plain, pairs, own);
	return err_set(
		err,
		"%s: sections of %zu, %zu and %zu are %zu pairs, and a head of width %zu has "
		"%zu; [%zu,%zu,%zu] would be right",
		m->text, given[0], given[1], given[2], given[0] + given[1] + given[2], model->dk,
		pairs, own[0], own[1], own[2]);
}

/* Gets the positions on the three axes; a text, or a column that pos= names, has the same number
 * on each. */
static bool read_axes(struct run *run, const struct member *m, const double *at[PLACE_AXES],
		      struct err *err)
{
	const bool seq = strcmp(m->pos, "seq") == 0;
	for (size_t i = 0; i < PLACE_AXES; i++) {
		at[i] = seq ? run_find_column(run, place_column_names[i]) : NULL;
		at[i] = at[i] ? at[i] : run_column(run, m, err);
		if (!at[i])
			return false;
	}
	return true;
}

static bool mrope_prepare(struct run *run, const struct member *m, struct err *err)
{
	const struct mrope *p = m->param;
	const size_t pairs = run->model->dk / 2;
	struct rotation *const by = run_state(run, m, sizeof *by);
	const struct mat cosine = mat_new(run->arena, run->n, pairs);
	const struct mat sine = mat_new(run->arena, run->n, pairs);
	const struct mat axis = mat_new(run->arena, 1, pairs), rate = mat_new(run->arena, 1, pairs);
	const double *at[PLACE_AXES];
	size_t section[PLACE_AXES];
	if (!read_axes(run, m, at, err))
		return false;
	sections_of(p, pairs, section);
	for (size_t i = 0; i < pairs; i++) {
		const double theta = rotation_rate(p->base, i, 2 * pairs);
		const enum place_column on = axis_of(p, section, i);
		axis.at[i] = (double)on;
		rate.at[i] = theta;
		for (size_t t = 0; t < run->n; t++) {
			mat_row(cosine, t)[i] = cos(at[on][t] * theta);
			mat_row(sine, t)[i] = sin(at[on][t] * theta);
		}
	}
	*by = (struct rotation){cosine, sine, cosine, sine};
	run_keep(run, m, "cos", cosine);
	run_keep(run, m, "sin", sine);
	run_keep(run, m, "axis", axis);
	run_keep(run, m, "rate", rate);
	return true;
}

bool mrope_member_rates(const void *param, size_t dk, size_t t_max, double n, struct arena *a,
			struct member_rates *out)
{
	(void)n;
	const struct mrope *p = param;
	const size_t pairs = dk / 2;
	*out = (struct member_rates){.half = p->layout == ROPE_HALF,
				     .pairs = pairs,
				     .base = p->base,
				     .trained = (double)t_max,
				     .attention = 1,
				     .now = arena_calloc(a, pairs + 1, sizeof(double)),
				     .then = arena_calloc(a, pairs + 1, sizeof(double))};
	for (size_t i = 0; i < pairs; i++)
		out->now[i] = out->then[i] = rotation_rate(p->base, i, 2 * pairs);
	return pairs > 0;
}

static bool mrope_qk(struct head *head, const struct member *m, struct err *err)
{
	const struct mrope *p = m->param;
	return rotation_turn(head, m, head_state(head, m), p->layout == ROPE_HALF, err);
}

/* Tokens with three positions differ by three numbers, which no single number represents. */
static bool mrope_relation(struct run *run, const struct member *m, struct relation *out,
			   struct err *err)
{
	const bool three = strcmp(m->pos, "seq") == 0 &&
			   run_find_column(run, place_column_names[PLACE_TEMPORAL]) != NULL;
	return three || encoding_relate_signed(run, m, out, err);
}

static double mrope_reach(const void *param, const struct model_config *config)
{
	const struct mrope *p = param;
	const size_t pairs = model_dk(config) / 2;
	return pairs ? rotation_reach(rotation_rate(p->base, pairs - 1, 2 * pairs), config)
		     : INFINITY;
}

static const struct param mrope_params[] = {
	CHOICE_PARAM(
		struct mrope, axes, AXES_BLOCKS, axes_names,
		"blocks: the first pairs read temporal, the next height, the last width "
		"(Qwen2-VL); interleaved: one after the other, as long as an axis has pairs left, the rest "
		"temporal (Qwen3-VL)"),
	LIST_PARAM(struct mrope, sections, "[]", 0, 32768,
		   "pairs of temporal, height and width, together d_h/2; []: a quarter and three "
		   "eighths each, interleaved 24 20 20 of 64"),
	RATIO_PARAM(struct mrope, base, 1000000, 1, 1e300, 10,
		    "B: pair i of d_h/2 rotates by B^(-2i/d_h) per position on its axis"),
	CHOICE_PARAM(struct mrope, layout, ROPE_HALF, rope_layout_names,
		     "which columns are a pair: halves, as in the models, or neighbours"),
	{0},
};

const struct scheme scheme_mrope[] = {
	{
		.id = "mrope",
		.aliases = "m-rope multimodal-rope",
		.title = "Multimodal rotary embedding",
		.formula = "A_ts = (R_t q_t)·(R_s k_s) / √d_h, R_t rotates pair i by "
			   "P_{t,axis(i)}·B^{−2i/d_h}",
		.authors = "Wang et al.",
		.cite = "@wang2024qwen2vl",
		.recipe = "q and k are q_raw and k_raw with pairs of columns rotated: (a, b) to (a "
			  "cos - b sin, b cos + a sin), cos and sin of member.mrope at [t, i] for "
			  "the pair of columns i and i + dk/2, or, with layout=interleaved, 2i and "
			  "2i + 1; the angle is base^(-2i/dk) times position.temporal, .height or "
			  ".width, as axis[i] is 0, 1 or 2 (without these columns the member's)",
		.about =
			"Every token has three positions, in time, height and width, and each pair "
			"of columns rotates by one of them. In a text the three are equal, and it "
			"is RoPE; patches of a picture are as near as they are in the picture.",
		.year = 2024,
		.ref = REF_RELATIVE,
		.inj = INJ_MATRIX,
		.flags = SCHEME_RECURRING | SCHEME_UNBOUNDED | SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_PORT,
		.evidence_note =
			"huggingface/transformers ace7c37, Qwen2-VL (blocks) and Qwen3-VL "
			"(interleaved); a text counts on from the greatest of a picture's "
			"numbers; Qwen2.5-VL's seconds and Qwen3-VL's blocks for each frame "
			"are given as ids or as pictures; its norm of q and k is left out",
		.rotates_when = "1",
		.params = mrope_params,
		.param_size = sizeof(struct mrope),
		.check = mrope_check,
		.reach = mrope_reach,
		.hooks = {.declare = mrope_declare,
			  .prepare = mrope_prepare,
			  .qk = mrope_qk,
			  .relation = mrope_relation,
			  .modulates = true},
	},
	{0},
};
