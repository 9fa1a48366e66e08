/* model.c: building a model from a configuration and the members of an expression.
 *
 * Nothing here depends on the input: leaves are drawn for t_max, so one model serves any
 * sentence and every leaf keeps its values while the user types. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model_in.h"
#include "posviz/base/arena_child.h"
#include "posviz/base/text.h"

/* Returns the largest number of heads, up to the requested one, that divides the width. */
static size_t most_heads(const struct model_config *c)
{
	size_t heads = c->heads;
	while (c->d % heads != 0)
		heads--;
	return heads;
}

/* Returns the largest number of key heads, up to the requested one, that divides the heads. */
static size_t most_kv_heads(const struct model_config *c)
{
	size_t kv = c->kv_heads < c->heads ? c->kv_heads : c->heads;
	while (c->heads % kv != 0)
		kv--;
	return kv;
}

/* Checks the sizes of heads that are given apart from d. */
static bool check_head_sizes(const struct model_config *c, struct err *err)
{
	const struct {
		const char *name;
		size_t width;
	} rows[] = {{"head-dim", model_dk(c)}, {"value-dim", model_dv(c)}};
	for (size_t i = 0; i < 2; i++)
		if (c->heads * rows[i].width > MODEL_MAX_WIDTH)
			return err_set(
				err,
				"%s: %zu heads of %zu are %zu wide, at most %d; %s %zu would "
				"be right",
				rows[i].name, c->heads, rows[i].width, c->heads * rows[i].width,
				MODEL_MAX_WIDTH, rows[i].name, MODEL_MAX_WIDTH / c->heads);
	return c->heads % model_kv_heads(c) == 0 ||
	       err_set(err,
		       "kv-heads: %zu key heads do not divide %zu heads, which share them; kv-heads "
		       "%zu would be right",
		       c->kv_heads, c->heads, most_kv_heads(c));
}

static bool check_sizes(const struct model_config *c, struct err *err)
{
	if (c->heads == 0 || c->heads > MODEL_MAX_HEADS)
		return err_set(err, "heads: %zu; from 1 to %d", c->heads, MODEL_MAX_HEADS);
	if (c->layers == 0 || c->layers > MODEL_MAX_LAYERS)
		return err_set(err, "layers: %zu; from 1 to %d", c->layers, MODEL_MAX_LAYERS);
	if (c->head_dim == 0 && c->d % c->heads != 0)
		return err_set(err,
			       "heads: %zu heads do not divide d-model %zu; heads %zu or d-model "
			       "%zu would be right, or head-dim for heads of a width of their own",
			       c->heads, c->d, most_heads(c), (c->d / c->heads + 1) * c->heads);
	if (c->d == 0 || c->ff == 0 || c->t_max == 0)
		return err_set(err, "d-model, ff and t-max must be at least 1");
	return check_head_sizes(c, err);
}

static bool choose_scale(struct model *model, struct err *err)
{
	model->c = model->config.scale > 0 ? model->config.scale : 1 / sqrt((double)model->dk);
	for (size_t i = 0; i < model->n_members; i++) {
		const struct member *m = &model->members[i];
		const double c = m->hooks->scale ? m->hooks->scale(model, m) : 0;
		if (c <= 0)
			continue;
		if (model->scaled_by && fabs(c - model->c) > 1e-12 * model->c)
			return err_set(
				err,
				"%s scales logits by %.6g and %s by %.6g; one expression can "
				"have only one scale",
				model->scaled_by->text, model->c, m->text, c);
		model->c = c;
		model->scaled_by = m;
	}
	const double dk = (double)model->dk;
	const double typical = model->config.proj == PROJ_RANDOM ? sqrt(dk) : dk;
	model->gain = model->config.content / (model->c * typical);
	return true;
}

double model_embed_scale(const struct model *model)
{
	return model->config.embed_scale > 0 ? model->config.embed_scale : 1;
}

/* Returns whether the member acts inside single heads, so that heads= can choose among them. */
static bool has_heads(const struct hooks *h)
{
	return h->qk || h->mask || h->content || h->logits || h->adjust || h->adjust_heads ||
	       h->weights || h->values;
}

/* Returns whether a member that replaces keys acts on all heads that share a key head, or on none. */
static bool takes_whole_groups(const struct model *model, const struct member *m)
{
	bool whole = true;
	for (size_t i = 0; i < model->config.heads; i++)
		whole &= subset_has(&m->heads, i) ==
			 subset_has(&m->heads, i / model->group * model->group);
	return whole || !m->hooks->identity_keys || !m->hooks->identity_keys(m);
}

