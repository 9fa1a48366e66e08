/* raster_vector.c: the page as SVG and PDF. */
#include "plot/raster_in.h"

bool raster_vector(const struct figure *f, const struct raster_look *look, enum raster_vector kind,
		   struct arena *a, char **data, size_t *len, struct raster_report *report,
		   struct err *err)
{
	struct page page = {0};
	struct strbuf out;
	strbuf_init(&out, a);
	/* The unit of PDF is the point, 72 to the inch. */
	const double points =
		72 * (look->pixels > 0 ? look->pixels : 1) / (look->dpi > 0 ? look->dpi : 96);
	const struct device_words words = {
		.title = f->title, .subject = f->command, .creator = f->caption_right};
	const bool good = raster_open(&page, f, look, a, err) &&
			  raster_draw(&page, f,
				      kind == RASTER_PDF ? device_pdf(a, page.width, page.cut,
								      points, &words, &out)
							 : device_svg(a, page.width, page.cut, f,
								      look->embed_fonts, &out),
				      err);
	raster_text_close(&page);
	if (!good)
		return false;
	*data = out.at;
	*len = out.len;
	if (report != NULL)
		*report = page.report;
	return true;
}
