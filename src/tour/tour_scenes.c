/* tour_scenes.c: whether the scenes of a tour can be computed and have the panes and the words that are meant, and what
 * it expects of them. */
#include <string.h>

#include "posviz/analysis/analysis.h"
#include "posviz/base/text.h"
#include "posviz/picture/picture.h"
#include "tour_in.h"

/* Numbers of the panels that are made at once; a view that fills shows what it has. */
static bool make(struct reading *r, const struct tour_beat *b, struct arena *a, struct picture *p,
		 struct err *err)
{
	return setup_build(&b->scene.setup, a, &p->built, err) &&
	       view_fits(&b->scene, &p->built, err) &&
	       picture_compute_part(&b->scene, 0, r->cache, r->watch, a, p, err) &&
	       picture_redraw(&b->scene, NULL, false, BACKGROUND_LIGHT, a, p, err);
}

/* ---- what is pointed out --------------------------------------------------------------------------- */

static bool find_mark(const struct tour_mark *m, const struct trace *trace, struct arena *a,
		      struct mark *out, struct err *err)
{
	const bool row = m->kind == MARK_CELL || m->kind == MARK_ROW;
	const bool col = m->kind == MARK_CELL || m->kind == MARK_COLUMN;
	*out = (struct mark){.kind = m->kind, .diagonal = m->diagonal, .name = m->name};
	return (!row || quantity_place_find(&m->t, &trace->query, "query", &out->row, a, err)) &&
	       (!col || quantity_place_find(&m->s, &trace->key, "key", &out->col, a, err));
}

/* A mark of an earlier beat of the step stays where its words are. */
static void look_at_marks(struct reading *r, size_t beat, const struct picture *p, struct arena *a)
{
	const struct tour_beat *const b = &r->tour->beats[beat];
	const size_t line = r->drafts[beat].marks_line;
	struct mark at;
	struct err err;
	for (size_t i = 0; line > 0 && i < b->n_marks; i++)
		if (!find_mark(&b->marks[i], &p->trace, a, &at, &err) ||
		    !figure_has_mark(&p->figure, &at, a, &err))
			reading_error(r, line, "highlight: %s", err.text);
}

bool tour_cell(const struct tour_beat *beat, const struct trace *trace, long *row, long *col)
{
	struct mark at;
	struct arena a;
	bool found = false;
	arena_init(&a);
	for (size_t i = 0; i < beat->n_marks && !found; i++)
		found = beat->marks[i].kind == MARK_CELL &&
			find_mark(&beat->marks[i], trace, &a, &at, NULL);
	if (found) {
		*row = (long)at.row + 1;
		*col = (long)at.col + 1;
	}
	arena_release(&a);
	return found;
}

static void find_pane(struct reading *r, size_t beat, const struct picture *p, struct arena *a)
{
	struct tour_beat *const b = &r->tour->beats[beat];
	const struct draft *const d = &r->drafts[beat];
	struct err err;
	size_t pane;
	if (!b->focus || view_pane(view_of(&b->scene), &p->figure, b->focus, a, &pane, &err))
		return;
	if (d->focus_line)
		reading_error(r, d->focus_line, "focus: %s", err.text);
	b->focus = NULL;
}

/* ---- one beat ---------------------------------------------------------------------------------------- */

static void look_refused(struct reading *r, size_t beat, bool made, const struct err *err)
{
	struct tour_beat *const b = &r->tour->beats[beat];
	const size_t line = r->drafts[beat].refused_line;
	if (b->refused && made)
		reading_error(r, line, "this was computed; refused expects a message with \"%s\"",
			      b->refused);
	else if (b->refused && !text_contains(err->text, b->refused))
		reading_error(r, line, "refused: the message has no \"%s\": %s", b->refused,
			      err->text);
	else if (!b->refused && !made)
		reading_error(r, b->line, "%s; if that is the point: refused TEXT", err->text);
}

static bool look_at(struct reading *r, size_t beat)
{
	struct tour_beat *const b = &r->tour->beats[beat];
	struct picture *p;
	struct err err = {""};
	struct arena a;
	arena_init(&a);
	p = arena_calloc(&a, 1, sizeof *p);
	const bool made = make(r, b, &a, p, &err);
	if (!watch_cancelled(r->watch))
		look_refused(r, beat, made, &err);
	if (made) {
		look_at_marks(r, beat, p, &a);
		find_pane(r, beat, p, &a);
	}
	arena_release(&a);
	return made;
}

