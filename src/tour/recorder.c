/* recorder.c: a session as a tour to be edited.
 *
 * The scene of a step is one that its lines make again, exactly: they are run before they are written. A cursor is of a
 * scene only where the view is of its cell; elsewhere it is a cell that is pointed out. */
#include "posviz/tour/recorder.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "posviz/format/file.h"
#include "posviz/picture/picture.h"
#include "posviz/scene/beside.h"
#include "tour_in.h"

enum { TITLE_LETTERS = 44 };
static const char ending[] = ".tour";

struct recorded {
	struct scene scene;
	const char *title, *lines;
	const char *pane, *highlight, *refused; /* or NULL */
	size_t depth;				/* changes in the app's history */
	const char *key;			/* of the series that it may go on; or NULL */
	long row, col;				/* where the cursor was when the step began */
};

struct recorder {
	struct arena arena;
	const char *path, *name; /* absolute; for its title */
	bool over;		 /* what is there before the first step may be overwritten */
	struct file_text ours; /* as it was written last, in `written`; at NULL: nothing has been */
	struct arena written;
	bool unsaved;
	struct recorded *steps;
	size_t n, cap;
};

/* ---- beginning ------------------------------------------------------------------------------------- */

static bool path_right(const char *path, bool over, char real[PATH_MAX], struct err *err)
{
	char quoted[200];
	struct stat st;
	const size_t len = strlen(path), n = sizeof ending - 1;
	const char *const slash = strrchr(path, '/');
	text_quote_buf(quoted, sizeof quoted, path, len);
	if (len <= n || strcmp(path + len - n, ending) != 0 ||
	    (slash && strcmp(slash + 1, ending) == 0))
		return err_set(err, "record: %s is no name of a tour; FILE.tour would be right",
			       quoted);
	if (lstat(path, &st) == 0 && (!over || !S_ISREG(st.st_mode)))
		return err_set(err, "record: %s exists already; give another name%s", quoted,
			       S_ISREG(st.st_mode) ? ", or posviz record --force" : "");
	char dir[PATH_MAX];
	const size_t cut = slash ? (size_t)(slash - path) + 1 : 0;
	if (len >= PATH_MAX)
		return err_set(err, "record: the name is too long");
	memcpy(dir, cut ? path : ".", cut ? cut : 1);
	dir[cut ? cut : 1] = '\0';
	if (!realpath(dir, real) || stat(real, &st) != 0 || !S_ISDIR(st.st_mode))
		return err_set(err, "record: cannot write %s: its directory does not exist",
			       quoted);
	return true;
}

bool recorder_new(const char *path, bool over, struct recorder **out, struct err *err)
{
	char dir[PATH_MAX];
	struct arena a;
	if (!path_right(path, over, dir, err))
		return false;
	arena_init(&a);
	struct recorder *const r = arena_calloc(&a, 1, sizeof *r);
	const char *const slash = strrchr(path, '/'), *const file = slash ? slash + 1 : path;
	r->path = arena_printf(&a, "%s/%s", strcmp(dir, "/") == 0 ? "" : dir, file);
	r->name = tour_base_name(file, &a);
	r->over = over;
	arena_init(&r->written);
	r->arena = a;
	*out = r;
	return true;
}

void recorder_free(struct recorder *r)
{
	if (!r)
		return;
	arena_release(&r->written);
	struct arena a = r->arena;
	arena_release(&a);
}

/* ---- one step -------------------------------------------------------------------------------------- */

static bool is_of_cell(const struct view *v)
{
	return v->rows || v->own || v->reads_cursor || v->of_cell || v->cell_numbers;
}

/* The scene as the tour has it. */
static struct scene kept(const struct recorder *r, const struct app *app, struct arena *a)
{
	struct scene scene = app->scene;
	scene_make_absolute(&scene, a);
	if (!is_of_cell(view_of(&scene))) {
		scene.row = r->n > 0 ? r->steps[r->n - 1].scene.row : 0;
		scene.col = r->n > 0 ? r->steps[r->n - 1].scene.col : 0;
	}
	return scene;
}

static size_t letters(const char *text)
{
	size_t n = 0;
	for (; *text; text++)
		n += ((unsigned char)*text & 0xC0) != 0x80;
	return n;
}

/* A text as far as a title has room for it, in columns and in letters. */
static const char *short_title(const char *text, struct arena *a)
{
	const char *const whole = text_escape(a, text, strlen(text));
	size_t cols = TITLE_LETTERS;
	const char *out = text_shorten(a, whole, cols, false);
	while (letters(out) > TITLE_LETTERS)
		out = text_shorten(a, whole, --cols, false);
	return out;
}

