/* test_tabs.c: the first line of the screen, whose tabs stand in the same places whatever is looked at; and the
 * menu of all views, walked and filtered. */
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_canvas.h"
#include "help_frame.h"

FIXTURE(help_begin, help_end)

static const int widths[] = {200, 160, 159, 120, 119, 100, 99, 80, 79, 60, 59, 40};
enum { WIDTHS = sizeof widths / sizeof *widths };

static struct tui *open_tui(void)
{
	struct tui *const t = help_tui(&help_arena, "t5", "view explore\n", BACKGROUND_DARK);
	t->worker = worker_new(); /* a view that is opened is asked for */
	return t;
}

static void close_tui(struct tui *t)
{
	worker_free(t->worker);
	help_tui_done(t);
}

/* The first line for what t->drawn is now. */
static const struct canvas *title(struct tui *t, int cols)
{
	arena_clear(&t->frame);
	t->n_zones = 0;
	t->terminal.cols = cols;
	struct canvas *const c = canvas_new(&t->frame, 1, cols, TIER_256, false, true);
	const struct layout l = {.title = {0, 0, 1, cols}, .cols = cols};
	part_title.draw(t, c, &l);
	return c;
}

/* Returns the column behind the tabs: that of the last zone of a view, or of the menu. */
static int tabs_end(const struct tui *t)
{
	int end = 0;
	for (size_t i = 0; i < t->n_zones; i++)
		if (strncmp(t->zones[i].command, "view", 4) == 0)
			end = t->zones[i].at.col + t->zones[i].at.cols;
	return end;
}

/* A scheme as it is, with all else that makes its expression long; what `next` is of the same. */
static const char *expression(size_t i, size_t form)
{
	const char *const id = scheme_at(i)->id;
	return form == 0 ? id : arena_printf(&help_arena, "%s(first=1,last=2)+causal+alibi", id);
}

TEST(tabs_stand_in_the_same_places_for_every_scheme_at_every_width)
{
	struct tui *const t = open_tui();
	for (size_t k = 0; k < WIDTHS; k++) {
		t->drawn.setup.scheme = "none";
		const struct canvas *c = title(t, widths[k]);
		const int end = tabs_end(t);
		const char *const first = arena_strdup(&help_arena, help_between(c, 0, 0, end));
		for (size_t i = 0; i < 2 * scheme_count(); i++) {
			t->drawn.setup.scheme = expression(i / 2, i % 2);
			c = title(t, widths[k]);
			assert_string_equal(help_between(c, 0, 0, end), first);
			assert_int_equal(tabs_end(t), end);
		}
	}
	close_tui(t);
}

/* The menu's key stays where it is too, and names the view that has no tab. */
TEST(tabs_stand_in_the_same_places_in_every_view)
{
	struct tui *const t = open_tui();
	for (size_t k = 0; k < WIDTHS; k++) {
		const struct tabs *const row = tabs_at(widths[k]);
		for (size_t i = 0; i < view_count(); i++) {
			t->drawn.view = views[0]->name;
			title(t, widths[k]);
			struct zone was[TABS + 2];
			const size_t n = t->n_zones;
			memcpy(was, t->zones, n * sizeof *was);
			for (size_t z = 0; z < n; z++) /* the frame's texts go with it */
				was[z].command = arena_strdup(&help_arena, was[z].command);
			t->drawn.view = views[i]->name;
			const struct canvas *const c = title(t, widths[k]);
			assert_int_equal(t->n_zones, n);
			for (size_t z = 0; z < n && strncmp(was[z].command, "view", 4) == 0; z++)
				assert_int_equal(t->zones[z].at.col, was[z].at.col);
			const char *const line = help_between(c, 0, 0, c->cols);
			if (row->more && !strstr(line, views[i]->title))
				fail_msg("%d columns do not name %s: %s", widths[k],
					 views[i]->title, line);
		}
	}
	close_tui(t);
}

static bool has_word(const char *line, const char *word)
{
	for (const char *at = line; (at = strstr(at, word)) != NULL; at++)
		if ((at == line || at[-1] == ' ') && strchr(" ", at[strlen(word)]))
			return true;
	return false;
}

/* The name of every scheme has room beside them; and the views that are listed exist. */
TEST(tabs_leave_room_for_the_name_of_a_scheme)
{
	struct tui *const t = open_tui();
	for (size_t k = 0; k < WIDTHS; k++) {
		for (size_t i = 0; tabs_at(widths[k])->name[i]; i++)
			assert_non_null(view_find(tabs_at(widths[k])->name[i]));
		for (size_t i = 0; i < scheme_count(); i++) {
			const char *const id = scheme_at(i)->id;
			t->drawn.setup.scheme = id;
			const char *const line = help_between(title(t, widths[k]), 0, 0, widths[k]);
			if (!has_word(line, id))
				fail_msg("%d columns have no room for %s: %s", widths[k], id, line);
		}
	}
	close_tui(t);
}

/* ---- the menu ---------------------------------------------------------------------------- */

static const struct help_look small = {.cols = 60, .rows = 28, .tier = TIER_MONO};

