/* raster_vector.c: the page as SVG and PDF.
 *
 * cairo writes both; what it cannot be told is mended in the text of the SVG: ids that start anew
 * with every file, images whose pixels stay squares, and what the picture is. No file has a date:
 * the same input gives the same bytes. */
#include "plot/raster_in.h"

#include <stdlib.h>
#include <string.h>

#include "posviz/strbuf.h"

/* cairo numbers surfaces and images of an SVG by a counter of the process; here they are numbered in
 * the order of their appearance. Texts are outlines, so that nothing else looks like an id. */
static void renumber(struct strbuf *svg, struct arena *a)
{
	enum { IDS = 64 };
	static const char *const names[] = {"surface", "image"};
	unsigned long seen[IDS];
	size_t n = 0;
	struct strbuf out;
	strbuf_init(&out, a);
	const char *from = svg->at;
	for (const char *at = from; *at != '\0'; at++) {
		if (*at != '"' && *at != '#')
			continue;
		size_t len = 0;
		for (size_t i = 0; i < 2 && len == 0; i++)
			if (strncmp(at + 1, names[i], strlen(names[i])) == 0)
				len = strlen(names[i]);
		const char *digits = at + 1 + len;
		if (len == 0 || !g_ascii_isdigit(*digits))
			continue;
		char *end;
		const unsigned long id = strtoul(digits, &end, 10);
		size_t k = 0;
		while (k < n && seen[k] != id)
			k++;
		if (k == n && n < IDS)
			seen[n++] = id;
		strbuf_add_n(&out, from, (size_t)(digits - from));
		strbuf_printf(&out, "%zu", k);
		from = end;
		at = end - 1;
	}
	strbuf_add(&out, from);
	*svg = out;
}

static void add_element(struct strbuf *out, const char *name, const char *text)
{
	if (text == NULL || text[0] == '\0')
		return;
	strbuf_printf(out, "<%s>", name);
	for (const char *at = text; *at != '\0'; at++) {
		if (*at == '&' || *at == '<' || *at == '>')
			strbuf_add(out, *at == '&' ? "&amp;" : *at == '<' ? "&lt;" : "&gt;");
		else
			strbuf_add_char(out, *at);
	}
	strbuf_printf(out, "</%s>\n", name);
}

/* Title and command after the root's tag, where viewers look for them; a value's pixel stays a square
 * at any size: by the word of SVG 1.1, and that of the browsers. */
static void describe(struct strbuf *svg, const struct figure *f, struct arena *a)
{
	static const char image[] = "<image ";
	static const char crisp[] =
		"image-rendering=\"optimizeSpeed\" style=\"image-rendering:pixelated\" ";
	const char *root = strstr(svg->at, "<svg");
	const char *from = root != NULL ? strchr(root, '\n') : NULL;
	struct strbuf out;
	if (from == NULL)
		BUG("an SVG without a root");
	strbuf_init(&out, a);
	strbuf_add_n(&out, svg->at, (size_t)(from + 1 - svg->at));
	add_element(&out, "title", f->title);
	add_element(&out, "desc", f->command);
	from++;
	for (const char *at; (at = strstr(from, image)) != NULL;) {
		at += sizeof image - 1;
		strbuf_add_n(&out, from, (size_t)(at - from));
		strbuf_add(&out, crisp);
		from = at;
	}
	strbuf_add(&out, from);
	*svg = out;
}

bool raster_vector(const struct figure *f, const struct raster_look *look, enum raster_vector kind,
		   struct arena *a, char **data, size_t *len, struct raster_report *report,
		   struct err *err)
{
	struct page page = {0};
	struct strbuf out;
	strbuf_init(&out, a);
	/* PDF counts in points, 72 to the inch. */
	const double points = 72 * (look->pixels > 0 ? look->pixels : 1) /
			      (look->dpi > 0 ? look->dpi : 96);
	const bool good =
		raster_open(&page, f, look, a, err) &&
		raster_draw(&page, f,
			    kind == RASTER_PDF
				    ? device_pdf(a, page.width, page.cut, points, f, &out)
				    : device_svg(a, page.width, page.cut, &out),
			    err);
	raster_text_close(&page);
	if (!good)
		return false;
	if (kind == RASTER_SVG) {
		renumber(&out, a);
		describe(&out, f, a);
	}
	*data = out.at;
	*len = out.len;
	if (report != NULL)
		*report = page.report;
	return true;
}
