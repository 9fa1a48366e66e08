/* kept_runs.c: results of runs that are known already: those of the program, assets/learned/runs.json, of this
 * process, and of earlier ones.
 *
 * Earlier ones are files of results in a folder. A file's name is made from what its runs depend on beside their
 * lines, so that those of other versions and of other machines lie in files of their own. */
#include <pthread.h>
#include <string.h>

#include "learn_in.h"
#include "posviz/base/asset.h"
#include "posviz/base/sha256.h"
#include "posviz/format/file.h"
#include "posviz/format/folder.h"
#include "posviz/learn/runs.h"
#include "posviz/math/machine.h"
#include "posviz/scheme/scheme.h"

static const char asset_path[] = "learned/runs.json";

/* A file has the newest MOST_RUNS runs, and the folder the newest MOST_FILES files. */
enum { MOST_RUNS = 4000, MOST_FILES = 32, MOST_BYTES = 64 << 20 };

/* The results of one file. */
struct shelf {
	const char *name; /* NULL: of this process alone */
	struct learn_results results;
	struct shelf *next;
};

static struct {
	pthread_mutex_t lock;
	struct arena arena;
	struct shelf *shelves;
	const char *folder; /* or NULL */
	bool open;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

bool learn_results_kept(struct learn_results *r, struct err *err)
{
	const struct asset *const asset = asset_find(asset_path);
	bool is_results = false;
	return asset &&
	       learn_results_parse(r, asset->begin, (size_t)(asset->end - asset->begin), asset_path,
				   &is_results, err) &&
	       is_results;
}

static void begin(void)
{
	if (all.open)
		return;
	arena_init(&all.arena);
	all.open = true;
}

/* Copies a result; its texts then lie in `a`. */
static void copy(const struct learn_result *from, struct arena *a, struct learn_result *out)
{
	*out = *from;
	const char **const texts[] = {&out->o.scheme, &out->o.task, &out->o.test_as, &out->line,
				      &out->absent,   &out->says,   &out->machine};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (*texts[i])
			*texts[i] = arena_strdup(a, *texts[i]);
	for (size_t k = 0; k < LEARN_LENGTHS; k++)
		if (out->at[k].absent)
			out->at[k].absent = arena_strdup(a, out->at[k].absent);
}

/* ---- what a result depends on ----------------------------------------------------------------- */

static bool reads_file(const char *expression, struct arena *a)
{
	const struct expr *const e = expr_of(expression, a, NULL);
	for (size_t i = 0; e && i < e->n; i++)
		for (const struct param *p = e->members[i].scheme->params; p && p->name; p++)
			if (p->type.kind == &value_file)
				return true;
	return e == NULL;
}

static const char *sum_of(const char *data, size_t len, struct arena *a)
{
	struct sha256 sum;
	char text[SHA256_TEXT];
	sha256_init(&sum);
	sha256_add(&sum, data, len);
	sha256_done(&sum, text);
	return arena_strdup(a, text);
}

const char *learn_kept_name(int version, const char *kernels, const char *sentences,
			    struct arena *a)
{
	const char *const text = arena_printf(a, "training %d\n%s\n%s\n", version, kernels,
					      sentences ? sentences : "");
	return arena_printf(a, "runs-%.16s.json", sum_of(text, strlen(text), a));
}

/* Returns the name of the file that keeps a run; NULL: none does. */
static const char *file_of(const struct learn_options *o, struct arena *a)
{
	struct task task;
	char *data, kernels[200];
	const char *sentences = NULL;
	size_t len;
	if (reads_file(o->scheme, a) || (o->test_as && reads_file(o->test_as, a)) || o->shuffled)
		return NULL;
	if (strchr(o->task, '.') || strchr(o->task, '/')) {
		if (!task_open(&task, o->task, a, NULL) ||
		    (task.lines && !file_read(o->task, MOST_BYTES, a, &data, &len, NULL)))
			return NULL;
		sentences = task.lines ? sum_of(data, len, a) : NULL;
	}
	machine_kernels(kernels, sizeof kernels);
	return learn_kept_name(LEARN_VERSION, kernels, sentences, a);
}

/* Reads the results of a file; one that cannot be read is as if it had none. */
static void read_file(const char *name, struct learn_results *out)
{
	struct arena *const a = out->arena;
	bool is_results;
	if (name && all.folder &&
	    !learn_results_read(out, arena_printf(a, "%s/%s", all.folder, name), &is_results, NULL))
		learn_results_init(out, a);
}

static struct shelf *add_shelf(const char *name)
{
	struct shelf *const s = arena_calloc(&all.arena, 1, sizeof *s);
	s->name = name ? arena_strdup(&all.arena, name) : NULL;
	s->next = all.shelves;
	learn_results_init(&s->results, &all.arena);
	return all.shelves = s;
}

static struct shelf *find_shelf(const char *name)
{
	for (struct shelf *s = all.shelves; s; s = s->next)
		if (name && s->name ? strcmp(name, s->name) == 0 : name == s->name)
			return s;
	return NULL;
}

static struct shelf *shelf_of(const struct learn_options *o, struct arena *a)
{
	const char *const name = file_of(o, a);
	struct shelf *s = find_shelf(name);
	if (!s) {
		s = add_shelf(name);
		read_file(name, &s->results);
	}
	return s;
}

/* The program's own results. */
static struct shelf *asset_shelf(void)
{
	struct err err = {""};
	struct shelf *s = find_shelf(asset_path);
	if (!s) {
		s = add_shelf(asset_path);
		if (!learn_results_kept(&s->results, &err))
			BUG("%s: %s", asset_path, err.text);
	}
	return s;
}

/* ---- taking and keeping ----------------------------------------------------------------------- */

bool learn_run_is_known(const struct learn_options *o, bool ours, struct arena *a,
			struct learn_result *out)
{
	const char *const line = learn_line(o, a);
	pthread_mutex_lock(&all.lock);
	begin();
	const struct learn_result *found = learn_results_find(&shelf_of(o, a)->results, line);
	if (!found && ours)
		found = learn_results_find(&asset_shelf()->results, line);
	if (found)
		copy(found, a, out);
	pthread_mutex_unlock(&all.lock);
	return found != NULL;
}

/* Adds a result to its file, whatever others have added to it since it was read. A folder that cannot be written
 * to is no error: the result is then not kept. */
static void store(const char *name, const struct learn_result *result)
{
	struct arena a;
	struct learn_results in_file;
	arena_init(&a);
	learn_results_init(&in_file, &a);
	read_file(name, &in_file);
	learn_results_add(&in_file, result);
	if (in_file.n > MOST_RUNS) {
		in_file.at += in_file.n - MOST_RUNS;
		in_file.n = MOST_RUNS;
	}
	const char *const text = learn_results_json(&in_file, &a);
	if (file_make_dirs(all.folder, NULL) &&
	    file_write(arena_printf(&a, "%s/%s", all.folder, name), text, strlen(text), true, NULL))
		folder_keep_newest(all.folder, 0, MOST_FILES, 0);
	arena_release(&a);
}

void learn_run_keep(const struct learn_result *result)
{
	struct learn_result own;
	struct arena a;
	arena_init(&a);
	pthread_mutex_lock(&all.lock);
	begin();
	struct shelf *const s = shelf_of(&result->o, &a);
	copy(result, &all.arena, &own);
	learn_results_add(&s->results, &own);
	if (s->name && all.folder)
		store(s->name, &own);
	pthread_mutex_unlock(&all.lock);
	arena_release(&a);
}

/* Sets the folder of kept runs, and forgets the runs that were read from another one. */
void learn_runs_in(const char *folder)
{
	pthread_mutex_lock(&all.lock);
	begin();
	all.folder = folder ? arena_strdup(&all.arena, folder) : NULL;
	all.shelves = NULL;
	pthread_mutex_unlock(&all.lock);
}

bool learn_run_known(const struct learn_options *o, struct watch *watch, struct arena *a,
		     struct learn_result *out, struct err *err)
{
	if (learn_run_is_known(o, true, a, out))
		return true;
	if (!learn_run(o, watch, a, out, NULL, err))
		return false;
	learn_run_keep(out);
	return true;
}

void learn_of_scene(const struct scene *scene, const char *expression, struct learn_options *out)
{
	learn_defaults(out);
	out->scheme = expression;
	out->task = scene->train_task;
	out->steps = (size_t)scene->train_steps;
	out->layers = (size_t)scene->train_layers;
	out->seed = scene->train_seed;
	learn_complete(out);
}
