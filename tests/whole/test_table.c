/* test_table.c: the survey's Table 1 with every scheme: what is printed, made and measured; the view of
 * it, its order, filter and card; and the commands that go with it. */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "test.h"
#include "help_canvas.h"
#include "help_view.h"
#include "posviz/app/app.h"
#include "posviz/app/worker.h"
#include "posviz/base/strbuf.h"
#include "posviz/plot/canvas.h"

static struct arena arena;
static struct cache *cache; /* what takes a second to measure is the same in all tests */

static int begin(void **state)
{
	(void)state;
	arena_init(&arena);
	cache = cache_new(16 << 20);
	return 0;
}

static int end(void **state)
{
	(void)state;
	cache_free(cache);
	arena_release(&arena);
	return 0;
}

FIXTURE_ONCE(begin, end)

static struct table_row *make(const char *lines, size_t *n)
{
	const struct scene s = help_scene("none", lines);
	struct table_row *rows;
	struct err err = {""};
	if (!analysis_table(&s.setup, cache, NULL, &arena, &rows, n, &err))
		fail_msg("%s: %s", lines, err.text);
	return rows;
}

static const struct table_row *row_of(const struct table_row *rows, size_t n, const char *id)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(rows[i].scheme->id, id) == 0)
			return &rows[i];
	fail_msg("no row of %s", id);
	return NULL;
}

/* ---- rows --------------------------------------------------------------------------------- */

/* Table 1 of the survey; the count for d 64, h 4, l 2, t_max 512, -1 where it hangs on more. */
static const struct {
	const char *id;
	enum reference ref;
	enum injection inj;
	char learnable, recurring, unbound;
	double count;
} survey[] = {
	{"learned", REF_ABSOLUTE, INJ_EMBEDDING, 'y', 'n', 'n', 512 * 64},
	{"bert", REF_ABSOLUTE, INJ_EMBEDDING, 'y', 'n', 'n', 512 * 64},
	{"axial", REF_ABSOLUTE, INJ_EMBEDDING, 'y', 'n', 'n', -1},
	{"floater", REF_ABSOLUTE, INJ_EMBEDDING, 'y', 'y', 'y', -1},
	{"shortformer", REF_ABSOLUTE, INJ_EMBEDDING, 'n', 'y', 'y', 0},
	{"shaw_abs", REF_ABSOLUTE, INJ_MATRIX, 'y', 'y', 'n', 2.0 * 512 * 512 * 64 * 2},
	{"shaw", REF_RELATIVE, INJ_MATRIX, 'y', 'y', 'n', 2 * 1023 * 64 * 2},
	{"t5", REF_RELATIVE, INJ_MATRIX, 'y', 'y', 'n', 1023 * 4},
	{"huang1", REF_RELATIVE, INJ_MATRIX, 'y', 'y', 'n', 64 * 2 * 4 * 1023},
	{"huang4", REF_RELATIVE, INJ_MATRIX, 'y', 'y', 'n', 64 * 2 * 4 * 1023},
	{"deberta", REF_BOTH, INJ_BOTH, 'y', 'y', 'n', 3 * 512 * 64},
	{"txl", REF_RELATIVE, INJ_MATRIX, 'y', 'y', 'y', 2 * 64 + 64 * 64 * 2 * 4},
	{"tener", REF_RELATIVE, INJ_MATRIX, 'y', 'y', 'y', 2 * 64 * 2 * 4},
	{"da", REF_RELATIVE, INJ_MATRIX, 'y', 'y', 'y', 2 * 4},
	{"tupe_r", REF_BOTH, INJ_MATRIX, 'y', 'n', 'n', 2 * 64 * 64 + 512 * 66},
	{"gru", REF_RELATIVE, INJ_OTHER, 'y', 'n', 'y', 6 * 64 * 64 + 3 * 64},
	{"spe_sine", REF_RELATIVE, INJ_MATRIX, 'y', 'y', 'n', -1},
	{"sinusoidal", REF_ABSOLUTE, INJ_EMBEDDING, 'n', 'n', 'y', 0},
	{"mvpe", REF_ABSOLUTE, INJ_EMBEDDING, 'n', 'n', 'y', 0},
	{"ut", REF_ABSOLUTE, INJ_EMBEDDING, 'n', 'y', 'y', 0},
	{"disan", REF_RELATIVE, INJ_MATRIX, 'n', 'y', 'y', 0},
	{"rope", REF_RELATIVE, INJ_MATRIX, 'n', 'y', 'y', 0},
};

