/* grid_figure.c: accuracies of trained schemes on tasks: a bar for each scheme at the longest tested length, beside it the
 * numbers of all lengths. */
#include "posviz/figures/grid_figure.h"

#include <math.h>
#include <string.h>

#include "posviz/base/text.h"

enum { LAST = LEARN_LENGTHS - 1, COLUMNS = 3, REASONS = 4 };
/* Widths of a panel, in letters' sizes, that the number of one length and those of all have room in. */
enum { EMS_BRIEF = 22, EMS_WHOLE = 34 };
static const double kept = 0.95; /* a scheme is right still, at least in this share */

static bool is_of(const struct learn_group *g, const char *task)
{
	return strcmp(g->first->o.task, task) == 0;
}

/* Returns the tasks in the order of the groups. */
static const char **tasks_of(const struct learn_group *g, size_t n, struct arena *a, size_t *out_n)
{
	const char **const tasks = arena_calloc(a, n + 1, sizeof *tasks);
	*out_n = 0;
	for (size_t i = 0; i < n; i++) {
		size_t k = 0;
		while (k < *out_n && !is_of(&g[i], tasks[k]))
			k++;
		if (k == *out_n)
			tasks[(*out_n)++] = g[i].first->o.task;
	}
	return tasks;
}

static const struct task_row *row_of(const char *task)
{
	for (const struct task_row *row = task_rows; row->id; row++)
		if (strcmp(row->id, task) == 0)
			return row;
	return NULL;
}

/* Returns "16, 32, 64, 128" of the first group of the task that was tested; "" if none was. */
static const char *lengths_of(const struct learn_group *g, size_t n, const char *task, bool brief,
			      struct arena *a)
{
	for (size_t i = 0; i < n; i++)
		if (is_of(&g[i], task) && g[i].seeds > 0) {
			const struct accuracy *const at = g[i].first->at;
			if (brief)
				return arena_printf(a, "%zu", at[LAST].n);
			return arena_printf(a, "%zu, %zu, %zu, %zu", at[0].n, at[1].n, at[2].n,
					    at[3].n);
		}
	return "";
}

/* ---- a task ---------------------------------------------------------------------------------- */

static const char *numbers_of(const struct learn_group *g, bool brief, struct arena *a)
{
	const char *text = "";
	if (g->seeds == 0 || (brief && isnan(g->at[LAST].mean)))
		return "n/a";
	if (brief)
		return arena_printf(a, "%.2f", g->at[LAST].mean);
	for (size_t k = 0; k < LEARN_LENGTHS; k++) {
		const double mean = g->at[k].mean;
		text = arena_printf(a, "%s%s%s", text, k ? " " : "",
				    isnan(mean) ? " n/a" : arena_printf(a, "%.2f", mean));
	}
	return text;
}

/* Bars while they are filled. */
struct filled {
	size_t n;
	const char **labels, **notes;
	double *values, *marks, *lo, *hi;
};

static void add_bar(struct filled *b, const struct learn_group *all, size_t n,
		    const struct learn_group *g, bool brief, struct arena *a)
{
	const struct spread *const s = &g->at[LAST];
	const bool any = g->seeds > 0 && !isnan(s->mean), spread = any && g->seeds > 1;
	b->labels[b->n] = learn_group_name(g, all, n, a);
	b->notes[b->n] = numbers_of(g, brief, a);
	b->values[b->n] = any ? s->mean : 0;
	b->marks[b->n] = any ? s->floor : NAN;
	b->lo[b->n] = spread ? s->least : NAN;
	b->hi[b->n] = spread ? s->most : NAN;
	b->n++;
}

static size_t most_seeds(const struct learn_group *g, size_t n)
{
	size_t most = 0;
	for (size_t i = 0; i < n; i++)
		most = g[i].seeds > most ? g[i].seeds : most;
	return most;
}

void grid_panel(const struct learn_group *g, size_t n, const char *task, bool brief,
		struct arena *a, struct panel *p)
{
	const struct task_row *const row = row_of(task);
	const char *const name = text_escape(a, task, strlen(task));
	const char *const lengths = lengths_of(g, n, task, brief, a);
	p->kind = PANEL_BARS;
	p->name = name;
	p->title = name;
	p->no_cursor = true;
	p->subtitle = row ? arena_printf(a, "asked: %s", row->asked) : NULL;
	struct filled of = {0,
			    arena_calloc(a, n, sizeof *of.labels),
			    arena_calloc(a, n, sizeof *of.notes),
			    arena_calloc(a, n, sizeof *of.values),
			    arena_calloc(a, n, sizeof *of.marks),
			    arena_calloc(a, n, sizeof *of.lo),
			    arena_calloc(a, n, sizeof *of.hi)};
	for (size_t i = 0; i < n; i++)
		if (is_of(&g[i], task))
			add_bar(&of, g, n, &g[i], brief, a);
	p->bars = (struct bars){.n = of.n,
				.labels = of.labels,
				.notes = of.notes,
				.values = of.values,
				.marks = of.marks,
				.lo = of.lo,
				.hi = of.hi,
				.unit = *lengths ? arena_printf(a, "at %s", lengths) : "",
				.mark_title = "floor",
				.axis = true,
				.whole = 1};
}

/* ---- words ----------------------------------------------------------------------------------- */

