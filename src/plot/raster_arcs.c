/* raster_arcs.c: arcs above a row of words on paper, brackets with round corners.
 *
 * Words stand at one pitch, and lie, lean or stand as the labels of a matrix do; where not all have
 * room the cursor's path, the roots and what is near the cursor are shown, and "…" stands for the
 * rest. Under the words stand their positions, a row each; words of one node stand in a box. */
#include "plot/raster_arcs.h"

#include <math.h>
#include <string.h>

/* ---- where everything goes ---------------------------------------------------------------------- */

bool bow_shows(const struct bow *b, size_t token)
{
	return b->sight.slot[token] % 2 == 1;
}

double bow_middle(const struct bow *b, size_t token)
{
	return b->left + ((double)b->unit[b->sight.slot[token] / 2] + 0.5) * b->pitch;
}

double bow_stem(const struct bow *b, size_t token)
{
	const size_t last = drawing_run(b->t->d, token);
	return bow_shows(b, last) ? (bow_middle(b, token) + bow_middle(b, last)) / 2
				  : bow_middle(b, token);
}

double bow_meets(const struct bow *b, size_t token, size_t other, bool dependent)
{
	const double way = other < token ? -1 : 1;
	if (bow_shows(b, token))
		return bow_stem(b, token) + (dependent ? 0 : way * b->offset);
	const size_t k = b->sight.slot[token] / 2;
	const size_t gap = k < b->sight.n ? b->unit[k] - 1 : b->units - 1;
	return b->left + ((double)gap + 0.5 + 0.15 * way) * b->pitch;
}

double bow_height(const struct bow *b, size_t level)
{
	return b->foot - 10 * b->t->p->space - (double)level * b->step +
	       b->step / 2 * (b->arcs.levels > 1 ? 0.4 : 0);
}

/* The words in sight, with "…" where others are left out. */
static void line_up(struct bow *b, const size_t *order, size_t n)
{
	const struct drawing *d = b->t->d;
	struct arena *a = b->t->p->arena;
	b->sight = drawing_sight(d, order, n, a);
	b->unit = arena_calloc(a, n + 1, sizeof *b->unit);
	b->words = arena_calloc(a, 2 * n + 2, sizeof *b->words);
	b->units = 0;
	for (size_t k = 0, next = 0; k <= n; next = b->sight.at[k++] + 1) {
		if ((k == n ? d->n_tokens : b->sight.at[k]) > next)
			b->words[b->units++] = "…";
		if (k == n)
			break;
		b->words[b->units] = d->tokens[b->sight.at[k]];
		b->unit[k] = b->units++;
	}
}

/* As many words as there is room for. */
static void choose_words(struct bow *b, const size_t *order)
{
	const struct plate *t = b->t;
	const double least = 9 * fmax(t->p->space, 0.75);
	const size_t room = (size_t)fmax(1, floor((t->at.w - b->title) / least));
	size_t n = t->d->n_tokens < room ? t->d->n_tokens : room;
	for (line_up(b, order, n); b->units > room && n > 1;)
		line_up(b, order, --n);
}

/* The titles of rows below stand left of all words. */
static double title_width(struct page *p, const struct drawing *d)
{
	double most = 0;
	for (size_t i = 0; i < d->n_below; i++)
		most = fmax(most, raster_text_measure(p, FACE_TEXT, d->below[i].title).w);
	return most > 0 ? fmin(most, 110 * p->type) + 12 * p->space : 0;
}

/* Whether no word nearer than `step` to this place was chosen. */
static bool is_apart(const bool *chosen, size_t units, size_t at, size_t step)
{
	for (size_t k = at < step ? 0 : at - step + 1; k < at + step && k < units; k++)
		if (chosen[k])
			return false;
	return true;
}

/* Of words that do not all have room the cursor's come first, then those of its path and the
 * roots. */
