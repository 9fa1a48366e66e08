/* tour_band.c: the words of a tour below the figure. */
#include <string.h>

#include "posviz/math/machine.h"
#include "posviz/plot/lesson.h"
#include "posviz/tour/tour_run.h"
#include "tui_in.h"

/* "3:20 of 9:00": whole minutes that were planned, seconds that are gone. */
static const char *clock_of(const struct tui *t, struct arena *a)
{
	const struct tour_run *const run = &t->tour.run;
	const double gone = (double)(long)tour_elapsed(run, machine_seconds());
	return run->tour->seconds > 0 ? arena_printf(a, "%s of %s", tour_time(gone, a),
						     tour_time(run->tour->seconds, a))
				      : tour_time(gone, a);
}

/* The parameter that runs in the beat: as it is now, and when it has run what it ended with: "base 10000". */
static const char *playing_of(const struct tui *t, struct arena *a)
{
	const struct tour_play *const play = &tour_now(&t->tour.run)->play;
	const char *const now = motion_says(t, a);
	if (now != NULL || play->n == 0 || tour_is_left(t))
		return now;
	return arena_printf(a, "%s %s", play->name, play->values[play->n - 1]);
}

static struct lesson lesson_of(const struct tui *t, struct arena *a)
{
	const struct tour_run *const run = &t->tour.run;
	struct lesson l = quizzing(t) ? quiz_lesson(&t->quiz.run, run->beat, a)
				      : tour_lesson(run->tour, run->beat, a);
	l.clock = clock_of(t, a);
	l.playing = playing_of(t, a);
	l.note = tour_is_left(t) && t->mode == MODE_LOOK ? "changed: space goes back"
							 : tour_end_note(t, t->terminal.cols, a);
	l.first = t->tour.words;
	return l;
}

/* With a blank row below them where there is room. */
enum { AIR_FROM = 26 };
int tour_band_rows(const struct tui *t, int cols, int room)
{
	struct arena a;
	arena_init(&a);
	const struct canvas like = {.tier = t->terminal.tier, .ascii = t->terminal.ascii};
	const struct lesson l = lesson_of(t, &a);
	const int most = canvas_lesson_room(room);
	const int rows = canvas_lesson_rows(&like, &l, cols, most);
	arena_release(&a);
	return rows < most && room >= AIR_FROM ? rows + 1 : rows;
}

void tour_band_draw(struct tui *t, struct canvas *c, struct rect r)
{
	struct touring *const g = &t->tour;
	struct lesson l = lesson_of(t, &t->frame);
	c->presenter = tui_presents(t);
	g->seen = canvas_lesson(c, r, &l, &g->of);
	/* A screen that has become larger has room for what was read. */
	if (g->words > 0 && g->words + g->seen > g->of) {
		g->words = l.first = 0;
		g->seen = canvas_lesson(c, r, &l, &g->of);
	}
	zone_add(t, ZONE_RUN, (struct rect){r.row, r.col, 1, r.cols})->command = "tour";
}

bool tour_words_turn(struct tui *t, int direction)
{
	struct touring *const g = &t->tour;
	if (direction > 0 ? g->seen == 0 || g->words + g->seen >= g->of : g->words == 0)
		return false;
	g->words += direction * (g->seen > 0 ? g->seen : 1);
	g->words = g->words > 0 ? g->words : 0;
	tui_dirty(t, 0);
	return true;
}
