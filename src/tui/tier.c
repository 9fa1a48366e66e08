/* tier.c: what a terminal can show, and why we think so.
 *
 * What is asked for comes first, then the environment, then the terminal's description; only the
 * colour of the background is asked of the terminal, when nothing else tells it. Every decision carries its reason, which `posviz doctor` prints. */
#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "posviz/tui/capability.h"
#include "posviz/base/text.h"
#include "terminal.h"

static const char *env(const char *name)
{
	const char *const value = getenv(name);
	return value ? value : "";
}

static bool begins(const char *text, const char *part)
{
	return strncmp(text, part, strlen(part)) == 0;
}

/* ---- colours ----------------------------------------------------------------------------- */

enum tier tier_of_capability(const struct capability *e)
{
	if (e->direct)
		return TIER_DIRECT;
	return e->colours >= 256  ? TIER_256
	       : e->colours >= 16 ? TIER_16
	       : e->colours >= 8  ? TIER_8
				  : TIER_MONO;
}

/* tmux takes 24-bit colours and sends on what the terminal around it has. */
static bool in_tmux(const char *term)
{
	return begins(term, "tmux") || (*env("TMUX") && !*env("STY"));
}

/* GNU screen takes the numbers of a 24-bit colour for other attributes: a dim black on bright. */
static bool in_screen(const char *term)
{
	return !in_tmux(term) && (*env("STY") || begins(term, "screen"));
}

/* The Linux console, and video terminals of old (vt100, not vte). */
static bool has_fixed_colours(const char *term)
{
	return begins(term, "linux") || (begins(term, "vt") && term[2] >= '0' && term[2] <= '9');
}

/* tmux describes its windows by a TERM of its own; another one was set by somebody who means what it says. */
static bool is_tmux_own(const char *term)
{
	return in_tmux(term) && (begins(term, "tmux") || begins(term, "screen"));
}

/* Why 24-bit colours may be sent although the description does not speak of them; or NULL, and
 * then *but may say why a promise of the environment is not believed. */
static const char *takes_direct(const char *term, const char **but)
{
	const char *promise = NULL;
	if (strcmp(env("FORCE_COLOR"), "3") == 0)
		promise = "FORCE_COLOR is 3";
	else if (strcmp(env("COLORTERM"), "truecolor") == 0)
		promise = "COLORTERM is truecolor";
	else if (strcmp(env("COLORTERM"), "24bit") == 0)
		promise = "COLORTERM is 24bit";
	if (is_tmux_own(term))
		return "tmux takes 24-bit colours, and sends on what the terminal has";
	if (promise && in_screen(term))
		*but = "TERM describes so many, and GNU screen misreads 24-bit colours";
	else if (promise && has_fixed_colours(term))
		*but = "TERM describes so many, and such a terminal has no 24-bit ones";
	else if (!promise && in_tmux(term))
		*but = "TERM describes so many; tmux-256color, tmux's own, has 24-bit ones";
	return *but ? NULL : promise;
}

/* Why no colours are wanted, or NULL. NO_COLOR says so whatever else is said. */
static const char *refuses_colour(void)
{
	const char *const force = env("FORCE_COLOR"), *const old = env("CLICOLOR_FORCE");
	const bool forced = *force || (*old && strcmp(old, "0") != 0);
	if (*env("NO_COLOR"))
		return "NO_COLOR is set";
	if (strcmp(force, "0") == 0)
		return "FORCE_COLOR is 0";
	return strcmp(env("CLICOLOR"), "0") == 0 && !forced ? "CLICOLOR is 0" : NULL;
}

/* A tier that is asked for wins over all, up to what the description can be made to do: direct colours
 * need none, because there is one of our own for them. */
static void ask_tier(enum tier asked, const char *term, struct tui_tier *out)
{
	const enum tier own = out->tier;
	out->tier = asked;
	out->why_tier = "asked for";
	if (asked == TIER_DIRECT && in_screen(term)) {
		out->why_tier = "asked for, though GNU screen misreads 24-bit colours";
	} else if (asked != TIER_DIRECT && asked > own) {
		out->tier = own;
		out->why_tier = "more was asked for, but this is all that TERM describes";
	}
}

