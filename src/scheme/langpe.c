/* langpe.c: a table of positions for each language (Artetxe et al. 2020).
 *
 *   X_t = U_t + P^{language}_t
 *
 * The language of a token is its segment, separated by "|||" in a sentence. */
#include <math.h>

#include "posviz/model/stage.h"
#include "scheme/leaves.h"
#include "scheme/sinusoid.h"

enum { ORDERS = 6 };

struct langpe {
	long languages, language;
	bool restart;
};

static const struct param langpe_params[] = {
	NUMBER_PARAM(struct langpe, languages, 2, 1, ORDERS, 1, "tables, one for each language"),
	NUMBER_PARAM(struct langpe, language, 1, 1, ORDERS, 1,
		     "language of the first segment, from 1; that of the second is the next"),
	SWITCH_PARAM(struct langpe, restart, true,
		     "every segment's positions begin where the first one's do"),
	{0},
};

static bool langpe_check(const void *param, struct err *err)
{
	const struct langpe *p = param;
	return p->language <= p->languages ||
	       err_set(err, "langpe: language=%ld, but languages=%ld", p->language, p->languages);
}

/* Rows l·t_max.. are those of language l: the sinusoid of the position that a row's word would
 * have in the first language, if every three rows are subject, verb and object. */
static void make_orders(struct mat at, const struct leaf_maker *of)
{
	static const size_t order[ORDERS][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
						{1, 2, 0}, {2, 1, 0}, {2, 0, 1}};
	const size_t t_max = of->model->config.t_max;
	for (size_t r = 0; r < at.rows; r++) {
		const size_t t = r % t_max, first = t - t % 3;
		const size_t whole = first + 3 <= t_max ? first + order[r / t_max][t % 3] : t;
		const double position = (double)whole;
		sinusoid_fill(mat_rows(at, r, 1), &position, SINUSOID_INTERLEAVED, SINUSOID_PAPER,
			      10000);
	}
}

/* The segments of the input, from 0. */
struct segments {
	size_t n;
	int32_t first[ORDERS]; /* the first position of each */
	int32_t least;	       /* the first of all */
};

static bool find_segments(struct run *run, const struct member *m, const int32_t *rows,
			  const double *segment, struct segments *out, struct err *err)
{
	const struct langpe *p = m->param;
	*out = (struct segments){.least = INT32_MAX};
	for (size_t i = 0; i < ORDERS; i++)
		out->first[i] = INT32_MAX;
	for (size_t t = 0; t < run->n; t++) {
		const double at = fmax(0, segment[t]);
		if (at + 1 > (double)p->languages)
			return err_set(
				err,
				"%s has tables for %ld language%s, and segment %.0f would be "
				"another's; raise languages (up to %d)",
				m->text, p->languages, p->languages == 1 ? "" : "s", at + 1,
				(int)ORDERS);
		const size_t k = (size_t)at;
		out->n = k + 1 > out->n ? k + 1 : out->n;
		out->first[k] = rows[t] < out->first[k] ? rows[t] : out->first[k];
		out->least = rows[t] < out->least ? rows[t] : out->least;
	}
	return true;
}

static bool langpe_embed(struct run *run, const struct member *m, struct err *err)
{
	const struct langpe *p = m->param;
	const size_t t_max = run->model->config.t_max;
	const int32_t *rows = run_rows(run, m, t_max, err);
	const double *segment = run_find_column(run, "segment");
	struct segments s;
	if (!rows || !find_segments(run, m, rows, segment, &s, err))
		return false;
	int32_t *at = arena_calloc(run->arena, run->n + 1, sizeof *at);
	for (size_t t = 0; t < run->n; t++) {
		const size_t k = (size_t)fmax(0, segment[t]);
		const size_t language = (k + (size_t)p->language - 1) % (size_t)p->languages;
		const int32_t back = p->restart ? s.first[k] - s.least : 0;
		at[t] = (int32_t)(language * t_max) + rows[t] - back;
	}
	run_add_part(run, "position",
		     tape_gather_rows(run->tape, run_leaf(run, m, "p"), at, run->n));
	if (s.n == 1 && p->languages > 1)
		run_note(run, m, "one segment, so one language; ||| in the sentence parts two");
	return true;
}

static const struct leaf_row langpe_leaves[] = {
	{"p", "languages t_max, d",
	 "row language t_max + t: added to the token vector at position t of a segment in that language",
	 .by_layer = ALL_LAYERS, .demo = {.make = make_orders}, .paper = {FILL_NORMAL, 0.02}},
	{0},
};

const struct scheme scheme_langpe[] = {
	{
		.id = "langpe",
		.aliases = "language-positions artetxe",
		.title = "Position embeddings of each language",
		.formula = "X_t = U_t + P^{lang}_t",
		.authors = "Artetxe et al.",
		.cite = "@artetxe2020crosslingual",
		.about =
			"The body of the model is one for all languages, token vectors and positions are "
			"each language's own: its table can undo its word order. ||| parts two "
			"languages; language=2 shows a sentence in the other one.",
		.year = 2020,
		.topic = TOPIC_CROSS,
		.table2 = TABLE2_CROSSLINGUAL,
		.ref = REF_ABSOLUTE,
		.inj = INJ_EMBEDDING,
		.leaves = langpe_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_PAPER,
		.evidence_note = "survey section 4.5 and the paper's abstract, which swaps tables; "
				 "two languages in one input, each beginning anew, are ours",
		.demo_note = "table 1 has sinusoids; the others the same rows in another word "
			     "order: by threes SVO, SOV, VSO, VOS, OVS, OSV",
		.sample = "sentence the cat chased the dog ||| der Hund fiel um",
		.segments_when = "1",
		.params = langpe_params,
		.param_size = sizeof(struct langpe),
		.hooks = {.declare = leaves_declare, .embed = langpe_embed},
		.check = langpe_check,
	},
	{0},
};
