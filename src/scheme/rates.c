/* rates.c: see posviz/scheme/rates.h. */
#include "scheme/rates.h"

#include "scheme/rope.h"

extern const struct scheme scheme_mla[], scheme_mrope[];

void wheel_rates(const struct rope_wheel *w, struct arena *a, struct member_rates *out)
{
	out->pairs = w->pairs;
	out->base = w->base;
	out->trained = w->trained;
	out->now = arena_calloc(a, w->pairs + 1, sizeof *out->now);
	out->then = arena_calloc(a, w->pairs + 1, sizeof *out->then);
	for (size_t i = 0; i < w->pairs; i++) {
		out->now[i] = scaling_frequency(w, i);
		out->then[i] = scaling_trained_frequency(w, i);
	}
}

bool member_rates(const struct expr_member *m, size_t dk, size_t t_max, double n, struct arena *a,
		  struct member_rates *out)
{
	*out = (struct member_rates){.attention = 1};
	if (m->scheme->hooks.qk == rope_qk)
		return rope_member_rates(m->param, dk, t_max, n, a, out);
	if (m->scheme == scheme_mla)
		return mla_member_rates(m->param, dk, t_max, n, a, out);
	return m->scheme == scheme_mrope && mrope_member_rates(m->param, dk, t_max, n, a, out);
}