static bool says(const struct fact *f, char letter)
{
	return f->printed == (letter == 'y' ? ANSWER_YES : ANSWER_NO);
}

static void assert_printed(const struct table_row *rows, size_t n)
{
	for (size_t i = 0; i < sizeof survey / sizeof *survey; i++) {
		const struct table_row *r = row_of(rows, n, survey[i].id);
		if (r->scheme->ref != survey[i].ref || r->scheme->inj != survey[i].inj ||
		    !says(&r->facts[CLAIM_LEARNABLE], survey[i].learnable) ||
		    !says(&r->facts[CLAIM_RECURRING], survey[i].recurring) ||
		    !says(&r->facts[CLAIM_UNBOUNDED], survey[i].unbound))
			fail_msg("%s is printed otherwise", survey[i].id);
		if (survey[i].count >= 0 && fabs(r->printed - survey[i].count) > 0.5)
			fail_msg("%s: %g printed, %g is right", survey[i].id, r->printed,
				 survey[i].count);
	}
}

static void assert_measured(const struct table_row *row)
{
	for (enum claim_kind k = 0; k < CLAIM_KINDS; k++) {
		const struct fact *f = &row->facts[k];
		if (fact_differs(f) && !f->why)
			fail_msg("%s: claim %d differs and nobody says why", row->scheme->id,
				 (int)k);
		const bool asked = k != CLAIM_COUNT || f->printed != ANSWER_UNSAID;
		const bool said = asked && f->claimed != ANSWER_UNSAID;
		if (said && f->measured != f->claimed)
			fail_msg("%s: claim %d does not hold", row->scheme->id, (int)k);
		assert_false(f->printed == ANSWER_UNSAID && fact_differs(f));
	}
}

TEST_LONG(rows_print_what_the_survey_prints_and_what_is_measured_holds)
{
	size_t n;
	const struct table_row *rows = make("", &n);
	assert_int_equal(n, scheme_count());
	assert_printed(rows, n);
	for (size_t i = 0; i < n; i++)
		assert_measured(&rows[i]);
}

/* Table 1 counts edges of all t_max positions; the default has them for 64. */
TEST(counts_are_at_the_printed_size)
{
	size_t n;
	const struct table_row *rows = make("", &n), *row = row_of(rows, n, "shaw_abs");
	assert_true(row->made == 2 * 512 * 512 * 16 * 2);
	assert_true(row->printed == 4.0 * (double)row->made); /* d for d_h, of 4 heads */
}

/* Both have a table of the same size; one of them takes a gradient. */
TEST(what_is_frozen_is_made_and_not_learned)
{
	size_t n;
	const struct table_row *rows = make("", &n);
	const struct table_row *own = row_of(rows, n, "learned"),
			       *kept = row_of(rows, n, "freezepe");
	assert_true(own->made == 512 * 64 && own->frozen == 0);
	assert_true(kept->made == 512 * 64 && kept->frozen == kept->made);
	assert_int_equal(own->facts[CLAIM_LEARNABLE].measured, ANSWER_YES);
	assert_int_equal(kept->facts[CLAIM_LEARNABLE].measured, ANSWER_NO);
}

/* The leaves of a model that is really built. */
TEST(made_is_what_a_model_has)
{
	const char *lines = "d-model 24\nheads 3\nlayers 3\nt-max 40\n";
	size_t n;
	const struct table_row *rows = make(lines, &n);
	for (size_t i = 0; i < n; i++) {
		const struct arena_mark mark = arena_mark(&arena);
		const char *at = rows[i].scheme->count_at;
		const struct scene s =
			help_scene(at ? arena_printf(&arena, "%s(%s)", rows[i].scheme->id, at)
				      : rows[i].scheme->id,
				   lines);
		struct built *b = arena_calloc(&arena, 1, sizeof *b);
		struct err err = {""};
		const bool built = setup_build(&s.setup, &arena, b, &err);
		if (built != rows[i].counted)
			fail_msg("%s: %s%s", rows[i].scheme->id, err.text,
				 rows[i].no_count ? rows[i].no_count : "");
		if (built && model_position_parameters(&b->model) != rows[i].made)
			fail_msg("%s: %zu made, %zu counted", rows[i].scheme->id,
				 model_position_parameters(&b->model), rows[i].made);
		if (!built)
			assert_string_equal(err.text, rows[i].no_count);
		arena_rewind(&arena, mark);
	}
}

