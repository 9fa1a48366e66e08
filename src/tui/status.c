/* status.c: the two rows below the figure: what has the focus - a cell, parameters, tokens that are
 * moved - and the keys. What has to be said takes the first of them for its time.
 *
 * What is said is of the picture on the screen, not of what is being computed. */
#include <string.h>

#include "tui_in.h"

/* ---- parameters -------------------------------------------------------------------------- */

/* Draws all parameters of the main member, the one that + and - change marked; the line begins later when it would
 * not come into sight. */
static bool draw_params(struct tui *t, struct canvas *c, int row)
{
	const char *all[APP_PARAMS];
	const size_t n = app_params(t->app, &t->frame, all, APP_PARAMS);
	const size_t chosen = app_param_chosen(t->app);
	if (n == 0)
		return false;
	struct line l = line_at(t, c, row, "parameter");
	size_t first = chosen;
	for (int room = l.right - l.col - (int)text_width(all[chosen]); first > 0; first--) {
		room -= (int)text_width(all[first - 1]) + 3;
		if (room < 0)
			break;
	}
	for (size_t i = first; i < n; i++) {
		const int from = l.col + (i > first ? 3 : 0);
		if (!line_item(&l, i > first ? 3 : 0, all[i],
			       i == chosen ? ATTR_ACCENT | ATTR_BOLD : 0))
			return true;
		zone_add(t, ZONE_PARAM, line_since(&l, from))->index = i;
	}
	return true;
}

/* ---- messages ---------------------------------------------------------------------------- */

enum { ERROR_COLS = 7 };

/* An error stays until it is mended; other words until the next key. */
static bool draw_message(struct tui *t, struct canvas *c, int row)
{
	const bool said = t->app->message[0] != '\0';
	const char *const text = said		      ? t->app->message
				 : tour_is_refused(t) ? ""
				 : t->trouble.text[0] ? t->trouble.text
				 : t->asked == ASKED_CANCELLED && !t->picture
					 ? "cancelled: a change of anything begins anew"
				 : t->asked == ASKED_CANCELLED
					 ? "cancelled: the picture is of the scene before"
					 : "";
	const bool error = said ? t->app->message_is_error : t->asked != ASKED_CANCELLED;
	struct line l = {t, c, &t->frame, row, 1, c->cols - 1};
	if (*text == '\0')
		return false;
	canvas_fill(c, (struct rect){row, 0, 1, c->cols}, 0, CELL_DEFAULT);
	const char *const escaped = text_escape(l.a, text, strlen(text));
	/* A scene that cannot be computed can be taken back. */
	const bool undo = t->app->n_undo > 0;
	const char *const remedy = undo ? "u goes back a step" : ":reset starts anew";
	const int back = (int)text_width(remedy);
	const int label = error ? ERROR_COLS : 0;
	const bool fits = (int)text_width(escaped) + label + back + 4 <= l.right - l.col;
	if (!said && t->mode == MODE_LOOK && (fits || (!t->picture && back < c->cols / 2))) {
		canvas_text(c, row, l.right - back, back, remedy, ATTR_DIM);
		zone_add(t, ZONE_RUN, (struct rect){row, l.right - back, 1, back})->command =
			undo ? "undo" : "reset";
		l.right -= back + 2;
	}
	const int room = l.right - l.col - 1;
	if (error)
		line_error(t, c, row, l.right, escaped);
	else
		line_item(&l, 0,
			  text_whole_parts(l.a, escaped, (size_t)(room > 1 ? room : 1),
					   t->terminal.ascii),
			  ATTR_BOLD);
	return true;
}

/* ---- beside the cell --------------------------------------------------------------------- */

enum { NOTE_GAP = 3 };

/* The present order, unless it is as written; NULL: it is, or has no room. */
static const char *order_note(const struct tui *t, struct arena *a)
{
	enum { MOST = 40 };
	const struct built *const b = &t->picture->picture.built;
	const char *const typed = t->drawn.setup.order;
	struct strbuf text;
	bool moved = false;
	strbuf_init(&text, a);
	for (size_t i = 0; i < b->written.moving && text.len <= MOST; i++) {
		moved |= b->order[i] != i;
		strbuf_printf(&text, " %zu", b->order[i] + 1);
	}
	if (!moved && text.len <= MOST)
		return NULL;
	if (text.len <= MOST)
		return arena_printf(a, "order%s", text.at);
	return strcmp(typed, "identity") == 0 ? NULL
	       : strlen(typed) <= MOST	      ? arena_printf(a, "order %s", typed)
					      : "another order";
}

