/* pnat.c: positions that a decoder has to find first (Bao et al. 2019).
 *
 * A non-autoregressive decoder gets all its inputs at once and predicts in which order they are said:
 * a permutation z. Input i then has the position z_i; moving the inputs and adding plain sinusoids is
 * the same up to the order of rows. Where z comes from is another matter: from the user, from
 * matching the inputs with the words that they should become, or from a network that predicts it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "posviz/scheme.h"
#include "posviz/stage.h"
#include "posviz/tensor.h"
#include "posviz/text.h"
#include "scheme/leaves.h"
#include "scheme/matching.h"
#include "scheme/order_net.h"
#include "scheme/pair_order.h"
#include "scheme/reordered.h"
#include "scheme/sinusoid.h"

enum from { FROM_REORDER, FROM_TARGET, FROM_MATRIX, FROM_CLASSIFIER, FROM_POINTER };
static const char *const from_names[] = {"reorder",    "target",  "matrix",
					 "classifier", "pointer", NULL};
static const char *const match_names[] = {"code", "greedy", NULL};
static const char *const order_names[] = {"repair", "count", "sort", NULL};
enum { SCORE_CODE, SCORE_TANH };
static const char *const score_names[] = {"code", "tanh", NULL};

enum { FEW = 12 }; /* words in a note */

struct pnat {
	struct sinusoid_param sinusoid;
	struct param_list similarity;
	int from, match, order, score; /* enum from, enum matching, enum pair_order */
	long clip, depth;
	char logits[PARAM_FILE_MAX];
	const struct tensor *given; /* of pnat_load; NULL: the network says them */
};

static const struct param pnat_params[] = {
	CHOICE_PARAM(struct pnat, from, FROM_REORDER, from_names,
		     "where z is from: --reorder, a match with a target's words or by a matrix, or "
		     "a network"),
	CHOICE_PARAM(struct pnat, match, MATCHING_CODE, match_names,
		     "what a column compares: softmax weights of the rows, as the code, or raw "
		     "numbers"),
	LIST_PARAM(struct pnat, similarity, "[0.9,0.8,0.1,0.85,0.2,0.3,0.4,0.7,0.6]", -1e6, 1e6,
		   "from=matrix: similarities of input and word, row by row"),
	NUMBER_PARAM(struct pnat, clip, 4, 1, 64, 1,
		     "from=classifier: K, the farthest that two inputs are told apart; 2K classes"),
	PARAM_AT(struct pnat, logits, logits,
		 "from=classifier: FILE or FILE:TENSOR, [tokens, tokens, 2K], instead of the "
		 "network's"),
	CHOICE_PARAM(struct pnat, order, PAIR_ORDER_REPAIR, order_names,
		     "from=classifier: relations turned round that contradict the others, then "
		     "counted; counted as they are; or sorted by them"),
	NUMBER_PARAM(struct pnat, depth, 2, 1, 8, 1,
		     "from=pointer: layers of the LSTM that reads the inputs"),
	CHOICE_PARAM(struct pnat, score, SCORE_CODE, score_names,
		     "from=pointer: v·(query + key), as the code, where the query adds the same to "
		     "all; or v·tanh(query + key), as pointer networks"),
	SINUSOID_PARAMS(SINUSOID_INTERLEAVED, SINUSOID_PAPER, 0),
	{0},
};

static size_t side_of(const struct pnat *p)
{
	size_t side = 0;
	while (side * side < p->similarity.n)
		side++;
	return side;
}

static bool pnat_check(const void *param, struct err *err)
{
	const struct pnat *p = param;
	const size_t side = side_of(p);
	if (*p->logits && p->from != FROM_CLASSIFIER)
		return err_set(err, "logits are read with from=classifier alone");
	return (side > 0 && side * side == p->similarity.n) ||
	       err_set(err,
		       "pnat: similarity has %zu numbers; a square, such as 9 for 3 tokens, would "
		       "be right",
		       p->similarity.n);
}

