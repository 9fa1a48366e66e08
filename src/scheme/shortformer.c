/* shortformer.c: position-infused attention (Press, Smith, Lewis 2021).
 *
 * The position is added to what queries and keys are made from, in every layer, and to nothing
 * else: values and the residual stay free of it. */
#include "posviz/scheme.h"
#include "posviz/stage.h"
#include "scheme/sinusoid.h"

struct shortformer {
	int layout, freq;
	double base;
	long start;
};

static const struct param shortformer_params[] = {
	{.name = "layout",
	 .help = "order of the columns: sines and cosines in turn, or one block of each",
	 .kind = PARAM_CHOICE,
	 .offset = offsetof(struct shortformer, layout),
	 .def = SINUSOID_CONCAT,
	 .choices = sinusoid_layout_names},
	{.name = "freq",
	 .help = "frequencies: the paper's B^(-2i/d), or tensor2tensor's B^(-i/(d/2-1))",
	 .kind = PARAM_CHOICE,
	 .offset = offsetof(struct shortformer, freq),
	 .def = SINUSOID_T2T,
	 .choices = sinusoid_freq_names},
	{.name = "base",
	 .help = "B: the slowest column turns about B times slower than the fastest",
	 .kind = PARAM_REAL,
	 .offset = offsetof(struct shortformer, base),
	 .def = 10000,
	 .min = 1,
	 .max = 1e300,
	 .step = 10,
	 .geometric = true},
	{.name = "start",
	 .help = "number of the first position; fairseq, and so the authors, count from 2",
	 .kind = PARAM_INT,
	 .offset = offsetof(struct shortformer, start),
	 .def = 2,
	 .min = 0,
	 .max = 2,
	 .step = 1},
	{0},
};

static struct node *shortformer_table(struct run *run, const struct member *m, struct err *err)
{
	const struct shortformer *p = m->param;
	const double *positions = run_column(run, m, err);
	if (positions == NULL)
		return NULL;
	return sinusoid_node(run, positions, (double)p->start, (enum sinusoid_layout)p->layout,
			     (enum sinusoid_freq)p->freq, p->base);
}

/* q = (X + P) W_q, k = (X + P) W_k, v = X W_v (survey eq. 7) */
static bool shortformer_project(struct run *run, const struct member *m, struct err *err)
{
	struct node *table = run_cached(run, m, "table", false, shortformer_table, err);
	if (table == NULL)
		return false;
	parts_add(&run->xq, "position", table);
	parts_add(&run->xk, "position", table);
	return true;
}

const struct scheme scheme_shortformer[] = {
	{
		.id = "shortformer",
		.aliases = "pia",
		.title = "Position-infused attention",
		.authors = "Press et al.",
		.cite = "Press, Smith, Lewis: Shortformer: better language modeling using shorter "
			"inputs. ACL 2021",
		.formula = "A_ts = (X_t + P_t) W_q · (X_s + P_s) W_k / √d_h, v_s = X_s W_v",
		.recipe = "q = (input + P) @ w_q and k = (input + P) @ w_k, P the sinusoids of "
			  "position + start in layout and freq: by default [sin | cos] of its "
			  "products with base^(-i/(d/2-1))",
		.about = "Sinusoids are added to the queries and keys of every layer, but not to "
			 "the values: positions decide where to look and never become part of "
			 "what is seen, so cached units can be given new positions.",
		.year = 2021,
		.topic = TOPIC_SEQUENCE,
		.ref = REF_ABSOLUTE,
		.inj = INJ_EMBEDDING,
		.rows = ROWS_STOCHASTIC,
		.flags = SCHEME_RECURRING | SCHEME_UNBOUNDED,
		.evidence = EVIDENCE_CODE,
		.evidence_note =
			"ofirpress/shortformer 6c5453e: fairseq's sinusoids, counted from 2; "
			"with pre-norm it adds them after LayerNorm. Survey eq. 7 leaves P open",
		.count_printed = "0",
		.params = shortformer_params,
		.param_size = sizeof(struct shortformer),
		.hooks = {.project = shortformer_project},
	},
	{0},
};
