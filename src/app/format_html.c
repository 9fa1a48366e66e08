/* format_html.c: a page for a browser: the picture, its caption, its numbers and the command that
 * made it.
 *
 * The page is HTML and also well-formed XML. It has no script and loads nothing, which its policy
 * also tells the browser. Words of any origin pass markup_escape once, when they are added. The
 * texts of a PNG are elements `meta` of the head here, the scene first. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "format_in.h"
#include "posviz/app/snapshot.h"
#include "posviz/plot/html.h"
#include "posviz/base/markup.h"
#include "posviz/base/text.h"
#include "posviz/export/export.h"
#include "posviz/plot/panel.h"

static void add_panel(struct strbuf *b, const struct panel *p, char letter)
{
	const char *const title = p->paper_title ? p->paper_title : p->title;
	const char *const note = p->paper_note ? p->paper_note : p->note;
	if (!panel_type(p)->html) /* the picture contains its words */
		return;
	strbuf_add(b, "<section>\n");
	html_line(b, "h2",
		  letter ? arena_printf(b->arena, "(%c) %s", letter, title ? title : "") : title);
	html_line(b, "p class=\"quiet\"", note);
	html_line(b, "p class=\"quiet\"", p->subtitle);
	if (p->absent)
		html_line(b, "p", p->absent);
	else
		panel_type(p)->html(b, p);
	strbuf_add(b, "</section>\n");
}

/* ---- the page ------------------------------------------------------------------------------- */

/* The theme is the requested one, whatever the browser prefers; paper is white. */
static const char style[] =
	"body{margin:0;font:16px/1.5 Inter,'DejaVu Sans',system-ui,sans-serif}\n"
	"main{max-width:100rem;margin:0 auto;padding:1.5rem}\n"
	"h1{margin:0;font-size:1.75rem;line-height:1.2}\n"
	"h2{margin:2rem 0 0;font-size:1.125rem}\n"
	"p{margin:.25rem 0;max-width:60rem}\n"
	"figure{margin:1rem 0}\n"
	"figure svg{display:block;max-width:100%;height:auto}\n"
	"figcaption{margin-top:.75rem}\n"
	"pre{padding:.75rem 1rem;white-space:pre-wrap;overflow-wrap:anywhere;font-size:.875rem}\n"
	".wide{overflow-x:auto}\n"
	"table{border-collapse:collapse;margin:.5rem 0;font-size:.875rem;"
	"font-variant-numeric:tabular-nums}\n"
	"caption{text-align:left;padding-bottom:.25rem}\n"
	"th,td{padding:.125rem .625rem;text-align:right;white-space:nowrap;border-bottom:1px solid}\n"
	"th[scope=row],td.words{text-align:left}\n"
	"td.words{white-space:normal}\n"
	"@page{margin:15mm}\n"
	"@media print{body{font-size:9pt}main{max-width:none;padding:0}.wide{overflow:visible}\n"
	"table{font-size:7pt}th,td{padding:0 .375em}thead{display:table-header-group}\n"
	"tr,figure svg{break-inside:avoid}h2{break-after:avoid}}\n";

static const struct {
	const char *scheme, *style;
} themes[] = {
	{"light", "body{background:#fff;color:#1a1a1a}.quiet,caption,td.hidden{color:#5b616c}"
		  "th,td{border-color:#d1d5db}pre{background:#f3f4f6}\n"},
	{"dark", "body{background:#1a1b20;color:#f3f4f6}.quiet,caption,td.hidden{color:#a3aab6}"
		 "th,td{border-color:#3d4049}pre{background:#26282f}\n"
		 "@media print{body,pre{background:#fff;color:#1a1a1a}"
		 ".quiet,caption,td.hidden{color:#5b616c}th,td{border-color:#d1d5db}}\n"},
};

static void add_meta(struct strbuf *b, const char *name, const char *content)
{
	strbuf_printf(b, "<meta name=\"%s\" content=\"", name);
	html_words(b, content);
	strbuf_add(b, "\"/>\n");
}

static void add_head(struct strbuf *b, const struct format_page *p)
{
	strbuf_add(b, "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n"
		      "<head>\n<meta charset=\"utf-8\"/>\n"
		      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		      "style-src 'unsafe-inline'; img-src data:; font-src data:\"/>\n");
	add_meta(b, "viewport", "width=device-width");
	add_meta(b, "generator", "posviz " POSVIZ_VERSION);
	add_meta(b, "color-scheme", themes[p->look->dark].scheme);
	if (p->scene) {
		struct export_text texts[SNAPSHOT_TEXTS];
		const size_t n = snapshot_texts(p->scene, p->figure, p->tour, b->arena, texts);
		for (size_t i = 0; i < n; i++)
			add_meta(b, texts[i].keyword, texts[i].text);
	}
	strbuf_add(b, "<title>");
	html_words(b, p->figure->title ? p->figure->title : "posviz");
	strbuf_printf(b, "</title>\n<style>\n%s%s</style>\n</head>\n", style,
		      themes[p->look->dark].style);
}

