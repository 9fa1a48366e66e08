/* raster_handout.c: the pages of a hand-out, with one step or several on each, followed by the
 * answers; and the PDF of them. */
#include <math.h>
#include <string.h>

#include "plot/raster_handout.h"
#include "posviz/base/text.h"

/* ---- words ------------------------------------------------------------------------------------------- */

static bool has_answers(const struct leaves *l)
{
	return l->h->shows != HANDOUT_QUESTIONS;
}

static bool has_questions(const struct leaves *l)
{
	return l->h->shows != HANDOUT_ANSWERS;
}

static void add_question(struct leaves *l, struct words_list *list,
			 const struct handout_question *q)
{
	words_add(l, list, (struct words){.kind = WORDS_ASK, .text = q->ask});
	for (size_t i = 0; i < q->n_options; i++)
		words_add(l, list,
			  (struct words){.kind = WORDS_OPTION,
					 .text = q->options[i],
					 .letter = (char)('a' + (int)i)});
	if (q->n_options == 0)
		words_add(l, list, (struct words){.kind = WORDS_LINES});
}

static void add_step(struct leaves *l, struct words_list *list, size_t step)
{
	const struct handout_step *const s = &l->h->steps[step];
	for (size_t i = 0; i < s->n_says; i++)
		words_add(l, list, (struct words){.kind = WORDS_SAY, .text = s->says[i]});
	for (size_t i = 0; i < s->n_questions; i++) {
		const size_t page = l->answer_page[step][i];
		add_question(l, list, &s->questions[i]);
		if (has_answers(l))
			words_add(l, list,
				  (struct words){
					  .kind = WORDS_LINK,
					  .text = arena_printf(l->arena, "Answer: page %zu", page),
					  .page = page});
	}
	/* A page of one step has its sources at its foot. */
	if (l->h->per_page > 1 && s->n_sources > 0)
		words_add(l, list,
			  (struct words){.kind = WORDS_SOURCE,
					 .text = leaves_sources(l, s->sources, s->n_sources)});
}

static void add_answer(struct leaves *l, struct words_list *list, size_t step, size_t question)
{
	const struct handout_question *const q = &l->h->steps[step].questions[question];
	const bool chosen = q->right >= 0 && (size_t)q->right < q->n_options;
	words_add(l, list, (struct words){.kind = WORDS_ASKED, .text = q->ask});
	if (chosen || q->answer != NULL)
		words_add(l, list,
			  (struct words){.kind = WORDS_ANSWER,
					 .text = chosen ? q->options[q->right] : q->answer,
					 .letter = chosen ? (char)('a' + q->right) : '\0'});
	for (size_t i = 0; i < q->n_after; i++)
		words_add(l, list, (struct words){.kind = WORDS_SAY, .text = q->after[i]});
	if (has_questions(l))
		words_add(l, list,
			  (struct words){.kind = WORDS_LINK,
					 .text = arena_printf(l->arena, "Question: page %zu",
							      l->step_page[step]),
					 .page = l->step_page[step]});
}

/* ---- a figure and its words ------------------------------------------------------------------ */

/* Puts the words below the figures, which get the height that the words leave, but at least a
 * minimum. */
static bool put_high(struct leaves *l, const struct words_list *words, const size_t *ids, size_t n,
		     struct err *err)
{
	const double least = 0.3 * l->in.h, most = (l->wide ? 0.75 : 0.56) * l->in.h;
	const double left = l->bottom - l->y - words_height(l, words, l->in.w);
	double taken = 0;
	if (n > 0) {
		const double room = fmin(fmax(left, least), most);
		const struct area at = {l->in.x, l->y, l->in.w, room};
		if (!leaves_pictures(l, ids, n, at, &taken, err))
			return false;
		l->y += room;
		l->saved = room - taken;
	}
	words_put(l, words);
	return true;
}

/* Puts the words beside the figure, whose width shrinks for them within limits. Two figures are
 * side by side with the words below. */
static bool put_wide(struct leaves *l, const struct words_list *words, const size_t *ids, size_t n,
		     struct err *err)
{
	static const double parts[] = {0.36, 0.42, 0.48, 0.54};
	if (n > 1)
		return put_high(l, words, ids, n, err);
	const double gap = 2 * l->body, room = l->bottom - l->y;
	size_t i = 0;
	double taken;
	while (i + 1 < sizeof parts / sizeof *parts &&
	       words_height(l, words, parts[i] * l->in.w) > room)
		i++;
	const double side = n > 0 ? parts[i] * l->in.w : l->in.w;
	const struct area at = {l->in.x, l->y, l->in.w - side - gap, room};
	if (!leaves_pictures(l, ids, n, at, &taken, err))
		return false;
	l->column = (struct area){l->in.x + l->in.w - side, l->y, side, room};
	words_put(l, words);
	return true;
}

