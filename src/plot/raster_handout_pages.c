/* raster_handout_pages.c: the parts common to all pages of a hand-out, and its first pages: title
 * and list of contents. */
#include <math.h>
#include <string.h>

#include "plot/raster_handout.h"

/* Sizes relative to the body text. */
static const double heading_size = 1.6, title_size = 2.3, chapter_size = 1.1;

void leaves_link(struct leaves *l, struct area at, size_t page)
{
	if (l->draw && page > 0)
		l->p->device->kind->link(l->p->device, at, page);
}

void leaves_outline(struct leaves *l, size_t depth, const char *name, size_t page)
{
	if (l->draw)
		l->p->device->kind->outline(l->p->device, depth, name, page);
}

/* ---- a page ------------------------------------------------------------------------------------------ */

static void keep_report(struct leaves *l)
{
	struct handout_report *const r = l->report;
	struct raster_report *const of = &l->p->report;
	r->pages = arena_grow(l->arena, r->pages, r->n, &l->cap_pages, sizeof *r->pages);
	of->width = l->p->width;
	of->height = l->p->height;
	r->pages[r->n++] = *of;
	r->missing_glyphs += of->missing_glyphs;
	if (r->missing_sample == NULL)
		r->missing_sample = of->missing_sample;
	*of = (struct raster_report){.font = of->font, .font_taken = of->font_taken};
	l->p->box_room = l->p->plot_room = 0;
}

static const char *joined(struct leaves *l, const char *const *texts, size_t n)
{
	const char *out = "";
	for (size_t i = 0; i < n; i++)
		out = arena_printf(l->arena, "%s%s%s", out, i ? "; " : "", texts[i]);
	return out;
}

/* Draws title, part and author at the left, and the page number at the right. */
static void put_foot(struct leaves *l)
{
	const struct handout *const h = l->h;
	const char *const author = h->author[0] ? arena_printf(l->arena, " · %s", h->author) : "";
	const char *const part =
		l->part && !l->running ? arena_printf(l->arena, " · %s", l->part) : "";
	const char *const number = arena_printf(l->arena, "page %zu of %zu", l->page, l->n_pages);
	const uint32_t ink = l->p->theme->second;
	const double y = l->in.y + l->in.h + 1.2 * l->small, right = l->in.x + l->in.w;
	raster_line(l->p, l->in.x, y - 0.6 * l->small, right, y - 0.6 * l->small, 1,
		    l->p->theme->hair);
	l->p->authored = false;
	leaves_line(l, FACE_TEXT, l->small, ink, 0, l->in.x, y, l->in.w - 10 * l->body,
		    arena_printf(l->arena, "%s%s%s", h->title, part, author));
	leaves_line(l, FACE_TEXT, l->small, ink, 1, right, y, 9 * l->body, number);
	l->p->authored = true;
}

const char *leaves_sources(struct leaves *l, const char *const *sources, size_t n)
{
	return arena_printf(l->arena, "Source%s: %s", n > 1 ? "s" : "", joined(l, sources, n));
}

double leaves_running_height(struct leaves *l)
{
	return l->running ? leaves_text_height(l, FACE_TEXT, l->small, 1e6, "Ag") + 1.6 * l->small
			  : 0;
}

/* "step 3", "steps 3 to 5": those that begin on this page, as the last pass found. */
static const char *steps_here(struct leaves *l)
{
	size_t first = 0, n = 0;
	for (size_t i = 0; i < l->h->n_steps; i++)
		if (l->step_page[i] == l->page) {
			first = n == 0 ? l->h->steps[i].number : first;
			n++;
		}
	return n == 0	? ""
	       : n == 1 ? arena_printf(l->arena, "step %zu", first)
			: arena_printf(l->arena, "steps %zu to %zu", first, first + n - 1);
}

