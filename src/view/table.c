/* table.c: the view Table: the survey's Table 1 with every scheme, and the card of the chosen
 * row.
 *
 * The chosen row is the scene's cursor, or, without a cursor, the row of the scene's scheme. */
#include <string.h>

#include "table_in.h"

static unsigned table_wants(const struct scene *scene)
{
	(void)scene;
	return 0;
}

/* The lines of the table: rows of schemes, with a title above each group. */
struct sheet {
	const struct table_row **rows;
	size_t n;    /* number of schemes */
	size_t *at;  /* [n] the line of each scheme */
	bool *group; /* [lines] the line is a title */
	const char **cells;
	size_t lines, cols;
};

static size_t column_count(void)
{
	size_t n = 0;
	while (table_columns[n].name)
		n++;
	return n;
}

static const char *group_title(const struct scheme *s, struct arena *a)
{
	static const char *const topics[TOPIC_COUNT] = {
		[TOPIC_SEQUENCE] = "",		[TOPIC_TREE] = "Trees · ",
		[TOPIC_GRAPH] = "Graphs · ",	[TOPIC_DECODER] = "Decoders · ",
		[TOPIC_CROSS] = "Languages · ", [TOPIC_ANALYSIS] = "Analyses · "};
	static const char *const references[REF_COUNT] = {[REF_NONE] = "No reference point",
							  [REF_ABSOLUTE] = "Absolute",
							  [REF_RELATIVE] = "Relative",
							  [REF_BOTH] = "Absolute and relative"};
	static const char *const injections[INJ_COUNT] = {
		[INJ_NONE] = "not injected",
		[INJ_EMBEDDING] = "added to the embedding",
		[INJ_MATRIX] = "in the attention matrix",
		[INJ_BOTH] = "in the embedding and the attention matrix",
		[INJ_OTHER] = "otherwise"};
	if (s->flags & SCHEME_MASK)
		return "Masks";
	if (s->flags & SCHEME_MODEL)
		return "Known models";
	return arena_printf(a, "%s%s, %s", topics[s->topic], references[s->ref],
			    injections[s->inj]);
}

static void add_line(struct sheet *s, const struct table_row *row, struct arena *a)
{
	const char **cells = s->cells + s->lines++ * s->cols;
	for (size_t c = 0; c < s->cols; c++)
		cells[c] = table_columns[c].cell(row, a);
}

static void add_title(struct sheet *s, const char *title)
{
	const char **cells = s->cells + s->lines * s->cols;
	for (size_t c = 0; c < s->cols; c++)
		cells[c] = c == 0 ? title : "";
	s->group[s->lines++] = true;
}

static struct sheet make_sheet(const struct view_data *d, struct arena *a)
{
	struct sheet s = {.cols = column_count()};
	const bool grouped = d->scene->sort == 0;
	s.rows = view_table_rows(d->scene, d->table, d->n_table, a, &s.n);
	s.at = arena_calloc(a, s.n + 1, sizeof *s.at);
	s.group = arena_calloc(a, 2 * s.n + 1, sizeof *s.group);
	s.cells = arena_calloc(a, (2 * s.n + 1) * s.cols, sizeof *s.cells);
	double last = -1;
	for (size_t i = 0; i < s.n; i++) {
		const double group = table_group(s.rows[i]->scheme);
		if (grouped && (i == 0 || group < last || group > last))
			add_title(&s, group_title(s.rows[i]->scheme, a));
		last = group;
		s.at[i] = s.lines;
		add_line(&s, s.rows[i], a);
	}
	return s;
}

/* Returns the index of the row under the cursor: the scene's row, else that of the scene's
 * scheme, else the first. */
static size_t chosen_row(const struct view_data *d, const struct sheet *s)
{
	const struct scheme *now = expr_main(&d->built->expr)->scheme;
	if (d->scene->row > 0)
		return (size_t)d->scene->row <= s->n ? (size_t)d->scene->row - 1 : s->n - 1;
	for (size_t i = 0; i < s->n; i++)
		if (s->rows[i]->scheme == now)
			return i;
	return 0;
}

static size_t rows_of_table(const struct view_data *d, struct arena *a, struct view_row **rows,
			    size_t *n)
{
	const struct sheet s = make_sheet(d, a);
	*rows = arena_calloc(a, s.n + 1, sizeof **rows);
	for (*n = 0; *n < s.n; ++*n)
		(*rows)[*n].scheme = s.rows[*n]->scheme;
	return s.n > 0 ? chosen_row(d, &s) + 1 : 0;
}

static const char *shown_note(const struct view_data *d, const struct sheet *s, struct arena *a)
{
	const char *sort = d->scene->sort
				   ? arena_printf(a, ", by %s%s", table_sorts[d->scene->sort],
						  d->scene->descending ? ", descending" : "")
				   : "";
	size_t listed = 0, to_come = 0;
	for (size_t i = 0; i < d->n_table; i++) {
		listed += scene_lists(d->scene, d->table[i].scheme);
		to_come += !d->table[i].known && view_table_may_show(d->scene, &d->table[i], a);
	}
	const char *const n = s->n == listed
				      ? arena_printf(a, "%zu schemes%s", s->n, sort)
				      : arena_printf(a, "%zu of %zu schemes%s", s->n, listed, sort);
	return to_come ? arena_printf(a, "%s · %zu still being measured", n, to_come) : n;
}

