/* cmd_doctor.c: describes this machine and terminal, the decisions that follow from them, and the
 * reasons.
 *
 * The facts are for reports; the picture is for the eye, because only the eye sees how a terminal
 * really draws: every colour and every sign that the program uses, and words whose width differs
 * between terminals. Neither the picture nor any escape code is written into a file. */
#include "report.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "posviz/base/descriptors.h"
#include "posviz/base/portable.h"
#include "posviz/base/text.h"
#include "posviz/export/export.h"
#include "posviz/math/machine.h"
#include "posviz/plot/colormap.h"
#include "posviz/plot/raster.h"
#include "posviz/tui/tui.h"
#include "posviz/tui/capability.h"
#include "posviz/tui/graphics.h"

enum { NAME_COLS = 17, PICTURE_COLS = 80, LEAST_COLS = 40, WAVE = 16 };

/* ---- facts ----------------------------------------------------------------------------------- */

/* Returns a name as JSON has it, "last scene" as last_scene; names of environment variables stay as
 * they are. */
static const char *json_name(struct arena *a, const char *name)
{
	char *const out = arena_strdup(a, name);
	for (char *c = out; *c; c++)
		if (*c == ' ')
			*c = '_';
	return out;
}

static void begin_group(struct report *r, const char *title, const char *key)
{
	report_say(r, "%s%s\n", r->out.len > 0 ? "\n" : "", title);
	report_object(r, key);
}

static void add_fact(struct report *r, const char *name, const char *value)
{
	report_fact(r, name, json_name(r->arena, name), value);
}

static void add_number(struct report *r, const char *name, long value)
{
	report_line(r, name, "%ld", value);
	report_number(r, json_name(r->arena, name), (double)value);
}

/* Adds a further line to the fact `name` before it. */
static void add_note(struct report *r, const char *name, const char *value)
{
	struct arena *const a = r->arena;
	report_fact(r, "", arena_printf(a, "%s_note", json_name(a, name)), value);
}

/* Adds a decision, its reason, and the option that would decide differently. */
static void add_choice(struct report *r, const char *name, const char *value, const char *why,
		       const char *instead)
{
	report_object(r, name);
	report_fact(r, name, "is", value);
	report_line(r, "", "because: %s", why);
	report_word(r, "because", why);
	report_line(r, "", "otherwise: %s", instead);
	report_word(r, "otherwise", instead);
	report_end(r);
}

static const char *shown(struct arena *a, const char *text)
{
	return *text ? text_escape(a, text, strlen(text)) : "empty";
}

static void add_program(struct report *out)
{
	char kernels[200];
	struct arena *const a = out->arena;
	machine_describe(kernels, sizeof kernels);
	begin_group(out, "Program and machine", "program");
	add_fact(out, "posviz", POSVIZ_VERSION);
	add_fact(out, "made with",
		 arena_printf(a, "compiler %s, C library %s", __VERSION__, portable_libc()));
	add_fact(out, "kernels", kernels);
	add_number(out, "processors", sysconf(_SC_NPROCESSORS_ONLN));
	struct err none;
	const bool opens = descriptors_room(DESCRIPTORS_PAGE, "fonts", &none);
	add_fact(out, "fonts", opens ? raster_fonts(a) : none.text);
	if (opens && *raster_fonts_trouble())
		add_note(out, "fonts",
			 arena_printf(a, "Fontconfig takes its built-in configuration: %s",
				      shown(a, raster_fonts_trouble())));
	report_end(out);
}

/* Adds the environment variables that decide something: first those that are set, then the names of
 * the others. */
static void add_environment(struct report *out)
{
	static const char *const names[] = {"COLORTERM",      "NO_COLOR",    "CLICOLOR",
					    "CLICOLOR_FORCE", "FORCE_COLOR", "COLORFGBG",
					    "TMUX",	      "STY",	     "SSH_CONNECTION"};
	struct strbuf unset;
	strbuf_init(&unset, out->arena);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *const value = getenv(names[i]);
		if (value)
			add_fact(out, names[i], shown(out->arena, value));
		else
			strbuf_printf(&unset, "%s%s", unset.len > 0 ? ", " : "", names[i]);
	}
	if (unset.len > 0)
		add_fact(out, "not set", unset.at);
	if (getenv("SSH_CONNECTION"))
		add_note(out, "SSH_CONNECTION",
			 "a session from elsewhere: COLORTERM is often lost on the way; --color "
			 "direct brings 24-bit colours back where the terminal has them");
}

