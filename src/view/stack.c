/* stack.c: the view Stack: the layers of a model by their positions. Which keys a query sees in each
 * layer, how it rotates, and how far back a token can know of others. */
#include <math.h>
#include <string.h>

#include "stack_in.h"

static unsigned stack_wants(const struct scene *scene)
{
	(void)scene;
	return 0;
}

/* The text is at least as long as those that the model was trained on, and as the scene's. */
static const void *stack_keep(const struct view_data *d, struct arena *a)
{
	struct stack_kept *const k = arena_calloc(a, 1, sizeof *k);
	const size_t trained = d->built->model.config.t_max, here = d->built->written.n;
	stack_of(d->built, here > trained ? here : trained, a, &k->s);
	stack_say(d->built, a, k);
	stack_find_rows(d->built, a, k);
	stack_find_turns(d->built, a, k);
	return k;
}

/* Returns a distance in at most five columns: "−131k" is −131072. */
static const char *brief_distance(double distance, struct arena *a)
{
	enum { LONG = 10000, KILO = 1000, MEGA = 1000000 };
	const char *const sign = distance < 0 ? "−" : distance > 0 ? "+" : "";
	const double size = fabs(distance);
	return size < LONG   ? arena_printf(a, "%s%.0f", sign, size)
	       : size < MEGA ? arena_printf(a, "%s%.0fk", sign, floor(size / KILO))
			     : arena_printf(a, "%s%.0fM", sign, floor(size / MEGA));
}

/* ---- the table of layers --------------------------------------------------------------------- */

/* Returns whether members differ from layer to layer that are neither masks nor rotations. */
static bool others_differ(const struct stack_kept *k)
{
	for (size_t i = 0; i < k->s.n_kinds && k->s.n_kinds > 1; i++)
		if (*k->words[i].others)
			return true;
	return false;
}

/* Returns what the columns mean, what acts in all layers, and what is left out. */
static const char *table_notes(const struct stack_kept *k, struct arena *a)
{
	const char *all =
		!k->by_kind && k->grows
			? arena_printf(a,
				       "knows of: the tokens whose vectors have come to the "
				       "last of %zu by then",
				       k->s.tokens)
			: "";
	if (*k->all)
		all = arena_printf(a, "%s%sin every layer also %s", all, *all ? "; " : "", k->all);
	if (k->s.left_out)
		all = arena_printf(
			a, "%s%sthe mask of %s depends on more than positions and is not shown",
			all, *all ? "; " : "", k->s.left_out->name);
	return *all ? all : NULL;
}

/* Marks the rows of the rarer kinds. */
static const bool *rare_rows(const struct stack_kept *k, struct arena *a)
{
	bool *const marked = arena_calloc(a, k->n_rows + 1, sizeof *marked);
	size_t most = 0;
	for (size_t i = 0; i < k->s.n_kinds; i++)
		if (k->s.kinds[i].n_layers > k->s.kinds[most].n_layers)
			most = i;
	for (size_t i = 0; i < k->n_rows; i++)
		marked[i] = k->s.kind[k->rows[i].layer] != most;
	return marked;
}

enum { TABLE_COLS = 6 };

/* Fills a row of the table with the columns that are shown; returns their number. */
static size_t fill_row(const char *const all[TABLE_COLS], const bool shown[TABLE_COLS],
		       const char **out)
{
	size_t n = 0;
	for (size_t i = 0; i < TABLE_COLS; i++)
		if (shown[i])
			out[n++] = all[i];
	return n;
}

/* Ranks the columns after the names of layers for a table that lacks room: those that are the same in all rows go
 * first; the keys that are seen, and what is known of, whose numbers the finding tells, go last. */
static void rank_columns(const struct table *t, unsigned char *priority)
{
	enum { ALIKE = TABLE_COLS };
	for (size_t c = 1; c < t->cols; c++) {
		bool alike = t->rows > 1;
		for (size_t i = 1; i < t->rows; i++)
			alike &= strcmp(t->cells[c], t->cells[i * t->cols + c]) == 0;
		const bool sees = strcmp(t->head[c], "sees") == 0,
			   knows = strcmp(t->head[c], "knows of") == 0;
		priority[c] = (unsigned char)((sees ? 0 : knows ? 1 : c) + alike * ALIKE);
	}
}

