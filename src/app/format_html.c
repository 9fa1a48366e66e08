/* format_html.c: a page for a browser: the picture, its caption, the numbers that it shows and the command that
 * made it.
 *
 * The page is HTML that is well-formed XML as well. It has no script and fetches nothing, which it also tells the
 * browser. Words of any origin pass markup_escape, once, where they are added. What a PNG has as texts are
 * elements `meta` of the head here, the scene first. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "format_in.h"
#include "posviz/app/snapshot.h"
#include "posviz/base/markup.h"
#include "posviz/base/num.h"
#include "posviz/base/text.h"
#include "posviz/export/export.h"

enum { DIGITS = 4, MOST_CELLS = 20000 };

/* ---- elements ------------------------------------------------------------------------------- */

static void add_words(struct strbuf *b, const char *words)
{
	markup_escape(b, words, strlen(words));
}

/* <tag>words</tag>; the tag may have attributes: "th scope=\"row\"". Nothing for no words. */
static void add(struct strbuf *b, const char *tag, const char *words)
{
	if (!words || !*words)
		return;
	strbuf_printf(b, "<%s>", tag);
	add_words(b, words);
	strbuf_printf(b, "</%.*s>", (int)strcspn(tag, " "), tag);
}

static void add_line(struct strbuf *b, const char *tag, const char *words)
{
	add(b, tag, words);
	if (words && *words)
		strbuf_add_char(b, '\n');
}

/* ---- tables --------------------------------------------------------------------------------- */

static void add_cell(struct strbuf *b, const char *tag, const char *words)
{
	if (words && *words)
		add(b, tag, words);
	else
		strbuf_printf(b, "<%s></%.*s>", tag, (int)strcspn(tag, " "), tag);
}

/* A cell of a table whose largest number is `size`, which decides the decimals, and what is only rounding; with
 * significant digits of its own where size is infinite. */
static void add_number(struct strbuf *b, double value, double size)
{
	static const double rounding = 1e-12, most = 1e6, least = 1e-6;
	char text[32];
	const bool even = isfinite(value) && size < most && size > least;
	if (isfinite(size) && fabs(value) <= rounding * size)
		add_cell(b, "td", "0");
	else if (even)
		add_cell(b, "td",
			 heatmap_number(b->arena, value, (int)fmax(0, DIGITS - floor(log10(size))),
					false));
	else
		add_cell(b, "td", num_show(text, sizeof text, value, DIGITS + 1));
}

/* Begins a table with a row of titles; NULL ends them. */
static void begin_table(struct strbuf *b, const char *caption, const char *const *head)
{
	strbuf_add(b, "<div class=\"wide\"><table>\n");
	add_line(b, "caption", caption);
	strbuf_add(b, "<thead><tr>");
	for (; *head; head++)
		add_cell(b, "th scope=\"col\"", *head);
	strbuf_add(b, "</tr></thead>\n<tbody>\n");
}

static void begin_row(struct strbuf *b, const char *title)
{
	strbuf_add(b, "<tr>");
	add_cell(b, "th scope=\"row\"", title);
}

static void end_row(struct strbuf *b)
{
	strbuf_add(b, "</tr>\n");
}

static void end_table(struct strbuf *b)
{
	strbuf_add(b, "</tbody>\n</table></div>\n");
}

/* True where a table of so many cells is not for reading; says so, and where they are. */
static bool is_too_much(struct strbuf *b, size_t cells)
{
	if (cells > MOST_CELLS)
		add_line(b, "p",
			 arena_printf(b->arena,
				      "%zu numbers are too many for a page; posviz dump writes "
				      "them.",
				      cells));
	return cells > MOST_CELLS;
}

static double largest(const double *at, size_t n)
{
	double most = 0;
	for (size_t i = 0; i < n; i++)
		if (isfinite(at[i]))
			most = fmax(most, fabs(at[i]));
	return most;
}

static const char *label_of(const char *const *labels, size_t i, struct arena *a)
{
	return labels ? labels[i] : arena_printf(a, "%zu", i + 1);
}

static void add_entry(struct strbuf *b, const struct heatmap *h, size_t row, size_t col,
		      double size)
{
	const double x = mat_row(h->values, row)[col];
	const char *const hidden = heatmap_hidden(b->arena, h, row, col);
	const struct heatmap_name *const name = heatmap_name(h, x);
	char text[32];
	if (hidden && h->masked[row * h->values.cols + col] == HEATMAP_MASKED) {
		strbuf_add(b, "<td class=\"hidden\">·</td>");
	} else if (hidden) {
		add_cell(b, "td class=\"hidden\"", hidden);
	} else if (h->words) {
		add_cell(b, "td", h->words[row * h->values.cols + col]);
	} else if (name) {
		add_cell(b, "td", name->name);
	} else if (h->integers) {
		add_cell(b, "td", num_print(text, sizeof text, x));
	} else {
		add_number(b, x, size);
	}
}

