/* bench_files.c: files of 32 GB whose weights are a hole: how long a model is opened, until its positions can be
 * drawn. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench.h"
#include "help_large.h"
#include "posviz/app/app.h"

enum { OPENINGS = 11 };

/* The file is as if written anew, so that nothing is left of the time before. */
static double open_ms(const char *path, const char *written)
{
	struct arena a;
	struct scene scene;
	struct built built;
	struct err err = {""};
	const char *said;
	arena_init(&a);
	scene_init(&scene);
	utimensat(AT_FDCWD, written, NULL, 0);
	const double start = now_ms();
	if (!app_configuration(&scene, path, &a, &said, &err) ||
	    !setup_build(&scene.setup, &a, &built, &err))
		printf("%s\n", err.text);
	const double took = now_ms() - start;
	arena_release(&a);
	return took;
}

static void bench_opened(const char *what, const char *path, const char *written)
{
	double ms[OPENINGS];
	open_ms(path, written);
	for (size_t i = 0; i < OPENINGS; i++)
		ms[i] = open_ms(path, written);
	const double middle = median(ms, OPENINGS);
	printf("%-22s %8.1f ms", what, middle);
	goal_at_most(middle, 50, "a file of 32 GB, %s, opened, ms", what);
	putchar('\n');
}

void bench_files(void)
{
	char path[] = "/tmp/posviz-large-XXXXXX", file[64], config[64], gguf[64];
	printf("\nmodels of 32 GB, opened until their positions can be drawn\n");
	if (!mkdtemp(path)) {
		perror(path);
		return;
	}
	snprintf(file, sizeof file, "%s/model.safetensors", path);
	snprintf(config, sizeof config, "%s/config.json", path);
	snprintf(gguf, sizeof gguf, "%s/large.gguf", path);
	if (help_large_model(path))
		bench_opened("safetensors", path, config);
	else
		perror(file);
	if (help_large_gguf(gguf))
		bench_opened("GGUF", gguf, gguf);
	else
		perror(gguf);
	unlink(gguf);
	unlink(file);
	unlink(config);
	rmdir(path);
}
