/* test_dump_recompute.c: a dump holds everything. Whoever has the file and its recipe computes inputs, terms,
 * logits, weights, contexts and outputs anew, with loops that know nothing of the model. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_recompute.h"
#include "posviz/scene/dump.h"
#include "posviz/scene/scene.h"

static const char base_scene[] = "sentence the cat saw the dog\nspecial cls\nd-model 16\nheads 2\n"
				 "layers 2\nff 10\nt-max 16\nproj random\nseed 3\n";

/* ---- a file ----------------------------------------------------------------------------------- */

/* False, with the reason, where the expression itself is refused. */
static bool dump(const char *text, struct arena *a, struct dumped *f, struct err *err)
{
	const struct want want = {.kinds = dump_wants(), .layer = -1, .head = -1};
	struct scene scene;
	struct built *b = arena_calloc(a, 1, sizeof *b);
	struct trace trace;
	struct tensor_set set;
	char *data;
	size_t len;
	if (!scene_parse(&scene, text, err) ||
	    !evaluate(&scene.setup, &want, NULL, NULL, a, b, &trace, err))
		return false;
	dump_tensors(&scene, b, &trace, false, a, &set);
	if (!tensor_write_safetensors(&set, a, &data, &len, err))
		fail_msg("%s", err->text);
	dumped_read(f, scene.setup.scheme, data, len, a);
	return true;
}

/* ---- what is around the heads ----------------------------------------------------------------- */

static bool has_scheme(const struct dumped *f, const char *scheme)
{
	for (size_t i = 0; i < f->n_members; i++)
		if (strcmp(f->members[i].scheme, scheme) == 0)
			return true;
	return false;
}

static void near(const struct dumped *f, size_t step, struct mat mine, struct mat file,
		 const char *what)
{
	expect_near(&(struct place){.f = f, .step = step}, mine, file, what);
}

/* Rows of 0 in front of the units and behind them, as pad puts them. */
static struct mat with_padding(const struct dumped *f, struct mat units)
{
	size_t left = 0, right = 0;
	for (size_t i = 0; i < f->n_members; i++)
		if (strcmp(f->members[i].scheme, "pad") == 0) {
			left = (size_t)dumped_number(&f->members[i], "left");
			right = (size_t)dumped_number(&f->members[i], "right");
		}
	const struct mat out = loop_zero(f->a, left + units.rows + right, units.cols);
	mat_set(mat_rows(out, left, units.rows), units);
	return out;
}

/* The units as members have them, who may scale them; where they insert others the file has the rows. */
static void check_stream(const struct dumped *f, size_t l, struct mat unit)
{
	const long from = dumped_step(f, l, "q_from");
	if (from >= 0) { /* a memory's rows come from a run on it alone */
		near(f, l, loop_behind(unit, f->memory), dumped_get(f, "layer.%ld.output", from),
		     "part.unit");
		return;
	}
	if (l > 0 || has_scheme(f, "graphbert") || has_scheme(f, "graphormer"))
		return;
	const struct mat units = with_padding(f, dumped_get(f, "units"));
	double scale = f->embed_scale;
	for (size_t i = 0; i < f->n_members; i++)
		if (strstr(f->members[i].json, "\"scale_emb\":true"))
			scale *= sqrt((double)f->d);
	for (size_t t = 0; t < units.rows; t++)
		for (size_t j = 0; j < units.cols; j++)
			mat_row(units, t)[j] *= j < f->d - f->beside ? scale : 0;
	near(f, l, unit, units, "part.unit");
}

static void check_input(const struct dumped *f, size_t l)
{
	char begin[40];
	const int len = snprintf(begin, sizeof begin, "layer.%zu.part.", l);
	struct mat sum = loop_zero(f->a, f->n, f->d);
	for (size_t i = 0; i < f->set.count; i++)
		if (strncmp(f->set.tensors[i].name, begin, (size_t)len) == 0)
			loop_add(sum, tensor_mat(&f->set.tensors[i]));
	near(f, l, sum, dumped_get(f, "layer.%zu.input", l), "input");
	const struct mat unit = dumped_find(f, "layer.%zu.part.unit", l);
	if (unit.at)
		check_stream(f, l, unit);
	recompute_parts(&(struct place){.f = f,
					.step = l,
					.layer = (size_t)dumped_step(f, l, "layer"),
					.x = dumped_get(f, "layer.%zu.input", l)});
}

