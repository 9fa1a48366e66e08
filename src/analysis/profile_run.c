/* profile_run.c: a model run over windows. It is built once; a window changes its token vectors. */
#include "posviz/analysis/profile_run.h"

#include <math.h>
#include <string.h>

#include "posviz/base/num.h"
#include "posviz/base/sha256.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "posviz/scheme/rates.h"
#include "profile_run.h"

/* ---- rotations ------------------------------------------------------------------------------- */

static const struct expr_member *expr_of_member(const struct built *b, const struct member *m)
{
	for (size_t i = 0; i < b->expr.n; i++)
		if (b->expr.members[i].param == m->param)
			return &b->expr.members[i];
	return NULL;
}

/* Gets the rates of the first member that rotates q and k of a layer, or columns beside them. */
static bool rates_of(const struct built *b, size_t layer, size_t dk, size_t t_max, size_t n,
		     struct arena *a, struct member_rates *out)
{
	for (size_t i = 0; i < b->n_members; i++) {
		const struct expr_member *const m = expr_of_member(b, &b->members[i]);
		if (m && subset_has(&b->members[i].layers, layer) &&
		    member_rates(m, dk, t_max, (double)n, a, out))
			return true;
	}
	return false;
}

void profile_find_turns(const struct built *b, size_t t_max, size_t n, size_t layers, size_t dk,
			struct arena *a, struct profile_run *out, struct profile_turns *turns)
{
	struct member_rates *const all = arena_calloc(a, layers, sizeof *all);
	out->sizes.bands = 0;
	for (size_t l = 0; l < layers; l++) {
		if (!rates_of(b, l, dk, t_max, n, a, &all[l]) || 2 * all[l].pairs > dk)
			continue;
		turns[l] = (struct profile_turns){all[l].pairs, all[l].half, all[l].attention};
		out->trained_positions = all[l].trained;
		if (all[l].pairs > out->sizes.bands)
			out->sizes.bands = all[l].pairs;
	}
	if (out->sizes.bands == 0)
		return;
	out->rates = mat_new(a, layers, out->sizes.bands);
	mat_fill(out->rates, NAN);
	for (size_t l = 0; l < layers; l++)
		for (size_t i = 0; i < turns[l].pairs; i++)
			mat_row(out->rates, l)[i] = all[l].now[i];
}

const char *profile_identity(const char *const *texts, struct arena *a)
{
	struct sha256 hash;
	char *const out = arena_alloc(a, SHA256_TEXT);
	sha256_init(&hash);
	for (; *texts; texts++)
		sha256_add(&hash, *texts, strlen(*texts) + 1);
	sha256_done(&hash, out);
	return out;
}

/* ---- opening --------------------------------------------------------------------------------- */

/* Chooses the length of a window, or checks it against the model and the text. */
static bool choose_length(const struct profile_of *of, const struct profile_tokens *t,
			  struct profile_run *out, struct arena *a, struct err *err)
{
	const size_t frame = t->front + t->back, whole = t->n + frame;
	const size_t most = out->trained ? (size_t)of->setup->t_max : PROFILE_MOST;
	const char *const model = of->setup->checkpoint;
	size_t n = of->length;
	if (n > PROFILE_MOST)
		return err_set(err, "window-length: %zu; %d at most", n, PROFILE_MOST);
	if (n > most)
		return err_set(err,
			       "window-length: %zu, and %s is made for %zu positions; as many, or "
			       "--t-max, would be right",
			       n, text_quote(a, model, strlen(model)), most);
	if (n == 0) {
		n = PROFILE_LENGTH < most ? PROFILE_LENGTH : most;
		n = n < whole || whole < PROFILE_LEAST + frame ? n : whole;
	}
	if (n < PROFILE_LEAST + frame)
		return err_set(
			err, "window-length: %zu; %zu at least%s", n, PROFILE_LEAST + frame,
			frame ? arena_printf(a, ", %zu of them added by the tokenizer", frame)
			      : "");
	if (whole < n)
		return err_set(err,
			       "text: %s has %zu tokens, and a window %zu; a longer text, or "
			       "--window-length %zu, would be right",
			       of->text ? text_quote(a, of->text, strlen(of->text)) : "it", t->n,
			       n - frame,
			       whole < PROFILE_LEAST + frame ? PROFILE_LEAST + frame : whole);
	out->sizes.n = n;
	return true;
}

