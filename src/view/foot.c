/* foot.c: the caption at the foot of a figure: tokens, sizes, drawn numbers and given files.
 *
 * A fact that differs between the shown expressions or values is listed for each, in their
 * order: "c 1 and 0.25". A fact that no shown number depends on is omitted: weights that were
 * given depend on no seed. */
#include <string.h>

#include "posviz/base/num.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "posviz/scene/beside.h"
#include "view_in.h"
#include "posviz/plot/panel.h"

/* ---- given files and fields ------------------------------------------------------------------ */

enum { FILES_MOST = 3 + COMPARE_MAX * MODEL_MAX_MEMBERS };

/* The files that a caption may name, with their folders. */
struct files {
	const char *at[FILES_MOST];
	size_t n;
};

static void add_file(struct files *files, const char *path)
{
	if (*path && files->n < FILES_MOST)
		files->at[files->n++] = path;
}

/* Returns the file that a parameter of a member names, or NULL. */
static const char *file_of(const struct member *m, const struct param *p, struct arena *a)
{
	return p->type.kind == &value_file && !param_is_default(p, m->param)
		       ? param_print(p, m->param, a)
		       : NULL;
}

static const struct param *params_of(const struct member *m)
{
	static const struct param none[] = {{0}};
	return m->scheme && m->scheme->params ? m->scheme->params : none;
}

static void add_files(struct files *files, const struct built *built, struct arena *a)
{
	for (size_t i = 0; i < built->n_members; i++)
		for (const struct param *p = params_of(&built->members[i]); p->name; p++) {
			const char *const file = file_of(&built->members[i], p, a);
			add_file(files, file ? file : "");
		}
}

static struct files files_of(const struct view_data *d, struct arena *a)
{
	struct files files = {.n = 0};
	const struct setup *const s = &d->scene->setup;
	add_file(&files, s->units);
	add_file(&files, s->weights);
	add_file(&files, s->params);
	add_file(&files, setup_computes(s) ? s->checkpoint : "");
	add_files(&files, d->built, a);
	for (size_t i = 1; i < d->n_compared; i++) {
		add_files(&files, d->compared[i].built, a);
		add_file(&files, d->compared[i].built->given.params_file);
	}
	return files;
}

/* Returns whether the path ends with this name and its folders. */
static bool ends_with(const char *path, const char *name)
{
	const size_t all = strlen(path), len = strlen(name);
	return all >= len && strcmp(path + all - len, name) == 0 &&
	       (all == len || path[all - len - 1] == '/');
}

/* Returns the name of the file, "units.npy:x", with as many of its folders as distinguish it
 * from the other files; escaped. */
static const char *file_name(const char *path, const struct files *files, struct arena *a)
{
	const char *const slash = strrchr(path, '/');
	const char *name = slash && slash[1] ? slash + 1 : path;
	for (size_t i = 0; i < files->n && name > path; i++)
		while (name > path && strcmp(files->at[i], path) != 0 &&
		       ends_with(files->at[i], name))
			for (name--; name > path && name[-1] != '/';)
				name--;
	return text_escape(a, name, strlen(name));
}

static void add_given(struct strbuf *b, const char *text)
{
	if (!strstr(b->at, text))
		strbuf_printf(b, "%s%s", b->len ? " · " : "", text);
}

