/* drawn.c: positions that are not counted from the start: drawn at random from a wider range (Ruoss
 * et al. 2023), or counted anew in every number (Abacus, McLeish et al. 2024).
 *
 * Both make what is far in a long input look like what was seen in training: random positions by
 * showing all of the range in short inputs, Abacus by having no far positions at all. */
#include <math.h>

#include "scheme/draw.h"
#include "scheme/learned.h"
#include "scheme/leaves.h"
#include "scheme/reading.h"
#include "scheme/sinusoid.h"

/* ---- random positions ---- */

struct rand_pe {
	struct sinusoid_param sinusoid;
	long l_max, draw;
	bool sinusoids;
};

static const struct param rand_pe_params[] = {
	RATIO_PARAM(struct rand_pe, l_max, 2048, 1, 900000, 2,
		    "positions are drawn from 0 to l_max − 1; as many units are a count from 0"),
	DRAW_PARAM(struct rand_pe, 1, "is shown"),
	SWITCH_PARAM(struct rand_pe, sinusoids, true,
		     "adds sinusoids of the positions; off: draws them for the other members "
		     "alone"),
	SINUSOID_SHAPE_PARAMS(SINUSOID_INTERLEAVED, SINUSOID_PAPER),
	SINUSOID_BASE_PARAM,
	{0},
};

/* How many different positions there are; place[t] says which of them, in order, is t's. */
static size_t count_places(const struct reading *r, const double *at, int32_t *place)
{
	int32_t last = -1;
	for (size_t i = 0; i < r->n; i++) {
		if (i == 0 || at[r->order[i]] > at[r->order[i - 1]])
			last++;
		place[r->order[i]] = last;
	}
	return (size_t)(last + 1);
}

/* `n` of 0..below-1 in ascending order, every set as likely as any other. */
static void draw_ascending(double *out, size_t n, size_t below, struct rng *rng)
{
	for (size_t at = 0, taken = 0; taken < n; at++)
		if (rng_below(rng, below - at) < n - taken)
			out[taken++] = (double)at;
}

/* The column that the member reads is written anew, so every member that reads it sees the draw. */
static bool rand_pe_positions(struct run *run, const struct member *m, struct err *err)
{
	const struct rand_pe *p = m->param;
	struct reading r;
	if (!reading_of(run, m, false, &r, err))
		return false;
	int32_t *place = arena_alloc(run->arena, r.n * sizeof *place);
	const size_t n = count_places(&r, run_column(run, m, err), place);
	if (n > (size_t)p->l_max)
		return err_set(err,
			       "%s draws from %ld positions, and this input needs %zu; raise l_max",
			       m->text, p->l_max, n);
	double *drawn = arena_alloc(run->arena, n * sizeof *drawn);
	double *out = arena_alloc(run->arena, r.n * sizeof *out);
	struct rng rng = draw_of(run, m, p->draw, "draw");
	draw_ascending(drawn, n, (size_t)p->l_max, &rng);
	for (size_t t = 0; t < r.n; t++)
		out[t] = drawn[place[t]];
	return run_add_column(run, m->pos, out, err);
}

static bool rand_pe_embed(struct run *run, const struct member *m, struct err *err)
{
	const struct rand_pe *p = m->param;
	return !p->sinusoids || sinusoid_add(run, m, "table", sinusoid_table, err);
}

/* Training draws from all of the range, whatever its lengths. */
static double rand_pe_reach(const void *param, const struct model_config *config)
{
	(void)config;
	const struct rand_pe *p = param;
	return (double)(p->l_max - 1);
}

static const struct claim rand_pe_claims[] = {
	{CLAIM_UNBOUNDED, ANSWER_NO, "no more than l_max places can be drawn", "l_max < 520"},
	{CLAIM_UNBOUNDED, ANSWER_YES,
	 "the bound is l_max, and has nothing to do with the lengths of training"},
	{0},
};

/* ---- Abacus ---- */

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

/* What is no digit has no vector. */
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

