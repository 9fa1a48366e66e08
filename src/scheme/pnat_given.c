/* pnat_given.c: logits of the classifier from a file, [tokens, tokens, 2 clip]: of each token in
 * the original order with each. */
#include <string.h>

#include "posviz/base/text.h"
#include "posviz/format/tensor.h"
#include "posviz/model/stage.h"
#include "scheme/order_net.h"
#include "scheme/pnat.h"

bool pnat_load(void *param, struct arena *a, struct member *out, struct err *err)
{
	static const char *const usual[] = {"logits", "classifier.logits", "data", NULL};
	struct pnat *const p = param;
	const struct tensor *t;
	struct tensor_set set;
	if (*p->logits == '\0')
		return true;
	tensor_set_init(&set, a);
	if (!tensor_read_one(&set, p->logits, usual, &t, err) || !tensor_check_finite(t, err))
		return err_prefix(err, "%s: ", out->name);
	const char *const name = text_quote(a, p->logits, strlen(p->logits));
	if (t->dims != 3 || t->shape[0] != t->shape[1] || t->shape[0] == 0)
		return err_set(err,
			       "%s: %s has the shape %s; [tokens, tokens, 2 clip], so [n, n, %ld] "
			       "with clip=%ld, would be right",
			       out->name, name, tensor_shape_text(t, a), 2 * p->clip, p->clip);
	if (t->shape[2] != 2 * (size_t)p->clip)
		return err_set(err,
			       "%s: %s has %zu classes, and clip=%ld makes 2 clip of them: %ld",
			       out->name, name, t->shape[2], p->clip, 2 * p->clip);
	p->given = t;
	out->units = t->shape[0];
	return true;
}

/* Returns the logits of tokens i and j of the present order; given logits move with the tokens.
 * [classes] */
static double *logits_of(const struct run *run, const struct tensor *given,
			 const struct reordered *z, size_t i, size_t j)
{
	const long *const place = run->queries->token;
	const size_t row = (size_t)place[z->token[i]], col = (size_t)place[z->token[j]];
	const double *const at = given->at + (row * given->shape[0] + col) * given->shape[2];
	double *const out = arena_alloc(run->arena, given->shape[2] * sizeof *out);
	return memcpy(out, at, given->shape[2] * sizeof *out);
}

const int32_t *pnat_said_by_given(struct run *run, const struct member *m,
				  const struct reordered *z, struct err *err)
{
	const struct pnat *const p = m->param;
	const size_t n = z->tokens;
	int32_t *const at = arena_calloc(run->arena, n * n + 1, sizeof *at);
	for (size_t i = 0; i < n; i++) {
		const size_t place = (size_t)run->queries->token[z->token[i]];
		if (place >= p->given->shape[0]) {
			err_set(err, "%s: the logits are for %zu tokens, and this is number %zu",
				m->text, p->given->shape[0], place + 1);
			return NULL;
		}
	}
	for (size_t i = 0; i < n; i++)
		for (size_t j = i + 1; j < n; j++) {
			const struct arena_mark mark = arena_mark(run->arena);
			order_say(at, n, i, j, logits_of(run, p->given, z, i, j),
				  logits_of(run, p->given, z, j, i), p->clip);
			arena_rewind(run->arena, mark);
		}
	return at;
}
