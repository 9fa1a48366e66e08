/* run.c: which benches there are. `benches` runs all but those that want to be asked for by name;
 * `benches NAME ...` runs these. */
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "posviz/math/machine.h"

static const struct bench {
	const char *name;
	void (*run)(void);
	bool asked; /* only by name */
} benches[] = {
	{"layer", bench_layer},	    {"schemes", bench_schemes},	  {"pictures", bench_pictures},
	{"figure", bench_figure},   {"poster", bench_poster},	  {"views", bench_views},
	{"render", bench_render},   {"treebank", bench_treebank}, {"structures", bench_structures},
	{"program", bench_program}, {"trained", bench_trained},	  {"files", bench_files},
	{"learn", bench_learn},	    {"growth", bench_growth},	  {"longer", bench_longer, true},
	{"wide", bench_wide, true}, {"torch", bench_torch, true},
};
enum { BENCHES = sizeof benches / sizeof *benches };

static const struct bench *find(const char *name)
{
	for (size_t i = 0; i < BENCHES; i++)
		if (strcmp(benches[i].name, name) == 0)
			return &benches[i];
	fprintf(stderr, "bench: \"%s\" is none of", name);
	for (size_t i = 0; i < BENCHES; i++)
		fprintf(stderr, " %s", benches[i].name);
	fputc('\n', stderr);
	return NULL;
}

static void run(const struct bench *b)
{
	const double start = now_ms();
	b->run();
	printf("(%s: %.0f s)\n", b->name, (now_ms() - start) / 1e3);
}

static int alone(char **argv)
{
	static const struct {
		const char *name;
		int (*run)(char **argv);
	} rows[] = {{"growth", growth_alone},
		    {"structure", structure_alone},
		    {"trained", trained_alone}};
	size_t i = 0;
	while (i + 1 < sizeof rows / sizeof *rows && strcmp(rows[i].name, argv[2]) != 0)
		i++;
	return rows[i].run(argv + 3);
}

int main(int argc, char **argv)
{
	char machine[200];
	machine_setup();
	if (argc == 5 && strcmp(argv[1], "alone") == 0)
		return alone(argv);
	for (int i = 1; i < argc; i++)
		if (!find(argv[i]))
			return 2;
	setvbuf(stdout, NULL, _IOLBF, 0);
	machine_describe(machine, sizeof machine);
	printf("%s\n", machine);
	for (int i = 1; i < argc; i++)
		run(find(argv[i]));
	for (size_t i = 0; argc == 1 && i < BENCHES; i++)
		if (!benches[i].asked)
			run(&benches[i]);
	goals_sum_up();
	return 0;
}
