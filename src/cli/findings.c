/* findings.c: see findings.h. */
#include "findings.h"

#include <math.h>
#include <string.h>

#include "cli.h"
#include "posviz/base/num.h"

struct finding_cell finding_words(const char *text, const char *word)
{
	return (struct finding_cell){
		.text = text, .is = word ? CELL_WORD : CELL_NONE, .word = word};
}

struct finding_cell finding_word(const char *word)
{
	return finding_words(word, word);
}

struct finding_cell finding_number(const char *text, double number)
{
	return (struct finding_cell){.text = text, .is = CELL_NUMBER, .number = number};
}

struct finding_cell finding_known(const char *text, double number)
{
	return isnan(number) ? finding_word(NULL) : finding_number(text, number);
}

struct finding_cell finding_bool(const char *text, bool yes)
{
	return (struct finding_cell){.text = text, .is = yes ? CELL_YES : CELL_NO};
}

struct finding_cell finding_answer(enum answer answer)
{
	return answer == ANSWER_UNSAID ? finding_words("-", NULL)
	       : answer == ANSWER_YES  ? finding_bool("yes", true)
				       : finding_bool("no", false);
}

void findings_init(struct findings *f, struct arena *a, const struct finding_column *columns,
		   size_t cols)
{
	BUG_IF(cols > LISTING_COLS);
	*f = (struct findings){.arena = a, .columns = columns, .cols = cols, .margin = "  "};
}

void findings_add(struct findings *f, const struct finding_cell *row)
{
	f->at = arena_grow(f->arena, f->at, f->n, &f->cap, f->cols * sizeof *f->at);
	memcpy(f->at + f->n++ * f->cols, row, f->cols * sizeof *row);
}

void findings_note(struct findings *f, size_t col, const char *text)
{
	struct finding_cell row[LISTING_COLS] = {[0].is = CELL_NOTE};
	row[col].text = text;
	findings_add(f, row);
}

/* Returns the digits that CSV has instead of a rounded text; NULL: the text stays. */
static const char *digits(const struct findings *f, size_t col, const struct finding_cell *cell)
{
	char text[32];
	return f->columns[col].rounded && cell->is == CELL_NUMBER
		       ? arena_strdup(f->arena, num_print(text, sizeof text, cell->number))
		       : NULL;
}

static void print(const struct findings *f, size_t from, size_t to, const char *format,
		  struct strbuf *out)
{
	struct arena *const a = f->arena;
	const bool text = strcmp(format, "text") == 0;
	const char *const margin = text ? f->margin : "";
	const char *head[LISTING_COLS + 1] = {NULL}, *cells[LISTING_COLS];
	struct listing l;
	size_t n = 0;
	for (size_t c = 0; c < f->cols; c++)
		if (f->columns[c].head)
			head[n++] = f->columns[c].head;
	head[0] = arena_printf(a, "%s%s", margin, head[0]);
	listing_init(&l, a, head);
	for (size_t i = from; i < to; i++) {
		n = 0;
		for (size_t c = 0; c < f->cols; c++) {
			const struct finding_cell *const cell = &f->at[i * f->cols + c];
			const char *const exact = text ? NULL : digits(f, c, cell);
			if (f->columns[c].head)
				cells[n++] = exact ? exact : cell->text;
		}
		cells[0] = cells[0] ? arena_printf(a, "%s%s", margin, cells[0]) : NULL;
		listing_add(&l, cells);
	}
	listing_print(&l, format, out);
}

void findings_table(const struct findings *f, size_t from, size_t to, struct strbuf *out)
{
	print(f, from, to, "text", out);
}

void findings_csv(const struct findings *f, struct strbuf *out)
{
	print(f, 0, f->n, "csv", out);
}

static void write_cell(struct json_writer *w, const char *key, const struct finding_cell *cell)
{
	if (cell->is == CELL_NUMBER)
		json_writer_number(w, key, cell->number);
	else if (cell->is == CELL_YES || cell->is == CELL_NO)
		json_writer_bool(w, key, cell->is == CELL_YES);
	else
		json_writer_string(w, key, cell->is == CELL_WORD ? cell->word : NULL);
}

/* Writes the object of the columns from c on whose keys begin with the same `len` bytes, "time."; a
 * group is null where its first cell is. Returns the column behind them. */
static size_t write_group(const struct findings *f, const struct finding_cell *row, size_t c,
			  size_t len, struct json_writer *w)
{
	const char *const key = f->columns[c].key;
	const char *const name = arena_strndup(f->arena, key, len - 1);
	const bool there = row[c].is != CELL_NONE;
	if (there)
		json_writer_object(w, name);
	else
		json_writer_string(w, name, NULL);
	for (; c < f->cols && f->columns[c].key && strncmp(f->columns[c].key, key, len) == 0; c++)
		if (there)
			write_cell(w, f->columns[c].key + len, &row[c]);
	if (there)
		json_writer_end(w);
	return c;
}

static void write_row(const struct findings *f, const struct finding_cell *row,
		      struct json_writer *w)
{
	json_writer_object(w, NULL);
	for (size_t c = 0; c < f->cols;) {
		const char *const key = f->columns[c].key, *const dot =
								   key ? strchr(key, '.') : NULL;
		if (dot) {
			c = write_group(f, row, c, (size_t)(dot - key) + 1, w);
			continue;
		}
		if (key)
			write_cell(w, key, &row[c]);
		c++;
	}
	json_writer_end(w);
}

void findings_json(const struct findings *f, struct json_writer *w, const char *name)
{
	json_writer_array(w, name);
	for (size_t i = 0; i < f->n; i++)
		if (f->at[i * f->cols].is != CELL_NOTE)
			write_row(f, &f->at[i * f->cols], w);
	json_writer_end(w);
}
