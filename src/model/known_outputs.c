/* known_outputs.c: the outputs of a trained model's layers, kept between evaluations.
 *
 * Another head or layer of the same input enters where it looks: the layers in front of it are known
 * from the evaluation before. The key has all that an output depends on. Members whose steps know of
 * earlier steps, and inputs of which the key knows only a part, take no part in this. */
#include <string.h>

#include "model_in.h"

/* ---- the key ----------------------------------------------------------------------------------- */

/* Hashes numbers in four lanes, so that one multiplication need not wait for another: leaves are
 * megabytes. */
uint64_t digest_numbers(uint64_t h, const double *at, size_t n)
{
	uint64_t lane[4] = {h, h + 1, h + 2, h + 3};
	for (size_t i = 0; i < n; i++) {
		uint64_t word, *x = &lane[i % 4];
		memcpy(&word, &at[i], sizeof word);
		*x = (*x ^ word) * 0x9e3779b97f4a7c15ull;
		*x ^= *x >> 29;
	}
	for (size_t i = 1; i < 4; i++) {
		lane[0] = (lane[0] ^ lane[i]) * 0x9e3779b97f4a7c15ull;
		lane[0] ^= lane[0] >> 29;
	}
	return lane[0];
}

uint64_t digest_text(uint64_t h, const char *text)
{
	for (; *text; text++)
		h = (h ^ (unsigned char)*text) * 0x100000001b3ull;
	return digest_numbers(h, NULL, 0);
}

static bool is_of_one_step(const struct hooks *h)
{
	return !h->schedule && !h->finish && !h->block && !h->feed_forward && !h->shortens &&
	       !h->adjust_heads && !h->carry;
}

static bool fits(const struct run *run)
{
	const struct run_private *const p = run->private;
	const struct model_input *const in = run->in;
	const struct given *const given = run->model->given;
	bool fit = run->model->config.stack == STACK_ONE && p->cache && p->trace &&
		   !p->probe_pass && given && given->source && given->source->identity &&
		   !(p->want->kinds & WANT_KEPT) && in->memory == 0 && !in->structure &&
		   !in->reorder && in->length == 0 && !in->nudge.at && !in->words.at;
	for (size_t i = 0; i < run->model->n_members; i++)
		fit = fit && is_of_one_step(run->model->members[i].hooks);
	return fit;
}

static uint64_t digest_matrix(uint64_t h, struct mat m)
{
	for (size_t r = 0; r < m.rows; r++)
		h = digest_numbers(h, mat_row(m, r), m.cols);
	return h;
}

static uint64_t digest_leaves(const struct model *model, uint64_t h)
{
	for (size_t i = 0; i < model->n_leaves; i++)
		if (model->leaves[i].given)
			h = digest_matrix(digest_text(h, model->leaves[i].name),
					  model->leaves[i].at);
	return h;
}

static uint64_t digest_input(const struct run *run, uint64_t h)
{
	h = digest_matrix(h, run->units->v);
	for (size_t i = 0; i < run->n_columns; i++)
		h = digest_numbers(digest_text(h, run->columns[i].name), run->columns[i].at,
				   run->n);
	for (size_t i = 0; i < run->n; i++)
		h = digest_numbers(h, (const double[]){(double)run->queries->token[i]}, 1);
	return h;
}

/* Returns the members as text, with the layers and heads where they act. */
static const char *members_text(const struct model *model, struct arena *a)
{
	const char *text = "";
	for (size_t i = 0; i < model->n_members; i++) {
		const struct member *const m = &model->members[i];
		text = arena_printf(a, "%s|%s %s %.17g", text, m->text, m->pos, member_weight(m));
		for (size_t w = 0; w < SUBSET_WORDS; w++)
			text = arena_printf(a, "%s %llx %llx", text,
					    (unsigned long long)m->layers.at[w],
					    (unsigned long long)m->heads.at[w]);
	}
	return text;
}

void known_outputs_begin(struct run *run)
{
	const struct model *const model = run->model;
	const struct model_config *const c = &model->config;
	if (!fits(run))
		return;
	run->private->known = arena_printf(
		run->arena, "outputs %s|%zu %zu %zu %zu %zu %d %.17g %.17g %.17g|%s|%llx|%llx",
		model->given->source->identity, c->d, c->heads, model->kv_heads, model->dk,
		model->dv, (int)c->activation, c->norm_eps, model->c, model_embed_scale(model),
		members_text(model, run->arena), (unsigned long long)digest_input(run, run->n),
		(unsigned long long)digest_leaves(model, 0));
}

/* ---- outputs ------------------------------------------------------------------------------------ */

/* Beside an output there is a row of what its step would tell: operations, products, and the allowed
 * pairs of each head. */
enum { TOLD_OPERATIONS, TOLD_PRODUCTS, TOLD_ALLOWED };

static const char *key_of(const struct run *run, const char *what)
{
	return arena_printf(run->arena, "%s|%zu %s", run->private->known, run->step_index, what);
}

/* Returns whether anything of the heads of the step is wanted. */
static bool is_looked_at(const struct run *run)
{
	const struct want *const want = run->private->want;
	const unsigned beside = WANT_INPUT | WANT_OUTPUT | WANT_POSITION | WANT_RELATION;
	return (want->layer < 0 || want->layer == (long)run->step_index) &&
	       (want->kinds & ~beside || want->sink);
}

struct node *known_outputs_take(struct run *run)
{
	struct run_private *const p = run->private;
	struct mat output, told;
	if (!p->known || is_looked_at(run) || !cache_get(p->cache, key_of(run, "told"), &told) ||
	    !cache_get(p->cache, key_of(run, "output"), &output))
		return NULL;
	run->tape->operations += told.at[TOLD_OPERATIONS];
	run->tape->multiply_adds += told.at[TOLD_PRODUCTS];
	for (size_t i = 0; i < run->model->config.heads; i++)
		p->trace->layers[run->step_index].allowed[i] = (size_t)told.at[TOLD_ALLOWED + i];
	watch_did(p->watch, run->model->config.heads);
	return run->outputs[run->step_index + 1] = tape_const(run->tape, output);
}

void known_outputs_keep(struct run *run, double operations, double multiply_adds)
{
	struct run_private *const p = run->private;
	const size_t heads = run->model->config.heads;
	if (!p->known || !p->want->again)
		return;
	const struct mat told = mat_new(run->arena, 1, TOLD_ALLOWED + heads);
	told.at[TOLD_OPERATIONS] = run->tape->operations - operations;
	told.at[TOLD_PRODUCTS] = run->tape->multiply_adds - multiply_adds;
	for (size_t i = 0; i < heads; i++)
		told.at[TOLD_ALLOWED + i] = (double)p->trace->layers[run->step_index].allowed[i];
	cache_put(p->cache, key_of(run, "output"), run->outputs[run->step_index + 1]->v);
	cache_put(p->cache, key_of(run, "told"), told);
}
