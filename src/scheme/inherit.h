/* inherit.h: what a name for an expression has from the schemes it stands for. */
#ifndef SCHEME_INHERIT_H
#define SCHEME_INHERIT_H

#include "posviz/scheme/scheme.h"

/* Fills what `s` leaves open from the main member of its expression: source, formula, demonstration, and,
 * where it says neither reference nor injection, these and the flags. */
void scheme_inherit(struct scheme *s, const struct expr *e);

#endif
