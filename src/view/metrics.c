/* metrics.c: the view Metrics: properties of the bias, of the weights, and of the weights for a
 * repeated word; the information in the position vectors; and a task in which one word is moved. */
#include "posviz/base/fixed.h"
#include "posviz/analysis/metrics.h"

#include <math.h>
#include <string.h>

#include "posviz/base/num.h"
#include "posviz/base/strbuf.h"
#include "view_in.h"

enum { WORDS = 32, MOST_WORDS = 64, MOST_WORDS_OF_A_FILE = 512, PLACES = 128 };

/* The matrices that are measured. */
enum measured_of { OF_BIAS, OF_WEIGHTS, OF_REPEATED, COLUMNS };
static const char *const column_names[COLUMNS] = {"bias", "weights", "repeated"};

struct kept {
	double value[METRIC_COUNT][COLUMNS]; /* NaN: not defined */
	struct mat repeated;		     /* mean weights of a repeated word; at NULL: `why` */
	const char *why;
	const char *inserted; /* what a scheme inserts as its first row: "[VNode]"; or NULL */
	size_t places, width; /* size of the position vectors that are probed */
	struct probe place, pair;
	struct reordering move;
	/* The rows that were read, if they are a sample; or NULL. */
	const char *part;
};

static unsigned metrics_wants(const struct scene *scene)
{
	(void)scene;
	return WANT_BIAS | WANT_WEIGHTS | WANT_MASK | WANT_POSITION;
}

/* ---- further evaluations --------------------------------------------------------------------- */

/* Returns a setup with the scheme on the given words, without everything else that can be given
 * with a sentence. */
static struct setup plain_setup(const struct view_data *d, const char *sentence)
{
	struct setup s = d->scene->setup;
	s.sentence = sentence;
	s.file = s.conllu = s.governors = s.tree = s.graph = "";
	s.reorder = s.translation = s.alignment = s.units = "";
	s.order = "identity";
	s.position_ids = s.segments = s.compare = "none";
	s.memory_tokens = 0;
	s.tokens = TOKENS_WORDS;
	s.special = "none";
	return s;
}

static const char *repeated(const char *word, size_t n, struct arena *a)
{
	struct strbuf b;
	strbuf_init(&b, a);
	for (size_t i = 0; i < n; i++)
		strbuf_printf(&b, "%s%s", i ? " " : "", word);
	return b.at;
}

static bool run(const struct view_data *d, const struct setup *setup, const struct want *want,
		struct arena *a, struct built **b, struct trace *trace, struct err *err)
{
	*b = arena_calloc(a, 1, sizeof **b);
	return setup_build(setup, a, *b, err) &&
	       built_run(*b, &(*b)->model_input, want, d->cache, d->watch, a, trace, err);
}

/* Adds the weights of the shown head in layer 1 for one word, repeated n times. */
static bool add_word(const struct view_data *d, size_t word, size_t n, struct kept *k,
		     struct arena *a, struct err *err)
{
	struct arena scratch;
	struct built *b;
	struct trace trace;
	arena_init(&scratch);
	struct setup setup =
		plain_setup(d, repeated(arena_printf(&scratch, "word%zu", word), n, &scratch));
	const struct scene scene = {.setup = setup, .head = d->scene->head, .layer = 1};
	const struct want want = {.kinds = WANT_WEIGHTS | WANT_MASK,
				  .head = view_wanted(scene.head, d->built->model.config.heads)};
	bool ok = run(d, &setup, &want, &scratch, &b, &trace, err);
	if (ok) {
		const struct mat w =
			view_shown(&scene, b->model.config.heads, &trace, &scratch)->weights;
		ok = w.at && (!k->repeated.at ||
			      (w.rows == k->repeated.rows && w.cols == k->repeated.cols));
		if (ok && !k->repeated.at) {
			k->repeated = mat_zero(a, w.rows, w.cols);
			if (trace.query.n > 0 && trace.query.token[0] < 0)
				k->inserted = arena_strdup(a, trace.query.names[0]);
		}
		for (size_t i = 0; ok && i < w.rows * w.cols; i++)
			k->repeated.at[i] += mat_row(w, i / w.cols)[i % w.cols] / WORDS;
		if (!ok)
			err_set(err, "its weights are not of these words");
	}
	arena_release(&scratch);
	return ok;
}

/* Returns the only length at which files of the expression can be run; 0: any length. */
static size_t units_of_file(const struct built *b)
{
	for (size_t i = 0; i < b->n_members; i++)
		if (b->members[i].units > 0)
			return b->members[i].units;
	return 0;
}

