/* which.c: the head, the layer and the expression that are shown, and their names: the user's,
 * else their number. If a file has no axis of heads or layers, its matrix has neither head nor
 * layer. */
#include <string.h>

#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "posviz/scene/model_open.h"
#include "view_in.h"

long view_within(long value, size_t limit)
{
	return value < 1 ? 1 : value > (long)limit ? (long)limit : value;
}

size_t view_chosen(long number, size_t n)
{
	return trace_chosen(number, n);
}

long view_wanted(long number, size_t n)
{
	return trace_wanted(number, n);
}

const struct trace_head *view_shown(const struct scene *scene, size_t heads, struct trace *trace,
				    struct arena *a)
{
	return trace_shown(trace, heads, scene->head, scene->layer, a);
}

size_t view_head(const struct view_data *d)
{
	return view_chosen(d->scene->head, d->built->model.config.heads);
}

size_t view_layer(const struct view_data *d)
{
	return view_chosen(d->scene->layer, d->trace->n_layers);
}

static bool is_mean_head(const struct view_data *d)
{
	return view_head(d) == d->built->model.config.heads;
}

static bool is_mean_layer(const struct view_data *d)
{
	return view_layer(d) == d->trace->n_layers;
}

bool view_is_mean(const struct view_data *d)
{
	return is_mean_head(d) || is_mean_layer(d) || d->trace->words;
}

const char *view_this(const struct view_data *d)
{
	return is_mean_head(d) || is_mean_layer(d) ? "this mean" : "this head";
}

/* ---- origin of the numbers ------------------------------------------------------------------- */

bool view_compares_units(const struct built *b)
{
	for (size_t l = 0; l < b->model.n_steps; l++)
		for (size_t h = 0; h < b->model.config.heads; h++) {
			bool replaced = false;
			for (size_t i = 0; i < b->n_members && !replaced; i++) {
				const struct member *const m = &b->members[i];
				replaced = (m->hooks->no_logits ||
					    (m->hooks->content && !m->hooks->content_of_units)) &&
					   subset_has(&m->layers, b->model.steps[l].layer) &&
					   subset_has(&m->heads, h);
			}
			if (!replaced)
				return true;
		}
	return false;
}

/* Returns whether all members except masks read their numbers from files. */
static bool is_of_files(const struct built *b)
{
	bool any = false;
	for (size_t i = 0; i < b->n_members; i++) {
		const struct member *const m = &b->members[i];
		if (m->units == 0 && !(m->scheme && m->scheme->flags & SCHEME_MASK))
			return false;
		any |= m->units > 0;
	}
	return any;
}

bool view_is_own(const struct built *b)
{
	return is_of_files(b) && !view_compares_units(b);
}

bool view_bias_is_own(const struct built *b)
{
	return is_of_files(b);
}

/* Returns the axes of a member's file, or those along which the member is restricted. */
static struct view_axes axes_of_member(const struct built *b, const struct member *m)
{
	const struct model_config *const c = &b->model.config;
	return (struct view_axes){
		m->n_heads > 0 || !subset_within(subset_first(c->heads), m->heads),
		m->n_layers > 0 || !subset_within(subset_first(c->layers), m->layers)};
}

static struct view_axes axes_of_files(const struct built *b)
{
	struct view_axes axes = {false, false};
	for (size_t i = 0; i < b->n_members; i++) {
		const struct view_axes one = axes_of_member(b, &b->members[i]);
		axes.heads |= one.heads;
		axes.layers |= one.layers;
	}
	return axes;
}

struct view_axes view_axes(const struct built *b)
{
	return view_is_own(b) ? axes_of_files(b) : (struct view_axes){true, true};
}

struct view_axes view_bias_axes(const struct built *b)
{
	return view_bias_is_own(b) ? axes_of_files(b) : (struct view_axes){true, true};
}

