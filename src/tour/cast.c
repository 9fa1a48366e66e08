/* cast.c: a tour as a recording of a terminal (asciinema, version 2).
 *
 * A frame is a canvas, drawn as the screen would draw it. What goes out is the difference of two: in each row the cells
 * from the first that changed to the last. */
#include "posviz/tour/cast.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "posviz/export/export.h"
#include "posviz/format/json.h"
#include "posviz/picture/picture.h"
#include "posviz/tour/tour_run.h"

/* Letters that are read in a second, and the seconds that a picture takes beside them. */
enum { READ = 18, LOOK = 3, LEAST_FRAME_MS = 66 };

struct casting {
	const struct cast_look *look;
	struct tour_run run; /* the tour in its room */
	struct cache *cache;
	struct watch *watch;
	struct canvas *seen, *next; /* what the terminal shows, and is to show */
	struct arena frame;
	struct strbuf out;
	long ms; /* since the beginning */
};

/* ---- lines --------------------------------------------------------------------------------------- */

static void add_header(struct casting *c)
{
	struct json_writer *const w = json_writer_new(&c->frame);
	json_writer_object(w, NULL);
	json_writer_integer(w, "version", 2);
	json_writer_integer(w, "width", c->look->cols);
	json_writer_integer(w, "height", c->look->rows);
	json_writer_string(w, "title", c->run.tour->title);
	json_writer_end(w);
	strbuf_printf(&c->out, "%s\n", json_writer_done(w, 0));
}

static void add_event(struct casting *c, const char *kind, const char *data)
{
	struct json_writer *const w = json_writer_new(&c->frame);
	json_writer_array(w, NULL);
	json_writer_number(w, NULL, (double)c->ms / 1000);
	json_writer_string(w, NULL, kind);
	json_writer_string(w, NULL, data);
	json_writer_end(w);
	strbuf_printf(&c->out, "%s\n", json_writer_done(w, 0));
}

/* ---- what changed ---------------------------------------------------------------------------------- */

static bool same(const struct cell *a, const struct cell *b)
{
	return strcmp(a->at, b->at) == 0 && a->width == b->width && a->attrs == b->attrs &&
	       a->fg == b->fg && a->bg == b->bg;
}

static void add_row(const struct casting *c, int row, struct strbuf *bytes)
{
	const struct canvas *const next = c->next;
	const size_t at = (size_t)row * (size_t)next->cols;
	const struct cell *const is = next->cells + at, *const was = c->seen->cells + at;
	int from = 0, to = next->cols;
	while (from < to && same(&is[from], &was[from]))
		from++;
	while (to > from && same(&is[to - 1], &was[to - 1]))
		to--;
	if (from == to)
		return;
	while (from > 0 && is[from].width == 0)
		from--;
	const int blank = export_blank_from(next, row, true);
	const bool clears = to > blank;
	strbuf_printf(bytes, "\033[%d;%dH", row + 1, (clears && from > blank ? blank : from) + 1);
	export_cells(next, row, from, clears ? blank : to, true, bytes);
	if (clears)
		strbuf_add(bytes, "\033[K");
}

static void send(struct casting *c, const char *before)
{
	struct strbuf bytes;
	strbuf_init(&bytes, &c->frame);
	strbuf_add(&bytes, before);
	for (int row = 0; row < c->look->rows; row++)
		add_row(c, row, &bytes);
	if (bytes.len > 0)
		add_event(c, "o", bytes.at);
	struct canvas *const shown = c->next;
	c->next = c->seen;
	c->seen = shown;
}

/* ---- a frame --------------------------------------------------------------------------------------- */

static enum background background_of(const struct scene *s)
{
	return s->theme == THEME_LIGHT ? BACKGROUND_LIGHT : BACKGROUND_DARK;
}

/* The beat, or one of the scenes that run before it: of that `playing` is said in words. */
static bool draw(struct casting *c, size_t beat, const struct scene *scene, const char *playing,
		 struct err *err)
{
	const struct tour_beat *const b = &c->run.tour->beats[beat];
	struct picture *const p = arena_calloc(&c->frame, 1, sizeof *p);
	struct lesson words = tour_lesson(c->run.tour, beat, &c->frame);
	struct err why = {""};
	size_t pane = SIZE_MAX;
	const enum background background = background_of(scene);
	words.playing = playing;
	c->next->dark = background == BACKGROUND_DARK;
	c->next->presenter = scene->presenter;
	canvas_clear(c->next);
	const bool made = tour_picture(b, scene, true, background, c->cache, c->watch, &c->frame, p,
				       &pane, &why);
	if (!made && !b->refused)
		return err_set(err, "step %zu: %s", b->step + 1, why.text);
	int rows;
	const int seen = canvas_lecture(c->next, made ? &p->figure : NULL, pane,
					made ? NULL : why.text, &words, &rows);
	return seen == rows ||
	       err_set(err,
		       "step %zu: %d rows have no room for its words, of which %d lines are in sight; "
		       "more --cells have",
		       b->step + 1, c->look->rows, seen);
}