static void prefer_words(struct bow *b, const size_t *order, size_t must)
{
	struct page *p = b->t->p;
	struct side *const s = &b->side;
	const size_t step = s->n > 0 ? (b->units + s->n - 1) / s->n : 1;
	if (step == 1 || s->numbers)
		return;
	bool *chosen = arena_calloc(p->arena, b->units + 1, sizeof *chosen);
	for (size_t i = 0; i < must; i++)
		if (bow_shows(b, order[i])) {
			const size_t at = b->unit[b->sight.slot[order[i]] / 2];
			chosen[at] = is_apart(chosen, b->units, at, step);
		}
	for (size_t at = 0; at < b->units; at++)
		chosen[at] = chosen[at] || is_apart(chosen, b->units, at, step);
	const char **words = arena_calloc(p->arena, b->units, sizeof *words);
	s->at = arena_calloc(p->arena, b->units, sizeof *s->at);
	s->n = 0;
	for (size_t at = 0; at < b->units; at++)
		if (chosen[at]) {
			words[s->n] = b->words[at];
			s->at[s->n++] = at;
		}
	s->text = raster_text_labels(p, FACE_BOLD, words, s->n, b->t->at.h * 0.3, &s->most);
}

/* Room for words at the foot; how far they lean out at the right bounds the pitch. */
static void plan_words(struct bow *b)
{
	struct plate *t = b->t;
	struct page *p = t->p;
	size_t must;
	const size_t *order = drawing_order(t->d, &t->light, &must, p->arena);
	b->title = title_width(p, t->d);
	choose_words(b, order);
	const struct heatmap words = {.values = {.cols = b->units}, .col_labels = b->words};
	const double room = t->at.w - b->title, units = (double)b->units;
	double over = 0;
	for (int trip = 0; trip < 3; trip++) {
		b->pitch = fmax(fmin((room - over) / units, 136 * p->space), LEAST_PITCH);
		/* Turned words take of the height, lying ones each other's width. */
		const double length = fmax(t->at.h * 0.3, b->pitch - 8 * p->space);
		b->side = raster_side_cols(p, &words, b->pitch, length);
		prefer_words(b, order, must);
		const double reach = raster_side_overhang(p, &b->side, b->units, b->pitch);
		if (reach <= over)
			break;
		over = reach + 2;
	}
	b->left = t->at.x + b->title + fmax(0, (room - over - b->pitch * units) / 2);
	b->offset = fmin(b->pitch * 0.18, 9 * p->space);
}

/* The height of what stands under the arrows. */
static double below_height(const struct bow *b)
{
	const struct page *p = b->t->p;
	return raster_side_height(p, &b->side) +
	       (double)(b->t->d->n_below + 1) * p->line[FACE_TEXT] + 4 * p->space;
}

static const char *rest_of(const struct bow *b)
{
	struct arena *a = b->t->p->arena;
	const size_t n = b->t->d->n_tokens;
	const char *words =
		b->sight.n == n ? "" : arena_printf(a, "%zu of %zu words", b->sight.n, n);
	if (b->arcs.left_out == 0)
		return words;
	return arena_printf(a, "%s%s%zu long arcs left out", words, *words ? ", " : "",
			    b->arcs.left_out);
}

static void plan_arcs(struct bow *b)
{
	struct plate *t = b->t;
	struct page *p = t->p;
	const double line = p->line[FACE_TEXT], words = below_height(b);
	const double above = line + 4 * p->space, arrow = 10 * p->space;
	double room = t->at.h - words - above - arrow, said = 0;
	/* A second time with a line less where not all is drawn, which is said there. */
	for (int trip = 0; trip < 2; trip++) {
		const size_t most = (size_t)fmax(1, floor(room / (5 * p->space)));
		b->arcs = drawing_arcs(t->d, &t->light, &b->sight, most, p->arena);
		b->rest = rest_of(b);
		if (b->rest[0] == '\0' || trip == 1)
			break;
		said = line;
		room -= line;
	}
	const double levels = (double)(b->arcs.levels > 0 ? b->arcs.levels : 1);
	b->step = fmin(fmax(room, 0) / levels, 3 * line);
	const double used = above + levels * b->step + arrow + words + said;
	b->top = t->at.y + fmax(0, (t->at.h - used) / 2);
	b->foot = b->top + above + levels * b->step + arrow;
}

