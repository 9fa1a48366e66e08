/* checkpoint_weights.c: the weights of a trained model, found by the names of its family: which tensor has
 * them, and which of its rows. */
#include <string.h>

#include "family/checkpoint_in.h"
#include "posviz/base/text.h"

/* ---- names ----------------------------------------------------------------------------------- */

/* Returns the tensor of a row: the product's, or its bias. Norms of the first years are gamma and
 * beta. */
const struct tensor_entry *checkpoint_part(const struct checkpoint *c,
					   const struct family_weight *row, size_t layer,
					   size_t expert, bool bias)
{
	static const char *const endings[2][2] = {{"weight", "gamma"}, {"bias", "beta"}};
	const struct tensor_entry *e = NULL;
	const bool gguf = tensor_file_is_gguf(c->file);
	const char *const pattern = gguf ? row->gguf : row->name;
	struct arena a;
	if (!pattern)
		return NULL;
	arena_init(&a);
	const char *const name =
		family_numbered(family_of_layer(pattern, (long)layer, &a), "%E", (long)expert, &a);
	if (row->bare)
		e = tensor_file_find(
			c->file, arena_printf(&a, "%s%s%s", c->prefix, name, bias ? "_bias" : ""));
	for (size_t i = 0; !row->bare && !e && i < (gguf ? 1 : 2); i++)
		e = tensor_file_find(
			c->file, arena_printf(&a, "%s%s.%s", c->prefix, name, endings[bias][i]));
	arena_release(&a);
	return e;
}

const struct tensor_entry *checkpoint_entry(const struct checkpoint *c,
					    const struct family_weight *row, size_t layer,
					    bool bias)
{
	return checkpoint_part(c, row, layer, 0, bias);
}

/* Returns how many rows of a tensor are one of its matrix: [d, h, dk] is read as [d, h·dk]. */
static size_t rows_as_one(const struct family_weight *row, const struct tensor_entry *e)
{
	return row->by_head && e->dims == 3 ? e->shape[1] : 1;
}

size_t checkpoint_rows(const struct family_weight *row, const struct tensor_entry *e)
{
	return tensor_entry_rows(e) / rows_as_one(row, e);
}

size_t checkpoint_cols(const struct family_weight *row, const struct tensor_entry *e)
{
	return tensor_entry_cols(e) * rows_as_one(row, e);
}

static bool file_rows(const struct checkpoint *c, const struct found *f, size_t first, size_t n,
		      double *out, struct err *err)
{
	const size_t by = rows_as_one(f->row, f->entry);
	return tensor_file_rows(c->file, f->entry, first * by, n * by, out, err);
}

/* ---- which rows of which tensor ---------------------------------------------------------------- */

/* Each weight is in the first of these tensors that a file has. */
static const struct {
	enum weight which;
	bool bias;
	enum held in[3];
	size_t n;
} places[] = {
	{W_Q, false, {HOLDS_Q, HOLDS_QKV_PARTS, HOLDS_QKV_GROUPS}, 3},
	{W_K, false, {HOLDS_K, HOLDS_QKV_PARTS, HOLDS_QKV_GROUPS}, 3},
	{W_V, false, {HOLDS_V, HOLDS_QKV_PARTS, HOLDS_QKV_GROUPS}, 3},
	{B_Q, true, {HOLDS_Q, HOLDS_QKV_PARTS, HOLDS_QKV_GROUPS}, 3},
	{B_K, true, {HOLDS_K, HOLDS_QKV_PARTS, HOLDS_QKV_GROUPS}, 3},
	{B_V, true, {HOLDS_V, HOLDS_QKV_PARTS, HOLDS_QKV_GROUPS}, 3},
	{W_O, false, {HOLDS_O}, 1},
	{B_O, true, {HOLDS_O}, 1},
	{LN1_WEIGHT, false, {HOLDS_NORM_1}, 1},
	{LN1_BIAS, true, {HOLDS_NORM_1}, 1},
	{W_FF1, false, {HOLDS_UP, HOLDS_GATE_UP}, 2},
	{B_FF1, true, {HOLDS_UP, HOLDS_GATE_UP}, 2},
	{W_FF2, false, {HOLDS_DOWN}, 1},
	{B_FF2, true, {HOLDS_DOWN}, 1},
	{LN2_WEIGHT, false, {HOLDS_NORM_2}, 1},
	{LN2_BIAS, true, {HOLDS_NORM_2}, 1},
	{W_GATE, false, {HOLDS_GATE, HOLDS_GATE_UP}, 2},
	{B_GATE, true, {HOLDS_GATE, HOLDS_GATE_UP}, 2},
	{LN3_WEIGHT, false, {HOLDS_NORM_3}, 1},
	{LN3_BIAS, true, {HOLDS_NORM_3}, 1},
	{LN4_WEIGHT, false, {HOLDS_NORM_4}, 1},
	{LN4_BIAS, true, {HOLDS_NORM_4}, 1},
	{CROSS_W_Q, false, {HOLDS_CROSS_Q}, 1},
	{CROSS_W_K, false, {HOLDS_CROSS_K}, 1},
	{CROSS_W_V, false, {HOLDS_CROSS_V}, 1},
	{CROSS_B_Q, true, {HOLDS_CROSS_Q}, 1},
	{CROSS_B_K, true, {HOLDS_CROSS_K}, 1},
	{CROSS_B_V, true, {HOLDS_CROSS_V}, 1},
	{CROSS_W_O, false, {HOLDS_CROSS_O}, 1},
	{CROSS_B_O, true, {HOLDS_CROSS_O}, 1},
	{CROSS_LN_WEIGHT, false, {HOLDS_CROSS_NORM}, 1},
	{CROSS_LN_BIAS, true, {HOLDS_CROSS_NORM}, 1},
	{W_ROUTER, false, {HOLDS_ROUTER}, 1},
	{B_ROUTER, true, {HOLDS_ROUTER}, 1},
	{ROUTER_SHIFT, false, {HOLDS_ROUTER_SHIFT}, 1},
	{W_SHARED_UP, false, {HOLDS_SHARED_UP}, 1},
	{W_SHARED_GATE, false, {HOLDS_SHARED_GATE}, 1},
	{W_SHARED_DOWN, false, {HOLDS_SHARED_DOWN}, 1},
	{W_SHARED_SWITCH, false, {HOLDS_SHARED_SWITCH}, 1},
	{EMBED_WEIGHT, false, {HOLDS_EMBED_NORM}, 1},
	{EMBED_BIAS, true, {HOLDS_EMBED_NORM}, 1},
	{W_PROJECT, false, {HOLDS_PROJECTION}, 1},
	{B_PROJECT, true, {HOLDS_PROJECTION}, 1},
	{FINAL_WEIGHT, false, {HOLDS_FINAL_NORM}, 1},
	{FINAL_BIAS, true, {HOLDS_FINAL_NORM}, 1},
};

