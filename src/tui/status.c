/* status.c: the lines of words below the figure: sentence, what was measured, parameters, and what
 * has to be said.
 *
 * What is said is of the picture on the screen, not of what is being computed. */
#include <string.h>

#include "tui_in.h"

enum { WIDE = 105 };

static const struct trace *trace_of(const struct tui *t)
{
	return &t->picture->picture.trace;
}

/* ---- sentence ---------------------------------------------------------------------------- */

static const char *order_text(const struct tui *t, struct arena *a, size_t room)
{
	const struct built *const b = &t->picture->picture.built;
	struct strbuf text;
	strbuf_init(&text, a);
	for (size_t i = 0; i < b->written.moving && text.len <= room; i++)
		strbuf_printf(&text, "%s%zu", i ? " " : "", b->order[i] + 1);
	if (text.len <= room)
		return text.at;
	const char *const typed = t->drawn.setup.order;
	if (strcmp(typed, "identity") == 0)
		return "as written";
	return strlen(typed) <= room ? typed : "changed";
}

static void draw_sentence(struct tui *t, struct canvas *c, int row)
{
	struct line l = line_at(t, c, row, "sentence");
	const size_t count = t->picture ? t->picture->picture.built.count : 0;
	if (count > 1) {
		line_item(&l, 0, arena_printf(l.a, "%ld of %zu", t->drawn.setup.pick, count),
			  ATTR_DIM);
		l.col += 2;
	}
	const int all = l.right - l.col;
	const char *const order = order_text(t, l.a, (size_t)(all > 40 ? all * 2 / 5 : 0));
	const int order_cols = all > 40 ? (int)strlen(order) + 10 : 0;
	l.right -= order_cols;
	permute_draw(&l);
	l.right += order_cols;
	if (order_cols > 0)
		line_value(&l, 4, "order", order, 0);
}

/* ---- measured ---------------------------------------------------------------------------- */

static bool measures_ready(const struct tui *t)
{
	return t->measures && t->measures->ok;
}

/* The number, dim and with an ellipsis while a newer one is measured. */
static bool measured(struct line *l, int gap, const char *word, const struct measure *m)
{
	const bool fits = tui_measured(l->t);
	const char *const now = m ? measure_show(m, l->a) : "";
	if (!fits && l->t->unmeasured)
		return line_value(l, gap, word, "not measured", ATTR_DIM);
	const char *const wait = l->t->terminal.ascii ? "..." : "…";
	if (fits)
		return line_value(l, gap, word, now, ATTR_BOLD);
	const char *const old = *now ? arena_printf(l->a, "%s %s", now, wait) : wait;
	return line_value(l, gap, word, old, ATTR_DIM);
}

/* Everything else that the numbers depend on; on narrow screens the most of it. */
static const char *sizes_text(const struct line *l, const struct setup *s)
{
	const struct model_config *const config = &l->t->picture->picture.built.model.config;
	const bool wide = l->right - l->col >= WIDE;
	struct strbuf b;
	strbuf_init(&b, l->a);
	strbuf_printf(&b, "n %zu", trace_of(l->t)->query.n);
	if (trace_of(l->t)->memory > 0)
		strbuf_printf(&b, " memory %zu", trace_of(l->t)->memory);
	if (l->t->picture->picture.built.position_ids)
		strbuf_add(&b, " ids given");
	if (strcmp(s->embed_scale, "1") != 0)
		strbuf_printf(&b, " units*%s", s->embed_scale);
	strbuf_printf(&b, " d %zu h %zu", config->d, config->heads);
	if (wide)
		strbuf_printf(&b, " layers %zu", config->layers);
	strbuf_printf(&b, " seed %llu", (unsigned long long)s->seed);
	if (wide || config->proj != PROJ_IDENTITY)
		strbuf_printf(&b, " %s", projection_names[config->proj]);
	if (strcmp(s->probe, "ones") != 0)
		strbuf_printf(&b, " probe %s",
			      text_shorten(l->a, text_escape(l->a, s->probe, strlen(s->probe)), 10,
					   l->t->terminal.ascii));
	return b.at;
}

static void draw_measured(struct tui *t, struct canvas *c, int row)
{
	struct line l = line_at(t, c, row, "measured");
	const struct measures *const m = measures_ready(t) ? &t->measures->measures : NULL;
	const struct setup *const s = &t->drawn.setup;
	const char *const sizes = sizes_text(&l, s);
	const bool tail = l.right - l.col > 66;
	if (tail)
		l.right -= (int)text_width(sizes) + 3;
	measured(&l, 0, "order seen", m ? &m->equivariance : NULL);
	if (m && m->equivariance.there)
		line_item(&l, 1, arena_printf(l.a, "%d shuffles", MEASURE_SHUFFLES), ATTR_DIM);
	measured(&l, 3, "shift", m ? &m->shift : NULL);
	if (strcmp(s->order, "identity") != 0)
		measured(&l, 3, "this order", m ? &m->own_order : NULL);
	measured(&l, 3, "invariance", m ? &m->invariance : NULL);
	if (tail)
		l.right = c->cols - 1;
	line_item(&l, 3, sizes, ATTR_DIM);
}

