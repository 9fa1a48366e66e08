/* test_names.c: the names of rows and columns of every matrix, in every view that shows matrices, at
 * every size and in every depth of colours. */
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_canvas.h"
#include "help_view.h"
#include "posviz/base/text.h"
#include "posviz/plot/canvas.h"

static int begin(void **state)
{
	return open_arena(state) || help_begin(state);
}

static int end(void **state)
{
	return close_arena(state) || help_end(state);
}

FIXTURE(begin, end)

static const char *const schemes[] = {"t5",	 "rope",       "deberta", "sinusoidal",
				      "spr_rel", "graphormer", "alibi"};
static const char *const view_names[] = {"explore", "terms", "order", "heads", "split", "compare"};
static const int sizes[][2] = {{47, 200}, {33, 120}, {21, 80}};
static const enum tier tiers[] = {TIER_DIRECT, TIER_256, TIER_16, TIER_MONO};
enum { SCHEMES = 7, VIEWS = 6, SIZES = 3, TIERS = 4 };

/* A matrix on a screen. */
struct map {
	const char *where;
	const struct canvas *c;
	const struct heatmap *h;
	struct rect data;
	int half_rows, cell_cols; /* of a cell */
};

/* Returns the last word before the values in the row of the middle of shown row i. */
static const char *name_beside(const struct map *m, size_t i)
{
	enum { MOST = 14 };
	const int y = m->data.row + ((int)i * m->half_rows + (m->half_rows - 1) / 2) / 2;
	const int from = m->data.col - 1 > MOST ? m->data.col - 1 - MOST : 0;
	const char *const text = help_between(m->c, y, from, m->data.col - 1);
	const char *const blank = strrchr(text, ' ');
	return blank ? blank + 1 : text;
}

/* Returns whether a name is the label, or begins like it. */
static bool stands_for(const char *name, const char *label)
{
	return *name != '\0' && strncmp(name, label, text_cluster(label, strlen(label))) == 0;
}

/* Each name, or number, stands beside the middle of its cells, and no two are alike. */
static void expect_rows(const struct map *m)
{
	const size_t n = m->h->values.rows;
	if (m->h->row_labels == NULL || !stands_for(name_beside(m, 0), m->h->row_labels[0]))
		return; /* they have numbers, or stand beside the first matrix of a line */
	for (size_t i = 0; i < n; i++) {
		const char *const name = name_beside(m, i);
		if (!stands_for(name, m->h->row_labels[i]))
			fail_msg("%s: \"%s\" beside row %zu, %s", m->where, name, i + 1,
				 m->h->row_labels[i]);
		for (size_t k = 0; k < i; k++)
			if (strcmp(name, name_beside(m, k)) == 0)
				fail_msg("%s: \"%s\" twice", m->where, name);
	}
}

/* Returns whether the columns have their whole names in the two rows above; where signs need whole rows, a line of numbers
 * could cost a row of values, and some of them are enough. */
static bool columns_named(const struct map *m)
{
	const int from = m->data.col > 8 ? m->data.col - 8 : 0;
	const int to = m->data.col + m->data.cols + 8;
	const char *const rows[] = {help_between(m->c, m->data.row - 1, from, to),
				    help_between(m->c, m->data.row - 2, from, to)};
	size_t named = 0;
	for (size_t j = 0; j < m->h->values.cols; j++)
		named += strstr(rows[0], m->h->col_labels[j]) ||
			 strstr(rows[1], m->h->col_labels[j]);
	return named == m->h->values.cols ||
	       (m->c->tier < TIER_256 && 5 * named >= m->h->values.cols);
}

