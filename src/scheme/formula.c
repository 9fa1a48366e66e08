/* formula.c: a bias written by the user: b(t, s), added to the logits or multiplying them; with the
 * user's own numbers, b=-a*abs(s-t),a=0.1, which are parameters like any other.
 *
 *   A_ts = c q_t·k_s + b(t, s)   or   A_ts = b(t, s) · (c q_t·k_s + other members' terms)
 *
 * t and s are the positions in the member's column. A formula is checked when it is parsed, so
 * here it is valid; whether its values are numbers is only known here. The value of a masked
 * pair does not matter, and -inf masks a pair: b itself is the mask there. */
#include "posviz/model/stage.h"
#include "posviz/scheme/scheme.h"

#include <math.h>
#include <string.h>

#include "posviz/base/num.h"
#include "posviz/math/calc.h"

enum op_kind { OP_KIND_ADD, OP_KIND_MUL };
static const char *const op_names[] = {"add", "mul", NULL};

/* The letters after t_max stand for the user's own numbers. */
enum { LETTERS = 8 };
enum name {
	NAME_T,
	NAME_S,
	NAME_N,
	NAME_H,
	NAME_HEADS,
	NAME_D,
	NAME_DK,
	NAME_T_MAX,
	NAME_LETTER,
	NAMES = NAME_LETTER + LETTERS
};
static const char *const names[NAMES + 1] = {"t", "s", "n", "h", "H", "d", "dk", "t_max", "a",
					     "c", "g", "k", "m", "p", "r", "w",	 NULL};

struct formula {
	const char *b;
	int op; /* enum op_kind */
	double a, c, g, k, m, p, r, w;
};

static bool is_formula(const char *text, size_t *wrong, struct err *err)
{
	struct arena scratch;
	struct calc c;
	arena_init(&scratch);
	const bool ok = calc_parse(&c, text, names, &scratch, wrong, err);
	arena_release(&scratch);
	return ok;
}

struct formula_state {
	struct calc calc;
	const double *position; /* [n] */
	struct mat shared;	/* [n,n] for all heads; at NULL: heads differ */
};

static struct calc read_formula(const struct member *m, struct arena *a)
{
	const struct formula *p = m->param;
	struct calc c = {0};
	struct err err = {0};
	size_t wrong = 0;
	if (!calc_parse(&c, p->b, names, a, &wrong, &err))
		BUG("%s: %s", m->text, err.text);
	return c;
}

/* Provides the numbers of the letters as inputs: in[0..LETTERS) */
static void add_letters(const struct formula *p, struct calc_input *in)
{
	const double letters[LETTERS] = {p->a, p->c, p->g, p->k, p->m, p->p, p->r, p->w};
	for (size_t i = 0; i < LETTERS; i++)
		in[i] = (struct calc_input){.all = letters[i]};
}

/* Computes b of a head for query row t: out[n] */
static void fill_row(double *out, const struct run *run, const struct member *m,
		     const struct calc *c, const double *position, size_t head, size_t t)
{
	const struct model_config *config = &run->model->config;
	const struct formula *p = m->param;
	struct calc_input in[NAMES] = {
		[NAME_T] = {.all = position[t]},
		[NAME_S] = {.at = position},
		[NAME_N] = {.all = (double)run->n},
		[NAME_H] = {.all = (double)(head + 1)},
		[NAME_HEADS] = {.all = (double)config->heads},
		[NAME_D] = {.all = (double)config->d},
		[NAME_DK] = {.all = (double)run->model->dk},
		[NAME_T_MAX] = {.all = (double)config->t_max},
	};
	add_letters(p, in + NAME_LETTER);
	calc_eval(c, in, out, run->n);
}

static struct node *build_shared(struct run *run, const struct member *m, struct err *err)
{
	const struct calc c = read_formula(m, run->arena);
	const double *position = run_column(run, m, err);
	if (!position)
		return NULL;
	const struct mat out = mat_new(run->tape->arena, run->n, run->n);
	for (size_t t = 0; t < run->n; t++)
		fill_row(mat_row(out, t), run, m, &c, position, 0, t);
	return tape_const(run->tape, out);
}

