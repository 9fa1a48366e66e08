/* pgfplots.c: the panels of a figure as pictures that LaTeX draws, with their numbers in the file:
 * letters are those of the paper, and its authors can change everything.
 *
 * The file is one box of the requested width, in a group of its own. Included in a paper by \input
 * it needs only the packages that its first lines name; compiled alone it loads a document
 * class. */
#include <math.h>
#include <string.h>

#include "posviz/plot/tex.h"
#include "posviz/plot/theme.h"
#include "posviz/export/export.h"
#include "posviz/plot/panel.h"

/* ---- choice of panels ------------------------------------------------------------------------ */

static bool has_form(const struct panel *p)
{
	return panel_type(p)->tex != NULL;
}

static bool is_empty(const struct panel *p)
{
	return panel_type(p)->empty != NULL && panel_type(p)->empty(p);
}

/* Returns why the panel is too much for TeX, as a clause; NULL: it is not. */
static const char *excess(const struct panel *p, struct arena *a)
{
	return panel_type(p)->excess != NULL ? panel_type(p)->excess(p, a) : NULL;
}

static bool is_drawn(const struct panel *p, struct arena *a)
{
	return has_form(p) && !p->absent && !is_empty(p) && excess(p, a) == NULL;
}

/* Returns why a panel is not drawn. */
static const char *why_not(const struct figure *f, size_t i, struct arena *a)
{
	const struct panel *const p = &f->panels[i];
	const char *const name = figure_panel_name(f, i, a);
	if (!has_form(p))
		return arena_printf(a, "%s has no form in tex", name);
	if (p->absent)
		return arena_printf(a, "%s is not there: %s", name, p->absent);
	if (is_empty(p))
		return arena_printf(a, "%s is empty", name);
	return arena_printf(a, "%s %s", name, excess(p, a));
}

static const char *names_left_out(const struct figure *f, struct arena *a)
{
	struct strbuf out;
	strbuf_init(&out, a);
	for (size_t i = 0; i < f->n; i++)
		if (!is_drawn(&f->panels[i], a))
			strbuf_printf(&out, "%s%s", out.len > 0 ? ", " : "",
				      figure_panel_name(f, i, a));
	return out.at;
}

static bool nothing_to_draw(const struct figure *f, struct arena *a, struct err *err)
{
	if (f->n == 1)
		return err_set(err, "tex: %s; pdf would be right", why_not(f, 0, a));
	return err_set(err,
		       "tex: none of %s is a matrix or curves that it can draw: %s; another "
		       "--panel or --view, or pdf, would be right",
		       names_left_out(f, a), why_not(f, 0, a));
}

/* Returns a remark for the user about panels left out and packages needed. */
static const char *remark_of(struct tex *t, const struct figure *f)
{
	struct strbuf out;
	strbuf_init(&out, t->a);
	const char *const left_out = names_left_out(f, t->a);
	if (*left_out) {
		size_t first = 0;
		while (is_drawn(&f->panels[first], t->a))
			first++;
		strbuf_printf(&out, "tex leaves out %s, which pdf has", left_out);
		if (has_form(&f->panels[first]))
			strbuf_printf(&out, " (%s)", why_not(f, first, t->a));
	}
	if (t->needs != TEX_PLAIN)
		strbuf_printf(&out, "%s\"%s\" needs %s", out.len > 0 ? "; " : "", t->needs_in,
			      t->needs == TEX_T1
				      ? "\\usepackage[T1]{fontenc}"
				      : "lualatex or xelatex and a font that has its letters");
	return out.len > 0 ? out.at : NULL;
}

/* ---- the file around the panels -------------------------------------------------------------- */

/* The version on which pgfplots makes the position of labels depend; set in this file's group,
 * whatever the paper sets. */
static const char behaviour[] = "\\pgfplotsset{compat=1.15}%\n";

/* Adds lines of a comment; no character of the text can end it. */
static void add_comment(struct strbuf *out, const char *text)
{
	for (const char *at = text; *at;) {
		const size_t len = strcspn(at, "\n");
		strbuf_printf(out, "%%%s%.*s\n", len > 0 ? " " : "", (int)len, at);
		at += len + (at[len] == '\n');
	}
}

/* Defines the command for words that are written from right to left: LuaTeX and XeTeX each have
 * their own, which pdfTeX lacks as it lacks the letters. */