static void choose_tier(const struct settings *settings, struct tui_tier *out)
{
	const char *const term = env("TERM");
	struct capability entry;
	const bool known = *term && capability_read(term, &entry);
	out->tier = known ? tier_of_capability(&entry) : TIER_MONO;
	out->why_tier = known && out->tier != TIER_MONO ? "TERM describes so many"
			: known				? "TERM describes none"
			: *term				? "no description of this TERM is installed"
							: "TERM is not set";
	if (settings->color > 0) {
		ask_tier((enum tier)(settings->color - 1), term, out);
		return;
	}
	const char *but = NULL;
	const char *const refusal = refuses_colour(), *const direct = takes_direct(term, &but);
	if (out->tier == TIER_MONO || out->tier == TIER_DIRECT)
		but = NULL;
	else if (direct) {
		out->tier = TIER_DIRECT;
		out->why_tier = direct;
	}
	if (but)
		out->why_tier = but;
	if (refusal && out->tier != TIER_MONO) {
		out->tier = TIER_MONO;
		out->why_tier = refusal;
	}
}

/* ---- background and glyphs --------------------------------------------------------------- */

/* COLORFGBG ends with the number of the background: "15;0", "0;default;15". */
static bool read_background(enum background *out)
{
	const char *const last = strrchr(env("COLORFGBG"), ';');
	const size_t digits = last ? strspn(last + 1, "0123456789") : 0;
	if (digits == 0 || digits > 2 || last[1 + digits] != '\0')
		return false;
	const int ground = atoi(last + 1);
	if (ground > 15)
		return false;
	*out = ground != 7 && ground < 9 ? BACKGROUND_DARK : BACKGROUND_LIGHT;
	return true;
}

static void choose_background(enum theme theme, struct tui_tier *out)
{
	out->background = (enum background)theme;
	out->why_background = "asked for";
	if (theme != THEME_AUTO)
		return;
	out->why_background = "COLORFGBG tells it";
	if (read_background(&out->background))
		return;
	out->background = BACKGROUND_DARK; /* as most are; a light one is a key away */
	out->asks = out->talks;
	out->why_background = out->asks
				      ? "taken unless the terminal, which is asked, answers another"
				      : "nothing tells it, and most terminals are";
}

/* No font for the Linux console in Debian 12 (console-setup 1.221) has braille or quarter blocks,
 * and two in three, the usual one among them, have no half blocks either. */
static void choose_glyphs(int asked, struct tui_tier *out)
{
	const bool console = begins(env("TERM"), "linux");
	out->utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	out->ascii = asked == GLYPHS_ASCII || !out->utf8 || (asked == GLYPHS_AUTO && console);
	out->quadrants = asked == GLYPHS_QUADRANTS && !out->ascii;
	if (asked == GLYPHS_ASCII)
		out->why_ascii = "asked for";
	else if (!out->utf8)
		out->why_ascii = asked == GLYPHS_AUTO
					 ? "the locale is not UTF-8"
					 : "others were asked for, but the locale is not UTF-8";
	else if (asked != GLYPHS_AUTO)
		out->why_ascii = "asked for";
	else
		out->why_ascii = console ? "fonts of the Linux console lack braille and most blocks"
					 : "the locale is UTF-8";
}

void tui_choose(const struct settings *settings, enum theme theme, struct tui_tier *out)
{
	const char *const term = env("TERM");
	*out = (struct tui_tier){.tmux = in_tmux(term)};
	/* Those print what they do not know. */
	out->talks = !has_fixed_colours(term) && !in_screen(term) && !begins(term, "dumb");
	choose_tier(settings, out);
	choose_background(theme, out);
	choose_glyphs(settings->glyphs, out);
}

/* ---- whether at all ---------------------------------------------------------------------- */

#define INSTEAD "\"posviz show rope\" and \"posviz render rope -o rope.png\" work without one"

bool tui_possible(struct err *err)
{
	const char *const term = env("TERM");
	char quoted[80];
	struct capability entry;
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return err_set(err, "standard input and output are no terminal; " INSTEAD);
	if (*term == '\0')
		return err_set(err, "TERM does not say which terminal this is; " INSTEAD);
	text_quote_buf(quoted, sizeof quoted, term, strlen(term));
	if (!capability_read(term, &entry))
		return err_set(err, "the terminal type %s is not known; set TERM; " INSTEAD,
			       quoted);
	if (!entry.moves)
		return err_set(err, "a terminal of type %s cannot move its cursor; " INSTEAD,
			       quoted);
	return true;
}