static void table_panel(const struct stack_kept *k, struct arena *a, struct panel *p)
{
	enum { ENOUGH = 6 };
	const bool knows = !k->by_kind && k->grows;
	static const char *const heads[TABLE_COLS] = {"layers",	   "sees",     "rotation",
						      "slower by", "knows of", "other rules"};
	const bool shown[TABLE_COLS] = {true, true, k->rotates, k->scales, knows, others_differ(k)};
	const char **const head = arena_calloc(a, TABLE_COLS, sizeof *head);
	unsigned char *const priority = arena_calloc(a, TABLE_COLS, sizeof *priority);
	const char **const cells = arena_calloc(a, TABLE_COLS * (k->n_rows + 1), sizeof *cells);
	const size_t n = fill_row(heads, shown, head);
	for (size_t i = 0; i < k->n_rows; i++) {
		const struct stack_row *const r = &k->rows[i];
		const struct stack_words *const w = &k->words[k->s.kind[r->layer]];
		fill_row((const char *[TABLE_COLS]){r->name, w->briefly, w->rotation, w->slower,
						    r->known, w->others},
			 shown, cells + n * i);
	}
	*p = (struct panel){.kind = PANEL_TABLE,
			    .name = "layers",
			    .title = "What acts in each layer",
			    .brief_title = "Layers",
			    .subtitle = table_notes(k, a),
			    .table = {.rows = k->n_rows,
				      .cols = n,
				      .head = head,
				      .cells = cells,
				      .priority = priority,
				      .marked = rare_rows(k, a),
				      .legend = table_notes(k, a),
				      .enough = k->n_rows < ENOUGH ? k->n_rows : ENOUGH,
				      .from_top = true}};
	rank_columns(&p->table, priority);
}

/* ---- the card of a stack of one kind --------------------------------------------------------- */

static void card_panel(const struct stack_kept *k, struct arena *a, struct panel *p)
{
	const struct stack *const s = &k->s;
	const struct stack_words *const w = &k->words[0];
	*p = (struct panel){.name = "card",
			    .title = s->layers == 1 ? "What acts in the layer"
						    : "What acts in each layer",
			    .brief_title = "Each layer"};
	struct card *const card = card_new(p, a);
	card->about =
		"A mask decides which keys a query sees. What a token saw in one layer is in its "
		"vector, which later layers see: so it can know of more with each layer.";
	card_add(card, "a token sees", w->sees, NULL);
	if (k->rotates)
		card_add(card, "rotation", w->rotation,
			 *w->slower ? arena_printf(a, "%s slower than before scaling", w->slower)
				    : NULL);
	if (*w->others)
		card_add(card, k->rotates ? "also" : "positions", w->others, NULL);
	if (!k->sees_all)
		card_add(card, "it knows of",
			 arena_printf(
				 a, "%s of %zu tokens after the last layer, at the end of the text",
				 stack_known(s, s->layers, a), s->tokens),
			 NULL);
	if (s->left_out)
		card_add(card, "left out", s->left_out->name,
			 "its mask depends on more than positions, and is not drawn here");
}

/* ---- pictures -------------------------------------------------------------------------------- */

static void paint_shares(const struct view_data *d, struct mat m, struct arena *a, struct panel *p)
{
	const struct paint paint = {.ranged = true, .lo = 0, .hi = 1, .own = true};
	view_heatmap(d, m, &paint, a, p);
	p->heatmap.ruler = p->heatmap.linear = p->heatmap.plain = p->heatmap.broad = true;
	p->heatmap.no_means = p->heatmap.no_cursor = p->heatmap.no_digits = true;
}

