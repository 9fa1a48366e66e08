/* models.c: models as fields of the scene, the expression of their positions and their sizes:
 * released ones by name, and any by its configuration. What a model is too large for is refused by
 * --memory, as any other sizes are. */
#include <stdio.h>
#include <string.h>

#include "app_in.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "posviz/family/family.h"
#include "posviz/format/file.h"
#include "posviz/format/kind.h"
#include "posviz/base/num.h"
#include "posviz/scheme/released.h"
#include "posviz/token/tokenizer.h"

static bool set_long(struct scene *scene, const char *field, long value, bool zero, struct err *err)
{
	char text[32];
	snprintf(text, sizeof text, "%ld", value);
	return scene_set(scene, field_find(field), value == 0 && zero ? "auto" : text, err);
}

/* The sizes of a model; 0: as the fields of a scene are without it, or not known. */
struct sizes {
	long d, heads, layers, head_dim, value_dim, kv_heads, t_max;
};

static bool set_model(struct scene *scene, const char *expression, const struct sizes *s,
		      struct err *err)
{
	if (scene->setup.tokens == TOKENS_MODEL) /* of a model before */
		scene->setup.tokens = TOKENS_WORDS;
	return scene_set(scene, field_find("scheme"), expression, err) &&
	       set_long(scene, "d-model", s->d, false, err) &&
	       set_long(scene, "heads", s->heads, false, err) &&
	       set_long(scene, "layers", s->layers, false, err) &&
	       set_long(scene, "head-dim", s->head_dim, true, err) &&
	       set_long(scene, "value-dim", s->value_dim, true, err) &&
	       set_long(scene, "kv-heads", s->kv_heads, true, err) &&
	       (s->t_max == 0 || set_long(scene, "t-max", s->t_max, false, err));
}

/* Returns the first remark that is wrong; NULL: there is none. */
static const struct remark *first_wrong(const struct known *k)
{
	for (size_t i = 0; i < k->n_remarks; i++)
		if (k->remarks[i].wrong)
			return &k->remarks[i];
	return NULL;
}

/* Returns "Llama, 32 layers of 32 heads; nothing is wrong": short, for the line of a screen, which is
 * cut in its middle. */
static const char *verdict(const struct known *k, struct arena *a)
{
	const struct remark *const wrong = first_wrong(k);
	const size_t n = known_wrong(k);
	const char *const what = !wrong ? "nothing is wrong"
					: arena_printf(a, "%zu thing%s wrong, %s: posviz check", n,
						       n == 1 ? " is" : "s are", wrong->key);
	return arena_printf(a, "%s, %ld layer%s of %ld head%s%s%s; %s", k->title, k->layers,
			    k->layers == 1 ? "" : "s", k->heads, k->heads == 1 ? "" : "s",
			    k->left_out ? "; left out: " : "", k->left_out ? k->left_out : "",
			    what);
}

/* Lets params be the files of the model, where they hold what it learned of positions. Returns what is to be
 * said of them; "": nothing. */
static const char *take_files(struct scene *scene, const char *path, const struct known *k,
			      struct arena *a)
{
	struct kind_seen seen;
	struct err err = {""};
	if (!kind_of_file(path, NULL, &seen, NULL) ||
	    (seen.kind->id != KIND_MODEL_DIR && seen.kind->id != KIND_GGUF))
		return "";
	struct tensor_file *const f = tensor_file_open(path, &err);
	if (!f)
		return arena_printf(a, "; its numbers are drawn: %s", err.text);
	const char *const map = family_map(k, f, a);
	tensor_file_close(f);
	if (!scene_set(scene, field_find("checkpoint"), path, &err))
		return arena_printf(a, "; %s", err.text);
	if (!*map)
		return "";
	const bool ok = scene_set(scene, field_find("params"), path, &err) &&
			scene_set(scene, field_find("map"), map, &err);
	return ok ? "; its position parameters are read" : arena_printf(a, "; %s", err.text);
}

/* Returns the bytes that the weights of all layers take as doubles: the tables of words aside. */
static double bytes_of_layers(const struct checkpoint *c)
{
	double n = 0;
	for (size_t i = 0; i < tensor_file_count(c->file); i++) {
		const struct tensor_entry *const e = tensor_file_at(c->file, i);
		const bool table = strstr(e->name, "embed") || strstr(e->name, "head") ||
				   strstr(e->name, "wte") || strncmp(e->name, "output.", 7) == 0;
		n += table ? 0 : (double)tensor_entry_rows(e) * (double)tensor_entry_cols(e);
	}
	return n * (double)sizeof(double);
}

/* Lets the model's own tokenizer cut the text, and its layers be computed, where all of it can be
 * read. Returns what is to be said of it; "": nothing. */
static const char *take_tokenizer(struct scene *scene, const char *path, struct arena *a)
{
	struct err err = {""};
	char most[32];
	if (strcmp(scene->setup.checkpoint, path) != 0)
		return "";
	const struct checkpoint *const c = checkpoint_open(path, a, &err);
	if (!c)
		return "";
	if (!tokenizer_is_there(path))
		return "; it has no tokenizer: --ids computes its layers";
	if (bytes_of_layers(c) > scene->setup.memory)
		return arena_printf(a,
				    "; its layers, %s of numbers, are beyond --memory: words on "
				    "drawn vectors, unless --tokens model --layers N",
				    num_show(most, sizeof most, bytes_of_layers(c), 2));
	scene->setup.tokens = TOKENS_MODEL;
	struct built *const b = arena_calloc(a, 1, sizeof *b);
	if (setup_build(&scene->setup, a, b, &err))
		return "; its tokenizer cuts the text, and its layers are computed";
	scene->setup.tokens = TOKENS_WORDS;
	return arena_printf(a, "; words on drawn vectors: %s", err.text);
}

