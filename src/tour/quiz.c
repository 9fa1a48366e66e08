/* quiz.c: a quiz from a seed: tasks are drawn one after the other, written down as the lines of a tour, and read as
 * one. A generator of its own for each task, so that the first ten of twenty are the ten of ten. */
#include "posviz/tour/quiz.h"

#include <string.h>

#include "posviz/base/num.h"
#include "posviz/base/text.h"
#include "quiz_in.h"

const char *const quiz_kind_names[QUIZ_KINDS] = {"matrix", "curve", "words", "reversed", "numbers"};
const char *const quiz_level_names[QUIZ_LEVELS + 1] = {"",	    "families", "schemes",
						       "relatives", "variants", "structures"};

/* How often each kind comes beside the others, and at which levels it can. */
static const struct {
	unsigned often;
	long from, to;
	draw_task *draw;
} kinds[QUIZ_KINDS] = {
	[QUIZ_MATRIX] = {5, QUIZ_FAMILIES, QUIZ_STRUCTURES, draw_scheme_matrix},
	[QUIZ_CURVE] = {2, QUIZ_FAMILIES, QUIZ_VARIANTS, draw_scheme_curve},
	[QUIZ_WORDS] = {2, QUIZ_FAMILIES, QUIZ_VARIANTS, draw_words},
	[QUIZ_REVERSED] = {1, QUIZ_FAMILIES, QUIZ_VARIANTS, draw_reversed},
	[QUIZ_NUMBERS] = {4, QUIZ_FAMILIES, QUIZ_STRUCTURES, draw_number},
};

/* ---- what is wished for ------------------------------------------------------------------------------ */

bool quiz_level_parse(const char *text, long *level, struct err *err)
{
	char quoted[80];
	for (long i = 1; i <= QUIZ_LEVELS; i++)
		if (strcmp(text, quiz_level_names[i]) == 0)
			return *level = i, true;
	return num_parse_long(text, strlen(text), 1, QUIZ_LEVELS, level, NULL) ||
	       err_set(err,
		       "level: %s is none of families, schemes, relatives, variants, structures, or 1 to %d",
		       text_quote_buf(quoted, sizeof quoted, text, strlen(text)), QUIZ_LEVELS);
}

bool quiz_kinds_parse(const char *text, unsigned *kinds_out, struct err *err)
{
	char quoted[80];
	if (strcmp(text, "all") == 0 || strcmp(text, "pictures") == 0)
		return *kinds_out = QUIZ_ALL_KINDS & ~(*text == 'p' ? 1u << QUIZ_NUMBERS : 0), true;
	for (int i = 0; i < QUIZ_KINDS; i++)
		if (strcmp(text, quiz_kind_names[i]) == 0)
			return *kinds_out = 1u << i, true;
	return err_set(err,
		       "kind: %s is none of all, pictures, matrix, curve, words, reversed, numbers",
		       text_quote_buf(quoted, sizeof quoted, text, strlen(text)));
}

bool quiz_wish_parse(const char *text, struct quiz_wish *wish, struct err *err)
{
	char word[64];
	long count;
	for (int i = 0; *(text += strspn(text, " ")) != '\0'; i++) {
		const size_t len = strcspn(text, " ");
		if (len >= sizeof word || i == 4)
			return err_set(err,
				       "quiz: give LEVEL SEED COUNT KIND, such as schemes 7 10");
		memcpy(word, text, len);
		word[len] = '\0';
		text += len;
		if (i == 0 && !quiz_level_parse(word, &wish->level, err))
			return false;
		if (i == 1 && !num_parse_u64(word, len, &wish->seed, err))
			return err_prefix(err, "seed: ");
		if (i == 2 && !num_parse_long(word, len, 1, QUIZ_MOST, &count, err))
			return err_prefix(err, "count: ");
		wish->count = i == 2 ? (size_t)count : wish->count;
		if (i == 3 && !quiz_kinds_parse(word, &wish->kinds, err))
			return false;
	}
	return true;
}

/* ---- for those who draw ------------------------------------------------------------------------------- */

const struct look *maker_look(struct maker *m, const char *lines)
{
	struct scene scene;
	struct err err;
	for (size_t i = 0; i < m->n_looks; i++)
		if (strcmp(m->looks[i].lines, lines) == 0)
			return m->looks[i].there ? &m->looks[i].look : NULL;
	m->looks = arena_grow(m->a, m->looks, m->n_looks, &m->cap_looks, sizeof *m->looks);
	struct known_look *const k = &m->looks[m->n_looks++];
	k->lines = lines;
	scene_init(&scene);
	if (!scene_parse(&scene, lines, &err))
		BUG("%s in %s", err.text, lines);
	k->there = look_at_scene(&scene, m->cache, m->watch, m->a, &k->look);
	return k->there ? &k->look : NULL;
}

const char *maker_pick(struct maker *m, const char *const *of, size_t n)
{
	return of[rng_below(&m->rng, n)];
}