/* Digits that follow one another in the column's order are a number. */
static bool abacus_embed(struct run *run, const struct member *m, struct err *err)
{
	const struct abacus *p = m->param;
	struct reading r;
	if (!reading_of(run, m, false, &r, err))
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
	 "places are counted within a number: what moves all positions moves none of them"},
	{CLAIM_UNBOUNDED, ANSWER_UNSAID, FEW_ROWS, "rows - max_k < 8"},
	{CLAIM_UNBOUNDED, ANSWER_YES,
	 "inputs have no bound; a number of more digits than the table has rows is refused"},
	{0},
};

/* ---- descriptors ---- */

static const struct leaf_row abacus_leaves[] = {
	{"e", "rows, d", "row i: the vector of place i within a number", .by_layer = ALL_LAYERS,
	 .demo = {.make = make_digits}, .paper = {FILL_NORMAL, 1}},
	{0},
};

const struct scheme scheme_drawn[] = {
	{
		.id = "rand_pe",
		.aliases = "rand-pe randomized-positions",
		.title = "Randomized positions",
		.formula = "p_0 < p_1 < … < p_{n−1} drawn from {0, …, L−1};  X_t = U_t + sinusoids "
			   "of p_t",
		.authors = "Ruoss et al.",
		.cite = "Ruoss, Delétang, Genewein, Grau-Moya, Csordás, Bennani, Legg, Veness: "
			"Randomized positional encodings boost length generalization of "
			"Transformers. ACL 2023",
		.recipe = "part.position[t] = the sinusoids of what was drawn for the member's "
			  "column: pair i turns by base^(-2i/d), with freq=t2t base^(-i/(d/2-1)), "
			  "and is columns (2i, 2i+1), with layout=concat (i, i + d/2), sine before "
			  "cosine",
		.about = "Positions are a random ascending draw from a range much longer than any "
			 "input, so all of it is seen in training. The draw takes the place of the "
			 "column: alibi+rand_pe(sinusoids=off) gives it to ALiBi.",
		.year = 2023,
		.ref = REF_ABSOLUTE,
		.inj = INJ_EMBEDDING,
		.flags = SCHEME_UNBOUNDED | SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_PAPER,
		.evidence_note = "section 3 of the paper: L = 2048, without replacement, sorted; "
				 "from 0 here, and sinusoids by default, one of the encodings that "
				 "it tries",
		.claims = rand_pe_claims,
		.params = rand_pe_params,
		.param_size = sizeof(struct rand_pe),
		.hooks = {.positions = rand_pe_positions, .embed = rand_pe_embed},
		.reach = rand_pe_reach,
	},
	{
		.id = "abacus",
		.aliases = "digits",
		.title = "Abacus embedding",
		.formula = "X_t = U_t + E[i_t],  i_t = 1, 2, … along the digits of a number, else "
			   "0",
		.authors = "McLeish et al.",
		.cite = "McLeish et al.: Transformers can do arithmetic with the right embeddings. "
			"NeurIPS 2024",
		.about = "Every digit gets a learned vector for its place in its number, so digits "
			 "of one place are alike in all numbers. To see it type a sum, such as "
			 "12+345=357, with tokens chars; pos=remaining counts from the last digit.",
		.year = 2024,
		.ref = REF_ABSOLUTE,
		.inj = INJ_EMBEDDING,
		.leaves = abacus_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_UNBOUNDED | SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "mcleish7/arithmetic 55af9d5: 1024 rows, row 0 for all else, "
				 "max_k=99 in training, numbers written backwards; read, not run",
		.demo_note = "rows of E are 1 and −1, eight in turn orthogonal in every head; row "
			     "0 is 0",
		.claims = abacus_claims,
		.sample = "sentence 1 2 + 3 4 5 = 3 5 7",
		.params = abacus_params,
		.param_size = sizeof(struct abacus),
		.hooks = {.declare = leaves_declare, .embed = abacus_embed},
		.check = abacus_check,
	},
	{0},
};
