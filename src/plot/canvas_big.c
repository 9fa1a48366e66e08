/* canvas_big.c: letters for the back row, three rows high, of half blocks: six points by four, less or
 * more where a letter is slim or wide. */
#include <ctype.h>
#include <string.h>

#include "plot/canvas_in.h"

enum { HIGH = 2 * BIG_ROWS };

/* The points of each, row by row. */
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

/* That of the sign at `text`, and its bytes; NULL: there is none. */
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
