/* csv.c: one matrix as text, RFC 4180 with a few freedoms.
 *
 * The separator is a comma, semicolon or tab, whichever the first line has most. Labels may be
 * in the first row, the first column or both: a field that is no number is a label, and so is a
 * quoted field whose neighbour in the data is not quoted, which is how numbers can be labels
 * (our writer quotes every label). They become metadata under the names that a dump uses. */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "format/tensor_read.h"
#include "posviz/base/num.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "posviz/format/json.h"

enum { QUOTED = 256, MAX_CSV = 256 << 20 };

struct field {
	const char *at; /* of a quoted field: between the quotes, doubled quotes still doubled */
	size_t len;
	bool quoted;
};

/* The state of one pass over the text; every pass starts from a copy of the first. */
struct cursor {
	const char *at, *end;
	size_t line; /* from 1 */
	char separator;
};

struct record {
	size_t line;	      /* the line where it begins */
	size_t count;	      /* of its fields */
	struct field *fields; /* the first `room` fields */
	size_t room;
};

struct layout {
	size_t rows, columns;	    /* labels included */
	size_t top, left;	    /* rows and columns of labels: 0 or 1 */
	const struct field *header; /* the fields of the first row */
};

static char find_separator(const char *at, const char *end)
{
	static const char candidates[] = {',', ';', '\t'};
	size_t counts[sizeof candidates] = {0}, best = 0;
	bool quoted = false;
	for (; at < end && (quoted || (*at != '\n' && *at != '\r')); at++) {
		quoted = quoted != (*at == '"');
		for (size_t i = 0; i < sizeof candidates && !quoted; i++)
			counts[i] += *at == candidates[i];
	}
	for (size_t i = 1; i < sizeof candidates; i++)
		if (counts[i] > counts[best])
			best = i;
	return candidates[best];
}

static struct cursor cursor_at_start(const char *text, size_t len)
{
	struct cursor c = {.at = text, .end = text + len, .line = 1};
	if (len >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0)
		c.at += 3;
	c.separator = find_separator(c.at, c.end);
	return c;
}

static bool at_line_end(const struct cursor *c)
{
	return c->at == c->end || *c->at == '\n' || *c->at == '\r';
}

static void skip_line_end(struct cursor *c)
{
	if (c->at < c->end && *c->at == '\r')
		c->at++;
	if (c->at < c->end && *c->at == '\n')
		c->at++;
	c->line++;
}

/* Returns whether only empty lines are left. They may follow the last row; anywhere else they
 * are an error. */
static bool at_end(const struct cursor *c)
{
	const char *at = c->at;
	while (at < c->end && (*at == '\n' || *at == '\r'))
		at++;
	return at == c->end;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool read_quoted(struct cursor *c, struct field *f, struct err *err)
{
	const size_t line = c->line;
	c->at++;
	*f = (struct field){.at = c->at, .quoted = true};
	for (;; c->at++) {
		if (c->at == c->end)
			return err_set(err, "line %zu: a quote is opened and not closed", line);
		c->line += *c->at == '\n';
		if (*c->at != '"')
			continue;
		if (c->end - c->at < 2 || c->at[1] != '"')
			break;
		c->at++;
	}
	f->len = (size_t)(c->at - f->at);
	c->at++;
	while (c->at < c->end && *c->at == ' ')
		c->at++;
	if (!at_line_end(c) && *c->at != c->separator)
		return err_set(err, "line %zu: text behind a closing quote", c->line);
	return true;
}

static bool read_field(struct cursor *c, struct field *f, struct err *err)
{
	while (c->at < c->end && is_blank(*c->at) && *c->at != c->separator)
		c->at++;
	if (c->at < c->end && *c->at == '"')
		return read_quoted(c, f, err);
	*f = (struct field){.at = c->at};
	while (!at_line_end(c) && *c->at != c->separator)
		c->at++;
	f->len = (size_t)(c->at - f->at);
	while (f->len > 0 && is_blank(f->at[f->len - 1]))
		f->len--;
	return true;
}

static bool read_record(struct cursor *c, struct record *r, struct err *err)
{
	r->line = c->line;
	if (at_line_end(c))
		return err_set(err, "line %zu: it is empty", r->line);
	for (r->count = 0;; c->at++) {
		struct field f;
		if (!read_field(c, &f, err))
			return false;
		if (r->count < r->room)
			r->fields[r->count] = f;
		r->count++;
		if (at_line_end(c))
			break;
	}
	skip_line_end(c);
	return true;
}

/* Reads a finite decimal, or inf, -inf, nan in any case (numpy and R write them so). */
static bool read_number(const struct field *f, double *out)
{
	static const struct {
		const char *name;
		double value;
	} words[] = {{"inf", INFINITY}, {"-inf", -INFINITY}, {"nan", NAN}};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		if (f->len == strlen(words[i].name) &&
		    strncasecmp(f->at, words[i].name, f->len) == 0) {
			*out = words[i].value;
			return true;
		}
	}
	return num_parse_double(f->at, f->len, -HUGE_VAL, HUGE_VAL, out, NULL);
}