static void repeat_words(const struct view_data *d, struct kept *k, struct arena *a)
{
	const size_t of_file = units_of_file(d->built);
	const size_t here = d->trace->query.n < MOST_WORDS ? d->trace->query.n : MOST_WORDS;
	size_t n = of_file > 0 ? of_file : here;
	struct err err = {""};
	if (of_file > MOST_WORDS_OF_A_FILE) {
		k->why = arena_printf(
			a, "a word is repeated %d times at most, and the file is for %zu tokens",
			MOST_WORDS_OF_A_FILE, of_file);
		return;
	}
	for (size_t i = 0; i < WORDS; i++) {
		if (d->watch && watch_cancelled(d->watch))
			return;
		bool ok = add_word(d, i, n, k, a, &err);
		const size_t more = ok && i == 0 && k->repeated.rows > n ? k->repeated.rows - n : 0;
		if (more > 0 && of_file == 0 && more < n) {
			/* The rows include the tokens that the scheme inserts; none is added for them. */
			n -= more;
			k->repeated = (struct mat){0};
			ok = add_word(d, i, n, k, a, &err);
		}
		if (ok)
			continue;
		k->repeated = (struct mat){0};
		k->why = arena_printf(a, "a repeated word cannot be run: %s", err.text);
		return;
	}
}

/* Measures the probes on the vectors of as many positions as they need, however long the
 * sentence is. */
static void probe_vectors(const struct view_data *d, struct kept *k, struct arena *a)
{
	struct arena scratch;
	struct built *b;
	struct trace trace;
	struct err err = {""};
	arena_init(&scratch);
	const size_t t_max = d->built->model.config.t_max, of_file = units_of_file(d->built);
	const size_t n = of_file > 0 ? of_file : t_max < PLACES ? t_max : PLACES;
	const struct setup setup = plain_setup(d, repeated("word", n, &scratch));
	const struct want want = {.kinds = WANT_POSITION};
	const uint64_t seed = d->scene->setup.seed;
	k->place = k->pair = (struct probe){.error = NAN, .chance = NAN};
	if (!d->trace->position_vectors.at)
		k->place.why = "it adds no vectors to the token vectors";
	else if (!run(d, &setup, &want, &scratch, &b, &trace, &err))
		k->place.why = arena_strdup(a, err.text);
	else if (!trace.position_vectors.at)
		k->place.why = "its vectors are not those of positions";
	k->pair.why = k->place.why;
	if (!k->place.why) {
		k->places = trace.position_vectors.rows;
		k->width = trace.position_vectors.cols;
		probe_place(trace.position_vectors, seed, a, &k->place);
		probe_pair(trace.position_vectors, seed, a, &k->pair);
	}
	arena_release(&scratch);
}

/* ---- numbers --------------------------------------------------------------------------------- */

static void measure(struct metric_of of, enum measured_of column, struct kept *k)
{
	for (size_t i = 0; i < METRIC_COUNT; i++)
		if (of.m.at && (column != OF_BIAS || !metrics[i].of_weights))
			k->value[i][column] = metrics[i].measure(&of);
}

/* Returns the distances s−t of a matrix over words alone, with nothing inserted. */
static const int32_t *plain_distances(size_t rows, size_t cols, struct arena *a)
{
	int32_t *const out = arena_calloc(a, rows * cols + 1, sizeof *out);
	for (size_t i = 0; i < rows * cols; i++)
		out[i] = (int32_t)(i % cols) - (int32_t)(i / cols);
	return out;
}

static bool fits(const struct view_data *d, struct mat m)
{
	return m.at && m.rows == d->trace->query.n && m.cols == d->trace->key.n;
}

static const void *metrics_keep(const struct view_data *d, struct arena *a)
{
	struct kept *const k = arena_calloc(a, 1, sizeof *k);
	const struct trace_head *const first = &d->trace->layers[0].heads[view_head(d)];
	const struct trace_head *const head = &d->trace->layers[view_layer(d)].heads[view_head(d)];
	const uint64_t seed = d->scene->setup.seed;
	struct arena scratch;
	arena_init(&scratch);
	for (size_t i = 0; i < METRIC_COUNT; i++)
		for (size_t c = 0; c < COLUMNS; c++)
			k->value[i][c] = NAN;
	const int32_t *const distance = split_distances(d->trace, &scratch);
	if (fits(d, first->bias) && !d->trace->bias_absent && !d->trace->bias_is_mask)
		measure((struct metric_of){first->bias, first->mask, distance, seed}, OF_BIAS, k);
	if (fits(d, head->weights))
		measure((struct metric_of){head->weights, head->mask, distance, seed}, OF_WEIGHTS,
			k);
	repeat_words(d, k, a);
	if (k->repeated.at)
		measure((struct metric_of){k->repeated, NULL,
					   plain_distances(k->repeated.rows, k->repeated.cols,
							   &scratch),
					   seed},
			OF_REPEATED, k);
	arena_release(&scratch);
	probe_vectors(d, k, a);
	if (d->built->input.moving >= 2)
		k->move = reorder_draw(d->built->input.moving, seed);
	const struct row_sample rows = sample_rows(d->trace->query.n, SAMPLE_ROWS, seed, a);
	k->part = sample_show(&rows, a);
	return k;
}

