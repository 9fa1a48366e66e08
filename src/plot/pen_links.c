/* pen_links.c: two rows of words with lines between them: the moves of tokens.
 *
 * Both rows have the same columns, so a token that stayed has a vertical line. Words without room
 * are turned on a page; on cells every second one is a line further away, then they are shortened.
 * With far more tokens, lines connect two rulers; without room for lines, a list names the tokens
 * that moved. A moved token is bold, one that stayed dim, the cursor's underlined, and one that is
 * pointed out bold without a colour. Colours for single tokens would soon repeat, so there are two:
 * for tokens that moved back, and for those that moved forward. */
#include <math.h>
#include <string.h>

#include "plot/pen.h"
#include "posviz/base/text.h"
#include "posviz/plot/scale.h"

/* Sizes in lines, and in ems. */
enum {
	LIST_LINES = 3,	  /* up to this many lines there is only a list */
	NUMBER_LINES = 8, /* from this many lines on, positions are written ... */
	LEAST_LINES = 4,  /* ... if so many lines are left between the words */
	MOST_LINES = 10,  /* between the words: more would only make the lines steeper */
	LEAST_WORD = 3,	  /* a word of this width is distinguishable from others */
	WHOLE_WORD = 5,	  /* words with less room than this are whole in a list instead */
	GOOD_WORD = 8,	  /* a word of this width is worth more than a title beside it */
	TITLE_GAP = 2,
	STEP_MOST = 4, /* if only every fifth word or fewer had room, numbers say more */
	CROWD_CELLS =
		4, /* if columns are narrower than this, only the cursor's line has a colour */
	CROWD_PAGE = 2
};

static bool is_in_room(const struct pen *pen)
{
	return pen->occasion == IN_ROOM;
}

struct web {
	const struct pen *pen;
	const struct links *l;
	size_t n;      /* columns: the length of the longer row */
	double titles; /* width of the titles of the rows with their gap; 0: none */
	struct area lines;
	bool words, apart;
	struct size word;   /* width and height of the largest word */
	double slot, left;  /* width of a column; left edge of the first */
	double angle, high; /* of the words */
	size_t tiers;	    /* lines in which words alternate: 1 or 2 */
	size_t every;	    /* one of so many tokens has a line */
};

static enum line_rank rank_of(const struct links *l, const struct link *k)
{
	if (l->has_cursor && k->to == l->cursor)
		return LINE_CURSOR;
	return k->strong ? LINE_STRONG : LINE_QUIET;
}

static bool is_pointed(const struct links *l, const struct link *k)
{
	return l->pointed != NULL && k->to < l->n_below && l->pointed[k->to];
}

static enum role role_of(const struct links *l, const struct link *k)
{
	if (k == NULL)
		return ROLE_QUIET;
	if (is_pointed(l, k) && rank_of(l, k) != LINE_CURSOR)
		return ROLE_PATH;
	if (rank_of(l, k) == LINE_CURSOR)
		return k->strong ? ROLE_END : ROLE_HERE;
	return k->strong ? ROLE_STRONG : ROLE_QUIET;
}

/* Returns the link that ends at index i of a row, or NULL. */
static const struct link *link_at(const struct links *l, bool below, size_t i)
{
	for (size_t k = 0; k < l->n; k++)
		if ((below ? l->links[k].to : l->links[k].from) == i)
			return &l->links[k];
	return NULL;
}

static const char *given(const char *text)
{
	return text != NULL ? text : "";
}

/* ---- the list -------------------------------------------------------------------------------- */

/* Returns "cat 2→5", or as a sentence "cat: moved from 2 to 5". */
static const char *moved_text(const struct web *w, const char *word, const struct link *k,
			      bool sentence)
{
	return arena_printf(w->pen->arena, sentence ? "%s: moved from %zu to %zu" : "%s %zu→%zu",
			    word, k->from + 1, k->to + 1);
}

