/* test_depths.c: each view on screens of every size and depth of colours: a depth changes colours and signs
 * and not the words, panels keep their frames and go by their priority, and little room is empty. That
 * words lie apart, are whole, and can be read is test_frames.c's. */
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_canvas.h"
#include "help_frame.h"
#include "help_view.h"

FIXTURE(open_arena, close_arena)

static const char *const schemes[] = {"rope+causal", "spr_rel", "t5", "deberta"};
enum { SCHEMES = sizeof schemes / sizeof *schemes, ASCII = TIER_COUNT };

/* One screen: its cells, and the panels that it shows; one that it does not has no rows. */
struct screen {
	const struct canvas *c;
	const struct figure *figure;
	const char *name;
	struct rect at[FIGURE_PANELS];
};

/* The depth ASCII is that of no colours, without blocks and lines. */
static struct screen screen_of(struct tui *t, int cols, int rows, int depth)
{
	const bool ascii = depth == ASCII;
	const struct help_look look = {cols, rows, ascii ? TIER_MONO : (enum tier)depth, ascii};
	struct screen s = {.c = help_frame(t, look), .figure = &t->picture->picture.figure};
	s.name = help_frame_name(&t->frame, t, look);
	for (size_t i = 0; i < t->n_zones; i++)
		if (t->zones[i].kind == ZONE_PANE && t->zones[i].index < s.figure->n)
			s.at[t->zones[i].index] = t->zones[i].at;
	return s;
}

struct gauge {
	int first, last; /* depths */
	void (*open)(struct tui *t);
	void (*check)(const struct screen *s, size_t size);
};

/* The screens of every view of a scheme. */
static void gauge_views(const char *scheme, const struct gauge *m)
{
	for (size_t v = 0; views[v]; v++) {
		struct tui *const t = help_tui(&arena, scheme, help_view(&arena, views[v]->name),
					       BACKGROUND_DARK);
		if (m->open)
			m->open(t);
		for (size_t k = 0; k < HELP_SCREENS; k++)
			for (int depth = m->first; depth <= m->last; depth++) {
				const int *const size = help_screens[k];
				const struct screen s = screen_of(t, size[0], size[1], depth);
				m->check(&s, k);
			}
		help_tui_done(t);
		arena_clear(&arena);
	}
}

/* ---- words ----------------------------------------------------------------------------------- */

enum { WORD = 3 }; /* letters; fewer are symbols and abbreviations */

static size_t letters(const char *at)
{
	size_t n = 0;
	while ((at[n] >= 'a' && at[n] <= 'z') || (at[n] >= 'A' && at[n] <= 'Z'))
		n++;
	return n;
}

/* Letters that are a ladder of amounts, "dcba", or a row of marks, "qqqk". */
static bool is_signs(const char *word, size_t n)
{
	size_t falling = 0, marks = 0;
	for (size_t i = 0; i < n; i++) {
		falling += word[i] <= 'i' && (i == 0 || word[i] < word[i - 1]);
		marks += word[i] == 'q' || word[i] == 'k';
	}
	return falling == n || marks == n;
}

/* Adds the words of a line that are not there yet, each with a blank behind it. A sign on either side says
 * that one is cut. */
static void add_words(struct strbuf *b, const char *line)
{
	bool begun = true;
	char word[64] = " ";
	for (const char *at = line; *at;) {
		const size_t n = letters(at);
		const char *const end = at + n, *const next = end + strspn(end, " ");
		const bool ended = *next != '~' && *next != '.' && strncmp(next, "…", 3) != 0;
		if (n >= WORD && n < sizeof word - 2 && begun && ended && !is_signs(at, n)) {
			snprintf(word + 1, sizeof word - 1, "%.*s ", (int)n, at);
			if (!strstr(b->at, word))
				strbuf_add(b, word + 1);
		}
		begun = n > 0 || (*at != '~' && *at != '\xa6'); /* … ends in it */
		at += n > 0 ? n : 1;
	}
}

