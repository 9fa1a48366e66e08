/* test_view_which.c: how heads, layers and expressions are called: nothing is said of a file that it does not say,
 * and the user's names stand wherever numbers do. */
#include <string.h>

#include "test.h"
#include "help_files.h"
#include "help_arena.h"
#include "help_view.h"
#include "posviz/app/app.h"
#include "posviz/base/strbuf.h"
#include "posviz/format/file.h"

FIXTURE(open_folder, close_folder)

static const char square[] = "0.5,0.25,0.25\n0.25,0.5,0.25\n0.25,0.25,0.5\n";
static const char heads[] = "{\"tensors\":{\"data\":{\"shape\":[3,3,3],\"data\":["
			    "1,0,0, 0,1,0, 0,0,1, 0.5,0.5,0, 0,0.5,0.5, 0.5,0,0.5,"
			    "0,1,0, 0,0,1, 1,0,0]}}}";

static void add(struct strbuf *b, const char *text)
{
	strbuf_printf(b, "%s\n", text ? text : "");
}

/* The words of a figure. */
static const char *words_of(const struct figure *f)
{
	struct strbuf b;
	strbuf_init(&b, &arena);
	add(&b, f->title);
	add(&b, f->subtitle);
	add(&b, f->caption);
	for (size_t i = 0; i < f->n; i++) {
		const struct panel *const p = &f->panels[i];
		const char *const texts[] = {p->title,	    p->note,	   p->subtitle,
					     p->short_note, p->paper_note, p->paper_title};
		for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
			add(&b, texts[k]);
		for (size_t k = 0; p->kind == PANEL_CARD && k < p->card.n; k++) {
			add(&b, p->card.lines[k].value);
			add(&b, p->card.lines[k].note);
		}
		for (size_t k = 0; p->kind == PANEL_CURVES && k < p->curves.n; k++)
			add(&b, p->curves.series[k].label);
	}
	return b.at;
}

static const char *words(const char *expression, const char *lines)
{
	return words_of(&help_picture(&arena, expression, lines)->figure);
}

static void expect(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("\"%s\" is not in\n%s", part, text);
}

static void expect_none(const char *text, const char *part)
{
	if (strstr(text, part))
		fail_msg("\"%s\" is in\n%s", part, text);
}

static const char *const of_a_model[] = {"head",     "layer",	   " d ",      " h ",	  "seed",
					 "identity", "projection", "content ", "probe o", " c 0."};

static void expect_no_model(const char *text)
{
	for (size_t i = 0; i < sizeof of_a_model / sizeof *of_a_model; i++)
		expect_none(text, of_a_model[i]);
}

TEST(a_file_without_axes_has_no_head_and_no_layer)
{
	static const char *const lines[] = {"", "panel weights\n", "view heads\n",
					    "view why\nrow 2\ncol 1\n",
					    "view compare\ncompare matrix(from=t.csv)\n"};
	help_write_text("s.csv", square);
	help_write_text("t.csv", square);
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		expect_none(words("matrix(from=s.csv)", lines[i]), "head 1");
	for (size_t i = 0; i < 2; i++) {
		expect_no_model(words("matrix(from=s.csv)", lines[i]));
		expect_no_model(words("matrix(from=s.csv)+causal", lines[i]));
	}
	expect_no_model(words("matrix(from=s.csv,as=logits)", "panel weights\n"));
	expect_no_model(words("matrix(from=s.csv,as=bias)", "panel bias\n"));
	/* Weights of an added bias are of the model's heads. */
	expect(words("matrix(from=s.csv,as=bias)", ""), "head 1 of 4");
	expect(words("matrix(from=s.csv,as=bias)", ""), "seed 0");
}

TEST(axes_of_a_file_have_its_numbers)
{
	help_write_text("h.json", heads);
	const char *const text = words("matrix(from=h.json)", "heads 3\nd-model 66\nhead 2\n");
	expect(text, "head 2 of 3");
	expect(text, "h 3");
	expect_none(text, "layer");
	expect_none(text, "seed");
}

TEST(names_stand_where_numbers_do)
{
	const char *const named = "name head.2=induction; layer.1=lowest; expr.1=Ours\nhead 2\n";
	const char *text = words("rope", named);
	expect(text, "Ours");
	expect(text, "induction, head 2 of 4");
	expect(text, "lowest, layer 1");
	text = words("alibi", named);
	expect(text, "induction"); /* its curve has that label */
	const struct figure *const f =
		&help_picture(&arena, "rope", arena_printf(&arena, "%sview heads\n", named))
			 ->figure;
	assert_string_equal(f->panels[0].multiples.items[1].title, "induction");
	assert_string_equal(f->panels[0].multiples.items[1].name, "induction");
	assert_string_equal(f->panels[0].multiples.items[2].title, "head 3");
}

TEST(a_name_says_what_a_file_does_not)
{
	help_write_text("s.csv", square);
	const char *const text = words("matrix(from=s.csv)", "name layer.1=layer 5\n");
	expect(text, "layer 5");
	expect_none(text, "layer 1");
}

TEST(names_are_escaped)
{
	const char *const text = words("rope", "name \"head.1=a\\x1B[31m\"\ntitle \"b\\x07\"\n");
	expect_none(text, "\x1B");
	expect_none(text, "\x07");
	expect(text, "a\\x1B");
}

TEST(a_title_takes_the_place_of_the_scheme_s)
{
	const struct figure *const f = &help_picture(&arena, "rope", "title Mine")->figure;
	assert_string_equal(f->title, "Mine");
}

