/* heads.c: the mean over heads or layers, and the spread of attention weights.
 *
 * A mean is stored like a head, after those it averages, so that code that shows a head can show
 * a mean. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "analysis_in.h"

/* The heads to average. */
struct sources {
	const struct trace_head **at;
	size_t n;
};

static struct sources sources_of(const struct trace *trace, size_t heads, size_t step, size_t head,
				 struct arena *a)
{
	const bool all_steps = step == trace->n_layers, all_heads = head == heads;
	const size_t steps_end = all_steps ? trace->n_layers : step + 1;
	const size_t heads_end = all_heads ? heads : head + 1;
	struct sources s = {.at = arena_calloc(a, trace->n_layers * heads, sizeof *s.at)};
	for (size_t l = all_steps ? 0 : step; l < steps_end; l++)
		for (size_t h = all_heads ? 0 : head; h < heads_end; h++)
			s.at[s.n++] = &trace->layers[l].heads[h];
	return s;
}

/* ---- the mean of a matrix -------------------------------------------------------------------- */

/* The heads over which the mean of a cell is taken. */
enum over { OVER_ALL, OVER_ALLOWED, OVER_DEFINED };

struct tally {
	double sum, n;
};

static void tally_add(struct tally *tally, double value)
{
	tally->sum += value;
	tally->n++;
}

static double cell_mean(const struct sources *s, const struct mat *of, enum over over, size_t t,
			size_t c)
{
	struct tally all = {0}, some = {0};
	for (size_t i = 0; i < s->n; i++) {
		if (!of[i].at)
			continue;
		const double value = mat_row(of[i], t)[c];
		const uint8_t *const mask = s->at[i]->mask;
		tally_add(&all, value);
		if (over == OVER_DEFINED ? !isnan(value) : !mask || mask[t * of[i].cols + c])
			tally_add(&some, value);
	}
	const struct tally *const tally = over == OVER_ALL || some.n <= 0 ? &all : &some;
	return tally->sum / tally->n;
}

/* Returns the mean of those matrices that exist; none if their shapes differ. */
static struct mat mean_matrix(const struct sources *s, const struct mat *of, enum over over,
			      struct arena *a)
{
	struct mat like = {0};
	for (size_t i = 0; i < s->n; i++) {
		if (of[i].at && like.at && (of[i].rows != like.rows || of[i].cols != like.cols))
			return (struct mat){0};
		like = of[i].at ? of[i] : like;
	}
	if (!like.at)
		return like;
	const struct mat out = mat_new(a, like.rows, like.cols);
	for (size_t t = 0; t < out.rows; t++)
		for (size_t c = 0; c < out.cols; c++)
			mat_row(out, t)[c] = cell_mean(s, of, over, t, c);
	return out;
}

/* ---- terms ----------------------------------------------------------------------------------- */

static struct trace_term *find_term(struct trace_head *head, const char *label)
{
	for (size_t i = 0; i < head->n_terms; i++)
		if (strcmp(head->terms[i].label, label) == 0)
			return &head->terms[i];
	return NULL;
}

/* Collects the labels of all terms; if there are too many the last one collects the rest. A
 * weight that differs between heads is not reported. */
static void name_terms(const struct sources *s, struct trace_head *out)
{
	for (size_t i = 0; i < s->n; i++)
		for (size_t k = 0; k < s->at[i]->n_terms; k++) {
			const struct trace_term *const term = &s->at[i]->terms[k];
			struct trace_term *const same = find_term(out, term->label);
			if (same && same->weight != term->weight)
				same->weight = 1;
			if (same)
				continue;
			if (out->n_terms < MODEL_MAX_TERMS)
				out->terms[out->n_terms++] =
					(struct trace_term){.label = term->label,
							    .kind = term->kind,
							    .weight = term->weight};
			else
				out->terms[MODEL_MAX_TERMS - 1] = (struct trace_term){
					.label = "rest", .kind = TERM_OTHER, .weight = 1};
		}
}

static void add_to(struct mat sum, struct mat m)
{
	for (size_t t = 0; t < m.rows; t++)
		for (size_t c = 0; c < m.cols; c++)
			mat_row(sum, t)[c] += mat_row(m, t)[c];
}

/* Returns a head's contribution to term i of the mean; 0 if it has no such term. */
static struct mat term_share(const struct trace_head *head, struct trace_head *mean, size_t i,
			     struct arena *a)
{
	const struct mat like = head->terms[0].at, sum = mat_zero(a, like.rows, like.cols);
	struct trace_term *const last = &mean->terms[MODEL_MAX_TERMS - 1];
	for (size_t k = 0; k < head->n_terms; k++) {
		struct trace_term *to = find_term(mean, head->terms[k].label);
		if ((to ? to : last) == &mean->terms[i])
			add_to(sum, head->terms[k].at);
	}
	return sum;
}

