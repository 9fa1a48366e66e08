/* test_cast.c: a recording of a tour is played into a terminal: after each beat its screen is what is drawn of the
 * beat; the file is JSON, the same each time, and sends what changed. */
#include <stdio.h>
#include <string.h>

#include <jansson.h>
#include <vterm.h>

#include "test.h"
#include "help_arena.h"
#include "posviz/base/text.h"
#include "posviz/picture/picture.h"
#include "posviz/tour/cast.h"

FIXTURE(open_arena, close_arena)

static const char lesson[] = "title A \"small\" lesson\n"
			     "sentence a 東京 dog bites\n"
			     "scheme rope\n"
			     "step One\n"
			     "highlight cell 'dog'→'a'\n"
			     "say Words \\ of é\n"
			     "ask What then?\n"
			     "option this\n"
			     "option that\n"
			     "answer b\n"
			     "reveal\n"
			     "view order\n"
			     "order reverse\n"
			     "say It was that.\n"
			     "step Two\n"
			     "view explore\n"
			     "play base 10..1000 times 10 in 3 s\n"
			     "say It runs.\n"
			     "step No\n"
			     "scheme learned\n"
			     "t-max 2\n"
			     "refused this input needs number 3\n"
			     "say This cannot be.\n";

struct player {
	VTerm *vt;
	VTermScreen *screen;
	const struct cast_look *look;
};

static struct player player_of(const struct cast_look *look)
{
	struct player p = {.vt = vterm_new(look->rows, look->cols), .look = look};
	vterm_set_utf8(p.vt, 1);
	p.screen = vterm_obtain_screen(p.vt);
	vterm_screen_reset(p.screen, 1);
	return p;
}

static uint32_t rgb(const VTermScreenCell *cell, bool back)
{
	const VTermColor c = back ? cell->bg : cell->fg;
	return (uint32_t)c.rgb.red << 16 | (uint32_t)c.rgb.green << 8 | c.rgb.blue;
}

static void text_of(const VTermScreenCell *cell, char *out)
{
	size_t n = 0;
	for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && cell->chars[i]; i++)
		n += text_encode(out + n, cell->chars[i]);
	if (n == 0)
		out[n++] = ' ';
	out[n] = '\0';
}

static void expect_cell(struct player *p, const struct canvas *c, int row, int col)
{
	const struct cell *const is = &c->cells[row * c->cols + col];
	VTermScreenCell seen;
	char text[64];
	if (is->width == 0)
		return;
	assert_true(vterm_screen_get_cell(p->screen, (VTermPos){.row = row, .col = col}, &seen));
	text_of(&seen, text);
	if (strcmp(text, is->at) != 0)
		fail_msg("%dx%d, row %d, column %d: \"%s\" is on the screen, not \"%s\"", c->cols,
			 c->rows, row, col, text, is->at);
	if (strcmp(text, " ") != 0)
		assert_int_equal(seen.attrs.bold, (is->attrs & ATTR_BOLD) != 0);
	assert_int_equal(seen.attrs.reverse, (is->attrs & ATTR_REVERSE) != 0);
	assert_int_equal(seen.attrs.underline != 0, (is->attrs & ATTR_UNDERLINE) != 0);
	if (is->bg & CELL_RGB(0))
		assert_int_equal(rgb(&seen, true), is->bg & 0xffffff);
	if (is->fg & CELL_RGB(0) && strcmp(text, " ") != 0)
		assert_int_equal(rgb(&seen, false), is->fg & 0xffffff);
}

static const char *last_value(const struct tour_play *p)
{
	return p->name ? arena_printf(&arena, "%s %s", p->name, p->values[p->n - 1]) : NULL;
}

/* The beat drawn whole, apart from any other. */
static void expect_beat(struct player *p, const struct tour *t, size_t beat, bool presenter)
{
	const struct cast_look *const l = p->look;
	struct canvas *const c = canvas_new(&arena, l->rows, l->cols, l->tier, l->ascii, true);
	struct picture *const made = arena_calloc(&arena, 1, sizeof *made);
	struct lesson words = tour_lesson(t, beat, &arena);
	struct scene scene = t->beats[beat].scene;
	struct err err = {""};
	size_t pane;
	scene.presenter = c->presenter = presenter;
	words.playing = last_value(&t->beats[beat].play);
	const bool ok = tour_picture(&t->beats[beat], &scene, true, BACKGROUND_DARK, NULL, NULL,
				     &arena, made, &pane, &err);
	assert_int_equal(ok, t->beats[beat].refused == NULL);
	canvas_lecture(c, ok ? &made->figure : NULL, ok ? pane : SIZE_MAX, ok ? NULL : err.text,
		       &words, NULL);
	for (int row = 0; row < l->rows; row++)
		for (int col = 0; col < l->cols; col++)
			expect_cell(p, c, row, col);
}

static struct tour read_tour(const char *text)
{
	struct tour_report report = {.arena = &arena};
	struct tour t;
	if (!tour_read("lesson.tour", text, strlen(text), TOUR_SCENES, NULL, NULL, &arena, &t,
		       &report))
		fail_msg("%s", report.lines[0].text);
	return t;
}

