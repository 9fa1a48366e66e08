/* verdict.c: the view Verdict: what the configuration of the opened model says of positions, what scaling does to
 * each band of its rotation, and what does not fit: the words of posviz check. */
#include <math.h>
#include <string.h>

#include "verdict_in.h"

static const char no_model[] = "no model is open; posviz MODEL, or :model MODEL, opens one";

/* Without a model, the bias and the weights stand below the reason; without a rotation, the bias is its picture. */
static unsigned verdict_wants(const struct scene *scene)
{
	return !*scene->setup.checkpoint	      ? WANT_BIAS | WANT_WEIGHTS
	       : verdict_rotates(scene->setup.scheme) ? 0
						      : WANT_BIAS | WANT_MASK;
}

static const void *verdict_keep(const struct view_data *d, struct arena *a)
{
	struct verdict_kept *const v = arena_calloc(a, 1, sizeof *v);
	const char *const path = d->scene->setup.checkpoint;
	struct err err = {""};
	if (!*path)
		v->absent = no_model;
	else if (!family_read(path, a, &v->known, &err))
		v->absent = arena_strdup(a, err.text);
	else if (v->known.family)
		v->n = known_rotations(&v->known, 0, a, v->rotations);
	return v;
}

/* ---- panels ---------------------------------------------------------------------------------- */

static void model_panel(const struct verdict_kept *v, struct arena *a, struct panel *p)
{
	const struct known *const k = &v->known;
	*p = (struct panel){.name = "model", .title = "What the configuration says"};
	struct card *const card = card_new(p, a);
	card->about = known_line(k, a);
	const char *const positions = v->n == 0 ? verdict_positions(k, a) : NULL;
	if (positions)
		card_add(card, "positions", positions, NULL);
	card_add(card, "context", known_context(k, a), NULL);
	for (size_t i = 0; i < v->n; i++) {
		const struct rotation_seen *const s = &v->rotations[i];
		const char *const layers = v->n > 1 ? verdict_layers(k, s, a) : NULL;
		card_add(card, "rotation", known_rotation(k, s, a), layers);
		card_add(card, "scaling", known_scaling(k, s, a), layers);
		if (known_temperature(s, a))
			card_add(card, "temperature", known_temperature(s, a), layers);
	}
	if (k->family)
		card_add(card, "sees", known_sees(k, a), NULL);
	if (k->scale > 0)
		card_add(card, "scale",
			 arena_printf(a, "products of queries and keys times %s",
				      known_number(k->scale, 6, a)),
			 NULL);
	if (k->left_out)
		card_add(card, "left out", k->left_out, NULL);
}

static void bands_panel(const struct verdict_kept *v, struct arena *a, struct panel *p)
{
	enum { COLS = 5 };
	static const char *const heads[][COLS] = {
		{"pairs", "wavelength", "rotations", "scaling", "angles seen in training"},
		{"pairs", "λ unscaled", "rotations", "scaling", "angles seen in training"}};
	static const unsigned char priority[COLS] = {0, 3, 2, 0, 1};
	size_t rows = 0, at = 0;
	bool scaled = false;
	for (size_t i = 0; i < v->n; i++) {
		rows += v->rotations[i].n_bands + (v->n > 1);
		scaled = scaled || v->rotations[i].rule->type != ROPE_TYPE_DEFAULT;
	}
	const char **const cells = arena_calloc(a, COLS * (rows + 1), sizeof *cells);
	bool *const group = arena_calloc(a, rows + 1, sizeof *group);
	for (size_t i = 0; i < v->n; i++) {
		const struct rotation_seen *const s = &v->rotations[i];
		if (v->n > 1) {
			const char **const title = cells + COLS * at;
			title[0] = verdict_layers(&v->known, s, a);
			title[1] = title[2] = title[3] = title[4] = "";
			group[at++] = true;
		}
		for (size_t b = 0; b < s->n_bands; b++, at++) {
			const struct band_text t = known_band(s, &s->bands[b], a);
			memcpy(cells + COLS * at,
			       (const char *[COLS]){t.pairs, t.wavelength, t.rotations, t.scaling,
						    t.seen},
			       COLS * sizeof *cells);
		}
	}
	*p = (struct panel){.kind = PANEL_TABLE,
			    .name = "bands",
			    .title = "Bands of the rotation",
			    .table = {.rows = rows,
				      .cols = COLS,
				      .head = heads[scaled],
				      .cells = cells,
				      .group = group,
				      .priority = priority,
				      .legend = known_bands(&v->rotations[0], a),
				      .from_top = true}};
}

static void remarks_panel(const struct verdict_kept *v, struct arena *a, struct panel *p)
{
	const struct known *const k = &v->known;
	const bool any = known_wrong(k) > 0;
	*p = (struct panel){.name = "verdict",
			    .title = any ? "What does not fit" : "What is unusual"};
	struct card *const card = card_new(p, a);
	for (int wrong = 1; wrong >= 0; wrong--)
		for (size_t i = 0; i < k->n_remarks; i++) {
			const struct remark *const m = &k->remarks[i];
			if (m->wrong != (wrong == 1))
				continue;
			card_add(card, m->wrong ? "wrong" : "unusual", m->key, NULL);
			card_add(card, "why", NULL, m->says);
			if (m->right)
				card_add(card, m->wrong ? "right" : "rather", m->right, NULL);
		}
}

