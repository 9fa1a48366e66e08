/* model_open.c: see posviz/scene/model_open.h. */
#include "posviz/scene/model_open.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "posviz/base/num.h"
#include "posviz/base/text.h"
#include "posviz/format/kind.h"
#include "posviz/token/tokenizer.h"
#include "scene_in.h"

/* ---- opening --------------------------------------------------------------------------------- */

static bool set_long(struct scene *scene, const char *field, long value, bool zero, struct err *err)
{
	char text[32];
	snprintf(text, sizeof text, "%ld", value);
	return scene_set(scene, field_find(field), value == 0 && zero ? "auto" : text, err);
}

/* Clears what the scene has of a model that was opened before: its parameters and length, and ids
 * of its vocabulary, unless the same one is opened again. */
static void forget(struct scene *scene, const char *path)
{
	const struct setup *const s = &scene->setup;
	if (s->tokens == TOKENS_MODEL)
		scene->setup.tokens = TOKENS_WORDS;
	if (!*s->checkpoint)
		return;
	if (strcmp(s->params, s->checkpoint) == 0) {
		scene_set(scene, field_find("params"), "", NULL);
		scene_set(scene, field_find("map"), "", NULL);
	}
	if (strcmp(s->checkpoint, path) != 0)
		scene_set(scene, field_find("ids"), "", NULL);
	scene_set(scene, field_find("checkpoint"), "", NULL);
	scene->setup.t_max = scene_defaults()->setup.t_max; /* not every model says a length */
}

bool scene_take_model(struct scene *scene, const char *path, const char *expression,
		      const struct model_sizes *s, struct err *err)
{
	forget(scene, path);
	return scene_set(scene, field_find("scheme"), expression, err) &&
	       set_long(scene, "d-model", s->d, false, err) &&
	       set_long(scene, "heads", s->heads, false, err) &&
	       set_long(scene, "layers", s->layers, false, err) &&
	       set_long(scene, "head-dim", s->head_dim, true, err) &&
	       set_long(scene, "value-dim", s->value_dim, true, err) &&
	       set_long(scene, "kv-heads", s->kv_heads, true, err) &&
	       (s->t_max == 0 || set_long(scene, "t-max", s->t_max, false, err));
}

/* Lets params be the files of the model, where they hold what it learned of positions. Returns what is to be
 * said of them; "": nothing. */
static const char *take_files(struct scene *scene, const char *path, const struct known *k,
			      struct arena *a)
{
	struct kind_seen seen;
	struct err err = {""};
	if (!scene_set(scene, field_find("checkpoint"), path, &err))
		return arena_printf(a, TEXT_BETWEEN "%s", err.text);
	if (!kind_of_file(path, NULL, &seen, NULL) ||
	    (seen.kind->id != KIND_MODEL_DIR && seen.kind->id != KIND_GGUF))
		return "";
	struct tensor_file *const f = tensor_file_open(path, &err);
	if (!f)
		return arena_printf(a, TEXT_BETWEEN "its numbers are drawn: %s", err.text);
	const char *const map = family_map(k, f, a);
	tensor_file_close(f);
	if (!*map)
		return "";
	const bool ok = scene_set(scene, field_find("params"), path, &err) &&
			scene_set(scene, field_find("map"), map, &err);
	return ok ? TEXT_BETWEEN "its position parameters are read"
		  : arena_printf(a, TEXT_BETWEEN "%s", err.text);
}

bool scene_open_model(struct scene *scene, const char *path, const struct known *k, struct arena *a,
		      const char **said, struct err *err)
{
	const struct model_sizes s = {
		.d = k->d,
		.heads = k->heads,
		.layers = k->layers,
		.head_dim = k->head_dim,
		.value_dim = k->value_dim == k->head_dim ? 0 : k->value_dim,
		.kv_heads = k->kv_heads == k->heads ? 0 : k->kv_heads,
		.t_max = k->declared < MODEL_MAX_POSITIONS ? k->declared : MODEL_MAX_POSITIONS};
	if (!scene_take_model(scene, path, k->expression, &s, err))
		return err_prefix(err, "%s: ", text_quote(a, path, strlen(path)));
	*said = take_files(scene, path, k, a);
	return true;
}

/* Returns how many numbers the weights of all layers have: the tables of words aside. */
static double numbers_of_layers(const struct checkpoint *c)
{
	double n = 0;
	for (size_t i = 0; i < tensor_file_count(c->file); i++) {
		const struct tensor_entry *const e = tensor_file_at(c->file, i);
		const bool table = strstr(e->name, "embed") || strstr(e->name, "head") ||
				   strstr(e->name, "wte") || strncmp(e->name, "output.", 7) == 0;
		n += table ? 0 : (double)tensor_entry_rows(e) * (double)tensor_entry_cols(e);
	}
	return n;
}

