/* task.c: the table of tasks, and the streams of sentences of any task. */
#include "posviz/learn/task.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "learn_in.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "task_floors.h"

enum { LETTERS = 8, SHORTEST = 8, LONGEST = 16, ANSWERED = 7 };

void task_room(struct example *out, size_t n, struct arena *a)
{
	*out = (struct example){.n = n,
				.letter = arena_calloc(a, n, sizeof *out->letter),
				.answer = arena_calloc(a, n, sizeof *out->answer)};
	memset(out->answer, -1, n * sizeof *out->answer);
}

void task_letters(struct example *out, size_t letters, struct rng *rng)
{
	for (size_t t = 0; t < out->n; t++)
		out->letter[t] = (int32_t)rng_below(rng, letters);
}

/* ---- the rows ------------------------------------------------------------------------------- */

static void draw_shift(struct example *e, struct rng *rng)
{
	task_letters(e, LETTERS, rng);
	for (size_t t = 1; t < e->n; t++)
		e->answer[t] = e->letter[t - 1];
}

static void draw_first(struct example *e, struct rng *rng)
{
	task_letters(e, LETTERS, rng);
	for (size_t t = 1; t < e->n; t++)
		e->answer[t] = e->letter[0];
}

/* The last two letters are a and b. */
static void draw_order(struct example *e, struct rng *rng)
{
	task_letters(e, LETTERS - 2, rng);
	const size_t a = rng_below(rng, e->n - 1);
	size_t b = rng_below(rng, e->n - 2);
	b += b >= a;
	e->letter[a] = LETTERS - 2;
	e->letter[b] = LETTERS - 1;
	for (size_t t = (a > b ? a : b) + 1; t < e->n; t++)
		e->answer[t] = a < b;
}

/* Letter LETTERS + i is the capital of letter i. */
static void draw_nearest(struct example *e, struct rng *rng)
{
	int32_t last = -1;
	for (size_t t = 0; t < e->n; t++) {
		const int32_t letter = (int32_t)rng_below(rng, LETTERS);
		const bool capital = rng_below(rng, 4) == 0;
		e->letter[t] = letter + (capital ? LETTERS : 0);
		last = capital ? letter : last;
		e->answer[t] = last;
	}
}

static void draw_dist(struct example *e, struct rng *rng)
{
	task_letters(e, LETTERS, rng);
	const size_t m = rng_below(rng, e->n);
	e->letter[m] = LETTERS;
	for (size_t t = m; t < e->n && t - m <= ANSWERED; t++)
		e->answer[t] = (int32_t)(t - m);
}

static void draw_reverse(struct example *e, struct rng *rng)
{
	task_letters(e, LETTERS, rng);
	for (size_t t = 0; t < e->n; t++)
		e->answer[t] = e->letter[e->n - 1 - t];
}

static void draw_parity(struct example *e, struct rng *rng)
{
	task_letters(e, LETTERS, rng);
	for (size_t t = 0; t < e->n; t++)
		e->answer[t] = (int32_t)(t % 2);
}

static void draw_find(struct example *e, struct rng *rng)
{
	task_letters(e, LETTERS, rng);
	const size_t at = rng_below(rng, e->n - 1);
	e->answer[e->n - 1] = e->letter[at];
	e->letter[at] += LETTERS;
}

/* Letters 0 and 1 are counted, the others fill. */
static void draw_majority(struct example *e, struct rng *rng)
{
	struct arena scratch;
	const int32_t winner = (int32_t)rng_below(rng, 2);
	size_t count[2] = {0};
	arena_init(&scratch);
	size_t *const place = arena_calloc(&scratch, e->n, sizeof *place);
	for (size_t t = 0; t < e->n; t++) {
		place[t] = t;
		e->letter[t] = (int32_t)(2 + rng_below(rng, LETTERS - 2));
	}
	rng_shuffle(rng, place, e->n);
	for (size_t i = 0; i < e->n / 2; i++) {
		const int32_t is = rng_below(rng, 4) == 0 ? 1 - winner : winner;
		e->letter[place[i]] = is;
		count[is]++;
	}
	if (count[0] != count[1])
		e->answer[e->n - 1] = count[1] > count[0];
	arena_release(&scratch);
}

/* ---- the keys of an answer --------------------------------------------------------------------- */

