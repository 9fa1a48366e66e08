/* quizzing.c: a quiz in the terminal program. It is a tour, and what shows tours shows it; here are the answers, and what
 * was made of them in the end. */
#include <string.h>

#include "posviz/model/model.h"
#include "posviz/tour/tour_run.h"
#include "tui_in.h"

bool quizzing(const struct tui *t)
{
	return touring(t) && t->quiz.quiz && t->tour.run.tour == &t->quiz.quiz->tour;
}

static void open(struct tui *t)
{
	arena_init(&t->quiz.arena);
}

/* Keeps the score, which is printed once the screen is gone. */
static void keep_score(struct tui *t)
{
	struct arena *const a = &t->app->arena;
	struct strbuf b;
	size_t n;
	if (!t->quiz.quiz)
		return;
	const char **const lines = quiz_score(&t->quiz.run, a, &n);
	strbuf_init(&b, a);
	for (size_t i = 0; i < n; i++)
		strbuf_printf(&b, "%s\n", lines[i]);
	t->app->farewell = b.at;
}

static void end(struct tui *t)
{
	keep_score(t);
	arena_release(&t->quiz.arena);
}

/* ---- questions ---------------------------------------------------------------------------------- */

/* The tour before it is left once there is another: it may be a quiz, whose memory goes. */
void quiz_request(struct tui *t)
{
	struct quizzing *const z = &t->quiz;
	const char *const text = t->app->request_text ? t->app->request_text : "";
	struct quiz_wish wish = {
		.level = QUIZ_FAMILIES, .seed = t->app->scene.setup.seed, .count = QUIZ_COUNT};
	struct err err;
	if (!quiz_wish_parse(text, &wish, &err)) {
		tui_complain(t, &err);
		return;
	}
	struct arena made;
	arena_init(&made);
	struct quiz *const q = arena_calloc(&made, 1, sizeof *q);
	struct cache *const cache = cache_new(CACHE_BYTES);
	const bool ok = quiz_make(&wish, cache, NULL, &made, q, &err);
	cache_free(cache);
	if (!ok) {
		arena_release(&made);
		tui_complain(t, &err);
		return;
	}
	if (touring(t))
		tour_stop(t);
	arena_release(&z->arena);
	z->arena = made;
	z->quiz = q;
	quiz_begin(&z->run, q);
	tour_start(t, &q->tour);
}

/* Makes room for the seconds of as many steps as there are now. */
static void make_room(struct tui *t, size_t steps)
{
	struct tour_run *const run = &t->tour.run;
	double *const spent = arena_calloc(&t->app->arena, steps, sizeof *spent);
	memcpy(spent, run->spent, (steps - 1) * sizeof *spent);
	run->spent = spent;
}

/* Behind the last task: what was taken for what is known only now. */
static void add_last(struct tui *t)
{
	struct quizzing *const z = &t->quiz;
	struct quiz *const q = z->quiz;
	const bool there = q->tour.n_steps > q->n;
	if (quiz_last(q, &z->run, &z->arena) && !there)
		make_room(t, q->tour.n_steps);
}

void quiz_passes(struct tui *t)
{
	const size_t beat = t->tour.run.beat;
	const size_t task = quizzing(t) ? quiz_task_at(t->quiz.quiz, beat) : SIZE_MAX;
	if (task != SIZE_MAX && beat == t->quiz.quiz->tasks[task].beat && !tour_is_left(t))
		quiz_answer(&t->quiz.run, task, QUIZ_NO_ANSWER);
	if (quizzing(t) && beat + 1 == 2 * t->quiz.quiz->n && !tour_is_left(t))
		add_last(t);
}

/* Takes the answer to the question that is shown, and shows whether it is right; elsewhere says what goes on. */
void quiz_choose(struct tui *t)
{
	const size_t beat = t->tour.run.beat;
	const size_t task = quizzing(t) ? quiz_task_at(t->quiz.quiz, beat) : SIZE_MAX;
	const int option = t->app->request_text[0] - 'a';
	if (task == SIZE_MAX) {
		tour_reply(t);
		return;
	}
	const struct quiz_task *const asked = &t->quiz.quiz->tasks[task];
	if (beat != asked->beat)
		app_say(t->app, "this one is answered; space goes on");
	else if (t->quiz.run.chosen[task] != QUIZ_NOT_YET)
		app_say(t->app, "the first answer counts; space goes on");
	else if (!quiz_answer(&t->quiz.run, task, option))
		app_say(t->app, "there is no %c: the answers are a to %c", tour_letter(option),
			tour_letter((int)asked->n_names - 1));
	else
		tour_jump(t, beat + 1);
}

/* ---- the end ------------------------------------------------------------------------------------ */

void quiz_end(struct tui *t)
{
	size_t n;
	const char **const lines = quiz_score(&t->quiz.run, &t->frame, &n);
	box_open(t, t->quiz.quiz->tour.title, BOX_PROSE, n + 2);
	for (size_t i = 0; i < n; i++)
		box_line(t, lines[i], i == 0);
	box_line(t, "", false);
	box_line(
		t,
		"Esc closes this, and once more leaves the quiz; the left arrow goes back through its tasks.",
		false);
}

const char *quiz_line(struct tui *t)
{
	size_t n;
	return quiz_score(&t->quiz.run, &t->frame, &n)[0];
}

const struct tui_part part_quiz = {.at = {[PART_OPEN] = open, [PART_CLOSE] = end}};
