/* cmd_quiz.c: questions about schemes: on the screen, as words with answers read from standard
 * input, checked, or as a sheet of exercises. */
#include "report.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "posviz/base/text.h"
#include "posviz/export/export.h"
#include "posviz/format/file.h"
#include "posviz/picture/picture.h"
#include "posviz/tour/quiz.h"
#include "posviz/tour/tour_paper.h"
#include "posviz/tui/tui.h"

static struct quiz_wish wish_of(const struct cli *c)
{
	return (struct quiz_wish){.level = c->level ? c->level : QUIZ_FAMILIES,
				  .seed = c->scene.setup.seed,
				  .count = c->count ? (size_t)c->count : QUIZ_COUNT,
				  .kinds = c->kinds};
}

/* ---- checking -------------------------------------------------------------------------------- */

enum { CHECK_SEEDS = 8 };

/* The results of the check at one level. */
struct checked {
	long level;
	size_t tasks, seeds;
	double least; /* smallest distance between options, as a multiple of the required one */
	struct tour_report report;
};

static void look_at(const struct quiz *q, struct checked *at)
{
	for (size_t i = 0; i < q->n; i++) {
		const struct quiz_task *const t = &q->tasks[i];
		const double share = t->least > 0 ? t->apart / t->least : INFINITY;
		at->least = share < at->least ? share : at->least;
	}
	at->tasks += q->n;
	at->seeds++;
}

static bool check_seed(struct cli *c, struct quiz_wish wish, struct cache *cache,
		       struct checked *at, struct err *err)
{
	struct arena a;
	struct quiz *const q = arena_calloc(&c->arena, 1, sizeof *q);
	struct watch *const watch = progress_begin();
	arena_init(&a);
	const size_t before = at->report.n;
	const bool ok = quiz_make(&wish, cache, watch, &a, q, err);
	if (ok && !quiz_check(q, cache, watch, &at->report))
		for (size_t i = before; i < at->report.n; i++)
			at->report.lines[i].text = arena_printf(
				&c->arena, "level %ld, seed %llu, %s", wish.level,
				(unsigned long long)wish.seed, at->report.lines[i].text);
	if (ok)
		look_at(q, at);
	arena_release(&a);
	progress_end();
	return ok ||
	       err_prefix(err, "level %ld, seed %llu: ", wish.level, (unsigned long long)wish.seed);
}

static void tell_level(const struct checked *at, struct report *r)
{
	const size_t wrong = at->report.errors;
	report_object(r, NULL);
	report_number(r, "level", (double)at->level);
	report_number(r, "tasks", (double)at->tasks);
	report_number(r, "seeds", (double)at->seeds);
	report_bool(r, "ok", wrong == 0);
	report_array(r, "lines");
	for (size_t i = 0; i < at->report.n; i++)
		if (!at->report.lines[i].warning) {
			report_say(r, "%s\n", at->report.lines[i].text);
			report_word(r, NULL, at->report.lines[i].text);
		}
	report_end(r);
	report_end(r);
	report_say(r, "level %ld, %s: %zu tasks of %zu seeds: ", at->level,
		   quiz_level_names[at->level], at->tasks, at->seeds);
	if (wrong == 0)
		report_say(
			r,
			"all are decidable and name nothing; the distance of the nearest options is %.2f times the least one\n",
			at->least);
	else
		report_say(r, "%zu thing%s wrong\n", wrong, wrong == 1 ? " is" : "s are");
}

/* Checks the level that was asked for, else all levels, for CHECK_SEEDS seeds from the given one
 * on. */
static int check(struct cli *c, struct err *err)
{
	struct cache *const cache = cache_new(CACHE_BYTES);
	struct report report;
	bool ok = output_format_or_text(c, err), fair = true;
	report_init(&report, c, &c->arena, 0);
	report_array(&report, NULL);
	for (long level = 1; ok && level <= QUIZ_LEVELS; level++) {
		struct checked at = {.level = level, .least = INFINITY, .report.arena = &c->arena};
		if (c->level && c->level != level)
			continue;
		for (size_t i = 0; ok && i < CHECK_SEEDS; i++) {
			struct quiz_wish wish = wish_of(c);
			wish.level = level;
			wish.seed += i;
			wish.kinds = wish.kinds ? wish.kinds : QUIZ_ALL_KINDS;
			ok = check_seed(c, wish, cache, &at, err);
		}
		tell_level(&at, &report);
		fair &= at.report.errors == 0;
	}
	cache_free(cache);
	report_end(&report);
	ok = ok && report_write(&report, c, err);
	return !ok ? EXIT_BAD_USE : fair ? EXIT_FINE : EXIT_CHECK_FAILED;
}

