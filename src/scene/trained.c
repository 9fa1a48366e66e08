/* trained.c: a trained model in a setup, on ids of its vocabulary. */
#include "scene_in.h"

bool trained_take(const struct setup *setup, struct built *out, struct model_config *config,
		  struct arena *a, struct err *err)
{
	size_t n;
	if (!*setup->ids)
		return (setup->stack == STACK_ONE && !*setup->source_ids) ||
		       err_set(err,
			       "stack: a decoder is computed on token ids; --ids 'N N ...' gives "
			       "them");
	if (!*setup->checkpoint)
		return err_set(err,
			       "ids: they are of a model's vocabulary; --checkpoint DIR, or the "
			       "model's directory in front, gives it");
	if (*setup->weights || *setup->units)
		return err_set(err, "%s: the checkpoint gives them; leave it out, or ids",
			       *setup->weights ? "weights" : "units");
	struct checkpoint *const c =
		checkpoint_open_stack(setup->checkpoint, (enum stack_part)setup->stack, a, err);
	const long *const ids = c ? setup_ids(setup, a, &n, err) : NULL;
	if (!ids || !checkpoint_configure(c, config, err))
		return false;
	size_t *const segments = arena_calloc(a, n + 1, sizeof *segments);
	for (size_t i = 0; i < out->written.n; i++)
		segments[i] = out->written.tokens[i].segment;
	out->checkpoint = c;
	out->given.source = &c->source;
	return trained_source(setup, out, a, err) &&
	       checkpoint_vectors(c, ids, segments, n, a, &out->given_units, err);
}

bool trained_is_read(const struct built *b, struct err *err)
{
	for (size_t i = 0; b->checkpoint && i < b->model.n_leaves; i++)
		if (!b->model.leaves[i].given)
			return err_set(
				err,
				"checkpoint: %s (%zu x %zu) is not read from its files, and a "
				"drawn one would be no trained model's",
				b->model.leaves[i].name, b->model.leaves[i].at.rows,
				b->model.leaves[i].at.cols);
	return true;
}