static const char *size_of(struct arena *a)
{
	struct winsize size = {0};
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
		return "a terminal that does not tell its size";
	return arena_printf(a, "a terminal of %d columns and %d rows", size.ws_col, size.ws_row);
}

static const char *described(struct arena *a, const struct capability *e)
{
	if (e->direct)
		return "24-bit colours";
	return e->colours > 0 ? arena_printf(a, "%d colours", e->colours) : "no colours";
}

static void add_terminal(struct report *out)
{
	struct arena *const a = out->arena;
	const char *const term = getenv("TERM");
	struct capability entry = {0};
	struct err err;
	const bool known = term && *term && capability_read(term, &entry);
	begin_group(out, "Terminal", "terminal");
	add_fact(out, "output", isatty(STDOUT_FILENO) ? size_of(a) : "not a terminal");
	add_fact(out, "input", isatty(STDIN_FILENO) ? "a terminal" : "not a terminal");
	add_fact(out, "screen",
		 tui_possible(&err) ? "posviz can run here"
				    : arena_printf(a, "posviz cannot run here: %.*s",
						   (int)strcspn(err.text, ";"), err.text));
	if (!term)
		add_fact(out, "TERM", "not set");
	else
		add_fact(
			out, "TERM",
			arena_printf(a, "%s: %s", shown(a, term),
				     known ? described(a, &entry) : "no description is installed"));
	if (known)
		add_fact(out, "mouse",
			 entry.mouse ? "described; --mouse off leaves it to the terminal"
				     : "not described, so it is not asked for");
	if (known)
		add_fact(out, "pasting",
			 entry.paste ? "marked: pasted text is taken as text, never as keys"
				     : "not marked: pasted text arrives as if it were typed");
	add_environment(out);
	report_end(out);
}

/* ---- decisions ------------------------------------------------------------------------------- */

static void add_choices(const struct tui_tier *t, struct report *out)
{
	static const char *const colours[TIER_COUNT] = {
		[TIER_MONO] = "mono: values are told by signs",
		[TIER_8] = "8 of the terminal's own",
		[TIER_16] = "16 of the terminal's own",
		[TIER_256] = "256: the fixed ones, without the 16 of the theme",
		[TIER_DIRECT] = "direct: 24-bit",
	};
	struct arena *const a = out->arena;
	begin_group(out, "Decisions", "decisions");
	add_choice(out, "colours", colours[t->tier], t->why_tier,
		   "--color direct, 256, 16, 8 or mono");
	add_choice(out, "background", theme_names[t->background], t->why_background,
		   "--theme light or dark");
	add_choice(out, "characters",
		   t->ascii	  ? "ASCII alone"
		   : t->quadrants ? "blocks and lines, curves of quarter blocks"
				  : "blocks and lines, curves of braille dots",
		   t->why_ascii,
		   t->utf8 ? "--glyphs braille, quadrants or ascii"
			   : "a locale such as LC_ALL=C.UTF-8");
	const char *const locale = setlocale(LC_CTYPE, NULL);
	add_fact(out, "locale",
		 arena_printf(a, "%s, characters %s", shown(a, locale ? locale : ""),
			      shown(a, nl_langinfo(CODESET))));
	report_end(out);
}

/* ---- pictures -------------------------------------------------------------------------------- */

static const char *cell_of(struct arena *a, const struct answers *answers)
{
	int width, height;
	return graphics_cell(answers, &width, &height)
		       ? arena_printf(a, "%d x %d pixels", width, height)
		       : arena_printf(a, "not told: %d x %d pixels are taken", width, height);
}

static const char *sixels_of(struct arena *a, const struct answers *answers)
{
	if (!answers->sixel)
		return answers->attributes ? "the terminal does not say that it draws them"
					   : "the terminal did not answer";
	return answers->registers > 0 ? arena_printf(a, "drawn, in %d colours", answers->registers)
				      : "drawn";
}

