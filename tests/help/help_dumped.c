/* help_dumped.c: see help_dumped.h. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "help_dumped.h"

#include "test.h"
#include "help_tensors.h"

/* ---- metadata: compact JSON, searched by its keys -------------------------------------------- */

static const char *value_of(const char *json, const char *key)
{
	char quoted[80];
	snprintf(quoted, sizeof quoted, "\"%s\":", key);
	const char *at = json ? strstr(json, quoted) : NULL;
	if (!at)
		fail_msg("no %s in %s", quoted, json ? json : "nothing");
	return at + strlen(quoted);
}

static const char *word_of(const char *json, const char *key, struct arena *a)
{
	const char *at = value_of(json, key) + 1;
	return arena_printf(a, "%.*s", (int)strcspn(at, "\""), at);
}

static double number_of(const char *json, const char *key)
{
	return strtod(value_of(json, key), NULL);
}

static const char *meta(const struct dumped *f, const char *key)
{
	const char *at = tensor_meta_find(&f->set, key);
	if (!at)
		fail_msg("%s: no %s in the metadata", f->expression, key);
	return at;
}

static void read_members(struct dumped *f)
{
	static const char begin[] = "{\"name\":";
	const char *at = strstr(meta(f, "members"), begin);
	while (at) {
		const char *next = strstr(at + 1, begin);
		const size_t len = next ? (size_t)(next - at) : strlen(at);
		const char *json = arena_printf(f->a, "%.*s", (int)len, at);
		assert_true(f->n_members < DUMPED_MEMBERS);
		f->members[f->n_members++] =
			(struct dumped_member){.json = json,
					       .name = word_of(json, "name", f->a),
					       .scheme = word_of(json, "scheme", f->a),
					       .pos = word_of(json, "pos", f->a)};
		at = next;
	}
}

static size_t count_of(const char *text, const char *what)
{
	size_t n = 0;
	for (const char *at = strstr(text, what); at; at = strstr(at + 1, what))
		n++;
	return n;
}

void dumped_read(struct dumped *f, const char *expression, const void *data, size_t len,
		 struct arena *a)
{
	struct err err = {0};
	*f = (struct dumped){.a = a, .expression = expression};
	tensor_set_init(&f->set, a);
	if (!help_tensors_of(&f->set, expression, data, len, &err))
		fail_msg("%s", err.text);
	const char *model = meta(f, "model");
	f->d = (size_t)number_of(model, "d");
	f->heads = (size_t)number_of(model, "heads");
	f->dk = (size_t)number_of(model, "dk");
	f->dv = (size_t)number_of(model, "dv");
	f->group = f->heads / (size_t)number_of(model, "kv_heads");
	f->c = number_of(model, "c");
	f->eps = number_of(model, "norm_eps");
	f->t_max = number_of(model, "t_max");
	f->gelu = strcmp(word_of(model, "activation", a), "gelu") == 0;
	f->memory = (size_t)number_of(model, "memory");
	f->embed_scale = number_of(model, "embed_scale");
	f->steps = count_of(meta(f, "steps"), "\"layer\":");
	f->n = dumped_get(f, "layer.0.input").rows;
	f->keys = dumped_get(f, "layer.0.head.0.mask").cols;
	read_members(f);
	for (size_t i = 0; i < f->n_members; i++)
		if (strcmp(f->members[i].scheme, "concat") == 0) {
			const size_t width = (size_t)dumped_number(&f->members[i], "width");
			f->beside = width > 0 ? width : f->d / 2;
		}
}

long dumped_step(const struct dumped *f, size_t step, const char *key)
{
	const char *at = meta(f, "steps");
	for (size_t i = 0; i <= step; i++)
		at = strstr(at + 1, "{\"layer\":");
	return (long)number_of(at, key);
}

double dumped_weight(const struct dumped_member *m)
{
	const char *last = NULL;
	for (const char *at = m->json; (at = strstr(at, "\"weight\":")); at++)
		last = at;
	return number_of(last, "weight");
}

double dumped_number(const struct dumped_member *m, const char *param)
{
	return number_of(m->json, param);
}

bool dumped_is(const struct dumped_member *m, const char *param, const char *json)
{
	const char *at = value_of(m->json, param);
	at += *at == '"';
	return strncmp(at, json, strlen(json)) == 0 && strchr("\",}", at[strlen(json)]);
}

