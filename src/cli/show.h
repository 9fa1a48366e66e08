/* show.h: what `posviz show` says of an expression, for each of the ways it is said in. */
#ifndef CLI_SHOW_H
#define CLI_SHOW_H

#include "cli.h"
#include "findings.h"
#include "posviz/math/numbers.h"

/* Built and measured; all of it lives in the run's arena. */
struct card_facts {
	const struct cli *cli;
	const struct built *built;
	const struct measures *measures;
	const struct numbers *numbers; /* of the views */
	const struct verdict *verdicts;
	size_t n_verdicts;
	const char
		*masks[MODEL_MAX_LAYERS]; /* of heads that see other pairs than the rest, by layer;
					      * NULL where all see the same */
};

/* The words for things that --name gives names to, by enum named. */
struct show_named {
	const char *of_one, *of_many;
	size_t most;
};
extern const struct show_named show_named[NAMED_COUNT];

void show_text(const struct card_facts *s, struct strbuf *out);
void show_json(const struct card_facts *s, struct strbuf *out);

/* What the survey's Table 1 prints of the main member; NULL where it prints nothing. */
const char *show_count_formula(const struct card_facts *s);
/* What that comes to at these sizes; NAN where nothing is printed. */
double show_count_printed(const struct card_facts *s);
/* The learned numbers of the main member alone. */
size_t show_count_made(const struct card_facts *s);

/* Whether the same leaf of a layer before was said already. */
bool show_leaf_again(const struct model *model, size_t i);

/* As Table 1 prints it; where it does not, what holds with these parameters. */
enum answer show_claim(const struct expr_member *m, enum claim_kind kind);

struct shown_measure {
	const char *name, *help;
	const struct measure *at;
};
enum { SHOWN_MEASURES = 6 + MODEL_MAX_LAYERS };
/* What was measured, in order; the user's own order only where there is one. Returns how many. */
size_t show_measured(const struct card_facts *s, struct arena *a,
		     struct shown_measure out[SHOWN_MEASURES]);

/* show_findings.c. Reports as rows: of verdicts the text has what was found where `found`. */
struct findings findings_of_verdicts(const struct verdict *verdicts, size_t n, bool found,
				     struct arena *a);
struct findings findings_of_measures(const struct card_facts *s, struct arena *a);
struct findings findings_of_leaves(const struct built *b, struct arena *a);
/* What the views say in numbers; and as text, each view's under its title. */
struct findings findings_of_numbers(const struct numbers *all, struct arena *a);
void numbers_text(const struct numbers *all, struct strbuf *out);

/* What check --same found of two expressions, as JSON (same_json.c). */
struct same;
void same_json(const struct same *s, const char *const expressions[2], const char *on, size_t d,
	       struct strbuf *out);

#endif