/* Writes a row as a text, "now  the cat", with its title as wide as that of the other one. */
static void say_row(const struct web *w, const char *title, const char *const *words, size_t n,
		    double y)
{
	const struct pen *const pen = w->pen;
	const double titles = fmax(pen_measure(pen, given(w->l->above_title)).w,
				   pen_measure(pen, given(w->l->below_title)).w);
	const double left = titles > 0 ? titles + TITLE_GAP * pen->em : 0;
	const char *all = "";
	for (size_t i = 0; i < n; i++)
		all = arena_printf(pen->arena, "%s%s%s", all, i ? " " : "", words[i]);
	pen_text(pen, ROLE_QUIET, 0, pen->at.x, y, given(title));
	pen_text_fit(pen, ROLE_QUIET, 0, pen->at.x + left, y, pen->at.w - left, all);
}

/* Writes the lower row below the line y if there is room for it, with the upper one above it if there is more. */
static void say_rows(const struct web *w, double y)
{
	const struct pen *const pen = w->pen;
	const double line = pen->line, room = pen->at.y + pen->at.h - y;
	const struct links *const l = w->l;
	if (room >= 3 * line)
		say_row(w, l->above_title, l->above, l->n_above, y + 1.5 * line);
	if (room >= 2 * line)
		say_row(w, l->below_title, l->below, l->n_below,
			y + (room >= 3 * line ? 2.5 : 1.5) * line);
}

/* Writes "cat 2→5 dog 5→2": the tokens that moved, in their new order; the others are counted. A single one
 * has a sentence, and the rows below it. */
static void draw_list(const struct web *w)
{
	const struct pen *const pen = w->pen;
	const struct area at = pen->at;
	const double right = at.x + at.w, last = at.y + at.h - pen->line;
	double x = at.x, y = at.y;
	size_t moved = 0, written = 0;
	for (size_t k = 0; k < w->l->n; k++)
		moved += w->l->links[k].strong;
	for (size_t i = 0; i < w->l->n_below && written < moved; i++) {
		const struct link *const k = link_at(w->l, true, i);
		if (k == NULL || !k->strong)
			continue;
		const char *const word = pen_fit(pen, ROLE_STRONG, w->l->below[i], floor(at.w / 2));
		const char *const said = moved_text(w, word, k, moved == 1);
		const char *const item =
			pen_measure(pen, said).w <= at.w ? said : moved_text(w, word, k, false);
		const double width = pen_measure(pen, item).w;
		const bool more = written + 1 < moved && y + pen->line > last;
		const double end = right - (more ? 10 * pen->em : 0); /* "… 12 more" */
		if (x > at.x && x + width > end && y + pen->line <= last) {
			y += pen->line;
			x = at.x;
		}
		if (x > at.x && x + width > end)
			break;
		pen_text(pen, role_of(w->l, k), 0, x, y + pen->line / 2,
			 pen_fit(pen, ROLE_STRONG, item, right - x));
		x += fmin(width, right - x) + 3 * pen->em;
		written++;
	}
	const char *const rest = moved == 0 ? "no token moved"
				 : written < moved
					 ? arena_printf(pen->arena, "… %zu more", moved - written)
					 : "";
	pen_text_fit(pen, ROLE_QUIET, 0, x, y + pen->line / 2, right - x, rest);
	if (moved == 1)
		say_rows(w, y);
}

/* Returns whether all tokens that moved have room in the list. */
static bool list_fits(const struct web *w)
{
	const struct pen *const pen = w->pen;
	double x = 0, lines = 1;
	for (size_t i = 0; i < w->l->n_below; i++) {
		const struct link *const k = link_at(w->l, true, i);
		if (k == NULL || !k->strong)
			continue;
		const double width = pen_measure(pen, moved_text(w, w->l->below[i], k, false)).w;
		lines += x > 0 && x + width > pen->at.w;
		x = (x > 0 && x + width > pen->at.w ? 0 : x) + width + 3 * pen->em;
	}
	return lines * pen->line <= pen->at.h;
}

/* ---- columns and lines of words -------------------------------------------------------------- */

static struct size largest(const struct pen *pen, struct size most, const char *const *text,
			   size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct size own = pen_measure(pen, text[i]);
		most = (struct size){fmin(fmax(most.w, own.w), pen->at.w), fmax(most.h, own.h)};
	}
	return most;
}

/* Returns the room for a word: a word may be twice as wide if its neighbours are in another line; a
 * turned one may take a part of the height. */
static double word_room(const struct web *w)
{
	const struct pen *const pen = w->pen;
	if (w->angle > 0)
		return fmin(w->word.w, pen->at.h * (w->tiers == 1 ? 0.28 : 0.16));
	return fmax(pen_whole(pen, (double)w->tiers * w->slot) - pen->em, pen->em);
}

