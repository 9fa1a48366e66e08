/* profile_page.c: the kernels of all heads of a model on one page, as small curves on common axes. */
#include "posviz/view/profile_page.h"

#include <math.h>

/* Gets the distances that any head has. */
static void span_of(const struct profile_page *of, size_t *from, size_t *to)
{
	const size_t m = 2 * of->run->sizes.n - 1;
	*from = m;
	*to = 0;
	for (size_t c = 0; c < of->n; c++)
		for (size_t i = 0; i < m; i++)
			if (!isnan(of->heads[of->shown[c]].kernel[i])) {
				*from = i < *from ? i : *from;
				*to = i + 1 > *to ? i + 1 : *to;
			}
}

static const char *const *names(const char *what, size_t n, struct arena *a)
{
	const char **const out = arena_calloc(a, n, sizeof *out);
	for (size_t i = 0; i < n; i++)
		out[i] = arena_printf(a, "%s %zu", what, i + 1);
	return out;
}

static void add_items(const struct profile_page *of, size_t from, struct arena *a,
		      struct multiples *m)
{
	const size_t heads = of->run->sizes.heads;
	for (size_t i = 0; i < of->n; i++) {
		const size_t cell = of->shown[i];
		const struct profile_head *const h = &of->heads[cell];
		const double *const beside = of->other ? of->other[cell].kernel : h->own;
		const char **const share = arena_calloc(a, 1, sizeof *share);
		share[0] =
			isnan(h->distance) ? "n/a" : arena_printf(a, "%.0f %%", 100 * h->distance);
		m->items[i] = (struct multiple){
			.name = arena_printf(a, "%zu·%zu", cell / heads + 1, cell % heads + 1),
			.title = arena_printf(a, "layer %zu head %zu", cell / heads + 1,
					      cell % heads + 1),
			.curve = h->kernel + from,
			.beside = beside ? beside + from : NULL,
			.most = m->n_x,
			.facts = share};
	}
}

static const char *caption_of(const struct profile_page *of, bool own, struct arena *a)
{
	return arena_printf(
		a,
		"Kernel: f of the least-squares fit r(t) + f(s−t) to a head's logits, %s, of mean 0 over pairs; "
		"percent: what it explains of their variance within rows.%s",
		profile_made(of->run, of->windows, a),
		of->other ? ""
		: own ? " The scheme's own: what it adds by positions alone, and where it rotates Σ_i cos(δ θ_i), "
			"as large as fits."
		: of->run->own_why
			? arena_printf(a, " No kernel of the scheme's own: %s.", of->run->own_why)
			: "");
}

void profile_page_figure(const struct profile_page *of, struct arena *a, struct figure *out)
{
	static const char *const facts[] = {"by distance"};
	const struct profile_sizes *const z = &of->run->sizes;
	struct panel *const p = &out->panels[0];
	size_t from, to;
	bool own = false;
	for (size_t i = 0; i < of->n; i++)
		own |= of->heads[of->shown[i]].own != NULL;
	span_of(of, &from, &to);
	*out = (struct figure){.title = arena_printf(a, "Kernels of %s", of->name),
			       .subtitle = arena_printf(a, "%zu layer%s of %zu heads", z->layers,
							z->layers == 1 ? "" : "s", z->heads),
			       .caption = caption_of(of, own, a),
			       .command = of->command,
			       .whole = true,
			       .n = 1,
			       .col_weight = {1},
			       .row_weight = {1}};
	*p = (struct panel){.kind = PANEL_MULTIPLES,
			    .name = "kernels",
			    .title = "Logits by distance",
			    .rows = 1,
			    .cols = 1};
	if (from >= to) {
		p->absent = of->n == 0 ? "no head fits the filter" : "no pair counts";
		return;
	}
	struct multiples *const m = &p->multiples;
	double *const x = arena_calloc(a, to - from, sizeof *x);
	for (size_t i = from; i < to; i++)
		x[i - from] = (double)i - (double)(z->n - 1);
	*m = (struct multiples){.items = arena_calloc(a, of->n, sizeof *m->items),
				.n = of->n,
				.chosen = SIZE_MAX,
				.x = x,
				.n_x = to - from,
				.y_title = "distance s−t →, ↑ logit",
				.beside_title = of->other ? of->other_name
						: own	  ? "the scheme's own"
							  : NULL,
				.n_facts = 1,
				.facts = facts,
				.what = of->other ? of->name : "kernel"};
	if (of->n == z->layers * z->heads && z->layers > 1) {
		m->across = z->heads;
		m->row_names = names("layer", z->layers, a);
		m->col_names = names("head", z->heads, a);
	}
	add_items(of, from, a, m);
}
