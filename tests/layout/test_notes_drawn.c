/* test_notes_drawn.c: the speaker's screen of every beat of every tour, at the sizes that people have: no word of the
 * notes is out of reach, none lies on another, and what is asked stands with its answers. */
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_canvas.h"
#include "help_frame.h"
#include "posviz/math/machine.h"
#include "tui/notes_in.h"

FIXTURE(open_arena, close_arena)

static struct notes *new_notes(const char *name)
{
	struct notes *const n = arena_calloc(&arena, 1, sizeof *n);
	struct err err;
	n->app = arena_calloc(&arena, 1, sizeof *n->app);
	n->report = arena_calloc(&arena, 1, sizeof *n->report);
	n->fd = -1;
	app_init(n->app);
	arena_init(&n->frame);
	arena_init(&n->names);
	arena_init(&n->texts[0]);
	arena_init(&n->texts[1]);
	if (!notes_read_tour(n, name, &err))
		fail_msg("%s", err.text);
	return n;
}

static void end_notes(struct notes *n)
{
	app_release(n->app);
	arena_release(&n->frame);
	arena_release(&n->names);
	arena_release(&n->texts[0]);
	arena_release(&n->texts[1]);
}

static void place(struct notes *n, size_t beat)
{
	const size_t step = n->tour.beats[beat].step;
	n->at = (struct notes_at){.step = step + 1,
				  .beat = beat - n->tour.steps[step].first + 1,
				  .elapsed = 3600,
				  .spent = 100,
				  .stands = true};
	n->link = LINK_FOLLOWS;
	n->scroll = 0;
}

static const char *draw(struct notes *n)
{
	int row, col;
	*n->report = (struct canvas_report){0};
	const struct canvas *const c = notes_frame(n, &row, &col);
	if (n->report->cut + n->report->over > 0)
		fail_msg("%dx%d, %zu.%zu: \"%s\" is cut, \"%s\" lies on others", c->cols, c->rows,
			 n->at.step, n->at.beat, n->report->cut_text, n->report->over_text);
	return help_screen(c);
}

/* Each line of the text, page by page. */
static void read_all(struct notes *n, size_t cols)
{
	size_t count;
	struct arena a;
	arena_init(&a);
	draw(n);
	const struct notes_line *const lines =
		notes_lines(&n->tour, notes_beat(n), (struct notes_room){n->page, cols},
			    n->terminal.ascii, &a, &count);
	assert_true(n->most == (count > n->page ? count - n->page : 0));
	assert_true(n->page > 0);
	for (size_t from = 0; from < count; from += n->page) {
		n->scroll = from < n->most ? from : n->most;
		const char *const screen = draw(n);
		for (size_t i = from; i < count && i < from + n->page; i++)
			if (!n->terminal.ascii && !strstr(screen, lines[i].text))
				fail_msg("\"%s\" is not on:\n%s", lines[i].text, screen);
	}
	arena_release(&a);
}

static size_t columns_of(size_t cols)
{
	const size_t list = cols >= 112 ? 56 * cols / 160 + 3 : 0, most = 108;
	return cols - 2 - list < most ? cols - 2 - list : most;
}

TEST_SAMPLED(nothing_of_the_notes_is_out_of_reach, 1, 8)
{
	size_t n_tours;
	const struct tour_name *const tours = tours_all(&arena, &n_tours);
	for (size_t i = test_part; i < n_tours; i += test_parts) {
		struct notes *const n = new_notes(tours[i].name);
		for (int k = 0; k < 2 * HELP_SCREENS; k++) {
			n->terminal = (struct terminal){.cols = help_screens[k / 2][0],
							.rows = help_screens[k / 2][1],
							.utf8 = true,
							.ascii = k % 2 == 1};
			for (size_t beat = 0; beat < n->tour.n_beats; beat++) {
				if (tours[i].lecture && beat % 16 != 0)
					continue; /* they are those of the others */
				place(n, beat);
				read_all(n, columns_of((size_t)n->terminal.cols));
			}
		}
		end_notes(n);
	}
}

TEST(late_is_said_by_what_was_planned)
{
	struct notes *const n = new_notes("order");
	n->terminal = (struct terminal){.cols = 80, .rows = 24, .utf8 = true};
	place(n, 1); /* step 2, of 1:00, behind one of 0:40 */
	n->at.elapsed = 130;
	n->at.spent = 90;
	assert_non_null(strstr(draw(n), "step 1:30 of 1:00, +0:30"));
	assert_non_null(strstr(draw(n), "tour 2:10 of 9:50, planned 1:40, +0:30 late"));
	n->at.elapsed = 30;
	n->at.spent = 5;
	assert_non_null(strstr(draw(n), "tour 0:30 of 9:50, planned 0:45, −0:15 early"));
	n->at.elapsed = 45;
	assert_non_null(strstr(draw(n), "planned 0:45, +0:00"));
	end_notes(n);
}

TEST(the_right_answer_and_why_the_others_tempt_stand_with_the_question)
{
	struct notes *const n = new_notes("order");
	n->terminal = (struct terminal){.cols = 120, .rows = 36, .utf8 = true};
	place(n, 1);
	const char *const screen = draw(n);
	assert_non_null(strstr(screen, "asked   We now write"));
	const char *const why = strstr(screen, "belong to pairs of words"), *const note = strstr(
										    screen,
										    "note  ");
	assert_true(why && note && why < note);
	assert_non_null(strstr(screen, "wrong   a  Stay where they are"));
	assert_non_null(strstr(screen, "right   b  Move with their words"));
	assert_non_null(strstr(screen, "The most common answer."));
	end_notes(n);
}

/* What the room sees, the note, why the others tempted; the question, which was read, where there is room. */
TEST(with_the_answer_what_is_said_now_comes_first)
{
	struct notes *const n = new_notes("order");
	for (int rows = 18; rows <= 36; rows += 18) {
		n->terminal = (struct terminal){.cols = 80, .rows = rows, .utf8 = true};
		place(n, 2);
		const char *const screen = draw(n);
		const char *const right = strstr(screen, "right   b  Move with their words");
		const char *const shown = strstr(screen, "shown "), *const note =
									    strstr(screen, "note ");
		assert_true(right && shown && note && right < shown && shown < note);
		assert_null(strstr(screen, "Stay where they are"));
		assert_int_equal(strstr(screen, "asked   We now write") != NULL, rows == 36);
		const char *const why = strstr(screen, "wrong   a  ");
		assert_true(rows == 18 || (why && note < why));
	}
	end_notes(n);
}

/* Nobody who speaks can scroll. */
TEST(all_that_is_said_fits_a_usual_terminal)
{
	size_t n_tours;
	const char *all = "";
	const struct tour_name *const tours = tours_all(&arena, &n_tours);
	for (size_t i = 0; i < n_tours; i++) {
		struct notes *const n = new_notes(tours[i].name);
		n->terminal = (struct terminal){.cols = 80, .rows = 24, .utf8 = true};
		for (size_t beat = 0; beat < n->tour.n_beats; beat++) {
			place(n, beat);
			draw(n);
			if (n->most > 0)
				all = arena_printf(&arena, "%s%s %zu.%zu: %zu lines are below\n",
						   all, tours[i].name, n->at.step, n->at.beat,
						   n->most);
		}
		end_notes(n);
	}
	if (*all)
		fail_msg("%s", all);
}