/* Returns the number that stands before a name somewhere on the screen; 0: none does. */
static size_t number_before(const struct map *m, const char *label)
{
	const char *const name = m->c->ascii ? canvas_plain_text(&arena, label) : label;
	for (int row = 0; row < m->c->rows; row++) {
		const char *const line = help_between(m->c, row, 0, m->c->cols);
		for (const char *at = line; (at = strstr(at, name)) != NULL; at++) {
			const char *from = at;
			const char behind = at[strlen(name)];
			while (from > line && from[-1] == ' ')
				from--;
			const char *const end = from;
			while (from > line && from[-1] >= '0' && from[-1] <= '9')
				from--;
			if (from < end && end < at && (from == line || from[-1] == ' ') &&
			    (behind == ' ' || behind == '\0'))
				return strtoul(from, NULL, 10);
		}
	}
	return 0;
}

/* Returns how many columns have the number above that stands before their name elsewhere; SIZE_MAX: one has another. */
static size_t columns_numbered(const struct map *m)
{
	size_t found = 0;
	if (m->cell_cols < 2) /* round numbers stand in the middle of several columns */
		return strpbrk(help_between(m->c, m->data.row - 1, m->data.col,
					    m->data.col + m->data.cols),
			       "0123456789")
			       ? m->h->values.cols
			       : 0;
	for (size_t j = 0; j < m->h->values.cols; j++) {
		const int from = m->data.col + (int)j * m->cell_cols;
		const char *const above =
			help_between(m->c, m->data.row - 1, from, from + m->cell_cols);
		const size_t number = strtoul(above, NULL, 10);
		if (number > 0 && number != number_before(m, m->h->col_labels[j]))
			return SIZE_MAX;
		found += number > 0;
	}
	return found;
}

/* Columns have whole names above; or numbers, and these are explained. No name is cut to a few letters. */
static void expect_columns(const struct map *m)
{
	const size_t n = m->h->values.cols;
	if (m->h->col_labels == NULL || m->h->ruler || m->data.row < 2 || n < 2 ||
	    n != m->h->values.rows || columns_named(m))
		return;
	const size_t numbered = columns_numbered(m);
	const size_t least = m->cell_cols > 1 ? n / 2 : 2; /* narrow ones have round numbers */
	if (numbered == SIZE_MAX || numbered < least)
		fail_msg("%s: columns at %d,%d have neither names nor explained numbers\n%s",
			 m->where, m->data.row, m->data.col, help_screen(m->c));
}

static void expect_map(const struct map *m)
{
	expect_columns(m);
	if (m->half_rows > 1)
		expect_rows(m);
}

static bool whole(const struct heatmap *h, const struct heatmap_view *v)
{
	return v->block == 1 && v->rows == h->values.rows && v->cols == h->values.cols;
}

static size_t expect_multiples(const struct canvas *c, struct rect r, const struct panel *p,
			       const char *where)
{
	const struct multiples *const all = &p->multiples;
	struct rect *const at = arena_calloc(&arena, all->n + 1, sizeof *at);
	canvas_items(c, r, p, at);
	for (size_t i = 0; i < all->n; i++) {
		const struct heatmap *const h = &all->items[i].map;
		const int rows = (int)h->values.rows, wide = at[i].cols / (int)h->values.cols;
		if (at[i].rows == 0 || wide < 2)
			continue;
		/* Above the matrix are a title and at most two rows of names. */
		const int high = (at[i].rows - 1) / rows,
			  own = high > 0 ? high * rows : (rows + 1) / 2;
		const struct rect data = {at[i].row + at[i].rows - own, at[i].col, own, at[i].cols};
		expect_map(&(struct map){where, c, h, data, 2 * high, wide});
	}
	return all->n;
}