/* Draws the head of a page of several steps: part or title at the left, its steps at the right. */
static void put_running(struct leaves *l)
{
	const uint32_t ink = l->p->theme->second;
	const double high = leaves_running_height(l), right = l->in.x + l->in.w;
	if (!l->running)
		return;
	if (l->draw) {
		leaves_line(l, FACE_TEXT, l->small, ink, 0, l->in.x, l->y, l->in.w - 12 * l->body,
			    l->part ? l->part : l->h->title);
		leaves_line(l, FACE_TEXT, l->small, ink, 1, right, l->y, 11 * l->body,
			    steps_here(l));
		raster_line(l->p, l->in.x, l->y + high - l->small, right, l->y + high - l->small, 1,
			    l->p->theme->hair);
	}
	l->y += high;
}

static double source_height(struct leaves *l)
{
	return l->source ? leaves_text_height(l, FACE_TEXT, l->small, l->in.w, l->source) : 0;
}

void leaves_end(struct leaves *l)
{
	if (!l->draw || l->page == 0)
		return;
	if (l->source)
		leaves_text(
			l, FACE_TEXT, l->small, l->p->theme->second,
			(struct area){l->in.x, l->in.y + l->in.h - source_height(l), l->in.w, 0},
			l->source);
	put_foot(l);
	keep_report(l);
}

void leaves_begin(struct leaves *l, const char *const *sources, size_t n_sources)
{
	leaves_end(l);
	if (l->draw && l->page > 0)
		l->p->device->kind->next_page(l->p->device);
	l->page++;
	l->source = n_sources == 0 ? NULL : leaves_sources(l, sources, n_sources);
	l->bottom_full = l->in.y + l->in.h;
	l->bottom = l->in.y + l->in.h - source_height(l) - (l->source ? 1.2 * l->small : 0);
	l->y = l->in.y;
	l->saved = 0;
	l->column = l->in;
	if (l->draw)
		raster_rect(l->p, (struct area){0, 0, l->p->width + 1, l->p->height + 1},
			    l->p->theme->paper);
	put_running(l);
}

void leaves_continue(struct leaves *l)
{
	leaves_begin(l, NULL, 0);
	if (l->again == NULL)
		return;
	const struct area at = {l->in.x, l->y, l->in.w, 0};
	l->y += leaves_text(l, FACE_HEAD, chapter_size * l->body, l->p->theme->second, at,
			    arena_printf(l->arena, "%s, continued", l->again)) +
		1.2 * l->body;
}

void leaves_heading(struct leaves *l, const char *number, const char *title)
{
	const double size = heading_size * l->body;
	struct area at = {l->in.x, l->y, l->in.w, 0};
	if (number[0]) {
		const double wide =
			leaves_line(l, FACE_TITLE, size, l->accent, 0, at.x, at.y, at.w, number) +
			0.5 * size;
		at.x += wide;
		at.w -= wide;
	}
	l->y += leaves_text(l, FACE_TITLE, size, l->p->theme->ink, at, title) + 0.9 * l->body;
	l->column.y = l->y;
}

/* ---- contents ---------------------------------------------------------------------------------------- */

/* A list in one column, or in two on a wide page. */
struct contents {
	struct leaves *l;
	double size, pitch, top;
	size_t columns, column;
};

static struct area column_of(const struct contents *c)
{
	const double gap = 3 * c->l->body;
	const double w = (c->l->in.w - gap * (double)(c->columns - 1)) / (double)c->columns;
	return (struct area){c->l->in.x + (double)c->column * (w + gap), c->l->y, w, c->pitch};
}

/* Makes room for so many rows, so that the title of a part is not separated from its first row. */
static void find_room(struct contents *c, size_t rows)
{
	struct leaves *const l = c->l;
	if (l->y + (double)rows * c->pitch <= l->bottom)
		return;
	if (++c->column == c->columns) {
		leaves_continue(l);
		c->column = 0;
		c->top = l->y;
	}
	l->y = c->top;
}

