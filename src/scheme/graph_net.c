/* graph_net.c: the Graph Transformer's encoding of the labels on paths, and its leaves
 * (graph_tr.h). */
#include "posviz/model/stage.h"
#include "scheme/graph_tr.h"
#include "scheme/label_rows.h"
#include "scheme/leaves.h"
#include "scheme/sinusoid.h"

struct label_gru graph_tr_gru(const struct model *model, const struct graph_tr *p)
{
	return (struct label_gru){.stack = (size_t)p->stack,
				  .in = (size_t)p->width,
				  .hidden = p->hidden > 0 ? (size_t)p->hidden
							  : (model->config.d + 1) / 2};
}

/* ---- leaves ---------------------------------------------------------------------------------- */

/* Symbols after the special ones come in pairs, an edge and its reverse. */
static void make_labels(struct mat at, const struct leaf_maker *of)
{
	mat_fill_normal(at, 1, of->rng);
	mat_fill(mat_rows(at, SYMBOL_NO_PATH, 1), 0);
	for (size_t i = SYMBOL_TOO_LONG + 1; i + 1 < at.rows; i += 2)
		for (size_t j = 0; j < at.cols; j++)
			mat_row(at, i + 1)[j] = (j % 2 ? -1 : 1) * mat_row(at, i)[j];
}

/* r^a = r/2, r^b = r with the sign of odd components inverted. */
static double make_relation(const struct leaf_maker *of, size_t row, size_t col)
{
	const size_t width = of->cols / 2; /* of all heads' queries */
	if (col == row && col < width)
		return 0.5;
	return col == width + row ? (row % 2 ? -1 : 1) : 0;
}

static void make_depths(struct mat at, const struct leaf_maker *of)
{
	(void)of;
	for (size_t i = 0; i < at.rows; i++) {
		const double depth = (double)i;
		sinusoid_fill(mat_rows(at, i, 1), &depth, SINUSOID_INTERLEAVED, SINUSOID_PAPER,
			      10000);
		for (size_t j = 0; j < at.cols; j++)
			mat_row(at, i)[j] /= 2;
	}
}

static bool declare_gru(struct model *model, const struct member *m, struct err *err)
{
	const struct label_gru gru = graph_tr_gru(model, m->param);
	return label_gru_declare(model, m, &gru, err);
}

#define HIDDEN "(hidden ? hidden : ceil(d / 2))"

const struct leaf_row graph_tr_leaves[] = {
	{"label", "2 labels + 5, width",
	 "row of a symbol: no path, <SELF>, <rCLS>, <CLS>, <TL>, then the labels in alphabetical "
	 "order, down and up",
	 .by_layer = ALL_LAYERS, .demo = {.make = make_labels}, .paper = {FILL_NORMAL, 0.02}},
	{"weight_ih_*", NULL,
	 "GRU, one layer and direction: from labels, or the layer below, to the gates r, z, n; a "
	 "row for each output",
	 .declare = declare_gru},
	{"weight_hh_*", NULL, "GRU: from its state to the gates; a row for each output"},
	{"bias_ih_*", NULL, "GRU: added to what weight_ih gives", .spare = true},
	{"bias_hh_*", NULL, "GRU: added to what weight_hh gives", .spare = true},
	{"w_out", "2 " HIDDEN ", d", "from the last states of both directions to the relation",
	 .by_layer = ALL_LAYERS, .demo = {FILL_DIAGONAL, 1}, .paper = {FILL_XAVIER, 1}},
	{"b_out", "1, d", "added to the relation", .spare = true, .by_layer = ALL_LAYERS,
	 .demo = {FILL_CONSTANT}, .paper = {FILL_CONSTANT}},
	{"depth", "depths, d", "row i: added to a token vector i edges below the root",
	 .by_layer = ALL_LAYERS, .when = "depths > 0", .demo = {.make = make_depths},
	 .paper = {FILL_CONSTANT}},
	{"w_rel", "d, 2 h d_h", "from the relation to what is added to the query, then to the key",
	 .by_layer = EACH_LAYER, .when = "!tied", .demo = {.entry = make_relation},
	 .paper = {FILL_XAVIER, 1}},
	{0},
};

/* ---- relations ------------------------------------------------------------------------------- */

struct relations {
	const struct label_paths *paths;
	size_t length;	     /* of the present paths */
	struct node *states; /* after reading them */
	struct node *w_out, *b_out;
};

/* Computes means first .. first + n - 1. Means of few paths come first; missing paths have no
 * share. */
static struct node *some_relations(struct tape *t, const void *context, size_t first, size_t n)
{
	const struct relations *k = context;
	const struct path_means *m = &k->paths->means;
	const size_t *from = m->first + first, most = from[n] - from[n - 1];
	const struct mat share = mat_new(t->arena, n, most);
	int32_t *rows = arena_alloc(t->arena, n * most * sizeof *rows);
	struct index *index = arena_alloc(t->arena, sizeof *index);
	for (size_t i = 0; i < n; i++)
		for (size_t p = 0; p < most; p++) {
			const bool there = from[i] + p < from[i + 1];
			const size_t at = from[i] + (there ? p : 0);
			rows[i * most + p] =
				there ? m->path[at] - (int32_t)k->paths->first[k->length] : -1;
			mat_row(share, i)[p] = m->share[at];
		}
	*index = (struct index){.rows = n, .cols = most, .count = k->states->v.rows, .at = rows};
	struct node *mean = tape_chosen_mix(t, tape_const(t, share), k->states, index, 1);
	return tape_accumulate(t, tape_matmul(t, mean, false, k->w_out, false, 1), k->b_out);
}

struct node *graph_tr_relations(struct run *run, const struct member *m,
				const struct label_paths *paths, struct arena *a, struct err *err)
{
	const struct label_gru gru = graph_tr_gru(run->model, m->param);
	const size_t *of_length = paths->means.of_length;
	struct relations k = {.paths = paths,
			      .w_out = run_leaf(run, m, "w_out"),
			      .b_out = run_leaf(run, m, "b_out")};
	struct label_rows r =
		label_rows_begin(run, mat_new(a, paths->means.n, run->model->config.d));
	struct arena scratch;
	arena_init(&scratch);
	struct label_reader *reader =
		label_reader_new(run, m, &gru, run_leaf(run, m, "label"), paths, &scratch);
	for (k.length = 1; r.filled < paths->means.n; k.length++) {
		const size_t n = of_length[k.length + 1] - of_length[k.length];
		k.states = label_reader_next(reader, err);
		if (!k.states)
			break;
		if (n > 0)
			label_rows_add(&r, n, some_relations, &k);
	}
	arena_release(&scratch);
	return label_rows_end(&r, err);
}
