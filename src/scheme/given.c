/* given.c: a matrix of the user's own from a file.
 *
 *   A = c q·kᵀ + M, a bias;  A = M, logits;  or α = M, weights, in per cent α = M / 100
 *
 * Entry [t,s] belongs to the positions t and s, not to the words there: re-ordering the words
 * does not change the matrix. The file is read when an expression becomes members; its content
 * decides by which hooks the member acts. */
#include "posviz/scheme/given.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "posviz/base/text.h"
#include "posviz/model/stage.h"
#include "posviz/scheme/scheme.h"
#include "scheme/given_table.h"
#include "scheme/places.h"

enum as { AS_AUTO, AS_BIAS, AS_LOGITS, AS_WEIGHTS, AS_PERCENT };
static const char *const as_names[] = {"auto", "bias", "logits", "weights", "percent", NULL};

enum of_keys { KEYS_AUTO, KEYS_SAME, KEYS_OTHER };
static const char *const keys_names[] = {"auto", "same", "other", NULL};

struct matrix {
	const char *from;
	int as, keys;
	/* Set by matrix_load: the table, and its kind if `as` leaves it open. */
	const struct given_table *table;
	enum as taken;
	bool two_lists; /* its keys are other tokens than its queries */
};

static const struct given_table *table_of(const struct member *m)
{
	const struct matrix *p = m->param;
	return p->table;
}

static bool wrong_heads(const struct given_table *table, const struct model *model, struct err *err)
{
	const size_t d = (model->config.d + table->heads - 1) / table->heads * table->heads;
	char width[48] = "";
	if (d != model->config.d && model->config.head_dim == 0)
		snprintf(width, sizeof width, " and d-model %zu", d);
	return err_set(err, "matrix: %s has %zu heads, the model %zu; heads %zu%s would be right",
		       table->name, table->heads, model->config.heads, table->heads, width);
}

static bool wrong_layers(const struct given_table *table, const struct model *model,
			 struct err *err)
{
	return err_set(err, "matrix: %s has %zu layers, the model %zu; layers %zu would be right",
		       table->name, table->layers, model->config.layers, table->layers);
}

static bool matrix_declare(struct model *model, const struct member *m, struct err *err)
{
	const struct given_table *table = table_of(m);
	const size_t heads = model->config.heads, limit = model->config.memory;
	const double bytes = 8 * (double)given_table_rows(table) * (double)table->cols;
	if (table->heads != 1 && table->heads != heads)
		return wrong_heads(table, model, err);
	if (table->layers != 1 && table->layers != model->config.layers)
		return wrong_layers(table, model, err);
	return limit == 0 || bytes <= (double)limit ||
	       err_set(err, "matrix: %s takes %.0f MB, above the limit of %.0f MB; raise memory",
		       table->name, bytes / 1e6, (double)limit / 1e6);
}

static bool wrong_place(const struct given_table *table, const struct member *m, double at,
			struct err *err)
{
	const struct matrix *p = m->param;
	if (at < 0)
		return err_set(err,
			       "matrix: %s counts positions from 0 to %zu, the size of the matrix, "
			       "and column %s has %.10g",
			       table->name, table->cols - 1, m->pos, at);
	if (*p->from)
		return err_set(err,
			       "matrix: %s has %zu positions, whatever t-max is; this input needs "
			       "number %.10g",
			       table->name, table->cols, at + 1);
	return err_set(err,
		       "matrix: without from=FILE it is a sample of %zu positions, whatever t-max "
		       "is; this input needs number %.10g: give from=FILE, or a shorter sentence",
		       table->cols, at + 1);
}

static bool matrix_prepare(struct run *run, const struct member *m, struct err *err)
{
	const struct given_table *table = table_of(m);
	struct places *places = run_state(run, m, sizeof *places);
	const double *at = run_column(run, m, err);
	for (size_t i = 0; at && i < run->n; i++)
		if (at[i] < 0 || at[i] >= (double)table->cols)
			return wrong_place(table, m, at[i], err);
	return at && places_init(places, run, m, table->cols, err);
}

static size_t head_start(const struct head *head, const struct given_table *table)
{
	const size_t layer = table->layers == 1 ? 0 : head->run->layer;
	const size_t index = table->heads == 1 ? 0 : head->index;
	return (layer * table->heads + index) * table->rows * table->cols;
}

