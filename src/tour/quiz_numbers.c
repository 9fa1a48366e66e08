/* quiz_numbers.c: numbers to be worked out by hand, on words so few that it can be done. What is right comes out of the
 * program, and the tour expects it; what is wrong is what a slip gives. */
#include <math.h>
#include <string.h>

#include "posviz/base/num.h"
#include "quiz_in.h"

/* A number in the making. */
struct sum {
	struct maker *m;
	const char *lines;    /* of the scene */
	const char *pane;     /* which says enough, and not the answer */
	const char *quantity; /* that is asked for */
	const char *ask, *say;
	double wrong[6];
	size_t n_wrong;
	int decimals;  /* -1: as many as it has */
	bool fraction; /* is said as 1/n */
};

static void wrong(struct sum *s, double value)
{
	s->wrong[s->n_wrong++] = value;
}

/* With the minus of the screens. */
static const char *signed_text(const char *text, struct arena *a)
{
	return *text == '-' ? arena_printf(a, "−%s", text + 1) : arena_strdup(a, text);
}

static const char *show(const struct sum *s, double value)
{
	char text[40];
	struct arena *const a = s->m->a;
	const double whole = value > 0 ? round(1 / value) : 0;
	if (s->fraction && whole > 1 && fabs(1 / value - whole) < 1e-9)
		return arena_printf(a, "1/%.0f", whole);
	if (s->decimals >= 0)
		return signed_text(arena_printf(a, "%.*f", s->decimals, value), a);
	num_print(text, sizeof text, num_rounded(value));
	return signed_text(text, a);
}

/* The program's own number. */
static bool find(const struct sum *s, const char *quantity, double *out)
{
	struct scene scene;
	struct quantity q;
	struct quantity_value v;
	struct err err;
	scene_init(&scene);
	if (!scene_parse(&scene,
			 arena_printf(s->m->a, "seed %llu\n%s",
				      (unsigned long long)s->m->wish->seed, s->lines),
			 &err) ||
	    !quantity_parse(quantity, s->m->a, &q, &err))
		BUG("%s", err.text);
	struct quantities *const all = quantities_new(&scene, s->m->cache, s->m->watch);
	const bool ok = quantity_find(all, &q, s->m->a, &v, &err) && v.is == QUANTITY_NUMBER;
	quantities_free(all);
	*out = ok ? v.number : 0;
	return ok;
}

/* The wrong ones that read differently, each once. */
static size_t options(const struct sum *s, const char *right, const char **out)
{
	size_t n = 0;
	out[n++] = right;
	for (size_t i = 0; i < s->n_wrong && n < TOUR_OPTIONS; i++) {
		const char *const text = show(s, s->wrong[i]);
		bool there = false;
		for (size_t k = 0; k < n; k++)
			there |= strcmp(out[k], text) == 0;
		if (!there)
			out[n++] = text;
	}
	return n;
}

/* Commands that show the answer. */
static const char *shown_at(const struct sum *s)
{
	static const char *const where[][2] = {{"weight ", "focus weights"},
					       {"bias ", "focus bias"},
					       {"relation ", "view relation\nfocus relation"}};
	for (size_t i = 0; i < sizeof where / sizeof *where; i++) {
		const size_t len = strlen(where[i][0]);
		if (strncmp(s->quantity, where[i][0], len) == 0)
			return arena_printf(s->m->a, "matrix weights\n%s\nhighlight cell %s\n",
					    where[i][1], s->quantity + len);
	}
	return "";
}

static bool write_sum(const struct sum *s, struct question *out)
{
	struct arena *const a = s->m->a;
	double value;
	if (!find(s, s->quantity, &value))
		return false;
	const char *const right = show(s, value);
	char exact[40];
	num_print(exact, sizeof exact, value);
	*out = (struct question){.task = {.kind = QUIZ_NUMBERS, .apart = INFINITY},
				 .scene = arena_printf(a, "%s\npanel %s\n", s->lines, s->pane),
				 .reveal = arena_printf(a, "panel all\n%sexpect %s = %s\n",
							shown_at(s), s->quantity,
							s->decimals >= 0 ? right : exact),
				 .ask = s->ask,
				 .say = arena_printf(a, "%s", s->say),
				 .about = arena_printf(a, "%s %s", s->lines, s->quantity)};
	if (s->m->wish->open) {
		out->answer = right;
		return true;
	}
	out->n_options = out->task.n_names = options(s, right, out->options);
	memcpy(out->task.names, out->options, sizeof out->options);
	maker_shuffle(s->m, out);
	return out->n_options >= 3;
}

static const char *words(struct maker *m)
{
	static const char *const of[] = {"dog bites man", "she saw the dog", "cats chase mice",
					 "all that glitters is gold"};
	return maker_pick(m, of, sizeof of / sizeof *of);
}

/* ---- one each ---------------------------------------------------------------------------------------- */