static const char *title_of(const char *lines, struct arena *a)
{
	struct strbuf b;
	strbuf_init(&b, a);
	for (const char *at = lines; *at; at += strcspn(at, "\n") + 1) {
		if (strncmp(at, "row ", 4) == 0 || strncmp(at, "col ", 4) == 0)
			continue; /* where somebody looks, not what they changed */
		if (b.len > 0)
			strbuf_add(&b, ", ");
		strbuf_add_n(&b, at, strcspn(at, "\n"));
	}
	return b.len > 0 ? short_title(b.at, a) : "Another cell";
}

/* The message as a tour finds it, where names of files are absolute; NULL: there is none. What nobody has computed yet
 * is computed. */
static const char *message_of(const struct scene *scene, const char *said, struct arena *a)
{
	struct arena scratch;
	struct err err = {""};
	arena_init(&scratch);
	struct picture *const p = arena_calloc(&scratch, 1, sizeof *p);
	const bool made = setup_build(&scene->setup, &scratch, &p->built, &err) &&
			  view_fits(scene, &p->built, &err) &&
			  (*said || picture_compute(scene, NULL, NULL, &scratch, p, &err));
	arena_release(&scratch);
	const char *const message = made ? said : err.text;
	return *message ? arena_strdup(a, message) : NULL;
}

static const struct scene *before(const struct recorder *r, size_t step)
{
	return step > 0 ? &r->steps[step - 1].scene : scene_defaults();
}

/* Moves the cell of a scene into its matrix, as the program does when it draws: the cell may be one of the step before,
 * of more tokens, or of a picture that was not waited for. */
static void settle_cell(struct scene *scene)
{
	struct arena a;
	arena_init(&a);
	struct built *const built = arena_calloc(&a, 1, sizeof *built);
	if (setup_build(&scene->setup, &a, built, NULL)) {
		const size_t n = built->model_input.axis.n;
		view_settle_cell(scene, n - built->model_input.memory, n);
	}
	arena_release(&a);
}

/* Fills the step that is, or becomes, the last. */
static bool fill(struct recorder *r, size_t step, const struct scene *scene, const struct app *app,
		 size_t depth, const char *refused, struct err *err)
{
	struct arena *const a = &r->arena;
	struct recorded made = {
		.depth = depth, .key = app->undo_key, .row = app->scene.row, .col = app->scene.col};
	if (!recorder_lines(before(r, step), scene, a, &made.lines, &made.scene, err))
		return false;
	made.title = step > 0 ? title_of(made.lines, a) : "Beginning";
	made.refused = refused ? message_of(scene, refused, a) : NULL;
	r->steps = arena_grow(a, r->steps, step, &r->cap, sizeof *r->steps);
	r->steps[step] = made;
	r->n = step + 1;
	r->unsaved = true;
	return true;
}

/* ---- what is looked at ------------------------------------------------------------------------------- */

static bool same_but_cursor(const struct scene *x, const struct scene *y)
{
	struct scene still = *x;
	still.row = y->row;
	still.col = y->col;
	return scene_equal(&still, y);
}

static const char *pane_name(const struct figure *f, size_t pane, struct arena *a)
{
	if (pane >= f->n)
		return NULL;
	const char *const term = f->panels[pane].term;
	return term ? arena_printf(a, "term '%s'", term) : figure_panel_name(f, pane, a);
}

/* The cell of a matrix of words, as people write it. */
static const char *cell_name(const struct scene *s, const struct trace *t, struct arena *a)
{
	const struct view *const v = view_of(s);
	if (is_of_cell(v) || v->no_cell || s->row < 1 || s->col < 1 ||
	    (size_t)s->row > t->query.n || (size_t)s->col > t->key.n)
		return NULL;
	return arena_printf(a, "cell %s→%s", axis_say(&t->query, (size_t)s->row - 1, a),
			    axis_say(&t->key, (size_t)s->col - 1, a));
}

/* Takes what the app's picture says of the last step, where it is one of its scene. */
static void see(struct recorder *r, const struct app *app)
{
	struct recorded *const last = &r->steps[r->n - 1];
	const struct picture *const p = app->shown.picture;
	if (!p || last->refused || !app->shown.scene ||
	    !same_but_cursor(app->shown.scene, &app->scene))
		return;
	const bool moved = app->scene.row != last->row || app->scene.col != last->col;
	const char *const pane = pane_name(&p->figure, app->pane, &r->arena);
	const char *const cell = moved ? cell_name(&app->scene, &p->trace, &r->arena) : NULL;
	const bool same_pane =
		pane == last->pane || (pane && last->pane && strcmp(pane, last->pane) == 0);
	const bool same_cell = cell == last->highlight ||
			       (cell && last->highlight && strcmp(cell, last->highlight) == 0);
	if (same_pane && same_cell)
		return;
	last->pane = pane;
	last->highlight = cell;
	r->unsaved = true;
}

/* An undo that leads before the first step begins a new one. */
static bool take_back(struct recorder *r, size_t depth)
{
	const size_t were = r->n;
	while (r->n > 1 && r->steps[r->n - 1].depth > depth)
		r->n--;
	r->unsaved |= r->n < were;
	return r->n < were;
}

