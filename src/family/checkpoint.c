/* checkpoint.c: the weights of a trained model, found by the names of its family. */
#include "posviz/family/checkpoint.h"

#include <math.h>
#include <string.h>

#include "family/reading.h"
#include "posviz/base/text.h"

/* ---- names ----------------------------------------------------------------------------------- */

static bool is_last(const struct family_weight *row)
{
	return !row->name && !row->gguf;
}

/* Returns the tensor of a row: the product's, or its bias. Norms of the first years are gamma and
 * beta. */
static const struct tensor_entry *entry_of(const struct checkpoint *c,
					   const struct family_weight *row, size_t layer, bool bias)
{
	static const char *const endings[2][2] = {{"weight", "gamma"}, {"bias", "beta"}};
	const struct tensor_entry *e = NULL;
	const bool gguf = tensor_file_is_gguf(c->file);
	const char *const pattern = gguf ? row->gguf : row->name;
	struct arena a;
	if (!pattern)
		return NULL;
	arena_init(&a);
	const char *const name = family_of_layer(pattern, (long)layer, &a);
	for (size_t i = 0; !e && i < (gguf ? 1 : 2); i++)
		e = tensor_file_find(
			c->file, arena_printf(&a, "%s%s.%s", c->prefix, name, endings[bias][i]));
	arena_release(&a);
	return e;
}

static const char *name_of(const struct checkpoint *c, const struct family_weight *row,
			   size_t layer, struct arena *a)
{
	const char *const pattern = tensor_file_is_gguf(c->file) ? row->gguf : row->name;
	return arena_printf(a, "%s%s.weight", c->prefix,
			    family_of_layer(pattern ? pattern : "", (long)layer, a));
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
	{EMBED_WEIGHT, false, {HOLDS_EMBED_NORM}, 1},
	{EMBED_BIAS, true, {HOLDS_EMBED_NORM}, 1},
	{FINAL_WEIGHT, false, {HOLDS_FINAL_NORM}, 1},
	{FINAL_BIAS, true, {HOLDS_FINAL_NORM}, 1},
};

static size_t place_of(enum weight which)
{
	size_t i = 0;
	while (i < sizeof places / sizeof *places && places[i].which != which)
		i++;
	BUG_IF(i == sizeof places / sizeof *places);
	return i;
}

/* A weight in a file: the row of the family, and its tensor. */
struct found {
	const struct family_weight *row;
	const struct tensor_entry *entry;
};

