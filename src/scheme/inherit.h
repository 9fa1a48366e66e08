/* inherit.h: the properties that a name for an expression takes from the schemes it stands for. */
#ifndef SCHEME_INHERIT_H
#define SCHEME_INHERIT_H

#include "posviz/scheme/scheme.h"

/* Fills empty fields of `s` from the main member of its expression: source, formula,
 * demonstration, and, if neither reference nor injection is set, these and the flags. */
void scheme_inherit(struct scheme *s, const struct expr *e);

#endif
