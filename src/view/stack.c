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
	for (size_t i = 0; i < k->s.n_kinds; i++)
		if (*k->words[i].others)
			return true;
	return false;
}

/* Returns what acts in all layers, and what is left out, as sentences below the table. */
static const char *table_notes(const struct stack_kept *k, struct arena *a)
{
	const char *const all = *k->all ? arena_printf(a, "in every layer also %s", k->all) : "";
	if (!k->s.left_out)
		return *all ? all : NULL;
	return arena_printf(a, "%s%sthe mask of %s depends on more than positions and is not shown",
			    all, *all ? "; " : "", k->s.left_out->name);
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

static void table_panel(const struct stack_kept *k, struct arena *a, struct panel *p)
{
	enum { MOST = 5, ENOUGH = 6 };
	const char **const head = arena_calloc(a, MOST, sizeof *head);
	unsigned char *const priority = arena_calloc(a, MOST, sizeof *priority);
	const char **const cells = arena_calloc(a, MOST * (k->n_rows + 1), sizeof *cells);
	size_t n = 0;
	const bool others = others_differ(k);
	for (size_t col = 0; col < MOST; col++) {
		static const char *const heads[MOST] = {"layers", "a token sees", "rotation",
							"then knows of", "also"};
		static const unsigned char priorities[MOST] = {0, 0, 0, 1, 2};
		const bool shown[MOST] = {true, true, k->rotates, !k->by_kind, others};
		if (!shown[col])
			continue;
		priority[n] = priorities[col];
		head[n++] = heads[col];
	}
	for (size_t i = 0; i < k->n_rows; i++) {
		const struct stack_row *const r = &k->rows[i];
		const struct stack_words *const w = &k->words[k->s.kind[r->layer]];
		const char **at = cells + n * i;
		*at++ = r->name;
		*at++ = w->sees;
		if (k->rotates)
			*at++ = w->rotation;
		if (!k->by_kind)
			*at++ = r->known;
		if (others)
			*at++ = w->others;
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
}

/* ---- the card of a stack of one kind --------------------------------------------------------- */

static void card_panel(const struct stack_kept *k, struct arena *a, struct panel *p)
{
	const struct stack *const s = &k->s;
	const struct stack_words *const w = &k->words[0];
	*p = (struct panel){
		.name = "card",
		.title = s->layers == 1 ? "What acts in the layer"
					: arena_printf(a, "What acts in each of the %zu layers",
						       s->layers),
		.brief_title = "Each layer"};
	struct card *const card = card_new(p, a);
	card->about =
		"A mask decides which keys a query sees. What a token saw in one layer is in its "
		"vector, which later layers see: so it can know of more with each layer.";
	card_add(card, "a token sees", w->sees, NULL);
	if (k->rotates)
		card_add(card, "rotation", w->rotation, NULL);
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
	p->heatmap.ends[0] = "no query sees it";
	p->heatmap.ends[1] = "all do";
	if (k->sees_all)
		p->heatmap.uniform = arena_printf(a, "Every layer: %s.", k->words[0].sees);
}

/* Draws which key each query sees, for layers that are all alike. */
static void pairs_panel(const struct view_data *d, const struct stack_kept *k, struct arena *a,
			struct panel *p)
{
	const bool blocks = k->pairs.rows < k->pair_tokens;
	*p = (struct panel){
		.kind = PANEL_HEATMAP,
		.name = "pairs",
		.title = "Which keys each query sees",
		.brief_title = "Keys of each query",
		.note = arena_printf(a, "the first %zu tokens", k->pair_tokens),
		.subtitle =
			blocks ? "a cell is a block of tokens: the share of its pairs that is seen"
			       : "a row for each query, a column for each key, by their positions"};
	paint_shares(d, k->pairs, a, p);
	p->heatmap.broad = false;
	p->heatmap.row_labels = p->heatmap.col_labels = k->tokens;
	p->heatmap.row_title = "query";
	p->heatmap.col_title = "key";
	p->heatmap.ends[0] = blocks ? "not seen" : "not seen";
	p->heatmap.ends[1] = "seen";
	double value;
	if (heatmap_is_uniform(&p->heatmap, &value))
		p->heatmap.uniform = "Every query sees every key.";
}

/* Names the layers on the axis, so that the last one is always named. */
static const struct curve_place *places_of(const struct stack *s, struct arena *a)
{
	struct curve_place *const places = arena_calloc(a, s->layers + 1, sizeof *places);
	for (size_t l = 0; l <= s->layers; l++)
		places[l] = (struct curve_place){(double)l, arena_printf(a, "%zu", l)};
	return places;
}

static void back_panel(const struct view_data *d, const struct stack *s, struct arena *a,
		       struct panel *p)
{
	static const double wide = 20; /* of the values, so that few would lie on the axis */
	const size_t n = s->layers + 1;
	struct series *const series = arena_calloc(a, 1, sizeof *series);
	double *const x = arena_calloc(a, n, sizeof *x), *const y = arena_calloc(a, n, sizeof *y);
	for (size_t l = 0; l < n; l++)
		x[l] = (double)l, y[l] = s->back[l] + 1;
	*series = (struct series){.label = "tokens", .n = n, .x = x, .y = y, .active = true};
	*p = (struct panel){.kind = PANEL_CURVES,
			    .name = "known",
			    .title = "Tokens that the last one can know of",
			    .brief_title = "Tokens known of",
			    .note = arena_printf(a, "text of %zu tokens", s->tokens),
			    .subtitle =
				    "itself and those before it, whose vectors came to it through "
				    "this many layers"};
	p->curves = (struct curves){.series = series,
				    .n = 1,
				    .places = places_of(s, a),
				    .n_places = n,
				    .x_title = "after layer (0: input)",
				    .y_title = "tokens",
				    .integer_x = true,
				    .spread = y[n - 1] > wide ? CURVES_LOG : CURVES_LINEAR};
	(void)d;
}

/* ---- the figure ------------------------------------------------------------------------------ */

static void stack_figure(const struct view_data *d, struct arena *a, struct figure *out)
{
	const struct stack_kept *const k = d->kept;
	const struct stack *const s = &k->s;
	const bool alike = s->n_kinds == 1;
	/* Where the first layer sees all, a curve would be flat from there on. */
	const bool grows = s->layers > 1 && s->back[1] < s->back[s->layers];
	view_frame(d, arena_printf(a, "%zu layer%s", s->layers, s->layers == 1 ? "" : "s"), a, out);
	out->finding = stack_finding(k, a);
	if (alike) {
		card_panel(k, a, &out->panels[0]);
		pairs_panel(d, k, a, &out->panels[1]);
	} else {
		table_panel(k, a, &out->panels[0]);
		seen_panel(d, k, a, &out->panels[1]);
	}
	view_place(&out->panels[0], 0, 0, 1, 0);
	view_place(&out->panels[1], 0, 1, 1, 1);
	out->n = 2;
	if (grows) {
		back_panel(d, s, a, &out->panels[2]);
		view_place(&out->panels[2], 1, 0, alike ? 1 : 2, 2);
		out->panels[1].rows = alike ? 2 : 1;
		out->n = 3;
	}
	memcpy(out->col_weight, (unsigned char[]){1, 1}, 2);
	memcpy(out->row_weight, (unsigned char[]){alike ? 1 : 3, grows ? (alike ? 1 : 2) : 0}, 2);
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