/* Returns the keys that are wrong, with what would be right if it is one. */
static const char *wrong_words(const struct known *k, struct arena *a)
{
	const size_t wrong = known_wrong(k);
	const char *keys = "", *right = NULL;
	for (size_t i = 0; i < k->n_remarks; i++) {
		const struct remark *const m = &k->remarks[i];
		if (!m->wrong)
			continue;
		keys = arena_printf(a, "%s%s%s", keys, *keys ? ", " : "", m->key);
		right = m->right;
	}
	return wrong == 1 && right ? arena_printf(a, "%s: %s; %s would be right.",
						  known_verdict(k, a), keys, right)
				   : arena_printf(a, "%s: %s.", known_verdict(k, a), keys);
}

static const char *finding(const struct verdict_kept *v, struct arena *a)
{
	const struct known *const k = &v->known;
	const struct rotation_rule *const rule = v->n > 0 ? v->rotations[0].rule : NULL;
	const size_t n = k->n_remarks;
	const char *const unusual =
		n > 0 ? arena_printf(a, "; %zu thing%s unusual", n, n == 1 ? " is" : "s are") : "";
	if (known_wrong(k) > 0)
		return wrong_words(k, a);
	if (k->declared == 0)
		return arena_printf(
			a, "Nothing in the configuration is wrong%s; it declares no length.",
			unusual);
	if (rule && rule->type != ROPE_TYPE_DEFAULT && k->trained != k->declared)
		return arena_printf(a,
				    "Nothing in the configuration is wrong%s: %ld positions, "
				    "stretched from %ld by %s with factor %s.",
				    unusual, k->declared, k->trained, rule->written,
				    known_number(rule->factor, 6, a));
	return arena_printf(a,
			    "Nothing in the configuration is wrong%s: it declares %ld positions.",
			    unusual, k->declared);
}

/* Places the panel that was made behind those of the figure. */
static void add(struct figure *out, unsigned char row, unsigned char col, unsigned char cols)
{
	view_place(&out->panels[out->n], row, col, cols, (unsigned char)out->n);
	out->n++;
}

/* Adds the picture and beside it what the configuration says, which stays on a small screen if the picture is only an
 * example. */
static void add_words(const struct view_data *d, const struct verdict_kept *v, unsigned char row,
		      struct arena *a, struct figure *out)
{
	struct panel picture;
	const bool any = verdict_picture(d, v, a, &picture);
	const bool first = any && v->n > 0;
	if (first) {
		out->panels[out->n] = picture;
		add(out, row, 0, 1);
	}
	model_panel(v, a, &out->panels[out->n]);
	add(out, row, any, any ? 1 : 2);
	if (any && !first) {
		out->panels[out->n] = picture;
		add(out, row, 0, 1);
	}
}

/* On smaller screens what is wrong has nothing beside or below it. */
enum { LEAST_COLS = 44, LEAST_ROWS = 9 };

/* Places the panels: errors first, over the whole width; without any the picture first, and warnings last. Without bands
 * the card leaves room below it, which the bias by distance fills. */
static void arrange(const struct view_data *d, const struct verdict_kept *v, struct arena *a,
		    struct figure *out)
{
	const bool wrong = known_wrong(&v->known) > 0, unusual = !wrong && v->known.n_remarks > 0;
	const bool bands = v->n > 0;
	unsigned char row = 0;
	out->n = 0;
	out->by_grid = true;
	if (wrong) {
		remarks_panel(v, a, &out->panels[out->n]);
		out->row_weight[row] = 2;
		out->least_cols = LEAST_COLS;
		out->least_rows = LEAST_ROWS;
		add(out, row++, 0, 2);
	}
	add_words(d, v, row, a, out);
	const bool picture = out->n - wrong > 1;
	out->row_weight[row++] = 5;
	if (bands) {
		bands_panel(v, a, &out->panels[out->n]);
		add(out, row, 0, unusual ? 1 : 2);
	}
	if (unusual) {
		remarks_panel(v, a, &out->panels[out->n]);
		add(out, row, bands, bands ? 1 : 2);
	}
	const bool curve = picture && !bands && !wrong && !unusual &&
			   view_distance_curve(d, true, a, &out->panels[out->n]);
	if (curve) {
		out->panels[1].rows = 2;
		add(out, row, 1, 1);
	}
	out->row_weight[row] = curve ? 5 : bands || unusual ? 3 : 0;
	out->col_weight[0] = out->col_weight[1] = 1;
}

static void verdict_figure(const struct view_data *d, struct arena *a, struct figure *out)
{
	const struct verdict_kept *const v = d->kept;
	view_frame(d, "", a, out);
	if (v->absent) {
		out->panels[0] = (struct panel){.kind = PANEL_HEATMAP,
						.name = "verdict",
						.title = "Verdict",
						.absent = view_lead(v->absent, a)};
		out->n = 1;
		view_instead(d, a, out);
		view_close(d, out);
		return;
	}
	out->finding = finding(v, a);
	arrange(d, v, a, out);
	view_close(d, out);
}

/* ---- numbers for dumps ----------------------------------------------------------------------- */

static void verdict_numbers(const struct view_data *d, struct arena *a, struct numbers *out)
{
	const struct verdict_kept *const v = d->kept;
	const double wrong = v->absent ? NAN : (double)known_wrong(&v->known);
	numbers_say(out, "verdict.wrong", wrong,
		    v->absent ? arena_printf(a, "n/a: %s", v->absent)
			      : arena_printf(a, "%.0f", wrong),
		    "things of the model's configuration that do not fit");
}

const struct view view_verdict = {.name = "verdict",
				  .title = "Verdict",
				  .help = "Does the model's configuration fit?",
				  .wants = verdict_wants,
				  .figure = verdict_figure,
				  .keep = verdict_keep,
				  .numbers = verdict_numbers,
				  .no_cell = true};
