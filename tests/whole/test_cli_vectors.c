/* test_cli_vectors.c: the numbers of the authors' codes on plain command lines: a file of theirs as it
 * is, an expression, names where they differ. What a person types must do; nothing is patched here. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_cli.h"

FIXTURE(cli_enter, cli_leave)

enum {
	ROW_SHIFT = 1 << 0, /* logits differ by a constant of each row */
	NO_LOGITS = 1 << 1, /* they mean something else here */
	AS_INPUT = 1 << 2,  /* position.vectors is all that goes into the first layer */
	VECTORS = 1 << 3,   /* nothing else is of this scheme, no parameter either */
	EMBEDDED = 1 << 4,  /* position.embedding is what is added; there are no units */
	LATER = 1 << 5,	    /* units are those behind an embedding and a norm of the code */
};

struct line {
	const char *file, *expression;
	size_t tensors; /* that are compared */
	unsigned flags;
	const char *more[7]; /* ends with NULL */
};

/* Graphs as the files have them, by the order of their nodes. */
#define AMR "f; r; c; f -> r [label=ARG0]; f -> c [label=ARG1]; c -> r [label=ARG1]"
#define AMR_TREE                                                                            \
	"a; b; c; d; e; f; a -> b [label=ARG0]; a -> c [label=ARG1]; c -> b [label=ARG0]; " \
	"c -> e [label=ARG4]; e -> f [label=name]; a -> d [label=time]; a -> e [label=purpose]"
#define AMR_END "digraph { " AMR "; e; f -> e [label=EOS] }"
#define G5                                                                                 \
	"graph { 0 -- 1 [label=b]; 1 -- 2 [label=c]; 0 -- 2 [label=b]; 2 -- 3 [label=c]; " \
	"3 -- 4 [label=b] }"
#define GROUPS \
	"digraph { 0 [label=\"a b\"]; 1 [label=r]; 2 [label=c]; 3 [label=d]; 0 -> 1; 1 -> 2 }"

/* Names and rows where theirs are other ones: padding in front, labels in another order. */
#define GRU_LAYER(n, back)                                                                \
	" weight_ih_l" n back "=param.gru.weight_ih_l" n back " weight_hh_l" n back       \
	"=param.gru.weight_hh_l" n back " bias_ih_l" n back "=param.gru.bias_ih_l" n back \
	" bias_hh_l" n back "=param.gru.bias_hh_l" n back
#define GRU                                 \
	GRU_LAYER("0", "")                  \
	GRU_LAYER("0", "_reverse")          \
	GRU_LAYER("1", "")                  \
	GRU_LAYER("1", "_reverse")          \
	" w_out=param.relation_out_weight " \
	"b_out=param.relation_out_bias"
#define LABELS "label=param.label[0,7,0,0,4,1,5,2,6,3]"
#define GRAPHORMER                                                                     \
	"z_in=param.in_degree[1:12] z_out=param.out_degree[1:12] "                     \
	"x_edge=param.edge[4,5,3,6:9] vnode=input.vnode b_vnode=param.vnode_distance " \
	"b=param.spatial[1:12,0] "

