/* bench.c: how fast, as medians and ratios within one run.
 *
 * Single times on a shared machine mean little, so everything is measured beside a yardstick in the
 * same run: a layer against the same matrix products called bare, a scheme against `none` and the
 * ratio of their operation counts. The two of a pair take turns. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "help_keys.h"
#include "help_pty.h"
#include "posviz/app.h"
#include "posviz/canvas.h"
#include "posviz/contact.h"
#include "posviz/export.h"
#include "posviz/machine.h"
#include "posviz/raster.h"
#include "posviz/strbuf.h"
#include "posviz/view.h"

enum { ROUNDS_MAX = 101 };

static double now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int by_value(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static double median(double *at, size_t n)
{
	qsort(at, n, sizeof *at, by_value);
	return n % 2 ? at[n / 2] : (at[n / 2 - 1] + at[n / 2]) / 2;
}

struct pair {
	double a, b, ratio; /* medians; ratio is the median of the ratios of each round */
};

/* Runs the two in turn, A B A B …, after one round that does not count. */
static struct pair measure_pair(void (*a)(void *), void *ca, void (*b)(void *), void *cb,
				size_t rounds)
{
	double ta[ROUNDS_MAX], tb[ROUNDS_MAX], ratio[ROUNDS_MAX];
	for (size_t i = 0; i <= rounds; i++) {
		const double t0 = now_ms();
		a(ca);
		const double t1 = now_ms();
		b(cb);
		const double t2 = now_ms();
		if (i == 0)
			continue;
		ta[i - 1] = t1 - t0;
		tb[i - 1] = t2 - t1;
		ratio[i - 1] = (t1 - t0) / (t2 - t1);
	}
	return (struct pair){median(ta, rounds), median(tb, rounds), median(ratio, rounds)};
}

/* ---- a layer -------------------------------------------------------------------------------- */

struct layer {
	struct arena arena;
	struct expr expr;
	struct member members[MODEL_MAX_MEMBERS];
	struct model model;
	struct model_input in;
	struct cache *cache;
	double operations;
};

static bool layer_open(struct layer *l, const char *expression, size_t n, size_t d, size_t heads)
{
	memset(l, 0, sizeof *l);
	arena_init(&l->arena);
	l->cache = cache_new((size_t)1 << 30);
	const struct model_config config = {.d = d,
					    .heads = heads,
					    .layers = 1,
					    .ff = 4 * d,
					    .t_max = n > 512 ? n : 512,
					    .seed = 1,
					    .proj = PROJ_RANDOM,
					    .content = 2,
					    .norm_eps = 1e-5};
	struct err err;
	size_t members;
	if (!expr_parse(&l->expr, expression, &l->arena, &err) ||
	    !expr_members(&l->expr, l->members, &members, &l->arena, &err) ||
	    !model_build(&l->model, &config, l->members, members, NULL, &l->arena, &err)) {
		printf("%s: %s\n", expression, err.text);
		return false;
	}
	const char **text = arena_calloc(&l->arena, n, sizeof *text);
	size_t *len = arena_calloc(&l->arena, n, sizeof *len);
	long *token = arena_calloc(&l->arena, n, sizeof *token);
	for (size_t i = 0; i < n; i++) {
		text[i] = arena_printf(&l->arena, "w%zu", i);
		len[i] = strlen(text[i]);
		token[i] = (long)i;
	}
	l->in.axis = (struct axis){.n = n, .labels = text, .token = token};
	l->in.units = model_units(&l->arena, &config, text, len, n);
	return true;
}

static void layer_close(struct layer *l)
{
	cache_free(l->cache);
	arena_release(&l->arena);
}

static bool layer_evaluate(struct layer *l, struct err *err)
{
	const struct want want = {.kinds = WANT_OUTPUT, .layer = -1, .head = -1};
	struct arena a;
	arena_init(&a);
	struct trace trace;
	const bool ok = model_run(&l->model, &l->in, &want, l->cache, NULL, &a, &trace, err);
	l->operations = ok ? trace.operations : 0;
	arena_release(&a);
	return ok;
}