static void add_screen(struct strbuf *b, const struct canvas *c)
{
	for (int row = 0; row < c->rows; row++) {
		const char *const line = help_between(c, row, 0, c->cols);
		add_words(b, line);
		if (!c->ascii)
			add_words(b, canvas_plain_text(&arena, line));
	}
}

static const char *said;

/* All words of a scene in full colour, on small and large screens. */
static void listen(struct tui *t)
{
	static const int others[][2] = {{40, 9},   {60, 14},  {120, 12}, {80, 50},
					{200, 24}, {300, 90}, {400, 120}};
	enum { OTHERS = sizeof others / sizeof *others };
	struct strbuf b;
	strbuf_init(&b, &arena);
	strbuf_add_char(&b, ' ');
	for (size_t i = 0; i < HELP_SCREENS + OTHERS; i++) {
		const int *const size = i < OTHERS ? others[i] : help_screens[i - OTHERS];
		add_screen(&b, screen_of(t, size[0], size[1], TIER_DIRECT).c);
	}
	said = b.at;
}

static void assert_said(const struct screen *s, size_t size)
{
	/* How ASCII spells signs: ⏎ ← → ↓ α δ Σ ∂spr. */
	static const char spelled[] = " Enter Left Right Down down across alpha delta sum dspr ";
	static const char reading[] = " most below "; /* how cells without colours are read */
	static const char offered[] =
		" cells means "; /* where a matrix has too few cells, which depths decide */
	struct strbuf b;
	(void)size;
	strbuf_init(&b, &arena);
	strbuf_add_char(&b, ' ');
	add_screen(&b, s->c);
	for (const char *at = b.at; at[1]; at += 1 + strcspn(at + 1, " ")) {
		const char *const word = arena_strndup(&arena, at, strcspn(at + 1, " ") + 2);
		const bool coloured = !s->c->ascii && s->c->tier != TIER_MONO;
		/* Which scheme a mark of the map is called by depends on the room. */
		const char *const id = arena_strndup(&arena, word + 1, strlen(word) - 2);
		/* Small cells of maps without colours are digits, and letters below 0. */
		if (!coloured && strspn(id, "0123456789abcdefghij") == strlen(id))
			continue;
		if (strstr(s->name, "map of ") == s->name && scheme_find(id, strlen(id), NULL))
			continue;
		if (!strstr(said, word) && !strstr(offered, word) &&
		    !(s->c->ascii && strstr(spelled, word)) && (coloured || !strstr(reading, word)))
			fail_msg("%s: \"%s\" is said in no size of full colour:\n%s", s->name, word,
				 help_screen(s->c));
	}
}

TEST_SAMPLED(a_depth_changes_no_words, 1, SCHEMES)
{
	gauge_views(schemes[test_part], &(struct gauge){TIER_MONO, ASCII, listen, assert_said});
}

/* ---- panels ---------------------------------------------------------------------------------- */

/* Nothing is written over the sides of a panel that has a frame. */
static void assert_framed(const struct screen *s, size_t size)
{
	const char *const corner = s->c->ascii ? "+" : "┌";
	(void)size;
	for (size_t i = 0; i < s->figure->n; i++) {
		const struct rect r = s->at[i];
		if (r.rows < 2 || strcmp(help_at(s->c, r.row, r.col)->at, corner) != 0)
			continue;
		for (int k = 0; k < 2 * r.rows; k++) {
			const int row = r.row + k / 2, col = r.col + k % 2 * (r.cols - 1);
			const char *const at = help_at(s->c, row, col)->at;
			const bool end = k < 2 || k >= 2 * r.rows - 2;
			if (!strstr(s->c->ascii ? (end ? "+" : "|") : (end ? "┌┐└┘" : "│"), at))
				fail_msg("%s: \"%s\" at %d, %d of panel %zu:\n%s", s->name, at,
					 k / 2, col, i, help_screen(s->c));
		}
	}
}

