/* raster_faces.c: the fonts of a page and the sizes of their letters.
 *
 * The font options are fixed (grey antialiasing, no hinting), so that the same input gives the same
 * bytes. */
#include <math.h>
#include <string.h>

#include "plot/raster_in.h"
#include "plot/page_library.h"
#include "posviz/base/descriptors.h"

static const struct {
	const char *families; /* the first one installed is used */
	double size;	      /* pixels if type is 1 */
	/* points more than the labels, if the size of labels was given */
	double more;
	PangoWeight weight;
	bool italic, formula; /* formula: understands _x ^x _{..} ^{..} */
} faces[FACE_COUNT] = {
	[FACE_TITLE] = {"Inter,DejaVu Sans,sans-serif", 28, 4, PANGO_WEIGHT_BOLD},
	[FACE_HEAD] = {"Inter,DejaVu Sans,sans-serif", 18, 1, PANGO_WEIGHT_BOLD},
	[FACE_TEXT] = {"Inter,DejaVu Sans,sans-serif", 14, 0, PANGO_WEIGHT_NORMAL},
	[FACE_BOLD] = {"Inter,DejaVu Sans,sans-serif", 14, 0, PANGO_WEIGHT_SEMIBOLD},
	[FACE_FORMULA] = {"DejaVu Serif,serif", 19, 1, PANGO_WEIGHT_NORMAL, false, true},
	[FACE_MATH] = {"DejaVu Serif,serif", 19, 1, PANGO_WEIGHT_NORMAL, true, true},
	[FACE_NAME] = {"Inter,DejaVu Sans,sans-serif", 18, 1, PANGO_WEIGHT_BOLD, false, true},
	[FACE_LETTER] = {"Inter,DejaVu Sans,sans-serif", 20, 2, PANGO_WEIGHT_BOLD},
};

static const double small_title =
	20.0 / 24; /* relative size on a page without room for a large title */

/* in units of a page whose labels have a given size */
static const double point = 96.0 / 72;

double raster_faces_first(const struct page *p)
{
	const double fits = fmin(p->width / USUAL_W, p->height / USUAL_H);
	return p->given > 0 ? p->given / faces[FACE_TEXT].size : fmax(fits, LEAST_TYPE);
}

double raster_faces_last(const struct page *p)
{
	return p->given > 0 ? raster_faces_first(p) : LEAST_TYPE;
}

static double size_of(const struct page *p, enum face face, double type)
{
	const double size = faces[face].size * (face == FACE_TITLE && p->compact ? small_title : 1);
	return p->given > 0 ? p->given + faces[face].more * point : round(size * type * 4) / 4;
}

/* Returns the families of a face. If the first usual one is installed it is the only one: missing
 * glyphs then come from the same other fonts, and Pango, which looks up each font that it took
 * again by its name, has it cached already. A font that the user chose comes before the usual ones,
 * which have the glyphs that it lacks. */
static const char *families_of(const struct page *p, enum face face)
{
	const char *const usual = faces[face].families;
	const bool asked = p->font != NULL && strncmp(usual, "Inter", strlen("Inter")) == 0;
	if (asked)
		return arena_printf(p->arena, "%s,%s", p->font, usual);
	const char *const first = arena_strndup(p->arena, usual, strcspn(usual, ","));
	return raster_fonts_have(first) ? first : usual;
}

const char *raster_faces_families(const char *taken)
{
	const size_t len = strlen(taken);
	for (size_t i = 0; i < FACE_COUNT; i++)
		if (strncmp(faces[i].families, taken, len) == 0 && faces[i].families[len] == ',')
			return faces[i].families;
	return taken;
}

static PangoFontDescription *face_of(const struct page *p, enum face face)
{
	PangoFontDescription *const out = pango_font_description_new();
	pango_font_description_set_family_static(out, families_of(p, face));
	pango_font_description_set_weight(out, faces[face].weight);
	if (faces[face].italic)
		pango_font_description_set_style(out, PANGO_STYLE_ITALIC);
	return out;
}

