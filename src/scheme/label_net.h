/* label_net.h: a structure as steps in both directions, each with the symbol of its label. */
#ifndef SCHEME_LABEL_NET_H
#define SCHEME_LABEL_NET_H

#include "scheme/label_path.h"

struct arc {
	size_t to;
	int32_t symbol, back; /* of the step, and of that back */
};

/* The structure as steps in both directions, with the units that hang on its root. */
struct net {
	size_t n;
	size_t *first;
	struct arc *at;
	size_t *node; /* of each unit; with `every` n for those without one */
	size_t units;
};

void label_net_of(struct run *run, const struct structure *s, const struct path_rules *rules,
		  struct net *net);

/* The place of each label among all in alphabetical order. */
size_t *label_ranks(const struct structure *s, struct arena *a);

#endif
