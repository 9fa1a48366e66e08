/* fuzz_tour.c: any bytes are a tour or a list of clean lines that say what is wrong; what was read is whole: every number
 * of a step, a beat, an option is one that is there, and all texts can be shown. Nothing is written, and no file is
 * opened. */
#include <stdint.h>
#include <string.h>

#include "fuzz.h"
#include "posviz/base/markdown.h"
#include "posviz/base/text.h"
#include "posviz/tour/recorder.h"
#include "posviz/tour/tour.h"
#include "posviz/tour/tour_paper.h"

static void expect_shown(const char *text)
{
	BUG_IF(!text || !text_valid(text, strlen(text)));
	for (; *text; text++)
		BUG_IF((unsigned char)*text < ' ' || *text == 0x7F);
}

static void expect_shown_if(const char *text)
{
	if (text)
		expect_shown(text);
}

/* Commands that read what they name, as fuzz_command leaves them out; the rest of a line may be anything. */
static bool touches_files(const uint8_t *data, size_t size)
{
	static const char *const words[] = {"open", "file", "units", "weights", "params", "conllu"};
	const uint8_t *const end = data + size;
	for (const uint8_t *at = data; at && at < end; at = memchr(at, '\n', (size_t)(end - at))) {
		while (at < end && (*at == '\n' || *at == ' ' || *at == '\t'))
			at++;
		for (size_t i = 0; i < sizeof words / sizeof *words; i++)
			if ((size_t)(end - at) >= strlen(words[i]) &&
			    memcmp(at, words[i], strlen(words[i])) == 0)
				return true;
	}
	return false;
}

static void check_beat(const struct tour *t, size_t i)
{
	const struct tour_beat *const b = &t->beats[i];
	const struct tour_step *const s = &t->steps[b->step];
	BUG_IF(b->step >= t->n_steps || i < s->first || i >= s->first + s->n);
	BUG_IF(b->n_options > TOUR_OPTIONS || b->n_options == 1 || b->right < -1 ||
	       b->right >= (int)b->n_options || b->n_marks > TOUR_MARKS);
	BUG_IF(!b->say && !b->ask);
	BUG_IF(b->reveals && (i == s->first || !t->beats[i - 1].ask));
	expect_shown_if(b->say);
	expect_shown_if(b->ask);
	expect_shown_if(b->answer);
	expect_shown_if(b->focus);
	expect_shown_if(b->refused);
	for (size_t k = 0; k < b->n_options; k++)
		expect_shown(b->options[k]);
	for (size_t k = 0; k < b->n_wrong; k++) {
		BUG_IF(b->wrong[k].option < -1 || b->wrong[k].option >= (int)b->n_options);
		expect_shown(b->wrong[k].text);
	}
	for (size_t k = 0; k < b->n_expects; k++)
		expect_shown(b->expects[k].is.text);
	if (!b->play.name)
		return;
	BUG_IF(b->play.n < 2 || b->play.n > TOUR_FRAMES || !(b->play.seconds > 0));
	BUG_IF(!scene_equal(&b->play.frames[b->play.n - 1], &b->scene));
	expect_shown(b->play.text);
	for (size_t k = 0; k < b->play.n; k++)
		expect_shown(b->play.values[k]);
}

static void check_tour(const struct tour *t)
{
	size_t beats = 0;
	BUG_IF(t->n_steps == 0 || t->n_steps > TOUR_STEPS || t->n_beats > TOUR_BEATS);
	expect_shown(t->title);
	expect_shown(t->author);
	expect_shown(t->about);
	for (size_t i = 0; i < t->n_steps; i++) {
		const struct tour_step *const s = &t->steps[i];
		BUG_IF(s->first != beats || s->n == 0 || s->part >= t->n_parts);
		beats += s->n;
		expect_shown(s->title);
		for (size_t k = 0; k < s->n_notes; k++)
			expect_shown(s->notes[k]);
		for (size_t k = 0; k < s->n_sources; k++)
			expect_shown(s->sources[k]);
	}
	BUG_IF(beats != t->n_beats);
	for (size_t i = 0; i < t->n_beats; i++) {
		struct arena a;
		arena_init(&a);
		check_beat(t, i);
		expect_shown(tour_lesson(t, i, &a).progress);
		arena_release(&a);
	}
}

/* Signs that have a meaning in Markdown stand behind a backslash, whatever a tour says. */
static void check_words(const char *text, struct arena *a)
{
	struct strbuf b;
	strbuf_init(&b, a);
	markdown_add(&b, text, true);
	for (const char *at = b.at; *at; at++) {
		const bool span = strncmp(at, "<span>", 6) == 0, link = *at == '<' && !span;
		if (*at == '\\' && at[1])
			at++;
		else if (span)
			at += 13; /* "<span>$</span>" */
		else if (link)
			while (*at != '>')
				BUG_IF(*at++ == '\0');
		else
			BUG_IF(strchr("*_`~#>|[]<$", *at));
	}
}

static void check_markdown(const struct tour *t, struct arena *a)
{
	struct handout h;
	struct scene room;
	scene_init(&room);
	const struct tour_paper paper = {.room = &room};
	tour_paper(t, &paper, a, &h);
	const char *const text = tour_markdown(&h, NULL, 0, a);
	BUG_IF(!text_valid(text, strlen(text)));
	for (size_t i = 0; i < t->n_beats; i++)
		check_words(t->beats[i].say ? t->beats[i].say : t->beats[i].ask, a);
}

/* What a recorder writes for the way from each scene to the next makes it, as recorder_lines says of itself. */
static void check_recorded(const struct tour *t, struct arena *a)
{
	enum { MOST = 3 };
	struct scene last, made;
	const char *lines;
	scene_init(&last);
	for (size_t i = 0; i < t->n_beats && i < MOST; i++) {
		struct err err = {""};
		if (recorder_lines(&last, &t->beats[i].scene, a, &lines, &made, &err))
			BUG_IF(!scene_equal(&made, &t->beats[i].scene));
		else
			BUG_IF(!*err.text);
		last = t->beats[i].scene;
	}
}

FUZZ(tour)
{
	struct arena a;
	struct tour t;
	if (size > 8000 || touches_files(data, size))
		return 0;
	arena_init(&a);
	struct tour_report report = {.arena = &a};
	const bool ok = tour_read("fuzz.tour", (const char *)data, size, TOUR_LINES, NULL, NULL, &a,
				  &t, &report);
	BUG_IF(ok != (report.errors == 0) || report.errors + report.warnings != report.n);
	for (size_t i = 0; i < report.n; i++) {
		BUG_IF(strncmp(report.lines[i].text, "fuzz.tour:", 10) != 0);
		expect_shown(report.lines[i].text);
	}
	if (ok) {
		check_tour(&t);
		check_markdown(&t, &a);
		check_recorded(&t, &a);
	}
	arena_release(&a);
	return 0;
}