/* Of each token as written with each. */
static bool pnat_load(void *param, struct arena *a, struct member *out, struct err *err)
{
	static const char *const usual[] = {"logits", "classifier.logits", "data", NULL};
	struct pnat *const p = param;
	const struct tensor *t;
	struct tensor_set set;
	if (*p->logits == '\0')
		return true;
	tensor_set_init(&set, a);
	if (!tensor_read_one(&set, p->logits, usual, &t, err) || !tensor_check_finite(t, err))
		return err_prefix(err, "%s: ", out->name);
	const char *const name = text_quote(a, p->logits, strlen(p->logits));
	if (t->dims != 3 || t->shape[0] != t->shape[1] || t->shape[0] == 0)
		return err_set(err,
			       "%s: %s has the shape %s; [tokens, tokens, 2 clip], so [n, n, %ld] "
			       "with clip=%ld, would be right",
			       out->name, name, tensor_shape_text(t, a), 2 * p->clip, p->clip);
	if (t->shape[2] != 2 * (size_t)p->clip)
		return err_set(err,
			       "%s: %s has %zu classes, and clip=%ld makes 2 clip of them: %ld",
			       out->name, name, t->shape[2], p->clip, 2 * p->clip);
	p->given = t;
	out->units = t->shape[0];
	return true;
}

static struct order_pointer pointer_of(const struct pnat *p)
{
	return (struct order_pointer){.depth = p->depth, .tanh = p->score == SCORE_TANH};
}

static bool pnat_declare(struct model *model, const struct member *m, struct err *err)
{
	const struct pnat *p = m->param;
	const struct order_pointer pointer = pointer_of(p);
	switch ((enum from)p->from) {
	case FROM_CLASSIFIER:
		return p->given || order_classifier_declare(model, m, p->clip, err);
	case FROM_POINTER:
		return order_pointer_declare(model, m, &pointer, err);
	default:
		return leaves_declare(model, m, err);
	}
}

/* ---- similarities ---------------------------------------------------------------------------- */

/* Rows divided by their length, so that products are cosines. */
static void normalise(struct mat m)
{
	for (size_t r = 0; r < m.rows; r++) {
		const double norm = mat_norm(mat_rows(m, r, 1));
		for (size_t j = 0; j < m.cols; j++)
			mat_row(m, r)[j] = norm > 0 && isfinite(norm) ? mat_row(m, r)[j] / norm : 0;
	}
}

/* What the predictor reads: the words, also where a probe stands in for them. */
static struct mat token_rows(struct run *run, const struct reordered *r)
{
	const struct model_input *in = run->in;
	const struct mat words = in->words.at ? in->words : in->units;
	const struct mat out = mat_zero(run->arena, r->tokens, words.cols);
	for (size_t i = 0; i < r->tokens; i++)
		for (size_t k = 0; k < in->axis.n; k++)
			if (in->axis.token[k] == run->queries->token[r->token[i]])
				mat_set(mat_rows(out, i, 1), mat_rows(words, k, 1));
	return out;
}

/* Cosines of the tokens with the first rows of the target. [tokens,tokens] */
static bool cosines(struct run *run, const struct member *m, const struct reordered *r,
		    struct mat *out, struct err *err)
{
	const size_t k = r->tokens, t_max = run->model->config.t_max;
	if (k > t_max)
		return err_set(err,
			       "%s matches %zu tokens with %zu words of the target; raise t-max",
			       m->text, k, t_max);
	const struct mat words = token_rows(run, r);
	const struct mat all = run_leaf(run, m, "target")->v;
	const struct mat target = mat_copy(run->arena, mat_rows(all, 0, k));
	normalise(words);
	normalise(target);
	*out = mat_new(run->arena, k, k);
	mat_mul(*out, 1, words, false, target, true, 0);
	return true;
}

/* The matrix given, for as many tokens as both it and the input have. */
static struct mat given_matrix(struct run *run, const struct member *m, const struct reordered *r)
{
	const struct pnat *p = m->param;
	const size_t side = side_of(p), k = side < r->tokens ? side : r->tokens;
	const struct mat out = mat_new(run->arena, k, k);
	for (size_t i = 0; i < k; i++)
		for (size_t j = 0; j < k; j++)
			mat_row(out, i)[j] = p->similarity.at[i * side + j];
	if (side != r->tokens)
		run_note(run, m,
			 arena_printf(run->arena,
				      "the matrix is for %zu tokens, and here are %zu: %s", side,
				      r->tokens,
				      side < r->tokens ? "the others keep their places"
						       : "a corner of it is used"));
	return out;
}

/* ---- z --------------------------------------------------------------------------------------- */

/* What is found once for all stages; where the tokens stand by then is asked anew. */
struct pnat_state {
	size_t *rank;	     /* [tokens] */
	const int32_t *said; /* [tokens²] from=classifier: z_i - z_j as predicted, or NULL */
	size_t turned;	     /* of these, how many signs the repair turned round */
};

