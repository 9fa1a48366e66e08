/* dump.c: all results of an evaluation as named tensors; the recipe for recomputing them is made
 * in dump_meta.c.
 *
 * Names count from 0, as in checkpoints. The written tensors can be read back through units,
 * weights and params, and give the same numbers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "posviz/base/strbuf.h"
#include "posviz/format/json.h"
#include "posviz/scene/dump.h"
#include "scene_in.h"

const struct dump_name dump_names[] = {
	{"units", "[n, d]", "token vectors, before embed-scale"},
	{"position.COLUMN", "[n]", "a column of positions: seq, remaining, ..."},
	{"position.place", "[n]",
	 "where position ids are given: the positions 0, 1, 2 ... along the text, which is what masks "
	 "and "
	 "networks that run over it read in the place of seq"},
	{"position.vectors", "[n, d]", "what is added to the token vectors in front of layer 0"},
	{"member.NAME.KEY", "",
	 "what a member drew or made, once for all layers: index.KEY is the row of a table that "
	 "each pair reads, -1 for none; the recipe says what else"},
	{"layer.L.member.NAME.KEY", "", "the same, made anew for layer L"},
	{"layer.L.part.LABEL", "[n, d]", "the parts whose sum is X: unit, position, ..."},
	{"layer.L.input", "[n, d]", "X of layer L"},
	{"layer.L.input_q", "[n, d]", "what queries are projected from, where that is not X"},
	{"layer.L.input_k", "[keys, d]", "what keys are, where that is not X"},
	{"layer.L.input_v", "[keys, d]", "what values are, where that is not X"},
	{"layer.L.q_bias", "", "what a member adds to the projected queries"},
	{"layer.L.k_bias", "", "to the keys"},
	{"layer.L.v_bias", "", "to the values"},
	{"layer.L.w_q", "[d, h·dk]",
	 "and w_k, w_v, w_ff1, w_ff2; head i is columns i·dk to (i+1)·dk-1, of w_k and w_v the "
	 "key head that it reads; w_o [h·dv, d] where that is not the identity; where files give them "
	 "biases b_q, b_k, b_v, b_o, b_ff1, b_ff2, and ln1_weight, ln1_bias, ln2_weight, "
	 "ln2_bias"},
	{"layer.L.head.H.q", "[n, dk]", "queries after the qk stage; also k, and v [n, dv]"},
	{"layer.L.head.H.q_raw", "[n, dk]", "before the qk stage, where that differs; also k_raw"},
	{"layer.L.head.H.term.LABEL", "[n, n]",
	 "a term of the logits as added, scale included: their sum is logits; named after two "
	 "parts, "
	 "or as the recipe says; temperature: what a factor of all of c q·k adds to it; rest: what "
	 "members make of the sum"},
	{"layer.L.head.H.logits", "[n, n]", "before the mask"},
	{"layer.L.head.H.mask", "[n, n]", "1 where the key is allowed"},
	{"layer.L.head.H.weights", "[n, n]", "attention weights"},
	{"layer.L.head.H.context", "[n, dv]", "result of the value sum"},
	{"layer.L.residual", "[n, d]", "what is added to the attention, where that is not X"},
	{"layer.L.output", "[n, d]", "output of layer L"},
	{"embeddings", "[n, d]", "with ids: what layer 0 gets, behind the norm of embeddings"},
	{"last_hidden_state", "[n, d]", "with ids: the last output, behind the final norm"},
	{"param.NAME", "", "a learned parameter of a scheme"},
	{"read.NAME", "",
	 "of one with more than 4096 numbers, where --leaves is read, the rows and columns that the logits "
	 "and contexts of this input read; metadata.left_out says which, from 0"},
	{"bias.head.H", "[n, n]",
	 "logits of layer 0 before the mask minus unit–unit, with all tokens equal"},
	{"relation", "[n, n]",
	 "the encoding of pairs before it is embedded: whole numbers, what each means is in the "
	 "metadata's relation.legend; of paths of labels which of relation.paths, from 0; where "
	 "relation.path_of_token is given they are a number of each token, and it is the path that "
	 "the number is the length of"},
	{"relation.mask", "[n, n]",
	 "1 where there is one; elsewhere relation is 0 (nan where it is written alone), and "
	 "legend.none says what that is"},
	{"eigenvectors", "[n, k]",
	 "of a graph's Laplacian, where positions are made of them: a column each, without those "
	 "that the graph has none for"},
	{"eigenvalues", "[k]", "whose column each is, ascending; equal ones are degenerate"},
	{"split.KEY", "",
	 "the view Split: by-distance, by-query, by-key and rest are shares of the variance; curve the "
	 "mean at each distance; matrix.distance, matrix.place and matrix.rest add up to the bias, nan "
	 "where no pair counts"},
	{"rank.KEY", "",
	 "the view Rank: values are the singular values of a matrix, descending; numerical, stable "
	 "and effective its ranks; term.LABEL a term of the logits"},
	{"compare.KEY", "",
	 "the view Compare, where --numbers names it: N.MATRIX of each, by its number, the "
	 "difference of each two, 1-2, over words in both, nan where one masks it, and apart"},
	{"layers.KEY", "",
	 "the view Layers, where --numbers names it: R² after each layer, absolute and relative, as it is, "
	 "other, residual and shuffled; equivariance, cosine; probe.KEY what the last absolute one was "
	 "learned from: rows, targets (t, and shuffled), folds, alphas, what was predicted, and pairs of rows"},
	{"metrics.KEY", "",
	 "the view Metrics, of bias, weights and the weights of a repeated word (repeated.matrix); "
	 "probe.place and probe.order are errors of what is read off position vectors"},
	{"vectors.KEY", "",
	 "the view Vectors, of the vectors that it shows: table, and of the rows that are "
	 "compared (of angles their cosines and sines) cosine (NaN of a row of zeros, which has none), norms, histogram (of 32 parts of −1 … "
	 "1), plane (two components) and share of the variance; frequency and "
	 "frequency.trained in radians a position; cosine.least, cosine.neighbour, cosine.by-distance"},
	{"clocks.KEY", "",
	 "the view Clocks, of the cell: angle between the hands in degrees, part of the logit"},
	{"lengths.KEY", "",
	 "the view Lengths, where --numbers names it: n are the lengths, NUMBER.last and NUMBER.mean what the "
	 "last query and the mean of some queries have there, of distance, entropy, within and first; "
	 "longest.… of the longest, farther.… the share of pairs of tokens beyond the distances that training on t-max "
	 "positions shows, leave.… the pairs of columns of a scaled rotation that come to angles of t-max times "
	 "their trained angle per position, which training ended below, or more"},
	{"stack.KEY", "",
	 "the view Stack, of a text of stack.tokens: seen is the share of the queries that see the key at "
	 "each distance, a row for each layer; back how many tokens back the last one can know of after "
	 "each layer, from the input on"},
	{"verdict.KEY", "",
	 "the view Verdict: wrong is the number of things in the model's configuration that do not fit"},
	{"profile.KEY", "",
	 "the view Profile, where --numbers names it: kernels and scores of all heads, a row each, layer by layer: "
	 "kernels by distance from −(n−1) to n−1, shares (distance, key, content), and scores (posviz heads "
	 "--format npz has all); of the chosen head its shares and scores"},
	{"learn.KEY", "",
	 "the view Learn, where --numbers names it: accuracy.N and floor.N at N tokens, of the parameters "
	 "after learn.steps, mean.N, least.N and most.N over several seeds after the last; loss of each step; "
	 "weights of the shown head on a sentence of the test, right_key their share on the keys that the "
	 "answers depend on; 2.accuracy.N and so on of the second scheme that is compared"},
	{"map.KEY", "",
	 "the view Map, by bias, curve or weights: nearest.NAME how far a scheme is from this one; "
	 "distances of all of them, plane their points in it"},
	{"cost.KEY", "",
	 "the view Cost, where --numbers names it: parameters, multiply_adds and time of each expression; "
	 "times are measured, and no two runs have the same"},
	{"gradients.KEY", "",
	 "the view Gradients, of one cell (query and key, from 1): position and unit are the gradients by "
	 "position vectors and token vectors, norm their length; saliency.… the lengths of their rows, "
	 "input.… each row times what stands there; leaf.LEAF by what is learned; apart: the largest "
	 "difference of position and unit"},
	{"values.KEY", "",
	 "the view Values: output (rows of queries) and what it is the sum of, term.LABEL, with its "
	 "share; values (rows of keys); contributions, their lengths; query what each key "
	 "contributes to the chosen one; with w_o of --weights in all of them; elsewhere: queries "
	 "whose largest contribution is not at their largest weight"},
	{"metadata.tokens", "[tokens]",
	 "labels in their present order, that of all rows and columns; JSON like the others, which "
	 "in json stands under about as it is, and in npz in the one text metadata"},
	{"metadata.tokens.written", "[tokens]", "labels in the order they were written"},
	{"metadata.order", "[tokens]",
	 "for each of tokens which of tokens.written it is, from 0; structures count as written"},
	{"metadata.axis.query", "[n]",
	 "labels of rows: the tokens and what members insert; axis.key alike, of columns"},
	{"metadata.model", "",
	 "sizes, c, norm_eps, activation, embed_scale, memory; of a matrix of your own whose keys are other tokens "
	 "than its queries there are neither this nor tokens, order and steps, and no tensors but its own"},
	{"metadata.steps", "[L]",
	 "of layer.L: whose weights and leaves it has, and of which step it reads the output for "
	 "queries and for keys and values, -1 the token vectors"},
	{"metadata.members", "",
	 "what acts: name, scheme, positions, layers, heads, and every parameter"},
	{"metadata.recipe", "", "how logits, weights, contexts and outputs follow from all this"},
	{"metadata.relation", "", "of relation: title, note, legend, paths, path_of_token"},
	{"metadata.structure", "", "of a tree or graph: nodes, parents, edges, node_of_token"},
	{"metadata.left_out", "",
	 "where --leaves is read: the parameters that are not there whole, with their shape and the rows and "
	 "columns that are, \"all\" or a list, and drawn weights that are left out; left_out.views: tables of "
	 "more positions than the input has, which --numbers vectors brings"},
	{"metadata.expression", "", "and scene, version: what made the dump"},
	{0},
};

unsigned dump_wants(void)
{
	return WANT_INPUT | WANT_QKV | WANT_TERMS | WANT_LOGITS | WANT_MASK | WANT_WEIGHTS |
	       WANT_CONTEXT | WANT_OUTPUT | WANT_BIAS | WANT_POSITION | WANT_RELATION | WANT_KEPT;
}

static void add(struct tensor_set *out, struct mat m, bool vector, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

static void add(struct tensor_set *out, struct mat m, bool vector, const char *fmt, ...)
{
	if (!m.at)
		return;
	va_list args;
	va_start(args, fmt);
	tensor_set_add(out, arena_vprintf(out->arena, fmt, args), m, vector);
	va_end(args);
}

static struct mat mask_mat(struct arena *a, const uint8_t *mask, size_t rows, size_t cols)
{
	const struct mat m = mat_new(a, rows, cols);
	for (size_t i = 0; i < rows * cols; i++)
		m.at[i] = mask ? mask[i] : 1;
	return m;
}

static void add_head(struct tensor_set *out, const struct trace *trace, size_t l, size_t h)
{
	const struct trace_head *head = &trace->layers[l].heads[h];
	const struct {
		const char *name;
		struct mat at;
	} rows[] = {
		{"q", head->q},
		{"k", head->k},
		{"v", head->v},
		{"q_raw", head->q_raw},
		{"k_raw", head->k_raw},
		{"logits", head->logits},
		{"weights", head->weights},
		{"context", head->context},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		add(out, rows[i].at, false, "layer.%zu.head.%zu.%s", l, h, rows[i].name);
	for (size_t i = 0; i < head->n_terms; i++)
		add(out, head->terms[i].at, false, "layer.%zu.head.%zu.term.%s", l, h,
		    head->terms[i].label);
	add(out, mask_mat(out->arena, head->mask, trace->query.n, trace->key.n), false,
	    "layer.%zu.head.%zu.mask", l, h);
}

static void add_layer(struct tensor_set *out, const struct trace *trace, size_t l,
		      const struct model *model, bool read_only)
{
	const struct trace_layer *layer = &trace->layers[l];
	add(out, layer->input, false, "layer.%zu.input", l);
	for (size_t i = 0; i < layer->n_weights; i++)
		if (!read_only || !dump_leaves_out(model, layer->weights[i].name))
			add(out, layer->weights[i].at, layer->weights[i].at.rows == 1,
			    "layer.%zu.%s", l, layer->weights[i].name);
	for (size_t h = 0; h < model->config.heads; h++)
		add_head(out, trace, l, h);
	add(out, layer->output, false, "layer.%zu.output", l);
}

static const char *path_text(const struct relation *r, const struct label_path *path,
			     struct arena *a)
{
	struct strbuf b;
	strbuf_init(&b, a);
	for (size_t i = 0; i < path->n; i++) {
		strbuf_add(&b, i ? " " : "");
		strbuf_add(&b, r->labels[path->labels[i]]);
	}
	return b.at;
}

static int by_path(const void *x, const void *y)
{
	const struct label_path *const a = *(const struct label_path *const *)x;
	const struct label_path *const b = *(const struct label_path *const *)y;
	if (a->n != b->n)
		return a->n < b->n ? -1 : 1;
	for (size_t i = 0; i < a->n; i++)
		if (a->labels[i] != b->labels[i])
			return a->labels[i] < b->labels[i] ? -1 : 1;
	return 0;
}

/* Lists the different paths, short ones first, and returns the index of each cell's path. */
static struct mat number_paths(const struct relation *r, struct json_writer *w, struct arena *a)
{
	const struct mat out = mat_new(a, r->n, r->n);
	const size_t cells = r->n * r->n;
	const struct label_path **const sorted = arena_calloc(a, cells + 1, sizeof *sorted);
	size_t n = 0;
	for (size_t i = 0; i < cells; i++)
		sorted[i] = &r->paths[i];
	if (cells > 0)
		qsort(sorted, cells, sizeof *sorted, by_path);
	json_writer_array(w, "paths");
	for (size_t i = 0; i < cells; i++) {
		if (i == 0 || by_path(&sorted[i - 1], &sorted[i]) != 0) {
			json_writer_string(w, NULL, path_text(r, sorted[i], a));
			n++;
		}
		out.at[sorted[i] - r->paths] = (double)(n - 1);
	}
	json_writer_end(w);
	return out;
}

