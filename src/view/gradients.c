/* gradients.c: the view Gradients: the change of one weight or logit with each number of the
 * position vectors, the units and the leaves, and the positions with the most influence. */
#include "gradients_in.h"

#include <math.h>
#include <string.h>

#include "posviz/base/fixed.h"
#include "posviz/base/num.h"
#include "posviz/base/text.h"

/* With more units the gradients are not checked by differences, because these need further runs. */
enum { PROVED = 256 };

static unsigned gradients_wants(const struct scene *scene)
{
	(void)scene;
	return WANT_WEIGHTS | WANT_MASK | WANT_POSITION | WANT_LOGITS | WANT_BIAS | WANT_KEPT |
	       WANT_RELATION;
}

static const void *gradients_keep(const struct view_data *d, struct arena *a)
{
	struct gradients_kept *const k = arena_calloc(a, 1, sizeof *k);
	const struct trace *const trace = d->trace;
	long row, col;
	view_first_cell(trace->query.n, trace->key.n, &row, &col);
	row = view_within(d->scene->row > 0 ? d->scene->row : row, trace->query.n);
	col = view_within(d->scene->col > 0 ? d->scene->col : col, trace->key.n);
	k->of = (struct gradients_of){.layer = view_layer(d),
				      .head = view_head(d),
				      .query = (size_t)row - 1,
				      .key = (size_t)col - 1,
				      .logit = d->scene->matrix == MATRIX_LOGITS,
				      .watch = d->watch};
	gradients_make(d->built, trace, &k->of, a, &k->g);
	k->unit = k->position = (struct slope){NAN, NAN};
	k->proved = !k->g.why && view_units(trace)->n <= PROVED;
	if (k->proved) {
		k->unit = gradients_slope_unit(d->built, trace, &k->of, &k->g, d->cache);
		k->position = gradients_slope_position(d->built, trace, &k->of, &k->g, d->cache);
	}
	k->of.watch = NULL;
	k->places = gradient_places(k, a);
	k->named = !k->g.why && k->g.n_leaves > 0 ? gradient_named(d, k, a) : NULL;
	return k;
}

/* ---- words ----------------------------------------------------------------------------------- */

static const char *digits(double value, struct arena *a)
{
	char text[32];
	if (isnan(value))
		return "–";
	num_show(text, sizeof text, fabs(value), 3);
	return arena_printf(a, "%s%s", value < 0 ? "−" : "", fabs(value) > 0 ? text : "0");
}

const char *gradient_sign(const struct gradients_kept *k)
{
	return k->of.logit ? "A" : "α";
}

const char *gradient_word(const struct gradients_kept *k)
{
	return k->of.logit ? "logit" : "weight";
}

const char *gradient_cell(const struct view_data *d, const struct gradients_kept *k,
			  struct arena *a)
{
	return arena_printf(a, "%s → %s", view_unit_name(&d->trace->query, k->of.query, a),
			    view_unit_name(&d->trace->key, k->of.key, a));
}

const struct gradient *gradient_shown(const struct gradients_kept *k)
{
	return k->g.position.why ? &k->g.unit : &k->g.position;
}

bool gradient_added(const struct gradients_kept *k)
{
	return !k->g.position.why;
}

bool gradient_equal(const struct gradients_kept *k)
{
	static const double rounding = 1e-9;
	return !k->g.why && !isnan(k->g.apart) &&
	       k->g.apart <= rounding * fmax(k->g.unit.norm, k->g.position.norm);
}

/* ---- positions ------------------------------------------------------------------------------- */

/* Return the unit of the query and of the key; SIZE_MAX: the keys are not the units. */
static size_t query_unit(const struct view_data *d, const struct gradients_kept *k)
{
	return k->of.query + d->trace->memory;
}

static size_t key_unit(const struct view_data *d, const struct gradients_kept *k)
{
	return d->trace->key.n == view_units(d->trace)->n ? k->of.key : SIZE_MAX;
}

