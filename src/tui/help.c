/* help.c: what works here, made from the table of keys as the user has bound them. The first page has what the view is
 * for, the keys of the pane and of the view, those of the line of keys, and the topics; a topic is a page: the keys that
 * work everywhere by what one wants to do, then typing, the mouse, signs, and the words of the glossary. A text is looked
 * for in all pages at once. Keys that do the same share a line. */
#include <string.h>

#include "posviz/app/glossary.h"
#include "tui_in.h"

enum { KEY_COLS = 16, NARROW_COLS = 6, NARROW = 70, MAX_LINES = 600, MAX_PAGES = 40 };

struct help {
	struct tui *t;
	struct arena *a;
	const struct binding *rows[MAX_LINES]; /* in force */
	size_t n_rows;
	const char *lines[MAX_LINES];
	bool bold[MAX_LINES];
	size_t n;
	size_t n_now; /* keys of the first page */
};

/* A topic. `of` says which, where several pages are filled in one way. */
struct page {
	const char *title;
	void (*fill)(struct help *h, const struct page *p);
	const void *of;
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

/* A key that pane or view bind does not do here what it does elsewhere; others would be refused. */
static bool is_hidden(const struct help *h, size_t row)
{
	const struct binding *const b = h->rows[row];
	return (*b->context == '\0' && tui_binding(h->t, b->key) != b) || !footer_offers(h->t, b);
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

static void add_heading(struct help *h, const char *heading)
{
	if (h->n > 0)
		add(h, "", false);
	add(h, heading, true);
}

/* Adds the rows of a context; NULL for a heading: none. */
static void add_context(struct help *h, const char *context, const char *heading)
{
	bool first = heading != NULL;
	for (size_t i = 0; i < h->n_rows; i++) {
		if (strcmp(h->rows[i]->context, context) != 0 || is_hidden(h, i) ||
		    is_repeated(h, i))
			continue;
		if (first)
			add_heading(h, heading);
		first = false;
		add_row(h, i);
	}
}

/* Returns whether a row that works everywhere stands in the line of keys, where there is room. */
static bool is_now(struct help *h, size_t row)
{
	const struct binding *const b = h->rows[row];
	return *b->context == '\0' && !is_hidden(h, row) && b->footer && footer_word(h->t, b);
}

/* Adds the rows that work everywhere and that are wanted. */
static void add_general(struct help *h, const char *heading,
			bool (*wanted)(struct help *h, size_t row, const void *of), const void *of)
{
	add_heading(h, heading);
	for (size_t i = 0; i < h->n_rows; i++)
		if (*h->rows[i]->context == '\0' && !is_hidden(h, i) && !is_repeated(h, i) &&
		    wanted(h, i, of))
			add_row(h, i);
}

static void add_view(struct help *h)
{
	const struct view *const v = view_find(h->t->drawn.view ? h->t->drawn.view : "");
	if (!v)
		return;
	add(h, arena_printf(h->a, "%s: %s", v->title, v->help), true);
}

static void fill_mouse(struct help *h, const struct page *p)
{
	add_heading(h, p->title);
	for (size_t i = 0; mouse_help[i]; i += 2)
		add_pair(h, mouse_help[i], mouse_help[i + 1]);
}

/* Adds the signs that a picture does not explain. */
static void fill_signs(struct help *h, const struct page *p)
{
	const bool ascii = h->t->terminal.ascii;
	add_heading(h, p->title);
	add_pair(h, "[ ]", "the cell that the lines below speak of");
	add_pair(h, ascii ? "." : "·", "masked: the query may not see that key");
	add_pair(h, ascii ? "\\ /" : "╲ ╱", "of a difference: masked in one of the two alone");
	add_pair(h, "4", "for a word: its position, where the word stands twice or has no room");
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
						  {"tour-question", "At a question of a tour"},
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

/* ---- pages ----------------------------------------------------------------------------------- */

/* Adds the words of a section of the glossary. */
static void fill_words(struct help *h, const struct page *p)
{
	size_t n;
	const struct glossary_entry *const all = glossary_all(h->a, &n);
	add_heading(h, p->title);
	for (size_t i = 0; i < n; i++)
		if (strcmp(all[i].section, p->of) == 0)
			add_pair(h, all[i].names[0], all[i].text);
}

/* Returns whether a row is of a topic; of NULL those that are of none. */
static bool is_of_topic(struct help *h, size_t row, const void *of)
{
	return key_topic_of(h->rows[row]->command) == of;
}

static void fill_topic(struct help *h, const struct page *p)
{
	add_general(h, p->title, is_of_topic, p->of);
}

static void fill_typing(struct help *h, const struct page *p)
{
	static const char *const typed[] = {"copy",   "line", "command", "box",
					    "search", "menu", "filter",	 "tours"};
	(void)p;
	for (size_t i = 0; i < sizeof typed / sizeof *typed; i++)
		add_context(h, typed[i], pane_heading(typed[i]));
}

/* With those of the pane and the view no more than these, of which the first matter most. */
static bool is_wanted_now(struct help *h, size_t row, const void *of)
{
	enum { DOZEN = 12 };
	(void)of;
	return is_now(h, row) && h->n_now++ < DOZEN;
}

static void fill_now(struct help *h, const struct page *p)
{
	const char *const context = tui_context(h->t), *const view = tui_view_context(h->t);
	(void)p;
	add_view(h);
	if (quizzing(h->t))
		add_context(h, "quiz", pane_heading("quiz"));
	if (tour_has_options(h->t))
		add_context(h, "tour-question", pane_heading("tour-question"));
	if (tour_ends(h->t))
		add_context(h, "tour-end", pane_heading("tour-end"));
	if (touring(h->t))
		add_context(h, "tour", pane_heading("tour"));
	if (tui_presents(h->t))
		add_context(h, "presenter", pane_heading("presenter"));
	if (*context)
		add_context(h, context, pane_heading(context));
	if (*view && strcmp(view, context) != 0)
		add_context(h, view, "In this view");
	for (size_t i = 0; i < h->n; i++) /* headings and blank lines are none */
		h->n_now += !h->bold[i] && h->lines[i][0] != '\0';
	add_general(h, "Everywhere", is_wanted_now, NULL);
}

static bool has_rest(struct help *h)
{
	for (size_t i = 0; i < h->n_rows; i++)
		if (*h->rows[i]->context == '\0' && !key_topic_of(h->rows[i]->command))
			return true;
	return false;
}

/* Returns how many pages there are: out[MAX_PAGES]. */
static size_t make_pages(struct help *h, struct page *out)
{
	size_t n = 0, words;
	const struct glossary_entry *const all = glossary_all(h->a, &words);
	out[n++] = (struct page){"Now", fill_now, NULL};
	for (const struct key_topic *k = key_topics; k->title; k++)
		out[n++] = (struct page){k->title, fill_topic, k};
	if (has_rest(h))
		out[n++] = (struct page){"Keys of your own", fill_topic, NULL};
	out[n++] = (struct page){"Type, choose, read on", fill_typing, NULL};
	if (h->t->terminal.mouse)
		out[n++] = (struct page){"The mouse", fill_mouse, NULL};
	out[n++] = (struct page){"What is seen", fill_signs, NULL};
	for (size_t i = 0; i < words && n < MAX_PAGES; i++)
		if (i == 0 || strcmp(all[i].section, all[i - 1].section) != 0)
			out[n++] = (struct page){arena_printf(h->a, "Words: %s", all[i].section),
						 fill_words, all[i].section};
	return n;
}

/* Adds one paragraph, so that the keys above it stay in sight on a low screen. */
static void add_topics(struct help *h, const struct page *pages, size_t n)
{
	const char *const dot = h->t->terminal.ascii ? ";" : " ·";
	struct strbuf all;
	strbuf_init(&all, h->a);
	for (size_t i = 1; i < n && pages[i].fill != fill_words; i++) {
		if (i < TOPICS_NUMBERED)
			strbuf_printf(&all, "%zu %s%s ", i + 1, pages[i].title, dot);
		else
			strbuf_printf(&all, "%s%s ", pages[i].title, dot);
	}
	strbuf_add(&all, "Words");
	add_heading(h, "Topics: their numbers, Tab for the next; / looks in all of them");
	add(h, all.at, false);
}

/* Fills in a page, or while a text is looked for all of them; returns the title of the box. */
static const char *fill(struct help *h)
{
	struct tui *const t = h->t;
	struct page pages[MAX_PAGES];
	const size_t n = make_pages(h, pages);
	if (t->search.typing || t->search.text[0]) {
		for (size_t i = 0; i < n; i++)
			pages[i].fill(h, &pages[i]);
		return "Keys and words";
	}
	t->help_page = t->help_page < n ? t->help_page : n - 1;
	pages[t->help_page].fill(h, &pages[t->help_page]);
	if (t->help_page == 0)
		add_topics(h, pages, n);
	return t->help_page == 0
		       ? "Keys"
		       : arena_printf(h->a, "Keys: topic %zu of %zu", t->help_page + 1, n);
}

void help_topic(struct tui *t)
{
	const char *const which = t->app->request_text ? t->app->request_text : "";
	if (t->overlay != OVERLAY_HELP || t->mode != MODE_LOOK) {
		app_say(t->app, "topics are of the help, which ? opens");
		return;
	}
	if (strcmp(which, "next") == 0)
		t->help_page++;
	else if (strcmp(which, "prev") == 0)
		t->help_page -= t->help_page > 0;
	else
		t->help_page = (size_t)(*which - '1');
	t->scroll = 0;
}

void help_draw(struct tui *t, struct canvas *c)
{
	struct help *const h = arena_calloc(&t->frame, 1, sizeof *h);
	const char *title = "Keys";
	h->t = t;
	h->a = &t->frame;
	for (const struct binding *b; h->n_rows < MAX_LINES; h->rows[h->n_rows++] = b)
		if ((b = keymap_row(t->app, h->n_rows)) == NULL)
			break;
	if (t->mode == MODE_LOOK)
		title = fill(h);
	else
		add_context(h, tui_context(t), pane_heading(tui_context(t)));
	if (h->t->terminal.ascii)
		for (size_t i = 0; i < h->n; i++)
			h->lines[i] = canvas_plain_text(h->a, h->lines[i]);
	const struct overlay_text text = {.title = title,
					  .lines = h->lines,
					  .bold = h->bold,
					  .n = h->n,
					  .cols = BOX_PROSE,
					  .hang = (size_t)key_cols(h) + 1};
	draw_overlay(t, c, &text);
}
