/* test_layers_all.c: the view Layers of every scheme. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_view.h"
#include "posviz/analysis/layers.h"

FIXTURE(open_arena, close_arena)

static const char small[] = "view layers\nd-model 16\nheads 2\nsentence a b c d e f g h\n";

TEST_IN_PARTS(layers_of_all_schemes_are_sound, 4)
{
	size_t turned = 0, seen = 0;
	for (size_t i = test_part; i < scheme_count(); i += test_parts) {
		const struct scheme *const s = scheme_at(i);
		const char *const lines =
			arena_printf(&arena, "%s%s\n", small, s->sample ? s->sample : "");
		struct picture *const p = help_picture(&arena, s->id, lines);
		const struct layers *const l = p->kept;
		help_figure_is_sound(&arena, &p->figure, s->id);
		if (l->why)
			fail_msg("%s: %s", s->id, l->why);
		turned += !l->ways[LAYERS_OTHER].why;
		for (size_t w = 0; w < LAYERS_WAYS && !l->no_position; w++)
			for (size_t k = 0; k <= l->ways[w].layers; k++)
				if (!l->ways[w].why && !(l->ways[w].absolute[k] <= 1 + 1e-12))
					fail_msg("%s: %g", s->id, l->ways[w].absolute[k]);
		seen++;
	}
	assert_true(turned > seen / 2);
}