/* Returns the setup whose tokens are n: ids of a model, or words in whose place others will be. */
static struct setup setup_of_window(const struct profile_source *s, const struct profile_sizes *z,
				    bool trained, struct arena *a)
{
	struct setup out = *s->setup;
	struct strbuf text;
	long *const ids = arena_calloc(a, z->n, sizeof *ids);
	strbuf_init(&text, a);
	profile_window(&s->tokens, z, out.seed, 0, ids);
	for (size_t i = 0; i < z->n; i++)
		strbuf_printf(&text, "%s%ld", i ? " " : "", trained ? ids[i] : (long)i + 1);
	out.sentence = scene_intern(text.at);
	out.ids = trained ? out.sentence : "";
	out.tokens = trained ? TOKENS_WORDS : TOKENS_GIVEN;
	out.file = "";
	out.compare = "none";
	out.asked.sentence = true;
	return out;
}

static bool build(struct profile_run *out, struct arena *a, struct err *err)
{
	struct profile_source *const s = out->source;
	struct setup *const setup = arena_calloc(a, 1, sizeof *setup);
	s->built = arena_calloc(a, 1, sizeof *s->built);
	*setup = setup_of_window(s, &out->sizes, out->trained, a);
	if (!setup_build(setup, a, s->built, err))
		return false;
	const struct model *const m = &s->built->model;
	if (s->built->input.n != out->sizes.n || (s->built->given_units.at != NULL) != out->trained)
		return err_set(err,
			       "the scheme brings tokens or vectors of its own; one that reads "
			       "any text would be right");
	out->sizes.layers = m->n_steps;
	out->sizes.heads = m->config.heads;
	s->turns = arena_calloc(a, m->n_steps + m->config.layers, sizeof *s->turns);
	profile_find_turns(s->built, m->config.t_max, out->sizes.n, m->n_steps, m->dk, a, out,
			   s->turns);
	const char *const identity = setup_identity(setup, false, a);
	const char *const length = arena_printf(a, "%zu", out->sizes.n);
	const struct profile_tokens *const t = &s->tokens;
	struct sha256 hash;
	char words[SHA256_TEXT];
	sha256_init(&hash);
	sha256_add(&hash, t->ids, t->n * sizeof *t->ids);
	for (size_t i = 0; t->words && i < t->n; i++)
		sha256_add(&hash, t->words[t->ids[i]], strlen(t->words[t->ids[i]]) + 1);
	sha256_done(&hash, words);
	out->identity = profile_identity(
		(const char *const[]){identity ? identity : "", length, words, NULL}, a);
	return true;
}

static bool fits_memory(const struct profile_run *run, const struct setup *s, struct err *err)
{
	const double bytes = (double)profile_bytes(&run->sizes);
	return !(s->memory > 0 && bytes > s->memory) ||
	       err_set(err,
		       "the sums of %zu heads on windows of %zu take %.0f MB, more than --memory "
		       "allows; a shorter --window-length would be right",
		       run->sizes.layers * run->sizes.heads, run->sizes.n, bytes / 1e6);
}

bool profile_open(const struct profile_of *of, struct arena *a, struct profile_run *out,
		  struct err *err)
{
	*out = (struct profile_run){.trained = setup_computes(of->setup)};
	if (of->qk)
		return profile_open_given(of, a, out, err) && fits_memory(out, of->setup, err);
	struct profile_source *const s = arena_calloc(a, 1, sizeof *s);
	out->source = s;
	s->setup = of->setup;
	s->arena = a;
	if (!profile_tokens(of, a, &s->tokens, err))
		return false;
	out->tokens = s->tokens.n;
	out->drawn = s->tokens.drawn;
	out->sizes.front = s->tokens.front;
	out->sizes.back = s->tokens.back;
	return choose_length(of, &s->tokens, out, a, err) && build(out, a, err) &&
	       fits_memory(out, of->setup, err);
}

/* ---- windows --------------------------------------------------------------------------------- */

