/* canvas_panel.c: a panel with its box, and a figure with its title and caption.
 *
 * A panel too small for a box (fewer than 5 rows or 12 columns; bars fewer than 4 rows; a card,
 * whose words matter more, fewer than 7) has its title as a line of text, and below 3 rows only the
 * drawing. */
#include <string.h>

#include "plot/canvas_in.h"
#include "plot/canvas_pen.h"
#include "plot/panel_in.h"
#include "posviz/base/text.h"

/* NOTE_FRAME: columns of a border that are neither title nor note. */
enum { NOTE_FRAME = 9, LEAST_TITLE = 8 };

/* Fades outdated values while new ones are computed, and panels that are switched off: all text
 * becomes dim, colours move half way to the background. */
void canvas_fade(struct canvas *c, struct rect r)
{
	const int bottom = r.rows > c->rows - r.row ? c->rows : r.row + r.rows;
	const int right = r.cols > c->cols - r.col ? c->cols : r.col + r.cols;
	const uint32_t ground = c->dark ? 0 : 0x808080u; /* half of black, or of white */
	const unsigned dim = c->contrast ? 0 : ATTR_DIM;
	for (int row = r.row < 0 ? 0 : r.row; row < bottom; row++) {
		for (int col = r.col < 0 ? 0 : r.col; col < right; col++) {
			struct cell *const k = &c->cells[row * c->cols + col];
			uint32_t *const colours[] = {&k->fg, &k->bg};
			if ((k->fg & CELL_RGB(0)) == 0)
				k->attrs = (uint8_t)((k->attrs | dim) & ~(unsigned)ATTR_BOLD);
			for (size_t i = 0; i < 2; i++)
				if (*colours[i] & CELL_RGB(0))
					*colours[i] =
						CELL_RGB((*colours[i] >> 1 & 0x7f7f7fu) + ground);
		}
	}
}

/* Returns a title in at most `cols` columns: without its last words if other words remain, else
 * cut. The state of the panel - off, stale - is kept. */
static const char *title_of(const struct canvas *c, struct arena *a, const struct panel *p,
			    int cols)
{
	const char *const title = p->title != NULL ? p->title : "", *const cut =
									    c->ascii ? "~" : "…";
	const char *const state = arena_printf(a, "%s%s", p->off ? " (off)" : "",
					       !p->stale  ? ""
					       : c->ascii ? " ..."
							  : " …");
	const int room = cols - (int)text_width(state);
	if ((int)text_width(title) <= room)
		return arena_printf(a, "%s%s", title, state);
	if (p->brief_title != NULL && (int)text_width(p->brief_title) <= room)
		return arena_printf(a, "%s%s", p->brief_title, state);
	if (p->least_title != NULL && (int)text_width(p->least_title) <= room)
		return arena_printf(a, "%s%s", p->least_title, state);
	size_t len = room > 1 ? text_fit(title, (size_t)room - 1, NULL) : 0;
	while (len > 0 && title[len] != ' ')
		len--;
	const char *const less = arena_printf(a, "%.*s%s", (int)len, title, cut);
	if (len > 0 && 2 * (int)text_width(less) >= room) /* a number alone is not a title */
		return arena_printf(a, "%s%s", less, state);
	return arena_printf(a, "%s%s",
			    room > 0 ? text_shorten(a, title, (size_t)room, c->ascii) : "", state);
}

/* The texts on the borders. Above are the title and the panel's note; if the title leaves no room
 * for the note, it is below, at the left of the shown part. All are shortened before one of them is
 * dropped: first note and part, then the title. */
struct heading {
	const char *title, *note, *below, *part, *legend; /* legend: before `below` */
};

static bool fits_above(const struct heading *h, int cols, const char *note)
{
	return (int)(text_width(h->title) + text_width(note)) + NOTE_FRAME <= cols;
}

static bool fits_below(const char *part, int cols, const char *note)
{
	const int width = part != NULL ? (int)text_width(part) + NOTE_FRAME : 6;
	return width + (int)text_width(note) <= cols;
}

/* Returns the longest form of the part that has room. */
static const char *fitting_part(const char *const *part, int cols)
{
	size_t form = 0;
	while (part[form] != NULL && form + 1 < PART_FORMS &&
	       (int)text_width(part[form]) + 4 > cols)
		form++;
	return part[form];
}

/* Returns the meaning of the signs of cells that only one matrix of a difference masks; NULL
 * without such cells or room. */
