/* test_taken.c: what of given files is taken, what is missing beside it, what nobody takes, and the setting
 * with which a tensor would fit. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test.h"
#include "help_setup.h"
#include "help_arena.h"

FIXTURE(open_folder, close_folder)

static const char small[] = "sentence a b\nd-model 4\nheads 2\nlayers 2\nt-max 3";

/* The drawn one beside those that are given would be believed to be the file's. */
TEST(weights_that_belong_together_come_together)
{
	static const struct {
		struct help_shaped at[6];
		const char *error; /* NULL: none */
	} rows[] = {
		{{{"wq", 4, 4}, {"w_k", 4, 4}, {"w_v", 4, 4}},
		 "weights: there is \"w_k\" and no layer.0.w_q (4 x 4), nor w_q for all layers; it "
		 "has "
		 "\"wq\""},
		{{{"w_q", 4, 4}}, "no layer.0.w_k"},
		{{{"layer.0.w_q", 4, 4}, {"w_k", 4, 4}, {"w_v", 4, 4}},
		 "there is \"layer.0.w_q\" and no layer.1.w_q (4 x 4)"},
		{{{"layer.0.w_q", 4, 4}, {"layer.1.w_q", 4, 4}, {"w_k", 4, 4}, {"w_v", 4, 4}},
		 NULL},
		{{{"w_ff2", 16, 4}}, "no layer.0.w_ff1"},
		{{{"w_o", 4, 4}}, NULL},
		{{{"layer.1.w_o", 4, 4}}, "no layer.0.w_o"},
		{{{"w_q", 4, 4}, {"w_k", 4, 4}, {"w_v", 4, 4}, {"b_q", 1, 4}}, NULL},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct scene s = help_scene_read("sentence a b\nd-model 4\nheads 2\nscheme none");
		help_set(&s, "weights", help_save_all(rows[i].at, 6));
		if (rows[i].error)
			help_build_refused(&s, rows[i].error);
		else
			assert_null(help_build(&s).note);
	}
}

/* With the name that may have been meant, and whole. */
TEST(what_nobody_takes_is_named)
{
	static const struct {
		const char *role, *scheme;
		struct help_shaped at[7];
		const char *note; /* NULL: none */
	} rows[] = {
		{"weights",
		 "none",
		 {{"w_q", 4, 4}, {"w_k", 4, 4}, {"w_v", 4, 4}, {"bq", 1, 4}},
		 "weights: nothing takes \"bq\" (is it \"b_q\"?)"},
		{"weights",
		 "none",
		 {{"w_o", 4, 4}, {"layer.0.bq", 1, 4}, {"layer.2.w_o", 4, 4}},
		 "weights: nothing takes \"layer.0.bq\" (is it \"layer.0.b_q\"?), \"layer.2.w_o\""},
		{"weights",
		 "none",
		 {{"w_o", 4, 4},
		  {"units", 2, 4},
		  {"param.shaw.w_key", 2, 4},
		  {"layer.0.head.1.q", 2, 2},
		  {"position.seq", 1, 2},
		  {"bias.head.0", 2, 2},
		  {"relation", 2, 2}},
		 NULL},
		{"params",
		 "learned",
		 {{"p", 3, 4},
		  {"bert.encoder.layer.0.attention.self.distance_embedding.weight.of.a.long.name",
		   1, 1},
		  {"b", 1, 1},
		  {"c", 1, 1},
		  {"d", 1, 1}},
		 "params: nothing takes "
		 "\"bert.encoder.layer.0.attention.self.distance_embedding.weight.of.a.long.name\","
		 " "
		 "\"b\", \"c\" and 1 more; posviz show names all"},
		{"params",
		 "learned",
		 {{"learned.p", 3, 4}, {"param.lerned.p", 3, 4}},
		 "params: nothing takes \"param.lerned.p\" (is it \"param.learned.p\"?)"},
		{"params", "learned", {{"learned.p", 3, 4}, {"layer.0.w_q", 4, 4}}, NULL},
		{"params",
		 "learned",
		 {{"learned.p", 3, 4}, {"w_qq", 4, 4}},
		 "params: nothing takes \"w_qq\""},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct scene s = help_scene_read("sentence a b\nd-model 4\nheads 2\nt-max 3");
		help_set(&s, "scheme", rows[i].scheme);
		help_set(&s, rows[i].role, help_save_all(rows[i].at, 7));
		const char *const note = help_build(&s).note;
		if (!rows[i].note != !note || (note && strcmp(note, rows[i].note) != 0))
			fail_msg("row %zu: %s", i, note ? note : "nothing is said");
	}
}

