/* pen_words.c: the words below arcs: which of them are visible, their places, and the lines under
 * them.
 *
 * Words are as far apart as the labels of arcs between neighbours need, closer if there is less
 * room; on a page they are then slanted, then vertical. If not all have room, those of the cursor's
 * path and the roots are kept, and as many around the cursor's two words as fit; "…" replaces the
 * others. */
#include <math.h>

#include "plot/pen_structure.h"

/* Sizes in ems. */
enum {
	WORD_MOST = 16, /* the largest width of a word */
	WORD_SOME = 8,	/* smaller ones, tried if words have no room */
	WORD_LESS = 5,
	WORD_LEAST = 3, /* the smallest */
	AIR_MOST = 6,	/* the most additional space between words */
	GAP = 3		/* for the sign of omitted words */
};

enum labels { LABELS_ALL, LABELS_LIT, LABELS_NONE };

/* The words that are shown: all, at least those that must be visible, or at least one. */
enum words { WORDS_ALL, WORDS_MUST, WORDS_ANY };

struct setting {
	int width;
	enum labels labels; /* labels that have room between their words */
	enum words words;
	bool low; /* only if labels have no line above their arcs */
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
/* The first SETTINGS_WHOLE settings show all words and all labels. */
enum { SETTINGS = sizeof settings / sizeof *settings, SETTINGS_WHOLE = 3 };

/* Returns whether words are omitted before the k-th visible word, or before the end for k == n. */
static bool is_gap(const struct word_row *w, size_t k)
{
	const size_t first = k == 0 ? 0 : w->visible.at[k - 1] + 1;
	return (k == w->visible.n ? w->s->d->n_tokens : w->visible.at[k]) > first;
}

/* ---- places of words ------------------------------------------------------------------------- */

/* Returns the width of a word in the row, at least what arcs need. */
static double extent(const struct word_row *w, size_t token)
{
	const struct pen *const pen = &w->s->pen;
	return w->angle > 0 ? w->line / sin(w->angle) : fmax(w->width[token], 3 * pen->em);
}

static double gap_width(const struct word_row *w, size_t k)
{
	return is_gap(w, k) ? GAP * w->s->pen.em : 0;
}

/* Computes where arcs meet a node of several words: in the middle of them. */
static void find_stems(struct word_row *w)
{
	for (size_t k = 0; k < w->visible.n; k++) {
		const size_t first = w->visible.at[k], last = drawing_run(w->s->d, first);
		const size_t end = w->visible.slot[last] % 2 == 1 ? last : first;
		w->stem[first] = pen_middle(&w->s->pen, (w->mid[first] + w->mid[end]) / 2);
	}
}

/* Moves words apart for the labels between them; short arcs first, because their space also serves
 * the arcs above. Returns how much wider the row has become. */
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

/* Places the words from x = 0 on; returns the width used. */
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

/* Returns the width for the titles of the rows below, left of all words; 0 if there is no free room
 * for it. */
static double title_width(const struct word_row *w, double room)
{
	const struct drawing *d = w->s->d;
	double most = 0;
	for (size_t i = 0; i < d->n_below; i++)
		most = fmax(most, pen_measure(&w->s->pen, d->below[i].title).w + w->s->pen.em);
	return most <= room ? most : 0;
}

/* Returns the x of the sign for omitted words: the middle between the neighbouring words, or an end
 * of the row; -1 if none are omitted. */
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

/* Returns whether the k-th visible word belongs to the node of the word before it: "New York". */
static bool goes_on(const struct word_row *w, size_t k)
{
	const size_t *const token = w->visible.at;
	const long *const node = w->s->d->node;
	return k > 0 && token[k] == token[k - 1] + 1 && node[token[k]] >= 0 &&
	       node[token[k]] == node[token[k - 1]];
}

/* Divides the remaining space among the words of different nodes, and centres the row. */
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

/* Sets as many of these words as fit, but not fewer than the setting requires; returns the width
 * used, or infinity. Attempts use an arena of their own, because the pen's keeps all that was
 * allocated. */
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
		if (i == 0) /* labels need two lines for each level, which is too much */
			low = (double)(2 * w->arcs.levels + 3) * s->pen.line > s->pen.at.h;
		if (used == INFINITY)
			continue;
		settle(w, used);
		return true;
	}
	return false;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Returns the x where a text begins that is centred above a word's middle. */
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

/* Writes the texts of a row that leave a blank between each other: the cursor's first, then those
 * of its path, then the others from the left. */
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

/* Groups the words of one node; on a page nodes of a graph are in boxes. */
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

/* Writes "numbers: role, intimacy, hops": the titles of the rows, if they are not beside these. */
static void say_titles(const struct word_row *w, double y)
{
	const struct structure *const s = w->s;
	const char *text = "numbers:";
	for (size_t i = 0; i < s->d->n_below; i++)
		text = arena_printf(s->pen.arena, "%s%s %s", text, i ? "," : "",
				    s->d->below[i].title);
	structure_rest(s, y, text);
}

/* Draws the visible words from the k-th on that are consecutive in the sentence; returns their
 * number. */
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