enum { PLACES = sizeof places / sizeof *places };

/* Returns the row of a weight; PLACES: no family has it. */
static size_t place_of(enum weight which)
{
	size_t i = 0;
	while (i < PLACES && places[i].which != which)
		i++;
	return i;
}

bool checkpoint_find(const struct checkpoint *c, size_t layer, enum weight which, struct found *out)
{
	const size_t at = place_of(which);
	for (const struct family_weight *row = c->known->weights; (row->name || row->gguf); row++)
		for (size_t i = 0; at < PLACES && i < places[at].n; i++) {
			if (row->what != places[at].in[i])
				continue;
			out->row = row;
			out->entry = checkpoint_entry(c, row, layer, places[at].bias);
			if (out->entry)
				return true;
		}
	return false;
}

/* Rows [from, from + n) of what a tensor holds, out of all of them, then the next block of `every`. */
struct rows {
	size_t from, n, blocks, every, all;
};

/* Returns the rows that a weight has in a tensor of several. */
static struct rows rows_of(const struct known *k, enum held what, enum weight which, size_t n)
{
	const size_t dk = (size_t)k->head_dim, dv = (size_t)k->value_dim;
	const size_t heads = (size_t)k->heads, kv = (size_t)k->kv_heads, group = heads / kv;
	const bool q = which == W_Q || which == B_Q, v = which == W_V || which == B_V;
	switch (what) {
	case HOLDS_QKV_PARTS:
		return (struct rows){.from = q	 ? 0
					     : v ? (heads + kv) * dk
						 : heads * dk,
				     .n = n,
				     .blocks = 1,
				     .all = (heads + kv) * dk + kv * dv};
	case HOLDS_QKV_GROUPS:
		return (struct rows){.from = q	 ? 0
					     : v ? (group + 1) * dk
						 : group * dk,
				     .n = n / kv,
				     .blocks = kv,
				     .every = (group + 1) * dk + dv,
				     .all = kv * ((group + 1) * dk + dv)};
	case HOLDS_GATE_UP:
		return (struct rows){.from = which == W_GATE || which == B_GATE ? 0 : n,
				     .n = n,
				     .blocks = 1,
				     .all = 2 * n};
	default:
		return (struct rows){.n = n, .blocks = 1, .all = n};
	}
}

/* ---- reading --------------------------------------------------------------------------------- */

bool checkpoint_has(const struct weight_source *s, size_t layer, enum weight which)
{
	struct found f;
	return checkpoint_find(s->context, layer, which, &f);
}

/* Reads a whole tensor, stored [in, out], and takes columns. */
static bool read_turned(const struct checkpoint *c, const struct found *f, const struct rows *r,
			struct mat out, struct err *err)
{
	struct arena a;
	arena_init(&a);
	const struct mat all =
		mat_new(&a, checkpoint_rows(f->row, f->entry), checkpoint_cols(f->row, f->entry));
	const bool ok = file_rows(c, f, 0, all.rows, all.at, err);
	for (size_t b = 0; ok && b < r->blocks; b++)
		for (size_t i = 0; i < r->n; i++)
			for (size_t in = 0; in < all.rows; in++)
				mat_row(out, b * r->n + i)[in] =
					mat_row(all, in)[r->from + b * r->every + i];
	arena_release(&a);
	return ok;
}

