/* rope_rows.c: rotary position embedding on a line (Su et al. 2021) and on a grid (Fang et al.
 * 2023).
 *
 *   A_ts = c (R_t q_t)·(R_s k_s)
 *
 * The row `rope` has every parameter and refuses those that have no effect with its scaling; the
 * row of a scaling (rope_scaled.c) only has those with an effect. */
#include "scheme/grid.h"
#include "scheme/rope_precision.h"

#include <string.h>

/* ---- parameters ---- */

/* clang-format off */
#define GRID_PARAM(width) \
	NUMBER_PARAM(struct rope, grid, width, 0, 1e6, 1, \
		     "W: tokens of a text fill rows of W, a picture has its own; half of the pairs rotate " \
		     "by row, half by column; 0: a line")
/* clang-format on */

static const struct param rope_params[] = {
	ROPE_TURN_PARAMS,
	ROPE_LINE_PARAMS,
	GRID_PARAM(0),
	PARAM_AT(struct rope, scaling.named, scaling,
		 "how pairs are slowed down for contexts longer than the one trained on",
		 .type.choices = scaling_names),
	ROPE_FACTOR_PARAM(SCALING_NONE, 4, ROPE_LONGER "as none, but dynamic still grows beyond L"),
	ROPE_ORIGINAL_PARAM,
	ROPE_ATTENTION_PARAM,
	ROPE_READING_PARAM,
	ROPE_CACHED_PARAM,
	ROPE_YARN_PARAMS,
	ROPE_LLAMA3_PARAMS,
	ROPE_LONG_PARAMS,
	{0},
};

static const char *const first_names[] = {"rows", "columns", NULL};
static const char *const number_names[] = {"index", "separate", "max", "min", NULL};

static bool on_grid(const struct param *q, const void *param)
{
	(void)q;
	const struct rope *p = param;
	return p->grid > 0;
}

static const struct param grid_params[] = {
	ROPE_TURN_PARAMS,
	GRID_PARAM(4),
	CHOICE_PARAM(struct rope, first, FIRST_ROWS, first_names,
		     "what the first half of the pairs rotates by", .used = on_grid),
	CHOICE_PARAM(struct rope, coordinates, NUMBERS_INDEX, number_names,
		     "index: rows and columns count from 0; else from -1 to 1, times 2π: over each "
		     "side of its own, over the longer for both, over the shorter (DINOv3)",
		     .used = on_grid),
	{0}};

/* ---- consistency ---- */

static bool acts_with(enum scaling kind, const struct param *q)
{
	for (const struct param *p = rope_scaled_params[kind]; p && p->name; p++)
		if (strcmp(p->name, q->name) == 0)
			return true;
	return false;
}

/* Returns the scalings that a parameter is for: "yarn or long". */
static const char *scalings_of(const struct param *q, struct arena *a)
{
	enum scaling kinds[SCALING_COUNT];
	size_t n = 0;
	for (enum scaling kind = SCALING_NONE; kind < SCALING_COUNT; kind++)
		if (acts_with(kind, q))
			kinds[n++] = kind;
	if (n == SCALING_COUNT - 1)
		return "any other";
	const char *text = "";
	for (size_t i = 0; i < n; i++)
		text = arena_printf(a, "%s%s%s", text,
				    i == 0	? ""
				    : i + 1 < n ? ", "
						: " or ",
				    scaling_names[kinds[i]]);
	return text;
}

static bool acts(const struct param *q, enum scaling kind, struct err *err)
{
	if (q->offset <= offsetof(struct rope, scaling.named) || acts_with(kind, q))
		return true;
	struct arena a;
	arena_init(&a);
	err_set(err, "%s does nothing with scaling=%s; it is for %s", q->name, scaling_names[kind],
		scalings_of(q, &a));
	arena_release(&a);
	return false;
}

