/* test_plain.c: figures as words: what is said, in which order, and no letter that only draws. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_cli.h"
#include "help_measure.h"
#include "help_view.h"
#include "posviz/base/text.h"
#include "posviz/export/export.h"
#include "posviz/picture/picture.h"

FIXTURE(cli_enter, cli_leave)

/* The figure of one panel, said. */
static const char *say(const struct panel *panel, struct arena *a)
{
	struct figure *const f = arena_calloc(a, 1, sizeof *f);
	char *data;
	size_t len;
	f->title = "Title";
	f->panels[0] = *panel;
	f->n = 1;
	export_plain(f, a, &data, &len);
	assert_int_equal(strlen(data), len);
	return data;
}

/* The parts stand in the text in this order; a line end may belong to two of them. */
static void expect_parts(const char *text, const char *const *parts, size_t n)
{
	const char *at = text;
	for (size_t i = 0; i < n; i++) {
		const char *const found = strstr(at, parts[i]);
		if (!found)
			fail_msg("no \"%s\" behind \"%s\" in:\n%s", parts[i], i ? parts[i - 1] : "",
				 text);
		at = found + strlen(parts[i]);
		at -= at > text && at[-1] == '\n';
	}
}

#define EXPECT(text, ...)                                      \
	expect_parts(text, (const char *const[]){__VA_ARGS__}, \
		     sizeof(const char *const[]){__VA_ARGS__} / sizeof(char *))

static const char *const words[] = {"the", "cat", "chased"};

static struct panel matrix_panel(const double *values, struct arena *a)
{
	struct panel p = {.kind = PANEL_HEATMAP,
			  .title = "Attention weights",
			  .note = "head 1 of 4",
			  .heatmap = {.row_labels = words,
				      .col_labels = words,
				      .row_title = "query t",
				      .col_title = "key s",
				      .colormap = colormap_find("viridis"),
				      .scale = scale_fit(0, 1, SCALE_LINEAR, false, true)}};
	p.heatmap.values = mat_new(a, 3, 3);
	memcpy(p.heatmap.values.at, values, 9 * sizeof *values);
	return p;
}

TEST(a_matrix_is_ranked)
{
	static const double values[] = {1, 0, 0, 0.25, 0.75, 0, 0.125, 0.42, 0.455};
	static const uint8_t masked[] = {0, 1, 1, 0, 0, 1, 0, 0, 0};
	struct arena a;
	arena_init(&a);
	struct panel p = matrix_panel(values, &a);
	p.heatmap.masked = masked;
	p.heatmap.has_cursor = true;
	p.heatmap.row = 2;
	p.heatmap.col = 1;
	EXPECT(say(&p, &a), "Title\n", "\nPanel 1 of 1, matrix: Attention weights, head 1 of 4\n",
	       "\nSize: 3 rows by 3 columns\n", "\nMasked: 3 of 9 cells\n", "\nRange: 0.125 to 1\n",
	       "viridis, from 0 to 1, linear\n",
	       "\nCursor: query 3 chased, key 2 cat: weight 0.42\n", "\nStrongest 6 cells:\n",
	       "\n1. query 1 the, key 1 the: weight 1\n",
	       "\n2. query 2 cat, key 2 cat: weight 0.75\n",
	       "\n3. query 3 chased, key 3 chased: weight 0.455\n",
	       "\n4. query 3 chased, key 2 cat: weight 0.42\n",
	       "\n5. query 2 cat, key 1 the: weight 0.25\n",
	       "\n6. query 3 chased, key 1 the: weight 0.125\n", "\nStrongest in each row:\n",
	       "\nquery 1 the: key 1 the, 1\n", "\nquery 2 cat: key 2 cat, 0.75\n",
	       "\nquery 3 chased: key 3 chased, 0.455\n");
	p.heatmap.col = 2;
	p.heatmap.row = 0;
	EXPECT(say(&p, &a), "\nCursor: query 1 the, key 3 chased: masked\n");
	arena_release(&a);
}

