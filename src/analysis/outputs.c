/* outputs.c: outputs of attention, and the contributions of keys to them. */
#include "posviz/analysis/outputs.h"

#include <math.h>
#include <string.h>

#include "posviz/math/rows.h"

/* The addends of a head for every pair: by[t][s] · vectors[row[t][s]], which lie in the columns
 * from `first` on. */
struct output_source {
	struct mat vectors, by;
	const int32_t *row; /* NULL: row s */
	size_t first;
};

/* A head, and where it writes. */
struct writer {
	const struct trace_head *head;
	struct mat w_o; /* [dk, width]; at NULL: the identity */
	size_t first;	/* first column of its output */
};

struct writers {
	struct writer *at;
	size_t n, width;
	bool projected;
};

static struct mat weight_of(const struct trace_layer *layer, const char *name)
{
	for (size_t i = 0; i < layer->n_weights; i++)
		if (strcmp(layer->weights[i].name, name) == 0)
			return layer->weights[i].at;
	return (struct mat){0};
}

static struct writers writers_of(const struct trace *trace, size_t step, size_t head, size_t heads,
				 struct arena *a)
{
	const struct trace_layer *const layer = &trace->layers[step];
	const struct mat w_o = weight_of(layer, "w_o");
	const bool all = head == heads;
	struct writers out = {.at = arena_calloc(a, heads, sizeof *out.at),
			      .n = all ? heads : 1,
			      .projected = w_o.at != NULL};
	for (size_t i = 0; i < out.n; i++) {
		const size_t h = all ? i : head;
		struct writer *const w = &out.at[i];
		w->head = &layer->heads[h];
		const size_t dk = w->head->written[0].at.cols;
		w->w_o = w_o.at ? mat_rows(w_o, h * dk, dk) : w_o;
		w->first = w_o.at ? 0 : i * dk;
		out.width = w_o.at ? w_o.cols : out.n * dk;
	}
	return out;
}

/* Returns m W_o, in the head's own columns if W_o is the identity. */
static struct mat projected(const struct writer *w, struct mat m, struct arena *a)
{
	if (!w->w_o.at)
		return m;
	const struct mat out = mat_new(a, m.rows, w->w_o.cols);
	mat_mul(out, 1, m, false, w->w_o, false, 0);
	return out;
}

static void add_at(struct mat sum, struct mat m, size_t first)
{
	for (size_t t = 0; t < m.rows; t++)
		for (size_t c = 0; c < m.cols; c++)
			mat_row(sum, t)[first + c] += mat_row(m, t)[c];
}

/* ---- summands -------------------------------------------------------------------------------- */

static double mean_length(struct mat m)
{
	return m.rows > 0 ? mat_norm(m) / sqrt((double)m.rows) : 0;
}

static struct output_term *term_named(struct outputs *o, const struct trace_written *w)
{
	for (size_t i = 0; i < o->n_terms; i++)
		if (strcmp(o->terms[i].label, w->label) == 0)
			return &o->terms[i];
	return NULL;
}

/* Adds up the summands of the same name of all heads. */
static void make_terms(const struct writers *ws, size_t n_q, struct arena *a, struct outputs *o)
{
	o->terms = arena_calloc(a, ws->n * MODEL_MAX_WRITTEN, sizeof *o->terms);
	o->at = mat_zero(a, n_q, ws->width);
	for (size_t i = 0; i < ws->n; i++)
		for (size_t k = 0; k < ws->at[i].head->n_written; k++) {
			const struct trace_written *const w = &ws->at[i].head->written[k];
			struct output_term *t = term_named(o, w);
			if (!t) {
				t = &o->terms[o->n_terms++];
				*t = (struct output_term){.label = w->label,
							  .kind = w->kind,
							  .of_values = k < ws->at[i].head->n_values,
							  .by_keys = true,
							  .at = mat_zero(a, n_q, ws->width)};
			}
			t->by_keys &= w->vectors.at != NULL;
			const struct mat m = projected(&ws->at[i], w->at, a);
			add_at(t->at, m, ws->at[i].first);
			add_at(o->at, m, ws->at[i].first);
		}
	const double all = mat_dot(o->at, o->at);
	o->norm = mean_length(o->at);
	for (size_t i = 0; i < o->n_terms; i++) {
		o->terms[i].norm = mean_length(o->terms[i].at);
		o->terms[i].share = all > 0 ? mat_dot(o->terms[i].at, o->at) / all : NAN;
	}
}

/* ---- contributions --------------------------------------------------------------------------- */

static struct mat scaled(struct mat m, double by, struct arena *a)
{
	const struct mat out = mat_copy(a, m);
	for (size_t i = 0; i < out.rows * out.cols; i++)
		out.at[i] *= by;
	return out;
}

/* Returns v, the sum of its parts. */
static struct mat values_of(const struct trace_head *head, struct arena *a)
{
	const struct mat out =
		mat_zero(a, head->written[0].vectors.rows, head->written[0].vectors.cols);
	for (size_t i = 0; i < head->n_values; i++)
		add_at(out, head->written[i].vectors, 0);
	return out;
}

