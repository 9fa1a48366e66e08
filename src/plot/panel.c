/* panel.c: the kinds of panels, as a table. */
#include "plot/panel_in.h"

#define PANEL(constant, name, ...) extern const struct panel_type panel_##name;
#include "posviz/plot/panel_list.h"
#undef PANEL

static const struct panel_type *const types[] = {
#define PANEL(constant, name, ...) &panel_##name,
#include "posviz/plot/panel_list.h"
#undef PANEL
};

const struct panel_type *panel_type(const struct panel *p)
{
	BUG_IF((size_t)p->kind >= PANEL_KINDS);
	return types[p->kind];
}

bool panel_is_map(const struct panel *p)
{
	return panel_type(p)->map;
}

bool panel_shows_map(const struct panel *p)
{
	return panel_is_map(p) && p->absent == NULL;
}

void panel_draw(const struct pen *pen, const struct panel *p)
{
	if (pen->at.w >= 1 && pen->at.h >= 1)
		panel_type(p)->draw(pen, p);
}

struct size panel_body(const struct page *page, double width, double lines)
{
	return (struct size){width * page->type, lines * page->line[FACE_TEXT]};
}

const char *panel_label(const char *const *labels, size_t i, struct arena *a)
{
	return labels ? labels[i] : arena_printf(a, "%zu", i + 1);
}
