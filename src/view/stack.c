/* stack.c: the view Stack: the layers of a model by their positions. Which keys a query sees in each
 * layer, which rules act there, and how far back a token can know of others. */
#include "posviz/analysis/stack.h"

#include <math.h>
#include <string.h>

#include "view_in.h"

static unsigned stack_wants(const struct scene *scene)
{
	(void)scene;
	return 0;
}

/* The text is at least as long as those that the model was trained on, and as the scene's. */
static const void *stack_keep(const struct view_data *d, struct arena *a)
{
	struct stack *const s = arena_calloc(a, 1, sizeof *s);
	const size_t trained = d->built->model.config.t_max, here = d->built->written.n;
	stack_of(d->built, here > trained ? here : trained, a, s);
	return s;
}

/* ---- words ----------------------------------------------------------------------------------- */

/* Returns the letter of a kind of layers; "" if all layers are alike. */
static const char *letter(const struct stack *s, size_t kind, struct arena *a)
{
	enum { LETTERS = 26 };
	if (s->n_kinds < 2)
		return "";
	return kind < LETTERS ? arena_printf(a, "%c", (int)('a' + kind))
			      : arena_printf(a, "%zu", kind + 1);
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

/* Returns the number of keys that the last query sees in a layer, "all 64 keys" or "8 keys". */
static const char *keys_seen(const struct stack *s, size_t layer, struct arena *a)
{
	const double keys = s->keys[layer];
	return keys < (double)s->tokens ? arena_printf(a, "%.0f key%s", keys, keys > 1 ? "s" : "")
					: arena_printf(a, "all %zu keys", s->tokens);
}

static size_t first_of(const struct stack *s, size_t kind)
{
	size_t l = 0;
	while (s->kind[l] != kind)
		l++;
	return l;
}

/* Returns after which layer the last token can know of all others. */
static const char *knows_all(const struct stack *s, struct arena *a)
{
	for (size_t l = 1; l <= s->layers; l++)
		if (s->back[l] >= (double)s->tokens - 1)
			return arena_printf(a, "after layer %zu it can know of all tokens", l);
	return arena_printf(a, "after the last layer it can know of %.0f of %zu tokens",
			    s->back[s->layers] + 1, s->tokens);
}

static const char *finding(const struct stack *s, struct arena *a)
{
	if (s->n_kinds == 1)
		return arena_printf(
			a, "%s: of a text of %zu tokens the last one sees %s; %s.",
			s->layers == 1 ? "There is one layer"
				       : arena_printf(a, "All %zu layers are alike", s->layers),
			s->tokens, keys_seen(s, 0, a), knows_all(s, a));
	const char *text = "";
	for (size_t k = 0; k < s->n_kinds; k++)
		text = arena_printf(a, "%s%s%s in %zu", text, k ? ", " : "",
				    keys_seen(s, first_of(s, k), a), s->kinds[k].n_layers);
	return arena_printf(a, "Of %zu layers the last token sees %s; %s.", s->layers, text,
			    knows_all(s, a));
}

/* ---- panels ---------------------------------------------------------------------------------- */

/* More layers than these have a row for each run of layers of one kind. */
enum { FEW_LAYERS = 16, LOW = 8 };

/* Returns the rows that are drawn, of layers or of runs, with their names. */
static struct mat rows_of(const struct stack *s, const char **names, struct arena *a)
{
	const bool runs = s->layers > FEW_LAYERS;
	const size_t n = runs ? s->n_runs : s->layers;
	const struct mat out = mat_new(a, n, s->n_distances);
	for (size_t i = 0; i < n; i++) {
		const size_t layer = runs ? s->first[i] : i;
		const char *const name =
			runs ? stack_run_name(s, i, a) : arena_printf(a, "%zu", i + 1);
		mat_set(mat_rows(out, i, 1), mat_rows(s->seen, layer, 1));
		names[i] = s->n_kinds > 1
				   ? arena_printf(a, "%s %s", name, letter(s, s->kind[layer], a))
				   : name;
	}
	return out;
}

static bool all_seen(const struct stack *s)
{
	for (size_t i = 0; i < s->seen.rows * s->seen.cols; i++)
		if (s->seen.at[i] < 1)
			return false;
	return true;
}

static void seen_panel(const struct view_data *d, const struct stack *s, struct arena *a,
		       struct panel *p)
{
	*p = (struct panel){
		.kind = PANEL_HEATMAP,
		.name = "seen",
		.title = "Keys that a query sees, layer by layer",
		.brief_title = "Keys seen, by layer",
		.note = arena_printf(a, "text of %zu tokens", s->tokens),
		.subtitle =
			"share of the queries that see the key at this distance; 1: all of them"};
	const char **const rows = arena_calloc(a, s->layers, sizeof *rows);
	const char **const cols = arena_calloc(a, s->n_distances, sizeof *cols);
	for (size_t i = 0; i < s->n_distances; i++)
		cols[i] = brief_distance(s->distance[i], a);
	const struct paint paint = {.ranged = true, .lo = 0, .hi = 1, .own = true};
	view_heatmap(d, rows_of(s, rows, a), &paint, a, p);
	p->heatmap.row_labels = rows;
	p->heatmap.col_labels = cols;
	p->heatmap.row_title = "layers";
	p->heatmap.col_title = "distance, key minus query";
	p->heatmap.ruler = p->heatmap.linear = p->heatmap.plain = p->heatmap.broad = true;
	p->heatmap.no_means = p->heatmap.no_cursor = true;
	if (all_seen(s))
		p->heatmap.uniform = s->distance[s->n_distances - 1] > 0
					     ? "Every layer sees all keys."
					     : "Every layer sees all keys up to the query.";
}

static void back_panel(const struct view_data *d, const struct stack *s, struct arena *a,
		       struct panel *p)
{
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
			    .note = arena_printf(a, "of %zu", s->tokens),
			    .subtitle =
				    "itself and those before it, whose vectors came to it through "
				    "this many layers"};
	p->curves = (struct curves){.series = series,
				    .n = 1,
				    .x_title = "after layer (0: input)",
				    .y_title = "tokens",
				    .integer_x = true,
				    .spread = CURVES_LOG,
				    .colormap = view_colormap(d, true)};
}

