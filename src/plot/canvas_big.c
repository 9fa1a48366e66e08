/* canvas_big.c: large letters for a lecture hall, three rows high, of half blocks: six points high
 * and four wide, less or more for narrow or wide letters. */
#include <ctype.h>
#include <string.h>

#include "plot/canvas_in.h"
#include "posviz/base/text.h"

enum { HIGH = 2 * BIG_ROWS };

/* The points of each letter, row by row. */
static const struct letter {
	const char *sign;
	const char *points[HIGH];
} letters[] = {
	{"A", {" ## ", "#  #", "#  #", "####", "#  #", "#  #"}},
	{"B", {"### ", "#  #", "### ", "#  #", "#  #", "### "}},
	{"C", {" ###", "#   ", "#   ", "#   ", "#   ", " ###"}},
	{"D", {"### ", "#  #", "#  #", "#  #", "#  #", "### "}},
	{"E", {"####", "#   ", "### ", "#   ", "#   ", "####"}},
	{"F", {"####", "#   ", "### ", "#   ", "#   ", "#   "}},
	{"G", {" ###", "#   ", "#   ", "# ##", "#  #", " ###"}},
	{"H", {"#  #", "#  #", "####", "#  #", "#  #", "#  #"}},
	{"I", {"###", " # ", " # ", " # ", " # ", "###"}},
	{"J", {"  ##", "   #", "   #", "   #", "#  #", " ## "}},
	{"K", {"#  #", "# # ", "##  ", "##  ", "# # ", "#  #"}},
	{"L", {"#   ", "#   ", "#   ", "#   ", "#   ", "####"}},
	{"M", {"#   #", "## ##", "# # #", "# # #", "#   #", "#   #"}},
	{"N", {"#  #", "## #", "## #", "# ##", "# ##", "#  #"}},
	{"O", {" ## ", "#  #", "#  #", "#  #", "#  #", " ## "}},
	{"P", {"### ", "#  #", "#  #", "### ", "#   ", "#   "}},
	{"Q", {" ## ", "#  #", "#  #", "#  #", "# ##", " ###"}},
	{"R", {"### ", "#  #", "#  #", "### ", "# # ", "#  #"}},
	{"S", {" ###", "#   ", " ## ", "   #", "   #", "### "}},
	{"T", {"#####", "  #  ", "  #  ", "  #  ", "  #  ", "  #  "}},
	{"U", {"#  #", "#  #", "#  #", "#  #", "#  #", " ## "}},
	{"V", {"#   #", "#   #", "#   #", " # # ", " # # ", "  #  "}},
	{"W", {"#   #", "#   #", "# # #", "# # #", "## ##", "#   #"}},
	{"X", {"#   #", " # # ", "  #  ", "  #  ", " # # ", "#   #"}},
	{"Y", {"#   #", " # # ", "  #  ", "  #  ", "  #  ", "  #  "}},
	{"Z", {"####", "   #", "  # ", " #  ", "#   ", "####"}},
	{"0", {"####", "#  #", "#  #", "#  #", "#  #", "####"}},
	{"1", {" # ", "## ", " # ", " # ", " # ", "###"}},
	{"2", {"### ", "   #", "   #", " ## ", "#   ", "####"}},
	{"3", {"### ", "   #", " ## ", "   #", "   #", "### "}},
	{"4", {"#  #", "#  #", "#  #", "####", "   #", "   #"}},
	{"5", {"####", "#   ", "### ", "   #", "   #", "### "}},
	{"6", {" ## ", "#   ", "### ", "#  #", "#  #", " ## "}},
	{"7", {"####", "   #", "  # ", "  # ", " #  ", " #  "}},
	{"8", {" ## ", "#  #", " ## ", "#  #", "#  #", " ## "}},
	{"9", {" ## ", "#  #", "#  #", " ###", "   #", " ## "}},
	{".", {"  ", "  ", "  ", "  ", "##", "##"}},
	{"−", {"   ", "   ", "###", "   ", "   ", "   "}},
	{"+", {"   ", " # ", "###", " # ", "   ", "   "}},
	{"_", {"   ", "   ", "   ", "   ", "   ", "###"}},
};