/* A head's columns of input_q @ w_q + b_q, plus its columns of q_bias; of k and v those of the key head
 * that it reads, `width` columns each. */
static struct mat project(const struct dumped *f, size_t l, char which, size_t head, size_t width)
{
	const size_t at = which == 'q' ? head : head / f->group;
	struct mat x = dumped_find(f, "layer.%zu.input_%c", l, which);
	if (!x.at)
		x = dumped_get(f, "layer.%zu.input", l);
	const struct mat w = dumped_get(f, "layer.%zu.w_%c", l, which);
	const struct mat out = loop_mul(f->a, x, loop_cols(w, at * width, width));
	const struct mat bias = dumped_find(f, "layer.%zu.b_%c", l, which);
	const struct mat added = dumped_find(f, "layer.%zu.%c_bias", l, which);
	if (bias.at)
		loop_add(out, loop_cols(bias, at * width, width));
	if (added.at)
		loop_add(out, loop_cols(added, head * width, width));
	return out;
}

static struct mat raw(const struct dumped *f, const struct place *p, char which)
{
	const struct mat mine = project(f, p->step, which, p->head, f->dk);
	const struct mat file =
		dumped_find(f, "layer.%zu.head.%zu.%c_raw", p->step, p->head, which);
	if (file.at)
		expect_near(p, mine, file, "q_raw or k_raw");
	return mine;
}

static void check_heads(const struct dumped *f, size_t l)
{
	for (size_t h = 0; h < f->heads; h++) {
		struct place p = {.f = f,
				  .step = l,
				  .layer = (size_t)dumped_step(f, l, "layer"),
				  .head = h,
				  .x = dumped_get(f, "layer.%zu.input", l),
				  .xq = dumped_find(f, "layer.%zu.input_q", l),
				  .v = project(f, l, 'v', h, f->dv),
				  .mask = loop_zero(f->a, f->n, f->keys)};
		const struct mat mask = dumped_get(f, "layer.%zu.head.%zu.mask", l, h);
		loop_add(loop_behind(p.mask, f->memory), mask);
		p.xq = p.xq.at ? p.xq : p.x;
		p.q_raw = raw(f, &p, 'q');
		p.k_raw = raw(f, &p, 'k');
		recompute_head(&p);
	}
}

/* ---- behind the heads ------------------------------------------------------------------------- */

static void check_output(const struct dumped *f, size_t l)
{
	near(f, l, recompute_output(f, l), dumped_get(f, "layer.%zu.output", l), "output");
}

/* The other stream of complex: the same weights and values of its own, in heads that know but one softmax. */
static void check_imaginary(const struct dumped *f, size_t l)
{
	const struct dumped_member *m = &f->members[0];
	if (strcmp(m->scheme, "complex") != 0 || dumped_is(m, "attention", "split"))
		return;
	const struct mat x = dumped_get(f, "layer.%zu.member.%s.input", l, m->name);
	const struct mat v = loop_mul(f->a, x, dumped_get(f, "layer.%zu.w_v", l));
	const struct mat context = loop_zero(f->a, f->n, f->heads * f->dv);
	for (size_t h = 0; h < f->heads; h++) {
		const struct mat own =
			loop_mul(f->a, dumped_get(f, "layer.%zu.head.%zu.weights", l, h),
				 loop_cols(v, h / f->group * f->dv, f->dv));
		loop_add(loop_cols(context, h * f->dv, f->dv), own);
	}
	const struct mat output = dumped_get(f, "layer.%zu.member.%s.output", l, m->name);
	near(f, l, recompute_block(f, l, context, x), output, "the imaginary output");
	if (l + 1 < f->steps)
		near(f, l, output, dumped_get(f, "layer.%zu.member.%s.input", l + 1, m->name),
		     "the next imaginary input");
}

