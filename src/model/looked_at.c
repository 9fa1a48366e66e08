/* looked_at.c: a matrix whose keys are other tokens than its queries: it is only viewed, since a
 * layer of the model attends to its own tokens. */
#include "model_in.h"
#include "posviz/base/text.h"

const struct member *model_looked_at(const struct model *model)
{
	for (size_t i = 0; i < model->n_members; i++)
		if (model->members[i].hooks->look_at)
			return &model->members[i];
	return NULL;
}

static bool fits(const struct member *m, const struct model_input *in, struct err *err)
{
	return (in->axis.n == m->units && in->keys.n == m->keys) ||
	       err_set(err,
		       "%s is for %zu queries and %zu keys that are other tokens: it is looked at, "
		       "and nothing is measured with it",
		       m->text, m->units, m->keys);
}

bool run_looked_at(const struct model *model, const struct member *m, const struct model_input *in,
		   const struct want *want, struct arena *a, struct trace *trace, struct err *err)
{
	static const unsigned there = WANT_BIAS | WANT_LOGITS | WANT_WEIGHTS | WANT_MASK;
	if (!fits(m, in, err))
		return false;
	if (want->kinds & WANT_OUTPUT && !(want->kinds & there))
		return err_set(err, "%s has no output: queries are other tokens than keys",
			       m->text);
	axis_copy(a, &trace->query, &in->axis);
	axis_copy(a, &trace->key, &in->keys);
	trace->units = in->units;
	for (size_t l = 0; l < model->n_steps; l++)
		for (size_t h = 0; h < model->config.heads; h++) {
			struct trace_head head = {0};
			if (want->layer >= 0 && want->layer != (long)l)
				continue;
			m->hooks->look_at(m, l, h, a, &head);
			trace->layers[l].allowed[h] = m->units * m->keys;
			for (size_t i = 0; head.mask && i < m->units * m->keys; i++)
				trace->layers[l].allowed[h] -= !head.mask[i];
			if (want->sink)
				want->sink(want->context, l, h, &head);
			if (want->head < 0 || want->head == (long)h)
				trace->layers[l].heads[h] = head;
		}
	return true;
}
