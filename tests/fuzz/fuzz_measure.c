/* fuzz_measure.c: a scene of any expression at any small size gives, beyond finite numbers, a dump of
 * them with no name twice, and measures; or is refused in one line. */
#include <stdint.h>

#include "fuzz.h"
#include "fuzz_expression.h"
#include "posviz/analysis/analysis.h"
#include "posviz/scene/dump.h"

static const char *scene_lines(struct choices *c, struct arena *a)
{
	static const char *const sentences[] = {"a b c d e", "a", "a a a", "b a ||| c ||| a d"};
	static const char *const specials[] = {"none", "cls,sep", "bos"};
	static const char *const orders[] = {"identity", "reverse", "shuffle:3"};
	struct strbuf b;
	strbuf_init(&b, a);
	strbuf_printf(&b, "sentence %s\nspecial %s\norder %s\n", sentences[choose(c, 4)],
		      specials[choose(c, 3)], orders[choose(c, 3)]);
	const size_t heads = 1 + choose(c, 4);
	strbuf_printf(&b, "heads %zu\nd-model %zu\nlayers %zu\n", heads, heads * (1 + choose(c, 5)),
		      1 + choose(c, 4));
	strbuf_printf(&b, "t-max %zu\nproj %s\ninit %s\nactivation %s\nff 3\n", 1 + choose(c, 20),
		      projection_names[choose(c, PROJ_COUNT)], init_names[choose(c, INIT_COUNT)],
		      activation_names[choose(c, ACT_COUNT)]);
	return b.at;
}

static void evaluate_scene(const struct scene *scene, struct arena *a)
{
	const struct want want = {.kinds = dump_wants(), .layer = -1, .head = -1};
	struct built b;
	struct trace trace;
	struct err err = {0};
	if (!evaluate(&scene->setup, &want, NULL, NULL, a, &b, &trace, &err)) {
		fuzz_expect_told(&err);
		return;
	}
	fuzz_expect_finite(trace.layers[trace.n_layers - 1].output);
	struct tensor_set dump;
	dump_tensors(scene, &b, &trace, false, a, &dump);
	for (size_t i = 0; i < dump.count; i++)
		fuzz_expect_finite(tensor_mat(&dump.tensors[i]));
	struct measures measures = {0};
	const struct measure_request all = {.kinds = MEASURED_ALL};
	if (!analysis_measure(&scene->setup, &all, &measures, &err))
		fuzz_expect_told(&err);
}

FUZZ(measure)
{
	struct arena arena;
	arena_init(&arena);
	struct choices c = {data, data + size};
	const char *scheme = fuzz_expression(&c, 4, &arena);
	struct scene scene;
	struct err err = {0};
	if (!scene_parse(&scene, scene_lines(&c, &arena), &err))
		BUG("%s", err.text);
	fuzz_sequence(&c, &scene.setup, &arena);
	if (scene_set(&scene, field_find("scheme"), scheme, &err))
		evaluate_scene(&scene, &arena);
	else
		fuzz_expect_told(&err);
	arena_release(&arena);
	return 0;
}