/* Writes the path of each token in the order of the tokens; a token without a path has an empty
 * one, like its number. */
static void write_token_paths(const struct relation *r, struct json_writer *w, struct arena *a)
{
	json_writer_array(w, "path_of_token");
	for (size_t i = 0; i < r->n; i++)
		json_writer_string(w, NULL, path_text(r, &r->paths[i * r->n + i], a));
	json_writer_end(w);
}

static int by_number(const void *x, const void *y)
{
	const int32_t a = *(const int32_t *)x, b = *(const int32_t *)y;
	return (a > b) - (a < b);
}

/* Writes the meaning of each number that occurs, and as "none" the meaning of a missing number. */
static void write_legend(const struct relation *r, struct json_writer *w, struct arena *a)
{
	const size_t cells = r->n * r->n;
	int32_t *const sorted = arena_alloc(a, (cells + 1) * sizeof *sorted);
	memcpy(sorted, r->at, cells * sizeof *sorted);
	if (cells > 0)
		qsort(sorted, cells, sizeof *sorted, by_number);
	json_writer_object(w, "legend");
	for (size_t i = 0; i < cells; i++) {
		if (i > 0 && sorted[i] == sorted[i - 1])
			continue;
		const char *says = r->says ? r->says(r, sorted[i], NULL, a) : NULL;
		const bool none = sorted[i] == RELATION_NO_PATH;
		if (!says && none)
			says = "no path";
		if (says)
			json_writer_string(w, none ? "none" : arena_printf(a, "%d", (int)sorted[i]),
					   says);
	}
	json_writer_end(w);
}