/* "base 100" */
static const char *running(struct casting *c, const struct tour_play *p, size_t frame)
{
	return p->name ? arena_printf(&c->frame, "%s %s", p->name, p->values[frame]) : NULL;
}

/* Frames that come too fast for a terminal are left out. */
static bool play(struct casting *c, size_t beat, const char **before, struct err *err)
{
	const struct tour_play *const p = &c->run.tour->beats[beat].play;
	const double each = 1000 * p->seconds / (double)p->n;
	const long begun = c->ms;
	for (size_t i = 0; i + 1 < p->n; i++) {
		const long at = begun + lround(each * (double)i);
		if (i > 0 && at < c->ms + LEAST_FRAME_MS)
			continue;
		const struct scene scene = tour_frame(&c->run, beat, i);
		arena_clear(&c->frame);
		c->ms = at;
		if (!draw(c, beat, &scene, running(c, p, i), err))
			return false;
		send(c, *before);
		*before = "";
	}
	c->ms = begun + lround(each * (double)(p->n - 1));
	return true;
}

/* ---- how long -------------------------------------------------------------------------------------- */

static size_t letters(const char *text)
{
	return text ? text_width(text) : 0;
}

static long stands(const struct casting *c, size_t beat)
{
	const struct tour_beat *const b = &c->run.tour->beats[beat];
	size_t n = letters(b->say) + letters(b->ask);
	for (size_t i = 0; i < b->n_options; i++)
		n += letters(b->options[i]);
	const double reading = LOOK + (double)n / READ;
	const double seconds = c->look->pace > 0 ? c->look->pace : reading;
	return lround(1000 * seconds * (b->ask ? 2 : 1));
}

/* ---- all of it ------------------------------------------------------------------------------------- */

static bool show(struct casting *c, size_t beat, const char *before, struct err *err)
{
	const struct tour *const t = c->run.tour;
	const struct tour_step *const s = &t->steps[t->beats[beat].step];
	const struct tour_play *const p = &t->beats[beat].play;
	if (beat == s->first)
		add_event(c, "m", s->title);
	if (p->name && !play(c, beat, &before, err))
		return false;
	const struct scene scene = tour_scene(&c->run, beat);
	arena_clear(&c->frame);
	if (!draw(c, beat, &scene, running(c, p, p->n - 1), err))
		return false;
	send(c, before);
	c->ms += stands(c, beat);
	return true;
}

static void range(const struct tour *t, const struct cast_look *look, size_t *first, size_t *end)
{
	*first = 0;
	*end = t->n_beats;
	if (look->step == 0)
		return;
	const struct tour_step *const s = &t->steps[look->step - 1];
	*first = s->first + (look->beat ? look->beat - 1 : 0);
	*end = look->beat ? *first + 1 : s->first + s->n;
}

static struct canvas *canvas_of(const struct cast_look *look, struct arena *a)
{
	struct canvas *const out =
		canvas_new(a, look->rows, look->cols, look->tier, look->ascii, true);
	out->quadrants = look->quadrants;
	out->contrast = look->contrast;
	return out;
}

bool cast_tour(const struct tour *t, const struct scene *room, const struct cast_look *look,
	       struct cache *cache, struct watch *watch, struct arena *a, char **data, size_t *len,
	       struct err *err)
{
	struct casting c = {.look = look,
			    .run = {.tour = t, .before = *room},
			    .cache = cache,
			    .watch = watch,
			    .seen = canvas_of(look, a),
			    .next = canvas_of(look, a)};
	size_t first, end;
	bool ok = true;
	arena_init(&c.frame);
	strbuf_init(&c.out, a);
	add_header(&c);
	range(t, look, &first, &end);
	for (size_t i = first; ok && i < end; i++)
		ok = show(&c, i, i == first ? "\033[?25l\033[0m\033[2J" : "", err);
	if (ok) { /* the last picture stands as long as the others; a shell goes on below it */
		char last[32];
		snprintf(last, sizeof last, "\033[%d;1H\033[?25h", look->rows);
		add_event(&c, "o", last);
	}
	arena_release(&c.frame);
	*data = c.out.at;
	*len = c.out.len;
	return ok;
}
