/* none_causal.c: the plain Transformer, and the causal mask.
 *
 * Neither uses positions, except that the mask depends on which key comes after the query. */
#include "posviz/scheme/scheme.h"
#include "scheme/mask.h"

const struct scheme scheme_none_causal[] = {
	{
		.id = "none",
		.aliases = "nothing baseline",
		.title = "No position information",
		.formula = "A_ts = q_t·k_s / √d_h",
		.authors = "Vaswani et al.",
		.cite = "@vaswani2017attention (without its position encoding)",
		.about = "The plain Transformer: it sees a set of tokens. Permuting the tokens "
			 "permutes the output and changes nothing else.",
		.year = 2017,
		.flags = SCHEME_UNBOUNDED | SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_PAPER,
		.evidence_note = "Dufter, Schmitt, Schütze 2022, eq. 1",
		.numbers_when = "0",
		.reach = mask_reach,
	},
	{
		.id = "causal",
		.aliases = "autoregressive",
		.title = "Causal mask",
		.formula = "A_ts = −∞ for s > t",
		.authors = "Vaswani et al.",
		.cite = "@vaswani2017attention, section 3.2.3",
		.about = "A query sees the keys up to its own position. The mask alone already "
			 "tells a decoder something of order: later queries see more keys.",
		.year = 2017,
		.inj = INJ_OTHER,
		.flags = SCHEME_MASK | SCHEME_CAUSAL | SCHEME_RECURRING | SCHEME_UNBOUNDED |
			 SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_PAPER,
		.evidence_note = "section 3.2.3 of the paper",
		.numbers_when = "0",
		.hooks = {.mask = mask_later},
		.reach = mask_reach,
	},
	{0},
};
