/* posviz.h: the matrices of Transformer attention under any position scheme, from C.
 *
 * A scene says what is computed: words, schemes, sizes, seed; it is set by the command lines of the program
 * ("scheme rope+causal", "d-model 64"; `posviz --help` lists the fields). What is evaluated from it is a
 * result, whose matrices are row-major doubles, row = query, column = key. Layers, heads, rows and columns
 * count from 0. The same scene gives the same numbers.
 *
 * Text is UTF-8. What is returned as const char * or in a matrix belongs to the library and lives as long as
 * the object it was asked of, unless it says otherwise. A function that can fail returns false or NULL and
 * fills *err (which may be NULL) with one line that says what would be right. Without memory the process
 * ends. A scene or a result is for one thread at a time; different ones may be used at once. Work is shared
 * among threads of the library's own: OpenBLAS is set to one. */
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

/* "0.1.0". */
POSVIZ_API const char *posviz_version(void);

/* ---- schemes ---------------------------------------------------------------------------------- */

enum posviz_fact {
	POSVIZ_ID,
	POSVIZ_TITLE,
	POSVIZ_AUTHORS,
	POSVIZ_SOURCE,
	POSVIZ_FORMULA,
	POSVIZ_ABOUT
};

POSVIZ_API size_t posviz_scheme_count(void);

/* What there is to say of scheme i: its id, "rope"; title; authors; the paper; formula; what it does. ""
 * where there is nothing; NULL behind the last scheme or fact. Lives as long as the process. */
POSVIZ_API const char *posviz_scheme(size_t i, enum posviz_fact fact);

/* ---- scenes ----------------------------------------------------------------------------------- */

struct posviz_scene;

/* The defaults of the program. Freed by posviz_scene_free, which takes NULL too. */
POSVIZ_API struct posviz_scene *posviz_scene_new(void);
POSVIZ_API void posviz_scene_free(struct posviz_scene *scene);

/* Sets one field: its name, a blank, its value, the latter in quotes where it begins or ends with blanks.
 * An unknown field, a value out of its range, or an expression that cannot be read is an error, and the
 * scene stays as it was. Whether fields fit each other is found by whoever computes. */
POSVIZ_API bool posviz_scene_command(struct posviz_scene *scene, const char *line,
				     struct posviz_error *err);

/* The fewest commands that make this scene of a new one, one a line; until the next call for the scene. */
POSVIZ_API const char *posviz_scene_print(struct posviz_scene *scene);

/* The value of a field, expressions in their one spelling: "d-model" gives "64"; until the next call for
 * the scene. NULL where there is no such field. */
POSVIZ_API const char *posviz_scene_get(struct posviz_scene *scene, const char *field);

/* ---- matrices --------------------------------------------------------------------------------- */

struct posviz_result;

struct posviz_matrix {
	size_t rows, cols;
	const double *at; /* [rows * cols], a row after the other */
};

enum posviz_kind {
	POSVIZ_BIAS, /* [queries, keys] layer 0: logits before the mask less what units alone make */
	POSVIZ_LOGITS,	/* [queries, keys] before the mask */
	POSVIZ_MASK,	/* [queries, keys] 1 where the key is allowed, else 0 */
	POSVIZ_WEIGHTS, /* [queries, keys] of attention */
	POSVIZ_OUTPUT	/* [queries, d-model] of the layer; `head` is not looked at */
};

/* Computes every matrix of every layer and head; NULL with an error. Later changes of the scene do not
 * change the result. Freed by posviz_result_free, which takes NULL too. */
POSVIZ_API struct posviz_result *posviz_evaluate(const struct posviz_scene *scene,
						 struct posviz_error *err);
POSVIZ_API void posviz_result_free(struct posviz_result *result);

/* How many layers were run, which heads each has. */
POSVIZ_API size_t posviz_layers(const struct posviz_result *result);
POSVIZ_API size_t posviz_heads(const struct posviz_result *result);

/* What row or column i of the matrices stands for, "cat"; what is no text is escaped. NULL behind the last. */
POSVIZ_API const char *posviz_row_label(const struct posviz_result *result, size_t i);
POSVIZ_API const char *posviz_column_label(const struct posviz_result *result, size_t i);

/* One matrix. An error when there is no such layer or head, or the scheme has no such matrix. */
POSVIZ_API bool posviz_matrix(struct posviz_result *result, enum posviz_kind kind, size_t layer,
			      size_t head, struct posviz_matrix *out, struct posviz_error *err);

/* Term i of the sum that the logits are, scale included, and what it is of: "unit–unit". False behind the
 * last, and where there is no such layer or head. */
POSVIZ_API bool posviz_term(struct posviz_result *result, size_t layer, size_t head, size_t i,
			    struct posviz_matrix *out, const char **label);

/* ---- measures --------------------------------------------------------------------------------- */

enum posviz_measure {
	POSVIZ_EQUIVARIANCE, /* how much outputs change when tokens are shuffled, less being moved along:
			      * 0 where order is not seen */
	POSVIZ_OWN_ORDER,    /* the same of the scene's own order */
	POSVIZ_INVARIANCE,   /* the same of the mean over tokens */
	POSVIZ_SHIFT,	     /* how much logits change when all positions move, on equal units */
	POSVIZ_SHIFT_RANDOM, /* the same under random projections, on the sentence */
	POSVIZ_INSERTION     /* how much they change by tokens in front */
};

/* Fills out[0..n) in the order above; NaN where there is no such number for this scene, and for numbers
 * that this version does not know. All are relative, without unit. Takes some evaluations. */
POSVIZ_API bool posviz_measures(const struct posviz_scene *scene, double *out, size_t n,
				struct posviz_error *err);

/* ---- pictures and files ----------------------------------------------------------------------- */

/* Writes what the scene's view shows (png, svg, pdf, tex, txt, ansi) or its numbers (safetensors, npz, json, and of
 * one matrix npy, csv), as the ending of the name says: whole or not at all. As `posviz dump` does, json has of
 * learned parameters with more than 4096 numbers what the input reads, and the others have all. A file that is
 * there is an error unless `overwrite`. */
POSVIZ_API bool posviz_write(const struct posviz_scene *scene, const char *path, bool overwrite,
			     struct posviz_error *err);

#ifdef __cplusplus
}
#endif

#endif
