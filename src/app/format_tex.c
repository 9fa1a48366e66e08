/* format_tex.c: code of pgfplots for a paper in LaTeX. */
#include "format_in.h"
#include "posviz/export/export.h"

/* A size in pixels is for images: then the paper defines the width. */
static bool write_tex(struct write_job *j, struct err *err)
{
	const struct scene *const s = j->scene;
	const struct page_size *const size = &s->size;
	const bool paper = size->unit != PAGE_PX;
	const double usual = paper ? 8 : 0;
	struct export_tex look = {.width = paper ? page_inches(size->width, size->unit) : 0,
				  .height = paper ? page_inches(size->height, size->unit) : 0,
				  .letters = s->font_size > 0 ? s->font_size : usual,
				  .titles = s->caption != CAPTION_NONE &&
					    !(paper && s->caption == CAPTION_AUTO),
				  .dark = s->theme == THEME_DARK};
	struct figure *f;
	if (!format_page_figure(j, &f, err) || !export_tex(f, &look, j->a, &j->data, &j->len, err))
		return false;
	if (j->report)
		*j->report = look.shown;
	j->remark = look.remark;
	return true;
}

const struct format format_tex = {.name = "tex",
				  .suffixes = "tex",
				  .help = "code of pgfplots with its numbers, for papers in LaTeX",
				  .bears = FORMAT_PICTURE | FORMAT_PAGE | FORMAT_THEME |
					   FORMAT_BESIDE | FORMAT_READABLE,
				  .write = write_tex};
