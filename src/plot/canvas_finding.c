/* canvas_finding.c: the finding of a figure on cells: a sentence above the panels. */
#include <string.h>

#include "plot/canvas_in.h"
#include "plot/canvas_multiples.h"
#include "plot/canvas_pen.h"

/* A figure lower than LEAST has no room for it, nor one lower than LEAST_LOW if its panels say the same, nor small
 * multiples lower than LEAST_NAMED, whose names need the rows, unless these spare one; it has at most MOST rows, and a part of the rows. Last
 * sentences without room are left out. A brief one stands in one row of a figure lower than LEAST_LOW, whole or not at
 * all. */
enum { LEAST = 14, LEAST_NAMED = 20, LEAST_LOW = 28, MOST = 3, PART = 5 };

int canvas_sentence_rows(const char *text, int cols)
{
	struct canvas like = {0};
	struct arena a;
	arena_init(&a);
	const struct pen pen = pen_cells(&like, &a, (struct rect){.cols = cols});
	const struct text_run run = {.text = text};
	const int rows = (int)pen_wrap(&pen, pen.at, &run, 1, false);
	arena_release(&a);
	return rows;
}

/* Returns the end of the last sentence but one; NULL: it is the only one. */
static const char *before_last(const char *text)
{
	const char *end = NULL;
	for (const char *at = strstr(text, ". "); at != NULL; at = strstr(at + 1, ". "))
		if (at - text < 3 || strncmp(at - 3, " al", 3) != 0) /* not "et al." */
			end = at;
	return end;
}

bool canvas_finding_is_brief(const struct figure *f, struct rect r)
{
	return f->finding_brief && r.rows < LEAST_LOW;
}

/* Returns whether small multiples are of the same size in a row less. */
static bool spares_row(const struct panel *p, struct rect r)
{
	const struct canvas like = {.tier = TIER_DIRECT};
	bool box;
	struct rect inner = canvas_panel_inner(p, r, &box);
	if (inner.rows < 2 || inner.cols < 1 || p->absent || p->multiples.n == 0)
		return false;
	const struct multiples_plan with = multiples_plan_of(&like, &p->multiples, inner);
	inner.rows--;
	const struct multiples_plan less = multiples_plan_of(&like, &p->multiples, inner);
	return less.size == with.size && less.block == with.block && less.heads >= with.heads &&
	       less.side == with.side && less.cols * less.rows == with.cols * with.rows;
}

/* Returns the rows of the finding; *said: without last sentences that have no room. */
static struct rect rows_of(struct arena *a, const struct figure *f, struct rect r,
			   const char **said)
{
	struct rect out = {r.row, r.col + 1, 0, r.cols - 2};
	const bool brief = canvas_finding_is_brief(f, r);
	const int least =
		f->finding_spare && !brief ? LEAST_LOW
		: f->n == 1 && f->panels[0].kind == PANEL_MULTIPLES && !spares_row(&f->panels[0], r)
			? LEAST_NAMED
			: LEAST;
	*said = brief ? f->finding_brief : f->finding;
	if (*said == NULL || r.rows < least || out.cols < 1)
		return out;
	const int most = brief ? 1 : r.rows / PART < MOST ? r.rows / PART : MOST;
	out.rows = canvas_sentence_rows(*said, out.cols);
	if (brief && out.rows > 1 && f->finding_least) {
		*said = f->finding_least;
		out.rows = canvas_sentence_rows(*said, out.cols);
	}
	for (const char *end = *said; out.rows > most && (end = before_last(*said)) != NULL;) {
		*said = arena_printf(a, "%.*s.", (int)(end - *said), *said);
		out.rows = canvas_sentence_rows(*said, out.cols);
	}
	if (out.rows > most)
		out.rows = brief ? 0 : most;
	return out;
}

struct rect canvas_finding_leave(const struct figure *f, struct rect r)
{
	const char *said;
	struct arena a;
	arena_init(&a);
	const int rows = rows_of(&a, f, r, &said).rows;
	arena_release(&a);
	return (struct rect){r.row + rows, r.col, r.rows - rows, r.cols};
}

void canvas_finding(struct canvas *c, struct arena *a, const struct figure *f, struct rect r,
		    const struct rect *place)
{
	const char *said;
	const struct rect at = rows_of(a, f, r, &said);
	if (at.rows == 0)
		return;
	for (size_t i = 0; i < f->n; i++)
		if (place[i].rows > 0 && place[i].row < at.row + at.rows)
			return; /* an enlarged panel has these rows */
	canvas_paragraph(c, a, at, c->ascii ? canvas_plain_text(a, said) : said, 0);
}