static bool find(const struct checkpoint *c, size_t layer, enum weight which, struct found *out)
{
	const size_t at = place_of(which);
	for (const struct family_weight *row = c->known->weights; !is_last(row); row++)
		for (size_t i = 0; i < places[at].n; i++) {
			if (row->what != places[at].in[i])
				continue;
			out->row = row;
			out->entry = entry_of(c, row, layer, places[at].bias);
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

/* The norm in front of a projection is as wide as the table of words, and is taken with it. */
static bool has(const struct weight_source *s, size_t layer, enum weight which)
{
	const struct checkpoint *const c = s->context;
	struct found f;
	return ((which != EMBED_WEIGHT && which != EMBED_BIAS) || c->block.embed_norm) &&
	       find(c, layer, which, &f);
}

/* Reads a whole tensor, stored [in, out], and takes columns. */
static bool read_turned(const struct checkpoint *c, const struct tensor_entry *e,
			const struct rows *r, struct mat out, struct err *err)
{
	struct arena a;
	arena_init(&a);
	const struct mat all = mat_new(&a, tensor_entry_rows(e), tensor_entry_cols(e));
	const bool ok = tensor_file_rows(c->file, e, 0, all.rows, all.at, err);
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

static bool read_rows(const struct checkpoint *c, const struct tensor_entry *e,
		      const struct rows *r, struct mat out, struct err *err)
{
	for (size_t b = 0; b < r->blocks; b++)
		if (!tensor_file_rows(c->file, e, r->from + b * r->every, r->n,
				      mat_row(out, b * r->n), err))
			return false;
	return true;
}

/* Refuses NaN and infinity, by the tensor's name. */
static bool is_finite(const struct checkpoint *c, const struct tensor_entry *e, struct mat m,
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

static bool read_weight(const struct weight_source *s, size_t layer, enum weight which,
			struct mat out, struct err *err)
{
	const struct checkpoint *const c = s->context;
	struct found f;
	if (!find(c, layer, which, &f))
		BUG("weight %d of layer %zu", (int)which, layer);
	const bool vector = tensor_entry_rows(f.entry) == 1;
	const struct rows r = rows_of(c->known, f.row->what, which, vector ? out.cols : out.rows);
	const bool in_out = f.row->in_out && !tensor_file_is_gguf(c->file);
	const bool ok = vector	 ? read_vector(c, &f, &r, out, err)
			: in_out ? read_turned(c, f.entry, &r, out, err)
				 : read_rows(c, f.entry, &r, out, err);
	return ok && is_finite(c, f.entry, out, err);
}

/* ---- opening --------------------------------------------------------------------------------- */

static bool refuse(const struct checkpoint *c, struct err *err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static bool refuse(const struct checkpoint *c, struct err *err, const char *fmt, ...)
{
	struct arena a;
	va_list args;
	arena_init(&a);
	va_start(args, fmt);
	const char *const says = arena_vprintf(&a, fmt, args);
	va_end(args);
	err_set(err, "%s: %s", text_quote(&a, c->path, strlen(c->path)), says);
	arena_release(&a);
	return false;
}

/* Returns the rows and columns of the tensor of a row, as the sizes say. */
static void shape_of(const struct checkpoint *c, enum held what, size_t *rows, size_t *cols)
{
	const struct known *const k = c->known;
	const size_t d = (size_t)k->d, ff = k->ff > 0 ? (size_t)k->ff : 4 * d;
	const size_t q = (size_t)(k->heads * k->head_dim), v = (size_t)(k->heads * k->value_dim);
	const size_t keys = (size_t)(k->kv_heads * k->head_dim);
	const size_t values = (size_t)(k->kv_heads * k->value_dim);
	*cols = d;
	*rows = 1;
	switch (what) {
	case HOLDS_Q:
		*rows = q;
		break;
	case HOLDS_K:
		*rows = keys;
		break;
	case HOLDS_V:
		*rows = values;
		break;
	case HOLDS_QKV_PARTS:
	case HOLDS_QKV_GROUPS:
		*rows = q + keys + values;
		break;
	case HOLDS_O:
		*rows = d;
		*cols = v;
		break;
	case HOLDS_GATE:
	case HOLDS_UP:
		*rows = ff;
		break;
	case HOLDS_GATE_UP:
		*rows = 2 * ff;
		break;
	case HOLDS_DOWN:
		*rows = d;
		*cols = ff;
		break;
	default:
		break;
	}
}

static bool check_shape(const struct checkpoint *c, const struct family_weight *row,
			const struct tensor_entry *e, struct err *err)
{
	size_t rows, cols;
	char name[300];
	shape_of(c, row->what, &rows, &cols);
	const bool turned = row->in_out && !tensor_file_is_gguf(c->file);
	const size_t has_rows = turned ? tensor_entry_cols(e) : tensor_entry_rows(e);
	const size_t has_cols = turned ? tensor_entry_rows(e) : tensor_entry_cols(e);
	text_quote_buf(name, sizeof name, e->name, strlen(e->name));
	if (e->unread)
		return refuse(c, err, "%s: %s", name, e->unread);
	return (has_rows == rows && has_cols == cols) ||
	       refuse(c, err, "%s is %zu x %zu; its configuration says %zu x %zu", name,
		      tensor_entry_rows(e), tensor_entry_cols(e), turned ? cols : rows,
		      turned ? rows : cols);
}

static bool is_of_words(enum held what)
{
	return what == HOLDS_WORDS || what == HOLDS_SEGMENTS || what == HOLDS_PROJECTION;
}

/* Returns whether a layer has experts in the place of one feed-forward part. */
static bool has_experts(const struct checkpoint *c, size_t layer)
{
	struct arena a;
	bool any = false;
	arena_init(&a);
	const char *const part = arena_printf(&a, "layers.%zu.", layer);
	for (size_t i = 0; !any && i < tensor_file_count(c->file); i++) {
		const char *const name = tensor_file_at(c->file, i)->name;
		const char *const at = strstr(name, part);
		any = at && strstr(at, "experts");
	}
	arena_release(&a);
	return any;
}

static bool feeds(enum held what)
{
	return what == HOLDS_GATE || what == HOLDS_UP || what == HOLDS_GATE_UP ||
	       what == HOLDS_DOWN;
}

static bool check_row(const struct checkpoint *c, const struct family_weight *row, size_t layer,
		      struct err *err)
{
	const struct tensor_entry *const e = entry_of(c, row, layer, false);
	const bool gguf = tensor_file_is_gguf(c->file);
	struct arena a;
	if (e)
		return is_of_words(row->what) || row->what == HOLDS_EMBED_NORM ||
		       check_shape(c, row, e, err);
	if (row->optional || (gguf ? !row->gguf : !row->name))
		return true;
	if (feeds(row->what) && has_experts(c, layer))
		return true;
	arena_init(&a);
	const char *const name = name_of(c, row, layer, &a);
	refuse(c, err, "there is no %s; of this family the files have one",
	       text_quote(&a, name, strlen(name)));
	arena_release(&a);
	return false;
}

static bool of_layers(const struct family_weight *row)
{
	return row->name ? strstr(row->name, "%L") != NULL : strstr(row->gguf, "%L") != NULL;
}

static bool check_all(const struct checkpoint *c, struct err *err)
{
	const char *const packed = tensor_file_packed(c->file);
	struct found f;
	if (packed)
		return refuse(c, err, "%s", packed);
	for (const struct family_weight *row = c->known->weights; !is_last(row); row++)
		for (size_t l = 0; l < (of_layers(row) ? (size_t)c->known->layers : 1); l++)
			if (!check_row(c, row, l, err))
				return false;
	for (size_t l = 0; l < (size_t)c->known->layers; l++)
		if (!has_experts(c, l) &&
		    (!find(c, l, W_FF1, &f) || (c->block.gated && !find(c, l, W_GATE, &f))))
			return refuse(c, err, "layer %zu has no feed-forward part", l + 1);
	return true;
}

static const struct family_weight *row_of(const struct checkpoint *c, enum held what)
{
	for (const struct family_weight *row = c->known->weights; !is_last(row); row++)
		if (row->what == what && entry_of(c, row, 0, false))
			return row;
	return NULL;
}

/* Finds what stands in front of all names, by the table of words. */
static bool find_prefix(struct checkpoint *c, struct arena *a, struct err *err)
{
	const struct family_weight *row = c->known->weights;
	c->prefix = "";
	for (; !is_last(row); row++) {
		if (row->what != HOLDS_WORDS || tensor_file_is_gguf(c->file))
			continue;
		const char *const name = arena_printf(a, "%s.weight", row->name);
		const struct tensor_entry *const e = family_find_tensor(c->file, name);
		if (!e)
			continue;
		c->prefix = arena_strndup(a, e->name, strlen(e->name) - strlen(name));
		return true;
	}
	return row_of(c, HOLDS_WORDS) || refuse(c, err, "there is no table of word vectors");
}

static bool read_activation(struct checkpoint *c, struct err *err)
{
	static const struct {
		const char *name;
		enum activation is;
	} rows[] = {{"relu", ACT_RELU},
		    {"gelu", ACT_GELU},
		    {"gelu_python", ACT_GELU},
		    {"gelu_new", ACT_GELU_TANH},
		    {"gelu_pytorch_tanh", ACT_GELU_TANH},
		    {"gated-gelu", ACT_GELU_TANH},
		    {"bloom_gelu", ACT_GELU_BLOOM},
		    {"gelu_fast", ACT_GELU_FAST},
		    {"quick_gelu", ACT_GELU_QUICK},
		    {"silu", ACT_SILU},
		    {"swish", ACT_SILU},
		    {"gated-silu", ACT_SILU}};
	const char *const is = c->known->block.activation;
	for (size_t i = 0; is && i < sizeof rows / sizeof *rows; i++)
		if (strcmp(rows[i].name, is) == 0) {
			c->activation = rows[i].is;
			return true;
		}
	return refuse(c, err, "the activation %.60s is not computed here", is ? is : "");
}

static void take_block(struct checkpoint *c)
{
	const struct block_rule *const b = &c->known->block;
	c->block = (struct block){.norm = b->norm,
				  .order = b->order,
				  .apart = b->apart,
				  .gated = b->gated,
				  .bare_first = b->bare_first,
				  .normed_residual = b->normed_residual,
				  .embed_norm = row_of(c, HOLDS_EMBED_NORM) != NULL &&
						!row_of(c, HOLDS_PROJECTION),
				  .final_norm = row_of(c, HOLDS_FINAL_NORM) != NULL};
}

static bool is_known(const struct checkpoint *c, struct err *err)
{
	const struct known *const k = c->known;
	if (k->weights && k->expression)
		return true;
	if (!k->expression)
		return refuse(c, err, "its positions are not known; posviz check says why");
	return refuse(c, err, "the layers of %s are not computed here%s%s", k->title,
		      k->unread ? ": " : "", k->unread ? k->unread : "");
}

struct checkpoint *checkpoint_open(const char *path, struct arena *a, struct err *err)
{
	struct checkpoint *const c = arena_calloc(a, 1, sizeof *c);
	struct known *const k = arena_calloc(a, 1, sizeof *k);
	c->arena = a;
	c->path = arena_strdup(a, path);
	c->known = k;
	if (!family_read(path, a, k, err) || !is_known(c, err))
		return NULL;
	c->file = tensor_file_open_in(a, path, err);
	if (!c->file || !find_prefix(c, a, err) || !read_activation(c, err))
		return NULL;
	take_block(c);
	if (tensor_file_is_gguf(c->file) && c->activation == ACT_GELU_BLOOM)
		c->activation = ACT_GELU_TANH;
	c->source = (struct weight_source){.context = c, .has = has, .read = read_weight};
	return check_all(c, err) ? c : NULL;
}

/* ---- the model ------------------------------------------------------------------------------- */

bool checkpoint_configure(const struct checkpoint *c, struct model_config *config, struct err *err)
{
	const struct known *const k = c->known;
	const struct {
		const char *name;
		size_t asked, has;
	} rows[] = {{"d-model", config->d, (size_t)k->d},
		    {"heads", config->heads, (size_t)k->heads},
		    {"head-dim", model_dk(config), (size_t)k->head_dim},
		    {"value-dim", model_dv(config), (size_t)k->value_dim},
		    {"kv-heads", model_kv_heads(config), (size_t)k->kv_heads}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].asked != rows[i].has)
			return refuse(c, err, "%s: %zu, and the model has %zu", rows[i].name,
				      rows[i].asked, rows[i].has);
	if (config->layers > (size_t)k->layers)
		return refuse(c, err, "layers: %zu, and the model has %ld", config->layers,
			      k->layers);
	for (size_t l = 0; l < config->layers; l++)
		if (has_experts(c, l))
			return refuse(
				c, err, "layer %zu has experts, which are not computed here%s",
				l + 1,
				l > 0 ? arena_printf(c->arena, "; --layers %zu would be right", l)
				      : "");
	config->ff = k->ff > 0 ? (size_t)k->ff : 4 * config->d;
	config->block = c->block;
	config->activation = c->activation;
	config->norm_eps = k->block.eps;
	config->embed_scale = k->embed_factor > 0 ? k->embed_factor : 1;
	config->scale = k->scale;
	return true;
}

static bool read_table_row(const struct checkpoint *c, const struct tensor_entry *e, long id,
			   const char *what, struct mat out, struct err *err)
{
	const size_t rows = tensor_entry_rows(e);
	if (id < 0 || (size_t)id >= rows)
		return refuse(c, err, "%s %ld: there are %zu; from 0 to %zu would be right", what,
			      id, rows, rows - 1);
	return tensor_file_rows(c->file, e, (size_t)id, 1, out.at, err) &&
	       is_finite(c, e, out, err);
}

/* Reads the vectors of words and adds those of segments, at the width of their tables. */
static bool read_vectors(const struct checkpoint *c, const long *ids, const size_t *segments,
			 struct mat out, struct err *err)
{
	const struct family_weight *const types = row_of(c, HOLDS_SEGMENTS);
	const struct tensor_entry *const words = entry_of(c, row_of(c, HOLDS_WORDS), 0, false);
	const struct tensor_entry *const e = types ? entry_of(c, types, 0, false) : NULL;
	struct arena a;
	bool ok = true;
	arena_init(&a);
	const struct mat type = mat_new(&a, 1, out.cols);
	if (e && tensor_entry_cols(e) != out.cols)
		ok = refuse(c, err, "vectors of segments are %zu wide, and those of words %zu",
			    tensor_entry_cols(e), out.cols);
	for (size_t i = 0; i < out.rows && ok; i++) {
		const struct mat row = mat_rows(out, i, 1);
		ok = read_table_row(c, words, ids[i], "id", row, err) &&
		     (!e || read_table_row(c, e, (long)segments[i], "segment", type, err));
		for (size_t j = 0; ok && e && j < out.cols; j++)
			row.at[j] += type.at[j];
	}
	arena_release(&a);
	return ok;
}

/* Takes the norm at the width of the table, and projects to that of the model. */
static bool project(const struct checkpoint *c, struct mat narrow, struct arena *a, struct mat *out,
		    struct err *err)
{
	const struct tensor_entry *const e = entry_of(c, row_of(c, HOLDS_PROJECTION), 0, false);
	const struct tensor_entry *const b = entry_of(c, row_of(c, HOLDS_PROJECTION), 0, true);
	const size_t d = (size_t)c->known->d, width = narrow.cols;
	const struct mat norm = mat_new(a, 2, width), w = mat_new(a, d, width);
	const struct mat bias = mat_zero(a, 1, d);
	const struct family_weight *const row = row_of(c, HOLDS_EMBED_NORM);
	if (tensor_entry_rows(e) != d || tensor_entry_cols(e) != width || !row ||
	    tensor_entry_cols(entry_of(c, row, 0, false)) != width)
		return refuse(c, err,
			      "the projection of word vectors is %zu x %zu; %zu x %zu would "
			      "be right",
			      tensor_entry_rows(e), tensor_entry_cols(e), d, width);
	if (!tensor_file_rows(c->file, entry_of(c, row, 0, false), 0, 1, mat_row(norm, 0), err) ||
	    !tensor_file_rows(c->file, entry_of(c, row, 0, true), 0, 1, mat_row(norm, 1), err) ||
	    !tensor_file_rows(c->file, e, 0, d, w.at, err) ||
	    (b && !tensor_file_rows(c->file, b, 0, 1, bias.at, err)))
		return false;
	struct tape t;
	tape_init(&t, a, false);
	struct node *x = tape_layer_norm(&t, tape_const(&t, narrow), c->known->block.eps);
	x = tape_mul(&t, x, tape_const(&t, mat_rows(norm, 0, 1)));
	x = tape_add(&t, x, tape_const(&t, mat_rows(norm, 1, 1)));
	x = tape_matmul(&t, x, false, tape_const(&t, w), true, 1);
	*out = tape_add(&t, x, tape_const(&t, bias))->v;
	return is_finite(c, e, *out, err);
}

bool checkpoint_vectors(const struct checkpoint *c, const long *ids, const size_t *segments,
			size_t n, struct arena *a, struct mat *out, struct err *err)
{
	const struct tensor_entry *const words = entry_of(c, row_of(c, HOLDS_WORDS), 0, false);
	const struct mat m = mat_new(a, n, tensor_entry_cols(words));
	if (!read_vectors(c, ids, segments, m, err))
		return false;
	if (row_of(c, HOLDS_PROJECTION))
		return project(c, m, a, out, err);
	*out = m;
	return m.cols == (size_t)c->known->d ||
	       refuse(c, err, "word vectors are %zu wide, and the model %ld", m.cols, c->known->d);
}
