/* test_cli_inputs.c: what is given beside the tokens, as a user gives it: position ids, segments that come
 * back, a memory, scaled units, eigenvectors and logits from files. Against numbers of the authors' code,
 * or the definition by hand. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test.h"
#include "help_cli.h"
#include "help_tensors.h"

FIXTURE(cli_enter, cli_leave)

static const char *case_file(const char *name, struct arena *a)
{
	return arena_printf(a, "%s/%s.safetensors", test_data, name);
}

static void read_case(const char *name, struct arena *a, struct tensor_set *set)
{
	struct err err = {""};
	tensor_set_init(set, a);
	if (!help_tensors(set, case_file(name, a), &err))
		fail_msg("%s", err.text);
}

static void near(const double *got, const double *want, size_t n, double tolerance)
{
	for (size_t i = 0; i < n; i++)
		if (!(fabs(got[i] - want[i]) < tolerance))
			fail_msg("number %zu: %.17g, not %.17g", i, got[i], want[i]);
}

/* ---- position ids ------------------------------------------------------------------------------ */

static const char *numbers(const struct tensor *t, struct arena *a)
{
	const char *text = "";
	for (size_t i = 0; i < t->shape[0]; i++)
		text = arena_printf(a, "%s%s%ld", text, i ? " " : "", lround(t->at[i]));
	return text;
}

TEST(given_positions_are_those_of_the_authors)
{
	static const struct {
		const char *name, *expression;
	} rows[] = {
		{"seq/sinusoidal-fairseq-a", "sinusoidal(layout=concat,freq=t2t)"},
		{"seq/sinusoidal-txl-a", "sinusoidal(layout=concat,freq=paper)"},
	};
	for (size_t i = 0; i < 2; i++) {
		struct arena a;
		struct tensor_set want, got;
		arena_init(&a);
		read_case(rows[i].name, &a, &want);
		const struct tensor *at = cli_tensor(&want, "positions");
		const struct tensor *real = tensor_find(&want, "tokens_nonpad");
		cli_good(&(struct cli_case){
			.args = {"dump", rows[i].expression, "-s", "a b c d e f g", "--d-model",
				 "32", "--position-ids", numbers(at, &a), "-o", "p.safetensors"}});
		cli_tensors("p.safetensors", &a, &got);
		const double *x = cli_tensor(&got, "position.vectors")->at;
		const double *y = cli_tensor(&want, "position.vectors")->at;
		size_t compared = 0;
		near(cli_tensor(&got, "position.seq")->at, at->at, 7, 1e-12);
		for (size_t t = 0; t < 7; t++) {
			if (real && real->at[t] < 0.5)
				continue; /* fairseq's padding row is zero */
			near(x + 32 * t, y + 32 * t, 32, 1e-9);
			compared++;
		}
		assert_true(compared >= 5);
		cli_remove("p.safetensors");
		arena_release(&a);
	}
}

/* Tokens move, and what they move over stays. */
TEST(position_ids_stay_with_the_places)
{
	static const double ids[] = {0, 1, 2, 0, 1}, from[] = {5, 6, 7, 8, 9};
	struct arena a;
	struct tensor_set one, two, start;
	arena_init(&a);
	cli_good(
		&(struct cli_case){.args = {"dump", "sinusoidal", "-s", "a b c d e",
					    "--position-ids", "0,1,2,0,1", "-o", "1.safetensors"}});
	cli_good(&(struct cli_case){.args = {"dump", "sinusoidal", "-s", "a b c d e", "--order",
					     "reverse", "--position-ids", "0 1 2 0 1", "-o",
					     "2.safetensors"}});
	cli_good(&(struct cli_case){.args = {"dump", "rope", "-s", "a b c d e", "--position-ids",
					     "start:5", "-o", "3.safetensors"}});
	cli_tensors("1.safetensors", &a, &one);
	cli_tensors("2.safetensors", &a, &two);
	cli_tensors("3.safetensors", &a, &start);
	near(cli_tensor(&one, "position.seq")->at, ids, 5, 1e-12);
	near(cli_tensor(&two, "position.seq")->at, ids, 5, 1e-12);
	near(cli_tensor(&start, "position.seq")->at, from, 5, 1e-12);
	near(cli_tensor(&two, "position.vectors")->at, cli_tensor(&one, "position.vectors")->at,
	     5 * 64, 1e-12);
	near(cli_tensor(&two, "units")->at, cli_tensor(&one, "units")->at + 4 * 64, 64, 1e-12);
	for (size_t i = 1; i <= 3; i++)
		cli_remove(arena_printf(&a, "%zu.safetensors", i));
	arena_release(&a);
}