static void layer_run(void *context)
{
	struct err err;
	if (layer_evaluate(context, &err))
		return;
	fprintf(stderr, "bench: %s\n", err.text);
	exit(1);
}

/* ---- the same matrix products, bare ----------------------------------------------------------- */

struct bare {
	struct arena arena;
	size_t n, d, heads;
	struct mat x, w, w1, w2, q, k, v, a, m, f;
};

static void bare_open(struct bare *b, size_t n, size_t d, size_t heads)
{
	*b = (struct bare){.n = n, .d = d, .heads = heads};
	arena_init(&b->arena);
	struct rng rng;
	rng_init(&rng, 1);
	struct {
		struct mat *m;
		size_t rows, cols;
	} all[] = {{&b->x, n, d}, {&b->w, d, d},    {&b->w1, d, 4 * d}, {&b->w2, 4 * d, d},
		   {&b->q, n, d}, {&b->k, n, d},    {&b->v, n, d},	{&b->a, n, n},
		   {&b->m, n, d}, {&b->f, n, 4 * d}};
	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
		*all[i].m = mat_new(&b->arena, all[i].rows, all[i].cols);
		mat_fill_normal(*all[i].m, 0.05, &rng);
	}
}

static void bare_run(void *context)
{
	const struct bare *b = context;
	const size_t dk = b->d / b->heads;
	mat_mul(b->q, 1, b->x, false, b->w, false, 0);
	mat_mul(b->k, 1, b->x, false, b->w, false, 0);
	mat_mul(b->v, 1, b->x, false, b->w, false, 0);
	for (size_t h = 0; h < b->heads; h++) {
		mat_mul(b->a, 1, mat_cols(b->q, h * dk, dk), false, mat_cols(b->k, h * dk, dk),
			true, 0);
		mat_mul(mat_cols(b->m, h * dk, dk), 1, b->a, false, mat_cols(b->v, h * dk, dk),
			false, 0);
	}
	mat_mul(b->f, 1, b->m, false, b->w1, false, 0);
	mat_mul(b->m, 1, b->f, false, b->w2, false, 0);
}

static void bench_layer(void)
{
	static const struct {
		size_t n, d, heads, rounds;
		double goal;
	} rows[] = {{64, 64, 4, 51, 0}, {512, 768, 12, 15, 1.3}, {2048, 768, 12, 5, 1.3}};
	printf("\nlayer `none` against its matrix products called bare\n");
	printf("%6s %5s %3s %10s %10s %7s %s\n", "n", "d", "h", "none ms", "bare ms", "ratio",
	       "goal");
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct layer layer;
		struct bare bare;
		if (!layer_open(&layer, "none", rows[i].n, rows[i].d, rows[i].heads))
			return;
		bare_open(&bare, rows[i].n, rows[i].d, rows[i].heads);
		const struct pair p =
			measure_pair(layer_run, &layer, bare_run, &bare, rows[i].rounds);
		printf("%6zu %5zu %3zu %10.2f %10.2f %7.2f", rows[i].n, rows[i].d, rows[i].heads,
		       p.a, p.b, p.ratio);
		printf(rows[i].goal > 0 ? " <= %.1f\n" : " -\n", rows[i].goal);
		fflush(stdout);
		layer_close(&layer);
		arena_release(&bare.arena);
	}
}

static void bench_schemes(size_t n, size_t d, size_t heads, size_t rounds)
{
	printf("\nevery scheme against `none`, n %zu d %zu h %zu (goal: time <= 1.2 x "
	       "operations)\n",
	       n, d, heads);
	printf("%-14s %10s %8s %11s %9s\n", "scheme", "ms", "time x", "operations x", "time/ops");
	struct layer none;
	if (!layer_open(&none, "none", n, d, heads))
		return;
	for (size_t i = 0; i < scheme_count(); i++) {
		const struct scheme *s = scheme_at(i);
		struct layer layer;
		if (!layer_open(&layer, s->id, n, d, heads))
			continue;
		struct err err;
		if (!layer_evaluate(&layer, &err)) {
			printf("%-14s %s\n", s->id, err.text);
			layer_close(&layer);
			continue;
		}
		const struct pair p = measure_pair(layer_run, &layer, layer_run, &none, rounds);
		const double ops = layer.operations / none.operations;
		printf("%-14s %10.2f %8.2f %11.2f %9.2f%s\n", s->id, p.a, p.ratio, ops,
		       p.ratio / ops, p.ratio / ops > 1.2 ? "  above" : "");
		fflush(stdout);
		layer_close(&layer);
	}
	layer_close(&none);
}