/* Returns "500", or "500 to 600" for runs that differ in it. */
static const char *steps_of(const struct learn_group *g, size_t n, struct arena *a)
{
	size_t least = g[0].first->o.steps, most = least;
	for (size_t i = 1; i < n; i++) {
		const size_t steps = g[i].first->o.steps;
		least = steps < least ? steps : least;
		most = steps > most ? steps : most;
	}
	return least == most ? arena_printf(a, "%zu", least)
			     : arena_printf(a, "%zu to %zu", least, most);
}

static const char *seeds_of(const struct learn_group *g, size_t n, struct arena *a)
{
	const size_t most = most_seeds(g, n);
	for (size_t i = 0; i < n; i++)
		if (g[i].seeds > 0 && g[i].seeds < most)
			return arena_printf(a, "means of up to %zu seeds", most);
	return most == 1 ? "one seed" : arena_printf(a, "means of %zu seeds", most);
}

/* Returns ". n/a: alibi on reverse: …" for what has no number; the first few. */
static const char *reasons_of(const struct learn_group *g, size_t n, struct arena *a)
{
	const char *text = "";
	size_t told = 0, more = 0;
	for (size_t i = 0; i < n; i++) {
		const char *why = g[i].seeds == 0 ? g[i].first->absent : NULL;
		for (size_t k = 0; !why && k < LEARN_LENGTHS; k++)
			why = isnan(g[i].at[k].mean) ? g[i].at[k].absent : NULL;
		if (!why)
			continue;
		if (told++ < REASONS)
			text = arena_printf(a, "%s; n/a, %s on %s: %s", text,
					    learn_group_name(&g[i], g, n, a), g[i].first->o.task,
					    why);
		else
			more++;
	}
	return more ? arena_printf(a, "%s; and %zu more are n/a", text, more) : text;
}

/* Returns how many schemes are right at the longest length, for each task. */
static const char *finding_of(const struct learn_group *g, size_t n, const char *const *tasks,
			      size_t n_tasks, struct arena *a)
{
	const char *text = "";
	for (size_t t = 0; t < n_tasks; t++) {
		size_t of = 0, right = 0;
		for (size_t i = 0; i < n; i++) {
			of += is_of(&g[i], tasks[t]) && g[i].seeds > 0;
			right += is_of(&g[i], tasks[t]) && g[i].at[LAST].mean >= kept;
		}
		text = arena_printf(a, "%s%s%zu of %zu on %s", text, t ? ", " : "", right, of,
				    text_escape(a, tasks[t], strlen(tasks[t])));
	}
	return arena_printf(
		a, "Right in at least %.0f %% of the answers at 8 times the trained length: %s.",
		100 * kept, text);
}

static size_t bars_of(const struct figure *f, unsigned char row)
{
	size_t most = 0;
	for (size_t i = 0; i < f->n; i++)
		if (f->panels[i].row == row && f->panels[i].bars.n > most)
			most = f->panels[i].bars.n;
	return most;
}

void grid_size(struct figure *f, double type, double *width, double *height)
{
	static const double widths[] = {900, 1400, 2000};
	const bool paper = type > 0; /* without words around the panels */
	const double head = paper ? 0 : 150, title = paper ? 5 * type : 120;
	const double bar = paper ? 1.5 * type : 30;
	unsigned char across = 0;
	*height = head;
	for (size_t i = 0; i < f->n; i++) {
		const struct panel *const p = &f->panels[i];
		across = p->col > across ? p->col : across;
		if (p->col == 0) {
			const double row = title + bar * (double)bars_of(f, p->row);
			*height += row;
			if (p->row < FIGURE_TRACKS)
				f->row_weight[p->row] = (unsigned char)fmax(1, fmin(255, row / 20));
		}
	}
	*width = paper ? *width : widths[across];
}

bool grid_figure(const struct learn_group *g, size_t n, double ems, bool grows, const char *command,
		 struct arena *a, struct figure *out, struct err *err)
{
	size_t n_tasks;
	const char **const tasks = tasks_of(g, n, a, &n_tasks);
	if (n_tasks > FIGURE_PANELS)
		return err_set(err,
			       "learn: %zu tasks, and a page has room for %d; csv has room for all",
			       n_tasks, FIGURE_PANELS);
	size_t across = n_tasks == 4 ? 2 : n_tasks < COLUMNS ? n_tasks : COLUMNS;
	while (grows && ems > 0 && across > 1 && ems / (double)across < EMS_BRIEF)
		across--;
	const bool brief = ems > 0 && ems / (double)across < EMS_WHOLE;
	*out = (struct figure){
		.title = "Trained short, tested long",
		.subtitle = arena_printf(
			a,
			"right answers at 1, 2, 4 and 8 times the trained length · bar: at 8 times%s · "
			"dot: floor there, without position",
			most_seeds(g, n) > 1 ? ", pale from the least to the most of the seeds"
					     : ""),
		.finding = finding_of(g, n, tasks, n_tasks, a),
		.caption = arena_printf(a, "Trained for %s steps of %d sentences, %s%s",
					steps_of(g, n, a), LEARN_BATCH, seeds_of(g, n, a),
					reasons_of(g, n, a)),
		.caption_right = "posviz " POSVIZ_VERSION,
		.whole = true,
		.command = command,
		.by_grid = true,
		.n = n_tasks};
	for (size_t t = 0; t < n_tasks; t++) {
		struct panel *const p = &out->panels[t];
		*p = (struct panel){.row = (unsigned char)(t / across),
				    .col = (unsigned char)(t % across),
				    .rows = 1,
				    .cols = 1};
		grid_panel(g, n, tasks[t], brief, a, p);
	}
	return true;
}
