/* estimate.c: the memory that an evaluation will take, estimated before it starts.
 *
 * Matrices of n×n dominate; they are counted as the stages make them: in each worker, in the
 * trace, and in what members declare. The result is an upper bound, and not far above: a test
 * compares it with the memory taken. */
#include <math.h>
#include <stdio.h>

#include "model_in.h"
#include "posviz/math/machine.h"

static double popcount_kept(unsigned kinds, unsigned mask)
{
	return __builtin_popcount(kinds & mask);
}

/* Returns about the number of terms that a head keeps separately: every pair of parts, and those
 * that members add. */
static double count_terms(const struct model *model)
{
	const bool biased = model->given && (model->given->source || model->given->weights);
	double parts = biased ? 2 : 1, added = 0;
	for (size_t i = 0; i < model->n_members; i++) {
		const struct hooks *h = model->members[i].hooks;
		parts += h->embed || h->project ? 1 : 0;
		added += h->logits || h->adjust || h->adjust_heads ? 4 : 0;
	}
	return fmin(MODEL_MAX_TERMS, parts * parts + added);
}

/* Returns how many members add to the values in heads, and about the number of summands of the
 * context: every part of the values, and those. */
static double count_values(const struct model *model)
{
	double n = 0;
	for (size_t i = 0; i < model->n_members; i++)
		n += model->members[i].hooks->values ? 1 : 0;
	return n;
}

static double count_written(const struct model *model)
{
	double n = 3;
	for (size_t i = 0; i < model->n_members; i++) {
		const struct hooks *h = model->members[i].hooks;
		n += (h->embed || h->project ? 1 : 0) + (h->values ? 3 : 0);
	}
	return fmin(MODEL_MAX_WRITTEN, n);
}

/* Returns the share of the queries that is wanted. */
static double rows_share(const struct model_input *in, const struct want *want)
{
	return want->places ? fmin(1, (double)want->n_places / (double)in->axis.n) : 1;
}

/* Returns the share of its logits that a head holds at once. */
static double logits_share(const struct model *model, const struct model_input *in,
			   const struct want *want)
{
	const unsigned apart = WANT_TERMS | WANT_MODULATION;
	const unsigned whole = WANT_BIAS | WANT_LOGITS | WANT_WEIGHTS | WANT_WRITTEN;
	if (want->kinds & apart || (want->kinds & whole && !want->places))
		return 1;
	for (size_t i = 0; i < model->n_members; i++)
		if (!rows_allow(&model->members[i]))
			return 1;
	return fmin(1, (double)rows_per_block(in->axis.n) / (double)in->axis.n);
}

static bool runs_all(const struct want *want)
{
	return want->kinds & WANT_OUTPUT || want->layer < 0;
}

/* Returns the number of steps that are run. */
static size_t steps_run(const struct model *model, const struct want *want)
{
	const size_t last = runs_all(want) ? model->n_steps : (size_t)want->layer + 1;
	return last < model->n_steps ? last : model->n_steps;
}

/* Returns the number of weights of the steps that are run, and of those whose output is needed,
 * as in a run. */
static double count_weights(const struct model *model, const struct model_input *in,
			    const struct want *want)
{
	const struct model_config *const c = &model->config;
	const double d = (double)c->d, layers = (double)c->layers;
	const bool whole = runs_all(want);
	const double above = whole ? layers : fmin(layers, (double)want->layer);
	const double run = fmin(layers, (double)steps_run(model, want));
	bool made = want->kinds & WANT_INPUT;
	for (size_t l = 0; l < c->layers; l++)
		for (enum weight w = W_Q; w <= W_V; w++)
			made |= !weight_is_scale(model, l, w);
	for (size_t i = 0; i < model->n_members; i++)
		made |= model->members[i].hooks->reads_weights;
	if (model->given && model->given->source)
		return weights_at_once(model, in->axis.n, want);
	const double outer = want->kinds & WANT_INPUT ? run : above;
	double projections = 0;
	for (enum weight w = W_Q; w <= W_V; w++)
		projections += weight_numbers(model, w);
	const double w_o = made || weight_exists(model, W_O) ? weight_numbers(model, W_O) : 0;
	return (made ? projections * run : 0) + (w_o + 2 * d * (double)c->ff) * outer;
}

/* Returns the number of large learned numbers that are there after the run: those drawn before and those that a file
 * gave take memory beside it too, and the next run of the same kind has the same estimate. */
static double count_leaves(const struct model *model, const struct want *want)
{
	return leaves_drawn(model) + model_leaves_to_draw(model, steps_run(model, want)) +
	       leaves_given(model);
}

/* The memory of the members, as they declare it. */
struct members_load {
	unsigned matrices;
	double beside;
	bool together, indexed, related, feeds;
};