static bool check_members(const struct model *model, struct err *err)
{
	const struct subset all = subset_first(model->config.heads);
	for (size_t i = 0; i < model->n_members; i++) {
		const struct member *m = &model->members[i];
		if (!m->optional && !subset_meets(m->layers, subset_first(model->config.layers)))
			return err_set(err, "%s: layers= names none of the %zu layers", m->text,
				       model->config.layers);
		if (!subset_meets(m->heads, all))
			return err_set(err, "%s: heads= names none of the %zu heads", m->text,
				       model->config.heads);
		if (!takes_whole_groups(model, m))
			return err_set(err,
				       "%s: its keys are the token vectors, and %zu heads share a "
				       "key head; heads= must name all of them or none",
				       m->text, model->group);
		if (!has_heads(m->hooks) && !subset_within(all, m->heads))
			return err_set(
				err,
				"%s: heads= chooses among heads, but %s acts on all of them at "
				"once",
				m->text, m->name);
	}
	return true;
}

/* Returns whether a member only adds a part to X, once: its part can be narrower. A member that
 * learns to make positions from the token vectors reads these in full width. */
static bool only_embeds(const struct hooks *h)
{
	return h->embed && !(h->declare && (h->units || h->positions)) && !h->recurring &&
	       !h->nonlinear && !h->project && !h->qk && !h->content && !h->logits && !h->adjust &&
	       !h->adjust_heads && !h->weights && !h->values && !h->block && !h->feed_forward &&
	       !h->finish;
}

size_t model_part_width(const struct model *model, const struct hooks *hooks)
{
	if (model->config.embed_width > 0 && only_embeds(hooks))
		return model->config.embed_width;
	return model->beside && only_embeds(hooks) ? model->beside : model->config.d;
}

static bool choose_beside(struct model *model, struct err *err)
{
	for (size_t i = 0; i < model->n_members; i++) {
		const struct member *m = &model->members[i];
		if (!m->hooks->beside)
			continue;
		if (model->beside)
			return err_set(err,
				       "%s: the columns beside the token vectors are chosen twice",
				       m->text);
		model->beside = m->hooks->beside(model, m, err);
		if (!model->beside)
			return false;
	}
	return true;
}

/* Declares the leaves of a member, with the width of the part that it adds. */
static bool declare(struct model *model, const struct member *m, struct err *err)
{
	const size_t d = model->config.d;
	model->config.d = model_part_width(model, m->hooks);
	const bool ok = m->hooks->declare(model, m, err);
	model->config.d = d;
	return ok;
}

bool model_build(struct model *model, const struct model_config *config,
		 const struct member *members, size_t n, const struct given *given, struct arena *a,
		 struct err *err)
{
	if (!check_sizes(config, err))
		return false;
	BUG_IF(n > MODEL_MAX_MEMBERS);
	*model = (struct model){.config = *config,
				.dk = model_dk(config),
				.dv = model_dv(config),
				.kv_heads = model_kv_heads(config),
				.group = config->heads / model_kv_heads(config),
				.qk_width = config->heads * model_dk(config),
				.v_width = config->heads * model_dv(config),
				.members = members,
				.n_members = n,
				.given = given,
				.arena = a,
				.late = arena_child(a)};
	if (!check_members(model, err) || !compatible_check(model, err) ||
	    !choose_scale(model, err) || !weight_check(model, err) || !choose_beside(model, err))
		return false;
	for (size_t l = 0; l < config->layers; l++) {
		model->steps[l] =
			(struct step){.layer = l, .q_from = (long)l - 1, .kv_from = (long)l - 1};
		model->weights_of[l] = l;
	}
	model->n_steps = config->layers;
	for (size_t i = 0; i < n; i++) {
		const struct member *m = &members[i];
		if (m->hooks->declare && !declare(model, m, err))
			return false;
		if (m->hooks->schedule && !m->hooks->schedule(model, m, err))
			return false;
	}
	return true;
}

/* ---- leaves ------------------------------------------------------------------------------- */

size_t model_leaf_names(const struct leaf *leaf, struct arena *a, const char *out[LEAF_NAMES])
{
	size_t n = 0;
	out[n++] = leaf->name;
	if (leaf->layer >= 0) {
		out[n++] = arena_printf(a, "%s.%s", leaf->member->name, leaf->base);
		out[n++] = arena_printf(a, "%s.%ld", leaf->base, leaf->layer);
	}
	out[n++] = leaf->base;
	return n;
}

/* Returns the map's entry for a name; NULL: none. */
static const char *mapped_name(const struct given *given, const char *name)
{
	const size_t len = strlen(name);
	for (size_t i = 0; i < given->map_count; i++)
		if (strncmp(given->map[i], name, len) == 0 && given->map[i][len] == '=')
			return given->map[i] + len + 1;
	return NULL;
}