static void put_row(struct contents *c, enum face face, const char *number, const char *title,
		    size_t page)
{
	struct leaves *const l = c->l;
	const struct theme *const theme = l->p->theme;
	const struct area at = column_of(c);
	const double numbers = number ? 2.6 * c->size : 0, right = at.x + at.w;
	const double width = at.w - numbers - 3.5 * c->size;
	if (number)
		leaves_line(l, FACE_TEXT, c->size, theme->second, 1, at.x + 1.7 * c->size, at.y,
			    at.w, number);
	const double end =
		at.x + numbers + 0.6 * c->size +
		leaves_line(l, face, c->size, theme->ink, 0, at.x + numbers, at.y, width, title);
	if (page > 0 && l->draw) {
		const double from = right - 0.6 * c->size -
				    leaves_line(l, FACE_TEXT, c->size, theme->ink, 1, right, at.y,
						at.w, arena_printf(l->arena, "%zu", page));
		const double y = at.y + 0.95 * c->size;
		if (from > end)
			raster_dashed(l->p, end, y, from, y, 1, theme->axis, 1, 0.35 * c->size);
		leaves_link(l, at, page);
	}
	l->y += c->pitch;
}

static void put_title(struct leaves *l)
{
	const struct handout *const h = l->h;
	const uint32_t second = l->p->theme->second;
	const char *const below = h->author[0] && h->length[0]
					  ? arena_printf(l->arena, "%s · %s", h->author, h->length)
					  : arena_printf(l->arena, "%s%s", h->author, h->length);
	l->y += leaves_text(l, FACE_TITLE, title_size * l->body, l->p->theme->ink, l->in, h->title);
	if (below[0])
		l->y += 0.5 * l->body +
			leaves_text(l, FACE_TEXT, l->body, second,
				    (struct area){l->in.x, l->y + 0.5 * l->body, l->in.w, 0},
				    below);
	if (h->about[0])
		l->y += 1.2 * l->body +
			leaves_text(l, FACE_TEXT, 1.1 * l->body, l->p->theme->ink,
				    (struct area){l->in.x, l->y + 1.2 * l->body, l->in.w, 0},
				    h->about);
	l->y += 1.6 * l->body;
	if (l->draw)
		raster_line(l->p, l->in.x, l->y, l->in.x + l->in.w, l->y, 1, l->p->theme->hair);
	l->y += 1.4 * l->body;
}

void leaves_contents(struct leaves *l)
{
	const struct handout *const h = l->h;
	struct contents c = {.l = l, .size = l->wide ? 0.8 * l->body : l->body, .columns = 1};
	leaves_begin(l, NULL, 0);
	l->again = "Contents";
	put_title(l);
	if (h->sheet)
		return;
	c.pitch = (h->n_parts > 1 ? 1.5 : 1.75) * c.size;
	c.top = l->y;
	/* Parts, the air between them, and the answers take about two rows a part. */
	const double rows = (double)(h->n_steps + (h->n_parts > 1 ? 2 * h->n_parts : 0) + 2);
	const bool long_list = rows * c.pitch > l->bottom - c.top;
	c.columns = l->wide || long_list ? 2 : 1;
	if (long_list)
		c.size = 0.9 * c.size;
	for (size_t i = 0; i < h->n_steps; i++) {
		const struct handout_step *const s = &h->steps[i];
		const bool begins = h->n_parts > 1 && (i == 0 || s->part != h->steps[i - 1].part);
		if (begins) {
			if (l->y > c.top)
				l->y += 0.5 * c.pitch;
			find_room(&c, 2);
			put_row(&c, FACE_BOLD, NULL, h->parts[s->part].title, 0);
		}
		find_room(&c, 1);
		put_row(&c, FACE_TEXT, arena_printf(l->arena, "%zu", s->number), s->title,
			l->step_page[i]);
	}
	if (l->answers_page > 0) {
		l->y += 0.5 * c.pitch;
		find_room(&c, 1);
		put_row(&c, FACE_BOLD, NULL, "Answers", l->answers_page);
	}
}
