/* profile_given.c: queries and keys, or weights, of a file, for the profile of a model that is not known here. */
#include <math.h>
#include <string.h>

#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "posviz/format/file.h"
#include "posviz/math/machine.h"
#include "posviz/scheme/rates.h"
#include "profile_run.h"

/* ---- tensors --------------------------------------------------------------------------------- */

/* Gets a tensor [layers, heads, n, cols], with windows in front or not; true without it. */
static bool read_heads(const struct tensor_set *set, const char *name, bool square,
		       struct profile_run *out, struct mat *at, struct arena *a, struct err *err)
{
	const struct tensor *t = tensor_find(set, name);
	if (!t)
		return true;
	const size_t more = t->dims == 5, *const z = t->shape + more;
	if ((t->dims != 4 && t->dims != 5) || (square && z[2] != z[3]))
		return err_set(
			err, "%s has the shape %s; [windows, layers, heads, n, %s] would be right",
			name, tensor_shape_text(t, a), square ? "n" : "d_h");
	const struct profile_sizes sizes = {.layers = z[0], .heads = z[1], .n = z[2]};
	const size_t windows = more ? t->shape[0] : 1;
	if (out->windows && (windows != out->windows || sizes.layers != out->sizes.layers ||
			     sizes.heads != out->sizes.heads || sizes.n != out->sizes.n))
		return err_set(err,
			       "%s has the shape %s, and there are %zu windows, %zu layers, %zu "
			       "heads and %zu tokens before it",
			       name, tensor_shape_text(t, a), out->windows, out->sizes.layers,
			       out->sizes.heads, out->sizes.n);
	if (sizes.n < PROFILE_LEAST || sizes.n > PROFILE_MOST || windows * z[0] * z[1] * z[3] == 0)
		return err_set(err,
			       "%s has the shape %s; windows of %d to %d tokens would be right",
			       name, tensor_shape_text(t, a), PROFILE_LEAST, PROFILE_MOST);
	out->sizes = sizes;
	out->windows = windows;
	t = tensor_load(set, t, a, err);
	if (!t || !tensor_check_finite(t, err))
		return false;
	*at = tensor_mat(t);
	return true;
}

static bool read_ids(const struct tensor_set *set, const struct profile_run *out,
		     const double **ids, struct arena *a, struct err *err)
{
	const struct tensor *t = tensor_find(set, "ids");
	const size_t want = out->windows * out->sizes.n;
	if (!t)
		return true;
	const struct mat m = tensor_mat(t);
	if (m.rows * m.cols != want)
		return err_set(err, "ids has the shape %s; [%zu, %zu] would be right",
			       tensor_shape_text(t, a), out->windows, out->sizes.n);
	t = tensor_load(set, t, a, err);
	*ids = t ? t->at : NULL;
	return t != NULL && tensor_check_finite(t, err);
}

/* Checks that the rows of weights are shares, and finds whether keys after the query have none. */
static bool check_weights(const struct profile_run *run, struct profile_source *s, struct err *err)
{
	static const double tolerance = 1e-2; /* of weights that were stored as 16 bits */
	const size_t n = run->sizes.n, per = run->sizes.layers * run->sizes.heads;
	bool causal = true;
	for (size_t r = 0; r < s->weights.rows; r++) {
		const double *const p = mat_row(s->weights, r);
		double sum = 0, least = 0;
		for (size_t i = 0; i < n; i++) {
			sum += p[i];
			least = fmin(least, p[i]);
			causal &= i <= r % n || p[i] == 0;
		}
		if (least < 0 || !(sum > 0) || sum > 1 + tolerance)
			return err_set(
				err,
				"attention: window %zu, layer %zu, head %zu, row %zu has the sum "
				"%.4g and the least value %.4g; weights, whose sum is 1, would be right",
				r / n / per + 1, r / n % per / run->sizes.heads + 1,
				r / n % run->sizes.heads + 1, r % n + 1, sum, least);
	}
	uint8_t *const mask = arena_calloc(s->arena, n, n);
	for (size_t i = 0; i < n * n; i++)
		mask[i] = i % n <= i / n;
	s->mask = causal ? mask : NULL;
	return true;
}

/* ---- the scheme of queries and keys ------------------------------------------------------------ */

