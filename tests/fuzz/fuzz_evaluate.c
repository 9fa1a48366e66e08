/* fuzz_evaluate.c: any expression of any members gives finite numbers or is refused in one line, at the
 * smallest sizes, thousands of times a second; what comes after an evaluation is fuzz_measure's. */
#include <stdint.h>

#include "fuzz.h"
#include "fuzz_expression.h"

static void choose_sizes(struct choices *c, struct setup *s, struct arena *a)
{
	static const char *const sentences[] = {"a b c", "a", "a a", "b ||| c a"};
	static const char *const governors[] = {"2 0 2", "0", "2 0", "2 0 2"};
	static const char *const specials[] = {"none", "bos"};
	static const char *const orders[] = {"identity", "reverse"};
	const size_t sentence = choose(c, 4), sizes = choose(c, 8);
	s->sentence = sentences[sentence];
	s->governors = choose(c, 2) ? governors[sentence] : "";
	s->special = sentence == 3 ? specials[0] : specials[choose(c, 2)];
	s->order = orders[choose(c, 2)];
	s->d_model = 4;
	s->heads = 1 << sizes % 3;
	s->layers = 1 + (long)(sizes / 3 % 2);
	s->ff = 3;
	s->t_max = 1 + (long)choose(c, 6);
	s->proj = (int)choose(c, PROJ_COUNT);
	s->init = (int)choose(c, INIT_COUNT);
	s->memory = 1e6;
	fuzz_sequence(c, s, a);
}

static void expect_finite(const struct setup *s, const struct trace *trace)
{
	for (size_t l = 0; l < trace->n_layers; l++) {
		fuzz_expect_finite(trace->layers[l].output);
		for (size_t h = 0; h < (size_t)s->heads; h++) {
			const struct trace_head *head = &trace->layers[l].heads[h];
			const struct mat all[] = {head->logits, head->weights, head->bias};
			for (size_t i = 0; i < 3; i++)
				if (all[i].at)
					fuzz_expect_finite(all[i]);
		}
	}
}

/* Kept from input to input: what is done once is not what is looked for. */
static struct scene defaults;
static struct arena arena;

FUZZ(evaluate)
{
	static const unsigned kinds[] = {WANT_OUTPUT | WANT_LOGITS | WANT_WEIGHTS | WANT_BIAS,
					 WANT_OUTPUT | WANT_RELATION,
					 WANT_TERMS | WANT_QKV | WANT_CONTEXT | WANT_OUTPUT,
					 WANT_MODULATION | WANT_MASK | WANT_OUTPUT};
	if (!defaults.setup.sentence)
		scene_init(&defaults);
	arena_clear(&arena);
	struct choices c = {data, data + size};
	struct setup setup = defaults.setup;
	setup.scheme = fuzz_expression(&c, 3, &arena);
	choose_sizes(&c, &setup, &arena);
	const struct want want = {.kinds = kinds[choose(&c, 4)], .layer = -1, .head = -1};
	struct built b;
	struct trace trace;
	struct err err = {0};
	if (evaluate(&setup, &want, NULL, NULL, &arena, &b, &trace, &err))
		expect_finite(&setup, &trace);
	else
		fuzz_expect_told(&err);
	return 0;
}
