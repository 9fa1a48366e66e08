/* profile_table.c: the table of the view Profile, the plane of any two of its columns, and the words about both. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "posviz/analysis/profile_columns.h"
#include "posviz/base/strbuf.h"
#include "profile_in.h"

static const char no_head[] = "no head fits the filter; profile-filter all shows every one";

/* ---- the plane ----------------------------------------------------------------------------------- */

static double scaled(const struct profile_known *k, size_t cell, int column)
{
	const double value = profile_value(&k->run.sizes, k->shown, cell, (size_t)column);
	return profile_columns[column].percent ? 100 * value : value;
}

/* The range of a column over some heads. */
struct range {
	double lo, hi;
};

static struct range range_of(const struct profile_known *k, const size_t *of, size_t n, int column)
{
	struct range out = {INFINITY, -INFINITY};
	for (size_t i = 0; i < n; i++) {
		const double x = scaled(k, of[i], column);
		out.lo = isnan(x) ? out.lo : fmin(out.lo, x);
		out.hi = isnan(x) ? out.hi : fmax(out.hi, x);
	}
	return out;
}

/* Returns whether the heads hardly differ in a column: by less than two percent of the variance, else by less than a
 * tenth of the largest number, or 0.02. */
static bool is_narrow(struct range r, int column)
{
	const double little = 0.02, size = 0.1 * fmax(fabs(r.lo), fabs(r.hi));
	return r.lo <= r.hi &&
	       r.hi - r.lo < (profile_columns[column].percent ? 100 * little : fmax(little, size));
}

bool profile_together(const struct view_data *d, struct arena *a)
{
	const struct profile_known *const k = profile_shown(d);
	const int x = d->scene->profile_x, y = d->scene->profile_y;
	size_t n;
	const size_t *const of = profile_listed(d, a, &n);
	return n > 1 && !k->other && is_narrow(range_of(k, of, n, x), x) &&
	       is_narrow(range_of(k, of, n, y), y);
}

/* Returns whether point j of a plane is hardly apart from point i. */
static bool is_near(const struct plane_point *at, size_t i, size_t j, struct range x,
		    struct range y)
{
	static const double near[] = {0.005, 0.03}; /* parts of the ranges */
	return fabs(at[j].x - at[i].x) <= near[0] * (x.hi - x.lo) &&
	       fabs(at[j].y - at[i].y) <= near[1] * (y.hi - y.lo);
}

/* Returns the names of heads in one place: "1·1, 2·1", of neighbours in a layer "1·1–2"; of more than two that are not
 * "3 heads: 1·1, 2·1, 2·2", of more than three "5 heads: 1·1, 1·2, 2·1 …". */
static const char *names_of(const struct view_data *d, const size_t *of, size_t n, struct arena *a)
{
	enum { SOME = 3 };
	const size_t heads = profile_shown(d)->run.sizes.heads;
	const char *names = profile_name(d, of[0], a);
	bool row = n > 1 && of[0] / heads == of[n - 1] / heads;
	for (size_t i = 1; i < n; i++)
		row &= of[i] == of[i - 1] + 1;
	if (row)
		return arena_printf(a, "%s–%zu", names, of[n - 1] % heads + 1);
	for (size_t i = 1; i < n && i < SOME; i++)
		names = arena_printf(a, "%s, %s", names, profile_name(d, of[i], a));
	return n < SOME ? names
			: arena_printf(a, "%zu heads: %s%s", n, names, n > SOME ? " …" : "");
}

static int by_number(const void *a, const void *b)
{
	const size_t x = *(const size_t *)a, y = *(const size_t *)b;
	return (x > y) - (x < y);
}

/* Heads whose points are named together, and the head at whose point the names stand. */
struct together {
	size_t *heads, n, bearer;
};

/* Takes point i and those that it hides; their names stand at one of them: the shown head, or the one on the side where
 * there is more room. */
static void take_together(const struct view_data *d, const size_t *of, size_t n, size_t i,
			  struct plane_point *at, struct together *out)
{
	const struct profile_known *const k = profile_shown(d);
	const struct range x = range_of(k, of, n, d->scene->profile_x);
	const struct range y = range_of(k, of, n, d->scene->profile_y);
	const double side = at[i].x > (x.lo + x.hi) / 2 ? -1 : 1;
	out->bearer = i;
	out->n = 0;
	for (size_t j = 0; j < n; j++) {
		if (!at[j].label || (j != i && !is_near(at, i, j, x, y)))
			continue;
		out->heads[out->n++] = of[j];
		if (of[i] != profile_chosen(d) && side * at[j].x > side * at[out->bearer].x)
			out->bearer = j;
		at[j].label = NULL;
	}
	qsort(out->heads, out->n, sizeof *out->heads, by_number);
}

