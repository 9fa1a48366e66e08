/* footer.c: the keys that work here, made from the table of keys; each is a button of the mouse. */
#include <string.h>

#include "tui_in.h"

enum { MAX_HINTS = 32, MAX_KEYS = 4 };

/* Neighbours of the same word share it: ",." head. */
struct hint {
	const char *keys[MAX_KEYS], *commands[MAX_KEYS];
	size_t n;
	const char *word;
};

static void add_hint(const struct tui *t, struct hint *hints, size_t *n, const struct binding *b,
		     const char *word, const struct binding **last)
{
	const char *const key = help_key(b->key, t->terminal.ascii);
	const bool shared = *n > 0 && *last + 1 == b && (*last)->footer &&
			    strcmp((*last)->footer, b->footer) == 0;
	struct hint *const h =
		shared ? &hints[*n - 1] : &hints[*n < MAX_HINTS ? *n : MAX_HINTS - 1];
	if (!shared && *n < MAX_HINTS) {
		*h = (struct hint){.word = word};
		(*n)++;
	}
	if (h->n < MAX_KEYS) {
		h->keys[h->n] = key;
		h->commands[h->n++] = b->command;
	}
	*last = b;
}

/* Returns whether a matrix on this screen shows means over blocks, or single cells because the user chose these. */
static bool shows_blocks(const struct tui *t)
{
	bool any = t->app->scene.grid == GRID_CELLS;
	for (size_t i = 0; i < t->n_zones; i++)
		any |= t->zones[i].view.averaged;
	return any;
}

bool footer_offers(struct tui *t, const struct binding *b)
{
	if (strcmp(b->command, "causal") == 0)
		return app_turns_causal(t->app, &t->frame);
	if (strcmp(b->command, "unpin") == 0) /* there are none to take away */
		return strcmp(t->app->scene.setup.compare, "none") != 0;
	if (strcmp(b->command, "grid next") == 0)
		return shows_blocks(t);
	return strcmp(b->command, "hang-root") != 0 || !hang_moves_edges(t);
}

const char *footer_word(struct tui *t, const struct binding *b)
{
	if (b->footer && strcmp(b->footer, "param") == 0)
		return app_param_text(t->app, &t->frame);
	return strcmp(b->command, "rehang") == 0 ? hang_word(t) : b->footer;
}

/* The rows of one context that have a word for the footer; of "" help alone, or the others as far as pane and
 * view make nothing else of their keys. */
enum which { ALL, HELP, OTHERS };

static size_t collect_context(struct tui *t, struct hint *hints, size_t n, const char *context,
			      enum which which)
{
	const struct binding *b, *last = NULL;
	for (size_t i = 0; (b = keymap_row(t->app, i)) != NULL; i++) {
		const bool help = strcmp(b->command, "help") == 0;
		if (!b->footer || strcmp(b->context, context) != 0 || (which == HELP && !help) ||
		    (which == OTHERS && (help || tui_binding(t, b->key) != b)))
			continue;
		const char *const word = footer_offers(t, b) ? footer_word(t, b) : NULL;
		if (word)
			add_hint(t, hints, &n, b, word, &last);
	}
	return n;
}

static bool leads_out(const char *command)
{
	return strcmp(command, "quit") == 0 || strcmp(command, "presenter off") == 0;
}

/* How to leave stands last and stays, whatever keys the user has added behind it. */
static void leave_last(struct hint *hints, size_t n)
{
	for (size_t i = 0; i + 1 < n; i++) {
		if (!leads_out(hints[i].commands[0]))
			continue;
		const struct hint quit = hints[i];
		memmove(hints + i, hints + i + 1, (n - i - 1) * sizeof *hints);
		hints[n - 1] = quit;
		return;
	}
}

/* The keys of the pane and of the view, after the first of the general ones; a mode has only its
 * own. */