/* ---- segments ---------------------------------------------------------------------------------- */

/* Yang et al. 2019: c (q_t + r)·g, g of the same segment or of another. */
TEST(xlnet_reads_segments_that_come_back)
{
	static const double segment[] = {1, 0, 0, 1};
	enum { N = 4, D = 16, H = 2, DK = D / H };
	struct arena a;
	struct tensor_set set;
	arena_init(&a);
	cli_good(&(struct cli_case){.args = {"dump", "xlnet(segments=on)", "-s", "a b c d",
					     "--segments", "1 0 0 1", "--d-model", "16", "--heads",
					     "2", "-o", "s.safetensors"}});
	cli_tensors("s.safetensors", &a, &set);
	near(cli_tensor(&set, "position.segment")->at, segment, N, 1e-12);
	const double *const r = cli_tensor(&set, "param.xlnet.r_s_bias")->at;
	const double *const g = cli_tensor(&set, "param.xlnet.seg_embed.0")->at;
	for (size_t h = 0; h < H; h++) {
		const double *q = cli_tensor(&set, "layer.0.head.%zu.q", h)->at;
		const double *got = cli_tensor(&set, "layer.0.head.%zu.term.segment", h)->at;
		for (size_t t = 0; t < N; t++)
			for (size_t s = 0; s < N; s++) {
				const size_t row = (t == 0 || t == 3) != (s == 0 || s == 3);
				double sum = 0;
				for (size_t i = 0; i < DK; i++)
					sum += (q[t * DK + i] + r[h * DK + i]) *
					       g[row * D + h * DK + i];
				assert_true(fabs(got[t * N + s] - sum / sqrt(DK)) < 1e-12);
			}
	}
	cli_remove("s.safetensors");
	arena_release(&a);
}

/* ---- scaled units ------------------------------------------------------------------------------ */

/* Vaswani et al. 2017, section 3.4: embeddings times √d, and then positions. */
TEST(units_are_scaled_before_positions)
{
	static const struct {
		const char *scale;
		double factor;
	} rows[] = {{"sqrt-d", 4}, {"0.5", 0.5}, {"1", 1}};
	for (size_t k = 0; k < 3; k++) {
		struct arena a;
		struct tensor_set set;
		arena_init(&a);
		cli_good(&(struct cli_case){.args = {"dump", "sinusoidal", "-s", "a b c",
						     "--d-model", "16", "--embed-scale",
						     rows[k].scale, "-o", "e.safetensors"}});
		cli_tensors("e.safetensors", &a, &set);
		const double *const u = cli_tensor(&set, "units")->at;
		const double *const p = cli_tensor(&set, "position.vectors")->at;
		double *const want = arena_calloc(&a, 48, sizeof *want), square = 0;
		for (size_t i = 0; i < 48; i++) {
			const double w = pow(10000, -(double)(i % 16 / 2 * 2) / 16);
			const double at = (double)(i / 16) * w;
			want[i] = rows[k].factor * u[i] + (i % 2 ? cos(at) : sin(at));
			assert_true(fabs(p[i] - (i % 2 ? cos(at) : sin(at))) < 1e-12);
			square += u[i] * u[i] / 48;
		}
		assert_true(square > 0.3 && square < 3); /* N(0,1), whatever the scale */
		near(cli_tensor(&set, "layer.0.input")->at, want, 48, 1e-12);
		cli_remove("e.safetensors");
		arena_release(&a);
	}
}