/* Leaves of 12 layers for 4096 positions would be gigabytes. */
TEST(counting_draws_nothing)
{
	size_t n;
	make("", &n); /* measured, once */
	const size_t before = arena.used;
	const struct table_row *rows =
		make("d-model 768\nheads 12\nlayers 12\nt-max 4096\nmemory 1M\n", &n);
	assert_true(row_of(rows, n, "learned")->made == 4096ul * 768);
	assert_true(row_of(rows, n, "synth_random")->made == 12ul * 4096 * 4096 * 12);
	assert_true(arena.used - before < 1 << 20);
	const struct table_row *odd = make("d-model 9\nheads 2\n", &n);
	assert_false(row_of(odd, n, "learned")->counted);
	assert_non_null(strstr(row_of(odd, n, "learned")->no_count, "divide"));
}

TEST(what_was_measured_is_kept)
{
	const struct scene s = help_scene("none", "");
	struct cache *own = cache_new(16 << 20);
	struct watch watch = {.cancel = true};
	struct table_row *rows, *again;
	struct err err = {""};
	size_t n;
	assert_false(analysis_table(&s.setup, own, &watch, &arena, &rows, &n, &err));
	watch_begin(&watch);
	assert_true(analysis_table(&s.setup, own, &watch, &arena, &rows, &n, &err));
	/* Nothing is evaluated any more, so nothing can be cancelled, at other sizes as well. */
	watch_cancel(&watch);
	const struct scene larger = help_scene("none", "d-model 128\nlayers 3\n");
	assert_true(analysis_table(&larger.setup, own, &watch, &arena, &again, &n, &err));
	for (size_t i = 0; i < n; i++)
		assert_memory_equal(&rows[i].is, &again[i].is, sizeof rows[i].is);
	const struct scene other = help_scene("none", "seed 1\n");
	assert_false(analysis_table(&other.setup, own, &watch, &arena, &again, &n, &err));
	cache_free(own);
}

/* ---- the view --------------------------------------------------------------------------------- */

static struct picture *picture(const char *expression, const char *lines)
{
	const struct scene s =
		help_scene(expression, arena_printf(&arena, "view table\n%s", lines));
	struct picture *p = arena_calloc(&arena, 1, sizeof *p);
	struct err err = {""};
	if (!picture_make(&s, NULL, false, BACKGROUND_LIGHT, cache, NULL, &arena, p, &err))
		fail_msg("%s: %s", lines, err.text);
	help_figure_is_sound(&arena, &p->figure, lines);
	return p;
}

static const struct table *table_of(const struct picture *p)
{
	assert_int_equal(p->figure.panels[0].kind, PANEL_TABLE);
	return &p->figure.panels[0].table;
}

static const char *cell(const struct table *t, size_t row, const char *head)
{
	for (size_t c = 0; c < t->cols; c++)
		if (strcmp(t->head[c], head) == 0)
			return t->cells[row * t->cols + c];
	fail_msg("no column %s", head);
	return NULL;
}

static size_t line_of(const struct table *t, const char *id)
{
	for (size_t i = 0; i < t->rows; i++)
		if (!t->group[i] && strcmp(cell(t, i, "scheme"), id) == 0)
			return i;
	fail_msg("no row of %s", id);
	return 0;
}

/* What needs no evaluation stands at once, and the row that is looked at; of the others so many as are asked for
 * are measured, and none twice. */
