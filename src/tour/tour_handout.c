/* tour_handout.c: what of a tour stands on paper: which figures, which words beside them, and what is kept for the
 * answers.
 *
 * What comes before a question stands beside it; from its answer on a step goes on among the answers, so that a hand-out
 * without them tells none. */
#include <math.h>
#include <string.h>

#include "posviz/app/snapshot.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "posviz/picture/picture.h"
#include "posviz/tour/tour_paper.h"
#include "posviz/tour/tour_run.h"
#include "tour_in.h"

/* ---- the page ---------------------------------------------------------------------------------------- */

static bool is_field(const struct scene *scene, const char *name)
{
	const struct scene *const usual = scene_defaults();
	struct arena a;
	arena_init(&a);
	const struct field *const f = field_find(name);
	const bool out = strcmp(scene_get(scene, f, &a), scene_get(usual, f, &a)) != 0;
	arena_release(&a);
	return out;
}

/* The size of letters, in points, of pages with so many steps. */
static double letters_of(size_t per_page)
{
	return per_page > 4 ? 9 : per_page > 2 ? 10 : 11;
}

/* Returns the page: A4 if the room chose none. */
static struct raster_look look_of(const struct scene *room, size_t per_page)
{
	static const double inch = 96, point = 96.0 / 72, slide = 18 / 7.5;
	const double usual = letters_of(per_page);
	struct raster_look look = snapshot_look(room);
	if (!is_field(room, "size")) {
		look.width = 210 / 25.4 * inch; /* A4 */
		look.height = 297 / 25.4 * inch;
	}
	/* Words of a slide are read from afar. */
	const bool wide = look.width > look.height;
	look.type = room->font_size > 0 ? room->font_size
		    : wide		? fmax(usual, look.height / inch * slide)
					: usual;
	look.type *= point;
	look.pixels = 1;
	look.foot = FOOT_NONE;
	return look;
}

/* ---- words ------------------------------------------------------------------------------------------- */

/* A list that grows. */
struct texts {
	const char **at;
	size_t n, cap;
};

static void add_text(struct texts *to, struct arena *a, const char *text)
{
	to->at = tour_grown(a, (void *)to->at, to->n, &to->cap, sizeof *to->at);
	to->at[to->n++] = text;
}

/* Adds the words of a beat, and what ran before one's eyes. */
static void add_beat(struct texts *to, struct arena *a, const struct tour_beat *b)
{
	const struct tour_play *const p = &b->play;
	if (b->say)
		add_text(to, a, b->say);
	if (p->name)
		add_text(to, a,
			 arena_printf(a, "On the screen, %s runs from %s to %s; shown here: %s.",
				      p->name, p->from, p->to, p->to));
}

static struct handout_question question_of(const struct tour_beat *b)
{
	struct handout_question q = {.ask = b->ask,
				     .n_options = b->n_options,
				     .right = b->n_options ? b->right : -1,
				     .answer = b->answer,
				     .picture = HANDOUT_NO_PICTURE};
	memcpy(q.options, b->options, sizeof q.options);
	return q;
}

/* ---- figures ----------------------------------------------------------------------------------------- */

static bool look_alike(const struct tour_beat *a, const struct tour_beat *b)
{
	const bool same =
		a->focus == b->focus || (a->focus && b->focus && strcmp(a->focus, b->focus) == 0);
	return same && !a->refused == !b->refused && scene_equal(&a->scene, &b->scene);
}

/* The first and the last of those that differ; of equal ones the last, which has most pointed out. */
static size_t choose_pictures(const struct tour *t, size_t first, size_t n, size_t *out)
{
	const size_t last = first + n - 1;
	size_t at = first;
	while (at < last && look_alike(&t->beats[at], &t->beats[at + 1]))
		at++;
	out[0] = at;
	out[1] = last;
	return at < last ? 2 : 1;
}

/* A pane that says little without another one of its view. */
static const struct {
	const char *view, *pane, *with;
} companions[] = {{"order", "shown", "written"}, {"order", "reversed", "written"}};

static const char *panels_of(const struct scene *scene, const struct figure *f, size_t pane,
			     struct arena *a)
{
	const char *const name = figure_panel_name(f, pane, a);
	for (size_t i = 0; i < sizeof companions / sizeof *companions; i++)
		if (strcmp(companions[i].view, view_of(scene)->name) == 0 &&
		    strcmp(companions[i].pane, name) == 0)
			return arena_printf(a, "%s,%s", companions[i].with, name);
	return name;
}

/* The beat as the room shows it, where everybody sees one page. */
static struct scene scene_of(const struct tour *t, size_t beat, const struct tour_paper *paper)
{
	const struct tour_run run = {.tour = t, .before = *paper->room};
	struct scene scene = tour_scene(&run, beat);
	static const char *const colours[] = {"colormap", "scale"};
	struct arena a;
	arena_init(&a);
	for (size_t i = 0; i < sizeof colours / sizeof *colours; i++) {
		const struct field *const f = field_find(colours[i]);
		if (!is_field(&scene, colours[i]))
			scene_set(&scene, f, scene_get(paper->room, f, &a), NULL);
	}
	arena_release(&a);
	scene.presenter = false;
	return scene;
}

bool tour_paper_picture(const struct tour *t, size_t beat, const struct tour_paper *paper,
			enum background background, struct cache *cache, struct watch *watch,
			struct arena *a, struct picture *out, struct scene *scene, struct err *err)
{
	size_t pane;
	*scene = scene_of(t, beat, paper);
	if (!tour_picture(&t->beats[beat], scene, true, background, cache, watch, a, out, &pane,
			  err))
		return false;
	if (pane == SIZE_MAX)
		return true;
	const char *const names = panels_of(scene, &out->figure, pane, a);
	if (!figure_pick(&out->figure, names, a, err))
		return false;
	scene->panel = scene_intern(names);
	return true;
}