static void add_matrix(struct strbuf *b, const struct heatmap *h, const char *title)
{
	struct arena *const a = b->arena;
	const size_t rows = h->values.rows, cols = h->values.cols;
	if (!h->values.at || is_too_much(b, rows * cols))
		return;
	const char **const head = arena_calloc(a, cols + 2, sizeof *head);
	const double size = largest(h->values.at, rows * cols);
	head[0] = "";
	for (size_t c = 0; c < cols; c++)
		head[c + 1] = label_of(h->col_labels, c, a);
	begin_table(b,
		    arena_printf(a, "%s%srows: %s, columns: %s", title, *title ? "; " : "",
				 h->row_title ? h->row_title : "query",
				 h->col_title ? h->col_title : "key"),
		    head);
	for (size_t r = 0; r < rows; r++) {
		begin_row(b, label_of(h->row_labels, r, a));
		for (size_t c = 0; c < cols; c++)
			add_entry(b, h, r, c, size);
		end_row(b);
	}
	end_table(b);
	if (h->masked)
		add_line(b, "p class=\"quiet\"",
			 arena_printf(a, "· %s", h->masked_as ? h->masked_as : "masked"));
}

static void add_curves(struct strbuf *b, const struct curves *c)
{
	const char *const head[] = {"", c->x_title ? c->x_title : "x",
				    c->y_title && *c->y_title ? c->y_title : "value", NULL};
	size_t points = 0;
	for (size_t i = 0; i < c->n; i++)
		points += c->series[i].n;
	if (points == 0 || is_too_much(b, 2 * points))
		return;
	begin_table(b, "", head);
	for (size_t i = 0; i < c->n; i++) {
		const struct series *const s = &c->series[i];
		const double size = largest(s->y, s->n);
		for (size_t k = 0; k < s->n; k++) {
			if (isnan(s->y[k]))
				continue;
			begin_row(b, s->label);
			add_number(b, s->x[k], INFINITY);
			add_number(b, s->y[k], size);
			end_row(b);
		}
	}
	end_table(b);
}

static void add_bars(struct strbuf *b, const struct bars *bars)
{
	const char *const head[] = {"", bars->unit && *bars->unit ? bars->unit : "value",
				    bars->marks ? bars->mark_title : NULL, NULL};
	const double size = largest(bars->values, bars->n);
	begin_table(b, "", head);
	for (size_t i = 0; i < bars->n; i++) {
		begin_row(b, bars->labels[i]);
		if (bars->notes)
			add_cell(b, "td", bars->notes[i]);
		else
			add_number(b, bars->values[i], size);
		if (bars->marks && isnan(bars->marks[i]))
			add_cell(b, "td", "");
		else if (bars->marks)
			add_number(b, bars->marks[i], size);
		end_row(b);
	}
	end_table(b);
}

static void add_list(struct strbuf *b, const struct table *t)
{
	static const char *const none[] = {NULL};
	const char **const head = arena_calloc(b->arena, t->cols + 1, sizeof *head);
	for (size_t c = 0; t->head && c < t->cols; c++)
		head[c] = t->head[c];
	if (is_too_much(b, t->rows * t->cols))
		return;
	begin_table(b, "", t->head ? head : none);
	for (size_t r = 0; r < t->rows; r++) {
		begin_row(b, t->cells[r * t->cols]);
		for (size_t c = 1; c < t->cols; c++)
			add_cell(b, t->right && t->right[c] ? "td" : "td class=\"words\"",
				 t->cells[r * t->cols + c]);
		end_row(b);
	}
	end_table(b);
}

/* A line without a key goes on with the one before it. */
static void add_card(struct strbuf *b, const struct card *card)
{
	static const char *const head[] = {"", "value", "note", NULL};
	add_line(b, "p", card->formula ? figure_formula(b->arena, card->formula) : card->formula);
	add_line(b, "p", card->about);
	const size_t n = card->n - (card->n_keys < card->n ? card->n_keys : card->n);
	if (n == 0)
		return;
	begin_table(b, "", head);
	for (size_t i = 0; i < n; i++) {
		const struct card_line *const l = &card->lines[i];
		begin_row(b, l->key);
		add_cell(b, "td class=\"words\"",
			 l->formula ? figure_formula(b->arena, l->formula) : l->value);
		add_cell(b, "td class=\"words\"", l->note);
		end_row(b);
	}
	end_table(b);
}

static void add_sum(struct strbuf *b, const struct waterfall *w)
{
	const char *const head[] = {w->label_title ? w->label_title : "", "of",
				    w->value_title ? w->value_title : "value", NULL};
	begin_table(b, "", head);
	for (size_t i = 0; i < w->n; i++) {
		begin_row(b, w->steps[i].label);
		add_cell(b, "td class=\"words\"", w->steps[i].about);
		if (w->steps[i].kind == STEP_NOTE)
			add_cell(b, "td", w->steps[i].text);
		else
			add_number(b, w->steps[i].value, INFINITY);
		end_row(b);
	}
	end_table(b);
}

