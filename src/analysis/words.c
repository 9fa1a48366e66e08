/* words.c: the results of a run by words: rows and columns of pieces are merged. */
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "posviz/analysis/analysis.h"
#include "posviz/analysis/words.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "posviz/base/unicode.h"

/* ---- which pieces are a word ----------------------------------------------------------------- */

/* Returns the word of each unit. Pieces next to each other are of one word if the input says so; the
 * unit `memory` begins the queries, and so a word. */
static size_t *groups_of(const struct axis *axis, const struct input *in, size_t memory,
			 struct arena *a)
{
	size_t *const out = arena_calloc(a, axis->n + 1, sizeof *out);
	size_t *const word = arena_calloc(a, in->moving + 1, sizeof *word);
	for (size_t i = 0; i < in->n; i++)
		if (!in->tokens[i].special)
			word[in->tokens[i].place] = in->tokens[i].word;
	for (size_t i = 1; i < axis->n; i++) {
		const long x = axis->token[i - 1], y = axis->token[i];
		const bool joined = x >= 0 && y >= 0 && (size_t)x < in->moving &&
				    (size_t)y < in->moving && word[x] == word[y] && i != memory;
		out[i] = out[i - 1] + !joined;
	}
	return out;
}

static size_t *each_alone(size_t n, struct arena *a)
{
	size_t *const out = arena_calloc(a, n + 1, sizeof *out);
	for (size_t i = 0; i < n; i++)
		out[i] = i;
	return out;
}

/* Returns whether the keys are the units, of which the queries are those after the memory. */
static bool keys_are_units(const struct trace *trace)
{
	if (trace->key.n != trace->query.n + trace->memory)
		return false;
	for (size_t i = 0; i < trace->query.n; i++)
		if (trace->key.token[i + trace->memory] != trace->query.token[i] ||
		    strcmp(trace->key.labels[i + trace->memory], trace->query.labels[i]) != 0)
			return false;
	return true;
}

/* ---- names of words -------------------------------------------------------------------------- */

/* Adds the letters of a label, of which "<E2>" is a byte. */
static void add_letters(struct strbuf *b, const char *label)
{
	for (const char *at = label; *at; at++) {
		char *end;
		const unsigned long byte = *at == '<' ? strtoul(at + 1, &end, 16) : 0;
		if (byte >= 0x80 && byte <= 0xFF && end == at + 3 && *end == '>') {
			strbuf_add_char(b, (char)byte);
			at = end;
		} else {
			strbuf_add_char(b, *at);
		}
	}
}

/* Returns the piece of first..last that stood next after a place as the text was written; they are in
 * turn those of a word in another order. */
static size_t next_piece(const struct axis *axis, size_t first, size_t last, long after)
{
	size_t best = SIZE_MAX;
	for (size_t i = first; i <= last; i++)
		if (axis->token[i] > after &&
		    (best == SIZE_MAX || axis->token[i] < axis->token[best]))
			best = i;
	return best;
}

/* Returns the label of pieces first..last, as they were written: joined without the marks of pieces,
 * "##" of those inside a word and "·" of a blank before it. */
static const char *joined(const struct axis *axis, size_t first, size_t last, struct arena *a)
{
	static const char blank[] = "·", alone[] = "␣", inside[] = "##";
	struct strbuf b;
	if (axis->token[first] < 0)
		return axis->labels[first];
	strbuf_init(&b, a);
	for (size_t i = next_piece(axis, first, last, -1); i != SIZE_MAX;
	     i = next_piece(axis, first, last, axis->token[i])) {
		const char *const label = axis->labels[i], *const mark = b.len ? inside : blank;
		if (b.len == 0 && last > first && strcmp(label, alone) == 0)
			continue;
		const size_t n = strncmp(label, mark, strlen(mark)) == 0 ? strlen(mark) : 0;
		add_letters(&b, label[n] ? label + n : label);
	}
	return text_escape(a, b.at, b.len);
}

