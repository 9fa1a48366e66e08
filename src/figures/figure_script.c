/* figure_script.c: a figure of a source read from its script, in the language of tours with words of its own.
 *
 * Lines of a scene are fields as a tour sets them: the first scene begins with the program's defaults, others with the
 * scene before them. */
#include <ctype.h>
#include <string.h>

#include "figure_item.h"
#include "posviz/base/num.h"
#include "posviz/base/script.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "posviz/math/calc.h"

/* Places where words stand: what the last of them began. */
enum where { HEADER = 1, SCENE = 2, PANEL = 4, TABLE = 8, PUBLISHED = 16, NUMBER = 32, LAST = 64 };
enum { BOX = PANEL | TABLE | PUBLISHED, ANYWHERE = 127, MOST_ITEMS = 64, MOST_CELLS = 400 };

struct script {
	struct arena *a;
	struct source_figure *is;
	struct err *err; /* the first error; "" for none yet */
	enum where block;
	struct strbuf shows, made, scene;
	const struct view *view;	  /* of the scene; NULL: none is said yet */
	struct figure_item *items, *item; /* item: the last of them */
	const char **expects, **cells;	  /* cells: of the table */
	size_t n_cells;
};

/* ---- header ------------------------------------------------------------------------------------- */

static bool take_text(struct script *s, const char **to, const char *text, const char *word)
{
	if (*to)
		return err_set(s->err, "a second %s", word);
	*to = arena_strdup(s->a, text);
	return true;
}

static bool run_title(struct script *s, const char *text)
{
	return take_text(s, &s->is->title, text, "title");
}

static bool run_source(struct script *s, const char *text)
{
	return take_text(s, &s->is->source, text, "source");
}

static bool run_size(struct script *s, const char *text)
{
	const size_t len = strcspn(text, "x");
	long width, height;
	if (s->is->width > 0)
		return err_set(s->err, "a second size");
	if (text[len] == '\0' || !num_parse_long(text, len, 200, 8000, &width, NULL) ||
	    !num_parse_long(text + len + 1, strlen(text + len + 1), 200, 8000, &height, NULL))
		return err_set(s->err, "size: %s stands where WIDTHxHEIGHT would be right",
			       text_quote(s->a, text, strlen(text)));
	s->is->width = (double)width;
	s->is->height = (double)height;
	return true;
}

static bool run_measured(struct script *s, const char *text)
{
	(void)text;
	s->is->measured = true;
	return true;
}

/* A sentence a line. */
static bool add_sentence(struct strbuf *b, const char *text)
{
	strbuf_printf(b, "%s%s", b->len > 0 ? " " : "", text);
	return true;
}

static bool run_shows(struct script *s, const char *text)
{
	return add_sentence(&s->shows, text);
}

static bool run_made(struct script *s, const char *text)
{
	return add_sentence(&s->made, text);
}

/* ---- scenes and panels -------------------------------------------------------------------------- */

static bool run_scene(struct script *s, const char *text)
{
	(void)text;
	s->block = SCENE;
	return true;
}

/* Views that a script takes panels of. */
static const struct view *const taken[] = {&view_explore, &view_terms, &view_order,
					   &view_vectors, &view_split, &view_relation,
					   &view_metrics};

static bool run_field(struct script *s, const struct script_line *line)
{
	struct scene scene;
	const char *names = "";
	strbuf_printf(&s->scene, "%s\n", line->text);
	if (!scene_parse(&scene, s->scene.at, s->err))
		return false;
	if (strcmp(line->word, "view") != 0)
		return true;
	for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
		names = arena_printf(s->a, "%s%s%s", names, i ? ", " : "", taken[i]->name);
		if (strcmp(taken[i]->name, line->rest) == 0)
			s->view = taken[i];
	}
	return s->view || err_set(s->err, "view: a script takes panels of %s", names);
}

static bool begin_item(struct script *s, enum where block, enum figure_item_kind kind)
{
	if (s->is->n_items == MOST_ITEMS)
		return err_set(s->err, "a figure has at most %d panels and numbers", MOST_ITEMS);
	s->block = block;
	s->item = &s->items[s->is->n_items++];
	*s->item =
		(struct figure_item){.kind = kind,
				     .scene = arena_strdup(s->a, s->scene.len ? s->scene.at : ""),
				     .cols = 1,
				     .priority = -1};
	return true;
}