/* Names heads whose points hide each other once, the shown head with those around it first. */
static void name_together(const struct view_data *d, const size_t *of, size_t n,
			  struct plane_point *at, struct arena *a)
{
	const char **const names = arena_calloc(a, n + 1, sizeof *names);
	struct together t = {.heads = arena_calloc(a, n + 1, sizeof *t.heads)};
	const size_t shown = profile_chosen(d);
	for (size_t pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < n; i++) {
			if (!at[i].label || (pass == 0 && of[i] != shown))
				continue;
			take_together(d, of, n, i, at, &t);
			names[t.bearer] = names_of(d, t.heads, t.n, a);
		}
	for (size_t i = 0; i < n; i++)
		at[i].label = names[i];
}

enum { ALL_NAMED = 12 }; /* heads that a plane names each by itself */

void profile_plane_panel(const struct view_data *d, struct arena *a, struct panel *p)
{
	const struct profile_known *const k = profile_shown(d);
	const int x = d->scene->profile_x, y = d->scene->profile_y;
	size_t n;
	const size_t *const of = profile_listed(d, a, &n), now = profile_chosen(d);
	struct plane_point *const at = arena_calloc(a, n + 1, sizeof *at);
	const bool many = n > ALL_NAMED;
	*p = (struct panel){
		.kind = PANEL_PLANE,
		.name = "plane",
		.title = k->other ? "Each head as a point: differences" : "Each head as a point",
		.brief_title = "Heads as points",
		.absent = n == 0 ? no_head : NULL,
		.plane = {.n = n,
			  .at = at,
			  .apart = true,
			  .about = many ? "+3 after a name: 3 more heads close to it." : NULL,
			  .about_brief = many ? "+3: 3 more heads there" : NULL,
			  .x_title = profile_columns[x].axis,
			  .x_brief = profile_columns[x].brief,
			  .y_title = profile_columns[y].axis,
			  .y_brief = profile_columns[y].brief,
			  .least_rows = 11,
			  .n_called = many ? 0 : n,
			  .gathers = many}};
	for (size_t i = 0; i < n; i++) {
		at[i] = (struct plane_point){.x = scaled(k, of[i], x),
					     .y = scaled(k, of[i], y),
					     .label = profile_name(d, of[i], a)};
		if (of[i] == now) {
			p->plane.has_cursor = true;
			p->plane.cursor = i;
			p->plane.cursor_is = "the shown head";
			p->paper_note = "the shown one has a ring";
		}
	}
	if (!many)
		name_together(d, of, n, at, a);
}

/* ---- from head to head --------------------------------------------------------------------------- */

/* Returns the point that is nearest in a direction, lengths being parts of the range of each axis. */
static size_t next_point(const struct plane *p, int right, int up)
{
	double lo[2] = {INFINITY, INFINITY}, hi[2] = {-INFINITY, -INFINITY}, least = INFINITY;
	size_t best = SIZE_MAX;
	for (size_t i = 0; i < p->n; i++) {
		const double at[] = {p->at[i].x, p->at[i].y};
		for (size_t k = 0; k < 2 && isfinite(at[0]) && isfinite(at[1]); k++) {
			lo[k] = fmin(lo[k], at[k]);
			hi[k] = fmax(hi[k], at[k]);
		}
	}
	const struct plane_point *const from = &p->at[p->cursor];
	for (size_t i = 0; i < p->n; i++) {
		const double x = hi[0] > lo[0] ? (p->at[i].x - from->x) / (hi[0] - lo[0]) : 0;
		const double y = hi[1] > lo[1] ? (p->at[i].y - from->y) / (hi[1] - lo[1]) : 0;
		const double along = right * x + up * y, off = fabs(right * y) + fabs(up * x);
		const double far = along + 2 * off + (off > along ? 10 : 0);
		if (!(along > 1e-9) || !(far < least))
			continue;
		least = far;
		best = i;
	}
	return best;
}

/* Steps in the order of a list, up to its ends. */
static size_t next_row(const size_t *of, size_t n, size_t now, int step)
{
	for (size_t i = 0; i < n; i++)
		if (of[i] == now)
			return step < 0 ? of[i > 0 ? i - 1 : 0] : of[i + 1 < n ? i + 1 : i];
	return of[0];
}

/* Returns whether a matrix has a row for each head. */
static bool is_of_rows(const struct panel *p)
{
	return strcmp(p->name, "kernels") == 0 || strcmp(p->name, "bands") == 0;
}