static bool read_vector(const struct checkpoint *c, const struct found *f, const struct rows *r,
			struct mat out, struct err *err)
{
	struct arena a;
	arena_init(&a);
	double *const all = arena_calloc(&a, tensor_entry_cols(f->entry) + 1, sizeof *all);
	const double more = f->row->plus_one && !tensor_file_is_gguf(c->file) ? 1 : 0;
	const bool ok = tensor_file_rows(c->file, f->entry, 0, 1, all, err);
	for (size_t b = 0; ok && b < r->blocks; b++)
		for (size_t i = 0; i < r->n; i++)
			out.at[b * r->n + i] = all[r->from + b * r->every + i] + more;
	arena_release(&a);
	return ok;
}

static bool read_rows(const struct checkpoint *c, const struct found *f, const struct rows *r,
		      struct mat out, struct err *err)
{
	for (size_t b = 0; b < r->blocks; b++)
		if (!file_rows(c, f, r->from + b * r->every, r->n, mat_row(out, b * r->n), err))
			return false;
	return true;
}

bool checkpoint_finite(const struct checkpoint *c, const struct tensor_entry *e, struct mat m,
		       struct err *err)
{
	double worst = 0;
	for (size_t i = 0; i < m.rows * m.cols; i++)
		worst += m.at[i] * 0; /* NaN if any is not finite */
	if (worst == 0)
		return true;
	char file[120], name[200];
	return err_set(err, "%s: %s has numbers that are not finite",
		       text_quote_buf(file, sizeof file, c->path, strlen(c->path)),
		       text_quote_buf(name, sizeof name, e->name, strlen(e->name)));
}

bool checkpoint_read(const struct weight_source *s, size_t layer, enum weight which, struct mat out,
		     struct err *err)
{
	const struct checkpoint *const c = s->context;
	struct found f;
	if (!checkpoint_find(c, layer, which, &f))
		BUG("weight %d of layer %zu", (int)which, layer);
	const bool vector = tensor_entry_rows(f.entry) == 1;
	const struct rows r = rows_of(c->known, f.row->what, which, vector ? out.cols : out.rows);
	const bool in_out = f.row->in_out && !tensor_file_is_gguf(c->file);
	const bool ok = vector	 ? read_vector(c, &f, &r, out, err)
			: in_out ? read_turned(c, &f, &r, out, err)
				 : read_rows(c, &f, &r, out, err);
	return ok && checkpoint_finite(c, f.entry, out, err);
}

bool checkpoint_in_out(const struct weight_source *s, size_t layer, enum weight which)
{
	const struct checkpoint *const c = s->context;
	struct found f;
	return checkpoint_find(c, layer, which, &f) && f.row->in_out &&
	       !tensor_file_is_gguf(c->file);
}

/* Reads whole rows of a tensor [in, out] and takes columns. */
static bool read_columns(const struct checkpoint *c, const struct found *f, const struct rows *r,
			 size_t first, struct mat out, struct err *err)
{
	struct arena a;
	const size_t cols = checkpoint_cols(f->row, f->entry);
	if (r->blocks == 1 && out.cols == cols && out.stride == cols)
		return file_rows(c, f, first, out.rows, out.at, err);
	arena_init(&a);
	const struct mat all = mat_new(&a, out.rows, cols);
	const bool ok = file_rows(c, f, first, out.rows, all.at, err);
	for (size_t b = 0; ok && b < r->blocks; b++)
		mat_set(mat_cols(out, b * r->n, r->n), mat_cols(all, r->from + b * r->every, r->n));
	arena_release(&a);
	return ok;
}

/* Reads rows first.. of those that a weight has in a tensor [out, in], block by block. */
static bool read_some_rows(const struct checkpoint *c, const struct found *f, const struct rows *r,
			   size_t first, struct mat out, struct err *err)
{
	for (size_t i = 0, n; i < out.rows; i += n) {
		const size_t block = (first + i) / r->n, within = (first + i) % r->n;
		n = r->n - within < out.rows - i ? r->n - within : out.rows - i;
		if (!file_rows(c, f, r->from + block * r->every + within, n, mat_row(out, i), err))
			return false;
	}
	return true;
}

bool checkpoint_read_rows(const struct weight_source *s, size_t layer, enum weight which,
			  size_t outs, size_t first, struct mat out, struct err *err)
{
	const struct checkpoint *const c = s->context;
	struct found f;
	if (!checkpoint_find(c, layer, which, &f))
		BUG("weight %d of layer %zu", (int)which, layer);
	const bool turned = f.row->in_out && !tensor_file_is_gguf(c->file);
	const struct rows r = rows_of(c->known, f.row->what, which, outs);
	return turned ? read_columns(c, &f, &r, first, out, err)
		      : read_some_rows(c, &f, &r, first, out, err);
}