static bool matrix_mask(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct given_table *table = table_of(m);
	const struct places *places = head_state(head, m);
	const uint8_t *from = table->allowed + head_start(head, table);
	uint8_t *allowed = head_mask(head);
	const size_t n = places->n;
	for (size_t t = 0; t < n; t++)
		for (size_t s = 0; s < n; s++)
			allowed[t * n + s] &=
				from[(size_t)places->at[t] * table->cols + (size_t)places->at[s]];
	return true;
}

/* Returns the head's matrix for the positions of the tokens; 0 where `allowed` masks. */
static struct node *own_matrix(struct head *head, const struct member *m, const uint8_t *allowed)
{
	const struct given_table *table = table_of(m);
	const struct places *places = head_state(head, m);
	const double *from = table->at + head_start(head, table);
	const size_t n = places->n;
	const struct mat out = mat_new(head->tape->arena, n, n);
	for (size_t t = 0; t < n; t++) {
		const double *row = from + (size_t)places->at[t] * table->cols;
		for (size_t s = 0; s < n; s++)
			mat_row(out, t)[s] =
				allowed && !allowed[t * n + s] ? 0 : row[places->at[s]];
	}
	const char *const key = arena_printf(head->tape->arena, "matrix.%zu", head->index);
	(table->layers == 1 ? run_keep : step_keep)(head->run, m, key, out);
	return tape_const(head->tape, out);
}

static bool matrix_logits(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	head_add_term(head, m->name, TERM_POSITION, own_matrix(head, m, NULL));
	return true;
}

static bool matrix_content(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	head->logits = own_matrix(head, m, NULL);
	return true;
}

static bool matrix_weights(struct head *head, const struct member *m, struct err *err)
{
	const struct given_table *table = table_of(m);
	if (head->run->n != table->cols)
		return err_set(err,
			       "matrix: %s has weights for %zu tokens, and there are %zu: a part "
			       "of a row is no row",
			       table->name, table->cols, head->run->n);
	head->weights = own_matrix(head, m, head->allowed);
	return true;
}

/* Copies the numbers of a matrix with other keys than queries, and computes the weights of
 * logits. */
static void view_matrix(const struct member *m, size_t layer, size_t head, struct arena *a,
			struct trace_head *out)
{
	const struct matrix *const p = m->param;
	const struct given_table *const table = p->table;
	const size_t rows = table->rows, cols = table->cols;
	const size_t of_layer = table->layers == 1 ? 0 : layer;
	const size_t of_head = table->heads == 1 ? 0 : head;
	const size_t at = (of_layer * table->heads + of_head) * rows * cols;
	const struct mat own = mat_new(a, rows, cols);
	memcpy(own.at, table->at + at, rows * cols * sizeof *own.at);
	out->mask = table->allowed ? table->allowed + at : NULL;
	out->weights = own;
	if (p->taken == AS_WEIGHTS)
		return;
	out->logits = own;
	out->weights = mat_copy(a, own);
	for (size_t i = 0; out->mask && i < rows * cols; i++)
		if (!out->mask[i])
			out->weights.at[i] = -INFINITY;
	mat_softmax(out->weights, out->weights);
}

#define SHARED .declare = matrix_declare, .prepare = matrix_prepare, .mask_by_head = true

/* The hooks by the kind of the matrix, and by whether it masks. */
static const struct hooks hooks_of[][2] = {
	[AS_BIAS] = {{SHARED, .logits = matrix_logits, .matrices = 1},
		     {SHARED, .logits = matrix_logits, .mask = matrix_mask, .matrices = 1}},
	[AS_LOGITS] = {{SHARED, .content = matrix_content, .matrices = 2},
		       {SHARED, .content = matrix_content, .mask = matrix_mask, .matrices = 2}},
	[AS_WEIGHTS] = {{SHARED, .weights = matrix_weights, .no_logits = true, .whole = true,
			 .matrices = 1}},
};

/* Determines the kind of the numbers if `as` leaves it open; an error asks the user if the
 * numbers do not tell. */
