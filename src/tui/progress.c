/* progress.c: what is computed behind the screen: how far it is, and which measures are asked for.
 *
 * Work that takes more than a second has a bar with the time left; it is drawn anew some times a second, so
 * long as there is work. Measures are asked for once the screen says them: first what is in sight. */
#include <math.h>
#include <string.h>

#include "tui_in.h"

enum { BAR = 20 };
static const double shown_after = 1, tick = 0.1;

/* ---- how far it is -------------------------------------------------------------------------- */

bool tui_measuring(const struct tui *t)
{
	const unsigned known = tui_measured(t) ? t->measures->measures.known : 0;
	return t->picture && !motion_runs(t) && !tui_computing(t) && !t->unmeasured &&
	       !t->trouble.text[0] && t->asked != ASKED_CANCELLED && t->measures_wanted & ~known;
}

/* "━━━━━━╌╌╌╌  52 %  2 s left"; NULL: it takes no second. */
static const char *bar_of(const struct tui *t, const struct work_done *work, struct arena *a)
{
	struct strbuf b;
	const double all = work->part > 0 ? work->seconds / work->part : work->seconds;
	if (all < shown_after || work->seconds < 3 * tick)
		return NULL;
	strbuf_init(&b, a);
	for (int i = 0; i < BAR; i++) {
		const bool done = i < (int)(work->part * BAR);
		strbuf_add(&b, t->terminal.ascii ? (done ? "#" : ".") : (done ? "━" : "╌"));
	}
	strbuf_printf(&b, " %3.0f %%", 100 * work->part);
	if (work->part > 0)
		strbuf_printf(&b, "  %.0f s left", ceil(all - work->seconds));
	return b.at;
}

static const char *bar_of_kind(struct tui *t, enum result_kind kind, struct arena *a)
{
	struct work_done work;
	return worker_progress(t->worker, kind, &work) ? bar_of(t, &work, a) : NULL;
}

const char *progress_text(struct tui *t, int cols, struct arena *a)
{
	const char *const bar = tui_computing(t) ? bar_of_kind(t, RESULT_PICTURE, a) : NULL;
	if (!bar)
		return NULL;
	const char *const whole = arena_printf(a, "computing  %s   Esc gives it up", bar);
	return (int)text_width(whole) <= cols ? whole : bar;
}

const char *progress_note(struct tui *t, struct arena *a)
{
	const bool files = t->worker && worker_writes(t->worker) > 0; /* a frame alone has none */
	const char *const file = files ? bar_of_kind(t, RESULT_WRITE, a) : NULL;
	if (file)
		return arena_printf(a, "writing  %s", file);
	const char *const bar = tui_measuring(t) ? bar_of_kind(t, RESULT_MEASURES, a) : NULL;
	return bar ? arena_printf(a, "measuring  %s", bar) : NULL;
}

const char *progress_page(struct tui *t, struct arena *a)
{
	struct work_done work;
	return worker_page_progress(t->worker, &work) ? bar_of(t, &work, a) : NULL;
}

/* ---- what is asked for ---------------------------------------------------------------------- */

static unsigned panels_in_sight(const struct tui *t, const struct layout *l)
{
	const struct figure *const f = &t->picture->picture.figure;
	unsigned kinds = 0;
	for (size_t i = 0; i < f->n; i++)
		kinds |= l->panel[i].rows > 0 ? f->panels[i].measured : 0;
	return kinds;
}

static void want(struct tui *t, struct canvas *c, const struct layout *l)
{
	(void)c;
	t->measures_wanted = t->measures_first = 0;
	if (!t->picture)
		return;
	t->measures_first = panels_in_sight(t, l) | status_measures(t, l, &t->frame);
	t->measures_wanted = t->measures_first | picture_measures(&t->picture->picture);
}

static void follow(struct tui *t)
{
	if (tui_measuring(t))
		worker_submit_measures(t->worker, &t->drawn, t->measures_wanted, t->measures_first);
	if (tui_computing(t) || tui_measuring(t) || worker_writes(t->worker) > 0 ||
	    t->page.state == PAGE_DRAWING)
		tui_again(t, tick);
}

const struct tui_part part_progress = {.at = {[PART_DRAWN] = follow}, .draw = want};