static const struct canvas *press(struct tui *t, const char *const *keys)
{
	const struct canvas *c = NULL;
	for (; *keys; keys++) {
		struct key key = {0};
		snprintf(key.name, sizeof key.name, "%s", *keys);
		if (strlen(*keys) == 1)
			snprintf(key.text, sizeof key.text, "%s", *keys);
		tui_key(t, &key);
		c = help_frame(t, small);
	}
	return c;
}
#define PRESS(t, ...) press(t, (const char *const[]){__VA_ARGS__, NULL})

static bool shows(const struct canvas *c, const char *text)
{
	for (int r = 0; r < c->rows; r++)
		if (strstr(help_between(c, r, 0, c->cols), text))
			return true;
	return false;
}

/* One line each, whole at 60 columns; a view that has a number here says it. */
TEST(the_menu_has_every_view_with_its_question)
{
	struct tui *const t = open_tui();
	const struct canvas *c = PRESS(t, "v");
	for (size_t i = 0; i < view_count(); i++) {
		if (!shows(c, views[i]->title)) /* the last ones are below the others */
			c = PRESS(t, "Up");
		const size_t asked = strlen(views[i]->help);
		if (text_width(views[i]->help) > 43 || views[i]->help[asked - 1] != '?')
			fail_msg("%s asks no short question: %s", views[i]->name, views[i]->help);
		if (!shows(c, views[i]->help) || !shows(c, views[i]->title))
			fail_msg("the menu lacks %s:\n%s", views[i]->name, help_screen(c));
		if (i < 9 && !shows(c, arena_printf(&help_arena, "%zu %s", i + 1, views[i]->title)))
			fail_msg("the menu does not say the number of %s", views[i]->name);
	}
	close_tui(t);
}

TEST(what_is_typed_filters_the_menu_of_views)
{
	struct tui *const t = open_tui();
	const struct canvas *c = PRESS(t, "v", "m", "a");
	assert_true(shows(c, "Map") && !shows(c, "Relation"));
	assert_true(shows(c, "view ma"));
	/* The name that begins so is chosen, not the first row that has the letters. */
	PRESS(t, "Enter");
	assert_string_equal(t->app->scene.view, "map");
	assert_int_equal(t->overlay, OVERLAY_NONE);
	/* Arrows walk through what is left; a word of the question is found too. */
	c = PRESS(t, "v", "d", "i", "s", "t", "a", "n", "c", "e");
	assert_true(shows(c, "Split") && !shows(c, "Heads"));
	PRESS(t, "Up", "Down", "Enter");
	assert_string_equal(t->app->scene.view, "split");
	close_tui(t);
}

/* Every view can be reached by its name: no letter of one has another meaning at the start. */
TEST(every_view_opens_by_its_name_typed_in_the_menu)
{
	struct tui *const t = open_tui();
	for (size_t i = 0; i < view_count(); i++) {
		if (views[i]->of_cell) /* as its command does, it may lead back */
			t->app->scene.view = "explore";
		PRESS(t, "v");
		for (const char *at = views[i]->name; *at; at++)
			PRESS(t, ((char[]){*at, '\0'}));
		PRESS(t, "Enter");
		assert_string_equal(t->app->scene.view, views[i]->name);
	}
	close_tui(t);
}

TEST(esc_takes_the_filter_away_and_then_the_menu)
{
	struct tui *const t = open_tui();
	const struct canvas *c = PRESS(t, "v", "z", "z", "Enter");
	assert_true(shows(c, "no view has these letters"));
	assert_int_equal(t->overlay, OVERLAY_VIEWS);
	c = PRESS(t, "Esc");
	assert_true(shows(c, "Relation"));
	assert_false(t->menu.typing);
	PRESS(t, "h", "Backspace");
	assert_int_equal(t->overlay, OVERLAY_VIEWS);
	assert_false(t->menu.typing);
	PRESS(t, "Esc");
	assert_int_equal(t->overlay, OVERLAY_NONE);
	/* Letters with which no name begins walk and close as before, and numbers open. */
	PRESS(t, "v", "j", "Enter");
	assert_string_equal(t->app->scene.view, "terms");
	PRESS(t, "v", "q");
	assert_int_equal(t->overlay, OVERLAY_NONE);
	PRESS(t, "v", "3");
	assert_string_equal(t->app->scene.view, "order");
	assert_int_equal(t->overlay, OVERLAY_NONE);
	close_tui(t);
}

/* The key to single cells is offered where cells are means, and from there the way back. */
TEST(the_key_to_single_cells_is_offered_beside_means)
{
	static const char *const rows[] = {"", "grid cells\n", "grid fit\n"};
	const char *words = "w";
	for (size_t i = 1; i < 200; i++)
		words = arena_printf(&help_arena, "%s w%zu", words, i);
	for (size_t i = 0; i < 3; i++) {
		struct tui *const t =
			help_tui(&help_arena, "t5",
				 arena_printf(&help_arena, "view explore\nsentence %s\n%s",
					      i > 0 ? words : "a b c d", rows[i]),
				 BACKGROUND_DARK);
		const char *const text =
			help_screen(help_frame(t, (struct help_look){120, 36, TIER_DIRECT, false}));
		if ((strstr(text, "Z cells") != NULL) != (i > 0))
			fail_msg("%zu:\n%s", i, text);
		help_tui_done(t);
	}
}
