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

/* Returns the scores of a head: logits, or weights if there are none. */
static struct mat scores_of(const struct trace_head *head)
{
	return head->logits.at ? head->logits : head->weights;
}

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

/* ---- weights of a draw ---------------------------------------------------------------------- */

/* out[to_row[r]][to_col[c]] = m[r][c] */
static struct mat permute(struct mat m, const size_t *to_row, const size_t *to_col, struct arena *a)
{
	const struct mat out = mat_new(a, m.rows, m.cols);
	for (size_t r = 0; r < m.rows; r++)
		for (size_t c = 0; c < m.cols; c++)
			mat_row(out, to_row ? to_row[r] : r)[to_col ? to_col[c] : c] =
				mat_row(m, r)[c];
	return out;
}

/* Returns the head's permutation extended to all columns of a [.., d] matrix of heads. */
static const size_t *all_heads(const size_t *channels, size_t dk, size_t heads, struct arena *a)
{
	size_t *to = arena_calloc(a, dk * heads, sizeof *to);
	for (size_t i = 0; i < dk * heads; i++)
		to[i] = i / dk * dk + channels[i % dk];
	return to;
}

struct numbering {
	const size_t *model, *head; /* [d]; head: for all heads */
};

enum space { SPACE_MODEL, SPACE_HEADS, SPACE_FREE };

static void add_weight(struct tensor_set *set, size_t layer, const char *base, struct mat m,
		       enum space rows, enum space cols, const struct numbering *to)
{
	const size_t *of[] = {to->model, to->head, NULL};
	char name[40];
	snprintf(name, sizeof name, "layer.%zu.%s", layer, base);
	tensor_set_add(set, name, permute(m, of[rows], of[cols], set->arena), false);
}

/* Draws the same weights for both sides, up to the permutation of channels. */
static void draw_weights(const struct model_config *config, size_t draw, const struct numbering *to,
			 struct tensor_set *set, struct arena *a)
{
	static const struct {
		const char *name;
		enum space rows, cols;
	} list[] = {
		{"w_q", SPACE_MODEL, SPACE_HEADS},  {"w_k", SPACE_MODEL, SPACE_HEADS},
		{"w_v", SPACE_MODEL, SPACE_HEADS},  {"w_o", SPACE_HEADS, SPACE_MODEL},
		{"w_ff1", SPACE_MODEL, SPACE_FREE}, {"w_ff2", SPACE_FREE, SPACE_MODEL},
	};
	const size_t sizes[] = {config->d, config->d, config->ff};
	tensor_set_init(set, a);
	for (size_t layer = 0; layer < config->layers; layer++)
		for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
			const struct mat m = mat_new(a, sizes[list[i].rows], sizes[list[i].cols]);
			struct rng rng;
			char name[64];
			snprintf(name, sizeof name, "same.%zu.%zu.%s", draw, layer, list[i].name);
			rng_init_name(&rng, config->seed, name);
			mat_fill_normal(m, 1.5 / sqrt((double)m.rows), &rng);
			add_weight(set, layer, list[i].name, m, list[i].rows, list[i].cols, to);
		}
}

/* ---- comparing draws ------------------------------------------------------------------------ */

struct attempt {
	const size_t *model, *head; /* [d], [dk] */
	double scores, weights, outputs;
};

struct cell {
	size_t layer, head, t, s;
};

static void note_scores(struct same *out, struct attempt *at, struct cell cell, double x, double y)
{
	if (!(fabs(x - y) > at->scores))
		return;
	at->scores = fabs(x - y);
	out->layer = cell.layer + 1;
	out->head = cell.head + 1;
	out->row = cell.t + 1;
	out->col = cell.s + 1;
	out->first = x;
	out->second = y;
}

static bool allowed(const struct trace_head *head, size_t cell)
{
	return !head->mask || head->mask[cell];
}

static double variation(struct mat x, struct mat y)
{
	double sum = 0;
	for (size_t t = 0; t < x.rows; t++)
		for (size_t s = 0; s < x.cols; s++)
			sum += fabs(mat_row(x, t)[s] - mat_row(y, t)[s]) / 2;
	return sum / (double)x.rows;
}

/* Compares two heads. False when the sizes or kinds of the matrices differ. */
static bool compare_head(struct same *out, struct attempt *at, size_t layer, size_t h,
			 const struct trace_head *x, const struct trace_head *y)
{
	const struct mat a = scores_of(x), b = scores_of(y);
	if (a.rows != b.rows || a.cols != b.cols)
		return false;
	const bool comparable = !x->logits.at == !y->logits.at;
	size_t only[2] = {0};
	for (size_t t = 0; t < a.rows; t++)
		for (size_t s = 0; s < a.cols; s++) {
			const bool one = allowed(x, t * a.cols + s),
				   two = allowed(y, t * a.cols + s);
			only[0] += one && !two;
			only[1] += two && !one;
			if (one && two && comparable)
				note_scores(out, at, (struct cell){layer, h, t, s},
					    mat_row(a, t)[s], mat_row(b, t)[s]);
		}
	if (layer == 0 && h == 0) {
		out->only_first = only[0];
		out->only_second = only[1];
	}
	out->score_name = x->logits.at ? "logits" : "weights";
	out->variation = fmax(out->variation, variation(x->weights, y->weights));
	at->weights = fmax(at->weights, mat_max_abs_diff(x->weights, y->weights));
	return true;
}

