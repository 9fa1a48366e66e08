/* heads_page.c: a page of all kernels, for a paper. */
#include "heads.h"

#include "posviz/app/snapshot.h"
#include "posviz/view/profile_page.h"

/* Makes the page high enough for all rows, unless its size was chosen. */
static struct raster_look look_of(const struct cli *c, const struct multiples *m)
{
	static const double row = 86, around = 260;
	struct raster_look look = snapshot_look(&c->scene);
	if (!cli_given(c, "size") && !cli_given(c, "for") && m->across > 0)
		look.height = around + row * (double)(m->n / m->across);
	return look;
}

bool heads_page(struct cli *c, const struct heads_measured *of, const struct heads_measured *other,
		struct err *err)
{
	struct arena *const a = &c->arena;
	struct figure *const f = arena_calloc(a, 1, sizeof *f);
	struct raster_report report = {0};
	struct profile_page page = {.run = &of->run,
				    .heads = of->heads,
				    .windows = of->windows,
				    .name = of->name,
				    .other = other ? other->heads : NULL,
				    .other_name = other ? other->name : NULL,
				    .command = output_command(c, c->n_args, a)};
	char *data;
	size_t len;
	page.shown = heads_order(c, of, of->heads, false, a, &page.n);
	profile_page_figure(&page, a, f);
	const struct raster_look look = look_of(c, &f->panels[0].multiples);
	const struct format_page to = {.figure = f, .look = &look, .report = &report};
	if (!format_find(c->format)->page(&to, a, &data, &len, err) ||
	    !output_picture(c, data, len, f, &report, NULL, err))
		return false;
	output_glyphs(c, &report, true);
	return true;
}
