/* canvas_card_big.c: a card with the numbers of pointed-out lines in large digits.
 *
 * Its layout is computed by the function that also draws, as in pen_card.c. */
#include "plot/canvas_in.h"
#include "plot/canvas_pen.h"
#include "posviz/base/text.h"

enum {
	KEYS = 40,	  /* the largest share of a line for the keys, in percent */
	GAP = 3,	  /* columns between a key, a number and words */
	BESIDE_LEAST = 20 /* least columns for words beside a key or a number */
};

struct plan {
	struct canvas *c;
	struct arena *a;
	struct pen pen;
	const struct card *card;
	struct rect at; /* of the lines that are pointed out, without their signs */
	int keys;	/* columns for the keys */
	bool draw;
};

static int put_numbers(const struct plan *p, size_t i, int row, int col, bool draw)
{
	const char *const value = p->card->lines[i].value;
	return value != NULL ? canvas_big_value(p->c, p->a, row, col, value, draw) : 0;
}

static int put_words(const struct plan *p, int row, int col, enum role role, const char *text,
		     bool draw)
{
	const struct text_run run = {role, text};
	const struct area at = {col, row, p->at.col + p->at.cols - col, 0};
	return text != NULL && *text != '\0' ? (int)pen_wrap(&p->pen, at, &run, 1, draw) : 0;
}

/* Writes the note of a number: beside it if there is room for all of it, else below. Returns the
 * rows including those of the number. */
static int put_note(const struct plan *p, size_t i, int row, int col)
{
	const char *const note = p->card->lines[i].note;
	const bool room = p->at.col + p->at.cols - col >= BESIDE_LEAST;
	if (room && put_words(p, row, col, ROLE_PLAIN, note, false) <= BIG_ROWS) {
		put_words(p, row, col, ROLE_PLAIN, note, p->draw);
		return BIG_ROWS;
	}
	return BIG_ROWS + put_words(p, row + BIG_ROWS, p->at.col, ROLE_PLAIN, note, p->draw);
}

/* Writes a value that is not a number, followed by its note; returns the rows. */
static int put_value(const struct plan *p, const struct card_line *l, int row, int col)
{
	struct text_run runs[2];
	const bool valued = l->value != NULL;
	size_t n = 0;
	if (valued)
		runs[n++] = (struct text_run){
			ROLE_CHOSEN,
			l->formula != NULL ? pen_formula_words(&p->pen, l->formula) : l->value};
	if (l->note != NULL && *l->note != '\0')
		runs[n++] = (struct text_run){ROLE_PLAIN, l->note, .parted = valued};
	const struct area at = {col, row, p->at.col + p->at.cols - col, 0};
	return n > 0 ? (int)pen_wrap(&p->pen, at, runs, n, p->draw) : 0;
}

/* Writes line i: its key, then its number or value and the words. Returns the rows, 0 if there is
 * no room. */
static int put_line(const struct plan *p, size_t i, int row)
{
	const struct card_line *const l = &p->card->lines[i];
	const int col = p->at.col + p->keys + GAP;
	const int numbers = put_numbers(p, i, row, col, p->draw);
	const int key_row = row + (numbers > 0 ? BIG_ROWS / 2 : 0);
	if (col + numbers > p->at.col + p->at.cols)
		return 0;
	if (p->draw && l->key != NULL) {
		pen_chosen(&p->pen, (struct area){p->at.col, key_row, p->keys, 1});
		canvas_text_short(p->c, p->a, key_row, p->at.col, p->keys, l->key,
				  canvas_pen_attrs(ROLE_CHOSEN));
	}
	if (numbers > 0)
		return put_note(p, i, row, col + numbers + GAP);
	return put_value(p, l, row, col);
}

/* Writes all lines that are pointed out, with a blank row between two; returns the rows, 0 if there
 * is no room. */
static int put_lines(const struct plan *p)
{
	int row = p->at.row;
	for (size_t i = 0; i < p->card->n; i++) {
		if (!card_is_marked(p->card, i))
			continue;
		const int rows = put_line(p, i, row);
		if (rows == 0)
			return 0;
		row += rows + 1;
	}
	return row - 1 - p->at.row;
}

static int keys_of(const struct card *card, int most)
{
	int keys = 0;
	for (size_t i = 0; i < card->n; i++) {
		const int own = card_is_marked(card, i) && card->lines[i].key != NULL
					? (int)text_width(card->lines[i].key)
					: 0;
		keys = own > keys ? own : keys;
	}
	return keys < most ? keys : most;
}

/* Returns the card reduced to the lines that are not pointed out. */
static struct card others(struct arena *a, const struct card *card)
{
	struct card out = card_marked_first(a, card);
	size_t n = 0;
	while (n < out.n && card_is_marked(&out, n))
		n++;
	out.lines += n;
	out.n -= n;
	out.marked = NULL;
	out.formula = NULL; /* the lines that are pointed out matter more */
	return out;
}

bool canvas_card_big(struct canvas *c, struct arena *a, struct rect inner, const struct card *card)
{
	enum { SIGN = 2, REST_LEAST = 2 };
	struct plan p = {.c = c,
			 .a = a,
			 .pen = pen_cells(c, a, inner),
			 .card = card,
			 .at = {inner.row, inner.col + SIGN, inner.rows, inner.cols - SIGN}};
	if (card->marked == NULL)
		return false;
	p.keys = keys_of(card, inner.cols * KEYS / 100);
	const int rows = p.at.cols - p.keys - GAP < BESIDE_LEAST ? 0 : put_lines(&p);
	if (rows <= 0 || rows > inner.rows)
		return false;
	const int air = inner.rows > rows + 1 + REST_LEAST;
	p.at.row += air;
	p.draw = true;
	put_lines(&p);
	const int used = rows + air + 1;
	const struct card rest = others(a, card);
	if (rest.n == 0 || used + REST_LEAST > inner.rows)
		return true;
	const struct rect below = {inner.row + used, inner.col + SIGN, inner.rows - used,
				   inner.cols - SIGN};
	const struct pen pen = pen_cells(c, a, below);
	pen_card(&pen, &rest);
	return true;
}

int canvas_card_numbers(struct canvas *like, struct arena *a, const struct card *card)
{
	const struct plan p = {.c = like, .a = a, .card = card};
	int n = 0;
	for (size_t i = 0; card->marked != NULL && i < card->n; i++)
		n += card_is_marked(card, i) && put_numbers(&p, i, 0, 0, false) > 0;
	return n;
}