TEST(signs_zeros_and_alarms_are_told)
{
	const double mixed[] = {0.5, -2, 0.5, NAN, 1, INFINITY, 0, 1e-20, 1};
	const double same[] = {3, 3, 3, 3, 3, 3, 3, 3, 3};
	static const uint8_t all[] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
	struct arena a;
	arena_init(&a);
	struct panel p = matrix_panel(mixed, &a);
	p.title = "Position bias";
	/* Equal ones stand in the order of reading. */
	EXPECT(say(&p, &a), "\nAlarm: 2 cells are not a number\n", "\nRange: −2 to 1\n",
	       "\nStrongest 7 cells, by size without sign:\n",
	       "\n1. query 1 the, key 2 cat: bias −2\n", "\n2. query 2 cat, key 2 cat: bias 1\n",
	       "\n3. query 3 chased, key 3 chased: bias 1\n",
	       "\n4. query 1 the, key 1 the: bias 0.5\n");
	p = matrix_panel(same, &a);
	const char *const text = say(&p, &a);
	EXPECT(text, "\nEvery cell: weight 3\n");
	assert_null(strstr(text, "Strongest"));
	p.heatmap.masked = all;
	EXPECT(say(&p, &a), "\nMasked: 9 of 9 cells\n");
	p.absent = "there are no logits";
	EXPECT(say(&p, &a), "\nNot there: there are no logits\n");
	p.off = true;
	EXPECT(say(&p, &a), "head 1 of 4, off\n");
	arena_release(&a);
}

TEST(a_large_matrix_is_cut)
{
	enum { N = 300 };
	struct arena a;
	arena_init(&a);
	struct panel p = {.kind = PANEL_HEATMAP, .title = "Logits"};
	p.heatmap.values = mat_new(&a, N, N);
	for (size_t i = 0; i < N; i++)
		for (size_t k = 0; k < N; k++)
			mat_row(p.heatmap.values, i)[k] = i == k ? 2 : -1e-3 * (double)(i + k);
	const char *const text = say(&p, &a);
	EXPECT(text, "Size: 300 rows by 300 columns\n", "\nRange: −0.597 to 2\n",
	       "\n10. row 10, column 10: logit 2\n", "\nrow 32: column 32, 2\n",
	       "\nand 268 rows more\n");
	assert_null(strstr(text, "\n11. "));
	arena_release(&a);
}

TEST(curves_bars_and_tables_are_said)
{
	const double x[] = {-2, -1, 0, 1, 2}, y[] = {NAN, 0.5, 2, -1, 1.5};
	const double flat[] = {7, 7, 7, 7, 7}, shares[] = {0.1, 0.6, NAN, 0.3};
	static const char *const notes[] = {"10 %", "60 %", "n/a", "30 %"};
	static const char *const labels[] = {"unit–unit", "c2p", "p2p", "p2c"};
	static const bool off[] = {false, false, false, true};
	static const char *const head[] = {"claim", "found"};
	static const char *const cells[] = {"relative", "yes", "bounded", ""};
	struct arena a;
	arena_init(&a);
	const struct series series[] = {{.label = "head 1", .n = 5, .x = x, .y = y, .active = true},
					{.label = "heads 2, 3", .n = 5, .x = x, .y = flat}};
	const struct curve_mark marks[] = {{-2, 1, NULL}, {2, 1, NULL}, {1, 0, "t_max 2"}};
	struct panel p = {.kind = PANEL_CURVES,
			  .title = "Bias by distance",
			  .curves = {.series = series,
				     .n = 2,
				     .marks = marks,
				     .n_marks = 3,
				     .x_title = "s − t"}};
	EXPECT(say(&p, &a), "\nAlong: s − t\n",
	       "\nhead 1 (the one looked at): first 0.5 at −1, last 1.5 at 2, lowest −1 at 1,\n  "
	       "highest 2 at 0\n",
	       "\nmarked at 1: t_max 2\n", "\nheads 2, 3: 7 everywhere, at 5 points\n",
	       "\nmarked at −2\nmarked at 2\n");
	p = (struct panel){.kind = PANEL_BARS,
			   .title = "Terms",
			   .bars = {.n = 4,
				    .labels = labels,
				    .values = shares,
				    .notes = notes,
				    .off = off,
				    .unit = "share of variance"}};
	EXPECT(say(&p, &a), "ranking: Terms\n", "\nEach: share of variance\n", "\n1. c2p: 60 %\n",
	       "\n2. p2c: 30 %, off\n", "\n3. unit–unit: 10 %\n", "\n4. p2p: n/a\n");
	p.bars.notes = NULL;
	EXPECT(say(&p, &a), "\n1. c2p: 0.6\n", "\n4. p2p: not a number\n");
	p = (struct panel){.kind = PANEL_TABLE,
			   .title = "Claims",
			   .table = {.rows = 2, .cols = 2, .head = head, .cells = cells}};
	EXPECT(say(&p, &a), "\nclaim: relative; found: yes\n", "\nclaim: bounded\n");
	arena_release(&a);
}

