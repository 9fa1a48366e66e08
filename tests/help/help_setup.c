/* help_setup.c: see help_setup.h. */
#include "help_setup.h"

#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "posviz/format/file.h"

static size_t files;

struct scene help_scene_read(const char *lines)
{
	struct scene s;
	struct err err = {""};
	if (!scene_parse(&s, lines, &err))
		fail_msg("%s: %s", lines, err.text);
	return s;
}

void help_set(struct scene *s, const char *field, const char *value)
{
	struct err err = {""};
	if (!scene_set(s, field_find(field), value, &err))
		fail_msg("%s: %s", field, err.text);
}

const char *help_save(const struct tensor_set *tensors)
{
	char *data;
	size_t len;
	struct err err = {""};
	const char *path = arena_printf(&arena, "%zu.safetensors", files++);
	if (!tensor_write_safetensors(tensors, &arena, &data, &len, &err) ||
	    !file_write(path, data, len, true, &err))
		fail_msg("%s", err.text);
	return path;
}

const char *help_save_all(const struct help_shaped *all, size_t n)
{
	struct tensor_set tensors;
	tensor_set_init(&tensors, &arena);
	for (size_t k = 0; k < n && all[k].name; k++) {
		const struct mat m = mat_new(&arena, all[k].rows, all[k].cols);
		for (size_t i = 0; i < m.rows; i++)
			for (size_t j = 0; j < m.cols; j++)
				mat_row(m, i)[j] = (double)(10 * i + j + 1);
		tensor_set_add(&tensors, all[k].name, m, false);
	}
	return help_save(&tensors);
}

struct built help_build(const struct scene *s)
{
	struct built *const b = arena_alloc(&arena, sizeof *b); /* its model refers to it */
	struct err err = {""};
	if (!setup_build(&s->setup, &arena, b, &err))
		fail_msg("%s", err.text);
	return *b;
}

void help_build_refused(const struct scene *s, const char *word)
{
	struct built b;
	struct err err = {""};
	if (setup_build(&s->setup, &arena, &b, &err))
		fail_msg("built; \"%s\" expected", word);
	if (!strstr(err.text, word) || strchr(err.text, '\n'))
		fail_msg("\"%s\" does not say \"%s\"", err.text, word);
}

const struct trace *help_trace(const struct scene *scene)
{
	struct built *const b = arena_calloc(&arena, 1, sizeof *b);
	struct trace *const trace = arena_calloc(&arena, 1, sizeof *trace);
	const struct want want = {.kinds = WANT_LOGITS | WANT_WEIGHTS | WANT_OUTPUT};
	struct err err = {""};
	if (!evaluate(&scene->setup, &want, NULL, NULL, &arena, b, trace, &err))
		fail_msg("%s", err.text);
	return trace;
}

struct trace help_run(const struct scene *s, struct built *b)
{
	const struct want want = {
		.kinds = WANT_WEIGHTS | WANT_LOGITS | WANT_BIAS, .head = -1, .layer = -1};
	struct trace trace;
	struct err err = {""};
	if (!evaluate(&s->setup, &want, NULL, NULL, &arena, b, &trace, &err))
		fail_msg("%s: %s", s->setup.scheme, err.text);
	return trace;
}