/* ---- as words -------------------------------------------------------------------------------- */

enum answer_read { ANSWER_OPTION, ANSWER_NONE, ANSWER_UNKNOWN, ANSWER_END };

/* Reads an answer, a line of standard input: a letter, in either case, or nothing. A longer line is
 * read to its end and is ANSWER_UNKNOWN. */
static enum answer_read read_answer(size_t n_options, int *option)
{
	int c, first = '\n';
	size_t len = 0;
	while ((c = getchar()) != EOF && c != '\n')
		if (!isspace(c) && len++ == 0)
			first = c;
	if (c == EOF && len == 0)
		return ANSWER_END;
	if (len == 0)
		return ANSWER_NONE;
	*option = tolower(first) - 'a';
	if (len > 1)
		return ANSWER_UNKNOWN;
	return tolower(first) == 'q'			  ? ANSWER_END
	       : *option >= 0 && *option < (int)n_options ? ANSWER_OPTION
							  : ANSWER_UNKNOWN;
}

static bool say(struct cli *c, struct strbuf *b, struct err *err)
{
	const bool ok = words_write(c, b->at, b->len, err);
	fflush(stdout);
	strbuf_init(b, b->arena);
	return ok;
}

/* Prints a task, "Task 3 of 10": the picture in words, the question and its options. */
static bool ask(struct cli *c, const struct quiz_run *run, size_t task, struct cache *cache,
		struct err *err)
{
	const struct quiz *const q = run->quiz;
	const struct tour_beat *const beat = &q->tour.beats[q->tasks[task].beat];
	struct arena a;
	struct strbuf b;
	char *words;
	size_t len, pane;
	arena_init(&a);
	strbuf_init(&b, &a);
	struct picture *const p = arena_calloc(&a, 1, sizeof *p);
	bool ok = tour_picture(beat, &beat->scene, false, BACKGROUND_LIGHT, cache, NULL, &a, p,
			       &pane, err);
	if (ok) {
		export_plain(&p->figure, &a, &words, &len);
		strbuf_printf(&b, "%s of %zu\n\n", q->tour.steps[beat->step].title, q->n);
		strbuf_add_n(&b, words, len);
		strbuf_add_char(&b, '\n');
		words_wrap(&b, beat->ask, 0);
		for (size_t i = 0; i < beat->n_options; i++)
			strbuf_printf(&b, "  %c  %s\n", tour_letter((int)i), beat->options[i]);
		ok = say(c, &b, err);
	}
	arena_release(&a);
	return ok;
}

static bool answer(struct cli *c, struct quiz_run *run, size_t task, struct err *err)
{
	const size_t beat = run->quiz->tasks[task].beat + 1;
	struct strbuf b;
	strbuf_init(&b, &c->arena);
	const struct lesson l = quiz_lesson(run, beat, &c->arena);
	strbuf_add(&b, "\n");
	words_wrap(&b, l.answer, 0);
	words_wrap(&b, l.say, 0);
	strbuf_add(&b, "\n");
	return say(c, &b, err);
}

static bool say_score(struct cli *c, const struct quiz_run *run, struct err *err)
{
	struct strbuf b;
	size_t n;
	const char **const lines = quiz_score(run, &c->arena, &n);
	strbuf_init(&b, &c->arena);
	for (size_t i = 0; i < n; i++)
		strbuf_printf(&b, "%s\n", lines[i]);
	return say(c, &b, err);
}

/* Asks one task and evaluates the answer. Returns false when there are no more answers, or after an
 * error, with *ok false. */
static bool one_task(struct cli *c, struct quiz_run *run, size_t task, struct cache *cache,
		     bool *ok, struct err *err)
{
	const size_t n = run->quiz->tasks[task].n_names;
	int option;
	if (!(*ok = ask(c, run, task, cache, err)))
		return false;
	for (;;) {
		const enum answer_read read = read_answer(n, &option);
		if (read == ANSWER_END)
			return false;
		if (read == ANSWER_UNKNOWN) {
			output_warn(
				"an answer is a letter from a to %c; an empty line is none, q ends it",
				tour_letter((int)n - 1));
			continue;
		}
		if (read == ANSWER_OPTION)
			quiz_answer(run, task, option);
		return (*ok = answer(c, run, task, err));
	}
}

