/* test_trained_views.c: every view of a trained model's last layer has a picture, with numbers or a sentence
 * why there are none. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_canvas.h"
#include "posviz/app/app.h"
#include "posviz/model/cache_bytes.h"
#include "posviz/picture/picture.h"

static void open_model(struct scene *scene, const char *model, struct arena *a)
{
	struct err err = {""};
	const char *said;
	scene_init(scene);
	if (!app_configuration(scene, arena_printf(a, "%s/models/%s", test_data, model), a, &said,
			       &err) ||
	    !scene_set(scene, field_find("ids"), "3 17 5 9 21", &err) ||
	    !scene_set(scene, field_find("layer"), "2", &err))
		fail_msg("%s: %s", model, err.text);
	scene->windows = 2;
	scene->train_steps = 20;
}

/* Returns the reason why a view shows nothing; NULL: some panel has more. */
static const char *why_empty(const struct figure *f)
{
	const char *why = "it has no panel";
	for (size_t i = 0; i < f->n && why; i++)
		why = f->panels[i].absent;
	return why;
}

/* Views of all schemes, or of papers, show the model as one row of many, in seconds. */
static bool is_of_all_schemes(const struct view *view)
{
	static const char *const names[] = {"table", "map", "cost", "figures"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(view->name, names[i]) == 0)
			return true;
	return false;
}

/* Gemma's heads together are wider than the model, its layers fewer than the view Layers would like. */
TEST_IN_PARTS(every_view_shows_trained_models, 2)
{
	static const char *const models[] = {"gemma2", "bert-bare"};
	struct cache *const cache = cache_new(CACHE_BYTES);
	for (size_t i = 0; i < view_count(); i++) {
		const struct view *const view = views[i];
		if (is_of_all_schemes(view))
			continue;
		struct arena a;
		struct scene scene;
		struct err err = {""};
		arena_init(&a);
		struct picture *const p = arena_calloc(&a, 1, sizeof *p);
		open_model(&scene, models[test_part % 2], &a);
		scene.view = view->name;
		if (!picture_make(&scene, NULL, false, BACKGROUND_LIGHT, cache, NULL, &a, p, &err))
			fail_msg("%s: %s: %s", models[test_part % 2], view->name, err.text);
		if (why_empty(&p->figure))
			fail_msg("%s: %s: %s", models[test_part % 2], view->name,
				 why_empty(&p->figure));
		arena_release(&a);
	}
	cache_free(cache);
}

/* Reads the number at the end of a row of a canvas, NaN: there is none. */
static double number_at_end(const struct canvas *c, int row, int from)
{
	const char *const text = help_between(c, row, from, c->cols);
	const char *const blank = strrchr(text, ' ');
	const char *const last = blank ? blank + 1 : text;
	static const char minus[] = "−";
	if (strncmp(last, minus, strlen(minus)) == 0)
		return -strtod(last + strlen(minus), NULL);
	return *last == '+' ? strtod(last, NULL) : NAN;
}

static bool find_text(const struct canvas *c, const char *text, int *row, int *col)
{
	for (*row = 0; *row < c->rows; ++*row)
		for (*col = c->cols - 30; *col < c->cols; ++*col)
			if (strncmp(help_between(c, *row, *col, c->cols), text, strlen(text)) == 0)
				return true;
	return false;
}

/* The terms and counts above the line of the cursor's cell add up to the sum below it, even if a term that is not small
 * has no room. */
TEST(terms_of_a_cell_add_up)
{
	struct arena a;
	struct scene scene;
	struct err err = {""};
	int row = 0, col = 0, terms = 0;
	double sum = 0, next;
	help_begin(NULL);
	arena_init(&a);
	struct picture *const p = arena_calloc(&a, 1, sizeof *p);
	open_model(&scene, "gpt2", &a);
	scene.view = "terms";
	scene.row = 8;
	scene.col = 2;
	if (!scene_set(&scene, field_find("ids"), "3 17 5 9 21 4 8 2 11 6 3 7 9", &err) ||
	    !scene_set(&scene, field_find("layer"), "1", &err) ||
	    !picture_make(&scene, NULL, false, BACKGROUND_DARK, NULL, NULL, &a, p, &err))
		fail_msg("%s", err.text);
	for (size_t i = 0; i < p->figure.n; i++)
		p->figure.panels[i].heatmap.has_cursor = true;
	struct canvas *const c = help_canvas(36, 120, TIER_DIRECT, false);
	canvas_figure(c, &p->figure);
	if (!find_text(c, "this cell", &row, &col))
		fail_msg("no cell:\n%s", help_screen(c));
	for (row += 3; !isnan(next = number_at_end(c, row, col)); row++, terms++)
		sum += next;
	assert_true(terms > 2);
	assert_true(strncmp(help_between(c, row + 1, col, c->cols), "Sum", 3) == 0);
	if (fabs(number_at_end(c, row + 1, col) - sum) > 5e-4 * (terms + 1))
		fail_msg("%d terms make %g:\n%s", terms, sum, help_screen(c));
	arena_release(&a);
	help_end(NULL);
}
