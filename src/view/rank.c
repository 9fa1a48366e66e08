/* rank.c: the view Rank: the rank of the logits with positions and without, by the number of tokens
 * and by the width of a head; singular values of the logits, of their positional part, of the
 * weights and of every term; and upper bounds (Chen et al. 2021). */
#include <math.h>
#include <string.h>

#include "posviz/base/num.h"
#include "rank_in.h"

static unsigned rank_wants(const struct scene *scene)
{
	(void)scene;
	return WANT_TERMS | WANT_LOGITS | WANT_WEIGHTS | WANT_MASK | WANT_BIAS | WANT_POSITION;
}

/* ---- words ----------------------------------------------------------------------------------- */

/* Returns the tokens that are measured: "9 tokens and 39 drawn". */
static const char *tokens_note(const struct rank_kept *k, struct arena *a)
{
	return k->n > k->n_own ? arena_printf(a, "your %zu token%s and %zu random ones", k->n_own,
					      k->n_own == 1 ? "" : "s", k->n - k->n_own)
			       : arena_printf(a, "%zu token%s", k->n, k->n == 1 ? "" : "s");
}

/* Returns the rank of a matrix that is shown; 0: there is none. */
static size_t rank_of_row(const struct rank_kept *k, const char *name)
{
	const struct rank_row *const r = rank_row(&k->seen, name);
	return r && r->is.values ? r->is.numerical : 0;
}

/* Returns "16 = d_h", "12 (d_h = 16)". */
static const char *against_width(size_t rank, const struct rank_kept *k, struct arena *a)
{
	return arena_printf(a, rank == k->bounds.dk ? "%zu = d_h" : "%zu (d_h = %zu)", rank,
			    k->bounds.dk);
}

/* Returns what raises the rank of the logits above d_h, or why nothing does. */
static const char *finding_of_lift(const struct rank_kept *k, size_t logits, struct arena *a)
{
	const size_t content = rank_of_row(k, "term.unit–unit");
	const bool lifted = logits > k->bounds.dk, positions = rank_of_row(k, "position") > 0;
	const char *const of = k->bounds.segments ? "d_h + d_p + segments" : "d_h + d_p";
	const size_t most = rank_most(&k->bounds);
	const char *const sum = k->bounds.dp == 0 ? ""
				: logits == most  ? arena_printf(a, " = %s", of)
						 : arena_printf(a, " (at most %s = %zu)", of, most);
	if (lifted && content > 0 && !k->seen.positions)
		return arena_printf(
			a,
			"The logits of %zu tokens have rank %zu, the product of queries and keys %s: what "
			"changes each logit after that product, a factor or a cap, raises the rank, no "
			"term of positions.",
			k->n, logits, against_width(content, k, a));
	if (lifted && content > 0)
		return arena_printf(
			a,
			"The logits of %zu tokens have rank %zu%s with positions, and %s without: "
			"positions add a term of their own to the product of queries and keys, "
			"which has at most the rank of the head width d_h.",
			k->n, logits, sum, against_width(content, k, a));
	if (lifted)
		return arena_printf(a,
				    "The logits of %zu tokens have rank %zu, above d_h = %zu: they "
				    "are not only a product of queries and keys.",
				    k->n, logits, k->bounds.dk);
	if (!positions)
		return arena_printf(a,
				    "The logits of %zu tokens have rank %s, the bound of a head, "
				    "and nothing about positions is added to them.",
				    k->n, against_width(logits, k, a));
	return arena_printf(a,
			    "The logits of %zu tokens have rank %s with positions as without: "
			    "positions only change queries and keys, whose product has at most "
			    "the rank of the head width, d_h = %zu.",
			    k->n, against_width(logits, k, a), k->bounds.dk);
}

/* Returns the finding for no more tokens than a head is wide, whose number bounds the rank. */
static const char *finding_of_few(const struct rank_kept *k, size_t logits, struct arena *a)
{
	const char *const means =
		logits == k->n
			? "as high as it can be: no row of logits is a weighted sum of others"
			: "less than the number of tokens: some rows of logits are weighted sums of others";
	return arena_printf(
		a,
		"The logits of %zu tokens have rank %zu, %s. The bound of a head, d_h = "
		"%zu, would take more than %zu tokens to show%s%s.",
		k->n, logits, means, k->bounds.dk, k->bounds.dk, k->why ? "; none are added: " : "",
		k->why ? k->why : "");
}