/* Returns the letter of the sign at `text`, and the number of its bytes; NULL if there is none. */
static const struct letter *letter_at(const char *text, size_t *len)
{
	const char upper[] = {(char)toupper((unsigned char)*text), '\0'};
	for (size_t i = 0; i < sizeof letters / sizeof *letters; i++) {
		*len = strlen(letters[i].sign);
		if (strncmp(text, letters[i].sign, *len) == 0 ||
		    strcmp(upper, letters[i].sign) == 0)
			return &letters[i];
	}
	return NULL;
}

int canvas_big_cols(const struct canvas *c, const char *text)
{
	int cols = -1;
	size_t len;
	for (; *text != '\0' && !c->ascii; text += len) {
		const struct letter *const l = letter_at(text, &len);
		if (l == NULL)
			return 0;
		cols += (int)strlen(l->points[0]) + 1;
	}
	return cols > 0 ? cols : 0;
}

static void draw_letter(struct canvas *c, int row, int col, const struct letter *l)
{
	for (int y = 0; y < BIG_ROWS; y++)
		for (int x = 0; l->points[0][x] != '\0'; x++) {
			const bool above = l->points[2 * y][x] == '#';
			const bool below = l->points[2 * y + 1][x] == '#';
			if (above || below)
				canvas_put(c, row + y, col + x,
					   above && below ? "█"
					   : above	  ? "▀"
							  : "▄",
					   0, CELL_DEFAULT, CELL_DEFAULT);
		}
}

void canvas_big(struct canvas *c, int row, int col, const char *text)
{
	size_t len;
	for (const struct letter *l; *text != '\0'; text += len) {
		if ((l = letter_at(text, &len)) == NULL)
			return;
		draw_letter(c, row, col, l);
		col += (int)strlen(l->points[0]) + 1;
	}
}

/* ---- values ---------------------------------------------------------------------------------- */

/* "0 (2e-16), 0.014" is two numbers; the first is followed by words. */
enum { PARTS = 6, PART_GAP = 3 };

struct part {
	const char *number, *rest; /* "0", "(2e-16)" */
};

static size_t number_len(const char *text)
{
	static const char minus[] = "−";
	const size_t len =
		strncmp(text, minus, sizeof minus - 1) == 0 ? sizeof minus - 1 : *text == '-';
	if (!isdigit((unsigned char)text[len]))
		return 0;
	return len + strspn(text + len, "0123456789.");
}

/* Cuts a value into numbers with the words behind each; returns 0 if it is not made of numbers. */
static size_t parts_of(struct arena *a, const char *value, struct part out[PARTS])
{
	static const char comma[] = ", ";
	size_t n = 0;
	for (const char *at = value; *at != '\0'; n++) {
		const char *const end = strstr(at, comma);
		const size_t all = end != NULL ? (size_t)(end - at) : strlen(at);
		const size_t len = number_len(at);
		if (n == PARTS || len == 0 || (len < all && at[len] != ' '))
			return 0;
		out[n].number = arena_strndup(a, at, len);
		out[n].rest = len < all ? arena_strndup(a, at + len + 1, all - len - 1) : "";
		at += all + (end != NULL ? sizeof comma - 1 : 0);
	}
	return n;
}

int canvas_big_value(struct canvas *c, struct arena *a, int row, int col, const char *value,
		     bool draw)
{
	struct part parts[PARTS];
	const size_t n = parts_of(a, value, parts);
	const int from = col;
	for (size_t k = 0; k < n; k++) {
		const int cols = canvas_big_cols(c, parts[k].number);
		const int rest = (int)text_width(parts[k].rest);
		if (cols == 0)
			return 0;
		col += k > 0 ? PART_GAP : 0;
		if (draw) {
			canvas_big(c, row, col, parts[k].number);
			canvas_text(c, row + BIG_ROWS - 1, col + cols + 1, rest, parts[k].rest,
				    *parts[k].rest == '(' ? ATTR_DIM : ATTR_BOLD);
		}
		col += cols + (rest > 0 ? rest + 1 : 0);
	}
	return col - from;
}