static const struct line lines[] = {
	{"seq/alibi", "alibi", 12, ROW_SHIFT, {NULL}},
	{"seq/alibi-bloom", "alibi", 12, ROW_SHIFT, {NULL}},
	{"seq/alibi-mpt", "alibi", 12, ROW_SHIFT, {NULL}},
	{"seq/alibi-symmetric", "alibi(causal=off)", 12, 0, {NULL}},
	{"seq/axial",
	 "axial(t1=4,share=0.75)",
	 1,
	 0,
	 {"--t-max", "12", "--map", "segment=param.w1 place=param.w2"}},
	{"seq/complex", "complex(n=1,phase=off)", 6, 0, {NULL}},
	{"seq/composite", "composite(clip=2)", 12, 0, {NULL}},
	{"seq/composite-nodot", "composite(clip=2,dot=off,convk=on)", 12, 0, {NULL}},
	{"seq/cope", "cope(p_max=4)", 12, 0, {NULL}},
	{"seq/cope-listing", "cope(p_max=4)", 12, 0, {NULL}},
	{"seq/dape-alibi", "dape(width=10)", 12, 0, {NULL}},
	{"seq/deberta-shared",
	 "deberta(max_relative=5,share=on,norm=on,p2c_index=code)",
	 9,
	 0,
	 {NULL}},
	{"seq/deberta-shared-log",
	 "deberta(buckets=4,max_position=16,share=on,norm=on,p2c_index=code)",
	 9,
	 0,
	 {NULL}},
	{"seq/deberta-emd",
	 "deberta(max_relative=4,share=on,emd=on,p2c_index=code)",
	 2,
	 0,
	 {"--t-max", "6", "--norm-eps", "1e-7"}},
	{"seq/dpb",
	 "dpb(width=8,causal=on)",
	 12,
	 0,
	 {"--map", "w0=param.mlp0.weight b0=param.mlp0.bias w1=param.mlp1.weight "
		   "b1=param.mlp1.bias w2=param.mlp2.weight b2=param.mlp2.bias"}},
	{"seq/fire", "fire(width=8)", 12, 0, {NULL}},
	{"seq/floater", "floater(site=bias)", 9, 0, {"--layers", "2"}},
	{"seq/fox", "fox", 12, 0, {NULL}},
	{"seq/fox-xt", "fox", 12, 0, {NULL}},
	{"seq/gauss", "gauss(offsets=[-1,1,0,2])", 8, 0, {NULL}},
	{"seq/hier", "hier(n=4)", 1, 0, {NULL}},
	{"seq/huang4", "huang4(sign=ts)", 12, 0, {"--t-max", "9", "--map", "r=param.table"}},
	{"seq/kerple_log", "kerple_log", 12, 0, {NULL}},
	{"seq/kerple_power", "kerple_power", 12, 0, {NULL}},
	{"seq/log_cpb", "log_cpb(grid=on,window=3,width=12)", 6, 0, {NULL}},
	{"seq/pope", "pope+causal", 20, 0, {NULL}},
	{"seq/rel_proj", "rel_proj(basis=4,distances=5)", 12, 0, {NULL}},
	{"seq/rnn", "gru", 1, AS_INPUT, {NULL}},
	{"seq/rope-half", "rope(layout=half)+causal", 20, 0, {NULL}},
	{"seq/rope-interleaved", "rope+causal", 20, 0, {NULL}},
	{"seq/rope-roformer", "rope", 20, 0, {NULL}},
	{"seq/rope_partial-half", "rope(layout=half,partial=0.25)+causal", 10, 0, {NULL}},
	{"seq/rope_partial-interleaved", "rope(partial=0.5)+causal", 20, 0, {NULL}},
	{"seq/rope_pi", "rope_pi(layout=half,factor=4)+causal", 10, 0, {NULL}},
	{"seq/rope_ntk", "rope_ntk(factor=2)+causal", 20, 0, {NULL}},
	{"seq/rope_dyn", "rope_dyn(layout=half,factor=4,original=4)+causal", 10, 0, {NULL}},
	{"seq/rope_yarn", "rope_yarn(layout=half,factor=4,original=64)+causal", 10, 0, {NULL}},
	{"seq/rope_llama3", "rope_llama3(layout=half,original=64)+causal", 10, 0, {NULL}},
	{"seq/sandwich", "sandwich(width=16)", 12, 0, {NULL}},
	{"seq/shaw", "shaw(clip=3)", 12, 0, {NULL}},
	{"seq/shaw-t2t", "shaw(clip=2)", 12, 0, {NULL}},
	{"seq/shaw-bert_relative_key",
	 "shaw(clip=0,sign=ts,values=off)",
	 12,
	 0,
	 {"--t-max", "9", "--map", "w_key=param.table"}},
	{"seq/shortformer", "shortformer+causal", 9, 0, {NULL}},
	{"seq/sinusoidal-interleaved", "sinusoidal", 1, 0, {NULL}},
	{"seq/sinusoidal-concat", "sinusoidal(layout=concat)", 1, 0, {NULL}},
	{"seq/sinusoidal-t2t", "sinusoidal(layout=concat,freq=t2t)", 1, 0, {NULL}},
	{"seq/spe-sine", "spe_sine(sines=2)", 6, 0, {NULL}},
	{"seq/spe-conv", "spe_conv(kernel=3)", 6, 0, {NULL}},
	{"seq/stickbreak", "stickbreak", 8, NO_LOGITS, {NULL}},
	{"seq/t5-bidirectional", "t5(buckets=8,max_distance=16)", 12, 0, {NULL}},
	{"seq/t5-unidirectional", "t5(buckets=8,max_distance=16,causal=on)", 12, 0, {NULL}},
	{"seq/t5-xt", "t5(buckets=8,max_distance=16,scale=xt)", 12, 0, {NULL}},
	{"seq/tener", "tener(code=on)", 12, 0, {NULL}},
	{"seq/tupe_a", "tupe_a(theta=rows,ln_p=on,bias=on)", 9, 0, {"--t-max", "7"}},
	{"seq/tupe_r", "tupe_r(theta=rows,ln_p=on,bias=on,buckets=32)", 9, 0, {"--t-max", "7"}},
	{"seq/txl", "txl", 12, 0, {NULL}},
	{"seq/xlnet", "xlnet", 12, 0, {NULL}},
	{"seq/window-longformer", "window(width=4)", 6, 0, {NULL}},
	{"seq/xpos", "xpos", 20, 0, {NULL}},
	{"seq/xpos-xt", "xpos(centre=x-transformers)", 20, 0, {NULL}},
	{"struct/lappe", "laplacian(k=3,local=on)", 6, 0, {"--graph", "@g5.edges"}},
	{"struct/rwpe", "rwpe(k=4)", 1, EMBEDDED, {"--graph", "@g5.edges", "--d-model", "6"}},
	{"struct/spr",
	 "spr_rel(clip=3)",
	 6,
	 0,
	 {"--conllu", "@dep1", "--map", "a_key=param.a_k a_value=param.a_v"}},
	{"struct/spr", "spr_abs", 1, VECTORS, {"--conllu", "@dep1"}},
	{"struct/spr-subword",
	 "spr_rel(clip=3)",
	 6,
	 0,
	 {"-s", "The cat chas ##ed the dog .", "--governors", "2 3 0 5 3 3", "--map",
	  "a_key=param.a_k a_value=param.a_v"}},
	{"struct/tpe",
	 "tpe(depth=3)",
	 1,
	 0,
	 {"--tree", "@bin1", "--tree-units", "nodes", "--map", "raw=param.raw"}},
	{"struct/tpe-lcrs",
	 "tpe(depth=4,children=direct)",
	 1,
	 0,
	 {"--tree", "(chased (cat (The (N) (N)) (dog (the (N) (N)) (. (N) (N)))) (N))",
	  "--tree-units", "nodes", "--map", "raw=param.raw"}},
	{"struct/graformer", "graformer(d_max=3,same=3)", 6, 0, {"--graph", GROUPS}},
	{"struct/graformer-code", "graformer(d_max=3,same=3,form=code)", 6, 0, {"--graph", GROUPS}},
	{"struct/graph-tr",
	 "graph_tr(stack=2,labels=2,width=4,hidden=3,depths=0)",
	 6,
	 LATER,
	 {"--graph", "digraph { " AMR " }", "--special", "cls", "--map",
	  "label=param.label[1,4,3,2,5:10]" GRU}},
	{"struct/graph-tr-tree",
	 "graph_tr(stack=2,labels=6,width=4,hidden=3,depths=0)",
	 6,
	 LATER,
	 {"--graph", "digraph { " AMR_TREE " }", "--special", "cls", "--map",
	  "label=param.label[1,4,3,2,5:18]" GRU}},
	{"struct/graphormer",
	 "graphormer(d_max=10,degrees=10,types=6,hops=5)",
	 6,
	 0,
	 {"--graph", G5, "--map", GRAPHORMER "w_hop=param.edge_distance[:10]"}},
	{"struct/graphormer-pad",
	 "graphormer(d_max=10,degrees=10,types=6,hops=2,mask=3,form=code)",
	 6,
	 0,
	 {"--graph", G5, "--map", GRAPHORMER "x_pad=param.edge[0] w_hop=param.edge_distance[:4]"}},
	{"struct/struct-tr-avg",
	 "struct_tr(variant=avg,form=code,labels=3,longest=5)",
	 6,
	 0,
	 {"--graph", AMR_END, "--map", LABELS}},
	{"struct/struct-tr-avgpe",
	 "struct_tr(variant=avg,form=code,labels=3,longest=5,steps=on)",
	 6,
	 0,
	 {"--graph", AMR_END, "--map", LABELS}},
	{"struct/struct-tr-cnn",
	 "struct_tr(variant=cnn,form=code,labels=3)",
	 6,
	 0,
	 {"--graph", AMR_END, "--map", LABELS}},
	{"struct/struct-tr-sa",
	 "struct_tr(form=code,labels=3,pool=off)",
	 6,
	 0,
	 {"--graph", AMR_END, "--map", LABELS}},
	{"struct/struct-tr-feature",
	 "struct_tr(variant=feature,form=code,paths=11)",
	 6,
	 0,
	 {"--graph", AMR_END, "--map", "path=param.label[0,11,8,1,9,3,10,5,2,4,6,7]"}},
};