/* Returns what is to be seen, or why the bound of a head is not. */
static const char *finding(const struct rank_kept *k, struct arena *a)
{
	const struct rank_row *const row = rank_row(&k->seen, "logits");
	const size_t weights = rank_of_row(k, "weights");
	if (!row && weights > 0)
		return arena_printf(a,
				    "There are no logits here: the weights of %zu tokens, of rank "
				    "%zu, are no product of queries and keys.",
				    k->n, weights);
	if (!row || !row->is.values)
		return arena_printf(a, "No rank can be told: %s.",
				    row && row->is.why ? row->is.why
						       : "there are neither logits nor weights");
	if (k->n <= k->bounds.dk)
		return finding_of_few(k, row->is.numerical, a);
	return finding_of_lift(k, row->is.numerical, a);
}

/* ---- panels ---------------------------------------------------------------------------------- */

/* Returns the singular values down to the numerical rank; smaller ones are rounding. */
static struct series series_of(const struct rank_row *r, size_t i, struct arena *a)
{
	double *const x = arena_calloc(a, r->is.n + 1, sizeof *x);
	double *const y = arena_calloc(a, r->is.n + 1, sizeof *y);
	for (size_t k = 0; k < r->is.n; k++) {
		const double value = r->is.values[k];
		x[k] = (double)(k + 1);
		y[k] = value > r->is.tolerance ? value : NAN;
	}
	return (struct series){.label = r->title,
			       .n = r->is.n,
			       .x = x,
			       .y = y,
			       .colour = i,
			       .active = strcmp(r->name, "logits") == 0};
}

/* Returns whether it is a term of the logits other than that of the content alone. */
static bool is_term_of_positions(const struct rank_row *r)
{
	static const char term[] = "term.";
	return strncmp(r->name, term, sizeof term - 1) == 0 && strcmp(r->title, "content") != 0;
}

static void spectrum_panel(const struct view_data *d, const struct rank_kept *k, struct arena *a,
			   struct panel *p)
{
	enum { MANY = 6 };
	const struct rank_rows *const rows = &k->seen;
	struct series *const series = arena_calloc(a, rows->n + 1, sizeof *series);
	struct curve_mark *const marks = arena_calloc(a, rows->n + 1, sizeof *marks);
	size_t n = 0, n_marks = 0;
	for (size_t i = 0; i < rows->n; i++) {
		const struct rank_row *const r = &rows->at[i];
		/* Of many curves, those of single terms lie on each other, and the table has them. */
		const bool one = rows->n > MANY && !d->earlier && is_term_of_positions(r);
		if (!r->is.values || !(r->is.values[0] > 0) || one)
			continue;
		if (r->bound > 0 && r->bound < r->is.n)
			marks[n_marks++] = (struct curve_mark){
				.x = (double)r->bound,
				.series = n,
				.label = arena_printf(a, "at most %zu", r->bound),
				.brief = arena_printf(a, "≤ %zu", r->bound)};
		series[n] = series_of(r, n, a);
		n++;
	}
	*p = (struct panel){.kind = PANEL_CURVES,
			    .name = "spectrum",
			    .title = "Singular values, log scale",
			    .brief_title = "Singular values",
			    .note = tokens_note(k, a),
			    .short_note = arena_printf(a, "%zu tokens", k->n),
			    .subtitle = "largest first; a line ends where the rank does: "
					"smaller ones are rounding",
			    .absent = n > 0 ? NULL
					    : "there are no singular values: no matrix here has a "
					      "value other than zero"};
	p->curves = (struct curves){.series = series,
				    .n = n,
				    .marks = marks,
				    .n_marks = n_marks,
				    .x_title = "number of the singular value",
				    .y_title = "",
				    .integer_x = true,
				    .row_title = "matrices",
				    .spread = CURVES_LOG,
				    .colormap = view_colormap(d, true)};
}