/* ---- strokes ------------------------------------------------------------------------------------ */

static void draw_head(const struct bow *b, double x, bool lit)
{
	struct page *p = b->t->p;
	const double size = fmin(fmax(3, (lit ? 6 : 4.5) * p->space), b->pitch / 2);
	raster_colour(p, lit ? b->t->accent : p->theme->second, 1);
	cairo_move_to(p->cr, x, b->foot);
	cairo_line_to(p->cr, x - size, b->foot - 1.7 * size);
	cairo_line_to(p->cr, x + size, b->foot - 1.7 * size);
	cairo_fill(p->cr);
}

/* Up from one end, round the corner, along, and down at the other; open where the other is not shown. */
static void draw_arc(const struct bow *b, const struct arc *x)
{
	struct page *p = b->t->p;
	const bool lit = b->t->light.edge[x->edge];
	const double from = bow_meets(b, x->from, x->to, false);
	const double to = bow_meets(b, x->to, x->from, true);
	const double y = bow_height(b, x->level), way = to > from ? 1 : -1;
	const double round_at = fmin(fmin(9 * p->space, fabs(to - from) / 2), b->foot - y);
	const double head = b->t->d->directed ? 4 * p->space : 0;
	plate_stroke(b->t, lit);
	if (bow_shows(b, x->from)) {
		cairo_move_to(p->cr, from, b->foot);
		cairo_line_to(p->cr, from, y + round_at);
		cairo_curve_to(p->cr, from, y, from, y, from + way * round_at, y);
	} else {
		cairo_move_to(p->cr, from, y);
	}
	if (bow_shows(b, x->to)) {
		cairo_line_to(p->cr, to - way * round_at, y);
		cairo_curve_to(p->cr, to, y, to, y, to, y + round_at);
		cairo_line_to(p->cr, to, b->foot - head);
	} else {
		cairo_line_to(p->cr, to, y);
	}
	cairo_stroke(p->cr);
	if (b->t->d->directed && bow_shows(b, x->to))
		draw_head(b, to, lit);
}

static void draw_root(const struct bow *b, size_t token)
{
	struct page *p = b->t->p;
	const double x = bow_stem(b, token);
	plate_stroke(b->t, false);
	cairo_new_path(
		p->cr); /* text leaves a point behind, from which the stroke would be joined */
	cairo_move_to(p->cr, x, b->top + p->line[FACE_TEXT] + 3 * p->space);
	cairo_line_to(p->cr, x, b->foot - 4 * p->space);
	cairo_stroke(p->cr);
	raster_colour(p, p->theme->ink, 1);
	cairo_arc(p->cr, x, b->foot - 4 * p->space, fmin(4.5 * p->space, b->pitch / 2), 0,
		  2 * G_PI);
	cairo_fill(p->cr);
}

static void draw_strokes(const struct bow *b)
{
	for (int lit = 0; lit < 2; lit++)
		for (size_t i = 0; i < b->arcs.n; i++)
			if (b->t->light.edge[b->arcs.at[i].edge] == (lit == 1))
				draw_arc(b, &b->arcs.at[i]);
	for (size_t k = 0; k < b->sight.n; k++)
		if (b->arcs.root[b->sight.at[k]])
			draw_root(b, b->sight.at[k]);
}

static void draw_labels(const struct bow *b)
{
	struct page *p = b->t->p;
	for (size_t i = 0; i < b->n_labels; i++) {
		const struct arc_label *l = &b->labels[i];
		const enum face face = l->lit ? FACE_BOLD : FACE_TEXT;
		const struct size size = raster_text_measure(p, face, l->text);
		const double pad = 3 * p->space;
		raster_rect(p,
			    (struct area){l->x - size.w / 2 - pad, l->y - size.h / 2,
					  size.w + 2 * pad, size.h},
			    p->theme->paper);
		raster_text_mid(p, face,
				l->lit ? raster_text_ink(p, b->t->accent) : p->theme->second, 0.5,
				l->x, l->y, l->text);
	}
}

