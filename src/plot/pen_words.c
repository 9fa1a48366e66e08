/* pen_words.c: the words that arcs stand on: which of them are visible, where, and what is written
 * under them.
 *
 * Words stand as far apart as the labels of arcs between neighbours need, closer where there is less
 * room; on a page they lean, then stand. Where that is too little for all, those of the cursor's path
 * and the roots stay, with as many as there is room for around the cursor's two; "…" stands where
 * others are left out. */
#include <math.h>

#include "plot/pen_structure.h"

/* In ems. */
enum {
	WORD_MOST = 16, /* a long word ... */
	WORD_SOME = 8,	/* ... where some are left out ... */
	WORD_LESS = 5,
	WORD_LEAST = 3, /* ... and where that shows more of them */
	AIR_MOST = 6,	/* more than needed between words */
	GAP = 3		/* for the sign that words are left out */
};

enum labels { LABELS_ALL, LABELS_LIT, LABELS_NONE };

/* How words may be set: all of them, those that must be visible and as many as have room, or any. */
enum words { WORDS_ALL, WORDS_MUST, WORDS_ANY };

struct setting {
	int width;
	enum labels labels; /* have room between their words */
	enum words words;
	bool low; /* only where labels have no line above their arcs */
	enum turn turn;
};

static const struct setting settings[] = {
	{WORD_MOST, LABELS_ALL, WORDS_ALL, false, LYING},
	{WORD_SOME, LABELS_ALL, WORDS_ALL, false, LYING},
	{WORD_MOST, LABELS_ALL, WORDS_ALL, false, LEANING},
	{WORD_MOST, LABELS_LIT, WORDS_ALL, false, LYING},
	{WORD_SOME, LABELS_LIT, WORDS_ALL, false, LYING},
	{WORD_MOST, LABELS_LIT, WORDS_ALL, false, LEANING},
	{WORD_MOST, LABELS_LIT, WORDS_ALL, false, STANDING},
	{WORD_MOST, LABELS_LIT, WORDS_MUST, false, STANDING},
	{WORD_LESS, LABELS_LIT, WORDS_ALL, true, LYING},
	{WORD_LEAST, LABELS_LIT, WORDS_ALL, true, LYING},
	{WORD_SOME, LABELS_LIT, WORDS_MUST, true, LYING},
	{WORD_LEAST, LABELS_LIT, WORDS_MUST, true, LYING},
	{WORD_MOST, LABELS_NONE, WORDS_ALL, false, LYING},
	{WORD_SOME, LABELS_NONE, WORDS_ALL, false, LYING},
	{WORD_LESS, LABELS_NONE, WORDS_ALL, false, LYING},
	{WORD_LEAST, LABELS_NONE, WORDS_ALL, false, LYING},
	{WORD_SOME, LABELS_LIT, WORDS_MUST, false, LYING},
	{WORD_LESS, LABELS_LIT, WORDS_MUST, false, LYING},
	{WORD_LEAST, LABELS_LIT, WORDS_MUST, false, LYING},
	{WORD_LEAST, LABELS_NONE, WORDS_MUST, false, LYING},
	{WORD_LEAST, LABELS_NONE, WORDS_ANY, false, LYING},
};
/* Those of the first are all there, with all labels. */
enum { SETTINGS = sizeof settings / sizeof *settings, SETTINGS_WHOLE = 3 };

/* Of the k-th visible word, or of the end: whether others are left out before it. */
static bool is_gap(const struct word_row *w, size_t k)
{
	const size_t first = k == 0 ? 0 : w->visible.at[k - 1] + 1;
	return (k == w->visible.n ? w->s->d->n_tokens : w->visible.at[k]) > first;
}

/* ---- where words stand -------------------------------------------------------------------------- */

/* What a word takes of the row, with what arcs need. */
static double extent(const struct word_row *w, size_t token)
{
	const struct pen *const pen = &w->s->pen;
	return w->angle > 0 ? w->line / sin(w->angle) : fmax(w->width[token], 3 * pen->em);
}

static double gap_width(const struct word_row *w, size_t k)
{
	return is_gap(w, k) ? GAP * w->s->pen.em : 0;
}

/* Where arcs meet a node of several words: in the middle of them. */
static void find_stems(struct word_row *w)
{
	for (size_t k = 0; k < w->visible.n; k++) {
		const size_t first = w->visible.at[k], last = drawing_run(w->s->d, first);
		const size_t end = w->visible.slot[last] % 2 == 1 ? last : first;
		w->stem[first] = pen_middle(&w->s->pen, (w->mid[first] + w->mid[end]) / 2);
	}
}

