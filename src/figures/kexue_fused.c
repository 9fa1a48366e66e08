/* kexue_fused.c: a query and a key, each turned by its own place, and their product, which knows the distance
 * alone. */
#include <math.h>

#include "fig.h"

enum { WIDTH = 4, TURNED = WIDTH / 2, PLACES = 103, SHOWN = 12 };

/* Pairs of columns at angles of 0° and 90° for the query, 90° and 0° for the key. */
static const double query[WIDTH] = {1, 0, 0, 1}, key[WIDTH] = {0, 1, 1, 0};

struct rotation {
	struct mat cosine, sine; /* [PLACES, TURNED]: of pair i at a place */
};

/* v·e^{ikθ}, equation 17. out[WIDTH] */
static void turn(const struct rotation *r, const double *v, size_t place, double *out)
{
	for (size_t i = 0; i < TURNED; i++) {
		const double c = mat_row(r->cosine, place)[i], s = mat_row(r->sine, place)[i];
		out[2 * i] = v[2 * i] * c - v[2 * i + 1] * s;
		out[2 * i + 1] = v[2 * i + 1] * c + v[2 * i] * s;
	}
}

/* The part of the product that pair i has, where the query is at m and the key at n. */
static double part(const struct rotation *r, size_t m, size_t n, size_t i)
{
	double q[WIDTH], k[WIDTH];
	turn(r, query, m, q);
	turn(r, key, n, k);
	return q[2 * i] * k[2 * i] + q[2 * i + 1] * k[2 * i + 1];
}

static double product(const struct rotation *r, size_t m, size_t n)
{
	double sum = 0;
	for (size_t i = 0; i < TURNED; i++)
		sum += part(r, m, n, i);
	return sum;
}

/* ---- dials --------------------------------------------------------------------------------------- */

static double angle_of(const double *v, size_t i)
{
	return atan2(v[2 * i + 1], v[2 * i]);
}

/* Within half a turn, in degrees. */
static double apart(double from, double to)
{
	static const double pi = 3.14159265358979323846;
	const double by = to - from;
	return fabs(by - 2 * pi * nearbyint(by / (2 * pi))) * 180 / pi;
}

static struct dial dial_of(struct fig *f, const struct rotation *r, size_t m, size_t n, size_t i)
{
	static const char *const titles[TURNED] = {"θ = 1", "θ = 0.01"};
	double q[WIDTH], k[WIDTH];
	turn(r, query, m, q);
	turn(r, key, n, k);
	const struct dial_hand hands[DIAL_HANDS] = {{angle_of(query, i), angle_of(q, i), 1},
						    {angle_of(key, i), angle_of(k, i), 1}};
	return (struct dial){
		.title = titles[i],
		.note = "",
		.brief_title = titles[i],
		.brief_note = "",
		.hands = {hands[0], hands[1]},
		.angle = arena_printf(f->a, "%.0f°", apart(hands[0].after, hands[1].after)),
		.angle_before =
			arena_printf(f->a, "before %.0f°", apart(hands[0].before, hands[1].before)),
		.before = query[2 * i] * key[2 * i] + query[2 * i + 1] * key[2 * i + 1],
		.after = part(r, m, n, i)};
}

static void draw_dials(struct fig *f, const struct rotation *r, size_t m, size_t n,
		       unsigned char col)
{
	struct dial *const at = arena_calloc(f->a, TURNED, sizeof *at);
	struct panel *const p =
		fig_panel(f, "dials", arena_printf(f->a, "Query at %zu, key at %zu", m, n), 0, col,
			  2, col / 2);
	for (size_t i = 0; i < TURNED; i++)
		at[i] = dial_of(f, r, m, n, i);
	p->kind = PANEL_DIALS;
	p->dials = (struct dials){
		.n = TURNED,
		.at = at,
		.names = {arena_printf(f->a, "query, rotated by %zu θ", m),
			  arena_printf(f->a, "key, rotated by %zu θ", n)},
		.brief_names = {arena_printf(f->a, "query, at %zu", m),
				arena_printf(f->a, "key, at %zu", n)},
		.value_title = "cosine of the angle",
		.sum = arena_printf(f->a, "product %.4f, without rotation 0", product(r, m, n)),
		.colormap = view_colormap(f->d, true)};
	fig_number(f, arena_printf(f->a, "product.%zu.%zu", m, n), product(r, m, n),
		   "of the query and the key at these positions");
}

/* ---- matrices ------------------------------------------------------------------------------------ */

/* A column for each place: the query there, and the key there. */
static void draw_turned(struct fig *f, const struct rotation *r)
{
	static const char *const rows[2 * WIDTH + 1] = {"q₁", "q₂", "q₃", "q₄", "k₁",
							"k₂", "k₃", "k₄", NULL};
	struct panel *const p = fig_panel(f, "turned", "Query and key, rotated", 1, 0, 3, 2);
	const struct mat m = mat_new(f->a, SHOWN, 2 * WIDTH);
	for (size_t t = 0; t < SHOWN; t++) {
		turn(r, query, t + 1, mat_row(m, t));
		turn(r, key, t + 1, mat_row(m, t) + WIDTH);
	}
	fig_map(f, p, NULL, mat_transpose(f->a, m), &(struct paint){.is_signed = true});
	fig_axes(f, p, "component", 1, "position", 1);
	p->heatmap.row_labels = rows;
	p->subtitle = "each by its position";
}

/* The most that two of products[m][n] with one m − n differ. */
static double diagonals_differ(struct mat m)
{
	double worst = 0;
	for (size_t t = 1; t < m.rows; t++)
		for (size_t s = 1; s < m.cols; s++)
			worst = fmax(worst, fabs(mat_row(m, t)[s] - mat_row(m, t - 1)[s - 1]));
	return worst;
}

static void draw_products(struct fig *f, const struct rotation *r)
{
	struct panel *const p = fig_panel(f, "products", "Their products", 1, 3, 3, 0);
	const struct mat m = mat_new(f->a, SHOWN, SHOWN);
	double turned[WIDTH], worst = 0;
	for (size_t t = 0; t < SHOWN; t++)
		for (size_t s = 0; s < SHOWN; s++)
			mat_row(m, t)[s] = product(r, t + 1, s + 1);
	fig_map(f, p, NULL, m, &(struct paint){.is_signed = true});
	fig_axes(f, p, "query at m", 1, "key at n", 1);
	p->subtitle = "by m − n alone";
	for (size_t t = 1; t < SHOWN; t++) {
		turn(r, query, t, turned);
		worst = fmax(worst, fabs(turned[0] - query[0]));
	}
	fig_number(f, "diagonals.differ", diagonals_differ(m),
		   "the most that products of one distance differ");
	fig_number(f, "queries.differ", worst,
		   "the most that the first component of the query differs between positions");
}

void draw_kexue_fused(struct fig *f)
{
	const struct fig_run *const of = fig_run(
		f,
		arena_printf(f->a, "scheme rope\nd-model %d\nheads 1\nlayers 1\nsentence %s\n",
			     WIDTH, fig_words(f, PLACES)),
		WANT_KEPT);
	if (!of)
		return;
	const struct rotation r = {fig_kept(of, "member.rope.cos"),
				   fig_kept(of, "member.rope.sin")};
	draw_dials(f, &r, 5, 3, 0);
	draw_dials(f, &r, 12, 10, 2);
	draw_dials(f, &r, 102, 100, 4);
	draw_turned(f, &r);
	draw_products(f, &r);
	f->out->row_weight[0] = 4;
	f->out->row_weight[1] = 5;
}
