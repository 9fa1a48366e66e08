/* concat.c: positions in columns of their own, instead of added to the token vectors.
 *
 *   X_t = [U_t ; P_t],  U_t of d - w columns, P_t of w
 *
 * Any scheme that adds a part to the token vectors makes one of w columns, the last of X, as if
 * the model had width w; the token vectors are 0 there. The split into parts stays the same: X =
 * [U;0] + [0;P]. */
#include "posviz/model/stage.h"
#include "posviz/scheme/scheme.h"
#include "scheme/mask.h"

struct concat {
	long width;
};

static size_t concat_beside(const struct model *model, const struct member *m, struct err *err)
{
	const struct concat *p = m->param;
	const size_t d = model->config.d, width = p->width > 0 ? (size_t)p->width : d / 2;
	if (width > 0 && width < d)
		return width;
	err_set(err, "%s: of %zu columns 1 to %zu can be for positions", m->text, d, d - 1);
	return 0;
}

static const struct param concat_params[] = {
	NUMBER_PARAM(struct concat, width, 0, 0, 4096, 2,
		     "w: the last columns of X, which positions have to themselves; 0: half of "
		     "them"),
	{0},
};

const struct scheme scheme_concat[] = {
	{
		.id = "concat",
		.aliases = "beside",
		.title = "Positions beside the token vectors",
		.formula = "X_t = [U_t ; P_t]",
		.authors = "Dufter et al.",
		.cite = "@dufter2020increasing",
		.about =
			"Positions get columns of their own at the end of X instead of being "
			"added to the token vectors, which keep the others. Combine it with what adds "
			"positions once: learned+concat(width=16).",
		.year = 2020,
		.inj = INJ_OTHER,
		.flags = SCHEME_UNBOUNDED | SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "pdufter/convatt 7307daf, seqlabel.py: "
				 "positions_mode=concatenate, 64 columns behind 128 of the word, a "
				 "learned table; read, not run",
		.recipe = "of d columns the last w, w = width or with width=0 d / 2 rounded down, "
			  "are 0 in part.unit of layer 0; every other part is 0 in those before "
			  "them and made as its scheme says for a model of d = w in the last w",
		.numbers_when = "0",
		.params = concat_params,
		.param_size = sizeof(struct concat),
		.hooks = {.beside = concat_beside},
		.reach = mask_reach,
	},
	{0},
};