static size_t heads_of(const struct tensor_set *set)
{
	size_t heads = 1;
	for (size_t i = 0; i < set->count; i++) {
		unsigned head;
		if (sscanf(set->tensors[i].name, "head.%u.", &head) == 1 && head + 1 > heads)
			heads = head + 1;
	}
	return heads;
}

static bool has(const struct tensor_set *set, const char *start)
{
	for (size_t i = 0; i < set->count; i++)
		if (strncmp(set->tensors[i].name, start, strlen(start)) == 0)
			return true;
	return false;
}

static void dump(const struct line *l, const char *path, const struct tensor_set *set,
		 struct arena *a)
{
	struct cli_case c = {.args = {"dump", l->expression, "-o", "x.safetensors", "--heads",
				      arena_printf(a, "%zu", heads_of(set))}};
	size_t n = 6;
	const char *units = arena_printf(a, "%s:%s", path, l->flags & LATER ? "embed" : "input");
	const char *const more[] = {
		"--layers",  "1",
		"--units",   l->flags & EMBEDDED ? NULL : units,
		"--weights", has(set, "w_") ? path : NULL,
		"--params",  has(set, "param.") && !(l->flags & VECTORS) ? path : NULL};
	for (size_t i = 0; i < sizeof more / sizeof more[0]; i += 2) {
		const bool theirs = i == 0 && l->more[0] && strcmp(l->more[0], "--layers") == 0;
		if (!more[i + 1] || theirs)
			continue;
		c.args[n++] = more[i];
		c.args[n++] = more[i + 1];
	}
	for (size_t i = 0; i < 7 && l->more[i]; i++)
		c.args[n++] = l->more[i];
	struct cli_result r;
	cli_run(&r, &c);
	if (r.code != 0)
		fail_msg("%s %s: %s", l->file, l->expression, r.err);
	cli_done(&r);
}

