/* compare_panels.c: the panels of the view Compare and their words. */
#include <math.h>
#include <string.h>

#include "compare_in.h"
#include "posviz/analysis/outputs.h"
#include "posviz/base/num.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"

enum { HEAD_COLS = 32 };

/* ---- words ----------------------------------------------------------------------------------- */

static const char *number(const struct comparison *c, double value)
{
	char text[32];
	const int whole = isnormal(value) ? (int)floor(log10(fabs(value))) + 1 : 0;
	if (fabs(value) < compare_rounding)
		return "0";
	if (!isfinite(value))
		return "not finite";
	if (whole < -1 || whole > 3)
		return arena_strdup(c->a, num_show(text, sizeof text, value, 3));
	return arena_printf(c->a, "%s%.*f", value < 0 ? "−" : "", 3 - (whole > 0 ? whole : 0),
			    fabs(value));
}

/* Rounds down. */
const char *compare_whole(const struct comparison *c, double distance)
{
	char text[32];
	return distance < 1e7 ? arena_printf(c->a, "%.0f", floor(distance))
			      : arena_strdup(c->a, num_show(text, sizeof text, distance, 3));
}

static const char *named(const struct comparison *c, size_t i, size_t cols)
{
	return arena_printf(c->a, "%zu %s", i + 1, text_shorten(c->a, c->of[i].name, cols, false));
}

static const char *pair_name(const struct comparison *c, size_t pair)
{
	return arena_printf(c->a, "%d−%d", pairs[pair][0], pairs[pair][1]);
}

static const char *distance(const struct comparison *c, size_t pair)
{
	const struct apart *apart = &c->kept.apart[pair];
	if (c->kept.absent[pair])
		return "n/a";
	if (c->d->scene->matrix == MATRIX_MASK)
		return arena_printf(c->a, "%zu cell%s", apart->one, apart->one == 1 ? "" : "s");
	return number(c, apart->distance);
}

static const char *unit_of(const struct comparison *c, const struct axis *axis, size_t i)
{
	return i < axis->n ? view_unit_name(axis, i, c->a) : "";
}

static const char *cell_name(const struct comparison *c, const struct apart *apart)
{
	const struct trace *trace = c->first->d.trace;
	return arena_printf(c->a, "%s → %s", unit_of(c, &trace->query, apart->row),
			    unit_of(c, &trace->key, apart->col));
}

static const char *one_sided(const struct comparison *c, const struct apart *apart)
{
	return apart->one == 0 ? ""
			       : arena_printf(c->a, "; %zu cell%s allowed in one only", apart->one,
					      apart->one == 1 ? "" : "s");
}

static bool is_zero(const struct apart *apart)
{
	return apart->distance < compare_rounding;
}

/* Returns a description of the distance of a pair. */
static const char *measure_words(const struct comparison *c, size_t pair)
{
	const struct apart *const apart = &c->kept.apart[pair];
	const bool words = c->words[pair] != NULL;
	if (!isfinite(apart->distance))
		return "cells that are no finite number";
	switch ((enum matrix)c->d->scene->matrix) {
	case MATRIX_WEIGHTS:
		if (words)
			return apart->most < compare_rounding ? "every weight found its word again"
			       : is_zero(apart)
				       ? "the same, as shares among words in both"
				       : "total variation over words in both, mean of rows";
		return is_zero(apart)
			       ? apart->one > 0
					 ? "the same over keys that both see; the masks differ"
					 : "the same weights"
		       : apart->one > 0 ? "total variation over keys that both see, mean of rows"
					: "total variation, mean of rows";
	case MATRIX_MASK:
		return is_zero(apart) ? "the same mask" : "allowed by one of them alone";
	case MATRIX_BIAS:
	case MATRIX_LOGITS:
	case MATRIX_COUNT:
		break;
	}
	return !is_zero(apart) ? "rms from the rows' means: what softmax sees"
	       : apart->most >= compare_rounding
		       ? "each row differs by a constant: no weight changes"
	       : words ? "every value found its two words again"
		       : "the same values";
}

