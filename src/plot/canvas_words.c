/* canvas_words.c: the words that arcs stand on: which of them are in sight, where, and what is
 * written under them.
 *
 * Words stand as far apart as the labels of arcs between neighbours need, closer where there is
 * less room. Where that is too little for all, those of the cursor's path and the roots stay, with
 * as many as there is room for around the cursor's two; "…" stands where others are left out. */
#include <string.h>

#include "plot/canvas_arcs.h"
#include "posviz/text.h"

enum {
	WORD_MOST = 16, /* columns of a long word ... */
	WORD_SOME = 8,	/* ... where some are left out ... */
	WORD_LEAST = 3, /* ... and where that shows more of them */
	AIR_MOST = 6,	/* columns more than needed between words */
	GAP = 3		/* columns for the sign that words are left out */
};

enum labels { LABELS_ALL, LABELS_LIT, LABELS_NONE };

/* How words may be set: all of them, those that must be in sight and as many as have room, or
 * any. */
enum words { WORDS_ALL, WORDS_MUST, WORDS_ANY };
struct setting {
	int width;
	enum labels labels; /* have room between their words */
	enum words words;
	bool low; /* only where labels have no row above their arcs */
};

/* Of the k-th word in sight, or of the end: whether others are left out before it. */
static bool is_gap(const struct row_of_words *w, size_t k)
{
	const size_t first = k == 0 ? 0 : w->sight.at[k - 1] + 1;
	return (k == w->sight.n ? w->s->d->n_tokens : w->sight.at[k]) > first;
}

/* ---- where words stand -------------------------------------------------------------------------- */

/* Columns of a word with what arcs need. */
static int broad(const struct row_of_words *w, size_t token)
{
	return w->width[token] > 3 ? w->width[token] : 3;
}

static int gap_cols(const struct row_of_words *w, size_t k)
{
	return is_gap(w, k) ? GAP : 0;
}

/* From one word's middle to the next one's. */
static int apart(const struct row_of_words *w, size_t k)
{
	const int own = broad(w, w->sight.at[k]), next = broad(w, w->sight.at[k + 1]);
	return own - (own - 1) / 2 + (next - 1) / 2 + 1 + gap_cols(w, k + 1);
}

/* Where arcs meet a node of several words: in the middle of them. */
static void find_stems(struct row_of_words *w)
{
	for (size_t k = 0; k < w->sight.n; k++) {
		const size_t first = w->sight.at[k], last = drawing_run(w->s->d, first);
		const size_t end = w->sight.slot[last] % 2 == 1 ? last : first;
		w->stem[first] = (w->mid[first] + w->mid[end]) / 2;
	}
}

static bool wants_room(const struct row_of_words *w, const struct arc *x, enum labels labels)
{
	return labels == LABELS_ALL || (labels == LABELS_LIT && w->s->light.edge[x->edge]);
}

/* Moves words apart for the labels between them; short arcs first: what they need serves those
 * above. */
static void make_way(struct row_of_words *w, enum labels labels)
{
	for (size_t k = 0; k < w->arcs.n; k++) {
		const struct arc *x = &w->arcs.at[k];
		const size_t one = w->sight.slot[x->from], two = w->sight.slot[x->to];
		const size_t lo = one < two ? one : two, hi = one < two ? two : one;
		const int label = (int)text_width(w->s->d->edges[x->edge].label);
		if (lo % 2 == 0 || hi % 2 == 0 || label == 0 || !wants_room(w, x, labels))
			continue;
		find_stems(w);
		const int from = w->stem[w->sight.at[lo / 2]], to = w->stem[w->sight.at[hi / 2]];
		const int missing = label + 2 - (to - from - 1);
		for (size_t i = hi / 2; missing > 0 && i < w->sight.n; i++)
			w->mid[w->sight.at[i]] += missing;
	}
}

