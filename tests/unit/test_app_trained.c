/* test_app_trained.c: a trained model in the program: another scheme in the place of its own. */
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_app.h"
#include "posviz/base/text.h"
#include "posviz/picture/picture.h"

FIXTURE(help_app_open, help_app_close)

/* What a scheme learns is in no file of the model, so that layers are not computed with it: words come in their
 * place, and it is said. A scheme that learns nothing is computed with them. */
TEST(a_scheme_that_learns_leaves_the_layers_of_a_model)
{
	struct app *const app = *state;
	char line[4200];
	snprintf(line, sizeof line, "model %s/models/gpt2", test_data);
	help_app_run(app, line);
	assert_int_equal(app->scene.setup.tokens, TOKENS_MODEL);
	help_app_run(app, "pick alibi");
	assert_int_equal(app->scene.setup.tokens, TOKENS_MODEL);
	help_app_run(app, "pick shaw");
	assert_string_equal(app->scene.setup.scheme, "shaw+causal");
	assert_int_equal(app->scene.setup.tokens, TOKENS_WORDS);
	assert_non_null(strstr(app->message, "words on drawn vectors: "));
}

/* Nothing of such a picture is drawn, so that no seed belongs to it. */
TEST(a_picture_of_a_trained_model_has_no_seed)
{
	struct app *const app = *state;
	struct arena a;
	struct err err = {""};
	char line[4200];
	arena_init(&a);
	struct picture *const p = arena_calloc(&a, 1, sizeof *p);
	snprintf(line, sizeof line, "model %s/models/gpt2", test_data);
	help_app_run(app, line);
	if (!picture_make(&app->scene, NULL, false, BACKGROUND_LIGHT, NULL, NULL, &a, p, &err))
		fail_msg("%s", err.text);
	assert_non_null(strstr(p->figure.caption, "tokens and weights of gpt2"));
	assert_null(strstr(p->figure.caption, "seed"));
	arena_release(&a);
}

/* In an open scene another stack brings its expression and its sizes; an encoder reads no source, which goes. The
 * picture names the model in each. */
TEST(another_stack_brings_its_expression)
{
	static const char *const rows[][2] = {
		{"decoder", "t5(buckets=8,max_distance=16,causal=on)"},
		{"cross", "t5(buckets=8,max_distance=16,causal=on)"},
		{"encoder", "t5(buckets=8,max_distance=16)"},
	};
	struct app *const app = *state;
	struct arena a;
	char line[4200];
	arena_init(&a);
	snprintf(line, sizeof line, "model %s/models/made/t5", test_data);
	help_app_run(app, line);
	help_app_run(app, "ids 3 4 5");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct picture *const p = arena_calloc(&a, 1, sizeof *p);
		struct err err = {""};
		snprintf(line, sizeof line, "stack %s", rows[i][0]);
		help_app_run(app, line);
		if (i == 0)
			help_app_run(app, "source-ids 4 5 6");
		assert_string_equal(app->scene.setup.scheme, rows[i][1]);
		assert_string_equal(app->scene.setup.ids, "3 4 5");
		if (!picture_make(&app->scene, NULL, false, BACKGROUND_LIGHT, NULL, NULL, &a, p,
				  &err))
			fail_msg("%s: %s", rows[i][0], err.text);
		if (strncmp(p->figure.title, "t5 · ", strlen("t5 · ")) != 0)
			fail_msg("%s: %s", rows[i][0], p->figure.title);
	}
	assert_string_equal(app->scene.setup.source_ids, "");
	arena_release(&a);
}

/* What is wrong is the first part of what is said of a model, and so stays on the narrowest screen. */
TEST(the_verdict_is_said_first)
{
	static const char first[] = "no fault in the configuration" TEXT_BETWEEN "GPT-2, ";
	struct app *const app = *state;
	char line[4200];
	snprintf(line, sizeof line, "model %s/models/gpt2", test_data);
	help_app_run(app, line);
	assert_memory_equal(app->message, first, strlen(first));
}