/* The largest magnitude in a leaf. */
static double largest_of(const struct scene *s, const char *base)
{
	const struct built b = help_build(s);
	double most = 0;
	for (size_t i = 0; i < b.model.n_leaves; i++)
		for (size_t j = 0; j < b.model.leaves[i].at.cols; j++)
			if (strcmp(b.model.leaves[i].base, base) == 0)
				most = fmax(most, fabs(b.model.leaves[i].at.at[j]));
	return most;
}

/* DeBERTa's checkpoints have no bias for the keys of relative positions. */
TEST(a_bias_that_files_lack_is_0)
{
	static const struct help_shaped rows[] = {
		{"rel_embeddings", 4, 4}, {"v_k", 4, 4}, {"v_q", 4, 4}, {"v_q_bias", 1, 4}};
	struct scene s = help_scene_read(small);
	help_set(&s, "scheme", "deberta(max_relative=2)");
	help_set(&s, "params", help_save_all(rows, 4));
	const struct built b = help_build(&s);
	size_t zero = 0;
	assert_null(b.note);
	for (size_t i = 0; i < b.model.n_leaves; i++) {
		const struct leaf *const leaf = &b.model.leaves[i];
		assert_true(leaf->given);
		if (strcmp(leaf->base, "v_k_bias") == 0 && mat_row(leaf->at, 0)[3] <= 0)
			zero++;
	}
	assert_int_equal(zero, 2); /* one in each layer */
	/* Not what it would be drawn as. */
	help_set(&s, "params", "");
	help_set(&s, "scheme", "cnn(depth=1)");
	assert_true(largest_of(&s, "bias_1") > 0);
	help_set(&s, "params", help_save_all((struct help_shaped[]){{"kernel_1", 12, 4}}, 1));
	assert_true(largest_of(&s, "bias_1") <= 0);
	/* A matrix is no bias. */
	help_set(&s, "scheme", "deberta(max_relative=2)");
	help_set(&s, "params", help_save_all(rows, 2));
	help_build_refused(&s, "there is no deberta.v_q (4 x 4) in ");
}

