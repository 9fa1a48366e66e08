/* samples.c: the files of assets/samples by name, and the samples that schemes need.
 *
 * Their list, samples/list.tsv, describes each of them; files that are not in it come last. */
#include <string.h>

#include "posviz/base/asset.h"
#include "posviz/base/text.h"
#include "posviz/scene/sample.h"
#include "scene_in.h"

static const char folder[] = "samples/", list_path[] = "samples/list.tsv";

static bool is_sample(const struct asset *asset)
{
	return strncmp(asset->path, folder, sizeof folder - 1) == 0 &&
	       strcmp(asset->path, list_path) != 0;
}

static struct sample sample_of(const struct asset *asset, const char *help, struct arena *a)
{
	const char *const file = asset->path + sizeof folder - 1;
	const char *const dot = strrchr(file, '.');
	const size_t stem = dot ? (size_t)(dot - file) : strlen(file);
	const struct kind *const kind = kind_by_name(file);
	const char *const takers = kind ? kind->takers : "file";
	return (struct sample){.name = arena_strndup(a, file, stem),
			       .file = file,
			       .field = arena_strndup(a, takers, strcspn(takers, " ")),
			       .help = help,
			       .begin = asset->begin,
			       .end = asset->end};
}

/* Adds the lines "FILE <tab> description" of the list. */
static size_t add_listed(struct sample *out, struct arena *a)
{
	const struct asset *const list = asset_find(list_path);
	size_t n = 0;
	for (const char *at = list ? list->begin : ""; *at;) {
		const size_t line = strcspn(at, "\n"), name = strcspn(at, "\t\n");
		const struct asset *const asset =
			asset_find(arena_printf(a, "%s%.*s", folder, (int)name, at));
		if (name < line && asset)
			out[n++] = sample_of(asset,
					     arena_strndup(a, at + name + 1, line - name - 1), a);
		at += line + (at[line] == '\n');
	}
	return n;
}

const struct sample *samples_all(struct arena *a, size_t *n)
{
	size_t room = 1;
	for (const struct asset *asset = assets; asset->path; asset++)
		room += is_sample(asset);
	const struct asset *const list = asset_find(list_path);
	for (const char *c = list ? list->begin : ""; *c; c++)
		room += *c == '\n'; /* a file may be listed twice */
	struct sample *const out = arena_calloc(a, room, sizeof *out);
	const size_t listed = *n = add_listed(out, a);
	for (const struct asset *asset = assets; asset->path; asset++) {
		bool known = !is_sample(asset);
		for (size_t i = 0; i < listed && !known; i++)
			known = out[i].begin == asset->begin;
		if (!known)
			out[(*n)++] = sample_of(asset, "", a);
	}
	/* The second of two samples with one name gets its file's name. */
	for (size_t i = 0; i < *n; i++)
		for (size_t k = 0; k < i; k++)
			if (strcmp(out[k].name, out[i].name) == 0)
				out[i].name = out[i].file;
	return out;
}

const struct sample *samples_models(struct arena *a, size_t *n)
{
	static const char models[] = "models/", config[] = "/config.json";
	size_t room = 1;
	for (const struct asset *asset = assets; asset->path; asset++)
		room++;
	struct sample *const out = arena_calloc(a, room, sizeof *out);
	*n = 0;
	for (const struct asset *asset = assets; asset->path; asset++) {
		const size_t len = strlen(asset->path), end = sizeof config - 1;
		if (strncmp(asset->path, models, sizeof models - 1) != 0 || len < end ||
		    strcmp(asset->path + len - end, config) != 0)
			continue;
		const char *const file = arena_strndup(a, asset->path, len - end);
		out[(*n)++] = (struct sample){
			.name = file + sizeof models - 1,
			.file = file,
			.field = "model",
			.help = "a small model that posviz learn trained, wherever a model goes"};
	}
	return out;
}

bool sample_find(const char *spec, struct arena *a, struct sample *out, struct err *err)
{
	size_t n;
	const char *const name = spec + (*spec == '@');
	const struct sample *const all = samples_all(a, &n);
	const char **const names = arena_calloc(a, n + 1, sizeof *names);
	for (size_t i = 0; i < n; i++) {
		names[i] = all[i].name;
		if (strcmp(all[i].name, name) == 0 || strcmp(all[i].file, name) == 0) {
			*out = all[i];
			return true;
		}
	}
	const char *const near = text_suggest(name, names, n);
	if (near)
		return err_set(err, "no sample %s; did you mean @%s?",
			       text_quote(a, spec, strlen(spec)), near);
	return err_set(err, "no sample %s; posviz list samples names them, ./%s is a file",
		       text_quote(a, spec, strlen(spec)), text_escape(a, spec, strlen(spec)));
}

const char *setup_sample(const struct setup *setup, struct arena *a)
{
	const struct expr *const e = expr_of(setup->scheme, a, NULL);
	for (size_t i = 0; e && i < e->n; i++)
		if (e->members[i].scheme->sample)
			return e->members[i].scheme->sample;
	return "";
}

void setup_give(struct setup *setup, const char *sample, struct arena *a)
{
	struct scene scene = {.setup = *setup};
	for (const char *line = sample; *line; line += line[0] == '\n') {
		const size_t len = strcspn(line, "\n"), name = strcspn(line, " \n");
		const struct field *field = field_find(arena_strndup(a, line, name));
		struct err err = {""};
		if (!field || name == len ||
		    !scene_set(&scene, field, arena_strndup(a, line + name + 1, len - name - 1),
			       &err))
			BUG("the sample of %s: %s", setup->scheme, err.text);
		line += len;
	}
	*setup = scene.setup;
}
