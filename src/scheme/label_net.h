/* label_net.h: a structure as steps in both directions, each with the symbol of its label. */
#ifndef SCHEME_LABEL_NET_H
#define SCHEME_LABEL_NET_H

#include "scheme/label_path.h"

struct arc {
	size_t to;
	int32_t symbol, back; /* of the step, and of the reverse step */
};

/* The structure as steps in both directions, with the tokens attached to its root. */
struct net {
	size_t n;
	size_t *first;
	struct arc *at;
	size_t *node; /* of each token; n for tokens without one if `every` */
	size_t units;
};

void label_net_of(struct run *run, const struct structure *s, const struct path_rules *rules,
		  struct net *net);

/* Returns the rank of each label in alphabetical order. */
size_t *label_ranks(const struct structure *s, struct arena *a);

#endif
