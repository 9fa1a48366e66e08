/* svg_fonts.c: the fonts of an SVG's words: their names, and on request the fonts themselves, so
 * that the file looks the same on machines without them. A font is reduced to the glyphs that the
 * page shows, and to the tables that shape them. */
#include "plot/svg.h"

#include <string.h>

#include "plot/page_library.h"
#include "posviz/base/text.h"

/* ---- used fonts ------------------------------------------------------------------------------ */

static struct svg_face *face_of(struct svg *s, PangoFont *font)
{
	struct svg_fonts *const f = &s->fonts;
	for (size_t i = 0; i < f->n; i++)
		if (f->faces[i].font == font)
			return &f->faces[i];
	f->faces = arena_grow(s->arena, f->faces, f->n, &f->room, sizeof *f->faces);
	PangoFontDescription *const d = pango_font_describe_with_absolute_size(font);
	f->faces[f->n] = (struct svg_face){
		.font = g_object_ref(font),
		.family = arena_strdup(s->arena, pango_font_description_get_family(d)),
		.size = (double)pango_font_description_get_size(d) / PANGO_SCALE,
		.letters = hb_set_create()};
	pango_font_description_free(d);
	return &f->faces[f->n++];
}

const struct svg_face *svg_fonts_use(struct svg *s, PangoFont *font, const char *text)
{
	struct svg_face *const face = face_of(s, font);
	for (size_t n, left = strlen(text); s->embedded && left > 0; text += n, left -= n) {
		uint32_t code;
		n = text_decode(text, left, &code);
		if (n > 0)
			hb_set_add(face->letters, code);
		n = n > 0 ? n : 1;
	}
	return face;
}

void svg_fonts_release(struct svg *s)
{
	for (size_t i = 0; i < s->fonts.n; i++) {
		hb_set_destroy(s->fonts.faces[i].letters);
		g_object_unref(s->fonts.faces[i].font);
	}
	s->fonts.n = 0;
}

/* ---- their names -------------------------------------------------------------------------------- */

static bool is_generic(const char *family)
{
	static const char *const names[] = {"serif", "sans-serif", "monospace", "cursive",
					    "fantasy"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(family, names[i]) == 0)
			return true;
	return false;
}

/* Tells if CSS accepts the name without quotes. Words with a lower-case initial are excluded,
 * because CSS reserves some of them for fonts. */
static bool is_word(const char *family)
{
	return family[0] >= 'A' && family[0] <= 'Z' &&
	       family[strspn(family, G_CSET_A_2_Z G_CSET_a_2_z)] == '\0';
}

/* Adds a name in CSS quotes, with escapes for characters that could end the quotes or the
 * attribute. */
static void add_family(struct strbuf *b, const char *family)
{
	if (is_generic(family) || is_word(family)) {
		strbuf_add(b, family);
		return;
	}
	strbuf_add_char(b, '\'');
	for (const char *at = family; *at != '\0'; at++) {
		const unsigned char c = (unsigned char)*at;
		if (c < 0x20 || strchr("'\\<>&\"", c) != NULL)
			strbuf_printf(b, "\\%x ", c);
		else
			strbuf_add_char(b, *at);
	}
	strbuf_add_char(b, '\'');
}

/* Names without repetitions. */
struct names {
	const char **at;
	size_t n;
};

