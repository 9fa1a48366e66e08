/* vectors_path.c: the rows of a matrix of vectors in the plane of their principal components. They are in order, so a line
 * joins them, the path of positions; unless its steps go everywhere, which shows as a knot and hides the points. */
#include <math.h>
#include <string.h>

#include "vectors_in.h"

/* Returns on which side of the line from a to b point c lies. */
static double side_of(const double *a, const double *b, const double *c)
{
	return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/* Returns whether the steps behind rows i and k cross. */
static bool cross(struct mat plane, size_t i, size_t k)
{
	const double *const a = mat_row(plane, i), *const b = mat_row(plane, i + 1),
			    *const c = mat_row(plane, k), *const e = mat_row(plane, k + 1);
	return side_of(a, b, c) * side_of(a, b, e) < 0 && side_of(c, e, a) * side_of(c, e, b) < 0;
}

static double between(struct mat plane, size_t i, size_t k)
{
	return hypot(mat_row(plane, i)[0] - mat_row(plane, k)[0],
		     mat_row(plane, i)[1] - mat_row(plane, k)[1]);
}

bool vectors_is_tangled(struct mat plane)
{
	const size_t n = plane.rows;
	static const double often = 0.2, far = 0.15;
	double steps = 0, most = 0;
	size_t crossings = 0;
	for (size_t i = 0; i + 1 < n; i++) {
		steps += between(plane, i, i + 1);
		for (size_t k = i + 1; k < n; k++) {
			most = fmax(most, between(plane, i, k));
			crossings += k > i + 1 && k + 1 < n && cross(plane, i, k);
		}
	}
	return n > 2 && (double)crossings > often * (double)n &&
	       steps > far * most * (double)(n - 1);
}

static const char *component(const struct shown_vectors *k, size_t i, struct arena *a)
{
	static const char *const names[] = {"first", "second"};
	return arena_printf(a, "%s component, %.0f %%", names[i], 100 * k->share[i]);
}

void vectors_path_panel(const struct shown_vectors *k, struct arena *a, struct panel *p)
{
	const size_t n = k->plane.rows;
	*p = (struct panel){.kind = PANEL_PLANE,
			    .name = "path",
			    .title = vectors_of_places(k) ? "Principal components of positions"
				     : strncmp(k->row_title, "distance", 8) == 0
					     ? "Principal components of distances"
					     : "Principal components",
			    .brief_title = "Principal components",
			    .note = k->plane_absent
					    ? NULL
					    : arena_printf(a, "%.0f %% of the variance",
							   100 * (k->share[0] + k->share[1])),
			    .subtitle = "in the plane of the first two principal components",
			    .absent = k->plane_absent};
	if (p->absent)
		return;
	struct plane_point *const at = arena_calloc(a, n + 1, sizeof *at);
	for (size_t t = 0; t < n; t++)
		at[t] = (struct plane_point){mat_row(k->plane, t)[0], mat_row(k->plane, t)[1],
					     k->row_names
						     ? k->row_names[t]
						     : arena_printf(a, "%zu", k->sample.at[t] + 1)};
	p->plane = (struct plane){.n = n,
				  .at = at,
				  .joined = true,
				  .tangled = k->tangled,
				  .x_title = component(k, 0, a),
				  .y_title = component(k, 1, a)};
	if (!p->plane.tangled)
		return;
	const char *const what = vectors_of_places(k) ? "positions" : "rows";
	p->plane.about = arena_printf(a, "Stronger points are later %s.", what);
	p->plane.about_brief = arena_printf(a, "stronger: later %s", what);
}