/* Fills the words of an axis from the group of each unit; *n_of: the number of pieces of each. */
static void fill_axis(const struct axis *axis, const size_t *group, struct arena *a,
		      struct axis *out, const size_t **n_of)
{
	const size_t n = axis->n > 0 ? group[axis->n - 1] + 1 : 0;
	const char **const labels = arena_calloc(a, n + 1, sizeof *labels);
	long *const token = arena_calloc(a, n + 1, sizeof *token);
	size_t *const count = arena_calloc(a, n + 1, sizeof *count);
	for (size_t first = 0, last; first < axis->n; first = last + 1) {
		const size_t w = group[first];
		for (last = first; last + 1 < axis->n && group[last + 1] == w;)
			last++;
		const bool inserted = axis->token[first] < 0;
		count[w] = last + 1 - first;
		labels[w] = joined(axis, first, last, a);
		token[w] = inserted ? -1 : axis->token[next_piece(axis, first, last, -1)];
	}
	*out = (struct axis){.n = n, .labels = labels, .token = token};
	out->names = axis_names(out, a);
	*n_of = count;
}

static size_t several(const size_t *count, size_t n)
{
	size_t out = 0;
	for (size_t i = 0; i < n; i++)
		out += count[i] > 1;
	return out;
}

static void fill(const struct axis *query, const struct axis *key, size_t memory, struct words *out,
		 struct arena *a)
{
	fill_axis(query, out->row, a, &out->query, &out->n_row);
	fill_axis(key, out->col, a, &out->key, &out->n_col);
	out->memory = memory > 0 ? out->col[memory - 1] + 1 : 0;
	out->pieces = query->n + memory;
	out->merged = several(out->n_row, out->query.n);
	if (memory > 0)
		out->merged = several(out->n_col, out->key.n);
}

void words_of(const struct trace *trace, const struct input *in, struct arena *a, struct words *out)
{
	*out = (struct words){.row = groups_of(&trace->query, in, 0, a)};
	out->col = keys_are_units(trace) ? groups_of(&trace->key, in, trace->memory, a)
					 : each_alone(trace->key.n, a);
	fill(&trace->query, &trace->key, trace->memory, out, a);
}

/* ---- the words of two tokenizers ------------------------------------------------------------- */

/* Adds the letters of a label without case, accents, blanks and marks of blanks: tokenizers may take
 * these away. */
static void add_bare(struct strbuf *b, const char *label, struct arena *a)
{
	static const char *const marks[] = {"·", "␣", "↵", "→"};
	size_t len, n;
	const char *const text = unicode_normalize(a, UNICODE_NFKD, label, strlen(label), &len);
	for (const char *at = text; at < text + len; at += n) {
		uint32_t code, lower[2];
		n = text_decode(at, (size_t)(text + len - at), &code);
		bool skip = n == 0 || unicode_space(code) || *unicode_category(code) == 'M';
		for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
			skip |= n == strlen(marks[i]) && memcmp(at, marks[i], n) == 0;
		n = n ? n : 1;
		const size_t letters = skip ? 0 : unicode_lower(code, lower);
		for (size_t i = 0; i < letters; i++)
			strbuf_printf(b, "%" PRIX32 " ", lower[i]);
	}
}

/* A text as the words of an axis spell it, and where each word ends; inserted units spell nothing. */
struct spelled {
	struct strbuf text;
	size_t *end;
};

static void spell(const struct axis *words, struct arena *a, struct spelled *out)
{
	strbuf_init(&out->text, a);
	out->end = arena_calloc(a, words->n + 1, sizeof *out->end);
	for (size_t i = 0; i < words->n; i++) {
		if (words->token[i] >= 0)
			add_bare(&out->text, words->labels[i], a);
		out->end[i] = out->text.len;
	}
}

/* Returns the common word of each word. One ends where the other text has an end too; a word that spells
 * nothing, such as a blank, belongs to the one before it. */
static size_t *common_ends(const struct axis *words, const struct spelled *own,
			   const struct axis *others, const struct spelled *other, struct arena *a)
{
	size_t *const to = arena_calloc(a, words->n + 1, sizeof *to);
	for (size_t i = 1, k = 0; i < words->n; i++) {
		const size_t end = own->end[i - 1];
		const bool inserted = words->token[i] < 0 || words->token[i - 1] < 0;
		while (k < others->n && other->end[k] < end)
			k++;
		const bool both = k < others->n && other->end[k] == end && own->end[i] > end;
		to[i] = to[i - 1] + (inserted || both);
	}
	return to;
}

static void coarsen(struct words *w, const size_t *to, struct arena *a)
{
	const bool keys = axis_same(&w->query, &w->key);
	size_t *const row = arena_calloc(a, w->pieces + 1, sizeof *row);
	struct axis words;
	const size_t *counted;
	fill_axis(&w->query, to, a, &words, &counted);
	size_t *const count = arena_calloc(a, words.n + 1, sizeof *count);
	for (size_t i = 0; i < w->pieces; i++) {
		row[i] = to[w->row[i]];
		count[row[i]]++;
	}
	w->query = words;
	w->row = row;
	w->n_row = count;
	w->merged = several(count, words.n);
	if (!keys)
		return;
	w->key = words;
	w->col = row;
	w->n_col = count;
}