/* A row of weights adds up to 1. */
static bool missing_weight(struct sum *s, struct question *out)
{
	static const char *const schemes[] = {"alibi(causal=off)", "t5", "rope", "shaw", "none"};
	struct arena *const a = s->m->a;
	const char *const sentence = words(s->m), *const scheme = maker_pick(s->m, schemes, 5);
	size_t n = 1;
	for (const char *at = sentence; *at; at++)
		n += *at == ' ';
	const size_t row = rng_below(&s->m->rng, n), gone = rng_below(&s->m->rng, n);
	struct strbuf b;
	strbuf_init(&b, a);
	s->lines = arena_printf(a, "sentence %s\nscheme %s", sentence, scheme);
	s->decimals = 2;
	double left = 1, right = 0;
	for (size_t i = 0; i < n; i++) {
		double w;
		if (!find(s, arena_printf(a, "weight %zu→%zu", row + 1, i + 1), &w))
			return false;
		const double rounded = round(100 * w) / 100;
		right = i == gone ? rounded : right;
		left -= i == gone ? 0 : rounded;
		strbuf_printf(&b, "%s%s", i ? ", " : "", i == gone ? "?" : show(s, rounded));
	}
	s->quantity = arena_printf(a, "weight %zu→%zu", row + 1, gone + 1);
	s->pane = strcmp(scheme, "none") == 0 ? "card" : "bias";
	s->ask = arena_printf(a, "The weights of query %zu in “%s” are %s. Which one is missing?",
			      row + 1, sentence, b.at);
	s->say =
		"A row is a softmax, so its weights add up to 1: the missing one is what the others leave.";
	wrong(s, 1 / (double)n);
	wrong(s, right / 2);
	wrong(s, 1 - right);
	wrong(s, right + 0.1);
	return fabs(left - right) < 1e-9 && write_sum(s, out);
}

/* ALiBi: −slope · distance. */
static bool slope(struct sum *s, struct question *out)
{
	struct arena *const a = s->m->a;
	const size_t head = 1 + rng_below(&s->m->rng, 2), d = 2 + rng_below(&s->m->rng, 3);
	const size_t query = d + 1 + rng_below(&s->m->rng, 6 - d), key = query - d;
	const double m = pow(2, -2.0 * (double)head), value = -m * (double)d;
	s->lines =
		arena_printf(a, "sentence she said that he said no\nscheme alibi\nhead %zu", head);
	s->pane = "card";
	s->quantity = arena_printf(a, "bias %zu→%zu", query, key);
	s->ask = arena_printf(
		a,
		"ALiBi with 4 heads: the slope of head i is 2^(−2i). What is the bias of query %zu for key %zu in head %zu?",
		query, key, head);
	s->say = arena_printf(
		a,
		"The slope of head %zu is 1/%.0f and the key stands %zu positions before the query: minus their product.",
		head, 1 / m, d);
	wrong(s, -value);
	wrong(s, value - m);
	wrong(s, value / 4);
	wrong(s, value * 4);
	return write_sum(s, out);
}

static const char letters[] = "a b c d e f g h i j k l m n o p q r s t";

/* T5: half of the buckets for each side, half of these one for each distance, then by logarithm. */
static bool bucket(struct sum *s, struct question *out)
{
	struct arena *const a = s->m->a;
	const size_t buckets = 8u << rng_below(&s->m->rng, 3), d = 3 + rng_below(&s->m->rng, 15);
	const bool behind = rng_below(&s->m->rng, 2) == 0;
	s->lines = arena_printf(a, "sentence %s\nscheme t5(buckets=%zu)", letters, buckets);
	s->pane = "card";
	s->quantity = arena_printf(a, "relation %zu→%zu", behind ? 1 : d + 1, behind ? d + 1 : 1);
	s->ask = arena_printf(
		a,
		"T5: %zu buckets, counted from 0, max_distance 128, both directions. Which bucket has the key %zu positions %s the query?",
		buckets, d, behind ? "behind" : "before");
	s->say = arena_printf(
		a,
		"%zu buckets for each side, those behind the query from %zu on. The first %zu have a distance each, the rest share the logarithm up to 128.",
		buckets / 2, buckets / 2, buckets / 4);
	double value;
	if (!find(s, s->quantity, &value))
		return false;
	wrong(s, value + (double)buckets / 2 * (behind ? -1 : 1));
	wrong(s, (double)d);
	wrong(s, value + 1);
	wrong(s, value - 1);
	return write_sum(s, out);
}