/* The largest difference; logits where the mask allows, less each row's constant. */
static double apart(const struct line *l, const struct tensor *got, const struct tensor *want,
		    const struct tensor *mask)
{
	const struct mat x = tensor_mat(got), y = tensor_mat(want);
	double worst = 0;
	if (x.rows != y.rows || x.cols != y.cols)
		fail_msg("%s: %s is %zu x %zu, theirs %zu x %zu", l->file, got->name, x.rows,
			 x.cols, y.rows, y.cols);
	for (size_t t = 0; t < x.rows; t++) {
		const bool shifts = mask && l->flags & ROW_SHIFT;
		const double shift = shifts ? mat_row(x, t)[0] - mat_row(y, t)[0] : 0;
		for (size_t s = 0; s < x.cols; s++)
			if (!mask || mat_row(tensor_mat(mask), t)[s] > 0)
				worst = fmax(worst,
					     fabs(mat_row(x, t)[s] - mat_row(y, t)[s] - shift));
	}
	return worst;
}

static size_t compare(const struct line *l, const struct tensor_set *got,
		      const struct tensor_set *want, struct arena *a)
{
	static const char *const kinds[] = {"logits", "weights", "context", "q", "k"};
	size_t compared = 0;
	for (size_t i = 0; i < want->count; i++) {
		const struct tensor *theirs = &want->tensors[i];
		const char *name = theirs->name;
		char kind[24];
		unsigned head;
		const struct tensor *mask = NULL;
		if (l->flags & EMBEDDED && strcmp(name, "position.embedding") == 0) {
			name = "position.vectors";
		} else if (sscanf(name, "head.%u.%23s", &head, kind) == 2) {
			bool known = false;
			for (size_t k = 0; k < 5; k++)
				known |= strcmp(kind, kinds[k]) == 0;
			const bool logits = strcmp(kind, "logits") == 0;
			if (!known || l->flags & VECTORS || (logits && l->flags & NO_LOGITS))
				continue;
			mask = logits ? tensor_find(got,
						    arena_printf(a, "layer.0.head.%u.mask", head))
				      : NULL;
			name = arena_printf(a, "layer.0.%s", name);
		} else if (strcmp(name, "position.vectors") == 0 && has(want, "input")) {
			name = l->flags & AS_INPUT ? "layer.0.input" : name;
		} else {
			continue;
		}
		const struct tensor *ours = tensor_find(got, name);
		if (!ours ||
		    (strncmp(name, "position", 8) == 0 && theirs->shape[1] != ours->shape[1]))
			continue;
		compared++;
		const double off = apart(l, ours, theirs, mask);
		if (!(off < 1e-9))
			fail_msg("%s %s: %s is off by %g", l->file, l->expression, name, off);
	}
	return compared;
}

TEST(files_of_the_authors_are_read_as_they_are)
{
	for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
		const struct line *l = &lines[i];
		struct arena a;
		struct tensor_set got, want;
		arena_init(&a);
		const char *path = arena_printf(&a, "%s/%s-a.safetensors", test_data, l->file);
		cli_tensors(path, &a, &want);
		dump(l, path, &want, &a);
		cli_tensors("x.safetensors", &a, &got);
		const size_t n = compare(l, &got, &want, &a);
		if (n != l->tensors)
			fail_msg("%s %s: %zu tensors compared", l->file, l->expression, n);
		cli_remove("x.safetensors");
		arena_release(&a);
	}
}