static const char *digits(double value, struct arena *a)
{
	char text[32];
	return isnan(value) ? "–" : arena_strdup(a, num_show(text, sizeof text, value, 3));
}

static const char *rank_text(const struct rank *r, struct arena *a)
{
	return r->values ? arena_printf(a, "%zu of %zu", r->numerical, r->n) : "–";
}

enum { COLS = 4 };

static void ranks_panel(const struct rank_kept *k, struct arena *a, struct panel *p)
{
	static const char *const head[COLS] = {"matrix", "rank", "stable", "effective"};
	static const bool right[COLS] = {false, true, true, true};
	static const unsigned char priority[COLS] = {0, 0, 1, 2};
	const char **const cells = arena_calloc(a, COLS * (k->seen.n + 1), sizeof *cells);
	for (size_t i = 0; i < k->seen.n; i++) {
		const struct rank_row *const r = &k->seen.at[i];
		const char **const row = cells + COLS * i;
		row[0] = r->bound ? arena_printf(a, "%s (at most %zu)", r->title, r->bound)
				  : r->title;
		row[1] = rank_text(&r->is, a);
		row[2] = r->is.why ? r->is.why : digits(r->is.stable, a);
		row[3] = r->is.why ? "" : digits(r->is.effective, a);
	}
	*p = (struct panel){
		.kind = PANEL_TABLE,
		.name = "ranks",
		.title = "Ranks",
		.note = tokens_note(k, a),
		.short_note = arena_printf(a, "%zu tokens", k->n),
		.subtitle = "rank: singular values σ above σ₁·max(m, n)·2⁻⁵²; at most: by the "
			    "widths; stable: ‖A‖²/σ₁²; effective: exp of the entropy of σ/Σσ",
		.absent = k->seen.n > 0 ? NULL : "there is no matrix to decompose",
		.table = {
			.rows = k->seen.n,
			.cols = COLS,
			.head = head,
			.cells = cells,
			.right = right,
			.priority = priority,
			.legend =
				"rank: number of singular values that are not rounding, of all; "
				"at most: by the widths of heads and positions; stable: ‖A‖²/σ₁²; "
				"effective: exp of the entropy of σ/Σσ",
			.from_top = true}};
}

/* Adds a curve that has more than one value. */
static void add_swept(const struct rank_swept *s, const double *y, const char *label,
		      const char *brief, size_t colour, struct curves *c, struct series *series)
{
	size_t there = 0;
	for (size_t i = 0; i < s->n; i++)
		there += !isnan(y[i]);
	if (there > 1)
		series[c->n++] = (struct series){.label = label,
						 .brief = brief,
						 .n = s->n,
						 .x = s->x,
						 .y = y,
						 .colour = colour};
}

/* Adds the bounds as horizontal lines if they are the same for every x. */
static void add_levels(const struct rank_kept *k, struct arena *a, struct curves *c)
{
	struct curve_level *const levels = arena_calloc(a, 2, sizeof *levels);
	const size_t most = rank_most(&k->bounds);
	if (k->bounds.dk < k->n)
		levels[c->n_levels++] = (struct curve_level){
			.y = (double)k->bounds.dk,
			.label = arena_printf(a, "head width d_h = %zu", k->bounds.dk),
			.brief = arena_printf(a, "d_h %zu", k->bounds.dk)};
	if (k->bounds.dp > 0 && most < k->n)
		levels[c->n_levels++] = (struct curve_level){
			.y = (double)most,
			.label = arena_printf(a, "bound d_h + d_p = %zu", most),
			.brief = "d_h + d_p"};
	c->levels = levels;
}