/* Members count what the steps that are run make. */
static struct members_load load_of_members(const struct model *model, const struct model_input *in,
					   const struct want *want)
{
	struct members_load out = {0};
	struct model part = *model;
	part.n_steps = steps_run(model, want);
	part.config.layers =
		part.n_steps < model->config.layers ? part.n_steps : model->config.layers;
	for (size_t i = 0; i < model->n_members; i++) {
		const struct member *const m = &model->members[i];
		out.matrices += m->hooks->matrices;
		out.beside += m->hooks->memory ? m->hooks->memory(&part, m, in, want->kinds) : 0;
		out.together |= m->hooks->adjust_heads != NULL;
		out.indexed |= m->hooks->prepare != NULL;
		out.related |= m->hooks->relation != NULL;
		out.feeds |= m->hooks->feed_forward != NULL;
	}
	return out;
}

/* Returns how often queries and keys of a head are kept between two members that change them. */
static double count_changes(const struct model *model)
{
	double n = 0;
	for (size_t i = 0; i < model->n_members; i++)
		n += model->members[i].hooks->qk != NULL;
	return fmax(0, n - 1);
}

static size_t estimate(const struct model *model, const struct model_input *in,
		       const struct want *want, size_t workers)
{
	const struct model_config *c = &model->config;
	const double widest =
		fmax((double)c->d,
		     (double)(model->qk_width > model->v_width ? model->qk_width : model->v_width));
	const double n = (double)in->axis.n, cells = n * n, x = n * widest;
	const double steps = (double)steps_run(model, want);
	const struct members_load own = load_of_members(model, in, want);
	const unsigned kinds = want->kinds;
	const double terms = kinds & WANT_TERMS ? count_terms(model) : 0;
	const double modulation = kinds & WANT_MODULATION ? 3 : 0;
	/* The terms, and the rest of the logits. */
	const double apart = terms > 0 ? terms + 1 : 0;
	const double share = logits_share(model, in, want);
	double matrices = share + own.matrices + (kinds & WANT_LOGITS ? 1 : 0) + apart + modulation;
	matrices *= (double)(own.together ? c->heads : workers);
	const double heads = want->head < 0 ? (double)c->heads : 1;
	const double layers = want->layer < 0 ? (double)model->n_steps : 1;
	matrices +=
		heads * layers * rows_share(in, want) *
		(popcount_kept(kinds, WANT_LOGITS | WANT_WEIGHTS | WANT_BIAS) + terms + modulation);
	const double rows = 4 + popcount_kept(kinds, WANT_INPUT | WANT_CONTEXT | WANT_OUTPUT) +
			    (5 + 2 * count_changes(model)) * popcount_kept(kinds, WANT_QKV) +
			    2 * count_written(model) * popcount_kept(kinds, WANT_WRITTEN);
	/* The estimate has one more matrix for the overhead of allocation, and the buffers of
	 * BLAS, which grow with the products. */
	double bytes = own.beside + fmin(64e6, 24 * cells + 8 * (double)c->d * (double)c->ff) +
		       8 * cells * (matrices + share) + cells * (own.indexed ? 5 : 1);
	/* A number and its `beside`, or a path, as made and as kept. */
	bytes += own.related && kinds & WANT_RELATION ? 32 * cells : 0;
	/* The rows that the pairs read in each summand of the context, and coefficients; as made and
	 * as kept. */
	if (kinds & WANT_WRITTEN)
		bytes += 12 * cells * count_values(model) * (heads * layers + (double)workers);
	/* Indices and tables of members, at most two of n×n each except those that they declare;
	 * parts. */
	if (kinds & WANT_KEPT)
		bytes += 8 * cells * 2 * (double)model->n_members +
			 8 * x * (4 + (double)model->n_members) * steps;
	bytes += 8 * x * (12 + rows * steps);
	bytes += 8 * n * (double)c->ff * (own.feeds ? 2 : 1);
	bytes += 8 * count_weights(model, in, want) * (kinds & WANT_INPUT ? 2 : 1);
	bytes += 8 * count_leaves(model, want);
	return bytes < 1e18 ? (size_t)bytes : (size_t)1e18;
}

/* Returns the number of workers that fit into the memory: fewer take less memory and more time. */
static size_t choose_workers(const struct model *model, const struct model_input *in,
			     const struct want *want, size_t limit)
{
	size_t workers = machine_threads();
	if (workers > model->config.heads)
		workers = model->config.heads;
	while (limit && workers > 1 && estimate(model, in, want, workers) > limit)
		workers--;
	return workers ? workers : 1;
}

size_t model_estimate(const struct model *model, const struct model_input *in,
		      const struct want *want)
{
	const size_t workers = choose_workers(model, in, want, model->config.memory);
	return estimate(model, in, want, workers);
}

/* Counts the matrices that a recorded head and step keep, with a gradient each, and the members'
 * own. Learned maps over all heads have layers of their own. */
