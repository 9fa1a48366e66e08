/* profile_table.c: the table of the view Profile, the plane of any two of its columns, and the words about both. */
#include <math.h>
#include <string.h>

#include "posviz/analysis/profile_columns.h"
#include "posviz/base/strbuf.h"
#include "profile_in.h"

static const char no_head[] = "no head fits the filter; profile-filter all shows every one";

/* Returns the heads that the filter leaves, in the order of the scene's column. */
static const size_t *listed(const struct view_data *d, struct arena *a, size_t *n)
{
	const struct profile_known *const k = profile_shown(d);
	return profile_order(&k->run.sizes, k->shown, d->scene, (size_t)d->scene->profile_sort,
			     k->other != NULL, a, n);
}

/* ---- the plane ----------------------------------------------------------------------------------- */

static double scaled(const struct profile_known *k, size_t cell, int column)
{
	const double value = profile_value(&k->run.sizes, k->shown, cell, (size_t)column);
	return profile_columns[column].percent ? 100 * value : value;
}

void profile_plane_panel(const struct view_data *d, struct arena *a, struct panel *p)
{
	const struct profile_known *const k = profile_shown(d);
	const int x = d->scene->profile_x, y = d->scene->profile_y;
	size_t n;
	const size_t *const of = listed(d, a, &n), now = profile_chosen(d);
	struct plane_point *const at = arena_calloc(a, n + 1, sizeof *at);
	*p = (struct panel){.kind = PANEL_PLANE,
			    .name = "plane",
			    .title = k->other ? "Plane of differences" : "Plane of heads",
			    .brief_title = "Plane",
			    .note = arena_printf(a, "%s →, ↑ %s", profile_columns[x].brief,
						 profile_columns[y].brief),
			    .subtitle = "a point for each head",
			    .absent = n == 0 ? no_head : NULL,
			    .plane = {.n = n,
				      .at = at,
				      .apart = true,
				      .about = "+3 beside a name: 3 heads more close to it.",
				      .about_brief = "+3: 3 more close to it",
				      .x_title = profile_columns[x].axis,
				      .x_brief = profile_columns[x].brief,
				      .y_title = profile_columns[y].axis,
				      .y_brief = profile_columns[y].brief,
				      .least_rows = 11,
				      .gathers = true}};
	for (size_t i = 0; i < n; i++) {
		at[i] = (struct plane_point){.x = scaled(k, of[i], x),
					     .y = scaled(k, of[i], y),
					     .label = profile_name(d, of[i], a)};
		if (of[i] == now) {
			p->plane.has_cursor = true;
			p->plane.cursor = i;
		}
	}
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

size_t profile_walk(const struct view_data *d, const struct panel *p, int right, int up)
{
	const struct profile_known *const k = profile_shown(d);
	struct arena a;
	size_t n, out;
	if (k->why)
		return 0;
	arena_init(&a);
	const size_t *const of = listed(d, &a, &n), now = profile_chosen(d);
	const size_t heads = k->run.sizes.heads, all = profile_cells(k);
	if (p->kind == PANEL_PLANE && p->plane.has_cursor) {
		const size_t i = next_point(&p->plane, right, up);
		out = i == SIZE_MAX ? now : of[i];
	} else if (n > 0 && (p->kind == PANEL_TABLE || p->kind == PANEL_PLANE || now == SIZE_MAX)) {
		out = next_row(of, n, now, right - up);
	} else {
		const long to = (long)(now == SIZE_MAX ? 0 : now) + right - up * (long)heads;
		out = to < 0 || to >= (long)all ? now : (size_t)to;
	}
	arena_release(&a);
	return out == SIZE_MAX ? 0 : out + 1;
}

/* ---- the table ----------------------------------------------------------------------------------- */

/* Returns the columns that the table has, in its order: those that some head has. */
static size_t columns_of(const struct profile_known *k, size_t out[PROFILE_COLUMNS])
{
	size_t n = 0;
	for (size_t c = 0; c < PROFILE_COLUMNS; c++) {
		bool any = false;
		for (size_t i = 0; i < profile_cells(k) && !any; i++)
			any = !isnan(profile_value(&k->run.sizes, k->shown, i, c));
		if (any && profile_columns[c].priority > 0)
			out[n++] = c;
	}
	return n;
}

/* Returns "previous: weight of the token before; …", of the columns. */
static const char *legend_of(const size_t *columns, size_t n, struct arena *a)
{
	struct strbuf out;
	strbuf_init(&out, a);
	for (size_t i = 0; i < n; i++)
		strbuf_printf(&out, "%s%s: %s", i ? "; " : "", profile_columns[columns[i]].head,
			      profile_columns[columns[i]].means);
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
	for (size_t r = 0; r < t->rows; r++) {
		at[r * t->cols] = profile_name(d, of[r], a);
		for (size_t c = 1; c < t->cols; c++)
			at[r * t->cols + c] =
				profile_text(&k->run.sizes, k->shown, of[r], columns[c - 1], a);
		if (of[r] == profile_chosen(d)) {
			t->has_cursor = true;
			t->row = r;
		}
	}
	t->head = head;
	t->cells = at;
	t->right = right;
	t->priority = priority;
}

/* Returns "by position, 3 of 8 heads · * beyond noise heads". */
static const char *note_of(const struct view_data *d, size_t n, bool brief, struct arena *a)
{
	const struct profile_known *const k = profile_shown(d);
	const size_t all = profile_cells(k);
	const char *const star = k->other   ? "* beyond both intervals"
				 : k->noise ? "* beyond 99.9 % of noise heads"
				 : brief    ? "stars to come"
					    : "stars to come, from noise heads";
	return n == all ? star
	       : brief	? arena_printf(a, "%zu of %zu heads", n, all)
			: arena_printf(a, "%zu of %zu heads · %s", n, all, star);
}

static const char subtitle[] =
	"shares of the variance of logits within rows; scores of the weights, with a star beyond 99.9 % of "
	"10000 heads of noise; previous, first, same: weight of the token before, of token 1, of other "
	"occurrences; induction: of what followed them, on repeated random tokens; local: within 8; tokens: "
	"mean distance; order: what moves when tokens farther than 8 are shuffled; own: part of the kernel "
	"that is the scheme's";

void profile_table_panel(const struct view_data *d, struct arena *a, struct panel *p)
{
	const struct profile_known *const k = profile_shown(d);
	size_t n, columns[PROFILE_COLUMNS];
	const size_t *const of = listed(d, a, &n), n_columns = columns_of(k, columns);
	const char *const by = profile_columns[d->scene->profile_sort].head;
	*p = (struct panel){
		.kind = PANEL_TABLE,
		.name = "scores",
		.title = arena_printf(a, "%s, by %s%s",
				      k->other ? "Differences of scores" : "Shares and scores", by,
				      d->scene->descending ? ", the other way round" : ""),
		.brief_title = k->other ? "Differences" : "Shares and scores",
		.note = note_of(d, n, false, a),
		.short_note = note_of(d, n, true, a),
		.subtitle =
			k->other ? arena_printf(
					   a,
					   "%s less %s; a star: by more than both 95 %% intervals",
					   k->other_name, k->name)
				 : subtitle,
		.absent = n == 0 ? no_head : NULL,
		.table = {.rows = n,
			  .cols = n_columns + 1,
			  .from_top = true,
			  .reach = "keys < > sort by them and show them",
			  .legend = legend_of(columns, n_columns, a)}};
	if (!p->absent)
		fill(d, of, columns, a, &p->table);
}

/* ---- words ---------------------------------------------------------------------------------------- */

enum { FIRST_FACTS = 3 };

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
	const char *const said = joined(facts, 0, n < FIRST_FACTS ? n : FIRST_FACTS, a);
	return k->other_why ? arena_printf(a, "Not compared: %s. %s", k->other_why, said)
	       : k->other   ? arena_printf(a, "From %s to %s: %s", k->name, k->other_name, said)
			    : said;
}

