/* here.c: draws `render` without a file on the terminal: as a picture if the terminal says that it
 * draws pictures, else in cells. */
#include "here.h"

#include <stdio.h>
#include <string.h>

/* Returns whether an option that concerns only cells was given, which implies cells. */
static bool wants_cells(const struct cli *c)
{
	static const char *const names[] = {"cells", "color", "glyphs", "ascii"};
	for (size_t i = 0; i < c->n_given; i++)
		for (size_t k = 0; k < sizeof names / sizeof *names; k++)
			if (strcmp(c->given[i].name, names[k]) == 0)
				return true;
	return false;
}

static void ask(const struct cli *c, enum tmux tmux, struct here *h)
{
	const struct questions q = {.kitty = c->app.settings.graphics == GRAPHICS_AUTO &&
					     tmux != TMUX_KEEPS,
				    .tmux = tmux == TMUX_HANDS_ON,
				    .background = h->terminal.asks,
				    .modes = true,
				    .pixels = !graphics_pixels()};
	if (h->terminal.talks)
		asking_ask(&h->asking, &q, GRAPHICS_SECONDS);
}

void here_choose(struct cli *c, struct here *h)
{
	struct settings *const settings = &c->app.settings;
	asking_open(&h->asking);
	tui_choose(settings, (enum theme)c->scene.theme, &h->terminal);
	if (settings->graphics == GRAPHICS_AUTO && wants_cells(c))
		settings->graphics = GRAPHICS_CELLS;
	const enum tmux tmux =
		settings->graphics == GRAPHICS_CELLS ? TMUX_NONE : graphics_tmux(&h->terminal);
	ask(c, tmux, h);
	h->graphics = graphics_choose(settings, &h->terminal, tmux, &h->asking.answers);
	c->format = graphics_format(h->graphics.way);
	const struct questions more = {.registers = true};
	if (h->graphics.way == GRAPHICS_SIXEL && *graphics_registers(&h->asking.answers))
		asking_ask(&h->asking, &more, GRAPHICS_SECONDS);
	if (h->asking.answers.attributes && tmux != TMUX_HANDS_ON)
		asking_close(
			&h->asking); /* all questions are asked: input from now on is the shell's */
}

/* Fits the page to the terminal: a page that does not fit is drawn with fewer pixels. */
void here_fit(struct cli *c, struct here *h, struct write_look *look)
{
	enum { PROMPT_ROWS = 2 };
	struct graphics *const g = &h->graphics;
	const int rows = look->rows > PROMPT_ROWS ? look->rows + 1 - PROMPT_ROWS : 1;
	look->background = h->asking.answers.background;
	if (look->background == BACKGROUND_UNKNOWN)
		look->background = h->terminal.background;
	if (g->way == GRAPHICS_CELLS)
		return;
	if (!graphics_fit(&h->asking.answers, g->way, look->cols, rows, &c->scene, &look->place,
			  &h->shrunk)) {
		*g = (struct graphics){.way = GRAPHICS_CELLS, .why = graphics_no_room};
		c->format = graphics_format(g->way);
	}
	look->place.tmux = g->tmux;
	look->place.id = g->tmux ? graphics_id() : 0;
}

void here_say(const struct cli *c, const struct here *h)
{
	const struct graphics *const g = &h->graphics;
	const enum graphics_way asked = (enum graphics_way)c->app.settings.graphics;
	const bool refused = asked == GRAPHICS_KITTY || asked == GRAPHICS_SIXEL;
	if (g->way == GRAPHICS_CELLS && (refused || (asked == GRAPHICS_AUTO && h->terminal.tmux)))
		fprintf(stderr, "posviz: drawn in cells: %s%s%s%s\n", g->why,
			g->remedy ? "; \"" : "", g->remedy ? g->remedy : "",
			g->remedy ? "\" would change that" : "");
	if (g->way != GRAPHICS_CELLS && h->shrunk)
		fputs("posviz: drawn smaller than --size says: the terminal has no room for more\n",
		      stderr);
}

/* Waits for the picture: drawing takes terminals longer than 50 ms, and the next program that asks
 * the terminal would get no answer in time. */
void here_drawn(struct here *h)
{
	static const double patience = 3;
	const struct questions last = {0};
	if (h->graphics.way == GRAPHICS_CELLS || !h->asking.answers.attributes)
		return;
	if (h->asking.fd < 0)
		asking_open(&h->asking);
	asking_ask(&h->asking, &last, patience);
}

void here_close(struct here *h)
{
	asking_close(&h->asking);
}
