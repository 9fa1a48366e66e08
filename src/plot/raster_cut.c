/* raster_cut.c: labels cut to a width.
 *
 * The layout of a page asks for the same labels at many widths, but these amount to few different
 * numbers of columns, so the results for each number are kept. */
#include <math.h>
#include <string.h>

#include "posviz/base/text.h"
#include "raster_in.h"

/* Labels cut to so many columns, in letters of this size. */
struct cut {
	double type;
	enum face face;
	size_t first, columns;
	const char **text;
	struct size most;
	struct cut *next;
};

struct cut_labels {
	const char **labels;
	size_t n, columns; /* columns of the widest label */
	struct cut *cuts;
	struct cut_labels *next;
};

static bool same_labels(const struct cut_labels *l, const char *const *labels, size_t n)
{
	if (l->n != n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (strcmp(l->labels[i], labels[i]) != 0)
			return false;
	return true;
}

static struct cut_labels *labels_of(struct page *p, const char *const *labels, size_t n)
{
	struct cut_labels *l = p->cut_labels;
	while (l != NULL && !same_labels(l, labels, n))
		l = l->next;
	if (l != NULL)
		return l;
	l = arena_calloc(p->arena, 1, sizeof *l);
	*l = (struct cut_labels){.n = n, .columns = 1, .next = p->cut_labels};
	l->labels = arena_calloc(p->arena, n + 1, sizeof *l->labels);
	for (size_t i = 0; i < n; i++) {
		const size_t wide = text_width(labels[i]);
		l->columns = wide > l->columns ? wide : l->columns;
		l->labels[i] = arena_strdup(p->arena, labels[i]);
	}
	p->cut_labels = l;
	return l;
}

static const struct cut *cut_to(struct page *p, struct cut_labels *l, enum face face, size_t first,
				size_t columns)
{
	struct cut *c = l->cuts;
	while (c != NULL && (c->face != face || c->first != first || c->columns != columns ||
			     fabs(c->type - p->type) > 0))
		c = c->next;
	if (c != NULL)
		return c;
	c = arena_calloc(p->arena, 1, sizeof *c);
	*c = (struct cut){
		.type = p->type, .face = face, .first = first, .columns = columns, .next = l->cuts};
	c->text = text_labels(p->arena, l->labels, l->n, first, columns, false);
	for (size_t i = 0; i < l->n; i++) {
		const struct size size = raster_text_measure(p, face, c->text[i]);
		c->most = (struct size){fmax(c->most.w, size.w), fmax(c->most.h, size.h)};
	}
	l->cuts = c;
	return c;
}

const char **raster_text_labels(struct page *p, enum face face, const char *const *labels, size_t n,
				size_t first, double width, struct size *most)
{
	struct cut_labels *const l = labels_of(p, labels, n);
	const char **const out = arena_calloc(p->arena, n + 1, sizeof *out);
	const struct cut *c;
	width = fmax(width, 0);
	for (size_t columns = l->columns;;) {
		c = cut_to(p, l, face, first, columns);
		if (c->most.w <= width || columns == 1)
			break;
		const size_t guess = (size_t)((double)columns * width / c->most.w) + 1;
		columns = guess < columns ? guess : columns - 1;
	}
	*most = c->most;
	memcpy(out, c->text, n * sizeof *out);
	return out;
}
