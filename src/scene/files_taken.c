/* files_taken.c: compares the tensors in files of weights and parameters with those that the model
 * reads.
 *
 * A user would believe that a partly read file was fully used. So a tensor that is missing beside
 * its siblings is an error, and unused tensors are named. Tensors of a dump count as known in
 * either file. */
#include <stdlib.h>
#include <string.h>

#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "posviz/format/kind.h"
#include "posviz/scene/beside.h"
#include "posviz/scene/dump.h"
#include "scene_in.h"

const struct scheme *scheme_of_member(const struct member *m)
{
	for (size_t i = 0; i < scheme_count(); i++)
		if (&scheme_at(i)->hooks == m->hooks)
			return scheme_at(i);
	return NULL;
}

const struct leaf_row *leaf_row_of(const struct leaf *leaf)
{
	const struct scheme *const s = scheme_of_member(leaf->member);
	return s ? scheme_leaf(s, leaf->base) : NULL;
}

static const char *quoted(const char *name, struct arena *a)
{
	return text_quote_whole(a, name, strlen(name));
}

enum { SUGGESTED = 16 }; /* limit on unused tensors for which a similar name is looked up */

/* ---- missing tensors ------------------------------------------------------------------------- */

static bool is_called(const struct leaf *leaf, const char *name, struct arena *a)
{
	const char *names[LEAF_NAMES];
	const size_t n = model_leaf_names(leaf, a, names);
	for (size_t i = 0; i < n; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

static bool names_leaf(const struct model *model, const char *name, struct arena *a)
{
	for (size_t i = 0; i < model->n_leaves; i++)
		if (is_called(&model->leaves[i], name, a))
			return true;
	return false;
}

/* Lists the leaves as "shaw.w_key, shaw.w_value", each base name once, whatever its layers. */
static const char *all_leaves(const struct model *model, struct arena *a)
{
	struct strbuf s;
	strbuf_init(&s, a);
	for (size_t i = 0; i < model->n_leaves; i++) {
		const struct leaf *const leaf = &model->leaves[i];
		bool before = false;
		for (size_t k = 0; k < i && !before; k++)
			before = model->leaves[k].member == leaf->member &&
				 strcmp(model->leaves[k].base, leaf->base) == 0;
		if (!before)
			strbuf_printf(&s, "%s%s.%s", s.len ? ", " : "", leaf->member->name,
				      leaf->base);
	}
	return s.at;
}

/* Lists the layers L that have a leaf called `stem`.L: "0, 1"; NULL: none. */
static const char *layers_of(const struct model *model, const char *stem, struct arena *a)
{
	struct strbuf s;
	strbuf_init(&s, a);
	for (size_t i = 0; i < model->n_leaves; i++) {
		const struct leaf *const leaf = &model->leaves[i];
		if (leaf->layer >= 0 && is_called(leaf, stem, a))
			strbuf_printf(&s, "%s%ld", s.len ? ", " : "", leaf->layer);
	}
	return s.len ? s.at : NULL;
}

static bool no_such_leaf(const struct model *model, const char *name, struct arena *a,
			 struct err *err)
{
	if (model->n_leaves == 0)
		return err_set(err, "map: no parameter is called %s", quoted(name, a));
	const size_t len = strlen(name);
	/* Show prints names in this form. */
	const bool pattern = len > 2 && strcmp(name + len - 2, ".L") == 0;
	const char *const stem = pattern ? arena_strndup(a, name, len - 2) : NULL;
	const char *const layers = stem ? layers_of(model, stem, a) : NULL;
	if (layers)
		return err_set(err,
			       "map: in %s the L stands for a layer; there are %s, and %s for all",
			       quoted(name, a), layers, stem);
	return err_set(err, "map: no parameter is called %s; there are %s", quoted(name, a),
		       all_leaves(model, a));
}

/* True if a leaf takes the tensor that the map has for this name; false if every such leaf also has
 * a more precise name in the map. */
static bool is_followed(const struct built *b, const char *name, const char *tensor,
			struct arena *a)
{
	for (size_t i = 0; i < b->model.n_leaves; i++) {
		const struct leaf *const leaf = &b->model.leaves[i];
		if (is_called(leaf, name, a) && leaf->tensor && strcmp(leaf->tensor, tensor) == 0)
			return true;
	}
	return false;
}

/* Returns whether params and map are those that opening a model set: they offer what it learned, of
 * which another expression takes what it has. */
static bool offers(const struct setup *setup)
{
	return *setup->checkpoint && strcmp(setup->params, setup->checkpoint) == 0;
}

/* Refuses entries that name no leaf or change nothing: the user would believe that they were
 * followed. */
static bool check_mapped(const struct setup *setup, const struct built *b, struct arena *a,
			 struct err *err)
{
	if (b->given.map_count > 0 && !b->given.params)
		return err_set(err, "map: there is no file to take tensors from; give params too");
	for (size_t i = 0; i < b->given.map_count; i++) {
		const char *const entry = b->given.map[i];
		const size_t len = strcspn(entry, "=");
		const char *const name = arena_strndup(a, entry, len);
		if (!names_leaf(&b->model, name, a) && offers(setup))
			continue;
		if (!names_leaf(&b->model, name, a))
			return no_such_leaf(&b->model, name, a, err);
		if (!is_followed(b, name, entry + len + 1, a))
			return err_set(
				err,
				"map: %s is not used: all that it names have a more precise name "
				"in the map; leave it out",
				quoted(entry, a));
	}
	return true;
}

static bool is_given(const struct model *model, const struct member *m)
{
	for (size_t i = 0; i < model->n_leaves; i++)
		if (model->leaves[i].member == m && model->leaves[i].given)
			return true;
	return false;
}

static bool any_given(const struct model *model)
{
	for (size_t i = 0; i < model->n_leaves; i++)
		if (model->leaves[i].given)
			return true;
	return false;
}

static bool any_drawn(const struct model *model)
{
	for (size_t i = 0; i < model->n_leaves; i++)
		if (!model->leaves[i].given)
			return true;
	return false;
}

/* True if the file has siblings of the leaf but not the leaf. */
static bool is_missing(const struct model *model, const struct leaf *leaf)
{
	return !leaf->given && is_given(model, leaf->member);
}

/* Sets leaves that a checkpoint may lack to 0 if their siblings are given. */
static void fill_spare(const struct model *model)
{
	for (size_t i = 0; i < model->n_leaves; i++) {
		struct leaf *const leaf = &model->leaves[i];
		const struct leaf_row *const note = leaf_row_of(leaf);
		if (!is_missing(model, leaf) || !note || !note->spare)
			continue;
		leaf->at = model_leaf_blank(model, leaf);
		leaf->late = NULL;
		mat_fill(leaf->at, 0);
		leaf->given = true;
	}
}

static bool any_missing(const struct model *model)
{
	for (size_t i = 0; i < model->n_leaves; i++)
		if (is_missing(model, &model->leaves[i]))
			return true;
	return false;
}

/* True if all layers of this leaf are missing: they are then named together, without a layer.
 * *first: the leaf is the first of them. */
static bool stands_for_layers(const struct model *model, const struct leaf *leaf, bool *first)
{
	bool all = leaf->layer >= 0;
	*first = true;
	for (size_t i = 0; i < model->n_leaves; i++) {
		const struct leaf *const other = &model->leaves[i];
		if (other->member != leaf->member || strcmp(other->base, leaf->base) != 0)
			continue;
		all &= !other->given;
		*first &= other >= leaf;
	}
	return all;
}

/* Lists missing leaves by whole names with shapes, at most MOST of them; all leaves if the file has
 * none. *first is the first of these. */
static const char *missing_leaves(const struct model *model, const struct leaf **first,
				  struct arena *a)
{
	enum { MOST = 6 };
	const bool some = any_missing(model);
	struct strbuf s;
	size_t n = 0;
	strbuf_init(&s, a);
	*first = NULL;
	for (size_t i = 0; i < model->n_leaves; i++) {
		const struct leaf *const leaf = &model->leaves[i];
		bool head;
		const bool layers = stands_for_layers(model, leaf, &head);
		if ((some && !is_missing(model, leaf)) || (layers && !head))
			continue;
		*first = *first ? *first : leaf;
		const char *const name =
			layers ? arena_printf(a, "%s.%s", leaf->member->name, leaf->base)
			       : leaf->name;
		if (n++ < MOST)
			strbuf_printf(&s, "%s%s (%zu x %zu)", n > 1 ? ", " : "", name,
				      leaf->at.rows, leaf->at.cols);
	}
	if (n > MOST)
		strbuf_printf(&s, " and %zu more", n - MOST);
	return s.at;
}

/* Sets the error why the file gives the model nothing, or not enough. */
static bool lacks(const struct setup *setup, const struct model *model, struct arena *a,
		  struct err *err)
{
	const char *const file = text_quote(a, setup->params, strlen(setup->params));
	const struct tensor_set *const set = model->given->params;
	if (model->n_leaves == 0)
		return err_set(err, "params: %s is not used: %s learns nothing", file,
			       setup->scheme);
	if (set->count == 0)
		return err_set(err, "params: there is no tensor in %s", file);
	const struct leaf *first;
	const char *const all = missing_leaves(model, &first, a);
	return err_set(err, "params: there is no %s in %s; %s", all, file,
		       files_offer(set, first, a));
}

/* Parameters that are not read are no error if the file is also read for weights or units, or if
 * another compared expression may use it. */
static bool check_params(const struct setup *setup, const struct built *b, struct arena *a,
			 struct err *err)
{
	if (!b->given.params)
		return true;
	const bool used = strcmp(setup->params, setup->weights) == 0 ||
			  strcmp(setup->params, setup->units) == 0 ||
			  strcmp(setup->compare, "none") != 0 || any_given(&b->model);
	fill_spare(&b->model);
	return offers(setup) || (used && !any_missing(&b->model)) ||
	       lacks(setup, &b->model, a, err);
}

/* ---- compared expressions -------------------------------------------------------------------- */

/* The models that read the file: the setup's own and the compared ones. Leaves of the latter have
 * shapes but no numbers. */
struct readers {
	const struct model *at[COMPARE_MAX];
	size_t n;
};

/* Adds the model of a compared expression. An expression that cannot be built is reported where it
 * is shown, so it is an error here only if a tensor of the file is the reason. */
static bool add_reader(const struct built *b, const char *expression, struct readers *to,
		       struct arena *a, struct err *err)
{
	struct model *const model = arena_calloc(a, 1, sizeof *model);
	struct given *const given = arena_calloc(a, 1, sizeof *given);
	struct expr *const e = expr_copy(expr_of(expression, a, NULL), a);
	struct member *const members = arena_calloc(a, MODEL_MAX_MEMBERS, sizeof *members);
	struct model_config config = b->model.config;
	size_t n;
	given->params = b->given.params;
	config.unfilled = true;
	config.memory = 0;
	if (!e || !expr_members(e, members, &n, a, NULL))
		return true;
	if (model_build(model, &config, members, n, given, a, err))
		to->at[to->n++] = model;
	return !model->misfit;
}

static bool find_readers(const struct setup *setup, const struct built *b, struct readers *out,
			 struct arena *a, struct err *err)
{
	struct beside all[COMPARE_MAX];
	const size_t n = scene_beside(setup, a, all);
	*out = (struct readers){.at = {&b->model}, .n = 1};
	for (size_t i = 1; i < n && b->given.params; i++)
		if (all[i].expression && !all[i].model &&
		    !add_reader(b, all[i].expression, out, a, err))
			return false;
	return true;
}

bool compared_params(const struct setup *setup, const struct built *b, struct err *err)
{
	if (!b->given.params || strcmp(setup->compare, "none") == 0 || any_given(&b->model))
		return true;
	struct arena a;
	struct readers all;
	arena_init(&a);
	bool ok = find_readers(setup, b, &all, &a, err), used = false;
	const struct model *first = &b->model; /* the first model with leaves */
	for (size_t i = 0; ok && i < all.n; i++) {
		used |= any_given(all.at[i]);
		if (first->n_leaves == 0)
			first = all.at[i];
	}
	if (ok && !used)
		ok = lacks(setup, first, &a, err);
	arena_release(&a);
	return ok;
}

/* ---- unused tensors -------------------------------------------------------------------------- */

/* A file and the roles in which it is read. */
struct role {
	const char *kind; /* "weights", "params" */
	const struct tensor_set *set;
	bool weights, params, units;
};

static bool is_weight(const char *base)
{
	for (size_t i = 0; model_weight_name(i); i++)
		if (strcmp(base, model_weight_name(i)) == 0)
			return true;
	return false;
}

/* Returns the length of the prefix "layer.3." or "param." of a name. */
static size_t stem_length(const char *name)
{
	if (strncmp(name, "param.", 6) == 0)
		return 6;
	const size_t digits = strncmp(name, "layer.", 6) == 0 ? strspn(name + 6, "0123456789") : 0;
	return digits > 0 && name[6 + digits] == '.' ? 7 + digits : 0;
}

/* True for a tensor of a dump that is not of the kind for which the file was given. */
static bool of_dump(const struct role *role, const char *name)
{
	const size_t stem = stem_length(name);
	if (stem > 0 && is_weight(name + stem))
		return !role->weights;
	if (strncmp(name, "param.", 6) == 0)
		return !role->params;
	return dump_is_name(name);
}

/* True if the map has the tensor, rows of it, "table[2:]", or another form of it. */
static bool is_mapped(const struct given *given, const char *name)
{
	const size_t len = strlen(name);
	for (size_t i = 0; i < given->map_count; i++) {
		const char *const mapped = strchr(given->map[i], '=') + 1;
		const char *const second = strchr(mapped, '&');
		if ((strncmp(mapped, name, len) == 0 && strchr("[+^&", mapped[len])) ||
		    (second && strcmp(second + 1, name) == 0))
			return true;
	}
	return false;
}

/* The sorted names of the tensors in leaves. Sorted for speed: files have many names, models many
 * leaves. */
struct leaf_tensors {
	const char **at;
	size_t n;
};

static int compare_names(const void *x, const void *y)
{
	return strcmp(*(const char *const *)x, *(const char *const *)y);
}

static struct leaf_tensors leaf_tensors_of(const struct readers *all, struct arena *a)
{
	size_t most = 0, n = 0;
	for (size_t i = 0; i < all->n; i++)
		most += all->at[i]->n_leaves;
	const char **const at = arena_calloc(a, most + 1, sizeof *at);
	for (size_t i = 0; i < all->n; i++)
		for (size_t k = 0; k < all->at[i]->n_leaves; k++)
			if (all->at[i]->leaves[k].tensor)
				at[n++] = all->at[i]->leaves[k].tensor;
	qsort(at, n, sizeof *at, compare_names);
	return (struct leaf_tensors){at, n};
}

static bool gives_leaf(const struct leaf_tensors *leaves, const char *tensor)
{
	return bsearch(&tensor, leaves->at, leaves->n, sizeof *leaves->at, compare_names) != NULL;
}

static bool is_taken(const struct role *role, const struct built *b,
		     const struct leaf_tensors *leaves, const char *name)
{
	if (role->units && (strcmp(name, "input") == 0 || strcmp(name, "data") == 0))
		return true;
	if (role->weights && model_takes_weight(&b->model, name))
		return true;
	if (role->params && is_mapped(&b->given, name))
		return true;
	if (role->params && gives_leaf(leaves, name))
		return true;
	return of_dump(role, name);
}

/* Returns a similar name that may be meant; NULL: none. */
static const char *meant(const struct role *role, const struct readers *all, const char *name,
			 struct arena *a)
{
	size_t n = 0, most = 0;
	for (size_t i = 0; model_weight_name(i); i++)
		most++;
	for (size_t i = 0; i < all->n; i++)
		most += 2 * all->at[i]->n_leaves;
	const char **const names = arena_calloc(a, most + 1, sizeof *names);
	for (size_t i = 0; role->weights && model_weight_name(i); i++)
		names[n++] = model_weight_name(i);
	for (size_t i = 0; role->params && i < all->n; i++)
		for (size_t k = 0; k < all->at[i]->n_leaves; k++) {
			names[n++] = all->at[i]->leaves[k].base;
			names[n++] = all->at[i]->leaves[k].name;
		}
	const size_t stem = stem_length(name);
	const char *const near = text_nearest(name + stem, names, n);
	return near && strcmp(near, name + stem) != 0
		       ? arena_printf(a, "%.*s%s", (int)stem, name, near)
		       : NULL;
}

static void find_untaken(const struct role *role, const struct readers *all, struct arena *a,
			 struct built *b)
{
	struct untaken *const out =
		arena_calloc(a, b->n_untaken + role->set->count + 1, sizeof *out);
	if (b->n_untaken)
		memcpy(out, b->untaken, b->n_untaken * sizeof *out);
	const struct leaf_tensors leaves = leaf_tensors_of(all, a);
	b->untaken = out;
	for (size_t i = 0; i < role->set->count; i++) {
		const char *const name = role->set->tensors[i].name;
		if (is_taken(role, b, &leaves, name))
			continue;
		/* A whole checkpoint has hundreds of unused tensors, and its user needs few
		 * suggestions. */
		const bool looked_at = b->n_untaken < SUGGESTED;
		out[b->n_untaken++] = (struct untaken){
			role->kind, name, looked_at ? meant(role, all, name, a) : NULL};
	}
}

/* Returns one line: the first unused tensors by whole names, and the number of the others. */
static const char *untaken_note(const struct built *b, struct arena *a)
{
	enum { MOST = 3 };
	struct strbuf s;
	if (b->n_untaken == 0)
		return NULL;
	strbuf_init(&s, a);
	strbuf_printf(&s, "%s: nothing takes ", b->untaken[0].file);
	for (size_t i = 0; i < b->n_untaken && i < MOST; i++) {
		const struct untaken *const u = &b->untaken[i];
		strbuf_printf(&s, "%s%s", i ? ", " : "", quoted(u->name, a));
		if (u->near)
			strbuf_printf(&s, " (is it %s?)", quoted(u->near, a));
	}
	if (b->n_untaken > MOST)
		strbuf_printf(&s, " and %zu more; posviz show names all", b->n_untaken - MOST);
	return s.at;
}

/* Notes settings of drawn weights that the user set although a file gives all these weights.
 * `content` also scales drawn parameters, so it counts only if there are none. */
static const char *undrawn_note(const struct setup *setup, const struct built *b, struct arena *a)
{
	const bool q = b->given.weights && model_weight_is_given(&b->model, "w_q");
	const bool all = q && model_weight_is_given(&b->model, "w_k") &&
			 model_weight_is_given(&b->model, "w_v");
	const bool proj = setup->asked.proj && all;
	const bool content = setup->asked.content && q && !any_drawn(&b->model);
	if (!proj && !content)
		return NULL;
	return arena_printf(a, "%s: weights gives %s",
			    proj && content ? "proj and content mean nothing"
			    : proj	    ? "proj means nothing"
					    : "content means nothing",
			    proj ? "every W_q, W_k and W_v" : "every W_q");
}

static const char *join(const char *x, const char *y, struct arena *a)
{
	return x && y ? arena_printf(a, "%s; %s", x, y) : x ? x : y;
}

/* True if `spec` is "FILE" or "FILE:TENSOR" for this path. */
static bool same_file(const char *spec, const char *path)
{
	const size_t len = strlen(path);
	return strncmp(spec, path, len) == 0 && (spec[len] == '\0' || spec[len] == ':');
}

/* The files of a model hold more than positions. */
static bool is_of_model(const char *path)
{
	struct kind_seen seen;
	return kind_of_file(path, NULL, &seen, NULL) &&
	       (seen.kind->id == KIND_MODEL_DIR || seen.kind->id == KIND_MODEL_INDEX ||
		seen.kind->id == KIND_GGUF);
}

static void name_untaken(const struct setup *setup, const struct readers *all, struct arena *a,
			 struct built *b)
{
	const bool both = strcmp(setup->weights, setup->params) == 0;
	const struct role roles[] = {
		{"weights", b->given.weights, true, both, same_file(setup->units, setup->weights)},
		{"params", both ? NULL : b->given.params, false, true,
		 same_file(setup->units, setup->params)}};
	for (size_t i = 0; i < 2; i++)
		if (roles[i].set && !is_of_model(i ? setup->params : setup->weights))
			find_untaken(&roles[i], all, a, b);
	b->note = join(b->note, join(untaken_note(b, a), undrawn_note(setup, b, a), a), a);
}

bool given_fits(const struct setup *setup, struct arena *a, struct built *b, struct err *err)
{
	struct readers all;
	if (!check_mapped(setup, b, a, err) || !model_weights_whole(&b->model, err) ||
	    !check_params(setup, b, a, err))
		return false;
	for (size_t i = 0; i < b->n_members; i++)
		b->note = join(b->note, b->members[i].note, a);
	b->note = join(b->note, setup_earlier_note(setup, a), a);
	if (!b->given.weights && !b->given.params)
		return true;
	/* compared_params() reports the reason why another model cannot take them. */
	find_readers(setup, b, &all, a, NULL);
	name_untaken(setup, &all, a, b);
	return true;
}