/* Cards are left out: they shrink to a line that has room where nothing else has. */
static bool has_rank(const struct panel *p)
{
	return p->kind != PANEL_CARD && !p->operand.implied;
}

/* Where one that matters more has no room, and a smaller one that matters less has. */
static const struct {
	const char *view;
	size_t size;
} squeezed[] = {{"terms", 4}, {"vectors", 0}, {"split", 4},   {"lengths", 4},
		{"cost", 4},  {"rank", 3},    {"metrics", 3}, {"metrics", 4}};

/* In full colour; with fewer a map needs more room. */
static void assert_ranked(const struct screen *s, size_t size)
{
	const struct figure *const f = s->figure;
	size_t gone = SIZE_MAX, least = 0, seen = 0;
	for (size_t i = 0; i < f->n; i++) {
		const struct panel *const p = &f->panels[i];
		seen += s->at[i].rows > 0;
		if (has_rank(p) && s->at[i].rows > 0 && p->priority > least)
			least = p->priority;
		if (has_rank(p) && s->at[i].rows == 0 && p->priority < gone)
			gone = p->priority;
	}
	for (size_t i = 0; i < sizeof squeezed / sizeof *squeezed; i++)
		if (squeezed[i].size == size && strstr(s->name, squeezed[i].view) == s->name)
			return;
	if (seen == 0 || gone < least)
		fail_msg("%s: shows %zu of %zu panels, one of priority %zu and none of %zu:\n%s",
			 s->name, seen, f->n, least, gone, help_screen(s->c));
}

static bool reads_before(int row, int col, int other_row, int other_col)
{
	return row < other_row || (row == other_row && col < other_col);
}

/* Matrices are read in the order in which they stand on a page, along its rows; other panels may be dealt out
 * down its columns. */
static void assert_ordered(const struct screen *s, size_t size)
{
	const struct panel *const p = s->figure->panels;
	(void)size;
	for (size_t i = 0; i < s->figure->n; i++)
		for (size_t k = 0; k < s->figure->n; k++) {
			const struct rect a = s->at[i], b = s->at[k];
			const bool map = p[i].kind == PANEL_HEATMAP;
			if (a.rows > 0 && b.rows > 0 && p[i].kind == p[k].kind &&
			    reads_before(p[i].row, p[i].col, p[k].row, p[k].col) &&
			    (map || reads_before(p[i].col, p[i].row, p[k].col, p[k].row)) &&
			    !reads_before(a.row, a.col, b.row, b.col))
				fail_msg("%s: \"%s\" stands behind \"%s\":\n%s", s->name,
					 p[i].title, p[k].title, help_screen(s->c));
		}
}

TEST_SAMPLED(panels_keep_their_order, 1, SCHEMES)
{
	gauge_views(schemes[test_part], &(struct gauge){TIER_MONO, ASCII, NULL, assert_ordered});
}

TEST_SAMPLED(panels_keep_their_frames, 1, SCHEMES)
{
	gauge_views(schemes[test_part], &(struct gauge){TIER_MONO, ASCII, NULL, assert_framed});
}

TEST_SAMPLED(panels_go_by_their_priority, 2, SCHEMES)
{
	gauge_views(schemes[test_part],
		    &(struct gauge){TIER_DIRECT, TIER_DIRECT, NULL, assert_ranked});
}

/* ---- room ------------------------------------------------------------------------------------ */

static bool is_empty(const struct cell *k)
{
	return k->width == 1 && (k->at[0] == ' ' || k->at[0] == '\0') && k->bg == CELL_DEFAULT &&
	       !(k->attrs & (ATTR_REVERSE | ATTR_UNDERLINE));
}