/* Whatever parameter or size a leaf hangs on: nothing in the search knows a scheme. */
TEST(a_setting_that_fits_is_proposed)
{
	static const struct {
		const char *role, *lines;
		struct help_shaped at[4];
		const char *part;
	} rows[] = {
		{"params",
		 "scheme shaw(values=off)",
		 {{"w_key", 17, 16}},
		 "shaw.w_key.0 needs 33 x 16; shaw(clip=8) would fit"},
		{"params", "scheme t5", {{"bias_table", 16, 4}}, "; t5(buckets=16) would fit"},
		{"params", "scheme learned+causal", {{"p", 77, 64}}, "; t-max 77 would fit"},
		{"params",
		 "scheme learned",
		 {{"p", 512, 768}},
		 "learned.p needs 512 x 64; d-model 768 would fit"},
		{"params", "scheme t5", {{"bias_table", 32, 8}}, "; heads 8 would fit"},
		{"params", "scheme tener", {{"u", 12, 64}}, "; heads 12 and d-model 768 would fit"},
		{"params", "scheme cope", {{"e", 9, 16}}, "; cope(p_max=9) would fit"},
		/* A side of 0 divides nothing. */
		{"params", "scheme tener", {{"u", 0, 16}}, "tener.u.0 needs 4 x 16"},
		{"params",
		 "scheme t5",
		 {{"bias_table", 16, 12}},
		 "; t5(buckets=16) with heads 12 and d-model 72 would fit"},
		{"weights",
		 "scheme none",
		 {{"w_q", 48, 48}, {"w_k", 48, 48}, {"w_v", 48, 48}},
		 "\"w_q\" is 48 x 48; d-model 64 and ff 256 need 64 x 64; d-model 48 would fit"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct scene s = help_scene_read(rows[i].lines);
		help_set(&s, rows[i].role, help_save_all(rows[i].at, 4));
		help_build_refused(&s, rows[i].part);
	}
	/* Two that fit no model at once. */
	struct scene s = help_scene_read("scheme shaw");
	help_set(&s, "params",
		 help_save_all((struct help_shaped[]){{"w_key", 17, 16}, {"w_value", 19, 16}}, 2));
	struct built b;
	struct err err = {""};
	assert_false(setup_build(&s.setup, &arena, &b, &err));
	if (strstr(err.text, "would fit"))
		fail_msg("%s", err.text);
}

/* The first column of row 0 of a layer's leaf: which file's tensor it is. */
static double first_of(const struct scene *s, const char *name)
{
	const struct built b = help_build(s);
	for (size_t i = 0; i < b.model.n_leaves; i++)
		if (strcmp(b.model.leaves[i].name, name) == 0)
			return b.model.leaves[i].at.at[0];
	fail_msg("no leaf %s", name);
	return 0;
}

/* Tensors 3 x 2, the first of 1 alone, the next of 2. */
static const char *save_marked(const char *const *names, size_t n)
{
	struct tensor_set tensors;
	tensor_set_init(&tensors, &arena);
	for (size_t k = 0; k < n && names[k]; k++) {
		const struct mat m = mat_new(&arena, 3, 2);
		mat_fill(m, (double)(k + 1));
		tensor_set_add(&tensors, names[k], m, false);
	}
	return help_save(&tensors);
}

static const char one_shaw[] = "sentence a b\nd-model 4\nheads 2\nlayers 2\n"
			       "scheme \"shaw(clip=1,values=off)\"";

/* The most precise name that is there, whatever the order. */
TEST(every_name_of_a_leaf_is_taken)
{
	static const struct {
		const char *names[4], *map;
		double first, second; /* of the two layers: which tensor, from 1 */
		const char *note;
	} rows[] = {
		{{"w_key"}, "", 1, 1, NULL},
		{{"shaw.w_key"}, "", 1, 1, NULL},
		{{"param.shaw.w_key"}, "", 1, 1, NULL},
		{{"w_key.0", "w_key.1"}, "", 1, 2, NULL},
		{{"param.w_key.1", "w_key"}, "", 2, 1, NULL},
		{{"shaw.w_key.1", "shaw.w_key.0"}, "", 2, 1, NULL},
		{{"w_key", "shaw.w_key.0"}, "", 2, 1, NULL},
		{{"w_key.0", "shaw.w_key", "shaw.w_key.1"}, "", 2, 3, "nothing takes \"w_key.0\""},
		{{"a", "b"}, "w_key=a", 1, 1, "nothing takes \"b\""},
		{{"a", "b"}, "w_key.0=a shaw.w_key=b", 2, 2, "map: \"w_key.0=a\" is not used"},
		{{"a", "b"}, "w_key=a w_key.0=b", 2, 1, NULL},
		{{"a", "b"}, "shaw.w_key=a shaw.w_key.1=b", 1, 2, NULL},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct scene s = help_scene_read(one_shaw);
		help_set(&s, "params", save_marked(rows[i].names, 4));
		help_set(&s, "map", rows[i].map);
		const char *const said = rows[i].note;
		if (said && strncmp(said, "map", 3) == 0) {
			help_build_refused(&s, said);
			continue;
		}
		const char *const note = help_build(&s).note;
		if (!said != !note || (note && !strstr(note, said)))
			fail_msg("row %zu: %s", i, note ? note : "nothing is said");
		assert_true(fabs(first_of(&s, "shaw.w_key.0") - rows[i].first) <= 0);
		assert_true(fabs(first_of(&s, "shaw.w_key.1") - rows[i].second) <= 0);
	}
}

TEST(a_map_that_is_wrong_says_what_is_right)
{
	static const struct {
		const char *map, *error;
	} rows[] = {
		{"w_kez=a", "no parameter is called \"w_kez\"; there are shaw.w_key, shaw.w_value"},
		{"w_key.2=a", "no parameter is called \"w_key.2\""},
		{"shaw.w_key.L=a", "in \"shaw.w_key.L\" the L stands for a layer; there are 0, 1, "
				   "and shaw.w_key for"},
		{"w_key=b", "map: no tensor \"b\" for leaf shaw.w_key.0"},
	};
	struct scene s = help_scene_read(small);
	help_set(&s, "scheme", "shaw(clip=1)");
	help_set(&s, "params", save_marked((const char *const[]){"a"}, 1));
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		help_set(&s, "map", rows[i].map);
		help_build_refused(&s, rows[i].error);
	}
	struct err err = {""};
	assert_false(scene_set(&s, field_find("map"), " w_key=a  w_value=c w_key=b", &err));
	assert_non_null(strstr(err.text, "map: \"w_key\" is mapped twice"));
	help_set(&s, "map", "w_key=a w_key.0=a");
	help_set(&s, "params", "");
	help_build_refused(&s, "map: there is no file");
}