static const char *count_note(const struct tui *t, struct arena *a)
{
	const size_t count = t->picture->picture.built.count;
	return count > 1 ? arena_printf(a, "%ld of %zu", t->drawn.setup.pick, count) : NULL;
}

static bool is_without_cell(const struct tui *t)
{
	return view_of(&t->drawn)->own || view_of(&t->drawn)->no_cell;
}

/* A question is not answered by what is known of the picture. */
static bool has_measures(const struct tui *t)
{
	return t->measures && t->measures->ok && tui_measured(t) && !tour_asks(t);
}

static const char *measured_note(const struct tui *t, struct arena *a)
{
	if (!has_measures(t) || !t->measures->measures.equivariance.there || is_without_cell(t) ||
	    guide_is_plain(t, &t->drawn))
		return NULL;
	const struct measured_on *const on = &t->measures->measures.on;
	const char *const value = measure_show(&t->measures->measures.equivariance, a);
	const char *const what = on->layers > 0 ? "weights of layer 1" : "output";
	return on->units < on->of
		       ? arena_printf(a, "%d shuffles of %zu tokens change their %s by %s",
				      MEASURE_SHUFFLES, on->units, what, value)
		       : arena_printf(a, "%d shuffles change the %s by %s", MEASURE_SHUFFLES, what,
				      value);
}

unsigned status_measures(const struct tui *t, const struct layout *l, struct arena *a)
{
	if (l->cell < 0 || !t->picture || is_without_cell(t))
		return 0;
	return MEASURED_ORDER | (order_note(t, a) ? MEASURED_OWN_ORDER : 0);
}

/* "this order changes it by 0.097" */
static const char *own_order_note(const struct tui *t, struct arena *a)
{
	if (!has_measures(t) || !order_note(t, a) || !t->measures->measures.own_order.there)
		return NULL;
	return arena_printf(a, "this order changes the output by %s",
			    measure_show(&t->measures->measures.own_order, a));
}

/* Settings that the numbers depend on and that are not as usual: "seed 7, probe off". */
static const char *unusual_note(const struct tui *t, struct arena *a)
{
	static const char *const names[] = {"seed", "probe",	   "proj",	   "content",
					    "init", "embed-scale", "position-ids", "segments"};
	struct strbuf b;
	struct scene usual;
	strbuf_init(&b, a);
	scene_init(&usual);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const struct field *const f = field_find(names[i]);
		const char *const now = scene_get(&t->drawn, f, a);
		if (strcmp(now, scene_get(&usual, f, a)) != 0)
			strbuf_printf(&b, "%s%s %s", b.len ? ", " : "", f->name,
				      text_shorten(a, text_escape(a, now, strlen(now)), 16,
						   t->terminal.ascii));
	}
	return b.len ? b.at : NULL;
}

/* Columns of a row up to the last that is written on. */
static int written_cols(const struct canvas *c, int row)
{
	int cols = c->cols;
	while (cols > 0 && strcmp(c->cells[row * c->cols + cols - 1].at, " ") == 0)
		cols--;
	return cols;
}

/* Draws at the right end what order does, as far as the cell leaves room. */
static void draw_notes(struct tui *t, struct canvas *c, const struct layout *l)
{
	struct arena *const a = &t->frame;
	const int from = written_cols(c, l->cell) + NOTE_GAP;
	const char *const help = l->footer < 0 ? "? help" : NULL;
	const char *const notes[] = {help, progress_note(t, a), own_order_note(t, a),
				     measured_note(t, a)};
	int col = c->cols - 1;
	for (size_t i = 0; i < sizeof notes / sizeof *notes; i++) {
		const int width = notes[i] ? (int)text_width(notes[i]) : 0;
		if (width == 0 || col - width < from)
			continue;
		canvas_text(c, l->cell, col - width, width, notes[i], ATTR_DIM);
		if (notes[i] == help)
			zone_add(t, ZONE_RUN, (struct rect){l->cell, col - width, 1, width})
				->command = "help";
		col -= width + NOTE_GAP;
	}
}

/* ---- both of them ------------------------------------------------------------------------ */

static void draw_tokens_to_move(struct tui *t, struct canvas *c, int row)
{
	const bool hang = t->mode == MODE_HANG;
	struct line l = line_at(t, c, row,
				!hang		      ? "permute"
				: hang_moves_edges(t) ? "edges"
						      : "hang");
	(hang ? hang_draw : permute_draw)(&l);
}

