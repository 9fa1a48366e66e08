/* contact.c: the row and column of each scheme on a contact sheet, for pages and cells alike. */
#include "posviz/plot/contact.h"

static size_t least_of(size_t a, size_t b)
{
	return a < b ? a : b;
}

static size_t most_of(size_t a, size_t b)
{
	return a > b ? a : b;
}

/* The row and column where the next run begins. */
struct place {
	size_t row, col;
};

static void add_run(const struct contact *k, struct contact_flow *out, struct place *at,
		    struct contact_run run)
{
	run.row = at->row;
	run.col = at->col;
	out->headed[at->row] |= !run.again;
	for (size_t i = run.first; i < run.first + run.n; i++)
		out->noted[at->row] |= k->entries[i].note != NULL;
	at->col += run.cols;
	out->rows = at->row + 1;
	out->runs[out->n++] = run;
}

void contact_flow(const struct contact *k, size_t across, const size_t *least, struct arena *a,
		  struct contact_flow *out)
{
	struct place at = {0};
	*out = (struct contact_flow){
		.runs = arena_calloc(a, k->n + k->n_families + 1, sizeof *out->runs),
		.headed = arena_calloc(a, k->n + 1, sizeof *out->headed),
		.noted = arena_calloc(a, k->n + 1, sizeof *out->noted)};
	for (size_t f = 0; f < k->n_families; f++) {
		const struct contact_family *const family = &k->families[f];
		for (size_t done = 0; done < family->n;) {
			const size_t left = family->n - done, n = least_of(left, across);
			const size_t cols = least_of(across, most_of(n, least[f]));
			if (at.col > 0 && at.col + cols > across)
				at = (struct place){at.row + 1, 0};
			add_run(k, out, &at,
				(struct contact_run){.family = f,
						     .first = family->first + done,
						     .n = n,
						     .cols = cols,
						     .again = done > 0});
			done += n;
		}
	}
}
