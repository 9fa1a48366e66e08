/* weights.c: the weights of the model's own layers: given by a file, or drawn on demand.
 *
 * Drawn weights depend only on (seed, "layer.L.name"), so they need not be stored: a run asks
 * for those it uses and the cache keeps them. W_q and W_k follow the projection; the gain of W_q
 * makes the content logit of an average token with itself equal to config.content, whatever the
 * scale c, so that content and position are both visible. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model_in.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"

const char *const projection_names[PROJ_COUNT + 1] = {"identity", "tied", "random"};
const char *const init_names[INIT_COUNT + 1] = {"demo", "paper"};
const char *const activation_names[ACT_COUNT + 1] = {
	"relu", "gelu", "gelu-tanh", "gelu-bloom", "gelu-fast", "gelu-quick", "silu"};

const struct weight_row weight_rows[WEIGHT_COUNT] = {
	[W_Q] = {"w_q", SIZE_D, SIZE_Q, true},
	[W_K] = {"w_k", SIZE_D, SIZE_K, true},
	[W_V] = {"w_v", SIZE_D, SIZE_V, true},
	[B_Q] = {"b_q", SIZE_ONE, SIZE_Q, false},
	[B_K] = {"b_k", SIZE_ONE, SIZE_K, false},
	[B_V] = {"b_v", SIZE_ONE, SIZE_V, false},
	[W_O] = {"w_o", SIZE_CONTEXT, SIZE_D, false},
	[B_O] = {"b_o", SIZE_ONE, SIZE_D, false},
	[LN1_WEIGHT] = {"ln1_weight", SIZE_ONE, SIZE_D, false},
	[LN1_BIAS] = {"ln1_bias", SIZE_ONE, SIZE_D, false},
	[W_FF1] = {"w_ff1", SIZE_D, SIZE_FF, true},
	[B_FF1] = {"b_ff1", SIZE_ONE, SIZE_FF, false},
	[W_FF2] = {"w_ff2", SIZE_FF, SIZE_D, true},
	[B_FF2] = {"b_ff2", SIZE_ONE, SIZE_D, false},
	[LN2_WEIGHT] = {"ln2_weight", SIZE_ONE, SIZE_D, false},
	[LN2_BIAS] = {"ln2_bias", SIZE_ONE, SIZE_D, false},
	[W_GATE] = {"w_gate", SIZE_D, SIZE_FF, false},
	[B_GATE] = {"b_gate", SIZE_ONE, SIZE_FF, false},
	[LN3_WEIGHT] = {"ln3_weight", SIZE_ONE, SIZE_D, false},
	[LN3_BIAS] = {"ln3_bias", SIZE_ONE, SIZE_D, false},
	[LN4_WEIGHT] = {"ln4_weight", SIZE_ONE, SIZE_D, false},
	[LN4_BIAS] = {"ln4_bias", SIZE_ONE, SIZE_D, false},
	[W_ROUTER] = {"w_router", SIZE_D, SIZE_EXPERTS, false},
	[B_ROUTER] = {"b_router", SIZE_ONE, SIZE_EXPERTS, false},
	[ROUTER_SHIFT] = {"router_shift", SIZE_ONE, SIZE_EXPERTS, false},
	[W_SHARED_UP] = {"w_shared_up", SIZE_D, SIZE_SHARED, false},
	[W_SHARED_GATE] = {"w_shared_gate", SIZE_D, SIZE_SHARED, false},
	[W_SHARED_DOWN] = {"w_shared_down", SIZE_SHARED, SIZE_D, false},
	[W_SHARED_SWITCH] = {"w_shared_switch", SIZE_D, SIZE_ONE, false},
	[CROSS_W_Q] = {"cross_w_q", SIZE_D, SIZE_Q, false},
	[CROSS_W_K] = {"cross_w_k", SIZE_D, SIZE_K, false},
	[CROSS_W_V] = {"cross_w_v", SIZE_D, SIZE_V, false},
	[CROSS_B_Q] = {"cross_b_q", SIZE_ONE, SIZE_Q, false},
	[CROSS_B_K] = {"cross_b_k", SIZE_ONE, SIZE_K, false},
	[CROSS_B_V] = {"cross_b_v", SIZE_ONE, SIZE_V, false},
	[CROSS_W_O] = {"cross_w_o", SIZE_CONTEXT, SIZE_D, false},
	[CROSS_B_O] = {"cross_b_o", SIZE_ONE, SIZE_D, false},
	[CROSS_LN_WEIGHT] = {"cross_ln_weight", SIZE_ONE, SIZE_D, false},
	[CROSS_LN_BIAS] = {"cross_ln_bias", SIZE_ONE, SIZE_D, false},
	[EMBED_WEIGHT] = {"embed_weight", SIZE_ONE, SIZE_EMBED, false},
	[EMBED_BIAS] = {"embed_bias", SIZE_ONE, SIZE_EMBED, false},
	[W_PROJECT] = {"w_project", SIZE_EMBED, SIZE_D, false},
	[B_PROJECT] = {"b_project", SIZE_ONE, SIZE_D, false},
	[FINAL_WEIGHT] = {"final_weight", SIZE_ONE, SIZE_D, false},
	[FINAL_BIAS] = {"final_bias", SIZE_ONE, SIZE_D, false},
};

static size_t size_of(const struct model *model, enum weight_size size)
{
	const size_t sizes[] = {[SIZE_ONE] = 1,
				[SIZE_D] = model->config.d,
				[SIZE_Q] = model->qk_width,
				[SIZE_K] = model->kv_heads * model->dk,
				[SIZE_V] = model->kv_heads * model->dv,
				[SIZE_CONTEXT] = model->v_width,
				[SIZE_FF] = model->config.ff,
				[SIZE_EXPERTS] = model->config.block.experts.n,
				[SIZE_SHARED] = model->config.block.experts.shared,
				[SIZE_EMBED] = model->config.embed_width ? model->config.embed_width
									 : model->config.d};
	return sizes[size];
}

void weight_shape(const struct model *model, enum weight which, size_t *rows, size_t *cols)
{
	*rows = size_of(model, weight_rows[which].rows);
	*cols = size_of(model, weight_rows[which].cols);
}

double weight_numbers(const struct model *model, enum weight which)
{
	size_t rows, cols;
	weight_shape(model, which, &rows, &cols);
	return (double)rows * (double)cols;
}

bool weight_exists(const struct model *model, enum weight which)
{
	return weight_rows[which].always ||
	       (which == W_O && model->v_width != model->config.d); /* else it is the identity */
}

