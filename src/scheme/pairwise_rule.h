/* pairwise_rule.h: rules that number positions anew for each pair, and the hooks that rotate by
 * them. */
#ifndef SCHEME_PAIRWISE_RULE_H
#define SCHEME_PAIRWISE_RULE_H

#include "posviz/model/stage.h"

enum { PAIRWISE_WAYS = 3 };
enum pairwise_shift { SHIFT_CODE, SHIFT_PAPER };

/* The parameters of all rows; a row has those of its rule. */
struct pairwise {
	long group, neighbours, window, chunk, local;
	double leak, log_length, trained, cap;
	int shift; /* enum pairwise_shift */
};

/* A rule: the way of a pair, the positions in a way, and the greatest distance at which it leaves
 * no difference above `covered`. */
struct pairwise_rule {
	size_t ways;
	size_t (*way)(const struct pairwise *p, double t, double s);
	double (*query)(const struct pairwise *p, size_t way, double t);
	double (*key)(const struct pairwise *p, size_t way, double s);
	double (*reach)(const struct pairwise *p, double covered);
};

extern const struct pairwise_rule pairwise_extend, pairwise_rerope, pairwise_chunks;

/* The hooks; those of a rule differ in `prepare`. */
bool pairwise_prepare_extend(struct run *run, const struct member *m, struct err *err);
bool pairwise_prepare_rerope(struct run *run, const struct member *m, struct err *err);
bool pairwise_prepare_chunks(struct run *run, const struct member *m, struct err *err);
bool pairwise_qk(struct head *head, const struct member *m, struct err *err);
bool pairwise_content(struct head *head, const struct member *m, struct err *err);
bool pairwise_relation(struct run *run, const struct member *m, struct relation *out,
		       struct err *err);
/* For scheme.reach: that of its own rotation, before the rule. */
double pairwise_own_reach(const void *param, const struct model_config *config);

#endif
