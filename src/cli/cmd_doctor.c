/* cmd_doctor.c: what this machine and terminal are, for reports and for curiosity. */
#include "cli.h"

#include <gnu/libc-version.h>
#include <langinfo.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "posviz/export.h"
#include "posviz/machine.h"
#include "posviz/raster.h"
#include "posviz/text.h"

static void add_fact(struct strbuf *out, const char *name, const char *value)
{
	const char *const shown = value ? text_escape(out->arena, value, strlen(value)) : "not set";
	strbuf_printf(out, "%-12s%s\n", name, *shown ? shown : "empty");
}

static void add_terminal(const struct cli *c, struct strbuf *out)
{
	struct winsize size = {0};
	const bool terminal = isatty(STDOUT_FILENO);
	add_fact(out, "terminal", terminal ? "standard output is one" : "standard output is none");
	if (terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
		strbuf_printf(out, "%-12s%d columns, %d rows\n", "size", size.ws_col, size.ws_row);
	add_fact(out, "TERM", getenv("TERM"));
	add_fact(out, "COLORTERM", getenv("COLORTERM"));
	add_fact(out, "NO_COLOR", getenv("NO_COLOR"));
	add_fact(out, "colours", terminal || c->color >= 0 ? tier_names[output_tier(c)] : "none");
	add_fact(out, "locale", setlocale(LC_CTYPE, NULL));
	add_fact(out, "characters", nl_langinfo(CODESET));
}

/* A wave whose levels show whether every colour arrives, and a curve whether every glyph does. */
static void add_picture(const struct cli *c, struct strbuf *out)
{
	enum { N = 12, ROWS = 10, COLS = 72 };
	struct arena *const a = out->arena;
	const struct mat m = mat_new(a, N, N);
	double x[N], y[N];
	for (size_t i = 0; i < N; i++) {
		x[i] = (double)i;
		y[i] = sin((double)i / 2);
		for (size_t k = 0; k < N; k++)
			mat_row(m, i)[k] = sin((double)(i + k) / 4);
	}
	const struct series series = {.label = "sine", .n = N, .x = x, .y = y, .active = true};
	const struct panel panels[] = {
		{.kind = PANEL_HEATMAP,
		 .title = "colours",
		 .heatmap = {.values = m,
			     .scale = scale_fit(-1, 1, SCALE_LINEAR, true, false),
			     .colormap = colormap_find("berlin")}},
		{.kind = PANEL_CURVES, .title = "glyphs", .curves = {.series = &series, .n = 1}},
	};
	struct canvas *const canvas =
		canvas_new(a, ROWS, COLS, output_tier(c), output_ascii(c), true);
	char *data;
	size_t len;
	for (size_t i = 0; i < 2; i++)
		canvas_panel(canvas, (struct rect){0, (int)i * COLS / 2, ROWS, COLS / 2},
			     &panels[i], false, NULL, NULL);
	export_text(canvas, true, a, &data, &len);
	strbuf_add_char(out, '\n');
	strbuf_add_n(out, data, len);
}

int cmd_doctor(struct cli *c, struct err *err)
{
	struct strbuf out;
	char machine[200];
	strbuf_init(&out, &c->arena);
	machine_describe(machine, sizeof machine);
	add_fact(&out, "posviz", POSVIZ_VERSION);
	add_fact(&out, "compiler", __VERSION__);
	add_fact(&out, "C library", gnu_get_libc_version());
	add_fact(&out, "kernels", machine);
	add_fact(&out, "fonts", raster_fonts(&c->arena));
	add_terminal(c, &out);
	if (isatty(STDOUT_FILENO))
		add_picture(c, &out);
	return output_text(&out, err) ? EXIT_FINE : EXIT_BAD_USE;
}
