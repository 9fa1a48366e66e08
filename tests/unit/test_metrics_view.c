/* test_metrics_view.c: the view Metrics: its sentence, and its matrix first. */
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_view.h"

FIXTURE(open_arena, close_arena)

/* The weights of a repeated word, where only positions differ: equal without positions, of the distance alone
 * for T5, and to earlier keys under a causal mask. */
TEST(metrics_say_what_is_to_be_seen)
{
	static const char *const all[][3] = {
		{"none", "", "positions change nothing"},
		{"none+causal", "", "positions change nothing"},
		{"t5", "",
		 "depend on distance alone (0.989), fall with it (1.000), and go as much to earlier as to "
		 "later keys (direction 0)"},
		{"t5+causal", "", "and go to earlier keys"},
		{"t5", "sentence word\n", "One token has one position"}};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		const struct picture *const p = help_picture(
			&arena, all[i][0], arena_printf(&arena, "view metrics\n%s", all[i][1]));
		if (!p->figure.finding || !strstr(p->figure.finding, all[i][2]))
			fail_msg("%s: %s", all[i][0], p->figure.finding);
		assert_int_equal(p->figure.panels[1].priority, 0);
		assert_string_equal(p->figure.panels[1].name, "repeated");
	}
}

/* A node that the scheme inserts is one of the rows, as in the sentence. What cannot be read is said to be
 * so, and numbers have their meanings beside them. */
TEST(metrics_of_inserted_nodes)
{
	const struct picture *const p = help_picture(&arena, "graphormer", "view metrics\n");
	const struct panel *const map = help_named_panel(&p->figure, "repeated");
	const struct panel *const card = help_named_panel(&p->figure, "probes");
	const struct table *const t = &help_named_panel(&p->figure, "numbers")->table;
	assert_int_equal(map->heatmap.values.rows, 10);
	assert_non_null(strstr(map->note, "1 is [VNode]"));
	assert_string_equal(card->card.lines[0].key, "position");
	assert_string_equal(card->card.lines[0].value, "cannot be read");
	assert_non_null(strstr(card->card.lines[0].note, "32.2 by guessing"));
	assert_string_equal(t->head[4], "1 would be");
	assert_string_equal(t->cells[4], "distance only");
	assert_non_null(
		strstr(t->legend, "1 word: of the weights when every position has the same word"));
	const struct picture *const other = help_picture(&arena, "sinusoidal", "view metrics\n");
	assert_non_null(
		strstr(help_named_panel(&other->figure, "probes")->card.lines[0].value, "off by "));
	assert_int_equal(help_named_panel(&other->figure, "repeated")->heatmap.values.rows, 9);
}