/* Returns the row or cell with the greatest difference, as a phrase to be appended. */
static const char *most_words(const struct comparison *c, size_t pair)
{
	const struct apart *apart = &c->kept.apart[pair];
	const struct trace *trace = c->of[pairs[pair][0] - 1].d.trace;
	const char *one = one_sided(c, apart);
	if (c->d->scene->matrix == MATRIX_MASK)
		return "";
	if (c->d->scene->matrix == MATRIX_WEIGHTS)
		return is_zero(apart) ? one
				      : arena_printf(c->a, "; most %s in the whole row %s%s",
						     number(c, apart->most_of_row),
						     unit_of(c, &trace->query, apart->worst), one);
	return apart->most >= compare_rounding
		       ? arena_printf(c->a, "; most %s at %s%s", number(c, apart->most),
				      cell_name(c, apart), one)
		       : one;
}

/* ---- heatmaps -------------------------------------------------------------------------------- */

/* Returns what the second of two is in a scene that names none; NULL: the scene names it. */
static const char *partner_words(const struct comparison *c, size_t i)
{
	const struct scheme *const main = expr_main(&c->of[0].d.built->expr)->scheme;
	if (i != 1 || strcmp(c->d->scene->setup.compare, "none") != 0)
		return NULL;
	if (!(main->flags & SCHEME_MASK) && strcmp(main->id, "none") != 0)
		return "the same without position";
	return expr_is_causal(&c->of[1].d.built->expr) ? "the same with a mask"
						       : "the same without a mask";
}

/* Returns whether the two are an expression and the same without position. */
static bool is_without_position(const struct comparison *c)
{
	const char *const words = c->n == 2 ? partner_words(c, 1) : NULL;
	return words && strstr(words, "position");
}

void compare_matrix_panel(const struct comparison *c, size_t i, struct panel *p)
{
	const struct one *one = &c->of[i];
	const char *const own = mixture_definitions(&one->d.built->expr, c->a);
	const char *const title = *own ? own : mixture_title(&one->d.built->expr, c->a);
	const char *head = view_short_layer(&one->d, c->a);
	struct paint paint = one->matrix.paint;
	*p = (struct panel){.kind = PANEL_HEATMAP,
			    .name = one->matrix.name,
			    .title = named(c, i, HEAD_COLS),
			    .note = strcmp(head, view_short_layer(c->d, c->a)) == 0 ? NULL : head,
			    .subtitle = partner_words(c, i) ? partner_words(c, i) : title,
			    .spare = c->n == 2 && i == 1,
			    .absent = one->matrix.absent};
	if (i == 1 && is_without_position(c))
		p->note = view_beside("no position", p->note ? p->note : "", c->a);
	if (p->absent)
		return;
	paint.ranged = true;
	paint.lo = c->kept.lo;
	paint.hi = c->kept.hi;
	paint.rows = one->rows;
	paint.cols = one->cols;
	paint.n_rows = one->n_rows;
	paint.n_cols = one->n_cols;
	view_heatmap(&one->d, one->matrix.at, &paint, c->a, p);
	p->heatmap.rows_shared = i > 0 && axis_same(&one->d.trace->query, &c->of[0].d.trace->query);
}

/* Returns why the difference is no picture: its cells are of other pairs, or every one is 0; NULL: it is one. */
static const char *no_difference(const struct comparison *c)
{
	const struct apart *const apart = &c->kept.apart[c->pair];
	if (c->kept.absent[c->pair])
		return c->kept.absent[c->pair];
	if (c->d->earlier || !is_zero(apart) || apart->most >= compare_rounding || apart->one > 0)
		return NULL;
	return arena_printf(
		c->a, "%d and %d are the same here: every cell of %d minus its like of %d is 0",
		pairs[c->pair][0], pairs[c->pair][1], pairs[c->pair][0], pairs[c->pair][1]);
}

/* Returns "1 − 2". */
static const char *numbers_minus(const struct comparison *c)
{
	return arena_printf(c->a, "%d − %d", pairs[c->pair][0], pairs[c->pair][1]);
}