static bool find_kind(struct matrix *p, const struct given_table *table, struct arena *a,
		      const char **note, struct err *err)
{
	const char *says = NULL;
	*note = NULL;
	p->taken = p->as == AS_PERCENT ? AS_WEIGHTS : (enum as)p->as;
	if (p->as != AS_AUTO)
		return true;
	switch (given_rows_are(table, a, &says)) {
	case ROWS_OTHER:
		p->taken = AS_BIAS;
		return true;
	case ROWS_WEIGHTS:
		p->taken = AS_WEIGHTS;
		return true;
	case ROWS_ROUNDED:
		p->taken = AS_WEIGHTS;
		*note = arena_printf(a, "matrix: %s", says);
		return true;
	case ROWS_SHORT:
	case ROWS_PER_CENT:
		break;
	}
	return err_set(err, "matrix: %s", says);
}

/* The hooks of a matrix that is only viewed, because no layer of the model attends to other
 * tokens. */
static const struct hooks hooks_looked_at[] = {
	[AS_LOGITS] = {.declare = matrix_declare,
		       .content = matrix_content,
		       .look_at = view_matrix},
	[AS_WEIGHTS] = {.declare = matrix_declare, .no_logits = true, .look_at = view_matrix},
};

static bool matrix_other_keys(void *param, struct member *out, struct err *err)
{
	struct matrix *const p = param;
	const struct given_table *const table = p->table;
	if (p->keys == KEYS_SAME)
		return err_set(
			err,
			"matrix: %s has keys that are other tokens than its queries; keys=other, or "
			"no word of keys, would be right",
			table->name);
	if (p->as == AS_BIAS)
		return err_set(err,
			       "matrix: %s is %zu x %zu: there is no q·k of other tokens that a "
			       "bias could be added to; as=logits would show its numbers",
			       table->name, table->rows, table->cols);
	if (p->taken == AS_BIAS)
		p->taken = AS_LOGITS;
	p->two_lists = true;
	out->hooks = &hooks_looked_at[p->taken];
	out->keys = table->cols;
	return true;
}

/* Returns the index of the first row whose label is not its column's; n: they are the same, or
 * one of the lists is missing or only counts. */
static size_t first_other_name(const struct member *m, size_t n)
{
	size_t i = 0;
	if (!m->key_labels || !m->query_labels || given_labels_count(m->key_labels, n) ||
	    given_labels_count(m->query_labels, n))
		return n;
	while (i < n && strcmp(m->key_labels[i], m->query_labels[i]) == 0)
		i++;
	return i;
}

static const char *note_other_name(const struct given_table *table, const struct member *m,
				   size_t at, struct arena *a)
{
	const char *const row = m->query_labels[at], *const col = m->key_labels[at];
	return arena_printf(
		a,
		"matrix: %s calls row %zu %s and column %zu %s; a bias is of one list of "
		"tokens, those of the columns; as=logits shows both lists",
		table->name, at + 1, text_quote(a, row, strlen(row)), at + 1,
		text_quote(a, col, strlen(col)));
}

/* Reads the labels of a csv or of a dump; these and the parameters decide whether keys are other
 * tokens than queries. */
static bool find_tokens(struct matrix *p, struct arena *a, struct tensor_set *set,
			struct member *out, struct err *err)
{
	const struct given_table *const table = p->table;
	const size_t n = table->rows;
	out->units = n;
	out->key_labels = tensor_labels(set, "axis.key", table->cols);
	out->query_labels = tensor_labels(set, "axis.query", n);
	const size_t other = n == table->cols ? first_other_name(out, n) : n;
	const bool named = other < n && p->keys == KEYS_AUTO;
	if (n != table->cols || p->keys == KEYS_OTHER || (named && p->as != AS_BIAS))
		return matrix_other_keys(p, out, err);
	const bool columns =
		out->key_labels && (!out->query_labels || !given_labels_count(out->key_labels, n));
	out->labels = columns ? out->key_labels : out->query_labels;
	if (named)
		out->note = note_other_name(table, out, other, a);
	return true;
}

