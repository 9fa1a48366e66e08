/* test_panel.c: the table of kinds of panels. */
#include <string.h>

#include "test.h"
#include "posviz/plot/panel.h"

static const struct panel_type *type_of(size_t kind)
{
	return panel_type(&(struct panel){.kind = (enum panel_kind)kind});
}

TEST(each_kind_has_what_all_need)
{
	for (size_t kind = 0; kind < PANEL_KINDS; kind++) {
		const struct panel_type *const type = type_of(kind);
		assert_non_null(type->name);
		assert_non_null(type->noun);
		assert_non_null(type->context);
		assert_true(type->body || type->smallest.lines > 0);
		assert_true(type->least.rows >= type->least.tight_rows);
		assert_true(type->least.cols >= type->least.tight_cols);
		assert_true(type->least.tight_rows > 2 && type->least.tight_cols > 0);
		assert_true(type->draw || (type->cells && type->page));
		assert_true(type->say || type->map);
		for (size_t other = 0; other < kind; other++)
			assert_string_not_equal(type->name, type_of(other)->name);
	}
}

TEST(bars_that_have_a_row_to_themselves_are_beside_each_other)
{
	static const double values[12] = {1, 2, 3};
	const struct panel p = {.kind = PANEL_BARS, .bars = {.n = 12, .values = values}};
	const struct panel_room narrow = {.cols = 40, .alone = true},
				wide = {.cols = 200, .alone = true}, beside = {.cols = 200};
	assert_int_equal(type_of(PANEL_BARS)->rows(&p, &narrow, false), 12 + 2);
	assert_true(type_of(PANEL_BARS)->rows(&p, &wide, false) < 12 + 2);
	assert_int_equal(type_of(PANEL_BARS)->rows(&p, &beside, false), 12 + 2);
}

TEST(what_is_pointed_out_needs_the_rows_of_the_figure)
{
	static const char *const words[] = {"a", "b"};
	const struct mark first = {.kind = MARK_ROW, .row = 0};
	struct figure f = {.n = 2};
	for (size_t i = 0; i < f.n; i++)
		f.panels[i] = (struct panel){
			.kind = PANEL_LINKS,
			.links = {.n_above = 2, .n_below = 2, .above = words, .below = words}};
	f.panels[1].no_cursor = true;
	struct arena a;
	arena_init(&a);
	figure_mark(&f, &first, 1, 0, &a);
	assert_non_null(f.panels[0].links.pointed);
	assert_true(f.panels[0].links.pointed[0]);
	assert_false(f.panels[0].links.pointed[1]);
	assert_null(f.panels[1].links.pointed);
	arena_release(&a);
}
