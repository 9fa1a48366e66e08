/* format_page.c: pages: PNG, which contains its scene, and SVG and PDF, which contain lines and
 * letters. */
#include "format_in.h"
#include "posviz/app/snapshot.h"
#include "posviz/export/export.h"

/* A page without a scene contains its command. */
static bool page_png(const struct format_page *p, struct arena *a, char **data, size_t *len,
		     struct err *err)
{
	if (p->scene)
		return snapshot_png(p->scene, p->figure, p->tour, a, data, len, p->report, err);
	const struct export_text texts[] = {{"Title", p->figure->title},
					    {"Description", p->figure->command},
					    {SNAPSHOT_VERSION, POSVIZ_VERSION}};
	struct image image;
	return raster_image(p->figure, p->look, a, &image, p->report, err) &&
	       export_png(&image, p->look->dpi, texts, sizeof texts / sizeof *texts, a, data, len,
			  err);
}

static bool texts_png(const void *data, size_t len, struct arena *a, struct export_text **texts,
		      size_t *n, struct err *err)
{
	return export_png_read(data, len, a, NULL, texts, n, err);
}

static bool page_svg(const struct format_page *p, struct arena *a, char **data, size_t *len,
		     struct err *err)
{
	return raster_vector(p->figure, p->look, RASTER_SVG, a, data, len, p->report, err);
}

static bool several_pages(const struct format_page *p, struct arena *a, char **data, size_t *len,
			  struct err *err)
{
	struct raster_report *const each = arena_calloc(a, p->n_pages, sizeof *each);
	if (!raster_pages(p->pages, p->n_pages, p->look, a, data, len, each, err))
		return false;
	for (size_t i = 1; i < p->n_pages; i++) {
		each->missing_glyphs += each[i].missing_glyphs;
		each->missing_sample =
			each->missing_sample ? each->missing_sample : each[i].missing_sample;
	}
	if (p->report)
		*p->report = *each;
	return true;
}

static bool page_pdf(const struct format_page *p, struct arena *a, char **data, size_t *len,
		     struct err *err)
{
	return p->n_pages > 1 ? several_pages(p, a, data, len, err)
			      : raster_vector(p->figure, p->look, RASTER_PDF, a, data, len,
					      p->report, err);
}

enum {
	PAGE = FORMAT_PICTURE | FORMAT_PAGE | FORMAT_DOTS | FORMAT_FONT | FORMAT_THEME |
	       FORMAT_BESIDE | FORMAT_SHEET
};

const struct format format_png = {.name = "png",
				  .suffixes = "png",
				  .help = "picture; carries its scene and opens again",
				  .bears = PAGE | FORMAT_SCENE | FORMAT_IMAGE,
				  .page = page_png,
				  .magic = "\x89PNG\r\n\x1a\n",
				  .texts = texts_png};

const struct format format_svg = {
	.name = "svg",
	.suffixes = "svg",
	.help = "picture of lines and letters, for the web and for editing",
	.bears = PAGE | FORMAT_EMBEDS | FORMAT_IMAGE,
	.page = page_svg};

const struct format format_pdf = {.name = "pdf",
				  .suffixes = "pdf",
				  .help = "picture of lines and letters, for papers and print",
				  .bears = PAGE | FORMAT_PAGES,
				  .page = page_pdf};
