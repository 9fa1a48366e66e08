/* same.c: a test whether two expressions are the same function in two conventions.
 *
 * A permutation of channels is searched where it shows: in the vectors that embed adds (the
 * channels of the model) and in the logits of pairs of basis vectors (those of a head). Then the
 * second expression gets the first's weights with channels permuted, and all results of both are
 * compared. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "posviz/analysis/vectors.h"
#include "posviz/base/strbuf.h"
#include "same_in.h"

enum { DRAWS = 3, FAR_UNITS = 520, FAR_LAYERS = 8 };

/* ---- building and running ------------------------------------------------------------------ */

/* Returns the leaf's name for drawing: that of the first member that is written the same, so
 * that t5+t5 equals 2*t5. */
static const char *draw_name(const struct model *model, const struct leaf *leaf, struct arena *a)
{
	const struct member *first = model->members;
	while (strcmp(first->text, leaf->member->text) != 0)
		first++;
	return arena_printf(a, "%s%s", first->name, leaf->name + strlen(leaf->member->name));
}

/* Draws learned numbers by their names: the same in both, so that no rule of a demonstration
 * hides a convention. */
static void draw_leaves(const struct model *model)
{
	for (size_t i = 0; i < model->n_leaves; i++) {
		struct leaf *leaf = &model->leaves[i];
		struct rng rng;
		if (leaf->given)
			continue;
		rng_init_name(&rng, model->config.seed, draw_name(model, leaf, model->arena));
		leaf->at = model_leaf_blank(model, leaf);
		leaf->late = NULL;
		mat_fill_normal(leaf->at, 0.5, &rng);
		leaf->given = true;
	}
}

static struct mat backwards(struct mat m, bool columns, struct arena *a)
{
	const struct mat out = mat_new(a, m.rows, m.cols);
	for (size_t r = 0; r < m.rows; r++)
		for (size_t i = 0; i < m.cols; i++)
			mat_row(out, r)[i] = mat_row(
				m, columns ? r : m.rows - 1 - r)[columns ? m.cols - 1 - i : i];
	return out;
}

static void mirror_leaves(const struct model *model)
{
	for (size_t i = 0; i < model->n_leaves; i++) {
		struct leaf *const leaf = &model->leaves[i];
		bool columns;
		if (leaf_of_distances(leaf, &columns))
			mat_set(leaf->at, backwards(leaf->at, columns, model->arena));
	}
}

bool side_run(struct comparison *c, size_t which, const struct tensor_set *weights,
	      const struct model_input *in, const struct want *want, struct arena *a,
	      struct trace *trace)
{
	const struct built *b = &c->side[which].b;
	const struct given given = {.weights = weights,
				    .params = b->given.params,
				    .map = b->given.map,
				    .map_count = b->given.map_count};
	struct model model;
	if (!model_build(&model, &b->model.config, b->members, b->n_members, &given, a, c->err))
		return false;
	draw_leaves(&model);
	if (c->mirrored && which == 1)
		mirror_leaves(&model);
	return model_run(&model, in, want, NULL, c->watch, a, trace, c->err);
}

struct model_input side_input(const struct comparison *c, size_t which, struct mat units)
{
	struct model_input in = c->side[which].b.model_input;
	in.units = units;
	return in;
}

static bool open_side(struct comparison *c, size_t which, const char *expression)
{
	struct side *side = &c->side[which];
	struct setup own = *c->setup;
	struct trace trace;
	own.scheme = side->expression = expression;
	own.compare = "none";
	const struct want want = {.kinds = WANT_POSITION, .head = -1};
	if (!setup_build(&own, c->a, &side->b, c->err) ||
	    !side_run(c, which, NULL, &side->b.model_input, &want, c->a, &trace))
		return err_prefix(c->err, "%s: ", expression);
	side->positions = trace.position_vectors;
	return true;
}

/* ---- channels of the model ----------------------------------------------------------------- */

static bool columns_agree(struct mat x, size_t i, struct mat y, size_t j)
{
	for (size_t t = 0; t < x.rows; t++)
		if (!(fabs(mat_row(x, t)[i] - mat_row(y, t)[j]) <= same_tolerance))
			return false;
	return true;
}

