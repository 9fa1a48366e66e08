/* help.c: what works here, made from the table of keys as the user has bound them: first what the
 * view is for, then the keys of the pane, those of the view, and those that work everywhere. Keys
 * that do the same share a line. */
#include <string.h>

#include "posviz/app/glossary.h"
#include "tui_in.h"

enum { KEY_COLS = 16, NARROW_COLS = 6, NARROW = 70, MAX_LINES = 600 };

struct help {
	const struct tui *t;
	struct arena *a;
	const struct binding *rows[MAX_LINES]; /* in force */
	size_t n_rows;
	const char *lines[MAX_LINES];
	bool bold[MAX_LINES];
	size_t n;
};

const char *help_key(const char *key, bool ascii)
{
	static const struct {
		const char *key, *sign, *plain;
	} signs[] = {{"Up", "↑", "Up"},	      {"Down", "↓", "Down"},   {"Left", "←", "Left"},
		     {"Right", "→", "Right"}, {"Enter", "⏎", "Enter"}, {"Space", "space", "space"}};
	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
		if (strcmp(signs[i].key, key) == 0)
			return ascii ? signs[i].plain : signs[i].sign;
	return key;
}

static void add(struct help *h, const char *line, bool bold)
{
	if (h->n == MAX_LINES)
		return;
	h->lines[h->n] = line;
	h->bold[h->n++] = bold;
}

static int key_cols(const struct help *h)
{
	return h->t->terminal.cols < NARROW ? NARROW_COLS : KEY_COLS;
}

static void add_pair(struct help *h, const char *keys, const char *note)
{
	const int pad = key_cols(h) - (int)text_width(keys);
	add(h, arena_printf(h->a, "%s%*s %s", keys, pad > 0 ? pad : 0, "", note), false);
}

/* A row that the user bound has no words of its own: the command says what it does. */
static const char *note_of(const struct binding *b)
{
	return b->note && *b->note ? b->note : b->command;
}

static bool says_same(const struct binding *a, const struct binding *b)
{
	return strcmp(a->context, b->context) == 0 && strcmp(note_of(a), note_of(b)) == 0;
}

/* A key that pane or view bind does not do here what it does elsewhere. */
static bool is_hidden(const struct help *h, size_t row)
{
	const struct binding *const b = h->rows[row];
	return *b->context == '\0' && tui_binding(h->t, b->key) != b;
}

/* Tells whether an earlier row of the same context says the same. */
static bool is_repeated(const struct help *h, size_t row)
{
	for (size_t i = 0; i < row; i++)
		if (says_same(h->rows[i], h->rows[row]) && !is_hidden(h, i))
			return true;
	return false;
}

static void add_row(struct help *h, size_t row)
{
	struct strbuf keys;
	strbuf_init(&keys, h->a);
	for (size_t i = row; i < h->n_rows; i++)
		if (says_same(h->rows[i], h->rows[row]) && !is_hidden(h, i))
			strbuf_printf(&keys, "%s%s", keys.len ? " " : "",
				      help_key(h->rows[i]->key, h->t->terminal.ascii));
	add_pair(h, keys.at, note_of(h->rows[row]));
}

static void add_context(struct help *h, const char *context, const char *heading)
{
	bool first = true;
	for (size_t i = 0; i < h->n_rows; i++) {
		if (strcmp(h->rows[i]->context, context) != 0 || is_hidden(h, i) ||
		    is_repeated(h, i))
			continue;
		if (first && h->n > 0)
			add(h, "", false);
		if (first)
			add(h, heading, true);
		first = false;
		add_row(h, i);
	}
}

static void add_view(struct help *h)
{
	const struct view *const v = view_find(h->t->drawn.view ? h->t->drawn.view : "");
	if (!v)
		return;
	add(h, arena_printf(h->a, "%s: %s", v->title, v->help), true);
}

static void add_mouse(struct help *h)
{
	if (!h->t->terminal.mouse)
		return;
	add(h, "", false);
	add(h, "The mouse", true);
	for (size_t i = 0; mouse_help[i]; i += 2)
		add_pair(h, mouse_help[i], mouse_help[i + 1]);
}

/* Adds the signs that a picture does not explain. */
static void add_signs(struct help *h)
{
	const bool ascii = h->t->terminal.ascii;
	add(h, "", false);
	add(h, "What is seen", true);
	add_pair(h, "[ ]", "the cell that the lines below speak of");
	add_pair(h, ascii ? "." : "·", "masked: the query may not see that key");
	add_pair(h, ascii ? "\\ /" : "╲ ╱", "of a difference: masked in one of the two alone");
	add_pair(h, "4", "for a word: its place, where the word stands twice or has no room");
	add_pair(h, ascii ? "~" : "…", "being computed, or there is no room for the rest");
	if (!ascii && !h->t->terminal.quadrants)
		add_pair(h, "⢀⡠⠊⠢⣀",
			 "a scheme's bias by distance, 0 in the middle: defaults, first sentence, "
			 "mean over heads");
}

