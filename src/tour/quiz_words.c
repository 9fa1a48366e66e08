/* quiz_words.c: weights, and the question which sentence they belong to; and what becomes of them when the words are
 * turned round. */
#include <math.h>
#include <string.h>

#include "quiz_in.h"

static const char *lines_of(const struct maker *m, const char *sentence, const char *scheme,
			    const char *order)
{
	return arena_printf(m->a, "seed %llu\nsentence %s\nscheme %s\norder %s\n",
			    (unsigned long long)m->wish->seed, sentence, scheme, order);
}

/* ---- which sentence ---------------------------------------------------------------------------------- */

/* The deeper the level, the more a scheme lies over what the words do. */
static const char *const over_words[][3] = {{"none", "none", "none"},
					    {"none", "causal", "window"},
					    {"causal", "alibi", "rope+causal"},
					    {"alibi", "rope", "sinusoidal"}};

static bool take_sentence(struct maker *m, const char *scheme, const char *sentence,
			  const char **taken, size_t *n, double *nearest)
{
	const struct look *const l = maker_look(m, lines_of(m, sentence, scheme, "identity"));
	double first = INFINITY;
	for (size_t i = 0; i < *n; i++) {
		const struct look *const other =
			maker_look(m, lines_of(m, taken[i], scheme, "identity"));
		const double d = l && other ? look_apart(l, other, SEEN_WEIGHTS) : NAN;
		if (!(d >= quiz_least_weights) || !isfinite(d))
			return false;
		first = i == 0 ? d : first;
	}
	*nearest = fmin(*nearest, first);
	taken[(*n)++] = sentence;
	return l != NULL;
}

/* The places of each word that stands more than once, "1, 3, 5; 2, 4": that is what there is to see. */
static const char *why_words(const struct maker *m, const char *sentence)
{
	enum { MOST = 16 };
	char *at = arena_strdup(m->a, sentence), *words[MOST];
	size_t n = 0;
	struct strbuf b;
	strbuf_init(&b, m->a);
	for (char *word; (word = strsep(&at, " ")) != NULL && n < MOST;)
		words[n++] = word;
	for (size_t i = 0; i < n; i++) {
		bool said = false, before = false;
		for (size_t k = 0; k < n; k++) {
			const bool same = strcmp(words[k], words[i]) == 0;
			before |= same && k < i;
			if (!same || k <= i || before)
				continue;
			if (!said)
				strbuf_printf(&b, "%s%zu", b.len ? "; " : "", i + 1);
			said = true;
			strbuf_printf(&b, ", %zu", k + 1);
		}
	}
	return b.len ? b.at : NULL;
}

static void write_words(struct maker *m, const char *scheme, const char *const *taken, size_t n,
			double apart, struct question *out)
{
	struct arena *const a = m->a;
	const char *const why = why_words(m, taken[0]);
	*out = (struct question){
		.task = {.kind = QUIZ_WORDS,
			 .apart = apart,
			 .least = quiz_least_weights,
			 .n_names = n},
		.scene = arena_printf(a,
				      "sentence %s\nscheme %s\npanel weights\nunnamed words\n"
				      "focus weights\n",
				      taken[0], scheme),
		.reveal = "unnamed off\nfocus weights\n",
		.ask = arena_printf(a, "%s To which sentence do these attention weights belong?",
				    strcmp(scheme, "none") == 0
					    ? "There are no positions here."
					    : arena_printf(a, "The scheme is %s.", scheme)),
		.say = why ? arena_printf(
				     a,
				     "Equal words draw each other as they do themselves, as far as "
				     "positions and masks allow: the same word stands at positions %s.",
				     why)
			   : "No word stands here twice, so no cell off the diagonal is of two equal words.",
		.n_options = n,
		.about = arena_printf(a, "words %s", taken[0])};
	for (size_t i = 0; i < n; i++) {
		const char *const theirs = why_words(m, taken[i]);
		out->options[i] = out->task.names[i] = taken[i];
		if (i > 0)
			out->task.tells[i] =
				theirs ? arena_printf(a, "“%s” has the same word at positions %s.",
						      taken[i], theirs)
				       : arena_printf(a, "“%s” has no word twice.", taken[i]);
	}
	maker_shuffle(m, out);
}

bool draw_words(struct maker *m, struct question *out)
{
	const char *taken[TOUR_OPTIONS];
	size_t order[POOL_ALIKE], n = 0;
	double apart = INFINITY;
	const char *const *const of = pool_alike(rng_below(&m->rng, pool_alike_rows()));
	const long level = m->wish->level < QUIZ_VARIANTS ? m->wish->level : QUIZ_VARIANTS;
	const char *const scheme = over_words[level - 1][rng_below(&m->rng, 3)];
	for (size_t i = 0; i < POOL_ALIKE; i++)
		order[i] = i;
	rng_shuffle(&m->rng, order, POOL_ALIKE);
	for (size_t i = 0; i < POOL_ALIKE && n < TOUR_OPTIONS; i++)
		take_sentence(m, scheme, of[order[i]], taken, &n, &apart);
	if (n < TOUR_OPTIONS)
		return false;
	write_words(m, scheme, taken, n, apart, out);
	for (size_t i = 0; i < m->out->n; i++)
		if (strcmp(m->used[i], out->about) == 0)
			return false;
	return true;
}

