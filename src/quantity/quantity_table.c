/* quantity_table.c: the complete list of quantities. The parser, lists, help and tests are made
 * from it. */
#include <stddef.h>

#include "quantity_in.h"

enum {
	ON_RUN = ON_HEAD | ON_LAYER | ON_EXPRESSION,
	ON_BIAS = ON_HEAD | ON_LAYER_1 | ON_EXPRESSION,
};

#define CELL_OF(found) .args = {ARG_CELL}, .shown = "T→S", .find = find_cell, .matrix = found
#define OF_MATRIX      .args = {ARG_MATRIX}, .shown = "M"
#define MEASURE(name_, title, key, kind, member, sentence) \
	{name_,                                            \
	 .args = {ARG_END},                                \
	 .shown = "",                                      \
	 .hangs = ON_EXPRESSION,                           \
	 .digits = MEASURE_DIGITS,                         \
	 .measured = MEASURED_##kind,                      \
	 .offset = offsetof(struct measures, member),      \
	 .find = find_measure,                             \
	 .help = sentence},
#define MEASURE_BY_LAYER(name_, title, key, kind, member, sentence) \
	{name_,                                                     \
	 .args = {ARG_END},                                         \
	 .shown = "",                                               \
	 .hangs = ON_LAYER | ON_EXPRESSION,                         \
	 .digits = MEASURE_DIGITS,                                  \
	 .find = find_prefix_order,                                 \
	 .help = "causal: " sentence},