static bool match(struct run *run, const struct member *m, const struct reordered *z,
		  struct pnat_state *out, struct err *err)
{
	const struct pnat *p = m->param;
	struct mat c;
	if (p->from == FROM_MATRIX)
		c = given_matrix(run, m, z);
	else if (!cosines(run, m, z, &c, err))
		return false;
	for (size_t i = 0; i < z->tokens; i++)
		out->rank[i] = i;
	matching_find(c, (enum matching)p->match, run->arena, out->rank);
	return true;
}

static int8_t sign_of(int32_t x)
{
	return (int8_t)((x > 0) - (x < 0));
}

/* Where each token was written: what is given of it moves with it. */
static const size_t *places_of(const struct run *run, const struct reordered *z)
{
	size_t *const at = arena_calloc(run->arena, z->tokens + 1, sizeof *at);
	for (size_t i = 0; i < z->tokens; i++)
		at[i] = (size_t)run->queries->token[z->token[i]];
	return at;
}

/* As order_classifier_run, of logits that are given. */
static const int32_t *said_by_given(struct run *run, const struct member *m,
				    const struct reordered *z, struct err *err)
{
	const struct pnat *const p = m->param;
	const size_t n = z->tokens, all = p->given->shape[0], classes = 2 * (size_t)p->clip;
	const size_t *const place = places_of(run, z);
	int32_t *const at = arena_calloc(run->arena, n * n + 1, sizeof *at);
	double *const pair = arena_calloc(run->arena, 2 * classes, sizeof *pair);
	for (size_t i = 0; i < n; i++)
		if (place[i] >= all) {
			err_set(err, "%s: the logits are for %zu tokens, and this is number %zu",
				m->text, all, place[i] + 1);
			return NULL;
		}
	for (size_t i = 0; i < n; i++)
		for (size_t j = i + 1; j < n; j++) {
			const double *const there =
				p->given->at + (place[i] * all + place[j]) * classes;
			const double *const back =
				p->given->at + (place[j] * all + place[i]) * classes;
			memcpy(pair, there, classes * sizeof *pair);
			memcpy(pair + classes, back, classes * sizeof *pair);
			order_mirror(pair, pair + classes, p->clip);
			at[i * n + j] = order_class(pair, p->clip);
			at[j * n + i] = order_class(pair + classes, p->clip);
		}
	return at;
}

static bool classify(struct run *run, const struct member *m, const struct reordered *z,
		     struct pnat_state *out, struct err *err)
{
	const struct pnat *p = m->param;
	const size_t n = z->tokens;
	const int32_t *said =
		p->given ? said_by_given(run, m, z, err)
			 : order_classifier_run(run, m, p->clip, token_rows(run, z), err);
	if (!said)
		return false;
	int8_t *sign = arena_calloc(run->arena, n * n + 1, sizeof *sign);
	for (size_t i = 0; i < n * n; i++)
		sign[i] = sign_of(said[i]);
	pair_order_find(sign, n, (enum pair_order)p->order, run->arena, out->rank);
	for (size_t i = 0; i < n * n; i++)
		out->turned += sign[i] != sign_of(said[i]);
	out->said = said;
	return true;
}

static bool find_rank(struct run *run, const struct member *m, const struct reordered *z,
		      struct pnat_state *out, struct err *err)
{
	const struct pnat *p = m->param;
	const struct order_pointer pointer = pointer_of(p);
	out->rank = arena_calloc(run->arena, z->tokens + 1, sizeof *out->rank);
	if (p->from == FROM_CLASSIFIER)
		return classify(run, m, z, out, err);
	if (p->from == FROM_POINTER)
		return order_pointer_run(run, m, &pointer, token_rows(run, z), out->rank, err);
	return match(run, m, z, out, err);
}

/* *state: NULL where the order is given. */
static bool find_order(struct run *run, const struct member *m, struct reordered *z,
		       const struct pnat_state **state, struct err *err)
{
	const struct pnat *p = m->param;
	*state = NULL;
	if (p->from == FROM_REORDER)
		return reordered_given(run, m, z, err);
	if (!reordered_begin(run, m, z, err))
		return false;
	if (!run_kept(run, m) &&
	    !find_rank(run, m, z, run_state(run, m, sizeof(struct pnat_state)), err))
		return false;
	*state = run_kept(run, m);
	reordered_move(z, run->arena, (*state)->rank);
	z->given = true;
	return true;
}

/* ---- what is made of it ---------------------------------------------------------------------- */