bool dump_relation(const struct relation *r, struct arena *a, struct mat *out, struct mat *mask,
		   const char **legend)
{
	if (r->n == 0)
		return false;
	struct json_writer *const w = json_writer_new(a);
	json_writer_object(w, NULL);
	json_writer_string(w, "title", r->title);
	if (r->note)
		json_writer_string(w, "note", r->note);
	*mask = mat_new(a, r->n, r->n);
	for (size_t i = 0; i < r->n * r->n; i++)
		mask->at[i] = !r->at || r->at[i] != RELATION_NO_PATH;
	if (r->at) {
		*out = mat_new(a, r->n, r->n);
		for (size_t i = 0; i < r->n * r->n; i++)
			out->at[i] = mask->at[i] > 0 ? r->at[i] : 0;
		write_legend(r, w, a);
		if (r->paths && r->of_tokens)
			write_token_paths(r, w, a);
	} else {
		*out = number_paths(r, w, a);
	}
	json_writer_end(w);
	*legend = json_writer_done(w, 0);
	return true;
}

static void add_relation(const struct trace *trace, struct arena *a, struct tensor_set *out)
{
	struct mat m, mask;
	const char *legend;
	if (!dump_relation(&trace->relation, a, &m, &mask, &legend))
		return;
	add(out, m, false, "relation");
	add(out, mask, false, "relation.mask");
	tensor_set_add_meta_json(out, "relation", legend);
}