/* ---- words -------------------------------------------------------------------------------------- */

/* The token at a place of the row; SIZE_MAX: some are left out there. */
static size_t token_at(const struct bow *b, size_t unit)
{
	for (size_t k = 0; k < b->sight.n && b->unit[k] <= unit; k++)
		if (b->unit[k] == unit)
			return b->sight.at[k];
	return SIZE_MAX;
}

static void draw_words(const struct bow *b)
{
	const struct plate *t = b->t;
	struct page *p = t->p;
	const struct side *s = &b->side;
	const double gap = 6 * p->space;
	for (size_t k = 0; k < s->n; k++) {
		const size_t token = token_at(b, s->at[k]);
		const long node = token == SIZE_MAX ? -1 : t->d->node[token];
		const double x = b->left + ((double)s->at[k] + 0.5) * b->pitch;
		/* Bold words are wider: where they lie they may have no room. */
		const double wide = raster_text_measure(p, FACE_BOLD, s->text[k]).w;
		const enum face face =
			s->angle > 0 || wide < b->pitch ? plate_face(t, node) : FACE_TEXT;
		if (s->angle == 0) {
			raster_text_put(p, face, plate_ink(t, node), 0.5, x, b->foot + gap,
					s->text[k]);
			continue;
		}
		const double lift = s->most.h / 2 * cos(s->angle) + gap - 2 * p->space;
		raster_text_turned(p, face, plate_ink(t, node), x, b->foot + lift, s->angle,
				   s->text[k]);
	}
}

/* Around the words of one node where they lie, else a bar above them. */
static void draw_box(const struct bow *b, size_t first, size_t last)
{
	struct page *p = b->t->p;
	const double air = 6 * p->space, x0 = bow_middle(b, first), x1 = bow_middle(b, last);
	if (b->side.angle > 0) {
		const double y = b->foot + 2 * p->space, over = b->pitch * 0.2;
		raster_line(p, x0 - over, y, x1 + over, y, fmax(1, 1.2 * p->space), p->theme->axis);
		return;
	}
	const double w0 = raster_text_measure(p, FACE_BOLD, b->t->d->tokens[first]).w;
	const double w1 = raster_text_measure(p, FACE_BOLD, b->t->d->tokens[last]).w;
	const double left = x0 - fmin(w0, b->pitch) / 2 - air;
	const double right = x1 + fmin(w1, b->pitch) / 2 + air;
	plate_box(b->t, (struct area){left, b->foot + 3 * p->space, right - left,
				      p->line[FACE_TEXT] + 6 * p->space});
}

/* In a graph all nodes have boxes, in a sentence those of several words. */
static void draw_boxes(const struct bow *b)
{
	const struct drawing *d = b->t->d;
	const bool all = d->kind == DRAWING_GRAPH && b->side.angle == 0;
	for (size_t k = 0; k < b->sight.n; k++) {
		const size_t first = b->sight.at[k], last = drawing_run(d, first);
		const bool inside =
			first > 0 && d->node[first] >= 0 && d->node[first - 1] == d->node[first];
		if (d->node[first] < 0 || inside || !bow_shows(b, last) || (first == last && !all))
			continue;
		draw_box(b, first, last);
	}
}

static bool has_word(const struct bow *b, size_t token)
{
	for (size_t k = 0; k < b->side.n; k++)
		if (token_at(b, b->side.at[k]) == token && !b->side.numbers)
			return true;
	return false;
}

/* The cursor's come first, then those under a word. */
static int turn_of(const struct bow *b, size_t token)
{
	const struct drawing *d = b->t->d;
	const bool cursor = d->has_cursor && (token == d->query || token == d->key);
	return cursor ? 0 : has_word(b, token) ? 1 : 2;
}