TEST(cards_and_moves_are_said)
{
	static const struct card_line lines[] = {{"order", "seen", "equivariance 0.2"},
						 {"shift", "0 (1e-16)", NULL},
						 {NULL, NULL, "of the logits"}};
	static const struct link links[] = {{0, 2, true}, {1, 1, false}, {2, 0, true}};
	struct arena a;
	arena_init(&a);
	struct panel p = {
		.kind = PANEL_CARD,
		.title = "Rotary",
		.card = {.about = "Turns pairs.", .formula = "A_{ts} = 1", .lines = lines, .n = 3}};
	EXPECT(say(&p, &a), "\nTurns pairs.\n", "\nformula: A_ts = 1\n",
	       "\norder: seen. equivariance 0.2\n", "\nshift: 0 (1e-16)\n", "\nof the logits\n");
	p = (struct panel){.kind = PANEL_LINKS,
			   .title = "Moves",
			   .links = {.n_above = 3,
				     .n_below = 3,
				     .n = 3,
				     .above = words,
				     .below = words,
				     .links = links,
				     .above_title = "as written",
				     .below_title = "now"}};
	EXPECT(say(&p, &a), "\nFrom: as written; to: now\n", "\ntoken the moved from 1 to 3\n",
	       "\ntoken chased moved from 3 to 1\n", "\nThe other 1 token stayed.\n");
	p.links.n = 0;
	EXPECT(say(&p, &a), "\nNo token moved.\n");
	arena_release(&a);
}

/* Cards come first, and dots that part facts become commas. */
TEST(a_figure_begins_with_its_words)
{
	struct arena a;
	char *data;
	size_t len;
	arena_init(&a);
	struct figure *const f = arena_calloc(&a, 1, sizeof *f);
	*f = (struct figure){.title = "Rotary",
			     .subtitle = "Su 2021   ·   rope   ·   head 1",
			     .caption = "n 3 · d 64",
			     .n = 2};
	f->panels[0] = (struct panel){.kind = PANEL_CURVES, .title = "Curves"};
	f->panels[1] = (struct panel){.kind = PANEL_CARD, .title = "What it does"};
	export_plain(f, &a, &data, &len);
	EXPECT(data, "Rotary\nSu 2021, rope, head 1\nn 3, d 64\n",
	       "\n\nPanel 1 of 2, facts: What it does\n", "\n\nPanel 2 of 2, curves: Curves\n");
	arena_release(&a);
}

/* Lines, and letters that a reader would spell out. */
static void check_form(const char *what, const char *text)
{
	struct arena a;
	arena_init(&a);
	for (const char *at = text; *at;) {
		const size_t len = strcspn(at, "\n");
		const char *const line = arena_strndup(&a, at, len);
		if (text_width(line) > 80)
			fail_msg("%s: %zu columns: %s", what, text_width(line), line);
		if (len > 0 && line[len - 1] == ' ')
			fail_msg("%s: a blank at the end: %s", what, line);
		if (strcmp(text_escape(&a, line, len), line) != 0)
			fail_msg("%s: %s", what, line);
		at += len + (at[len] == '\n');
	}
	for (size_t left = strlen(text); left > 0;) {
		uint32_t code;
		const size_t n = text_decode(text, left, &code);
		assert_true(n > 0);
		/* Box drawing, blocks, geometric shapes; braille. */
		if ((code >= 0x2500 && code <= 0x25ff) || (code >= 0x2800 && code <= 0x28ff))
			fail_msg("%s: U+%04X", what, code);
		text += n;
		left -= n;
	}
	arena_release(&a);
}