/* Matches each column of x with one of y, each of y once; equal columns in their order. */
static bool match_columns(struct mat x, struct mat y, size_t *to, struct arena *a)
{
	if (x.rows != y.rows || x.cols != y.cols)
		return false;
	bool *used = arena_calloc(a, x.cols, sizeof *used);
	for (size_t i = 0; i < x.cols; i++) {
		size_t j = columns_agree(x, i, y, i) && !used[i] ? i : 0;
		while (j < y.cols && (used[j] || !columns_agree(x, i, y, j)))
			j++;
		if (j == y.cols)
			return false;
		used[j] = true;
		to[i] = j;
	}
	return true;
}

static bool is_identity(const size_t *to, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (to[i] != i)
			return false;
	return true;
}

static const size_t *identity(size_t n, struct arena *a)
{
	size_t *to = arena_calloc(a, n, sizeof *to);
	for (size_t i = 0; i < n; i++)
		to[i] = i;
	return to;
}

static void note_written(const struct attempt *at, bool mirrored, struct same *out)
{
	out->same_weights = true;
	out->weights_mirrored = mirrored;
	out->outputs_layer = at->step + 1;
	out->outputs_relative = at->relative;
}

/* ---- candidates ----------------------------------------------------------------------------- */

/* Returns 0 2 4 … 1 3 5 …, which converts neighbours to halves; or its inverse. */
static const size_t *halves_order(size_t n, bool back, struct arena *a)
{
	size_t *to = arena_calloc(a, n, sizeof *to);
	for (size_t i = 0; i < n; i++) {
		const size_t there = i % 2 * ((n + 1) / 2) + i / 2;
		to[back ? there : i] = back ? i : there;
	}
	return to;
}

enum { CANDIDATES = 4 };

/* Lists the permutations to try: identity, the one that was found, and the two usual
 * conventions. */
static void list_candidates(const size_t *found, size_t n, const size_t *out[CANDIDATES],
			    struct arena *a)
{
	out[0] = identity(n, a);
	out[1] = found ? found : out[0];
	out[2] = halves_order(n, false, a);
	out[3] = halves_order(n, true, a);
}

static const size_t *found_in_positions(const struct comparison *c)
{
	const struct mat x = c->side[0].positions, y = c->side[1].positions;
	size_t *to = x.at && y.at ? arena_calloc(c->a, x.cols, sizeof *to) : NULL;
	return to && match_columns(x, y, to, c->a) ? to : NULL;
}

static void clear_place(struct same *out)
{
	out->layer = out->head = out->row = out->col = 0;
	out->first = out->second = out->variation = 0;
}

/* Finds the first permutation under which a draw agrees, or else under which only outputs differ;
 * *found false when none agrees. */
static bool try_all(struct comparison *c, const size_t *head_channels, struct attempt *at,
		    bool *found)
{
	const struct model *model = &c->side[0].b.model;
	const size_t *models[CANDIDATES], *heads[CANDIDATES];
	list_candidates(found_in_positions(c), model->config.d, models, c->a);
	list_candidates(head_channels, model->dk, heads, c->a);
	struct attempt written = {.model = models[0], .head = heads[0]};
	bool any = false;
	*found = false;
	for (size_t i = 0; i < CANDIDATES && !*found; i++)
		for (size_t j = 0; j < CANDIDATES && !*found; j++) {
			*at = (struct attempt){.model = models[i], .head = heads[j]};
			clear_place(c->out);
			if (!draw_run(c, at, 0, NULL))
				return false;
			*found = draw_is_same(at);
			if (!any && draw_is_written(at, c->out)) {
				written = *at;
				any = true;
			}
		}
	if (!*found)
		*at = (struct attempt){.model = written.model, .head = written.head};
	return true;
}

/* ---- the verdict ----------------------------------------------------------------------------- */

