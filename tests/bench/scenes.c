/* scenes.c: scenes of so many words; see bench.h. */
#include <stdio.h>

#include "bench.h"

const char *sentence_of(struct arena *a, size_t n)
{
	char *text = arena_alloc(a, n * 6 + 1);
	size_t at = 0;
	for (size_t i = 0; i < n; i++)
		at += (size_t)sprintf(text + at, "w%zu ", i % 1000);
	return text;
}

void scene_for(struct scene *scene, struct arena *a, size_t n, long d, long heads)
{
	scene_init(scene);
	scene->setup.sentence = scene_intern(sentence_of(a, n));
	scene->setup.d_model = d;
	scene->setup.heads = heads;
}