/* ---- pictures --------------------------------------------------------------------------------- */

static const char *sentence_of(struct arena *a, size_t n)
{
	char *text = arena_alloc(a, n * 6 + 1);
	size_t at = 0;
	for (size_t i = 0; i < n; i++)
		at += (size_t)sprintf(text + at, "w%zu ", i % 1000);
	return text;
}

static void scene_for(struct scene *scene, struct arena *a, size_t n, long d, long heads)
{
	scene_init(scene);
	scene->setup.sentence = scene_intern(sentence_of(a, n));
	scene->setup.d_model = d;
	scene->setup.heads = heads;
}

/* `compared`: NULL for Explore, else what Compare shows beside the scheme; the cursor then moves too. */
static void bench_picture(size_t n, long d, long heads, const char *compared)
{
	enum { ROUNDS = 15 };
	struct arena keep;
	arena_init(&keep);
	struct scene scene;
	scene_for(&scene, &keep, n, d, heads);
	if (compared) {
		scene.view = "compare";
		scene.setup.compare = compared;
	}
	struct cache *cache = cache_new((size_t)1 << 28);
	double compute[ROUNDS], draw[ROUNDS], paper[ROUNDS], png[ROUNDS], again[ROUNDS];
	for (size_t i = 0; i < ROUNDS; i++) {
		struct arena a;
		arena_init(&a);
		struct picture picture;
		struct err err;
		const double t0 = now_ms();
		if (!picture_make(&scene, NULL, false, BACKGROUND_DARK, cache, NULL, &a, &picture,
				  &err)) {
			printf("%s\n", err.text);
			return;
		}
		const double t1 = now_ms();
		struct canvas *canvas = canvas_new(&a, 50, 200, TIER_DIRECT, false, true);
		canvas_figure(canvas, &picture.figure);
		const double t2 = now_ms();
		struct image image;
		const struct raster_look look = {.width = 1600, .height = 1000, .dpi = 150};
		char *data;
		size_t len;
		if (!raster_image(&picture.figure, &look, &a, &image, NULL, &err))
			printf("%s\n", err.text);
		const double t3 = now_ms();
		if (!export_png(&image, 150, NULL, 0, &a, &data, &len, &err))
			printf("%s\n", err.text);
		const double t4 = now_ms();
		picture_redraw(&scene, NULL, false, BACKGROUND_DARK, &a, &picture, NULL);
		again[i] = now_ms() - t4;
		compute[i] = t1 - t0, draw[i] = t2 - t1, paper[i] = t3 - t2, png[i] = t4 - t3;
		arena_release(&a);
	}
	const double r = median(paper, ROUNDS), p = median(png, ROUNDS);
	printf("%6zu %5ld %3ld %14.2f %14.2f %10.1f %9.1f %9.1f %9.2f%s\n", n, d, heads,
	       median(compute, ROUNDS), median(draw, ROUNDS), r, p, r + p, median(again, ROUNDS),
	       compared ? "  four compared" : "");
	fflush(stdout);
	cache_free(cache);
	arena_release(&keep);
}

/* The high-water mark since exec, from /proc: rusage would count the pages of this process too. */
static double peak_mb(pid_t pid)
{
	char path[64], line[256];
	snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
	FILE *f = fopen(path, "r");
	double kb = 0;
	while (f && fgets(line, sizeof line, f))
		if (sscanf(line, "VmHWM: %lf", &kb) == 1)
			break;
	if (f)
		fclose(f);
	return kb / 1024;
}

/* ---- a poster of all schemes -------------------------------------------------------------------- */