struct making {
	const struct tour *t;
	const struct tour_paper *paper;
	struct cache *cache;
	struct watch *watch;
};

/* "“dog bites man” · Su et al. 2021 · rope · head 1 of 4" */
const char *tour_paper_below(const struct figure *f, struct arena *a)
{
	const char *const caption = f->caption ? f->caption : "";
	const char *const end = strstr(caption, "   ");
	const char *const sentence =
		arena_strndup(a, caption, end ? (size_t)(end - caption) : strlen(caption));
	const char *const parts[] = {sentence, f->title, f->subtitle};
	struct strbuf b;
	strbuf_init(&b, a);
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		if (!parts[i] || !*parts[i])
			continue;
		strbuf_add(&b, b.len ? " · " : "");
		for (const char *at = parts[i]; *at; at++)
			if (*at != ' ' || at[1] != ' ')
				strbuf_add_char(&b, *at);
	}
	return b.at;
}

static bool make_picture(void *context, size_t id, bool dark, struct arena *a,
			 struct handout_figure *out, struct err *err)
{
	const struct making *const m = context;
	struct picture *const p = arena_calloc(a, 1, sizeof *p);
	struct scene scene;
	struct err why;
	*out = (struct handout_figure){0};
	if (tour_paper_picture(m->t, id, m->paper, dark ? BACKGROUND_DARK : BACKGROUND_LIGHT,
			       m->cache, m->watch, a, p, &scene, &why)) {
		out->figure = &p->figure;
		out->below = tour_paper_below(&p->figure, a);
		return true;
	}
	if (!m->t->beats[id].refused)
		return err_set(err, "step %zu: %s", m->t->beats[id].step + 1, why.text);
	out->message = arena_strdup(a, why.text);
	out->below = arena_printf(a, "“%s” · %s", scene.setup.sentence, scene.setup.scheme);
	return true;
}

/* ---- all of it --------------------------------------------------------------------------------------- */

static struct handout_step step_of(const struct tour *t, size_t step, struct arena *a)
{
	const struct tour_step *const s = &t->steps[step];
	struct handout_step out = {.title = s->title,
				   .number = step + 1,
				   .part = s->part,
				   .sources = s->sources,
				   .n_sources = s->n_sources};
	struct handout_question *const questions = arena_calloc(a, s->n, sizeof *questions);
	struct texts says = {0}, after = {0};
	size_t before = 0;
	for (size_t i = s->first; i < s->first + s->n; i++) {
		const struct tour_beat *const b = &t->beats[i];
		struct handout_question *const q =
			out.n_questions > 0 ? &questions[out.n_questions - 1] : NULL;
		before += !q;
		add_beat(q ? &after : &says, a, b);
		if (q && b->reveals)
			q->picture = i;
		if (q) {
			q->after = after.at;
			q->n_after = after.n;
		}
		if (b->ask) {
			questions[out.n_questions++] = question_of(b);
			after = (struct texts){0};
		}
	}
	out.n_pictures = choose_pictures(t, s->first, before, out.pictures);
	out.says = says.at;
	out.n_says = says.n;
	out.questions = questions;
	return out;
}

/* Returns the steps on a page: as asked for, or as many as suit the page and the tour. */
static size_t steps_per_page(const struct tour *t, const struct tour_paper *paper)
{
	const struct raster_look look = look_of(paper->room, 1);
	const bool alone = paper->step > 0 || t->n_steps == 1;
	if (paper->sheet || alone)
		return 1;
	return paper->per_page > 0	  ? paper->per_page
	       : look.width > look.height ? 1
	       : t->n_parts > 1		  ? 4
					  : 2;
}

/* "12 steps · 9 minutes" */
static const char *length_of(const struct tour *t, struct arena *a)
{
	const double minutes = ceil(t->seconds / 60);
	const char *const steps =
		arena_printf(a, "%zu step%s", t->n_steps, t->n_steps == 1 ? "" : "s");
	return minutes > 0 ? arena_printf(a, "%s · %.0f minute%s", steps, minutes,
					  minutes > 1 ? "s" : "")
			   : steps;
}

void tour_paper(const struct tour *t, const struct tour_paper *paper, struct arena *a,
		struct handout *out)
{
	const size_t from = paper->step > 0 ? paper->step - 1 : 0;
	const size_t n = paper->step > 0 ? 1 : t->n_steps;
	struct handout_step *const steps = arena_calloc(a, n, sizeof *steps);
	struct handout_part *const parts = arena_calloc(a, t->n_parts + 1, sizeof *parts);
	for (size_t i = 0; i < n; i++)
		steps[i] = step_of(t, from + i, a);
	for (size_t i = 0; i < t->n_parts; i++)
		parts[i].title = t->parts[i].title;
	*out = (struct handout){.title = t->title,
				.author = t->author ? t->author : "",
				.about = t->about ? t->about : "",
				.length = length_of(t, a),
				.maker = "posviz " POSVIZ_VERSION,
				.parts = parts,
				.n_parts = t->n_parts,
				.steps = steps,
				.n_steps = n,
				.per_page = steps_per_page(t, paper),
				.shows = paper->shows,
				.sheet = paper->sheet};
}

bool tour_handout(const struct tour *t, const struct tour_paper *paper, struct cache *cache,
		  struct watch *watch, struct arena *a, char **data, size_t *len,
		  struct handout_report *report, struct err *err)
{
	struct making m = {t, paper, cache, watch};
	struct handout h;
	tour_paper(t, paper, a, &h);
	const struct raster_look look = look_of(paper->room, h.per_page);
	h.picture = make_picture;
	h.context = &m;
	return handout_pdf(&h, &look, a, data, len, report, err);
}