static bool card_has_focus(const struct tui *t)
{
	const struct figure *const f = &t->picture->picture.figure;
	return t->app->pane < f->n && f->panels[t->app->pane].kind == PANEL_CARD;
}

/* A file of parameters that not all take theirs from. */
static const char *unused_note(const struct tui *t, struct arena *a)
{
	const struct picture *const p = &t->picture->picture;
	const char *const whose =
		view_unused_params(&t->drawn.setup, &p->built, p->compared, p->n_compared, a);
	return whose ? arena_printf(a, "the file is not used by %s", whose) : NULL;
}

/* What the picture is of, as far as no label says it and it is not as usual, stands at the end of the row
 * of keys; while tokens are moved, only where it takes none of these their room: the row above says in
 * which order they are. Returns where the keys have to end. */
static int draw_end(struct tui *t, struct canvas *c, int row)
{
	struct arena *const a = &t->frame;
	int right = c->cols - 1;
	if (!t->picture)
		return right;
	const char *const notes[] = {count_note(t, a), unused_note(t, a), unusual_note(t, a),
				     order_note(t, a)};
	for (size_t i = 0; i < sizeof notes / sizeof *notes; i++) {
		const int width = notes[i] ? (int)text_width(notes[i]) : 0;
		const bool permuting = t->mode == MODE_PERMUTE || t->mode == MODE_HANG;
		if (width == 0 || 2 * width > right ||
		    (permuting && right - width - NOTE_GAP - 1 < footer_cols(t, c)))
			continue;
		canvas_text(c, row, right - width, width, notes[i], i == 1 ? ATTR_BOLD : ATTR_DIM);
		right -= width + NOTE_GAP;
	}
	return right;
}

/* While a picture takes its time the cell of the one before is of little interest. */
static bool draw_progress(struct tui *t, struct canvas *c, int row)
{
	const char *const text = progress_text(t, c->cols - 2, &t->frame);
	if (text)
		canvas_text(c, row, 1, c->cols - 2, text, 0);
	return text != NULL;
}

static void draw_focus(struct tui *t, struct canvas *c, const struct layout *l)
{
	if (card_has_focus(t) && !view_of(&t->drawn)->own && draw_params(t, c, l->cell))
		return;
	cell_draw(t, c, l->cell);
	draw_notes(t, c, l);
}

/* Draws the key that leads back from the presenter at the end of the last row, whose sentence is
 * shortened for it. */
static void draw_way_back(struct tui *t, struct canvas *c, int row)
{
	const int col = c->cols - 1 - footer_cols(t, c), used = written_cols(c, row);
	if (col < 0)
		return;
	if (used > col - 1) {
		canvas_fill(c, (struct rect){row, col - 1, 1, c->cols - col + 1}, 0, CELL_DEFAULT);
		canvas_text(c, row, col - 2, 2, c->ascii ? "~ " : "… ", ATTR_BOLD);
	}
	footer_draw_at(t, c, row, col, c->cols);
}

static void draw(struct tui *t, struct canvas *c, const struct layout *l)
{
	const bool permuting = t->mode == MODE_PERMUTE || t->mode == MODE_HANG;
	const int first = l->cell >= 0 ? l->cell : l->footer;
	/* A message stands in the line of keys while tokens are moved, or a scheme is looked for. */
	const bool below = permuting || t->mode == MODE_FIND;
	const int said = l->said >= 0 ? l->said : below && l->footer >= 0 ? l->footer : first;
	const int top = said < first ? said : first;
	const bool keys = l->footer >= 0;
	if (first < 0)
		return;
	const bool alone = tui_presents(t) && !touring(t) && l->said >= 0;
	if (!alone && (l->cell >= 0 || keys))
		canvas_fill(c, (struct rect){first, 0, c->rows - first, c->cols}, 0, CELL_DEFAULT);
	const bool message = draw_message(t, c, said);
	if (permuting && !(message && said == first))
		draw_tokens_to_move(t, c, first);
	else if (!message && l->cell >= 0 && draw_progress(t, c, l->cell))
		;
	else if (!message && t->picture && l->cell >= 0 && !tour_is_refused(t))
		draw_focus(t, c, l);
	if (alone)
		draw_way_back(t, c, l->footer);
	else if (keys && !(message && said == l->footer) && !(permuting && first == l->footer))
		footer_draw(t, c, l->footer, draw_end(t, c, l->footer));
	canvas_isolate(c, (struct rect){top, 0, c->rows - top, c->cols});
}

const struct tui_part part_status = {.draw = draw};