/* From column 0 on; returns the columns used. */
static int spread(struct row_of_words *w, const struct setting *how)
{
	const struct sight *t = &w->sight;
	for (size_t k = 0; k < t->n; k++) {
		const int own = (int)text_width(w->s->d->tokens[t->at[k]]);
		w->width[t->at[k]] = own > how->width ? how->width : own > 0 ? own : 1;
	}
	w->mid[t->at[0]] = gap_cols(w, 0) + (broad(w, t->at[0]) - 1) / 2;
	for (size_t k = 0; k + 1 < t->n; k++)
		w->mid[t->at[k + 1]] = w->mid[t->at[k]] + apart(w, k);
	if (how->labels != LABELS_NONE)
		make_way(w, how->labels);
	const int last = broad(w, t->at[t->n - 1]);
	return w->mid[t->at[t->n - 1]] + last - (last - 1) / 2 + gap_cols(w, t->n);
}

/* Titles of the rows below stand left of all words where that costs none. */
static int title_cols(const struct row_of_words *w, int room)
{
	const struct drawing *d = w->s->d;
	int most = 0;
	for (size_t i = 0; i < d->n_below; i++) {
		const int width = (int)text_width(d->below[i].title) + 1;
		most = width > most ? width : most;
	}
	return most <= room ? most : 0;
}

/* Shares what is left between the words, and puts them in the middle. */
static void settle(struct row_of_words *w, int used)
{
	const struct rect r = w->s->inner;
	const size_t n = w->sight.n;
	w->title = title_cols(w, r.cols - used);
	w->left = r.col + w->title;
	const int gaps = (int)n - 1, left = r.cols - used - w->title;
	const int air = gaps > 0 && left / gaps < AIR_MOST ? left / gaps : AIR_MOST;
	const int start = w->left + (left - (gaps > 0 ? air * gaps : 0)) / 2;
	for (size_t k = 0; k < n; k++)
		w->mid[w->sight.at[k]] += start + air * (int)k;
	find_stems(w);
	for (size_t k = 0; k <= n; k++) {
		const int before =
			k > 0 ? w->mid[w->sight.at[k - 1]] + broad(w, w->sight.at[k - 1]) / 2 + 1
			      : r.col;
		const int behind = k < n ? w->mid[w->sight.at[k]] - broad(w, w->sight.at[k]) / 2 - 1
					 : w->right;
		w->gap[k] = !is_gap(w, k) ? -1
			    : k == 0	  ? before
			    : k == n	  ? behind
					  : (before + behind) / 2;
	}
}

/* Sets the first n of these words; whether they have room. */
static bool try_words(struct row_of_words *w, const size_t *order, size_t n,
		      const struct setting *how, int *used)
{
	const struct sketch *s = w->s;
	w->sight = drawing_sight(s->d, order, n, s->a);
	w->arcs = drawing_arcs(s->d, &s->light, &w->sight, SIZE_MAX, s->a);
	*used = spread(w, how);
	return *used <= s->inner.cols;
}

/* As many as there is room for, but not fewer than are wanted. */
static bool try_setting(struct row_of_words *w, const size_t *order, size_t must,
			const struct setting *how, int *used)
{
	const size_t all = w->s->d->n_tokens;
	const size_t room = (size_t)w->s->inner.cols / (WORD_LEAST + 1) + 1;
	const size_t least = how->words == WORDS_ALL		    ? all
			     : how->words == WORDS_MUST && must > 0 ? must
								    : 1;
	for (size_t n = all < room ? all : room; n >= least; n--) {
		const struct arena_mark mark = arena_mark(w->s->a);
		if (try_words(w, order, n, how, used))
			return true;
		arena_rewind(w->s->a, mark);
	}
	return false;
}

/* Whether two rows a level are too many. */
static bool is_low(const struct row_of_words *w)
{
	const struct sketch *s = w->s;
	return 2 * (int)w->arcs.levels + 3 > s->inner.rows;
}

