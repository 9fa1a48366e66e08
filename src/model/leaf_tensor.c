/* leaf_tensor.c: tensors of a file in the form that leaves need: a selection of rows, and
 * kernels stored in another layout. */
#include <string.h>

#include "model_in.h"
#include "posviz/base/num.h"
#include "posviz/base/text.h"

/* Parses "3", "1:12", ":4" or "2:": rows from 0, the end excluded. */
static bool parse_range(const char *text, size_t len, size_t rows, long *from, long *to,
			struct err *err)
{
	const char *colon = memchr(text, ':', len);
	const size_t first = colon ? (size_t)(colon - text) : len,
		     last = colon ? len - first - 1 : 0;
	const long most = (long)rows;
	*from = 0;
	*to = most;
	if ((first || !colon) && !num_parse_long(text, first, 0, most - 1, from, err))
		return false;
	if (!colon)
		*to = *from + 1;
	return !last || num_parse_long(colon + 1, last, *from + 1, most, to, err);
}

/* Parses the rows in the order in which they are written, with repetitions: out[*n], or only
 * their number. */
static bool parse_rows(const char *text, size_t len, size_t rows, size_t *out, size_t *n,
		       struct err *err)
{
	for (size_t at = 0; at <= len;) {
		const char *comma = memchr(text + at, ',', len - at);
		const size_t end = comma ? (size_t)(comma - text) : len;
		long from, to;
		if (!parse_range(text + at, end - at, rows, &from, &to, err))
			return false;
		for (; from < to; from++, (*n)++)
			if (out)
				out[*n] = (size_t)from;
		at = end + 1;
	}
	return true;
}

/* Reads rows in the order of the list, those that follow each other in the tensor at once. */
static bool read_rows(const struct tensor_set *set, const struct tensor *t, const size_t *rows,
		      struct mat out, struct err *err)
{
	for (size_t i = 0, n; i < out.rows; i += n) {
		for (n = 1; i + n < out.rows && rows[i + n] == rows[i] + n;)
			n++;
		if (!tensor_load_rows(set, t, rows[i], n, mat_row(out, i), err))
			return false;
	}
	return true;
}

/* The entries of a vector are its rows. */
static struct tensor as_column(const struct tensor *t)
{
	struct tensor out = *t;
	if (t->dims == 1) {
		out.dims = 2;
		out.shape[1] = 1;
	}
	return out;
}

static bool take_rows(const struct tensor_set *set, const struct tensor *t, const char *spec,
		      const char *open, bool numbers, struct arena *a, const struct tensor **out,
		      struct err *err)
{
	if (numbers && t->dims == 1 && !(t = tensor_load(set, t, a, err)))
		return err_prefix(err, "params: ");
	const struct tensor whole = as_column(t);
	const struct mat m = tensor_mat(&whole);
	const size_t len = strlen(open) - 2; /* between the brackets */
	size_t n = 0, at = 0;
	if (!parse_rows(open + 1, len, m.rows, NULL, &n, err))
		return err_prefix(err, "map: rows of %s: ", text_quote(a, spec, strlen(spec)));
	if (numbers && !tensor_load_fits(set, &whole, n, err))
		return err_prefix(err, "params: ");
	size_t *rows = arena_calloc(a, n, sizeof *rows);
	parse_rows(open + 1, len, m.rows, rows, &at, err);
	const struct mat taken = numbers ? mat_new(a, n, m.cols) : mat_view(NULL, n, m.cols);
	if (numbers && !read_rows(set, &whole, rows, taken, err))
		return err_prefix(err, "params: ");
	struct tensor *own = arena_calloc(a, 1, sizeof *own);
	*own = (struct tensor){.name = spec, .dims = 2, .shape = {n, m.cols}, .at = taken.at};
	if (t->dims == 1)
		own->dims = 1;
	*out = own;
	return true;
}

/* Norms of some models are stored minus 1. */
static bool add_one(const struct tensor_set *set, const struct tensor *t, const char *spec,
		    struct arena *a, const struct tensor **out, struct err *err)
{
	t = tensor_load(set, t, a, err);
	if (!t)
		return err_prefix(err, "params: ");
	const struct mat m = tensor_mat(t), sum = mat_new(a, m.rows, m.cols);
	for (size_t i = 0; i < m.rows * m.cols; i++)
		sum.at[i] = m.at[i] + 1;
	struct tensor *own = arena_calloc(a, 1, sizeof *own);
	*own = *t;
	own->name = spec;
	own->at = sum.at;
	*out = own;
	return true;
}