static void add_setup(struct strbuf *b, const struct setup *s, size_t memory,
		      const struct files *files)
{
	enum { MOST = 24 };
	struct arena *const a = b->arena;
	if (memory > 0)
		add_given(b, arena_printf(a, "memory %zu (~)", memory));
	if (strcmp(s->position_ids, "none") != 0)
		add_given(b, arena_printf(a, "position ids %s",
					  text_shorten(a, s->position_ids, MOST, false)));
	if (strcmp(s->segments, "none") != 0)
		add_given(b, arena_printf(a, "segments %s",
					  text_shorten(a, s->segments, MOST, false)));
	if (strcmp(s->embed_scale, "sqrt-d") == 0)
		add_given(b, "token vectors × √d");
	else if (strcmp(s->embed_scale, "1") != 0)
		add_given(b, arena_printf(a, "token vectors × %s", s->embed_scale));
	if (*s->units)
		add_given(b,
			  arena_printf(a, "token vectors from %s", file_name(s->units, files, a)));
	if (setup_computes(s))
		add_given(b,
			  arena_printf(a, "%s and weights of %s", *s->ids ? "token ids" : "tokens",
				       file_name(s->checkpoint, files, a)));
	if (s->stack != STACK_ONE)
		add_given(b,
			  arena_printf(a, "%s source %s",
				       s->stack == STACK_CROSS ? "its decoder, keys are the"
							       : "its decoder, which reads the",
				       *s->source ? text_quote(a, s->source, strlen(s->source))
						  : text_shorten(a, s->source_ids, MOST, false)));
	if (*s->weights)
		add_given(b, arena_printf(a, "model weights from %s",
					  file_name(s->weights, files, a)));
}

/* Adds the files that the members of an expression read: "bias from b.npy". */
static void add_matrices(struct strbuf *b, const struct built *built, const struct files *files)
{
	struct arena *const a = b->arena;
	for (size_t i = 0; i < built->n_members; i++) {
		const struct member *const m = &built->members[i];
		for (const struct param *p = params_of(m); p->name; p++) {
			const char *const file = file_of(m, p, a);
			if (!file)
				continue;
			add_given(b, arena_printf(a, "%s from %s",
						  m->hooks->no_logits ? "weights"
						  : m->hooks->content ? "logits"
								      : "bias",
						  file_name(file, files, a)));
		}
	}
}

/* Returns "bias_table" or "w_key, w_value"; if there are more than NAMED, their number; NULL: no
 * leaf was given. */
static const char *given_leaves(const struct built *built, struct arena *a)
{
	enum { NAMED = 3 };
	const struct model *const model = &built->model;
	struct strbuf b;
	size_t n = 0;
	strbuf_init(&b, a);
	for (size_t i = 0; i < model->n_leaves; i++) {
		bool said = !model->leaves[i].tensor;
		for (size_t k = 0; k < i && !said; k++)
			said = model->leaves[k].tensor &&
			       strcmp(model->leaves[k].base, model->leaves[i].base) == 0;
		if (!said && n++ < NAMED)
			strbuf_printf(&b, "%s%s", b.len ? ", " : "", model->leaves[i].base);
	}
	return n > NAMED ? arena_printf(a, "%zu parameters", n) : n > 0 ? b.at : NULL;
}

const char *view_given_leaves(const struct view_data *d, const struct built *built, struct arena *a)
{
	const char *const names = given_leaves(built, a);
	const struct files files = files_of(d, a);
	return names ? arena_printf(a, "%s from %s", names,
				    file_name(built->given.params_file, &files, a))
		     : NULL;
}

const char *view_given(const struct view_data *d, struct arena *a)
{
	const struct files files = files_of(d, a);
	struct strbuf b;
	strbuf_init(&b, a);
	add_setup(&b, &d->scene->setup, d->trace->memory, &files);
	if (view_merged(d, a))
		add_given(&b, view_merged(d, a));
	add_matrices(&b, d->built, &files);
	return b.len ? b.at : NULL;
}
/* ---- tokens and colours ---------------------------------------------------------------------- */

/* The columns for the tokens of all inputs together. */
enum { TOKENS_COLS = 72 };

static const char *words_of(const struct axis *axis, struct arena *a)
{
	struct strbuf b;
	strbuf_init(&b, a);
	for (size_t i = 0; i < axis->n; i++)
		strbuf_printf(&b, "%s%s", i ? " " : "", text_joined(a, axis->labels[i]));
	return b.at;
}

