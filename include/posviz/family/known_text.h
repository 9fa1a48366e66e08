/* known_text.h: what is known of a model in words: lines of posviz check, and of the view Verdict. */
#ifndef POSVIZ_KNOWN_TEXT_H
#define POSVIZ_KNOWN_TEXT_H

#include "posviz/family/family.h"

/* Returns a number with this many digits. */
const char *known_number(double x, int digits, struct arena *a);

/* "131072 positions declared; 8192 before scaling (rope_scaling.original_max_position_embeddings)" */
const char *known_context(const struct known *k, struct arena *a);
/* "the last 4096 keys in layers 1-3/4; all keys up to its own in layer 4" */
const char *known_sees(const struct known *k, struct arena *a);
/* Returns the layers whose window is that of this layer: "in layers 1-3/4"; whether it is the first
 * of these. */
const char *known_layers_like(const struct known *k, long layer, struct arena *a);
bool known_is_first(const struct known *k, long layer);
/* "LayerNorm, eps 1e-05, pre; feed-forward gelu_new, 3072 wide" */
const char *known_block(const struct known *k, struct arena *a);
/* "nothing is wrong", "2 things are wrong" */
const char *known_verdict(const struct known *k, struct arena *a);

/* Return the layers of a rotation, "layers 1-3/4"; its columns and base, "64 of 64 columns of a head, halves as
 * pairs, base 500000"; its scaling, "yarn with factor 4: 46 of 64 pairs rotate slower"; and the factor of the
 * logits, NULL if there is none. */
const char *known_rotation_layers(const struct known *k, const struct rotation_seen *s,
				  struct arena *a);
const char *known_rotation(const struct known *k, const struct rotation_seen *s, struct arena *a);
const char *known_scaling(const struct known *k, const struct rotation_seen *s, struct arena *a);
const char *known_temperature(const struct rotation_seen *s, struct arena *a);
/* Returns what the columns of the table of bands mean. */
const char *known_bands(const struct rotation_seen *s, struct arena *a);

/* Returns whether the length before scaling is in no key. */
bool known_no_length(const struct rotation_rule *rule);

/* A band in words: "1–29", "6.28–410", "20–1304", "not scaled", "up to 8191, the farthest". */
struct band_text {
	const char *pairs, *wavelength, *rotations, *scaling, *seen;
};
struct band_text known_band(const struct rotation_seen *s, const struct band *b, struct arena *a);

#endif