static const struct tensor *named_tensor(const struct given *given, const char *name,
					 struct arena *a)
{
	const struct tensor *const t =
		tensor_find(given->params, arena_printf(a, "param.%s", name));
	return t ? t : tensor_find(given->params, name);
}

/* Finds the tensor for this leaf: by the map, else by its own names. */
static bool given_leaf(const struct model *model, const struct leaf *leaf,
		       const struct tensor **out, struct err *err)
{
	const struct given *given = model->given;
	const char *names[LEAF_NAMES], *mapped = NULL;
	*out = NULL;
	if (!given || !given->params)
		return true;
	const size_t n = model_leaf_names(leaf, model->arena, names);
	for (size_t i = 0; i < n && !mapped; i++)
		mapped = mapped_name(given, names[i]);
	for (size_t i = 0; i < n && !mapped && !*out; i++)
		*out = named_tensor(given, names[i], model->arena);
	if (!mapped && !*out &&
	    tensor_find(given->params, arena_printf(model->arena, "read.%s", leaf->name)))
		return err_set(err,
			       "params: of %s the file has the numbers alone that its input read; "
			       "posviz dump --leaves all writes all of them",
			       leaf->name);
	if (!mapped)
		return true;
	if (!leaf_tensor_find(given->params, mapped, !model->config.unfilled, model->arena, out,
			      err))
		return false;
	return *out || err_set(err, "map: no tensor %s for leaf %s; there is %s",
			       text_quote_whole(model->arena, mapped, strlen(mapped)), leaf->name,
			       tensor_names(given->params, mapped, model->arena));
}

static struct leaf *append_leaf(struct model *model)
{
	model->leaves = arena_grow(model->arena, model->leaves, model->n_leaves, &model->cap_leaves,
				   sizeof *model->leaves);
	return &model->leaves[model->n_leaves++];
}

/* Refuses tables that exceed the memory before they are drawn: with t-max² entries they can be
 * larger than the machine. Those of the layers behind the first are drawn by runs that need them. */
static bool check_memory(struct model *model, const char *name, size_t rows, size_t cols,
			 struct err *err)
{
	double all = 8 * (double)rows * (double)cols;
	for (size_t i = 0; i < model->n_leaves; i++)
		if (model->leaves[i].layer <= 0 &&
		    !(model->leaves[i].late && model->leaves[i].late->init.by_rows))
			all += 8 * (double)model->leaves[i].at.rows *
			       (double)model->leaves[i].at.cols;
	const size_t limit = model->config.memory;
	model->too_large = limit > 0 && all > (double)limit;
	return !model->too_large ||
	       err_set(err,
		       "with %s (%zu x %zu) the learned numbers take %.0f MB, above the limit of "
		       "%.0f MB",
		       name, rows, cols, all / 1e6, (double)limit / 1e6);
}

/* Returns whether the shape fits; a vector may be a row or a column. */
static bool tensor_shaped(const struct tensor *t, size_t rows, size_t cols)
{
	const struct mat m = tensor_mat(t);
	return (m.rows == rows && m.cols == cols) ||
	       (t->dims == 1 && m.rows == cols && m.cols == rows);
}

static bool misfit(struct model *model, const struct tensor *t, const char *leaf, size_t rows,
		   size_t cols, struct err *err)
{
	const struct mat m = tensor_mat(t);
	model->misfit = t;
	model->transposed = m.rows == cols && m.cols == rows;
	return err_set(err, "params: %s is %zu x %zu; %s needs %zu x %zu%s",
		       text_quote_whole(model->arena, t->name, strlen(t->name)), m.rows, m.cols,
		       leaf, rows, cols, model->transposed ? ": transposed it would fit" : "");
}

bool given_blame(struct err *err, const char *kind, const char *file)
{
	char quoted[120];
	if (file)
		err_prefix(err, "%s: ", text_quote_buf(quoted, sizeof quoted, file, strlen(file)));
	return err_prefix(err, "%s: ", kind);
}

/* Puts the numbers of a given tensor into *t, in the layout of the leaf, if they are wanted; what
 * does not fit is not read. */
static bool read_given(struct model *model, const struct tensor **t, struct leaf_init init,
		       const char *leaf, size_t rows, size_t cols, struct err *err)
{
	const struct tensor_set *const set = model->given->params;
	struct tensor shape = **t;
	shape.at = NULL;
	const struct tensor *const fits =
		leaf_tensor_heads(leaf_tensor_kernel(&shape, init.taps, rows, cols, model->arena),
				  rows, cols, model->arena);
	if (!tensor_shaped(fits, rows, cols))
		return misfit(model, *t, leaf, rows, cols, err);
	if (model->config.unfilled)
		return true;
	*t = tensor_load(set, *t, model->arena, err);
	if (!*t)
		return err_prefix(err, "params: ");
	*t = leaf_tensor_kernel(*t, init.taps, rows, cols, model->arena);
	return tensor_check_finite(*t, err) ||
	       given_blame(err, "params", model->given->params_file);
}

