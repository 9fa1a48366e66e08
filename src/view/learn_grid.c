/* learn_grid.c: the grid of the view Learn: schemes and tasks at one of the tested lengths; of one scheme alone, its
 * tasks at all of them. */
#include <math.h>
#include <string.h>

#include "learn_in.h"

/* A scheme is right still in at least this share of its answers; one that is at most so far above its floor is no
 * better than it. */
static const double kept = 0.95, by_chance = 0.015, needs_none = 0.99;

void learn_grid_keep(const struct view_data *d, bool partial, struct arena *a,
		     struct learn_shown *out)
{
	struct learn_options *const o = arena_calloc(a, LEARN_SHOWN, sizeof *o);
	struct learn_grid *const grid = arena_calloc(a, 1, sizeof *grid);
	struct learn_grid_of of = {
		.scheme = o, .schemes = out->n, .seeds = (size_t)d->scene->train_seeds};
	for (size_t i = 0; i < out->n; i++)
		learn_of_scene(d->scene,
			       out->n > 1 ? d->compared[i].expression : d->scene->setup.scheme,
			       &o[i]);
	of.task = learn_grid_tasks(d->scene->train_task, a, &of.tasks);
	learn_grid_train(&of, partial, d->watch, a, grid);
	out->grid = grid;
}

static const struct learn_grid *grid_of(const struct view_data *d)
{
	return ((const struct learn_shown *)d->kept)->grid;
}

/* ---- cells -------------------------------------------------------------------------------------- */

/* Returns whether the grid is of one scheme, whose rows are lengths. */
static bool is_alone(const struct learn_grid *g)
{
	return g->of.schemes == 1;
}

static size_t rows_of(const struct learn_grid *g)
{
	return is_alone(g) ? LEARN_LENGTHS : g->of.schemes;
}

/* Returns the length of the scene, from 0. */
static size_t chosen(const struct view_data *d)
{
	return (size_t)d->scene->train_grid - 1;
}

/* Returns the accuracies of a cell over the seeds so far; NULL: there is none yet, or it could not be trained. */
static const struct spread *spread_at(const struct view_data *d, size_t row, size_t task)
{
	const struct learn_grid *const g = grid_of(d);
	const struct learn_group *const of = &g->at[(is_alone(g) ? 0 : row) * g->of.tasks + task];
	const struct spread *const s = &of->at[is_alone(g) ? row : chosen(d)];
	return of->seeds == 0 || isnan(s->mean) ? NULL : s;
}

static bool is_no_better(const struct spread *s)
{
	return s && s->floor < needs_none && s->mean <= s->floor + by_chance;
}

/* Returns the letters of a sentence at a length; 0: nothing was tested yet. */
static size_t letters_at(const struct learn_grid *g, size_t length)
{
	for (size_t i = 0; i < g->of.schemes * g->of.tasks; i++)
		if (g->at[i].seeds > 0)
			return g->at[i].first->at[length].n;
	return 0;
}

/* Returns "128 tokens, 8× the longest in training". */
static const char *length_words(const struct learn_grid *g, size_t length, struct arena *a)
{
	const size_t n = letters_at(g, length);
	const char *const times =
		length ? arena_printf(a, "%d× the longest in training", 1 << length)
		       : "the longest in training";
	return n ? arena_printf(a, "%zu tokens, %s", n, times) : times;
}

static const char *length_label(const struct learn_grid *g, size_t length, struct arena *a)
{
	const size_t n = letters_at(g, length);
	return n ? arena_printf(a, "%d× %zu", 1 << length, n) : arena_printf(a, "%d×", 1 << length);
}

static const struct task_row *task_of(const char *id)
{
	for (const struct task_row *row = task_rows; row->id; row++)
		if (strcmp(row->id, id) == 0)
			return row;
	return NULL;
}

/* ---- words -------------------------------------------------------------------------------------- */

static const char *time_left(double seconds, struct arena *a)
{
	return isnan(seconds)  ? ""
	       : seconds < 1.5 ? ", about a second left"
	       : seconds < 90  ? arena_printf(a, ", about %.0f s left", seconds)
			       : arena_printf(a, ", about %.0f min left", seconds / 60);
}