/* An empty field is a missing number, not a label: otherwise its whole row would be taken for
 * labels. */
static bool is_label(const struct field *f, const struct field *neighbour)
{
	double value = 0;
	if (!read_number(f, &value))
		return f->len > 0 || f->quoted;
	return f->quoted && neighbour != NULL && !neighbour->quoted;
}

/* Returns whether the row is 0, 1, 2, ... after an empty corner: pandas numbers the columns of a
 * frame without names like this. */
static bool is_numbering(const struct field *first, size_t columns)
{
	for (size_t c = 1; c < columns; c++) {
		double value = 0;
		if (!read_number(&first[c], &value) || fabs(value - (double)(c - 1)) > 0)
			return false;
	}
	return columns > 1 && first[0].len == 0 && !first[0].quoted;
}

/* Returns whether the first row holds labels; its first field is the corner unless it is the
 * only one. */
static bool has_header(const struct field *first, const struct field *second, size_t columns)
{
	if (second != NULL && is_numbering(first, columns))
		return true;
	for (size_t c = columns > 1; c < columns; c++)
		if (is_label(&first[c], second != NULL ? &second[c] : NULL))
			return true;
	return false;
}

/* An empty corner above (written by pandas and by posviz) also shows that the first column is
 * labels. */
static bool has_row_labels(const struct field *header, const struct field *row, size_t columns)
{
	if (columns < 2)
		return false;
	return (header != NULL && header[0].len == 0) || is_label(&row[0], &row[1]);
}

static struct field *new_fields(struct arena *a, size_t n)
{
	return arena_calloc(a, n, sizeof(struct field));
}

/* The first pass: counts rows and columns, and examines the first two rows for labels. */
static bool find_layout(struct cursor c, struct layout *l, struct arena *scratch, struct err *err)
{
	if (at_end(&c))
		return err_set(err, "there is nothing in it");
	struct cursor start = c;
	struct record r = {0}, rows[2] = {{0}};
	if (!read_record(&start, &r, err))
		return false;
	const size_t first_line = r.line;
	*l = (struct layout){.columns = r.count};
	for (int i = 0; i < 2; i++)
		rows[i] = (struct record){.fields = new_fields(scratch, l->columns),
					  .room = l->columns};
	for (; !at_end(&c); l->rows++) {
		struct record *now = l->rows < 2 ? &rows[l->rows] : &r;
		if (!read_record(&c, now, err))
			return false;
		if (now->count != l->columns)
			return err_set(err, "line %zu: %zu columns, line %zu has %zu", now->line,
				       now->count, first_line, l->columns);
	}
	const struct field *first = rows[0].fields, *second = l->rows > 1 ? rows[1].fields : NULL;
	l->top = has_header(first, second, l->columns);
	if (l->top == l->rows)
		return err_set(err, "there are labels but no numbers");
	l->left = l->top > 0 ? has_row_labels(first, second, l->columns)
			     : has_row_labels(NULL, first, l->columns);
	l->header = first;
	return true;
}

/* ---- labels */

/* Writes a label with single instead of doubled quotes, escaped like all text from outside. */
static void write_field(struct json_writer *w, const struct field *f, struct arena *scratch)
{
	char *text = arena_strndup(scratch, f->at, f->len);
	size_t len = 0;
	for (size_t i = 0; i < f->len; i++) {
		text[len++] = f->at[i];
		i += f->quoted && f->at[i] == '"';
	}
	json_writer_string(w, NULL, text_escape(scratch, text, len));
}