/* "TEXT at ROW COLUMN", from 1. */
static bool begin_box(struct script *s, enum where block, enum figure_item_kind kind,
		      const char *text)
{
	const char *const at = strstr(text, " at "), *const row = at ? at + 4 : "";
	const size_t len = strcspn(row, " ");
	long place[2];
	if (!num_parse_long(row, len, 1, FIGURE_PANELS, &place[0], NULL) || row[len] != ' ' ||
	    !num_parse_long(row + len + 1, strlen(row + len + 1), 1, FIGURE_PANELS, &place[1],
			    NULL))
		return err_set(s->err, "at ROW COLUMN would be right behind it, from 1");
	if (!begin_item(s, block, kind))
		return false;
	s->item->text = arena_strndup(s->a, text, (size_t)(at - text));
	s->item->row = (unsigned char)(place[0] - 1);
	s->item->col = (unsigned char)(place[1] - 1);
	return true;
}

static bool run_panel(struct script *s, const char *text)
{
	if (!s->view)
		return err_set(s->err, "panel: the scene in front of it has no view");
	if (!begin_box(s, PANEL, ITEM_PANEL, text))
		return false;
	s->item->view = s->view;
	return true;
}

static bool run_table(struct script *s, const char *text)
{
	if (!begin_box(s, TABLE, ITEM_TABLE, text))
		return false;
	s->item->name = "table";
	s->item->titles = (struct figure_texts){.at = {s->item->text}, .n = 1};
	s->cells = arena_calloc(s->a, MOST_CELLS, sizeof *s->cells);
	s->n_cells = 0;
	s->item->cells = s->cells;
	return true;
}

static bool run_published(struct script *s, const char *text)
{
	if (!begin_box(s, PUBLISHED, ITEM_PUBLISHED, text))
		return false;
	s->item->name = "table";
	s->item->titles = (struct figure_texts){.at = {"As printed"}, .n = 1};
	return true;
}

/* "A | B | | D": into at[most]; returns how many there are. */
static size_t split_texts(struct script *s, const char *text, const char **at, size_t most)
{
	size_t n = 0;
	for (const char *end; n < most; text = end + 1) {
		end = text + strcspn(text, "|");
		const char *const from = text + strspn(text, " ");
		size_t len = from < end ? (size_t)(end - from) : 0;
		while (len > 0 && from[len - 1] == ' ')
			len--;
		at[n++] = arena_strndup(s->a, from, len);
		if (*end == '\0')
			break;
	}
	return n;
}

static bool take_texts(struct script *s, const char *text, struct figure_texts *out)
{
	out->n = split_texts(s, text, out->at, FIGURE_PARTS);
	return true;
}

static bool run_titles(struct script *s, const char *text)
{
	return take_texts(s, text, &s->item->titles);
}

static bool run_under(struct script *s, const char *text)
{
	return take_texts(s, text, &s->item->subtitles);
}

static bool run_formula(struct script *s, const char *text)
{
	return take_texts(s, text, &s->item->formulas);
}

static bool run_name(struct script *s, const char *text)
{
	s->item->name = arena_strdup(s->a, text);
	return true;
}

static bool take_long(const char *word, const char *text, long least, long most, long *out,
		      struct err *err)
{
	return num_parse_long(text, strlen(text), least, most, out, NULL) ||
	       err_set(err, "%s: a whole number from %ld to %ld would be right", word, least, most);
}

static bool run_wide(struct script *s, const char *text)
{
	long cols;
	if (!take_long("wide", text, 1, FIGURE_PANELS, &cols, s->err))
		return false;
	s->item->cols = (unsigned char)cols;
	return true;
}

static bool run_priority(struct script *s, const char *text)
{
	long priority;
	if (!take_long("priority", text, 0, 100, &priority, s->err))
		return false;
	s->item->priority = (int)priority;
	return true;
}

static bool run_scale(struct script *s, const char *text)
{
	const size_t len = strcspn(text, " ");
	s->item->scale = SCALE_COMMON;
	if (strcmp(text, "common") == 0)
		return true;
	s->item->scale = SCALE_GIVEN;
	return (text[len] == ' ' && num_parse_double(text, len, -1e9, 1e9, &s->item->lo, NULL) &&
		num_parse_double(text + len + 1, strlen(text + len + 1), -1e9, 1e9, &s->item->hi,
				 NULL)) ||
	       err_set(s->err, "scale: LOW HIGH or common would be right");
}

static bool run_bare(struct script *s, const char *text)
{
	(void)text;
	s->item->bare = true;
	return true;
}

/* ---- tables ------------------------------------------------------------------------------------- */

static bool run_head(struct script *s, const char *text)
{
	const char **const head = arena_calloc(s->a, MOST_CELLS, sizeof *head);
	if (s->item->head)
		return err_set(s->err, "a second head");
	s->item->cols_n = split_texts(s, text, head, MOST_CELLS);
	s->item->head = head;
	return true;
}