static bool positions_agree(const struct comparison *c, const size_t *to)
{
	const struct mat x = c->side[0].positions, y = c->side[1].positions;
	if (!x.at || !y.at)
		return !x.at && !y.at;
	for (size_t i = 0; i < x.cols; i++)
		if (!columns_agree(x, i, y, to[i]))
			return false;
	return true;
}

static void conclude(struct comparison *c, const struct forms *forms, const struct attempt *at)
{
	struct same *out = c->out;
	const struct model *model = &c->side[0].b.model;
	const bool as_is =
		is_identity(at->model, model->config.d) && is_identity(at->head, model->dk);
	out->scores = at->scores;
	out->weights = at->weights;
	out->outputs = at->outputs;
	if (draw_is_written(at, out))
		note_written(at, false, out);
	if (!draw_is_same(at) || out->only_first || out->only_second)
		return;
	out->verdict = as_is ? SAME_EQUAL : SAME_PERMUTED;
	out->model_channels = is_identity(at->model, model->config.d) ? NULL : at->model;
	out->head_channels = is_identity(at->head, model->dk) ? NULL : at->head;
	if (!forms)
		return;
	out->pairs = forms_apart(forms, at->head);
	if (!(out->pairs <= same_tolerance))
		out->why_not = "logits differ by what softmax does not see";
	out->proven = out->pairs <= same_tolerance && out->affine <= same_tolerance &&
		      positions_agree(c, at->model);
}

/* ---- longer and deeper ----------------------------------------------------------------------- */

/* Opens a longer input, n numbers as words, with more layers, which shows differences that a
 * short one cannot. */
static bool open_far(const struct comparison *c, size_t n, struct setup *setup,
		     struct comparison *far, struct same *out, struct err *err)
{
	struct strbuf words;
	strbuf_init(&words, c->a);
	for (size_t i = 0; i < n; i++)
		strbuf_printf(&words, "%s%zu", i ? " " : "", i + 1);
	*setup = *c->setup;
	setup->sentence = words.at;
	setup->file = setup->units = "";
	setup->order = "identity";
	setup->position_ids = setup->segments =
		"none"; /* given for the original number of tokens */
	setup->layers = setup->layers > FAR_LAYERS ? setup->layers : FAR_LAYERS;
	*far = (struct comparison){
		.setup = setup, .watch = c->watch, .a = c->a, .out = out, .err = err};
	for (size_t which = 0; which < 2; which++)
		if (!open_side(far, which, c->side[which].expression))
			return false;
	out->n = far->side[0].b.model_input.units.rows;
	out->layers = far->side[0].b.model.config.layers;
	out->heads = c->out->heads;
	return true;
}

/* Compares on a longer input two expressions that agree on this one. If they differ there, the
 * result is that difference. */
static bool compare_far(struct comparison *c, const struct attempt *near)
{
	struct same *out = c->out, far_out = {.agree_to = -1, .score_name = "logits"};
	struct setup setup;
	struct comparison far;
	struct err err = {""};
	struct attempt at = {.model = near->model, .head = near->head};
	/* Tries a length beyond t_max, or t_max if one expression refuses it. */
	const size_t t_max = (size_t)c->setup->t_max;
	const size_t lengths[] = {t_max + 8 < FAR_UNITS ? t_max + 8 : FAR_UNITS,
				  t_max < FAR_UNITS ? t_max : FAR_UNITS};
	bool ran = false;
	for (size_t i = 0; i < 2 && !ran; i++)
		ran = open_far(c, lengths[i], &setup, &far, &far_out, &err) &&
		      draw_run(&far, &at, 0, NULL);
	if (!ran) {
		out->far_refused = arena_strdup(c->a, err.text);
		return !watch_cancelled(c->watch);
	}
	out->far_n = far_out.n;
	out->far_layers = far_out.layers;
	out->far_outputs = at.outputs;
	if (draw_is_same(&at) && !far_out.only_first && !far_out.only_second)
		return true;
	far.err = c->err;
	far_out.near_n = out->n;
	far_out.near_layers = out->layers;
	far_out.dk = out->dk;
	far_out.n_draws = 1;
	far_out.scores = at.scores;
	far_out.weights = at.weights;
	far_out.outputs = at.outputs;
	far_out.verdict = SAME_APART;
	if (draw_is_written(&at, &far_out))
		note_written(&at, false, &far_out);
	*out = far_out;
	far.out = out;
	return biases_relate(&far);
}