TEST(rows_stand_before_they_are_measured)
{
	const struct scene s = help_scene("rope", "view table\n");
	struct cache *own = cache_new(16 << 20);
	const size_t all = scheme_count();
	struct err err = {""};
	for (size_t most = 0; most < 3; most++) {
		struct picture p = {0};
		assert_true(setup_build(&s.setup, &arena, &p.built, &err));
		assert_true(picture_compute_part(&s, most, own, NULL, &arena, &p, &err));
		picture_redraw(&s, NULL, false, BACKGROUND_LIGHT, &arena, &p, NULL);
		assert_int_equal(p.unmeasured, all - 1 - most * (most + 1) / 2);
		help_figure_is_sound(&arena, &p.figure, "table in part");
		const struct table *t = &p.figure.panels[0].table;
		size_t dots = 0;
		for (size_t i = 0; i < t->rows; i++)
			dots += !t->group[i] && strcmp(cell(t, i, "shift"), "…") == 0;
		assert_int_equal(dots, p.unmeasured);
		assert_non_null(strstr(p.figure.panels[0].note, " still being measured"));
		assert_string_not_equal(cell(t, line_of(t, "rope"), "shift"), "…");
		assert_string_equal(cell(t, line_of(t, "shaw"), "count"), "≠ 2112");
		assert_string_equal(cell(t, line_of(t, "rope"), "recurring"), "yes");
		assert_string_equal(cell(t, line_of(t, "alibi"), "unbounded"), "(…)");
		assert_string_equal(cell(t, line_of(t, "fope"), "beyond t-max"), "…");
		assert_string_equal(cell(t, line_of(t, "huang4"), "differs"), "≠ count, …");
		assert_string_equal(cell(t, line_of(t, "tupe_r"), "recurring"), "no");
	}
	cache_free(own);
	const struct picture *const whole = picture("rope", "");
	assert_int_equal(whole->unmeasured, 0);
	for (size_t i = 0; i < table_of(whole)->rows * table_of(whole)->cols; i++)
		assert_null(strstr(table_of(whole)->cells[i], "…"));
}

/* What the filter shows is measured first, from the chosen row outwards, and is all that is still to
 * come: in the order of the table none, learned, sinusoidal, shaw, t5, rope, alibi. */
TEST(rows_in_sight_are_measured_first)
{
	static const struct {
		const char *filter;
		size_t shown, to_come; /* behind the row that is looked at, and one more */
	} cases[] = {
		{"listed none learned sinusoidal shaw t5 rope alibi\n", 7, 5},
		{"filter graph laplacian\n", 1, 1},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct scene s =
			help_scene("t5", arena_printf(&arena, "view table\n%s", cases[i].filter));
		struct cache *own = cache_new(16 << 20);
		struct picture p = {0};
		struct err err = {""};
		assert_true(setup_build(&s.setup, &arena, &p.built, &err));
		assert_true(picture_compute_part(&s, 0, own, NULL, &arena, &p, &err));
		picture_redraw(&s, NULL, false, BACKGROUND_LIGHT, &arena, &p, NULL);
		const struct table *const t = &p.figure.panels[0].table;
		assert_int_equal(t->n_cursor, cases[i].shown);
		if (i > 0) {
			assert_int_equal(p.unmeasured, cases[i].to_come);
		} else {
			assert_true(picture_compute_part(&s, 1, own, NULL, &arena, &p, &err));
			picture_redraw(&s, NULL, false, BACKGROUND_LIGHT, &arena, &p, NULL);
			assert_int_equal(p.unmeasured, cases[i].to_come);
			const struct table *const now = &p.figure.panels[0].table;
			const size_t chosen = now->row;
			assert_string_equal(cell(now, chosen, "scheme"), "t5");
			assert_string_not_equal(cell(now, chosen, "shift"), "…");
			assert_string_not_equal(cell(now, chosen + 1, "shift"), "…");
			assert_string_equal(cell(now, chosen - 1, "shift"), "…");
			assert_string_equal(p.figure.panels[0].note,
					    "7 schemes · 5 still being measured");
		}
		cache_free(own);
	}
}

/* Words that only a measured row can have are looked for in all of them. */
TEST(what_may_pass_the_filter_is_measured_too)
{
	struct scene s = help_scene("alibi", "view table\nfilter refuses\n");
	struct picture p = {0};
	struct err err = {""};
	assert_true(setup_build(&s.setup, &arena, &p.built, &err));
	assert_true(picture_compute_part(&s, 0, NULL, NULL, &arena, &p, &err));
	assert_int_equal(p.unmeasured, scheme_count());
}

