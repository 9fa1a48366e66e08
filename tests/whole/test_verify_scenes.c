/* test_verify_scenes.c: snapshots of any scenes reopen, and what is computed again is what they carry. */
#include "test.h"
#include "help_view.h"
#include "posviz/app/snapshot.h"
#include "posviz/base/rng.h"
#include "posviz/picture/picture.h"

static void set(struct scene *scene, const char *name, const char *value)
{
	struct err err;
	if (!scene_set(scene, field_find(name), value, &err))
		fail_msg("%s: %s", name, err.text);
}

static const char *pick(struct rng *rng, const char *const *words, size_t n)
{
	return words[rng_below(rng, n)];
}

#define PICK(rng, ...)                                \
	pick(rng, (const char *const[]){__VA_ARGS__}, \
	     sizeof(const char *const[]){__VA_ARGS__} / sizeof(char *))

/* The table takes a second to measure, and has no matrices: once is enough. */
static void random_scene(struct rng *rng, bool table, struct scene *scene, struct arena *a)
{
	const struct view *view = table ? view_find("table") : NULL;

	scene_init(scene);
	help_train_briefly(scene);
	const char *const id = scheme_at(rng_below(rng, scheme_count()))->id;
	set(scene, "scheme", arena_printf(a, "%s%s", id, PICK(rng, "", "+causal")));
	set(scene, "sentence",
	    PICK(rng, "the cat chases the dog .", "a", "to be or not to be", "猫 is عربي",
		 "one \"two\" \\three", "x x x x"));
	set(scene, "order", PICK(rng, "identity", "reverse", "shuffle:7", "shuffle:8"));
	set(scene, "special", PICK(rng, "none", "none", "cls,sep", "bos"));
	set(scene, "tokens", PICK(rng, "words", "words", "chars"));
	set(scene, "heads", PICK(rng, "1", "2", "4"));
	set(scene, "d-model", PICK(rng, "16", "32", "64"));
	set(scene, "layers", PICK(rng, "1", "2", "3"));
	set(scene, "seed", PICK(rng, "0", "1", "18446744073709551615"));
	set(scene, "proj", PICK(rng, "identity", "tied", "random"));
	set(scene, "init", PICK(rng, "demo", "paper"));
	set(scene, "content", PICK(rng, "0", "2", "7.25"));
	set(scene, "probe", PICK(rng, "ones", "off", "cat"));
	set(scene, "matrix", PICK(rng, "logits", "weights", "mask"));
	while (!view || view->table != table)
		view = views[rng_below(rng, view_count())];
	set(scene, "view", view->name);
	set(scene, "scale", PICK(rng, "linear", "sqrt", "log"));
	set(scene, "theme", PICK(rng, "auto", "light", "dark"));
	set(scene, "lock", PICK(rng, "off", "on"));
	scene->head = 1 + (long)rng_below(rng, (uint64_t)scene->setup.heads);
	scene->layer = 1 + (long)rng_below(rng, (uint64_t)scene->setup.layers);
}

/* The scene's PNG; false when this scene cannot be computed or drawn. */
static bool snapshot(const struct scene *scene, struct arena *a, char **data, size_t *len)
{
	struct picture *const p = arena_calloc(a, 1, sizeof *p);
	struct err err;
	return picture_make(scene, NULL, false, BACKGROUND_LIGHT, NULL, NULL, a, p, &err) &&
	       snapshot_png(scene, &p->figure, NULL, a, data, len, NULL, &err);
}

static void round_trip(const struct scene *scene, const char *data, size_t len, struct arena *a)
{
	struct scene again;
	struct verification *rows;
	const char *version;
	struct err err;
	size_t n;
	if (!snapshot_scene(data, len, a, &again, &err))
		fail_msg("%s: %s", scene_print(scene, a), err.text);
	assert_true(scene_equal(scene, &again));
	if (!snapshot_verify(data, len, NULL, a, 1e15, &again, &rows, &n, &version, &err))
		fail_msg("%s: %s", scene_print(scene, a), err.text);
	assert_string_equal(version, POSVIZ_VERSION);
	assert_true(scene_equal(scene, &again));
	for (size_t i = 0; i < n; i++)
		if (!rows[i].ok || rows[i].trouble || !(rows[i].worst <= 1e-9))
			fail_msg("%s: %s: %g %s", scene_print(scene, a), rows[i].title,
				 rows[i].worst, rows[i].trouble ? rows[i].trouble : "");
}

TEST_LONG(snapshots_reopen_and_verify)
{
	enum { WANTED = 15, MOST = 100 };
	struct rng rng;
	size_t made = 0;
	rng_init(&rng, 20);
	for (size_t i = 0; i < MOST && made < WANTED; i++) {
		struct arena a;
		struct scene scene;
		char *data;
		size_t len;
		arena_init(&a);
		random_scene(&rng, made == 0, &scene, &a);
		if (snapshot(&scene, &a, &data, &len)) {
			round_trip(&scene, data, len, &a);
			made++;
		}
		arena_release(&a);
	}
	assert_int_equal(made, WANTED);
}

TEST(the_view_explore_compares_two_matrices)
{
	struct arena a;
	struct scene scene;
	struct verification *rows;
	struct err err;
	const char *version;
	char *data;
	size_t len, n;
	arena_init(&a);
	scene_init(&scene);
	set(&scene, "sentence", "a b c");
	assert_true(snapshot(&scene, &a, &data, &len));
	assert_true(snapshot_verify(data, len, NULL, &a, 1e15, &scene, &rows, &n, &version, &err));
	assert_int_equal(n, 2);
	assert_string_equal(rows[0].title, "Position bias");
	assert_string_equal(rows[1].title, "Attention weights");
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(rows[i].rows, 3);
		assert_int_equal(rows[i].cols, 3);
	}
	arena_release(&a);
}
