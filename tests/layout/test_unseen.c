/* test_unseen.c: which schemes see which way the edges of a structure go, and what they are called: what
 * descriptors say is what happens when all edges are turned round, or all labels made one. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_structure.h"
#include "help_scheme.h"
#include "help_setup.h"
#include "help_variants.h"
#include "posviz/input/structure.h"
#include "posviz/view/view.h"

FIXTURE(open_arena, close_arena)

static const unsigned structural = SCHEME_NEEDS_TREE | SCHEME_NEEDS_GRAPH;

/* The same nodes in the same order: edges, turned round, and with one label. */
static const char *const graphs[3] = {
	"graph \"directed\\na\\nb\\nc\\nd\\ne\\nf\\na b x\\nb c y\\na d x\\nd e y\\nc e z\\ne f x\"",
	"graph \"directed\\na\\nb\\nc\\nd\\ne\\nf\\nb a x\\nc b y\\nd a x\\ne d y\\ne c z\\nf e x\"",
	"graph \"directed\\na\\nb\\nc\\nd\\ne\\nf\\na b x\\nb c x\\na d x\\nd e x\\nc e x\\ne f x\""};

#define WORD(id, form, head, relation) id "\t" form "\t_\t_\t_\t_\t" head "\t" relation "\t_\t_\n"

/* A path, which is a tree from both ends. */
static const char *const trees[3] = {WORD("1", "a", "0", "root") WORD("2", "b", "1", "x")
					     WORD("3", "c", "2", "y") WORD("4", "d", "3", "x"),
				     WORD("1", "a", "2", "x") WORD("2", "b", "3", "y")
					     WORD("3", "c", "4", "x") WORD("4", "d", "0", "root"),
				     WORD("1", "a", "0", "root") WORD("2", "b", "1", "x")
					     WORD("3", "c", "2", "x") WORD("4", "d", "3", "x")};

static struct trace *run(const char *expression, const struct scheme *s, const char *init,
			 size_t which, struct arena *a)
{
	struct scene scene;
	struct built *const b = arena_calloc(a, 1, sizeof *b);
	struct trace *const trace = arena_calloc(a, 1, sizeof *trace);
	struct err err = {""};
	const struct want want = {.kinds = WANT_LOGITS | WANT_WEIGHTS | WANT_OUTPUT};
	scene_init(&scene);
	const bool tree = s->flags & SCHEME_NEEDS_TREE;
	const bool set = scene_set(&scene, field_find("scheme"), expression, &err) &&
			 scene_set(&scene, field_find("init"), init, &err) &&
			 (tree ? scene_set(&scene, field_find("conllu"), trees[which], &err)
			       : scene_set_line(&scene, graphs[which], &err));
	return set && evaluate(&scene.setup, &want, NULL, NULL, a, b, trace, &err) ? trace : NULL;
}

static double apart(const struct trace *x, const struct trace *y)
{
	double most = 0;
	for (size_t l = 0; l < x->n_layers; l++)
		most = fmax(most, fmax(help_logits_apart(x, y, l, 4), help_output_apart(x, y, l)));
	return most;
}

/* How far apart the edges turned round, and with one label, are, by the values of the demonstration or of the
 * paper: of one number some are equal. Negative: it cannot be computed. */
static void measure(const char *expression, const struct scheme *s, double *ways, double *labels)
{
	static const char *const inits[] = {"demo", "paper"};
	*ways = *labels = -1;
	for (size_t i = 0; i < 2; i++) {
		struct arena a;
		struct trace *t[3];
		arena_init(&a);
		for (size_t k = 0; k < 3; k++)
			t[k] = run(expression, s, inits[i], k, &a);
		if (t[0] && t[1] && t[2]) {
			*ways = fmax(*ways, apart(t[0], t[1]));
			*labels = fmax(*labels, apart(t[0], t[2]));
		}
		arena_release(&a);
	}
}

/* Whether the words for what is not seen are those. */
static bool says(const struct scheme *s, const char *expression, bool ways, bool labels)
{
	struct arena a;
	struct expr e;
	struct err err = {""};
	arena_init(&a);
	assert_true(expr_parse(&e, expression, &a, &err));
	const char *const words = scheme_unseen(s, e.members[0].param, NULL);
	const char *const want = ways && labels
					 ? "which way edges go is not seen, nor are their labels"
				 : ways	  ? "which way edges go is not seen"
				 : labels ? "labels of edges are not seen"
					  : "";
	const bool same = strcmp(words ? words : "", want) == 0;
	if (!same)
		print_error("%s: says \"%s\", measured \"%s\"\n", expression, words ? words : "",
			    want);
	arena_release(&a);
	return same;
}

TEST_SAMPLED(what_is_not_seen_of_edges_is_said, 1, 3)
{
	struct variants v;
	size_t wrong = 0, checked = 0;
	variants_open(&v, true);
	for (size_t i = test_part; i < v.n; i += test_parts) {
		const struct scheme *const s = v.scheme[i];
		if (!(s->flags & structural) || s->expression)
			continue;
		double ways, labels;
		measure(v.text[i], s, &ways, &labels);
		if (ways < 0)
			continue;
		wrong += !says(s, v.text[i], ways < 1e-12, labels < 1e-12);
		checked++;
	}
	variants_close(&v);
	assert_true(checked * test_parts > 60);
	assert_int_equal(wrong, 0);
}

/* Only what a structure has is missed. */
TEST(what_a_structure_lacks_is_not_missed)
{
	const struct scheme *const s = scheme_find("laplacian", 9, NULL);
	void *const param = scheme_defaults(s, &arena);
	static const struct {
		const char *text, *says;
	} cases[] = {{"a -> b x", "which way edges go is not seen, nor are their labels"},
		     {"a -> b", "which way edges go is not seen"},
		     {"a -- b x", "labels of edges are not seen"},
		     {"a -- b", NULL},
		     {"a\nb", NULL}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct structured g = help_read_graph(cases[i].text, 1, NULL);
		const char *const words = scheme_unseen(s, param, &g.structure);
		assert_string_equal(words ? words : "", cases[i].says ? cases[i].says : "");
	}
	assert_null(scheme_unseen(scheme_find("rope", 4, NULL), NULL, NULL));
}