static void add_spectrum(const struct spectrum *s, struct tensor_set *out)
{
	if (s->n == 0 || s->k == 0)
		return;
	const struct mat vectors = mat_new(out->arena, s->n, s->k);
	const struct mat values = mat_new(out->arena, 1, s->k);
	memcpy(vectors.at, s->vectors, s->n * s->k * sizeof *vectors.at);
	memcpy(values.at, s->values, s->k * sizeof *values.at);
	add(out, vectors, false, "eigenvectors");
	add(out, values, true, "eigenvalues");
}

/* Adds the numbers of a matrix whose keys are other tokens: only for the layers and heads in
 * its file. */
static void add_looked_at(const struct member *m, const struct trace *trace, struct tensor_set *out)
{
	for (size_t l = 0; l < (m->n_layers ? m->n_layers : 1); l++)
		for (size_t h = 0; h < (m->n_heads ? m->n_heads : 1); h++)
			add_head(out, trace, l, h);
}

void dump_tensors(const struct scene *scene, const struct built *b, const struct trace *trace,
		  bool read_only, struct arena *a, struct tensor_set *out)
{
	const size_t heads = b->model.config.heads;
	tensor_set_init(out, a);
	dump_metadata(scene, b, trace, a, out);
	const struct member *const looked_at = model_looked_at(&b->model);
	if (looked_at) {
		add_looked_at(looked_at, trace, out);
		return;
	}
	/* The units as they entered the model: a member may scale them or insert others, and
	 * will do so again. */
	add(out, b->model_input.units, false, "units");
	for (size_t i = 0; i < trace->n_columns; i++) {
		const size_t n = trace->query.n + trace->memory;
		const struct mat column = mat_new(a, 1, n);
		memcpy(column.at, trace->columns[i].at, n * sizeof(double));
		add(out, column, true, "position.%s", trace->columns[i].name);
	}
	add(out, trace->position_vectors, false, "position.vectors");
	for (size_t i = 0; i < trace->n_kept; i++)
		add(out, trace->kept[i].at, false, "%s", trace->kept[i].name);
	for (size_t l = 0; l < trace->n_layers; l++)
		add_layer(out, trace, l, &b->model, read_only);
	if (b->checkpoint) {
		/* The input of an attention to a source is that behind the decoder's own attention. */
		if (b->model.config.stack != STACK_CROSS)
			add(out, trace->layers[0].input, false, "embeddings");
		add(out, trace->last, false, "last_hidden_state");
	}
	dump_leaves(b, read_only, a, out);
	for (size_t h = 0; h < heads; h++)
		add(out, trace->layers[0].heads[h].bias, false, "bias.head.%zu", h);
	add_relation(trace, a, out);
	add_spectrum(&trace->spectrum, out);
}

/* ---- names -------------------------------------------------------------------------------------- */

static bool is_number(const char *word, size_t len)
{
	return len > 0 && strspn(word, "0123456789") >= len;
}

/* True if the name matches the pattern: L and H stand for numbers, a longer word in capitals for
 * any rest, and everything below a head matches. */
static bool follows(const char *pattern, const char *name)
{
	for (;;) {
		const size_t p = strcspn(pattern, "."), n = strcspn(name, ".");
		const bool number = p == 1 && (*pattern == 'L' || *pattern == 'H');
		if (p > 1 && *pattern >= 'A' && *pattern <= 'Z')
			return *name != '\0';
		if (number ? !is_number(name, n) : p != n || memcmp(pattern, name, p) != 0)
			return false;
		if (number && *pattern == 'H' && name[n] == '.')
			return true;
		if (pattern[p] == '\0' || name[n] == '\0')
			return pattern[p] == name[n];
		pattern += p + 1;
		name += n + 1;
	}
}

bool dump_is_name(const char *name)
{
	for (const struct dump_name *d = dump_names; d->pattern; d++)
		if (follows(d->pattern, name))
			return true;
	return false;
}
