/* status.c: the title line, and the lines of words below the figure.
 *
 * A line is a row of items, each written whole or not at all, so nothing is cut in the middle of a
 * number. What is said is of the picture on the screen, not of what is being computed. */
#include <math.h>
#include <string.h>

#include "posviz/num.h"
#include "tui_in.h"

enum { LABEL_COLS = 11, NARROW = 60, WIDE = 105 };

/* A line being written from the left. */
struct line {
	const struct tui *t;
	struct canvas *c;
	struct arena *a;
	int row, col, right;
};

/* Writes text in one look, if it fits; `gap` blanks before it. */
static bool item(struct line *l, int gap, const char *text, unsigned attrs)
{
	const int width = (int)text_width(text);
	if (l->col + gap + width > l->right)
		return false;
	l->col += gap;
	l->col += canvas_text(l->c, l->row, l->col, width, text, attrs);
	return true;
}

/* "bias −1.31": a dim word and its value, together or not at all. */
static bool value(struct line *l, int gap, const char *word, const char *text, unsigned attrs)
{
	if (l->col + gap + (int)(text_width(word) + 1 + text_width(text)) > l->right)
		return false;
	return item(l, gap, word, ATTR_DIM) && item(l, 1, text, attrs);
}

static struct line line_at(struct tui *t, struct canvas *c, int row, const char *label)
{
	struct line l = {t, c, &t->frame, row, 1, c->cols - 1};
	if (c->cols < NARROW)
		return l;
	canvas_text(c, row, 1, LABEL_COLS - 1, label, ATTR_DIM);
	l.col = LABEL_COLS;
	return l;
}

static const struct trace *trace_of(const struct tui *t)
{
	return &t->picture->picture.trace;
}

/* ---- title ------------------------------------------------------------------------------- */

static const char *speed(const struct tui *t, struct arena *a)
{
	if (!t->picture ||
	    (t->trouble.text[0] == '\0' && !app_same_numbers(&t->app->scene, &t->picture->scene)))
		return t->terminal.ascii ? "computing ..." : "computing …";
	const double ms = t->picture->seconds * 1000;
	return ms < 1000 ? arena_printf(a, ms < 10 ? "%.1f ms" : "%.0f ms", ms)
			 : arena_printf(a, "%.1f s", ms / 1000);
}

void status_title(struct tui *t, struct canvas *c, const struct layout *l)
{
	struct arena *const a = &t->frame;
	struct line line = {t, c, a, l->title.row, 0, c->cols};
	item(&line, 0, " posviz ", ATTR_REVERSE | ATTR_BOLD);
	const struct scene *const s = t->picture ? &t->drawn : &t->app->scene;
	const char *const time = speed(t, a);
	const int time_cols = (int)text_width(time) + 1;
	const bool timed = c->cols >= NARROW;
	const int right = c->cols - (timed ? time_cols + 2 : 1);
	/* The expression may take what the view's name leaves, at least a half. */
	const int views_cols = 14, room = right - line.col - 2;
	const bool named = room > 2 * views_cols;
	const char *const scheme = text_shorten(
		a, text_escape(a, s->setup.scheme, strlen(s->setup.scheme)),
		(size_t)(room - (named ? views_cols : 0) > 1 ? room - (named ? views_cols : 0) : 1),
		t->terminal.ascii);
	const int scheme_col = right - (int)text_width(scheme);
	line.right = scheme_col - 2;
	for (size_t i = 0; views[i].name && named; i++) {
		const bool here = strcmp(views[i].name, s->view) == 0;
		const char *const number = arena_printf(a, "%zu", i + 1);
		if (line.col + 4 + (int)text_width(views[i].title) > line.right)
			break;
		item(&line, i ? 2 : 3, number, ATTR_DIM);
		item(&line, 1, views[i].title,
		     here	      ? ATTR_BOLD | ATTR_ACCENT
		     : views[i].ready ? 0
				      : ATTR_DIM);
	}
	canvas_text(c, line.row, scheme_col, right - scheme_col, scheme, ATTR_BOLD);
	if (timed)
		canvas_text(c, line.row, c->cols - time_cols, time_cols, time, ATTR_DIM);
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
	const struct axis *const axis = &trace_of(t)->query;
	const int all = l.right - l.col;
	const char *const order = order_text(t, l.a, (size_t)(all > 40 ? all * 2 / 5 : 0));
	const int order_cols = all > 40 ? (int)strlen(order) + 10 : 0;
	/* All of it, since the middle is what goes when it is too long. */
	struct strbuf text;
	strbuf_init(&text, l.a);
	for (size_t i = 0; i < axis->n; i++)
		strbuf_printf(&text, "%s%s", i ? " " : "", axis->labels[i]);
	const int room = all - order_cols;
	item(&l, 0, text_shorten(l.a, text.at, (size_t)(room > 1 ? room : 1), t->terminal.ascii),
	     0);
	if (order_cols > 0)
		value(&l, 4, "order", order, 0);
}

