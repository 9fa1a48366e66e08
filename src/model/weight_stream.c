/* weight_stream.c: products with weights that a source brings, without matrices of them.
 *
 * A layer is used once in a pass, and as doubles its weights are many times larger than a cache. So
 * each thread reads some rows, converts them, and multiplies by them while they are in its cache.
 * Where blocks end decides the last digits, so it follows from the sizes alone. */
#include <stdatomic.h>

#include "model_in.h"
#include "posviz/math/machine.h"

enum {
	BLOCK = 1 << 16, /* numbers of a block, 512 KB, if the rows of x are few */
	UNIT = 16,	 /* rows that a kernel of BLAS handles at once */
};

struct stream {
	struct run *run;
	const struct weight_source *source;
	size_t layer, outs; /* the layer whose weights are used; the outputs of the whole weight */
	enum weight which;
	size_t first; /* row of the weight that makes the first column of `out` */
	struct mat x, out, whole;
	size_t per_block;
	atomic_bool failed;
	pthread_mutex_t lock;
	struct err err;
};

static void fail(struct stream *s, const struct err *err)
{
	pthread_mutex_lock(&s->lock);
	if (!atomic_exchange(&s->failed, true))
		s->err = *err;
	pthread_mutex_unlock(&s->lock);
}

static bool goes_on(struct stream *s)
{
	struct err err;
	if (atomic_load(&s->failed))
		return false;
	if (!run_cancelled(s->run))
		return true;
	err_set(&err, "cancelled");
	fail(s, &err);
	return false;
}

/* Some columns of x·Wᵀ, with rows of W that are [out, in] in the files. */
static void multiply_rows(void *context, size_t i, size_t worker)
{
	struct stream *const s = context;
	struct arena *const a = &s->run->private->stream[worker];
	struct err err;
	const size_t at = i * s->per_block, left = s->out.cols - at;
	const size_t n = left < s->per_block ? left : s->per_block;
	if (!goes_on(s))
		return;
	arena_clear(a);
	const struct mat rows = mat_new(a, n, s->x.cols);
	if (s->source->rows(s->source, s->layer, s->which, s->outs, s->first + at, rows, &err))
		mat_mul(mat_cols(s->out, at, n), 1, s->x, false, rows, true, 0);
	else
		fail(s, &err);
}

/* Some rows of a weight that is [in, out] in the files. */
static void read_rows(void *context, size_t i, size_t worker)
{
	struct stream *const s = context;
	struct err err;
	(void)worker;
	const size_t at = i * s->per_block, left = s->whole.rows - at;
	const size_t n = left < s->per_block ? left : s->per_block;
	if (goes_on(s) && !s->source->rows(s->source, s->layer, s->which, s->outs, at,
					   mat_rows(s->whole, at, n), &err))
		fail(s, &err);
}

static size_t blocks_of(const struct stream *s, size_t rows)
{
	return (rows + s->per_block - 1) / s->per_block;
}

static size_t rounded(size_t rows)
{
	return (rows + UNIT - 1) / UNIT * UNIT;
}

/* A block has at least as many rows as x: BLAS copies x for each. */
static size_t rows_of_block(size_t n, size_t cols)
{
	return rounded(BLOCK / cols > n ? BLOCK / cols : n);
}

double weight_stream_numbers(const struct model *model, size_t layer, enum weight which, size_t n)
{
	const struct weight_source *const s = model->given->source;
	size_t rows, cols;
	weight_shape(model, which, &rows, &cols);
	if (s->in_out(s, layer, which))
		return (double)rows * (double)cols;
	const size_t block = rows_of_block(n, rows);
	return (double)machine_threads() * (double)(block < cols ? block : cols) * (double)rows;
}

static void multiply_by_rows(struct stream *s)
{
	s->per_block = rows_of_block(s->x.rows, s->x.cols);
	machine_parallel(blocks_of(s, s->out.cols), multiply_rows, s);
}

static void multiply_by_whole(struct stream *s)
{
	struct arena own;
	arena_init(&own);
	s->whole = mat_new(&own, s->x.cols, s->outs);
	s->per_block = rounded(BLOCK / s->outs);
	machine_parallel(blocks_of(s, s->whole.rows), read_rows, s);
	if (goes_on(s))
		mat_mul(s->out, 1, s->x, false, mat_cols(s->whole, s->first, s->out.cols), false,
			0);
	arena_release(&own);
}

/* Looks for numbers that are not finite in the weight, if they are in its product. */
static void check(struct stream *s)
{
	struct arena own;
	struct err err;
	if (!goes_on(s) || mat_is_finite(s->out))
		return;
	arena_init(&own);
	const struct mat whole = mat_new(&own, s->outs, s->x.cols);
	if (!s->source->read(s->source, s->layer, s->which, whole, &err))
		fail(s, &err);
	arena_release(&own);
}

struct mat weight_stream(struct run *run, struct arena *a, struct mat x, enum weight which,
			 size_t first, size_t n)
{
	struct run_private *const p = run->private;
	size_t rows, cols;
	weight_shape(run->model, which, &rows, &cols);
	BUG_IF(x.cols != rows || first + n > cols);
	struct stream s = {.run = run,
			   .source = run->model->given->source,
			   .layer = run->model->weights_of[run->layer],
			   .outs = cols,
			   .which = which,
			   .first = first,
			   .x = x,
			   .out = mat_new(a, x.rows, n),
			   .lock = PTHREAD_MUTEX_INITIALIZER};
	if (s.source->in_out(s.source, s.layer, which))
		multiply_by_whole(&s);
	else
		multiply_by_rows(&s);
	check(&s);
	pthread_mutex_destroy(&s.lock);
	if (atomic_load(&s.failed)) {
		mat_fill(s.out, 0);
		pthread_mutex_lock(&p->keep_lock);
		if (!p->unread)
			p->why_unread = s.err;
		p->unread = true;
		pthread_mutex_unlock(&p->keep_lock);
	}
	return s.out;
}