/* Returns the distance between the two lines of words. */
static double tier_height(const struct web *w)
{
	return w->angle > 0 ? word_room(w) + w->pen->em : w->word.h;
}

/* Turns the words of a page if they have no room: they are slanted, or vertical; then every second
 * one is further away. */
static void turn_words(struct web *w, double width)
{
	const struct pen *const pen = w->pen;
	const double line = w->word.h, lean = pen_angles[LEANING];
	const double over = fmin(w->word.w, pen->at.h * 0.28) * cos(lean);
	if (!pen_turns(pen) || !w->words || w->slot >= w->word.w + pen->em)
		return;
	w->angle = pen_angles[STANDING];
	if ((width - over) / (double)w->n * sin(lean) >= line) {
		w->angle = lean;
		w->slot = fmin(w->slot, (width - over) / (double)w->n);
	} else if (w->slot < line && 2 * w->slot >= line) {
		w->tiers = 2;
	}
	w->high = word_room(w) * sin(w->angle) + line * cos(w->angle) +
		  (double)(w->tiers - 1) * tier_height(w);
}

/* A page has no window: it shows words if at least every fourth has room. */
static void plan_page(struct web *w, double width)
{
	const struct pen *const pen = w->pen;
	w->slot = fmin(width / (double)w->n, fmax(w->word.w + 2 * pen->em, 17 * pen->air));
	w->words = w->word.h <= STEP_MOST * w->slot;
	turn_words(w, width);
}

static void plan_cells(struct web *w, double width)
{
	/* The words at both ends are wider than their columns. */
	const double places = (double)(w->n + w->tiers - 1);
	/* Those of the back row are farther apart, so that they fill the screen. */
	const double parts = is_in_room(w->pen) ? 2 : 1;
	w->slot = fmin(width / places, parts * (w->word.w + 2));
	w->words = word_room(w) >= fmin(w->word.w, LEAST_WORD);
	w->tiers = w->words ? w->tiers : 1;
	w->slot = w->words ? w->slot : width / (double)w->n;
	w->high = (double)w->tiers * w->word.h;
}

/* Returns the step, in columns, at which texts of this length have room. */
static size_t step_of(const struct web *w, double length)
{
	return (size_t)fmax(1, ceil(length / w->slot));
}

/* Returns the width of the titles, 0 to leave them out: readable words are worth more than titles
 * beside them. Rulers have titles above and below. */
static double plan_titles(const struct web *w, double title)
{
	const struct pen *const pen = w->pen;
	const double n = (double)w->n, wide = title > 0 ? title + TITLE_GAP * pen->em : 0;
	const double most = pen_turns(pen) ? 1.5 * w->word.h : GOOD_WORD * pen->em;
	const double slot = fmin(w->word.w + pen->em, most) / (double)w->tiers;
	const bool high = pen->at.h >= NUMBER_LINES * pen->line;
	const bool asked = wide > pen_whole(pen, pen->at.w / 4) || !pen_turns(pen) ||
			   (high && pen->at.w >= 3 * pen->em * n);
	return asked && n * slot > pen->at.w - wide ? 0 : wide;
}

/* Returns the lines of words: words that cannot be turned have two lines if one has no room for
 * all. */
static size_t plan_tiers(const struct web *w)
{
	const struct pen *const pen = w->pen;
	const bool wide = pen->at.w >= (double)w->n * (w->word.w + pen->em);
	return !pen_turns(pen) && !wide && pen->at.h >= (LEAST_LINES + 4) * pen->line ? 2 : 1;
}

