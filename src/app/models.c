/* models.c: models as fields of the scene, the expression of their positions and their sizes:
 * released ones by name, and any by its configuration. What a model is too large for is refused by
 * --memory, as any other sizes are. */
#include <string.h>

#include "app_in.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "posviz/family/candidates.h"
#include "posviz/family/known_text.h"
#include "posviz/format/file.h"
#include "posviz/format/kind.h"
#include "posviz/scene/beside.h"
#include "posviz/scene/model_open.h"
#include "posviz/scheme/released.h"

/* Returns the first remark that is wrong; NULL: there is none. */
static const struct remark *first_wrong(const struct known *k)
{
	for (size_t i = 0; i < k->n_remarks; i++)
		if (k->remarks[i].wrong)
			return &k->remarks[i];
	return NULL;
}

/* Returns " · left out: a · left out: b" of "a; b"; "" of NULL. */
static const char *left_out(const char *what, struct arena *a)
{
	const char *all = "";
	for (const char *at = what; at && *at;) {
		const char *const next = strstr(at, "; ");
		const size_t len = next ? (size_t)(next - at) : strlen(at);
		all = arena_printf(a, "%s%sleft out: %.*s", all, TEXT_BETWEEN, (int)len, at);
		at += len + (next ? 2 : 0);
	}
	return all;
}

/* Returns "no fault in the configuration · Llama, 32 layers of 32 heads": parts for the line of a screen, where those
 * without room are dropped, so that what is wrong is first. */
static const char *verdict(const struct known *k, struct arena *a)
{
	const struct remark *const wrong = first_wrong(k);
	const char *const where = !wrong ? ""
					 : arena_printf(a, "%s%s%s%s", TEXT_BETWEEN, wrong->key,
							TEXT_BETWEEN, "posviz check says more");
	return arena_printf(a, "%s%s%s%s, %ld layer%s of %ld head%s%s",
			    wrong ? known_verdict(k, a) : "no fault in the configuration", where,
			    TEXT_BETWEEN, k->title, k->layers, k->layers == 1 ? "" : "s", k->heads,
			    k->heads == 1 ? "" : "s", left_out(k->left_out, a));
}

/* Sets the error for a model of no known family to the command that takes its best candidate. Returns whether
 * there is one. */
static bool offer(const struct known *k, const char *path, struct arena *a, struct err *err)
{
	struct candidate all[MOST_CANDIDATES];
	if (k->family || known_candidates(k, path, a, all) == 0)
		return false;
	err_set(err, "%s is of no family that is known here; %s, %zu x %zu, may be %s: %s",
		text_quote(a, path, strlen(path)), all[0].tensor, all[0].rows, all[0].cols,
		all[0].may_be, scene_candidate(k, path, &all[0], a));
	return true;
}

bool app_configuration(struct scene *scene, const char *path, struct arena *a, const char **said,
		       struct err *err)
{
	struct known *const k = arena_calloc(a, 1, sizeof *k);
	const bool whole = scene->setup.stack == STACK_ONE;
	if (!(whole ? family_read : family_read_decoder)(path, a, k, err))
		return false;
	if (!k->expression && offer(k, path, a, err))
		return false;
	if (!k->expression) {
		const struct remark *const wrong = first_wrong(k);
		return err_set(err, "%s: %s: %.300s; posviz check shows what is known",
			       text_quote(a, path, strlen(path)), wrong ? wrong->key : "positions",
			       wrong ? wrong->says : "they are not known");
	}
	const char *files;
	if (!scene_open_model(scene, path, k, a, &files, err))
		return false;
	*said = arena_printf(a, "%s%s%s", verdict(k, a), files,
			     scene_take_tokenizer(scene, path, a));
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
	const struct model_sizes s = {r->d,	    r->heads,	 r->layers, r->head_dim,
				      r->value_dim, r->kv_heads, r->t_max};
	*said = arena_printf(a, "%s: %s, in its sizes%s", name, r->expression,
			     left_out(r->left_out, a));
	return scene_take_model(scene, "", r->expression, &s, err);
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

/* Adds an item of a list; of a model its expression, and where it is. */
static bool add_item(struct strbuf *out, const char *at, size_t len, bool *any, struct err *err)
{
	struct arena *const a = out->arena;
	const size_t blanks = strspn(at, " ");
	const char *from = at + (blanks < len ? blanks : len), *to = at + len;
	while (to > from && to[-1] == ' ')
		to--;
	const char *const whole = arena_strndup(a, from, (size_t)(to - from));
	const char *const input = strstr(whole, " @"); /* its own words stand behind it */
	const char *const one = input ? arena_strndup(a, whole, (size_t)(input - whole)) : whole;
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
	strbuf_add(out, " @model ");
	scene_quote(out, one);
	strbuf_add(out, input ? input : "");
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