static char *made(const struct tour *t, const struct cast_look *look, bool presenter, size_t *len)
{
	struct scene room;
	struct err err = {""};
	char *data;
	scene_init(&room);
	room.presenter = presenter;
	if (!cast_tour(t, &room, look, NULL, NULL, &arena, &data, len, &err))
		fail_msg("%s", err.text);
	return data;
}

struct event {
	double at;
	const char *kind, *data;
	size_t len;
};

/* A line of the recording; the header is the first. */
static json_t *next(char **at)
{
	json_error_t why;
	char *const end = strchr(*at, '\n');
	if (!end)
		return NULL;
	json_t *const out = json_loadb(*at, (size_t)(end - *at), 0, &why);
	if (!out)
		fail_msg("%s", why.text);
	*at = end + 1;
	return out;
}

static bool next_event(char **at, json_t **held, struct event *out)
{
	json_decref(*held);
	*held = next(at);
	if (!*held)
		return false;
	assert_int_equal(json_array_size(*held), 3);
	const json_t *const data = json_array_get(*held, 2);
	*out = (struct event){json_number_value(json_array_get(*held, 0)),
			      json_string_value(json_array_get(*held, 1)), json_string_value(data),
			      json_string_length(data)};
	return true;
}

/* The time at which each beat is over, with a pace of 2: a question stands for 4, and the last of three pictures in 3 s comes after 2. */
static void play_through(const struct tour *t, const struct cast_look *look, bool presenter)
{
	static const double over[] = {4, 6, 10, 12};
	size_t len, beat = 0, outputs = 0;
	char *at = made(t, look, presenter, &len);
	struct player p = player_of(look);
	struct event e;
	json_t *held = next(&at);
	assert_int_equal(json_integer_value(json_object_get(held, "version")), 2);
	assert_int_equal(json_integer_value(json_object_get(held, "width")), look->cols);
	assert_int_equal(json_integer_value(json_object_get(held, "height")), look->rows);
	assert_string_equal(json_string_value(json_object_get(held, "title")),
			    "A \"small\" lesson");
	while (next_event(&at, &held, &e)) {
		if (strcmp(e.kind, "o") != 0)
			continue;
		for (; beat < t->n_beats && e.at >= over[beat]; beat++)
			expect_beat(&p, t, beat, presenter);
		vterm_input_write(p.vt, e.data, e.len);
		vterm_screen_flush_damage(p.screen);
		outputs++;
	}
	assert_int_equal(beat, t->n_beats);
	/* Two pictures of the play before that of its beat, and the cursor at the end. */
	assert_int_equal(outputs, t->n_beats + 2 + 1);
	vterm_free(p.vt);
}

TEST(played_into_a_terminal_it_shows_each_beat)
{
	const struct tour t = read_tour(lesson);
	static const struct cast_look looks[] = {
		{.cols = 120, .rows = 36, .tier = TIER_DIRECT, .pace = 2},
		{.cols = 60, .rows = 20, .tier = TIER_DIRECT, .pace = 2},
		{.cols = 80, .rows = 24, .tier = TIER_MONO, .ascii = true, .pace = 2},
	};
	for (size_t i = 0; i < sizeof looks / sizeof *looks; i++) {
		play_through(&t, &looks[i], i > 0);
	}
}

TEST(the_same_tour_gives_the_same_bytes_of_plain_text)
{
	const struct tour t = read_tour(lesson);
	const struct cast_look look = {.cols = 60, .rows = 20, .tier = TIER_256};
	size_t len, again;
	const char *const one = made(&t, &look, false, &len), *const two = made(&t, &look, false,
										&again);
	assert_int_equal(len, again);
	assert_memory_equal(one, two, len);
	assert_true(text_valid(one, len));
	for (size_t i = 0; i < len; i++)
		assert_true((unsigned char)one[i] >= ' ' || one[i] == '\n');
	/* What one reads takes time: a beat of more words stands longer. */
	assert_non_null(strstr(one, "\n[0,\"m\",\"One\"]\n"));
	assert_null(strstr(one, "timestamp"));
}

TEST(of_a_step_or_a_beat_that_alone_is_recorded)
{
	const struct tour t = read_tour(lesson);
	struct cast_look look = {.cols = 60, .rows = 20, .tier = TIER_MONO, .step = 1};
	size_t len;
	const char *at = made(&t, &look, false, &len);
	assert_non_null(strstr(at, "What then?"));
	assert_non_null(strstr(at, "It was that."));
	assert_null(strstr(at, "It runs."));
	look.beat = 2;
	at = made(&t, &look, false, &len);
	assert_null(strstr(at, "What then?"));
	assert_non_null(strstr(at, "It was that."));
}

/* A row that stays is not sent again. */
TEST(only_what_changed_is_sent)
{
	static const char still[] = "title T\nstep A\nsay One.\nwait\nsay Two.\n";
	const struct tour t = read_tour(still);
	const struct cast_look look = {.cols = 120, .rows = 36, .tier = TIER_DIRECT, .pace = 1};
	size_t len;
	char *at = made(&t, &look, false, &len);
	struct event e;
	json_t *held = next(&at);
	size_t first = 0;
	while (next_event(&at, &held, &e)) {
		first = e.at <= 0 && *e.kind == 'o' ? e.len : first;
		if (e.at >= 1 && e.at < 2)
			assert_in_range(e.len, 1, 40);
	}
	assert_true(first > 2000);
}
