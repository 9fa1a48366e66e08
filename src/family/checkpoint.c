/* checkpoint.c: a trained model is opened, checked, and becomes a configuration of the model. */
#include <string.h>

#include "family/checkpoint_in.h"
#include "posviz/base/text.h"
#include "posviz/format/file.h"
#include "posviz/format/kind.h"

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

/* Sizes of tensors. */
enum size {
	ONE,
	WIDTH,
	QUERIES, /* of all heads */
	KEYS,
	VALUES,
	ALL_THREE,
	CONTEXT,
	HIDDEN,
	TWICE_HIDDEN,
	EXPERTS,
	SHARED,
	WORDS
};

static size_t size_of(const struct known *k, enum size size)
{
	const size_t d = (size_t)k->d, ff = k->ff > 0 ? (size_t)k->ff : 4 * d;
	const size_t q = (size_t)(k->heads * k->head_dim), v = (size_t)(k->heads * k->value_dim);
	const size_t keys = (size_t)(k->kv_heads * k->head_dim);
	const size_t values = (size_t)(k->kv_heads * k->value_dim);
	const size_t sizes[] = {[ONE] = 1,
				[WIDTH] = d,
				[QUERIES] = q,
				[KEYS] = keys,
				[VALUES] = values,
				[ALL_THREE] = q + keys + values,
				[CONTEXT] = v,
				[HIDDEN] = ff,
				[TWICE_HIDDEN] = 2 * ff,
				[EXPERTS] = k->experts.n,
				[SHARED] = k->experts.shared,
				[WORDS] = k->embed_width > 0 ? (size_t)k->embed_width : d};
	return sizes[size];
}

/* Rows and columns of what a tensor holds; of those that are not here one row as wide as the model. */
static const struct {
	enum held what;
	enum size rows, cols;
} shapes[] = {
	{HOLDS_Q, QUERIES, WIDTH},
	{HOLDS_K, KEYS, WIDTH},
	{HOLDS_V, VALUES, WIDTH},
	{HOLDS_QKV_PARTS, ALL_THREE, WIDTH},
	{HOLDS_QKV_GROUPS, ALL_THREE, WIDTH},
	{HOLDS_O, WIDTH, CONTEXT},
	{HOLDS_CROSS_Q, QUERIES, WIDTH},
	{HOLDS_CROSS_K, KEYS, WIDTH},
	{HOLDS_CROSS_V, VALUES, WIDTH},
	{HOLDS_CROSS_O, WIDTH, CONTEXT},
	{HOLDS_GATE, HIDDEN, WIDTH},
	{HOLDS_UP, HIDDEN, WIDTH},
	{HOLDS_GATE_UP, TWICE_HIDDEN, WIDTH},
	{HOLDS_DOWN, WIDTH, HIDDEN},
	{HOLDS_ROUTER, EXPERTS, WIDTH},
	{HOLDS_ROUTER_SHIFT, ONE, EXPERTS},
	{HOLDS_SHARED_GATE, SHARED, WIDTH},
	{HOLDS_SHARED_UP, SHARED, WIDTH},
	{HOLDS_SHARED_DOWN, WIDTH, SHARED},
	{HOLDS_EMBED_NORM, ONE, WORDS},
	{HOLDS_PROJECTION, WIDTH, WORDS},
};

static void shape_of(const struct checkpoint *c, enum held what, size_t *rows, size_t *cols)
{
	size_t i = 0;
	while (i < sizeof shapes / sizeof *shapes && shapes[i].what != what)
		i++;
	const bool vector = i == sizeof shapes / sizeof *shapes;
	*rows = size_of(c->known, vector ? ONE : shapes[i].rows);
	*cols = size_of(c->known, vector ? WIDTH : shapes[i].cols);
}

static bool check_shape(const struct checkpoint *c, const struct family_weight *row,
			const struct tensor_entry *e, struct err *err)
{
	size_t rows, cols;
	char name[300];
	shape_of(c, row->what, &rows, &cols);
	const bool turned = row->in_out && !tensor_file_is_gguf(c->file);
	const size_t has_rows = turned ? checkpoint_cols(row, e) : checkpoint_rows(row, e);
	const size_t has_cols = turned ? checkpoint_rows(row, e) : checkpoint_cols(row, e);
	text_quote_buf(name, sizeof name, e->name, strlen(e->name));
	if (e->unread)
		return refuse(c, err, "%s: %s", name, e->unread);
	return (has_rows == rows && has_cols == cols) ||
	       refuse(c, err, "%s is %zu x %zu; its configuration says %zu x %zu", name,
		      checkpoint_rows(row, e), checkpoint_cols(row, e), turned ? cols : rows,
		      turned ? rows : cols);
}