size_t profile_walk(const struct view_data *d, const struct panel *p, int right, int up)
{
	const struct profile_known *const k = profile_shown(d);
	struct arena a;
	size_t n, out;
	if (k->why)
		return 0;
	arena_init(&a);
	const size_t *const of = profile_listed(d, &a, &n), now = profile_chosen(d);
	const size_t heads = k->run.sizes.heads, all = profile_cells(k);
	if (right == 0 && up == 0)
		out = now; /* the shown head itself */
	else if (p->kind == PANEL_PLANE && p->plane.has_cursor) {
		const size_t i = next_point(&p->plane, right, up);
		out = i == SIZE_MAX ? now : of[i];
	} else if (n > 0 && (p->kind == PANEL_TABLE || p->kind == PANEL_PLANE || now == SIZE_MAX)) {
		out = next_row(of, n, now, right - up);
	} else if (n > 0 && is_of_rows(p)) {
		size_t m;
		const size_t *const rows = profile_filtered(d, &a, &m);
		out = next_row(rows, m, now, right - up);
	} else {
		const long to = (long)(now == SIZE_MAX ? 0 : now) + right - up * (long)heads;
		out = to < 0 || to >= (long)all ? now : (size_t)to;
	}
	arena_release(&a);
	return out == SIZE_MAX ? 0 : out + 1;
}

/* ---- the table ----------------------------------------------------------------------------------- */

/* The columns of the table, in its order, and those that are numbers of all heads alike: for these a sentence does. */
struct shown_columns {
	size_t at[PROFILE_COLUMNS], n;
	size_t alike[PROFILE_COLUMNS], n_alike;
};

/* Returns whether the heads hardly differ in a column, and a star is at each of them or at none. */
static bool is_alike(const struct profile_known *k, const size_t *of, size_t n, size_t column)
{
	enum { SEVERAL = 3 };
	const enum profile_score score = profile_columns[column].score;
	for (size_t i = 0; i < n; i++)
		if (isnan(profile_value(&k->run.sizes, k->shown, of[i], column)) ||
		    (score < PROFILE_SCORES &&
		     k->shown[of[i]].stands[score] != k->shown[of[0]].stands[score]))
			return false;
	return n >= SEVERAL && is_narrow(range_of(k, of, n, (int)column), (int)column);
}

/* Gets the columns that some head has; that by which they are sorted is always shown. */
static struct shown_columns columns_of(const struct view_data *d, const size_t *of, size_t n)
{
	const struct profile_known *const k = profile_shown(d);
	struct shown_columns out = {.n = 0};
	for (size_t c = 0; c < PROFILE_COLUMNS; c++) {
		bool any = false;
		for (size_t i = 0; i < profile_cells(k) && !any; i++)
			any = !isnan(profile_value(&k->run.sizes, k->shown, i, c));
		if (!any || profile_columns[c].priority == 0)
			continue;
		if (c != (size_t)d->scene->profile_sort && is_alike(k, of, n, c))
			out.alike[out.n_alike++] = c;
		else
			out.at[out.n++] = c;
	}
	return out;
}

/* Returns a number of a head without the blank that stands for a star. */
static const char *bare(const struct profile_known *k, size_t head, size_t column, struct arena *a)
{
	const char *const text = profile_text(&k->run.sizes, k->shown, head, column, a);
	size_t len = strlen(text);
	while (len > 0 && text[len - 1] == ' ')
		len--;
	return arena_strndup(a, text, len);
}

/* Returns "0–1 %", the least and the largest number of a column. */
static const char *span_text(const struct profile_known *k, const size_t *of, size_t n,
			     size_t column, struct arena *a)
{
	size_t lo = of[0], hi = of[0];
	for (size_t i = 0; i < n; i++) {
		const double x = scaled(k, of[i], (int)column);
		lo = x < scaled(k, lo, (int)column) ? of[i] : lo;
		hi = x > scaled(k, hi, (int)column) ? of[i] : hi;
	}
	const char *const from = bare(k, lo, column, a), *const to = bare(k, hi, column, a);
	return strcmp(from, to) == 0
		       ? to
		       : arena_printf(a, "%.*s–%s", (int)strcspn(from, " *"), from, to);
}

/* Returns "all 8 heads alike in key (0–1 %), local (1.00)"; NULL: they differ in every column. */
static const char *alike_text(const struct profile_known *k, const struct shown_columns *columns,
			      const size_t *of, size_t n, struct arena *a)
{
	const char *all = NULL;
	for (size_t i = 0; i < columns->n_alike; i++) {
		const size_t c = columns->alike[i];
		const char *const before = all ? arena_printf(a, "%s,", all)
					       : arena_printf(a, "all %zu heads alike in", n);
		all = arena_printf(a, "%s %s (%s)", before, profile_columns[c].head,
				   span_text(k, of, n, c, a));
	}
	return all;
}

