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
	return t->picture && !tui_computing(t) && !t->unmeasured && !t->trouble.text[0] &&
	       t->asked != ASKED_CANCELLED && t->measures_wanted & ~known;
}

/* "━━━━━━╌╌╌╌  52 %  2 s left"; NULL: it takes no second. */
static const char *bar_of(struct tui *t, enum result_kind kind, struct arena *a)
{
	double part, seconds;
	struct strbuf b;
	if (!worker_progress(t->worker, kind, &part, &seconds))
		return NULL;
	const double all = part > 0 ? seconds / part : seconds;
	if (all < shown_after || seconds < 3 * tick)
		return NULL;
	strbuf_init(&b, a);
	for (int i = 0; i < BAR; i++) {
		const bool done = i < (int)(part * BAR);
		strbuf_add(&b, t->terminal.ascii ? (done ? "#" : ".") : (done ? "━" : "╌"));
	}
	strbuf_printf(&b, " %3.0f %%", 100 * part);
	if (part > 0)
		strbuf_printf(&b, "  %.0f s left", ceil(all - seconds));
	return b.at;
}

const char *progress_text(struct tui *t, int cols, struct arena *a)
{
	const char *const bar = tui_computing(t) ? bar_of(t, RESULT_PICTURE, a) : NULL;
	if (!bar)
		return NULL;
	const char *const whole = arena_printf(a, "computing  %s   Esc gives it up", bar);
	return (int)text_width(whole) <= cols ? whole : bar;
}

const char *progress_note(struct tui *t, struct arena *a)
{
	const char *const bar = tui_measuring(t) ? bar_of(t, RESULT_MEASURES, a) : NULL;
	return bar ? arena_printf(a, "measuring  %s", bar) : NULL;
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

void progress_want(struct tui *t, const struct layout *l)
{
	t->measures_wanted = t->measures_first = 0;
	if (!t->picture)
		return;
	t->measures_first = panels_in_sight(t, l) | status_measures(t, l, &t->frame);
	t->measures_wanted = t->measures_first | picture_measures(&t->picture->picture);
}

void progress_follow(struct tui *t)
{
	if (tui_measuring(t))
		worker_submit_measures(t->worker, &t->drawn, t->measures_wanted, t->measures_first);
	if (tui_computing(t) || tui_measuring(t))
		tui_dirty(t, tick);
}