/* A typical unit has the logit `content` with itself in the first layer, which alone reads scaled ones. */
TEST(embed_scale_is_made_good_where_units_are_read)
{
	static const char *const scales[] = {"1", "8"};
	static const char *const files[] = {"e1.safetensors", "e8.safetensors"};
	static const char *const weights[] = {"layer.0.w_q", "layer.1.w_q", "layer.1.w_k"};
	static const double ratio[] = {1.0 / 64, 1, 1};
	struct arena a;
	struct tensor_set set[2];
	arena_init(&a);
	for (size_t k = 0; k < 2; k++) {
		cli_good(&(struct cli_case){.args = {"dump", "none", "-s", "a b c", "--d-model",
						     "16", "--proj", "random", "--embed-scale",
						     scales[k], "-o", files[k]}});
		cli_tensors(files[k], &a, &set[k]);
	}
	for (size_t i = 0; i < 3; i++) {
		const double *const x = cli_tensor(&set[0], "%s", weights[i])->at;
		const double *const y = cli_tensor(&set[1], "%s", weights[i])->at;
		for (size_t j = 0; j < 256; j++)
			assert_true(fabs(y[j] - ratio[i] * x[j]) <= 1e-15 * fabs(x[j]));
	}
	near(cli_tensor(&set[1], "layer.0.head.3.logits")->at,
	     cli_tensor(&set[0], "layer.0.head.3.logits")->at, 9, 1e-12);
	arena_release(&a);
	for (size_t k = 0; k < 2; k++)
		cli_remove(files[k]);
}

/* ---- a memory ---------------------------------------------------------------------------------- */

static const char *meta(const struct tensor_set *set, const char *key)
{
	for (size_t i = 0; i < set->meta_count; i++)
		if (strcmp(set->meta[i].key, key) == 0)
			return set->meta[i].value;
	fail_msg("no %s", key);
	return "";
}

TEST(a_text_with_nul_is_refused)
{
	struct cli_result r;
	cli_write("nul", "a\0b", 3);
	cli_run(&r, &(struct cli_case){.args = {"dump", "rope", "-f", "-", "-o", "x.json"},
				       .input = "nul"});
	assert_int_equal(r.code, 2);
	assert_non_null(strstr(r.err, "without NUL"));
	cli_done(&r);
	cli_remove("nul");
}

TEST(a_dump_has_queries_behind_the_memory)
{
	static const char *const names[] = {"logits", "mask", "weights"};
	struct arena a;
	struct tensor_set set;
	arena_init(&a);
	cli_good(&(struct cli_case){.args = {"dump", "txl(clamp=9)", "-s", "a b c d e f g",
					     "--memory-tokens", "3", "--order", "4 3 2 1", "-o",
					     "m.safetensors"}});
	cli_tensors("m.safetensors", &a, &set);
	for (size_t i = 0; i < 3; i++) {
		const struct tensor *t = cli_tensor(&set, "layer.1.head.0.%s", names[i]);
		assert_int_equal(t->shape[0], 4);
		assert_int_equal(t->shape[1], 7);
	}
	assert_int_equal(cli_tensor(&set, "layer.0.head.0.q")->shape[0], 4);
	assert_int_equal(cli_tensor(&set, "layer.0.head.0.k")->shape[0], 7);
	assert_int_equal(cli_tensor(&set, "layer.0.input")->shape[0], 7);
	assert_int_equal(cli_tensor(&set, "layer.0.output")->shape[0], 4);
	assert_string_equal(meta(&set, "axis.query"), "[\"g\",\"f\",\"e\",\"d\"]");
	assert_string_equal(meta(&set, "axis.key"),
			    "[\"~a\",\"~b\",\"~c\",\"g\",\"f\",\"e\",\"d\"]");
	assert_non_null(strstr(meta(&set, "recipe"), "the first 3 tokens are a memory"));
	/* The first query sees the memory and itself. */
	const double *const mask = cli_tensor(&set, "layer.0.head.0.mask")->at;
	for (size_t s = 0; s < 7; s++)
		assert_int_equal(lround(mask[s]), s < 4);
	cli_remove("m.safetensors");
	arena_release(&a);
}