static double outputs_apart(struct mat x, struct mat y, const size_t *to)
{
	double most = 0;
	if (x.rows != y.rows || x.cols != y.cols)
		return INFINITY;
	for (size_t t = 0; t < x.rows; t++)
		for (size_t i = 0; i < x.cols; i++)
			most = fmax(most, fabs(mat_row(x, t)[i] - mat_row(y, t)[to[i]]));
	return most;
}

static void compare_traces(struct same *out, struct attempt *at, const struct trace *x,
			   const struct trace *y)
{
	bool alike = x->n_layers == y->n_layers;
	for (size_t layer = 0; layer < x->n_layers && alike; layer++)
		for (size_t h = 0; h < out->heads && alike; h++)
			alike = compare_head(out, at, layer, h, &x->layers[layer].heads[h],
					     &y->layers[layer].heads[h]);
	if (!alike)
		at->scores = at->weights = INFINITY;
	at->outputs =
		fmax(at->outputs, outputs_apart(x->layers[x->n_layers - 1].output,
						y->layers[y->n_layers - 1].output, at->model));
}

/* Runs a draw of token vectors and weights on both sides; the first side's are not permuted. */
static bool run_draw(struct comparison *c, struct attempt *at, size_t draw,
		     const struct forms *forms)
{
	const struct model *model = &c->side[0].b.model;
	const struct model_config *config = &model->config;
	const struct want want = {.kinds = WANT_QKV | WANT_LOGITS | WANT_MASK | WANT_WEIGHTS |
					   WANT_OUTPUT,
				  .layer = -1,
				  .head = -1};
	struct arena a;
	arena_init(&a);
	const struct mat units = mat_new(&a, c->side[0].b.model_input.units.rows, config->d);
	struct rng rng;
	rng_init_name(&rng, config->seed + draw, "same.units");
	mat_fill_normal(units, 1, &rng);
	const struct numbering as_is = {0};
	const struct numbering to = {at->model, all_heads(at->head, model->dk, config->heads, &a)};
	struct tensor_set weights[2];
	struct trace trace[2];
	draw_weights(config, draw, &as_is, &weights[0], &a);
	draw_weights(config, draw, &to, &weights[1], &a);
	const struct model_input in[] = {side_input(c, 0, units),
					 side_input(c, 1, permute(units, NULL, at->model, &a))};
	const bool ok = side_run(c, 0, &weights[0], &in[0], &want, &a, &trace[0]) &&
			side_run(c, 1, &weights[1], &in[1], &want, &a, &trace[1]);
	if (ok)
		compare_traces(c->out, at, &trace[0], &trace[1]);
	if (ok && forms)
		c->out->affine = fmax(c->out->affine, forms_foretell(forms, &trace[0]));
	arena_release(&a);
	return ok;
}

static bool is_same(const struct attempt *at)
{
	return at->weights <= same_tolerance && at->outputs <= same_tolerance;
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

/* Finds the first permutation under which a draw agrees; *found false when none does. */
static bool try_all(struct comparison *c, const size_t *head_channels, struct attempt *at,
		    bool *found)
{
	const struct model *model = &c->side[0].b.model;
	const size_t *models[CANDIDATES], *heads[CANDIDATES];
	list_candidates(found_in_positions(c), model->config.d, models, c->a);
	list_candidates(head_channels, model->dk, heads, c->a);
	*found = false;
	for (size_t i = 0; i < CANDIDATES && !*found; i++)
		for (size_t j = 0; j < CANDIDATES && !*found; j++) {
			*at = (struct attempt){.model = models[i], .head = heads[j]};
			clear_place(c->out);
			if (!run_draw(c, at, 0, NULL))
				return false;
			*found = is_same(at);
		}
	if (!*found)
		*at = (struct attempt){.model = models[0], .head = heads[0]};
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
	if (!is_same(at) || out->only_first || out->only_second)
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
		      run_draw(&far, &at, 0, NULL);
	if (!ran) {
		out->far_refused = arena_strdup(c->a, err.text);
		return !watch_cancelled(c->watch);
	}
	out->far_n = far_out.n;
	out->far_layers = far_out.layers;
	out->far_outputs = at.outputs;
	if (is_same(&at) && !far_out.only_first && !far_out.only_second)
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
	struct same trial = *c->out, *const out = c->out;
	bool same = has_tables(&c->side[1].b.model), ok = true;
	c->mirrored = true;
	c->out = &trial;
	for (size_t draw = 0; draw < DRAWS && ok && same; draw++) {
		at.scores = at.weights = at.outputs = 0;
		ok = run_draw(c, &at, draw, NULL);
		same = is_same(&at) && !trial.only_first && !trial.only_second;
	}
	c->mirrored = false;
	c->out = out;
	out->mirrored = ok && same;
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
		if (!run_draw(c, &at, out->n_draws, forms))
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