/* The meaning of signs in cells. */
static const struct table_sign signs[] = {
	{"(", "( ) measured, the survey does not say"},
	{"≠", "≠ measured otherwise than the survey says"},
	{"…", "… is being measured"},
};

/* The columns whose heads a newcomer cannot know. */
static const char legend[] =
	"recurring: added anew in every layer; unbounded: for any length; count: of learned parameters, at your sizes; "
	"shift: change of logits when all positions move on; order: 0 if word order is not seen; "
	"beyond t-max: sentences longer than t-max; differs: what the measurement contradicts.";

/* Returns the index of the column by which rows are sorted. */
static size_t sorted_column(const struct view_data *d)
{
	size_t c = 0;
	while (table_columns[c].name &&
	       strcmp(table_columns[c].name, table_sorts[d->scene->sort]) != 0)
		c++;
	return c;
}

static void table_panel(const struct view_data *d, const struct sheet *s, struct arena *a,
			struct panel *p)
{
	const char **head = arena_calloc(a, s->cols, sizeof *head);
	bool *right = arena_calloc(a, s->cols, sizeof *right);
	unsigned char *priority = arena_calloc(a, s->cols, sizeof *priority);
	for (size_t c = 0; c < s->cols; c++) {
		head[c] = table_columns[c].head;
		right[c] = table_columns[c].right;
		priority[c] = table_columns[c].priority;
	}
	*p = (struct panel){
		.kind = PANEL_TABLE,
		.title = "Position schemes: what their survey says, and what was measured",
		.brief_title = "Schemes: said and measured",
		.paper_title = "Table 1 of the survey, and what was counted and measured",
		.note = shown_note(d, s, a),
		.short_note = arena_printf(a, "%zu schemes", s->n),
		.subtitle = "Plain words are the survey's; words in (brackets) were measured "
			    "where it says nothing; behind ≠ is what was measured where that "
			    "differs.",
		.rows = 1,
		.cols = 2};
	if (s->n == 0) {
		p->absent =
			arena_printf(a, "no scheme holds “%s”; filter all shows every one",
				     text_escape(a, d->scene->filter, strlen(d->scene->filter)));
		return;
	}
	p->table = (struct table){.rows = s->lines,
				  .cols = s->cols,
				  .head = head,
				  .cells = s->cells,
				  .right = right,
				  .priority = priority,
				  .group = s->group,
				  .has_cursor = true,
				  .row = s->at[chosen_row(d, s)],
				  .cursor_row = s->at,
				  .n_cursor = s->n,
				  .has_col = d->scene->sort > 0,
				  .col = sorted_column(d),
				  .reach = "keys < > sort by them and show them",
				  .legend = legend,
				  .signs = signs,
				  .n_signs = sizeof signs / sizeof *signs};
}

static const char *sizes(const struct view_data *d, struct arena *a)
{
	const struct setup *s = &d->scene->setup;
	return arena_printf(a, "d %ld · h %ld%s · layers %ld · t-max %ld · seed %llu", s->d_model,
			    s->heads, setup_heads_text(s, a), s->layers, s->t_max,
			    (unsigned long long)s->seed);
}

static void table_figure(const struct view_data *d, struct arena *a, struct figure *out)
{
	const struct sheet s = make_sheet(d, a);
	view_frame(d, "table", a, out);
	out->title = "Position schemes: what their survey says, and what was measured";
	out->subtitle = arena_printf(a, "counts at %s", sizes(d, a));
	out->caption = arena_printf(
		a,
		"Survey: Table 1 of Dufter, Schmitt, Schütze 2022. Count: learned parameters at %s. "
		"Measured with default parameters on sentences of %d to %d tokens, d 16, h 2, "
		"t-max "
		"%d: shift, largest change of the logits, also under random projections; order, "
		"equivariance ‖P·T(X) − T(P·X)‖ / ‖T(X)‖, %d shuffles. Recurring: added anew in every "
		"layer. Unbounded: for any length.",
		sizes(d, a), 7, BEHAVIOUR_LONG, BEHAVIOUR_T_MAX, MEASURE_SHUFFLES);
	memcpy(out->col_weight, (unsigned char[]){1, 1}, 2);
	memcpy(out->row_weight, (unsigned char[]){7, 3}, 2);
	/* Rows and names are worth more than a card beside them. */
	out->least_rows = 16;
	out->least_cols = 62;
	out->names_hidden = true;
	table_panel(d, &s, a, &out->panels[0]);
	out->n = 1;
	if (s.n > 0) {
		const struct table_row *row = s.rows[chosen_row(d, &s)];
		card_table_row(d, row, a, &out->panels[1]);
		view_place(&out->panels[1], 1, 0, 1, 2);
		table_results(row->scheme->id, a, &out->panels[2]);
		view_place(&out->panels[2], 1, 1, 1, 3);
		out->panels[1].rows = out->panels[2].rows = 1;
		out->n = 3;
	}
}

const struct view view_table = {"table",
				"Table",
				"What is known of each scheme?",
				table_wants,
				table_figure,
				.rows = rows_of_table,
				.table = true,
				.broad = true,
				.rectangles = true,
				.reads_cursor = true};