static bool formula_prepare(struct run *run, const struct member *m, struct err *err)
{
	struct formula_state *state = run_state(run, m, sizeof *state);
	state->calc = read_formula(m, run->arena);
	state->position = run_column(run, m, err);
	if (!state->position)
		return false;
	if (state->calc.uses & 1u << NAME_H)
		return true;
	const struct node *shared = run_cached(run, m, "b", false, build_shared, err);
	if (shared)
		state->shared = shared->v;
	return shared != NULL;
}

/* Returns row t of b in this head: the shared one, or computed into `room`. */
static const double *formula_row(const struct head *head, const struct member *m, size_t t,
				 double *room)
{
	const struct formula_state *state = head_state(head, m);
	if (state->shared.at)
		return mat_row(state->shared, t);
	fill_row(room, head->run, m, &state->calc, state->position, head->index, t);
	return room;
}

static bool formula_mask(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const size_t n = head->run->n;
	double *room = arena_calloc(head->run->arena, n, sizeof *room);
	for (size_t t = 0; t < n; t++) {
		const double *row = formula_row(head, m, t, room);
		for (size_t s = 0; s < n; s++)
			if (isinf(row[s]) && row[s] < 0)
				head_mask(head)[t * n + s] = 0;
	}
	return true;
}

static bool no_number(const struct head *head, const struct member *m, double value, size_t t,
		      size_t s, struct err *err)
{
	const struct formula_state *state = head_state(head, m);
	return err_set(err,
		       "%s: b is %s at query %zu, key %zu (t=%g, s=%g, h=%zu); -inf forbids a pair",
		       m->name, isnan(value) ? "not a number" : "infinite", t + 1, s + 1,
		       state->position[t], state->position[s], head->index + 1);
}

/* Returns b of this head, with 0 for masked pairs that have no number; NULL, with an error, if
 * an allowed pair has none. */
static struct node *bias_node(struct head *head, const struct member *m, struct err *err)
{
	const size_t n = head->run->n;
	const struct mat out = mat_new(head->tape->arena, n, n);
	for (size_t t = 0; t < n; t++) {
		double *to = mat_row(out, t);
		const double *row = formula_row(head, m, t, to);
		for (size_t s = 0; s < n; s++) {
			const double value = row[s];
			if (!isfinite(value) && (!head->allowed || head->allowed[t * n + s])) {
				no_number(head, m, value, t, s, err);
				return NULL;
			}
			to[s] = isfinite(value) ? value : 0;
		}
	}
	return tape_const(head->tape, out);
}

static bool formula_logits(struct head *head, const struct member *m, struct err *err)
{
	const struct formula *p = m->param;
	if (p->op != OP_KIND_ADD)
		return true;
	struct node *b = bias_node(head, m, err);
	if (b)
		head_add_term(head, "formula", TERM_POSITION, b);
	return b != NULL;
}

/* Checks that the products fit: logits times b can overflow even if neither does. */
static bool products_fit(const struct head *head, const struct member *m, struct mat b,
			 struct err *err)
{
	const struct mat product = head->logits->v;
	for (size_t t = 0; t < product.rows; t++)
		for (size_t s = 0; s < product.cols; s++) {
			const bool counts = !head->allowed || head->allowed[t * product.cols + s];
			if (counts && !isfinite(mat_row(product, t)[s]))
				return err_set(
					err,
					"%s: the logit times b = %g is no number at query %zu, key "
					"%zu (h=%zu); b is too large",
					m->name, mat_row(b, t)[s], t + 1, s + 1, head->index + 1);
		}
	return true;
}

static bool formula_adjust(struct head *head, const struct member *m, struct err *err)
{
	const struct formula *p = m->param;
	if (p->op != OP_KIND_MUL)
		return true;
	struct node *b = bias_node(head, m, err);
	if (!b)
		return false;
	head->logits = tape_mul(head->tape, head->logits, b);
	return products_fit(head, m, b->v, err);
}

static bool formula_adds(const struct member *m)
{
	const struct formula *p = m->param;
	return p->op == OP_KIND_ADD;
}