/* For members that read z too, as Shaw's vectors in the authors' code: pnat+shaw(pos=z). */
static bool pnat_positions(struct run *run, const struct member *m, struct err *err)
{
	struct reordered z;
	const struct pnat_state *state;
	return find_order(run, m, &z, &state, err) &&
	       run_add_column(run, "z", reordered_positions(&z, run->arena), err);
}

static struct node *pnat_table(struct run *run, const struct member *m, struct err *err)
{
	const struct pnat *p = m->param;
	const double *positions = run_column(run, m, err);
	return positions ? sinusoid_node(run, positions, &p->sinusoid) : NULL;
}

/* The words as they will be said, and what it took. */
static const char *found_text(struct run *run, const struct reordered *z,
			      const struct pnat_state *state)
{
	const char **said = arena_calloc(run->arena, z->tokens + 1, sizeof *said), *text = "";
	for (size_t i = 0; i < z->tokens; i++)
		said[z->rank[i]] = run->queries->labels[z->token[i]];
	for (size_t k = 0; k < z->tokens && k < FEW; k++)
		text = arena_printf(run->arena, "%s %s", text, said[k]);
	text = arena_printf(run->arena, "the order found:%s%s", text, z->tokens > FEW ? " …" : "");
	if (state->turned == 0)
		return text;
	return arena_printf(run->arena,
			    "%s; of %zu relations %zu contradicted the others and were turned "
			    "round",
			    text, z->tokens * (z->tokens - 1), state->turned);
}

/* X = U + P_z */
static bool pnat_embed(struct run *run, const struct member *m, struct err *err)
{
	struct reordered z;
	const struct pnat_state *state;
	if (!find_order(run, m, &z, &state, err))
		return false;
	struct node *table = run_cached(run, m, "table", false, pnat_table, err);
	if (!table)
		return false;
	run_add_part(run, "position", reordered_rows(run->tape, &z, table));
	if (!z.given)
		run_note(run, m, "no re-ordering is given: z is the identity; --reorder gives one");
	if (state)
		run_note(run, m, found_text(run, &z, state));
	return true;
}

static const char *says_apart(const struct relation *r, int32_t value,
			      const struct relation_cell *at, struct arena *a)
{
	(void)at;
	if (value == RELATION_NO_PATH)
		return "no token";
	if (value == 0)
		return "the token itself";
	return arena_printf(a, "the query %d%s %s", abs(value),
			    abs(value) == r->limit ? " or more" : "",
			    value > 0 ? "later" : "earlier");
}

/* z_t - z_s as the classifier has it for each pair by itself, before an order is made of it. */
static void said_relation(struct run *run, const struct member *m, const struct reordered *z,
			  const struct pnat_state *state, struct relation *out)
{
	const struct pnat *p = m->param;
	int32_t *at = arena_calloc(run->arena, z->n * z->n + 1, sizeof *at);
	for (size_t i = 0; i < z->n * z->n; i++)
		at[i] = RELATION_NO_PATH;
	for (size_t i = 0; i < z->tokens; i++)
		for (size_t j = 0; j < z->tokens; j++)
			at[(size_t)z->token[i] * z->n + (size_t)z->token[j]] =
				state->said[i * z->tokens + j];
	*out = (struct relation){.title = "z_t − z_s as predicted of each pair",
				 .n = z->n,
				 .at = at,
				 .says = says_apart,
				 .limit = (int32_t)p->clip,
				 .note = found_text(run, z, state)};
}

static bool pnat_relation(struct run *run, const struct member *m, struct relation *out,
			  struct err *err)
{
	struct reordered z;
	const struct pnat_state *state;
	if (!find_order(run, m, &z, &state, err))
		return false;
	if (state && state->said)
		said_relation(run, m, &z, state, out);
	else
		reordered_relation(&z, run->arena, out);
	return true;
}

static const struct claim pnat_claims[] = {
	{CLAIM_LEARNABLE, ANSWER_UNSAID,
	 "the network is learned, but apart, from the order that matching finds: what it chooses "
	 "is discrete and no gradient passes it",
	 "from == classifier || from == pointer"},
	{CLAIM_LEARNABLE, ANSWER_UNSAID,
	 "the words that inputs are matched with have vectors, but no gradient passes the match",
	 "from == target"},
	{CLAIM_UNBOUNDED, ANSWER_NO, "the target that inputs are matched with has t-max words",
	 "from == target"},
	{0},
};