static const struct tensor *weight_given(const struct model *model, size_t layer, enum weight which)
{
	const struct given *given = model->given;
	if (!given || !given->weights || which >= WEIGHT_GIVEN)
		return NULL;
	char name[64];
	const char *base = weight_rows[which].name;
	snprintf(name, sizeof name, "layer.%zu.%s", layer, base);
	const struct tensor *t = tensor_find(given->weights, name);
	if (!t)
		t = tensor_find(given->weights, base);
	if (!t) {
		snprintf(name, sizeof name, "param.%s", base);
		t = tensor_find(given->weights, name);
	}
	return t;
}

/* Refuses a file that gives no weight: the user would believe that it had been used. */
static bool none_given(const struct model *model, struct err *err)
{
	struct arena a;
	struct strbuf names;
	arena_init(&a);
	strbuf_init(&names, &a);
	for (enum weight w = 0; w < WEIGHT_GIVEN; w++)
		strbuf_printf(&names, "%s%s", w ? " " : "", weight_rows[w].name);
	const struct tensor_set *const set = model->given->weights;
	err_set(err,
		"weights: the file is not used; it has %s, and looked for are %s, alone or behind "
		"layer.0. and so on",
		set->count ? tensor_names(set, weight_rows[W_Q].name, &a) : "no tensor", names.at);
	arena_release(&a);
	return false;
}

/* Names the sizes that the shape of a weight follows from. */
static const char *sizes_given(const struct model *model, enum weight which)
{
	const struct model_config *const c = &model->config;
	const bool plain = !c->head_dim && !c->value_dim && !c->kv_heads;
	if (plain || which > W_O)
		return arena_printf(model->arena, "d-model %zu and ff %zu", c->d, c->ff);
	if (which == W_Q || which == B_Q)
		return arena_printf(model->arena, "d-model %zu and %zu heads of %zu", c->d,
				    c->heads, model->dk);
	if (which == W_O)
		return arena_printf(model->arena, "%zu heads with values of %zu and d-model %zu",
				    c->heads, model->dv, c->d);
	const bool values = which == W_V || which == B_V;
	return arena_printf(model->arena, "d-model %zu and %zu %s heads of %zu", c->d,
			    model->kv_heads, values ? "value" : "key",
			    values ? model->dv : model->dk);
}

