/* relation_card.c: the card of the view Relation: the cell, the meaning of its number, and
 * properties of the whole matrix. */
#include <string.h>

#include "posviz/base/text.h"
#include "relation_in.h"

enum {
	LEGEND_MOST = 12 /* values whose meaning is listed */
};

static const char *written(const struct pairs_of *p, int32_t value)
{
	return relation_value(p->r, value, p->a);
}

/* Returns the number of edges from a node up to another one above it, or -1. */
static long height_over(const struct structure *s, long low, long high)
{
	for (long n = 0; low >= 0 && n <= (long)s->n; n++, low = s->parent[low])
		if (low == high)
			return n;
	return -1;
}

/* Adds the distance of the two in the tree itself, which the scheme's number may not tell. */
static void add_apart(const struct pairs_of *p, size_t t, size_t s, struct card *card)
{
	const struct structure *tree = p->d->built->model_input.structure;
	const long *node = p->d->built->model_input.node;
	const struct axis *q = view_units(p->d->trace);
	if (!tree || !node || !tree->parent || tree->kind == STRUCTURE_GRAPH || q->n != p->r->n ||
	    q->token[t] < 0 || q->token[s] < 0)
		return;
	const long from = node[q->token[t]], to = node[q->token[s]];
	long up = 0, down = -1;
	for (long at = from; at >= 0 && up <= (long)tree->n; at = tree->parent[at], up++)
		if ((down = height_over(tree, to, at)) >= 0)
			break;
	if (from < 0 || to < 0 || from == to)
		return;
	card_add(card, "in the tree",
		 down < 0 ? "no way"
			  : arena_printf(p->a, "%ld edge%s", up + down, up + down == 1 ? "" : "s"),
		 down < 0    ? "they hang on two roots"
		 : up == 0   ? "the key is below the query"
		 : down == 0 ? "the key is above the query"
			     : "neither is above the other");
}

/* Adds one of two tokens that have a number each. */
static void add_token(const struct pairs_of *p, const char *key, size_t i, struct card *card)
{
	const struct relation *r = p->r;
	const size_t at = i * r->n + i;
	const bool none = p->no_path[at];
	const struct relation_cell cell = relation_cell(view_units(p->d->trace), i, i, false, p->a);
	const char *value = none ? "none" : written(p, p->at[at]);
	const char *means = relation_says(r, none ? RELATION_NO_PATH : p->at[at], &cell, p->a);
	if (r->paths && r->paths[at].n > 0)
		means = arena_printf(p->a, "%s: %s", means, relation_path(r, at, false, p->a));
	card_add(card, key, arena_printf(p->a, "%s: %s", cell.query, value), means);
}

static void add_pair(const struct pairs_of *p, size_t t, size_t s, struct card *card)
{
	const struct relation *r = p->r;
	const size_t i = t * r->n + s;
	const struct axis *units = view_units(p->d->trace);
	const struct relation_cell cell = relation_cell(units, t, s, false, p->a);
	const char *value = p->no_path[i] ? "none" : written(p, p->at[i]);
	const char *means = p->no_path[i] ? relation_says(r, RELATION_NO_PATH, &cell, p->a)
			    : r->at	  ? relation_says(r, p->at[i], &cell, p->a)
					  : (p->at[i] == 1 ? "label" : "labels");
	card_add(card, "this cell",
		 arena_printf(p->a, "%s → %s: %s", view_unit_name(units, t, p->a),
			      view_unit_name(units, s, p->a), value),
		 means);
	if (r->n_ranges == 0)
		add_apart(p, t, s, card);
	if (r->paths && !p->no_path[i])
		card_add(card, "its path", relation_path(r, i, false, p->a),
			 "labels from the query's node to the key's");
}

static void add_cell(const struct pairs_of *p, struct card *card)
{
	size_t t, s;
	if (!relation_cursor(p, &t, &s))
		return;
	if (!p->r->of_tokens) {
		add_pair(p, t, s, card);
		return;
	}
	add_token(p, "query", t, card);
	if (s != t)
		add_token(p, "key", s, card);
}