static void mean_terms(const struct sources *s, struct trace_head *out, struct arena *a)
{
	struct arena scratch;
	arena_init(&scratch);
	name_terms(s, out);
	for (size_t i = 0; i < out->n_terms; i++) {
		struct mat *const of = arena_calloc(&scratch, s->n, sizeof *of);
		for (size_t k = 0; k < s->n; k++)
			if (s->at[k]->n_terms > 0)
				of[k] = term_share(s->at[k], out, i, &scratch);
		out->terms[i].at = mean_matrix(s, of, OVER_ALLOWED, a);
		arena_clear(&scratch);
	}
	arena_release(&scratch);
}

/* ---- the mean -------------------------------------------------------------------------------- */

static const uint8_t *any_allows(const struct sources *s, size_t cells, struct arena *a)
{
	uint8_t *const any = arena_calloc(a, cells, 1);
	for (size_t i = 0; i < s->n; i++) {
		if (!s->at[i]->mask)
			return NULL;
		for (size_t c = 0; c < cells; c++)
			any[c] |= s->at[i]->mask[c];
	}
	return any;
}

static const struct {
	size_t offset;
	enum over over;
} matrices[] = {
	{offsetof(struct trace_head, logits), OVER_ALLOWED},
	{offsetof(struct trace_head, bias), OVER_ALLOWED},
	{offsetof(struct trace_head, before), OVER_ALLOWED},
	{offsetof(struct trace_head, after), OVER_ALLOWED},
	{offsetof(struct trace_head, weights), OVER_ALL},
	{offsetof(struct trace_head, modulation), OVER_DEFINED},
};

static void mean_matrices(const struct sources *s, struct trace_head *out, struct arena *a)
{
	struct arena scratch;
	arena_init(&scratch);
	struct mat *const of = arena_calloc(&scratch, s->n, sizeof *of);
	for (size_t m = 0; m < sizeof matrices / sizeof *matrices; m++) {
		const size_t offset = matrices[m].offset;
		for (size_t i = 0; i < s->n; i++)
			memcpy(&of[i], (const char *)s->at[i] + offset, sizeof *of);
		const struct mat mean = mean_matrix(s, of, matrices[m].over, a);
		memcpy((char *)out + offset, &mean, sizeof mean);
	}
	arena_release(&scratch);
}

void trace_mean(struct trace *trace, size_t heads, size_t step, size_t head, struct arena *a)
{
	struct arena scratch;
	arena_init(&scratch);
	const struct sources s = sources_of(trace, heads, step, head, &scratch);
	const size_t cells = trace->query.n * trace->key.n;
	struct trace_head out = {.mask = any_allows(&s, cells, a)};
	size_t allowed = 0;
	mean_matrices(&s, &out, a);
	mean_terms(&s, &out, a);
	for (size_t i = 0; i < cells; i++)
		allowed += !out.mask || out.mask[i];
	trace->layers[step].heads[head] = out;
	trace->layers[step].allowed[head] = allowed;
	arena_release(&scratch);
}

/* ---- the head that a scene shows
 * ------------------------------------------------------------------ */

size_t trace_chosen(long number, size_t n)
{
	if (number == SCENE_MEAN)
		return n;
	return number < 1 ? 0 : (number > (long)n ? n : (size_t)number) - 1;
}

long trace_wanted(long number, size_t n)
{
	return number == SCENE_MEAN ? -1 : (long)trace_chosen(number, n);
}

/* The bias and the factor are of layer 1, whichever layer is shown. */
const struct trace_head *trace_shown(struct trace *trace, size_t heads, long head_number,
				     long layer_number, struct arena *a)
{
	const size_t head = trace_chosen(head_number, heads);
	const size_t layer = trace_chosen(layer_number, trace->n_layers);
	if (head == heads && layer != 0)
		trace_mean(trace, heads, 0, head, a);
	if (head == heads || layer == trace->n_layers)
		trace_mean(trace, heads, layer, head, a);
	return &trace->layers[layer].heads[head];
}

/* ---- the spread of weights
 * ------------------------------------------------------------------------ */

double weights_entropy(struct mat weights)
{
	double sum = 0, rows = 0;
	for (size_t t = 0; t < weights.rows; t++) {
		const double *const row = mat_row(weights, t);
		double all = 0, entropy = 0;
		for (size_t s = 0; s < weights.cols; s++) {
			if (row[s] < weight_least)
				return NAN;
			all += row[s];
		}
		for (size_t s = 0; s < weights.cols && all > 0; s++)
			entropy -= row[s] > 0 ? row[s] / all * log(row[s] / all) : 0;
		sum += entropy;
		rows += all > 0;
	}
	return rows > 0 ? sum / rows : NAN;
}
