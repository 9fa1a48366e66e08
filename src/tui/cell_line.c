/* cell_line.c: the cell under the cursor in words: its tokens, its place, its values by name. */
#include <math.h>
#include <string.h>

#include "posviz/base/fixed.h"
#include "posviz/base/num.h"
#include "tui_in.h"
#include "posviz/plot/panel.h"

enum { WIDE = 105, WIDEST = 130, NAME_COLS = 20, MIDDLING = 60 };

/* The name of a matrix beside its value: that of its term, else its panel's title in small
 * letters. */
static const char *name_of(const struct panel *p, bool narrow, struct arena *a)
{
	const char *const value = view_value_name(p->title);
	if (value)
		return value;
	if (p->term)
		return text_shorten(a, figure_scripts(a, p->term), NAME_COLS, false);
	/* "2 alibi+causal", "1−2 of weights": by their numbers. */
	if (narrow && p->title[0] >= '1' && p->title[0] <= '9')
		return arena_strndup(a, p->title, strcspn(p->title, " "));
	const char *const title = p->brief_title ? p->brief_title : p->title;
	char *const name = arena_strdup(a, text_shorten(a, title, NAME_COLS, false));
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
	return panel_shows_map(p) && p->heatmap.has_cursor;
}

static bool is_masked(const struct heatmap *h)
{
	return h->masked && h->masked[h->row * h->values.cols + h->col];
}

static const char *number(struct arena *a, double value, bool is_signed)
{
	char text[32];
	num_show(text, sizeof text, value, 3);
	return fabs(value) < 1e-12
		       ? "0"
		       : arena_printf(a, "%s%s", is_signed && value > 0 ? "+" : "", text);
}

static bool is_signed(const struct heatmap *h)
{
	return h->scale.diverging && !h->integers;
}

static const char *masked_value(const struct heatmap *h, bool brief, struct arena *a)
{
	const char *const what = heatmap_hidden(a, h, h->row, h->col);
	if (brief)
		return what;
	return h->means ? h->means
	       : h->beneath
		       ? arena_printf(a, "%s, else %s", what,
				      number(a, mat_row(h->values, h->row)[h->col], is_signed(h)))
		       : what;
}

