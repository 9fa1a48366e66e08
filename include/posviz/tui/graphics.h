/* graphics.h: whether and how the terminal draws pictures, and why that was chosen. */
#ifndef POSVIZ_GRAPHICS_H
#define POSVIZ_GRAPHICS_H

#include "posviz/tui/answers.h"
#include "posviz/app/app.h"
#include "posviz/export/export.h"
#include "posviz/tui/tui.h"

/* tmux and what is meant for the terminal around it: there is no tmux, it keeps it, or hands it on. */
enum tmux { TMUX_NONE, TMUX_KEEPS, TMUX_HANDS_ON };
enum tmux graphics_tmux(const struct tui_tier *terminal);

struct graphics {
	enum graphics_way way; /* never GRAPHICS_AUTO */
	bool tmux;	       /* through it */
	const char *why;       /* constant text, as is */
	const char *remedy;    /* what would make it pictures, or NULL */
};
static const double GRAPHICS_SECONDS = 0.05; /* that the terminal has for its answers */
struct graphics graphics_choose(const struct settings *settings, const struct tui_tier *terminal,
				enum tmux tmux, const struct answers *answers);
/* The name of the format that is written: "kitty", "sixel", "ansi". */
const char *graphics_format(enum graphics_way way);

/* Asking without curses: on the terminal that is standard output and ours. Keys that are typed meanwhile
 * are lost when nothing is answered. */
struct asking {
	int fd; /* -1: there is nobody to ask */
	struct answer_bytes answer;
	struct answers answers;
	double asked; /* when; 0: not yet */
	bool around;  /* tmux was asked to ask */
};
void asking_open(struct asking *a);
/* Waits for the answers, so many seconds at most. */
void asking_ask(struct asking *a, const struct questions *q, double seconds);
/* Takes away what came late. */
void asking_close(struct asking *a);

/* Tells whether the system knows of the pixels of the terminal. */
bool graphics_pixels(void);
/* Pixels of a cell: what the system knows, else what was answered, else a usual size; false for that. */
bool graphics_cell(const struct answers *answers, int *width, int *height);

/* Makes room for pictures in as many colours as sixels have, where the terminal has fewer; "" when
 * nothing is to be sent. */
const char *graphics_registers(const struct answers *answers);

/* Why there are cells all the same when that is false. */
extern const char graphics_no_room[];
/* Finds the place of a page of so many cells; the scene gets its size in pixels. False where there is no room for
 * one. */
bool graphics_page(const struct answers *answers, enum graphics_way way, int cols, int rows,
		   struct scene *scene, struct export_place *out);
/* The same of a page among text: as wide as the columns and in the form of the usual page, or of the
 * scene's own size, where that has room: in no more than so many rows. `shrunk`: it had not. */
bool graphics_fit(const struct answers *answers, enum graphics_way way, int cols, int rows,
		  struct scene *scene, struct export_place *out, bool *shrunk);

/* A number for a picture: another one for another process. Its lowest byte is one of the 256 colours, the
 * highest one of as many marks (export/kitty.c). */
unsigned graphics_id(void);

#endif