static void add_tmux(struct report *out, enum tmux tmux)
{
	if (tmux == TMUX_KEEPS)
		add_fact(out, "tmux",
			 "lets nothing through; \"tmux set -g allow-passthrough on\" would");
	else if (tmux == TMUX_HANDS_ON)
		add_fact(out, "tmux", "lets pictures through");
}

/* Adds the terminal's answers and the decision about pictures that follows from them. */
static void add_pictures(const struct cli *c, const struct tui_tier *tier, struct report *out)
{
	static const char *const ways[] = {[GRAPHICS_KITTY] = "by kitty's protocol",
					   [GRAPHICS_SIXEL] = "as sixels",
					   [GRAPHICS_CELLS] = "in cells"};
	struct asking asking;
	const enum tmux tmux = graphics_tmux(tier);
	const struct questions q = {.kitty = tmux != TMUX_KEEPS,
				    .tmux = tmux == TMUX_HANDS_ON,
				    .background = true,
				    .modes = true,
				    .pixels = !graphics_pixels()};
	asking_open(&asking);
	if (tier->talks)
		asking_ask(&asking, &q, GRAPHICS_SECONDS);
	asking_close(&asking);
	const struct answers *const said = &asking.answers;
	const struct graphics graphics = graphics_choose(&c->app.settings, tier, tmux, said);
	begin_group(out, "Pictures in the terminal", "pictures");
	add_tmux(out, tmux);
	add_fact(out, "kitty", said->kitty ? "drawn" : "not drawn, or the terminal did not answer");
	add_fact(out, "sixels", sixels_of(out->arena, said));
	add_fact(out, "a cell", cell_of(out->arena, said));
	add_fact(out, "whole frames",
		 said->synchronized ? "kept back until their end (mode 2026)"
				    : "not kept back: the terminal does not know mode 2026");
	add_fact(out, "background",
		 said->background == BACKGROUND_UNKNOWN ? "not told"
							: theme_names[said->background]);
	add_choice(out, "pages", ways[graphics.way], graphics.why,
		   graphics.remedy && tmux ? graphics.remedy : "--graphics kitty, sixel or cells");
	report_end(out);
}

/* ---- files ----------------------------------------------------------------------------------- */

/* Returns the state of a path. If it does not exist, the nearest existing folder above it decides
 * whether it can be made. */
static const char *how_is(struct arena *a, const char *path, bool file)
{
	if (access(path, F_OK) == 0)
		return access(path, file ? R_OK : W_OK | X_OK) == 0
			       ? (file ? "is there" : "is there and can be written to")
			       : arena_printf(a, "is there, but: %s", portable_reason(errno));
	char *const above = arena_strdup(a, path);
	for (char *slash; errno == ENOENT && (slash = strrchr(above, '/')) != NULL;) {
		*(slash == above ? slash + 1 : slash) = '\0';
		if (access(above, W_OK | X_OK) == 0)
			return "is not there yet";
		if (slash == above)
			break;
	}
	return arena_printf(a, "is not there and cannot be made: %s", portable_reason(errno));
}

static void add_path(struct report *out, const char *name, const char *path, bool file)
{
	struct arena *const a = out->arena;
	if (!path) {
		add_fact(out, name, "nowhere: no XDG variable, and HOME names no folder");
		return;
	}
	report_say(out, "  %-*s%s\n", NAME_COLS - 2, name,
		   shown(a, path)); /* a path is never broken into lines */
	report_object(out, json_name(a, name));
	report_word(out, "path", path);
	report_fact(out, "", "state", how_is(a, path, file));
	report_end(out);
}

static void add_files(struct report *out)
{
	struct arena *const a = out->arena;
	const char *const dir = state_config_dir(a);
	begin_group(out, "Files", "files");
	add_path(out, "configuration", dir ? arena_printf(a, "%s/config", dir) : NULL, true);
	add_path(out, "last scene", state_dir(a), false);
	add_path(out, "pictures", ".", false);
	report_end(out);
}

/* ---- the picture ----------------------------------------------------------------------------- */