/* With its sign where there are two; of hatched cells what they have in common. */
static const char *value_of(const struct panel *p, struct arena *a)
{
	const struct heatmap *const h = &p->heatmap;
	const double value = mat_row(h->values, h->row)[h->col];
	if (strcmp(p->title, "Mask") == 0)
		return value != 0 ? "allowed" : "masked";
	if (is_masked(h))
		return masked_value(h, true, a);
	const struct heatmap_name *const name = heatmap_name(h, value);
	return name ? name->name : number(a, value, is_signed(h));
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

static const char *place_words(const struct tui *t, struct arena *a, size_t most)
{
	const struct trace *const trace = &t->picture->picture.trace;
	const bool ascii = t->terminal.ascii;
	if (!cell_there(t))
		return NULL;
	if (t->drawn.unnamed == UNNAMED_WORDS)
		return ascii ? "query -> key" : "query → key";
	return arena_printf(
		a, "%s %s %s", tui_unit(t, a, trace->query.names[t->drawn.row - 1], most),
		ascii ? "->" : "→", tui_unit(t, a, trace->key.names[t->drawn.col - 1], most));
}

/* ---- parts ------------------------------------------------------------------------------- */

/* A word, its value and how long both stay: where there is no room the part of the least goes first. */
struct part {
	const char *word, *text;
	unsigned attrs;
	int gap, stays;
	bool is_why; /* a button */
};
enum { PARTS = 2 * FIGURE_PANELS + 12 };
enum {
	STAYS_LEAST, /* whose all of it is */
	STAYS_RANK,
	STAYS_MEANING,
	STAYS_OTHERS, /* values of other panes, the later the sooner */
	STAYS_WAS = STAYS_OTHERS + FIGURE_PANELS,
	STAYS_PLACES,
	STAYS_PROBE,
	STAYS_LOGIT,  /* beside a bias that the figure shows */
	STAYS_SECOND, /* the first of them */
	STAYS_APART,
	STAYS_WHY,
	STAYS_VALUE,
	STAYS_ALWAYS
};

struct parts {
	struct line *l;
	struct part at[PARTS];
	size_t n;
};

static void add(struct parts *p, struct part part)
{
	if (p->n < PARTS)
		p->at[p->n++] = part;
}

static int part_cols(const struct part *p)
{
	return p->gap + (p->word ? (int)text_width(p->word) + 1 : 0) + (int)text_width(p->text);
}

static void drop_least(struct parts *p)
{
	size_t least = 0;
	for (size_t i = 1; i < p->n; i++)
		least = p->at[i].stays <= p->at[least].stays ? i : least;
	memmove(p->at + least, p->at + least + 1, (--p->n - least) * sizeof *p->at);
}

static void draw_parts(struct parts *p)
{
	struct line *const l = p->l;
	int cols = 0;
	for (size_t i = 0; i < p->n; i++)
		cols += part_cols(&p->at[i]);
	while (p->n > 1 && l->col + cols > l->right) {
		cols = 0;
		drop_least(p);
		for (size_t i = 0; i < p->n; i++)
			cols += part_cols(&p->at[i]);
	}
	for (size_t i = 0; i < p->n; i++) {
		const struct part *const at = &p->at[i];
		const int from = l->col + at->gap;
		if (at->is_why) {
			line_item(l, at->gap, at->word, ATTR_ACCENT | ATTR_BOLD);
			line_item(l, 1, at->text, 0);
			zone_add(l->t, ZONE_RUN, line_since(l, from))->command = "why";
		} else if (at->word) {
			line_value(l, at->gap, at->word, at->text, at->attrs);
		} else {
			line_item(l, at->gap, at->text, at->attrs);
		}
	}
}

/* ---- values ------------------------------------------------------------------------------ */

/* Whose bias it is: the panel's is of a probe unless it is switched off. */
static void add_probe(struct parts *p)
{
	const struct line *const l = p->l;
	const char *const probe = l->t->drawn.setup.probe;
	if (strcmp(probe, "off") == 0 || guide_is_plain(l->t, &l->t->drawn))
		return;
	const bool ones = strcmp(probe, "ones") == 0;
	const char *const name = text_shorten(l->a, text_escape(l->a, probe, strlen(probe)), 10,
					      l->t->terminal.ascii);
	add(p, (struct part){.text = l->c->cols < WIDE ? "(equal tokens)"
				     : ones	       ? "(all tokens equal)"
					    : arena_printf(l->a, "(all tokens %s)", name),
			     .attrs = ATTR_DIM,
			     .gap = 1,
			     .stays = STAYS_PROBE});
}

/* Adds the place of a weight in its row, which says more than the number where a row adds up to one. */
static void add_rank(struct parts *p, const struct panel *panel)
{
	const struct heatmap *const h = &panel->heatmap;
	if (strcmp(panel->title, "Attention weights") != 0 ||
	    guide_is_plain(p->l->t, &p->l->t->drawn))
		return;
	const char *const rank = view_rank_in_row(
		mat_row(h->values, h->row), h->masked ? h->masked + h->row * h->values.cols : NULL,
		h->values.cols, h->col, p->l->a);
	if (rank)
		add(p,
		    (struct part){.text = rank, .attrs = ATTR_DIM, .gap = 1, .stays = STAYS_RANK});
}

/* Says of a hatched cell what it means, or what stands beneath, where that has room. */
static const char *value_here(const struct parts *p, const struct panel *panel)
{
	const struct heatmap *const h = &panel->heatmap;
	const char *const whole = is_masked(h) ? masked_value(h, false, p->l->a) : NULL;
	const bool fits = whole && (int)text_width(whole) <= (p->l->right - p->l->col) / 2;
	return fits ? whole : value_of(panel, p->l->a);
}

static void add_meaning(struct parts *p, const struct heatmap *h, const char *value)
{
	if (h->means && strcmp(h->means, value) != 0 && !is_masked(h))
		add(p, (struct part){.text = h->means, .gap = 2, .stays = STAYS_MEANING});
}

/* The logit of the sentence, which the figure need not show. */
static void add_logit(struct parts *p)
{
	const struct tui *const t = p->l->t;
	const struct picture *const shown = &t->picture->picture;
	const struct scene *const s = &t->drawn;
	const bool there = s->layer >= 1 && (size_t)s->layer <= shown->trace.n_layers &&
			   s->head >= 1 && s->head <= s->setup.heads;
	const struct mat m = there ? shown->trace.layers[s->layer - 1].heads[s->head - 1].logits
				   : (struct mat){0};
	if (!m.at)
		return;
	const double v = mat_row(m, (size_t)s->row - 1)[s->col - 1];
	add(p, (struct part){"logit", number(p->l->a, v, true), ATTR_BOLD, 2, STAYS_LOGIT, false});
}

static bool is_said(const struct parts *p, const char *name)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->at[i].word && strcmp(p->at[i].word, name) == 0)
			return true;
	return false;
}

