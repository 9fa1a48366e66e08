/* canvas_strokes.c: see canvas_strokes.h. Heavy strokes are bold and in the accent colour; in ASCII
 * their signs differ too. */
#include "plot/canvas_strokes.h"

#include "posviz/base/text.h"

enum { UP, RIGHT, DOWN, LEFT };

struct strokes strokes_new(struct canvas *c, struct arena *a, struct rect r)
{
	const size_t n = r.rows > 0 && r.cols > 0 ? (size_t)r.rows * (size_t)r.cols : 0;
	return (struct strokes){c, r, arena_calloc(a, n + 1, sizeof(uint8_t))};
}

static void stroke(const struct strokes *s, int row, int col, int way, bool heavy)
{
	const int y = row - s->r.row, x = col - s->r.col;
	if (y < 0 || y >= s->r.rows || x < 0 || x >= s->r.cols)
		return;
	uint8_t *const at = &s->at[y * s->r.cols + x];
	const unsigned was = *at >> (2 * way) & 3u, is = heavy ? 2 : 1;
	if (is > was)
		*at = (uint8_t)((*at & ~(3u << (2 * way))) | is << (2 * way));
}

void strokes_level(const struct strokes *s, int row, int from, int to, bool heavy)
{
	const int lo = from < to ? from : to, hi = from < to ? to : from;
	for (int col = lo; col <= hi; col++) {
		if (col > lo)
			stroke(s, row, col, LEFT, heavy);
		if (col < hi)
			stroke(s, row, col, RIGHT, heavy);
	}
}

void strokes_upright(const struct strokes *s, int col, int from, int to, bool heavy)
{
	const int lo = from < to ? from : to, hi = from < to ? to : from;
	for (int row = lo; row <= hi; row++) {
		if (row > lo)
			stroke(s, row, col, UP, heavy);
		if (row < hi)
			stroke(s, row, col, DOWN, heavy);
	}
}

/* Signs from U+250C to U+254B by their strokes up, right, down, left: 0 none, 1 light, 2 heavy. */
static const char corners[][5] = {
	"0110", "0210", "0120", "0220", "0011", "0012", "0021", "0022", "1100", "1200", "2100",
	"2200", "1001", "1002", "2001", "2002", "1110", "1210", "2110", "1120", "2120", "2210",
	"1220", "2220", "1011", "1012", "2011", "1021", "2021", "2012", "1022", "2022", "0111",
	"0112", "0211", "0212", "0121", "0122", "0221", "0222", "1101", "1102", "1201", "1202",
	"2101", "2102", "2201", "2202", "1111", "1112", "1211", "1212", "2111", "1121", "2121",
	"2112", "2211", "1122", "1221", "2212", "1222", "2122", "2221", "2222"};
/* The signs from U+2574 to U+257F, and the four straight ones. */
static const char ends[][5] = {"0001", "1000", "0100", "0010", "0002", "2000",
			       "0200", "0020", "0201", "1020", "0102", "2010"};
static const char straight[][5] = {"0101", "0202", "1010", "2020"};

static bool is_sign(const char *sign, unsigned at)
{
	for (int way = 0; way < 4; way++)
		if ((unsigned)(sign[way] - '0') != (at >> (2 * way) & 3u))
			return false;
	return true;
}

static uint32_t sign_of(unsigned at)
{
	for (uint32_t i = 0; i < sizeof straight / sizeof *straight; i++)
		if (is_sign(straight[i], at))
			return 0x2500 + i;
	for (uint32_t i = 0; i < sizeof corners / sizeof *corners; i++)
		if (is_sign(corners[i], at))
			return 0x250c + i;
	for (uint32_t i = 0; i < sizeof ends / sizeof *ends; i++)
		if (is_sign(ends[i], at))
			return 0x2574 + i;
	BUG("strokes without a sign");
}

static char ascii_of(unsigned at, bool heavy)
{
	const unsigned upright = at & 0x33u, level = at & 0xccu;
	if (upright == 0)
		return heavy ? '=' : '-';
	if (level == 0)
		return heavy ? '#' : '|';
	return heavy ? '#' : '+';
}

void strokes_draw(const struct strokes *s)
{
	for (int y = 0; y < s->r.rows; y++)
		for (int x = 0; x < s->r.cols; x++) {
			const unsigned at = s->at[y * s->r.cols + x];
			if (at == 0)
				continue;
			const bool heavy = at & 0xaau;
			char sign[8] = {ascii_of(at, heavy)};
			if (!s->c->ascii)
				sign[text_encode(sign, sign_of(at))] = '\0';
			canvas_put(s->c, s->r.row + y, s->r.col + x, sign,
				   heavy ? ATTR_BOLD | ATTR_ACCENT : ATTR_DIM, CELL_DEFAULT,
				   CELL_DEFAULT);
		}
}
