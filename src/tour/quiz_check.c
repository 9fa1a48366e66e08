/* quiz_check.c: whether a quiz is fair, by its pictures as they are drawn: what its options show is far enough apart, and
 * nothing that is said beside a question names one of them. */
#include <math.h>
#include <string.h>

#include "posviz/base/text.h"
#include "posviz/export/export.h"
#include "posviz/picture/picture.h"
#include "quiz_in.h"
#include "tour_in.h"

static void complain(struct tour_report *report, size_t task, const char *text)
{
	report_add(report, arena_printf(report->arena, "task %zu: %s", task + 1, text), false,
		   true);
}

/* The scheme of the options that a text names; NULL: none. */
static const char *given_away(const struct quiz_task *t, const char *text, struct arena *a)
{
	for (size_t i = 0; i < t->n_names; i++) {
		if (!t->expressions[i])
			continue;
		const struct expr *const e = expr_of(t->expressions[i], a, NULL);
		BUG_IF(!e);
		for (size_t k = 0; k < e->n; k++)
			if (view_names_scheme(text, e->members[k].scheme))
				return e->members[k].scheme->id;
	}
	return NULL;
}

/* The words of a picture as it is read aloud: all of its texts. */
static const char *words_of(const struct figure *f, struct arena *a)
{
	char *data;
	size_t len;
	export_plain(f, a, &data, &len);
	return arena_strndup(a, data, len);
}

/* Plain words of a picture of which all that changes with the scheme was told: titles of panels and what colours mean
 * are the same whatever they show, and may hold a scheme's name as a word ("mask"). */
static void check_names(const struct quiz *q, size_t task, const struct scene *scene,
			struct cache *cache, struct watch *watch, struct arena *a,
			struct tour_report *report)
{
	const struct quiz_task *const t = &q->tasks[task];
	const struct tour_beat *const asks = &q->tour.beats[t->beat];
	struct picture *const p = arena_calloc(a, 1, sizeof *p);
	size_t pane;
	struct err err;
	if (!tour_picture(asks, scene, true, BACKGROUND_LIGHT, cache, watch, a, p, &pane, &err)) {
		complain(report, task, err.text);
		return;
	}
	const char *const words = words_of(&p->figure, a);
	const char *const named = given_away(t, words, a);
	if (scene->unnamed == UNNAMED_SCHEME && named)
		complain(report, task, arena_printf(a, "the picture names %s", named));
	if (p->figure.command && scene->unnamed != UNNAMED_OFF)
		complain(report, task, "the picture has the command that makes it");
	for (size_t i = 0; i < t->n_names && scene->unnamed == UNNAMED_WORDS; i++)
		if (strstr(words, t->names[i]))
			complain(report, task, "the picture has the words of an option");
}

/* The colours of all that its options draw are told apart, with what stands in place of the right one. */
static void check_apart(const struct quiz *q, size_t task, struct tour_report *report)
{
	const struct quiz_task *const t = &q->tasks[task];
	if (!(t->apart >= t->least))
		complain(report, task,
			 arena_printf(report->arena,
				      "the distance of two options is %.3f, less than %.3f",
				      t->apart, t->least));
	for (size_t i = 0; i < t->n_names; i++)
		for (size_t k = 0; k < i; k++)
			if (strcmp(q->tour.beats[t->beat].options[i],
				   q->tour.beats[t->beat].options[k]) == 0)
				complain(report, task, "two options read the same");
}

bool quiz_check(const struct quiz *q, struct cache *cache, struct watch *watch,
		struct tour_report *report)
{
	struct arena a;
	struct tour t;
	arena_init(&a);
	const size_t before = report->errors;
	tour_read("quiz", q->text, strlen(q->text), TOUR_EXPECTS, cache, watch, &a, &t, report);
	for (size_t i = 0; i < q->n; i++) {
		struct scene scene = q->tour.beats[q->tasks[i].beat].scene;
		check_apart(q, i, report);
		check_names(q, i, &scene, cache, watch, &a, report);
		scene.presenter = true;
		check_names(q, i, &scene, cache, watch, &a, report);
	}
	arena_release(&a);
	return report->errors == before;
}