/* Returns "t5 − rope"; with long names "1 − 2". */
static const char *minus(const struct comparison *c)
{
	enum { MOST = 12 };
	return text_width(c->first->name) <= MOST && text_width(c->second->name) <= MOST
		       ? arena_printf(c->a, "%s − %s", c->first->name, c->second->name)
		       : numbers_minus(c);
}

void compare_difference_panel(const struct comparison *c, struct panel *p)
{
	const char *head = view_short_layer(c->d, c->a), *far = distance(c, c->pair);
	const int x = pairs[c->pair][0], y = pairs[c->pair][1];
	const char *const matrix = c->first->matrix.name;
	const char *const of = strcmp(matrix, "mask") == 0 ? "masks" : matrix;
	*p = (struct panel){
		.kind = PANEL_HEATMAP,
		.name = "difference",
		.title = c->d->earlier ? arena_printf(c->a, "%d−%d difference of %s", x, y, of)
				       : arena_printf(c->a, "%s, difference of %s", minus(c), of),
		.brief_title = minus(c),
		.least_title = numbers_minus(c),
		.paper_title = arena_printf(c->a, "Difference %d − %d", x, y),
		.note = head,
		.spare = c->n == 2,
		.absent = no_difference(c)};
	p->lead = p->absent && c->n == 2; /* a line above the two */
	if (c->kept.absent[c->pair])
		return;
	p->note = view_beside(arena_printf(c->a, "distance %s", far), view_layer_note(c->d, c->a),
			      c->a);
	p->short_note = arena_printf(c->a, "distance %s", far);
	const struct apart *apart = &c->kept.apart[c->pair];
	const struct change change = compare_subtract(c);
	struct paint paint = {.masked = change.masked,
			      .is_signed = true,
			      .shared = true,
			      .limit = change.most >= compare_rounding ? change.most : 0,
			      .own = true,
			      .trace = c->first->d.trace,
			      .rows = c->first->rows,
			      .cols = c->first->cols};
	if (c->words[c->pair])
		compare_paint_words(c, &paint);
	view_heatmap(c->d, change.at, &paint, c->a, p);
	p->heatmap.rows_shared = !c->words[c->pair] &&
				 axis_same(&c->first->d.trace->query, &c->of[0].d.trace->query);
	p->heatmap.first = arena_printf(c->a, "%d", x);
	p->heatmap.second = arena_printf(c->a, "%d", y);
	const char *const alone = heatmap_one_sided(c->a, &p->heatmap, "\\\\", "//", false);
	p->subtitle =
		is_zero(apart) ? measure_words(c, c->pair)
		: alone	       ? alone
			       : arena_printf(c->a,
					      c->words[c->pair] ? "each pair of words: %d minus %d"
								: "the cells of %d minus those of %d",
					      x, y);
	if (is_zero(apart) && alone)
		p->subtitle = arena_printf(c->a, "%s; %s", p->subtitle, alone);
	if (compare_missing(c, c->pair))
		p->subtitle =
			arena_printf(c->a, "%s; %s", p->subtitle, compare_missing(c, c->pair));
}

/* Returns what position does to the weights, of an expression that stands beside itself without it. */
static const char *without_position_words(const struct comparison *c, bool brief)
{
	const struct apart *const apart = &c->kept.apart[c->pair];
	const char *const both = apart->one > 0 ? " (of those that both see)" : "";
	const char *const far = distance(c, c->pair);
	if (brief)
		return arena_printf(
			c->a,
			"Without position, on average %s of a query's weight goes to other keys.",
			far);
	return arena_printf(c->a,
			    "Without position, on average %s of a query's weight goes to other "
			    "keys%s; most, %s, for query %s.",
			    far, both, number(c, apart->most_of_row),
			    unit_of(c, &c->first->d.trace->query, apart->worst));
}

/* Returns what is to be seen, in one sentence, if `brief` in one line; NULL: a panel says that there is no
 * difference. */
