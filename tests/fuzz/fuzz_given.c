/* fuzz_given.c: a file made of a dump's tensors, some left out, renamed, of another shape or with other
 * numbers, gives finite numbers where it is given back as weights, parameters or units, or is refused in
 * one line. The expression may be another than the dump's. */
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "fuzz.h"
#include "fuzz_expression.h"
#include "posviz/format/file.h"
#include "posviz/scene/dump.h"

static struct scene defaults;
static struct arena arena;
static char path[] = "/tmp/posviz-fuzz-XXXXXX.safetensors";

static void remove_file(void)
{
	unlink(path);
}

static void start(void)
{
	scene_init(&defaults);
	defaults.setup.sentence = "a b c";
	defaults.setup.asked.sentence = true;
	defaults.setup.governors = "2 0 2";
	defaults.setup.d_model = 4;
	defaults.setup.heads = 2;
	defaults.setup.layers = 2;
	defaults.setup.t_max = 3;
	defaults.setup.ff = 3;
	const int fd = mkstemps(path, 12);
	BUG_IF(fd < 0 || close(fd) != 0 || atexit(remove_file) != 0);
}

static struct mat other_numbers(struct choices *c, struct mat m)
{
	static const double factors[] = {0, -1, 1e154, 1e-300, 1e308, INFINITY, NAN, 1};
	const double factor = factors[choose(c, 8)];
	const size_t some = 1 + choose(c, 4);
	for (size_t i = 0; i < m.rows * m.cols; i += some)
		m.at[i] *= factor;
	return m;
}

static struct mat other_shape(struct choices *c, struct mat m, struct arena *a)
{
	const size_t sizes[] = {0, 1, m.rows, m.cols, m.rows + 1, m.cols + 1, m.rows * m.cols, 7};
	const struct mat out = mat_new(a, sizes[choose(c, 8)], sizes[choose(c, 8)]);
	for (size_t i = 0; i < out.rows * out.cols; i++)
		out.at[i] = m.rows * m.cols > 0 ? m.at[i % (m.rows * m.cols)] : 1;
	return out;
}

/* Without its first words, or with a letter more. */
static const char *other_name(struct choices *c, const char *name, struct arena *a)
{
	for (size_t k = choose(c, 4); k > 0 && strchr(name, '.'); k--)
		name = strchr(name, '.') + 1;
	return choose(c, 4) == 3 ? arena_printf(a, "%sx", name) : name;
}

static bool is_read(const char *name)
{
	const char *const last = strrchr(name, '.');
	return !last || strncmp(name, "param.", 6) == 0 ||
	       (strncmp(name, "layer.", 6) == 0 && !strstr(name, ".head."));
}

static void add_changed(struct choices *c, const struct tensor *t, struct arena *a,
			struct tensor_set *out)
{
	const struct mat from = tensor_mat(t);
	struct mat m = mat_new(a, from.rows, from.cols);
	const char *name = t->name;
	mat_set(m, from);
	const size_t what = choose(c, 64);
	if (what == 1)
		return;
	if (what == 2 || what == 3)
		name = other_name(c, name, a);
	if (what == 3 || what == 4)
		m = other_shape(c, m, a);
	if (what == 5)
		m = other_numbers(c, m);
	if (!tensor_find(out, name))
		tensor_set_add(out, name, m, m.rows == 1 && choose(c, 2));
}

static const char *choose_map(struct choices *c, const struct tensor_set *set, struct arena *a)
{
	static const char *const rows[] = {"", "[1:]", "[:2]", "[-1:]", "[9:3]", "[", "[0]"};
	struct strbuf b;
	strbuf_init(&b, a);
	for (size_t k = set->count ? choose(c, 3) : 0; k > 0; k--) {
		const char *const leaf = set->tensors[choose(c, set->count)].name;
		strbuf_printf(&b, "%s=%s%s ", other_name(c, leaf, a),
			      set->tensors[choose(c, set->count)].name, rows[choose(c, 7)]);
	}
	return b.at;
}

static void give(struct choices *c, const struct tensor_set *set, struct setup *s, struct arena *a)
{
	const size_t roles = choose(c, 8);
	struct scene scene = {.setup = *s};
	struct err err = {0};
	char *bytes;
	size_t len;
	if (!tensor_write_safetensors(set, a, &bytes, &len, &err) ||
	    !file_write(path, bytes, len, true, &err))
		BUG("%s", err.text);
	s->params = roles % 4 != 3 ? path : "";
	s->weights = roles % 4 != 2 ? path : "";
	s->units = roles / 4 ? path : "";
	const char *const map = choose_map(c, set, a);
	if (scene_set(&scene, field_find("map"), map, &err))
		s->map = scene.setup.map;
	else
		fuzz_expect_told(&err);
	if (choose(c, 4) == 3)
		s->scheme = fuzz_expression(c, 2, a);
	s->compare = choose(c, 8) == 7 ? fuzz_expression(c, 1, a) : "none";
	const size_t other = choose(c, 16); /* sizes for which a setting that fits is looked for */
	s->t_max += other == 13;
	s->heads = other == 14 ? 1 : other == 15 ? 4 : s->heads;
}

static void expect_given(const struct setup *s, const struct want *want, struct arena *a)
{
	struct built b;
	struct trace trace;
	struct err err = {0};
	if (!evaluate(s, want, NULL, NULL, a, &b, &trace, &err)) {
		fuzz_expect_told(&err);
		return;
	}
	fuzz_expect_finite(trace.layers[trace.n_layers - 1].output);
	BUG_IF((b.note != NULL) != (b.n_untaken > 0) || (b.note && strchr(b.note, '\n')));
	if (!compared_params(s, &b, &err))
		fuzz_expect_told(&err);
}

FUZZ(given)
{
	const struct want want = {.kinds = dump_wants(), .layer = -1, .head = -1};
	if (!defaults.setup.sentence)
		start();
	arena_clear(&arena);
	struct choices c = {data, data + size};
	struct scene scene = defaults;
	struct built b;
	struct trace trace;
	struct tensor_set dump, changed;
	scene.setup.scheme = fuzz_expression(&c, 2, &arena);
	if (!evaluate(&scene.setup, &want, NULL, NULL, &arena, &b, &trace, NULL))
		return 0;
	dump_tensors(&scene, &b, &trace, false, &arena, &dump);
	tensor_set_init(&changed, &arena);
	for (size_t i = 0; i < dump.count; i++)
		if (is_read(dump.tensors[i].name))
			add_changed(&c, &dump.tensors[i], &arena, &changed);
	give(&c, &changed, &scene.setup, &arena);
	expect_given(&scene.setup, &want, &arena);
	return 0;
}