/* The screen has a first picture without a measured row, then others with more of them. */
TEST(the_worker_fills_the_table_bit_by_bit)
{
	const struct scene s = help_scene("rope", "view table\n");
	struct worker *const w = worker_new();
	size_t before = SIZE_MAX;
	worker_submit(w, &s);
	for (int i = 0; i < 30000 && before > scheme_count() - 8; i++, usleep(1000)) {
		const struct result *const r = worker_take(w, RESULT_PICTURE);
		if (!r)
			continue;
		assert_true(r->ok);
		assert_true(r->picture.unmeasured < before);
		before = r->picture.unmeasured;
	}
	assert_true(before <= scheme_count() - 8);
	worker_free(w);
}

TEST(the_scene_knows_the_columns)
{
	assert_string_equal(table_sorts[0], "group");
	size_t n = 0;
	for (; table_columns[n].name; n++)
		assert_string_equal(table_columns[n].name, table_sorts[n + 1]);
	assert_int_equal(n + 1, TABLE_SORTS);
}

TEST(every_scheme_has_a_row_in_its_group)
{
	const struct table *t = table_of(picture("rope", ""));
	size_t schemes = 0, groups = 0;
	for (size_t i = 0; i < t->rows; i++) {
		schemes += !t->group[i];
		groups += t->group[i];
		assert_false(t->group[i] && (i + 1 == t->rows || t->group[i + 1]));
		for (size_t j = i + 1; j < t->rows && t->group[i]; j++)
			assert_false(t->group[j] &&
				     strcmp(t->cells[i * t->cols], t->cells[j * t->cols]) == 0);
	}
	assert_true(t->group[0]);
	assert_int_equal(schemes, scheme_count());
	assert_int_equal(t->n_cursor, scheme_count());
	assert_true(groups >= 5);
}

/* Differences have a sign and a word; what nobody printed stands in brackets. */
TEST(cells_tell_printed_from_measured)
{
	const struct table *t = table_of(picture("rope", ""));
	assert_string_equal(cell(t, line_of(t, "shaw"), "count"), "≠ 2112");
	assert_string_equal(cell(t, line_of(t, "shaw"), "count printed"), "2(2 t_max - 1) d l");
	assert_string_equal(cell(t, line_of(t, "shaw"), "differs"), "≠ count");
	assert_string_equal(cell(t, line_of(t, "shaw"), "far keys"), "all one");
	assert_string_equal(cell(t, line_of(t, "learned"), "count"), "32768");
	assert_string_equal(cell(t, line_of(t, "learned"), "differs"), "");
	assert_string_equal(cell(t, line_of(t, "learned"), "beyond t-max"), "refuses");
	assert_string_equal(cell(t, line_of(t, "rope"), "recurring"), "yes");
	assert_string_equal(cell(t, line_of(t, "rope"), "shift"), "0");
	assert_string_equal(cell(t, line_of(t, "alibi"), "unbounded"), "(yes)");
	assert_string_equal(cell(t, line_of(t, "none"), "order"), "0");
	/* Printed as added in the first layer only; the authors' code adds it in all. */
	assert_string_equal(cell(t, line_of(t, "tupe_r"), "recurring"), "no ≠ yes");
}

static const char *chosen(const struct picture *p)
{
	const struct table *t = table_of(p);
	assert_true(t->has_cursor);
	return t->cells[t->row * t->cols];
}

TEST(the_cursor_is_a_row_and_the_card_its_scheme)
{
	const struct picture *p = picture("t5+causal", "");
	assert_string_equal(chosen(p), "t5"); /* without a cursor, what is looked at */
	assert_string_equal(p->figure.panels[1].title, scheme_find("t5", 2, NULL)->title);
	p = picture("t5", "row 1\n");
	assert_string_equal(chosen(p), "none");
	p = picture("t5", "row 99999\n");
	const struct table *t = table_of(p);
	assert_int_equal(t->row, t->cursor_row[t->n_cursor - 1]);
	/* The same picture with another cursor has another card: it is drawn anew. */
	const struct scene s = help_scene("t5", "view table\nrow 2\n");
	struct picture *again = picture("t5", "");
	assert_false(picture_cursor(&s, again));
	picture_redraw(&s, NULL, false, BACKGROUND_LIGHT, &arena, again, NULL);
	assert_string_equal(
		chosen(again),
		table_of(again)->cells[table_of(again)->cursor_row[1] * table_of(again)->cols]);
}