bool sketch_words(struct row_of_words *w, bool whole)
{
	static const struct setting tries[] = {
		{WORD_MOST, LABELS_ALL, WORDS_ALL, false},
		{WORD_SOME, LABELS_ALL, WORDS_ALL, false},
		{WORD_MOST, LABELS_LIT, WORDS_ALL, false},
		{WORD_SOME, LABELS_LIT, WORDS_ALL, false},
		{5, LABELS_LIT, WORDS_ALL, true},
		{WORD_LEAST, LABELS_LIT, WORDS_ALL, true},
		{WORD_SOME, LABELS_LIT, WORDS_MUST, true},
		{WORD_LEAST, LABELS_LIT, WORDS_MUST, true},
		{WORD_MOST, LABELS_NONE, WORDS_ALL, false},
		{WORD_SOME, LABELS_NONE, WORDS_ALL, false},
		{5, LABELS_NONE, WORDS_ALL, false},
		{WORD_LEAST, LABELS_NONE, WORDS_ALL, false},
		{WORD_SOME, LABELS_LIT, WORDS_MUST, false},
		{5, LABELS_LIT, WORDS_MUST, false},
		{WORD_LEAST, LABELS_LIT, WORDS_MUST, false},
		{WORD_LEAST, LABELS_NONE, WORDS_MUST, false},
		{WORD_LEAST, LABELS_NONE, WORDS_ANY, false},
	};
	const struct sketch *s = w->s;
	const size_t n = s->d->n_tokens;
	size_t must;
	int used;
	bool low = false;
	const size_t *order = drawing_order(s->d, &s->light, &must, s->a);
	w->width = arena_calloc(s->a, n, sizeof *w->width);
	w->mid = arena_calloc(s->a, n, sizeof *w->mid);
	w->stem = arena_calloc(s->a, n, sizeof *w->stem);
	w->gap = arena_calloc(s->a, n + 1, sizeof *w->gap);
	w->left = s->inner.col;
	w->right = s->inner.col + s->inner.cols - 1;
	for (size_t i = 0; i < (whole ? 2 : sizeof tries / sizeof *tries); i++) {
		const bool set =
			(!tries[i].low || low) && try_setting(w, order, must, &tries[i], &used);
		low = i == 0 ? is_low(w) : low;
		if (!set)
			continue;
		settle(w, used);
		return true;
	}
	return false;
}

/* ---- writing ------------------------------------------------------------------------------------ */

/* Where text stands that is to have its middle over a word's. */
static int start_of(const struct row_of_words *w, size_t token, int width)
{
	const int end = w->right + 1;
	int col = w->mid[token] - (width - 1) / 2;
	col = col > end - width ? end - width : col;
	return col < w->left ? w->left : col;
}

static void put_middle(const struct row_of_words *w, int row, size_t token, const char *text,
		       unsigned attrs)
{
	const int col = start_of(w, token, (int)text_width(text));
	canvas_text(w->s->c, row, col, w->right + 1 - col, text, attrs);
}

static bool is_cursor(const struct row_of_words *w, size_t token)
{
	const struct drawing *d = w->s->d;
	return d->has_cursor && (token == d->query || token == d->key);
}

/* Texts of a row that leave a blank between each other: the cursor's first, then those of its path,
 * then the others from the left. */
static void put_row(const struct row_of_words *w, int row, const char *const *text, unsigned plain)
{
	const struct sketch *s = w->s;
	bool *taken = arena_calloc(s->a, (size_t)s->inner.cols + 2, sizeof *taken);
	for (int turn = 0; turn < 3; turn++)
		for (size_t k = 0; k < w->sight.n; k++) {
			const size_t i = w->sight.at[k];
			const bool lit = s->d->node[i] >= 0 && s->light.node[s->d->node[i]];
			const int width = (int)text_width(text[i]);
			const int from = start_of(w, i, width) - w->left;
			bool open = turn == (is_cursor(w, i) ? 0 : lit ? 1 : 2) && width > 0;
			for (int c = from; open && c < from + width + 2; c++)
				open = c > s->inner.cols + 1 || !taken[c];
			if (!open)
				continue;
			for (int c = from + 1; c <= from + width && c <= s->inner.cols; c++)
				taken[c] = true;
			put_middle(w, row, i, text[i],
				   is_cursor(w, i) ? ATTR_BOLD | ATTR_ACCENT : plain);
		}
}

