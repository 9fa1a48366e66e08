/* first.c: the one table of what the very first start opens.
 *
 * A word that stands four times makes visible what positions do: content alone gives each of them the same weight, so
 * whatever differs between them is position. ALiBi adds a plain number, which halves the weight of the next one about. */
#include "posviz/app/first.h"

#include <string.h>

#include "posviz/base/err.h"

static const char scene_text[] = "sentence rose is a rose is a rose is a rose\n"
				 "scheme alibi\n"
				 "compare none+causal\n"
				 "row 10\n"
				 "col 4\n";

const char first_panels[] = "bias,weights,curve", first_panels_few[] = "bias,weights";

/* Exchanges is₁ and a₃: all distances to these two change, those between the others stay. A reversal would change no
 * distance, so that a bias which is the same in both directions would not tell it. */
static const char swapped[] = "1 9 3 4 5 6 7 8 2 10";

const struct first_step first_steps[] = {
	{.view = "explore",
	 .seen = "Words look back; near roses get more than far ones: that is position. Word vectors are "
		 "invented, nothing is trained.",
	 .brief = "Words look back; near roses get more: that is position. Word vectors are "
		  "invented, nothing is trained.",
	 .command = "why",
	 .offer = "why this weight?"},
	{.view = "why",
	 .seen = "The words alone give every rose the same. What the distance takes off is the position, "
		 "and softmax makes it a share.",
	 .brief = "The words give every rose the same; the distance takes some off.",
	 .command = "view order",
	 .offer = "two words exchanged"},
	{.view = "order",
	 .seen = "is₁ and a₃ are exchanged: their distances to all other words change, and with them "
		 "the bias and the weights.",
	 .brief =
		 "is₁ and a₃ are exchanged: their distances change, and so their bias and weights.",
	 .command = "view compare",
	 .offer = "the same without positions",
	 .order = swapped},
	{.view = "compare",
	 .seen = "Left with positions, then without: there all roses of a row are alike. The last matrix "
		 "is the difference.",
	 .brief = "With positions, and without: there all roses of a row are alike."},
	{0},
};

size_t first_step_count(void)
{
	size_t n = 0;
	while (first_steps[n].view)
		n++;
	return n;
}

size_t first_step_of(const char *view)
{
	size_t i = 0;
	while (first_steps[i].view && strcmp(first_steps[i].view, view) != 0)
		i++;
	return i;
}

void first_scene(struct scene *scene)
{
	struct err err;
	if (!scene_parse(scene, scene_text, &err))
		BUG("the first scene: %s", err.text);
}