/* ---- panels ---------------------------------------------------------------------------------- */

/* Formats with three decimals from −1 to 1, with three digits beyond. */
static const char *digits(double value, struct arena *a)
{
	char text[32];
	if (isnan(value))
		return "–";
	if (isinf(value))
		return value < 0 ? "−∞" : "∞";
	if (fabs(value) < 1e-12)
		return "0";
	if (fabs(value) <= 1)
		return fixed_text(a, value, 3, false);
	num_show(text, sizeof text, fabs(value), 3);
	return arena_printf(a, "%s%s", value < 0 ? "−" : "", text);
}

enum { TABLE_COLS = COLUMNS + 2 };

static void numbers_panel(const struct kept *k, struct arena *a, struct panel *p)
{
	static const char *const head[TABLE_COLS] = {"metric", "bias", "sentence", "1 word",
						     "1 would be"};
	static const bool right[TABLE_COLS] = {false, true, true, true, false};
	static const unsigned char priority[TABLE_COLS] = {0, 3, 2, 0, 1};
	const char **const cells = arena_calloc(a, TABLE_COLS * METRIC_COUNT, sizeof *cells);
	for (size_t i = 0; i < METRIC_COUNT; i++) {
		const char **const row = cells + TABLE_COLS * i;
		row[0] = metrics[i].title;
		for (size_t c = 0; c < COLUMNS; c++)
			row[1 + c] = c == OF_BIAS && metrics[i].of_weights
					     ? ""
					     : digits(k->value[i][c], a);
		row[1 + COLUMNS] = metrics[i].brief;
	}
	*p = (struct panel){
		.kind = PANEL_TABLE,
		.name = "numbers",
		.title = "Metrics of these weights",
		.note = k->part,
		.subtitle =
			"1 word: of the weights when every position has the same word; sentence: of "
			"the weights of your sentence; bias: of what positions add to its logits",
		.table = {.rows = METRIC_COUNT,
			  .cols = TABLE_COLS,
			  .head = head,
			  .cells = cells,
			  .right = right,
			  .priority = priority,
			  .legend =
				  "1 word: of the weights when every position has the same word; "
				  "sentence: of the weights of yours; bias: of what positions add "
				  "to its logits",
			  .from_top = true}};
}

/* Returns whether every query gives all keys that it sees the same weight. */
static bool is_even(struct mat w)
{
	static const double same = 1e-9;
	for (size_t t = 0; t < w.rows; t++) {
		double seen = 0;
		for (size_t s = 0; s < w.cols; s++) {
			const double x = mat_row(w, t)[s];
			if (x > 0 && seen > 0 && fabs(x - seen) > same)
				return false;
			seen = x > 0 ? x : seen;
		}
	}
	return true;
}

static void repeated_panel(const struct view_data *d, const struct kept *k, struct arena *a,
			   struct panel *p)
{
	*p = (struct panel){
		.kind = PANEL_HEATMAP,
		.name = "repeated",
		.title = "Weights, one word everywhere",
		.brief_title = "One word everywhere",
		.note = k->inserted
				? arena_printf(a, "mean of %d words; 1 is %s", WORDS, k->inserted)
				: arena_printf(a, "mean of %d words, layer 1", WORDS),
		.short_note = k->inserted ? arena_printf(a, "1 is %s", k->inserted) : "layer 1",
		.subtitle =
			arena_printf(a,
				     "attention weights where every position has the same word, "
				     "so that only positions differ: mean of %d words",
				     WORDS),
		.absent = k->repeated.at ? NULL
			  : k->why	 ? k->why
					 : "it was not run"};
	if (!k->repeated.at)
		return;
	/* Up to the largest weight, as those of a word among equals are all small; from 0, or from the least where
	 * that would leave them one colour. */
	double most = 0, least = INFINITY;
	for (size_t i = 0; i < k->repeated.rows * k->repeated.cols; i++) {
		const double x = mat_row(k->repeated, i / k->repeated.cols)[i % k->repeated.cols];
		most = fmax(most, x);
		least = fmin(least, x);
	}
	const bool narrow = least * 2 > most && !is_even(k->repeated);
	const struct paint paint = {.ranged = true,
				    .lo = narrow ? least : 0,
				    .hi = most > 0 ? most : 1,
				    .weights = true,
				    .own = true,
				    .more_of = "attention"};
	view_heatmap(d, k->repeated, &paint, a, p);
	p->heatmap.row_labels = p->heatmap.col_labels = NULL;
	p->heatmap.row_title = "position t";
	p->heatmap.col_title = "position s";
	p->heatmap.no_cursor = true;
	p->heatmap.linear = least * 4 > most;
}