static void add_columns(struct strbuf *b, const struct columns *c)
{
	static const char *const head[] = {"", "value", NULL};
	const double size = largest(c->values, c->n);
	begin_table(b, "", head);
	for (size_t i = 0; i < c->n; i++) {
		begin_row(b, label_of(c->labels, i, b->arena));
		if (c->masked && c->masked[i])
			add_cell(b, "td class=\"hidden\"", "masked");
		else
			add_number(b, c->values[i], size);
		end_row(b);
	}
	end_table(b);
}

static void add_multiples(struct strbuf *b, const struct multiples *m)
{
	size_t cells = 0;
	for (size_t i = 0; i < m->n; i++)
		cells += m->items[i].map.values.rows * m->items[i].map.values.cols;
	for (size_t i = 0; i < m->n && cells <= MOST_CELLS; i++)
		add_matrix(b, &m->items[i].map, m->items[i].title);
	(void)is_too_much(b, cells);
}

static void add_dials(struct strbuf *b, const struct dials *d)
{
	const char *const head[] = {"", "angle", "before", d->value_title ? d->value_title : NULL,
				    NULL};
	begin_table(b, "", head);
	for (size_t i = 0; i < d->n; i++) {
		begin_row(b, d->at[i].title);
		add_cell(b, "td", d->at[i].angle);
		add_cell(b, "td", d->at[i].angle_before);
		if (d->value_title)
			add_cell(b, "td", dials_value(b->arena, d, d->at[i].after, false));
		end_row(b);
	}
	end_table(b);
	add_line(b, "p", d->sum);
}

static void add_plane(struct strbuf *b, const struct plane *p)
{
	const char *const head[] = {"", p->x_title ? p->x_title : "x",
				    p->y_title ? p->y_title : "y", NULL};
	double size = 0;
	for (size_t i = 0; i < p->n; i++)
		if (isfinite(p->at[i].x) && isfinite(p->at[i].y))
			size = fmax(size, fmax(fabs(p->at[i].x), fabs(p->at[i].y)));
	if (is_too_much(b, 2 * p->n))
		return;
	begin_table(b, "", head);
	for (size_t i = 0; i < p->n; i++) {
		begin_row(b,
			  p->at[i].label ? p->at[i].label : arena_printf(b->arena, "%zu", i + 1));
		add_number(b, p->at[i].x, size);
		add_number(b, p->at[i].y, size);
		end_row(b);
	}
	end_table(b);
}

/* Links and structures are words and lines, which the picture has as text. */
static void add_contents(struct strbuf *b, const struct panel *p)
{
	switch (p->kind) {
	case PANEL_HEATMAP:
		add_matrix(b, &p->heatmap, "");
		break;
	case PANEL_CURVES:
		add_curves(b, &p->curves);
		break;
	case PANEL_BARS:
		add_bars(b, &p->bars);
		break;
	case PANEL_TABLE:
		add_list(b, &p->table);
		break;
	case PANEL_CARD:
		add_card(b, &p->card);
		break;
	case PANEL_WATERFALL:
		add_sum(b, &p->waterfall);
		break;
	case PANEL_COLUMNS:
		add_columns(b, &p->columns);
		break;
	case PANEL_MULTIPLES:
		add_multiples(b, &p->multiples);
		break;
	case PANEL_DIALS:
		add_dials(b, &p->dials);
		break;
	case PANEL_PLANE:
		add_plane(b, &p->plane);
		break;
	case PANEL_LINKS:
	case PANEL_STRUCTURE:
		break;
	}
}

static void add_panel(struct strbuf *b, const struct panel *p, char letter)
{
	const char *const title = p->paper_title ? p->paper_title : p->title;
	const char *const note = p->paper_note ? p->paper_note : p->note;
	if (p->kind == PANEL_LINKS || p->kind == PANEL_STRUCTURE)
		return;
	strbuf_add(b, "<section>\n");
	add_line(b, "h2",
		 letter ? arena_printf(b->arena, "(%c) %s", letter, title ? title : "") : title);
	add_line(b, "p class=\"quiet\"", note);
	add_line(b, "p class=\"quiet\"", p->subtitle);
	if (p->absent)
		add_line(b, "p", p->absent);
	else
		add_contents(b, p);
	strbuf_add(b, "</section>\n");
}

/* ---- the page ------------------------------------------------------------------------------- */

/* The theme is the one that was asked for, whatever the browser prefers; paper is white. */
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
	add_words(b, content);
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
	add_words(b, p->figure->title ? p->figure->title : "posviz");
	strbuf_printf(b, "</title>\n<style>\n%s%s</style>\n</head>\n", style,
		      themes[p->look->dark].style);
}

/* The words around the figure: the caption names its panels by their letters. */
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
	add_line(b, "p", text);
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
		add_line(b, "h1", f->title);
		add_line(b, "p class=\"quiet\"", f->subtitle);
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
		add(b, "code", f->command);
		strbuf_add(b, "</pre>\n</section>\n");
	}
	strbuf_add(b, "</main>\n</body>\n</html>\n");
}

/* The picture has no title and no foot of its own: the page around it has. */
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

/* The texts that stand in the head, also after a browser has saved the page. */
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