static bool rope_check(const void *param, struct err *err)
{
	const struct rope *p = param;
	const enum scaling kind = scaling_kind(&p->scaling);
	if (p->grid > 0 && (p->exponent != EXPONENT_PART || p->cut > 0 || p->round ||
			    p->precision != PRECISION_EXACT))
		return err_set(
			err,
			"exponent, cut, round and precision are for positions on a line; grid=0 would be "
			"right");
	if (p->grid > 0 && kind != SCALING_NONE)
		return err_set(err, "a scaling stretches a line; with grid=%ld it must be none",
			       p->grid);
	if (!precision_check(p, err))
		return false;
	for (const struct param *q = rope_params; q->name; q++)
		if (!param_is_default(q, param) && !acts(q, kind, err))
			return false;
	return scaling_check(&p->scaling, err);
}

/* ---- rows ---- */

#define GRID_CLAIMS                                               \
	{CLAIM_RELATIVE, ANSWER_UNSAID, GRID_CLAIM, "grid > 10"}, \
	{                                                         \
		CLAIM_RELATIVE, ANSWER_NO, GRID_CLAIM, "grid > 1" \
	}

static const struct claim rope_claims[] = {{CLAIM_RELATIVE, ANSWER_UNSAID,
					    "beyond L two tokens are rotated by different bases",
					    "cached"},
					   ROPE_CLAIMS,
					   GRID_CLAIMS,
					   {0}};
static const struct claim grid_claims[] = {ROPE_PARTIAL_CLAIMS, GRID_CLAIMS, {0}};

const struct scheme scheme_rope[] = {
	{
		.id = "rope",
		.aliases = "rotary",
		.title = "Rotary position embedding",
		.formula = "A_ts = q_t·R_{s−t} k_s / √d_h, R_m rotates pair i by m·B^{−2i/d_h}",
		.authors = "Su et al.",
		.cite = "@su2024roformer",
		.recipe = ROPE_WARM_RECIPE,
		.about = "Each pair of columns of a query or key is rotated by an angle "
			 "proportional to its position. Lengths stay, and the product of query and "
			 "key sees their distance only.",
		.year = 2021,
		ROPE_ROW,
		.table2 = TABLE2_SINUSOIDAL,
		.flags = SCHEME_RECURRING | SCHEME_UNBOUNDED,
		.evidence_note =
			"RoFormer, GPT-J, GPT-NeoX and Llama in huggingface/transformers; "
			"survey eq. 26 prints t−s for s−t, the rotation in the other sense",
		.count_printed = "0",
		.claims = rope_claims,
		.params = rope_params,
		.check = rope_check,
	},
	{
		.id = "rope_2d",
		.aliases = "rope-2d rope2d rope-grid axial-rope rope2d-axial",
		.title = "Rotary embedding on a grid",
		.formula = "A_ts = (R_t q_t)·(R_s k_s) / √d_h, R_t rotates pair i by "
			   "y·B^{−4i/d_h}, pair i + d_h/4 by x·B^{−4i/d_h}, row y, column x",
		.authors = "Fang et al.",
		.cite = "@fang2023eva02; @heo2024rotary; @simeoni2025dinov3",
		.recipe = ROPE_RECIPE,
		.about =
			"Half of the pairs rotate by the row of a picture, half by the column: what "
			"is above or below is as near as what is beside. Tokens that are no "
			"patches do not rotate; those of a text fill rows, W to a row.",
		.year = 2023,
		ROPE_ROW,
		.flags = SCHEME_RECURRING | SCHEME_UNBOUNDED | SCHEME_NOT_IN_SURVEY,
		.evidence_note = "the rotary classes of EVA's vision transformers (neighbours) and "
				 "of Qwen2-VL's (halves): rows first, pairs as in a head half as "
				 "wide; RoPE-ViT's axial one is first=columns,base=100, DINOv3's "
				 "coordinates=separate,base=100,layout=half; W = 4 and counting "
				 "from 0 are ours",
		.claims = grid_claims,
		.cells_when = "grid > 0",
		.params = grid_params,
	},
	{0},
};