static bool has(const char *const *names, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

static void add_name(struct names *names, const char *name)
{
	if (!has(names->at, names->n, name))
		names->at[names->n++] = name;
}

static const char **split_families(struct arena *a, const char *list, size_t *n)
{
	const char **const out = arena_calloc(a, strlen(list) + 1, sizeof *out);
	*n = 0;
	while (*list != '\0') {
		list += strspn(list, ", ");
		const size_t len = strcspn(list, ",");
		if (len > 0)
			out[(*n)++] = arena_strndup(a, list, len);
		list += len;
	}
	return out;
}

const char *svg_families(struct arena *a, const char *asked, const char *const *used, size_t n)
{
	size_t n_asked;
	const char *const *const list = split_families(a, asked, &n_asked);
	struct names names = {arena_calloc(a, n + n_asked + 1, sizeof *names.at), 0};
	struct strbuf b;
	strbuf_init(&b, a);
	for (size_t i = 0; i < n_asked; i++)
		if (has(used, n, list[i]))
			add_name(&names, list[i]);
	for (size_t i = 0; i < n; i++)
		add_name(&names, used[i]);
	for (size_t i = 0; i < n_asked; i++)
		add_name(&names, list[i]);
	for (size_t i = 0; i < names.n; i++) {
		if (i > 0)
			strbuf_add_char(&b, ',');
		add_family(&b, names.at[i]);
	}
	return b.at;
}

/* ---- the fonts themselves ----------------------------------------------------------------------- */

/* Weight and slant of a font file, which can differ from those that a text asked for and that Pango
 * then imitates. */
struct kind {
	int weight;
	bool italic;
};

static hb_face_t *hb_face_of(const struct svg_face *face)
{
	return hb_font_get_face(pango_font_get_hb_font(face->font));
}

static struct kind kind_of(const struct svg_face *face)
{
	hb_font_t *const font = pango_font_get_hb_font(face->font);
	return (struct kind){(int)hb_style_get_value(font, HB_STYLE_TAG_WEIGHT),
			     hb_style_get_value(font, HB_STYLE_TAG_ITALIC) > 0};
}

static bool is_same(const struct svg_face *a, const struct svg_face *b)
{
	const struct kind x = kind_of(a), y = kind_of(b);
	return strcmp(a->family, b->family) == 0 && x.weight == y.weight && x.italic == y.italic;
}

/* Tells if the font permits embedding: it forbids it by bit 1 alone of fsType in its table OS/2. */
static bool may_embed(hb_face_t *face)
{
	enum { PLACE = 8, KINDS = 0x0f, RESTRICTED = 2 };
	hb_blob_t *const table = hb_face_reference_table(face, HB_TAG('O', 'S', '/', '2'));
	unsigned len;
	const unsigned char *const at = (const unsigned char *)hb_blob_get_data(table, &len);
	const bool restricted = len > PLACE + 1 && (at[PLACE + 1] & KINDS) == RESTRICTED;
	hb_blob_destroy(table);
	return !restricted;
}

static hb_blob_t *subset(hb_face_t *face, const hb_set_t *letters)
{
	/* The features that combine letters, and that for equally wide digits. */
	static const char features[][5] = {"ccmp", "locl", "kern", "mark", "mkmk", "rlig", "liga",
					   "clig", "init", "medi", "fina", "isol", "curs", "tnum"};
	hb_subset_input_t *const input = hb_subset_input_create_or_fail();
	if (input == NULL)
		return NULL;
	hb_set_union(hb_subset_input_unicode_set(input), letters);
	hb_set_t *const kept = hb_subset_input_set(input, HB_SUBSET_SETS_LAYOUT_FEATURE_TAG);
	hb_set_clear(kept);
	for (size_t i = 0; i < sizeof features / sizeof *features; i++)
		hb_set_add(kept, hb_tag_from_string(features[i], 4));
	hb_subset_input_set_flags(input, HB_SUBSET_FLAGS_NO_HINTING);
	hb_face_t *const made = hb_subset_or_fail(face, input);
	hb_subset_input_destroy(input);
	if (made == NULL)
		return NULL;
	hb_blob_t *const blob = hb_face_reference_blob(made);
	hb_face_destroy(made);
	return blob;
}

static bool add_rule(struct svg *s, size_t i, struct strbuf *css, struct err *err)
{
	const struct svg_face *const face = &s->fonts.faces[i];
	const struct kind kind = kind_of(face);
	const char *const quoted = text_quote(s->arena, face->family, strlen(face->family));
	if (!may_embed(hb_face_of(face)))
		return err_set(err,
			       "the font %s says that it must not be embedded: another --font, or "
			       "no embed-fonts, would be right",
			       quoted);
	hb_blob_t *const blob = subset(hb_face_of(face), face->letters);
	unsigned len = 0;
	const char *const data = blob != NULL ? hb_blob_get_data(blob, &len) : NULL;
	if (data != NULL && len > 0) {
		char *const text = g_base64_encode((const guchar *)data, len);
		strbuf_add(css, "@font-face{font-family:");
		add_family(css, face->family);
		strbuf_printf(css, ";font-weight:%d;font-style:%s;", kind.weight,
			      kind.italic ? "italic" : "normal");
		strbuf_printf(css, "src:url(data:font/otf;base64,%s)}\n", text);
		g_free(text);
	}
	hb_blob_destroy(blob);
	return len > 0 || err_set(err, "the font %s cannot be embedded", quoted);
}

/* Several sizes of a font become one font in the file. */
bool svg_fonts_embed(struct svg *s, struct strbuf *css, struct err *err)
{
	struct svg_face *const faces = s->fonts.faces;
	for (size_t i = 0; i < s->fonts.n; i++) {
		bool first = true;
		for (size_t k = 0; k < i; k++)
			first = first && !is_same(&faces[k], &faces[i]);
		for (size_t k = i + 1; first && k < s->fonts.n; k++)
			if (is_same(&faces[k], &faces[i]))
				hb_set_union(faces[i].letters, faces[k].letters);
		if (first && !add_rule(s, i, css, err))
			return false;
	}
	return true;
}