/* Returns the part that a position has in the cell; NULL: none. */
static const char *part_of(const struct view_data *d, const struct gradients_kept *k, size_t i)
{
	const bool query = i == query_unit(d, k), key = i == key_unit(d, k);
	return query && key ? "both" : query ? "query" : key ? "key" : NULL;
}

/* Returns "query chased". */
static const char *place_words(const struct view_data *d, const struct gradients_kept *k, size_t i,
			       struct arena *a)
{
	const char *const name = view_unit_name(view_units(d->trace), i, a);
	const char *const part = part_of(d, k, i);
	return part ? arena_printf(a, "%s %s", part, name) : name;
}

/* Returns "chased, query", "cat, key". */
static const char *place_name(const struct view_data *d, const struct gradients_kept *k, size_t i,
			      struct arena *a)
{
	const char *const name = view_unit_name(view_units(d->trace), i, a);
	const char *const part = part_of(d, k, i);
	return part ? arena_printf(a, "%s, %s", name, part) : name;
}

const char *gradient_digits(double value, double most, struct arena *a)
{
	enum { MANY = 6 };
	const double places = most > 0 ? 2 - floor(log10(most)) : 2;
	const int decimals = places < 0 ? 0 : (int)fmin(places, MANY);
	return fixed_text(a, value, decimals, false);
}

/* Returns the subtitle of a panel about positions, with the note of those that are left out. */
static const char *places_words(const struct gradients_kept *k, const char *words, struct arena *a)
{
	return k->places.says ? arena_printf(a, "%s; %s", words, k->places.says) : words;
}

/* Returns the shown positions, the ones with the longest rows first: where there is no room for all
 * bars, these are seen. */
static const size_t *longest_first(const struct gradients_kept *k, struct arena *a)
{
	const double *const size = gradient_shown(k)->saliency;
	size_t *const out = arena_calloc(a, k->places.n + 1, sizeof *out);
	for (size_t i = 0; i < k->places.n; i++) {
		size_t at = i;
		for (; at > 0 && size[k->places.at[i]] > size[out[at - 1]]; at--)
			out[at] = out[at - 1];
		out[at] = k->places.at[i];
	}
	return out;
}

static const char *vector_sign(const struct gradients_kept *k)
{
	return gradient_added(k) ? "p" : "u";
}

/* Returns what bars of positions measure, in words and as a formula. */
static const char *unit_words(const struct gradients_kept *k, bool sizes, struct arena *a)
{
	const char *const of = gradient_sign(k), *const by = vector_sign(k);
	return sizes ? arena_printf(a, "change of the %s, |∂%s/∂%s|", gradient_word(k), of, by)
		     : arena_printf(a, "part of the %s, ∂%s/∂%s · %s", gradient_word(k), of, by,
				    by);
}

static struct bars draw_bars(const struct view_data *d, const struct gradients_kept *k,
			     const double *of, struct arena *a)
{
	const struct lines at = {.n = k->places.n, .at = longest_first(k, a)};
	const size_t key = key_unit(d, k), about = key != SIZE_MAX ? key : query_unit(d, k);
	const char **const labels = arena_calloc(a, at.n + 1, sizeof *labels);
	double *const values = arena_calloc(a, at.n + 1, sizeof *values);
	const char **const notes = arena_calloc(a, at.n + 1, sizeof *notes);
	bool *const kept = arena_calloc(a, at.n + 1, sizeof *kept);
	const char *const by = vector_sign(k);
	const bool sizes = of == gradient_shown(k)->saliency;
	double most = 0;
	for (size_t i = 0; i < at.n; i++)
		most = fmax(most, fabs(of[at.at[i]]));
	struct bars out = {
		.n = at.n,
		.labels = labels,
		.values = values,
		.notes = d->earlier ? NULL : notes,
		.unit = d->earlier ? "" : unit_words(k, sizes, a),
		.brief_unit = sizes ? arena_printf(a, "length of ∂%s/∂%s", gradient_sign(k), by)
				    : arena_printf(a, "∂%s/∂%s · %s", gradient_sign(k), by, by),
		.colormap = view_colormap(d, true),
		.kept = kept,
		.ranked = true,
		.sizes = sizes};
	for (size_t i = 0; i < at.n; i++) {
		labels[i] = place_name(d, k, at.at[i], a);
		values[i] = of[at.at[i]];
		notes[i] = gradient_digits(values[i], most, a);
		kept[i] = part_of(d, k, at.at[i]) != NULL;
		if (at.at[i] != about)
			continue;
		out.has_cursor = true;
		out.cursor = i;
	}
	return out;
}