/* Adds the value of every matrix by its name, each once, that of the pane with the focus first. True: a bias, which may be a
 * probe's, is among them. */
static bool add_values(struct parts *p)
{
	struct line *const l = p->l;
	const struct picture *const shown = &l->t->picture->picture;
	const struct figure *const f = &shown->figure;
	const size_t focus = l->t->app->pane < f->n ? l->t->app->pane : 0;
	const bool narrow = l->c->cols < WIDE || shown->n_compared > 2;
	bool bias = false;
	for (int n = 0, k = 0; k < (int)f->n; k++) {
		const size_t i = k == 0 ? focus : (size_t)k <= focus ? (size_t)k - 1 : (size_t)k;
		const struct panel *const panel = &f->panels[i];
		const char *const name = has_cell(panel) ? name_of(panel, narrow, l->a) : NULL;
		if (!name || is_said(p, name))
			continue;
		const int stays = n == 0   ? STAYS_VALUE
				  : n == 1 ? STAYS_SECOND
					   : STAYS_OTHERS + FIGURE_PANELS - 1 - n;
		const char *const value = value_here(p, panel);
		const int gap = n > 0 || l->c->cols < WIDE ? 2 : 3;
		n++;
		add(p, (struct part){name, value, ATTR_BOLD, gap, stays, false});
		add_meaning(p, &panel->heatmap, value);
		add_rank(p, panel);
		if (strcmp(name, "bias") != 0 || shown->trace.bias_is_mask)
			continue;
		bias = true;
		add_probe(p);
		if (l->t->drawn.matrix != MATRIX_LOGITS && !guide_is_plain(l->t, &l->t->drawn))
			add_logit(p);
	}
	return bias;
}

/* ---- a sum ------------------------------------------------------------------------------- */

/* The addends of the cursor's cell of an equation: those with the largest values by name, the others together. */
struct addends {
	const struct panel *at[FIGURE_PANELS], *sum;
	size_t n;
	bool brief; /* short names, and none for the sum */
};

static double value_at(const struct panel *p)
{
	return mat_row(p->heatmap.values, p->heatmap.row)[p->heatmap.col];
}

/* Gets the addends of the sum that a figure shows, with numbers of this cell; false: it shows none. */
static bool find_addends(const struct figure *f, struct addends *out)
{
	*out = (struct addends){0};
	for (size_t i = 0; i < f->n; i++) {
		const struct panel *const p = &f->panels[i];
		const enum sign sign = p->operand.sign;
		if (sign == SIGN_NONE || p->operand.implied || p->off || !has_cell(p))
			continue;
		if (is_masked(&p->heatmap) || !isfinite(value_at(p)))
			return false;
		if (p->term && (sign == SIGN_FIRST || sign == SIGN_PLUS))
			out->at[out->n++] = p;
		else if (sign == SIGN_EQUALS && strcmp(p->name, "sum") == 0)
			out->sum = p;
	}
	return out->sum && out->n > 1;
}

/* Returns how many addends have a larger value than number i; of equal ones, the earlier are larger. */
static size_t rank_of(const struct addends *s, size_t i)
{
	const double own = fabs(value_at(s->at[i]));
	size_t n = 0;
	for (size_t k = 0; k < s->n; k++) {
		const double other = fabs(value_at(s->at[k]));
		n += other > own || (other >= own && k < i);
	}
	return n;
}

static struct part addend_part(const struct line *l, const char *name, double value)
{
	return (struct part){name, fixed_text(l->a, value, 3, true), ATTR_BOLD, 2, STAYS_VALUE,
			     false};
}

