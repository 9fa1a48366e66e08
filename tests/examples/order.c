/* order.c: how much of the order of words each scheme lets a Transformer see: 0 is nothing.
 *
 * order none sinusoidal rope+causal */
#include <math.h>
#include <posviz.h>
#include <stdio.h>
#include <stdlib.h>

static int measure(struct posviz_scene *scene, const char *expression)
{
	char line[1000];
	double seen[POSVIZ_EQUIVARIANCE + 1];
	struct posviz_error err;
	snprintf(line, sizeof line, "scheme %s", expression);
	if (!posviz_scene_command(scene, line, &err) ||
	    !posviz_measures(scene, seen, POSVIZ_EQUIVARIANCE + 1, &err)) {
		fprintf(stderr, "order: %s\n", err.text);
		return EXIT_FAILURE;
	}
	printf("%-20s %.3f\n", expression, fabs(seen[POSVIZ_EQUIVARIANCE]));
	return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	static const char *const usual[] = {"none", "sinusoidal", "rope", "alibi"};
	struct posviz_scene *const scene = posviz_scene_new();
	int status = EXIT_SUCCESS;
	const int n = argc > 1 ? argc - 1 : (int)(sizeof usual / sizeof *usual);
	for (int i = 0; i < n && status == EXIT_SUCCESS; i++)
		status = measure(scene, argc > 1 ? argv[i + 1] : usual[i]);
	posviz_scene_free(scene);
	return status;
}