static void places_panel(const struct view_data *d, const struct gradients_kept *k, bool input,
			 struct arena *a, struct panel *p)
{
	const struct gradient *const g = gradient_shown(k);
	const char *const what = gradient_added(k) ? "position vector" : "token vector";
	const char *const words =
		input ? arena_printf(a, "what the %s there gives the %s, to first order", what,
				     gradient_word(k))
		      : arena_printf(a, "how far the %s moves with the %s there: length of its row",
				     gradient_word(k), what);
	const bool known = !input || (g->input && !isnan(g->input[0]));
	*p = (struct panel){
		.kind = PANEL_BARS,
		.name = input ? "input" : "saliency",
		.title = input ? "Gradient × input" : "Saliency by position",
		.note = input	     ? arena_printf(a, "gradient · %s", what)
			: d->earlier ? "length of each gradient"
				     : "largest first",
		.short_note = input ? "in the same order" : "largest first",
		.subtitle = places_words(k, words, a),
		.absent = g->why  ? g->why
			  : known ? NULL
				  : "what is added differs from layer to layer, so there is "
				    "no one vector to multiply by"};
	if (!p->absent)
		p->bars = draw_bars(d, k, input ? g->input : g->saliency, a);
}

/* ---- the card -------------------------------------------------------------------------------- */

static void say_norm(const struct gradients_kept *k, const struct gradient *g, const char *key,
		     const char *what, struct arena *a, struct card *card)
{
	card_add(card, key, g->why ? "n/a" : digits(g->norm, a),
		 g->why ? g->why : arena_printf(a, "length of ∂%s/∂%s", gradient_sign(k), what));
}

static void say_place(const struct view_data *d, const struct gradients_kept *k, struct arena *a,
		      struct card *card)
{
	const struct gradient *const g = gradient_shown(k);
	size_t most = 0;
	for (size_t i = 0; i < g->at.rows; i++)
		most = g->saliency[i] > g->saliency[most] ? i : most;
	const double share = g->saliency[most] / g->norm;
	card_add(card, "most",
		 arena_printf(a, "%s, %.0f %%", place_words(d, k, most, a), 100 * share * share),
		 "of the squared length");
}

static double sum(const double *at, size_t n)
{
	double all = 0;
	for (size_t i = 0; i < n; i++)
		all += at[i];
	return all;
}

/* Adds the sums of gradient times vector over all units and over all position vectors. */
static void say_input(const struct gradients_kept *k, struct arena *a, struct card *card)
{
	const struct gradient *const p = &k->g.position, *const u = &k->g.unit;
	const char *const units = u->why ? "0" : digits(sum(u->input, u->at.rows), a);
	const char *const positions = p->why ? NULL : digits(sum(p->input, p->at.rows), a);
	card_add(card, "× input",
		 positions ? arena_printf(a, "token vectors %s, positions %s", units, positions)
			   : arena_printf(a, "token vectors %s", units),
		 "sums over positions");
}

static void say_theorem(const struct view_data *d, const struct gradients_kept *k, struct arena *a,
			struct card *card)
{
	const char *const apart = digits(k->g.apart, a);
	if (isnan(k->g.apart))
		card_add(card, "Theorem 2", "n/a",
			 gradient_added(k)
				 ? "positions and token vectors have no columns in common"
				 : "it is of position vectors that are added to the token vectors");
	else if (gradient_equal(k) && !gradients_theorem_says(d->built))
		card_add(
			card, "Theorem 2", arena_printf(a, "∂P = ∂U here, difference %s", apart),
			"of this cell; further on more is done with one of them, so of a loss they "
			"differ");
	else if (gradient_equal(k))
		card_add(
			card, "Theorem 2", arena_printf(a, "holds: ∂P = ∂U, difference %s", apart),
			"Chen et al. 2021: only the sum of both is read, so training moves the vector of "
			"a position as it moves the word there");
	else
		card_add(card, "Theorem 2", arena_printf(a, "∂P ≠ ∂U, difference %s", apart),
			 "more is done with them than adding each once");
}