/* Adds the `most` largest addends by name, the others together, and the sum; returns the columns of all. */
static int add_largest(struct parts *p, const struct addends *s, size_t most)
{
	const struct line *const l = p->l;
	const size_t before = p->n;
	double rest = 0;
	for (size_t i = 0; i < s->n; i++) {
		const struct panel *const of = s->at[i];
		const char *const name =
			s->brief && of->brief_title ? of->brief_title : name_of(of, true, l->a);
		if (rank_of(s, i) < most)
			add(p, addend_part(l, name, value_at(of)));
		else
			rest += value_at(of);
	}
	if (most < s->n)
		add(p, addend_part(l, arena_printf(l->a, "%zu more", s->n - most), rest));
	add(p, addend_part(l, s->brief ? "=" : "= sum", value_at(s->sum)));
	int cols = 0;
	for (size_t i = before; i < p->n; i++)
		cols += part_cols(&p->at[i]);
	return cols;
}

/* Adds the addends and their sum, as many by name as have room behind the first part, the pair. False: the figure shows no
 * sum. */
static bool add_sum(struct parts *p)
{
	struct addends s;
	const size_t before = p->n;
	const int room = p->l->right - p->l->col - part_cols(&p->at[0]);
	if (!find_addends(&p->l->t->picture->picture.figure, &s))
		return false;
	for (size_t most = s.n; most > 0; most -= s.brief, s.brief = true) {
		p->n = before;
		if (add_largest(p, &s, most) <= room)
			return true;
	}
	p->n = before;
	return false;
}

/* Adds the places of the two tokens as written, when they stand elsewhere now. They are counted as rows and columns
 * are, with what is no token before them, as a graph's virtual node. */
static void add_was(struct parts *p)
{
	const struct tui *const t = p->l->t;
	const struct trace *const trace = &t->picture->picture.trace;
	const size_t row = (size_t)t->drawn.row - 1, col = (size_t)t->drawn.col - 1;
	size_t row_at, col_at;
	if (!permute_place(t, &trace->query, row, &row_at) ||
	    !permute_place(t, &trace->key, col, &col_at))
		return;
	const long row_was = trace->query.token[row], col_was = trace->key.token[col];
	if (row_was != (long)row_at || col_was != (long)col_at)
		add(p, (struct part){"was",
				     arena_printf(p->l->a, "%ld,%ld",
						  row_was + 1 + (long)(row - row_at),
						  col_was + 1 + (long)(col - col_at)),
				     0, 2, STAYS_WAS, false});
}

static void add_why(struct parts *p)
{
	const struct tui *const t = p->l->t;
	const struct binding *const enter = tui_binding(t, "Enter");
	if (enter && strcmp(enter->command, "why") == 0 && !view_of(&t->drawn)->of_cell)
		add(p, (struct part){help_key("Enter", t->terminal.ascii), "why", 0, 2, STAYS_WHY,
				     true});
}

/* Adds the number that the scheme reads for the pair, where curves of the figure are by it: "rel(t,s) +4". */
static void add_relation(struct parts *p)
{
	const struct tui *const t = p->l->t;
	const struct figure *const f = &t->picture->picture.figure;
	for (size_t i = 0; i < f->n; i++) {
		const struct curves *const c = &f->panels[i].curves;
		const size_t row = (size_t)t->drawn.row - 1, col = (size_t)t->drawn.col - 1;
		if (f->panels[i].kind != PANEL_CURVES || f->panels[i].absent || !c->number ||
		    row >= c->rows || col >= c->cols || c->number[row * c->cols + col] == INT32_MIN)
			continue;
		const char *const last = strrchr(c->x_title, ' ');
		const double x = c->number[row * c->cols + col];
		const bool two = c->n > 0 && c->series->n > 0 && c->series->x[0] < 0;
		add(p, (struct part){last ? last + 1 : c->x_title, number(p->l->a, x, two), 0, 2,
				     STAYS_APART, false});
		return;
	}
}