/* Unless it would touch another one. */
static void put_below(const struct bow *b, size_t token, double y, const char *text)
{
	const struct plate *t = b->t;
	struct page *p = t->p;
	const long node = t->d->node[token];
	const double x = bow_middle(b, token), air = 3 * p->space;
	const struct size size = raster_text_measure(p, FACE_BOLD, text);
	if (bow_take(b, (struct area){x - size.w / 2 - air, y, size.w + 2 * air, size.h}))
		raster_text_put(p, plate_face(t, node), plate_ink(t, node), 0.5, x, y, text);
}

static void draw_below(const struct bow *b)
{
	const struct drawing *d = b->t->d;
	struct page *p = b->t->p;
	double y = b->foot + raster_side_height(p, &b->side) + 2 * p->space;
	for (size_t i = 0; i < d->n_below; i++, y += p->line[FACE_TEXT]) {
		const struct drawn_row *row = &d->below[i];
		for (int turn = 0; turn < 3; turn++)
			for (size_t k = 0; k < b->sight.n; k++)
				if (turn_of(b, b->sight.at[k]) == turn)
					put_below(b, b->sight.at[k], y, row->text[b->sight.at[k]]);
		raster_text_put(
			p, FACE_TEXT, p->theme->second, 1, b->left - 8 * p->space, y,
			raster_text_fit(p, FACE_TEXT, row->title, b->title - 12 * p->space));
	}
}

/* Below the cursor's words, "t" and "s"; with the word where it had no room in its row. */
static void draw_marks(const struct bow *b)
{
	const struct plate *t = b->t;
	struct page *p = t->p;
	const double y = b->foot + raster_side_height(p, &b->side) + 2 * p->space +
			 (double)t->d->n_below * p->line[FACE_TEXT];
	const size_t ends[] = {t->d->query, t->d->key};
	for (int k = 0; t->d->has_cursor && k < 2; k++) {
		const char *mark = t->d->query == t->d->key ? "t = s" : k == 0 ? "t" : "s";
		if (ends[k] == SIZE_MAX || !bow_shows(b, ends[k]))
			continue;
		const char *said =
			has_word(b, ends[k])
				? mark
				: arena_printf(p->arena, "%s = %s", mark,
					       raster_text_fit(p, FACE_BOLD, t->d->tokens[ends[k]],
							       90 * p->type));
		for (int turn = 0; turn < 2; turn++, said = mark) {
			const struct size size = raster_text_measure(p, FACE_BOLD, said);
			const double x = bow_middle(b, ends[k]), air = 4 * p->space;
			if (!bow_take(b, (struct area){x - size.w / 2 - air, y, size.w + 2 * air,
						       size.h}))
				continue;
			raster_text_put(p, FACE_BOLD, raster_text_ink(p, t->accent), 0.5, x, y,
					said);
			break;
		}
	}
}

/* ---- all of it ---------------------------------------------------------------------------------- */

/* Whether a graph is all there: its words whole, its arcs with their labels. */
static bool is_whole(const struct bow *b)
{
	if (b->rest[0] != '\0' || b->n_short > 0 || b->side.numbers || b->side.n < b->units)
		return false;
	for (size_t i = 0; i < b->side.n; i++)
		if (b->side.text[i] != b->words[i] && strcmp(b->side.text[i], b->words[i]) != 0)
			return false;
	return true;
}

bool plate_arcs(struct plate *t, bool whole)
{
	struct page *p = t->p;
	struct bow b = {.t = t};
	const size_t most = t->d->n_edges + (t->d->n_below + 3) * t->d->n_tokens + 8;
	t->taken = arena_calloc(p->arena, most, sizeof *t->taken);
	t->n_taken = 0;
	plan_words(&b);
	plan_arcs(&b);
	bow_label(&b);
	if (whole && !is_whole(&b))
		return false;
	draw_strokes(&b);
	draw_labels(&b);
	draw_boxes(&b);
	draw_words(&b);
	draw_below(&b);
	draw_marks(&b);
	if (b.rest[0] != '\0')
		plate_say(t, b.rest);
	return true;
}