static const struct leaf_row pnat_leaves[] = {
	{"target", "t_max, d", "row i: the word that stands at place i of the target",
	 .by_layer = ALL_LAYERS, .when = "from == target", .demo = {FILL_NORMAL, 1},
	 .paper = {FILL_NORMAL, 1}},
	{"fc1", "d, d_f", "classifier: from the input to the hidden layer"},
	{"fc1_bias", "1, d_f", "classifier: added in the hidden layer", .spare = true},
	{"fc2", "d_f, d", "classifier: from the hidden layer back to d"},
	{"fc2_bias", "1, d", "classifier: added to that", .spare = true},
	{"norm", "1, d", "classifier: LayerNorm, multiplies"},
	{"norm_bias", "1, d", "classifier: LayerNorm, added"},
	{"classes", "d, 2 clip", "classifier: to the classes of relative positions"},
	{"classes_bias", "1, 2 clip", "classifier: added to the classes", .spare = true},
	{"encoder_ih_*", NULL,
	 "pointer: LSTM that reads, one layer: from the input to its gates i, f, g, o; a row for "
	 "each output"},
	{"encoder_hh_*", "4 d_f, d_f", "pointer: LSTM that reads: from its state to the gates"},
	{"encoder_bias_ih_*", "1, 4 d_f",
	 "pointer: LSTM that reads: added to what encoder_ih gives", .spare = true},
	{"encoder_bias_hh_*", "1, 4 d_f",
	 "pointer: LSTM that reads: added to what encoder_hh gives", .spare = true},
	{"start", "1, d", "pointer: the first input of the LSTM that points"},
	{"decoder_ih", "4 d_f, d",
	 "pointer: LSTM that points: from the input to its gates; a row for each output"},
	{"decoder_hh", "4 d_f, d_f", "pointer: LSTM that points: from its state to the gates"},
	{"decoder_bias_ih", "1, 4 d_f", "pointer: added to what decoder_ih gives", .spare = true},
	{"decoder_bias_hh", "1, 4 d_f", "pointer: added to what decoder_hh gives", .spare = true},
	{"out", "2 d_f, d_f", "pointer: from state and context to what points"},
	{"out_bias", "1, d_f", "pointer: added to that", .spare = true},
	{"query", "d_f, d_f", "pointer: from what points to queries"},
	{"query_bias", "1, d_f", "pointer: added to queries", .spare = true},
	{"key", "d_f, d_f", "pointer: from what was read to keys"},
	{"key_bias", "1, d_f", "pointer: added to keys", .spare = true},
	{"score", "d_f, 1", "pointer: from the hidden layer to the score of a key"},
	{0},
};

const struct scheme scheme_pnat[] = {
	{
		.id = "pnat",
		.aliases = "position-nat bao",
		.title = "Predicted positions of a non-autoregressive decoder",
		.formula =
			"X_t = U_t + [sin(z_t ω_i), cos(z_t ω_i)],  z a permutation of 0, …, n−1",
		.authors = "Bao et al.",
		.cite = "Bao, Zhou, Feng, Wang, Huang, Chen, Li: Non-autoregressive Transformer by "
			"position learning. arXiv 1911.10677, 2019",
		.about = "A decoder that says all words at once first decides in which order: "
			 "input t gets the position z_t. --reorder gives z; from=target or matrix "
			 "match inputs with words as the training does, from=classifier or pointer "
			 "predict it from the inputs; other members read it with pos=z.",
		.year = 2019,
		.topic = TOPIC_DECODER,
		.table2 = TABLE2_DECODER,
		.ref = REF_ABSOLUTE,
		.inj = INJ_EMBEDDING,
		.leaves = pnat_leaves,
		.flags = SCHEME_UNBOUNDED | SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "baoy-nlp/NAT-fairseq dbdd7ff: its matching, and the order it "
				 "makes of relations, are matched by number; the networks follow "
				 "its source, but read the inputs themselves: what encodes them "
				 "there with the source sentence is left out; it moves the inputs "
				 "where the survey moves the positions",
		.demo_note = "classifier and pointer order words along one direction, every second "
			     "column of their vectors against its neighbour; from=target's words "
			     "are drawn from N(0,1), so z is a random order",
		.claims = pnat_claims,
		.sample = "reorder 2 4 1 3 6 5 8 7",
		.params = pnat_params,
		.param_size = sizeof(struct pnat),
		.hooks = {.declare = pnat_declare,
			  .relation = pnat_relation,
			  .positions = pnat_positions,
			  .embed = pnat_embed},
		.check = pnat_check,
		.load = pnat_load,
	},
	{0},
};
