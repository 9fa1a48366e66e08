/* trained.c: a trained model in a setup, on tokens of its vocabulary. */
#include "scene_in.h"

bool trained_take(const struct setup *setup, struct built *out, struct model_config *config,
		  struct arena *a, struct err *err)
{
	const struct input *const written = &out->written;
	if (!setup_computes(setup))
		return (setup->stack == STACK_ONE && !*setup->source_ids && !*setup->source) ||
		       err_set(err,
			       "stack: a decoder is computed on tokens of its model; --tokens model "
			       "or --ids 'N N ...' gives them");
	if (!*setup->checkpoint)
		return err_set(err,
			       "ids: they are of a model's vocabulary; --checkpoint DIR, or the "
			       "model's directory in front, gives it");
	if (*setup->weights || *setup->units)
		return err_set(err, "%s: the checkpoint gives them; leave it out, or %s",
			       *setup->weights ? "weights" : "units",
			       *setup->ids ? "ids" : "choose tokens words");
	struct checkpoint *const c =
		checkpoint_open_stack(setup->checkpoint, (enum stack_part)setup->stack, a, err);
	if (!c || !checkpoint_configure(c, config, err))
		return false;
	if (out->labelled)
		return err_set(err, "the expression is of a file with tokens of its own; without "
				    "ids, and with tokens words, it would be shown");
	size_t *const segments = arena_calloc(a, written->n + 1, sizeof *segments);
	long *const ids = arena_calloc(a, written->n + 1, sizeof *ids);
	for (size_t i = 0; i < written->n; i++) {
		segments[i] = written->tokens[i].segment;
		ids[i] = written->tokens[i].id;
	}
	out->checkpoint = c;
	out->given.source = &c->source;
	return trained_source(setup, out, a, err) &&
	       checkpoint_vectors(c, ids, segments, written->n, a, &out->given_units, err);
}

bool trained_is_read(const struct built *b, struct err *err)
{
	for (size_t i = 0; b->checkpoint && i < b->model.n_leaves; i++)
		if (!b->model.leaves[i].given)
			return err_set(
				err,
				"checkpoint: %s (%zu x %zu) is not read from its files, and a "
				"drawn one would be no trained model's; tokens words, and no ids, "
				"shows it on drawn vectors",
				b->model.leaves[i].name, b->model.leaves[i].at.rows,
				b->model.leaves[i].at.cols);
	return true;
}