static int plain(struct cli *c, struct err *err)
{
	const struct quiz_wish wish = wish_of(c);
	struct quiz *const q = arena_calloc(&c->arena, 1, sizeof *q);
	struct cache *const cache = cache_new(CACHE_BYTES);
	struct quiz_run run;
	bool ok = quiz_make(&wish, cache, progress_begin(), &c->arena, q, err);
	progress_end();
	if (ok) {
		quiz_begin(&run, q);
		for (size_t i = 0; i < q->n && one_task(c, &run, i, cache, &ok, err); i++)
			;
		ok = ok && say_score(c, &run, err);
	}
	cache_free(cache);
	return ok ? EXIT_FINE : EXIT_BAD_USE;
}

/* ---- on paper -------------------------------------------------------------------------------- */

static bool write_pages(struct cli *c, const struct quiz *q, enum handout_shows shows,
			struct cache *cache, struct err *err)
{
	const struct tour_paper paper = {.room = &c->scene, .shows = shows, .sheet = true};
	struct handout_report report;
	char *data;
	size_t len;
	const bool ok = tour_handout(&q->tour, &paper, cache, progress_begin(), &c->arena, &data,
				     &len, &report, err);
	progress_end();
	return ok && output_write(c, data, len, err);
}

/* Writes the questions, and the answers into a file of their own: either both files or none. */
static bool write_sheet(struct cli *c, const struct quiz *q, struct cache *cache, struct err *err)
{
	const char *const questions = c->output;
	if (!c->answers)
		return write_pages(c, q, HANDOUT_QUESTIONS, cache, err);
	c->together = file_batch_new();
	bool ok = write_pages(c, q, HANDOUT_QUESTIONS, cache, err);
	c->output = c->answers;
	ok = ok && write_pages(c, q, HANDOUT_ANSWERS, cache, err) &&
	     file_batch_write(c->together, err);
	c->output = questions;
	file_batch_free(c->together);
	c->together = NULL;
	return ok;
}

/* Checks, before the work is done, that both files can be written. */
static bool can_write(struct cli *c, bool pages, struct err *err)
{
	const char *const questions = c->output;
	if (c->answers && !c->output)
		return err_set(err, "answers: they are of a sheet: -o FILE.pdf");
	if (c->answers && file_same(c->answers, c->output))
		return err_set(err, "answers: they go into another file than the questions");
	if (!output_check(c, pages, err) || !output_free(c, NULL, err))
		return false;
	c->output = c->answers;
	const bool ok = !c->answers || (output_check(c, pages, err) && output_free(c, NULL, err));
	c->output = questions;
	return ok;
}

static int write_out(struct cli *c, struct err *err)
{
	struct quiz_wish wish = wish_of(c);
	struct quiz *const q = arena_calloc(&c->arena, 1, sizeof *q);
	struct cache *const cache = cache_new(CACHE_BYTES);
	bool ok = output_format(c, err);
	const bool pages = ok && format_bears(c->format, FORMAT_PAGES);
	if (ok && !pages && strcmp(c->format, "tour") != 0)
		ok = err_set(
			err,
			"format: a quiz is written as pdf or tour; text and json are for --check");
	ok = ok && options_of_mode(c, pages ? "a sheet" : "a tour", err);
	wish.open = pages;
	wish.kinds = wish.kinds ? wish.kinds : pages ? QUIZ_ALL_KINDS : 0;
	ok = ok && can_write(c, pages, err) &&
	     quiz_make(&wish, cache, progress_begin(), &c->arena, q, err);
	progress_end();
	ok = ok && (pages ? write_sheet(c, q, cache, err)
			  : output_write(c, q->text, strlen(q->text), err));
	cache_free(cache);
	return ok ? EXIT_FINE : EXIT_BAD_USE;
}

/* ---- on the screen --------------------------------------------------------------------------- */

static int play(struct cli *c, struct err *err)
{
	const struct quiz_wish w = wish_of(c);
	const char *kind = w.kinds == QUIZ_ALL_KINDS ? "all" : "pictures";
	for (int i = 0; i < QUIZ_KINDS; i++)
		kind = w.kinds == 1u << i ? quiz_kind_names[i] : kind;
	c->app.request = REQUEST_QUIZ;
	c->app.request_text = scene_intern(arena_printf(&c->arena, "%ld %llu %zu %s", w.level,
							(unsigned long long)w.seed, w.count, kind));
	return cmd_terminal(c, err);
}

/* ---- the choice of a mode -------------------------------------------------------------------- */

int cmd_quiz(struct cli *c, struct err *err)
{
	if (c->check)
		return options_of_mode(c, "--check", err) ? check(c, err) : EXIT_BAD_USE;
	if (c->output || c->format)
		return write_out(c, err);
	if (cli_is_terminal(c))
		return options_of_mode(c, "the screen", err) ? play(c, err) : EXIT_BAD_USE;
	return options_of_mode(c, "--plain", err) ? plain(c, err) : EXIT_BAD_USE;
}
