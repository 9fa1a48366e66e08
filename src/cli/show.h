/* show.h: the facts that `posviz show` prints about an expression, and the forms in which it prints
 * them. */
#ifndef CLI_SHOW_H
#define CLI_SHOW_H

#include "cli.h"
#include "findings.h"
#include "posviz/math/numbers.h"

/* The facts about an expression, built and measured; all are in the run's arena. */
struct card_facts {
	const struct cli *cli;
	const struct built *built;
	const struct measures *measures;
	const struct numbers *numbers; /* of the views */
	const struct verdict *verdicts;
	size_t n_verdicts;
	/* By layer: the heads that see other pairs than the rest; NULL: all heads see the
	 * same pairs. */
	const char *masks[MODEL_MAX_LAYERS];
};

/* The words for the objects that --name names, indexed by enum named. */
struct show_named {
	const char *of_one, *of_many;
	size_t most;
};
extern const struct show_named show_named[NAMED_COUNT];

void show_text(const struct card_facts *s, struct strbuf *out);
void show_json(const struct card_facts *s, struct strbuf *out);

/* Returns the formula that the survey's Table 1 prints for the main member; NULL: it prints
 * none. */
const char *show_count_formula(const struct card_facts *s);
/* Returns the value of that formula at these sizes; NAN: none is printed. */
double show_count_printed(const struct card_facts *s);
/* Returns the number of learned numbers of the main member alone. */
size_t show_count_made(const struct card_facts *s);

/* Returns whether the leaf of the same name in an earlier layer was printed already. */
bool show_leaf_again(const struct model *model, size_t i);

/* Returns the answer that Table 1 prints; if it prints none, the answer for these parameters. */
enum answer show_claim(const struct expr_member *m, enum claim_kind kind);

struct shown_measure {
	const char *name, *key, *help; /* key: the word in JSON */
	const struct measure *at;
};
enum { SHOWN_MEASURES = 6 + MODEL_MAX_LAYERS };
/* Returns the number of measures and fills `out` in order; measures of the user's own order are
 * included only if the order is not the identity. */
size_t show_measured(const struct card_facts *s, struct arena *a,
		     struct shown_measure out[SHOWN_MEASURES]);

/* show_findings.c. Reports as rows; `found`: the text of verdicts has a column for the values
 * found. */
struct findings findings_of_verdicts(const struct verdict *verdicts, size_t n, bool found,
				     struct arena *a);
struct findings findings_of_measures(const struct card_facts *s, struct arena *a);
struct findings findings_of_leaves(const struct built *b, struct arena *a);
/* The numbers that views show, as rows; and as text, below the title of each view. */
struct findings findings_of_numbers(const struct numbers *all, struct arena *a);
void numbers_text(const struct numbers *all, struct strbuf *out);

#endif