static bool card_says(const struct panel *p, const char *text)
{
	for (size_t i = 0; i < p->card.n; i++)
		if ((p->card.lines[i].value && strstr(p->card.lines[i].value, text)) ||
		    (p->card.lines[i].note && strstr(p->card.lines[i].note, text)))
			return true;
	return false;
}

TEST(the_card_gives_reasons_and_results)
{
	const struct picture *p = picture("shaw", "");
	assert_true(card_says(&p->figure.panels[1], "printed 261888 ≠ 2112 made"));
	assert_true(card_says(&p->figure.panels[1], "the code clips"));
	const struct table *results = &p->figure.panels[2].table;
	bool found = false;
	size_t values = 0;
	for (size_t i = 0; i < results->rows; i++) {
		found |= strcmp(results->cells[i * 3], "BLEU Zh→En newstest2019") == 0 &&
			 strcmp(results->cells[i * 3 + 1], "25.0") == 0;
		values += !results->group[i];
		assert_true(results->group[i] || *results->cells[i * 3 + 2]);
	}
	assert_true(found);
	/* The note counts what the table numbers, and a page that leaves the card out does not seem to lack the row. */
	assert_non_null(
		strstr(p->figure.panels[2].note, arena_printf(&arena, "%zu of them", values)));
	assert_string_equal(p->figure.panels[1].paper_title,
			    arena_printf(&arena, "Card: %s", p->figure.panels[1].title));
	p = picture("rope", "");
	assert_non_null(p->figure.panels[2].absent);
}

TEST(rows_are_sorted_and_what_has_no_number_is_last)
{
	for (int down = 0; down < 2; down++) {
		const struct picture *p =
			picture("rope", down ? "sort made\ndescending on\n" : "sort made\n");
		size_t shown;
		const struct scene s =
			help_scene("rope", down ? "sort made\ndescending on\n" : "sort made\n");
		const struct table_row **rows =
			view_table_rows(&s, p->table, p->n_table, &arena, &shown);
		assert_int_equal(shown, scheme_count());
		for (size_t i = 0; i + 1 < shown; i++) {
			assert_true(rows[i]->counted || !rows[i + 1]->counted);
			if (rows[i + 1]->counted)
				assert_true(down ? rows[i]->made >= rows[i + 1]->made
						 : rows[i]->made <= rows[i + 1]->made);
		}
		assert_false(table_of(p)->group[0]);
	}
	const struct scene printed = help_scene("rope", "sort printed\ndescending on\n");
	size_t n, shown;
	const struct table_row *all = make("", &n);
	const struct table_row **rows = view_table_rows(&printed, all, n, &arena, &shown);
	assert_string_equal(rows[0]->scheme->id, "shaw_abs");
	assert_true(isnan(rows[shown - 1]->printed));
}

/* Without a word for which way, those that differ most come first. */
TEST(rows_in_order_of_differences_begin_with_the_most)
{
	const struct scene s = help_scene("rope", "sort differs\n");
	size_t n, shown, before = CLAIM_KINDS;
	const struct table_row *all = make("", &n);
	const struct table_row **rows = view_table_rows(&s, all, n, &arena, &shown);
	for (size_t i = 0; i < shown; i++) {
		size_t differ = 0;
		for (size_t k = 0; k < CLAIM_KINDS; k++)
			differ += fact_differs(&rows[i]->facts[k]);
		assert_true(differ <= before);
		before = differ;
	}
}