/* ---- eigenvectors and logits from files -------------------------------------------------------- */

static const char edges[] = "0 1\n1 2\n0 2\n2 3\n3 4\n"; /* G5 of the cases */

TEST(laplacian_takes_the_authors_eigenvectors)
{
	static const char *const names[] = {"head.%zu.logits", "head.%zu.weights",
					    "head.%zu.context"};
	struct arena a;
	struct tensor_set want, got;
	arena_init(&a);
	const char *const file = case_file("struct/lappe-a", &a);
	read_case("struct/lappe-a", &a, &want);
	cli_good(&(struct cli_case){
		.args = {"dump",
			 arena_printf(&a,
				      "laplacian(k=3,local=on,vectors=\"%s:position.canonical\")",
				      file),
			 "--graph", edges, "--units", arena_printf(&a, "%s:input", file),
			 "--weights", file, "--params", file, "--heads", "2", "--layers", "1", "-o",
			 "l.safetensors"}});
	cli_tensors("l.safetensors", &a, &got);
	near(cli_tensor(&got, "layer.0.input")->at, cli_tensor(&want, "embed")->at, 40, 1e-10);
	near(cli_tensor(&got, "eigenvalues")->at, cli_tensor(&want, "eigenvalues")->at + 1, 3,
	     1e-10);
	for (size_t h = 0; h < 2; h++)
		for (size_t i = 1; i < 3; i++)
			near(cli_tensor(&got, arena_printf(&a, "layer.0.%s", names[i]), h)->at,
			     cli_tensor(&want, names[i], h)->at, i == 1 ? 25 : 20, 1e-10);
	cli_remove("l.safetensors");
	arena_release(&a);
}

/* The case has no map of f to vectors; a file beside it says C = [I 0], c = 0. */
static void write_networks(const struct tensor_set *from, struct arena *a)
{
	struct tensor_set set;
	char *bytes;
	size_t len;
	struct err err = {""};
	tensor_set_init(&set, a);
	const struct mat weight = mat_zero(a, 3, 8), bias = mat_zero(a, 1, 8);
	for (size_t i = 0; i < 3; i++)
		mat_row(weight, i)[i] = 1;
	for (size_t i = 0; i < from->count; i++) {
		const struct tensor *const t = &from->tensors[i];
		if (strncmp(t->name, "param.", 6) == 0)
			tensor_set_add(&set, t->name, tensor_mat(t), t->dims == 1);
	}
	tensor_set_add(&set, "param.weight", weight, false);
	tensor_set_add(&set, "param.bias", bias, true);
	if (!tensor_write_safetensors(&set, a, &bytes, &len, &err))
		fail_msg("%s", err.text);
	cli_write("networks.safetensors", bytes, len);
}

TEST(signnet_takes_the_authors_eigenvectors)
{
	struct arena a;
	struct tensor_set want, got;
	arena_init(&a);
	read_case("struct/signnet-a", &a, &want);
	write_networks(&want, &a);
	cli_good(&(struct cli_case){
		.args = {"dump",
			 arena_printf(&a,
				      "signnet(k=3,depth=2,hidden=4,out=3,vectors=\"%s:"
				      "eigenvectors\")",
				      case_file("struct/signnet-a", &a)),
			 "--graph", edges, "--params", "networks.safetensors", "--d-model", "8",
			 "--heads", "2", "-o", "s.safetensors"}});
	cli_tensors("s.safetensors", &a, &got);
	const double *const f = cli_tensor(&want, "position.vectors")->at;
	const double *const x = cli_tensor(&got, "position.vectors")->at;
	for (size_t i = 0; i < 5; i++)
		near(x + 8 * i, f + 3 * i, 3, 1e-12);
	cli_remove("s.safetensors");
	cli_remove("networks.safetensors");
	arena_release(&a);
}

