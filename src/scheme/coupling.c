/* coupling.c: position coupling (Cho et al. 2024): digits of the same power of ten share a position.
 *
 *   653+49=0702:  6 5 3 + 4 9 = 0 7 0 2  have  4 3 2 1 3 2 6 5 4 3 2  with start 1
 *
 * The lowest digit of every number has start + 1, the next start + 2, and so on. An operator has
 * start; "=" has one more than the highest digit of the result, or start where that is written from
 * its lowest digit on. All else has 0, the position of padding. */
#include <string.h>

#include "posviz/scheme/scheme.h"
#include "scheme/leaves.h"
#include "scheme/learned.h"
#include "scheme/reading.h"

struct coupling {
	long start, rows;
	bool reversed, table;
};

static const char *label_at(const struct run *run, const struct reading *r, size_t i)
{
	return run->queries->labels[r->order[i]];
}

static bool is_digit(const char *label)
{
	return label[0] >= '0' && label[0] <= '9' && label[1] == '\0';
}

static bool is_operator(const char *label)
{
	return label[0] && strchr("+-*/", label[0]) && label[1] == '\0';
}

static bool is_equals(const char *label)
{
	return strcmp(label, "=") == 0;
}

/* Returns the digits in a row from token i on. */
static size_t count_digits(const struct run *run, const struct reading *r, size_t i)
{
	size_t n = 0;
	while (i + n < r->n && is_digit(label_at(run, r, i + n)))
		n++;
	return n;
}

static void couple(const struct run *run, const struct coupling *p, const struct reading *r,
		   double *out)
{
	const double start = (double)p->start;
	bool result = false;
	for (size_t i = 0; i < r->n;) {
		const char *const label = label_at(run, r, i);
		const size_t n = count_digits(run, r, i);
		for (size_t k = 0; k < n; k++)
			out[r->order[i + k]] =
				start + (double)(result && p->reversed ? k + 1 : n - k);
		i += n;
		if (n > 0)
			continue;
		result |= is_equals(label);
		if (is_operator(label))
			out[r->order[i]] = start;
		else if (is_equals(label))
			out[r->order[i]] =
				start + (p->reversed ? 0 : (double)count_digits(run, r, i + 1) + 1);
		i++;
	}
}

static bool coupling_positions(struct run *run, const struct member *m, struct err *err)
{
	struct reading r;
	if (!reading_of_text(run, m, false, &r, err))
		return false;
	double *const out = arena_calloc(run->arena, r.n, sizeof *out);
	couple(run, m->param, &r, out);
	return run_add_column(run, "coupled", out, err);
}

static bool coupling_embed(struct run *run, const struct member *m, struct err *err)
{
	const struct coupling *p = m->param;
	if (!p->table)
		return true;
	const double *const coupled = run_find_column(run, "coupled");
	int32_t *const rows = arena_calloc(run->arena, run->n, sizeof *rows);
	for (size_t t = 0; t < run->n; t++) {
		if (coupled[t] >= (double)p->rows)
			return err_set(err,
				       "%s has %ld rows, and a position of this input is %g; raise "
				       "rows",
				       m->text, p->rows, coupled[t]);
		rows[t] = (int32_t)coupled[t];
	}
	run_add_part(run, "position",
		     tape_gather_rows(run->tape, run_leaf(run, m, "p"), rows, run->n));
	return true;
}

static const struct param coupling_params[] = {
	NUMBER_PARAM(struct coupling, start, 1, 0, 4096, 1,
		     "position of an operator, one below that of lowest digits; training draws it"),
	SWITCH_PARAM(struct coupling, reversed, false,
		     "the result is written from its lowest digit on"),
	SWITCH_PARAM(
		struct coupling, table, true,
		"adds a learned vector for each position; off: the column coupled is for other "
		"members alone"),
	NUMBER_PARAM(struct coupling, rows, 64, 1, 65536, 8, "rows of that table"),
	{0},
};

static const struct leaf_row coupling_leaves[] = {
	{"p", "rows, d", "row i: the vector of position i; row 0 of all that is no sum",
	 .by_layer = ALL_LAYERS, .when = "table", .demo = {.make = learned_signs},
	 .paper = {FILL_NORMAL, 0.02}},
	{0},
};

#define FEW_ROWS "few digits have rows, and longer numbers are refused"

static const struct claim coupling_claims[] = {
	{CLAIM_RELATIVE, ANSWER_NO, "without its table it adds nothing", "table == 0"},
	{CLAIM_LEARNABLE, ANSWER_NO, "the column alone has nothing to learn", "table == 0"},
	{CLAIM_RELATIVE, ANSWER_UNSAID, FEW_ROWS, "rows - start < 12"},
	{CLAIM_RELATIVE, ANSWER_YES,
	 "positions are counted within a number: what moves all positions moves none of them"},
	{CLAIM_UNBOUNDED, ANSWER_UNSAID, FEW_ROWS, "rows - start < 12"},
	{0},
};

const struct scheme scheme_coupling[] = {
	{
		.id = "coupling",
		.aliases = "position-coupling coupled-positions",
		.title = "Position coupling",
		.formula =
			"X_t = U_t + P[p_t],  p_t = start + 1, start + 2, … from the lowest digit of a "
			"number on",
		.authors = "Cho et al.",
		.cite = "@cho2024position",
		.about =
			"Digits of the same power of ten share a position in all numbers of a sum, so "
			"what must be added stands at one position. To see it type a sum, such as "
			"653+49=0702, with tokens chars; rope(pos=coupled) reads the positions too.",
		.year = 2024,
		.ref = REF_ABSOLUTE,
		.inj = INJ_EMBEDDING,
		.leaves = coupling_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_UNBOUNDED | SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_CODE,
		.evidence_note =
			"HanseulJo/position-coupling b9cad94, src/data/addition.py; rules of "
			"its other tasks are left out",
		.demo_note = "P: 1 and −1, eight rows in turn orthogonal in every head",
		.claims = coupling_claims,
		.numbers_when = "0",
		.sample = "sentence 6 5 3 + 4 9 = 0 7 0 2",
		.params = coupling_params,
		.param_size = sizeof(struct coupling),
		.hooks = {.declare = leaves_declare,
			  .positions = coupling_positions,
			  .embed = coupling_embed},
	},
	{0},
};
