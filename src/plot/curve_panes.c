/* curve_panes.c: the division of an area into plots of several curves. */
#include "plot/curve_panes.h"

#include <math.h>

static struct curve_plots plots_of(const struct curve_panes *room, size_t n, size_t down)
{
	const size_t across = (n + down - 1) / down;
	const double left = room->own ? room->left * (double)across : room->left;
	const double w = (room->w - left + room->gap) / (double)across - room->gap;
	const double h = room->h / (double)down - room->around;
	return (struct curve_plots){down, across, room->whole ? floor(w) : w,
				    room->whole ? floor(h) : h};
}

bool curve_panes_divide(const struct curve_panes *room, size_t n, size_t most_down,
			struct curve_plots *out)
{
	double best = 0;
	for (size_t down = 1; down <= most_down; down++) {
		const struct curve_plots plots = plots_of(room, n, down);
		const double size = fmin(plots.w, room->flat * plots.h);
		if (plots.w < room->least_w || plots.h < room->least_h || size <= best)
			continue;
		best = size;
		*out = plots;
	}
	return best > 0;
}