/* ---- measured ---------------------------------------------------------------------------- */

static bool measures_ready(const struct tui *t)
{
	return t->measures && t->measures->ok;
}

static bool measures_fit(const struct tui *t)
{
	return measures_ready(t) && setup_equal(&t->measures->scene.setup, &t->drawn.setup);
}

/* The number, dim and with an ellipsis while a newer one is measured. */
static bool measured(struct line *l, int gap, const char *word, const struct measure *m)
{
	const bool fits = measures_fit(l->t);
	const char *const now = m ? measure_show(m, l->a) : "";
	const char *const wait = l->t->terminal.ascii ? "..." : "…";
	if (fits)
		return value(l, gap, word, now, ATTR_BOLD);
	const char *const old = *now ? arena_printf(l->a, "%s %s", now, wait) : wait;
	return value(l, gap, word, old, ATTR_DIM);
}

/* Everything else that the numbers depend on; on narrow screens the most of it. */
static const char *sizes_text(const struct line *l, const struct setup *s)
{
	const struct model_config *const config = &l->t->picture->picture.built.model.config;
	const bool wide = l->right - l->col >= WIDE;
	struct strbuf b;
	strbuf_init(&b, l->a);
	strbuf_printf(&b, "n %zu d %zu h %zu", trace_of(l->t)->query.n, config->d, config->heads);
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
		item(&l, 1, arena_printf(l.a, "%d shuffles", MEASURE_SHUFFLES), ATTR_DIM);
	measured(&l, 3, "shift", m ? &m->shift : NULL);
	if (strcmp(s->order, "identity") != 0)
		measured(&l, 3, "this order", m ? &m->own_order : NULL);
	measured(&l, 3, "invariance", m ? &m->invariance : NULL);
	if (tail)
		l.right = c->cols - 1;
	item(&l, 3, sizes, ATTR_DIM);
}

/* ---- cell -------------------------------------------------------------------------------- */

/* "bias" of "Position bias", "weight" of "Attention weights". */
static const char *last_word(const char *title, struct arena *a)
{
	const char *const blank = strrchr(title, ' ');
	char *const word = arena_strdup(a, blank ? blank + 1 : title);
	const size_t len = strlen(word);
	if (word[0] >= 'A' && word[0] <= 'Z')
		word[0] = (char)(word[0] - 'A' + 'a');
	if (len > 2 && strcmp(word + len - 2, "ts") == 0)
		word[len - 1] = '\0';
	return word;
}

static const char *cell_value(const struct heatmap *h, struct arena *a)
{
	if (h->masked && h->masked[h->row * h->values.cols + h->col])
		return "masked";
	char text[32];
	const double x = mat_row(h->values, h->row)[h->col];
	const char *const shown = num_show(text, sizeof text, x, 3);
	return arena_strdup(a, fabs(x) < 1e-12 ? "0" : shown);
}

/* What the bias was taken with, where it has room. */
static void cell_probe(struct line *l)
{
	const char *const probe = l->t->drawn.setup.probe;
	if (l->c->cols < WIDE || l->t->picture->picture.trace.bias_is_mask)
		return;
	const char *const word =
		strcmp(probe, "off") == 0
			? "of this sentence"
			: arena_printf(l->a, "of probe %s",
				       text_shorten(l->a, text_escape(l->a, probe, strlen(probe)),
						    10, l->t->terminal.ascii));
	item(l, 1, word, ATTR_DIM);
}