/* Words of one node stand in a bracket, with their places in it: "└3──4┘". */
static void draw_brackets(const struct row_of_words *w, int row)
{
	const struct sketch *s = w->s;
	static const char *const light[] = {"└", "─", "┘"}, *const ascii[] = {"[", "-", "]"};
	const char *const *sign = s->c->ascii ? ascii : light;
	for (size_t k = 0; k < w->sight.n; k++) {
		const size_t first = w->sight.at[k], last = drawing_run(s->d, first);
		const bool inside = first > 0 && s->d->node[first] >= 0 &&
				    s->d->node[first - 1] == s->d->node[first];
		if (first == last || inside || w->sight.slot[last] % 2 == 0)
			continue;
		const int from = start_of(w, first, w->width[first]);
		const int to = start_of(w, last, w->width[last]) + w->width[last] - 1;
		for (int col = from; col <= to; col++)
			canvas_put(s->c, row, col,
				   sign[col == from ? 0
					: col == to ? 2
						    : 1],
				   ATTR_DIM, CELL_DEFAULT, CELL_DEFAULT);
	}
}

static void draw_places(const struct row_of_words *w, int row)
{
	const struct sketch *s = w->s;
	const char **places = arena_calloc(s->a, s->d->n_tokens, sizeof *places);
	for (size_t k = 0; k < w->sight.n; k++)
		places[w->sight.at[k]] = sketch_place(s, w->sight.at[k]);
	draw_brackets(w, row);
	put_row(w, row, places, ATTR_DIM);
}

/* "role, intimacy, hops": the rows' titles where they do not stand beside them. */
static void say_titles(const struct row_of_words *w, int row)
{
	const struct sketch *s = w->s;
	const char *text = "numbers:";
	for (size_t i = 0; i < s->d->n_below; i++)
		text = arena_printf(s->a, "%s%s %s", text, i ? "," : "", s->d->below[i].title);
	canvas_text_right(s->c, s->a, row, w->right + 1, s->inner.cols, text, ATTR_DIM);
}

/* The words from the k-th in sight on that stand beside each other in the sentence; how many they
 * are. */
static size_t draw_together(const struct row_of_words *w, int row, size_t k, int most)
{
	const struct sketch *s = w->s;
	const size_t first = w->sight.at[k];
	size_t n = 1;
	while (k + n < w->sight.n && w->sight.at[k + n] == first + n)
		n++;
	const char **text =
		canvas_short_words(s->c, s->a, s->d->tokens + first, n, first, (size_t)most);
	for (size_t i = 0; i < n; i++)
		put_middle(w, row, first + i, text[i], sketch_token(s, first + i));
	return n;
}

static void draw_words(const struct row_of_words *w, int row)
{
	const struct sketch *s = w->s;
	int most = WORD_MOST;
	for (size_t k = 0; k < w->sight.n; k++) {
		const size_t i = w->sight.at[k];
		if (w->width[i] < (int)text_width(s->d->tokens[i]) && w->width[i] < most)
			most = w->width[i];
	}
	for (size_t k = 0; k < w->sight.n;)
		k += draw_together(w, row, k, most);
	for (size_t k = 0; k <= w->sight.n; k++)
		if (w->gap[k] >= 0)
			canvas_text(s->c, row, w->gap[k], 1, s->c->ascii ? "~" : "…", ATTR_DIM);
}

void sketch_words_draw(const struct row_of_words *w, int row, int rows)
{
	const struct sketch *s = w->s;
	const size_t n = s->d->n_below;
	draw_words(w, row);
	draw_places(w, row + 1);
	for (size_t i = 0; i < n && (int)i + 2 < rows; i++) {
		const struct drawn_row *below = &s->d->below[i];
		put_row(w, row + 2 + (int)i, below->text, 0);
		canvas_text(s->c, row + 2 + (int)i, s->inner.col, w->title, below->title, ATTR_DIM);
	}
	if (n > 0 && w->title == 0 && (int)n + 2 < rows)
		say_titles(w, row + 2 + (int)n);
}