static bool run_row(struct script *s, const char *text)
{
	struct figure_item *const item = s->item;
	const size_t room = MOST_CELLS - s->n_cells;
	if (!item->head || room < item->cols_n)
		return err_set(s->err, item->head ? "the table has too many rows"
						  : "row: head comes first");
	const size_t n = split_texts(s, text, s->cells + s->n_cells, room);
	if (n != item->cols_n)
		return err_set(s->err, "row: %zu cells, and the head has %zu", n, item->cols_n);
	s->n_cells += n;
	item->rows_n++;
	return true;
}

/* Which columns go first where there is no room: a number for each. */
static bool run_drops(struct script *s, const char *text)
{
	unsigned char *const drops = arena_calloc(s->a, MOST_CELLS, sizeof *drops);
	size_t n = 0;
	for (size_t len; *text && n < MOST_CELLS; text += len + strspn(text + len, " ")) {
		long value;
		len = strcspn(text, " ");
		if (!num_parse_long(text, len, 0, 100, &value, NULL))
			return err_set(s->err,
				       "drops: a whole number for each column would be right");
		drops[n++] = (unsigned char)value;
	}
	s->item->drops = drops;
	return n == s->item->cols_n ||
	       err_set(s->err, "drops: %zu numbers, and the head has %zu columns", n,
		       s->item->cols_n);
}

/* ---- numbers ------------------------------------------------------------------------------------ */

/* A formula begins with a digit, a quantity with its word. */
static bool read_number(struct script *s, const char *text)
{
	static const char *const none[] = {NULL};
	const char *const less = strstr(text, " less ");
	struct figure_item *const item = s->item;
	struct calc calc;
	size_t wrong;
	if (isdigit((unsigned char)*text)) {
		item->formula = arena_strdup(s->a, text);
		return calc_parse(&calc, text, none, s->a, &wrong, s->err);
	}
	item->has_less = less != NULL;
	const size_t len = less ? (size_t)(less - text) : strlen(text);
	return quantity_parse(arena_strndup(s->a, text, len), s->a, &item->quantity, s->err) &&
	       (!less || quantity_parse(arena_strdup(s->a, less + 6), s->a, &item->less, s->err));
}

static bool run_number(struct script *s, const char *text)
{
	const char *const equals = strstr(text, " = ");
	if (!equals)
		return err_set(s->err, "number: NAME = QUANTITY would be right");
	if (!begin_item(s, NUMBER, ITEM_NUMBER))
		return false;
	s->item->name = arena_strndup(s->a, text, (size_t)(equals - text));
	s->item->means = "";
	return read_number(s, equals + 3);
}

static bool run_means(struct script *s, const char *text)
{
	s->item->means = arena_strdup(s->a, text);
	return true;
}

static const struct {
	const char *name;
	figure_draw *draw;
} drawers[] = {
#define DRAW(id) {#id, draw_##id},
#include "fig_list.h"
#undef DRAW
};

static bool run_draw(struct script *s, const char *text)
{
	const size_t len = strcspn(text, " \t");
	if (!begin_item(s, LAST, ITEM_DRAW))
		return false;
	for (size_t i = 0; i < sizeof drawers / sizeof *drawers; i++)
		if (strlen(drawers[i].name) == len && strncmp(drawers[i].name, text, len) == 0)
			s->item->draw = drawers[i].draw;
	s->item->text = arena_strdup(s->a, text + len + strspn(text + len, " \t"));
	return s->item->draw ||
	       err_set(s->err, "draw: nothing is called %s; src/figures/fig_list.h has all",
		       text_quote(s->a, text, len));
}

/* NAME OP VALUE, which may be the name of another number. */
static bool run_expect(struct script *s, const char *text)
{
	const size_t name = strcspn(text, " "), op = name + strspn(text + name, " ");
	const size_t value = op + strcspn(text + op, " ") + 1;
	const char *rest = text + op;
	struct expect e;
	s->block = LAST;
	if (op == name || text[op] == '\0')
		return err_set(s->err, "expect: NAME = VALUE would be right");
	if (s->is->n_expects == MOST_ITEMS)
		return err_set(s->err, "a figure expects at most %d numbers", MOST_ITEMS);
	if (value < strlen(text) && isalpha((unsigned char)text[value]))
		rest = arena_printf(s->a, "%.*s0%s", (int)(value - op), text + op,
				    text + value + strcspn(text + value, " "));
	s->expects[s->is->n_expects++] = arena_strdup(s->a, text);
	return expect_parse_number(rest, s->a, &e, s->err);
}

/* ---- the table of words ------------------------------------------------------------------------- */