static void plan(struct web *w)
{
	const struct pen *const pen = w->pen;
	const struct area at = pen->at;
	const char *const titles[] = {given(w->l->above_title), given(w->l->below_title)};
	const struct size none = {0, pen->line};
	const double title = largest(pen, none, titles, 2).w;
	w->word = largest(pen, none, w->l->above, w->l->n_above);
	w->word = largest(pen, w->word, w->l->below, w->l->n_below);
	w->words = true;
	w->high = w->word.h;
	w->tiers = plan_tiers(w);
	w->titles = plan_titles(w, title);
	(pen_turns(pen) ? plan_page : plan_cells)(w, at.w - w->titles);
	w->left = at.x + w->titles + (w->angle > 0 || w->tiers == 1 ? 0 : w->slot / 2);
	w->every = (size_t)fmax(1, ceil(fmax(pen->cell, pen->em / 2) / w->slot));
	/* There is one more line at both ends, for positions, or for titles that have no room at
	 * the left. */
	const double least = w->high + pen->air, rest = at.h - 2 * least - 2 * pen->line;
	w->apart = rest >= LEAST_LINES * pen->line && (w->titles > 0 ? w->words : title > 0);
	const double around = least + w->apart * pen->line;
	const double most = is_in_room(pen) ? at.h : MOST_LINES * (pen->line + pen->air);
	w->lines = (struct area){w->left, at.y + around, w->slot * (double)w->n,
				 fmin(fmax(at.h - 2 * around, pen->em), most)};
}

/* Returns the x of the middle of column i. */
static double middle(const struct web *w, size_t i)
{
	return pen_middle(w->pen, w->left + ((double)i + 0.5) * w->slot);
}

/* ---- words and numbers ----------------------------------------------------------------------- */

/* Returns the y of a line of words, above or below the area of lines, the nearer or the further
 * one. */
static double line_of(const struct web *w, bool below, size_t tier)
{
	const double away = w->pen->air + w->word.h / 2 + (double)tier * tier_height(w);
	return below ? w->lines.y + w->lines.h + away : w->lines.y - away;
}

static void put_middle(const struct web *w, double y, size_t i, const char *text, enum role role,
		       size_t colour)
{
	const double width = pen_measure(w->pen, text).w;
	const double last = w->pen->at.x + w->pen->at.w - width;
	pen_text_series(w->pen, role, colour, 0,
			fmax(w->pen->at.x, fmin(middle(w, i) - width / 2, last)), y, text);
}

/* Returns shortened words; a token has the same name in both rows, with its original position if
 * needed to be distinct. */
static const char **words_of(const struct web *w, bool below)
{
	const struct links *const l = w->l;
	const double room = word_room(w);
	const char **const above = pen_labels(w->pen, l->above, l->n_above, 0, room);
	if (!below)
		return above;
	const char **const text = pen_labels(w->pen, l->below, l->n_below, 0, room);
	for (size_t k = 0; k < l->n; k++)
		if (strcmp(l->above[l->links[k].from], l->below[l->links[k].to]) == 0)
			text[l->links[k].to] = above[l->links[k].from];
	return text;
}

static size_t colour_of(const struct link *k)
{
	if (k == NULL || !k->strong)
		return SIZE_MAX;
	return k->to < k->from ? 0 : 1;
}

static size_t word_colour(const struct web *w, const struct link *k)
{
	return k != NULL && is_pointed(w->l, k) ? SIZE_MAX : colour_of(k);
}

/* Writes a turned word that leads away from the lines, down or up. */
static void put_turned(const struct web *w, bool below, size_t i, const char *text, enum role role)
{
	const double way = below ? 1 : -1;
	const double lift = w->word.h / 2 * (cos(w->angle) - 1) * way;
	pen_text_turned(w->pen, role, word_colour(w, link_at(w->l, below, i)), middle(w, i),
			line_of(w, below, i % w->tiers) + lift, way * w->angle, text);
}

/* Chooses the words of a row that are written, at least `step` columns apart: the cursor's first,
 * then those of moved tokens, then the others. */
static bool *choose(const struct web *w, bool below, size_t n, size_t step)
{
	bool *const chosen = arena_calloc(w->pen->arena, n + 1, sizeof *chosen);
	for (int rank = LINE_CURSOR; rank >= LINE_NONE; rank--)
		for (size_t i = 0; i < n; i++) {
			const struct link *const k = link_at(w->l, below, i);
			bool free = (int)(k != NULL ? rank_of(w->l, k) : LINE_NONE) == rank;
			for (size_t o = i < step ? 0 : i - step + 1; free && o < i + step && o < n;
			     o++)
				free = !chosen[o];
			chosen[i] = chosen[i] || free;
		}
	return chosen;
}