static bool put_both(struct leaves *l, const struct words_list *words, const size_t *ids, size_t n,
		     struct err *err)
{
	return l->wide ? put_wide(l, words, ids, n, err) : put_high(l, words, ids, n, err);
}

/* ---- steps ------------------------------------------------------------------------------------------- */

static const char *number_of(struct leaves *l, const struct handout_step *s)
{
	return arena_printf(l->arena, "%zu", s->number);
}

static bool begins_part(const struct leaves *l, size_t step)
{
	const struct handout_step *const s = l->h->steps;
	return l->h->n_parts > 1 && (step == 0 || s[step - 1].part != s[step].part);
}

static double chapter_height(struct leaves *l)
{
	return leaves_text_height(l, FACE_HEAD, 1.1 * l->body, 1e6, "Ag") + 0.4 * l->body;
}

/* Puts the title of a part of a lecture above that of its first step. */
static void put_chapter(struct leaves *l, size_t step)
{
	const struct handout_step *const s = &l->h->steps[step];
	if (!begins_part(l, step))
		return;
	const struct handout_part *const part = &l->h->parts[s->part];
	const struct area at = {l->in.x, l->y, l->in.w, 0};
	leaves_outline(l, 0, part->title, l->page);
	if (l->draw && l->y > l->in.y + 6 * l->body)
		raster_line(l->p, l->in.x, l->y - 0.9 * l->body, l->in.x + l->in.w,
			    l->y - 0.9 * l->body, 1, l->p->theme->hair);
	l->y += leaves_text(l, FACE_HEAD, 1.1 * l->body, l->accent, at,
			    arena_printf(l->arena, "Part %zu · %s", s->part + 1, part->title)) +
		0.4 * l->body;
}

/* Puts a step below the last one, on the same page if it has room for it with the title of its
 * part. */
static bool put_below(struct leaves *l, size_t step, struct err *err)
{
	const struct handout *const h = l->h;
	const struct handout_step *const s = &h->steps[step];
	struct words_list words = {0};
	l->part = h->n_parts > 1 ? h->parts[s->part].title : NULL;
	add_step(l, &words, step);
	const struct entry entry = {.number = number_of(l, s),
				    .title = s->title,
				    .words = &words,
				    .ids = s->pictures,
				    .n = s->n_pictures,
				    .headed = begins_part(l, step) && !h->sheet,
				    .part = h->sheet ? 0 : 1.0 / (double)h->per_page};
	const double chapter = begins_part(l, step) && !h->sheet ? chapter_height(l) : 0;
	if (!h->sheet && (step == 0 || !entry_fits(l, &entry, chapter)))
		leaves_begin(l, NULL, 0);
	if (!h->sheet)
		put_chapter(l, step);
	l->again = s->title;
	if (!leaves_entry(l, &entry, err))
		return false;
	l->step_page[step] = l->entry_page;
	leaves_outline(l, h->sheet || h->n_parts > 1 ? 1 : 0,
		       h->sheet ? s->title : arena_printf(l->arena, "%zu  %s", s->number, s->title),
		       l->entry_page);
	return true;
}

static bool put_step(struct leaves *l, size_t step, struct err *err)
{
	const struct handout *const h = l->h;
	const struct handout_step *const s = &h->steps[step];
	struct words_list words = {0};
	if (h->sheet || h->per_page > 1)
		return put_below(l, step, err);
	l->part = h->n_parts > 1 ? h->parts[s->part].title : NULL;
	leaves_begin(l, s->sources, s->n_sources);
	l->step_page[step] = l->page;
	l->again = s->title;
	add_step(l, &words, step);
	put_chapter(l, step);
	leaves_outline(l, h->n_parts > 1 ? 1 : 0,
		       arena_printf(l->arena, "%zu  %s", s->number, s->title), l->page);
	leaves_heading(l, number_of(l, s), s->title);
	return put_both(l, &words, s->pictures, s->n_pictures, err);
}

/* ---- answers ----------------------------------------------------------------------------------------- */

static bool put_answer(struct leaves *l, size_t step, size_t question, struct err *err)
{
	const struct handout_step *const s = &l->h->steps[step];
	const struct handout_question *const q = &s->questions[question];
	const size_t n = q->picture != HANDOUT_NO_PICTURE;
	struct words_list words = {0};
	bool good = true;
	l->part = l->h->n_parts > 1 ? l->h->parts[s->part].title : NULL;
	add_answer(l, &words, step, question);
	if (l->wide) {
		leaves_begin(l, NULL, 0);
		l->again = s->title;
		l->answer_page[step][question] = l->page;
		leaves_heading(l, number_of(l, s), arena_printf(l->arena, "Answer: %s", s->title));
		good = put_wide(l, &words, &q->picture, n, err);
	} else {
		l->again = "Answers";
		l->part = NULL;
		const struct entry entry = {
			.number = number_of(l, s),
			.title = s->title,
			.words = &words,
			.ids = &q->picture,
			.n = n,
			.part = l->h->per_page > 2 ? 1.0 / (double)l->h->per_page : 0};
		good = leaves_entry(l, &entry, err);
		l->answer_page[step][question] = l->entry_page;
	}
	leaves_outline(l, 1, arena_printf(l->arena, "%zu  %s", s->number, s->title),
		       l->answer_page[step][question]);
	return good;
}