/* Moves words apart for the labels between them; short arcs first: what they need serves those above.
 * Returns by how much the row has grown. */
static double part_for_labels(struct word_row *w, enum labels labels)
{
	const struct structure *const s = w->s;
	double grown = 0;
	for (size_t k = 0; k < w->arcs.n && labels != LABELS_NONE; k++) {
		const struct arc *x = &w->arcs.at[k];
		const size_t one = w->visible.slot[x->from], two = w->visible.slot[x->to];
		const size_t lo = one < two ? one : two, hi = one < two ? two : one;
		const double label = pen_measure(&s->pen, s->d->edges[x->edge].label).w;
		if (lo % 2 == 0 || hi % 2 == 0 || label == 0 ||
		    (labels == LABELS_LIT && !s->light.edge[x->edge]))
			continue;
		find_stems(w);
		const double room = w->stem[w->visible.at[hi / 2]] - w->stem[w->visible.at[lo / 2]];
		const double missing = fmax(0, label + 3 * s->pen.em - room);
		for (size_t i = hi / 2; i < w->visible.n; i++)
			w->mid[w->visible.at[i]] += missing;
		grown += missing;
	}
	return grown;
}

/* From 0 on; returns the width used. */
static double spread(struct word_row *w, const struct setting *how)
{
	const struct pen *const pen = &w->s->pen;
	const struct visible *t = &w->visible;
	double x = 0, longest = 0, most = how->width * pen->em, over = 0;
	if (how->turn != LYING)
		most = fmin(most, pen->at.h * 0.3);
	w->angle = pen_angles[how->turn];
	w->line = pen->line;
	for (size_t k = 0; k < t->n; k++) {
		const struct size own = pen_measure(pen, w->s->d->tokens[t->at[k]]);
		w->width[t->at[k]] = own.w > 0 ? fmin(own.w, most) : pen->em;
		w->line = fmax(w->line, own.h);
		longest = fmax(longest, w->width[t->at[k]]);
	}
	w->high = longest * sin(w->angle) + w->line * cos(w->angle);
	for (size_t k = 0; k < t->n; k++) {
		const double own = extent(w, t->at[k]);
		x += gap_width(w, k);
		w->mid[t->at[k]] = pen_middle(pen, x + own / 2);
		const double reach =
			w->width[t->at[k]] * cos(w->angle) + w->line * sin(w->angle) / 2;
		over = fmax(over, reach - own / 2 - (k + 1 < t->n ? own : 0));
		x += own + (k + 1 < t->n ? pen->em * (w->angle == 0) : 0);
	}
	x += part_for_labels(w, how->labels);
	return x + gap_width(w, t->n) + (w->angle > 0 ? fmax(over, 0) : 0);
}

/* Titles of the rows below stand left of all words where that costs none. */
static double title_width(const struct word_row *w, double room)
{
	const struct drawing *d = w->s->d;
	double most = 0;
	for (size_t i = 0; i < d->n_below; i++)
		most = fmax(most, pen_measure(&w->s->pen, d->below[i].title).w + w->s->pen.em);
	return most <= room ? most : 0;
}

/* In the middle of what is between the words beside it, or at the end of the row. */
static double gap_at(const struct word_row *w, size_t k)
{
	const struct pen *const pen = &w->s->pen;
	const struct area at = pen->at;
	const size_t *const token = w->visible.at;
	if (!is_gap(w, k))
		return -1;
	if (k == 0)
		return at.x + pen->em / 2;
	if (k == w->visible.n)
		return at.x + at.w - pen->em / 2;
	const double before = w->mid[token[k - 1]] + pen_whole(pen, extent(w, token[k - 1]) / 2);
	const double behind = w->mid[token[k]] - pen_whole(pen, extent(w, token[k]) / 2);
	return pen_middle(pen, (before + behind) / 2);
}

/* Whether the k-th visible word belongs to the node of the one before it: "New York". */
static bool goes_on(const struct word_row *w, size_t k)
{
	const size_t *const token = w->visible.at;
	const long *const node = w->s->d->node;
	return k > 0 && token[k] == token[k - 1] + 1 && node[token[k]] >= 0 &&
	       node[token[k]] == node[token[k - 1]];
}