/* Writes a word in its line; from the further line a stroke leads to its column. */
static void put_level(const struct web *w, bool below, size_t i, const char *text, enum role role)
{
	put_middle(w, line_of(w, below, i % w->tiers), i, text, role,
		   word_colour(w, link_at(w->l, below, i)));
}

static void draw_leaders(const struct web *w, bool below, size_t n)
{
	const struct pen *const pen = w->pen;
	const double edge =
		below ? w->lines.y + w->lines.h + pen->air : w->lines.y - pen->air - tier_height(w);
	for (size_t i = 1; i < n && w->tiers == 2; i += 2)
		pen_axis(pen, pen_whole(pen, middle(w, i)), edge, edge + tier_height(w));
}

static void draw_words(const struct web *w, bool below)
{
	const size_t n = below ? w->l->n_below : w->l->n_above;
	const char **const text = words_of(w, below);
	const bool *const chosen =
		choose(w, below, n, w->angle > 0 ? step_of(w, w->word.h / (double)w->tiers) : 1);
	draw_leaders(w, below, n);
	for (size_t i = 0; i < n; i++)
		if (chosen[i])
			(w->angle > 0 ? put_turned : put_level)(
				w, below, i, text[i], role_of(w->l, link_at(w->l, below, i)));
}

/* Writes positions: above from 1 on, below the original positions of the tokens. */
static void draw_numbers(const struct web *w, bool below, double y)
{
	const struct pen *const pen = w->pen;
	const size_t n = below ? w->l->n_below : w->l->n_above;
	const char *const title = below ? "order" : "position";
	if (pen_measure(pen, title).w <= w->titles - TITLE_GAP * pen->em)
		pen_text(pen, ROLE_QUIET, 0, pen->at.x, y, title);
	const char *const last = arena_printf(pen->arena, "%zu", w->n);
	const size_t step = step_of(w, pen_measure(pen, last).w + pen->em);
	for (size_t i = 0; i < n; i += step) {
		const struct link *const k = link_at(w->l, true, i);
		if (below && k == NULL)
			continue;
		put_middle(w, y, i, arena_printf(pen->arena, "%zu", (below ? k->from : i) + 1),
			   below && k->strong ? ROLE_STRONG : ROLE_QUIET, SIZE_MAX);
	}
}

/* Draws numbers at round positions; the cursor's word replaces those in its way. */
static void draw_ruler(const struct web *w, bool below)
{
	enum { TICKS = 12 };
	const struct pen *const pen = w->pen;
	const struct link *const k = w->l->has_cursor ? link_at(w->l, true, w->l->cursor) : NULL;
	const size_t n = below ? w->l->n_below : w->l->n_above;
	const double y = line_of(w, below, 0);
	double from = INFINITY, to = 0; /* the range of the word, with a blank on both sides */
	const size_t at = k == NULL ? n : below ? k->to : k->from;
	if (at < n) {
		const char *const word =
			pen_fit(pen, ROLE_END, (below ? w->l->below : w->l->above)[at],
				GOOD_WORD * pen->em);
		const double width = pen_measure(pen, word).w;
		put_middle(w, y, at, word, role_of(w->l, k), colour_of(k));
		from = fmin(middle(w, at) - width / 2, pen->at.x + pen->at.w - width) - pen->em;
		to = from + width + 2 * pen->em;
	}
	double ticks[TICKS];
	const size_t most = (size_t)fmin(fmax(2, w->lines.w / (8 * pen->em)), TICKS);
	const size_t count = scale_ticks_integer(1, (double)n, most, ticks);
	for (size_t i = 0; i < count; i++) {
		const char *const text = arena_printf(pen->arena, "%.0f", ticks[i]);
		const size_t tick = (size_t)ticks[i] - 1;
		const double half = pen_measure(pen, text).w / 2;
		if (middle(w, tick) - half >= to || middle(w, tick) + half <= from)
			put_middle(w, y, tick, text, ROLE_QUIET, SIZE_MAX);
	}
}

static void draw_title(const struct web *w, bool below, double y)
{
	const char *title = given(below ? w->l->below_title : w->l->above_title);
	if (below && w->every > 1)
		title = arena_printf(w->pen->arena, "%s · a line for one of %zu tokens", title,
				     w->every);
	const double room = w->titles > 0 ? w->titles - TITLE_GAP * w->pen->em : w->pen->at.w;
	pen_text_fit(w->pen, ROLE_QUIET, 0, w->pen->at.x, y, room, title);
}

