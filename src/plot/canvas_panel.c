/* canvas_panel.c: a panel with its box, and a figure with its lines of words.
 *
 * A panel too small for a box (fewer than 5 rows or 12 columns; a card, whose words matter more,
 * fewer than 7 rows) has its title as a line of text, and below 3 rows only the drawing. */
#include "plot/canvas_in.h"
#include "posviz/text.h"

/* Columns of a border that are neither title nor note. */
enum { NOTE_FRAME = 9 };

/* Older values while newer ones are computed: all text dim, colours half way to the background. */
static void fade(struct canvas *c, struct rect r)
{
	const int bottom = r.rows > c->rows - r.row ? c->rows : r.row + r.rows;
	const int right = r.cols > c->cols - r.col ? c->cols : r.col + r.cols;
	const uint32_t ground = c->dark ? 0 : 0x808080u; /* half of black, half of white */
	for (int row = r.row < 0 ? 0 : r.row; row < bottom; row++) {
		for (int col = r.col < 0 ? 0 : r.col; col < right; col++) {
			struct cell *const k = &c->cells[row * c->cols + col];
			uint32_t *const colours[] = {&k->fg, &k->bg};
			if ((k->fg & CELL_RGB(0)) == 0)
				k->attrs = (uint8_t)((k->attrs | ATTR_DIM) & ~(unsigned)ATTR_BOLD);
			for (size_t i = 0; i < 2; i++)
				if (*colours[i] & CELL_RGB(0))
					*colours[i] =
						CELL_RGB((*colours[i] >> 1 & 0x7f7f7fu) + ground);
		}
	}
}

static const char *title_of(const struct canvas *c, struct arena *a, const struct panel *p)
{
	const char *const title = p->title != NULL ? p->title : "";
	return p->stale ? arena_printf(a, "%s %s", title, c->ascii ? "..." : "…") : title;
}

/* The panel's own note, in little room the short one, and the one about what part is shown, which
 * in the end stands alone. */
static const char *note_of(const struct canvas *c, struct arena *a, struct rect r,
			   const struct panel *p, const char *title, const char *part)
{
	const char *const own[] = {p->note, p->short_note};
	for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
		if (own[i] == NULL || *own[i] == '\0')
			continue;
		const char *const all = part == NULL ? own[i]
						     : arena_printf(a, "%s %s %s", own[i],
								    c->ascii ? "|" : "·", part);
		if (text_width(title) + text_width(all) + NOTE_FRAME <= (size_t)r.cols)
			return all;
	}
	return part;
}

static void draw_inside(struct canvas *c, struct arena *a, struct rect inner, const struct panel *p,
			const struct heatmap_plan *plan)
{
	if (p->absent != NULL) {
		canvas_paragraph(c, a, inner, p->absent, ATTR_DIM);
		return;
	}
	switch (p->kind) {
	case PANEL_HEATMAP:
		canvas_heatmap(c, a, inner, &p->heatmap, plan);
		break;
	case PANEL_CURVES:
		canvas_curves(c, a, inner, &p->curves);
		break;
	case PANEL_BARS:
		canvas_bars(c, a, inner, &p->bars);
		break;
	case PANEL_TABLE:
		canvas_table(c, a, inner, &p->table);
		break;
	case PANEL_CARD:
		canvas_card(c, a, inner, &p->card);
		break;
	}
}

/* A panel without a box: its title is a line of text when there are rows to spare. */
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

static void draw_panel(struct canvas *c, struct arena *a, struct rect r, const struct panel *p,
		       bool focus, struct heatmap_plan *plan)
{
	const char *title = title_of(c, a, p);
	const bool card = p->kind == PANEL_CARD && p->absent == NULL;
	const bool box = r.rows >= (card ? 7 : 5) && r.cols >= 12;
	if (card && !box && r.cols >= 12)
		r = (struct rect){r.row, r.col + BOX_COLS / 2, r.rows, r.cols - BOX_COLS};
	if (card && r.rows <= 3) {
		canvas_card_line(c, a, r, p, focus);
		return;
	}
	struct rect inner = {r.row + 1, r.col + BOX_COLS / 2, r.rows - BOX_ROWS, r.cols - BOX_COLS};
	if (!box)
		inner = (struct rect){r.row + (r.rows >= 3), r.col, r.rows - (r.rows >= 3), r.cols};
	if (p->kind == PANEL_HEATMAP && p->absent == NULL)
		canvas_heatmap_plan(c, a, inner, &p->heatmap, plan);
	const char *const note = note_of(c, a, r, p, title, plan->note);
	if (plan->note != NULL) { /* what is not shown must be said, if need be beside less title */
		const int room = r.cols - (int)text_width(note) - NOTE_FRAME;
		title = room > 2 ? text_shorten(a, title, (size_t)room, c->ascii) : "";
	}
	if (box)
		canvas_box(c, r, title, note, focus);
	else
		draw_heading(c, a, r, title, note, focus);
	draw_inside(c, a, inner, p, plan);
}

void canvas_panel(struct canvas *c, struct rect r, const struct panel *p, bool focus,
		  struct rect *hit, struct heatmap_view *view)
{
	struct heatmap_plan plan = {0};
	const struct rect seen = clip(c, r);
	if (seen.rows > 0 && seen.cols > 0) {
		struct arena a;
		arena_init(&a);
		draw_panel(c, &a, seen, p, focus, &plan);
		if (p->stale)
			fade(c, seen);
		arena_release(&a);
	}
	if (hit != NULL)
		*hit = plan.data;
	if (view != NULL)
		*view = plan.view;
}

/* Title and subtitle in one line, or two when they do not fit; rows used. */
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

/* Caption in at most two lines at the bottom, its right part at their end; rows used. */
static int draw_caption(struct canvas *c, struct arena *a, const struct figure *f)
{
	const char *const text = f->caption != NULL ? f->caption : "";
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
	const int above = draw_title(c, &a, f), below = draw_caption(c, &a, f);
	canvas_layout(f, (struct rect){above, 0, c->rows - above - below, c->cols}, f->n, false,
		      place);
	for (size_t i = 0; i < f->n; i++)
		if (place[i].rows > 0)
			canvas_panel(c, place[i], &f->panels[i], false, NULL, NULL);
	arena_release(&a);
}