static size_t collect(struct tui *t, struct hint *hints)
{
	const char *const context = tui_context(t);
	size_t n = 0;
	if (t->overlay != OVERLAY_NONE)
		return collect_context(t, hints, 0, tui_context_of_keys(t), ALL);
	if (t->mode != MODE_LOOK)
		return collect_context(t, hints, 0, context, ALL);
	if (tui_presents(t)) /* the picture has the rows of all other keys */
		n = collect_context(t, hints, n, "presenter", ALL);
	if (tui_presents(t) && !touring(t))
		return n;
	n = collect_context(t, hints, n, "", HELP);
	if (quizzing(t))
		n = collect_context(t, hints, n, "quiz", ALL);
	if (tour_ends(t))
		n = collect_context(t, hints, n, "tour-end", ALL);
	if (touring(t))
		n = collect_context(t, hints, n, "tour", quizzing(t) ? OTHERS : ALL);
	/* A card without parameters has no use for its keys. */
	if (*context && (strcmp(context, "card") != 0 || app_param_text(t->app, &t->frame)))
		n = collect_context(t, hints, n, context, OTHERS);
	if (*tui_view_context(t) && strcmp(tui_view_context(t), context) != 0)
		n = collect_context(t, hints, n, tui_view_context(t), OTHERS);
	n = collect_context(t, hints, n, "", OTHERS);
	leave_last(hints, n);
	return n;
}

/* Between keys of one word: none where each is one sign. */
static int key_gap(const struct hint *h, size_t i)
{
	return i > 0 && (text_width(h->keys[i - 1]) > 1 || text_width(h->keys[i]) > 1);
}

static int hint_cols(const struct hint *h)
{
	int cols = 1 + (int)text_width(h->word) + 2;
	for (size_t i = 0; i < h->n; i++)
		cols += key_gap(h, i) + (int)text_width(h->keys[i]);
	return cols;
}

/* Each key is a button; the word belongs to the last of them. */
static void draw_hint(struct line *l, const struct hint *h, int gap)
{
	for (size_t i = 0; i < h->n; i++) {
		gap = i > 0 ? key_gap(h, i) : gap;
		const int from = l->col + gap;
		line_item(l, gap, h->keys[i], ATTR_ACCENT | ATTR_BOLD);
		if (i + 1 == h->n)
			line_item(l, 1, h->word, 0);
		zone_add(l->t, ZONE_RUN, line_since(l, from))->command = h->commands[i];
	}
}

/* A hint is never cut within a word: of a parameter that is too long its name alone is left. */
static const char *fitting_word(struct tui *t, const struct canvas *c, const char *word)
{
	const size_t most = c->cols >= 100 ? 24 : 11;
	if (text_width(word) <= most)
		return word;
	const char *const name = arena_strndup(&t->frame, word, strcspn(word, " "));
	return text_width(name) <= most ? name : "more, less";
}

/* Every hint as it is written here; *width gets their columns. */
static size_t fitting(struct tui *t, const struct canvas *c, struct hint *hints, int *width)
{
	const size_t n = collect(t, hints);
	*width = -2;
	for (size_t i = 0; i < n; i++) {
		hints[i].word = fitting_word(t, c, hints[i].word);
		*width += hint_cols(&hints[i]);
	}
	return n;
}

int footer_cols(struct tui *t, const struct canvas *c)
{
	struct hint hints[MAX_HINTS];
	int width;
	fitting(t, c, hints, &width);
	return width;
}

void footer_draw(struct tui *t, struct canvas *c, int row, int right)
{
	footer_draw_at(t, c, row, 1, right);
}

void footer_draw_at(struct tui *t, struct canvas *c, int row, int col, int right)
{
	struct hint hints[MAX_HINTS];
	struct line l = {t, c, &t->frame, row, col, right};
	int width;
	size_t n = fitting(t, c, hints, &width);
	/* The last one says how to leave and stays. */
	while (n > 1 && width > l.right - l.col) {
		width -= hint_cols(&hints[n - 2]);
		hints[n - 2] = hints[n - 1];
		n--;
	}
	for (size_t i = 0; i < n; i++)
		draw_hint(&l, &hints[i], i ? 2 : 0);
}