/* Returns whether a member does nothing but mask. */
static bool only_masks(const struct member *m)
{
	const struct hooks *const h = m->hooks;
	return (h->only_mask && h->only_mask(m)) ||
	       (!h->embed && !h->project && !h->qk && !h->content && !h->logits && !h->adjust &&
		!h->adjust_heads && !h->weights && !h->values && !h->injects && !h->units);
}

static bool scheme_is_taken(const struct built *b, const struct profile_run *run, size_t dk,
			    struct arena *a, struct err *err)
{
	for (size_t i = 0; i < b->n_members; i++) {
		const struct member *const m = &b->members[i];
		struct member_rates rates;
		bool turns = false;
		for (size_t e = 0; e < b->expr.n; e++)
			turns |= b->expr.members[e].param == m->param &&
				 strcmp(b->expr.members[e].scheme->id, "mla") != 0 &&
				 member_rates(&b->expr.members[e], dk, b->model.config.t_max,
					      (double)run->sizes.n, a, &rates) &&
				 2 * rates.pairs <= dk;
		if (!turns && !only_masks(m))
			return err_set(
				err,
				"qk: %s does more than rotate or mask queries and keys; rope, "
				"causal or both would be right, or a file of attention",
				m->text);
	}
	return true;
}

/* Builds the scheme on n tokens in the sizes of the file, for its mask and its rates. */
static bool build_scheme(const struct profile_of *of, struct profile_run *run, size_t dk,
			 struct arena *a, struct err *err)
{
	const struct profile_sizes *const z = &run->sizes;
	struct setup setup = *of->setup;
	struct strbuf text;
	struct trace trace;
	struct profile_source *const s = run->source;
	struct built *const b = arena_calloc(a, 1, sizeof *b);
	const struct want want = {.kinds = WANT_MASK};
	strbuf_init(&text, a);
	for (size_t i = 0; i < z->n; i++)
		strbuf_printf(&text, "%s%zu", i ? " " : "", i + 1);
	setup.sentence = scene_intern(text.at);
	setup.ids = setup.checkpoint = setup.weights = setup.params = setup.map = setup.units = "";
	setup.tokens = TOKENS_GIVEN;
	setup.asked.sentence = true;
	setup.compare = "none";
	setup.heads = (long)z->heads;
	setup.layers = (long)z->layers;
	setup.head_dim = (long)dk;
	setup.value_dim = setup.kv_heads = 0;
	setup.d_model = (long)(z->heads * dk);
	if (!setup_build(&setup, a, b, err) || !scheme_is_taken(b, run, dk, a, err) ||
	    !built_run(b, &b->model_input, &want, NULL, NULL, a, &trace, err))
		return false;
	s->mask = trace.layers[0].heads[0].mask;
	profile_find_turns(b, b->model.config.t_max, z->n, z->layers, dk, a, run, s->turns);
	s->built = b;
	return true;
}

/* Rotates q or k of every window, as they are before it. */
static void rotate(const struct profile_run *run, struct mat m)
{
	const struct profile_source *const s = run->source;
	const struct profile_sizes *const z = &run->sizes;
	for (size_t r = 0; r < m.rows; r++) {
		const size_t t = r % z->n, layer = r / z->n / z->heads % z->layers;
		const struct profile_turns turns = s->turns[layer];
		double *const row = mat_row(m, r);
		for (size_t i = 0; i < turns.pairs; i++) {
			double *const x = row + (turns.half ? i : 2 * i);
			double *const y = row + (turns.half ? i + turns.pairs : 2 * i + 1);
			const double angle = (double)t * mat_row(run->rates, layer)[i];
			const double was = *x, c = turns.attention * cos(angle),
				     d = turns.attention * sin(angle);
			*x = c * was - d * *y;
			*y = d * was + c * *y;
		}
	}
}

/* ---- opening, and windows ---------------------------------------------------------------------- */

static bool read_file(const struct profile_of *of, struct arena *a, struct profile_run *out,
		      struct err *err)
{
	struct tensor_set *const set = arena_calloc(a, 1, sizeof *set);
	struct profile_source *const s = out->source;
	tensor_set_init(set, a);
	if (!tensor_read_file(set, of->qk, err))
		return false;
	if (!read_heads(set, "q", false, out, &s->q, a, err) ||
	    !read_heads(set, "k", false, out, &s->k, a, err) ||
	    !read_heads(set, "attention", true, out, &s->weights, a, err) ||
	    !read_ids(set, out, &s->ids, a, err))
		return false;
	if ((s->q.at != NULL) != (s->k.at != NULL) || (!s->q.at && !s->weights.at))
		return err_set(err, "it has the tensors %s; q and k, or attention, would be right",
			       tensor_names(set, "q", a));
	if (s->q.at && s->weights.at)
		return err_set(err, "it has q and attention; one of the two would be right");
	if (s->q.at && s->q.cols != s->k.cols)
		return err_set(err, "q has %zu columns a head, and k %zu; as many would be right",
			       s->q.cols, s->k.cols);
	return true;
}