/* Returns the shortest of sentences, for a row: "8 of 8 heads are position". */
static const char *in_a_row(const struct profile_known *k, struct arena *a)
{
	const size_t cells = profile_cells(k);
	size_t position = 0, previous = 0, sinks = 0;
	for (size_t i = 0; i < cells; i++) {
		const struct profile_head *const h = &k->heads[i];
		position += h->distance + h->key >= PROFILE_ALL;
		previous +=
			h->stands[PROFILE_PREVIOUS] && h->score[PROFILE_PREVIOUS] >= PROFILE_MUCH;
		sinks += h->stands[PROFILE_FIRST] && h->score[PROFILE_FIRST] >= PROFILE_MUCH;
	}
	const struct {
		size_t n;
		const char *what;
	} rows[] = {{position, "nearly all position"},
		    {previous, "read the token before"},
		    {sinks, "read token 1"}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].n > 0)
			return arena_printf(a, "%zu of %zu %s", rows[i].n, cells, rows[i].what);
	return arena_printf(a, "none of %zu stands out", cells);
}

void profile_card_panel(const struct view_data *d, struct arena *a, struct panel *p)
{
	static const char *const words[] = {"previous", "first", "same", "induction",
					    "local",	"order", "own"};
	const struct profile_known *const k = profile_shown(d);
	const char *facts[PROFILE_FACTS];
	const size_t n = facts_of(k, a, facts);
	*p = (struct panel){.name = "card",
			    .title = "How it is measured, and what words mean",
			    .brief_title = "Measured",
			    .paper_title = "How it is measured"};
	struct card *const card = card_new(p, a);
	card->said = in_a_row(k, a);
	card->about = n > FIRST_FACTS ? joined(facts, FIRST_FACTS, n, a) : NULL;
	card_add(card, "measured", profile_made(&k->run, k->windows, a),
		 k->to_come > 0 ? "more to come" : NULL);
	card_add(card, "*",
		 k->other ? "differs by more than both 95 % intervals"
			  : "beyond 99.9 % of noise heads",
		 k->other ? NULL : "10000 heads whose logits are normal numbers");
	card_add(card, "position", "by distance and by key",
		 "shares of the logits' variance in a row");
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		card_add(card, words[i],
			 profile_columns[profile_name_find(words[i], strlen(words[i]))].means,
			 NULL);
	if (!k->heads[0].own && k->own_why)
		card_last(card)->value = arena_printf(a, "n/a: %s", k->own_why);
	/* A page has these under the title of the table. */
	card->n_spare = card->n_keys = card->n - 1;
	card->n_first = 4;
}