static const char *pane_heading(const char *context)
{
	static const char *const headings[][2] = {{"matrix", "In a matrix"},
						  {"card", "In the card"},
						  {"schemes", "In the list"},
						  {"bars", "In the bars"},
						  {"table", "In the table"},
						  {"curves", "In the curves"},
						  {"links", "In the links"},
						  {"presenter", "In the presenter"},
						  {"permute", "Moving tokens"},
						  {"hang", "Hanging words elsewhere, moving edges"},
						  {"find", "Finding a scheme"},
						  {"line", "Typing a line"},
						  {"command", "Typing a command"},
						  {"box", "In a box over the figure"},
						  {"copy", "Copying, after y"},
						  {"search", "Looking for a text in a box"},
						  {"menu", "In a menu"},
						  {"filter", "Filtering the menu of views"},
						  {"quiz", "In a quiz"},
						  {"tour", "In a tour"},
						  {"tour-end", "At the end of a tour"},
						  {"tours", "In a list of tours or steps"}};
	for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
		if (strcmp(headings[i][0], context) == 0)
			return headings[i][1];
	return "Here";
}

static void say_key(struct tui *t, const char *key)
{
	const struct binding *const here = tui_binding(t, key), *b;
	struct strbuf elsewhere;
	if (here) {
		app_say(t->app, "%s: %s (%s)", key, note_of(here), here->command);
		return;
	}
	strbuf_init(&elsewhere, &t->frame);
	/* In another view; what it does while something else is going on is said there. */
	for (size_t i = 0; (b = keymap_row(t->app, i)) != NULL; i++)
		if (strcmp(b->key, key) == 0 && view_find(b->context))
			strbuf_printf(&elsewhere, "; in %s: %s", b->context, note_of(b));
	app_say(t->app, "%s does nothing here%s", key, elsewhere.at ? elsewhere.at : "");
}

void help_word(struct tui *t, const char *word)
{
	const struct help_topic *topics;
	size_t n, lines = 0;
	struct err err;
	if (!topics_find(t->app, word, &t->frame, &topics, &n, &err)) {
		tui_complain(t, &err);
		return;
	}
	if (n == 1 && topics->kind == HELP_KEY) {
		say_key(t, topics->title + strlen("key "));
		return;
	}
	for (size_t i = 0; i < n; i++)
		lines += topics[i].n + 2;
	box_open(t, "Help", BOX_PROSE, lines);
	for (size_t i = 0; i < n; i++) {
		if (i > 0)
			box_line(t, "", false);
		box_line(t, topics[i].title, true);
		for (size_t k = 0; k < topics[i].n; k++)
			box_line(t, topics[i].lines[k], false);
	}
}

/* The words that the program shows: all of the glossary. */
static void add_words(struct help *h)
{
	size_t n;
	const struct glossary_entry *const all = glossary_all(h->a, &n);
	const char *section = "";
	for (size_t i = 0; i < n; i++) {
		if (strcmp(section, all[i].section) != 0) {
			add(h, "", false);
			add(h, arena_printf(h->a, "Words: %s", all[i].section), true);
		}
		section = all[i].section;
		add_pair(h, all[i].names[0], all[i].text);
	}
}

void help_draw(struct tui *t, struct canvas *c)
{
	static const char *const typed[] = {"copy",   "line", "command", "box",
					    "search", "menu", "filter",	 "tours"};
	struct help *const h = arena_calloc(&t->frame, 1, sizeof *h);
	const char *const context = tui_context(t);
	h->t = t;
	h->a = &t->frame;
	for (const struct binding *b; h->n_rows < MAX_LINES; h->rows[h->n_rows++] = b)
		if ((b = keymap_row(t->app, h->n_rows)) == NULL)
			break;
	if (t->mode == MODE_LOOK)
		add_view(h);
	if (t->mode == MODE_LOOK && quizzing(t))
		add_context(h, "quiz", pane_heading("quiz"));
	if (t->mode == MODE_LOOK && tour_ends(t))
		add_context(h, "tour-end", pane_heading("tour-end"));
	if (t->mode == MODE_LOOK && touring(t))
		add_context(h, "tour", pane_heading("tour"));
	if (t->mode == MODE_LOOK && tui_presents(t))
		add_context(h, "presenter", pane_heading("presenter"));
	if (*context)
		add_context(h, context, pane_heading(context));
	if (t->mode == MODE_LOOK) {
		if (*tui_view_context(t) && strcmp(tui_view_context(t), context) != 0)
			add_context(h, tui_view_context(t), "In this view");
		add_context(h, "", "Everywhere");
		for (size_t i = 0; i < sizeof typed / sizeof *typed; i++)
			add_context(h, typed[i], pane_heading(typed[i]));
		add_mouse(h);
		add_signs(h);
		add_words(h);
	}
	if (h->t->terminal.ascii)
		for (size_t i = 0; i < h->n; i++)
			h->lines[i] = canvas_plain_text(h->a, h->lines[i]);
	const struct overlay_text text = {.title = "Keys",
					  .lines = h->lines,
					  .bold = h->bold,
					  .n = h->n,
					  .cols = BOX_PROSE,
					  .hang = (size_t)key_cols(h) + 1};
	draw_overlay(t, c, &text);
}