static void keys_shift(const struct example *e, size_t t, uint8_t *right)
{
	(void)e;
	right[t - 1] = 1;
}

static void keys_first(const struct example *e, size_t t, uint8_t *right)
{
	(void)e, (void)t;
	right[0] = 1;
}

/* The last two letters of the alphabet, whose order is asked. */
static void keys_order(const struct example *e, size_t t, uint8_t *right)
{
	(void)t;
	for (size_t s = 0; s < e->n; s++)
		right[s] = e->letter[s] >= LETTERS - 2;
}

/* The latest capital, or the marker. */
static void keys_nearest(const struct example *e, size_t t, uint8_t *right)
{
	size_t s = t;
	while (e->letter[s] < LETTERS)
		s--;
	right[s] = 1;
}

static void keys_reverse(const struct example *e, size_t t, uint8_t *right)
{
	right[e->n - 1 - t] = 1;
}

static void keys_majority(const struct example *e, size_t t, uint8_t *right)
{
	(void)t;
	for (size_t s = 0; s < e->n; s++)
		right[s] = e->letter[s] < 2;
}

const struct task_row task_rows[] = {
	{"shift", "letters", "the letter before this one", "one exact relative offset", LETTERS,
	 LETTERS, false, false, false, draw_shift, floor_shift, loss_copy, keys_shift},
	{"first", "letters", "the first letter", "an absolute anchor, at any distance", LETTERS,
	 LETTERS, false, false, false, draw_first, floor_shift, loss_copy, keys_first},
	{"order", "filler letters, and g and h once each",
	 "at each token after both g and h, 1 if g came first, else 0", "which of two came first",
	 LETTERS, 2, false, true, false, draw_order, floor_order, loss_order, keys_order},
	{"nearest", "letters, a quarter of them capitals", "the latest capital up to here",
	 "recency together with content", 2 * LETTERS, LETTERS, false, false, false, draw_nearest,
	 floor_nearest, loss_nearest, keys_nearest},
	{"dist", "letters and one marker *", "how far the marker is back, 0 to 7",
	 "whether a distance can be said, not only used", LETTERS + 1, LETTERS, false, false, false,
	 draw_dist, floor_dist, loss_dist, keys_nearest},
	{"reverse", "letters", "the letter of the mirrored place",
	 "the mirror: absolute position and length", LETTERS, LETTERS, true, false, true,
	 draw_reverse, floor_reverse, loss_copy, keys_reverse},
	{"parity", "letters", "0 at the first, third ... token, 1 at the others",
	 "an absolute clock", LETTERS, 2, false, false, false, draw_parity, floor_parity,
	 loss_parity, NULL},
	{"find", "letters, one of them a capital", "at the last token: which letter is the capital",
	 "nothing: it needs no position, as a control", 2 * LETTERS, LETTERS, false, false, false,
	 draw_find, floor_none, loss_none, keys_nearest},
	{"majority", "letters; half of them a or b, in unequal numbers",
	 "at the last token: which of a and b is more frequent",
	 "nothing: it needs no position, as a second control", LETTERS, 2, false, false, false,
	 draw_majority, floor_none, loss_none, keys_majority},
	{0},
};

/* ---- opening -------------------------------------------------------------------------------- */

static const struct task_row *row_of(const char *id)
{
	for (const struct task_row *row = task_rows; row->id; row++)
		if (strcmp(row->id, id) == 0)
			return row;
	return NULL;
}

static const char *letter_name(size_t i, struct arena *a)
{
	return i < LETTERS	 ? arena_printf(a, "%c", (int)('a' + i))
	       : i < 2 * LETTERS ? arena_printf(a, "%c", (int)('A' + i - LETTERS))
				 : arena_printf(a, "%zu", i);
}

/* Names letters "a" to "h" and capitals "A" to "H"; a single extra letter is the marker "*". Answers
 * of as many classes as there are small letters are letters, others numbers. */
static void name_letters(struct task *task, bool answers_are_letters, struct arena *a)
{
	const char **const letter = arena_calloc(a, task->letters, sizeof *letter);
	const char **const answer = arena_calloc(a, task->classes, sizeof *answer);
	for (size_t i = 0; i < task->letters; i++)
		letter[i] = task->letters == LETTERS + 1 && i == LETTERS ? "*" : letter_name(i, a);
	for (size_t i = 0; i < task->classes; i++)
		answer[i] = answers_are_letters ? letter_name(i, a) : arena_printf(a, "%zu", i);
	task->letter = letter;
	task->answer = answer;
}