static void cell_values(struct line *l, const struct figure *f)
{
	const char *before = "";
	for (size_t i = 0; i < f->n; i++) {
		const struct panel *const p = &f->panels[i];
		if (p->kind != PANEL_HEATMAP || p->absent || !p->heatmap.has_cursor)
			continue;
		const char *const word = last_word(p->title, l->a);
		if (strcmp(word, before) == 0)
			continue;
		value(l, *before ? 2 : 4, word, cell_value(&p->heatmap, l->a), ATTR_BOLD);
		if (strcmp(word, "bias") == 0)
			cell_probe(l);
		before = word;
	}
}

static void draw_cell(struct tui *t, struct canvas *c, int row)
{
	struct line l = line_at(t, c, row, "cell");
	const struct trace *const trace = trace_of(t);
	const long at = t->drawn.row, key = t->drawn.col;
	const bool ascii = t->terminal.ascii;
	if (at < 1 || key < 1 || at > (long)trace->query.n || key > (long)trace->key.n) {
		item(&l, 0, "none: the arrows choose one", ATTR_DIM);
		return;
	}
	const int all = l.right - l.col;
	const size_t most = all > 60 ? 16 : 8;
	const char *const from = text_shorten(l.a, trace->query.labels[at - 1], most, ascii);
	const char *const to = text_shorten(l.a, trace->key.labels[key - 1], most, ascii);
	item(&l, 0, arena_printf(l.a, "%s %s %s", from, ascii ? "->" : "→", to),
	     ATTR_ACCENT | ATTR_BOLD);
	if (all > 60)
		item(&l, 1, arena_printf(l.a, "%ld,%ld", at, key), ATTR_DIM);
	char distance[32];
	num_show(distance, sizeof distance, (double)(key - at), 6);
	if (all > 44)
		value(&l, 3, ascii ? "s-t" : "s−t", key == at ? "0" : distance, 0);
	cell_values(&l, &t->picture->picture.figure);
	const struct binding *const enter = binding_find(tui_context(t), "Enter");
	if (enter && strcmp(enter->command, "why") == 0 && l.col + 9 <= l.right) {
		item(&l, 3, help_key("Enter", ascii), ATTR_ACCENT | ATTR_BOLD);
		item(&l, 1, "why", 0);
	}
}

/* ---- parameters -------------------------------------------------------------------------- */

/* All of the main member's, the one that + and - change marked; the line begins later when it would
 * not come into sight. */
static void draw_params(struct tui *t, struct canvas *c, int row)
{
	struct line l = line_at(t, c, row, "parameter");
	const char *all[APP_PARAMS];
	const size_t n = app_params(t->app, l.a, all, APP_PARAMS);
	const size_t chosen = t->app->param < n ? t->app->param : 0;
	if (n == 0) {
		item(&l, 0, "none", ATTR_DIM);
		return;
	}
	size_t first = chosen;
	for (int room = l.right - l.col - (int)text_width(all[chosen]); first > 0; first--) {
		room -= (int)text_width(all[first - 1]) + 3;
		if (room < 0)
			break;
	}
	for (size_t i = first; i < n; i++)
		if (!item(&l, i > first ? 3 : 0, all[i], i == chosen ? ATTR_ACCENT | ATTR_BOLD : 0))
			return;
}

/* ---- footer ------------------------------------------------------------------------------ */

struct hint {
	const char *keys, *word;
};

enum { MAX_HINTS = 32 };

/* Neighbours of the same word share it: ",." head. */
static void add_hint(struct hint *hints, size_t *n, const struct binding *b, const char *word,
		     bool ascii, struct arena *a, const struct binding **last)
{
	const char *const key = help_key(b->key, ascii);
	if (*n > 0 && *last + 1 == b && (*last)->footer && strcmp((*last)->footer, b->footer) == 0)
		hints[*n - 1].keys = arena_printf(a, "%s%s", hints[*n - 1].keys, key);
	else if (*n < MAX_HINTS)
		hints[(*n)++] = (struct hint){key, word};
	*last = b;
}