bool app_configuration(struct scene *scene, const char *path, struct arena *a, const char **said,
		       struct err *err)
{
	struct known *const k = arena_calloc(a, 1, sizeof *k);
	if (!family_read(path, a, k, err))
		return false;
	if (!k->expression) {
		const struct remark *const wrong = first_wrong(k);
		return err_set(err, "%s: %s: %.300s; posviz check shows what is known",
			       text_quote(a, path, strlen(path)), wrong ? wrong->key : "positions",
			       wrong ? wrong->says : "they are not known");
	}
	const struct sizes s = {.d = k->d,
				.heads = k->heads,
				.layers = k->layers,
				.head_dim = k->head_dim,
				.value_dim = k->value_dim == k->head_dim ? 0 : k->value_dim,
				.kv_heads = k->kv_heads == k->heads ? 0 : k->kv_heads,
				.t_max = k->declared < MODEL_MAX_POSITIONS ? k->declared
									   : MODEL_MAX_POSITIONS};
	if (!set_model(scene, k->expression, &s, err))
		return err_prefix(err, "%s: ", text_quote(a, path, strlen(path)));
	const char *const files = take_files(scene, path, k, a);
	*said = arena_printf(a, "%s%s%s", verdict(k, a), files, take_tokenizer(scene, path, a));
	return true;
}

/* Returns whether the text can only be a file's name. */
static bool is_path(const char *text)
{
	return strchr(text, '/') || kind_by_name(text) || file_exists(text);
}

bool app_model(struct scene *scene, const char *name, struct arena *a, const char **said,
	       struct err *err)
{
	const bool path = is_path(name);
	const struct released *const r = released_find(name, path ? NULL : err);
	if (!r)
		return path && app_configuration(scene, name, a, said, err);
	const struct sizes s = {r->d,	      r->heads,	   r->layers, r->head_dim,
				r->value_dim, r->kv_heads, r->t_max};
	*said = arena_printf(a, "%s: %s, in its sizes%s%s", name, r->expression,
			     r->left_out ? "; left out: " : "", r->left_out ? r->left_out : "");
	return set_model(scene, r->expression, &s, err);
}

/* Returns whether the text names an existing model. */
static bool is_model(const char *text)
{
	struct kind_seen seen;
	if (!is_path(text) || !file_exists(text) || !kind_of_file(text, NULL, &seen, NULL))
		return false;
	const enum kind_id id = seen.kind->id;
	return id == KIND_MODEL_CONFIG || id == KIND_MODEL_DIR || id == KIND_GGUF;
}

/* Adds an item of a list; of a model its expression. */
static bool add_item(struct strbuf *out, const char *at, size_t len, bool *any, struct err *err)
{
	struct arena *const a = out->arena;
	const size_t blanks = strspn(at, " ");
	const char *from = at + (blanks < len ? blanks : len), *to = at + len;
	while (to > from && to[-1] == ' ')
		to--;
	const char *const one = arena_strndup(a, from, (size_t)(to - from));
	if (expr_of(one, a, NULL) || !is_model(one)) {
		strbuf_printf(out, "%.*s", (int)len, at);
		return true;
	}
	struct known *const k = arena_calloc(a, 1, sizeof *k);
	if (!family_read(one, a, k, err))
		return false;
	if (!k->expression)
		return err_set(err, "%s: its positions are not known; posviz check says why",
			       text_quote(a, one, strlen(one)));
	strbuf_add(out, k->expression);
	*any = true;
	return true;
}

bool app_models_in(const char *field, const char *list, struct arena *a, const char **out,
		   struct err *err)
{
	const char *const between = strcmp(field, "compare") == 0   ? ";"
				    : strcmp(field, "lengths") == 0 ? ","
								    : NULL;
	struct strbuf made;
	bool any = false;
	strbuf_init(&made, a);
	for (const char *at = list; between; at++) {
		const size_t len = strcspn(at, between);
		if (!add_item(&made, at, len, &any, err))
			return false;
		at += len;
		if (*at == '\0')
			break;
		strbuf_add(&made, between);
	}
	*out = any ? made.at : list;
	return true;
}

bool run_model(struct app *app, const char *args, struct err *err)
{
	struct arena a;
	const char *said = "";
	if (*args == '\0')
		return command_usage("model", err);
	arena_init(&a);
	const bool ok = app_model(&app->scene, args, &a, &said, err);
	if (ok)
		app_say(app, "%s", said);
	arena_release(&a);
	return ok;
}

void complete_model(const struct app *app, const char *args, struct candidates *out)
{
	(void)app, (void)args;
	for (const struct released *r = released_models; r->names; r++) {
		size_t len;
		const char *const at = released_name(r, &len);
		candidates_note(out, arena_strndup(out->arena, at, len), r->expression);
	}
}
