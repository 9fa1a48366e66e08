/* device.c: paths, which are the same for all devices. */
#include "plot/device.h"

#include <string.h>

struct path path_new(struct arena *a)
{
	return (struct path){.arena = a};
}

static void add(struct path *path, struct path_step step)
{
	path->steps =
		arena_grow(path->arena, path->steps, path->n, &path->room, sizeof *path->steps);
	path->steps[path->n++] = step;
}

void path_move(struct path *path, double x, double y)
{
	add(path, (struct path_step){PATH_MOVE, {x, y}});
}

void path_line(struct path *path, double x, double y)
{
	add(path, (struct path_step){path->n == 0 ? PATH_MOVE : PATH_LINE, {x, y}});
}

void path_curve(struct path *path, double x1, double y1, double x2, double y2, double x, double y)
{
	add(path, (struct path_step){PATH_CURVE, {x1, y1, x2, y2, x, y}});
}

void path_close(struct path *path)
{
	if (path->n > 0)
		add(path, (struct path_step){PATH_CLOSE, {0}});
}

void path_rect(struct path *path, struct area a)
{
	add(path, (struct path_step){PATH_RECT, {a.x, a.y, a.w, a.h}});
}

void path_circle(struct path *path, double x, double y, double r)
{
	add(path, (struct path_step){PATH_CIRCLE, {x, y, r}});
}
