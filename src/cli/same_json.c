/* same_json.c: the result of check --same as JSON. Channels, layers, heads and places count from 1;
 * null: not tried, or nonexistent. */
#include <math.h>

#include "show.h"
#include "posviz/analysis/same.h"
#include "posviz/format/json.h"

static void write_channels(struct json_writer *w, const char *name, const size_t *to, size_t n)
{
	if (!to) {
		json_writer_string(w, name, NULL);
		return;
	}
	json_writer_array(w, name);
	for (size_t i = 0; i < n; i++)
		json_writer_integer(w, NULL, (long)to[i] + 1);
	json_writer_end(w);
}

static void write_sizes(struct json_writer *w, const char *name, size_t n, size_t layers)
{
	if (n == 0) {
		json_writer_string(w, name, NULL);
		return;
	}
	json_writer_object(w, name);
	json_writer_integer(w, "units", (long)n);
	json_writer_integer(w, "layers", (long)layers);
	json_writer_end(w);
}

static void write_proof(struct json_writer *w, const struct same *s)
{
	json_writer_integer(w, "unit_vector_pairs", (long)s->n_pairs);
	if (s->n_pairs > 0) {
		json_writer_number(w, "unit_vector_difference", s->pairs);
		json_writer_number(w, "affine_to", s->affine);
	}
	json_writer_bool(w, "proven", s->proven);
	json_writer_string(w, "why_not_proven", s->proven ? NULL : s->why_not);
	json_writer_integer(w, "draws", (long)s->n_draws);
	json_writer_number(w, "weights_difference", s->weights);
	json_writer_number(w, "outputs_difference", s->outputs);
	write_sizes(w, "longer", s->far_n, s->far_layers);
	if (s->far_n > 0)
		json_writer_number(w, "longer_outputs_difference", s->far_outputs);
	else
		json_writer_string(w, "why_not_longer", s->far_refused);
}

static void write_most(struct json_writer *w, const struct same *s)
{
	if (!isfinite(s->scores) || s->layer == 0) {
		json_writer_string(w, "differ_most", NULL);
		return;
	}
	json_writer_object(w, "differ_most");
	json_writer_string(w, "in", s->score_name);
	json_writer_integer(w, "layer", (long)s->layer);
	json_writer_integer(w, "head", (long)s->head);
	json_writer_integer(w, "query", (long)s->row);
	json_writer_integer(w, "key", (long)s->col);
	json_writer_number(w, "first", s->first);
	json_writer_number(w, "second", s->second);
	json_writer_end(w);
}

static void write_difference(struct json_writer *w, const struct same *s)
{
	static const char *const relations[RELATION_COUNT] = {[RELATION_NONE] = "apart",
							      [RELATION_NO_BIAS] = "no bias",
							      [RELATION_EQUAL] = "equal",
							      [RELATION_ROWS] = "constant of a row",
							      [RELATION_MIRRORED] = "mirrored",
							      [RELATION_MULTIPLE] = "multiple",
							      [RELATION_PAST] =
								      "equal for the past"};
	write_sizes(w, "same_for", s->near_n, s->near_layers);
	json_writer_integer(w, "pairs_only_first_sees", (long)s->only_first);
	json_writer_integer(w, "pairs_only_second_sees", (long)s->only_second);
	json_writer_string(w, "bias", relations[s->relation]);
	json_writer_bool(w, "mirrored", s->mirrored);
	json_writer_bool(w, "same_weights", s->same_weights);
	if (s->same_weights) {
		json_writer_bool(w, "weights_mirrored", s->weights_mirrored);
		json_writer_integer(w, "outputs_differ_in_layer", (long)s->outputs_layer);
		json_writer_number(w, "outputs_relative_difference", s->outputs_relative);
	}
	if (s->relation == RELATION_MULTIPLE)
		json_writer_number(w, "bias_factor", s->factor);
	if (s->relation != RELATION_NO_BIAS)
		json_writer_number(w, "bias_difference", s->bias_most);
	if (s->distances_differ)
		json_writer_integer(w, "bias_equal_to_distance", s->agree_to);
	write_most(w, s);
	json_writer_number(w, "total_variation", s->variation);
}

void same_json(const struct same *s, const char *const expressions[2], const char *on, size_t d,
	       struct strbuf *out)
{
	static const char *const verdicts[] = {
		[SAME_EQUAL] = "equal", [SAME_PERMUTED] = "permuted", [SAME_APART] = "apart"};
	struct json_writer *const w = json_writer_new(out->arena);
	json_writer_object(w, NULL);
	json_writer_string(w, "posviz", POSVIZ_VERSION);
	json_writer_string(w, "first", expressions[0]);
	json_writer_string(w, "second", expressions[1]);
	json_writer_string(w, "found", verdicts[s->verdict]);
	json_writer_string(w, "condition", on);
	write_sizes(w, "compared", s->n, s->layers);
	if (s->verdict == SAME_APART) {
		write_difference(w, s);
	} else {
		write_channels(w, "unit_channels", s->model_channels, d);
		write_channels(w, "head_channels", s->head_channels, s->dk);
		write_proof(w, s);
	}
	json_writer_end(w);
	strbuf_printf(out, "%s\n", json_writer_done(w, 2));
}
