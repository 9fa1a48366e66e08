/* test_foot.c: what figures say of their numbers: of what is shown and no more, of each where they differ,
 * and whose numbers they are. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test.h"
#include "help_files.h"
#include "help_arena.h"
#include "help_canvas.h"
#include "help_view.h"
#include "posviz/format/file.h"

FIXTURE(open_folder, close_folder)

static const struct figure *figure_of(const char *expression, const char *lines)
{
	return &help_picture(&arena, expression, lines)->figure;
}

static void expect(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("\"%s\" does not say \"%s\"", text, part);
}

static void expect_none(const char *text, const char *part)
{
	if (strstr(text, part))
		fail_msg("\"%s\" says \"%s\"", text, part);
}

static const char three[] = "sentence a b c\nview compare\ncompare alibi; rope+causal\n";

/* ---- files of one name -------------------------------------------------------------------------- */

TEST(files_of_one_name_are_told_by_their_folders)
{
	static const char numbers[] = "1,2,3\n4,5,6\n7,8,9\n";
	static const char *const folders[] = {"a", "b", "a/c", "b/c"};
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
		assert_int_equal(mkdir(folders[i], 0777), 0);
		help_write_text(arena_printf(&arena, "%s/x.csv", folders[i]), numbers);
	}
	help_write_text("y.csv", numbers);
	static const struct {
		const char *left, *right, *says;
	} rows[] = {
		{"a/x.csv", "b/x.csv", "bias from a/x.csv · bias from b/x.csv"},
		{"a/c/x.csv", "b/c/x.csv", "bias from a/c/x.csv · bias from b/c/x.csv"},
		{"a/x.csv", "a/c/x.csv", "bias from a/x.csv · bias from c/x.csv"},
		{"a/x.csv", "y.csv", "bias from x.csv · bias from y.csv"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *const lines = arena_printf(&arena,
						       "sentence a b c\nview compare\n"
						       "compare matrix(from=%s)\n",
						       rows[i].right);
		expect(figure_of(arena_printf(&arena, "matrix(from=%s)", rows[i].left), lines)
			       ->caption,
		       rows[i].says);
	}
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
		assert_int_equal(remove(arena_printf(&arena, "%s/x.csv", folders[i])), 0);
	for (size_t i = sizeof folders / sizeof *folders; i-- > 0;)
		assert_int_equal(rmdir(folders[i]), 0);
}

/* ---- what is shown ------------------------------------------------------------------------------ */

TEST(curves_alone_say_nothing_of_weights)
{
	const char *const lines = arena_printf(&arena, "%spanel curve\n", three);
	const struct figure *const f = figure_of("t5+causal", lines);
	assert_string_equal(f->subtitle, "head 1 of 4");
	expect_none(f->caption, "colours");
}

TEST(maps_say_what_they_are)
{
	const char *const both = arena_printf(&arena, "%spanel weights\n", three);
	expect(figure_of("t5+causal", both)->subtitle,
	       "stroke: masked   ·   head 1 of 4 · layer 1");
	expect(figure_of("t5+causal", both)->subtitle, "one scale");
	expect(figure_of("t5+causal", both)->caption, "colours ink");
	const char *const apart = arena_printf(&arena, "%spanel difference,curve\n", three);
	expect(figure_of("t5+causal", apart)->subtitle, "Attention weights");
	expect_none(figure_of("t5+causal", apart)->subtitle, "one scale");
	const char *const card = arena_printf(&arena, "%spanel card\n", three);
	expect(figure_of("t5+causal", card)->subtitle, "Attention weights");
	expect_none(figure_of("t5+causal", card)->subtitle, "stroke");
}

/* ---- what differs ------------------------------------------------------------------------------- */

TEST(facts_that_differ_are_said_of_each)
{
	expect(figure_of("t5+causal", three)->caption, " · c 1, 0.25 and 0.25 · content 2");
	expect(figure_of("t5", "sentence a b\nview compare\ncompare t5\n")->caption, " · c 1 · ");
	expect(figure_of("t5", "sentence a b\nview compare\ncompare matrix(as=logits)\n")->caption,
	       " · seed 0 · identity projection · c 1 and none · content 2");
}

TEST(values_of_a_sweep_are_said_of_each)
{
	expect(figure_of("t5", "sentence a b c\nview heads\nsweep scale=none,xt\n")->caption,
	       " · c 1 and 0.25 · ");
}

/* ---- whose numbers ------------------------------------------------------------------------------ */

TEST(given_weights_hang_on_no_seed)
{
	static const char *const drawn[] = {"seed", " d ", "projection", " c ", "content"};
	help_write_text("w.csv", "0.5,0.5\n0.25,0.75\n");
	const struct figure *f = figure_of("matrix(from=w.csv)", "sentence a b\nview heads\n");
	expect(f->caption, "n 2 · weights from w.csv");
	for (size_t i = 0; i < sizeof drawn / sizeof *drawn; i++)
		expect_none(f->caption, drawn[i]);
	assert_int_equal(strncmp(f->subtitle, "matrix(from=w.csv)", 18), 0);
	f = figure_of("matrix(from=w.csv)", "sentence a b\n");
	expect(f->caption, "n 2 · weights from w.csv · colours");
	assert_string_equal(help_panel(f, "What it does")->card.formula, "α_ts = M_ts");
}

