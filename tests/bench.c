/* bench.c: how fast, as medians and ratios within one run.
 *
 * Single times on a shared machine mean little, so everything is measured beside a yardstick in the
 * same run: a layer against the same matrix products called bare, a scheme against `none` and the
 * ratio of their operation counts. The two of a pair take turns. */
#include <math.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "posviz/canvas.h"
#include "posviz/export.h"
#include "posviz/machine.h"
#include "posviz/raster.h"
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

static void layer_run(void *context)
{
	struct layer *l = context;
	const struct want want = {.kinds = WANT_OUTPUT, .layer = -1, .head = -1};
	struct arena a;
	arena_init(&a);
	struct trace trace;
	struct err err;
	if (!model_run(&l->model, &l->in, &want, l->cache, NULL, &a, &trace, &err)) {
		fprintf(stderr, "bench: %s\n", err.text);
		exit(1);
	}
	l->operations = trace.operations;
	arena_release(&a);
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

static void bench_picture(size_t n, long d, long heads)
{
	enum { ROUNDS = 15 };
	struct arena keep;
	arena_init(&keep);
	struct scene scene;
	scene_for(&scene, &keep, n, d, heads);
	struct cache *cache = cache_new((size_t)1 << 28);
	double compute[ROUNDS], draw[ROUNDS], paper[ROUNDS], png[ROUNDS];
	for (size_t i = 0; i < ROUNDS; i++) {
		struct arena a;
		arena_init(&a);
		struct picture picture;
		struct err err;
		const double t0 = now_ms();
		if (!picture_make(&scene, NULL, false, true, cache, NULL, &a, &picture, &err)) {
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
		compute[i] = t1 - t0, draw[i] = t2 - t1, paper[i] = t3 - t2, png[i] = t4 - t3;
		arena_release(&a);
	}
	const double r = median(paper, ROUNDS), p = median(png, ROUNDS);
	printf("%6zu %5ld %3ld %14.2f %14.2f %10.1f %9.1f %9.1f\n", n, d, heads,
	       median(compute, ROUNDS), median(draw, ROUNDS), r, p, r + p);
	fflush(stdout);
	cache_free(cache);
	arena_release(&keep);
}

/* ---- the program on a pseudo-terminal ----------------------------------------------------------- */

struct session {
	int fd;
	pid_t pid;
};

static struct session session_start(const char *program, char *const *args)
{
	const struct winsize size = {.ws_row = 36, .ws_col = 120};
	struct session s;
	s.pid = forkpty(&s.fd, NULL, NULL, &size);
	if (s.pid == 0) {
		setenv("TERM", "xterm-256color", 1);
		execv(program, args);
		_exit(127);
	}
	return s;
}

/* Reads until `mark` was seen (NULL: anything) and the terminal has been quiet for a moment; returns
 * the time of the last byte, or -1. */
static double session_wait(const struct session *s, const char *mark, double quiet_ms,
			   double limit_ms)
{
	static char seen[1 << 20];
	size_t len = 0;
	double last = -1;
	const double start = now_ms();
	bool found = false;
	while (now_ms() - start < limit_ms) {
		struct pollfd p = {.fd = s->fd, .events = POLLIN};
		if (poll(&p, 1, (int)quiet_ms) <= 0) {
			if (found)
				return last;
			continue;
		}
		if (len > sizeof seen - 65536)
			len = 0;
		const ssize_t got = read(s->fd, seen + len, 65535);
		if (got <= 0)
			return last;
		len += (size_t)got;
		seen[len] = '\0';
		if (!found && (!mark || memmem(seen, len, mark, strlen(mark)))) {
			found = true;
			last = now_ms();
		}
		if (!mark)
			last = now_ms();
	}
	return last;
}

static void session_end(const struct session *s)
{
	kill(s->pid, SIGKILL);
	waitpid(s->pid, NULL, 0);
	close(s->fd);
}

static void bench_start(const char *program)
{
	enum { ROUNDS = 9 };
	double first[ROUNDS];
	for (size_t i = 0; i < ROUNDS; i++) {
		char *const args[] = {strdup("posviz"), strdup("--fresh"), NULL};
		const double t0 = now_ms();
		const struct session s = session_start(program, args);
		first[i] = session_wait(&s, "Position bias", 30, 3000) - t0;
		session_end(&s);
	}
	printf("\nstart to first frame: %.1f ms (goal 60)\n", median(first, ROUNDS));
}

static void bench_keys(const char *program, size_t n, const char *d, const char *heads,
		       const char *keys)
{
	struct arena a;
	arena_init(&a);
	char *const args[] = {strdup("posviz"),		  strdup("--fresh"),   strdup("-s"),
			      strdup(sentence_of(&a, n)), strdup("--d-model"), strdup(d),
			      strdup("--heads"),	  strdup(heads),       NULL};
	const struct session s = session_start(program, args);
	double took[ROUNDS_MAX];
	size_t count = 0;
	session_wait(&s, "Position bias", 400, 20000);
	for (const char *key = keys; *key && count < ROUNDS_MAX; key++) {
		const double t0 = now_ms();
		if (write(s.fd, key, 1) != 1)
			break;
		const double t1 = session_wait(&s, NULL, 4, 2000);
		if (t1 > 0)
			took[count++] = t1 - t0;
		/* Let the measures of this change finish, so that each key starts alike. */
		session_wait(&s, NULL, 60, 120);
	}
	session_end(&s);
	if (count) {
		const double m = median(took, count);
		printf("n %4zu d %4s h %3s, %2zu keys: median %.1f ms, worst %.1f ms\n", n, d,
		       heads, count, m, took[count - 1]);
	}
	arena_release(&a);
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

static void bench_memory(const char *program)
{
	printf("\nresident memory of the terminal program, its measures included (peak)\n");
	static const struct {
		size_t n;
		double wait_ms;
		const char *goal;
	} rows[] = {{9, 1500, "80 MB"}, {4096, 40000, "1500 MB"}};
	for (size_t i = 0; i < 2; i++) {
		struct arena a;
		arena_init(&a);
		char *const args[] = {strdup("posviz"), strdup("--fresh"), strdup("-s"),
				      strdup(sentence_of(&a, rows[i].n)), NULL};
		const struct session s = session_start(program, args);
		session_wait(&s, "Position bias", 1000, rows[i].wait_ms);
		session_wait(&s, "\f", 1000, rows[i].wait_ms); /* never comes: all the time */
		printf("n %4zu d 64 h 4: %.0f MB (goal %s)\n", rows[i].n, peak_mb(s.pid),
		       rows[i].goal);
		fflush(stdout);
		session_end(&s);
		arena_release(&a);
	}
}

int main(int argc, char **argv)
{
	machine_setup(argv);
	char machine[200];
	machine_describe(machine, sizeof machine);
	printf("%s\n", machine);
	const char *program = getenv("POSVIZ");
	const char *only = argc > 1 ? argv[1] : "";
	if (!*only || strcmp(only, "layer") == 0)
		bench_layer();
	if (!*only || strcmp(only, "schemes") == 0) {
		bench_schemes(64, 64, 4, 31);
		bench_schemes(512, 768, 12, 7);
	}
	if (!*only || strcmp(only, "picture") == 0) {
		printf("\nscene to figure, to cells (200x50), to page (1600x1000), to PNG; ms\n");
		printf("%6s %5s %3s %14s %14s %10s %9s %9s\n", "n", "d", "h", "scene→figure",
		       "figure→cells", "page", "png", "sum");
		bench_picture(9, 64, 4);
		bench_picture(64, 64, 4);
		bench_picture(512, 768, 12);
	}
	if (program && (!*only || strcmp(only, "program") == 0)) {
		bench_start(program);
		printf("\nkey to screen on a pseudo-terminal (goal 16 ms at n 64)\n");
		bench_keys(program, 9, "64", "4", "llljjhhkk.,.,lljj");
		bench_keys(program, 64, "64", "4", "llljjhhkk.,.,JKJKcc");
		bench_keys(program, 512, "768", "12", "llljjhhkk");
		bench_memory(program);
	}
	return 0;
}