const char *view_words(const struct trace *trace, struct arena *a)
{
	const struct axis *const units = view_units(trace);
	struct strbuf b;
	strbuf_init(&b, a);
	for (size_t i = 0, n; i < units->n; i += n) {
		const char *picture = NULL;
		n = view_picture_at(trace, units, i, a, &picture);
		strbuf_printf(&b, "%s%s", i ? " " : "",
			      n ? picture : text_joined(a, units->labels[i]));
		n = n ? n : 1;
	}
	return b.at;
}

/* Returns whether the tokens have only numbers because no names were given: "q1", "k1". */
static bool is_numbered(const struct axis *axis, const char *before, struct arena *a)
{
	for (size_t i = 0; i < axis->n; i++)
		if (strcmp(axis->labels[i], arena_printf(a, "%s%zu", before, i + 1)) != 0)
			return false;
	return true;
}

const char view_not_measured[] = "not measured: queries are other tokens than keys";

const char *view_two_sizes(const struct trace *trace, struct arena *a)
{
	const size_t queries = trace->query.n, keys = trace->key.n;
	return arena_printf(a, "%zu %s · %zu %s", queries, queries == 1 ? "query" : "queries", keys,
			    keys == 1 ? "key" : "keys");
}

/* Adds two lists of tokens; a list without names is omitted. */
static void add_two_lists(const struct trace *trace, size_t cols, struct strbuf *b)
{
	struct arena *const a = b->arena;
	const bool queries = !is_numbered(&trace->query, "q", a);
	const bool keys = !is_numbered(&trace->key, "k", a);
	cols /= queries && keys ? 2 : 1;
	if (queries)
		strbuf_printf(b, "queries “%s”",
			      text_shorten(a, words_of(&trace->query, a), cols, false));
	if (keys)
		strbuf_printf(b, "%skeys “%s”", queries ? ", " : "",
			      text_shorten(a, words_of(&trace->key, a), cols, false));
}

const char *view_input(const struct built *built, const struct trace *trace, size_t cols,
		       struct arena *a)
{
	struct strbuf b;
	if (built->keys.n == 0)
		return arena_printf(a, "“%s” n %zu",
				    text_shorten(a, view_words(trace, a), cols, false),
				    view_units(trace)->n);
	strbuf_init(&b, a);
	add_two_lists(trace, cols, &b);
	strbuf_printf(&b, "%s%s", b.len ? " " : "", view_two_sizes(trace, a));
	return b.at;
}

/* Adds each input once. */
static void add_tokens(const struct view_data *d, struct strbuf *b)
{
	struct arena *const a = b->arena;
	const struct compared *const all = d->compared;
	size_t n = 1, own[COMPARE_MAX] = {0};
	if (d->built->keys.n > 0) {
		add_two_lists(d->trace, TOKENS_COLS, b);
		return;
	}
	for (size_t i = 1; i < d->n_compared; i++) {
		bool said = false;
		for (size_t k = 0; k < n; k++)
			said |= setup_same_input(all[i].setup, all[own[k]].setup);
		if (!said)
			own[n++] = i;
	}
	for (size_t k = 0; k < n; k++)
		strbuf_printf(b, "%s“%s”",
			      k == 0	   ? ""
			      : k + 1 == n ? " and "
					   : ", ",
			      text_shorten(a, view_words(k ? all[own[k]].trace : d->trace, a),
					   TOKENS_COLS / n, false));
}

/* Adds the name of a colour map to the list, once. */
static void name_map(struct strbuf *list, const struct colormap *map)
{
	if (map && !strstr(list->at, map->name))
		strbuf_printf(list, "%s%s", list->len ? ", " : "", map->name);
}