/* Returns what a model is asked about a word that was moved. */
static const char *task_words(const struct reordering *r, size_t n, struct arena *a)
{
	const char *const stood = r->original < n
					  ? arena_printf(a, "before word %zu", r->original + 1)
					  : "at the end";
	return arena_printf(a,
			    "a task for models (Yang et al. 2019): which word was moved (%zu), and "
			    "where it stood (%s); guessing finds 1 of %zu",
			    r->inserted + 1, stood, n);
}

/* Fills the panel with the sentence as it is, and with one word moved. */
static void reorder_panel(const struct view_data *d, const struct kept *k, struct arena *a,
			  struct panel *p)
{
	const size_t n = d->built->input.moving;
	*p = (struct panel){
		.kind = PANEL_LINKS,
		.name = "reorder",
		.title = "A task for models: one word was moved; which, and from where?",
		.brief_title = "Which word was moved?",
		.paper_title = "One word moved",
		.no_cursor = true,
		.note = arena_printf(a, "seed %llu", (unsigned long long)d->scene->setup.seed),
		.subtitle = task_words(&k->move, n, a),
		.absent = n < 2 ? "a single word cannot be moved" : NULL};
	if (n < 2)
		return;
	const char **const above = arena_calloc(a, n, sizeof *above);
	const char **const below = arena_calloc(a, n, sizeof *below);
	struct link *const links = arena_calloc(a, n, sizeof *links);
	size_t *const order = arena_calloc(a, n, sizeof *order);
	size_t at = 0;
	for (size_t i = 0; i < d->trace->query.n && at < n; i++)
		if (d->trace->query.token[i] >= 0)
			above[at++] = d->trace->query.names[i];
	for (; at < n; at++)
		above[at] = "";
	reorder_apply(&k->move, n, order);
	for (size_t i = 0; i < n; i++) {
		below[i] = above[order[i]];
		links[i] = (struct link){order[i], i, i == k->move.to};
	}
	p->links = (struct links){.n_above = n,
				  .n_below = n,
				  .n = n,
				  .above = above,
				  .below = below,
				  .above_title = "here",
				  .below_title = "moved",
				  .links = links};
}

/* An error that is hardly below that of guessing is said to be none that is read. */
static void say_probe(const struct probe *p, const char *key, const char *read, const char *said,
		      struct card *card)
{
	static const double hardly = 0.95;
	if (p->why)
		card_add(card, key, "n/a", p->why);
	else
		card_add(card, key, p->error > hardly * p->chance ? "cannot be read" : read, said);
}

static void card_panel(const struct kept *k, struct arena *a, struct panel *p)
{
	*p = (struct panel){.name = "probes",
			    .title = "Can positions be read from the vectors?",
			    .brief_title = "Positions in the vectors",
			    .paper_title = "Can positions be read from the vectors?"};
	struct card *const card = card_new(p, a);
	card->about =
		"Linear models read what is added to the token vectors at each position; they "
		"are asked for positions that they never saw (five folds, mean error).";
	if (k->place.why && k->place.why == k->pair.why) {
		card_add(card, "vectors", "none to read", k->place.why);
		card->said = arena_printf(a, "none: %s", k->place.why);
		return;
	}
	if (!k->place.why)
		card->said = arena_printf(a, "read with an error of %s of %zu, %s by guessing",
					  digits(k->place.error, a), k->places,
					  digits(k->place.chance, a));
	say_probe(&k->place, "position",
		  arena_printf(a, "off by %s position%s", digits(k->place.error, a),
			       k->place.error > 1 || k->place.error < 1 ? "s" : ""),
		  arena_printf(a, "error %s of %zu positions, %s by guessing",
			       digits(k->place.error, a), k->places, digits(k->place.chance, a)),
		  card);
	say_probe(&k->pair, "order", arena_printf(a, "%.0f %% wrong", 100 * k->pair.error),
		  arena_printf(a, "which of two is later: %.0f %% wrong, %.0f %% by guessing",
			       100 * k->pair.error, 100 * k->pair.chance),
		  card);
	if (!k->place.why)
		card_add(card, "vectors", arena_printf(a, "%zu × %zu", k->places, k->width),
			 "positions by width");
	card->n_spare = !k->place.why;
}

