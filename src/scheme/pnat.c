/* pnat.c: positions that a decoder has to predict first (Bao et al. 2019).
 *
 *   X_t = U_t + P_{z_t},  P the sinusoids
 *
 * A non-autoregressive decoder gets all its inputs at once and predicts the order of its
 * outputs: a permutation z, which the user gives or pnat_find.c finds. */
#include <stdlib.h>

#include "posviz/model/stage.h"
#include "posviz/scheme/scheme.h"
#include "scheme/leaves.h"
#include "scheme/matching.h"
#include "scheme/pair_order.h"
#include "scheme/pnat.h"

enum { FEW = 12 }; /* number of words in a note */

static const char *const from_names[] = {"reorder",    "target",  "matrix",
					 "classifier", "pointer", NULL};
static const char *const match_names[] = {"code", "greedy", NULL};
static const char *const order_names[] = {"repair", "count", "sort", NULL};
static const char *const score_names[] = {"code", "tanh", NULL};

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
		     "from=classifier: relations reversed that contradict the others, then "
		     "counted; counted as they are; or sorted by them"),
	NUMBER_PARAM(struct pnat, depth, 2, 1, 8, 1,
		     "from=pointer: layers of the LSTM that reads the inputs"),
	CHOICE_PARAM(struct pnat, score, SCORE_CODE, score_names,
		     "from=pointer: v·(query + key), as the code, where the query adds the same to "
		     "all; or v·tanh(query + key), as pointer networks"),
	SINUSOID_PARAMS(SINUSOID_INTERLEAVED, SINUSOID_PAPER, 0),
	{0},
};

static bool pnat_check(const void *param, struct err *err)
{
	const struct pnat *p = param;
	const size_t side = pnat_side(p);
	if (*p->logits && p->from != FROM_CLASSIFIER)
		return err_set(err, "logits are read with from=classifier alone");
	return (side > 0 && side * side == p->similarity.n) ||
	       err_set(err,
		       "pnat: similarity has %zu numbers; a square, such as 9 for 3 tokens, would "
		       "be right",
		       p->similarity.n);
}

static bool pnat_declare(struct model *model, const struct member *m, struct err *err)
{
	const struct pnat *p = m->param;
	return p->given || leaves_declare(model, m, err);
}

/* Adds z as a column for other members, such as Shaw's vectors in the authors' code:
 * pnat+shaw(pos=z). */
static bool pnat_positions(struct run *run, const struct member *m, struct err *err)
{
	struct reordered z;
	const struct pnat_found *state;
	return pnat_find(run, m, &z, &state, err) &&
	       run_add_column(run, "z", reordered_positions(&z, run->arena), err);
}

static struct node *pnat_table(struct run *run, const struct member *m, struct err *err)
{
	const struct pnat *p = m->param;
	const double *positions = run_column(run, m, err);
	return positions ? sinusoid_node(run, positions, &p->sinusoid) : NULL;
}

/* Returns the words in the predicted order, and how it was found. */
static const char *found_text(struct run *run, const struct reordered *z,
			      const struct pnat_found *state)
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
			    "%s; of %zu relations %zu contradicted the others and were reversed"
			    "round",
			    text, z->tokens * (z->tokens - 1), state->turned);
}

/* X = U + P_z */
static bool pnat_embed(struct run *run, const struct member *m, struct err *err)
{
	struct reordered z;
	const struct pnat_found *state;
	if (!pnat_find(run, m, &z, &state, err))
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

/* z_t - z_s as the classifier predicts it for each pair, before an order is made from it. */
static void said_relation(struct run *run, const struct member *m, const struct reordered *z,
			  const struct pnat_found *state, struct relation *out)
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
	const struct pnat_found *state;
	if (!pnat_find(run, m, &z, &state, err))
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

const struct scheme scheme_pnat[] = {
	{
		.id = "pnat",
		.aliases = "position-nat bao",
		.title = "Predicted positions of a non-autoregressive decoder",
		.formula =
			"X_t = U_t + [sin(z_t ω_i), cos(z_t ω_i)],  z a permutation of 0, …, n−1",
		.authors = "Bao et al.",
		.cite = "@bao2019pnat",
		.about = "A decoder that says all words at once first decides in which order: "
			 "input t gets the position z_t. --reorder gives z, or inputs are matched "
			 "with words as the training does, or a network predicts it; other members "
			 "read it with pos=z.",
		.year = 2019,
		.topic = TOPIC_DECODER,
		.table2 = TABLE2_DECODER,
		.ref = REF_ABSOLUTE,
		.inj = INJ_EMBEDDING,
		.leaves = order_leaves,
		.flags = SCHEME_UNBOUNDED | SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "baoy-nlp/NAT-fairseq dbdd7ff: its matching and the order it "
				 "makes of relations are matched by number; the networks follow "
				 "its source, but read the inputs themselves, not encoded with "
				 "the source sentence; it moves the inputs where the survey moves "
				 "the positions",
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