/* Names of files are as long as tells them apart. */
TEST(files_are_told_apart)
{
	static const struct {
		const char *first, *second, *title;
	} rows[] = {
		{"matrix(from=long_name_a.csv)", "matrix(from=long_name_b.csv)",
		 "long_name_a · long_name_b"},
		{"matrix(from=h.json)", "matrix(from=h.json:data)", "h · h:data"},
		{"matrix(from=s.csv)", "matrix(from=s.tsv)", "s.csv · s.tsv"},
		{"matrix(from=s.csv)", "matrix(from=s.csv,as=logits)",
		 "matrix(from=s.csv) · matrix(from=s.csv,as=logits)"},
		{"matrix(from=s.csv)+causal", "rope", "s+causal · rope"},
		{"2*matrix(from=s.csv,as=bias)", "alibi", "2 × s · alibi"},
	};
	help_write_text("long_name_a.csv", square);
	help_write_text("long_name_b.csv", square);
	help_write_text("s.csv", square);
	help_write_text("s.tsv", "0.5\t0.25\t0.25\n0.25\t0.5\t0.25\n0.25\t0.25\t0.5\n");
	help_write_text("h.json", heads);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *const lines = arena_printf(
			&arena, "heads 3\nd-model 66\nview compare\ncompare %s\n", rows[i].second);
		const char *const title = help_picture(&arena, rows[i].first, lines)->figure.title;
		if (strcmp(title, rows[i].title) != 0)
			fail_msg("%s and %s: %s", rows[i].first, rows[i].second, title);
	}
	const char *const lines = "view compare\ncompare alibi\nname expr.2=Theirs\n";
	assert_string_equal(help_picture(&arena, "rope", lines)->figure.title, "rope · Theirs");
}

/* ---- the field ----------------------------------------------------------------------------------- */

TEST(names_join_and_go)
{
	static const struct {
		const char *line, *is;
	} rows[] = {
		{"name head.3=b", "head.3=b"},
		{"name head.1=a = x", "head.1=a = x; head.3=b"},
		{"name layer.2=c ; head.3=d", "head.1=a = x; head.3=d; layer.2=c"},
		{"name head.3=", "head.1=a = x; layer.2=c"},
		{"name none", "none"},
	};
	struct app app;
	app_init(&app);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		unsigned reactions;
		struct err err = {""};
		if (!app_command(&app, rows[i].line, &reactions, &err))
			fail_msg("%s: %s", rows[i].line, err.text);
		assert_string_equal(app.scene.names, rows[i].is);
	}
	app_release(&app);
}

TEST(another_expression_has_not_the_name)
{
	struct app app;
	unsigned reactions;
	app_init(&app);
	assert_true(app_command(&app, "name expr.1=Ours; head.1=a", &reactions, NULL));
	assert_true(app_command(&app, "scheme alibi", &reactions, NULL));
	assert_string_equal(app.scene.names, "head.1=a");
	app_release(&app);
}

TEST(wrong_names_say_what_would_be_right)
{
	static const char *const wrong[] = {"x",	"head=a",   "tail.1=a",
					    "head.0=a", "expr.5=a", "head.1=a; b"};
	struct scene scene;
	scene_init(&scene);
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct err err = {""};
		assert_false(scene_set(&scene, field_find("name"), wrong[i], &err));
		assert_non_null(strstr(err.text, "name: "));
		assert_string_equal(scene.names, "none");
	}
}

/* ---- models as large as there are ---------------------------------------------------------------- */

/* A view of one head and layer makes nothing of the others, nor a matrix of the model's width squared. */
TEST(large_models_are_looked_at_with_little_memory)
{
	static const struct {
		const char *expression, *lines, *says;
	} rows[] = {
		{"rope", "heads 256\nlayers 256\nd-model 1024\nhead 256\n", "head 256 of 256"},
		{"rope", "heads 128\nd-model 32768\npanel bias\n", "head 1 of 128"},
		{"bloom", "heads 112\nd-model 896\nhead 112\npanel bias\n", "head 112 of 112"},
		{"alibi", "t-max 16777216\npanel bias\n", "head 1 of 4"},
		{"t5(heads=200-256)", "heads 256\nd-model 256\nhead 256\npanel bias\n", "head 256"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		expect(words(rows[i].expression,
			     arena_printf(&arena, "memory 200M\n%s", rows[i].lines)),
		       rows[i].says);
	struct scene scene;
	struct measures measures = {0};
	struct err err = {""};
	const char *const lines = "heads 256\nlayers 256\nd-model 1024\nmemory 200M\n";
	const struct picture *const p = help_picture(&arena, "rope", lines);
	const struct measure_request request = {.kinds = MEASURED_ORDER};
	assert_true(scene_parse(&scene, arena_printf(&arena, "scheme rope\n%s", lines), &err));
	if (!analysis_measure_built(&scene.setup, &p->built, &request, &measures, &err))
		fail_msg("%s", err.text);
	assert_true(measures.equivariance.there); /* by the weights of layer 1 */
	assert_string_equal(err.text, "");
}

TEST(files_have_as_many_layers_as_models)
{
	struct strbuf b;
	strbuf_init(&b, &arena);
	strbuf_add(&b, "{\"tensors\":{\"data\":{\"shape\":[80,1,2,2],\"data\":[");
	for (int i = 0; i < 80; i++)
		strbuf_printf(&b, "%s%g,%g,1,0", i ? "," : "", i / 80.0, 1 - i / 80.0);
	strbuf_add(&b, "]}}}");
	help_write_text("layers.json", b.at);
	const struct picture *const p =
		help_picture(&arena, "matrix(from=layers.json)",
			     "sentence a b\nlayers 80\nlayer 80\npanel weights\n");
	expect(words_of(&p->figure), "layer 80");
	assert_within(mat_row(p->trace.layers[79].heads[0].weights, 0)[0], 79 / 80.0, 1e-12);
}