static bool has_tables(const struct model *model)
{
	bool columns;
	for (size_t i = 0; i < model->n_leaves; i++)
		if (leaf_of_distances(&model->leaves[i], &columns))
			return true;
	return false;
}

/* Determines whether two different expressions agree when one reads its tables backwards. */
static bool try_mirrored(struct comparison *c, struct attempt at)
{
	struct same *const out = c->out, *const trial = arena_alloc(c->a, sizeof *trial);
	bool same = has_tables(&c->side[1].b.model), written = same, ok = true;
	*trial = *out;
	c->mirrored = true;
	c->out = trial;
	at = (struct attempt){.model = at.model, .head = at.head};
	for (size_t draw = 0; draw < DRAWS && ok && (same || written); draw++) {
		at.scores = at.weights = at.outputs = 0;
		ok = draw_run(c, &at, draw, NULL);
		same = same && draw_is_same(&at) && !trial->only_first && !trial->only_second;
		written = draw_is_written(&at, trial);
	}
	c->mirrored = false;
	c->out = out;
	out->mirrored = ok && same;
	if (ok && written && !out->same_weights)
		note_written(&at, true, out);
	return ok;
}

static bool compare_sides(struct comparison *c)
{
	struct same *out = c->out;
	struct forms *forms;
	struct attempt at;
	bool found;
	size_t *channels = arena_calloc(c->a, c->side[0].b.model.dk, sizeof *channels);
	if (!forms_make(c, &forms))
		return false;
	const bool matched = forms && forms_match(forms, channels, c->a);
	if (!try_all(c, matched ? channels : NULL, &at, &found))
		return false;
	at = (struct attempt){.model = at.model, .head = at.head};
	clear_place(out);
	for (; out->n_draws < DRAWS; out->n_draws++)
		if (!draw_run(c, &at, out->n_draws, forms))
			return false;
	conclude(c, forms, &at);
	if (out->verdict == SAME_APART)
		return try_mirrored(c, at) && biases_relate(c);
	return compare_far(c, &at);
}

/* Checks that both are computed on the same tokens, and that keys are also queries. */
static bool check_tokens(const struct comparison *c, struct err *err)
{
	const struct side *const x = &c->side[0], *const y = &c->side[1];
	for (size_t i = 0; i < 2; i++)
		if (c->side[i].b.keys.n > 0)
			return err_set(
				err,
				"%s has other tokens as keys than as queries and is looked at "
				"alone; a matrix whose keys are its queries would be right",
				c->side[i].expression);
	const size_t n = x->b.model_input.units.rows, m = y->b.model_input.units.rows;
	return n == m || err_set(err, "%s is on %zu tokens and %s on %zu; as many would be right",
				 x->expression, n, y->expression, m);
}

bool analysis_same(const struct setup *setup, const char *first, const char *second,
		   struct watch *watch, struct arena *a, struct same *out, struct err *err)
{
	struct comparison *c = arena_calloc(a, 1, sizeof *c);
	*c = (struct comparison){.setup = setup, .watch = watch, .a = a, .out = out, .err = err};
	*out = (struct same){.verdict = SAME_APART, .agree_to = -1, .score_name = "logits"};
	const char *const expressions[] = {first, second};
	for (size_t which = 0; which < 2; which++)
		if (!open_side(c, which, expressions[which]))
			return false;
	if (!check_tokens(c, err))
		return false;
	const struct model *x = &c->side[0].b.model, *y = &c->side[1].b.model;
	if (x->config.d != y->config.d || x->config.ff != y->config.ff)
		return err_set(err, "the two have different widths");
	out->n = c->side[0].b.model_input.units.rows;
	out->dk = x->dk;
	out->heads = x->config.heads;
	out->layers = x->config.layers;
	return compare_sides(c);
}