static const char *legend_of(const struct canvas *c, struct arena *a, int cols,
			     const struct panel *p, const char *part)
{
	for (int brief = 0; brief < 2 && panel_shows_map(p); brief++) {
		const char *const legend = heatmap_one_sided(
			a, &p->heatmap, canvas_masked_sign(c, HEATMAP_MASKED_FIRST),
			canvas_masked_sign(c, HEATMAP_MASKED_SECOND), brief);
		if (legend != NULL && fits_below(part, cols, legend))
			return legend;
	}
	return NULL;
}

/* Gets the forms of the panel's note, with the sign of the cursor's point where that is to be explained. */
static void notes_of(const struct canvas *c, struct arena *a, const struct panel *p,
		     const char *out[2])
{
	const struct plane *const l = &p->plane;
	out[0] = p->note;
	out[1] = p->short_note != NULL ? p->short_note : p->note;
	if (p->kind != PANEL_PLANE || p->absent || !l->has_cursor || !l->cursor_is || l->group)
		return;
	out[1] = arena_printf(a, "%s: %s", c->ascii ? "@" : "◆", l->cursor_is);
	out[0] = p->note ? arena_printf(a, "%s, %s", p->note, out[1]) : out[1];
}

static struct heading heading_of(const struct canvas *c, struct arena *a, int cols,
				 const struct panel *p, const char *const *part)
{
	const char *own[2];
	notes_of(c, a, p, own);
	struct heading h = {.title = title_of(c, a, p, cols - 6), .part = fitting_part(part, cols)};
	h.legend = legend_of(c, a, cols, p, h.part);
	if (own[0] == NULL || *own[0] == '\0')
		return h;
	for (size_t i = 0; i < 2 && h.note == NULL; i++)
		h.note = fits_above(&h, cols, own[i]) ? own[i] : NULL;
	for (size_t i = 0; i < 4 && h.note == NULL && h.below == NULL; i++) {
		const char *const said = i < 2 ? h.part : part[1];
		if (!fits_below(said, cols, own[i % 2]))
			continue;
		h.below = own[i % 2];
		h.part = said;
	}
	const int room = cols - NOTE_FRAME - (int)text_width(own[1]);
	if (h.note == NULL && h.below == NULL && room >= LEAST_TITLE) {
		h.title = title_of(c, a, p, room);
		h.note = own[1];
	}
	return h;
}

void canvas_inside(struct canvas *c, struct arena *a, struct rect inner, const struct panel *p,
		   const struct heatmap_plan *plan)
{
	if (p->absent != NULL) {
		canvas_paragraph(c, a, inner, p->absent, ATTR_DIM);
		return;
	}
	const struct pen pen = pen_cells(c, a, inner);
	if (panel_type(p)->cells != NULL)
		panel_type(p)->cells(c, a, inner, p, plan);
	else
		panel_draw(&pen, p);
}

/* Draws the title of a panel without a box as a line of text if there are enough rows; returns the
 * remaining rows. */
static struct rect draw_heading(struct canvas *c, struct arena *a, struct rect r, const char *title,
				const char *note, bool focus)
{
	if (r.rows < 3)
		return r;
	unsigned attrs = focus ? ATTR_BOLD | ATTR_ACCENT : ATTR_BOLD;
	if (focus && c->tier == TIER_MONO)
		attrs |= ATTR_REVERSE;
	const int used = canvas_text_short(c, a, r.row, r.col, r.cols, title, attrs);
	if (note != NULL && used + 2 + (int)text_width(note) <= r.cols)
		canvas_text_right(c, a, r.row, r.col + r.cols, r.cols, note, ATTR_DIM);
	return (struct rect){r.row + 1, r.col, r.rows - 1, r.cols};
}

static struct rect clip(const struct canvas *c, struct rect r)
{
	const int bottom = r.row + r.rows < c->rows ? r.row + r.rows : c->rows;
	const int right = r.col + r.cols < c->cols ? r.col + r.cols : c->cols;
	const int row = r.row > 0 ? r.row : 0, col = r.col > 0 ? r.col : 0;
	return (struct rect){row, col, bottom > row ? bottom - row : 0,
			     right > col ? right - col : 0};
}

/* Writes the first clause of a subtitle between the title and the note, if it has room. */
static void draw_clause(struct canvas *c, struct arena *a, struct rect r, const char *subtitle,
			int title, int note)
{
	const char *clause = arena_strndup(a, subtitle, strcspn(subtitle, ";."));
	if (c->ascii)
		clause = canvas_plain_text(a, clause);
	if (title + 2 + (int)text_width(clause) + 2 + note <= r.cols)
		canvas_text(c, r.row, r.col + title + 2, r.cols, clause, ATTR_DIM);
}

