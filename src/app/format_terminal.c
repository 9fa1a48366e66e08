/* format_terminal.c: pictures that the terminal draws: kitty's protocol and sixels. */
#include "format_in.h"
#include "posviz/app/snapshot.h"
#include "posviz/export/export.h"

/* Reads a number of a PNG, whose bytes 16 to 23 are width and height. */
static int big_endian(const char *at)
{
	const unsigned char *const b = (const unsigned char *)at;
	return b[0] << 24 | b[1] << 16 | b[2] << 8 | b[3];
}

/* Returns the place of the picture. At its natural size, it covers as many cells as its pixels
 * need; cells have a common size if theirs is unknown. */
static struct export_place place_of(const struct write_job *j, int width, int height)
{
	enum { USUAL_WIDTH = 10, USUAL_HEIGHT = 20 };
	struct export_place out = {.natural = true};
	if (j->look)
		out = j->look->place;
	if (out.cols > 0 && !out.natural)
		return out;
	if (out.cols == 0)
		out = (struct export_place){
			.natural = true, .cell_width = USUAL_WIDTH, .cell_height = USUAL_HEIGHT};
	out.cols = (width + out.cell_width - 1) / out.cell_width;
	out.rows = (height + out.cell_height - 1) / out.cell_height;
	out.cols = out.cols < EXPORT_PLACE_MOST ? out.cols : EXPORT_PLACE_MOST;
	out.rows = out.rows < EXPORT_PLACE_MOST ? out.rows : EXPORT_PLACE_MOST;
	return out;
}

static bool write_kitty(struct write_job *j, struct err *err)
{
	enum { WIDTH_AT = 16, HEIGHT_AT = 20 };
	if (!format_on_page(&format_png, j, err))
		return false;
	const struct export_place place =
		place_of(j, big_endian(j->data + WIDTH_AT), big_endian(j->data + HEIGHT_AT));
	export_kitty(j->data, j->len, &place, j->a, &j->data, &j->len);
	return true;
}

static bool write_sixel(struct write_job *j, struct err *err)
{
	const struct raster_look look = snapshot_look(j->scene);
	struct figure *f;
	struct image image;
	if (!format_page_figure(j, &f, err) ||
	    !raster_image(f, &look, j->a, &image, j->report, err))
		return false;
	const struct export_place place = place_of(j, image.width, image.height);
	export_sixel(&image, &place, j->a, &j->data, &j->len);
	return true;
}

enum { DRAWN = FORMAT_TERMINAL | FORMAT_PAGE | FORMAT_DOTS | FORMAT_FONT | FORMAT_THEME };

const struct format format_kitty = {.name = "kitty",
				    .suffixes = "",
				    .help = "picture for a terminal that knows kitty's protocol",
				    .bears = DRAWN,
				    .write = write_kitty};

const struct format format_sixel = {.name = "sixel",
				    .suffixes = "",
				    .help = "picture for a terminal that draws sixels",
				    .bears = DRAWN,
				    .write = write_sixel};
