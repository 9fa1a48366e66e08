/* posviz.h: the matrices of Transformer attention under any position scheme, from C.
 *
 * A scene says what to compute: words, schemes, sizes, seed; it is set by the command lines of the
 * program ("scheme rope+causal", "d-model 64"; `posviz --help` lists the fields). Evaluating a
 * scene gives a result, whose matrices are row-major doubles, row = query, column = key. Layers,
 * heads, rows and columns count from 0. The same scene gives the same numbers.
 *
 * Text is UTF-8. A returned const char * or matrix belongs to the library and is valid as long
 * as the object it came from, unless stated otherwise. A function that can fail returns false or
 * NULL and fills *err (which may be NULL) with one line that says what would be right. When
 * there is no memory the process ends. A scene or a result must be used by one thread at a time;
 * different ones may be used at once. Work is shared among threads of the library's own:
 * OpenBLAS is set to one thread. */
#ifndef POSVIZ_H
#define POSVIZ_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define POSVIZ_API __attribute__((visibility("default")))
#else
#define POSVIZ_API
#endif

struct posviz_error {
	char text[512];
};

/* Returns the version, "0.1.0". */
POSVIZ_API const char *posviz_version(void);

/* ---- schemes --------------------------------------------------------------------------------- */

enum posviz_fact {
	POSVIZ_ID,
	POSVIZ_TITLE,
	POSVIZ_AUTHORS,
	POSVIZ_SOURCE,
	POSVIZ_FORMULA,
	POSVIZ_ABOUT
};

POSVIZ_API size_t posviz_scheme_count(void);

/* Returns a fact about scheme i: its id, "rope"; title; authors; the paper; formula;
 * description. "" if there is none; NULL after the last scheme or fact. Valid as long as the
 * process. */
POSVIZ_API const char *posviz_scheme(size_t i, enum posviz_fact fact);

/* ---- scenes ---------------------------------------------------------------------------------- */

struct posviz_scene;

/* posviz_scene_new returns a scene with the defaults of the program. It is freed by
 * posviz_scene_free, which accepts NULL. */
POSVIZ_API struct posviz_scene *posviz_scene_new(void);
POSVIZ_API void posviz_scene_free(struct posviz_scene *scene);

/* Sets one field: its name, a blank, its value, which must be quoted if it begins or ends with
 * blanks. An unknown field, a value out of its range, or an expression that cannot be parsed is
 * an error, and the scene stays unchanged. Whether fields fit each other is checked by the
 * functions that compute. */
POSVIZ_API bool posviz_scene_command(struct posviz_scene *scene, const char *line,
				     struct posviz_error *err);

/* Returns the fewest commands that make this scene from a new one, one a line; valid until the
 * next call for the scene. */
POSVIZ_API const char *posviz_scene_print(struct posviz_scene *scene);

/* Returns the value of a field, expressions in canonical form: "d-model" gives "64"; valid until
 * the next call for the scene. NULL if there is no such field. */
POSVIZ_API const char *posviz_scene_get(struct posviz_scene *scene, const char *field);

/* ---- matrices -------------------------------------------------------------------------------- */

struct posviz_result;

struct posviz_matrix {
	size_t rows, cols;
	const double *at; /* [rows * cols], row after row */
};

enum posviz_kind {
	/* [queries, keys] layer 0: logits before the mask, minus the part of the token vectors
	 * alone. */
	POSVIZ_BIAS,
	POSVIZ_LOGITS,	/* [queries, keys] before the mask */
	POSVIZ_MASK,	/* [queries, keys] 1 if the key is allowed, else 0 */
	POSVIZ_WEIGHTS, /* [queries, keys] attention weights */
	POSVIZ_OUTPUT	/* [queries, d-model] output of the layer; `head` is ignored */
};

/* posviz_evaluate computes every matrix of every layer and head; NULL with an error. Later
 * changes of the scene do not change the result. It is freed by posviz_result_free, which
 * accepts NULL. */
POSVIZ_API struct posviz_result *posviz_evaluate(const struct posviz_scene *scene,
						 struct posviz_error *err);
POSVIZ_API void posviz_result_free(struct posviz_result *result);

/* Return the number of layers, and of heads in each. */
POSVIZ_API size_t posviz_layers(const struct posviz_result *result);
POSVIZ_API size_t posviz_heads(const struct posviz_result *result);

/* Return the token of row or column i of the matrices, "cat"; bytes that are not text are
 * escaped. NULL after the last. */
POSVIZ_API const char *posviz_row_label(const struct posviz_result *result, size_t i);
POSVIZ_API const char *posviz_column_label(const struct posviz_result *result, size_t i);

/* Returns one matrix. An error when there is no such layer or head, or the scheme has no such
 * matrix. */
POSVIZ_API bool posviz_matrix(struct posviz_result *result, enum posviz_kind kind, size_t layer,
			      size_t head, struct posviz_matrix *out, struct posviz_error *err);

/* Returns term i of the sum that makes up the logits, scale included, and its label:
 * "unit–unit". False after the last, and if there is no such layer or head. */
POSVIZ_API bool posviz_term(struct posviz_result *result, size_t layer, size_t head, size_t i,
			    struct posviz_matrix *out, const char **label);

/* ---- measures -------------------------------------------------------------------------------- */

enum posviz_measure {
	/* Relative change of outputs when tokens are shuffled, apart from the permutation
	 * itself: 0 if order has no effect. */
	POSVIZ_EQUIVARIANCE,
	POSVIZ_OWN_ORDER,  /* the same for the scene's own order */
	POSVIZ_INVARIANCE, /* the same for the mean over tokens */
	/* Relative change of logits when all positions are shifted, with equal token vectors. */
	POSVIZ_SHIFT,
	POSVIZ_SHIFT_RANDOM, /* the same under random projections, with the sentence */
	POSVIZ_INSERTION     /* relative change of logits when tokens are inserted in front */
};

/* Fills out[0..n) in the order above; NaN if there is no such number for this scene, and for
 * numbers that this version does not know. All are relative, without unit. Takes several
 * evaluations. */
POSVIZ_API bool posviz_measures(const struct posviz_scene *scene, double *out, size_t n,
				struct posviz_error *err);

/* ---- pictures and files ---------------------------------------------------------------------- */

/* Writes the picture of the scene's view (png, svg, pdf, html, tex, txt, ansi) or its numbers
 * (safetensors, npz, json, and for a single matrix npy, csv), depending on the suffix: whole or
 * not at all. As with `posviz dump`, json contains, of learned parameters with more than 4096
 * numbers, only those that the input reads; the other formats contain all. An existing file is
 * an error unless `overwrite`. */
POSVIZ_API bool posviz_write(const struct posviz_scene *scene, const char *path, bool overwrite,
			     struct posviz_error *err);

#ifdef __cplusplus
}
#endif

#endif
