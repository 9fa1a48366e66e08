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

/* Draws a page on a device that has others. */
static bool draw_page(const struct figure *f, const struct raster_look *look, struct device *device,
		      struct arena *a, struct raster_report *report, struct err *err)
{
	struct page page = {0};
	struct laid_page laid;
	const bool good = raster_open(&page, f, look, a, err) && raster_lay(&page, f, &laid, err);
	if (good) {
		page.device = device;
		raster_rect(&page, (struct area){0, 0, page.width + 1, page.height + 1},
			    page.theme->paper);
		raster_put(&page, &laid);
		*report = page.report;
	}
	raster_text_close(&page);
	return good;
}

bool raster_pages(const struct figure *pages, size_t n, const struct raster_look *look,
		  struct arena *a, char **data, size_t *len, struct raster_report *reports,
		  struct err *err)
{
	const struct device_words words = {
		.title = pages->title, .subject = pages->command, .creator = pages->caption_right};
	const double points =
		72 * (look->pixels > 0 ? look->pixels : 1) / (look->dpi > 0 ? look->dpi : 96);
	struct strbuf out;
	struct err closing;
	bool good = true;
	strbuf_init(&out, a);
	struct device *const device =
		device_pdf(a, look->width, look->height, points, &words, &out);
	for (size_t i = 0; i < n && good; i++) {
		if (i > 0)
			device->kind->next_page(device);
		good = draw_page(&pages[i], look, device, a, &reports[i], err);
	}
	const bool closed = device->kind->close(device, good ? err : &closing);
	*data = out.at;
	*len = out.len;
	return good && closed;
}