/* ---- the finding ----------------------------------------------------------------------------- */

static double of_repeated(const struct kept *k, const char *name)
{
	for (size_t i = 0; i < METRIC_COUNT; i++)
		if (strcmp(metrics[i].name, name) == 0)
			return k->value[i][OF_REPEATED];
	BUG("no metric %s", name);
}

/* Returns what the weights of a repeated word are like, where only positions differ. */
static const char *finding(const struct kept *k, struct arena *a)
{
	static const double nearly = 0.95, half = 0.5, some = 0.1;
	if (!k->repeated.at)
		return arena_printf(a, "Positions are not seen alone here: %s.",
				    k->why ? k->why : "a repeated word was not run");
	if (k->repeated.rows < 2)
		return "One token has one position: there is no other to compare it with.";
	if (is_even(k->repeated))
		return "With one word everywhere each query gives all keys that it sees the same "
		       "weight: positions change nothing, and that is the finding.";
	const double apart = of_repeated(k, "translation"), falls = of_repeated(k, "monotonicity"),
		     side = of_repeated(k, "direction");
	return arena_printf(
		a,
		"With one word everywhere the weights depend on %s (%s), %s with it (%s), and go "
		"%s (direction %s).",
		apart >= nearly ? "distance alone"
		: apart >= half ? "distance mostly"
				: "more than distance",
		digits(apart, a),
		falls >= half	 ? "fall"
		: falls <= -half ? "rise"
				 : "neither fall nor rise",
		digits(falls, a),
		fabs(side) < some ? "as much to earlier as to later keys"
		: side < 0	  ? "to earlier keys"
				  : "to later keys",
		digits(side, a));
}

static void metrics_figure(const struct view_data *d, struct arena *a, struct figure *out)
{
	const struct kept *const k = d->kept;
	view_frame(d, view_layer_note(d, a), a, out);
	out->finding = finding(k, a);
	/* Numbers with their meanings are worth more than a large matrix of few tokens. */
	out->by_grid = out->names_hidden = true;
	numbers_panel(k, a, &out->panels[0]);
	view_place(&out->panels[0], 0, 1, 1, 1);
	repeated_panel(d, k, a, &out->panels[1]);
	view_place(&out->panels[1], 0, 0, 1, 0);
	reorder_panel(d, k, a, &out->panels[2]);
	/* That there are no vectors to read is worth less than the task. */
	view_place(&out->panels[2], 1, 0, 1, k->place.why ? 2 : 3);
	card_panel(k, a, &out->panels[3]);
	view_place(&out->panels[3], 1, 1, 1, k->place.why ? 3 : 2);
	out->n = 4;
	memcpy(out->col_weight, (unsigned char[]){4, 5}, 2);
	memcpy(out->row_weight, (unsigned char[]){5, k->place.why ? 2 : 3}, 2);
	view_close(d, out);
}

/* ---- numbers for dumps ----------------------------------------------------------------------- */

static void say(struct numbers *out, const char *name, const struct probe *p, const char *means,
		struct arena *a)
{
	numbers_say(out, name, p->error,
		    p->why ? arena_printf(a, "n/a: %s", p->why) : digits(p->error, a), means);
}

static void metrics_numbers(const struct view_data *d, struct arena *a, struct numbers *out)
{
	const struct kept *const k = d->kept;
	for (size_t c = 0; c < COLUMNS; c++)
		for (size_t i = 0; i < METRIC_COUNT; i++)
			if (!isnan(k->value[i][c]))
				numbers_say(out,
					    arena_printf(a, "metrics.%s.%s", column_names[c],
							 metrics[i].name),
					    k->value[i][c], digits(k->value[i][c], a),
					    metrics[i].means);
	say(out, "metrics.probe.place", &k->place,
	    "error of the position that least squares reads from a vector, in positions, held out",
	    a);
	say(out, "metrics.probe.order", &k->pair,
	    "part of pairs of vectors whose order logistic regression gets wrong, held out", a);
	numbers_add(out, "metrics.repeated.matrix", k->repeated);
}

const struct view view_metrics = {"metrics",
				  "Metrics",
				  "Which properties do bias and weights have?",
				  metrics_wants,
				  metrics_figure,
				  .keep = metrics_keep,
				  .numbers = metrics_numbers,
				  .of_units = true};