/* Returns the difference of both slopes, relative to the gradient's length; 0 without a
 * gradient; NaN if there is no numeric slope because a word is recognised by its vector. */
static double slope_apart(const struct gradient *g, struct slope s)
{
	return g->why ? 0 : fabs(s.numeric - s.analytic) / g->norm;
}

static void say_proof(const struct gradients_kept *k, struct arena *a, struct card *card)
{
	static const double close = 1e-5,
			    rounding = 1e-8; /* smaller values depend on the machine */
	const double position = slope_apart(&k->g.position, k->position);
	const double unit = slope_apart(&k->g.unit, k->unit);
	const double most = isnan(unit) ? position : fmax(position, unit);
	if (!k->proved)
		card_add(card, "check", "n/a",
			 arena_printf(a, "none are taken of more than %d tokens", PROVED));
	else if (isnan(position) || (isnan(unit) && k->g.position.why))
		card_add(card, "check", "n/a",
			 "a word is told by its vector: with another it is another word");
	else
		card_add(card, "check",
			 arena_printf(a, "%s with the gradient to %s of its length",
				      most <= close ? "small steps agree"
						    : "small steps do not agree",
				      most < rounding ? "1e-8" : digits(most, a)),
			 "steps in a random direction, run anew");
}

static void say_cell(const struct view_data *d, const struct gradients_kept *k, struct arena *a,
		     struct card *card)
{
	card_add(card, "cell", gradient_cell(d, k, a), NULL);
	card_add(card, gradient_word(k), digits(k->g.value, a),
		 k->g.why ? k->g.why
			  : arena_printf(a, "query %zu, key %zu%s", k->of.query + 1, k->of.key + 1,
					 k->of.logit ? "; before softmax and mask" : ""));
}

/* Returns what one row has room for: "position vectors 0.06 · token vectors 0.06 · learned 0.04". */
static const char *said_norms(const struct gradients_kept *k, const struct gradient_leaf *leaf,
			      struct arena *a)
{
	const char *const positions =
		k->g.position.why
			? ""
			: arena_printf(a, "position vectors %s · ", digits(k->g.position.norm, a));
	const char *const units = k->g.unit.why ? "n/a" : digits(k->g.unit.norm, a);
	const char *const learned =
		leaf ? arena_printf(a, " · learned %s", digits(leaf->norm, a)) : "";
	return arena_printf(a, "%stoken vectors %s%s", positions, units, learned);
}

static void card_panel(const struct view_data *d, const struct gradients_kept *k, struct arena *a,
		       struct panel *p)
{
	*p = (struct panel){.name = "card", .title = "Gradient norms"};
	struct card *const card = card_new(p, a);
	if (k->g.why || d->earlier)
		say_cell(d, k, a, card);
	if (k->g.why)
		return;
	if (!isnan(k->g.apart))
		say_theorem(d, k, a, card);
	if (!k->g.position.why)
		say_norm(k, &k->g.position, "positions", "P", a, card);
	say_norm(k, &k->g.unit, "token vectors", "U", a, card);
	const struct gradient_leaf *const leaf = gradient_leaf(k);
	if (leaf)
		card_add(card, "learned", digits(leaf->norm, a),
			 arena_printf(a, "by %s%s", gradient_leaf_name(d, leaf, a),
				      k->g.n_leaves > 1 && leaf == k->g.leaves
					      ? ", the longest of what is learned"
					      : ""));
	if (!gradient_shown(k)->why)
		say_place(d, k, a, card);
	say_input(k, a, card);
	if (isnan(k->g.apart) && (gradient_added(k) || d->earlier))
		say_theorem(d, k, a, card);
	say_proof(k, a, card);
	if (!d->earlier) {
		say_cell(d, k, a, card);
		card->n_spare = 2;
		card->said = said_norms(k, leaf, a);
	}
}