/* Returns how many tasks of a row are still right, of those that have a number. */
static size_t right_in(const struct view_data *d, size_t row, size_t *of)
{
	size_t right = 0;
	*of = 0;
	for (size_t t = 0; t < grid_of(d)->of.tasks; t++) {
		const struct spread *const s = spread_at(d, row, t);
		*of += s != NULL;
		right += s && s->mean >= kept;
	}
	return right;
}

const char *learn_grid_finding(const struct view_data *d, struct arena *a)
{
	const struct learn_shown *const all = d->kept;
	const struct learn_grid *const g = all->grid;
	const char *list = "";
	if (g->done < g->runs)
		return arena_printf(
			a,
			"Training %zu scheme%s on %zu tasks, with %zu seed%s each: %zu of %zu "
			"runs are done%s.",
			g->of.schemes, is_alone(g) ? "" : "s", g->of.tasks, g->of.seeds,
			g->of.seeds == 1 ? "" : "s", g->done, g->runs, time_left(g->seconds, a));
	for (size_t i = 0; i < rows_of(g); i++) {
		size_t of;
		const size_t right = right_in(d, i, &of);
		const char *const name =
			is_alone(g) ? arena_printf(a, "at %zu tokens", letters_at(g, i))
				    : all->name[i];
		list = arena_printf(a, "%s%s%s on %zu%s", list, i ? ", " : "", name, right,
				    i == 0 ? arena_printf(a, " of %zu tasks", of) : "");
	}
	return arena_printf(
		a, "Right in %.0f %% of the answers or more%s: %s.", 100 * kept,
		is_alone(g) ? "" : arena_printf(a, " at %s", length_words(g, chosen(d), a)), list);
}

/* Returns "; n/a: alibi on reverse: …" for the first cell that has no number for a reason. */
static const char *reason(const struct learn_grid *g, struct arena *a)
{
	for (size_t i = 0; i < g->of.schemes * g->of.tasks; i++) {
		const struct learn_group *const of = &g->at[i];
		const char *const why = !of->first	 ? NULL
					: of->seeds == 0 ? of->first->absent
							 : of->at[LEARN_LENGTHS - 1].absent;
		if (why)
			return arena_printf(a, " n/a, %s on %s: %s.", of->first->o.scheme,
					    of->first->o.task, why);
	}
	return "";
}

/* Returns "mean of 3 seeds", or "one seed". */
static const char *seeds_words(const struct learn_grid *g, const char *mean, struct arena *a)
{
	return g->of.seeds == 1 ? "one seed" : arena_printf(a, "%s %zu seeds", mean, g->of.seeds);
}

const char *learn_grid_caption(const struct view_data *d, struct arena *a)
{
	const struct learn_grid *const g = grid_of(d);
	struct learn_options o = g->of.scheme[0];
	const char *list = "";
	learn_complete(&o);
	for (size_t i = 0; i < g->of.schemes; i++)
		list = arena_printf(a, "%s%s%s", list, i ? "; " : "", g->of.scheme[i].scheme);
	return arena_printf(
		a,
		"Share of right answers on fresh sentences, of %s, each trained for %zu steps of %d sentences in "
		"a model of %zu layer%s, d %zu, %zu heads, ff %zu; %s%s %llu. Floor: what "
		"can be said without position.%s",
		list, o.steps, LEARN_BATCH, o.layers, o.layers == 1 ? "" : "s", o.d, o.heads, o.ff,
		seeds_words(g, "means of", a), g->of.seeds == 1 ? "," : " from",
		(unsigned long long)o.seed, reason(g, a));
}

/* ---- the matrix --------------------------------------------------------------------------------- */

/* Frames the cells that are no better than without position. */
static void mark_floors(const struct view_data *d, struct heatmap *h, struct arena *a)
{
	const struct mat m = h->values;
	struct mark *const marks = arena_calloc(a, m.rows * m.cols + 1, sizeof *marks);
	for (size_t i = 0; i < m.rows; i++)
		for (size_t k = 0; k < m.cols; k++)
			if (is_no_better(spread_at(d, i, k)))
				marks[h->n_marks++] =
					(struct mark){.kind = MARK_CELL, .row = i, .col = k};
	h->marks = marks;
	h->frames_are = "no better than without position";
}

