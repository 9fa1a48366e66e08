/* abacus.c: positions that are counted from 1 in every number (McLeish et al. 2024).
 *
 *   X_t = U_t + E[i_t],  i_t = 1, 2, … along the digits of a number, else 0
 *
 * Long numbers have no far positions, so a long sum looks like the short ones of training. */
#include "scheme/draw.h"
#include "scheme/learned.h"
#include "scheme/leaves.h"
#include "scheme/reading.h"

struct abacus {
	long rows, max_k, draw;
};

static const struct param abacus_params[] = {
	RATIO_PARAM(struct abacus, rows, 1024, 2, 65536, 2,
		    "rows of the table; row 0 is for what is no digit"),
	NUMBER_PARAM(struct abacus, max_k, 0, 0, 900, 9,
		     "training adds a random 0 to max_k to the indices (99 in the code); 0: none"),
	DRAW_PARAM(struct abacus, 1, "is shown"),
	{0},
};

static bool abacus_check(const void *param, struct err *err)
{
	const struct abacus *p = param;
	return p->max_k + 1 < p->rows ||
	       err_set(err,
		       "abacus: an offset of up to %ld leaves no row for a digit in %ld; raise "
		       "rows or lower max_k",
		       p->max_k, p->rows);
}

/* Draws vectors for digits; row 0, for all other tokens, is zero. */
static void make_digits(struct mat at, const struct leaf_maker *of)
{
	learned_signs(mat_rows(at, 1, at.rows - 1), of);
	mat_fill(mat_rows(at, 0, 1), 0);
}

static bool is_digit(const char *label)
{
	return label[0] >= '0' && label[0] <= '9' && label[1] == '\0';
}

static size_t draw_offset(struct run *run, const struct member *m)
{
	const struct abacus *p = m->param;
	struct rng rng = draw_of(run, m, p->draw, "draw");
	return rng_below(&rng, (size_t)p->max_k + 1);
}

/* Consecutive digits in the order of the column form a number. */
static bool abacus_embed(struct run *run, const struct member *m, struct err *err)
{
	const struct abacus *p = m->param;
	struct reading r;
	if (!reading_of_text(run, m, false, &r, err))
		return false;
	const size_t offset = draw_offset(run, m);
	int32_t *rows = arena_calloc(run->arena, r.n, sizeof *rows);
	for (size_t i = 0, index = 0; i < r.n; i++) {
		index = is_digit(run->queries->labels[r.order[i]]) ? index + 1 : 0;
		if (index && index + offset >= (size_t)p->rows)
			return err_set(err,
				       "%s has %ld rows, and digit %zu of this number needs row "
				       "%zu; raise rows",
				       m->text, p->rows, index, index + offset);
		rows[r.order[i]] = index ? (int32_t)(index + offset) : 0;
	}
	run_add_part(run, "position",
		     tape_gather_rows(run->tape, run_leaf(run, m, "e"), rows, r.n));
	return true;
}

#define FEW_ROWS "few digits have rows, and longer numbers are refused"

static const struct claim abacus_claims[] = {
	{CLAIM_RELATIVE, ANSWER_UNSAID, FEW_ROWS, "rows - max_k < 8"},
	{CLAIM_RELATIVE, ANSWER_YES,
	 "positions are counted within a number: what moves all positions moves none of them"},
	{CLAIM_UNBOUNDED, ANSWER_UNSAID, FEW_ROWS, "rows - max_k < 8"},
	{CLAIM_UNBOUNDED, ANSWER_YES,
	 "inputs have no bound; a number of more digits than the table has rows is refused"},
	{0},
};

static const struct leaf_row abacus_leaves[] = {
	{"e", "rows, d", "row i: the vector of position i within a number", .by_layer = ALL_LAYERS,
	 .demo = {.make = make_digits}, .paper = {FILL_NORMAL, 1}},
	{0},
};

const struct scheme scheme_abacus[] = {
	{
		.id = "abacus",
		.aliases = "digits",
		.title = "Abacus embedding",
		.formula = "X_t = U_t + E[i_t],  i_t = 1, 2, … along the digits of a number, else "
			   "0",
		.authors = "McLeish et al.",
		.cite = "@mcleish2024transformers",
		.about =
			"Every digit gets a learned vector for its position in its number, so digits "
			"of one position are alike in all numbers. To see it type a sum, such as "
			"12+345=357, with tokens chars; pos=remaining counts from the last digit.",
		.year = 2024,
		.ref = REF_ABSOLUTE,
		.inj = INJ_EMBEDDING,
		.leaves = abacus_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_UNBOUNDED | SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "mcleish7/arithmetic 55af9d5: 1024 rows, row 0 for all else, "
				 "max_k=99 in training, numbers written backwards; read, not run",
		.demo_note = "E: 1 and −1, eight rows in turn orthogonal in every head; row 0 is 0",
		.claims = abacus_claims,
		.sample = "sentence 1 2 + 3 4 5 = 3 5 7",
		.numbers_when = "0",
		.params = abacus_params,
		.param_size = sizeof(struct abacus),
		.hooks = {.declare = leaves_declare, .embed = abacus_embed},
		.check = abacus_check,
	},
	{0},
};
