/* test_background.c: on what the terminal's text stands: asked of the terminal where nobody says it, and
 * what is answered is no key. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_pty.h"
#include "posviz/plot/colormap.h"

/* The end of a map's colours is sent for its bar and its largest value. */
static bool sends(struct pty *p, const void *name)
{
	const uint32_t rgb = colormap_rgb(colormap_find(name), 0);
	char text[32];
	snprintf(text, sizeof text, "8;2;%u;%u;%u", rgb >> 16 & 255, rgb >> 8 & 255, rgb & 255);
	return p->raw && strstr(p->raw, text);
}

/* Waits until the map is shown that the figure's colours are of. */
static bool shows(struct pty *p, const char *name)
{
	return pty_until(p, sends, name);
}

static void open_asked(struct pty *p)
{
	pty_start(p, &(struct pty_look){.rows = 50,
					.cols = 200,
					.env = {"COLORTERM=truecolor"},
					.args = {"--scheme", "t5", "--view", "split"}});
	PTY_EXPECT(p, shows(p, "night"));
	PTY_EXPECT(p, strstr(p->raw, "\033]11;?") != NULL);
}

TEST(a_terminal_that_answers_gets_its_map)
{
	static const struct {
		const char *answer, *map;
	} cases[] = {{"\033]11;rgb:ffff/ffff/ffff\033\\", "paper"},
		     {"\033]11;rgb:f/f/f\a", "paper"}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct pty p;
		open_asked(&p);
		pty_type(&p, cases[i].answer);
		PTY_EXPECT(&p, shows(&p, cases[i].map));
		pty_stop(&p);
	}
}

/* In pieces, as lines may bring it, it is still no key: one of its letters would be a command. */
TEST(an_answer_in_pieces_is_one)
{
	struct pty p;
	open_asked(&p);
	pty_type(&p, "\033]11;rgb:ffff/");
	pty_type(&p, "ffff/ffff\033\\");
	PTY_EXPECT(&p, shows(&p, "paper"));
	pty_stop(&p);
}

TEST(an_answer_that_says_nothing_changes_nothing)
{
	struct pty p;
	open_asked(&p);
	pty_type(&p, "\033]11;nobody knows\033\\");
	PTY_EXPECT(&p, pty_settle(&p));
	PTY_EXPECT(&p, !sends(&p, "paper"));
	PTY_EXPECT(&p, pty_has(&p, "Position bias"));
	pty_stop(&p);
}

/* A dark one that is said is what was taken, so nothing changes; a key takes the other, and the next start has it still. */
TEST(a_key_takes_the_other_background)
{
	struct pty p;
	open_asked(&p);
	pty_type(&p, "\033]11;rgb:00/00/00\a");
	PTY_EXPECT(&p, pty_settle(&p));
	PTY_EXPECT(&p, !sends(&p, "paper"));
	pty_type(&p, "B");
	PTY_EXPECT(&p, shows(&p, "paper"));
	PTY_EXPECT(&p, pty_has(&p, "theme: light"));
	pty_type(&p, "B");
	PTY_EXPECT(&p, pty_wait(&p, "theme: dark"));
	pty_stop(&p);
}

/* Who was told does not ask, and what the user says holds. */
TEST(nobody_is_asked_for_what_is_known)
{
	struct pty p;
	pty_start(&p, &(struct pty_look){.rows = 50,
					 .cols = 200,
					 .env = {"COLORTERM=truecolor", "COLORFGBG=15;0"},
					 .args = {"--scheme", "t5", "--view", "split"}});
	PTY_EXPECT(&p, shows(&p, "night"));
	PTY_EXPECT(&p, strstr(p.raw, "\033]11;?") == NULL);
	pty_stop(&p);
	pty_start(&p, &(struct pty_look){
			      .rows = 50,
			      .cols = 200,
			      .env = {"COLORTERM=truecolor"},
			      .args = {"--scheme", "t5", "--view", "split", "--theme", "light"}});
	PTY_EXPECT(&p, shows(&p, "paper"));
	pty_type(&p, "\033]11;rgb:1a1a/1b1b/2020\033\\");
	PTY_EXPECT(&p, pty_settle(&p));
	PTY_EXPECT(&p, !sends(&p, "night"));
	pty_stop(&p);
}
