/* leaf_kept.c: large leaves whose numbers follow from the seed, their name, a rule and their size. They are drawn
 * once for all models of a process that have them at the same time or one after another, as the measures of a
 * command do. Those that no model has wait for the next one, as far as half of its memory has room beside the others. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "model_in.h"
#include "posviz/base/arena_child.h"

struct kept_leaf {
	struct kept_leaf *next;
	struct arena own;
	const char *name;
	uint64_t seed;
	enum fill fill;
	double value;
	struct mat at;
	size_t holders; /* models that have it */
	size_t used;	/* when it was taken last */
	size_t most;	/* bytes that may wait when its last model goes */
};

static struct kept_leaf *kept;
static size_t uses;

static bool is_it(const struct kept_leaf *k, const struct model *model, const struct leaf *leaf,
		  const struct leaf_init *init)
{
	return k->seed == model->config.seed && k->fill == init->fill &&
	       !(k->value < init->value) && !(k->value > init->value) &&
	       k->at.rows == leaf->at.rows && k->at.cols == leaf->at.cols &&
	       strcmp(k->name, leaf->name) == 0;
}

static size_t bytes_of(const struct kept_leaf *k)
{
	return k->at.rows * k->at.cols * sizeof(double);
}

/* Frees those that wait for longest until no more than `most` bytes are kept, or all that are left have a model. */
static void trim(size_t most)
{
	for (;;) {
		struct kept_leaf **oldest = NULL;
		size_t bytes = 0;
		for (struct kept_leaf **at = &kept; *at; at = &(*at)->next) {
			bytes += bytes_of(*at);
			if ((*at)->holders == 0)
				oldest = !oldest || (*at)->used < (*oldest)->used ? at : oldest;
		}
		if (bytes <= most || !oldest)
			return;
		struct kept_leaf *const gone = *oldest;
		*oldest = gone->next;
		arena_release(&gone->own);
		free(gone);
	}
}

void leaf_make_room(const struct model *model, size_t need)
{
	const size_t limit = model->config.memory, own = (size_t)(8 * leaves_drawn(model));
	if (limit == 0)
		return;
	leaf_lock();
	trim(own + (need < limit ? limit - need : 0));
	leaf_unlock();
}

static void let_go(void *context)
{
	struct kept_leaf *const k = context;
	leaf_lock();
	k->holders--;
	if (k->holders == 0)
		trim(k->most);
	leaf_unlock();
}

static struct kept_leaf *draw(const struct model *model, const struct leaf *leaf,
			      const struct leaf_init *init)
{
	struct kept_leaf *const k = calloc(1, sizeof *k);
	if (!k)
		die("no memory for a leaf");
	arena_init(&k->own);
	*k = (struct kept_leaf){.next = kept,
				.own = k->own,
				.seed = model->config.seed,
				.fill = init->fill,
				.value = init->value};
	k->name = arena_strdup(&k->own, leaf->name);
	k->at = mat_new(&k->own, leaf->at.rows, leaf->at.cols);
	leaf_fill(model, leaf, k->at, *init);
	kept = k;
	return k;
}

bool leaf_is_kept(const struct leaf_init *init)
{
	return !init->make && !init->entry && !init->by_rows;
}

struct mat leaf_kept(const struct model *model, const struct leaf *leaf,
		     const struct leaf_init *init)
{
	struct kept_leaf *k;
	leaf_lock();
	for (k = kept; k && !is_it(k, model, leaf, init);)
		k = k->next;
	if (!k) { /* it takes the place of those that wait */
		const size_t bytes = leaf->at.rows * leaf->at.cols * sizeof(double);
		const size_t most = model->config.memory / 2;
		trim(most > bytes ? most - bytes : 0);
		k = draw(model, leaf, init);
	}
	k->holders++;
	k->used = ++uses;
	k->most = model->config.memory / 2;
	leaf_unlock();
	arena_at_end(model->late, let_go, k);
	return k->at;
}