/* Returns what the first matrix is of, if there are no position vectors; or that both gradients are
 * the same. */
static const char *what_else(const struct view_data *d, const struct gradients_kept *k,
			     struct arena *a)
{
	const struct gradient_leaf *const leaf = gradient_leaf(k);
	return gradient_equal(k) ? " By token vectors it is the same (Chen et al. 2021, Theorem 2)."
	       : gradient_added(k) ? ""
	       : !leaf		   ? " No position vectors are added: the view Vectors shows what "
				     "there is."
		       : arena_printf(a, " Learned %s: %s.", gradient_leaf_name(d, leaf, a),
				      gradient_leaf_words(leaf, a));
}

/* Returns what is to be seen: which positions have the most influence on the cell. */
static const char *finding(const struct view_data *d, const struct gradients_kept *k,
			   struct arena *a)
{
	const struct gradient *const g = gradient_shown(k);
	const char *const cell =
		arena_printf(a, "%s %s of %s (%s)", gradient_word(k), gradient_sign(k),
			     gradient_cell(d, k, a), digits(k->g.value, a));
	if (k->g.why || g->why)
		return arena_printf(a, "There is no gradient of the %s.", cell);
	size_t most = 0;
	for (size_t i = 0; i < g->at.rows; i++)
		most = g->saliency[i] > g->saliency[most] ? i : most;
	const double share = g->saliency[most] / g->norm;
	return arena_printf(
		a,
		"Gradient of the %s: + where a larger number raises it. %.0f %% of the squared gradient is by "
		"the %s of the %s.%s",
		cell, 100 * share * share, gradient_added(k) ? "position vector" : "token vector",
		place_words(d, k, most, a), what_else(d, k, a));
}

/* Adds the panels of positions and of units. If there is no gradient of positions, its room is for
 * that of the logits of the row. */
static void add_pictures(const struct view_data *d, const struct gradients_kept *k, struct arena *a,
			 struct figure *out)
{
	struct panel *const first = &out->panels[0], *const second = &out->panels[1];
	gradient_first_panel(d, k, a, first);
	gradient_units_panel(d, k, a, second);
	if (first->absent && !second->absent) {
		const struct panel positions = *first;
		*first = *second;
		*second = positions;
		if (!text_contains(d->scene->panel, "positions"))
			gradient_row_panel(d, k, a, second);
	}
	view_place(first, 0, 0, 2, 0);
	view_place(second, 1, 0, 2, second->absent || (gradient_equal(k) && !d->earlier) ? 4 : 3);
	out->n = 2;
}

/* If there is no gradient, the figure is a sentence with the reason, the matrices that there are,
 * and the card. */
static void figure_without(const struct view_data *d, const struct gradients_kept *k,
			   struct arena *a, struct figure *out)
{
	gradient_units_panel(d, k, a, &out->panels[0]);
	if (d->earlier)
		out->n = 1;
	else
		view_instead(d, a, out);
	card_panel(d, k, a, &out->panels[out->n]);
	view_place(&out->panels[out->n], 1, (unsigned char)(out->n - 1), 1, (unsigned char)out->n);
	out->panels[0].cols = (unsigned char)out->n;
	memset(out->col_weight, 1, out->n);
	out->row_weight[0] = 2;
	out->row_weight[1] = 9;
	out->n++;
}

/* On cells, panels with a row for each position and bars beside whole names come before more
 * panels. */
static void keep_whole(const struct gradients_kept *k, struct figure *out)
{
	enum { ROWS = 12, BOX_AND_HEAD = 6, COLS = 34 };
	out->least_rows = (unsigned char)(BOX_AND_HEAD + (k->places.n < ROWS ? k->places.n : ROWS));
	out->least_cols = COLS;
}