/* The cells of the largest empty rectangle in `r`. */
static int largest_empty(const struct canvas *c, struct rect r)
{
	int *const above = arena_calloc(&arena, (size_t)c->cols + 1, sizeof *above), most = 0;
	for (int row = r.row; row < r.row + r.rows; row++) {
		for (int col = r.col; col < r.col + r.cols; col++)
			above[col] = is_empty(help_at(c, row, col)) ? above[col] + 1 : 0;
		for (int col = r.col; col < r.col + r.cols; col++)
			for (int end = col, low = above[col]; end < r.col + r.cols && low > 0;
			     end++) {
				low = above[end] < low ? above[end] : low;
				most = low * (end - col + 1) > most ? low * (end - col + 1) : most;
			}
	}
	return most;
}

/* Of all cells of a screen the panels have most, but for the signs between those of an equation and its line of names,
 * and no empty place in one has more than these parts. */
static void assert_used(const struct screen *s, size_t size)
{
	static const double most[HELP_SCREENS] = {0.29, 0.24, 0.42, 0.27, 0.33};
	const double all = s->c->rows * s->c->cols;
	double area = 0;
	int empty = 0;
	bool equation = false;
	for (size_t i = 0; i < s->figure->n; i++) {
		const struct panel *const p = &s->figure->panels[i];
		if (p->absent)
			return; /* a sentence says why there is nothing */
		const int here = largest_empty(s->c, s->at[i]);
		empty = here > empty ? here : empty;
		area += s->at[i].rows * s->at[i].cols;
		equation = equation || p->operand.sign != SIGN_NONE;
	}
	if (area < (equation ? 0.28 : 0.65) * all || empty > most[size] * all)
		fail_msg("%s: panels have %.0f %%, %.1f %% is one empty place:\n%s", s->name,
			 100 * area / all, 100 * empty / all, help_screen(s->c));
}

TEST_SAMPLED(little_room_is_empty, 2, SCHEMES)
{
	gauge_views(schemes[test_part],
		    &(struct gauge){TIER_DIRECT, TIER_DIRECT, NULL, assert_used});
}

/* ---- sentences ------------------------------------------------------------------------------- */

static bool has_sign(const char *text)
{
	return text && strstr(text, "…");
}

/* Tells if a text of the card itself has the sign. */
static bool says_sign(const struct card *c)
{
	bool any = has_sign(c->about);
	for (size_t i = 0; i < c->n; i++)
		any |= has_sign(c->lines[i].key) || has_sign(c->lines[i].value) ||
		       has_sign(c->lines[i].note);
	return any;
}

/* A card shows whole lines, and the sentence above the panels ends where it ends. */
static void assert_whole(const struct screen *s, size_t size)
{
	enum { WIDE = 80, BOXED = 7 };
	const struct figure *const f = s->figure;
	int first = s->c->rows;
	(void)size;
	for (size_t i = 0; i < f->n; i++) {
		const struct rect r = s->at[i];
		const struct panel *const p = &f->panels[i];
		first = r.rows > 0 && r.row < first ? r.row : first;
		const int box = r.rows >= BOXED;
		for (int row = r.row + box; row < r.row + r.rows - box; row++)
			if (p->kind == PANEL_CARD && !p->absent && s->c->cols >= WIDE &&
			    !says_sign(&p->card) &&
			    has_sign(help_between(s->c, row, r.col, r.col + r.cols)))
				fail_msg("%s: a card is cut:\n%s", s->name, help_screen(s->c));
	}
	for (int row = 1; row < first && f->finding && !has_sign(f->finding) && s->c->cols >= WIDE;
	     row++)
		if (has_sign(help_between(s->c, row, 0, s->c->cols)))
			fail_msg("%s: the sentence is cut:\n%s", s->name, help_screen(s->c));
}

TEST_SAMPLED(what_is_said_is_said_whole, 2, SCHEMES)
{
	gauge_views(schemes[test_part],
		    &(struct gauge){TIER_DIRECT, TIER_DIRECT, NULL, assert_whole});
}
