/* model_seen.h: what a scene saw of the files of its model, as hashes: of the configuration, of what stands in
 * front of the tensors of each file, and of the tensors that are shown.
 *
 * A picture keeps it, so that another model under the same name is not taken for the one of the
 * picture. Hashes are SHA-256; that of config.json is what sha256sum prints. */
#ifndef POSVIZ_MODEL_SEEN_H
#define POSVIZ_MODEL_SEEN_H

#include "posviz/scene/setup.h"

/* Makes JSON: {"path": "gpt2", "files": {"config.json": HASH}, "tensors": {"wpe.weight": HASH}}.
 * Tensors are those that params takes from the model, and with ids all that its layers read, of the table of
 * words the rows of the ids. Models that are compared with it follow as a list "compared" of such objects.
 * *out NULL: there is no model. */
bool model_seen(const struct setup *setup, struct arena *a, const char **out, struct err *err);
/* Returns whether the model of the setup is the one of such a text; else the error names the first of
 * its parts that differs. True where the model's file is not there at all: what needs it says so. */
bool model_seen_again(const struct setup *setup, const char *text, struct arena *a,
		      struct err *err);

#endif