TEST(what_is_missing_is_named_whole)
{
	struct scene s = help_scene_read(small);
	help_set(&s, "scheme", "shaw(clip=1)");
	help_set(&s, "params",
		 save_marked((const char *const[]){"shaw.w_key.1", "shaw.w_value.0"}, 2));
	help_build_refused(&s, "there is no shaw.w_key.0 (3 x 2), shaw.w_value.1 (3 x 2) in ");
	help_set(&s, "params",
		 help_save_all((struct help_shaped[]){{"w_key", 2, 3}, {"w_value", 3, 2}}, 2));
	help_build_refused(&s, "shaw.w_key.0 needs 3 x 2: transposed it would fit");
}

/* Settings of what is drawn, beside a file that leaves nothing to be drawn. */
TEST(settings_of_drawn_weights_are_told)
{
	static const struct help_shaped all[] = {{"w_q", 4, 4}, {"w_k", 4, 4}, {"w_v", 4, 4}};
	static const struct {
		const char *scheme, *proj, *content, *note;
	} rows[] = {
		{"rope", "random", NULL,
		 "proj means nothing: weights gives every W_q, W_k and W_v"},
		{"rope", NULL, "30", "content means nothing: weights gives every W_q"},
		{"rope", "identity", "2", "proj and content mean nothing"},
		{"rope", NULL, NULL, NULL},
		{"tener", NULL, "30", NULL}, /* its parameters are drawn by it */
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct scene s = help_scene_read(small);
		help_set(&s, "scheme", rows[i].scheme);
		help_set(&s, "weights", help_save_all(all, 3));
		if (rows[i].proj)
			help_set(&s, "proj", rows[i].proj);
		if (rows[i].content)
			help_set(&s, "content", rows[i].content);
		const char *const note = help_build(&s).note;
		if (!rows[i].note != !note || (note && !strstr(note, rows[i].note)))
			fail_msg("row %zu: %s", i, note ? note : "nothing is said");
		const struct scene read = help_scene_read(scene_print(&s, &arena));
		assert_null(help_build(&read).note); /* what was saved is nobody's wish */
	}
	struct scene s = help_scene_read("sentence a b\nd-model 4\nheads 2\nlayers 2\nscheme none");
	help_set(&s, "weights", help_save_all((struct help_shaped[]){{"w_v", 4, 4}}, 1));
	help_set(&s, "content", "3");
	assert_null(help_build(&s).note);
}

/* The file's width is taken, but not against what somebody asked for. */
TEST(a_width_that_units_do_not_have_is_refused)
{
	struct scene s = help_scene_read("scheme none\nheads 2");
	const char *const path = help_save_all((struct help_shaped[]){{"units", 2, 4}}, 1);
	help_set(&s, "units", path);
	assert_int_equal(help_build(&s).model.config.d, 4);
	help_set(&s, "d-model", "64");
	help_build_refused(
		&s, arena_printf(&arena,
				 "d-model: 64, and units \"%s\" are 4 wide; d-model 4, or none, "
				 "would be right",
				 path));
	help_set(&s, "d-model", "4");
	assert_int_equal(help_build(&s).model.config.d, 4);
	s = help_scene_read(arena_printf(&arena, "scheme none\nheads 3\nunits %s", path));
	help_build_refused(
		&s, "do not divide the width of the token vectors, 4; heads 2 would be right");
}

