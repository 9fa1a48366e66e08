/* terms_absent.c: the view Terms for weights that are given directly: there is no sum of logits; position ids that
 * a text would not have alone; and what is in the parts of the logits. */
#include <string.h>

#include "view_in.h"

void terms_without_logits(const struct view_data *d, struct arena *a, struct figure *out)
{
	const struct trace_head *head = &d->trace->layers[view_layer(d)].heads[view_head(d)];
	struct panel *p = out->panels;
	const struct paint paint = {.allowed = head->mask, .unit = true, .more_of = "attention"};
	p[0] = (struct panel){.kind = PANEL_HEATMAP,
			      .name = "terms",
			      .title = "Terms",
			      .note = view_layer_note(d, a),
			      .short_note = view_short_layer(d, a),
			      .absent =
				      "there are no logits, so there are no terms: the weights are "
				      "given directly"};
	p[1] = (struct panel){.name = "weights",
			      .title = "Attention weights",
			      .note = view_layer_note(d, a),
			      .short_note = view_short_layer(d, a),
			      .subtitle = "not a softmax of logits"};
	view_heatmap(d, head->weights, &paint, a, &p[1]);
	card_scheme(d, a, &p[2]);
	for (unsigned char i = 0; i < 3; i++)
		view_place(&p[i], 0, i, 1, (unsigned char[]){1, 0, 2}[i]);
	memcpy(out->col_weight, (unsigned char[]){5, 8, 6}, 3);
	out->row_weight[0] = 1;
	out->n = 3;
}

bool view_weighs_otherwise(const struct view_data *d, const struct trace_head *head)
{
	for (size_t i = 0; i < d->built->n_members; i++) {
		const struct member *m = &d->built->members[i];
		if (m->hooks->weights && !head->sink_logit && view_acts(d, m))
			return true;
	}
	return false;
}

/* Says what is in the parts: behind a layer, a norm of their sum, or a bias of the model's. */
void terms_parts(const struct view_data *d, const struct trace_head *head, struct arena *a,
		 struct card *card)
{
	const struct block *const b = &d->built->model.config.block;
	const bool first = view_layer(d) == 0,
		   pre = b->order != ORDER_POST && b->order != ORDER_AFTER;
	const bool normed = b->embed_norm || (pre && !b->bare_first);
	bool parted = false, biased = false;
	for (size_t i = 0; i < head->n_terms; i++) {
		parted |= head->terms[i].kind == TERM_POSITION;
		biased |=
			strstr(head->terms[i].label, "b_q") || strstr(head->terms[i].label, "b_k");
	}
	if (!first)
		card_add(card,
			 view_layer(d) == d->trace->n_layers
				 ? "layer mean"
				 : arena_printf(a, "layer %zu", view_layer(d) + 1),
			 "mixed",
			 "“unit” is what the layer below gives: unit and position are no longer "
			 "separate there");
	if (first && parted && normed)
		card_add(
			card, "norm", "of the sum",
			"unit and position are divided by the deviation of their sum, so that they add "
			"up to its norm");
	if (biased)
		card_add(
			card, "b_q, b_k", "biases",
			first && parted && normed
				? "of queries and keys, with the norm's own bias through W_Q and W_K"
				: "of queries and keys");
}

void terms_ids(const struct view_data *d, struct arena *a, struct card *card)
{
	static const char *const members[] = {"pack: ", "pad: "};
	for (size_t i = 0; i < 2 && d->trace->note; i++) {
		const char *const at = strstr(d->trace->note, members[i]);
		const char *const text = at ? strstr(at, "position ids") : NULL;
		const char *const why = text ? strstr(text, ": absolute") : NULL;
		if (why)
			card_add(card, "here", arena_strndup(a, text, (size_t)(why - text)),
				 arena_strndup(a, why + 2, strcspn(why + 2, ";")));
	}
}
