/* fuzz_evaluate.c: any expression of any members at any small size gives finite numbers, a dump with
 * no name twice, and measures, or is refused in one line. The bytes are choices, one after another. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "posviz/analysis.h"
#include "posviz/strbuf.h"
#include "posviz/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct choices {
	const uint8_t *at, *end;
};

static size_t choose(struct choices *c, size_t n)
{
	return c->at < c->end ? *c->at++ % n : 0;
}

static void add_argument(struct choices *c, const struct scheme *s, struct strbuf *b,
			 struct arena *a)
{
	static const char *const shared[] = {"pos=remaining", "pos=word", "pos=none",	"heads=1",
					     "heads=[2,3]",   "layers=2", "layers=odd", "heads=9"};
	const struct param *p = s->params;
	for (size_t k = choose(c, 8); p && p->name && k > 0; k--)
		p++;
	void *param = scheme_defaults(s, a);
	if (!p || !p->name) {
		strbuf_add(b, shared[choose(c, 8)]);
	} else if (p->kind == PARAM_CHOICE) {
		size_t n = 0;
		while (p->choices[n])
			n++;
		strbuf_printf(b, "%s=%s", p->name, p->choices[choose(c, n)]);
	} else if (p->kind == PARAM_BOOL) {
		strbuf_printf(b, "%s=%s", p->name, choose(c, 2) ? "on" : "off");
	} else {
		const int direction = choose(c, 2) ? 1 : -1;
		for (size_t k = choose(c, 4); k > 0; k--)
			param_step(p, param, direction);
		strbuf_printf(b, "%s=%s", p->name, param_print(p, param, a));
	}
}

static const char *expression(struct choices *c, struct arena *a)
{
	struct strbuf b;
	strbuf_init(&b, a);
	const size_t members = 1 + choose(c, 4);
	for (size_t i = 0; i < members; i++) {
		const struct scheme *s = scheme_at(choose(c, scheme_count()));
		strbuf_printf(&b, "%s%s", i ? "+" : "", s->id);
		const size_t arguments = s->expression ? 0 : choose(c, 3);
		for (size_t k = 0; k < arguments; k++) {
			strbuf_add(&b, k ? "," : "(");
			add_argument(c, s, &b, a);
		}
		if (arguments)
			strbuf_add_char(&b, ')');
	}
	return b.at;
}

static const char *scene_lines(struct choices *c, struct arena *a)
{
	static const char *const sentences[] = {"a b c d e", "a", "a a a", "b a ||| c ||| a d"};
	static const char *const specials[] = {"none", "cls,sep", "bos"};
	static const char *const orders[] = {"identity", "reverse", "shuffle:3"};
	static const char *const positions[] = {"none", "0 1 2 0 1", "start:3", "-4 0 9 9 -1"};
	static const char *const segments[] = {"none", "1 0 0 1 2", "0 1 0"};
	static const char *const scales[] = {"1", "sqrt-d", "0.3"};
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
	/* Whether they fit the tokens is for who evaluates to say. */
	strbuf_printf(&b, "position-ids %s\nsegments %s\nmemory-tokens %zu\nembed-scale %s\n",
		      positions[choose(c, 4)], segments[choose(c, 3)], choose(c, 5),
		      scales[choose(c, 3)]);
	return b.at;
}

static void expect_finite(struct mat m)
{
	for (size_t i = 0; i < m.rows * m.cols; i++)
		BUG_IF(!isfinite(m.at[i]));
}

static void expect_told(const struct err *err)
{
	BUG_IF(err->text[0] == '\0' || strchr(err->text, '\n'));
	BUG_IF(!text_valid(err->text, strlen(err->text)));
}

static void evaluate_scene(const struct scene *scene, struct arena *a)
{
	const struct want want = {.kinds = dump_wants(), .layer = -1, .head = -1};
	struct built b;
	struct trace trace;
	struct err err = {0};
	if (!evaluate(&scene->setup, &want, NULL, NULL, a, &b, &trace, &err)) {
		expect_told(&err);
		return;
	}
	expect_finite(trace.layers[trace.n_layers - 1].output);
	struct tensor_set dump;
	dump_tensors(scene, &b, &trace, a, &dump);
	struct measures measures;
	if (!analysis_measure(&scene->setup, NULL, NULL, NULL, &measures, &err))
		expect_told(&err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena arena;
	arena_init(&arena);
	struct choices c = {data, data + size};
	const char *scheme = expression(&c, &arena);
	struct scene scene;
	struct err err = {0};
	if (!scene_parse(&scene, scene_lines(&c, &arena), &err))
		BUG("%s", err.text);
	if (scene_set(&scene, field_find("scheme"), scheme, &err))
		evaluate_scene(&scene, &arena);
	else
		expect_told(&err);
	arena_release(&arena);
	return 0;
}