static const char leftwards[] =
	"\\def\\posvizleftwards#1{\\leavevmode\\ifdefined\\directlua{\\textdir TRT#1}\\else\\ifdefined\\beginR"
	"{\\TeXXeTstate=1\\beginR#1\\endR}\\else#1\\fi\\fi}%\n";

static void add_head(const struct tex *t, const char *caption, struct strbuf *out)
{
	static const char *const needs[] = {
		[TEX_PLAIN] = "",
		[TEX_T1] = "\\usepackage[T1]{fontenc}\n",
		[TEX_UNICODE] = "lualatex or xelatex, and a font that has its letters\n",
	};
	const char *const library = t->groups ? "\\usepgfplotslibrary{groupplots}\n" : "";
	add_comment(out, "Made by posviz " POSVIZ_VERSION
			 ". In a paper: \\input this file; its preamble needs\n");
	add_comment(out, "\\usepackage{pgfplots}\n");
	add_comment(out, library);
	add_comment(out, needs[t->needs]);
	add_comment(out, "Alone it compiles as it is, with the class standalone.\n\n");
	add_comment(out, caption);
	strbuf_printf(out,
		      "\\expandafter\\ifx\\csname @classoptionslist\\endcsname\\relax\n"
		      "\\documentclass{standalone}\n\\usepackage{pgfplots}\n"
		      "%s%s%s"
		      "%s\\def\\posvizend{\\end{document}}\n\\begin{document}%%\n"
		      "\\else\\def\\posvizend{}\\fi%%\n",
		      behaviour, library, t->needs == TEX_T1 ? "\\usepackage[T1]{fontenc}\n" : "",
		      t->look->dark ? arena_printf(t->a, "\\pagecolor[HTML]{%06X}\n",
						   page_themes[1].paper)
				    : "");
	strbuf_add(out, t->leftwards ? leftwards : "");
}

