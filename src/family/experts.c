/* experts.c: the keys of a mixture of experts. */
#include "family/reading.h"

enum { MOST_EXPERTS = 65536 };

static size_t size_at(struct reading *r, const char *key, size_t usual)
{
	long n = (long)usual;
	if (key)
		read_long(r, key, 0, MOST_EXPERTS, &n);
	return n > 0 ? (size_t)n : 0;
}

/* Returns why these numbers do not fit each other; NULL: they do. */
static const char *misfit(const struct experts *x)
{
	if (x->n == 0 || x->width == 0)
		return "its experts, of which its configuration does not say how many and how wide "
		       "they are";
	if (x->chosen == 0 || x->chosen > x->n)
		return "the number of experts that a token chooses is none of 1 to all of them";
	if (x->groups == 0)
		return NULL;
	if (x->n % x->groups != 0 || x->groups_chosen == 0 || x->groups_chosen > x->groups ||
	    x->groups_chosen * (x->n / x->groups) < x->chosen)
		return "the groups of its experts do not fit their number";
	return NULL;
}

void read_experts(struct reading *r)
{
	const struct expert_keys *const keys = r->family->experts;
	struct experts *const x = &r->out->experts;
	if (!keys)
		return;
	*x = keys->usual;
	x->n = size_at(r, keys->n, x->n);
	x->chosen = size_at(r, keys->chosen, x->chosen);
	x->width = size_at(r, keys->width, x->width);
	x->groups = size_at(r, keys->groups, x->groups);
	x->groups_chosen = size_at(r, keys->groups_chosen, x->groups_chosen);
	x->shared = size_at(r, keys->shared, x->shared);
	if (keys->shared_by_width)
		x->shared *= x->width;
	if (keys->normed)
		read_switch(r, keys->normed, &x->normed);
	if (keys->scaling)
		read_number(r, keys->scaling, 0, 1e6, &x->scaling);
	if (keys->limit)
		read_number(r, keys->limit, 1e-3, 1e9, &x->limit);
	if (x->groups == 1) /* the only group is always the best */
		x->groups = x->groups_chosen = 0;
	if (misfit(x))
		leave_layers(r, misfit(x));
}