const struct quantity_kind quantity_kinds[] = {
	{"weight", CELL_OF(matrix_weight),
	 .help = "attention weight of query T on key S; a matrix M", .hangs = ON_RUN},
	{"logit", CELL_OF(matrix_logit), .help = "logit before the mask; a matrix M",
	 .hangs = ON_RUN},
	{"bias", CELL_OF(matrix_bias),
	 .help = "position bias, with all tokens equal (the probe), of layer 1; a matrix M",
	 .hangs = ON_BIAS},
	{"mask", CELL_OF(matrix_mask),
	 .help = "1 where query T may look at key S, else 0; a matrix M", .hangs = ON_RUN},
	{"relation", CELL_OF(matrix_relation),
	 .help = "number of the pair before it is embedded, or none; T→T the number of a token; a "
		 "matrix M",
	 .words = {"none"}, .hangs = ON_EXPRESSION},
	{"term", .args = {ARG_LABEL, ARG_CELL}, .shown = "'LABEL' T→S", .find = find_cell,
	 .matrix = matrix_term, .help = "one term of the logit; term 'LABEL' is a matrix M",
	 .hangs = ON_RUN},
	{"position", CELL_OF(matrix_position),
	 .help = "all terms of the logit but unit–unit; a matrix M", .hangs = ON_RUN},
	{"vectors", .args = {ARG_CELL}, .shown = "T→J", .find = find_cell, .matrix = matrix_vectors,
	 .help = "the vectors that are added, positions × dimensions; a matrix M",
	 .hangs = ON_EXPRESSION},
	{"max", OF_MATRIX, .find = find_max, .help = "the largest value where the mask allows"},
	{"min", OF_MATRIX, .find = find_min, .help = "the least value where the mask allows"},
	{"strongest", .args = {ARG_MATRIX, ARG_T}, .shown = "M T", .is = QUANTITY_PLACE,
	 .find = find_strongest, .help = "the key with the largest value in row T"},
	{"rank", OF_MATRIX, .find = find_rank,
	 .help = "number of singular values above σ₁·max(rows, columns)·2⁻⁵²"},
	{"stable-rank", OF_MATRIX, .find = find_stable_rank, .help = "‖M‖²/σ₁²"},
	{"sum", .args = {ARG_CELL}, .shown = "T→S", .find = find_cell, .cells = matrix_sum,
	 .help = "the sum of the terms that are on (terms-off)", .hangs = ON_RUN},
	{"sum-weight", .args = {ARG_CELL}, .shown = "T→S", .find = find_cell,
	 .cells = matrix_sum_weight, .help = "softmax of that sum", .hangs = ON_RUN},
	{"share", .args = {ARG_LABEL}, .shown = "'LABEL'", .find = find_share,
	 .help = "percent of the sum's variance within rows that a term makes up", .hangs = ON_RUN,
	 .percent = true},
	{"curve", .args = {ARG_DISTANCE}, .shown = "D", .find = find_curve,
	 .help = "mean bias where s − t = D, over the positions of this sentence",
	 .hangs = ON_BIAS},
	{"vector", .args = {ARG_T, ARG_NUMBER}, .shown = "T J", .find = find_vector,
	 .help = "dimension J of the vector that is added at position T", .hangs = ON_EXPRESSION},
	{"dot", .args = {ARG_T, ARG_S}, .shown = "T S", .find = find_dot,
	 .help = "product of the vectors that are added at positions T and S",
	 .hangs = ON_EXPRESSION},
	{"cosine", .args = {ARG_T, ARG_S}, .shown = "T S", .find = find_cosine,
	 .help = "cosine of the same two", .hangs = ON_EXPRESSION},
#include "posviz/analysis/measure_list.h"
	{"difference", .args = {ARG_END}, .shown = "", .hangs = ON_RUN, .digits = MEASURE_DIGITS,
	 .find = find_difference, .help = "change of the weights in the order that is shown"},
	{"entropy", .args = {ARG_END}, .shown = "", .hangs = ON_RUN, .find = find_entropy,
	 .help = "of the weights in nats, mean over rows"},
	{"mean-distance", .args = {ARG_END}, .shown = "", .hangs = ON_RUN,
	 .find = find_mean_distance,
	 .help = "positions between query and key, mean by the weights"},
	{"published", .args = {ARG_TABLE, ARG_ROW, ARG_COLUMN}, .shown = "TABLE 'ROW' 'COLUMN'",
	 .find = find_published,
	 .help = "a number of a paper: published rosendahl-4 'Relative' "
		 "'BLEU: J > 100'"},
	{"apart", .args = {ARG_PAIR}, .shown = "A-B", .find = find_apart,
	 .hangs = ON_HEAD | ON_LAYER,
	 .help = "total variation of the weights of two expressions of compare; 1 is the scheme"},
	{"same", .args = {ARG_PAIR}, .shown = "A-B", .is = QUANTITY_WORD, .find = find_same,
	 .words = {"yes", "permuted", "mirrored", "no"},
	 .help = "whether two expressions are one model; permuted: channels in another order; "
		 "mirrored: with tables of distances read from their other ends"},
	{"contribution", CELL_OF(matrix_contribution),
	 .help = "length of what key S contributes to the output of query T; a matrix M",
	 .hangs = ON_RUN},
	{"output-share", .args = {ARG_LABEL}, .shown = "'LABEL'", .find = find_output_share,
	 .help = "percent of the output that a term of the view Values makes up", .hangs = ON_RUN,
	 .percent = true},
	{"outputs-apart", .args = {ARG_PAIR}, .shown = "A-B", .find = find_outputs_apart,
	 .hangs = ON_HEAD | ON_LAYER,
	 .help = "relative difference of the outputs of two expressions of compare"},
	{"profile", .args = {ARG_LABEL}, .shown = "'NAME'", .find = find_profile,
	 .help = "what the head does over windows of a text: distance, key or content, percent of its logits' "
		 "variance within rows; position, both; own, likeness to the scheme's own kernel, percent; peak; previous, first, same, induction, local, entropy, distance-of-weights, order "
		 "(view Profile)",
	 .hangs = ON_HEAD | ON_LAYER},
	{"kernel", .args = {ARG_DISTANCE}, .shown = "D", .find = find_kernel,
	 .help = "its kernel at s − t = D over these windows", .hangs = ON_HEAD | ON_LAYER},
	{"accuracy", .args = {ARG_NUMBER}, .shown = "N", .find = find_accuracy, .digits = 2,
	 .help = "share of right answers at N tokens, trained as train-task, train-steps, train-layers and "
		 "train-seed say; N is 1, 2, 4 or 8 times the longest trained length (view Learn)",
	 .hangs = ON_EXPRESSION},
	{"floor", .args = {ARG_NUMBER}, .shown = "N", .find = find_floor, .digits = 2,
	 .help = "what can be right there without position", .hangs = ON_EXPRESSION},
	{"loss", .args = {ARG_END}, .shown = "", .find = find_loss, .digits = 2,
	 .help = "of the last ten steps of that training, a mean in nats", .hangs = ON_EXPRESSION},
	{"eigenvalue", .args = {ARG_NUMBER}, .shown = "K", .find = find_eigenvalue,
	 .help = "of the graph, without those left out", .hangs = ON_EXPRESSION},
	{"eigenvector", .args = {ARG_T, ARG_NUMBER}, .shown = "T K", .find = find_eigenvector,
	 .help = "what token T has in eigenvector K", .hangs = ON_EXPRESSION},
	{"tokens", .args = {ARG_END}, .shown = "", .find = find_tokens,
	 .help = "how many tokens the sentence has, special tokens not among them",
	 .hangs = ON_EXPRESSION},
	{"learned", .args = {ARG_END}, .shown = "", .find = find_learned,
	 .help = "how many numbers of positions are learned", .hangs = ON_EXPRESSION},
	{"length", .args = {ARG_END}, .shown = "", .is = QUANTITY_WORD, .find = find_length,
	 .words = {"bounded", "unbounded"},
	 .help = "bounded: beyond some length nothing new is told", .hangs = ON_EXPRESSION},
	{0},
};

size_t quantity_count(void)
{
	return sizeof quantity_kinds / sizeof *quantity_kinds - 1;
}

struct quantity_row quantity_row(size_t i)
{
	const struct quantity_kind *const k = &quantity_kinds[i];
	return (struct quantity_row){k->name, k->shown, k->help};
}