/* ---- tests ------------------------------------------------------------------------------------ */

static bool recomputes(const char *scene, const char *expression, struct err *err)
{
	struct arena a;
	struct dumped f;
	arena_init(&a);
	const bool ok = dump(arena_printf(&a, "%sscheme %s\n", scene, expression), &a, &f, err);
	for (size_t l = 0; ok && l < f.steps; l++) {
		check_input(&f, l);
		check_heads(&f, l);
		check_output(&f, l);
		check_imaginary(&f, l);
	}
	arena_release(&a);
	return ok;
}

static void must_recompute(const char *scene, const char *expression)
{
	struct err err = {0};
	if (!recomputes(scene, expression, &err))
		fail_msg("%s: %s", expression, err.text);
}

TEST(every_scheme_is_computed_anew)
{
	for (size_t i = 0; i < scheme_count(); i++)
		must_recompute(base_scene, scheme_at(i)->id);
}

TEST(what_has_a_weight_adds_that_much)
{
	size_t tried = 0;
	for (size_t i = 0; i < scheme_count(); i++) {
		struct arena a;
		struct expr e;
		arena_init(&a);
		assert_true(expr_parse(&e, scheme_at(i)->id, &a, NULL));
		if (expr_takes_weight(&e.members[0], NULL)) {
			must_recompute(base_scene, arena_printf(&a, "-0.75*%s", scheme_at(i)->id));
			tried++;
		}
		arena_release(&a);
	}
	assert_true(tried > 30);
}

/* Values that mean something with others only, or not in so small a model: what the errors say. */
static const char *const refused[] = {"does nothing with",
				      "so say causal=off",
				      "is for global tokens",
				      "weights are finite",
				      "an even number of at least 4",
				      "divides by ln L"};

static void try_value(const struct scheme *s, const char *param, const char *value, size_t *tried)
{
	char text[200];
	struct err err = {0};
	snprintf(text, sizeof text, "%s(%s=%s)", s->id, param, value);
	*tried += 1;
	if (recomputes(base_scene, text, &err))
		return;
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
		if (strstr(err.text, refused[i]))
			return;
	fail_msg("%s: %s", text, err.text);
}

/* A step up of a number. */
static void try_step(const struct scheme *s, const struct param *p, size_t *tried)
{
	struct arena a;
	arena_init(&a);
	void *params = scheme_defaults(s, &a);
	if (param_is_used(p, params) && param_step(p, params, 1))
		try_value(s, p->name, param_print(p, params, &a), tried);
	arena_release(&a);
}

TEST(every_value_is_computed_anew)
{
	size_t tried = 0;
	for (size_t i = 0; i < scheme_count(); i++) {
		const struct scheme *s = scheme_at(i);
		for (const struct param *p = s->params; p && p->name; p++) {
			for (size_t k = 0; p->type.kind == &value_choice && p->type.choices[k]; k++)
				try_value(s, p->name, p->type.choices[k], &tried);
			if (p->type.kind == &value_switch)
				try_value(s, p->name, p->type.def > 0 ? "off" : "on", &tried);
			if (value_is_number(&p->type))
				try_step(s, p, &tried);
		}
	}
	assert_true(tried > 400);
}