static void draw_row(const struct web *w, bool below)
{
	const double away = w->high + w->pen->air + w->pen->line / 2;
	const double y = below ? w->lines.y + w->lines.h + away : w->lines.y - away;
	if (w->titles > 0)
		draw_title(w, below, line_of(w, below, 0));
	(w->words ? draw_words : draw_ruler)(w, below);
	if (w->apart)
		(w->titles > 0 ? draw_numbers : draw_title)(w, below, y);
}

/* Returns the height at which each link crosses over, as a fraction, so that few meet in one point:
 * among links to the right the last crosses first, among links to the left the first; so there are
 * no unnecessary crossings. */
static double *bends_of(const struct web *w)
{
	static const double least = 0.2, most = 0.8;
	const struct links *const l = w->l;
	double *const bend = arena_calloc(w->pen->arena, l->n + 1, sizeof *bend);
	size_t n[2] = {0}, rank[2] = {0};
	for (size_t i = 0; i < l->n; i++)
		n[l->links[i].to < l->links[i].from]++;
	for (size_t i = 0; i < 2 * l->n_above; i++) {
		const bool back = i >= l->n_above;
		const size_t from = back ? i - l->n_above : l->n_above - 1 - i;
		const struct link *const k = link_at(l, false, from);
		if (k != NULL && (k->to < k->from) == back)
			bend[k - l->links] = least + (most - least) * ((double)rank[back]++ + 0.5) /
							     (double)n[back];
	}
	return bend;
}

/* Returns the colour of a line; in narrow columns only the cursor's line has one. */
static size_t line_colour(const struct web *w, const struct link *k)
{
	const struct pen *const pen = w->pen;
	const double least = pen->em * (pen->cell > 0 ? CROWD_CELLS : CROWD_PAGE);
	const bool crowd = w->l->has_cursor && w->slot < least;
	return crowd && rank_of(w->l, k) != LINE_CURSOR ? SIZE_MAX : colour_of(k);
}

/* Lines of tokens that stayed are drawn first, the cursor's last, so it covers the others. */
static void draw_lines(const struct web *w)
{
	const struct links *const l = w->l;
	struct pen_line *const lines = arena_calloc(w->pen->arena, l->n + 1, sizeof *lines);
	const double *const bend = bends_of(w);
	size_t n = 0;
	for (enum line_rank rank = LINE_QUIET; rank <= LINE_CURSOR; rank++)
		for (size_t i = 0; i < l->n; i++) {
			const struct link *const k = &l->links[i];
			const bool drawn = rank == LINE_CURSOR || k->from % w->every == 0;
			if (rank_of(l, k) == rank && drawn)
				lines[n++] = (struct pen_line){middle(w, k->from), middle(w, k->to),
							       bend[i], rank, line_colour(w, k)};
		}
	pen_lines(w->pen, w->lines, w->slot, lines, n);
}

void pen_links(const struct pen *pen, const struct links *l)
{
	struct web w = {.pen = pen, .l = l};
	w.n = l->n_above > l->n_below ? l->n_above : l->n_below;
	if (w.n == 0) {
		pen_text(pen, ROLE_QUIET, 0, pen->at.x, pen->at.y + pen->line / 2, "no tokens");
		return;
	}
	if (pen->at.h < (LIST_LINES + 1) * pen->line || pen->at.w < LEAST_WORD * pen->em) {
		draw_list(&w);
		return;
	}
	plan(&w);
	if (!pen_turns(pen) && !is_in_room(pen) && w.words &&
	    pen->at.h < NUMBER_LINES * pen->line && word_room(&w) < fmin(w.word.w, WHOLE_WORD) &&
	    list_fits(&w)) {
		draw_list(&w);
		return;
	}
	pen_plot(pen, w.lines);
	draw_lines(&w);
	draw_row(&w, false);
	draw_row(&w, true);
}

int pen_links_cols(const struct links *l)
{
	int above = 0, below = 0;
	for (size_t i = 0; i < l->n_above; i++)
		above += (int)text_width(l->above[i]) + 1;
	for (size_t i = 0; i < l->n_below; i++)
		below += (int)text_width(l->below[i]) + 1;
	return above > below ? above : below;
}
