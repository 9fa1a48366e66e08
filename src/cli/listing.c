/* listing.c: rows of words as aligned text, JSON, CSV or Markdown. */
#include "cli.h"

#include <float.h>
#include <string.h>

#include "posviz/base/markdown.h"
#include "posviz/base/num.h"
#include "posviz/base/text.h"
#include "posviz/format/json.h"

void listing_init(struct listing *l, struct arena *a, const char *const *head)
{
	*l = (struct listing){.arena = a, .head = head};
	while (head[l->cols])
		l->cols++;
	BUG_IF(l->cols > LISTING_COLS);
}

void listing_add(struct listing *l, const char *const *cells)
{
	l->cells = arena_grow(l->arena, l->cells, l->n, &l->cap, l->cols * sizeof *l->cells);
	for (size_t i = 0; i < l->cols; i++)
		l->cells[l->n * l->cols + i] = cells[i] ? cells[i] : "";
	l->n++;
}

static const char *cell(const struct listing *l, size_t row, size_t col)
{
	return l->cells[row * l->cols + col];
}

static void print_text(const struct listing *l, struct strbuf *out)
{
	size_t width[LISTING_COLS] = {0};
	for (size_t c = 0; c < l->cols; c++) {
		width[c] = text_width(l->head[c]);
		for (size_t r = 0; r < l->n; r++)
			if (text_width(cell(l, r, c)) > width[c])
				width[c] = text_width(cell(l, r, c));
	}
	for (size_t r = 0; r <= l->n; r++) {
		size_t blanks = 0; /* not yet written, so that no line ends with blanks */
		for (size_t c = 0; c < l->cols; c++) {
			const char *const text = r == 0 ? l->head[c] : cell(l, r - 1, c);
			if (*text)
				strbuf_printf(out, "%*s%s", (int)blanks, "", text);
			blanks = (*text ? 0 : blanks) + width[c] - text_width(text) + 2;
		}
		strbuf_add_char(out, '\n');
	}
}

static void write_value(struct json_writer *w, const char *name, const char *text)
{
	double number;
	if (strcmp(text, "yes") == 0 || strcmp(text, "no") == 0)
		json_writer_bool(w, name, *text == 'y');
	else if (num_parse_double(text, strlen(text), -DBL_MAX, DBL_MAX, &number, NULL))
		json_writer_number(w, name, number);
	else
		json_writer_value(w, name, "null");
}

/* Writes the values of a row in "about": the columns themselves stay words, as scripts have always
 * read them. */
static void write_about(const struct listing *l, size_t row, struct json_writer *w)
{
	if (l->values == 0)
		return;
	json_writer_object(w, "about");
	for (size_t c = 0; c < l->cols; c++)
		if (l->values & 1u << c)
			write_value(w, l->head[c], cell(l, row, c));
	json_writer_end(w);
}

static void print_json(const struct listing *l, struct strbuf *out)
{
	struct json_writer *const w = json_writer_new(l->arena);
	json_writer_array(w, NULL);
	for (size_t r = 0; r < l->n; r++) {
		json_writer_object(w, NULL);
		for (size_t c = 0; c < l->cols; c++)
			json_writer_string(w, l->head[c], cell(l, r, c));
		write_about(l, r, w);
		json_writer_end(w);
	}
	json_writer_end(w);
	strbuf_add(out, json_writer_done(w, 2));
	if (out->len == 0 || out->at[out->len - 1] != '\n')
		strbuf_add_char(out, '\n');
}

static void add_csv(struct strbuf *out, const char *text)
{
	if (!strpbrk(text, ",\"\n\r")) {
		strbuf_add(out, text);
		return;
	}
	strbuf_add_char(out, '"');
	for (; *text; text++) {
		if (*text == '"')
			strbuf_add_char(out, '"');
		strbuf_add_char(out, *text);
	}
	strbuf_add_char(out, '"');
}

static void print_csv(const struct listing *l, struct strbuf *out)
{
	for (size_t r = 0; r <= l->n; r++)
		for (size_t c = 0; c < l->cols; c++) {
			add_csv(out, r == 0 ? l->head[c] : cell(l, r - 1, c));
			strbuf_add_char(out, c + 1 < l->cols ? ',' : '\n');
		}
}

static void add_markdown(struct strbuf *out, const char *text, bool code)
{
	strbuf_add(out, "| ");
	if (code)
		markdown_add_code(out, text, true);
	else
		markdown_add(out, text, false);
	strbuf_add_char(out, ' ');
}

static void print_markdown(const struct listing *l, struct strbuf *out)
{
	for (size_t c = 0; c < l->cols; c++)
		add_markdown(out, l->head[c], false);
	strbuf_add(out, "|\n");
	for (size_t c = 0; c < l->cols; c++)
		strbuf_add(out, "|---");
	strbuf_add(out, "|\n");
	for (size_t r = 0; r < l->n; r++) {
		for (size_t c = 0; c < l->cols; c++)
			add_markdown(out, cell(l, r, c), c == 0 && *cell(l, r, c));
		strbuf_add(out, "|\n");
	}
}

void listing_print(const struct listing *l, const char *format, struct strbuf *out)
{
	static const struct {
		const char *name;
		void (*print)(const struct listing *l, struct strbuf *out);
	} printers[] = {{"text", print_text},
			{"json", print_json},
			{"csv", print_csv},
			{"markdown", print_markdown}};
	for (size_t i = 0; i < sizeof printers / sizeof *printers; i++)
		if (strcmp(printers[i].name, format) == 0) {
			printers[i].print(l, out);
			return;
		}
	BUG("no printer for %s", format);
}