static bool unknown(const char *spec, struct arena *a, struct err *err)
{
	struct strbuf names;
	strbuf_init(&names, a);
	for (const struct task_row *row = task_rows; row->id; row++)
		strbuf_printf(&names, "%s%s", row == task_rows ? "" : " ", row->id);
	return err_set(err,
		       "there is no %s; tasks are %s, a rule like x[t-2], or a file of lines "
		       "\"sentence TAB answers\"",
		       text_quote(a, spec, strlen(spec)), names.at);
}

bool task_open(struct task *out, const char *spec, struct arena *a, struct err *err)
{
	bool is_rule;
	*out = (struct task){
		.name = arena_strdup(a, spec), .shortest = SHORTEST, .longest = LONGEST};
	out->row = row_of(spec);
	if (out->row) {
		out->letters = out->row->letters;
		out->classes = out->row->classes;
		out->shortest = out->row->one_length ? LONGEST : SHORTEST;
		name_letters(out, out->classes == LETTERS && out->row->draw != draw_dist, a);
		return true;
	}
	out->letters = LETTERS;
	if (!task_rule_open(out, spec, &is_rule, a, err))
		return false;
	if (is_rule) {
		name_letters(out, false, a);
		return true;
	}
	if (!strchr(spec, '.') && !strchr(spec, '/'))
		return unknown(spec, a, err);
	return task_lines_open(out, spec, a, err);
}

/* ---- streams -------------------------------------------------------------------------------- */

static bool make(const struct task *task, struct example *e, struct rng *rng, struct arena *a,
		 struct err *err)
{
	if (task->row) {
		task->row->draw(e, rng);
		return true;
	}
	task_letters(e, task->letters, rng);
	return task_rule_answer(task->rule, task->classes, e, a, err);
}

bool task_train(const struct task *task, uint64_t seed, size_t step, size_t i, struct arena *a,
		struct example *out, struct err *err)
{
	struct rng rng;
	char name[64];
	snprintf(name, sizeof name, "sentence %zu %zu", step, i);
	rng_init_name(&rng, seed, name);
	if (task->lines) {
		task_lines_train(task->lines, &rng, out);
		return true;
	}
	task_room(out, task->shortest + rng_below(&rng, task->longest - task->shortest + 1), a);
	return make(task, out, &rng, a, err);
}

/* The twin has the letters a and b exchanged, the last two of the alphabet, and the other answer. */
static void make_twin(struct example *twin, const struct example *of, struct arena *a)
{
	task_room(twin, of->n, a);
	for (size_t t = 0; t < of->n; t++) {
		const int32_t x = of->letter[t];
		twin->letter[t] = x >= LETTERS - 2 ? 2 * LETTERS - 3 - x : x;
		twin->answer[t] = of->answer[t] < 0 ? -1 : 1 - of->answer[t];
	}
}

bool task_test(const struct task *task, size_t n, size_t count, struct arena *a,
	       struct example **out, size_t *n_out, struct err *err)
{
	struct rng rng;
	if (task->lines) {
		task_lines_test(task->lines, n, task->longest, count, a, out, n_out);
		return true;
	}
	*out = arena_calloc(a, count + 1, sizeof **out);
	*n_out = count;
	for (size_t i = 0; i < count; i++) {
		const bool twin = task->row && task->row->pairs && i % 2 == 1;
		char name[64];
		snprintf(name, sizeof name, "test %zu %zu", n, i);
		rng_init_name(&rng, 0, name);
		task_room(&(*out)[i], n, a);
		if (twin)
			make_twin(&(*out)[i], &(*out)[i - 1], a);
		else if (!make(task, &(*out)[i], &rng, a, err))
			return false;
	}
	return true;
}

double task_floor(const struct task *task, size_t n, enum sight sight)
{
	if (task->row)
		return task->row->floor(n, sight);
	return task->rule ? task_rule_floor(task->rule, task->letters, n, sight) : NAN;
}

bool task_ahead(const struct task *task)
{
	return task->row ? task->row->ahead : task->rule && task_rule_ahead(task->rule);
}
