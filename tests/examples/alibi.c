/* alibi.c: the bias that ALiBi gives the words of a sentence, as CSV. alibi 'the cat sat' > bias.csv */
#include <posviz.h>
#include <stdio.h>
#include <stdlib.h>

static int fail(const char *why)
{
	fprintf(stderr, "alibi: %s\n", why);
	return EXIT_FAILURE;
}

static void print(const struct posviz_result *result, struct posviz_matrix m)
{
	for (size_t s = 0; s < m.cols; s++)
		printf(",\"%s\"", posviz_column_label(result, s));
	for (size_t t = 0; t < m.rows; t++) {
		printf("\n\"%s\"", posviz_row_label(result, t));
		for (size_t s = 0; s < m.cols; s++)
			printf(",%g", m.at[t * m.cols + s]);
	}
	printf("\n");
}

int main(int argc, char **argv)
{
	char line[1000];
	struct posviz_error err;
	struct posviz_matrix bias;
	struct posviz_scene *const scene = posviz_scene_new();
	snprintf(line, sizeof line, "sentence \"%s\"", argc > 1 ? argv[1] : "the cat sat");
	if (!posviz_scene_command(scene, "scheme alibi", &err) ||
	    !posviz_scene_command(scene, "heads 2", &err) ||
	    !posviz_scene_command(scene, line, &err))
		return fail(err.text);
	struct posviz_result *const result = posviz_evaluate(scene, &err);
	if (!result || !posviz_matrix(result, POSVIZ_BIAS, 0, 0, &bias, &err))
		return fail(err.text);
	print(result, bias);
	posviz_result_free(result);
	posviz_scene_free(scene);
	return EXIT_SUCCESS;
}