/* Reads the numbers of a given weight and keeps them with the model. */
static bool read_weight(struct model *model, const struct tensor *t, size_t layer,
			enum weight which, struct err *err)
{
	t = tensor_load(model->given->weights, t, model->arena, err);
	if (!t)
		return err_prefix(err, "weights: ");
	if (!model->weights_read)
		model->weights_read = arena_calloc(
			model->arena, model->config.layers * WEIGHT_COUNT, sizeof(struct tensor *));
	model->weights_read[layer * WEIGHT_COUNT + which] = t;
	return tensor_check_finite(t, err) ||
	       given_blame(err, "weights", model->given->weights_file);
}

static bool check_weight(struct model *model, const struct tensor *t, size_t layer,
			 enum weight which, struct err *err)
{
	size_t rows, cols;
	weight_shape(model, which, &rows, &cols);
	const struct mat m = tensor_mat(t);
	if (m.rows == rows && m.cols == cols)
		return model->config.unfilled || read_weight(model, t, layer, which, err);
	model->misfit = t;
	model->transposed = m.rows == cols && m.cols == rows;
	const char *const own = sizes_given(model, which);
	return err_set(err, "weights: %s is %zu x %zu; %s need %zu x %zu%s",
		       text_quote_whole(model->arena, t->name, strlen(t->name)), m.rows, m.cols,
		       own, rows, cols, model->transposed ? ": transposed it would fit" : "");
}

bool weight_check(struct model *model, struct err *err)
{
	bool any = !model->given || !model->given->weights;
	for (size_t layer = 0; layer < model->config.layers; layer++) {
		for (enum weight w = 0; w < WEIGHT_GIVEN; w++) {
			const struct tensor *t = weight_given(model, layer, w);
			if (t && !check_weight(model, t, layer, w, err))
				return false;
			any |= t != NULL;
		}
	}
	return any || none_given(model, err);
}

/* ---- completeness
 * ------------------------------------------------------------------------------ */

const char *model_weight_name(size_t i)
{
	return i < WEIGHT_GIVEN ? weight_rows[i].name : NULL;
}

static bool is_given(const struct model *model, size_t layer, enum weight which)
{
	const struct weight_source *const s = model->given ? model->given->source : NULL;
	return s ? s->has(s, layer, which) : weight_given(model, layer, which) != NULL;
}

bool model_weight_is_given(const struct model *model, const char *name)
{
	bool all = true;
	for (enum weight w = 0; w < WEIGHT_GIVEN; w++)
		for (size_t l = 0; l < model->config.layers; l++)
			if (strcmp(weight_rows[w].name, name) == 0)
				all &= is_given(model, model->weights_of[l], w);
	return all;
}

bool model_takes_weight(const struct model *model, const char *tensor)
{
	size_t layer = 0;
	int behind = 0;
	const char *base = tensor;
	if (sscanf(tensor, "layer.%zu.%n", &layer, &behind) == 1 && behind > 0)
		base += behind;
	else if (strncmp(tensor, "param.", strlen("param.")) == 0)
		base += strlen("param.");
	const size_t layers =
		model->n_steps > model->config.layers ? model->n_steps : model->config.layers;
	for (enum weight w = 0; w < WEIGHT_GIVEN; w++)
		if (strcmp(base, weight_rows[w].name) == 0)
			return layer < layers;
	return false;
}

/* The weights of which any being given requires this one too. w_v may come alone: if weights do
 * not follow from q and k there is nothing else to give. */
static const unsigned together[WEIGHT_COUNT] = {
	[W_Q] = 1 << W_K,     [W_K] = 1 << W_Q,	    [W_V] = 1 << W_Q | 1 << W_K,
	[W_FF1] = 1 << W_FF2, [W_FF2] = 1 << W_FF1,
};

static bool err_missing(const struct model *model, enum weight which, size_t layer,
			const struct tensor *beside, struct err *err)
{
	struct arena a;
	size_t rows, cols;
	char wanted[64];
	const char *base = weight_rows[which].name;
	const struct tensor_set *const set = model->given->weights;
	arena_init(&a);
	weight_shape(model, which, &rows, &cols);
	snprintf(wanted, sizeof wanted, "layer.%zu.%s", layer, base);
	err_set(err, "weights: there is %s and no %s (%zu x %zu), nor %s for all layers; it has %s",
		text_quote_whole(&a, beside->name, strlen(beside->name)), wanted, rows, cols, base,
		tensor_names(set, strncmp(beside->name, "layer.", 6) == 0 ? wanted : base, &a));
	arena_release(&a);
	return false;
}