/* ---- what is expected -------------------------------------------------------------------------------- */

static void expect(struct reading *r, size_t beat, struct quantities *q)
{
	const struct tour_beat *const b = &r->tour->beats[beat];
	struct arena a;
	arena_init(&a);
	for (size_t i = 0; i < b->n_expects; i++) {
		const struct tour_expect *const e = &b->expects[i];
		struct expect_result found;
		struct err err;
		r->report->expects++;
		if (!expect_find(q, &e->is, &a, &found, &err))
			reading_error(r, e->line, "expect %s: %s", e->is.text, err.text);
		else if (!found.holds)
			report_add(r->report,
				   arena_printf(&a, "%s:%zu: %s", r->file, e->line, found.line),
				   false, true);
	}
	arena_release(&a);
}

static void look_at_expects(struct reading *r, const bool *made)
{
	const struct tour *const t = r->tour;
	struct quantities *q = NULL;
	const struct scene *of = NULL;
	for (size_t i = 0; i < t->n_beats && !watch_cancelled(r->watch); i++) {
		const struct tour_beat *const b = &t->beats[i];
		if (b->n_expects == 0 || !made[i])
			continue;
		r->file = t->parts[t->steps[b->step].part].file;
		if (!of || !quantities_same(of, &b->scene)) {
			quantities_free(q);
			q = quantities_new(&b->scene, r->cache, r->watch);
			of = &b->scene;
		}
		expect(r, i, q);
	}
	quantities_free(q);
}

void scenes_look(struct reading *r, bool expects)
{
	struct tour *const t = r->tour;
	bool *const made = arena_calloc(r->a, t->n_beats + 1, sizeof *made);
	for (size_t i = 0; i < t->n_beats && !watch_cancelled(r->watch); i++) {
		r->file = t->parts[t->steps[t->beats[i].step].part].file;
		made[i] = look_at(r, i);
		const bool first = i == t->steps[t->beats[i].step].first;
		r->report->fell_back +=
			t->beats[i].fell_back && (first || !t->beats[i - 1].fell_back);
		/* A beat that falls back goes on until another view is chosen. */
	}
	if (expects)
		look_at_expects(r, made);
}

/* ---- for whoever shows it ------------------------------------------------------------------------------ */

size_t tour_marks(const struct tour_beat *beat, const struct trace *trace,
		  struct mark out[TOUR_MARKS])
{
	struct arena a;
	size_t n = 0;
	arena_init(&a);
	for (size_t i = 0; i < beat->n_marks; i++)
		n += find_mark(&beat->marks[i], trace, &a, &out[n], NULL);
	arena_release(&a);
	return n;
}

void tour_mark(const struct tour_beat *beat, const struct scene *scene, const struct trace *trace,
	       struct arena *a, struct figure *f, size_t *pane)
{
	struct mark marks[TOUR_MARKS];
	const struct view *const v = view_of(scene);
	long row, col;
	figure_mark(f, marks, tour_marks(beat, trace, marks), trace->memory, a);
	if (scene->row == 0 && scene->col == 0 && !v->rows && !v->own && !v->reads_cursor &&
	    tour_cell(beat, trace, &row, &col))
		figure_cursor(f, row, col);
	*pane = SIZE_MAX;
	if (beat->focus && !view_pane(v, f, beat->focus, a, pane, NULL))
		*pane = SIZE_MAX;
}

bool tour_picture(const struct tour_beat *beat, const struct scene *scene, bool measured,
		  enum background background, struct cache *cache, struct watch *watch,
		  struct arena *a, struct picture *out, size_t *pane, struct err *err)
{
	memset(out, 0, sizeof *out);
	if (!setup_build(&scene->setup, a, &out->built, err) ||
	    !picture_compute(scene, cache, watch, a, out, err) ||
	    !(measured ? picture_measured(scene, background, cache, watch, a, out, err)
		       : picture_redraw(scene, NULL, false, background, a, out, err)))
		return false;
	tour_mark(beat, scene, &out->trace, a, &out->figure, pane);
	return true;
}
