/* analysis_in.h: what the files of the analyses share: claims, and behaviour beside them. */
#ifndef POSVIZ_ANALYSIS_IN_H
#define POSVIZ_ANALYSIS_IN_H

#include "posviz/analysis.h"

/* Below this a change of the logits is rounding. */
static const double relative_tolerance = 1e-9;

/* What a descriptor says: its flags, and the row where printed and holding differ, or NULL. */
enum answer claim_printed(const struct scheme *s, enum claim_kind kind);
enum answer claim_holds(const struct scheme *s, enum claim_kind kind);
const char *claim_why(const struct scheme *s, enum claim_kind kind);

/* What was measured of a claim on behaviour: relative, unbounded, recurring. */
bool behaviour_is(const struct behaviour *b, enum claim_kind kind);

#endif