/* Checks a layer. A layer that uses another layer's weights needs none of its own. */
static bool layer_whole(const struct model *model, size_t layer, struct err *err)
{
	for (enum weight w = 0; w < WEIGHT_GIVEN; w++) {
		const struct tensor *beside = NULL;
		if (weight_given(model, layer, w))
			continue;
		for (size_t l = 0; l < model->config.layers && !beside; l++)
			beside = model->weights_of[l] == l ? weight_given(model, l, w) : NULL;
		for (enum weight o = 0; o < WEIGHT_GIVEN && !beside; o++)
			beside = together[w] & 1u << o ? weight_given(model, layer, o) : NULL;
		if (beside)
			return err_missing(model, w, layer, beside, err);
	}
	return true;
}

bool model_weights_whole(const struct model *model, struct err *err)
{
	for (size_t l = 0; model->given && l < model->config.layers; l++)
		if (model->weights_of[l] == l && !layer_whole(model, l, err))
			return false;
	return true;
}

/* Returns the gain. Scaled token vectors are longer, but an average one still has the logit
 * `content` with itself. A step that reads the output of another reads normalised rows; among
 * steps with the same weights the first decides. */
static double gain_of(const struct model *model, size_t layer, enum weight which)
{
	if (which != W_Q)
		return which == W_FF1 ? sqrt(2) : 1;
	const double scale = model_embed_scale(model);
	for (size_t i = 0; i < model->n_steps; i++) {
		const struct step *step = &model->steps[i];
		if (model->weights_of[step->layer] == layer)
			return model->gain / (step->q_from < 0 ? scale : 1) /
			       (step->kv_from < 0 ? scale : 1);
	}
	return model->gain;
}

/* Returns the first component of a token vector that column `col` of an identity projection reads,
 * before it wraps around at d: a query head reads what its key head reads, so that the logit of a
 * token with itself is that of its own numbers. */
static size_t identity_source(const struct model *model, enum weight which, size_t col)
{
	const size_t head = col / model->dk;
	return which == W_Q ? head / model->group * model->dk + col % model->dk : col;
}

/* Puts column c of the heads' contexts at component c, which wraps around at d, so that every
 * column of the weight has length 1. */
static void fill_output(struct mat m)
{
	mat_fill(m, 0);
	for (size_t r = 0; r < m.rows; r++) {
		const size_t col = r % m.cols, meet = (m.rows - col + m.cols - 1) / m.cols;
		mat_row(m, r)[col] = 1 / sqrt((double)meet);
	}
}

/* Fills W_q with the columns of W_k that each head reads, times the gain. */
static void fill_tied(const struct model *model, struct mat m, double by, struct rng *rng)
{
	struct arena a;
	arena_init(&a);
	const struct mat keys = mat_new(&a, m.rows, model->kv_heads * model->dk);
	mat_fill_normal(keys, by, rng);
	for (size_t r = 0; r < m.rows; r++)
		for (size_t c = 0; c < m.cols; c++)
			mat_row(m, r)[c] = mat_row(keys, r)[identity_source(model, W_Q, c)];
	arena_release(&a);
}

static void draw(const struct model *model, size_t layer, enum weight which, struct mat m)
{
	const struct model_config *config = &model->config;
	const double gain = gain_of(model, layer, which);
	if (which <= W_V && config->proj == PROJ_IDENTITY) {
		mat_fill(m, 0);
		for (size_t c = 0; c < m.cols; c++)
			mat_row(m, identity_source(model, which, c) % m.rows)[c] = gain;
		return;
	}
	if (which == W_O && config->proj == PROJ_IDENTITY) {
		fill_output(m);
		return;
	}
	/* Tied projections share their random numbers: W_q is W_k times the gain. */
	const bool tied = which == W_Q && config->proj == PROJ_TIED;
	char name[64];
	snprintf(name, sizeof name, "layer.%zu.%s", layer, weight_rows[tied ? W_K : which].name);
	struct rng rng;
	rng_init_name(&rng, config->seed, name);
	if (tied && model->group > 1)
		fill_tied(model, m, gain / sqrt((double)m.rows), &rng);
	else
		mat_fill_normal(m, gain / sqrt((double)m.rows), &rng);
}

