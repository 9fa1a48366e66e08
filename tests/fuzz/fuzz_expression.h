/* fuzz_expression.h: bytes as choices, one after another, for the fuzzers of evaluation: an expression
 * of any members with any parameters, and a small input for it. */
#ifndef FUZZ_EXPRESSION_H
#define FUZZ_EXPRESSION_H

#include <math.h>
#include <string.h>

#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "posviz/scene/scene.h"

struct choices {
	const uint8_t *at, *end;
};

static inline size_t choose(struct choices *c, size_t n)
{
	return c->at < c->end ? *c->at++ % n : 0;
}

static inline void fuzz_argument(struct choices *c, const struct scheme *s, struct strbuf *b,
				 struct arena *a)
{
	static const char *const shared[] = {"pos=remaining", "pos=word", "pos=none",	"heads=1",
					     "heads=[2,3]",   "layers=2", "layers=odd", "heads=9"};
	const struct param *p = s->params;
	for (size_t k = choose(c, 8); p && p->name && k > 0; k--)
		p++;
	if (!p || !p->name) {
		strbuf_add(b, shared[choose(c, 8)]);
	} else if (p->type.kind == &value_choice) {
		size_t n = 0;
		while (p->type.choices[n])
			n++;
		strbuf_printf(b, "%s=%s", p->name, p->type.choices[choose(c, n)]);
	} else if (p->type.kind == &value_switch) {
		strbuf_printf(b, "%s=%s", p->name, choose(c, 2) ? "on" : "off");
	} else {
		void *param = scheme_defaults(s, a);
		const int direction = choose(c, 2) ? 1 : -1;
		for (size_t k = choose(c, 4); k > 0; k--)
			param_step(p, param, direction);
		strbuf_printf(b, "%s=%s", p->name, param_print(p, param, a));
	}
}

/* All schemes, asked for once. */
static inline const struct scheme *fuzz_scheme(struct choices *c)
{
	static const struct scheme *all[512];
	static size_t n;
	for (size_t count = n ? n : scheme_count(); n < count; n++) {
		BUG_IF(n == sizeof all / sizeof all[0]);
		all[n] = scheme_at(n);
	}
	return all[choose(c, n)];
}

static inline const char *fuzz_expression(struct choices *c, size_t most, struct arena *a)
{
	struct strbuf b;
	strbuf_init(&b, a);
	const size_t members = 1 + choose(c, most);
	for (size_t i = 0; i < members; i++) {
		static const char *const weights[] = {"0*", "-0.5*", "1e6*", "2*0.3*"};
		const size_t byte = c->at < c->end ? *c->at : 0;
		const struct scheme *s = fuzz_scheme(c);
		/* Only the highest: what was kept before there were weights stays what it was. */
		const char *const weight = byte >= 240 ? weights[byte % 4] : "";
		strbuf_printf(&b, "%s%s%s", i ? "+" : "", weight, s->id);
		const size_t arguments = s->expression ? 0 : choose(c, 3);
		for (size_t k = 0; k < arguments; k++) {
			strbuf_add(&b, k ? "," : "(");
			fuzz_argument(c, s, &b, a);
		}
		if (arguments)
			strbuf_add_char(&b, ')');
	}
	return b.at;
}

/* A number for each of n units. */
static inline const char *fuzz_numbers(struct choices *c, const char *const *from, size_t n_from,
				       size_t n, struct arena *a)
{
	struct strbuf b;
	strbuf_init(&b, a);
	for (size_t i = 0; i < n; i++)
		strbuf_printf(&b, "%s%s", i ? " " : "", from[choose(c, n_from)]);
	return b.at;
}

/* What checkpoints are given beside their tokens. The lists fit the tokens, or are one too long; a
 * memory that leaves nothing is for who evaluates to refuse. */
static inline void fuzz_sequence(struct choices *c, struct setup *s, struct arena *a)
{
	static const char *const starts[] = {"none", "start:3", "start:-4"};
	static const char *const positions[] = {"0", "1", "2", "3", "9", "-4", "999999", "-999999"};
	static const char *const segments[] = {"0", "1", "2", "99"};
	static const char *const scales[] = {"1", "sqrt-d", "1e-06", "1000000"};
	enum { STARTS = sizeof starts / sizeof *starts };
	const size_t beside = choose(c, 32), memory = choose(c, 8);
	const size_t position = beside % 4, segment = beside / 4 % 2;
	struct input tokens = {0};
	if ((position == STARTS || segment) && setup_tokens(s, a, &tokens, NULL, NULL, NULL) &&
	    choose(c, 16) == 15)
		tokens.n++;
	s->position_ids =
		position < STARTS ? starts[position] : fuzz_numbers(c, positions, 8, tokens.n, a);
	s->segments = segment ? fuzz_numbers(c, segments, 4, tokens.n, a) : "none";
	s->memory_tokens = memory < 4 ? 0 : (long)memory - 3;
	s->embed_scale = scales[beside / 8];
}

static inline void fuzz_expect_finite(struct mat m)
{
	BUG_IF(!mat_is_finite(m));
}

static inline void fuzz_expect_told(const struct err *err)
{
	BUG_IF(err->text[0] == '\0' || strchr(err->text, '\n'));
	BUG_IF(!text_valid(err->text, strlen(err->text)));
}

#endif