TEST(filters_let_rows_through_by_all_words)
{
	static const struct {
		const char *filter, *in, *out;
	} rows[] = {
		{"shaw", "shaw", "rope"},
		{"relative matrix 2018", "shaw", "t5"},
		{"SHAW 2018 absolute", "shaw_abs", "shaw"},
		{"refuses", "learned", "shaw"},
		{"≠", "shaw", "learned"},
		{"all", "none", NULL},
	};
	size_t n;
	const struct table_row *all = make("", &n);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct scene s =
			help_scene("rope", arena_printf(&arena, "filter %s\n", rows[i].filter));
		size_t shown;
		bool in = false, out = false;
		const struct table_row **at = view_table_rows(&s, all, n, &arena, &shown);
		for (size_t k = 0; k < shown; k++) {
			in |= strcmp(at[k]->scheme->id, rows[i].in) == 0;
			out |= rows[i].out && strcmp(at[k]->scheme->id, rows[i].out) == 0;
		}
		if (!in || out)
			fail_msg("filter %s", rows[i].filter);
	}
	const struct picture *p = picture("rope", "filter nosuchword\n");
	assert_non_null(strstr(p->figure.panels[0].absent, "nosuchword"));
	assert_int_equal(p->figure.n, 1);
}

/* At every size of a terminal the scheme's name is there, and what is left out is said. */
/* Returns how many columns a table shows, by its foot: "6 of 15 columns", "9 more columns: …". */
static int columns_of(const char *text)
{
	const char *const part = strstr(text, " of 15 columns"), *const more = strstr(
									 text, " more column");
	const char *const at = part ? part : more;
	if (!at)
		return 15;
	const int n = (at[-2] == '1' ? 10 : 0) + at[-1] - '0';
	return part ? n : 15 - n;
}

TEST(fewer_columns_on_narrow_screens)
{
	const struct picture *p = picture("shaw", "");
	static const int widths[] = {200, 120, 80, 60, 40};
	int before = 16;
	for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
		struct canvas *c = canvas_new(&arena, 30, widths[i], TIER_MONO, i % 2, true);
		canvas_panel(c, (struct rect){0, 0, 30, widths[i]}, &p->figure.panels[0], true,
			     NULL, NULL);
		struct strbuf text;
		strbuf_init(&text, &arena);
		for (int k = 0; k < c->rows * c->cols; k++)
			strbuf_add(&text, c->cells[k].at);
		assert_non_null(strstr(text.at, "shaw"));
		const int columns = columns_of(text.at);
		if (columns == 15)
			assert_int_equal(i, 0);
		assert_true(columns <= before);
		before = columns;
		if (widths[i] >= 120)
			assert_non_null(strstr(text.at, "Shaw 2018"));
		if (widths[i] >= 60)
			assert_non_null(strstr(text.at, i % 2 ? "! 2112" : "≠ 2112"));
	}
	assert_true(before < 5);
}

/* Whatever scheme is chosen, it is in sight at every size, with most of the columns where there is
 * room for them, and the foot says what is not shown. */
TEST(the_chosen_scheme_is_in_sight)
{
	static const struct {
		int cols, rows, columns;
	} sizes[] = {{200, 50, 14}, {120, 36, 8}, {80, 24, 6}, {60, 20, 4}, {40, 12, 2}};
	static const char *const schemes[] = {"t5", "none", "rope_llama3", "spr_rel", "causal"};
	for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
		const struct picture *const p = picture(schemes[i], "");
		for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
			struct canvas *const c = canvas_new(&arena, sizes[k].rows, sizes[k].cols,
							    TIER_MONO, false, true);
			canvas_figure(c, &p->figure);
			const char *const screen = help_screen(c);
			const char *const here = arena_printf(&arena, "▸ %s ", schemes[i]);
			if (!strstr(screen, here) || strstr(screen, "1–0 of"))
				fail_msg("%s at %d: %s", schemes[i], sizes[k].cols, screen);
			const int columns = columns_of(screen);
			if (columns < sizes[k].columns)
				fail_msg("%d columns at %d: %s", columns, sizes[k].cols, screen);
		}
	}
}

/* A table of few rows below titles shows one of them, not the titles alone. */
TEST(titles_of_a_table_do_not_stand_alone)
{
	static const char *const cells[] = {"Title", "", "About", "", "a", "1", "b", "2"};
	static const bool group[] = {true, true, false, false};
	for (int rows = 4; rows <= 8; rows++) {
		const struct panel p = {
			.kind = PANEL_TABLE,
			.title = "T",
			.table = {.rows = 4, .cols = 2, .cells = cells, .group = group}};
		struct canvas *const c = canvas_new(&arena, rows, 40, TIER_MONO, false, true);
		canvas_panel(c, (struct rect){0, 0, rows, 40}, &p, false, NULL, NULL);
		const char *const screen = help_screen(c);
		if (!strstr(screen, "a  1") || strstr(screen, "1–0") || strstr(screen, "1–1"))
			fail_msg("%d rows: %s", rows, screen);
	}
}