/* Returns "−2 to 3", followed by the names: "0 to 3, [VNode]". */
static const char *range_of_values(const struct pairs_of *p)
{
	const char *text = p->n_numbers == 0 ? "" : written(p, p->values[0]);
	if (p->n_numbers > 1)
		text = arena_printf(p->a, "%s to %s", text,
				    written(p, p->values[p->n_numbers - 1]));
	for (size_t i = p->n_numbers; i < p->n_values; i++)
		text = arena_printf(p->a, "%s%s%s", text, *text ? ", " : "",
				    written(p, p->values[i]));
	return text;
}

static void add_values(const struct pairs_of *p, struct card *card)
{
	if (p->n_values == 0) {
		card_add(card, "values", "none", relation_hatched(p));
		return;
	}
	card_add(card, "values",
		 arena_printf(p->a, "%zu different, %s", p->n_values, range_of_values(p)),
		 p->n_none && !p->r->of_tokens
			 ? arena_printf(p->a, "of %s, %zu without", relation_pairs(p), p->n_none)
			 : arena_printf(p->a, "of %s", relation_pairs(p)));
}

/* Adds the visible values that stand for several distances; each of the others stands for one. */
static void add_shared(const struct pairs_of *p, struct card *card)
{
	const char *all = "";
	size_t n = 0;
	for (size_t i = 0; i < p->r->n_ranges; i++) {
		const struct relation_range *range = &p->r->ranges[i];
		bool seen = false;
		for (size_t k = 0; k < p->n_values; k++)
			seen = seen || p->values[k] == range->value;
		if (!seen || range->lo == range->hi || n++ >= LEGEND_MOST)
			continue;
		all = arena_printf(p->a, "%s%s%s: %s", all, *all ? "; " : "",
				   written(p, range->value),
				   relation_says(p->r, range->value, NULL, p->a));
	}
	if (n > 0)
		card_add(card, "shared", n > LEGEND_MOST ? arena_printf(p->a, "%s; …", all) : all,
			 "numbers that several distances have");
}

/* Returns "1 to 15": the visible numbers that distances from `lo` to `hi` have; "": there are
 * none. */
static const char *numbers_at(const struct pairs_of *p, int32_t lo, int32_t hi)
{
	const size_t n = p->r->n;
	bool any = false;
	int32_t least = 0, most = 0;
	for (size_t i = 0; i < n * n; i++) {
		if (p->no_path[i] || p->r->beside[i] < lo || p->r->beside[i] > hi ||
		    relation_name(p->r, p->at[i]))
			continue;
		least = any && least < p->at[i] ? least : p->at[i];
		most = any && most > p->at[i] ? most : p->at[i];
		any = true;
	}
	return !any ? ""
	       : least == most
		       ? written(p, least)
		       : arena_printf(p->a, "%s to %s", written(p, least), written(p, most));
}

/* Adds which numbers stand for keys before the query, and which for those after it; of numbers from
 * a structure, what the signs mean. */
static void add_direction(const struct pairs_of *p, struct card *card)
{
	const struct relation *const r = p->r;
	if (r->n_ranges > 0 && r->apart) {
		card_add(card, "direction", "none", "the same number before and after");
	} else if (r->n_ranges > 0) {
		const char *const before = numbers_at(p, INT32_MIN, -1);
		const char *const after = numbers_at(p, 1, INT32_MAX);
		const char *const here = numbers_at(p, 0, 0);
		card_add(card, "key before", *before ? before : "no number",
			 arena_printf(p->a, "key after: %s; same position: %s",
				      *after ? after : "no number", *here ? here : "no number"));
	} else if (r->at && !r->of_tokens && p->n_numbers > 1 && p->values[0] < 0) {
		const char *const plus = relation_says(r, 1, NULL, p->a);
		const char *const minus = relation_says(r, -1, NULL, p->a);
		if (plus && minus)
			card_add(card, "signs", arena_printf(p->a, "1: %s", plus),
				 arena_printf(p->a, "−1: %s", minus));
	}
}

