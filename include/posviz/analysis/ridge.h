/* ridge.h: ridge regression, judged by what it did not see.
 *
 *   ŷ = c + x·w,  w = (XᵀX + λI)⁻¹ Xᵀy of centred rows, c = ȳ − x̄·w      (Hoerl and Kennard 1970)
 *   λ = α tr(XᵀX)/p, so that α means the same whatever x is measured in
 *
 * The rows are in RIDGE_FOLDS folds. Each fold is predicted from the others, with the α of ridge_grid whose
 * error among these is least, when each of them is predicted from the rest: what is predicted plays no part
 * in how. α is at least 1e-4, so XᵀX + λI has a condition of at most 1 + 10⁴ p, and Cholesky's factors of it
 * are as exact as singular values of X would be. */
#ifndef POSVIZ_RIDGE_H
#define POSVIZ_RIDGE_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/watch.h"
#include "posviz/math/mat.h"

enum { RIDGE_FOLDS = 4, RIDGE_GRID = 7 };
extern const double ridge_grid[RIDGE_GRID]; /* descending */

struct ridge_of {
	struct mat x;	    /* [rows, p] */
	struct mat y;	    /* [targets, rows]: each is predicted by itself */
	const size_t *fold; /* [rows] from 0 to RIDGE_FOLDS − 1; none is empty */
	bool intercept;	    /* false: nothing is centred, c is 0 */
	struct watch *watch;
};

struct ridge {
	double r2; /* 1 − Σ(y − ŷ)²/Σ(y − ȳ)² over all rows, each held out; without intercept ȳ is 0; NaN
		    * where all y are ȳ, or it was cancelled */
	double alpha[RIDGE_FOLDS]; /* for the prediction of each fold */
};

/* out[targets]; the predictions into predicted[targets, rows], at NULL: not asked for. False: not finite. */
bool ridge_judge(const struct ridge_of *of, struct mat predicted, struct ridge *out,
		 struct err *err);

#endif