/* Draws which keys are seen by distance, a row for each row of the table. */
static void seen_panel(const struct view_data *d, const struct stack_kept *k, struct arena *a,
		       struct panel *p)
{
	const struct stack *const s = &k->s;
	const char **const rows = arena_calloc(a, k->n_rows + 1, sizeof *rows);
	const char **const cols = arena_calloc(a, s->n_distances, sizeof *cols);
	const struct mat m = mat_new(a, k->n_rows, s->n_distances);
	*p = (struct panel){
		.kind = PANEL_HEATMAP,
		.name = "seen",
		.title = "Which keys are seen, by distance",
		.brief_title = "Keys seen, by distance",
		.note = arena_printf(a, "text of %zu tokens", s->tokens),
		.subtitle = "share of the queries that see the key at this distance; distances are "
			    "not evenly spaced: each is twice the one before it"};
	for (size_t i = 0; i < s->n_distances; i++)
		cols[i] = brief_distance(s->distance[i], a);
	for (size_t i = 0; i < k->n_rows; i++) {
		mat_set(mat_rows(m, i, 1), mat_rows(s->seen, k->rows[i].layer, 1));
		rows[i] = k->rows[i].name;
	}
	paint_shares(d, m, a, p);
	p->heatmap.row_labels = rows;
	p->heatmap.col_labels = cols;
	p->heatmap.row_title = "layers";
	p->heatmap.col_title = "distance, key minus query; each step doubles it";
	p->heatmap.ends[0] = "no query";
	p->heatmap.ends[1] = "all";
	if (k->sees_all)
		p->heatmap.uniform = arena_printf(a, "Every layer: %s.", k->words[0].sees);
}

static const char *ordinal(size_t n)
{
	const size_t last = n / 10 % 10 == 1 ? 0 : n % 10;
	return last == 1 ? "st" : last == 2 ? "nd" : last == 3 ? "rd" : "th";
}

/* Draws which keys each query sees, in all layers or those of a kind. */
static void square_panel(const struct view_data *d, const struct stack_kept *k, size_t i,
			 struct arena *a, struct panel *p)
{
	const struct stack_square *const q = &k->squares[i];
	const struct stack_words *const w = &k->words[k->s.kind[q->layer]];
	const bool one = k->n_squares == 1;
	*p = (struct panel){
		.kind = PANEL_HEATMAP,
		.name = "pairs",
		.title = one ? "Which keys each query sees"
			     : arena_printf(a, "Layers %s: %s", q->layers, w->briefly),
		.brief_title = one ? "Keys of each query" : arena_printf(a, "Layers %s", q->layers),
		.note = arena_printf(a, "the first %zu tokens", q->tokens),
		.short_note = arena_printf(a, "%zu tokens", q->tokens),
		.subtitle = q->step > 1 ? arena_printf(a,
						       "a row for every %zu%s query, a column for "
						       "every %zu%s key, by their positions",
						       q->step, ordinal(q->step), q->step,
						       ordinal(q->step))
					: "a row for each query, a column for each key, by their "
					  "positions"};
	paint_shares(d, q->seen, a, p);
	p->heatmap.broad = p->heatmap.ruler = false;
	/* Every token has the number of its row. */
	p->heatmap.row_labels = p->heatmap.col_labels = q->step > 1 ? q->at : NULL;
	p->heatmap.row_title = "query";
	p->heatmap.col_title = "key";
	p->heatmap.ends[0] = "not seen";
	p->heatmap.ends[1] = "seen";
	double value;
	if (heatmap_is_uniform(&p->heatmap, &value))
		p->heatmap.uniform = "Every query sees every key.";
}

/* Returns the layers that the curve has points for, up to the one after which all is known: each, or
 * some of many. */
static size_t points_of(const struct stack *s, double *at)
{
	enum { MOST = 12 };
	size_t last = 1, n = 0;
	while (last < s->layers && s->back[last] < s->back[s->layers])
		last++;
	const size_t step = (last + MOST - 1) / MOST;
	for (size_t l = last % step; l <= last; l += step)
		if (n > 0 || l == 0)
			at[n++] = (double)l;
		else
			at[n++] = 0, at[n++] = (double)l;
	return n;
}