static const char *colours(struct figure *f, struct arena *a)
{
	struct strbuf b;
	const struct heatmap *h;
	strbuf_init(&b, a);
	for (size_t i = 0; (h = figure_heatmap(f, i, NULL)) != NULL; i++)
		name_map(&b, h->colormap);
	for (size_t i = 0; i < f->n; i++) {
		const struct panel *const p = &f->panels[i];
		if (!p->absent && panel_type(p)->colours)
			name_map(&b, panel_type(p)->colours(p));
	}
	return b.at;
}

/* ---- facts ----------------------------------------------------------------------------------- */

/* Returns whether a panel shows measures of the model's output, which depends on the units even
 * if weights are given. */
static bool shows_output(const struct figure *f)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->panels[i].name && strcmp(f->panels[i].name, "measures") == 0)
			return true;
	return false;
}

/* Returns whether the expression may draw random numbers: matrices given by the user and masks
 * do not. */
static bool may_draw(const struct expr *e)
{
	for (size_t i = 0; i < e->n; i++) {
		const struct scheme *const s = e->members[i].scheme;
		if (s->expression || !(s->flags & (SCHEME_YOURS | SCHEME_MASK)))
			return true;
	}
	return false;
}

/* A run that is shown. */
struct run_shown {
	const struct built *b;
	const struct trace *trace;
	struct arena *a;
	bool units, output; /* the shown numbers depend on units, on the output */
	bool projected;	    /* w_q is the model's own, not from a file */
	/* The axes of the files' numbers if only these are shown; else both. */
	struct view_axes axes;
};

static const char *count(const struct run_shown *r, size_t n)
{
	return arena_printf(r->a, "%zu", n);
}

static const char *number(const struct run_shown *r, double value)
{
	char text[32];
	return arena_strdup(r->a, num_show(text, sizeof text, value, 3));
}

static const char *n_of(const struct run_shown *r)
{
	return r->b->keys.n > 0 ? NULL : count(r, view_units(r->trace)->n);
}

static const char *pairs_of(const struct run_shown *r)
{
	return r->b->keys.n > 0 ? view_two_sizes(r->trace, r->a) : NULL;
}

static const char *d_of(const struct run_shown *r)
{
	return r->units || r->output ? count(r, r->b->model.config.d) : NULL;
}

static const char *h_of(const struct run_shown *r)
{
	const struct model_config *const c = &r->b->model.config;
	return r->axes.heads ? arena_printf(r->a, "%zu%s", c->heads, config_heads_text(c, r->a))
			     : NULL;
}

static const char *layers_of(const struct run_shown *r)
{
	return r->axes.layers ? count(r, r->b->model.config.layers) : NULL;
}

static const char *seed_of(const struct run_shown *r)
{
	const struct model_config *const c = &r->b->model.config;
	const bool drawn = !r->b->checkpoint;
	const bool units = r->units && (!r->b->given_units.at || c->proj != PROJ_IDENTITY);
	return drawn && (units || r->output || may_draw(&r->b->expr))
		       ? arena_printf(r->a, "%llu", (unsigned long long)c->seed)
		       : NULL;
}

static const char *projection_of(const struct run_shown *r)
{
	return r->projected && (r->units || r->output) ? projection_names[r->b->model.config.proj]
						       : NULL;
}

/* A file may give W_o alone. */
static const char *output_of(const struct run_shown *r)
{
	return projection_of(r) && model_weight_is_given(&r->b->model, "w_o") ? "W_o given" : NULL;
}

static const char *c_of(const struct run_shown *r)
{
	return r->units ? number(r, r->trace->c) : NULL;
}

static const char *content_of(const struct run_shown *r)
{
	return r->units && r->projected ? number(r, r->b->model.config.content) : NULL;
}

static const struct foot_fact {
	const char *before, *behind;
	const char *(*of)(const struct run_shown *r); /* NULL: no shown number depends on it */
	bool each; /* a run without a value is listed as "none" */
} facts[] = {
	{"   n ", "", n_of},
	{"   ", "", pairs_of},
	{" · d ", "", d_of},
	{" · h ", "", h_of},
	{" · layers ", "", layers_of},
	{" · seed ", "", seed_of},
	{" · ", " projection", projection_of},
	{" · ", "", output_of},
	{" · c ", "", c_of, true},
	{" · content ", "", content_of},
};
enum { FACTS = sizeof facts / sizeof *facts };