/* Draws the heading of a panel without a box, over the full width; the shown part matters more than
 * the panel's own note and the end of the title. */
static void draw_bare(struct canvas *c, struct arena *a, struct rect r, const struct panel *p,
		      const char *const *part, bool focus)
{
	struct heading h = heading_of(c, a, r.cols + NOTE_FRAME - 2, p, part);
	if (part[0] != NULL) {
		h.note = part[1 + ((int)text_width(part[1]) > r.cols)];
		const int room = r.cols - 2 - (int)text_width(h.note);
		h.title = room > 2 ? title_of(c, a, p, room) : "";
	}
	draw_heading(c, a, r, h.title, h.note, focus);
	if (p->subtitle != NULL && r.rows >= 3)
		draw_clause(c, a, r, p->subtitle, (int)text_width(h.title),
			    h.note != NULL ? (int)text_width(h.note) : 0);
}

static void draw_boxed(struct canvas *c, struct arena *a, struct rect r, const struct panel *p,
		       const char *const *part, bool focus)
{
	const struct heading h = heading_of(c, a, r.cols, p, part);
	canvas_box(c, r, h.title, h.note, focus);
	if (h.legend != NULL || h.below != NULL)
		canvas_box_foot(c, r, h.legend != NULL ? h.legend : h.below, false);
	if (h.part != NULL)
		canvas_box_foot(c, r, h.part, true);
}

/* Return the rectangle of a panel without a box, with a blank column at both sides unless it is
 * tiny, and the rows below its title. */
static struct rect bare(const struct panel *p, struct rect r)
{
	const bool air = p->kind == PANEL_MULTIPLES && r.cols >= 12;
	return air ? (struct rect){r.row, r.col + 1, r.rows, r.cols - 2} : r;
}

static struct rect bare_inner(struct rect r)
{
	return (struct rect){r.row + (r.rows >= 3), r.col, r.rows - (r.rows >= 3), r.cols};
}

struct rect canvas_panel_inner(const struct panel *p, struct rect r, bool *box)
{
	const bool card = p->kind == PANEL_CARD && p->absent == NULL;
	const int least = card ? 7 : p->kind == PANEL_BARS ? 4 : 5;
	*box = p->kind != PANEL_MULTIPLES && r.rows >= least && r.cols >= 12;
	const struct rect in = {r.row + 1, r.col + BOX_COLS / 2, r.rows - BOX_ROWS,
				r.cols - BOX_COLS};
	return *box ? in : bare_inner(bare(p, r));
}

void canvas_items(const struct canvas *c, struct rect r, const struct panel *p, struct rect *at)
{
	struct arena a;
	arena_init(&a);
	const struct panel own = c->ascii ? canvas_plain(&a, p) : *p;
	canvas_multiples_places(c, bare_inner(bare(p, clip(c, r))), &own.multiples, at);
	arena_release(&a);
}

/* Returns the panel with a note that lists pointed-out cells whose values are not visible: all of
 * them if they fit on a border of `cols` columns. */
static struct panel with_pointed(const struct canvas *c, struct arena *a, const struct panel *p,
				 const struct heatmap_view *v, int cols)
{
	struct panel out = *p;
	const char *const all = canvas_pointed_words(c, &p->heatmap, v, SIZE_MAX, a);
	if (all == NULL)
		return out;
	out.note = out.short_note = all;
	if (!fits_below(NULL, cols, all))
		out.short_note = canvas_pointed_words(c, &p->heatmap, v, 1, a);
	return out;
}

/* Writes the sentence of a card without a box, few of whose lines have room, behind its title if it fits there. */
static void draw_said(struct canvas *c, struct arena *a, struct rect r, const struct panel *p)
{
	const char *const words = p->card.said == NULL ? ""
				  : c->ascii	       ? canvas_plain_text(a, p->card.said)
						       : p->card.said;
	const int title = p->title != NULL ? (int)text_width(p->title) + 2 : 0;
	const int note = p->note != NULL ? (int)text_width(p->note) + 2 : 0;
	if (title + (int)text_width(words) + note <= r.cols)
		canvas_text(c, r.row, r.col + title, r.cols - title, words, ATTR_DIM);
}