static void add_labels(struct tensor_set *set, const char *axis, struct json_writer *w)
{
	json_writer_end(w);
	tensor_set_add_meta(set, axis, json_writer_done(w, 0));
}

static void add_header(struct tensor_set *set, const struct layout *l, struct arena *scratch)
{
	struct json_writer *w = json_writer_new(scratch);
	json_writer_array(w, NULL);
	for (size_t c = l->left; c < l->columns; c++)
		write_field(w, &l->header[c], scratch);
	add_labels(set, "axis.key", w);
}

/* The second pass: reads the numbers, and the labels in front of them. */
static bool read_numbers(struct cursor c, const struct layout *l, double *at,
			 struct json_writer *labels, struct arena *scratch, struct err *err)
{
	struct record r = {.fields = new_fields(scratch, l->columns), .room = l->columns};
	for (size_t row = 0; row < l->rows; row++) {
		if (!read_record(&c, &r, err))
			return false;
		if (l->left > 0 && row >= l->top)
			write_field(labels, &r.fields[0], scratch);
		for (size_t col = l->left; row >= l->top && col < l->columns; col++) {
			const struct field *f = &r.fields[col];
			char quoted[QUOTED];
			if (!read_number(f, at++))
				return err_set(
					err, "line %zu, column %zu: %s is not a number", r.line,
					col + 1,
					text_quote_buf(quoted, sizeof quoted, f->at, f->len));
		}
	}
	return true;
}

static bool read_matrix(struct tensor_set *set, const char *text, size_t len, struct arena *scratch,
			struct err *err)
{
	if (len > MAX_CSV)
		return err_set(err, "more than %d MiB of csv, use safetensors", MAX_CSV >> 20);
	const struct cursor start = cursor_at_start(text, len);
	struct layout l = {0};
	if (!find_layout(start, &l, scratch, err))
		return false;
	const size_t shape[] = {l.rows - l.top, l.columns - l.left};
	double *at = tensor_add_read(set, "data", shape, 2, false, err);
	struct json_writer *labels = json_writer_new(scratch);
	json_writer_array(labels, NULL);
	if (at == NULL || !read_numbers(start, &l, at, labels, scratch, err))
		return false;
	if (l.top > 0)
		add_header(set, &l, scratch);
	if (l.left > 0)
		add_labels(set, "axis.query", labels);
	return true;
}

bool tensor_read_csv(struct tensor_set *set, const char *name, const void *data, size_t len,
		     struct err *err)
{
	struct arena scratch;
	arena_init(&scratch);
	const bool ok = read_matrix(set, data, len, &scratch, err);
	arena_release(&scratch);
	return ok || tensor_blame(err, name);
}

static void write_label(struct strbuf *b, const char *label)
{
	strbuf_add_char(b, '"');
	for (; *label != '\0'; label++) {
		if (*label == '"')
			strbuf_add_char(b, '"');
		strbuf_add_char(b, *label);
	}
	strbuf_add_char(b, '"');
}

bool tensor_write_csv(const struct tensor *t, const char *const *row_labels,
		      const char *const *col_labels, struct arena *a, char **data, size_t *len,
		      struct err *err)
{
	if (t->dims > 2)
		return err_set(err, "csv holds a matrix, this has %zu dimensions", t->dims);
	const struct mat m = tensor_mat(t);
	struct strbuf b;
	strbuf_init(&b, a);
	for (size_t c = 0; col_labels != NULL && c < m.cols; c++) {
		if (c > 0 || row_labels != NULL)
			strbuf_add_char(&b, ',');
		write_label(&b, col_labels[c]);
	}
	if (col_labels != NULL)
		strbuf_add_char(&b, '\n');
	for (size_t r = 0; r < m.rows; r++) {
		if (row_labels != NULL)
			write_label(&b, row_labels[r]);
		for (size_t c = 0; c < m.cols; c++) {
			char number[32];
			if (c > 0 || row_labels != NULL)
				strbuf_add_char(&b, ',');
			strbuf_add(&b, num_print(number, sizeof number, mat_row(m, r)[c]));
		}
		strbuf_add_char(&b, '\n');
	}
	*data = b.at;
	*len = b.len;
	return true;
}
