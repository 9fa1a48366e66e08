/* profile.c: the view Profile: what each head does with position, over windows of a text: its kernel by
 * distance, how much of its logits that is, the bands of a rotation, and scores of its weights. */
#include <string.h>

#include "profile_in.h"

static unsigned profile_wants(const struct scene *scene)
{
	(void)scene;
	return 0; /* its windows are run by themselves */
}

static bool profile_same(const struct scene *a, const struct scene *b)
{
	return a->windows == b->windows && a->window_length == b->window_length;
}

static void add(struct figure *f, unsigned char row, unsigned char col, unsigned char cols,
		unsigned char priority)
{
	view_place(&f->panels[f->n++], row, col, cols, priority);
}

/* Adds the plane, and below it the map of layers and heads. Where all heads are close together there is no plane, and
 * the kernel above has its room. */
static void add_plane(const struct view_data *d, struct arena *a, struct figure *out)
{
	const bool position = profile_has_position(d->kept), together = profile_together(d, a);
	for (size_t i = 2; i < out->n; i++)
		out->panels[i].rows = position ? 2 : 1;
	out->panels[1].rows = together ? 2 : 1;
	if (!together) {
		profile_plane_panel(d, a, &out->panels[out->n]);
		add(out, 1, 2, 1, 3);
	}
	if (!position)
		return;
	profile_position_panel(d, a, &out->panels[out->n]);
	add(out, 2, 2, 1, 5);
}

/* Adds the table across two columns with the kernel of the chosen head beside it; below them what all heads have:
 * kernels, bands and the plane. */
static void add_panels(const struct view_data *d, struct arena *a, struct figure *out)
{
	const struct profile_known *const k = d->kept;
	const bool bands = k->run.sizes.bands > 0 && !k->other;
	profile_table_panel(d, a, &out->panels[out->n]);
	add(out, 0, 0, 2, 0);
	profile_curve_panel(d, a, &out->panels[out->n]);
	add(out, 0, 2, 1, 1);
	profile_kernels_panel(d, false, a, &out->panels[out->n]);
	add(out, 1, 0, bands || k->other ? 1 : 2, 2);
	if (k->other) {
		profile_kernels_panel(d, true, a, &out->panels[out->n]);
		add(out, 1, 1, 1, 2);
	}
	if (bands) {
		profile_bands_panel(d, a, &out->panels[out->n]);
		add(out, 1, 1, 1, 4);
	}
	add_plane(d, a, out);
}

static void profile_figure(const struct view_data *d, struct arena *a, struct figure *out)
{
	const struct profile_known *const k = d->kept;
	view_frame(d, k->why ? "" : profile_made(&k->run, k->windows, a), a, out);
	if (k->why) {
		out->panels[0] = (struct panel){.kind = PANEL_HEATMAP,
						.name = "kernels",
						.title = "Kernels: logits by distance",
						.absent = k->why};
		out->n = out->col_weight[0] = out->row_weight[0] = 1;
		view_close(d, out);
		return;
	}
	out->finding = profile_finding(d, a);
	add_panels(d, a, out);
	out->by_grid = out->names_hidden = true;
	memcpy(out->col_weight, (unsigned char[]){5, 5, 4}, 3);
	memcpy(out->row_weight, (unsigned char[]){5, 5, 4}, 3);
	view_close(d, out);
}

const struct view view_profile = {"profile",
				  "Profile",
				  "What do heads do with position?",
				  profile_wants,
				  profile_figure,
				  .keep = profile_keep,
				  .numbers = profile_numbers,
				  .to_come = profile_to_come,
				  .same = profile_same,
				  .walk = profile_walk,
				  .keys_first = true,
				  .adds_others = true,
				  .no_cell = true,
				  .own_text = true,
				  .broad = true,
				  .slow = true,
				  .of_units = true};