/* Gives the words of y the labels of those of x. */
static void take_labels(struct words *y, const struct words *x, struct arena *a)
{
	const bool keys = axis_same(&y->query, &y->key);
	const char **const labels = arena_calloc(a, y->query.n + 1, sizeof *labels);
	for (size_t i = 0, k = 0; i < y->query.n; i++) {
		while (k < x->query.n && x->query.token[k] < 0)
			k++;
		const bool common = y->query.token[i] >= 0 && k < x->query.n;
		labels[i] = common ? x->query.labels[k] : y->query.labels[i];
		k += common;
	}
	y->query.labels = labels;
	y->query.names = axis_names(&y->query, a);
	if (keys)
		y->key = y->query;
}

bool words_common(struct words *x, struct words *y, struct arena *a)
{
	struct spelled of_x, of_y;
	if (x->memory > 0 || y->memory > 0)
		return false;
	spell(&x->query, a, &of_x);
	spell(&y->query, a, &of_y);
	if (of_x.text.len != of_y.text.len || strcmp(of_x.text.at, of_y.text.at) != 0)
		return false;
	const size_t *const to_x = common_ends(&x->query, &of_x, &y->query, &of_y, a);
	const size_t *const to_y = common_ends(&y->query, &of_y, &x->query, &of_x, a);
	coarsen(x, to_x, a);
	coarsen(y, to_y, a);
	take_labels(y, x, a);
	return true;
}

/* ---- matrices -------------------------------------------------------------------------------- */

enum merge { MERGE_SHARES, MERGE_ALLOWED, MERGE_DEFINED };

/* The sum and the number of the values of each pair of words: of all, and of those that count. */
struct tally {
	struct mat all, some, n;
};

static void tally_add(const struct words *w, struct tally *to, size_t t, size_t s, double value,
		      bool counts)
{
	const size_t row = w->row[t], col = w->col[s];
	mat_row(to->all, row)[col] += isnan(value) ? 0 : value;
	mat_row(to->some, row)[col] += counts ? value : 0;
	mat_row(to->n, row)[col] += counts;
}

static struct mat merged(const struct words *w, struct mat m, const uint8_t *mask, enum merge how,
			 struct arena *a)
{
	if (!m.at)
		return m;
	struct arena scratch;
	arena_init(&scratch);
	const struct mat out = mat_new(a, w->query.n, w->key.n);
	struct tally k = {.all = mat_zero(&scratch, out.rows, out.cols),
			  .some = mat_zero(&scratch, out.rows, out.cols),
			  .n = mat_zero(&scratch, out.rows, out.cols)};
	for (size_t t = 0; t < m.rows; t++)
		for (size_t s = 0; s < m.cols; s++) {
			const double value = mat_row(m, t)[s];
			tally_add(w, &k, t, s, value,
				  how == MERGE_DEFINED ? !isnan(value)
						       : !mask || mask[t * m.cols + s]);
		}
	for (size_t t = 0; t < out.rows; t++)
		for (size_t s = 0; s < out.cols; s++) {
			const double queries = (double)w->n_row[t], n = mat_row(k.n, t)[s];
			mat_row(out, t)[s] =
				how == MERGE_SHARES ? mat_row(k.all, t)[s] / queries
				: n > 0		    ? mat_row(k.some, t)[s] / n
				: how == MERGE_DEFINED
					? NAN
					: mat_row(k.all, t)[s] / (queries * (double)w->n_col[s]);
		}
	arena_release(&scratch);
	return out;
}

/* Returns the means of the rows of each word; `group` is the word of each row, `count` the number of
 * rows of each of n words. */
static struct mat mean_rows(struct mat m, const size_t *group, const size_t *count, size_t n,
			    struct arena *a)
{
	if (!m.at)
		return m;
	const struct mat out = mat_zero(a, n, m.cols);
	for (size_t t = 0; t < m.rows; t++)
		for (size_t c = 0; c < m.cols; c++)
			mat_row(out, group[t])[c] += mat_row(m, t)[c] / (double)count[group[t]];
	return out;
}