static struct panel heatmap_of(struct arena *a, const struct colormap *map)
{
	const struct mat m = mat_new(a, WAVE / 2, WAVE);
	for (size_t i = 0; i < m.rows; i++)
		for (size_t k = 0; k < m.cols; k++) {
			const double wave = sin((double)(i + k) / 3.5);
			mat_row(m, i)[k] = map->diverging ? wave : (wave + 1) / 2;
		}
	return (struct panel){.kind = PANEL_HEATMAP,
			      .title = map->diverging ? "signed" : "weights",
			      .heatmap = {.values = m,
					  .scale = scale_fit(-1, 1, SCALE_LINEAR, map->diverging,
							     !map->diverging),
					  .colormap = map}};
}

static struct panel curve(struct arena *a)
{
	double *const x = arena_calloc(a, 2 * WAVE, sizeof *x);
	struct series *const series = arena_calloc(a, 1, sizeof *series);
	*series =
		(struct series){.label = "wave", .n = WAVE, .x = x, .y = x + WAVE, .active = true};
	for (size_t i = 0; i < WAVE; i++) {
		x[i] = (double)i;
		x[WAVE + i] = sin((double)i / 2.5);
	}
	return (struct panel){
		.kind = PANEL_CURVES, .title = "curve", .curves = {.series = series, .n = 1}};
}

static void draw_panels(struct canvas *c, struct arena *a, enum background background, int rows)
{
	const struct panel panels[] = {heatmap_of(a, colormap_for(false, background)),
				       heatmap_of(a, colormap_for(true, background)), curve(a)};
	for (int i = 0; i < 3; i++) {
		const int from = i * c->cols / 3, to = (i + 1) * c->cols / 3;
		canvas_panel(c, (struct rect){0, from, rows, to - from}, &panels[i], i == 0, NULL,
			     NULL);
	}
}

/* Draws a colour map along a row, in 24-bit colours or in those of the fixed palette. */
static void draw_strip(struct canvas *c, int row, const struct colormap *m, bool direct)
{
	const int from = NAME_COLS, cols = c->cols - from;
	canvas_text(c, row, 0, from, direct ? "24-bit" : "256", ATTR_DIM);
	canvas_text(c, row, 7, from - 8, m->name, 0);
	for (int i = 0; i < cols; i++) {
		const double at = (double)i / (cols - 1);
		const uint32_t rgb = direct ? colormap_rgb(m, at) : colormap_256(m, at);
		canvas_fill(c, (struct rect){row, from + i, 1, 1}, 0, CELL_RGB(rgb));
	}
}