/* Files of models hold matrices of products as [out, in]. */
static bool turn(const struct tensor_set *set, const struct tensor *t, const char *spec,
		 bool numbers, struct arena *a, const struct tensor **out, struct err *err)
{
	const struct mat shape = tensor_mat(t);
	struct mat turned = mat_view(NULL, shape.cols, shape.rows);
	if (numbers && !(t = tensor_load(set, t, a, err)))
		return err_prefix(err, "params: ");
	if (numbers) {
		const struct mat m = tensor_mat(t);
		turned = mat_new(a, m.cols, m.rows);
		for (size_t r = 0; r < m.rows; r++)
			for (size_t c = 0; c < m.cols; c++)
				mat_row(turned, c)[r] = mat_row(m, r)[c];
	}
	struct tensor *own = arena_calloc(a, 1, sizeof *own);
	*own = (struct tensor){
		.name = spec, .dims = 2, .shape = {turned.rows, turned.cols}, .at = turned.at};
	*out = own;
	return true;
}

/* The keys and values of all heads from their latent vectors, [rank, heads·(content + value)], out of those of llama.cpp:
 * keys [heads, rank, content] and values [heads, value, rank]. */
static bool join(const struct tensor_set *set, const struct tensor *keys,
		 const struct tensor *values, const char *spec, bool numbers, struct arena *a,
		 const struct tensor **out, struct err *err)
{
	const size_t heads = keys->shape[0], rank = keys->dims == 3 ? keys->shape[1] : 0;
	if (keys->dims != 3 || values->dims != 3 || values->shape[0] != heads ||
	    values->shape[2] != rank)
		return err_set(err,
			       "map: %s: keys of heads x rank x content and values of heads x "
			       "value x rank would be right",
			       text_quote(a, spec, strlen(spec)));
	const size_t content = keys->shape[2], value = values->shape[1], each = content + value;
	struct mat at = mat_view(NULL, rank, heads * each);
	if (numbers && (!(keys = tensor_load(set, keys, a, err)) ||
			!(values = tensor_load(set, values, a, err))))
		return err_prefix(err, "params: ");
	if (numbers)
		at = mat_new(a, at.rows, at.cols);
	for (size_t r = 0; numbers && r < rank; r++)
		for (size_t c = 0; c < at.cols; c++) {
			const size_t h = c / each, i = c % each;
			mat_row(at, r)[c] =
				i < content ? keys->at[(h * rank + r) * content + i]
					    : values->at[(h * value + i - content) * rank + r];
		}
	struct tensor *own = arena_calloc(a, 1, sizeof *own);
	*own = (struct tensor){.name = spec, .dims = 2, .shape = {at.rows, at.cols}, .at = at.at};
	*out = own;
	return true;
}

bool leaf_tensor_find(const struct tensor_set *set, const char *spec, bool numbers, struct arena *a,
		      const struct tensor **out, struct err *err)
{
	*out = tensor_find(set, spec);
	const size_t len = strlen(spec);
	if (!*out && len > 2 && strcmp(spec + len - 2, "+1") == 0) {
		*out = tensor_find(set, arena_strndup(a, spec, len - 2));
		return !*out || !numbers || add_one(set, *out, spec, a, out, err);
	}
	if (!*out && len > 2 && strcmp(spec + len - 2, "^T") == 0) {
		const struct tensor *const t = tensor_find(set, arena_strndup(a, spec, len - 2));
		return !t || turn(set, t, spec, numbers, a, out, err);
	}
	const char *const second = strchr(spec, '&');
	if (!*out && second) {
		const struct tensor *const keys =
			tensor_find(set, arena_strndup(a, spec, (size_t)(second - spec)));
		const struct tensor *const values = tensor_find(set, second + 1);
		return !keys || !values || join(set, keys, values, spec, numbers, a, out, err);
	}
	const char *open = strrchr(spec, '[');
	if (*out || !open || spec[len - 1] != ']')
		return true;
	const struct tensor *whole =
		tensor_find(set, arena_strndup(a, spec, (size_t)(open - spec)));
	return !whole || take_rows(set, whole, spec, open, numbers, a, out, err);
}

const struct tensor *leaf_tensor_heads(const struct tensor *t, size_t rows, size_t cols,
				       struct arena *a)
{
	if (t->dims != 3 || t->shape[0] != rows || t->shape[1] * t->shape[2] != cols)
		return t;
	struct tensor *own = arena_calloc(a, 1, sizeof *own);
	*own = *t;
	own->dims = 2;
	own->shape[1] = cols;
	return own;
}

const struct tensor *leaf_tensor_kernel(const struct tensor *t, size_t taps, size_t rows,
					size_t cols, struct arena *a)
{
	const size_t in = taps ? rows / taps : 0;
	if (!in || t->dims != 3 || t->shape[0] != cols || t->shape[1] != in || t->shape[2] != taps)
		return t;
	const struct mat turned = t->at ? mat_new(a, rows, cols) : mat_view(NULL, rows, cols);
	for (size_t o = 0; t->at && o < cols; o++)
		for (size_t i = 0; i < in; i++)
			for (size_t j = 0; j < taps; j++)
				mat_row(turned, j * in + i)[o] = t->at[(o * in + i) * taps + j];
	struct tensor *own = arena_calloc(a, 1, sizeof *own);
	*own = (struct tensor){.name = t->name, .dims = 2, .shape = {rows, cols}, .at = turned.at};
	return own;
}