/* Adds ", previous: weight of the token before" of columns that are scores, or of those that are not. */
static void explain(struct strbuf *out, const size_t *columns, size_t n, bool scores)
{
	for (size_t i = 0; i < n; i++) {
		const struct profile_column *const c = &profile_columns[columns[i]];
		if ((c->score < PROFILE_SCORES) == scores)
			strbuf_printf(out, "%s%s: %s", *out->at ? "; " : "", c->head, c->means);
	}
}

/* Returns "previous: weight of the token before; …", of the columns, those first whose name tells least; last in
 * which other columns heads are alike; and why there is no column "own". */
static const char *legend_of(const struct profile_known *k, const struct shown_columns *columns,
			     const char *alike, struct arena *a)
{
	struct strbuf out;
	strbuf_init(&out, a);
	explain(&out, columns->at, columns->n, true);
	explain(&out, columns->at, columns->n, false);
	if (alike)
		strbuf_printf(&out, "%s%s", *out.at ? "; " : "", alike);
	if (!k->other && !k->heads[0].own && k->own_why)
		strbuf_printf(&out, "; no kernel of the scheme's own, as %s", k->own_why);
	return out.at;
}

static void fill(const struct view_data *d, const size_t *of, const size_t *columns,
		 struct arena *a, struct table *t)
{
	const struct profile_known *const k = profile_shown(d);
	const char **const head = arena_calloc(a, t->cols, sizeof *head);
	const char **const at = arena_calloc(a, t->rows * t->cols + 1, sizeof *at);
	bool *const right = arena_calloc(a, t->cols, sizeof *right);
	unsigned char *const priority = arena_calloc(a, t->cols, sizeof *priority);
	head[0] = k->run.sizes.layers > 1 ? "layer·head" : "head";
	for (size_t c = 1; c < t->cols; c++) {
		head[c] = profile_columns[columns[c - 1]].head;
		priority[c] = profile_columns[columns[c - 1]].priority;
		right[c] = true;
		if (columns[c - 1] == (size_t)d->scene->profile_sort) {
			t->has_col = true;
			t->col = c;
		}
	}
	const size_t chosen = profile_chosen(d);
	for (size_t r = 0; r < t->rows; r++) {
		at[r * t->cols] = profile_name(d, of[r], a);
		for (size_t c = 1; c < t->cols; c++)
			at[r * t->cols + c] =
				profile_text(&k->run.sizes, k->shown, of[r], columns[c - 1], a);
		if (of[r] == chosen) {
			t->has_cursor = true;
			t->row = r;
		}
	}
	t->head = head;
	t->cells = at;
	t->right = right;
	t->priority = priority;
}

/* Returns "3 of 8 heads · ", or "" without a filter. */
static const char *part_of(const struct profile_known *k, size_t n, struct arena *a)
{
	const size_t all = profile_cells(k);
	return n == all ? "" : arena_printf(a, "%zu of %zu heads · ", n, all);
}

/* Returns "20 windows of 32 tokens, drawn vectors, more to come", and which heads the filter leaves. */
static const char *note_of(const struct view_data *d, size_t n, bool brief, struct arena *a)
{
	const struct profile_known *const k = profile_shown(d);
	const size_t all = profile_cells(k);
	const char *const made = arena_printf(
		a, "%zu window%s of %zu tokens%s%s", k->windows, k->windows == 1 ? "" : "s",
		k->run.sizes.n, k->run.tokens && !k->run.trained ? ", drawn vectors" : "",
		k->to_come > 0 ? ", more to come" : "");
	const char *const part = n == all ? "" : arena_printf(a, "%zu of %zu heads", n, all);
	if (brief)
		return n < all ? part
		       : k->to_come > 0
			       ? "more to come"
			       : arena_printf(a, "%zu × %zu tokens", k->windows, k->run.sizes.n);
	return arena_printf(a, "%s%s", part, made);
}

/* Returns whether a head has a star in a column. */
static bool has_star(const struct table *t)
{
	for (size_t i = 0; i < t->rows * t->cols; i++)
		if (strchr(t->cells[i], '*') != NULL)
			return true;
	return false;
}