/* ---- parameters -------------------------------------------------------------------------- */

/* A file of parameters that not all take theirs from, at the end of the line. */
static void draw_unused(struct line *l)
{
	const struct picture *const p = &l->t->picture->picture;
	const char *const whose =
		view_unused_params(&l->t->drawn.setup, &p->built, p->compared, p->n_compared, l->a);
	if (!whose)
		return;
	const char *const text = arena_printf(l->a, "params are not used by %s", whose);
	const int width = (int)text_width(text);
	if (l->col + width + 3 > l->right)
		return;
	struct line end = *l;
	end.col = l->right - width;
	line_item(&end, 0, text, ATTR_BOLD);
	l->right -= width + 3;
}

/* All of the main member's, the one that + and - change marked; the line begins later when it would
 * not come into sight. */
static void draw_params(struct tui *t, struct canvas *c, int row)
{
	struct line l = line_at(t, c, row, "parameter");
	const char *all[APP_PARAMS];
	const size_t n = app_params(t->app, l.a, all, APP_PARAMS);
	const size_t chosen = t->app->param < n ? t->app->param : 0;
	if (t->picture)
		draw_unused(&l);
	if (n == 0) {
		line_item(&l, 0, "none", ATTR_DIM);
		return;
	}
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
			return;
		zone_add(t, ZONE_PARAM, line_since(&l, from))->index = i;
	}
}

/* ---- messages ---------------------------------------------------------------------------- */

/* What went wrong stays until it is mended; other words until the next key. */
static bool draw_message(struct tui *t, struct canvas *c, int row)
{
	const bool said = t->app->message[0] != '\0';
	const char *const text = said		      ? t->app->message
				 : t->trouble.text[0] ? t->trouble.text
				 : t->asked == ASKED_CANCELLED
					 ? "cancelled: the picture is of the scene before"
					 : "";
	const bool error = said ? t->app->message_is_error : t->asked != ASKED_CANCELLED;
	struct line l = {t, c, &t->frame, row, 1, c->cols - 1};
	if (*text == '\0')
		return false;
	if (error)
		line_item(&l, 0, " error ", ATTR_REVERSE | ATTR_BOLD);
	const char *const escaped = text_escape(l.a, text, strlen(text));
	/* What cannot be computed can be taken back. */
	const bool undo = t->app->n_undo > 0;
	const char *const remedy = undo ? "u goes back a step" : ":reset starts anew";
	const int back = (int)text_width(remedy);
	const bool fits = (int)text_width(escaped) + back + 4 <= l.right - l.col;
	if (!said && t->mode == MODE_LOOK && (fits || (!t->picture && back < c->cols / 2))) {
		canvas_text(c, row, l.right - back, back, remedy, ATTR_DIM);
		zone_add(t, ZONE_RUN, (struct rect){row, l.right - back, 1, back})->command =
			undo ? "undo" : "reset";
		l.right -= back + 2;
	}
	const int room = l.right - l.col - 1;
	line_item(&l, error ? 1 : 0,
		  text_shorten(l.a, escaped, (size_t)(room > 1 ? room : 1), t->terminal.ascii),
		  ATTR_BOLD);
	return true;
}

/* ---- all of them ------------------------------------------------------------------------- */

static void draw_tokens_to_move(struct tui *t, struct canvas *c, int row)
{
	canvas_fill(c, (struct rect){row, 0, 1, c->cols}, 0, CELL_DEFAULT);
	struct line l = line_at(t, c, row, "permute");
	permute_draw(&l);
}

void status_draw(struct tui *t, struct canvas *c, const struct layout *l)
{
	const bool permuting = t->mode == MODE_PERMUTE;
	int token_row = l->sentence >= 0 ? l->sentence : l->cell;
	if (t->picture && l->sentence >= 0 && !permuting)
		draw_sentence(t, c, l->sentence);
	if (t->picture && l->measured >= 0)
		draw_measured(t, c, l->measured);
	if (l->params >= 0)
		draw_params(t, c, l->params);
	if (t->picture && l->cell >= 0 && !(permuting && token_row == l->cell))
		cell_draw(t, c, l->cell);
	if (permuting && token_row < 0)
		token_row = l->footer;
	if (permuting && token_row >= 0)
		draw_tokens_to_move(t, c, token_row);
	const int first = l->figure.row + l->figure.rows;
	const bool words = !tui_presents(t) || t->mode != MODE_LOOK;
	if (l->footer >= 0 && token_row != l->footer && !draw_message(t, c, l->footer) && words)
		footer_draw(t, c, l->footer);
	canvas_isolate(c, (struct rect){first, 0, c->rows - first, c->cols});
}
