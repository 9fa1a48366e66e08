/* cell_line.c: the cell under the cursor in words: its tokens, its place, its values by name. */
#include <math.h>
#include <string.h>

#include "posviz/num.h"
#include "tui_in.h"

enum { WIDE = 105, NAME_COLS = 20, MIDDLING = 60, NARROW = 44, WHY_COLS = 9 };

/* What a matrix is called beside its value: the term it is, else its panel's title in small
 * letters. */
static const char *name_of(const struct panel *p, bool narrow, struct arena *a)
{
	static const char *const shorter[][2] = {
		{"Position bias", "bias"}, {"Attention weights", "weight"}, {"Logits", "logit"}};
	for (size_t i = 0; i < sizeof shorter / sizeof *shorter; i++)
		if (strcmp(p->title, shorter[i][0]) == 0)
			return shorter[i][1];
	if (p->term)
		return text_shorten(a, p->term, NAME_COLS, false);
	/* "2 alibi+causal", "1−2 difference": by their numbers. */
	if (narrow && p->title[0] >= '1' && p->title[0] <= '9')
		return arena_strndup(a, p->title, strcspn(p->title, " "));
	char *const name = arena_strdup(a, text_shorten(a, p->title, NAME_COLS, false));
	const size_t first = strcspn(name, " ");
	if (narrow && memchr(name, '(', first)) /* "A(PX) in this order" */
		name[first] = '\0';
	/* A word, not a symbol: "A(X)" stays. */
	if (name[0] >= 'A' && name[0] <= 'Z' && name[1] >= 'a' && name[1] <= 'z')
		name[0] = (char)(name[0] - 'A' + 'a');
	return name;
}

static bool has_cell(const struct panel *p)
{
	return p->kind == PANEL_HEATMAP && !p->absent && p->heatmap.has_cursor;
}

static bool is_masked(const struct heatmap *h)
{
	return h->masked && h->masked[h->row * h->values.cols + h->col];
}

static const char *number_of(double value, struct arena *a)
{
	char text[32];
	const char *const shown = num_show(text, sizeof text, value, 3);
	return arena_strdup(a, fabs(value) < 1e-12 ? "0" : shown);
}

static const char *masked_value(const struct heatmap *h, double value, bool brief, struct arena *a)
{
	const char *const what = h->masked_as ? h->masked_as : "masked";
	if (brief)
		return what;
	return h->means	    ? h->means
	       : h->beneath ? arena_printf(a, "%s, else %s", what, number_of(value, a))
			    : what;
}

/* `brief`: nothing but what hatched cells have in common. */
static const char *value_of(const struct panel *p, bool brief, struct arena *a)
{
	const struct heatmap *const h = &p->heatmap;
	const double value = mat_row(h->values, h->row)[h->col];
	if (strcmp(p->title, "Mask") == 0)
		return value != 0 ? "allowed" : "masked";
	if (is_masked(h))
		return masked_value(h, value, brief, a);
	const struct heatmap_name *const name = heatmap_name(h, value);
	return name ? name->name : number_of(value, a);
}

static bool cell_there(const struct tui *t)
{
	const struct trace *const trace = &t->picture->picture.trace;
	return t->drawn.row >= 1 && t->drawn.col >= 1 && t->drawn.row <= (long)trace->query.n &&
	       t->drawn.col <= (long)trace->key.n;
}

const char *tui_unit(const struct tui *t, struct arena *a, const char *name, size_t most)
{
	const bool ascii = t->terminal.ascii;
	return text_cut(a, ascii ? text_occurrence_plain(a, name) : name, most, ascii);
}

const char *cell_place_words(const struct tui *t, struct arena *a, size_t most)
{
	const struct trace *const trace = &t->picture->picture.trace;
	const bool ascii = t->terminal.ascii;
	if (!cell_there(t))
		return NULL;
	return arena_printf(
		a, "%s %s %s", tui_unit(t, a, trace->query.names[t->drawn.row - 1], most),
		ascii ? "->" : "→", tui_unit(t, a, trace->key.names[t->drawn.col - 1], most));
}

const char *cell_value_words(const struct tui *t, struct arena *a)
{
	const struct figure *const f = &t->picture->picture.figure;
	const struct panel *found = NULL;
	for (size_t i = 0; i < f->n; i++)
		if (has_cell(&f->panels[i]) && (!found || i == t->app->pane))
			found = &f->panels[i];
	return found ? arena_printf(a, "%s %s", name_of(found, true, a), value_of(found, true, a))
		     : NULL;
}

/* What the bias was taken with, where it has room. */
static void draw_probe(struct line *l)
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
	line_item(l, 1, word, ATTR_DIM);
}