static const struct contact *poster(const struct contact_request *r, struct arena *a,
				    struct figure *out)
{
	const char *left_out;
	struct err err;
	if (contact_make(r, a, out, &left_out, &err))
		return out->contact;
	printf("%s\n", err.text);
	return NULL;
}

static void bench_poster(size_t n, long d, long heads)
{
	enum { ROUNDS = 5 };
	struct arena keep;
	struct scene scene;
	double compute[ROUNDS], cells[ROUNDS], paper[ROUNDS], png[ROUNDS];
	size_t items;
	arena_init(&keep);
	scene_for(&scene, &keep, n, d, heads);
	const struct menu_item *const menu = menu_items(NULL, &keep, &items);
	struct contact_wish *const wishes = arena_calloc(&keep, items, sizeof *wishes);
	for (size_t i = 0; i < items; i++)
		wishes[i] = (struct contact_wish){menu[i].scheme->id, menu[i].scheme->id,
						  menu[i].group, true};
	for (size_t i = 0; i < ROUNDS; i++) {
		struct arena a;
		struct figure f;
		struct image image;
		struct err err;
		struct raster_look look = {.dpi = 150};
		char *data;
		size_t len;
		arena_init(&a);
		struct cache *const cache = cache_new(CACHE_BYTES);
		const double t0 = now_ms();
		if (!poster(&(struct contact_request){.wishes = wishes,
						      .n = items,
						      .scenes = &scene,
						      .n_scenes = 1,
						      .background = BACKGROUND_LIGHT,
						      .cache = cache},
			    &a, &f))
			return;
		const double t1 = now_ms();
		struct canvas *canvas = canvas_new(&a, 50, 200, TIER_DIRECT, false, true);
		const int rows = canvas_contact_rows(canvas, &f, 50);
		canvas = canvas_new(&a, rows > 0 ? rows : 50, 200, TIER_DIRECT, false, true);
		canvas_contact(canvas, &f);
		const double t2 = now_ms();
		if (!raster_contact_size(&f, &look, &a, &err) ||
		    !raster_image(&f, &look, &a, &image, NULL, &err))
			printf("%s\n", err.text);
		const double t3 = now_ms();
		if (!export_png(&image, 150, NULL, 0, &a, &data, &len, &err))
			printf("%s\n", err.text);
		png[i] = now_ms() - t3;
		compute[i] = t1 - t0, cells[i] = t2 - t1, paper[i] = t3 - t2;
		cache_free(cache);
		arena_release(&a);
	}
	const double all = median(compute, ROUNDS) + median(paper, ROUNDS) + median(png, ROUNDS);
	printf("%6zu %5ld %3ld %9.0f %9.0f %9.0f %9.0f %9.0f%s\n", n, d, heads,
	       median(compute, ROUNDS), median(cells, ROUNDS), median(paper, ROUNDS),
	       median(png, ROUNDS), all, all > 5000 ? "  above" : "");
	arena_release(&keep);
}

static void bench_posters(void)
{
	printf("\nall %zu schemes on a contact sheet: maps, cells, page, PNG, without cells; ms "
	       "(goal 5000)\n",
	       scheme_count());
	printf("%6s %5s %3s %9s %9s %9s %9s %9s\n", "n", "d", "h", "maps", "cells", "page", "png",
	       "sum");
	bench_poster(9, 64, 4);
	bench_poster(60, 64, 4);
}

/* ---- structures --------------------------------------------------------------------------------- */

enum { NODES = 512, EDGES = 911, LABELS = 30 };

/* A connected graph, the labels on nearly all of its shortest paths different. */
static const char *large_graph(struct arena *a)
{
	struct strbuf text;
	struct rng rng;
	strbuf_init(&text, a);
	rng_init(&rng, 1);
	for (size_t i = 1; i <= EDGES; i++) {
		size_t from = i < NODES ? i : rng_below(&rng, NODES);
		size_t to = rng_below(&rng, i < NODES ? i : NODES);
		if (rng_below(&rng, 2)) {
			const size_t other = from;
			from = to;
			to = other;
		}
		strbuf_printf(&text, "n%zu n%zu r%zu\n", from, to, (size_t)rng_below(&rng, LABELS));
	}
	return text.at;
}