/* Shares what is left between the words of different nodes, and puts all in the middle. */
static void settle(struct word_row *w, double used)
{
	const struct pen *const pen = &w->s->pen;
	double gaps = -1;
	for (size_t k = 0; k < w->visible.n; k++)
		gaps += !goes_on(w, k);
	w->title = title_width(w, pen->at.w - used);
	w->left = pen->at.x + w->title;
	const double left = pen->at.w - used - w->title;
	const double air = gaps > 0 ? pen_whole(pen, fmin(left / gaps, AIR_MOST * pen->em)) : 0;
	const double start = w->left + pen_whole(pen, (left - air * gaps) / 2);
	double shift = start - air;
	for (size_t k = 0; k < w->visible.n; k++) {
		shift += goes_on(w, k) ? 0 : air;
		w->mid[w->visible.at[k]] += shift;
	}
	find_stems(w);
	for (size_t k = 0; k <= w->visible.n; k++)
		w->gap[k] = gap_at(w, k);
}

static double set_words(struct word_row *w, const size_t *order, size_t n,
			const struct setting *how, struct arena *a)
{
	const struct structure *const s = w->s;
	w->visible = drawing_visible(s->d, order, n, a);
	w->arcs = drawing_arcs(s->d, &s->light, &w->visible, SIZE_MAX, a);
	return spread(w, how);
}

/* As many of these words as there is room for, but not fewer than are wanted; the width used, or
 * infinity. What is tried has an arena of its own: a pen keeps what it measured in the other. */
static double try_setting(struct word_row *w, const size_t *order, size_t must,
			  const struct setting *how)
{
	const struct structure *const s = w->s;
	const size_t all = s->d->n_tokens;
	const double least = how->turn == LYING ? (WORD_LEAST + 1) * s->pen.em : s->pen.line;
	const size_t room = (size_t)(s->pen.at.w / least) + 1;
	const size_t fewest = how->words == WORDS_ALL		     ? all
			      : how->words == WORDS_MUST && must > 0 ? must
								     : 1;
	size_t n = all < room ? all : room;
	struct arena tries;
	bool fit = false;
	arena_init(&tries);
	for (; n >= fewest && !fit; n -= !fit) {
		fit = set_words(w, order, n, how, &tries) <= s->pen.at.w;
		arena_release(&tries);
	}
	return fit ? set_words(w, order, n, how, s->pen.arena) : INFINITY;
}

bool structure_words(struct word_row *w, bool whole)
{
	const struct structure *const s = w->s;
	struct arena *const a = s->pen.arena;
	const size_t n = s->d->n_tokens;
	size_t must;
	bool low = false;
	const size_t *order = drawing_order(s->d, &s->light, &must, a);
	w->width = arena_calloc(a, n, sizeof *w->width);
	w->mid = arena_calloc(a, n, sizeof *w->mid);
	w->stem = arena_calloc(a, n, sizeof *w->stem);
	w->gap = arena_calloc(a, n + 1, sizeof *w->gap);
	w->left = s->pen.at.x;
	w->right = s->pen.at.x + s->pen.at.w;
	for (size_t i = 0; i < (whole ? SETTINGS_WHOLE : SETTINGS); i++) {
		const struct setting *const how = &settings[i];
		if ((how->low && !low) || (how->turn != LYING && !pen_turns(&s->pen)))
			continue;
		const double used = try_setting(w, order, must, how);
		if (i == 0) /* two lines a level are too many */
			low = (double)(2 * w->arcs.levels + 3) * s->pen.line > s->pen.at.h;
		if (used == INFINITY)
			continue;
		settle(w, used);
		return true;
	}
	return false;
}

/* ---- writing ------------------------------------------------------------------------------------ */

/* Where text begins that is to have its middle over a word's. */
static double start_of(const struct word_row *w, size_t token, double width)
{
	const double x = w->mid[token] - width / 2;
	return fmax(fmin(w->s->pen.cell > 0 ? ceil(x) : x, w->right - width), w->left);
}

static bool is_cursor(const struct word_row *w, size_t token)
{
	const struct drawing *d = w->s->d;
	return d->has_cursor && (token == d->query || token == d->key);
}

/* Texts of a row that leave a blank between each other: the cursor's first, then those of its path,
 * then the others from the left. */
static void put_row(const struct word_row *w, double y, const char *const *text, enum role plain)
{
	const struct structure *const s = w->s;
	const double gap = s->pen.step;
	struct area *taken = arena_calloc(s->pen.arena, w->visible.n + 1, sizeof *taken);
	size_t n = 0;
	for (int turn = 0; turn < 3; turn++)
		for (size_t k = 0; k < w->visible.n; k++) {
			const size_t i = w->visible.at[k];
			const bool lit = s->d->node[i] >= 0 && s->light.node[s->d->node[i]];
			const double width = pen_measure(&s->pen, text[i]).w;
			const double x = start_of(w, i, width);
			bool open = turn == (is_cursor(w, i) ? 0 : lit ? 1 : 2) && width > 0;
			for (size_t t = 0; t < n && open; t++)
				open = x >= taken[t].x + taken[t].w + gap ||
				       x + width + gap <= taken[t].x;
			if (!open)
				continue;
			taken[n++] = (struct area){.x = x, .w = width};
			pen_text(&s->pen, is_cursor(w, i) ? ROLE_PATH : plain, 0, x, y, text[i]);
		}
}