static bool matrix_load(void *param, struct arena *a, struct member *out, struct err *err)
{
	struct matrix *p = param;
	const bool weights = p->as == AS_WEIGHTS || p->as == AS_PERCENT;
	struct given_table *table = arena_calloc(a, 1, sizeof *table);
	struct tensor_set set;
	tensor_set_init(&set, a);
	if (!given_table_read(table, p->from, weights, &set, err))
		return err_prefix(err, "matrix: ");
	if (!find_kind(p, table, a, &out->note, err))
		return false;
	if (p->as == AS_PERCENT)
		given_table_scale(table, 0.01, a);
	given_table_take_mask(table, a);
	p->table = table;
	out->hooks = &hooks_of[p->taken][table->allowed != NULL];
	if (*p->from == '\0') {
		if (p->keys == KEYS_OTHER)
			out->note =
				"matrix: keys=other goes with from=FILE; the sample has one list of tokens";
		return true;
	}
	out->n_heads = table->heads > 1 ? table->heads : 0;
	out->n_layers = table->layers > 1 ? table->layers : 0;
	return find_tokens(p, a, &set, out, err);
}

/* Distances beyond those of the file are unknown. */
static double matrix_reach(const void *param, const struct model_config *config)
{
	const struct matrix *p = param;
	return (double)(p->table ? p->table->cols : config->t_max) - 1;
}

static const char *matrix_formula(const void *param, struct arena *a)
{
	static const char *const formulas[] = {[AS_AUTO] =
						       "A_ts = q_t·k_s / √d_h + M_ts,  or  α = M",
					       [AS_BIAS] = "A_ts = q_t·k_s / √d_h + M_ts",
					       [AS_LOGITS] = "A_ts = M_ts",
					       [AS_WEIGHTS] = "α_ts = M_ts",
					       [AS_PERCENT] = "α_ts = M_ts / 100"};
	const struct matrix *p = param;
	(void)a;
	return formulas[p->table && p->as == AS_AUTO ? (int)p->taken : p->as];
}

static const char about[] =
	"Your own bias, logits or attention weights. An entry belongs to two positions, whatever words stand "
	"there; −∞ is a mask.";

#define TWO_LISTS \
	"An entry belongs to a query's position in one list of tokens and a key's position in another"

static const char *matrix_about(const void *param)
{
	const struct matrix *const p = param;
	if (!p->two_lists)
		return about;
	return p->taken == AS_WEIGHTS ? "Your own attention weights. " TWO_LISTS "."
				      : "Your own logits. " TWO_LISTS "; −∞ is a mask.";
}

bool given_expression(const char *spec, struct arena *a, const char **out, struct err *err)
{
	const struct scheme *s = scheme_find("matrix", strlen("matrix"), NULL);
	BUG_IF(!s);
	struct matrix *p = scheme_defaults(s, a);
	const size_t len = strlen(spec);
	if (len == 0)
		return err_set(err, "the name is empty; a .npy, .npz, .csv, .tsv, .json or "
				    ".safetensors file would be right");
	if (len >= PARAM_FILE_MAX)
		return err_set(err, "the name has %zu bytes; at most %zu, or go to its folder", len,
			       (size_t)PARAM_FILE_MAX - 1);
	if (strcmp(text_escape(a, spec, len), spec) != 0)
		return err_set(err, "%s has control characters or is no valid UTF-8; rename it",
			       text_quote(a, spec, len));
	p->from = spec;
	struct expr e = {.n = 1};
	e.members[0] = (struct expr_member){.scheme = s,
					    .param = p,
					    .pos = "seq",
					    .layers = SUBSET_ALL,
					    .heads = SUBSET_ALL,
					    .weight = 1};
	*out = expr_print(&e, a);
	return true;
}

/* ---- expressions of earlier versions --------------------------------------------------------- */

static struct matrix *matrix_of(const struct expr_member *m)
{
	struct matrix *const p = m->param;
	return strcmp(m->scheme->id, "matrix") == 0 && *p->from ? p : NULL;
}

bool given_is_open(const struct expr *e)
{
	for (size_t i = 0; i < e->n; i++) {
		const struct matrix *const p = matrix_of(&e->members[i]);
		if (p && (p->as == AS_AUTO || p->keys == KEYS_AUTO))
			return true;
	}
	return false;
}

const char *given_bias_file(const struct expr *e)
{
	for (size_t i = 0; i < e->n; i++) {
		const struct matrix *const p = matrix_of(&e->members[i]);
		if (p && p->as == AS_BIAS)
			return p->from;
	}
	return NULL;
}

const char *given_same_file(const struct expr *e)
{
	for (size_t i = 0; i < e->n; i++) {
		const struct matrix *const p = matrix_of(&e->members[i]);
		if (p && p->keys == KEYS_SAME)
			return p->from;
	}
	return NULL;
}