/* Governors of as many words. */
static const char *large_tree(struct arena *a)
{
	struct strbuf text;
	struct rng rng;
	strbuf_init(&text, a);
	rng_init(&rng, 1);
	strbuf_add(&text, "0");
	for (size_t i = 1; i < NODES; i++)
		strbuf_printf(&text, " %zu", 1 + (size_t)rng_below(&rng, i));
	return text.at;
}

/* Medians of evaluations without a cache, in a process of its own for the peak of its memory. */
static void measure_structure(const char *expression, const struct scene *scene)
{
	enum { ROUNDS = 5 };
	const struct want want = {.kinds = WANT_OUTPUT, .layer = -1, .head = -1};
	double wall[ROUNDS], work[ROUNDS], before = peak_mb(getpid()), estimate = 0;
	struct arena a;
	struct err err;
	for (size_t i = 0; i < ROUNDS; i++) {
		struct trace trace;
		arena_init(&a);
		struct built *b = arena_calloc(&a, 1, sizeof *b);
		const double w0 = now_ms(), c0 = (double)clock();
		if (!setup_build(&scene->setup, &a, b, &err) ||
		    !built_run(b, &b->model_input, &want, NULL, NULL, &a, &trace, &err)) {
			printf("%-28s %s\n", expression, err.text);
			return;
		}
		wall[i] = now_ms() - w0;
		work[i] = ((double)clock() - c0) * 1e3 / CLOCKS_PER_SEC;
		estimate = (double)model_estimate(&b->model, &b->model_input, &want) / 1e6;
		arena_release(&a);
	}
	const double time = median(wall, ROUNDS);
	printf("%-28s %9.0f %9.0f %9.0f %9.0f%s\n", expression, time, median(work, ROUNDS),
	       peak_mb(getpid()) - before, estimate, time > 1000 ? "  above" : "");
}