/* Nothing but a mask, and words that are all the same. */
static bool share(struct sum *s, struct question *out)
{
	struct arena *const a = s->m->a;
	const size_t row = 2 + rng_below(&s->m->rng, 5);
	s->lines = "sentence la la la la la la\nscheme causal\nmatrix mask";
	s->pane = "mask";
	s->fraction = true;
	s->quantity = arena_printf(a, "weight %zu→1", row);
	s->ask = arena_printf(
		a,
		"Six equal words under a causal mask, without positions. How much of its attention has word %zu for the first one?",
		row);
	s->say = arena_printf(
		a,
		"Word %zu sees %zu words, itself and those before it; they are equal, so each has the same share.",
		row, row);
	wrong(s, 1.0 / (double)(row - 1));
	wrong(s, 1.0 / 6);
	wrong(s, 1.0 / (double)(row + 1));
	wrong(s, 1.0 / 12);
	return write_sum(s, out);
}

/* Shaw: beyond the clip a distance is the clip. */
static bool clipped(struct sum *s, struct question *out)
{
	struct arena *const a = s->m->a;
	const size_t clip = 2 + rng_below(&s->m->rng, 4), t = 1 + rng_below(&s->m->rng, 9);
	const size_t key = 1 + rng_below(&s->m->rng, 9);
	const double d = (double)key - (double)t;
	s->lines = arena_printf(
		a, "sentence the cat that the dog chased fell asleep .\nscheme shaw(clip=%zu)",
		clip);
	s->pane = "card";
	s->quantity = arena_printf(a, "relation %zu→%zu", t, key);
	s->ask = arena_printf(
		a,
		"Shaw et al., clipped at %zu, count key minus query. Which vector stands for query %zu and key %zu?",
		clip, t, key);
	s->say = arena_printf(
		a, "Key minus query is %s; what is beyond %zu on either side is taken for %zu.",
		show(s, d), clip, clip);
	wrong(s, -d);
	wrong(s, d);
	wrong(s, (double)clip + 1);
	wrong(s, -(double)clip);
	wrong(s, (double)clip);
	wrong(s, 0);
	return t != key && write_sum(s, out);
}

/* How many numbers a table of distances learns. */
static bool learned(struct sum *s, struct question *out)
{
	struct arena *const a = s->m->a;
	const size_t clip = 1 + rng_below(&s->m->rng, 8), layers = 1 + rng_below(&s->m->rng, 3);
	const double rows = 2 * (double)clip + 1, all = rows * 16 * 2 * (double)layers;
	s->lines = arena_printf(a, "sentence dog bites man\nlayers %zu\nscheme shaw(clip=%zu)",
				layers, clip);
	s->pane = "bias";
	s->quantity = "learned";
	s->ask = arena_printf(
		a,
		"Shaw et al., clipped at %zu: heads of width 16 share a table for keys and one for values, in %zu layer%s. How many numbers is that?",
		clip, layers, layers == 1 ? "" : "s");
	s->say = arena_printf(
		a, "Distances from −%zu to %zu are %.0f rows of 16, twice, in each of %zu layer%s.",
		clip, clip, rows, layers, layers == 1 ? "" : "s");
	wrong(s, all / 2);
	wrong(s, 2 * (double)clip * 16 * 2 * (double)layers);
	wrong(s, all * 4);
	wrong(s, ((double)clip + 1) * 16 * 2 * (double)layers);
	return write_sum(s, out);
}

/* Two equal words: a softmax of two numbers. */
static bool softmax(struct sum *s, struct question *out)
{
	struct arena *const a = s->m->a;
	const size_t head = 1 + rng_below(&s->m->rng, 2), n = 2 + rng_below(&s->m->rng, 2);
	const double m = pow(2, -2.0 * (double)head);
	s->lines = arena_printf(a, "sentence %s\nscheme alibi\nhead %zu",
				n == 2 ? "la la" : "la la la", head);
	s->pane = "card";
	s->decimals = 2;
	s->quantity = arena_printf(a, "weight %zu→%zu", n, n);
	s->ask = arena_printf(
		a,
		"%s equal words, ALiBi with slope 1/%.0f. Which weight has the last word for itself? e^(−1/%.0f) is %.3f.",
		n == 2 ? "Two" : "Three", 1 / m, 1 / m, exp(-m));
	s->say = arena_printf(
		a,
		"The words say the same of each pair, so the softmax is of 0 and of what the slope takes away: 1 over 1%s.",
		n == 2 ? " + e^(−m)" : " + e^(−m) + e^(−2m)");
	const double value = 1 / (1 + exp(-m) + (n == 3 ? exp(-2 * m) : 0));
	wrong(s, 1 / (double)n);
	wrong(s, 1 - value);
	wrong(s, exp(-m) * value);
	wrong(s, value + 0.1);
	return write_sum(s, out);
}

bool draw_number(struct maker *m, struct question *out)
{
	static bool (*const all[])(struct sum *, struct question *) = {
		missing_weight, slope, bucket, share, clipped, learned, softmax};
	enum { ALL = sizeof all / sizeof *all };
	struct sum s = {.m = m, .decimals = -1};
	if (!all[rng_below(&m->rng, ALL)](&s, out))
		return false;
	for (size_t i = 0; i < m->out->n; i++)
		if (strcmp(m->used[i], out->about) == 0)
			return false;
	return true;
}