/* Returns the names that a formula reads, as bits. */
static unsigned uses_of(const void *param)
{
	const struct member m = {.param = param, .text = "formula"};
	struct arena scratch;
	arena_init(&scratch);
	const struct calc c = read_formula(&m, &scratch);
	arena_release(&scratch);
	return c.uses;
}

/* ---- descriptor ---- */

static const char *formula_formula(const void *param, struct arena *a)
{
	const struct formula *p = param;
	(void)a;
	return p->op == OP_KIND_ADD ? "A_ts = q_t·k_s / √d_h + b(t, s)"
				    : "A_ts = b(t, s) · q_t·k_s / √d_h";
}

/* Returns the formula with the numbers of its letters. */
static const char *formula_defines(const void *param, struct arena *a)
{
	const struct formula *p = param;
	const unsigned uses = uses_of(param);
	struct calc_input letters[LETTERS];
	add_letters(p, letters);
	const char *text = arena_printf(a, "b(t, s) = %s", calc_print(p->b, a));
	for (size_t i = 0; i < LETTERS; i++) {
		char number[32];
		if (uses & 1u << (NAME_LETTER + i))
			text = arena_printf(a, "%s, %s = %s", text, names[NAME_LETTER + i],
					    num_show(number, sizeof number, letters[i].all, 6));
	}
	return text;
}

enum { PROBED = 16 }; /* number of positions */

/* Computes row t of b with t and s shifted by `shift`. */
static void probe_row(double *out, const struct formula *p, const struct calc *c, double t,
		      double shift, double head)
{
	double s[PROBED];
	struct calc_input in[NAMES] = {[NAME_T] = {.all = t + shift}, [NAME_S] = {.at = s},
				       [NAME_N] = {.all = PROBED},    [NAME_H] = {.all = head},
				       [NAME_HEADS] = {.all = 4},     [NAME_D] = {.all = 64},
				       [NAME_DK] = {.all = 16},	      [NAME_T_MAX] = {.all = 512}};
	for (size_t i = 0; i < PROBED; i++)
		s[i] = (double)i + shift;
	add_letters(p, in + NAME_LETTER);
	calc_eval(c, in, out, PROBED);
}

static bool same_number(double x, double y)
{
	return x == y || (isnan(x) && isnan(y)) || fabs(x - y) <= 1e-9 * (1 + fabs(x));
}

/* Returns whether b depends only on s − t, judged by these positions. */
static bool is_of_distance(const struct formula *p, const struct calc *c)
{
	static const double shifts[] = {1, 2, 3, 7, 50, 1000};
	for (size_t i = 0; i < sizeof shifts / sizeof *shifts; i++)
		for (int t = 0; t < PROBED; t++) {
			double here[PROBED], there[PROBED];
			const double head = 1 + t % 4;
			probe_row(here, p, c, t, 0, head);
			probe_row(there, p, c, t, shifts[i], head);
			for (size_t s = 0; s < PROBED; s++)
				if (!same_number(here[s], there[s]))
					return false;
		}
	return true;
}

static enum reference formula_reference(const void *param)
{
	const struct member m = {.param = param, .text = "formula"};
	struct arena scratch;
	arena_init(&scratch);
	const struct calc c = read_formula(&m, &scratch);
	const bool t = c.uses & 1u << NAME_T, s = c.uses & 1u << NAME_S;
	const enum reference ref = !t && !s		       ? REF_NONE
				   : is_of_distance(param, &c) ? REF_RELATIVE
				   : t && s		       ? REF_BOTH
							       : REF_ABSOLUTE;
	arena_release(&scratch);
	return ref;
}

/* A formula without h is the same for all heads, and so is its mask. */
static bool formula_masks_differ(const struct member *m)
{
	return uses_of(m->param) & 1u << NAME_H;
}

/* Without t, s and n a formula is the same at all distances. */
static double formula_reach(const void *param, const struct model_config *config)
{
	const bool placed = uses_of(param) & (1u << NAME_T | 1u << NAME_S | 1u << NAME_N);
	return placed ? (double)config->t_max - 1 : INFINITY;
}