static void draw_cell(struct line *l)
{
	const struct tui *const t = l->t;
	struct parts p = {.l = l};
	const long at = t->drawn.row, key = t->drawn.col;
	const long apart = key - at - (long)t->picture->picture.trace.memory;
	/* Keys that are other tokens have no distance, and of those of a matrix that is only viewed nothing
	 * was computed that could be explained. */
	const struct built *const b = &t->picture->picture.built;
	const bool others = b->keys.n > 0 || b->model.config.stack == STACK_CROSS;
	const bool plain = guide_is_plain(t, &t->drawn);
	char distance[32];
	num_show(distance, sizeof distance, (double)apart, 6);
	add(&p, (struct part){.text = place_words(t, l->a, l->right - l->col > MIDDLING ? 16 : 8),
			      .attrs = ATTR_ACCENT | ATTR_BOLD,
			      .stays = STAYS_ALWAYS});
	if (!plain)
		add(&p, (struct part){.text = arena_printf(l->a, "%ld,%ld", at, key),
				      .attrs = ATTR_DIM,
				      .gap = 1,
				      .stays = STAYS_PLACES});
	add_was(&p);
	if (!others && !plain)
		add(&p,
		    (struct part){t->terminal.ascii ? "s-t" : "s−t", apart == 0 ? "0" : distance, 0,
				  l->c->cols < WIDE ? 2 : 3, STAYS_APART, false});
	if (!others && !plain)
		add_relation(&p);
	if (!add_sum(&p) && add_values(&p) && !plain)
		add(&p,
		    (struct part){.text = l->c->cols < WIDEST ? "in this text" : "of this sentence",
				  .attrs = ATTR_DIM,
				  .gap = 1,
				  .stays = STAYS_LEAST});
	if (!others)
		add_why(&p);
	draw_parts(&p);
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

static void draw_chosen(struct tui *t, struct canvas *c, int row, const struct multiples *m)
{
	if ((!m->says || !*m->says) && touring(t))
		return;
	struct line l = line_at(t, c, row, "chosen");
	static const char part[] = " · ";
	char *const says = arena_strdup(l.a, m->says ? m->says : "");
	/* The last of its parts are left out where there is no room. */
	char *const fits = says + text_fit(says, (size_t)(l.right - l.col), NULL), *end = NULL;
	for (char *at = strstr(says, part); *fits && at && (!end || at <= fits);
	     at = strstr(at + 1, part))
		end = at;
	if (end)
		*end = '\0';
	if (*says)
		line_item(&l, 0, says, 0);
	else
		line_item(&l, 0, "none of these: the arrows choose one", ATTR_DIM);
}

/* Draws what the figure is, and what it is of, where no cell is looked at. */
static void draw_own(struct tui *t, struct canvas *c, int row, const struct figure *f)
{
	const struct view *const view = view_of(&t->drawn);
	struct line l = line_at(t, c, row, view->own ? "figure" : view->name);
	if (f->title && *f->title)
		line_item(&l, 0, f->title, ATTR_BOLD);
	if (f->subtitle && (int)text_width(f->subtitle) + 2 <= l.right - l.col)
		line_item(&l, 2, f->subtitle, ATTR_DIM);
}

void cell_draw(struct tui *t, struct canvas *c, int row)
{
	const struct figure *const f = &t->picture->picture.figure;
	if (view_of(&t->drawn)->own || view_of(&t->drawn)->no_cell) {
		draw_own(t, c, row, f);
		return;
	}
	for (size_t i = 0; i < f->n; i++) {
		const struct panel *const p = &f->panels[i];
		if (p->kind == PANEL_TABLE && p->table.has_cursor && p->table.head) {
			draw_row(t, c, row, &p->table);
			return;
		}
	}
	for (size_t i = 0; i < f->n; i++)
		if (f->panels[i].kind == PANEL_MULTIPLES && !f->panels[i].absent &&
		    f->panels[i].multiples.n > 0 && f->panels[i].multiples.items[0].choose[0]) {
			draw_chosen(t, c, row, &f->panels[i].multiples);
			return;
		}
	/* A tour and a quiz ask nothing of the arrows. */
	if (!cell_there(t) && touring(t))
		return;
	struct line l = line_at(t, c, row, "cell");
	if (!cell_there(t)) {
		line_item(&l, 0, "none: the arrows choose one", ATTR_DIM);
		return;
	}
	draw_cell(&l);
}