TEST(pnat_takes_the_authors_logits)
{
	static const struct {
		const char *order, *index;
	} rows[] = {{"repair", "classifier.index_default"},
		    {"count", "classifier.index_straight"},
		    {"sort", "classifier.index_quick"}};
	for (size_t k = 0; k < 3; k++) {
		struct arena a;
		struct tensor_set want, got;
		arena_init(&a);
		const char *const file = case_file("struct/pnat-a", &a);
		read_case("struct/pnat-a", &a, &want);
		cli_good(&(struct cli_case){
			.args = {"dump",
				 arena_printf(&a,
					      "pnat(from=classifier,clip=3,order=%s,logits=\"%s:"
					      "classifier.logits\")",
					      rows[k].order, file),
				 "--units", arena_printf(&a, "%s:decoder_input", file), "--heads",
				 "2", "-o", "p.safetensors"}});
		cli_tensors("p.safetensors", &a, &got);
		near(cli_tensor(&got, "position.z")->at, cli_tensor(&want, "%s", rows[k].index)->at,
		     6, 1e-12);
		cli_remove("p.safetensors");
		arena_release(&a);
	}
}

/* ---- pictures ---------------------------------------------------------------------------------- */

TEST(pictures_hold_what_was_given)
{
	static const char *const rows[][8] = {
		{"rope+causal", "--position-ids", "0 1 2 0 1", "--embed-scale", "sqrt-d"},
		{"xlnet(segments=on)", "--segments", "1 0 0 1 1", "--memory-tokens", "2"},
		{"laplacian(k=2,vectors=v.csv)", "--graph", "0 1\n1 2\n", "--proj", "random"},
	};
	static const char vectors[] = "0.7,0.5\n0,-0.7\n-0.7,0.5\n";
	cli_write("v.csv", vectors, strlen(vectors));
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct cli_case c = {
			.args = {"render", rows[i][0], "-o", "x.png", "--caption", "full"}};
		size_t n = 6;
		for (size_t k = 1; k < 8 && rows[i][k]; k++)
			c.args[n++] = rows[i][k];
		if (i < 2) {
			c.args[n++] = "-s";
			c.args[n++] = "a b c d e";
		}
		cli_good(&c);
		cli_good(&(struct cli_case){.args = {"verify", "x.png"}});
		cli_remove("x.png");
	}
	cli_remove("v.csv");
}

/* Turns by neighbours and by halves are one model whatever is given, proven on every pair of units. */
TEST(models_are_compared_with_what_was_given)
{
	static const char *const rows[][2] = {{"--position-ids", "0 1 0 1"},
					      {"--embed-scale", "sqrt-d"},
					      {"--segments", "1 0 0 1"},
					      {"--memory-tokens", "1"}};
	for (size_t i = 0; i < 4; i++) {
		struct cli_result r;
		cli_run(&r, &(struct cli_case){.args = {"check", "--same", "rope",
							"rope(layout=half)", "-s", "a b c d",
							"--t-max", "64", rows[i][0], rows[i][1]}});
		if (r.code != 0 || !strstr(r.out, "every q and k   proven") ||
		    !strstr(r.out, "72 tokens"))
			fail_msg("%s: %d: %s%s", rows[i][0], r.code, r.out, r.err);
		cli_done(&r);
	}
}

TEST(a_relation_is_of_the_memory_too)
{
	struct arena a;
	arena_init(&a);
	cli_good(&(struct cli_case){.args = {"dump", "txl", "-s", "a b c", "--memory-tokens", "2",
					     "--matrix", "relation", "-o", "r.csv"}});
	assert_string_equal(cli_read("r.csv", &a, &(size_t){0}),
			    ",\"~a\",\"~b\",\"c\"\n\"~a\",0,-1,-2\n\"~b\",1,0,-1\n\"c\",2,1,0\n");
	cli_remove("r.csv");
	arena_release(&a);
}

/* ---- errors ------------------------------------------------------------------------------------ */

