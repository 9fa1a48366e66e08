/* first.c: the one table of what the very first start opens.
 *
 * Four words that are all the same make visible what positions do: content alone gives each of them
 * the same weight, so whatever differs between them is position. */
#include "posviz/app/first.h"

#include <string.h>

#include "posviz/base/err.h"

static const char scene_text[] = "sentence rose is a rose is a rose is a rose\n"
				 "scheme t5\n"
				 "compare none()\n"
				 "head 2\n"
				 "row 10\n"
				 "col 4\n";

const char first_panels[] = "bias,weights,curve", first_panels_few[] = "bias,weights";

const struct first_step first_steps[] = {
	{"explore",
	 "One word four times, yet near ones get more attention: that is position. Numbers are "
	 "invented; nothing is trained.",
	 "The same rose, yet a near one gets more: that is position. Numbers are invented; nothing "
	 "is trained.",
	 "why", "how the weight in the frame comes about"},
	{"why",
	 "The words alone give every rose the same. What the distance takes off is the position, "
	 "and softmax makes it a share.",
	 "The words give every rose the same; the distance takes some off.", "view order",
	 "what another order of the words changes"},
	{"order",
	 "The same words from the last to the first: with positions the weights change, without "
	 "them they would only move along.",
	 "The words reversed: without positions the weights would only move along.", "view compare",
	 "the same sentence without positions"},
	{"compare",
	 "Left with positions, then without: there all roses of a row are alike. The last matrix "
	 "is the difference, all that positions do here.",
	 "With positions, and without: there all roses of a row are alike.", NULL, NULL},
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