static void grown_panel(const struct view_data *d, const struct rank_kept *k, struct arena *a,
			struct panel *p)
{
	const struct rank_swept *const s = &k->grown;
	struct series *const series = arena_calloc(a, 2, sizeof *series);
	*p = (struct panel){.kind = PANEL_CURVES,
			    .name = "tokens",
			    .title = s->title,
			    .note = tokens_note(k, a),
			    .short_note = arena_printf(a, "%zu tokens", k->n),
			    .subtitle = "rank of the logits of the first n tokens, with "
					"positions and without",
			    .absent = rank_row(&k->seen, "logits")
					      ? NULL
					      : "there are no logits, and so no bound of their "
						"rank"};
	p->curves = (struct curves){.series = series,
				    .x_title = s->x_title,
				    .y_title = "rank",
				    .integer_x = true,
				    .together = true,
				    .row_title = "logits",
				    .colormap = view_colormap(d, true)};
	add_swept(s, s->logits, "with positions", "with", 0, &p->curves, series);
	add_swept(s, s->content, "without positions", "without", 2, &p->curves, series);
	add_levels(k, a, &p->curves);
	if (p->curves.n > 0)
		series[0].active = true;
	else if (!p->absent)
		p->absent = "one token has one rank";
}

/* Returns false if there are no two widths: the panel is then left out. */
static bool sweep_panel(const struct view_data *d, const struct rank_kept *k,
			const struct rank_swept *s, struct arena *a, struct panel *p)
{
	struct series *const series = arena_calloc(a, 5, sizeof *series);
	*p = (struct panel){
		.kind = PANEL_CURVES,
		.name = "sweep",
		.title = s->title,
		.note = "layer 1, head 1",
		.subtitle = arena_printf(a,
					 "numerical rank of %zu tokens, evaluated anew at each "
					 "width",
					 k->n)};
	p->curves = (struct curves){.series = series,
				    .x_title = s->x_title,
				    .y_title = "rank",
				    .integer_x = true,
				    .log_x = true,
				    .together = true,
				    .row_title = "matrices",
				    .colormap = view_colormap(d, true)};
	add_swept(s, s->logits, "with positions", "with", 0, &p->curves, series);
	add_swept(s, s->content, "without positions", "without", 2, &p->curves, series);
	const bool sum = s->n > 0 && !isnan(s->high[0]);
	const double *const bound = sum ? s->high : s->low;
	bool capped = false;
	for (size_t i = 0; i < s->n; i++)
		capped |= bound[i] >= (double)k->n;
	static const char *const names[2][2] = {{"bound d_h", "bound min(n, d_h)"},
						{"bound d_h + d_p", "bound min(n, d_h + d_p)"}};
	add_swept(s, bound, names[sum][capped && !d->earlier], "bound", 3, &p->curves, series);
	if (p->curves.n == 0)
		return false;
	series[0].active = true;
	return true;
}

static void say_rank(const struct rank_kept *k, const char *name, const char *key, const char *note,
		     struct arena *a, struct card *card)
{
	const struct rank_row *const r = rank_row(&k->seen, name);
	if (r)
		card_add(card, key, r->is.why ? "n/a" : rank_text(&r->is, a),
			 r->is.why ? r->is.why : note);
}

static void card_panel(const struct rank_kept *k, struct arena *a, struct panel *p)
{
	*p = (struct panel){
		.name = "card", .title = "Bounds of the rank", .paper_title = "Bounds of the rank"};
	struct card *const card = card_new(p, a);
	const struct rank_row *const first = k->seen.n > 0 ? &k->seen.at[0] : NULL;
	const char *const part = first ? sample_show(&first->is.sample, a) : NULL;
	card->about =
		"A head of width d_h gives content logits of rank d_h at most, however long the "
		"sentence is. What is added from elsewhere lifts that, and softmax ends it.";
	say_rank(k, "term.unit–unit", "content",
		 arena_printf(a, "queries times keys: at most d_h = %zu", k->bounds.dk), a, card);
	say_rank(k, "position", "position",
		 k->bounds.dp ? arena_printf(a, "P_Q·P_Kᵀ: at most d_p = %zu%s", k->bounds.dp,
					     k->bounds.segments
						     ? arena_printf(a, ", and %zu for segments",
								    k->bounds.segments)
						     : "")
			      : "what the logits have beside it",
		 a, card);
	say_rank(k, "logits", "logits",
		 k->bounds.dp ? arena_printf(a, "at most d_h + d_p%s = %zu",
					     k->bounds.segments ? " + segments" : "",
					     rank_most(&k->bounds))
			      : "before softmax, masked pairs with them",
		 a, card);
	say_rank(k, "weights", "weights", "behind softmax, 0 where masked", a, card);
	card_add(card, "tokens", arena_printf(a, "%zu", k->n),
		 k->n > k->n_own
			 ? arena_printf(a, "yours and %zu drawn: %zu cannot have a higher rank",
					k->n - k->n_own, k->n_own)
			 : k->why);
	if (!isnan(k->seen.entropy))
		card_add(card, "entropy", arena_printf(a, "%.2f nats", k->seen.entropy),
			 arena_printf(a, "of the rows of the weights, mean; ln n = %.2f",
				      log((double)k->n)));
	if (first && first->is.values)
		card_add(card, "tolerance", digits(first->is.tolerance, a),
			 arena_printf(a,
				      "of the logits; with numbers of single precision their rank "
				      "is %zu",
				      first->is.single));
	if (part)
		card_add(card, "part", part, "and the columns of the same numbers");
}

