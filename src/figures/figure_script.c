/* figure_script.c: a figure of a source read from its script, in the language of tours with words of its own. */
#include <ctype.h>
#include <string.h>

#include "fig.h"
#include "posviz/base/num.h"
#include "posviz/base/script.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "posviz/quantity/quantity.h"

struct script {
	struct arena *a;
	struct source_figure *is;
	struct err *err; /* the first error; "" for none yet */
	size_t line;
	struct strbuf shows, made;
	const char **expects; /* [is->n_expects] */
	size_t cap_expects;
};

/* ---- words -------------------------------------------------------------------------------------- */

static bool second(const char *word, struct err *err)
{
	return err_set(err, "a second %s", word);
}

static bool run_title(struct script *s, const char *text, struct err *err)
{
	if (s->is->title)
		return second("title", err);
	s->is->title = arena_strdup(s->a, text);
	return true;
}

static bool run_source(struct script *s, const char *text, struct err *err)
{
	if (s->is->source)
		return second("source", err);
	s->is->source = arena_strdup(s->a, text);
	return true;
}

static bool run_size(struct script *s, const char *text, struct err *err)
{
	const size_t len = strcspn(text, "x");
	long width, height;
	if (s->is->width > 0)
		return second("size", err);
	if (text[len] == '\0' || !num_parse_long(text, len, 200, 8000, &width, NULL) ||
	    !num_parse_long(text + len + 1, strlen(text + len + 1), 200, 8000, &height, NULL))
		return err_set(err, "size: %s stands where WIDTHxHEIGHT would be right",
			       text_quote(s->a, text, strlen(text)));
	s->is->width = (double)width;
	s->is->height = (double)height;
	return true;
}

static bool run_measured(struct script *s, const char *text, struct err *err)
{
	(void)text, (void)err;
	s->is->measured = true;
	return true;
}

/* A sentence a line. */
static bool add_sentence(struct strbuf *b, const char *text)
{
	if (b->len > 0)
		strbuf_add_char(b, ' ');
	strbuf_add(b, text);
	return true;
}

static bool run_shows(struct script *s, const char *text, struct err *err)
{
	(void)err;
	return add_sentence(&s->shows, text);
}

static bool run_made(struct script *s, const char *text, struct err *err)
{
	(void)err;
	return add_sentence(&s->made, text);
}

static const struct {
	const char *name;
	source_figure_draw *draw;
} drawers[] = {
#define DRAW(id) {#id, draw_##id},
#include "fig_list.h"
#undef DRAW
};

static bool run_draw(struct script *s, const char *text, struct err *err)
{
	const size_t len = strcspn(text, " \t");
	if (s->is->draw)
		return second("draw", err);
	for (size_t i = 0; i < sizeof drawers / sizeof *drawers; i++)
		if (strlen(drawers[i].name) == len && strncmp(drawers[i].name, text, len) == 0)
			s->is->draw = drawers[i].draw;
	s->is->argument = arena_strdup(s->a, text + len + strspn(text + len, " \t"));
	return s->is->draw ||
	       err_set(err, "draw: nothing is called %s; src/figures/fig_list.h has all",
		       text_quote(s->a, text, len));
}

/* NAME OP VALUE, which may be the name of another number. */
static bool run_expect(struct script *s, const char *text, struct err *err)
{
	const size_t name = strcspn(text, " "), op = name + strspn(text + name, " ");
	const size_t value = op + strcspn(text + op, " ") + 1;
	const char *rest = text + op;
	struct expect e;
	if (op == name || text[op] == '\0')
		return err_set(err, "expect: NAME = VALUE would be right");
	if (value < strlen(text) && isalpha((unsigned char)text[value]))
		rest = arena_printf(s->a, "%.*s0%s", (int)(value - op), text + op,
				    text + value + strcspn(text + value, " "));
	if (!expect_parse_number(rest, s->a, &e, err))
		return false;
	if (s->is->n_expects == s->cap_expects) {
		const size_t more = s->cap_expects ? 2 * s->cap_expects : 16;
		const char **const all = arena_calloc(s->a, more, sizeof *all);
		for (size_t i = 0; i < s->is->n_expects; i++)
			all[i] = s->expects[i];
		s->expects = all;
		s->cap_expects = more;
	}
	s->expects[s->is->n_expects++] = arena_strdup(s->a, text);
	return true;
}

static const struct word {
	struct script_word is;
	bool (*run)(struct script *s, const char *text, struct err *err);
} words[] = {
	{{"title", "TEXT", 0, 60}, run_title},	     {{"source", "TEXT", 0, 0}, run_source},
	{{"size", "WIDTHxHEIGHT", 0, 0}, run_size},  {{"measured", "", 0, 0}, run_measured},
	{{"shows", "SENTENCE", 0, 0}, run_shows},    {{"made", "SENTENCE", 0, 0}, run_made},
	{{"draw", "NAME ARGUMENT", 0, 0}, run_draw}, {{"expect", "NAME = VALUE", 0, 0}, run_expect},
};
enum { WORDS = sizeof words / sizeof *words };

/* ---- lines -------------------------------------------------------------------------------------- */

static bool run_line(struct script *s, const struct script_line *line, struct err *err)
{
	const char *names[WORDS];
	if (line->wrong)
		return err_set(err, "%s", line->wrong);
	for (size_t i = 0; i < WORDS; i++) {
		names[i] = words[i].is.name;
		if (strcmp(names[i], line->word) == 0)
			return script_takes(&words[i].is, line->rest, err) &&
			       words[i].run(s, line->rest, err);
	}
	const char *const near = text_nearest(line->word, names, WORDS);
	return err_set(err, "no figure has %s%s%s",
		       text_quote(s->a, line->word, strlen(line->word)),
		       near ? "; did you mean " : "", near ? near : "");
}

static void one_line(void *context, const struct script_line *line)
{
	struct script *const s = context;
	if (s->err->text[0] == '\0' && !run_line(s, line, s->err))
		err_prefix(s->err, "%s.figure:%zu: ", s->is->name, line->number);
}

static const char *missing(const struct source_figure *is)
{
	return !is->title	? "title"
	       : !is->source	? "source"
	       : is->width <= 0 ? "size"
	       : !*is->shows	? "shows"
	       : !is->draw	? "draw"
	       : !is->n_expects ? "expect"
				: NULL;
}

bool source_figure_read(const char *name, const char *text, size_t len, struct arena *a,
			struct source_figure *out, struct err *err)
{
	struct script s = {.a = a, .is = out, .err = err};
	*out = (struct source_figure){.name = arena_strdup(a, name), .argument = ""};
	strbuf_init(&s.shows, a);
	strbuf_init(&s.made, a);
	err->text[0] = '\0';
	script_read(text, len, a, one_line, &s);
	out->shows = s.shows.len > 0 ? s.shows.at : "";
	out->made = s.made.len > 0 ? s.made.at : NULL;
	out->expects = s.expects;
	if (err->text[0])
		return false;
	return !missing(out) || err_set(err, "%s.figure: %s is missing", name, missing(out));
}