/* Words of one node are seen to be one; on a page nodes of a graph are in boxes. */
static void draw_groups(const struct word_row *w, double top, double below)
{
	const struct structure *const s = w->s;
	const struct drawing *const d = s->d;
	const bool boxes = !(s->pen.cell > 0) && d->kind == DRAWING_GRAPH && w->angle == 0;
	for (size_t k = 0; k < w->visible.n; k++) {
		const size_t first = w->visible.at[k], last = drawing_run(d, first);
		const bool inside =
			first > 0 && d->node[first] >= 0 && d->node[first - 1] == d->node[first];
		if ((first == last && !boxes) || d->node[first] < 0 || inside ||
		    w->visible.slot[last] % 2 == 0)
			continue;
		const double x = start_of(w, first, w->angle > 0 ? w->line : w->width[first]);
		const double own = w->angle > 0 ? w->line : w->width[last];
		const double end = start_of(w, last, own) + own;
		pen_group(&s->pen, (struct area){x, top, end - x, w->high}, below, w->angle > 0);
	}
}

/* "role, intimacy, hops": the rows' titles where they do not stand beside them. */
static void say_titles(const struct word_row *w, double y)
{
	const struct structure *const s = w->s;
	const char *text = "numbers:";
	for (size_t i = 0; i < s->d->n_below; i++)
		text = arena_printf(s->pen.arena, "%s%s %s", text, i ? "," : "",
				    s->d->below[i].title);
	structure_rest(s, y, text);
}

/* The words from the k-th in visible on that stand beside each other in the sentence; how many they are. */
static size_t draw_together(const struct word_row *w, double top, size_t k, double most)
{
	const struct structure *const s = w->s;
	const struct pen *const pen = &s->pen;
	const size_t first = w->visible.at[k];
	size_t n = 1;
	while (k + n < w->visible.n && w->visible.at[k + n] == first + n)
		n++;
	const char **text = pen_labels(pen, s->d->tokens + first, n, first, most);
	for (size_t i = first; i < first + n; i++) {
		const char *const word = text[i - first];
		const enum role role = structure_token(s, i);
		if (w->angle > 0)
			pen_text_turned(pen, role, SIZE_MAX, w->mid[i],
					top + w->line / 2 * cos(w->angle), w->angle, word);
		else
			pen_text(pen, role, 0, start_of(w, i, pen_measure(pen, word).w),
				 top + w->line / 2, word);
	}
	return n;
}

static void draw_words(const struct word_row *w, double top)
{
	const struct structure *const s = w->s;
	double most = WORD_MOST * s->pen.em;
	for (size_t k = 0; k < w->visible.n; k++) {
		const size_t i = w->visible.at[k];
		if (w->width[i] < pen_measure(&s->pen, s->d->tokens[i]).w)
			most = fmin(most, w->width[i]);
	}
	for (size_t k = 0; k < w->visible.n;)
		k += draw_together(w, top, k, most);
	for (size_t k = 0; k <= w->visible.n; k++)
		if (w->gap[k] >= 0)
			pen_text(&s->pen, ROLE_QUIET, 0.5, w->gap[k], top + w->line / 2,
				 pen_more(&s->pen));
}

void structure_words_draw(const struct word_row *w, double top, size_t lines)
{
	const struct structure *const s = w->s;
	const struct drawing *const d = s->d;
	const char **places = arena_calloc(s->pen.arena, d->n_tokens, sizeof *places);
	double y = top + w->high + (s->pen.air + s->pen.line) / 2;
	for (size_t k = 0; k < w->visible.n; k++)
		places[w->visible.at[k]] = structure_place(s, w->visible.at[k]);
	draw_groups(w, top, y);
	draw_words(w, top);
	put_row(w, y, places, ROLE_QUIET);
	for (size_t i = 0; i < d->n_below && i + 1 < lines; i++) {
		y += s->pen.line;
		put_row(w, y, d->below[i].text, ROLE_PLAIN);
		if (w->title > 0)
			pen_text(&s->pen, ROLE_QUIET, 0, s->pen.at.x, y, d->below[i].title);
	}
	if (d->n_below > 0 && w->title == 0 && d->n_below + 1 < lines)
		say_titles(w, y + s->pen.line);
}