static bool token_vectors(const struct profile_source *s, const long *ids, size_t n,
			  struct arena *a, struct mat *out, struct err *err)
{
	if (!s->tokens.words) {
		const size_t *const segments = arena_calloc(a, n, sizeof *segments);
		return checkpoint_vectors(s->built->checkpoint, ids, segments, n, a, out, err);
	}
	const char **const text = arena_calloc(a, n, sizeof *text);
	size_t *const len = arena_calloc(a, n, sizeof *len);
	for (size_t i = 0; i < n; i++) {
		text[i] = s->tokens.words[ids[i]];
		len[i] = strlen(text[i]);
	}
	*out = model_units(a, &s->built->model.config, text, len, n);
	return true;
}

/* Returns whether a member may add to the logits. */
static bool adds_to_logits(const struct built *b)
{
	bool adds = false;
	for (size_t i = 0; i < b->n_members; i++)
		adds |= b->members[i].hooks->logits || b->members[i].hooks->injects;
	return adds;
}

/* Gets what the scheme adds by positions alone in window w: [layers · heads]. */
static bool own_of_window(const struct profile_run *run, size_t w, struct cache *cache,
			  struct watch *watch, struct arena *a, struct mat **out, struct err *err)
{
	const struct profile_source *const s = run->source;
	const struct profile_sizes *const z = &run->sizes;
	const struct want want = {.kinds = WANT_TERMS | WANT_POSITION, .layer = -1, .head = -1};
	struct model_input in = s->built->model_input;
	struct trace trace;
	long *const ids = arena_calloc(a, z->n, sizeof *ids);
	profile_window(&s->tokens, z, s->setup->seed, w, ids);
	if (!token_vectors(s, ids, z->n, a, &in.units, err) ||
	    !built_run(s->built, &in, &want, cache, watch, a, &trace, err))
		return false;
	*out = arena_calloc(a, z->layers * z->heads, sizeof **out);
	for (size_t i = 0; i < z->layers * z->heads; i++)
		(*out)[i] = profile_own_term(&trace, i / z->heads, i % z->heads, a);
	return true;
}

bool profile_find_own(struct profile_run *run, struct profile *p, struct cache *cache,
		      struct watch *watch, struct err *err)
{
	static const char none[] = "the scheme adds nothing to the logits by positions alone, and "
				   "rotates nothing";
	struct mat *first = NULL, *second = NULL;
	struct arena a;
	arena_init(&a);
	const bool runs = run->source->built && adds_to_logits(run->source->built);
	const bool ok = !runs || (own_of_window(run, 0, cache, watch, &a, &first, err) &&
				  own_of_window(run, 1, cache, watch, &a, &second, err));
	const bool same =
		ok && runs && profile_own_same(first, second, run->sizes.layers * run->sizes.heads);
	if (ok && !profile_give_own(p, same ? first : NULL, run->rates))
		run->own_why = !run->source->built ? "a file says nothing of its scheme"
			       : runs && !same	   ? "what the scheme adds depends on the tokens"
						   : none;
	arena_release(&a);
	return ok;
}

/* Runs the model on ids; (*out)[layers · heads]. */
static bool run_ids(const struct profile_run *run, const long *ids, bool logits,
		    struct cache *cache, struct watch *watch, struct arena *a,
		    struct profile_in **out, struct err *err)
{
	const struct profile_source *const s = run->source;
	const struct profile_sizes *const z = &run->sizes;
	struct model_input in = s->built->model_input;
	struct trace trace;
	const struct want want = {.kinds = WANT_WEIGHTS | WANT_MASK | (logits ? WANT_LOGITS : 0) |
					   (logits && z->bands ? WANT_QKV : 0),
				  .layer = -1,
				  .head = -1};
	if (!token_vectors(s, ids, z->n, a, &in.units, err) ||
	    !built_run(s->built, &in, &want, cache, watch, a, &trace, err))
		return false;
	if (trace.query.n != z->n || trace.key.n != z->n || trace.n_layers != z->layers)
		return err_set(err,
			       "its matrices are of %zu queries and %zu keys, and the text has "
			       "%zu tokens; a scheme without tokens of its own would be right",
			       trace.query.n, trace.key.n, z->n);
	*out = arena_calloc(a, z->layers * z->heads, sizeof **out);
	for (size_t l = 0; l < z->layers; l++)
		for (size_t h = 0; h < z->heads; h++) {
			const struct trace_head *const head = &trace.layers[l].heads[h];
			const struct profile_turns t = s->turns[l];
			const struct trace_beside *const beside = &head->beside;
			if (!head->weights.at)
				return err_set(err, "layer %zu has no attention weights", l + 1);
			(*out)[l * z->heads + h] =
				(struct profile_in){.logits = head->logits,
						    .weights = head->weights,
						    .mask = head->mask,
						    .q = beside->by ? beside->q : head->q,
						    .k = beside->by ? beside->k : head->k,
						    .pairs = head->q.at ? t.pairs : 0,
						    .half = t.half,
						    .c = trace.c};
		}
	return true;
}