static const char *name_of(const struct checkpoint *c, const struct family_weight *row,
			   size_t layer, struct arena *a)
{
	const char *const pattern = tensor_file_is_gguf(c->file) ? row->gguf : row->name;
	return arena_printf(a, "%s%s.weight", c->prefix,
			    family_of_layer(pattern ? pattern : "", (long)layer, a));
}

static bool is_of_expert(enum held what)
{
	return what >= HOLDS_EXPERT_GATE && what <= HOLDS_EXPERT_DOWN;
}

static bool is_of_words(enum held what)
{
	return what == HOLDS_WORDS || what == HOLDS_SEGMENTS;
}

/* Returns whether a layer has experts that cannot be computed in the place of one feed-forward part. */
static bool has_unread_experts(const struct checkpoint *c, size_t layer)
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

/* Returns whether a layer has experts that are computed. */
static bool mixes(const struct checkpoint *c, size_t layer)
{
	struct found f;
	return c->known->experts.n > 0 && checkpoint_find(c, layer, W_ROUTER, &f) &&
	       checkpoint_has_experts(c, layer);
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
		return is_of_words(row->what) || is_of_expert(row->what) ||
		       check_shape(c, row, e, err);
	if (row->optional || (gguf ? !row->gguf : !row->name))
		return true;
	if (feeds(row->what) && (mixes(c, layer) || has_unread_experts(c, layer)))
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
	for (const struct family_weight *row = c->known->weights; (row->name || row->gguf); row++)
		for (size_t l = 0; l < (of_layers(row) ? (size_t)c->known->layers : 1); l++)
			if (!check_row(c, row, l, err))
				return false;
	for (size_t l = 0; l < (size_t)c->known->layers; l++)
		if ((!checkpoint_find(c, l, W_FF1, &f) ||
		     (c->block.gated && !checkpoint_find(c, l, W_GATE, &f))) &&
		    !mixes(c, l) && !has_unread_experts(c, l))
			return refuse(c, err, "layer %zu has no feed-forward part", l + 1);
	return true;
}

const struct family_weight *checkpoint_row(const struct checkpoint *c, enum held what)
{
	for (const struct family_weight *row = c->known->weights; (row->name || row->gguf); row++)
		if (row->what == what && checkpoint_entry(c, row, 0, false))
			return row;
	return NULL;
}

/* Finds what stands in front of all names, by the table of words. */
static bool find_prefix(struct checkpoint *c, struct arena *a, struct err *err)
{
	const struct family_weight *row = c->known->weights;
	c->prefix = "";
	for (; (row->name || row->gguf); row++) {
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
				  .experts = c->known->experts,
				  .embed_norm = checkpoint_row(c, HOLDS_EMBED_NORM) != NULL,
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

static bool is_configuration(const char *path)
{
	struct kind_seen seen;
	return kind_of_file(path, NULL, &seen, NULL) && seen.kind->id == KIND_MODEL_CONFIG;
}

struct checkpoint *checkpoint_open(const char *path, struct arena *a, struct err *err)
{
	return checkpoint_open_stack(path, STACK_ONE, a, err);
}

struct checkpoint *checkpoint_open_stack(const char *path, enum stack_part stack, struct arena *a,
					 struct err *err)
{
	struct checkpoint *const c = arena_calloc(a, 1, sizeof *c);
	struct known *const k = arena_calloc(a, 1, sizeof *k);
	c->arena = a;
	c->path = arena_strdup(a, path);
	c->known = k;
	c->stack = stack;
	if (!(stack == STACK_ONE ? family_read : family_read_decoder)(path, a, k, err) ||
	    !is_known(c, err))
		return NULL;
	if (is_configuration(path)) {
		refuse(c, err,
		       "a configuration has no weights; the model's directory, with config.json and "
		       "model.safetensors, or a .gguf would be right");
		return NULL;
	}
	c->file = tensor_file_open_in(a, path, err);
	if (!c->file || !find_prefix(c, a, err) || !read_activation(c, err))
		return NULL;
	take_block(c);
	if (tensor_file_is_gguf(c->file) && c->activation == ACT_GELU_BLOOM)
		c->activation = ACT_GELU_TANH;
	c->source = (struct weight_source){.context = c,
					   .identity = identity_of(path, a),
					   .has = checkpoint_has,
					   .read = checkpoint_read,
					   .in_out = checkpoint_in_out,
					   .rows = checkpoint_read_rows,
					   .expert_has = checkpoint_expert_has,
					   .expert_read = checkpoint_expert_read};
	return check_all(c, err) ? c : NULL;
}

/* ---- the model ------------------------------------------------------------------------------- */

static bool is_fed(const struct checkpoint *c, size_t layer)
{
	struct found f;
	return checkpoint_find(c, layer, W_FF1, &f) || mixes(c, layer);
}

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
		if (!is_fed(c, l))
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
	config->embed_width = (size_t)k->embed_width;
	config->stack = c->stack;
	config->scale = k->scale;
	return true;
}