const char *scene_take_tokenizer(struct scene *scene, const char *path, struct arena *a)
{
	static const double most = 4e8; /* numbers of the layers */
	struct err err = {""};
	char n[32];
	if (strcmp(scene->setup.checkpoint, path) != 0)
		return "";
	const struct checkpoint *const c = checkpoint_open(path, a, &err);
	if (!c)
		return "";
	if (!tokenizer_is_there(path))
		return TEXT_BETWEEN "it has no tokenizer: its layers are computed on --ids alone";
	if (numbers_of_layers(c) > most)
		return arena_printf(a,
				    TEXT_BETWEEN
				    "its layers have %s numbers, too many to read at each key: "
				    "words on drawn vectors, unless --tokens model --layers N",
				    num_show(n, sizeof n, numbers_of_layers(c), 2));
	scene->setup.tokens = TOKENS_MODEL;
	if (c->known->sentence && !scene->setup.asked.sentence &&
	    !scene_set(scene, field_find("sentence"), c->known->sentence, &err))
		return arena_printf(a, TEXT_BETWEEN "sentence: %s", err.text);
	struct built *const b = arena_calloc(a, 1, sizeof *b);
	if (setup_build(&scene->setup, a, b, &err))
		return TEXT_BETWEEN "its tokenizer cuts the text, and its layers are computed";
	scene->setup.tokens = TOKENS_WORDS;
	return arena_printf(a, TEXT_BETWEEN "words on drawn vectors: %s", err.text);
}

bool setup_open_model(struct setup *setup, const char *path, struct arena *a, struct err *err)
{
	struct known *const k = arena_calloc(a, 1, sizeof *k);
	struct scene scene = {.setup = *setup};
	const char *said;
	if (!family_read(path, a, k, err))
		return false;
	if (!k->expression)
		return err_set(err, "%s: its positions are not known; posviz check says why",
			       text_quote(a, path, strlen(path)));
	if (!scene_open_model(&scene, path, k, a, &said, err))
		return false;
	if (setup->tokens == TOKENS_MODEL)
		scene_take_tokenizer(&scene, path, a);
	*setup = scene.setup;
	return true;
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Returns whether a name says nothing of the model: a hash, or that of every configuration. */
static bool says_nothing(const char *name)
{
	enum { HASH = 40 };
	return strcmp(name, "config.json") == 0 || *name == '\0' || strcmp(name, ".") == 0 ||
	       strcmp(name, "..") == 0 || strncmp(name, "model.safetensors", 17) == 0 ||
	       (strlen(name) == HASH && strspn(name, "0123456789abcdef") == HASH) ||
	       strcmp(name, "snapshots") == 0;
}

/* Returns the name without the end that names its kind. */
static const char *without_ending(const char *name, struct arena *a)
{
	static const char *const ends[] = {".json", ".gguf", ".safetensors"};
	const size_t len = strlen(name);
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		const size_t n = strlen(ends[i]);
		if (len > n && strcmp(name + len - n, ends[i]) == 0)
			return arena_strndup(a, name, len - n);
	}
	return name;
}

const char *model_name(const char *path, struct arena *a)
{
	char whole[PATH_MAX];
	char *const text = arena_strdup(a, realpath(path, whole) ? whole : path);
	for (;;) {
		char *const slash = strrchr(text, '/');
		const char *name = slash ? slash + 1 : text;
		/* The folder of a cache is models--OWNER--NAME. */
		if (strncmp(name, "models--", 8) == 0)
			for (const char *at; (at = strstr(name, "--")) != NULL;)
				name = at + 2;
		if (!says_nothing(name) || !slash || slash == text)
			return text_escape(a, without_ending(name, a),
					   strlen(without_ending(name, a)));
		*slash = '\0';
	}
}

/* The expressions of models that were read last. */
enum { KEPT = 8 };
static struct {
	pthread_mutex_t lock;
	struct {
		const char *path, *expression; /* interned; "": it is not known */
		bool decoder;		       /* of the one beside an encoder */
		struct stat id;
	} at[KEPT];
	size_t n;
} kept = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool same_file(const struct stat *x, const struct stat *y)
{
	return x->st_dev == y->st_dev && x->st_ino == y->st_ino && x->st_size == y->st_size &&
	       x->st_mtim.tv_sec == y->st_mtim.tv_sec && x->st_mtim.tv_nsec == y->st_mtim.tv_nsec;
}

/* Returns the expression of the model at the path, or of its decoder; "": it is not known. */
static const char *expression_at(const char *path, bool decoder, struct arena *a)
{
	struct stat id = {0};
	const char *out = NULL;
	if (stat(arena_printf(a, "%s/config.json", path), &id) != 0 && stat(path, &id) != 0)
		return "";
	pthread_mutex_lock(&kept.lock);
	for (size_t i = 0; i < KEPT && !out; i++)
		if (kept.at[i].path && strcmp(kept.at[i].path, path) == 0 &&
		    kept.at[i].decoder == decoder && same_file(&kept.at[i].id, &id))
			out = kept.at[i].expression;
	if (!out) {
		struct known *const k = arena_calloc(a, 1, sizeof *k);
		const bool ok = (decoder ? family_read_decoder : family_read)(path, a, k, NULL) &&
				k->expression;
		const char *expression = ok ? k->expression : "";
		if (ok)
			check_scheme(&expression, a, NULL);
		out = scene_intern(expression);
		kept.at[kept.n % KEPT].path = scene_intern(path);
		kept.at[kept.n % KEPT].expression = out;
		kept.at[kept.n % KEPT].decoder = decoder;
		kept.at[kept.n++ % KEPT].id = id;
	}
	pthread_mutex_unlock(&kept.lock);
	return out;
}

const char *setup_model_name(const struct setup *setup, struct arena *a)
{
	const char *const path = setup->checkpoint;
	const bool decoder = setup->stack != STACK_ONE;
	return *path && strcmp(expression_at(path, decoder, a), setup->scheme) == 0
		       ? model_name(path, a)
		       : NULL;
}
