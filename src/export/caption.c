/* caption.c: the caption of a picture as text for the paper around it: the content of each panel,
 * its subject, and the command that makes the picture. */
#include <string.h>

#include "posviz/base/strbuf.h"
#include "posviz/export/export.h"

/* Adds the parts of a page's line, which blanks or dots separate there, as parts of a sentence. */
static void add_parts(struct strbuf *out, const char *text)
{
	static const char *const gaps[] = {"   ·   ", " · ", "   "};
	for (const char *at = text; *at != '\0';) {
		size_t i = 0;
		while (i < 3 && strncmp(at, gaps[i], strlen(gaps[i])) != 0)
			i++;
		if (i == 3) {
			strbuf_add_char(out, *at++);
			continue;
		}
		strbuf_add(out, ", ");
		at += strlen(gaps[i]);
	}
}

static void add_panel(struct strbuf *out, const struct panel *p, char letter)
{
	const char *const title = p->paper_title != NULL ? p->paper_title : p->title;
	const char *const note = p->paper_note != NULL ? p->paper_note : p->note;
	strbuf_add(out, " ");
	if (letter != '\0')
		strbuf_printf(out, "(%c) ", letter);
	strbuf_add(out, title);
	if (note != NULL && note[0] != '\0') {
		strbuf_add(out, ", ");
		add_parts(out, note);
	}
	if (p->subtitle != NULL) {
		strbuf_add(out, ": ");
		strbuf_add(out, p->subtitle);
	}
	strbuf_add(out, ".");
}

static void add_head(struct strbuf *out, const struct figure *f)
{
	strbuf_add(out, f->title);
	if (f->subtitle != NULL) {
		strbuf_add(out, " (");
		add_parts(out, f->subtitle);
		strbuf_add(out, ")");
	}
	strbuf_add(out, ".");
}

void export_caption(const struct figure *f, const struct raster_report *shown, struct arena *a,
		    char **data, size_t *len)
{
	struct strbuf out;
	strbuf_init(&out, a);
	if (f->title != NULL)
		add_head(&out, f);
	if (f->finding != NULL)
		strbuf_printf(&out, " %s", f->finding);
	for (size_t i = 0; i < shown->n_shown; i++)
		add_panel(&out, &shown->shown[i].panel, shown->shown[i].letter);
	if (f->caption != NULL) {
		strbuf_add(&out, " ");
		add_parts(&out, f->caption);
		if (out.at[out.len - 1] != '.')
			strbuf_add(&out, ".");
	}
	strbuf_add(&out, "\n");
	if (f->command != NULL)
		strbuf_printf(&out, "\n%s\n", f->command);
	*data = out.at;
	*len = out.len;
}