static void back_panel(const struct stack *s, struct arena *a, struct panel *p)
{
	static const double wide = 20; /* with a greater range small values would lie on the axis */
	struct series *const series = arena_calloc(a, 1, sizeof *series);
	double *const x = arena_calloc(a, s->layers + 2, sizeof *x);
	const size_t n = points_of(s, x);
	double *const y = arena_calloc(a, n, sizeof *y);
	struct curve_place *const places = arena_calloc(a, n, sizeof *places);
	for (size_t i = 0; i < n; i++) {
		y[i] = s->back[(size_t)x[i]] + 1;
		places[i] = (struct curve_place){x[i], arena_printf(a, "%.0f", x[i])};
	}
	*series = (struct series){.label = "tokens", .n = n, .x = x, .y = y, .active = true};
	*p = (struct panel){.kind = PANEL_CURVES,
			    .name = "known",
			    .title = "Tokens that the last one can know of, after each layer",
			    .brief_title = "Tokens known of, by layer",
			    .note = arena_printf(a, "text of %zu tokens", s->tokens),
			    .short_note = arena_printf(a, "of %zu", s->tokens),
			    .subtitle =
				    "itself and those before it, whose vectors came to it through "
				    "this many layers; 0: the input"};
	p->curves = (struct curves){.series = series,
				    .n = 1,
				    .places = places,
				    .n_places = n,
				    .x_title = "",
				    .y_title = "tokens",
				    .integer_x = true,
				    .spread = y[n - 1] > wide ? CURVES_LOG : CURVES_LINEAR};
}

/* ---- the figure ------------------------------------------------------------------------------ */

enum { LEAST_COLS = 34 }; /* of a panel that has the words of several columns */

/* Places the table above a picture of one colour, which is small: it says no more than the words. */
static void arrange_uniform(const struct view_data *d, const struct stack_kept *k, struct arena *a,
			    struct figure *out)
{
	table_panel(k, a, &out->panels[0]);
	square_panel(d, k, 0, a, &out->panels[1]);
	view_place(&out->panels[0], 0, 0, 1, 0);
	view_place(&out->panels[1], 1, 0, 1, 1);
	out->n = 2;
	out->by_grid = true;
	out->col_weight[0] = 1;
	memcpy(out->row_weight, (unsigned char[]){1, 3}, 2);
}

/* Returns whether the mask is told completely by words, so that the rotation is worth more. */
static bool turns_say_more(const struct view_data *d, const struct stack_kept *k)
{
	return k->sees_alike && !k->grows && k->n_turns > 0 && !d->earlier;
}

/* Places what acts in the layers and the mask above the curves of their rotations. A mask that hides nothing has no
 * picture; and what all layers have in common needs fewer rows than the curves. */
static void arrange_turns(const struct view_data *d, const struct stack_kept *k, struct arena *a,
			  struct figure *out)
{
	const bool alike = k->s.n_kinds == 1;
	/* The first panel is that which is chosen at first, and shown in any case. */
	struct panel *const words = &out->panels[alike], *const curves = &out->panels[!alike];
	out->by_grid = true;
	out->least_cols = LEAST_COLS;
	(alike ? card_panel : table_panel)(k, a, words);
	stack_turn_panel(k, a, curves);
	square_panel(d, k, 0, a, &out->panels[2]);
	const bool mask = !out->panels[2].heatmap.uniform;
	view_place(words, 0, 0, 1, alike);
	view_place(curves, 1, 0, 1 + mask, !alike);
	view_place(&out->panels[2], 0, 1, 1, 2);
	out->n = 2 + mask;
	memcpy(out->col_weight, (unsigned char[]){1, mask}, 2);
	memcpy(out->row_weight, (unsigned char[]){1 + mask, alike ? 3 : 2}, 2);
}

/* Places the card beside the one picture, with the curve below it. */
static void arrange_alike(const struct view_data *d, const struct stack_kept *k, struct arena *a,
			  struct figure *out)
{
	square_panel(d, k, 0, a, &out->panels[0]);
	if (out->panels[0].heatmap.uniform && !k->grows && !d->earlier) {
		arrange_uniform(d, k, a, out);
		return;
	}
	card_panel(k, a, &out->panels[1]);
	view_place(&out->panels[0], 0, 0, 1, 0);
	view_place(&out->panels[1], 0, 1, 1, 1);
	out->n = 2;
	memcpy(out->col_weight, (unsigned char[]){3, 2}, 2);
	memcpy(out->row_weight, (unsigned char[]){1, k->grows}, 2);
	if (!k->grows)
		return;
	back_panel(&k->s, a, &out->panels[2]);
	view_place(&out->panels[2], 1, 1, 1, 2);
	out->panels[0].rows = 2;
	out->n = 3;
}

