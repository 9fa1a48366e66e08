/* layout_lines.c: see layout_lines.h. Pango has the parts of a line from left to right; they are
 * sorted by the order of their letters in the text, which for a right-to-left script is the order
 * of reading. */
#include "plot/layout_lines.h"

#include <stdlib.h>
#include <string.h>

#include "plot/page_library.h"
#include "posviz/base/strbuf.h"

static int by_place(const void *one, const void *two)
{
	const PangoItem *const a = (*(PangoGlyphItem *const *)one)->item;
	const PangoItem *const b = (*(PangoGlyphItem *const *)two)->item;
	return (a->offset > b->offset) - (a->offset < b->offset);
}

static PangoGlyphItem **sorted_runs(const PangoLayoutLine *line, struct arena *a, size_t *n)
{
	PangoGlyphItem **const runs =
		arena_calloc(a, g_slist_length(line->runs) + 1, sizeof(PangoGlyphItem *));
	*n = 0;
	for (const GSList *at = line->runs; at != NULL; at = at->next)
		runs[(*n)++] = at->data;
	qsort(runs, *n, sizeof(PangoGlyphItem *), by_place);
	return runs;
}

static const char *text_of(const PangoItem *item, const char *all, bool broken, struct arena *a)
{
	if (item->analysis.flags & PANGO_ANALYSIS_FLAG_IS_ELLIPSIS)
		return "…";
	size_t len = (size_t)item->length;
	while (broken && len > 0 && all[(size_t)item->offset + len - 1] == ' ')
		len--;
	return arena_strndup(a, all + item->offset, len);
}

/* `broken`: the text continues in the next line. */
static void read_pieces(struct layout_line *out, const PangoLayoutLine *line, const char *all,
			bool broken, struct arena *a)
{
	size_t n;
	PangoGlyphItem *const *const runs = sorted_runs(line, a, &n);
	struct strbuf text;
	strbuf_init(&text, a);
	out->pieces = arena_calloc(a, n + 1, sizeof *out->pieces);
	for (size_t i = 0; i < n; i++) {
		const char *const part = text_of(runs[i]->item, all, broken && i + 1 == n, a);
		strbuf_add(&text, part);
		out->pieces[out->n++] =
			(struct layout_piece){part, runs[i]->item->analysis.font,
					      (double)runs[i]->y_offset / PANGO_SCALE};
	}
	out->text = text.at;
}

struct layout_line *layout_lines(PangoLayout *layout, struct arena *a, size_t *n)
{
	const size_t most = (size_t)pango_layout_get_line_count(layout);
	struct layout_line *const out = arena_calloc(a, most + 1, sizeof *out);
	const char *const all = pango_layout_get_text(layout);
	PangoLayoutIter *const iter = pango_layout_get_iter(layout);
	*n = 0;
	do {
		PangoRectangle logical;
		const PangoLayoutLine *const line = pango_layout_iter_get_line_readonly(iter);
		pango_layout_iter_get_line_extents(iter, NULL, &logical);
		struct layout_line *const at = &out[(*n)++];
		*at = (struct layout_line){
			.x = (double)logical.x / PANGO_SCALE,
			.y = (double)logical.y / PANGO_SCALE,
			.width = (double)logical.width / PANGO_SCALE,
			.height = (double)logical.height / PANGO_SCALE,
			.baseline = (double)pango_layout_iter_get_baseline(iter) / PANGO_SCALE,
			.leftwards = line->resolved_dir == PANGO_DIRECTION_RTL};
		read_pieces(at, line, all, *n < most, a);
	} while (pango_layout_iter_next_line(iter));
	pango_layout_iter_free(iter);
	return out;
}