static void bench_structure(const char *expression, bool tree)
{
	struct arena a;
	arena_init(&a);
	struct scene scene;
	scene_for(&scene, &a, NODES, 64, 4);
	scene.setup.scheme = scene_intern(expression);
	if (tree)
		scene.setup.governors = large_tree(&a);
	else
		scene.setup.graph = large_graph(&a);
	fflush(stdout);
	const pid_t child = fork();
	if (child == 0) {
		measure_structure(expression, &scene);
		fflush(stdout);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	arena_release(&a);
}

static void bench_structures(void)
{
	static const char *const variants[] = {
		"graph_tr(tied=on)",	  "graph_tr(stack=2)",	    "struct_tr(variant=feature)",
		"struct_tr(variant=sum)", "struct_tr(variant=avg)", "struct_tr(variant=cnn)",
		"struct_tr(form=code)",
	};
	printf("\nan evaluation on %d nodes, %d edges, %d labels, nearly all paths different "
	       "(goal 1000 ms)\n",
	       NODES, EDGES, LABELS);
	printf("%-28s %9s %9s %9s %9s\n", "scheme", "ms", "CPU ms", "peak MB", "estimate");
	for (size_t i = 0; i < scheme_count(); i++) {
		const struct scheme *s = scheme_at(i);
		if (s->flags & (SCHEME_NEEDS_GRAPH | SCHEME_NEEDS_TREE))
			bench_structure(s->id, s->flags & SCHEME_NEEDS_TREE);
	}
	for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
		bench_structure(variants[i], false);
}

/* ---- the program on a pseudo-terminal ----------------------------------------------------------- */

enum { FRAME_MS = 5, SAMPLES_MAX = 2000 };

struct samples {
	double at[SAMPLES_MAX];
	size_t n;
	double most;
	const char *of; /* what took most; or NULL */
};

static void sample(struct samples *s, double x, const char *of)
{
	if (s->n == SAMPLES_MAX)
		return;
	if (x > s->most) {
		s->most = x;
		s->of = of;
	}
	s->at[s->n++] = x;
}

static void print_samples(const char *what, struct samples *s, const char *unit, const char *goal)
{
	const double middle = s->n ? median(s->at, s->n) : 0; /* sorts */
	const double most = s->n ? s->at[(s->n - 1) * 99 / 100] : 0;
	printf("%-42s %4zu  median %6.1f  99 %% %6.1f  worst %6.1f %s%s%s%s  (goal %s)\n", what,
	       s->n, middle, most, s->most, unit, s->of ? " (" : "", s->of ? s->of : "",
	       s->of ? ")" : "", goal);
	fflush(stdout);
}

/* The program with n tokens, at rest. */
static bool program_open(struct pty *p, int rows, int cols, size_t n, const char *d,
			 const char *heads, const char *colours)
{
	struct arena a;
	arena_init(&a);
	const struct pty_look look = {
		.rows = rows,
		.cols = cols,
		.env = {colours},
		.args = {"-s", sentence_of(&a, n), "--d-model", d, "--heads", heads}};
	pty_start(p, &look);
	arena_release(&a);
	if (pty_wait(p, "ms") && pty_settle(p))
		return true;
	printf("the program does not come to rest\n%s", pty_text(p));
	pty_stop(p);
	return false;
}

/* Types a key and reads the frame that it causes: till the time of its last byte, and how many there
 * were; false when nothing comes of the key. A frame that only says "computing" is not yet it. */
static bool frame_of(struct pty *p, const char *key, double *ms, size_t *bytes)
{
	const double limit = 3000, nothing = 60, start = now_ms();
	const size_t before = p->written;
	double last = start;
	pty_type(p, key);
	for (double now = start; now - start < limit && !p->closed; now = now_ms()) {
		const bool came = p->written > before;
		if (pty_pump(p, 1))
			last = now_ms();
		else if (came && now - last > FRAME_MS && !pty_has(p, "computing"))
			break;
		else if (!came && now - start > nothing && pty_settle(p) && p->written == before)
			return false;
	}
	*ms = last - start;
	*bytes = p->written - before;
	return true;
}

/* Keys that open something, or that are about more than the screen. */
static bool is_looking(const struct binding *b)
{
	static const char *const others[] = {"quit", "suspend", "snapshot", "save",    "export",
					     "edit", "command", "find",	    "permute", "add",
					     "open", "help",	"words",    "redraw",  "reset-",
					     "why",  "value",	"view",	    "tour",    "preset"};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (strncmp(b->command, others[i], strlen(others[i])) == 0)
			return false;
	return *b->context == '\0';
}

static void bench_keys(int rows, int cols, size_t n)
{
	enum { ROUNDS = 4 };
	struct samples took = {0};
	struct pty p;
	char what[80];
	if (!program_open(&p, rows, cols, n, "64", "4", "COLORTERM=truecolor"))
		return;
	for (size_t round = 0; round < ROUNDS; round++) {
		for (const struct binding *b = bindings; b->key; b++) {
			char bytes[KEY_BYTES];
			double ms;
			size_t len;
			if (!is_looking(b) || !key_bytes(b->key, bytes))
				continue;
			if (frame_of(&p, bytes, &ms, &len))
				sample(&took, ms, b->key);
			pty_settle(
				&p); /* the measures of this change, so that each key starts alike */
		}
	}
	snprintf(what, sizeof what, "look keys, n %zu, %dx%d", n, cols, rows);
	print_samples(what, &took, "ms", "16, 33");
	pty_stop(&p);
}

/* Keys typed into the command line while something large is computed: till they stand there. */
static void bench_while_computing(void)
{
	enum { ROUNDS = 6 };
	static const char typed[] = ":zzzzzzzzzz";
	struct samples took = {0};
	struct pty p;
	if (!program_open(&p, 36, 120, 512, "768", "12", "COLORTERM=truecolor"))
		return;
	for (size_t round = 0; round < ROUNDS; round++) {
		pty_type(&p, round % 2 ? "K" : "J");
		for (size_t i = 1; i < sizeof typed; i++) {
			const char key[] = {typed[i - 1], '\0'};
			char shown[sizeof typed];
			snprintf(shown, sizeof shown, "%.*s", (int)i, typed);
			const double start = now_ms();
			pty_type(&p, key);
			if (i > 1 && /* ":" alone may stand anywhere */ pty_glimpse(&p, shown))
				sample(&took, now_ms() - start, NULL);
			else if (i == 1)
				pty_wait(&p, "Esc");
			for (const double end = now_ms() + 7; now_ms() < end;)
				pty_pump(&p, 1);
		}
		pty_type(&p, "\033");
		pty_settle(&p);
	}
	print_samples("typing while computing, n 512 d 768 h 12", &took, "ms", "16");
	pty_stop(&p);
}

static void print_bytes(struct pty *p, const char *what, const char *colours, const char *keys[],
			size_t n, size_t steps, const char *goal)
{
	struct samples kb = {0};
	double ms;
	size_t bytes;
	char line[80];
	for (size_t i = 0; i < steps; i++)
		if (frame_of(p, keys[i % n], &ms, &bytes))
			sample(&kb, (double)bytes / 1000, NULL);
	snprintf(line, sizeof line, "%s, %s", what, strchr(colours, '=') ? "direct" : "256");
	print_samples(line, &kb, "kB", goal);
}

/* Of a screen of panes, and of one matrix that is there as a whole. */
static void bench_bytes(const char *colours)
{
	static const char *again[] = {"\014"};
	static const char *moves[] = {"\033OB", "\033OC", "\033OB", "\033OA", "\033OD"};
	struct pty p;
	if (!program_open(&p, 50, 200, 64, "64", "4", colours))
		return;
	print_bytes(&p, "200x50, n 64, whole screen", colours, again, 1, 3, "90");
	pty_type(&p, "z");
	pty_settle(&p);
	print_bytes(&p, "one pane of 64x64, whole", colours, again, 1, 3, "90");
	print_bytes(&p, "one pane of 64x64, step of the cursor", colours, moves, 5, 80, "3");
	pty_stop(&p);
}

/* Milliseconds of work of all threads so far. */
static double work_ms(pid_t pid)
{
	char path[64];
	unsigned long user = 0, system = 0;
	snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	FILE *const f = fopen(path, "r");
	if (f && fscanf(f, "%*d (%*[^)]) %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu",
			&user, &system) != 2)
		user = system = 0;
	if (f)
		fclose(f);
	return (double)(user + system) * 1000 / (double)sysconf(_SC_CLK_TCK);
}

static void bench_idle(void)
{
	struct pty p;
	if (!program_open(&p, 36, 120, 64, "64", "4", "COLORTERM=truecolor"))
		return;
	const double before = work_ms(p.pid);
	const size_t written = p.written;
	for (const double end = now_ms() + 2000; now_ms() < end;)
		pty_pump(&p, 100);
	printf("2 s at rest: %.0f ms of work, %zu bytes (goal 0, 0)\n", work_ms(p.pid) - before,
	       p.written - written);
	pty_stop(&p);
}

static void bench_start(void)
{
	enum { ROUNDS = 9 };
	static const struct pty_look look = {.rows = 36, .cols = 120};
	struct samples first = {0};
	for (size_t i = 0; i < ROUNDS; i++) {
		struct pty p;
		const double start = now_ms();
		pty_start(&p, &look);
		if (pty_glimpse(&p, "Position bias"))
			sample(&first, now_ms() - start, NULL);
		pty_stop(&p);
	}
	print_samples("start to first frame", &first, "ms", "60");
}

static void bench_memory(void)
{
	static const struct {
		size_t n;
		double most_ms;
		const char *goal;
	} rows[] = {{9, 10000, "80 MB"}, {4096, 60000, "1500 MB"}};
	printf("\nresident memory of the terminal program, its measures included (peak)\n");
	for (size_t i = 0; i < 2; i++) {
		struct arena a;
		arena_init(&a);
		const struct pty_look look = {
			.rows = 36, .cols = 120, .args = {"-s", sentence_of(&a, rows[i].n)}};
		struct pty p;
		pty_start(&p, &look);
		const double end = now_ms() + rows[i].most_ms;
		while (!pty_settle(&p) && now_ms() < end && !p.closed)
			;
		printf("n %4zu d 64 h 4: %.0f MB (goal %s)\n", rows[i].n, peak_mb(p.pid),
		       rows[i].goal);
		fflush(stdout);
		pty_stop(&p);
		arena_release(&a);
	}
}

static void bench_program(void)
{
	printf("\nthe program on a pseudo-terminal\n");
	bench_start();
	bench_keys(36, 120, 9);
	bench_keys(36, 120, 64);
	bench_keys(50, 200, 64);
	bench_while_computing();
	bench_bytes("COLORTERM=truecolor");
	bench_bytes("COLORTERM");
	bench_idle();
	bench_memory();
}

/* Treebanks: the first picture of 10,000 sentences, and that of any other sentence after it. */
static void bench_treebank(void)
{
	enum { SENTENCES = 10000, WORDS = 20, ROUNDS = 31 };
	char path[] = "/tmp/posviz-bench-XXXXXX";
	const int fd = mkstemp(path);
	FILE *const f = fd < 0 ? NULL : fdopen(fd, "w");
	if (!f)
		return;
	for (size_t i = 0; i < SENTENCES; i++) {
		fprintf(f, "# sent_id = %zu\n", i + 1);
		for (size_t k = 1; k <= WORDS; k++)
			fprintf(f, "%zu\tword%zu\tlemma\tNOUN\tNN\tNumber=Sing\t%zu\tdep\t_\t_\n",
				k, (i * k) % 997, k / 2);
		fprintf(f, "\n");
	}
	fclose(f);
	struct arena keep;
	arena_init(&keep);
	struct scene scene;
	scene_for(&scene, &keep, WORDS, 64, 4);
	scene.setup.scheme = "rope";
	scene.setup.conllu = path;
	double others[ROUNDS], first = 0;
	for (size_t i = 0; i <= ROUNDS; i++) {
		struct arena a;
		struct picture picture;
		struct err err;
		arena_init(&a);
		scene.setup.pick = (long)(1 + i * 7919 % SENTENCES);
		const double t0 = now_ms();
		if (!picture_make(&scene, NULL, false, BACKGROUND_DARK, NULL, NULL, &a, &picture,
				  &err))
			printf("%s\n", err.text);
		*(i == 0 ? &first : &others[i - 1]) = now_ms() - t0;
		arena_release(&a);
	}
	printf("\na treebank of %d sentences: the first picture %.1f ms, another sentence %.1f "
	       "ms\n",
	       SENTENCES, first, median(others, ROUNDS));
	arena_release(&keep);
	remove(path);
}

int main(int argc, char **argv)
{
	machine_setup(argv);
	char machine[200];
	machine_describe(machine, sizeof machine);
	printf("%s\n", machine);
	const char *only = argc > 1 ? argv[1] : "";
	if (!*only || strcmp(only, "layer") == 0)
		bench_layer();
	if (!*only || strcmp(only, "schemes") == 0) {
		bench_schemes(64, 64, 4, 31);
		bench_schemes(512, 768, 12, 7);
	}
	if (!*only || strcmp(only, "picture") == 0) {
		printf("\nscene to figure, to cells (200x50), to page (1600x1000), to PNG; ms\n");
		printf("%6s %5s %3s %14s %14s %10s %9s %9s %9s\n", "n", "d", "h", "scene→figure",
		       "figure→cells", "page", "png", "sum", "redraw");
		bench_picture(9, 64, 4, NULL);
		bench_picture(64, 64, 4, NULL);
		bench_picture(64, 64, 4, "alibi; t5; shaw+causal");
		bench_picture(512, 768, 12, NULL);
		bench_picture(512, 768, 12, "alibi; t5; shaw+causal");
	}
	if (!*only || strcmp(only, "poster") == 0)
		bench_posters();
	if (!*only || strcmp(only, "structures") == 0)
		bench_structures();
	if (!*only || strcmp(only, "treebank") == 0)
		bench_treebank();
	if (!*only || strcmp(only, "program") == 0)
		bench_program();
	return 0;
}