const char *compare_finding(const struct comparison *c, bool brief)
{
	const struct apart *const apart = &c->kept.apart[c->pair];
	const struct trace *const trace = c->first->d.trace;
	const char *const names = minus(c), *const far = distance(c, c->pair);
	if (no_difference(c) || !isfinite(apart->distance))
		return NULL;
	switch ((enum matrix)c->d->scene->matrix) {
	case MATRIX_WEIGHTS:
		if (is_zero(apart) && apart->one == 0)
			return NULL;
		if (!is_zero(apart) && is_without_position(c))
			return without_position_words(c, brief);
		return is_zero(apart)
			       ? arena_printf(
					 c->a,
					 brief ? "%s: %zu pairs are seen by one alone, else the same shares."
					       : "%s: of the keys that both see, queries have the same "
						 "shares; %zu pairs are seen by one of the two alone.",
					 names, apart->one)
			       : arena_printf(
					 c->a,
					 "%s: in the mean %s of a query's weight goes to other keys%s%s",
					 names, far,
					 apart->one > 0 ? " (of those that both see)" : "",
					 brief ? "."
					       : arena_printf(
							 c->a,
							 "; most for query %s, %s of its whole row.",
							 unit_of(c, &trace->query, apart->worst),
							 number(c, apart->most_of_row)));
	case MATRIX_MASK:
		return arena_printf(c->a, "%s: %s of %zu are allowed by one of the two alone.",
				    names, far, trace->query.n * trace->key.n);
	case MATRIX_BIAS:
	case MATRIX_LOGITS:
	case MATRIX_COUNT:
		break;
	}
	return is_zero(apart)
		       ? arena_printf(c->a,
				      "%s: each row differs by a constant, so no weight changes.",
				      names)
		       : arena_printf(
				 c->a, "%s: %s differ by %s (rms, what softmax sees)%s.", names,
				 c->d->scene->matrix == MATRIX_BIAS ? "biases" : "logits", far,
				 brief ? ""
				       : arena_printf(c->a, ", most, %s, at %s",
						      number(c, apart->most), cell_name(c, apart)));
}

/* ---- the card -------------------------------------------------------------------------------- */

/* Adds "1:relative · 2:none" for all expressions, unless the value is the same for all. */
static void add_fact(const struct comparison *c, struct card *card, const char *key,
		     const char *const value[COMPARE_MAX], const char *note)
{
	struct strbuf b;
	bool differs = false;
	strbuf_init(&b, c->a);
	for (size_t i = 0; i < c->n; i++) {
		differs |= strcmp(value[i], value[0]) != 0;
		strbuf_printf(&b, "%s%zu:%s", i ? " · " : "", i + 1, value[i]);
	}
	if (differs)
		card_add(card, key, b.at, note);
}

/* Returns "relative", or what else the main scheme of an expression refers to. */
static const char *expr_reference(const struct expr *expr)
{
	const struct expr_member *const m = expr_main(expr);
	return reference_names[scheme_reference(m->scheme, m->param)];
}

static size_t learned_numbers(const struct one *one)
{
	const struct model *const m = &one->d.built->model;
	return model_position_parameters(m) - model_frozen_parameters(m);
}

static void add_facts(const struct comparison *c, struct card *card)
{
	const char *reference[COMPARE_MAX], *learned[COMPARE_MAX], *trained[COMPARE_MAX];
	for (size_t i = 0; i < c->n; i++) {
		const struct built *b = c->of[i].d.built;
		const double reach = c->d->compared[i].trained;
		reference[i] = expr_reference(&b->expr);
		learned[i] = arena_printf(c->a, "%zu", learned_numbers(&c->of[i]));
		trained[i] = !compare_mark_words(c, &c->d->compared[i]) ? "nothing to train"
			     : isfinite(reach)
				     ? arena_printf(c->a, "distance %s", compare_whole(c, reach))
				     : "every distance";
	}
	add_fact(c, card, "reference", reference, NULL);
	add_fact(c, card, "learned", learned, "numbers that are learned");
	add_fact(c, card, "trained", trained,
		 arena_printf(c->a, "how far texts of %ld tokens (t-max) train",
			      c->d->scene->setup.t_max));
}