/* The runs of a window; heads NULL: not of this window. */
struct runs {
	long *ids;
	size_t *order;
	struct profile_in *heads, *repeated, *shuffled;
};

static bool run_step(const struct profile_run *run, size_t w, unsigned parts, struct cache *cache,
		     struct watch *watch, struct arena *a, struct runs *out, struct err *err)
{
	const struct profile_tokens *const t = &run->source->tokens;
	const struct profile_sizes *const z = &run->sizes;
	const uint64_t seed = run->source->setup->seed;
	long *const other = arena_calloc(a, z->n, sizeof *other);
	out->ids = arena_calloc(a, z->n, sizeof *out->ids);
	out->order = arena_calloc(a, z->n, sizeof *out->order);
	profile_window(t, z, seed, w, out->ids);
	const bool more = parts & PROFILE_MORE;
	const bool shuffled = more && w % PROFILE_SHUFFLED == 0;
	if ((parts & PROFILE_TEXT || shuffled) &&
	    !run_ids(run, out->ids, parts & PROFILE_TEXT, cache, watch, a, &out->heads, err))
		return false;
	if (more && w % PROFILE_REPEATED == 0 && profile_block(z) > 0) {
		profile_repeated(t, z, seed, w, other);
		if (!run_ids(run, other, false, cache, watch, a, &out->repeated, err))
			return false;
	}
	if (!shuffled)
		return true;
	profile_shuffle(z, seed + w, out->order);
	for (size_t i = 0; i < z->n; i++)
		other[i] = out->ids[out->order[i]];
	return run_ids(run, other, false, cache, watch, a, &out->shuffled, err);
}

bool profile_step_part(struct profile_run *run, struct profile *p, size_t w, unsigned parts,
		       struct cache *cache, struct watch *watch, struct err *err)
{
	if (!run->source->built)
		return !(parts & PROFILE_TEXT) || profile_step_given(run, p, w, err);
	struct runs step = {0};
	struct arena a;
	arena_init(&a);
	const bool ok = run_step(run, w, parts, cache, watch, &a, &step, err) &&
			(!(parts & PROFILE_TEXT) || profile_add(p, step.heads, step.ids, err));
	if (ok && step.repeated)
		profile_add_repeated(p, step.repeated);
	if (ok && step.shuffled)
		profile_add_shuffled(p, step.heads, step.shuffled, step.order);
	arena_release(&a);
	return ok;
}

bool profile_step(struct profile_run *run, struct profile *p, size_t w, struct cache *cache,
		  struct watch *watch, struct err *err)
{
	return profile_step_part(run, p, w, PROFILE_TEXT | PROFILE_MORE, cache, watch, err);
}

size_t profile_windows(const struct profile_run *run, long wanted)
{
	const struct profile_sizes *const z = &run->sizes;
	const size_t most = wanted > 0	   ? (size_t)wanted
			    : run->trained ? PROFILE_WINDOWS
					   : PROFILE_DRAWN;
	const size_t there = run->tokens + z->front + z->back - z->n + 1;
	return run->tokens == 0 ? run->windows : there < most ? there : most;
}

size_t profile_length(long wanted, bool trained)
{
	return wanted > 0 || trained ? (size_t)wanted : PROFILE_DRAWN_LENGTH;
}

size_t profile_heads_of_own(const struct profile_run *run)
{
	const bool runs = run->source->built && adds_to_logits(run->source->built);
	return runs ? 2 * run->sizes.layers * run->sizes.heads : 0;
}

size_t profile_heads_to_run(const struct profile_run *run, size_t from, size_t to)
{
	size_t runs = 0;
	for (size_t w = from; w < to; w++)
		runs += 1 + (size_t)(w % PROFILE_REPEATED == 0) + (w % PROFILE_SHUFFLED == 0);
	return runs * run->sizes.layers * run->sizes.heads;
}