static const char *missing(const struct learn_grid *g)
{
	bool to_come = false, absent = false;
	for (size_t i = 0; i < g->of.schemes * g->of.tasks; i++) {
		to_come |= !g->at[i].first;
		absent |= g->at[i].first && g->at[i].seeds == 0;
	}
	return to_come && absent ? "not trained yet, or n/a" : to_come ? "not trained yet" : "n/a";
}

static void matrix_panel(const struct view_data *d, struct arena *a, struct panel *p)
{
	const struct learn_shown *const all = d->kept;
	const struct learn_grid *const g = all->grid;
	const size_t rows = rows_of(g), cols = g->of.tasks;
	const struct mat m = mat_zero(a, rows, cols);
	uint8_t *const allowed = arena_calloc(a, rows, cols);
	const char **const row = arena_calloc(a, rows + 1, sizeof *row);
	for (size_t i = 0; i < rows; i++) {
		row[i] = is_alone(g) ? length_label(g, i, a) : all->name[i];
		for (size_t k = 0; k < cols; k++) {
			const struct spread *const s = spread_at(d, i, k);
			allowed[i * cols + k] = s != NULL;
			mat_row(m, i)[k] = s ? s->mean : 0;
		}
	}
	*p = (struct panel){
		.kind = PANEL_HEATMAP,
		.name = "grid",
		.title = is_alone(g)
				 ? "Accuracy by length and task"
				 : arena_printf(a, "Accuracy at %s", length_words(g, chosen(d), a)),
		.brief_title = is_alone(g) ? "Accuracy"
					   : arena_printf(a, "Accuracy at %d×", 1 << chosen(d)),
		.note = g->done < g->runs ? arena_printf(a, "%zu of %zu runs", g->done, g->runs)
					  : seeds_words(g, "mean of", a),
		.short_note =
			g->done < g->runs ? arena_printf(a, "%zu/%zu", g->done, g->runs) : NULL,
		.subtitle = "share of right answers; framed: no better than without position"};
	view_heatmap(d, m, &(struct paint){.allowed = allowed, .unit = true, .own = true}, a, p);
	struct heatmap *const h = &p->heatmap;
	h->row_labels = row;
	h->col_labels = g->of.task;
	h->row_title = is_alone(g) ? "length" : "scheme";
	h->col_title = "task";
	h->masked_as = missing(g);
	h->linear = h->no_means = h->broad = true;
	h->has_cursor = false;
	h->no_cursor = true;
	mark_floors(d, h, a);
}

/* ---- the table ---------------------------------------------------------------------------------- */

/* Returns "0.25–0.36", of one seed "0.31". */
static const char *interval(const struct spread *s, struct arena *a)
{
	const char *const least = s ? learn_share(s->least, a) : "–";
	const char *const most = s ? learn_share(s->most, a) : "–";
	return strcmp(least, most) == 0 ? least : arena_printf(a, "%s–%s", least, most);
}

/* Returns the floors of a task at the rows' lengths: "0.17", by mask "0.17–0.22". */
static const char *floor_of(const struct view_data *d, size_t task, struct arena *a)
{
	const struct learn_grid *const g = grid_of(d);
	double lo = INFINITY, hi = -INFINITY;
	for (size_t i = is_alone(g) ? LEARN_LENGTHS - 1 : 0; i < rows_of(g); i++) {
		const struct spread *const s = spread_at(d, i, task);
		if (!s || isnan(s->floor))
			continue;
		lo = fmin(lo, s->floor);
		hi = fmax(hi, s->floor);
	}
	if (lo > hi)
		return "–";
	return interval(&(struct spread){.least = lo, .most = hi}, a);
}

enum { TASK, ASKED, FLOOR, FIRST };

static void fill_row(const struct view_data *d, size_t task, const char **row, struct arena *a)
{
	const struct learn_grid *const g = grid_of(d);
	const char *const name = g->of.task[task];
	const struct task_row *const of = task_of(name);
	row[TASK] = name;
	row[ASKED] = of ? of->asked : "a task of your own";
	row[FLOOR] = floor_of(d, task, a);
	for (size_t i = 0; i < rows_of(g); i++)
		row[FIRST + i] = interval(spread_at(d, i, task), a);
}