bool recorder_look(struct recorder *r, const struct app *app, size_t depth, const char *refused,
		   struct err *err)
{
	struct arena a;
	bool ok = true, changed = take_back(r, depth);
	arena_init(&a);
	struct scene scene = kept(r, app, &a);
	struct recorded *const last = r->n > 0 ? &r->steps[r->n - 1] : NULL;
	if (!last || !scene_equal(&last->scene, &scene))
		settle_cell(&scene);
	const bool other = !last || !scene_equal(&last->scene, &scene);
	/* A cursor that moves is no change, also where the view is of its cell. */
	const bool moved = last && same_but_cursor(&last->scene, &scene);
	const bool series =
		last && r->n > 1 && last->depth == depth && last->key && last->key == app->undo_key;
	const bool goes_on = moved || series;
	const bool full = r->n == TOUR_STEPS && !goes_on;
	if (other && full)
		ok = err_set(err, "record: a tour has at most %d steps; this is not kept",
			     TOUR_STEPS);
	else if (other)
		ok = fill(r, goes_on ? r->n - 1 : r->n, &scene, app, depth, refused, err);
	changed |= ok && other && !moved;
	if (ok && r->n > 0)
		see(r, app);
	arena_release(&a);
	return ok && (!changed || recorder_write(r, err));
}

/* ---- the file ---------------------------------------------------------------------------------------- */

/* A tour whose header does not say how words are cut has those of earlier versions. */
static bool tells_words(const struct recorder *r)
{
	for (size_t i = 0; i < r->n; i++) {
		const struct setup *const s = &r->steps[i].scene.setup;
		if (s->tokens == TOKENS_PLAIN_WORDS || !setup_words_alike(s))
			return true;
	}
	return false;
}

const char *recorder_text(const struct recorder *r, struct arena *a)
{
	struct strbuf b;
	strbuf_init(&b, a);
	strbuf_printf(
		&b,
		"# Recorded by posviz, to be edited: titles, what is said, and what is left out.\n"
		"# posviz tour --check FILE says whether it is right.\n"
		"title %s\n%s",
		short_title(r->name, a), tells_words(r) ? "tokens words\n" : "");
	for (size_t i = 0; i < r->n; i++) {
		const struct recorded *const s = &r->steps[i];
		strbuf_printf(&b, "\nstep %s\n%s", s->title, s->lines);
		if (s->refused)
			strbuf_printf(&b, "refused %s\n", s->refused);
		else if (s->pane)
			strbuf_printf(&b, "focus %s\n", s->pane);
		if (!s->refused && s->highlight)
			strbuf_printf(&b, "highlight %s\n", s->highlight);
		strbuf_add(&b, "say Write here what there is to see.\n");
	}
	return b.at;
}

enum { OTHER_NAMES = 99 };

/* "lesson-2.tour", or as high a number as is free: whatever becomes of a file that others write to as well, the steps go
 * on in one of their own. */
static bool write_beside(struct recorder *r, const char *text, struct err *err)
{
	struct arena *const a = &r->arena;
	const char *const path = r->path;
	const int stem = (int)(strlen(path) - (sizeof ending - 1));
	bool other = true, ok = false;
	struct err why = {""};
	for (int i = 2; i <= OTHER_NAMES && other; i++) {
		r->path = arena_printf(a, "%.*s-%d%s", stem, path, i, ending);
		ok = file_update(r->path, NULL, false, text, strlen(text), &other, &why);
	}
	if (!ok) {
		r->path = path;
		return false;
	}
	const char *const name = strrchr(path, '/') + 1, *const now = strrchr(r->path, '/') + 1;
	char was[120], is[120];
	err_set(err, "%s was changed by somebody else and stays as it is; the recording is in %s",
		text_quote_buf(was, sizeof was, name, strlen(name)),
		text_quote_buf(is, sizeof is, now, strlen(now)));
	return true;
}

bool recorder_write(struct recorder *r, struct err *err)
{
	struct arena a;
	bool other;
	if (!r->unsaved || r->n == 0)
		return true;
	arena_init(&a);
	const char *const text = recorder_text(r, &a);
	bool ok = file_update(r->path, r->ours.at ? &r->ours : NULL, r->over, text, strlen(text),
			      &other, err);
	const bool written = ok || (other && write_beside(r, text, err));
	if (written) {
		arena_clear(&r->written);
		r->ours = (struct file_text){arena_strdup(&r->written, text), strlen(text)};
		r->over = false;
	}
	r->unsaved = !written;
	arena_release(&a);
	return ok;
}

size_t recorder_steps(const struct recorder *r)
{
	return r->n;
}

const char *recorder_path(const struct recorder *r)
{
	return r->path;
}

const struct scene *recorder_scene(const struct recorder *r, size_t step)
{
	return &r->steps[step].scene;
}