TEST(what_does_not_fit_is_one_line)
{
	static const struct {
		const char *expression, *option, *value, *says;
	} rows[] = {
		{"rope", "--position-ids", "0 1 2", "position-ids: 3 numbers for 4 tokens"},
		{"rope", "--position-ids", "0 1 2 3 4", "position-ids: 5 numbers for 4 tokens"},
		{"rope", "--position-ids", "0 1 x 3", "\"x\" is not a whole number"},
		{"rope", "--position-ids", "0 1 2 1.5", "\"1.5\" is not a whole number"},
		{"rope", "--position-ids", "0 1 2 99999999999999999999", "out of range"},
		{"rope", "--position-ids", ",", "position-ids: there is no number"},
		{"rope", "--position-ids", "start:x", "position-ids: start: \"x\""},
		{"learned", "--position-ids", "-1 0 1 2",
		 "learned counts positions from 0 to 511 (t-max), and column seq has -1"},
		{"learned", "--position-ids", "start:510",
		 "needs number 513; raise t-max or give smaller position ids"},
		{"learned", "--position-ids", "0 1 2 999999", "needs number 1000000;"},
		{"huang2", "--position-ids", "0 1 2 600",
		 "raise t-max or give position ids that are closer together"},
		{"shaw_abs", "--position-ids", "-5 0 1 2",
		 "counts positions from 0 to 63 (length), and column seq has -5"},
		{"shaw_abs(length=0)", "--position-ids", "-5 0 1 2",
		 "counts positions from 0 to 511 (t-max), and column seq has -5"},
		{"shaw_abs", "--position-ids", "0 1 2 999999", "needs number 1000000;"},
		{"matrix", "--position-ids", "-5 0 1 2",
		 "counts positions from 0 to 15, the size of the matrix, and column seq has -5"},
		{"matrix", "--position-ids", "0 1 2 999999", "needs number 1000000:"},
		{"graphormer", "--position-ids", "0 1 2 3", "graphormer puts tokens among those"},
		{"xlnet(segments=on)", "--segments", "1 0 0", "segments: 3 numbers for 4 tokens"},
		{"xlnet", "--segments", "1 0 0 -1", "\"-1\" is out of range"},
		{"xlnet", "--segments", "1 0 0 b", "\"b\" is not a whole number"},
		{"xlnet", "--memory-tokens", "4", "4 of 4 tokens leave none to look at; at most 3"},
		{"xlnet", "--memory-tokens", "x", "memory-tokens: \"x\" is not a whole number"},
		{"xlnet", "--memory-tokens", "99999", "\"99999\" is out of range"},
		{"gru", "--memory-tokens", "2", "with gru what stands behind the memory"},
		{"sinusoidal(scale_emb=on)", "--embed-scale", "sqrt-d",
		 "sinusoidal(scale_emb=on) multiplies the token vectors, and so does embed-scale"},
		{"cape(scale_emb=on)", "--embed-scale", "2", "and so does embed-scale"},
		{"rope", "--embed-scale", "0", "\"0\" is neither sqrt-d nor a number"},
		{"rope", "--embed-scale", "d", "\"d\" is neither sqrt-d nor a number"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		cli_refuse(&(struct cli_case){.args = {"dump", rows[i].expression, "-s", "a b c d",
						       rows[i].option, rows[i].value, "-o",
						       "x.safetensors"}},
			   rows[i].says);
	cli_refuse(&(struct cli_case){.args = {"dump", "xlnet(segments=on)", "-s", "a ||| b",
					       "--segments", "1 0", "-o", "x.safetensors"}},
		   "the sentence is parted by ' ||| ' already");
	cli_refuse(&(struct cli_case){.args = {"dump", "tpe(scale_emb=on)", "--tree", "(a (b c))",
					       "--embed-scale", "sqrt-d", "-o", "x.safetensors"}},
		   "tpe(scale_emb=on) multiplies the token vectors, and so does embed-scale");
	cli_refuse(&(struct cli_case){.args = {"dump", "xlnet", "-s", "a b c d", "--memory-tokens",
					       "2", "--order", "4 3 2 1", "-o", "x.safetensors"}},
		   "from 1 to 2 must appear once; the memory in front is not counted");
	cli_refuse(
		&(struct cli_case){.args = {"dump", "xlnet", "-s", "a b c", "--governors", "2 0 2",
					    "--memory-tokens", "1", "-o", "x.safetensors"}},
		"governors is of all words");
}

/* A check has a sentence of its own, and says what of the given it does not read. */
TEST(check_says_what_it_does_not_read)
{
	static const struct {
		const char *option, *value, *says;
	} rows[] = {
		{"--position-ids", "0 2 1", "does not read --position-ids;"},
		{"--segments", "0 1 1", "does not read --segments;"},
		{"--memory-tokens", "2", "does not read --memory-tokens;"},
		{"--embed-scale", "100", "does not read --embed-scale;"},
		{"--order", "3 2 1", "does not read --order;"},
		{"--proj", "random", "does not read --proj;"},
		{"--special", "bos", "for another reads --special, --sentence"},
		{"--d-model", "32", NULL},
		{"--ff", "3", NULL},
		{"--t-max", "9", NULL},
		{"--seed", "4", NULL},
		{"--content", "1", NULL},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct cli_result r;
		cli_run(&r, &(struct cli_case){.args = {"check", "rope", rows[i].option,
							rows[i].value, "--sentence", "a b c"}});
		assert_int_equal(r.code, 0);
		assert_non_null(strstr(r.err, "--sentence\n"));
		assert_true(!rows[i].says || strstr(r.err, rows[i].says));
		assert_int_equal(rows[i].says != NULL, strstr(r.err, rows[i].option) != NULL);
		cli_done(&r);
	}
}

TEST(files_that_do_not_fit_are_one_line)
{
	static const struct {
		const char *expression, *file, *says;
	} rows[] = {
		{"laplacian(k=4,vectors=\"%s:position.vectors\")", "struct/lappe-a",
		 "has 3 columns, and k is 4; k=3 would be right"},
		{"laplacian(k=3,vectors=\"%s:eigenvalues\")", "struct/lappe-a", "has 1 dimension;"},
		{"laplacian(k=3,vectors=\"%s:position.vectors\")", "struct/lappe-a",
		 "the vectors are for 5 nodes, and the graph has 4"},
		{"laplacian(vectors=\"%s\")", "struct/not", "no such file"},
		{"pnat(from=classifier,logits=\"%s\")", "struct/pnat-a",
		 "has 6 classes, and clip=4 makes 2 clip of them: 8"},
		{"pnat(from=classifier,clip=3,logits=\"%s:cosine\")", "struct/pnat-a",
		 "has the shape [6, 6]; [tokens, tokens, 2 clip], so [n, n, 6] with clip=3, would"},
		{"pnat(from=classifier,clip=3,logits=\"%s\")", "struct/pnat-a", "is for 6 tokens"},
		{"pnat(logits=\"%s\")", "struct/pnat-a",
		 "logits are read with from=classifier alone"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena a;
		arena_init(&a);
		const char *const at = strstr(rows[i].expression, "%s");
		cli_refuse(&(struct cli_case){.args = {"dump",
						       arena_printf(&a, "%.*s%s%s",
								    (int)(at - rows[i].expression),
								    rows[i].expression,
								    case_file(rows[i].file, &a),
								    at + 2),
						       "-s", "a b c d", "-o", "x.safetensors"}},
			   rows[i].says);
		arena_release(&a);
	}
}

/* A graph puts aside what was moved in another, but not what stands before it on the same line. */
TEST(changes_to_a_structure_hold_in_either_order)
{
	static const char says[] = "edge 1 from a to itself is a loop";
	cli_refuse(&(struct cli_case){.args = {"dump", "graformer", "--graph", "a -> b; b -> c",
					       "--moved-edges", "1:1-1", "-o", "o.json"}},
		   says);
	cli_refuse(&(struct cli_case){.args = {"dump", "graformer", "--moved-edges", "1:1-1",
					       "--graph", "a -> b; b -> c", "-o", "o.json"}},
		   says);
	cli_refuse(&(struct cli_case){.args = {"dump", "tpe", "--governors", "0", "--conllu",
					       "@treebank", "-o", "o.json"}},
		   "governors: 1 number for");
}