/* Drawn tables of 8 bytes a number: learned [t, 64], diet_abs two of them, deberta [2 t, 64] beside maps.
 * 1 MB holds 1953.1 · 512 bytes. What is proposed fits, one more position
 * does not. */
TEST(what_the_memory_holds_is_proposed)
{
	static const struct {
		const char *scheme, *part;
		size_t t_max; /* 0: not worked out by hand */
	} rows[] = {
		{"diet_abs",
		 "diet_abs.p_q (16777216 x 64) the learned numbers take 8590 MB, above the limit "
		 "of 1 MB; t-max 976 or memory 18G would fit",
		 976}, /* two of them: 17.18 GB */
		{"deberta(buckets=0)", " or memory 18G would fit", 0},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct scene s = help_scene_read("sentence a b c\nmemory 1M");
		help_set(&s, "scheme", rows[i].scheme);
		help_set(&s, "t-max", "16777216");
		help_build_refused(&s, rows[i].part);
		if (!rows[i].t_max)
			continue;
		help_set(&s, "t-max", arena_printf(&arena, "%zu", rows[i].t_max));
		help_build(&s);
		help_set(&s, "t-max", arena_printf(&arena, "%zu", rows[i].t_max + 1));
		help_build_refused(&s, arena_printf(&arena, "; t-max %zu or memory 1.1M would fit",
						    rows[i].t_max));
	}
}

/* A t-max below the tokens of the sentence is none that would do. */
TEST(a_sentence_is_not_told_to_take_less_than_it_needs)
{
	struct scene s = help_scene_read("sentence a b c\nmemory 1M\nscheme diet_abs\nt-max 4096");
	help_build_refused(&s, "; t-max 976 or memory 4.2M would fit"); /* 4194304 bytes */
	help_set(&s, "d-model", "16384");
	help_build_refused(&s,
			   "above the limit of 1 MB; t-max 3 or memory 1.1G would fit"); /* 2^30 */
	help_set(&s, "sentence", "a b c d");
	help_build_refused(&s, "above the limit of 1 MB; memory 1.1G would fit");
}

/* Of t · 4 t numbers 1.5e9 bytes hold t = 6846, and all of them are more than the field memory takes. */
TEST(memory_that_nobody_can_give_is_not_proposed)
{
	struct scene s = help_scene_read("sentence a b c\nlayers 1\nscheme dufter_abs");
	help_set(&s, "t-max", "16777216");
	help_build_refused(&s, "above the limit of 1500 MB; t-max 6846 would fit");
}

/* Most of a wide model are projections, which a shorter input leaves as they are; most of a long
 * input are matrices of its tokens. */
TEST(advice_beside_a_limit_names_what_takes_the_memory)
{
	const char *many = "";
	for (size_t i = 0; i < 1200; i++)
		many = arena_printf(&arena, "%s a", many);
	const struct {
		const char *lines, *says;
	} rows[] = {
		{"sentence a b\nscheme none\nd-model 1024\nlayers 6\nmemory 20M",
		 "MB; take fewer layers or a smaller d-model, or raise memory"},
		{arena_printf(&arena, "sentence%s\nscheme none\nmemory 40M", many),
		 "MB; shorten the input, take fewer heads, or raise memory"},
	};
	for (size_t i = 0; i < 2; i++) {
		const struct scene s = help_scene_read(rows[i].lines);
		const struct want want = {
			.kinds = WANT_WEIGHTS | WANT_OUTPUT, .layer = -1, .head = -1};
		struct built *const b = arena_calloc(&arena, 1, sizeof *b);
		struct trace trace;
		struct err err = {""};
		assert_false(evaluate(&s.setup, &want, NULL, NULL, &arena, b, &trace, &err));
		if (!strstr(err.text, rows[i].says))
			fail_msg("%s", err.text);
	}
}