static void rank_figure(const struct view_data *d, struct arena *a, struct figure *out)
{
	const struct rank_kept *const k = d->kept;
	size_t n = 0;
	view_frame(d, view_layer_note(d, a), a, out);
	out->finding = finding(k, a);
	/* Few large plots are better than many small ones. */
	out->least_rows = 11;
	out->least_cols = 52;
	out->names_hidden = true;
	struct panel by_heads, by_dims;
	const bool heads = sweep_panel(d, k, &k->heads, a, &by_heads);
	const bool dims = k->dims.n > 1 && sweep_panel(d, k, &k->dims, a, &by_dims);
	grown_panel(d, k, a, &out->panels[n]);
	view_place(&out->panels[n++], 0, 0, dims ? 1 : 2, 0);
	ranks_panel(k, a, &out->panels[n]);
	view_place(&out->panels[n++], 0, 2, 1, 2);
	if (heads) {
		out->panels[n] = by_heads;
		view_place(&out->panels[n++], 1, 0, 1, 1);
	}
	spectrum_panel(d, k, a, &out->panels[n]);
	if (dims)
		view_place(&out->panels[n++], 0, 1, 1, 3);
	else
		view_place(&out->panels[n++], 1, heads, heads ? 1 : 2, heads ? 3 : 1);
	card_panel(k, a, &out->panels[n]);
	view_place(&out->panels[n++], 1, 2, 1, 4);
	if (dims) {
		out->panels[n] = by_dims;
		view_place(&out->panels[n++], 1, heads, heads ? 1 : 2, 5);
	}
	out->n = n;
	memcpy(out->col_weight, (unsigned char[]){5, 5, 6}, 3);
	memcpy(out->row_weight, (unsigned char[]){1, 1}, 2);
	view_close(d, out);
}

/* ---- numbers for dumps ----------------------------------------------------------------------- */

static void rank_numbers(const struct view_data *d, struct arena *a, struct numbers *out)
{
	const struct rank_kept *const k = d->kept;
	for (size_t i = 0; i < k->own.n; i++) {
		const struct rank_row *const r = &k->own.at[i];
		const char *const why = r->is.why ? arena_printf(a, "n/a: %s", r->is.why) : NULL;
		numbers_say(out, arena_printf(a, "rank.%s.numerical", r->name),
			    r->is.values ? (double)r->is.numerical : NAN,
			    why ? why : rank_text(&r->is, a),
			    r->bound
				    ? arena_printf(a, "singular values above rounding; at most %zu",
						   r->bound)
				    : "singular values above rounding");
		numbers_say(out, arena_printf(a, "rank.%s.stable", r->name), r->is.stable,
			    why ? why : digits(r->is.stable, a), "‖A‖²/σ₁²");
		numbers_say(out, arena_printf(a, "rank.%s.effective", r->name), r->is.effective,
			    why ? why : digits(r->is.effective, a), "exp of the entropy of σ/Σσ");
		if (r->is.values)
			numbers_add(out, arena_printf(a, "rank.%s.values", r->name),
				    mat_view(r->is.values, 1, r->is.n));
	}
}

const struct view view_rank = {"rank",
			       "Rank",
			       "How many directions do the matrices have?",
			       rank_wants,
			       rank_figure,
			       .keep = rank_keep,
			       .numbers = rank_numbers};