/* Adds a fact, once if its value is the same for all runs. A run without a value takes that of
 * another one, unless `each`. */
static void add_fact(const struct foot_fact *f, const char **values, size_t n, struct strbuf *b)
{
	const char *some = NULL;
	bool same = true;
	for (size_t i = 0; i < n; i++)
		some = values[i] ? values[i] : some;
	if (!some)
		return;
	for (size_t i = 0; i < n; i++) {
		values[i] = values[i] ? values[i] : f->each ? "none" : some;
		same &= strcmp(values[i], values[0]) == 0;
	}
	strbuf_add(b, f->before);
	for (size_t i = 0; i < (same ? 1 : n); i++) {
		strbuf_add(b, i == 0 ? "" : i + 1 == n ? " and " : ", ");
		strbuf_add(b, values[i]);
	}
	strbuf_add(b, f->behind);
}

static struct run_shown run_of(const struct view_data *d, const struct figure *f, size_t i,
			       struct arena *a)
{
	const struct compared *const from = d->n_compared > 0 ? &d->compared[i]
					    : d->n_swept > 0  ? &d->swept[i]
							      : NULL;
	const struct built *const b = from ? from->built : d->built;
	const bool own = d->view->of_units ? false : from ? view_is_own(b) : view_shows_own(d, f);
	return (struct run_shown){.b = b,
				  .trace = from ? from->trace : d->trace,
				  .a = a,
				  .units = !own && view_compares_units(b),
				  .output = !own && shows_output(f),
				  .axes = own ? view_bias_axes(b) : (struct view_axes){true, true},
				  .projected = !model_weight_is_given(&b->model, "w_q")};
}

static size_t count_runs(const struct view_data *d)
{
	return d->n_compared > 0 ? d->n_compared : d->n_swept > 0 ? d->n_swept : 1;
}

/* ---- the caption ----------------------------------------------------------------------------- */

void view_foot(const struct view_data *d, struct arena *a, struct figure *f)
{
	const size_t n = count_runs(d);
	struct run_shown *const runs = arena_calloc(a, n, sizeof *runs);
	const char **const values = arena_calloc(a, n, sizeof *values);
	const struct files files = files_of(d, a);
	struct strbuf b, given;
	for (size_t i = 0; i < n; i++)
		runs[i] = run_of(d, f, i, a);
	strbuf_init(&b, a);
	if (!d->view->own_text)
		add_tokens(d, &b);
	strbuf_init(&given, a);
	add_setup(&given, &d->scene->setup, d->trace->memory, &files);
	if (view_merged(d, a))
		add_given(&given, view_merged(d, a));
	for (size_t i = 0; i < n; i++) {
		const char *const leaves = view_given_leaves(d, runs[i].b, a);
		add_matrices(&given, runs[i].b, &files);
		if (leaves)
			add_given(&given, leaves);
	}
	for (const struct foot_fact *at = facts; at < facts + FACTS; at++) {
		for (size_t i = 0; i < n; i++)
			values[i] = at->of(&runs[i]);
		if (at->of != n_of || !d->view->own_text)
			add_fact(at, values, n, &b);
		/* A small page drops the last facts; given files come before these so that they
		 * stay. */
		if (at->of == pairs_of && given.len)
			strbuf_printf(&b, " · %s", given.at);
	}
	if (*colours(f, a))
		strbuf_printf(&b, " · colours %s", colours(f, a));
	/* Nothing is before the first fact where the tokens have no names, or are not those of the view. */
	f->caption = b.at + strspn(b.at, d->view->own_text ? " ·" : " ");
}