/* ---- the other way round ----------------------------------------------------------------------------- */

enum fate { MOVE, STAY, CHANGE, FATES };
static const char *const fates[FATES][2] = {
	{"Each stays with its two words, unchanged", "moved"},
	{"The grid stays as it is, over other words", "stayed"},
	{"Neither: the weights themselves change", "changed"},
};

/* Schemes of which it is known what happens, and of which it is not. */
static const char *const turned[] = {"none",
				     "alibi",
				     "alibi(causal=off)",
				     "rope",
				     "causal",
				     "synth_random",
				     "learned",
				     "sinusoidal",
				     "window",
				     "t5",
				     "shaw",
				     "gauss(offsets=[-1])",
				     "tener",
				     "kerple_log(causal=off)",
				     "da"};

/* A look turned round: what stands at t, s stands at the other end. */
static struct look mirrored(const struct look *l, struct arena *a)
{
	struct look out = *l;
	const struct mat from = l->at[SEEN_WEIGHTS];
	struct mat to = mat_new(a, from.rows, from.cols);
	for (size_t t = 0; t < to.rows; t++)
		for (size_t s = 0; s < to.cols; s++)
			mat_row(to, t)[s] = mat_row(from, from.rows - 1 - t)[from.cols - 1 - s];
	out.at[SEEN_WEIGHTS] = to;
	return out;
}

/* Which it is, and how far it is from what it is not; FATES: it is between them. */
static enum fate fate_of(const struct look *before, const struct look *after, struct arena *a,
			 double *apart)
{
	const struct look moved = mirrored(before, a);
	const double move = look_apart(&moved, after, SEEN_WEIGHTS);
	const double stay = look_apart(before, after, SEEN_WEIGHTS);
	if (move < 1e-9 && stay >= quiz_least_weights)
		return *apart = stay, MOVE;
	if (stay < 1e-9 && move >= quiz_least_weights)
		return *apart = move, STAY;
	*apart = fmin(move, stay);
	return *apart >= quiz_least_weights ? CHANGE : FATES;
}

/* Says the fate that can be read off the two pictures, before and after. */
static const char *say_fate(enum fate fate, const char *scheme, struct arena *a)
{
	static const char *const seen[FATES] = {
		[MOVE] = "each pair of words has the weight that it had, in another cell.",
		[STAY] = "each cell has the weight that it had, for other words.",
		[CHANGE] =
			"there are pairs of words, and cells, that have another weight than before."};
	return arena_printf(a, "The weights of %s %s: %s", scheme, fates[fate][1], seen[fate]);
}

static void write_fate(struct maker *m, const char *scheme, const char *sentence, enum fate fate,
		       double apart, struct question *out)
{
	struct arena *const a = m->a;
	static const char *const tells[FATES] = {
		"There are pairs of words that have another weight than before.",
		"There are cells of the matrix that have another weight than before.",
		"No weight is new: each is where it was, or where its words are."};
	*out = (struct question){
		.task = {.kind = QUIZ_REVERSED,
			 .apart = apart,
			 .least = quiz_least_weights,
			 .n_names = FATES},
		.scene = arena_printf(a, "sentence %s\nscheme %s\npanel weights\nfocus weights\n",
				      sentence, scheme),
		.reveal = "order reverse\npanel all\nview order\nfocus shown\n",
		.ask = arena_printf(
			a,
			"%s: the words are reversed, the last one first. What becomes of the weights?",
			scheme),
		.say = say_fate(fate, scheme, a),
		.n_options = FATES,
		.about = arena_printf(a, "reversed %s", scheme)};
	for (size_t i = 0; i < FATES; i++) {
		const enum fate f = (enum fate)((fate + i) % FATES);
		out->options[i] = fates[f][0];
		out->task.names[i] = fates[f][1];
		out->task.tells[i] = i > 0 ? tells[f] : NULL;
	}
	maker_shuffle(m, out);
}

bool draw_reversed(struct maker *m, struct question *out)
{
	static const char *const short_ones[] = {"dog bites man", "she saw the dog",
						 "cats chase mice today",
						 "all that glitters is gold"};
	const char *const scheme = maker_pick(m, turned, sizeof turned / sizeof *turned);
	const char *const sentence =
		maker_pick(m, short_ones, sizeof short_ones / sizeof *short_ones);
	const struct look *const before = maker_look(m, lines_of(m, sentence, scheme, "identity"));
	const struct look *const after = maker_look(m, lines_of(m, sentence, scheme, "reverse"));
	double apart;
	for (size_t i = 0; i < m->out->n; i++)
		if (strncmp(m->used[i], "reversed", 8) == 0 && strcmp(m->used[i] + 9, scheme) == 0)
			return false;
	if (!before || !after)
		return false;
	const enum fate fate = fate_of(before, after, m->a, &apart);
	if (fate == FATES)
		return false;
	write_fate(m, scheme, sentence, fate, apart, out);
	return true;
}