static bool letter_is_used(const struct param *p, const void *param)
{
	const unsigned uses = uses_of(param);
	for (size_t i = 0; i < LETTERS; i++)
		if (strcmp(names[NAME_LETTER + i], p->name) == 0)
			return uses & 1u << (NAME_LETTER + i);
	return true;
}

#define LETTER(letter)                                                                            \
	PARAM_AT(struct formula, letter, letter, "a number of your own, where b has this letter", \
		 NUMBER_TYPE(1, -1e6, 1e6, 0.1), .type.in_series = true, .used = letter_is_used)

static const struct param formula_params[] = {
	{.name = "b",
	 .help = "formula of t and s from 0, n keys, head h of H from 1, d, dk, t_max and numbers of "
		 "your own a c g k m p r w (b=-a*abs(s-t),a=0.1), with pi, e, inf, abs sqrt exp "
		 "log (or ln) log2 log10 sin cos tan tanh atan sigmoid min max floor ceil round "
		 "sign mod pow clamp if, comparisons, ! && || and c ? a : b; − · × ≤ ≥ may stand "
		 "as printed; -inf forbids a pair, as log(0) and -exp(1000) do",
	 .type.kind = &value_text,
	 .offset = offsetof(struct formula, b),
	 .type.def_text = "-log(1+abs(s-t)/2)",
	 .read = is_formula},
	CHOICE_PARAM(struct formula, op, OP_KIND_ADD, op_names,
		     "add: b is added to the logits; mul: it multiplies them"),
	LETTER(a),
	LETTER(c),
	LETTER(g),
	LETTER(k),
	LETTER(m),
	LETTER(p),
	LETTER(r),
	LETTER(w),
	{0},
};

static bool formula_check(const void *param, struct err *err)
{
	for (const struct param *p = formula_params; p->name; p++)
		if (!param_is_used(p, param) && !param_is_default(p, param))
			return err_set(
				err,
				"%s is given, and no %s is in b; leave it out, or write it there",
				p->name, p->name);
	return true;
}

#define BY_FORMULA "it follows from the formula"

static const struct claim formula_claims[] = {
	{CLAIM_RELATIVE, ANSWER_UNSAID, BY_FORMULA},
	{CLAIM_UNBOUNDED, ANSWER_UNSAID, BY_FORMULA},
	{CLAIM_RECURRING, ANSWER_UNSAID, BY_FORMULA},
	{0},
};

const struct scheme scheme_formula[] = {
	{
		.id = "formula",
		.aliases = "custom custom-bias",
		.title = "A formula of your own",
		.formula = "A_ts = q_t·k_s / √d_h + b(t, s)",
		.authors = "you",
		.cite = "yours; the default is the bias of KERPLE (Chi et al., NeurIPS 2022), "
			"logarithmic, r_1 = 1, r_2 = 1/2",
		.about = "A bias of your own, b(t, s), of the positions t of the query and s of "
			 "the key, from 0, is added to the logits or multiplies them; where it is "
			 "-inf its pair is forbidden.",
		.year = 2026,
		.ref = REF_BOTH,
		.inj = INJ_MATRIX,
		.flags = SCHEME_RECURRING | SCHEME_UNBOUNDED | SCHEME_NOT_IN_SURVEY | SCHEME_YOURS,
		.evidence = EVIDENCE_OURS,
		.evidence_note = "whatever is typed is what is computed",
		.recipe = "where op=mul, logits = b(t, s) * the sum of the other terms but rest, b "
			  "as in the expression, t and s in position.seq or what pos= names",
		.claims = formula_claims,
		.params = formula_params,
		.param_size = sizeof(struct formula),
		.check = formula_check,
		.hooks = {.prepare = formula_prepare,
			  .mask = formula_mask,
			  .logits = formula_logits,
			  .adjust = formula_adjust,
			  .masks_differ = formula_masks_differ,
			  .modulates = true,
			  .only_adds = formula_adds,
			  .only_terms = formula_adds,
			  .matrices = 3},
		.reach = formula_reach,
		.formula_of = formula_formula,
		.defines = formula_defines,
		.reference_of = formula_reference,
	},
	{0},
};
