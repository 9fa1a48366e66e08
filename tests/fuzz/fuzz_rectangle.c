/* fuzz_rectangle.c: a .npy of any shape and type, its header right or not quite, as a matrix of the user's own, with
 * tokens for queries and keys or without: it is refused in one line, or shown as large as it is, in any view. */
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "fuzz.h"
#include "fuzz_expression.h"
#include "posviz/format/file.h"
#include "posviz/picture/picture.h"

enum { SIDE = 6, HEADER = 128, MOST = 4096 };

static struct arena arena;
static char path[] = "/tmp/posviz-fuzz-XXXXXX.npy";

static void remove_file(void)
{
	unlink(path);
}

static void start(void)
{
	const int fd = mkstemps(path, 4);
	BUG_IF(fd < 0 || close(fd) != 0 || atexit(remove_file) != 0);
}

/* "(2, 3, )": up to five axes, seldom one of none or of very many. */
static const char *choose_shape(struct choices *c, struct arena *a, size_t *count)
{
	static const char *const odd[] = {"0", "-1", "99999999999", "512"};
	const size_t axes = choose(c, 16) ? 2 + choose(c, 3) : choose(c, 6);
	struct strbuf b;
	strbuf_init(&b, a);
	*count = 1;
	strbuf_add_char(&b, '(');
	for (size_t i = 0; i < axes; i++) {
		const size_t side = choose(c, SIDE + 2);
		*count *= side && side <= SIDE ? side : 1;
		if (side && side <= SIDE)
			strbuf_printf(&b, "%zu, ", side);
		else
			strbuf_printf(&b, "%s, ", odd[choose(c, 4)]);
	}
	strbuf_add_char(&b, ')');
	return b.at;
}

/* Numbers of 8 bytes are rows of weights, or any; of other types the bytes are any. */
static void fill(struct choices *c, bool wide, size_t n, char *out)
{
	static const double values[] = {0, 0.5, 1, 0.25, -1, 3, 100, -INFINITY, NAN, 1e300};
	for (size_t i = 0; i < n; i++) {
		const double value = values[choose(c, 10)];
		if (wide && (i + 1) * 8 <= MOST)
			memcpy(out + i * 8, &value, 8);
		else if (!wide && i < MOST)
			out[i] = (char)choose(c, 256);
	}
}

static void write_npy(struct choices *c)
{
	static const struct {
		const char *name;
		size_t size;
	} types[] = {{"<f8", 8}, {"<f8", 8}, {"<f4", 4}, {"<f2", 2}, {"|b1", 1},   {"<i4", 4},
		     {">f8", 8}, {"|u1", 1}, {"<i8", 8}, {"|O", 8},  {"<c16", 16}, {"<U3", 12}};
	char bytes[HEADER + MOST] = "\x93NUMPY\x01";
	struct err err = {""};
	size_t count;
	const size_t type = choose(c, sizeof types / sizeof *types);
	const char *const shape = choose_shape(c, &arena, &count);
	const char *const header =
		arena_printf(&arena, "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }",
			     types[type].name, choose(c, 4) == 3 ? "True" : "False", shape);
	size_t len = count * types[type].size;
	len = len > MOST ? MOST : len;
	bytes[8] = HEADER - 10;
	memset(bytes + 10, ' ', HEADER - 10);
	memcpy(bytes + 10, header, strlen(header) < HEADER - 11 ? strlen(header) : HEADER - 11);
	bytes[HEADER - 1] = '\n';
	fill(c, type < 2, type < 2 ? count : len, bytes + HEADER);
	len -= choose(c, 32) == 31 && len > 0;
	if (!file_write(path, bytes, HEADER + len, true, &err))
		BUG("%s", err.text);
}

static const char *choose_words(struct choices *c, struct arena *a)
{
	static const char *const words[] = {"a", "b",	     "a",  "q2",
					    "1", "\xc3\xa9", "\"", "long-word"};
	struct strbuf b;
	strbuf_init(&b, a);
	for (size_t n = choose(c, SIDE + 2); n > 0; n--)
		strbuf_printf(&b, "%s%s", words[choose(c, 8)], n > 1 ? " " : "");
	return b.at;
}

static void set(struct scene *scene, const char *field, const char *value)
{
	struct err err = {""};
	if (!scene_set(scene, field_find(field), value, &err))
		fuzz_expect_told(&err);
}

static void choose_scene(struct choices *c, struct scene *scene, struct arena *a)
{
	static const char *const as[] = {
		"",	    ",as=bias",	 ",as=logits", ",as=weights", ",as=percent",
		",heads=1", ",layers=2", ",pos=word"};
	static const char *const beside[] = {"", "", "", "+causal", "+alibi"};
	size_t n_views = 0;
	scene_init(scene);
	scene->setup.d_model = 12;
	scene->setup.heads = (const long[]){1, 2, 3, 4}[choose(c, 4)];
	scene->setup.layers = 1 + (long)choose(c, 3);
	scene->setup.scheme = arena_printf(a, "matrix(from=%s%s)%s", path, as[choose(c, 8)],
					   beside[choose(c, 5)]);
	while (views[n_views])
		n_views++;
	const struct view *const view = views[choose(c, n_views)];
	set(scene, "view", view->table || view->cost ? "explore" : view->name);
	if (choose(c, 2))
		set(scene, "keys", choose_words(c, a));
	if (choose(c, 3) == 2)
		set(scene, "sentence", choose_words(c, a));
	if (choose(c, 4) == 3)
		scene->setup.compare = arena_printf(a, "matrix(from=%s,as=logits)", path);
	if (choose(c, 8) == 7)
		set(scene, "order", "reverse");
}

static void expect_shown(const struct scene *scene, struct arena *a)
{
	struct picture *const p = arena_calloc(a, 1, sizeof *p);
	struct err err = {""};
	if (!picture_make(scene, NULL, false, BACKGROUND_LIGHT, NULL, NULL, a, p, &err)) {
		fuzz_expect_told(&err);
		return;
	}
	const struct axis *const keys = &p->built.keys;
	if (keys->n == 0)
		return;
	BUG_IF(p->trace.key.n != keys->n || p->trace.query.n != p->built.members[0].units);
	const struct mat w = p->trace.layers[0].heads[0].weights;
	BUG_IF(w.at && (w.rows != p->trace.query.n || w.cols != keys->n));
	if (w.at)
		fuzz_expect_finite(w);
}

FUZZ(rectangle)
{
	struct choices c = {data, data + size};
	struct scene scene;
	if (strstr(path, "XXXXXX"))
		start();
	arena_clear(&arena);
	write_npy(&c);
	choose_scene(&c, &scene, &arena);
	expect_shown(&scene, &arena);
	return 0;
}