/* ---- commands ----------------------------------------------------------------------------------- */

static unsigned run(struct app *app, const char *line)
{
	unsigned reactions = 0;
	struct err err = {""};
	if (!app_command(app, line, &reactions, &err))
		fail_msg("%s: %s", line, err.text);
	return reactions;
}

/* As a screen does: what is shown is of the scene. */
static void show(struct app *app, struct picture *p)
{
	struct err err = {""};
	if (!picture_make(&app->scene, NULL, false, BACKGROUND_LIGHT, cache, NULL, &arena, p, &err))
		fail_msg("%s", err.text);
	app->shown.picture = p;
	app->shown.scene = &app->scene;
	app->shown.rows = p->trace.query.n;
	app->shown.cols = p->trace.key.n;
}

TEST(the_cursor_walks_over_schemes)
{
	struct app app;
	struct picture p;
	app_init(&app);
	run(&app, "scheme t5+causal");
	run(&app, "cursor 5 2");
	run(&app, "view table");
	assert_int_equal(app.scene.row, 0);
	show(&app, &p);
	size_t n;
	const struct table_row **rows = view_table_rows(&app.scene, p.table, p.n_table, &arena, &n);
	size_t t5 = 0;
	while (strcmp(rows[t5]->scheme->id, "t5") != 0)
		t5++;
	assert_int_equal(run(&app, "cursor down") & REACT_COMPUTE, 0);
	assert_int_equal(app.scene.row, t5 + 2);
	run(&app, "cursor up");
	assert_int_equal(app.scene.row, t5 + 1);
	run(&app, "cursor bottom");
	assert_int_equal(app.scene.row, n);
	run(&app, "cursor down");
	assert_int_equal(app.scene.row, n);
	run(&app, "cursor top");
	assert_int_equal(app.scene.row, 1);
	assert_int_equal(run(&app, "sort next") & REACT_COMPUTE, 0);
	assert_string_equal(table_sorts[app.scene.sort], "scheme");
	run(&app, "view explore");
	assert_int_equal(app.scene.row, 1);
	app_release(&app);
}

/* Its rows are schemes, of which there are more than tokens. */
TEST(a_row_of_the_table_may_be_chosen_from_outside)
{
	struct scene s = help_scene("rope", "view table\n");
	struct built b;
	struct err err = {""};
	assert_true(setup_build(&s.setup, &arena, &b, &err));
	s.row = (long)scheme_count();
	assert_true(view_fits(&s, &b, &err));
	s.row++;
	assert_false(view_fits(&s, &b, &err));
	assert_non_null(strstr(err.text, "row: there is no"));
	s.row = (long)scheme_count();
	s.view = "explore";
	assert_false(view_fits(&s, &b, &err));
}

TEST(a_row_is_picked)
{
	struct app app;
	struct picture p;
	app_init(&app);
	run(&app, "view table");
	show(&app, &p);
	run(&app, "filter shaw 2018 relative");
	run(&app, "cursor top");
	run(&app, "pick-row"); /* the picture is still the one without a filter */
	assert_string_equal(app.scene.setup.scheme, "shaw+causal");
	assert_string_equal(app.scene.view, "explore");
	const size_t entries = app.n_undo;
	run(&app, "undo");
	assert_int_equal(app.n_undo, entries - 1); /* scheme and view are one entry */
	assert_string_equal(app.scene.view, "table");
	run(&app, "filter nosuchword");
	unsigned reactions;
	struct err err = {""};
	assert_false(app_command(&app, "pick-row", &reactions, &err));
	assert_non_null(strstr(err.text, "filter all"));
	app.shown.picture = NULL; /* in a script it is computed */
	run(&app, "filter alibi");
	run(&app, "pick-row");
	assert_string_equal(app.scene.setup.scheme, "alibi+causal");
	app_release(&app);
}