double dumped_list(const struct dumped_member *m, const char *param, size_t i, size_t *n)
{
	const char *at = value_of(m->json, param);
	double found = NAN;
	*n = 0;
	while (*at != ']') {
		char *end;
		const double x = strtod(at + 1, &end);
		if (end == at + 1)
			break;
		if (*n == i)
			found = x;
		*n += 1;
		at = end;
	}
	return found;
}

bool dumped_acts(const struct dumped_member *m, const char *list, size_t i)
{
	size_t n = 1;
	for (size_t k = 0; k < n; k++)
		if (fabs(dumped_list(m, list, k, &n) - (double)i) < 0.5)
			return true;
	return false;
}

/* ---- tensors --------------------------------------------------------------------------------- */

static struct mat find(const struct dumped *f, bool needed, const char *fmt, va_list args)
{
	char name[256];
	vsnprintf(name, sizeof name, fmt, args);
	const struct tensor *t = tensor_find(&f->set, name);
	if (!t && needed)
		fail_msg("%s: the dump has no %s", f->expression, name);
	return t ? tensor_mat(t) : (struct mat){0};
}

struct mat dumped_find(const struct dumped *f, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	const struct mat m = find(f, false, fmt, args);
	va_end(args);
	return m;
}

struct mat dumped_get(const struct dumped *f, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	const struct mat m = find(f, true, fmt, args);
	va_end(args);
	return m;
}

/* ---- loops ----------------------------------------------------------------------------------- */

struct mat loop_zero(struct arena *a, size_t rows, size_t cols)
{
	return (struct mat){rows, cols, cols, arena_calloc(a, rows * cols + 1, sizeof(double))};
}

void loop_scale(struct mat x, double by)
{
	for (size_t t = 0; t < x.rows; t++)
		for (size_t s = 0; s < x.cols; s++)
			mat_row(x, t)[s] *= by;
}

struct mat loop_cols(struct mat x, size_t from, size_t n)
{
	return (struct mat){x.rows, n, x.stride, x.at + from};
}

struct mat loop_behind(struct mat x, size_t first)
{
	return (struct mat){x.rows - first, x.cols, x.stride, x.at + first * x.stride};
}

struct mat loop_copy(struct arena *a, struct mat x)
{
	const struct mat out = loop_zero(a, x.rows, x.cols);
	for (size_t i = 0; i < x.rows; i++)
		for (size_t j = 0; j < x.cols; j++)
			mat_row(out, i)[j] = mat_row(x, i)[j];
	return out;
}

double loop_dot(const double *x, const double *y, size_t n)
{
	double sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += x[i] * y[i];
	return sum;
}

struct mat loop_mul(struct arena *a, struct mat x, struct mat y)
{
	const struct mat out = loop_zero(a, x.rows, y.cols);
	assert_int_equal(x.cols, y.rows);
	for (size_t i = 0; i < x.rows; i++)
		for (size_t k = 0; k < x.cols; k++)
			for (size_t j = 0; j < y.cols; j++)
				mat_row(out, i)[j] += mat_row(x, i)[k] * mat_row(y, k)[j];
	return out;
}

struct mat loop_outer(struct arena *a, double c, struct mat x, struct mat y)
{
	const struct mat out = loop_zero(a, x.rows, y.rows);
	assert_int_equal(x.cols, y.cols);
	for (size_t i = 0; i < x.rows; i++)
		for (size_t j = 0; j < y.rows; j++)
			mat_row(out, i)[j] = c * loop_dot(mat_row(x, i), mat_row(y, j), x.cols);
	return out;
}

void loop_add(struct mat to, struct mat x)
{
	for (size_t i = 0; i < to.rows; i++)
		for (size_t j = 0; j < to.cols; j++)
			mat_row(to, i)[j] += mat_row(x, x.rows == 1 ? 0 : i)[j];
}

double loop_apart(struct mat x, struct mat y)
{
	double most = 0, apart = 0;
	if (x.rows != y.rows || x.cols != y.cols)
		return INFINITY;
	for (size_t i = 0; i < x.rows; i++)
		for (size_t j = 0; j < x.cols; j++) {
			const double by = fabs(mat_row(x, i)[j] - mat_row(y, i)[j]);
			most = fmax(most, fabs(mat_row(y, i)[j]));
			apart = by <= apart ? apart : by; /* keeps a NaN */
		}
	return apart / (1 + most);
}