static const char *say_scene(const char *expression, const char *lines, struct cache *cache,
			     struct arena *a)
{
	const struct scene scene = help_scene(expression, lines);
	struct picture *p = arena_calloc(a, 1, sizeof *p);
	struct measures measures = {0};
	struct err err;
	char *data;
	size_t len;
	if (!help_measure(&scene.setup, cache, &measures, &err) ||
	    !picture_make(&scene, &measures, false, BACKGROUND_LIGHT, cache, NULL, a, p, &err))
		fail_msg("%s %s: %s", expression, lines, err.text);
	export_plain(&p->figure, a, &data, &len);
	return data;
}

TEST_SAMPLED(every_view_can_be_said, 1, 12)
{
	static const char *const schemes[] = {
		"rope+causal",		 "t5", "gauss", "causal", "deberta", "none",
		"sinusoidal+shaw+causal"};
	static const char *const sentences[] = {"the cat that the dog chased fell asleep .", "a",
						"Donaudampfschifffahrtsgesellschaftskapitänsmützena"
						"bzeichenverordnungstextentwurfsakte "
						"猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫"
						"猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫 عربي"};
	struct cache *cache = cache_new(16 << 20); /* the table takes a second to measure */
	for (const struct view *const *at = views, *v; (v = *at) != NULL; at++)
		for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
			for (size_t k = 0; k < 3; k++) {
				struct arena a;
				if ((view_index(v) + i + 2 * k) % test_parts != test_part)
					continue;
				arena_init(&a);
				const char *lines =
					arena_printf(&a, "view %s\norder reverse\nsentence %s\n",
						     v->name, sentences[k]);
				const char *text = say_scene(schemes[i], lines, cache, &a);
				EXPECT(text, "\n\nPanel 1 of ");
				check_form(arena_printf(&a, "%s %s", v->name, schemes[i]), text);
				arena_release(&a);
			}
	cache_free(cache);
}

TEST(plain_goes_where_it_is_sent)
{
	struct arena a;
	size_t len;
	arena_init(&a);
	const struct cli_case file = {.args = {"render", "rope", "--plain", "-o", "x.txt"}};
	cli_good(&file);
	EXPECT(cli_read("x.txt", &a, &len), "Rotary position embedding\n");
	cli_remove("x.txt");
	static const struct {
		const char *args[6];
		int code;
		const char *says;
	} rows[] = {
		{{"--plain", "--fresh"}, 0, "Rotary position embedding\n"},
		{{"--plain", "--scheme", "t5"}, 0, "Bucketed relative bias\n"},
		{{"render", "--plain"}, 2, "give an expression"},
		{{"render", "rope", "--plain", "--format", "png"}, 2, "plain"},
		{{"render", "rope", "--plain", "-o", "missing/x"}, 2, "directory"},
		{{"render", "rope", "--plain", "--head", "9"}, 2, "there is no 9"},
		{{"list", "--plain"}, 2, "list takes no option --plain"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct cli_case c = {0};
		struct cli_result r;
		memcpy(c.args, rows[i].args, sizeof rows[i].args);
		cli_run(&r, &c);
		if (r.code != rows[i].code || !strstr(r.code == 0 ? r.out : r.err, rows[i].says) ||
		    (r.code == 0 && r.err_len != 0))
			fail_msg("%zu: exit %d: %s%.80s", i, r.code, r.err, r.out);
		cli_done(&r);
	}
	assert_int_equal(cli_files(), 0);
	arena_release(&a);
}