static void add_colours(struct tex *t)
{
	const struct theme *const theme = &page_themes[t->look->dark];
	const struct {
		const char *name;
		uint32_t rgb;
	} rows[] = {{"ink", theme->ink},    {"second", theme->second}, {"hair", theme->hair},
		    {"axis", theme->axis},  {"hatch", theme->hatch},   {"paper", theme->paper},
		    {"alarm", theme->alarm}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		strbuf_printf(&t->out, "\\definecolor{posviz%s}{HTML}{%06X}\n", rows[i].name,
			      rows[i].rgb);
	for (size_t i = 0; i < TEX_SERIES; i++) {
		const uint32_t rgb = figure_series_colour(i, t->look->dark);
		strbuf_printf(&t->out, "\\definecolor{posviz%zu}{HTML}{%06X}\n", i, rgb);
		/* Letters need more contrast to be readable. */
		strbuf_printf(&t->out, "\\definecolor{posvizname%zu}{HTML}{%06X}\n", i,
			      colour_text(rgb, theme->paper));
	}
}

static const char styles[] =
	"\\pgfplotsset{\n"
	"\tposviz matrix/.style={name=posviz, scale only axis, scaled ticks=false, y dir=reverse, "
	"axis line style={draw=none},\n"
	"\t\ttick style={draw=none}, ticklabel style={inner sep=1.5pt}, "
	"label style={inner sep=1.5pt, text=posvizsecond},\n"
	"\t\txticklabel pos=top, axis on top, enlargelimits=false},\n"
	"\tposviz leaning/.style={x tick label style={rotate=55, anchor=south west, inner sep=1pt}},\n"
	"\tposviz lying/.style={x tick label style={inner sep=2pt}},\n"
	"\tposviz bar/.style={scaled ticks=false, at={([yshift=-0.6em]parent axis.south west)}, anchor=north west, "
	"height=0.7em,\n"
	"\t\taxis line style={draw=none}, xticklabel pos=bottom, xtick pos=bottom, "
	"xtick align=outside,\n"
	"\t\ttick style={posvizaxis}, major tick length=2pt, y dir=normal, xlabel={}, ylabel={},\n"
	"\t\tx tick label style={rotate=0, anchor=north, inner sep=1.5pt, text=posvizsecond}},\n"
	"\tposviz curves/.style={scale only axis, scaled ticks=false, axis x line*=bottom, axis y line*=left, "
	"axis line style={posvizhair},\n"
	"\t\ty axis line style={draw=none}, ymajorgrids, grid style={posvizhair}, "
	"tick style={posvizaxis},\n"
	"\t\tytick style={draw=none}, xtick align=outside, major tick length=2pt, "
	"ticklabel style={text=posvizsecond, inner sep=2pt},\n"
	"\t\textra y tick style={grid=major, major grid style={posvizaxis}}, "
	"label style={text=posvizsecond, inner sep=2pt},\n"
	"\t\tclip=false, unbounded coords=jump, enlargelimits=false, axis on top=false},\n"
	"\tposviz above/.style={title={#1}, title style={at={(0,1)}, anchor=south west, "
	"inner sep=2pt, text=posvizsecond}},\n"
	"}\n"
	"\\tikzset{\n"
	"\tposviz strong/.style={line width=1.1pt, line join=round, mark size=1.8pt},\n"
	"\tposviz quiet/.style={line width=0.8pt, line join=round, mark size=1.8pt, draw "
	"opacity=0.6},\n"
	"\tposviz band/.style={draw=none, mark=none, fill opacity=0.15},\n"
	"\tposviz name/.style={anchor=west, inner sep=0pt, xshift=0.6em},\n"
	"\tposviz mark/.style={inner sep=1pt, text=posvizsecond},\n"
	"\tposviz cursor/.style={posvizsecond, dashed},\n"
	"}\n";

static void add_lengths(struct tex *t)
{
	const struct export_tex *const look = t->look;
	strbuf_printf(&t->out, "\\begingroup%s", behaviour);
	if (look->width > 0)
		strbuf_printf(&t->out, "\\edef\\posvizwidth{%.5gin}%%\n", look->width);
	else
		strbuf_add(&t->out, "\\edef\\posvizwidth{\\the\\linewidth}%\n");
	if (look->height > 0)
		strbuf_printf(&t->out, "\\edef\\posvizheight{%.5gin}%%\n", look->height);
	if (look->letters > 0)
		strbuf_printf(&t->out, "\\fontsize{%g}{%g}\\selectfont%%\n", look->letters,
			      1.2 * look->letters);
	else
		strbuf_add(&t->out, "\\footnotesize%\n");
	strbuf_add(&t->out, "\\begin{minipage}{\\posvizwidth}\\raggedright\n"
			    "\\edef\\posvizline{\\the\\baselineskip}%\n");
}

/* ---- the panels ------------------------------------------------------------------------------ */

static void add_title(struct tex *t, const struct panel *p, char letter)
{
	const char *const title = p->paper_title ? p->paper_title : p->title;
	const char *const note = p->paper_note ? p->paper_note : p->note;
	strbuf_add(&t->out, "\\textbf{");
	if (letter)
		strbuf_printf(&t->out, "(%c) ", letter);
	strbuf_printf(&t->out, "%s}", tex_text(t, figure_scripts(t->a, title)));
	if (note && *note)
		strbuf_printf(&t->out, "\\quad{\\color{posvizsecond}%s}", tex_text(t, note));
	strbuf_add(&t->out, "\\par\\nobreak\\smallskip\n");
}

/* Returns whether a panel is drawn as a part of what another panel begins. */
static bool is_part(const struct figure *f, size_t i)
{
	return equation_on_page(f) &&
	       (f->panels[i].operand.sign != SIGN_NONE || equation_shares(f) == &f->panels[i].bars);
}

/* The state of writing a figure panel by panel. */
struct writing {
	const struct figure *f;
	bool alone;    /* there is only one panel, which needs no letter */
	bool equation; /* the equation was written */
	struct raster_report *shown;
};

static char next_letter(struct writing *w, const struct panel *p, bool part)
{
	const char letter = w->alone || part ? '\0' : (char)('a' + w->shown->n_shown);
	w->shown->shown[w->shown->n_shown].panel = *p;
	w->shown->shown[w->shown->n_shown++].letter = letter;
	return letter;
}

static void add_titled(struct tex *t, struct writing *w, size_t i)
{
	const char letter = next_letter(w, &w->f->panels[i], false);
	if (!w->alone || t->look->titles)
		add_title(t, &w->f->panels[i], letter);
	panel_type(&w->f->panels[i])->tex(t, &w->f->panels[i]);
}

/* Returns the number of matrices that follow each other from panel i, without parts of an
 * equation. */
static size_t run_from(const struct figure *f, size_t i)
{
	size_t n = 0;
	while (i + n < f->n && panel_type(&f->panels[i + n])->map && !is_part(f, i + n))
		n++;
	return n;
}

/* Returns how many matrices fit side by side such that labels have room beside their cells. */
static size_t across_for(const struct tex *t, const struct heatmap *h, size_t n)
{
	enum { MOST = 3 };
	n = n < MOST ? n : MOST;
	while (n > 1 && tex_matrix_cell(t, h, n) < 1.5 * t->letters)
		n--;
	return n;
}

static void add_side_by_side(struct tex *t, struct writing *w, size_t from, size_t n, size_t across)
{
	const double all = t->width, part = 0.98 / (double)across;
	t->width = part * all;
	for (size_t i = 0; i < n; i++) {
		strbuf_printf(&t->out,
			      "\\begin{minipage}[b]{%.4f\\dimexpr\\posvizwidth\\relax}"
			      "\\raggedright\n\\edef\\posvizwidth{\\the\\linewidth}%%\n",
			      part);
		add_titled(t, w, from + i);
		strbuf_printf(&t->out, "\\end{minipage}%s\n",
			      i + 1 == n	      ? "\\par"
			      : (i + 1) % across == 0 ? "\\par\\medskip"
						      : "\\hfill");
	}
	t->width = all;
}

/* Returns how many panels were written. */
static size_t add_next(struct tex *t, struct writing *w, size_t i)
{
	if (is_part(w->f, i)) {
		next_letter(w, &w->f->panels[i], true);
		if (!w->equation)
			tex_equation(t, w->f);
		w->equation = true;
		return 1;
	}
	const size_t run = run_from(w->f, i);
	const size_t across = run > 1 ? across_for(t, &w->f->panels[i].heatmap, run) : 1;
	if (across > 1) {
		add_side_by_side(t, w, i, run, across);
		return run;
	}
	add_titled(t, w, i);
	return 1;
}

static void add_panels(struct tex *t, const struct figure *f, struct raster_report *shown)
{
	struct writing w = {.f = f, .shown = shown};
	size_t n = 0;
	for (size_t i = 0; i < f->n; i++)
		n += !is_part(f, i);
	w.alone = n + equation_on_page(f) == 1;
	shown->shown = arena_calloc(t->a, f->n + 1, sizeof *shown->shown);
	for (size_t i = 0; i < f->n;) {
		const bool again = is_part(f, i) && w.equation;
		strbuf_add(&t->out, i > 0 && !again ? "\\medskip\n" : "");
		i += add_next(t, &w, i);
	}
}

/* Returns a figure of only those panels that are drawn. */
static struct figure drawn_of(const struct figure *f, struct arena *a)
{
	struct figure out = *f;
	out.n = 0;
	for (size_t i = 0; i < f->n; i++)
		if (is_drawn(&f->panels[i], a))
			out.panels[out.n++] = f->panels[i];
	return out;
}

bool export_tex(const struct figure *f, struct export_tex *look, struct arena *a, char **data,
		size_t *len, struct err *err)
{
	static const double usual_width = 3.25, usual_letters = 8, inch = 72.27;
	const struct figure drawn = drawn_of(f, a);
	struct tex t = {.a = a,
			.look = look,
			.width = inch * (look->width > 0 ? look->width : usual_width),
			.height = inch * look->height,
			.letters = look->letters > 0 ? look->letters : usual_letters};
	if (drawn.n == 0)
		return nothing_to_draw(f, a, err);
	strbuf_init(&t.out, a);
	add_lengths(&t);
	add_colours(&t);
	strbuf_add(&t.out, styles);
	tex_colormaps(&t, &drawn);
	strbuf_add(&t.out, "\\color{posvizink}\n");
	look->shown = (struct raster_report){0};
	add_panels(&t, &drawn, &look->shown);
	look->remark = remark_of(&t, f);
	char *caption;
	size_t caption_len;
	export_caption(f, &look->shown, a, &caption, &caption_len);
	struct strbuf out;
	strbuf_init(&out, a);
	add_head(&t, caption, &out);
	strbuf_add_n(&out, t.out.at, t.out.len);
	strbuf_add(&out, "\\end{minipage}\\endgroup\\posvizend\n");
	*data = out.at;
	*len = out.len;
	return true;
}