struct view_axes view_matrix_axes(const struct view_data *d)
{
	if (d->earlier)
		return (struct view_axes){true, true};
	return d->scene->matrix == MATRIX_BIAS ? view_bias_axes(d->built) : view_axes(d->built);
}

bool view_shows_own(const struct view_data *d, const struct figure *f)
{
	bool bias = view_bias_is_own(d->built) && !d->trace->bias_absent;
	if (!d->view->by_distance || d->n_swept > 0)
		return view_is_own(d->built);
	for (size_t i = 0; i < f->n && bias; i++)
		bias = f->panels[i].kind == PANEL_CURVES ||
		       (f->panels[i].name && strcmp(f->panels[i].name, "bias") == 0);
	return bias || view_is_own(d->built);
}

bool view_without_bias(const struct built *b)
{
	for (size_t i = 0; i < b->n_members; i++) {
		const struct hooks *h = b->members[i].hooks;
		if (h->no_logits || (h->content && !h->content_of_units))
			return true;
	}
	return false;
}

bool view_bias_is_causal(const struct built *b)
{
	for (size_t i = 0; i < b->expr.n; i++) {
		const struct expr own = {.members = {b->expr.members[i]}, .n = 1};
		const unsigned flags = b->expr.members[i].scheme->flags;
		if (flags & SCHEME_CAUSAL && !(flags & SCHEME_MASK) && expr_is_causal(&own))
			return true;
		/* An entry that the user forbids by -inf has no value. */
		if (flags & SCHEME_YOURS && !(flags & SCHEME_MASK))
			return true;
	}
	/* A file with a mask has no meaningful values at masked pairs. */
	for (size_t i = 0; i < b->n_members; i++)
		if (b->members[i].units && b->members[i].hooks->mask)
			return true;
	return false;
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Joins two texts, each of which may be empty. */
static const char *beside(const char *left, const char *right, const char *between, struct arena *a)
{
	return !*left ? right : !*right ? left : arena_printf(a, "%s%s%s", left, between, right);
}

const char *view_beside(const char *left, const char *right, struct arena *a)
{
	return beside(left, right, " · ", a);
}

const char *view_head_name(const struct view_data *d, size_t head, struct arena *a)
{
	const char *const name = scene_name_of(d->scene, NAMED_HEAD, head + 1, a);
	return name ? name : arena_printf(a, "head %zu", head + 1);
}

const char *view_layer_name(const struct view_data *d, size_t layer, struct arena *a)
{
	const char *const name = scene_name_of(d->scene, NAMED_LAYER, layer + 1, a);
	return name ? name : arena_printf(a, "layer %zu", layer + 1);
}

/* Returns "memory 1–4". Columns may be labelled with numbers, which do not show that a key is of
 * the memory. */
static const char *memory_note(const struct view_data *d, const char *word, struct arena *a)
{
	const size_t memory = d->trace->memory;
	return memory > 1    ? arena_printf(a, "%s1–%zu", word, memory)
	       : memory == 1 ? arena_printf(a, "%s1", word)
			     : "";
}

static const char *head_of(const struct view_data *d, struct view_axes axes, struct arena *a)
{
	const size_t heads = d->built->model.config.heads, head = view_head(d);
	const char *const name = scene_name_of(d->scene, NAMED_HEAD, head + 1, a);
	if (is_mean_head(d))
		return axes.heads
			       ? arena_printf(a, "mean of %zu head%s", heads, heads > 1 ? "s" : "")
			       : "";
	if (!axes.heads)
		return name ? name : "";
	return name ? arena_printf(a, "%s, head %zu of %zu", name, head + 1, heads)
		    : arena_printf(a, "head %zu of %zu", head + 1, heads);
}

static const char *layer_of(const struct view_data *d, struct view_axes axes, struct arena *a)
{
	const size_t layer = view_layer(d);
	const char *const name = scene_name_of(d->scene, NAMED_LAYER, layer + 1, a);
	if (is_mean_layer(d))
		return axes.layers ? arena_printf(a, "mean of %zu layers", d->trace->n_layers) : "";
	if (!axes.layers || (d->trace->n_layers == 1 && !name))
		return name ? name : "";
	return name ? arena_printf(a, "%s, layer %zu", name, layer + 1)
		    : arena_printf(a, "layer %zu", layer + 1);
}

const char *view_head_note(const struct view_data *d, struct arena *a)
{
	return view_beside(head_of(d, view_axes(d->built), a), memory_note(d, "memory ", a), a);
}

const char *view_layer_note(const struct view_data *d, struct arena *a)
{
	const struct view_axes axes = view_axes(d->built);
	return view_beside(view_beside(head_of(d, axes, a), layer_of(d, axes, a), a),
			   memory_note(d, "memory ", a), a);
}

/* Return the head and the layer in the words of commands. */
static const char *short_head(const struct view_data *d, struct view_axes axes, struct arena *a)
{
	const char *const name = scene_name_of(d->scene, NAMED_HEAD, view_head(d) + 1, a);
	if (!is_mean_head(d) && name)
		return name;
	return !axes.heads	 ? ""
	       : is_mean_head(d) ? "head mean"
				 : view_head_name(d, view_head(d), a);
}

static const char *short_layer(const struct view_data *d, struct view_axes axes, struct arena *a)
{
	const char *const name = scene_name_of(d->scene, NAMED_LAYER, view_layer(d) + 1, a);
	if (!is_mean_layer(d) && name)
		return name;
	return !axes.layers || d->trace->n_layers == 1 ? ""
	       : is_mean_layer(d)		       ? "layer mean"
						       : view_layer_name(d, view_layer(d), a);
}

/* Joins head and layer: without a mark between two numbers, with a dot if one has a name. */
static const char *short_of(const struct view_data *d, struct view_axes axes, bool layer,
			    struct arena *a)
{
	const bool named = scene_name_of(d->scene, NAMED_HEAD, view_head(d) + 1, a) ||
			   scene_name_of(d->scene, NAMED_LAYER, view_layer(d) + 1, a);
	const char *const head = short_head(d, axes, a);
	return view_beside(
		beside(head, layer ? short_layer(d, axes, a) : "", named ? " · " : " ", a),
		memory_note(d, "~", a), a);
}

const char *view_short_head(const struct view_data *d, struct arena *a)
{
	return short_of(d, view_axes(d->built), false, a);
}

const char *view_short_layer(const struct view_data *d, struct arena *a)
{
	return short_of(d, view_axes(d->built), true, a);
}

/* Returns the text with `from` replaced by `to`, everywhere or up to the last one. */
static const char *replaced(const char *text, const char *from, const char *to, bool last,
			    struct arena *a)
{
	const char *out = "", *at;
	while ((at = strstr(text, from)) != NULL && (last || strstr(at + strlen(from), from))) {
		out = arena_printf(a, "%s%.*s%s", out, (int)(at - text), text, to);
		text = at + strlen(from);
	}
	return arena_printf(a, "%s%s", out, text);
}

const char *view_brief_name(const char *name, struct arena *a)
{
	static const char degree[] = "-degree";
	const char *const brief =
		replaced(replaced(replaced(name, "position", "pos", true, a), degree, "", false, a),
			 degree, " deg", true, a);
	return strcmp(brief, name) != 0 ? brief : NULL;
}

const char *view_short_term(const struct view_data *d, const char *label, struct arena *a)
{
	struct view_axes axes = view_axes(d->built);
	for (size_t i = 0; i < d->built->n_members; i++) {
		const struct member *const m = &d->built->members[i];
		if (m->units > 0 && strcmp(m->name, label) == 0)
			axes = axes_of_member(d->built, m);
	}
	return short_of(d, axes, true, a);
}

const char *view_bias_note(const struct view_data *d, struct arena *a)
{
	return view_beside(head_of(d, view_bias_axes(d->built), a), memory_note(d, "memory ", a),
			   a);
}

const char *view_short_bias(const struct view_data *d, struct arena *a)
{
	return short_of(d, view_bias_axes(d->built), false, a);
}

/* ---- side by side ---------------------------------------------------------------------------- */

enum heads_of view_along(const struct view_data *d)
{
	const struct view_axes axes = view_matrix_axes(d);
	if (d->scene->heads_of != HEADS_OF_GRID || (axes.heads && axes.layers))
		return (enum heads_of)d->scene->heads_of;
	return axes.layers ? HEADS_OF_HEAD : HEADS_OF_LAYER;
}

const char *view_head_words(const struct view_data *d, struct arena *a)
{
	return is_mean_head(d)
		       ? arena_printf(a, "the mean of %zu heads", d->built->model.config.heads)
		       : view_head_name(d, view_head(d), a);
}

const char *view_layer_words(const struct view_data *d, struct arena *a)
{
	return is_mean_layer(d) ? arena_printf(a, "the mean of %zu layers", d->trace->n_layers)
				: view_layer_name(d, view_layer(d), a);
}

/* Returns "4 heads of layer 1"; if a grid was requested, also the axis that is missing for it. */
static const char *items_of(const struct view_data *d, size_t n, const char *item, const char *of,
			    const char *lacks, struct arena *a)
{
	const char *const items = arena_printf(a, "%zu %s%s", n, item, n == 1 ? "" : "s");
	if (of)
		return arena_printf(a, "%s of %s", items, of);
	return d->scene->heads_of == HEADS_OF_GRID
		       ? arena_printf(a, "%s · no axis of %s", items, lacks)
		       : items;
}

const char *view_along_words(const struct view_data *d, struct arena *a)
{
	const struct view_axes axes = view_matrix_axes(d);
	const size_t heads = d->built->model.config.heads, layers = d->trace->n_layers;
	const bool in_layer = axes.layers && d->scene->matrix != MATRIX_BIAS;
	switch (view_along(d)) {
	case HEADS_OF_HEAD:
		return items_of(d, layers, "layer", axes.heads ? view_head_words(d, a) : NULL,
				"heads", a);
	case HEADS_OF_GRID:
		return arena_printf(a, "%zu layers × %zu heads", layers, heads);
	case HEADS_OF_LAYER:
	case HEADS_OF_COUNT:
		break;
	}
	return items_of(d, heads, "head", in_layer ? view_layer_words(d, a) : NULL, "layers", a);
}

/* ---- expressions ----------------------------------------------------------------------------- */

/* The parts of a file's name "dir/att.npz:layer5" that distinguish it from others, the shortest
 * first; each number above BY_FILE stands for one folder more. */
enum told { BY_STEM, BY_TENSOR, BY_BOTH, BY_FILE };

static const char *last_parts(const char *spec, size_t n)
{
	const char *at = spec + strlen(spec);
	while (at > spec && (at[-1] != '/' || --n > 0))
		at--;
	return at;
}

static const char *file_told(const char *spec, size_t by, struct arena *a)
{
	const char *const file = last_parts(spec, by > BY_FILE ? by - BY_FILE + 1 : 1);
	const char *const colon = strrchr(file, ':');
	const size_t len = colon ? (size_t)(colon - file) : strlen(file);
	const char *const dot = memchr(file, '.', len);
	const char *const stem =
		arena_strndup(a, file, dot && dot > file ? (size_t)(dot - file) : len);
	if (by == BY_TENSOR && !colon)
		return NULL;
	if (by == BY_STEM || (by < BY_FILE && !colon))
		return stem;
	return by == BY_TENSOR ? colon + 1
	       : by == BY_BOTH ? arena_printf(a, "%s%s", stem, colon)
			       : file;
}

/* Returns the expression with files in place of the members that read them. NULL: no member
 * does. "": a file's name lacks this part. */
static const char *told(const char *expression, size_t by, struct arena *a)
{
	const struct expr *const e = expr_of(expression, a, NULL);
	struct strbuf b;
	bool any = false;
	strbuf_init(&b, a);
	if (!e)
		return NULL;
	for (size_t i = 0; i < e->n; i++) {
		const struct expr_member *const m = &e->members[i];
		const struct param *p = m->scheme->params;
		while (p && p->name &&
		       (p->type.kind != &value_file || param_is_default(p, m->param)))
			p++;
		const bool file = p && p->name;
		const char *const is = file ? file_told(param_print(p, m->param, a), by, a)
					    : expr_print_member(m, a);
		if (!is)
			return "";
		strbuf_printf(&b, "%s%s%s", i ? "+" : "", file ? mixture_weight(m->weight, a) : "",
			      is);
		any |= file;
	}
	return any ? b.at : NULL;
}

static bool differs(const char *name, const char *other, const char *expression,
		    const char *other_expression)
{
	return strcmp(name, other) != 0 || strcmp(expression, other_expression) == 0;
}

/* Names all expressions by the same part of their files. False: the names are not different. */
static bool tell_by(size_t by, const char *const *expressions, size_t n, const char **names,
		    struct arena *a)
{
	bool apart = true;
	for (size_t i = 0; i < n; i++) {
		const char *const file = told(expressions[i], by, a);
		names[i] = file ? file : expr_brief(expressions[i], a);
		apart &= *names[i] != '\0';
		for (size_t k = 0; k < i; k++)
			apart &= differs(names[i], names[k], expressions[i], expressions[k]);
	}
	return apart;
}

/* Names each expression by its file and as many folders as distinguish it from the others.
 * False: some cannot be distinguished. */
static bool tell_by_folders(const char *const *expressions, size_t n, const char **names,
			    struct arena *a)
{
	bool known[COMPARE_MAX] = {false}, all = false;
	size_t most = 0;
	for (size_t i = 0; i < n; i++) {
		size_t folders = 0;
		for (const char *c = expressions[i]; *c; c++)
			folders += *c == '/';
		most = folders > most ? folders : most;
	}
	for (size_t by = BY_FILE; by <= BY_FILE + most && !all; by++) {
		const char *here[COMPARE_MAX];
		tell_by(by, expressions, n, here, a);
		all = true;
		for (size_t i = 0; i < n; i++) {
			bool apart = true;
			for (size_t k = 0; k < n; k++)
				apart &= k == i ||
					 differs(here[i], here[k], expressions[i], expressions[k]);
			if (!known[i] && apart)
				names[i] = here[i];
			known[i] |= apart;
			all &= known[i];
		}
	}
	return all;
}

void view_tell(const char *const *expressions, size_t n, const char **names, struct arena *a)
{
	bool apart = false, files = false;
	for (size_t i = 0; i < n && n > 1; i++)
		files |= told(expressions[i], BY_FILE, a) != NULL;
	for (size_t by = 0; by <= BY_FILE && !apart && files; by++)
		apart = tell_by(by, expressions, n, names, a);
	apart = apart || (files && tell_by_folders(expressions, n, names, a));
	for (size_t i = 0; i < n; i++)
		names[i] = apart ? text_escape(a, names[i], strlen(names[i]))
				 : expr_brief(expressions[i], a);
}

const char *view_expression_name(const struct scene *scene, size_t number, const char *expression,
				 struct arena *a)
{
	const char *const name = scene_name_of(scene, NAMED_EXPRESSION, number + 1, a);
	const char *const model = number == 0 && !name ? setup_model_name(&scene->setup, a) : NULL;
	return name ? name : model ? model : expr_brief(expression, a);
}

const char *view_of_model(const struct view_data *d, const char *title, struct arena *a)
{
	const char *const model = d->earlier ? NULL : setup_model_name(&d->scene->setup, a);
	return model ? arena_printf(a, "%s · %s", model, title) : title;
}
