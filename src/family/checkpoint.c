/* checkpoint.c: the weights of a trained model, found by the names of its family. */
#include <math.h>
#include <string.h>

#include "family/checkpoint_in.h"
#include "posviz/base/text.h"
#include "posviz/format/file.h"

/* ---- names ----------------------------------------------------------------------------------- */

static bool is_last(const struct family_weight *row)
{
	return !row->name && !row->gguf;
}

/* Returns the tensor of a row: the product's, or its bias. Norms of the first years are gamma and
 * beta. */
const struct tensor_entry *checkpoint_entry(const struct checkpoint *c,
					    const struct family_weight *row, size_t layer,
					    bool bias)
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

/* The norm of words in front of a projection has their width, and belongs to the vectors. */
static bool has(const struct weight_source *s, size_t layer, enum weight which)
{
	const struct checkpoint *const c = s->context;
	struct found f;
	const bool of_words = which == EMBED_WEIGHT || which == EMBED_BIAS;
	return !(of_words && !c->block.embed_norm) && find(c, layer, which, &f);
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

bool checkpoint_finite(const struct checkpoint *c, const struct tensor_entry *e, struct mat m,
		       struct err *err)
{
	if (mat_is_finite(m))
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
	return ok && checkpoint_finite(c, f.entry, out, err);
}

static bool in_out(const struct weight_source *s, size_t layer, enum weight which)
{
	const struct checkpoint *const c = s->context;
	struct found f;
	return find(c, layer, which, &f) && f.row->in_out && !tensor_file_is_gguf(c->file);
}

/* Reads whole rows of a tensor [in, out] and takes columns. */
static bool read_columns(const struct checkpoint *c, const struct tensor_entry *e,
			 const struct rows *r, size_t first, struct mat out, struct err *err)
{
	struct arena a;
	if (r->blocks == 1 && out.cols == tensor_entry_cols(e) && out.stride == out.cols)
		return tensor_file_rows(c->file, e, first, out.rows, out.at, err);
	arena_init(&a);
	const struct mat all = mat_new(&a, out.rows, tensor_entry_cols(e));
	const bool ok = tensor_file_rows(c->file, e, first, out.rows, all.at, err);
	for (size_t b = 0; ok && b < r->blocks; b++)
		mat_set(mat_cols(out, b * r->n, r->n), mat_cols(all, r->from + b * r->every, r->n));
	arena_release(&a);
	return ok;
}

/* Reads rows first.. of those that a weight has in a tensor [out, in], block by block. */
static bool read_some_rows(const struct checkpoint *c, const struct tensor_entry *e,
			   const struct rows *r, size_t first, struct mat out, struct err *err)
{
	for (size_t i = 0, n; i < out.rows; i += n) {
		const size_t block = (first + i) / r->n, within = (first + i) % r->n;
		n = r->n - within < out.rows - i ? r->n - within : out.rows - i;
		if (!tensor_file_rows(c->file, e, r->from + block * r->every + within, n,
				      mat_row(out, i), err))
			return false;
	}
	return true;
}

static bool read_stored(const struct weight_source *s, size_t layer, enum weight which, size_t outs,
			size_t first, struct mat out, struct err *err)
{
	const struct checkpoint *const c = s->context;
	struct found f;
	if (!find(c, layer, which, &f))
		BUG("weight %d of layer %zu", (int)which, layer);
	const bool turned = f.row->in_out && !tensor_file_is_gguf(c->file);
	const struct rows r = rows_of(c->known, f.row->what, which, outs);
	return turned ? read_columns(c, f.entry, &r, first, out, err)
		      : read_some_rows(c, f.entry, &r, first, out, err);
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
	const struct tensor_entry *const e = checkpoint_entry(c, row, layer, false);
	const bool gguf = tensor_file_is_gguf(c->file);
	struct arena a;
	if (e)
		return is_of_words(row->what) ||
		       (row->what == HOLDS_EMBED_NORM && !c->block.embed_norm) ||
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

const struct family_weight *checkpoint_row(const struct checkpoint *c, enum held what)
{
	for (const struct family_weight *row = c->known->weights; !is_last(row); row++)
		if (row->what == what && checkpoint_entry(c, row, 0, false))
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
	return checkpoint_row(c, HOLDS_WORDS) ||
	       refuse(c, err, "there is no table of word vectors");
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
				  .embed_norm = checkpoint_row(c, HOLDS_EMBED_NORM) != NULL &&
						!checkpoint_row(c, HOLDS_PROJECTION),
				  .final_norm = checkpoint_row(c, HOLDS_FINAL_NORM) != NULL};
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

/* A file of tensors has its configuration beside it; a directory contains it, and GGUF is both. */
static const char *identity_of(const char *path, struct arena *a)
{
	const char *const slash = strrchr(path, '/');
	const int folder = slash ? (int)(slash - path) + 1 : 0;
	const char *const own = file_identity(path, a);
	const char *const beside =
		file_identity(arena_printf(a, "%.*sconfig.json", folder, path), a);
	return own && beside ? arena_printf(a, "%s |%s", own, beside) : own;
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
	c->source = (struct weight_source){.context = c,
					   .identity = identity_of(path, a),
					   .has = has,
					   .read = read_weight,
					   .in_out = in_out,
					   .rows = read_stored};
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