static const char *const mixtures[] = {
	"sinusoidal+shaw(clip=3)+causal",
	"rope+alibi",
	"0.5*t5+0.25*alibi",
	"rope+0.5*alibi(heads=2)+-2*shaw(layers=1)",
	"0*t5+0.3*t5(buckets=8,max_distance=20)",
	"0.5*formula(b=-a*abs(s-t)^p,a=0.1,p=1.5)",
	"alibi+rand_pe(sinusoids=off)",
	"rand_pe+t5+causal",
	"learned+tupe_a",
	"learned+tupe_r+alibi",
	"gru+shaw",
	"t5+t5(buckets=8,max_distance=20)",
	"alibi(heads=1)+shaw(heads=2,sign=ts)",
	"shaw(layers=2)+alibi(causal=off,direction=asymmetric,ahead=2)",
	"alibi(causal=off,direction=halves)",
	"rope(layout=half,partial=0.5)+shaw(table=sinusoidal)",
	"rope_yarn(rotary_value=on,factor=4)+causal",
	"rope_yarn(rotary_value=on,factor=4,partial=0.5)",
	"stickbreak+alibi",
	"rope+qk_norm+alibi(causal=off)",
	"qk_norm(kind=layer)+rope+causal",
	"qk_norm(span=all)+rope+causal",
	"rope+qk_norm(kind=layer,span=all,heads=2)",
	"qk_norm(kind=layer,span=own)+alibi",
	"alibi+softcap(cap=2)+sink",
	"softcap(cap=1)+0.5*t5+sink(learned=off,sigma=1)",
	"diff+shaw+causal",
	"diff(norm=off,learned=off,lambda=0.7)+0.5*alibi(causal=off)",
	"retnet(divisor=paper)+alibi",
	"cable+rope",
	"sinusoidal+pad(left=1,right=2)+causal",
	"rope+prefix+alibi(causal=off)",
	"rope+logn(length=3)+temperature+causal",
	"rope+ssmax(bias=on)+temperature_tuning(floor_scale=2)+sink+causal",
	"rope+cope",
	"txl+stickbreak",
	"fox+shaw+rope",
	"path(forget=on)+t5(causal=on)",
	"path(conv=on)",
	"selrope+fox",
	"tape(mix=heads)+causal",
	"tape(width=5,heads=2)+alibi",
	"sinusoidal+tape(width=3,layers=2,pos=remaining)",
	"selrope(bias=on,gate=on)+sinusoidal",
	"fope(gain=0.5,length=64)+causal",
	"da+t5(scale=rsqrt)",
	"sinusoidal+da",
	"huang1+alibi(causal=off)",
	"t5(scale=rsqrt)+huang3",
	"kerple_power(weight=ap)+causal",
	"deberta(emd=on)",
	"deberta(emd=on,share=on)+causal",
	"sinusoidal+resdrop",
	"learned+resdrop(query=reversed,residual=mean)",
	"ort+sinusoidal",
	"ort(width=5,pos=remaining)",
	"floater(site=bias)+alibi",
	"shortformer+causal",
	"diet_abslin+sinusoidal",
	"xlnet(segments=on,untie=on,clamp=2)",
	"spe_sine(samples=8,gated=off)",
	"spe_conv(samples=4,kernel=8)",
	"spe_conv(kernel=8)+causal",
	"complex+causal",
	"complex(attention=split)+alibi(causal=off)",
	"gauss(renorm=on,threshold=0.01)",
	"disan(multi=on)+shaw(values=off)",
	"laplacian(local=on,clamp=0.1)",
	"formula(op=mul)+rope",
	"composite(convolution=scaled,convk=on,dot=off)",
	"synth_mix(of=dense)+alibi",
	"synth_random(learned=off)",
	"window(global=[1,3],projections=on)+learned",
	"rope_2d(grid=2)+sinusoidal(pos=remaining)",
	"mrope(axes=interleaved,layout=interleaved)+causal",
	"rope_mixed(grid=3,layout=half)",
	"swin(rows=2,columns=2,shift=1)",
	"irpe(method=cross,on=qkv,shared=off)",
	"ut(shared=off)+causal",
	"cape(augment=on,scale_emb=on)",
	"spr_rel(fuse=tanh)+sinusoidal",
	"spr_rel(fuse=sum,recurring=on)",
	"struct_tr(form=code,variant=cnn)+causal",
	"learned+concat",
	"concat(width=6)+sinusoidal+t5",
	"cape(scale_emb=on)+concat(width=4)+shortformer",
	"rand_pe+concat(width=10)+alibi",
	"signnet(rho=3,depth=1,phi=mlp)+concat",
	"ut(halt=act,step=learned)+shaw",
	"ut(halt=accumulated,epsilon=0.4)+causal",
	"ut(halt=global,layers=2)",
	"dufter_abs(temperature=on,conv=3)",
	"dufter_abs(share=head,conv=2,temperature=on)+shaw",
	"dufter_rel(temperature=on,conv=4)+causal",
	"dufter_rel(share=head,conv=5,pos=remaining)+alibi",
	"fox(causal=off,pos=remaining)+rope",
	"rel_proj(basis=3,distances=2)+rope",
	"rel_proj(causal=off,pos=remaining)",
	"learned+floater(start=rest)",
	"alibi+rel_proj(layers=2,heads=1)",
	"xpos(interpolation=3,centre=torchscale)+alibi",
	"rope_yarn(factor=4,partial=0.5)+selfextend(neighbours=3,scale_base=2)",
	"rerope(window=2,leak=3,training_length=3)+rope",
	"prope(partial=0.5,layout=interleaved)+hope(cut=63,heads=1)",
	"rope(exponent=head,partial=0.25,layout=half,round=on,cut=100)+resonance(layers=2)",
	"clex(original=2,step=0.3)+alibi",
	"mla(rope=8)+causal",
	"mla(rope=0,q_rank=0)",
	"sinusoidal+mla(q_rank=3,kv_rank=5,factor=4,mscale=0,layout=half,heads=1)+t5(scale=rsqrt)",
	"rope_dyn(original=2,cached=on,layout=half)+causal",
	"rope(precision=bfloat16,rounds=angles)+causal",
	"rope_yarn(mscale=0.7,mscale_all_dim=0.2,factor=4)",
	"liere(grid=2,block=3)+alibi",
	"comrope(grid=2,prefix=1,block=3)+comrope(com=ap,heads=1)",
	"rope_dyn(original=4)+dca(chunk=3,window=1,original=2)+t5(causal=on)",
};