TEST(a_given_bias_is_added_to_what_is_drawn)
{
	help_write_text("b.csv", "0,-1\n-1,0\n");
	const struct figure *const f =
		figure_of("matrix(from=b.csv)", "sentence a b\nview heads\n");
	expect(f->caption, "n 2 · bias from b.csv · d 64");
	expect(figure_of("matrix(from=b.csv,as=logits)", "sentence a b\n")->caption,
	       "logits from b.csv");
}

TEST(given_units_are_said)
{
	help_write_text("u.csv", "1,0,0,0\n0,1,0,0\n");
	const char *const lines = "sentence a b\nheads 2\nunits u.csv\n";
	const struct figure *f = figure_of("rope", lines);
	expect(f->caption, "token vectors from u.csv");
	f = figure_of("formula", arena_printf(&arena, "%sview heads\n", lines));
	expect(f->caption, "identity projection");
	expect_none(f->caption, "seed");
	f = figure_of("formula", arena_printf(&arena, "%sview heads\nproj random\n", lines));
	expect(f->caption, "seed 0 · random projection");
}

static const struct card_line *line_of(const struct card *card, const char *key)
{
	for (size_t i = 0; i < card->n; i++)
		if (card->lines[i].key && strcmp(card->lines[i].key, key) == 0)
			return &card->lines[i];
	fail_msg("no line %s", key);
	return NULL;
}

TEST(given_parameters_are_said)
{
	struct tensor_set set;
	char *data;
	size_t len;
	tensor_set_init(&set, &arena);
	tensor_set_add(&set, "bias_table", mat_new(&arena, 32, 4), false);
	assert_true(tensor_write_safetensors(&set, &arena, &data, &len, NULL));
	assert_true(file_write("t.safetensors", data, len, true, NULL));
	const struct figure *const f = figure_of("t5", "sentence a b\nparams t.safetensors\n");
	expect(f->caption, "n 2 · bias_table from t.safetensors · d 64");
	const struct card_line *const line =
		line_of(&help_panel(f, "What it does")->card, "values");
	assert_string_equal(line->value, "from a file");
	assert_string_equal(line->note, "bias_table from t.safetensors");
}

/* ---- formulas ----------------------------------------------------------------------------------- */

TEST(a_formula_stands_on_its_page)
{
	const struct figure *f = figure_of("formula", "sentence a b\n");
	assert_string_equal(f->title, "A formula of your own: b(t, s) = −log(1 + |s − t| / 2)");
	assert_string_equal(f->subtitle, "formula   ·   head 1 of 4");
	const struct card *card = &help_panel(f, "What it does")->card;
	const struct card_line *const line = line_of(card, "b(t, s)");
	assert_string_equal(line->formula, "−log(1 + |s − t| / 2)");
	expect_none(card->about, "sqrt");
	f = figure_of("formula", "sentence a b\npresenter on\n");
	assert_string_equal(f->presented->title, "A formula of your own");
	assert_string_equal(f->presented->formula, "b(t, s) = −log(1 + |s − t| / 2)");
	f = figure_of("rope+formula(b=-a*abs(s-t)^2,a=0.3)", "sentence a b\n");
	expect(f->subtitle, "Su et al. 2021   ·   rope+formula");
	assert_string_equal(f->title, "Rotary position embedding + A formula of your own: "
				      "b(t, s) = −a·|s − t|², a = 0.3");
	f = figure_of("alibi", "sentence a b\nview compare\ncompare formula(b=1/(1+t))\n");
	assert_string_equal(f->panels[2].subtitle, "b(t, s) = 1 / (1 + t)");
}

TEST(a_formula_multiplies_or_adds)
{
	const struct figure *const f = figure_of("formula(b=2,op=mul)", "sentence a b\n");
	assert_string_equal(help_panel(f, "What it does")->card.formula,
			    "A_ts = b(t, s) · q_t·k_s / √d_h");
}

TEST(the_reference_point_of_a_formula_follows_from_it)
{
	static const char *const rows[][2] = {
		{"formula", "relative"},
		{"formula(b=-a*abs(s-t),a=0.3)", "relative"},
		{"formula(b=s<=t ? 0 : -inf)", "relative"},
		{"formula(b=t*s)", "both"},
		{"formula(b=s>500 ? s-t : t-s)", "both"},
		{"formula(b=-s)", "absolute"},
		{"formula(b=h)", "none"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct figure *const f = figure_of(rows[i][0], "sentence a b\n");
		const struct card_line *const line =
			line_of(&help_panel(f, "What it does")->card, "reference");
		if (strcmp(line->value, rows[i][1]) != 0)
			fail_msg("%s: %s", rows[i][0], line->value);
	}
}