static void draw_signs(struct canvas *c, int row)
{
	static const struct {
		const char *name, *signs, *use;
	} rows[] = {
		{"blocks", "▀▄█ ▌▐ ▘▝▖▗ ▚▞ ▙▛▜▟", "cells of matrices; curves of quarters"},
		{"braille", "⠁⠃⠇⡇⡏⡟⡿⣿ ⢀⡠⠔⠊⠑⠢⢄⡀", "curves: dots, then a wave"},
		{"lines", "┌─┬─┐ │ ├─┼─┤ └─┴─┘", "frames without gaps"},
		{"signs", "← ↑ → ↓ · × − … √ Σ ‖ ≤ ᵀ ₜ", "keys and formulas"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		canvas_text(c, row + (int)i, 0, NAME_COLS, rows[i].name, ATTR_DIM);
		canvas_text(c, row + (int)i, NAME_COLS, c->cols - NAME_COLS, rows[i].signs, 0);
		canvas_text(c, row + (int)i, NAME_COLS + 26, c->cols, rows[i].use, ATTR_DIM);
	}
}

/* Draws words between bars: if a terminal gives them another width, the right bar is out of
 * line. */
static void draw_widths(struct canvas *c, int row)
{
	static const char *const words[] = {"cat", "猫の木", "cafe\u0301", "عربي", "हिन्दी", "한국"};
	enum { WORDS = sizeof words / sizeof *words, WIDTH = 9 };
	canvas_text(c, row, 0, NAME_COLS, "widths", ATTR_DIM);
	for (int line = 0; line < 2; line++)
		for (int i = 0; i < WORDS / 2; i++) {
			const int col = NAME_COLS + i * (WIDTH + 2);
			canvas_text(c, row + line, col, 1, "│", 0);
			canvas_text(c, row + line, col + 1, WIDTH, words[line * WORDS / 2 + i], 0);
			canvas_text(c, row + line, col + WIDTH + 1, 1, "│", 0);
		}
	canvas_text(c, row, NAME_COLS + 35, c->cols, "the bars stand in line", ATTR_DIM);
}

static void draw_attributes(struct canvas *c, int row)
{
	static const struct {
		const char *word;
		unsigned attrs;
	} all[] = {{"plain", 0},
		   {"bold", ATTR_BOLD},
		   {"dim", ATTR_DIM},
		   {"reversed", ATTR_REVERSE},
		   {"underlined", ATTR_UNDERLINE},
		   {"accent", ATTR_ACCENT}};
	int col = NAME_COLS;
	canvas_text(c, row, 0, NAME_COLS, "text", ATTR_DIM);
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		col += canvas_text(c, row, col, c->cols - col, all[i].word, all[i].attrs) + 2;
}

static void add_canvas(struct strbuf *out, const struct canvas *c)
{
	char *data;
	size_t len;
	export_text(c, true, out->arena, &data, &len);
	strbuf_add_n(out, data, len);
}

static struct canvas *canvas_like(const struct tui_tier *t, enum tier tier, struct arena *a,
				  int rows, int cols)
{
	struct canvas *const c =
		canvas_new(a, rows, cols, tier, t->ascii, t->background != BACKGROUND_LIGHT);
	c->quadrants = t->quadrants;
	return c;
}

/* Returns whether the terminal may have 24-bit colours although they were not detected. GNU screen
 * misreads their escape codes, so they are not tried there. */
static bool may_have_direct(const struct tui_tier *t)
{
	const char *const term = getenv("TERM");
	return t->tier == TIER_256 && !getenv("STY") && term && strncmp(term, "screen", 6) != 0;
}

static void add_picture(const struct tui_tier *t, struct strbuf *out)
{
	enum { PANEL_ROWS = 9 };
	struct winsize size = {0};
	struct arena *const a = out->arena;
	const bool told = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= LEAST_COLS;
	const int cols = told && size.ws_col < PICTURE_COLS ? size.ws_col : PICTURE_COLS;
	const struct colormap *const maps[] = {colormap_for(false, t->background),
					       colormap_for(true, t->background)};
	strbuf_add(out, "\nPicture: what is used here, as it looks\n");
	struct canvas *const panels = canvas_like(t, t->tier, a, PANEL_ROWS, cols);
	draw_panels(panels, a, t->background, PANEL_ROWS);
	add_canvas(out, panels);
	for (size_t i = 0; i < 2 && t->tier >= TIER_256; i++) {
		struct canvas *const c = canvas_like(t, t->tier, a, 2, cols);
		draw_strip(c, 0, maps[i], t->tier == TIER_DIRECT);
		if (t->tier == TIER_DIRECT)
			draw_strip(c, 1, maps[i], false);
		else
			c->rows = 1;
		add_canvas(out, c);
	}
	struct canvas *const text = canvas_like(t, t->tier, a, 7, cols);
	draw_attributes(text, 0);
	if (t->ascii)
		text->rows = 1;
	else {
		draw_signs(text, 1);
		draw_widths(text, 5);
	}
	add_canvas(out, text);
	if (!may_have_direct(t))
		return;
	struct canvas *const direct = canvas_like(t, TIER_DIRECT, a, 1, cols);
	draw_strip(direct, 0, maps[0], true);
	add_canvas(out, direct);
	strbuf_printf(out, "%*s%s\n", NAME_COLS, "",
		      "if this last strip is smooth, --color direct will work here");
}

int cmd_doctor(struct cli *c, struct err *err)
{
	struct report out;
	struct tui_tier tier;
	if (!output_format_or_text(c, err))
		return EXIT_BAD_USE;
	report_init(&out, c, &c->arena, NAME_COLS);
	report_object(&out, NULL);
	tui_choose(&c->app.settings, (enum theme)c->scene.theme, &tier);
	add_program(&out);
	add_terminal(&out);
	add_choices(&tier, &out);
	if (isatty(STDOUT_FILENO))
		add_pictures(c, &tier, &out);
	add_files(&out);
	report_end(&out);
	if (out.form == REPORT_TEXT && isatty(STDOUT_FILENO))
		add_picture(&tier, &out.out);
	return report_write(&out, c, err) ? EXIT_FINE : EXIT_BAD_USE;
}
