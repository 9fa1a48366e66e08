/* format_cells.c: pictures in character cells, without colours and with them. */
#include "format_in.h"
#include "posviz/export/export.h"

static const struct write_look usual_look = {.cols = 120, .rows = 36, .tier = TIER_DIRECT};

static bool write_cells(struct write_job *j, bool colour, struct err *err)
{
	const struct write_look *const look = j->look ? j->look : &usual_look;
	const enum background background =
		j->scene->theme == THEME_AUTO ? look->background : (enum background)j->scene->theme;
	const bool dark = background != BACKGROUND_LIGHT;
	struct figure *f;
	if (!format_figure(j, background, &f, err))
		return false;
	struct canvas *const canvas = canvas_new(
		j->a, look->rows, look->cols, colour ? look->tier : TIER_MONO, look->ascii, dark);
	canvas->quadrants = look->quadrants;
	canvas_figure(canvas, f);
	export_text(canvas, colour, j->a, &j->data, &j->len);
	return true;
}

static bool write_txt(struct write_job *j, struct err *err)
{
	return write_cells(j, false, err);
}

static bool write_ansi(struct write_job *j, struct err *err)
{
	return write_cells(j, true, err);
}

enum { CELLS = FORMAT_PICTURE | FORMAT_CELLS | FORMAT_THEME | FORMAT_READABLE | FORMAT_SHEET };

const struct format format_txt = {.name = "txt",
				  .suffixes = "txt",
				  .help = "picture in cells, letters alone",
				  .bears = CELLS,
				  .write = write_txt};

const struct format format_ansi = {.name = "ansi",
				   .suffixes = "ansi",
				   .help = "picture in cells, with colours, for a terminal",
				   .bears = CELLS | FORMAT_COLOUR,
				   .write = write_ansi};