TEST(mixtures_are_computed_anew)
{
	for (size_t i = 0; i < sizeof mixtures / sizeof *mixtures; i++)
		must_recompute(base_scene, mixtures[i]);
}

/* Rows, columns and what is read by place follow the tokens. */
TEST(orders_segments_and_trees_are_computed_anew)
{
	static const char *const ordered[] = {"alibi",
					      "shaw",
					      "t5",
					      "rope",
					      "sinusoidal",
					      "rand_pe",
					      "complex",
					      "ort",
					      "fire",
					      "learned+txl",
					      "fox",
					      "path",
					      "synth_mix",
					      "disan",
					      "graformer",
					      "dufter_rel(conv=3)",
					      "fox(causal=off)",
					      "rel_proj",
					      "learned+concat",
					      "ut(halt=act)"};
	static const char *const trees[] = {"spr_rel(recurring=on)",
					    "spr_abs",
					    "tpe(form=onehot)",
					    "struct_tr",
					    "graph_tr",
					    "graformer",
					    "graphormer",
					    "laplacian",
					    "signnet",
					    "graphbert"};
	char scene[400];
	for (size_t i = 0; i < sizeof ordered / sizeof *ordered; i++) {
		snprintf(scene, sizeof scene, "%sorder 3 1 2 5 4\n", base_scene);
		must_recompute(scene, ordered[i]);
	}
	static const char *const apart[] = {"diet_abs", "diet_rel(segments=3)",
					    "xlnet(segments=on)",
					    "sinusoidal(pos=segment)+alibi(pos=word)"};
	for (size_t i = 0; i < sizeof apart / sizeof *apart; i++) {
		snprintf(scene, sizeof scene, "%ssentence the cat ||| saw the dog\n", base_scene);
		must_recompute(scene, apart[i]);
	}
	for (size_t i = 0; i < sizeof trees / sizeof *trees; i++)
		must_recompute("conllu @dep1\nd-model 16\nheads 2\nlayers 2\nt-max 64\n"
			       "activation gelu\nproj tied\n",
			       trees[i]);
}