/* Adds the words around the figure: the caption names its panels by their letters. */
static void add_caption(struct strbuf *b, const struct figure *f,
			const struct raster_report *report)
{
	struct figure untitled = *f;
	char *text;
	size_t len;
	untitled.title = untitled.command = NULL;
	export_caption(&untitled, report, b->arena, &text, &len);
	text += strspn(text, " ");
	text[strcspn(text, "\n")] = '\0';
	strbuf_add(b, "<figcaption>");
	html_line(b, "p", text);
	strbuf_add(b, "</figcaption>\n");
}

static void add_body(struct strbuf *b, const struct format_page *p, const char *svg,
		     const struct raster_report *report)
{
	const struct figure *const f = p->figure;
	const bool words = !p->scene || p->scene->caption != CAPTION_NONE;
	const bool command = !p->scene || p->scene->caption != CAPTION_SHORT;
	strbuf_add(b, "<body>\n<main>\n");
	if (words) {
		html_line(b, "h1", f->title);
		html_line(b, "p class=\"quiet\"", f->subtitle);
	}
	strbuf_add(b, "<figure>\n");
	strbuf_add(b, svg);
	if (words)
		add_caption(b, f, report);
	strbuf_add(b, "</figure>\n");
	for (size_t i = 0; i < report->n_shown; i++)
		add_panel(b, &report->shown[i].panel, report->shown[i].letter);
	/* The panels of an equation have no letters. */
	for (size_t i = 0; i < f->n && report->n_shown == 0; i++)
		add_panel(b, &f->panels[i], '\0');
	if (words && command && f->command) {
		strbuf_add(b, "<section>\n<h2>Made by</h2>\n<pre>");
		html_add(b, "code", f->command);
		strbuf_add(b, "</pre>\n</section>\n");
	}
	strbuf_add(b, "</main>\n</body>\n</html>\n");
}

/* The picture has no title and no foot, because the page has them. */
static bool page_html(const struct format_page *p, struct arena *a, char **data, size_t *len,
		      struct err *err)
{
	struct raster_report own = {0}, *const report = p->report ? p->report : &own;
	struct raster_look look = *p->look;
	struct strbuf b;
	char *svg;
	size_t svg_len;
	look.foot = FOOT_NONE;
	if (!raster_vector(p->figure, &look, RASTER_SVG, a, &svg, &svg_len, report, err))
		return false;
	const char *const root = strstr(svg, "<svg");
	BUG_IF(!root);
	strbuf_init(&b, a);
	add_head(&b, p);
	add_body(&b, p, root, report);
	*data = b.at;
	*len = b.len;
	return true;
}

/* ---- reading -------------------------------------------------------------------------------- */

/* Reads the texts in the head, also after a browser has saved the page. */
static bool texts_html(const void *data, size_t len, struct arena *a, struct export_text **texts,
		       size_t *n, struct err *err)
{
	static const char begin[] = "<meta name=\"", middle[] = "\" content=\"";
	enum { MOST = 16 };
	const char *at = arena_strndup(a, data, len);
	const char *const body = strstr(at, "<body");
	*texts = arena_calloc(a, MOST, sizeof **texts);
	*n = 0;
	if (!strstr(at, "</html>"))
		return err_set(err, "the page is cut off: its end is missing");
	while ((at = strstr(at, begin)) != NULL && (!body || at < body) && *n < MOST) {
		const char *const name = at + sizeof begin - 1;
		const size_t name_len = strcspn(name, "\"");
		const char *const content = name + name_len + sizeof middle - 1;
		at = name;
		if (strncmp(name + name_len, middle, sizeof middle - 1) != 0)
			continue;
		const char *const end = strchr(content, '"');
		if (!end)
			return err_set(err, "the page ends amid what it carries");
		const char *const text = markup_unescape(a, content, (size_t)(end - content));
		if (!text_valid(text, strlen(text)))
			return err_set(err, "the page carries a text that is not UTF-8");
		(*texts)[(*n)++] = (struct export_text){arena_strndup(a, name, name_len), text};
		at = end;
	}
	return true;
}

const struct format format_html = {
	.name = "html",
	.suffixes = "html htm",
	.help = "page for a browser: picture, numbers and command; opens again",
	.bears = FORMAT_PICTURE | FORMAT_PAGE | FORMAT_DOTS | FORMAT_FONT | FORMAT_EMBEDS |
		 FORMAT_THEME | FORMAT_BESIDE | FORMAT_SCENE,
	.page = page_html,
	.magic = "<!DOCTYPE html>",
	.texts = texts_html};
