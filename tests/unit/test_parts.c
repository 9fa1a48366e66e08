/* test_parts.c: the table of the terminal program's parts: what its order promises, and that a part needs no more than
 * its hooks. */
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "test.h"
#include "help_arena.h"
#include "help_canvas.h"
#include "help_frame.h"
#include "posviz/tour/recorder.h"

FIXTURE(open_folder, close_folder)

static bool has_hook(const struct tui_part *p)
{
	static const struct tui_part none;
	struct tui_part hooks = *p;
	hooks.arena = hooks.n_fds = 0;
	return memcmp(&hooks, &none, sizeof none) != 0;
}

TEST(every_part_does_something_and_stands_once)
{
	for (size_t i = 0; i < PART_COUNT; i++) {
		assert_true(has_hook(tui_parts[i]));
		assert_int_equal(tui_parts[i]->n_fds > 0, tui_parts[i]->poll != NULL);
		for (size_t k = 0; k < i; k++)
			assert_ptr_not_equal(tui_parts[i], tui_parts[k]);
	}
}

TEST(files_of_all_parts_have_room)
{
	struct tui *const t = help_tui(&arena, "none", "", BACKGROUND_DARK);
	struct pollfd fds[PART_FDS];
	size_t counts[PART_COUNT], most = 0, n = 0;
	parts_at(t, PART_OPEN);
	const size_t all = parts_poll(t, fds, counts);
	for (size_t i = 0; i < PART_COUNT; i++) {
		assert_true(counts[i] <= tui_parts[i]->n_fds);
		most += tui_parts[i]->n_fds;
		n += counts[i];
	}
	assert_int_equal(all, n);
	assert_true(most <= PART_FDS);
	assert_int_equal(fds[0].fd, worker_fd(t->worker)); /* the page sends nothing */
	parts_at(t, PART_CLOSE);
	parts_at(t, PART_GONE);
	help_tui_done(t);
}

/* Behind the page nothing is drawn, and its keys are nobody else's: an error stays for whoever comes back. */
TEST(an_open_page_is_alone)
{
	static const struct help_look look = {80, 24, TIER_256, false};
	const struct key space = {.name = "Space", .text = " "};
	struct tui *const t = help_tui(&arena, "rope", "view explore\n", BACKGROUND_DARK);
	parts_at(t, PART_OPEN);
	assert_non_null(strstr(help_screen(help_frame(t, look)), "Explore"));
	assert_true(t->n_zones > 0);
	t->page.state = PAGE_SHOWN;
	t->page.graphics = (struct graphics){.way = GRAPHICS_SIXEL};
	snprintf(t->app->message, sizeof t->app->message, "no such file");
	t->app->message_is_error = true;
	assert_null(strstr(help_screen(help_frame(t, look)), "Explore"));
	assert_int_equal(t->n_zones, 0);
	assert_true(parts_key(t, &(struct key){.name = "", .mouse = {.kind = MOUSE_RELEASE}}));
	assert_string_equal(t->app->message, "no such file");
	t->page.state = PAGE_OFF;
	assert_false(parts_key(t, &space));
	assert_string_equal(t->app->message, "");
	parts_at(t, PART_CLOSE);
	parts_at(t, PART_GONE);
	help_tui_done(t);
}

/* What PART_GONE prints. */
static const char *last_words(struct tui *t)
{
	char *const text = arena_calloc(&arena, 1, 4096);
	FILE *const said = tmpfile();
	const int before = dup(STDERR_FILENO);
	assert_non_null(said);
	dup2(fileno(said), STDERR_FILENO);
	parts_at(t, PART_GONE);
	fflush(stderr);
	dup2(before, STDERR_FILENO);
	close(before);
	rewind(said);
	const size_t n = fread(text, 1, 4095, said);
	text[n] = '\0';
	fclose(said);
	return text;
}

TEST(what_was_recorded_is_said_before_what_was_written)
{
	struct tui *const t = help_tui(&arena, "none", "", BACKGROUND_DARK);
	struct err err = {""};
	parts_at(t, PART_OPEN);
	assert_true(recorder_new("kept.tour", false, &t->recorder, &err));
	snprintf(t->app->message, sizeof t->app->message, "wrote a.png");
	t->life = LIFE_FINISHED;
	parts_at(t, PART_CLOSE);
	const char *const words = last_words(t);
	const char *const recorded = strstr(words, "posviz: recorded 1 step in ");
	const char *const wrote = strstr(words, "posviz: wrote a.png\n");
	if (!recorded || !wrote || wrote < recorded)
		fail_msg("%s", words);
	help_tui_done(t);
}

/* Where the program ends nobody begins anything more. */
TEST(a_turn_ends_with_the_program)
{
	struct tui *const t = help_tui(&arena, "none", "", BACKGROUND_DARK);
	parts_at(t, PART_OPEN);
	t->pasted.len = 1;
	t->pasted.text[0] = 'a';
	t->life = LIFE_LEFT;
	parts_at(t, PART_TURN);
	assert_int_equal(t->pasted.len, 1);
	t->life = LIFE_RUNNING;
	parts_at(t, PART_TURN);
	assert_int_equal(t->pasted.len, 0);
	parts_at(t, PART_CLOSE);
	parts_at(t, PART_GONE);
	help_tui_done(t);
}

/* Keys go from part to part: the tour stops going on by itself, and keeps an Esc that takes an error away. */
TEST(escape_takes_an_error_away_and_then_the_tour)
{
	const struct key escape = {.name = "Esc"};
	struct tui *const t = help_tui(&arena, "none", "", BACKGROUND_DARK);
	parts_at(t, PART_OPEN);
	tour_choose(t, "order", 2);
	t->app->pace = 1;
	t->tour.next_at = 0;
	snprintf(t->app->message, sizeof t->app->message, "no such file");
	t->app->message_is_error = true;
	tui_key(t, &escape);
	assert_string_equal(t->app->message, "");
	assert_true(touring(t));
	assert_true(t->tour.next_at > 0 && t->app->pace == 0);
	tui_key(t, &escape);
	assert_false(touring(t));
	parts_at(t, PART_CLOSE);
	parts_at(t, PART_GONE);
	help_tui_done(t);
}