/* What checkpoints are given beside their tokens. */
TEST(inputs_beside_the_tokens_are_computed_anew)
{
	static const char *const inputs[] = {
		"embed-scale sqrt-d\n",
		"embed-scale 0.5\n",
		"position-ids start:3\n",
		"position-ids 0 1 2 0 1 2\n",
		"segments 0 0 0 1 1 1\n",
		"memory-tokens 2\n",
		"memory-tokens 1\nembed-scale 3\nsegments 1 1 1 0 0 0\nposition-ids start:2\n"};
	static const char *const expressions[] = {
		"sinusoidal",
		"learned+concat",
		"alibi",
		"t5+rope",
		"txl",
		"xlnet(segments=on)",
		"diet_rel(segments=2)",
		"shaw+causal",
		"shortformer+causal",
		"fox",
		"cope",
		"stickbreak",
		"dufter_rel(temperature=on)",
		"ut(halt=act)",
		"rel_proj",
		"kerple_power(weight=ap)",
		"xpos",
		"deberta",
	};
	for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
		for (size_t k = 0; k < sizeof expressions / sizeof *expressions; k++) {
			char scene[400];
			snprintf(scene, sizeof scene, "%s%s", base_scene, inputs[i]);
			must_recompute(scene, expressions[k]);
		}
}

/* Texts that give a scheme what the plain sentence lacks: cells of pictures, three ids a token, stops,
 * digits, texts in one row. */
TEST(texts_of_their_own_are_computed_anew)
{
	static const char picture[] = "tokens words\nsentence go <image 2x3> on\n",
			  two[] = "tokens words\nsentence <image 2x3> and <video 2x2x1>\n",
			  ids[] = "position-ids 0 1 1 3 4 5; 0 1 2 3 4 5; 0 2 1 3 4 5\n",
			  stops[] = "sentence a b . c d e . f\n",
			  sum[] = "sentence 6 5 3 + 4 9 = 7 0 2\n",
			  both[] = "sentence the cat ||| saw the dog\n";
	static const char *const rows[][2] = {
		{"mrope+causal", picture},
		{"mrope(axes=interleaved)", picture},
		{"mrope+causal", ids},
		{"rope_2d", picture},
		{"rope_2d(coordinates=separate,base=100,layout=half)", picture},
		{"rope_2d(first=columns,base=100)", picture},
		{"rope_2d(coordinates=min,start=2)", two},
		{"rope_2d(coordinates=max)", two},
		{"rope_mixed", picture},
		{"sinusoidal_2d", picture},
		{"sinusoidal_2d(first=rows,freq=t2t)", picture},
		{"learned_2d(rows=2,columns=3)", picture},
		{"learned_2d(rows=3,columns=4)", picture},
		{"learned_2d(tables=two)", picture},
		{"swin(rows=2,columns=2,shift=1)", picture},
		{"irpe(on=qkv)", picture},
		{"irpe(method=quantization,mode=bias,shared=off)", picture},
		{"log_cpb(grid=on,window=3)", picture},
		{"mrope(layout=interleaved)", two},
		{"learned_2d(rows=2,columns=2)", two},
		{"swin(rows=2,columns=2)", two},
		{"cpe", two},
		{"bipe+rope(pos=between)", stops},
		{"bipe+alibi(pos=between,factor=96)+causal", stops},
		{"coupling", sum},
		{"coupling(reversed=on,start=3)+rope(pos=coupled)", sum},
		{"abacus+causal", sum},
		{"rope+pack+causal", both},
		{"learned+pack(reset=off)", both},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char scene[400];
		print_message("%s\n", rows[i][0]);
		snprintf(scene, sizeof scene, "%s%s", base_scene, rows[i][1]);
		must_recompute(scene, rows[i][0]);
	}
}