/* Returns the precise description on paper. */
static const char *subtitle_of(const struct profile_known *k, const struct shown_columns *columns,
			       const char *alike, struct arena *a)
{
	struct strbuf out;
	strbuf_init(&out, a);
	if (k->other)
		strbuf_printf(&out, "%s less %s", k->other_name, k->name);
	else {
		explain(&out, columns->at, columns->n, false);
		explain(&out, columns->at, columns->n, true);
	}
	if (alike)
		strbuf_printf(&out, "; %s", alike);
	return out.at;
}

static const struct table_sign beyond_noise[] = {{"*", "*: beyond 99.9 % of noise heads"},
						 {"–", "–: no such token within reach"}};
static const struct table_sign beyond_intervals[] = {{"*", "*: by more than both 95 % intervals"},
						     {"–", "–: no such token within reach"}};

/* Returns whether some head has no number in a column of scores that others have, as its mask leaves no such token. */
static bool has_gap(const struct profile_known *k, const size_t *of, size_t n,
		    const size_t *columns, size_t n_columns)
{
	for (size_t c = 0; c < n_columns; c++)
		for (size_t i = 0; i < n && profile_columns[columns[c]].score < PROFILE_SCORES; i++)
			if (isnan(profile_value(&k->run.sizes, k->shown, of[i], columns[c])))
				return true;
	return false;
}

enum { ENOUGH = 10 }; /* rows of a long table, where other panels need the room */

void profile_table_panel(const struct view_data *d, struct arena *a, struct panel *p)
{
	const struct profile_known *const k = profile_shown(d);
	size_t n;
	const size_t *const of = profile_listed(d, a, &n);
	const struct shown_columns columns = columns_of(d, of, n);
	const char *const alike = alike_text(k, &columns, of, n, a);
	const char *const by = profile_columns[d->scene->profile_sort].head;
	*p = (struct panel){
		.kind = PANEL_TABLE,
		.name = "scores",
		.title = arena_printf(a, "%s, sorted by %s%s",
				      k->other ? "Differences of heads" : "Heads", by,
				      d->scene->descending ? ", the other way round" : ""),
		.brief_title = arena_printf(a, "%s by %s", k->other ? "Differences" : "Heads", by),
		.note = note_of(d, n, false, a),
		.short_note = note_of(d, n, true, a),
		.absent = n == 0 ? no_head : NULL,
		.table = {.rows = n,
			  .cols = columns.n + 1,
			  .from_top = true,
			  .enough = ENOUGH,
			  .reach = "keys < > sort by them",
			  .legend = legend_of(k, &columns, alike, a)}};
	if (p->absent)
		return;
	fill(d, of, columns.at, a, &p->table);
	const bool star = has_star(&p->table);
	p->subtitle = subtitle_of(k, &columns, alike, a);
	const bool gap = has_gap(k, of, n, columns.at, columns.n);
	p->table.signs = (k->other ? beyond_intervals : beyond_noise) + !star;
	p->table.n_signs = (size_t)star + gap;
	if (star || gap) /* a page says how many windows there are under its title */
		p->paper_note = arena_printf(a, "%s%s%s%s", part_of(k, n, a), p->table.signs->means,
					     star && gap ? "; " : "",
					     star && gap ? p->table.signs[1].means : "");
}

/* ---- words ---------------------------------------------------------------------------------------- */

enum { FIRST_FACTS = 2 }; /* that stand above the panels; of differences one */

static size_t facts_of(const struct profile_known *k, struct arena *a,
		       const char *out[PROFILE_FACTS])
{
	return k->other
		       ? profile_changes(&k->run.sizes, k->heads, k->other->heads, k->shown, a, out)
		       : profile_facts(&k->run, k->heads, a, out);
}

static const char *joined(const char *const *facts, size_t from, size_t to, struct arena *a)
{
	const char *all = "";
	for (size_t i = from; i < to; i++)
		all = arena_printf(a, "%s%s%s", all, *all ? " " : "", facts[i]);
	return *all ? all : NULL;
}

const char *profile_finding(const struct view_data *d, struct arena *a)
{
	const struct profile_known *const k = profile_shown(d);
	const char *facts[PROFILE_FACTS];
	const size_t n = facts_of(k, a, facts);
	const size_t most = k->other ? 1 : FIRST_FACTS;
	const char *const said = joined(facts, 0, n < most ? n : most, a);
	return k->other_why ? arena_printf(a, "Not compared: %s. %s", k->other_why, said)
	       : k->other   ? arena_printf(a, "From %s to %s, %c%s", k->name, k->other_name,
					   *said >= 'A' && *said <= 'Z' ? *said - 'A' + 'a' : *said,
					   said + 1)
			    : said;
}