static void gradients_figure(const struct view_data *d, struct arena *a, struct figure *out)
{
	const struct gradients_kept *const k = d->kept;
	view_frame(d,
		   view_beside(arena_printf(a, "%s %s", gradient_word(k), gradient_cell(d, k, a)),
			       view_layer_note(d, a), a),
		   a, out);
	if (k->g.why) {
		figure_without(d, k, a, out);
		view_close(d, out);
		return;
	}
	out->finding = finding(d, k, a);
	add_pictures(d, k, a, out);
	/* Two panels of bars are equally wide. */
	const unsigned char wide = out->panels[0].kind == PANEL_BARS ? 2 : 1;
	places_panel(d, k, false, a, &out->panels[2]);
	view_place(&out->panels[2], 0, 2, wide, 1);
	card_panel(d, k, a, &out->panels[3]);
	view_place(&out->panels[3], 1, 2, wide, 2);
	places_panel(d, k, true, a, &out->panels[4]);
	view_place(&out->panels[4], 2, 0, 2, 5);
	out->n = 5;
	memcpy(out->col_weight, (unsigned char[]){4, 4, wide > 1 ? 4 : 6, 4}, 4);
	memcpy(out->row_weight, (unsigned char[]){4, 4, 5}, 3);
	keep_whole(k, out);
	view_close(d, out);
}

/* ---- numbers for dumps ----------------------------------------------------------------------- */

static void say_gradient(const struct gradients_kept *k, const struct gradient *g, const char *name,
			 const char *what, struct arena *a, struct numbers *out)
{
	const char *const why = k->g.why ? k->g.why : g->why;
	numbers_say(out, arena_printf(a, "gradients.%s.norm", name), why ? NAN : g->norm,
		    why ? arena_printf(a, "n/a: %s", why) : digits(g->norm, a),
		    arena_printf(a, "length of the gradient of the %s by the %s", gradient_word(k),
				 what));
	if (why)
		return;
	numbers_add(out, arena_printf(a, "gradients.%s", name), g->at);
	numbers_add(out, arena_printf(a, "gradients.saliency.%s", name),
		    mat_view(g->saliency, 1, g->at.rows));
	if (!isnan(g->input[0]))
		numbers_add(out, arena_printf(a, "gradients.input.%s", name),
			    mat_view(g->input, 1, g->at.rows));
}

static void gradients_numbers(const struct view_data *d, struct arena *a, struct numbers *out)
{
	const struct gradients_kept *const k = d->kept;
	const double cell[] = {(double)k->of.query + 1, (double)k->of.key + 1};
	numbers_add(out, "gradients.cell",
		    mat_view(memcpy(arena_alloc(a, sizeof cell), cell, sizeof cell), 1, 2));
	numbers_say(out, "gradients.value", k->g.value, digits(k->g.value, a),
		    arena_printf(a, "the %s %s", gradient_word(k), gradient_cell(d, k, a)));
	say_gradient(k, &k->g.position, "position", "position vectors", a, out);
	say_gradient(k, &k->g.unit, "unit", "token vectors", a, out);
	numbers_say(out, "gradients.apart", k->g.apart,
		    isnan(k->g.apart) ? "n/a: there is nothing to compare" : digits(k->g.apart, a),
		    "largest difference of both; 0 where Theorem 2 of Chen et al. 2021 holds");
	for (size_t i = 0; !k->g.why && i < k->g.n_leaves; i++)
		numbers_add(out, arena_printf(a, "gradients.leaf.%s", k->g.leaves[i].leaf->name),
			    k->g.leaves[i].at);
}

const struct view view_gradients = {"gradients",
				    "Gradients",
				    "What would change a weight or a logit?",
				    gradients_wants,
				    gradients_figure,
				    .keep = gradients_keep,
				    .numbers = gradients_numbers,
				    .reads_cursor = true,
				    .cell_numbers = true,
				    .slow = true,
				    .broad = true,
				    .of_units = true};
