/* kexue_buckets.c: T5's buckets of distances, as a table, a matrix and a curve. */
#include "fig.h"

/* FAR + 1 tokens have all distances from 0 to FAR; PRINTED is the last that the source prints. */
enum { FAR = 128, PRINTED = 30, SHOWN = 32 };

static const double as_printed[PRINTED + 1] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  8,  8,
					       8,  9,  9,  9,  9,  10, 10, 10, 10, 10, 10,
					       10, 10, 11, 11, 11, 11, 11, 11, 11};

/* The bucket of each pair, query i and key j. [FAR+1, FAR+1] */
static struct mat buckets(struct fig *f, const char *scheme)
{
	const struct fig_run *const r =
		fig_run(f,
			arena_printf(f->a, "scheme %s\nd-model 4\nheads 1\nlayers 1\nsentence %s\n",
				     scheme, fig_words(f, FAR + 1)),
			WANT_RELATION);
	return r ? fig_relation(f, r) : (struct mat){0};
}

/* The buckets of all keys before the query: out[i−j] */
static double *by_distance(struct fig *f, struct mat m)
{
	double *const out = arena_calloc(f->a, FAR + 1, sizeof *out);
	for (size_t k = 0; k <= FAR; k++)
		out[k] = mat_row(m, k)[0];
	return out;
}

/* "16 – 22", "91 …": the distances of a bucket among n; "" where there are none. */
static const char *range_of(struct fig *f, const double *bucket, size_t n, double which)
{
	size_t first = 0, last = n;
	while (first < n && bucket[first] != which)
		first++;
	if (first == n)
		return "";
	while (bucket[last - 1] != which)
		last--;
	return last == n	   ? arena_printf(f->a, "%zu …", first)
	       : last == first + 1 ? arena_printf(f->a, "%zu", first)
				   : arena_printf(f->a, "%zu – %zu", first, last - 1);
}

/* A row for each bucket, but one for all that are a distance each. */
static void draw_table(struct fig *f, const double *bucket)
{
	enum { COLS = 3, SINGLE = 8, BUCKETS = 16, ROWS = BUCKETS - SINGLE + 1 };
	static const char *const head[COLS] = {"bucket", "i − j", "printed"};
	const char **const cells = arena_calloc(f->a, ROWS * COLS, sizeof *cells);
	struct panel *const p = fig_panel(f, "table", "Distances of a bucket", 1, 1, 1, 2);
	cells[0] = cells[1] = cells[2] = "0 … 7";
	for (size_t i = 1; i < ROWS; i++) {
		const double which = (double)(SINGLE + i - 1);
		cells[i * COLS] = arena_printf(f->a, "%.0f", which);
		cells[i * COLS + 1] = range_of(f, bucket, FAR + 1, which);
		cells[i * COLS + 2] = range_of(f, as_printed, PRINTED + 1, which);
	}
	fig_table(f, p, head, COLS, cells, ROWS, 0);
}

static void draw_curves(struct fig *f, const double *both, const double *past)
{
	struct panel *const p = fig_panel(f, "curve", "Bucket by distance", 0, 1, 1, 0);
	fig_curves(f, p, "distance i − j", "bucket");
	p->curves.integer_x = true;
	fig_curve(f, p, "encoder", FAR + 1, fig_steps(f, 0, 1, FAR + 1), both);
	fig_curve(f, p, "decoder", FAR + 1, fig_steps(f, 0, 1, FAR + 1), past);
	p->subtitle = "32 buckets: of an encoder 16 for each side, of a decoder all for the past";
}

static void say(struct fig *f, const double *bucket, struct mat m, const double *past)
{
	static const size_t at[] = {7, 8, 11, 12, 15, 16, 22, 23, 24, 30, 128};
	size_t agree = 0;
	for (size_t k = 0; k <= PRINTED; k++)
		agree += bucket[k] == as_printed[k];
	fig_number(f, "as-printed", (double)agree, "of the 31 printed distances");
	for (size_t i = 0; i < sizeof at / sizeof *at; i++)
		fig_number(f, arena_printf(f->a, "bucket.%zu", at[i]), bucket[at[i]],
			   "the bucket of this distance to an earlier key");
	fig_number(f, "later.1", mat_row(m, 0)[1], "the bucket of the next key");
	fig_number(f, "later.128", mat_row(m, 0)[FAR], "the bucket of the key 128 later");
	fig_number(f, "decoder.15", past[15], "the bucket of distance 15 in a decoder");
	fig_number(f, "decoder.16", past[16], "the bucket of distance 16 in a decoder");
	fig_number(f, "decoder.18", past[18], "the bucket of distance 18 in a decoder");
}

void draw_kexue_buckets(struct fig *f)
{
	const struct mat both = buckets(f, "t5"), past = buckets(f, "t5(causal=on)");
	if (!both.at || !past.at)
		return;
	struct panel *const map = fig_panel(f, "buckets", "Bucket of each pair", 0, 0, 1, 1);
	const struct mat shown = mat_copy(f->a, mat_cols(mat_rows(both, 0, SHOWN), 0, SHOWN));
	fig_map(f, map, NULL, shown, &(struct paint){0});
	fig_axes(f, map, "query i", 1, "key j", 1);
	map->heatmap.integers = true;
	map->subtitle = "0 to 15 for keys before the query, 17 to 31 for keys behind it";
	draw_curves(f, by_distance(f, both), by_distance(f, past));
	draw_table(f, by_distance(f, both));
	map->rows = 2;
	f->out->row_weight[0] = 4;
	f->out->row_weight[1] = 6;
	say(f, by_distance(f, both), both, by_distance(f, past));
}