/* The keys of the context, after the first of the general ones; a mode has only its own. */
static size_t collect(const struct tui *t, struct arena *a, struct hint *hints)
{
	const char *const context = tui_context(t);
	const bool mode = t->mode == MODE_PERMUTE || t->mode == MODE_FIND;
	const struct binding *last = NULL;
	size_t n = 0;
	for (int pass = mode ? 1 : 0; pass < (mode ? 2 : 3); pass++) {
		const char *const wanted = pass == 1 ? context : "";
		for (const struct binding *b = bindings; b->key; b++) {
			const bool first = strcmp(b->command, "help") == 0;
			if (!b->footer || strcmp(b->context, wanted) != 0 ||
			    (pass == 1 && !*context) || (!mode && (pass == 0) != first))
				continue;
			const bool param = strcmp(b->footer, "param") == 0;
			const char *const word = param ? app_param_text(t->app, a) : b->footer;
			if (word)
				add_hint(hints, &n, b, word, t->terminal.ascii, a, &last);
		}
	}
	return n;
}

static int hint_cols(const struct hint *h)
{
	return (int)(text_width(h->keys) + 1 + text_width(h->word)) + 2;
}

static void draw_footer(struct tui *t, struct canvas *c, int row)
{
	struct hint hints[MAX_HINTS];
	struct line l = {t, c, &t->frame, row, 1, c->cols - 1};
	size_t n = collect(t, &t->frame, hints);
	int width = -2;
	for (size_t i = 0; i < n; i++) {
		hints[i].word = text_shorten(l.a, hints[i].word, c->cols >= 100 ? 24 : 11,
					     t->terminal.ascii);
		width += hint_cols(&hints[i]);
	}
	/* The last one says how to leave and stays. */
	while (n > 1 && width > l.right - l.col) {
		width -= hint_cols(&hints[n - 2]);
		hints[n - 2] = hints[n - 1];
		n--;
	}
	for (size_t i = 0; i < n; i++) {
		item(&l, i ? 2 : 0, hints[i].keys, ATTR_ACCENT | ATTR_BOLD);
		item(&l, 1, hints[i].word, 0);
	}
}

/* What went wrong stays until it is mended; other words until the next key. */
static bool draw_message(struct tui *t, struct canvas *c, int row)
{
	const bool said = t->app->message[0] != '\0';
	const char *const text = said ? t->app->message : t->trouble.text;
	const bool error = said ? t->app->message_is_error : true;
	struct line l = {t, c, &t->frame, row, 1, c->cols - 1};
	if (*text == '\0')
		return false;
	if (error)
		item(&l, 0, " error ", ATTR_REVERSE | ATTR_BOLD);
	const char *const escaped = text_escape(l.a, text, strlen(text));
	/* What cannot be computed can be taken back. */
	const char *const remedy = t->app->n_undo > 0 ? "u takes it back" : ":reset starts anew";
	const int back = (int)text_width(remedy);
	const bool fits = (int)text_width(escaped) + back + 4 <= l.right - l.col;
	if (!said && t->mode == MODE_LOOK && (fits || (!t->picture && back < c->cols / 2))) {
		canvas_text(c, row, l.right - back, back, remedy, ATTR_DIM);
		l.right -= back + 2;
	}
	const int room = l.right - l.col - 1;
	item(&l, error ? 1 : 0,
	     text_shorten(l.a, escaped, (size_t)(room > 1 ? room : 1), t->terminal.ascii),
	     ATTR_BOLD);
	return true;
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
		draw_cell(t, c, l->cell);
	if (permuting && token_row < 0)
		token_row = l->footer;
	if (permuting && token_row >= 0) {
		canvas_fill(c, (struct rect){token_row, 0, 1, c->cols}, 0, CELL_DEFAULT);
		const struct line line = line_at(t, c, token_row, "permute");
		permute_draw(t, c, token_row, line.col, line.right - line.col);
	}
	if (l->footer >= 0 && token_row != l->footer && !draw_message(t, c, l->footer))
		draw_footer(t, c, l->footer);
}