static void card_panel(const struct stack *s, struct arena *a, struct panel *p)
{
	*p = (struct panel){.name = "card",
			    .title =
				    s->n_kinds > 1 ? "Kinds of layers" : "What acts in each layer"};
	struct card *const card = card_new(p, a);
	card->about =
		"A mask decides which keys a query sees. What a token saw in one layer is in its "
		"vector, which later layers see: so it can know of more with each layer.";
	for (size_t k = 0; s->n_kinds > 1 && k < s->n_kinds; k++)
		card_add(card, arena_printf(a, "layers %s", letter(s, k, a)),
			 *s->kinds[k].rules ? s->kinds[k].rules : "nothing more",
			 arena_printf(a, "%zu of %zu: %s", s->kinds[k].n_layers, s->layers,
				      s->kinds[k].shown));
	if (*s->everywhere || s->n_kinds == 1)
		card_add(card, s->n_kinds > 1 ? "in all" : "layers",
			 *s->everywhere ? s->everywhere : "none", NULL);
	if (s->left_out)
		card_add(card, "left out", s->left_out->name,
			 "its mask depends on more than positions, and is not drawn here");
}

static void stack_figure(const struct view_data *d, struct arena *a, struct figure *out)
{
	const struct stack *const s = d->kept;
	view_frame(d, arena_printf(a, "%zu layer%s", s->layers, s->layers == 1 ? "" : "s"), a, out);
	out->finding = finding(s, a);
	/* A matrix of few rows is above the others, one of many beside them. */
	const bool above = (s->layers > FEW_LAYERS ? s->n_runs : s->layers) <= LOW;
	seen_panel(d, s, a, &out->panels[0]);
	view_place(&out->panels[0], 0, 0, above ? 2 : 1, 0);
	out->panels[0].rows = above ? 1 : 2;
	back_panel(d, s, a, &out->panels[1]);
	view_place(&out->panels[1], above, !above, 1, 2);
	card_panel(s, a, &out->panels[2]);
	view_place(&out->panels[2], 1, 1, 1, 1);
	out->n = 3;
	memcpy(out->col_weight, above ? (unsigned char[]){1, 1} : (unsigned char[]){3, 2}, 2);
	memcpy(out->row_weight, (unsigned char[]){1, 1}, 2);
	view_close(d, out);
}

/* ---- numbers for dumps ----------------------------------------------------------------------- */

static void stack_numbers(const struct view_data *d, struct arena *a, struct numbers *out)
{
	const struct stack *const s = d->kept;
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