static void set_letters(const struct page *p, PangoFontDescription *to, enum face face, double type)
{
	pango_font_description_set_absolute_size(to, size_of(p, face, type) * PANGO_SCALE);
}

void raster_faces_letters(struct page *p, enum face face, double size)
{
	pango_font_description_set_absolute_size(p->face[face], size * PANGO_SCALE);
}

bool raster_faces_formula(enum face face)
{
	return faces[face].formula;
}

void raster_faces_size(struct page *p, double type)
{
	p->type = type;
	for (size_t i = 0; i < FACE_COUNT; i++) {
		if (p->face[i] == NULL)
			p->face[i] = face_of(p, (enum face)i);
		set_letters(p, p->face[i], (enum face)i, type);
	}
}

static void drop_fonts(gpointer fonts)
{
	g_object_unref(fonts);
}

/* Finding fonts takes longer than most pages, so each thread does it once; threads cannot share the
 * result. */
static PangoFontMap *fonts_of_thread(void)
{
	static GPrivate kept = G_PRIVATE_INIT(drop_fonts);
	PangoFontMap *fonts = g_private_get(&kept);
	if (fonts == NULL && (fonts = raster_begun()) != NULL)
		g_private_set(&kept, fonts);
	if (fonts == NULL) {
		fonts = pango_cairo_font_map_new_for_font_type(CAIRO_FONT_TYPE_FT);
		pango_cairo_font_map_set_resolution(PANGO_CAIRO_FONT_MAP(fonts), 96);
		g_private_set(&kept, fonts);
	}
	return g_object_ref(fonts);
}

/* Reports a family other than the one that the user chose. */
static void report_font(struct page *p, PangoFont *font)
{
	if (p->font == NULL)
		return;
	PangoFontDescription *const taken = pango_font_describe(font);
	const char *const family = pango_font_description_get_family(taken);
	if (g_ascii_strcasecmp(family, p->font) != 0) {
		p->report.font = p->font;
		p->report.font_taken = arena_strdup(p->arena, family);
	}
	pango_font_description_free(taken);
}

/* Returns the font of most letters, as the layout will ask for it; NULL: there is none. */
static PangoFont *first_font(struct page *p)
{
	PangoFontDescription *const face = face_of(p, FACE_TEXT);
	set_letters(p, face, FACE_TEXT, raster_faces_first(p));
	PangoFontset *const set = pango_font_map_load_fontset(p->fonts, p->context, face,
							      pango_language_get_default());
	PangoFont *const font = set != NULL ? pango_fontset_get_font(set, 'A') : NULL;
	if (set != NULL)
		g_object_unref(set);
	pango_font_description_free(face);
	return font;
}

bool raster_faces_open(struct page *p, struct err *err)
{
	if (!descriptors_room(DESCRIPTORS_PAGE, "fonts", err))
		return false;
	raster_fonts_trouble();
	p->fonts = fonts_of_thread();
	p->context = pango_font_map_create_context(p->fonts);
	cairo_font_options_t *options = cairo_font_options_create();
	cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
	cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
	cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
	pango_cairo_context_set_font_options(p->context, options);
	cairo_font_options_destroy(options);
	pango_context_set_round_glyph_positions(p->context, FALSE);
	pango_context_set_base_dir(p->context, PANGO_DIRECTION_LTR);

	PangoFont *const font = first_font(p);
	if (font == NULL)
		return err_set(err, "no font can be found: install one, for example the package "
				    "fonts-dejavu-core, and see `fc-list`");
	report_font(p, font);
	g_object_unref(font);
	return true;
}

void raster_faces_close(struct page *p)
{
	for (size_t i = 0; i < FACE_COUNT; i++)
		if (p->face[i] != NULL)
			pango_font_description_free(p->face[i]);
	if (p->context != NULL)
		g_object_unref(p->context);
	if (p->fonts != NULL)
		g_object_unref(p->fonts);
}