/* Adds the meaning of the visible values; if there are many, of the least and the largest. */
static void add_legend(const struct pairs_of *p, struct card *card)
{
	if (!p->r->says || !p->r->at || p->r->n_ranges > 0)
		return;
	for (size_t i = 0; i < p->n_values && p->n_values > 1; i++) {
		if (i >= LEGEND_MOST / 2 && i + LEGEND_MOST / 2 < p->n_values)
			continue;
		card_add(card, written(p, p->values[i]),
			 relation_says(p->r, p->values[i], NULL, p->a), NULL);
		card->n_spare++;
	}
}

static void add_mirror(const struct pairs_of *p, struct card *card)
{
	if (p->pairs == 0)
		return;
	const char *word = p->mirrored + p->still == p->pairs  ? "symmetric"
			   : p->opposite + p->still < p->pairs ? "neither"
			   : p->r->paths		       ? "the way back"
							       : "antisymmetric";
	const char *note =
		arena_printf(p->a, "(t,s) and (s,t): %s in %zu of %zu, %s in %zu",
			     p->r->paths ? "the same labels" : "equal", p->mirrored, p->pairs,
			     p->r->paths ? "the other's read backwards" : "opposite", p->opposite);
	if (p->still > 0)
		note = arena_printf(p->a, "%s, %s in %zu", note,
				    p->r->paths ? "on one node" : "0 both ways", p->still);
	card_add(card, "mirror", word, note);
}

/* Adds the source of the numbers: positions or a structure. */
static void add_source(const struct pairs_of *p, struct card *card)
{
	const struct structure *s = p->d->built->model_input.structure;
	const bool plain = p->r->column && strcmp(p->r->column, "seq") == 0 &&
			   !p->d->built->position_ids && !p->r->apart;
	if (p->r->n_ranges > 0 && plain)
		return; /* positions in the sequence, as everywhere */
	if (p->r->n_ranges > 0)
		card_add(card, "positions",
			 strcmp(p->r->column, "seq") == 0
				 ? (p->d->built->position_ids ? "position ids, as given"
							      : "positions in the sequence")
				 : arena_printf(p->a, "column %s", p->r->column),
			 p->r->apart ? "either direction" : "before: at a lower position");
	else if (!p->r->column)
		card_add(card, "structure", s ? structure_names[s->kind] : "none: a chain",
			 s ? s->note : "--conllu, --governors, --tree or --graph gives one");
}

/* Fills the card of a scheme without a relation. */
static void absent_card(const struct pairs_of *p, struct panel *out, struct card *card)
{
	const struct built *built = p->d->built;
	const struct structure *s = built->model_input.structure;
	const unsigned structural = SCHEME_NEEDS_TREE | SCHEME_NEEDS_GRAPH;
	out->title = "Relation";
	card->about = "A relation is what is known of two tokens before any vector: which distance "
		      "they stand, in numbers or in buckets; how many edges lie between them, "
		      "which is above which, or the labels on the way.";
	if (!s && built->reorder && !(expr_main(&built->expr)->scheme->flags & structural))
		card_add(card, "positions", "another order", "--reorder or --alignment gave it");
	else
		card_add(card, "structure", s ? structure_names[s->kind] : "none", NULL);
}

void relation_card(const struct pairs_of *p, struct panel *out)
{
	struct card *card = card_new(out, p->a);
	out->title = "What a number means";
	if (p->r->n == 0) {
		absent_card(p, out, card);
		return;
	}
	add_cell(p, card);
	add_direction(p, card);
	add_shared(p, card);
	add_values(p, card);
	add_mirror(p, card);
	if (p->r->note)
		card_add(card, "note", p->r->note, NULL);
	add_source(p, card);
	card->n_spare = 1;
	add_legend(p, card);
}