static void count_recorded(const struct model *model, const struct model_input *in, double *of_head,
			   double *of_step, double *beside)
{
	enum { RECORDED = 24, MIXED = 280 };
	*of_head = 6;
	*of_step = 0;
	*beside = 8e6;
	for (size_t i = 0; i < model->n_members; i++) {
		const struct member *const m = &model->members[i];
		const struct hooks *const h = m->hooks;
		*of_head += 4.0 * h->matrices + (h->logits ? 6 : 0);
		*of_step += (h->prepare ? 2 : 0) + (h->adjust_heads ? MIXED : 0);
		*beside += h->memory ? RECORDED * h->memory(model, m, in, WANT_OUTPUT) : 0;
	}
	for (size_t i = 0; i < model->n_leaves; i++)
		*beside += 16 * (double)(model->leaves[i].at.rows * model->leaves[i].at.cols);
}

/* Every result stays, with a gradient of its size; in each step but the last, for all heads. */
size_t model_record_estimate(const struct model *model, const struct model_input *in,
			     const struct record *what)
{
	enum { ROWS = 48 };
	const struct model_config *c = &model->config;
	const double n = (double)in->axis.n + 4, d = (double)c->d, ff = (double)c->ff;
	const double steps = what->step < 0 ? (double)model->n_steps : (double)what->step + 1;
	double of_head, of_step, beside;
	bool mixed = false;
	count_recorded(model, in, &of_head, &of_step, &beside);
	for (size_t i = 0; i < model->n_members; i++)
		mixed |= model->members[i].hooks->adjust_heads != NULL;
	const double heads = (double)c->heads, last = what->head < 0 || mixed ? heads : 1;
	const double matrices = of_head * (heads * (steps - 1) + last) + of_step * steps;
	const bool source = model->given && model->given->source;
	const double weights = source ? weights_of_layer(model)
				      : weight_numbers(model, W_Q) + weight_numbers(model, W_K) +
						weight_numbers(model, W_V) +
						weight_numbers(model, W_O) + 2 * d * ff;
	const double bytes = beside + 8 * (n * n * matrices + steps * n * (ROWS * d + 8 * ff)) +
			     8 * steps * weights;
	return bytes < 1e18 ? (size_t)bytes : (size_t)1e18;
}

/* Returns whether a recording is within its limit. The estimate does not contain what a member
 * makes in steps of its own; gradients take as much again. */
bool record_fits(const struct run *run, struct err *err)
{
	const struct record *const record = run->private->record;
	const size_t limit = run->model->config.memory;
	return !record || !record->bounded || limit == 0 || 2 * run->arena->used <= limit ||
	       err_set(err,
		       "its gradients need more than the limit of %.0f MB; shorten the input, take "
		       "layer 1, or raise memory",
		       (double)limit / 1e6);
}

/* Returns the memory that earlier evaluations left for this one; 0 is no limit. */
static size_t memory_left(const struct model *model, struct cache *cache)
{
	const size_t limit = model->config.memory, kept = cache_bytes(cache);
	return limit == 0 ? 0 : kept < limit ? limit - kept : 1;
}

/* Returns the largest number of layers that fit, if all of them are kept; 0: none, or only one is. */
static size_t layers_that_fit(const struct model *model, const struct model_input *in,
			      const struct want *want, size_t limit)
{
	struct model part = *model;
	size_t n = runs_all(want) ? model->n_steps - 1 : 0;
	for (; n > 0; n--) {
		part.n_steps = part.config.layers = n;
		if (estimate(&part, in, want, 1) <= limit)
			break;
	}
	return n;
}

/* Returns what makes it smaller: most of it are matrices of the tokens, or projections and learned
 * numbers, which a shorter input leaves as they are. A trained model's sizes are given, and it has its
 * weights one after another. */
static const char *remedy(const struct model *model, const struct model_input *in,
			  const struct want *want, size_t need, size_t limit, char text[80])
{
	const double numbers = count_weights(model, in, want) * (want->kinds & WANT_INPUT ? 2 : 1) +
			       count_leaves(model, want);
	const bool trained = model->given && model->given->source;
	const size_t layers = trained ? layers_that_fit(model, in, want, limit) : 0;
	snprintf(text, 80, "shorten the input, or take %zu layer%s, which would fit", layers,
		 layers == 1 ? "" : "s");
	return layers > 0			? text
	       : trained			? "shorten the input"
	       : 8 * numbers > (double)need / 2 ? "take fewer layers or a smaller d-model"
						: "shorten the input, take fewer heads";
}

size_t estimate_workers(const struct model *model, const struct model_input *in,
			const struct want *want, struct cache *cache, struct err *err)
{
	const size_t limit = memory_left(model, cache);
	const size_t workers = choose_workers(model, in, want, limit);
	const size_t need = estimate(model, in, want, workers);
	if (!limit || need <= limit) {
		leaf_make_room(model, need);
		return workers;
	}
	char smaller[80];
	err_set(err,
		"this needs about %.0f MB for %zu tokens and %zu heads, above the limit of %.0f "
		"MB; %s, or raise memory",
		(double)need / 1e6, in->axis.n, model->config.heads, (double)limit / 1e6,
		remedy(model, in, want, need, limit, smaller));
	return 0;
}