/* Places the table before the picture of its layers, with the curve below both. */
static void arrange_layers(const struct view_data *d, const struct stack_kept *k, struct arena *a,
			   struct figure *out)
{
	out->by_grid = true;
	out->least_cols = LEAST_COLS;
	table_panel(k, a, &out->panels[0]);
	if (k->n_squares > 0)
		square_panel(d, k, 0, a, &out->panels[1]);
	else
		seen_panel(d, k, a, &out->panels[1]);
	view_place(&out->panels[0], 0, 0, 1, 0);
	view_place(&out->panels[1], 0, 1, 1, 1);
	out->n = 2;
	memcpy(out->col_weight, (unsigned char[]){5, 4}, 2);
	memcpy(out->row_weight, (unsigned char[]){3, k->grows ? 2 : 0}, 2);
	if (!k->grows)
		return;
	back_panel(&k->s, a, &out->panels[2]);
	view_place(&out->panels[2], 1, 0, 2, 2);
	out->n = 3;
}

/* Places the table and the curve above a picture for each kind of layers. */
static void arrange_kinds(const struct view_data *d, const struct stack_kept *k, struct arena *a,
			  struct figure *out)
{
	const size_t n = k->n_squares;
	out->by_grid = true;
	table_panel(k, a, &out->panels[0]);
	view_place(&out->panels[0], 0, 0, (unsigned char)(n - k->grows), 0);
	for (size_t i = 0; i < n; i++) {
		struct panel *const p = &out->panels[1 + i];
		square_panel(d, k, i, a, p);
		/* Masks that hide nothing are left out first where not all masks have room. */
		const bool all = !(k->s.keys[k->squares[i].layer] < (double)k->s.tokens);
		view_place(p, 1, (unsigned char)i, 1, (unsigned char)(i + 1 + (all ? n : 0)));
		out->col_weight[i] = 1;
	}
	out->n = 1 + n;
	memcpy(out->row_weight, (unsigned char[]){k->grows ? 2 : 1, 4}, 2);
	if (!k->grows)
		return;
	struct panel *const p = &out->panels[out->n++];
	back_panel(&k->s, a, p);
	view_place(p, 0, (unsigned char)(n - 1), 1, (unsigned char)(2 * n + 1));
}

static void stack_figure(const struct view_data *d, struct arena *a, struct figure *out)
{
	const struct stack_kept *const k = d->kept;
	const struct stack *const s = &k->s;
	view_frame(d, arena_printf(a, "%zu layer%s", s->layers, s->layers == 1 ? "" : "s"), a, out);
	out->finding = stack_finding(k, a);
	(turns_say_more(d, k) ? arrange_turns
	 : s->n_kinds == 1    ? arrange_alike
	 : k->n_squares > 1   ? arrange_kinds
			      : arrange_layers)(d, k, a, out);
	view_close(d, out);
}

/* ---- numbers for dumps ----------------------------------------------------------------------- */

static void stack_numbers(const struct view_data *d, struct arena *a, struct numbers *out)
{
	const struct stack *const s = &((const struct stack_kept *)d->kept)->s;
	const struct mat distance = mat_view(s->distance, 1, s->n_distances),
			 back = mat_view(s->back, 1, s->layers + 1);
	numbers_add(out, "stack.distance", distance);
	numbers_add(out, "stack.seen", s->seen);
	numbers_add(out, "stack.back", back);
	numbers_say(out, "stack.tokens", (double)s->tokens, arena_printf(a, "%zu", s->tokens),
		    "of the text whose queries are counted");
	numbers_say(out, "stack.kinds", (double)s->n_kinds, arena_printf(a, "%zu", s->n_kinds),
		    "kinds of layers, in which the same rules act");
	numbers_say(out, "stack.back.last", s->back[s->layers],
		    arena_printf(a, "%.0f", s->back[s->layers]),
		    "tokens back that the last one can know of after the last layer");
}

const struct view view_stack = {.name = "stack",
				.title = "Stack",
				.help = "Which layer sees which keys?",
				.wants = stack_wants,
				.figure = stack_figure,
				.keep = stack_keep,
				.numbers = stack_numbers,
				.no_cell = true};