static bool make_leaf(struct model *model, const struct member *m, const char *base, size_t rows,
		      size_t cols, long layer, struct leaf_init init, struct err *err)
{
	const char *name = layer < 0
				   ? arena_printf(model->arena, "%s.%s", m->name, base)
				   : arena_printf(model->arena, "%s.%s.%ld", m->name, base, layer);
	struct leaf made = {.name = name, .base = base, .member = m, .layer = layer};
	const struct tensor *t;
	if (!given_leaf(model, &made, &t, err))
		return false;
	if (!t && layer <= 0 && !init.by_rows && !check_memory(model, name, rows, cols, err))
		return false;
	made.given = t != NULL;
	made.tensor = t ? t->name : NULL;
	struct leaf *leaf = append_leaf(model);
	*leaf = made;
	if (t && !read_given(model, &t, init, name, rows, cols, err))
		return false;
	if (model->config.unfilled) {
		leaf->at = mat_view(t ? tensor_mat(t).at : NULL, rows, cols);
		return true;
	}
	if (!t && (double)rows * (double)cols > LEAF_AT_ONCE) {
		leaf->at = mat_view(NULL, rows, cols);
		leaf->late = arena_calloc(model->arena, 1, sizeof *leaf->late);
		leaf->late->init = init;
		return true;
	}
	if (!t) {
		leaf->at = mat_new(model->arena, rows, cols);
		leaf_fill(model, leaf, leaf->at, init);
		return true;
	}
	leaf->at = mat_view(tensor_mat(t).at, rows, cols);
	return true;
}

bool model_leaf(struct model *model, const struct member *m, const char *base, size_t rows,
		size_t cols, bool per_layer, struct leaf_init demo, struct leaf_init paper,
		struct err *err)
{
	struct leaf_init init = model->config.init == INIT_PAPER ? paper : demo;
	init.taps = demo.taps;
	init.by_rows = init.by_rows && init.fill != FILL_XAVIER && init.fill != FILL_DIAGONAL &&
		       init.fill != FILL_BALANCED;
	if (!per_layer)
		return make_leaf(model, m, base, rows, cols, -1, init, err);
	for (size_t l = 0; l < model->config.layers; l++)
		if (member_on(m, l) && !make_leaf(model, m, base, rows, cols, (long)l, init, err))
			return false;
	return true;
}

struct leaf *model_find_leaf(const struct model *model, const struct member *m, const char *base,
			     size_t layer)
{
	for (size_t i = 0; i < model->n_leaves; i++) {
		struct leaf *leaf = &model->leaves[i];
		if (leaf->member == m && strcmp(leaf->base, base) == 0 &&
		    (leaf->layer < 0 || leaf->layer == (long)layer))
			return leaf;
	}
	return NULL;
}

void model_freeze(struct model *model, const struct member *m)
{
	for (size_t i = 0; i < model->n_leaves; i++)
		model->leaves[i].frozen |= model->leaves[i].member == m;
}

size_t model_frozen_parameters(const struct model *model)
{
	size_t count = 0;
	for (size_t i = 0; i < model->n_leaves; i++)
		if (model->leaves[i].frozen)
			count += model->leaves[i].at.rows * model->leaves[i].at.cols;
	return count;
}

size_t model_position_parameters(const struct model *model)
{
	size_t count = 0;
	for (size_t i = 0; i < model->n_leaves; i++)
		count += model->leaves[i].at.rows * model->leaves[i].at.cols;
	return count;
}

struct mat model_units(struct arena *a, const struct model_config *config, const char *const *text,
		       const size_t *len, size_t n)
{
	const struct mat units = mat_new(a, n, config->d);
	for (size_t i = 0; i < n; i++) {
		/* A token may contain NUL bytes: escaping keeps such names distinct. */
		char *name = arena_alloc(a, 2 * len[i] + 6);
		size_t at = 0;
		memcpy(name, "unit ", 5);
		at = 5;
		for (size_t b = 0; b < len[i]; b++) {
			if (text[i][b] == '\0' || text[i][b] == '\\')
				name[at++] = '\\';
			name[at++] = text[i][b] ? text[i][b] : '0';
		}
		name[at] = '\0';
		struct rng rng;
		rng_init_name(&rng, config->seed, name);
		mat_fill_normal(mat_rows(units, i, 1), 1, &rng);
	}
	return units;
}