/* Adds the distance of the shown pair, or those of the other pairs. */
static void add_pairs(const struct comparison *c, bool shown, struct card *card)
{
	for (size_t i = 0; i < PAIRS; i++) {
		const char *const absent = compare_has_pair(c, i) ? c->kept.absent[i] : NULL;
		if (!compare_has_pair(c, i) || (i == c->pair) != shown)
			continue;
		card_add(card, arena_printf(c->a, "distance %s", pair_name(c, i)), distance(c, i),
			 /* a line above two matrices says why */
			 absent	 ? (c->n > 2 ? absent : NULL)
			 : shown ? arena_printf(c->a, "%s%s", measure_words(c, i), most_words(c, i))
				 : NULL);
	}
}

double compare_outputs(const struct comparison *c, size_t pair)
{
	const struct one *const both[] = {&c->of[pairs[pair][0] - 1], &c->of[pairs[pair][1] - 1]};
	struct mat of[2];
	for (size_t i = 0; i < 2; i++) {
		const struct view_data *const d = &both[i]->d;
		of[i] = outputs_contexts(d->trace, view_layer(d), view_head(d),
					 d->built->model.config.heads, c->a);
	}
	return c->words[pair] || c->kept.absent[pair] || !of[0].at || !of[1].at
		       ? NAN
		       : outputs_apart(of[0], of[1]);
}

/* The weights may be the same and the outputs not: values have a term of their own. */
static void add_outputs(const struct comparison *c, struct card *card)
{
	const double apart = compare_outputs(c, c->pair);
	const bool same = apart < compare_rounding;
	const bool weights =
		c->d->scene->matrix == MATRIX_WEIGHTS && is_zero(&c->kept.apart[c->pair]);
	if (isnan(apart))
		return;
	card_add(
		card, "outputs", same ? "the same" : number(c, apart),
		same ? "what the head writes, Σ α v"
		: weights && !(c->kept.apart[c->pair].one > 0)
			? "relative difference of what is written: the values differ, not the weights"
			: "relative difference of what the head writes, Σ α v");
}

/* Two forms of one scheme may be the same model with its channels in another order, which no
 * matrix of this sentence shows. */
static void add_same(const struct comparison *c, struct card *card)
{
	const struct scheme *x = expr_main(&c->first->d.built->expr)->scheme;
	const struct scheme *y = expr_main(&c->second->d.built->expr)->scheme;
	if (x != y || c->d->built->keys.n > 0 || c->kept.absent[c->pair] ||
	    is_zero(&c->kept.apart[c->pair]) || c->words[c->pair] ||
	    strcmp(c->first->name, c->second->name) == 0)
		return;
	card_add(card, "same?", "posviz check --same",
		 arena_printf(c->a,
			      "tells whether %d and %d are one model but for the order of "
			      "channels",
			      pairs[c->pair][0], pairs[c->pair][1]));
}

/* Adds the values under the cursor. */
static void add_cell(const struct comparison *c, struct card *card)
{
	const struct scene *scene = c->d->scene;
	const struct trace *trace = c->d->trace;
	const size_t row = (size_t)scene->row - 1, col = (size_t)scene->col - 1;
	struct strbuf b;
	strbuf_init(&b, c->a);
	if (scene->row < 1 || scene->col < 1 || row >= trace->query.n || col >= trace->key.n)
		return;
	for (size_t i = 0; i < c->n; i++) {
		const struct one *one = &c->of[i];
		const size_t r = compare_row(c, one, row), s = compare_col(c, one, col);
		const uint8_t *allowed = one->matrix.paint.allowed;
		const char *value = one->matrix.absent		     ? "n/a"
				    : r == SIZE_MAX || s == SIZE_MAX ? "not there"
				    : allowed && !allowed[r * one->d.trace->key.n + s]
					    ? "masked"
					    : number(c, mat_row(one->matrix.at, r)[s]);
		strbuf_printf(&b, "%s%zu:%s", i ? " · " : "", i + 1, value);
	}
	card_add(card, "cell", b.at,
		 arena_printf(c->a, "%s → %s", view_unit_name(&trace->query, row, c->a),
			      view_unit_name(&trace->key, col, c->a)));
}