static size_t questions_of(const struct handout *h)
{
	size_t out = 0;
	for (size_t i = 0; i < h->n_steps; i++)
		out += h->steps[i].n_questions;
	return out;
}

static bool put_answers(struct leaves *l, struct err *err)
{
	const struct handout *const h = l->h;
	if (!has_answers(l) || questions_of(h) == 0)
		return true;
	const bool title = has_questions(l) || h->n_steps == 1;
	l->part = NULL;
	l->answers_page = l->page + (title || l->wide);
	if (!l->wide && title)
		leaves_begin(l, NULL, 0);
	leaves_outline(l, 0, "Answers", l->answers_page);
	if (!l->wide)
		leaves_heading(l, "", "Answers");
	for (size_t i = 0; i < h->n_steps; i++)
		for (size_t k = 0; k < h->steps[i].n_questions; k++)
			if (!put_answer(l, i, k, err))
				return false;
	return true;
}

/* ---- the whole hand-out ---------------------------------------------------------------------- */

static bool put_pages(struct leaves *l, struct err *err)
{
	const struct handout *const h = l->h;
	l->page = 0;
	l->part = NULL;
	l->running = false;
	if (h->n_steps > 1 || h->sheet) {
		leaves_outline(l, 0, h->title, 1);
		leaves_contents(l);
	}
	l->running = h->per_page > 1 && !h->sheet;
	for (size_t i = 0; has_questions(l) && i < h->n_steps; i++)
		if (!put_step(l, i, err))
			return false;
	l->running = false;
	return put_answers(l, err);
}

static void set_sizes(struct leaves *l, const struct raster_look *look)
{
	const double w = look->width, h = look->height;
	l->body = look->type;
	l->wide = w > 1.15 * h;
	l->small = (l->wide ? 0.72 : 0.82) * l->body;
	const double side = round((l->wide ? 0.055 : 0.115) * w);
	const double top = round((l->wide ? 0.075 : 0.06) * h), foot = 3.2 * l->small;
	l->in = (struct area){side, top, w - 2 * side, h - 1.6 * top - foot};
}

/* Tells if the page has room for every paragraph of a tour. */
static bool has_room(const struct leaves *l, struct err *err)
{
	const double ems = l->in.w / l->body, lines = l->in.h / l->body;
	return (ems >= 20 && lines >= 20) ||
	       err_set(err,
		       "a page with room for %.0f lines of %.0f letters of %.3g pt is too small for a "
		       "hand-out; a larger --size or a smaller --font-size would be right",
		       fmax(0, floor(lines / 1.6)), fmax(0, floor(2 * ems)), l->body * 72 / 96);
}

static void open_leaves(struct leaves *l, const struct raster_look *look)
{
	const struct handout *const h = l->h;
	l->accent = figure_series_colour(0, look->dark);
	l->step_page = arena_calloc(l->arena, h->n_steps + 1, sizeof *l->step_page);
	l->answer_page = arena_calloc(l->arena, h->n_steps + 1, sizeof *l->answer_page);
	for (size_t i = 0; i < h->n_steps; i++)
		l->answer_page[i] = arena_calloc(l->arena, h->steps[i].n_questions + 1,
						 sizeof **l->answer_page);
}

bool handout_pdf(const struct handout *h, const struct raster_look *look, struct arena *a,
		 char **data, size_t *len, struct handout_report *report, struct err *err)
{
	const struct figure none = {0};
	struct page page = {0};
	struct handout_report unseen = {0};
	struct strbuf out;
	strbuf_init(&out, a);
	struct leaves l = {
		.p = &page, .h = h, .arena = a, .report = report != NULL ? report : &unseen};
	*l.report = (struct handout_report){0};
	set_sizes(&l, look);
	open_leaves(&l, look);
	bool good = has_room(&l, err) && raster_open(&page, &none, look, a, err);
	if (good) {
		page.leading = 1.12;
		page.authored = true;
		raster_text_size(&page, raster_faces_first(&page));
		good = put_pages(&l, err) &&
		       put_pages(&l, err); /* the second time with the right page numbers */
	}
	if (good) {
		const struct device_words words = {h->title, h->author, h->about, h->maker};
		l.n_pages = l.page;
		l.draw = true;
		page.device = device_pdf(a, look->width, look->height, 72.0 / 96, &words, &out);
		good = put_pages(&l, err);
		leaves_end(&l);
		struct err closing;
		const bool closed = page.device->kind->close(page.device, good ? err : &closing);
		good = good && closed;
	}
	raster_text_close(&page);
	*data = out.at;
	*len = out.len;
	return good;
}