static const struct word {
	struct script_word is; /* its places of enum where */
	bool (*run)(struct script *s, const char *text);
} words[] = {
	{{"title", "TEXT", HEADER, 60}, run_title},
	{{"source", "TEXT", HEADER, 0}, run_source},
	{{"size", "WIDTHxHEIGHT", HEADER, 0}, run_size},
	{{"measured", "", HEADER, 0}, run_measured},
	{{"shows", "SENTENCE", HEADER, 0}, run_shows},
	{{"made", "SENTENCE", HEADER, 0}, run_made},
	{{"scene", "", ANYWHERE, 0}, run_scene},
	{{"panel", "NAME,NAME at ROW COLUMN", ANYWHERE, 0}, run_panel},
	{{"table", "TITLE at ROW COLUMN", ANYWHERE, 0}, run_table},
	{{"published", "TABLE at ROW COLUMN", ANYWHERE, 0}, run_published},
	{{"number", "NAME = QUANTITY", ANYWHERE, 0}, run_number},
	{{"draw", "NAME ARGUMENT", ANYWHERE, 0}, run_draw},
	{{"expect", "NAME = VALUE", ANYWHERE, 0}, run_expect},
	{{"title", "TEXT | TEXT", BOX, 0}, run_titles},
	{{"under", "TEXT | TEXT", BOX, 0}, run_under},
	{{"name", "NAME", BOX, 0}, run_name},
	{{"wide", "N", BOX, 0}, run_wide},
	{{"priority", "N", BOX, 0}, run_priority},
	{{"formula", "TEXT | TEXT", PANEL, 0}, run_formula},
	{{"scale", "LOW HIGH, or common", PANEL, 0}, run_scale},
	{{"bare", "", PANEL, 0}, run_bare},
	{{"head", "TEXT | TEXT", TABLE, 0}, run_head},
	{{"row", "TEXT | TEXT", TABLE, 0}, run_row},
	{{"drops", "N N", TABLE, 0}, run_drops},
	{{"means", "TEXT", NUMBER, 0}, run_means},
};
enum { WORDS = sizeof words / sizeof *words };

/* ---- lines -------------------------------------------------------------------------------------- */

static bool run_line(struct script *s, const struct script_line *line)
{
	const char *names[WORDS];
	bool elsewhere = false;
	if (line->wrong)
		return err_set(s->err, "%s", line->wrong);
	for (size_t i = 0; i < WORDS; i++) {
		names[i] = words[i].is.name;
		if (strcmp(names[i], line->word) != 0)
			continue;
		if (words[i].is.where & (int)s->block)
			return script_takes(&words[i].is, line->rest, s->err) &&
			       words[i].run(s, line->rest);
		elsewhere = true;
	}
	if (s->block == SCENE && field_find(line->word))
		return run_field(s, line);
	if (elsewhere)
		return err_set(s->err, "%s does not stand here", line->word);
	const char *const near = text_nearest(line->word, names, WORDS);
	return err_set(s->err, "no figure has %s%s%s",
		       text_quote(s->a, line->word, strlen(line->word)),
		       near ? "; did you mean " : "", near ? near : "");
}

static void one_line(void *context, const struct script_line *line)
{
	struct script *const s = context;
	if (s->err->text[0] == '\0' && !run_line(s, line))
		err_prefix(s->err, "%s.figure:%zu: ", s->is->name, line->number);
}

static const char *missing(const struct source_figure *is)
{
	return !is->title	? "title"
	       : !is->source	? "source"
	       : is->width <= 0 ? "size"
	       : !*is->shows	? "shows"
	       : !is->n_items	? "panel or draw"
	       : !is->n_expects ? "expect"
				: NULL;
}

bool source_figure_read(const char *name, const char *text, size_t len, struct arena *a,
			struct source_figure *out, struct err *err)
{
	struct script s = {.a = a, .is = out, .err = err, .block = HEADER};
	*out = (struct source_figure){.name = arena_strdup(a, name)};
	s.items = arena_calloc(a, MOST_ITEMS, sizeof *s.items);
	s.expects = arena_calloc(a, MOST_ITEMS, sizeof *s.expects);
	strbuf_init(&s.shows, a);
	strbuf_init(&s.made, a);
	strbuf_init(&s.scene, a);
	err->text[0] = '\0';
	script_read(text, len, a, one_line, &s);
	out->shows = s.shows.len > 0 ? s.shows.at : "";
	out->made = s.made.len > 0 ? s.made.at : NULL;
	out->items = s.items;
	out->expects = s.expects;
	if (err->text[0])
		return false;
	return !missing(out) || err_set(err, "%s.figure: %s is missing", name, missing(out));
}