static const uint8_t *merged_mask(const struct words *w, const uint8_t *mask, size_t rows,
				  size_t cols, struct arena *a)
{
	if (!mask)
		return NULL;
	uint8_t *const out = arena_calloc(a, w->query.n * w->key.n + 1, 1);
	for (size_t t = 0; t < rows; t++)
		for (size_t s = 0; s < cols; s++)
			out[w->row[t] * w->key.n + w->col[s]] |= mask[t * cols + s];
	return out;
}

static size_t units_in(const size_t *count, size_t n)
{
	size_t out = 0;
	for (size_t i = 0; i < n; i++)
		out += count[i];
	return out;
}

void words_head(const struct words *w, struct trace_head *head, struct arena *a)
{
	const size_t rows = units_in(w->n_row, w->query.n), cols = units_in(w->n_col, w->key.n);
	const uint8_t *const mask = head->mask;
	head->weights = merged(w, head->weights, NULL, MERGE_SHARES, a);
	head->logits = merged(w, head->logits, mask, MERGE_ALLOWED, a);
	head->bias = merged(w, head->bias, mask, MERGE_ALLOWED, a);
	head->before = merged(w, head->before, mask, MERGE_ALLOWED, a);
	head->after = merged(w, head->after, mask, MERGE_ALLOWED, a);
	head->modulation = merged(w, head->modulation, NULL, MERGE_DEFINED, a);
	for (size_t i = 0; i < head->n_terms; i++)
		head->terms[i].at = merged(w, head->terms[i].at, mask, MERGE_ALLOWED, a);
	head->context = mean_rows(head->context, w->row, w->n_row, w->query.n, a);
	head->mask = merged_mask(w, mask, rows, cols, a);
	head->q = head->k = head->v = head->q_raw = head->k_raw = (struct mat){0};
	head->n_changes = 0;
	head->beside = (struct trace_beside){.by = NULL};
	head->n_written = head->n_values = 0;
}

static size_t count_allowed(const struct trace_head *head, size_t cells)
{
	size_t out = 0;
	for (size_t i = 0; i < cells; i++)
		out += !head->mask || head->mask[i];
	return out;
}

/* Counts the pairs of words that heads allow. A head that was not kept is not counted anew: it gets the
 * number of one that was, so that no difference is said of which nothing is known. */
static void count_pairs(struct trace_layer *layer, const bool *kept, size_t heads, size_t cells)
{
	size_t some = 0;
	for (size_t h = 0; h < heads; h++) {
		if (!kept[h])
			continue;
		some = layer->allowed[h] = count_allowed(&layer->heads[h], cells);
	}
	for (size_t h = 0; h < heads; h++)
		layer->allowed[h] = kept[h] || layer->allowed[h] == 0 ? layer->allowed[h] : some;
}

static void merge_layer(const struct words *w, struct trace_layer *layer, size_t heads,
			struct arena *a)
{
	bool kept[MODEL_MAX_HEADS] = {false};
	for (size_t h = 0; h < heads; h++) {
		const struct trace_head *const head = &layer->heads[h];
		kept[h] = head->weights.at || head->logits.at || head->bias.at || head->mask;
		words_head(w, &layer->heads[h], a);
	}
	if (layer->allowed)
		count_pairs(layer, kept, heads, w->query.n * w->key.n);
}

void words_trace(const struct words *w, size_t heads, struct trace *trace, struct arena *a)
{
	const size_t *const group = trace->memory ? w->col : w->row;
	const size_t *const count = trace->memory ? w->n_col : w->n_row;
	const size_t n = trace->memory ? w->key.n : w->query.n;
	for (size_t l = 0; l < trace->n_layers; l++) {
		struct trace_layer *const layer = &trace->layers[l];
		layer->input = mean_rows(layer->input, group, count, n, a);
		layer->output = mean_rows(layer->output, w->row, w->n_row, w->query.n, a);
		merge_layer(w, layer, heads, a);
	}
	trace->units = mean_rows(trace->units, group, count, n, a);
	trace->position_vectors = mean_rows(trace->position_vectors, group, count, n, a);
	trace->last = mean_rows(trace->last, w->row, w->n_row, w->query.n, a);
	trace->query = w->query;
	trace->key = w->key;
	trace->memory = w->memory;
	trace->n_columns = 0;
	trace->relation = (struct relation){0};
	trace->spectrum = (struct spectrum){0};
	struct words *const copy = arena_calloc(a, 1, sizeof *copy);
	*copy = *w;
	trace->words = copy;
}