/* Returns a weight as given for the layer whose weights are used, else as drawn; NULL when it
 * only exists in files and was not given. */
static struct node *plain_weight(struct run *run, size_t layer, enum weight which)
{
	const struct model *model = run->model;
	const struct record *const record = run->private->record;
	layer = model->weights_of[layer];
	if (record && record->shared)
		return record->shared->own[layer][which];
	const struct tensor *t = weight_given(model, layer, which);
	if (t) {
		/* Its numbers may be in a file still, and those of this model in its own arena. */
		if (!t->at)
			t = model->weights_read[layer * WEIGHT_COUNT + which];
		return tape_const(run->tape, tensor_mat(t));
	}
	if (!weight_exists(model, which))
		return NULL;
	size_t rows, cols;
	weight_shape(model, which, &rows, &cols);
	const struct model_config *c = &model->config;
	char key[160];
	snprintf(key, sizeof key, "layer.%zu.%s %zux%zu dk %zu/%zu seed %llu proj %d gain %.17g",
		 layer, weight_rows[which].name, rows, cols, model->dk, model->group,
		 (unsigned long long)c->seed, (int)c->proj, gain_of(model, layer, which));
	struct mat m;
	if (!cache_get(run->private->cache, key, &m)) {
		struct arena own;
		arena_init(&own);
		m = mat_new(&own, rows, cols);
		draw(model, layer, which, m);
		if (!cache_take(run->private->cache, key, m, &own))
			m = mat_copy(run->arena, m);
		arena_release(&own);
	}
	return tape_const(run->tape, m);
}

bool model_has_weight(const struct model *model, size_t layer, enum weight which, size_t *rows,
		      size_t *cols)
{
	weight_shape(model, which, rows, cols);
	return model->weights_of[layer] == layer && weight_exists(model, which);
}

void model_draw_weight(const struct model *model, size_t layer, enum weight which, struct mat at)
{
	draw(model, layer, which, at);
}

bool weight_is_scale(const struct model *model, size_t layer, enum weight which)
{
	return which <= W_V && model->config.proj == PROJ_IDENTITY &&
	       !(model->given && model->given->source) &&
	       !weight_given(model, model->weights_of[layer], which);
}

/* Returns the components of x that columns from..from+n of an identity projection read. */
static struct node *picked(const struct model *model, struct tape *t, struct node *x,
			   enum weight which, size_t from, size_t n)
{
	const size_t d = x->v.cols;
	if (from == 0 && n == d && (which != W_Q || model->group == 1))
		return x;
	struct node **const parts = arena_calloc(t->arena, n, sizeof(struct node *));
	size_t count = 0;
	for (size_t at = 0, width; at < n; at += width) {
		const size_t first = identity_source(model, which, from + at) % d;
		for (width = 1;
		     at + width < n && first + width < d &&
		     identity_source(model, which, from + at + width) % d == first + width;)
			width++;
		parts[count++] = tape_slice(t, x, 0, x->v.rows, first, width);
	}
	return count == 1 ? parts[0] : tape_concat_cols(t, parts, count);
}

/* Returns x·(g E), where E picks components, as g·x, equal to the last bit; the full product is
 * counted, so that the cost of a layer does not depend on this shortcut. */
static struct node *product_of_scale(struct run *run, struct tape *t, struct node *x,
				     enum weight which, size_t from, size_t n)
{
	const struct model *const model = run->model;
	const double operations = t->operations, multiply_adds = t->multiply_adds;
	struct node *const out = tape_scale(t, picked(model, t, x, which, from, n),
					    gain_of(model, model->weights_of[run->layer], which));
	t->operations = operations;
	t->multiply_adds = multiply_adds;
	tape_count_products(t, (double)x->v.rows * (double)n * (double)model->config.d);
	return out;
}

static bool has_source(const struct run *run)
{
	return run->model->given && run->model->given->source;
}

/* Returns the weight that stands for this one in the attention to a source. */
static enum weight weight_now(const struct run *run, enum weight which)
{
	return run->cross && which <= LN1_BIAS ? CROSS_W_Q + (which - W_Q) : which;
}

bool weight_is_there(const struct run *run, enum weight which)
{
	which = weight_now(run, which);
	const struct model *const model = run->model;
	return is_given(model, model->weights_of[run->layer], which) ||
	       (!has_source(run) && weight_exists(model, which));
}