static void table_panel(const struct view_data *d, struct arena *a, struct panel *p)
{
	const struct learn_shown *const all = d->kept;
	const struct learn_grid *const g = all->grid;
	const size_t cols = FIRST + rows_of(g), rows = g->of.tasks;
	const char **const head = arena_calloc(a, cols, sizeof *head);
	const char **const cells = arena_calloc(a, rows * cols, sizeof *cells);
	bool *const right = arena_calloc(a, cols, sizeof *right);
	unsigned char *const priority = arena_calloc(a, cols, sizeof *priority);
	head[TASK] = "task";
	head[ASKED] = "asked";
	head[FLOOR] =
		is_alone(g) ? arena_printf(a, "floor %d×", 1 << (LEARN_LENGTHS - 1)) : "floor";
	priority[ASKED] = 9;
	priority[FLOOR] = 1;
	for (size_t i = 0; i < rows_of(g); i++) {
		head[FIRST + i] = is_alone(g) ? length_label(g, i, a) : all->name[i];
		right[FIRST + i] = true;
		priority[FIRST + i] = (unsigned char)(2 + i);
	}
	right[FLOOR] = true;
	for (size_t t = 0; t < rows; t++)
		fill_row(d, t, &cells[t * cols], a);
	*p = (struct panel){.kind = PANEL_TABLE,
			    .name = "tasks",
			    .no_cursor = true,
			    .title = g->of.seeds > 1 ? arena_printf(a, "Least to most of %zu seeds",
								    g->of.seeds)
						     : "Tasks, and accuracy of one seed",
			    .brief_title = "Least to most",
			    .note = is_alone(g) ? NULL : length_label(g, chosen(d), a)};
	p->table = (struct table){.rows = rows,
				  .cols = cols,
				  .head = head,
				  .cells = cells,
				  .right = right,
				  .priority = priority,
				  .legend = "floor: the most that can be right without position"};
}

/* The least size of a panel on cells in which the table, or the numbers of the matrix, have room. */
enum { TABLE_COLS = 56, TABLE_ROWS = 9 };

void learn_grid_figure(const struct view_data *d, struct arena *a, struct figure *out)
{
	const struct learn_shown *const all = d->kept;
	matrix_panel(d, a, &out->panels[0]);
	view_place(&out->panels[0], 0, 0, 1, 0);
	table_panel(d, a, &out->panels[1]);
	view_place(&out->panels[1], 1, 0, 1, 1);
	out->n = 2;
	out->least_cols = TABLE_COLS;
	out->least_rows = TABLE_ROWS;
	out->col_weight[0] = 1;
	memcpy(out->row_weight, (unsigned char[]){6, 5}, 2);
	out->finding = learn_grid_finding(d, a);
	out->caption = learn_grid_caption(d, a);
	if (all->n < 2)
		return;
	out->title = "";
	for (size_t i = 0; i < all->n; i++)
		out->title = view_beside(out->title, all->whole[i], a);
	out->subtitle = arena_printf(a, "trained on %zu tasks", all->grid->of.tasks);
}

/* ---- numbers for dumps -------------------------------------------------------------------------- */

static void say_cell(const struct learn_group *g, const char *of, struct arena *a,
		     struct numbers *out)
{
	const char *const about =
		arena_printf(a, "%s on %s, over %zu seed%s", g->first->o.scheme, g->first->o.task,
			     g->seeds, g->seeds == 1 ? "" : "s");
	for (size_t k = 0; k < LEARN_LENGTHS; k++) {
		const struct spread *const s = &g->at[k];
		const struct {
			const char *name;
			double value;
		} rows[] = {{"mean", s->mean},
			    {"least", s->least},
			    {"most", s->most},
			    {"floor", s->floor}};
		for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
			if (!isnan(rows[i].value))
				numbers_say(out,
					    arena_printf(a, "learn%s.%s.%s.%zu", of,
							 g->first->o.task, rows[i].name,
							 g->first->at[k].n),
					    rows[i].value, learn_share(rows[i].value, a), about);
	}
}

void learn_grid_numbers(const struct learn_grid *g, struct arena *a, struct numbers *out)
{
	for (size_t i = 0; i < g->of.schemes * g->of.tasks; i++) {
		const size_t scheme = i / g->of.tasks;
		if (g->at[i].seeds > 0)
			say_cell(&g->at[i], scheme ? arena_printf(a, ".%zu", scheme + 1) : "", a,
				 out);
	}
}