static void draw_panel(struct canvas *c, struct arena *a, struct rect r, const struct panel *p,
		       bool focus, struct heatmap_plan *plan)
{
	struct panel own;
	const bool card = p->kind == PANEL_CARD && p->absent == NULL;
	const bool brief = p->kind == PANEL_STRUCTURE && p->absent == NULL &&
			   r.rows <= canvas_structure_brief_rows(&p->drawing) && r.rows < 5;
	bool box;
	struct rect inner = canvas_panel_inner(p, r, &box);
	r = bare(p, r);
	const bool sentence = p->lead && p->absent != NULL;
	if ((card || brief || sentence) && !box && r.cols >= 12)
		r = (struct rect){r.row, r.col + BOX_COLS / 2, r.rows, r.cols - BOX_COLS};
	if (card && r.rows <= 3) {
		canvas_card_line(c, a, r, p, focus);
		return;
	}
	if (brief) {
		canvas_structure_brief(c, a, r, p, focus);
		return;
	}
	if (!box)
		inner = bare_inner(r);
	if (panel_shows_map(p)) {
		canvas_heatmap_plan(c, a, inner, &p->heatmap, plan);
		own = with_pointed(c, a, p, &plan->view, r.cols);
		p = &own;
	}
	if (p->kind == PANEL_MULTIPLES && p->absent == NULL)
		canvas_multiples_part(c, a, inner, &p->multiples, plan->note);
	(box ? draw_boxed : draw_bare)(c, a, r, p, plan->note, focus);
	if (card && !box)
		draw_said(c, a, r, p);
	canvas_inside(c, a, inner, p, plan);
}

void canvas_panel(struct canvas *c, struct rect r, const struct panel *p, bool focus,
		  struct rect *hit, struct heatmap_view *view)
{
	struct heatmap_plan plan = {0};
	const struct rect seen = clip(c, r);
	if (seen.rows > 0 && seen.cols > 0) {
		struct arena a;
		arena_init(&a);
		const struct panel in_ascii = c->ascii ? canvas_plain(&a, p) : *p;
		draw_panel(c, &a, seen, &in_ascii, focus, &plan);
		if (p->stale || p->off)
			canvas_fade(c, seen);
		canvas_isolate(c, seen);
		arena_release(&a);
	}
	if (hit != NULL)
		*hit = plan.data;
	if (view != NULL)
		*view = plan.view;
}

/* Returns whether the lower border has nothing but a line where a text of this width would be. */
static bool is_line(const struct canvas *c, struct rect r, int width, bool right)
{
	const int row = r.row + r.rows - 1;
	const int from = right ? r.col + r.cols - width - 5 : r.col + 1;
	for (int col = from; col < from + width + 4; col++) {
		const char *const sign = c->cells[row * c->cols + col].at;
		if (strcmp(sign, "─") != 0 && strcmp(sign, "-") != 0)
			return false;
	}
	return true;
}

/* Writes a text on the lower border of the panel, from the left; false: it has no free border of that length. */
static bool write_on_border(struct canvas *c, struct rect r, const char *text)
{
	for (int right = 0; right < 2; right++) {
		if (r.rows < 5 || (int)text_width(text) + 6 > r.cols ||
		    !is_line(c, r, (int)text_width(text), right))
			continue;
		canvas_box_foot(c, r, text, right);
		return true;
	}
	return false;
}

/* Returns the panel whose border comes after all others with a border, from the top, in a row the widest. */
static size_t last_border(const struct figure *f, const struct rect *place, const bool *tried)
{
	size_t last = f->n;
	for (size_t i = 0; i < f->n; i++) {
		const int end = place[i].row + place[i].rows;
		const int most = last < f->n ? place[last].row + place[last].rows : 0;
		if (place[i].rows > 0 && !tried[i] &&
		    (end > most || (end == most && place[i].cols >= place[last].cols)))
			last = i;
	}
	return last;
}

/* Names the panels that have no room on a border, the lowest first: as many as fit, by their brief titles. */
static void name_hidden(struct canvas *c, struct arena *a, const struct figure *f,
			const struct rect *place)
{
	struct strbuf names;
	size_t hidden = 0;
	strbuf_init(&names, a);
	for (size_t i = 0; i < f->n; i++) {
		const struct panel *const p = &f->panels[i];
		const char *const title = p->brief_title != NULL ? p->brief_title : p->title;
		if (place[i].rows > 0 || title == NULL)
			continue;
		strbuf_printf(&names, "%s%s", hidden++ > 0 ? ", " : "", title);
	}
	const char *const forms[] = {
		arena_printf(a, "Tab shows: %s", names.at),
		arena_printf(a, "Tab shows %zu more panel%s", hidden, hidden == 1 ? "" : "s")};
	bool tried[FIGURE_PANELS] = {false};
	for (size_t k = 0; k < f->n && hidden > 0; k++) {
		const size_t last = last_border(f, place, tried);
		if (last == f->n)
			return;
		tried[last] = true;
		for (size_t i = 0; i < 2; i++)
			if (write_on_border(c, place[last],
					    c->ascii ? canvas_plain_text(a, forms[i]) : forms[i]))
				return;
	}
}