static void make_sources(const struct writers *ws, size_t n_k, struct arena *a, struct outputs *o)
{
	o->sources = arena_calloc(a, ws->n * MODEL_MAX_WRITTEN, sizeof *o->sources);
	o->values = mat_zero(a, n_k, ws->width);
	for (size_t i = 0; i < ws->n; i++) {
		const struct writer *const w = &ws->at[i];
		const struct mat v = projected(w, values_of(w->head, a), a);
		add_at(o->values, v, w->first);
		o->sources[o->n_sources++] = (struct output_source){
			.vectors = v, .by = w->head->weights, .first = w->first};
		for (size_t k = w->head->n_values; k < w->head->n_written; k++) {
			const struct trace_written *const m = &w->head->written[k];
			if (!m->vectors.at)
				continue;
			o->sources[o->n_sources++] = (struct output_source){
				.vectors = scaled(projected(w, m->vectors, a), m->weight, a),
				.by = m->by.at ? m->by : w->head->weights,
				.row = m->row,
				.first = w->first};
		}
	}
}

/* Adds what key s contributes to query t to a vector. */
static void contribute(const struct outputs *o, size_t t, size_t s, double *to)
{
	for (size_t i = 0; i < o->n_sources; i++) {
		const struct output_source *const from = &o->sources[i];
		const size_t n_k = from->by.cols;
		const int32_t row = from->row ? from->row[t * n_k + s] : (int32_t)s;
		const double by = mat_row(from->by, t)[s];
		if (row < 0)
			continue;
		const double *const v = mat_row(from->vectors, (size_t)row);
		for (size_t c = 0; c < from->vectors.cols; c++)
			to[from->first + c] += by * v[c];
	}
}

static void norms_of_rows(void *context, size_t first, size_t count)
{
	struct outputs *const o = context;
	struct arena scratch;
	arena_init(&scratch);
	const size_t width = o->at.cols;
	double *const v = arena_alloc(&scratch, (width + 1) * sizeof *v);
	for (size_t t = first; t < first + count; t++)
		for (size_t s = 0; s < o->norms.cols; s++) {
			memset(v, 0, width * sizeof *v);
			contribute(o, t, s, v);
			mat_row(o->norms, t)[s] = mat_norm(mat_view(v, 1, width));
		}
	arena_release(&scratch);
}

/* With nothing but values of one head a norm is a product: |α_ts| ‖v_s W_o‖. */
static void norms_of_values(struct outputs *o)
{
	const struct output_source *const from = &o->sources[0];
	for (size_t s = 0; s < o->norms.cols; s++) {
		const double length = mat_norm(mat_rows(from->vectors, s, 1));
		for (size_t t = 0; t < o->norms.rows; t++)
			mat_row(o->norms, t)[s] = fabs(mat_row(from->by, t)[s]) * length;
	}
}

static const char *no_contributions(const struct writers *ws)
{
	for (size_t i = 0; i < ws->n; i++)
		if (ws->at[i].head->n_values == 0)
			return "every feature of a value has weights of its own here, so a key has "
			       "no single weight that its value could be multiplied by";
	return NULL;
}

void outputs_make(const struct trace *trace, size_t step, size_t head, size_t heads,
		  struct arena *a, struct outputs *out)
{
	const struct writers ws = writers_of(trace, step, head, heads, a);
	const size_t n_q = trace->query.n;
	*out = (struct outputs){
		.projected = ws.projected, .heads = ws.n, .why = no_contributions(&ws)};
	make_terms(&ws, n_q, a, out);
	if (out->why)
		return;
	const size_t n_k = ws.at[0].head->weights.cols;
	make_sources(&ws, n_k, a, out);
	out->norms = mat_new(a, n_q, n_k);
	if (out->n_sources == 1)
		norms_of_values(out);
	else
		rows_parallel(n_q, rows_products(n_k * out->n_sources * ws.width / ws.n + 1),
			      norms_of_rows, out);
}

struct mat outputs_of_query(const struct outputs *o, size_t t, struct arena *a)
{
	if (!o->norms.at)
		return (struct mat){0};
	const struct mat out = mat_zero(a, o->norms.cols, o->at.cols);
	for (size_t s = 0; s < out.rows; s++)
		contribute(o, t, s, mat_row(out, s));
	return out;
}

struct mat outputs_contexts(const struct trace *trace, size_t step, size_t head, size_t heads,
			    struct arena *a)
{
	const size_t first = head == heads ? 0 : head, n = head == heads ? heads : 1;
	struct mat out = {0};
	for (size_t i = 0; i < n; i++) {
		const struct mat m = step < trace->n_layers
					     ? trace->layers[step].heads[first + i].context
					     : (struct mat){0};
		if (!m.at)
			return (struct mat){0};
		if (!out.at)
			out = mat_zero(a, m.rows, n * m.cols);
		add_at(out, m, i * m.cols);
	}
	return out;
}

double outputs_apart(struct mat x, struct mat y)
{
	double squares = 0;
	if (x.rows != y.rows || x.cols != y.cols)
		return NAN;
	for (size_t t = 0; t < x.rows; t++)
		for (size_t c = 0; c < x.cols; c++)
			squares += pow(mat_row(x, t)[c] - mat_row(y, t)[c], 2);
	const double most = fmax(mat_norm(x), mat_norm(y));
	return most > 0 ? sqrt(squares) / most : 0;
}