/* Queries, keys and values that the files lack are those that a member makes. */
static struct node *streamed(struct run *run, struct tape *t, struct node *x, enum weight which,
			     size_t first, size_t n)
{
	if (!weight_is_there(run, which)) {
		BUG_IF(which > W_V);
		return tape_const(t, mat_zero(t->arena, x->v.rows, n));
	}
	BUG_IF(run->tape->recording);
	tape_count_products(t, (double)x->v.rows * (double)x->v.cols * (double)n);
	return tape_const(t, weight_stream(run, t->arena, x->v, which, first, n));
}

struct node *weight_product(struct run *run, struct node *x, enum weight which)
{
	which = weight_now(run, which);
	size_t rows, cols;
	struct node *const turned = run->private->turned[run->layer][which];
	if (turned)
		return tape_matmul(run->tape, x, false, turned, true, 1);
	weight_shape(run->model, which, &rows, &cols);
	if (has_source(run))
		return streamed(run, run->tape, x, which, 0, cols);
	return weight_is_scale(run->model, run->layer, which)
		       ? product_of_scale(run, run->tape, x, which, 0, cols)
		       : tape_matmul(run->tape, x, false, weight_node(run, run->layer, which),
				     false, 1);
}

struct node *weight_head_slice(struct head *head, struct node *w, enum weight which)
{
	const struct model *const model = head->run->model;
	const size_t width = which == W_V ? model->dv : model->dk;
	const size_t at = which == W_Q ? head->index : head->index / model->group;
	return tape_slice(head->tape, w, 0, w->v.rows, at * width, width);
}

struct node *weight_head_product(struct head *head, struct node *x, enum weight which)
{
	struct run *const run = head->run;
	const struct model *const model = run->model;
	const size_t width = which == W_V ? model->dv : model->dk;
	const size_t at = which == W_Q ? head->index : head->index / model->group;
	struct node *const turned = run->private->turned[run->layer][weight_now(run, which)];
	if (turned) {
		struct node *const rows =
			tape_slice(head->tape, turned, at * width, width, 0, turned->v.cols);
		return tape_matmul(head->tape, x, false, rows, true, 1);
	}
	if (has_source(run))
		return streamed(run, head->tape, x, weight_now(run, which), at * width, width);
	if (weight_is_scale(model, run->layer, which))
		return product_of_scale(run, head->tape, x, which, at * width, width);
	struct node *const w = weight_head_slice(head, weight_node(run, run->layer, which), which);
	return tape_matmul(head->tape, x, false, w, false, 1);
}

struct node *weight_repeat(struct run *run, struct node *x, enum weight which)
{
	const struct model *const model = run->model;
	const bool values = which == W_V || which == B_V, keys = which == W_K || which == B_K;
	const size_t heads = model->config.heads, width = values ? model->dv : model->dk;
	if (!x || model->group == 1 || (!values && !keys))
		return x;
	struct node **const parts = arena_calloc(run->arena, heads, sizeof(struct node *));
	for (size_t i = 0; i < heads; i++)
		parts[i] = tape_slice(run->tape, x, 0, x->v.rows, i / model->group * width, width);
	return tape_concat_cols(run->tape, parts, heads);
}

static struct node *make_weight(struct run *run, size_t layer, enum weight which)
{
	if (has_source(run)) {
		struct node *const turned = run->private->turned[layer][which];
		return turned ? tape_transpose(run->tape, turned) : NULL;
	}
	struct node *const w = plain_weight(run, layer, which);
	return which == W_K && w ? weight_identity_keys(run, layer, w) : w;
}

/* Heads ask for weights from several threads: those that exist were made before them, and nothing is written
 * for one that does not. */
struct node *weight_node(struct run *run, size_t layer, enum weight which)
{
	which = weight_now(run, which);
	struct node **const slot = &run->private->weights[layer][which];
	struct node *const made = *slot ? *slot : make_weight(run, layer, which);
	if (made && !*slot)
		*slot = made;
	return made;
}

struct node *run_weight(struct run *run, const char *base)
{
	bool told = false;
	for (size_t i = 0; i < run->model->n_members; i++)
		told |= run->model->members[i].hooks->reads_weights;
	if (!told)
		BUG("a hook reads %s, and no member says that it reads weights", base);
	for (enum weight w = 0; w < WEIGHT_GIVEN; w++)
		if (strcmp(weight_rows[w].name, base) == 0)
			return weight_repeat(run, weight_node(run, run->layer, w), w);
	BUG("no weight %s", base);
}