/* Both as the model has them; and a memory's rows are those of its text alone. */
TEST(a_memory_is_a_run_of_its_own)
{
	static const char *const alone = "sentence the\nembed-scale sqrt-d\nscheme txl\n";
	static const char *const before = "memory-tokens 2\nembed-scale sqrt-d\nscheme txl\n";
	struct arena a;
	struct dumped f, own;
	struct err err = {0};
	arena_init(&a);
	assert_true(dump(arena_printf(&a, "%s%s", base_scene, before), &a, &f, &err));
	assert_true(dump(arena_printf(&a, "%s%s", base_scene, alone), &a, &own, &err));
	assert_int_equal(f.memory, 2);
	assert_int_equal(own.memory, 0);
	assert_true(fabs(f.embed_scale - 4) < 1e-15);
	for (size_t l = 0; l < 2; l++) {
		struct mat x = dumped_get(&f, "layer.%zu.input", l);
		assert_int_equal(x.rows, 6);
		x.rows = 2;
		near(&f, l, x, dumped_get(&own, "layer.%zu.input", l), "the memory's input");
	}
	assert_int_equal(dumped_get(&f, "layer.1.output").rows, 4);
	arena_release(&a);
}

/* The kernel runs along the text, whatever numbers were given for distances. */
TEST(order_is_not_what_was_given)
{
	char scene[400];
	snprintf(scene, sizeof scene, "%sposition-ids 0 1 2 0 1 2\n", base_scene);
	must_recompute(scene, "dufter_rel(conv=3,temperature=on)");
	must_recompute(scene, "fox(causal=off)+cope");
}

/* Heads whose width does not follow from d, values of another width, key heads that several heads
 * read; one key head for all; a width that exceeds d, and one that is less. */
static const char *const head_sizes[] = {
	"d-model 16\nheads 4\nhead-dim 6\nvalue-dim 10\nkv-heads 2\n",
	"d-model 12\nheads 3\nhead-dim 8\nvalue-dim 4\nkv-heads 1\nproj tied\n",
	"d-model 20\nheads 2\nhead-dim 6\nproj identity\n",
	"d-model 14\nheads 4\nhead-dim 4\nvalue-dim 2\nkv-heads 2\nproj identity\n",
};

/* What an expression says of sizes that it cannot have. */
static const char *const unfit[] = {"value-dim:", "do not divide d-model", "must be d-model",
				    "has a key for each of", "components of a head, which has"};

static bool recomputes_or_unfit(const char *scene, const char *expression)
{
	struct err err = {0};
	if (recomputes(scene, expression, &err))
		return true;
	for (size_t i = 0; i < sizeof unfit / sizeof *unfit; i++)
		if (strstr(err.text, unfit[i]))
			return false;
	fail_msg("%s%s: %s", scene, expression, err.text);
	return false;
}

TEST(sizes_of_heads_are_computed_anew)
{
	for (size_t k = 0; k < sizeof head_sizes / sizeof *head_sizes; k++) {
		char scene[400];
		size_t unfitting = 0;
		snprintf(scene, sizeof scene, "%s%s", base_scene, head_sizes[k]);
		for (size_t i = 0; i < scheme_count(); i++)
			unfitting += !recomputes_or_unfit(scene, scheme_at(i)->id);
		for (size_t i = 0; i < sizeof mixtures / sizeof *mixtures; i++)
			unfitting += !recomputes_or_unfit(scene, mixtures[i]);
		assert_true(unfitting < 12);
	}
}

/* No power of two: slopes of two rows. */
TEST(odd_numbers_of_heads_are_computed_anew)
{
	static const char *const expressions[] = {"alibi", "dape",
						  "alibi(causal=off,direction=halves)"};
	char scene[400];
	snprintf(scene, sizeof scene, "%sd-model 12\nheads 3\n", base_scene);
	for (size_t i = 0; i < sizeof expressions / sizeof *expressions; i++)
		must_recompute(scene, expressions[i]);
}

/* Who has the file has no other scheme's recipe. */
TEST(no_recipe_is_that_of_another)
{
	static const char *const before[] = {"as in ", "that of ", "those of ", "as for "};
	for (size_t i = 0; i < scheme_count(); i++) {
		const struct scheme *s = scheme_at(i);
		for (size_t k = 0; k < scheme_count() && s->recipe; k++)
			for (size_t b = 0; b < sizeof before / sizeof *before; b++) {
				char words[80];
				snprintf(words, sizeof words, "%s%s", before[b], scheme_at(k)->id);
				if (i != k && strstr(s->recipe, words))
					fail_msg("%s: %s", s->id, words);
			}
	}
}