bool profile_open_given(const struct profile_of *of, struct arena *a, struct profile_run *out,
			struct err *err)
{
	struct profile_source *const s = arena_calloc(a, 1, sizeof *s);
	const char *const quoted = text_quote(a, of->qk, strlen(of->qk));
	*s = (struct profile_source){.arena = a, .setup = of->setup};
	out->source = s;
	out->trained = true;
	if (!read_file(of, a, out, err))
		return err_prefix(err, "qk: %s: ", quoted);
	s->turns = arena_calloc(a, out->sizes.layers + 1, sizeof *s->turns);
	if (s->weights.at && !check_weights(out, s, err))
		return err_prefix(err, "qk: %s: ", quoted);
	if (s->q.at) {
		const size_t dk = s->q.cols;
		if (!build_scheme(of, out, dk, a, err))
			return false;
		s->c = of->setup->asked.scheme && s->built->model.c > 0 ? s->built->model.c
									: 1 / sqrt((double)dk);
		rotate(out, s->q);
		rotate(out, s->k);
		s->built = NULL;
	}
	const char *const file = file_identity(of->qk, a);
	out->identity = profile_identity(
		(const char *const[]){file ? file : of->qk, s->q.at ? of->setup->scheme : "", NULL},
		a);
	return true;
}

struct window {
	const struct profile_run *run;
	size_t window;
	struct profile_in *heads;
	struct arena *arenas;
};

static void make_head(void *context, size_t cell, size_t worker)
{
	const struct window *const g = context;
	const struct profile_source *const s = g->run->source;
	const struct profile_sizes *const z = &g->run->sizes;
	const size_t row = (g->window * z->layers * z->heads + cell) * z->n;
	const struct profile_turns turns = s->turns[cell / z->heads];
	struct arena *const a = &g->arenas[cell];
	(void)worker;
	if (s->weights.at) {
		g->heads[cell] = (struct profile_in){.weights = mat_rows(s->weights, row, z->n),
						     .mask = s->mask};
		return;
	}
	const struct mat q = mat_rows(s->q, row, z->n), k = mat_rows(s->k, row, z->n);
	const struct mat logits = mat_new(a, z->n, z->n), masked = mat_new(a, z->n, z->n);
	mat_mul(logits, s->c, q, false, k, true, 0);
	for (size_t i = 0; i < z->n * z->n; i++)
		masked.at[i] = !s->mask || s->mask[i] ? logits.at[i] : -INFINITY;
	mat_softmax(masked, masked);
	g->heads[cell] = (struct profile_in){.logits = logits,
					     .weights = masked,
					     .mask = s->mask,
					     .q = q,
					     .k = k,
					     .pairs = turns.pairs,
					     .half = turns.half,
					     .c = s->c};
}

bool profile_step_given(struct profile_run *run, struct profile *p, size_t w, struct err *err)
{
	const struct profile_sizes *const z = &run->sizes;
	const size_t cells = z->layers * z->heads;
	struct arena a;
	arena_init(&a);
	struct window g = {.run = run,
			   .window = w,
			   .heads = arena_calloc(&a, cells, sizeof *g.heads),
			   .arenas = arena_calloc(&a, cells, sizeof *g.arenas)};
	long *const ids = run->source->ids ? arena_calloc(&a, z->n, sizeof *ids) : NULL;
	for (size_t i = 0; i < cells; i++)
		arena_init(&g.arenas[i]);
	machine_parallel(cells, make_head, &g);
	for (size_t i = 0; ids && i < z->n; i++)
		ids[i] = (long)run->source->ids[w * z->n + i];
	const bool ok = profile_add(p, g.heads, ids, err);
	for (size_t i = 0; i < cells; i++)
		arena_release(&g.arenas[i]);
	arena_release(&a);
	return ok;
}