static bool was_bias(const struct given_table *table, bool rounded, struct arena *a)
{
	const char *says;
	const enum given_rows rows = given_rows_are(table, a, &says);
	return rows == ROWS_SHORT || rows == ROWS_PER_CENT || (rounded && rows == ROWS_ROUNDED);
}

/* Determines what earlier versions made of a matrix: they refused one that is not square, and
 * used the columns' labels of a square one for its rows too. */
static bool take_earlier(struct matrix *p, bool rounded, struct arena *a)
{
	struct given_table table;
	struct tensor_set set;
	struct err err;
	tensor_set_init(&set, a);
	if (!given_table_read(&table, p->from, false, &set, &err) || table.rows != table.cols)
		return false;
	const size_t n = table.rows;
	const struct member m = {.key_labels = tensor_labels(&set, "axis.key", n),
				 .query_labels = tensor_labels(&set, "axis.query", n)};
	const bool bias = p->as == AS_AUTO && was_bias(&table, rounded, a);
	const bool same = rounded && p->keys == KEYS_AUTO && !bias && p->as != AS_BIAS &&
			  first_other_name(&m, n) < n;
	if (bias)
		p->as = AS_BIAS;
	if (same)
		p->keys = KEYS_SAME;
	return bias || same;
}

bool given_as_earlier(struct expr *e, bool rounded, struct arena *a)
{
	bool any = false;
	for (size_t i = 0; i < e->n; i++) {
		struct matrix *const p = matrix_of(&e->members[i]);
		any |= p && take_earlier(p, rounded, a);
	}
	return any;
}

static const struct param matrix_params[] = {
	PARAM_AT(
		struct matrix, from, from,
		"FILE or FILE:TENSOR, .npy .npz .csv .tsv .json .safetensors, of [n, n] for all heads, "
		"[heads, n, n] or [layers, heads, n, n], the last two [q, k] where keys are other "
		"tokens than queries; without one a sample of 16 positions is shown, that falls with "
		"distance, towards a first key that all look at"),
	CHOICE_PARAM(
		struct matrix, as, AS_AUTO, as_names,
		"added to the logits, in their place, or the weights, in per cent; auto: weights "
		"where rows sum to 1 but for the decimals that were dropped, else a bias; rows "
		"from 0 to 1 that sum to less are asked about"),
	CHOICE_PARAM(
		struct matrix, keys, KEYS_AUTO, keys_names,
		"the tokens of the queries, or others, which are looked at with two lists; auto: "
		"others where there are not as many, or a file names its rows otherwise than its "
		"columns"),
	{0},
};

#define BY_FILE "it follows from the numbers"

static const struct claim matrix_claims[] = {
	{CLAIM_RELATIVE, ANSWER_UNSAID, BY_FILE},
	{CLAIM_UNBOUNDED, ANSWER_NO, "as many positions as the matrix has"},
	{0},
};

const struct scheme scheme_given[] = {
	{
		.id = "matrix",
		.aliases = "given",
		.title = "A matrix of your own",
		.formula = "A_ts = q_t·k_s / √d_h + M_ts,  or  A = M,  or  α = M",
		.authors = "posviz",
		.cite = "numbers of your own; without from=FILE a sample of ours, made by hand",
		.about = about,
		.recipe = "with M = member.matrix.matrix.H, of a file with layers "
			  "layer.L.member.matrix.matrix.H: as a bias term.matrix is M; as logits "
			  "they are M and q and k are not used; as weights they are M, 0 where "
			  "masked, and there are no logits",
		.year = 2026,
		.ref = REF_ABSOLUTE,
		.inj = INJ_MATRIX,
		.flags = SCHEME_RECURRING | SCHEME_NOT_IN_SURVEY | SCHEME_YOURS,
		.evidence = EVIDENCE_OURS,
		.evidence_note = "the numbers are the file's; weights stay as given, whatever "
				 "their rows sum to",
		.claims = matrix_claims,
		.params = matrix_params,
		.param_size = sizeof(struct matrix),
		.hooks = {SHARED, .logits = matrix_logits, .matrices = 1},
		.load = matrix_load,
		.other_keys = matrix_other_keys,
		.reach = matrix_reach,
		.formula_of = matrix_formula,
		.about_of = matrix_about,
	},
	{0},
};