/* A file of parameters applies to the expressions whose parameters it contains; the others
 * silently use drawn numbers, so this line names them. */
static void add_params(const struct comparison *c, struct card *card)
{
	const char *unused =
		view_unused_params(&c->d->scene->setup, c->d->built, c->d->compared, c->n, c->a);
	if (unused)
		card_add(card, "params", arena_printf(c->a, "the file is not used by %s", unused),
			 "it has none of the parameters in the file");
}

/* Adds the facts that have no room elsewhere: why a curve ends, full names. */
static void add_names(const struct comparison *c, struct card *card)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->d->compared[i].ends)
			card_add(card, arena_printf(c->a, "curve %zu", i + 1),
				 arena_printf(c->a, "ends at %ld",
					      compare_ends_at(&c->d->compared[i])),
				 c->d->compared[i].ends);
	for (size_t i = 0; i < c->n; i++)
		if (c->d->compared[i].differs_far)
			card_add(card, arena_printf(c->a, "curve %zu", i + 1),
				 arena_printf(c->a, "of %ld positions",
					      c->d->compared[i].by_distance->hi + 1),
				 arena_printf(c->a,
					      "it depends on how many there are: not of these %zu",
					      c->of[i].d.trace->query.n));
	for (size_t i = 0; i < c->n; i++) {
		const char *const expression = expr_brief(c->d->compared[i].expression, c->a);
		if (text_width(expression) > HEAD_COLS)
			card_add(card, arena_printf(c->a, "expr %zu", i + 1), expression, NULL);
	}
}

/* Returns "weights 0.424 of at most 1, most for query cat; outputs 0.412"; NULL: there is more to be said. */
static const char *said(const struct comparison *c)
{
	const struct apart *const apart = &c->kept.apart[c->pair];
	const double outputs = compare_outputs(c, c->pair);
	if (c->n > 2 || compare_masks(c))
		return NULL;
	if (c->kept.absent[c->pair])
		return arena_printf(c->a, "positions: %s in 1, %s in 2; learned numbers: %zu, %zu",
				    expr_reference(&c->first->d.built->expr),
				    expr_reference(&c->second->d.built->expr),
				    learned_numbers(c->first), learned_numbers(c->second));
	if (c->d->scene->matrix != MATRIX_WEIGHTS || no_difference(c) || !isfinite(apart->distance))
		return NULL;
	return arena_printf(
		c->a, "weights %s of at most 1, most for query %s%s%s", distance(c, c->pair),
		unit_of(c, &c->first->d.trace->query, apart->worst),
		isnan(outputs) ? "" : "; outputs ", isnan(outputs) ? "" : number(c, outputs));
}

void compare_card_panel(const struct comparison *c, struct panel *p)
{
	*p = (struct panel){.title = "Differences", .paper_title = "What differs"};
	struct card *card = card_new(p, c->a);
	const char *const masks = compare_masks(c), *const colon =
							    masks ? strchr(masks, ':') : NULL;
	card->said = said(c);
	add_params(c, card);
	if (masks)
		card_add(card, "masks", arena_strndup(c->a, masks, (size_t)(colon - masks)),
			 colon + 2);
	compare_add_words(c, card);
	add_pairs(c, true, card);
	add_outputs(c, card);
	add_same(c, card);
	add_cell(c, card);
	add_pairs(c, false, card);
	add_facts(c, card);
	add_names(c, card);
	if (c->n == COMPARE_MAX)
		return;
	if (c->d->built->keys.n > 0) {
		card_add(card, "more", "compare EXPR",
			 "another matrix of as many queries and keys");
		card->n_spare = card->n_keys = 1;
		return;
	}
	card_add(card, "more", "compare EXPR; EXPR",
		 "V chooses the second, W has it with or without the mask, C pins one more");
	card_add(card, "inputs", "compare @ SENTENCE",
		 "I keeps the sentence that is shown, e edits it, p moves its words");
	card->n_spare = card->n_keys = 2;
}
