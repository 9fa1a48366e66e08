/* test_expect_scenes.c: what is expected of scenes after scenes, as a lecture goes through them: each file of
 * tests/data/expect is a script of commands, parted into beats, with numbers that were computed apart from this
 * program, from dumps, or are printed by papers. */
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_app.h"
#include "help_arena.h"
#include "posviz/format/file.h"
#include "posviz/quantity/quantity.h"

FIXTURE(open_arena, close_arena)

enum { MOST = 16 };

struct script {
	const char *name, *step;
	struct app *app;
	struct cache *cache; /* of all beats */
	const char *expects[MOST];
	size_t n, false_ones, all;
	const char
		*refused; /* part of the message with which the scene cannot be computed; or NULL */
};

static bool begins(const char *line, const char *word, const char **rest)
{
	const size_t len = strlen(word);
	if (strncmp(line, word, len) != 0 || (line[len] && line[len] != ' '))
		return false;
	*rest = line + len + (line[len] == ' ');
	return true;
}

static void complain(struct script *s, const char *text)
{
	fprintf(stderr, "%s, %s: %s\n", s->name, s->step, text);
	s->false_ones++;
}

/* All of a beat on one object, as a runner would. */
static void end_beat(struct script *s)
{
	struct quantities *const q = quantities_new(&s->app->scene, s->cache, NULL);
	for (size_t i = 0; i < s->n; i++) {
		struct expect e;
		struct expect_result r;
		struct err err = {""};
		if (!expect_parse(s->expects[i], &arena, &e, &err) ||
		    !expect_find(q, &e, &arena, &r, &err))
			complain(s, arena_printf(&arena, "%s: %s", s->expects[i], err.text));
		else if (!r.holds)
			complain(s, r.line);
		s->all++;
	}
	if (s->refused) {
		struct expect_result r;
		struct expect e;
		struct err err = {""};
		if (!expect_parse("max weight > 0", &arena, &e, &err) ||
		    expect_find(q, &e, &arena, &r, &err) || !strstr(err.text, s->refused))
			complain(s, arena_printf(&arena, "refused: %s", err.text));
	}
	quantities_free(q);
	s->n = 0;
	s->refused = NULL;
}

/* play NAME FROM..TO ...: the scene has NAME at TO. */
static void play(struct script *s, const char *rest)
{
	const char *const name = arena_strndup(&arena, rest, strcspn(rest, " "));
	const char *const to = strstr(rest, "..") + 2;
	const char *const value = arena_strndup(&arena, to, strcspn(to, " "));
	const bool field = field_find(name) != NULL;
	help_app_run(s->app, arena_printf(&arena, "%s%s %s", field ? "" : "param ", name, value));
}

static void run_line(struct script *s, const char *line)
{
	const char *rest;
	if (begins(line, "step", &rest) || begins(line, "beat", &rest)) {
		end_beat(s);
		s->step = *rest ? rest : s->step;
	} else if (begins(line, "expect", &rest)) {
		assert_true(s->n < MOST);
		s->expects[s->n++] = rest;
	} else if (begins(line, "refused", &rest)) {
		s->refused = rest;
	} else if (begins(line, "play", &rest)) {
		play(s, rest);
	} else {
		help_app_run(s->app, line);
	}
}

static void run_script(const char *name)
{
	void *app;
	char *text;
	size_t len;
	struct err err = {""};
	const char *const path = arena_printf(&arena, "%s/expect/%s.txt", test_data, name);
	if (!file_read(path, 1 << 20, &arena, &text, &len, &err))
		fail_msg("%s", err.text);
	help_app_open(&app);
	struct script s = {
		.name = name, .step = "head", .app = app, .cache = cache_new(CACHE_BYTES)};
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		run_line(&s, line);
	end_beat(&s);
	cache_free(s.cache);
	help_app_close(&app);
	assert_true(s.all > 20);
	if (s.false_ones > 0)
		fail_msg("%s: %zu of %zu are false", name, s.false_ones, s.all);
}

TEST_IN_PARTS(what_is_expected_of_scenes_holds, 10)
{
	static const char *const names[] = {
		"order",	  "sinusoids", "bias",		"relative",	"buckets",
		"expansion",	  "rotation",  "extrapolation", "trees-graphs", "rank",
		"learning-order", "lengths",   "inside"};
	for (size_t i = test_part; i < sizeof names / sizeof *names; i += test_parts)
		run_script(names[i]);
}