void maker_shuffle(struct maker *m, struct question *t)
{
	const struct question was = *t;
	size_t order[TOUR_OPTIONS];
	for (size_t i = 0; i < was.n_options; i++)
		order[i] = i;
	rng_shuffle(&m->rng, order, was.n_options);
	for (size_t i = 0; i < was.n_options; i++) {
		t->options[i] = was.options[order[i]];
		t->task.names[i] = was.task.names[order[i]];
		t->task.tells[i] = was.task.tells[order[i]];
		t->task.expressions[i] = was.task.expressions[order[i]];
		if (order[i] == 0)
			t->task.right = (int)i;
	}
}

/* ---- writing ------------------------------------------------------------------------------------------ */

static void write_header(struct maker *m)
{
	const struct quiz_wish *const w = m->wish;
	const bool numbers = m->wish->kinds == 1u << QUIZ_NUMBERS;
	strbuf_printf(
		&m->text,
		"title Quiz: %s, seed %llu\nabout %zu tasks; the same seed, level and count give the "
		"same ones everywhere.\n",
		numbers ? "numbers" : quiz_level_names[w->level], (unsigned long long)w->seed,
		w->count);
}

static void write_task(struct maker *m, const struct question *t, size_t number)
{
	struct strbuf *const b = &m->text;
	strbuf_printf(b, "\nstep Task %zu\n  time 0:40\nreset\nseed %llu\n%s", number,
		      (unsigned long long)m->wish->seed, t->scene);
	strbuf_printf(b, "ask %s\n", t->ask);
	for (size_t i = 0; i < t->n_options; i++)
		strbuf_printf(b, "option %s\n", t->options[i]);
	if (t->n_options > 0)
		strbuf_printf(b, "answer %c\n", tour_letter(t->task.right));
	else
		strbuf_printf(b, "answer %s\n", t->answer);
	for (size_t i = 0; i < t->n_options; i++)
		if (t->task.tells[i])
			strbuf_printf(b, "wrong %c %s\n", tour_letter((int)i), t->task.tells[i]);
	strbuf_printf(b, "reveal\n%ssay %s\n", t->reveal, t->say);
	if (t->source)
		strbuf_printf(b, "source %s\n", t->source);
}

/* ---- drawing ------------------------------------------------------------------------------------------ */

static enum quiz_kind draw_kind(struct maker *m, unsigned of)
{
	unsigned all = 0;
	for (size_t k = 0; k < QUIZ_KINDS; k++)
		all += of >> k & 1 ? kinds[k].often : 0;
	size_t at = rng_below(&m->rng, all);
	for (size_t k = 0; k < QUIZ_KINDS; k++) {
		const size_t often = of >> k & 1 ? kinds[k].often : 0;
		if (at < often)
			return (enum quiz_kind)k;
		at -= often;
	}
	BUG("no kind of task");
}

/* A kind that nothing is left of is drawn again, and another comes. */
static bool one_task(struct maker *m, unsigned of, struct err *err)
{
	enum { TRIES = 60 };
	struct quiz *const q = m->out;
	struct question t;
	rng_init_name(&m->rng, m->wish->seed,
		      arena_printf(m->a, "quiz level %ld task %zu", m->wish->level, q->n + 1));
	for (int i = 0; i < TRIES; i++) {
		if (!kinds[draw_kind(m, of)].draw(m, &t))
			continue;
		t.task.beat = 2 * q->n;
		m->used[q->n] = t.about;
		q->tasks[q->n++] = t.task;
		write_task(m, &t, q->n);
		return true;
	}
	return err_set(
		err,
		"of this level and kind there are no more than %zu tasks that can be told apart",
		q->n);
}

static unsigned kinds_at(const struct quiz_wish *w)
{
	const unsigned asked = w->kinds ? w->kinds : ~(1u << QUIZ_NUMBERS);
	unsigned out = 0;
	for (size_t k = 0; k < QUIZ_KINDS; k++)
		if (asked >> k & 1 && w->level >= kinds[k].from && w->level <= kinds[k].to)
			out |= 1u << k;
	return out;
}

bool quiz_make(const struct quiz_wish *wish, struct cache *cache, struct watch *watch,
	       struct arena *a, struct quiz *out, struct err *err)
{
	struct maker m = {.wish = &out->wish, .out = out, .a = a, .cache = cache, .watch = watch};
	struct tour_report report = {.arena = a};
	*out = (struct quiz){.wish = *wish};
	const unsigned of = kinds_at(wish);
	if (of == 0)
		return err_set(err, "at level %ld there is no such task", wish->level);
	strbuf_init(&m.text, a);
	write_header(&m);
	while (out->n < wish->count) {
		if (watch && watch_cancelled(watch))
			return err_set(err, "cancelled");
		if (!one_task(&m, of, err))
			return false;
	}
	out->text = m.text.at;
	if (!tour_read("quiz", m.text.at, m.text.len, TOUR_LINES, cache, watch, a, &out->tour,
		       &report))
		BUG("%s", report.lines[0].text);
	return true;
}