static size_t expect_names(const char *scheme, const char *view, const int *size, enum tier tier)
{
	const char *const where = arena_printf(&arena, "%s of %s on %dx%d, tier %d", view, scheme,
					       size[1], size[0], (int)tier);
	const char *const lines = arena_printf(&arena, "view %s\n%s", view,
					       strcmp(view, "compare") == 0 ? "compare none" : "");
	const struct figure *const f = &help_picture(&arena, scheme, lines)->figure;
	struct canvas *const c = help_canvas(size[0], size[1], tier, false);
	const struct rect r = {0, 0, size[0], size[1]};
	struct rect place[FIGURE_PANELS];
	struct canvas_seen seen[FIGURE_PANELS];
	size_t maps = 0;
	canvas_layout(c, f, r, f->n, false, place);
	canvas_panels(c, f, r, place, f->n, seen);
	const struct figure *const drawn = canvas_drawn(c, &arena, f, r, place);
	for (size_t i = 0; i < f->n; i++) {
		const struct panel *const p = &f->panels[i];
		const struct heatmap_view *const v = &seen[i].view;
		if (place[i].rows > 0 && p->kind == PANEL_MULTIPLES && p->absent == NULL)
			maps += expect_multiples(c, place[i], &drawn->panels[i], where);
		if (p->kind != PANEL_HEATMAP || seen[i].data.rows == 0 || !whole(&p->heatmap, v))
			continue;
		/* On 80 columns a second line of an equation may have its names above the first. */
		if (p->operand.sign != SIGN_NONE && size[1] < 120 &&
		    seen[i].data.row > seen[0].data.row)
			continue;
		/* Cells of one row instead of one and a half would lose a third of the room. */
		if (v->cell_rows2 > 3 && v->cell_rows2 % 2 != 0)
			fail_msg("%s: cells of %d half rows", where, v->cell_rows2);
		expect_map(&(struct map){where, c, &p->heatmap, seen[i].data, v->cell_rows2,
					 v->cell_cols});
		maps++;
	}
	return maps;
}

TEST(rows_and_columns_of_every_matrix_are_named)
{
	size_t maps = 0;
	for (size_t s = 0; s < SCHEMES; s++)
		for (size_t v = 0; v < VIEWS; v++)
			for (size_t k = 0; k < SIZES * TIERS; k++) {
				const struct arena_mark mark = arena_mark(&arena);
				const struct arena_mark own = arena_mark(&help_arena);
				maps += expect_names(schemes[s], view_names[v], sizes[k / TIERS],
						     tiers[k % TIERS]);
				arena_rewind(&help_arena, own);
				arena_rewind(&arena, mark);
			}
	assert_true(maps > 1000);
}

/* Short titles of terms stay distinct, and fit above matrices of ten columns. */
TEST(short_titles_of_terms_are_distinct)
{
	const struct figure *const f = &help_picture(&arena, "graphormer", "view terms")->figure;
	for (size_t i = 0; i < f->n; i++) {
		const struct panel *const p = &f->panels[i];
		const char *const title = p->brief_title ? p->brief_title : p->title;
		if (p->term == NULL)
			continue;
		assert_true(text_width(title) <= 12);
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(title, f->panels[k].brief_title
							       ? f->panels[k].brief_title
							       : f->panels[k].title);
	}
}

/* Of many terms the large ones are seen, and the others are counted. */
TEST(small_terms_leave_their_room_to_the_large_ones)
{
	const struct figure *const f = &help_picture(&arena, "graphormer", "view terms")->figure;
	struct rect place[FIGURE_PANELS];
	struct canvas *const c = help_canvas(21, 80, TIER_DIRECT, false);
	const struct rect r = {0, 0, 21, 80};
	canvas_layout(c, f, r, f->n, false, place);
	canvas_panels(c, f, r, place, f->n, NULL);
	size_t seen = 0;
	for (size_t i = 0; i < f->n; i++) {
		const char *const term = f->panels[i].term;
		const bool large = term && (strcmp(term, "distance") == 0 ||
					    strcmp(term, "edges") == 0 || i == 0);
		assert_true(!large || place[i].rows > 0);
		seen += term && place[i].rows > 0;
	}
	assert_int_equal(seen, 3);
	const char *const text = help_screen(c);
	assert_true(strstr(text, "+ 8") && strstr(text, "small") && strstr(text, "terms"));
}