void canvas_panels(struct canvas *c, const struct figure *f, struct rect r,
		   const struct rect *place, size_t focus, struct canvas_seen *seen)
{
	struct canvas_seen own[FIGURE_PANELS];
	struct arena a;
	seen = seen != NULL ? seen : own;
	memset(seen, 0, f->n * sizeof *seen);
	arena_init(&a);
	struct rect line;
	const struct figure *const words = f;
	f = canvas_numbered(c, &a, f, &r, place, &line);
	canvas_finding(c, &a, f, r, place);
	if (!canvas_equation(c, &a, f, canvas_finding_leave(f, r), place, focus, seen))
		for (size_t i = 0; i < f->n; i++) {
			struct panel *const one = arena_alloc(&a, sizeof *one);
			*one = f->panels[i];
			if (panel_shows_map(one))
				canvas_shared_labels(f, place, i, &one->heatmap);
			if (place[i].rows > 0)
				canvas_panel(c, place[i], one, i == focus, &seen[i].data,
					     &seen[i].view);
		}
	if (f->names_hidden)
		name_hidden(c, &a, f, place);
	if (f != words)
		canvas_legend(c, &a, f, line);
	arena_release(&a);
}

/* Writes title and subtitle in one line, or in two if they do not fit; returns the rows used. */
static int draw_title(struct canvas *c, struct arena *a, const struct figure *f)
{
	const char *const title = f->title != NULL ? f->title : "";
	const char *const subtitle = f->subtitle != NULL ? f->subtitle : "";
	const int width = c->cols - 2;
	if (c->rows < 8 || (*title == '\0' && *subtitle == '\0'))
		return 0;
	const int used = canvas_text_short(c, a, 0, 1, width, title, ATTR_BOLD);
	if (*subtitle == '\0')
		return 1;
	if (used + 2 + (int)text_width(subtitle) <= width || c->rows < 12) {
		canvas_text_short(c, a, 0, used > 0 ? used + 3 : 1, width - used - 2, subtitle,
				  ATTR_DIM);
		return 1;
	}
	canvas_text_short(c, a, 1, 1, width, subtitle, ATTR_DIM);
	return 2;
}

/* Returns whether the caption is written in one of the panels. */
static bool panel_says(const struct figure *f)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->panels[i].at_foot)
			return true;
	return false;
}

/* Writes the caption in at most two lines at the bottom, its right part at their end; returns the
 * rows used. */
static int draw_caption(struct canvas *c, struct arena *a, const struct figure *f)
{
	const char *const text = f->caption != NULL && !panel_says(f) ? f->caption : "";
	const char *const right = f->caption_right != NULL ? f->caption_right : "";
	const int width = c->cols - 2, end = (int)text_width(right);
	if (c->rows < 8 || (*text == '\0' && *right == '\0'))
		return 0;
	const bool beside = end > 0 && end < width / 2;
	const int room = beside ? width - end - 2 : width;
	const int rows = (int)text_width(text) > room && c->rows >= 16 ? 2 : 1;
	canvas_paragraph(c, a, (struct rect){c->rows - rows, 1, rows, room}, text, ATTR_DIM);
	if (beside)
		canvas_text_right(c, a, c->rows - 1, c->cols - 1, end, right, ATTR_DIM);
	return rows;
}

void canvas_figure(struct canvas *c, const struct figure *f)
{
	struct arena a;
	arena_init(&a);
	struct rect place[FIGURE_PANELS];
	if (f->presented != NULL) {
		struct rect body, hit;
		struct heatmap_view view;
		canvas_presenter(c, (struct rect){0, 0, c->rows, c->cols}, f,
				 figure_first_map(f, 0), HEAD_ANY, &body, &hit, &view);
		arena_release(&a);
		return;
	}
	const int above = draw_title(c, &a, f), below = draw_caption(c, &a, f);
	const struct rect inner = {above, 0, c->rows - above - below, c->cols};
	canvas_layout(c, f, inner, f->n, false, place);
	canvas_panels(c, f, inner, place, f->n, NULL);
	canvas_isolate(c, (struct rect){0, 0, c->rows, c->cols});
	arena_release(&a);
}
