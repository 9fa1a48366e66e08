/* bench_treebank.c: treebanks: the first picture of 10,000 sentences, and that of any other sentence after
 * it. */
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "posviz/picture/picture.h"

enum { SENTENCES = 10000, WORDS = 20 };

static bool write_treebank(char *path)
{
	const int fd = mkstemp(path);
	FILE *const f = fd < 0 ? NULL : fdopen(fd, "w");
	if (!f)
		return false;
	for (size_t i = 0; i < SENTENCES; i++) {
		fprintf(f, "# sent_id = %zu\n", i + 1);
		for (size_t k = 1; k <= WORDS; k++)
			fprintf(f, "%zu\tword%zu\tlemma\tNOUN\tNN\tNumber=Sing\t%zu\tdep\t_\t_\n",
				k, (i * k) % 997, k / 2);
		fprintf(f, "\n");
	}
	return fclose(f) == 0;
}

static double picture_ms(const struct scene *scene)
{
	struct arena a;
	struct picture picture;
	struct err err;
	arena_init(&a);
	const double start = now_ms();
	if (!picture_make(scene, NULL, false, BACKGROUND_DARK, NULL, NULL, &a, &picture, &err))
		printf("%s\n", err.text);
	const double took = now_ms() - start;
	arena_release(&a);
	return took;
}

void bench_treebank(void)
{
	enum { ROUNDS = 31 };
	char path[] = "/tmp/posviz-bench-XXXXXX";
	struct arena keep;
	struct scene scene;
	double first = 0, others[ROUNDS];
	if (!write_treebank(path))
		return;
	arena_init(&keep);
	scene_for(&scene, &keep, WORDS, 64, 4);
	scene.setup.scheme = "rope";
	scene.setup.conllu = path;
	for (size_t i = 0; i <= ROUNDS; i++) {
		scene.setup.pick = (long)(1 + i * 7919 % SENTENCES);
		*(i == 0 ? &first : &others[i - 1]) = picture_ms(&scene);
	}
	printf("\na treebank of %d sentences: the first picture %.1f ms, another sentence %.1f "
	       "ms",
	       SENTENCES, first, median(others, ROUNDS));
	goal_at_most(median(others, ROUNDS), 16, "another sentence of a treebank, ms");
	putchar('\n');
	arena_release(&keep);
	remove(path);
}