/* What a whole number means, where it and the way to more about it have room. */
static void draw_meaning(struct line *l, const struct heatmap *h)
{
	const int width = h->means && !is_masked(h) ? (int)text_width(h->means) : 0;
	if (width > 0 && l->col + 2 + width + WHY_COLS <= l->right)
		line_item(l, 2, h->means, 0);
}

/* Of every matrix by its name, each once, that of the pane with the focus first. */
static void draw_values(struct line *l)
{
	const struct figure *const f = &l->t->picture->picture.figure;
	const size_t focus = l->t->app->pane < f->n ? l->t->app->pane : 0;
	const bool narrow = l->c->cols < WIDE || l->t->picture->picture.n_compared > 2;
	const char *said[FIGURE_PANELS];
	size_t n = 0;
	for (size_t k = 0; k < f->n; k++) {
		const size_t i = k == 0 ? focus : k <= focus ? k - 1 : k;
		const struct panel *const p = &f->panels[i];
		if (!has_cell(p))
			continue;
		const char *const name = name_of(p, narrow, l->a);
		bool again = false;
		for (size_t j = 0; j < n && !again; j++)
			again = strcmp(said[j], name) == 0;
		const int gap = n > 0 ? 2 : 4;
		if (again || (!line_value(l, gap, name, value_of(p, false, l->a), ATTR_BOLD) &&
			      !line_value(l, gap, name, value_of(p, true, l->a), ATTR_BOLD)))
			continue;
		said[n++] = name;
		draw_meaning(l, &p->heatmap);
		if (strcmp(name, "bias") == 0)
			draw_probe(l);
	}
}

/* Where the two tokens stood as written, when they stand elsewhere now. */
static void draw_was(struct line *l)
{
	const struct tui *const t = l->t;
	const struct trace *const trace = &t->picture->picture.trace;
	const size_t row = (size_t)t->drawn.row - 1, col = (size_t)t->drawn.col - 1;
	size_t row_at, col_at;
	if (!permute_place(t, &trace->query, row, &row_at) ||
	    !permute_place(t, &trace->key, col, &col_at))
		return;
	const long row_was = trace->query.token[row], col_was = trace->key.token[col];
	if (row_was == (long)row_at && col_was == (long)col_at)
		return;
	line_value(l, 2, "was", arena_printf(l->a, "%ld,%ld", row_was + 1, col_was + 1), 0);
}

static void draw_why(struct line *l)
{
	const struct binding *const enter = tui_binding(l->t, "Enter");
	if (!enter || strcmp(enter->command, "why") != 0 || l->col + WHY_COLS > l->right)
		return;
	const int from = l->col + 3;
	line_item(l, 3, help_key("Enter", l->t->terminal.ascii), ATTR_ACCENT | ATTR_BOLD);
	line_item(l, 1, "why", 0);
	zone_add(l->t, ZONE_RUN, line_since(l, from))->command = "why";
}

/* A table's row under the cursor: its name, then column by column what there is room for. */
static void draw_row(struct tui *t, struct canvas *c, int row, const struct table *table)
{
	struct line l = line_at(t, c, row, "row");
	const char *const *const cells = table->cells + table->row * table->cols;
	line_item(&l, 0, cells[0], ATTR_ACCENT | ATTR_BOLD);
	for (size_t i = 1; i < table->cols; i++)
		if (*cells[i] && !line_value(&l, 3, table->head[i], cells[i], 0))
			return;
}

void cell_draw(struct tui *t, struct canvas *c, int row)
{
	const struct figure *const f = &t->picture->picture.figure;
	for (size_t i = 0; i < f->n; i++) {
		const struct panel *const p = &f->panels[i];
		if (p->kind == PANEL_TABLE && p->table.has_cursor && p->table.head) {
			draw_row(t, c, row, &p->table);
			return;
		}
	}
	struct line l = line_at(t, c, row, "cell");
	if (!cell_there(t)) {
		line_item(&l, 0, "none: the arrows choose one", ATTR_DIM);
		return;
	}
	const long at = t->drawn.row, key = t->drawn.col;
	const long apart = key - at - (long)t->picture->picture.trace.memory;
	const int all = l.right - l.col;
	line_item(&l, 0, cell_place_words(t, l.a, all > MIDDLING ? 16 : 8),
		  ATTR_ACCENT | ATTR_BOLD);
	if (all > MIDDLING)
		line_item(&l, 1, arena_printf(l.a, "%ld,%ld", at, key), ATTR_DIM);
	char distance[32];
	num_show(distance, sizeof distance, (double)apart, 6);
	if (all > MIDDLING)
		draw_was(&l);
	if (all > NARROW)
		line_value(&l, 3, t->terminal.ascii ? "s-t" : "s−t", apart == 0 ? "0" : distance,
			   0);
	draw_values(&l);
	draw_why(&l);
}
