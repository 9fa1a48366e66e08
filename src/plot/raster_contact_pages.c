/* raster_contact_pages.c: a contact sheet that is higher than paper, on several pages: rows stay
 * whole, pages are about equally full, and a family that continues has its name on each. */
#include <math.h>

#include "plot/raster_in.h"
#include "posviz/plot/contact.h"

/* Returns the pages that are needed if none is higher than `most`; ends[n] gets the row after the
 * last of each. */
static size_t count_pages(const struct contact_rows *rows, double most, size_t *ends)
{
	size_t n = 0;
	double y = INFINITY;
	for (size_t r = 0; r < rows->n; r++) {
		const double head = rows->headed[r] ? rows->head : 0;
		if (y + head + rows->high[r] > most) {
			y = rows->around + rows->head - head;
			n++;
		}
		y += head + rows->high[r];
		ends[n - 1] = r + 1;
	}
	return n;
}

/* Returns the least height of pages of which no more are needed than of those of paper. */
static double even_height(const struct contact_rows *rows, size_t *ends)
{
	const size_t n = count_pages(rows, RASTER_CONTACT_PAPER, ends);
	double less = 0, more = RASTER_CONTACT_PAPER;
	while (more - less > 1) {
		const double middle = (less + more) / 2;
		*(count_pages(rows, middle, ends) > n ? &less : &more) = middle;
	}
	return ceil(more);
}

/* Returns the entries from `first` up to `end` as a contact sheet of their own. */
static struct contact *part_of(const struct contact *k, size_t first, size_t end, size_t across,
			       struct arena *a)
{
	struct contact *const out = arena_calloc(a, 1, sizeof *out);
	struct contact_family *const families =
		arena_calloc(a, k->n_families + 1, sizeof *families);
	*out = *k;
	out->entries = k->entries + first;
	out->n = end - first;
	out->across = across;
	out->families = families;
	out->n_families = 0;
	for (size_t i = 0; i < k->n_families; i++) {
		const struct contact_family *const from = &k->families[i];
		const size_t begin = from->first > first ? from->first : first;
		const size_t stop = from->first + from->n < end ? from->first + from->n : end;
		if (begin >= stop)
			continue;
		families[out->n_families++] = (struct contact_family){
			.name = begin > from->first ? arena_printf(a, "%s, continued", from->name)
						    : from->name,
			.first = begin - first,
			.n = stop - begin};
	}
	return out;
}

bool raster_contact_pages(const struct figure *f, struct raster_look *look, struct arena *a,
			  struct figure **pages, size_t *n, struct err *err)
{
	struct raster_look one = *look;
	struct page page = {0};
	*n = 1;
	*pages = arena_calloc(a, f->contact->n + 1, sizeof **pages);
	**pages = *f;
	if (look->height > 0)
		return true;
	one.height = RASTER_CONTACT_PAPER;
	const bool good = raster_open(&page, f, &one, a, err);
	if (good && raster_contact_height(&page, f) > RASTER_CONTACT_PAPER) {
		const struct contact_rows rows = raster_contact_rows(&page, f);
		size_t *const ends = arena_calloc(a, rows.n + 1, sizeof *ends), first = 0;
		look->height = even_height(&rows, ends);
		*n = count_pages(&rows, look->height, ends);
		for (size_t i = 0; i < *n; first = rows.end[ends[i] - 1], i++) {
			(*pages)[i] = *f;
			(*pages)[i].contact =
				part_of(f->contact, first, rows.end[ends[i] - 1], rows.across, a);
		}
	}
	raster_text_close(&page);
	return good;
}
