/* bench_torch.c: one layer, and a step of training, beside the same by PyTorch, in turns: in its double
 * precision, which posviz computes in, and for short inputs in its single precision too.
 *
 * Both have the same weights, kernels of the same type, and as many threads; what torch_block.py says is not
 * timed there, posviz has in its cache. Their outputs must agree before anything is measured. */
#include <cblas.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "model.h"
#include "posviz/format/tensor.h"
#include "posviz/learn/learn.h"
#include "posviz/math/machine.h"

enum { TURNS = 7, PAUSE_US = 30000 /* threads of the other side still spin so long */ };

/* The program of torch_block.py, asked and answering in lines. */
struct torch {
	pid_t pid;
	FILE *ask, *answer;
};

static const struct size {
	size_t n, d, heads, runs; /* runs of a turn */
	bool single;
} sizes[] = {{64, 64, 4, 30, true}, {512, 768, 12, 3, false}, {2048, 768, 12, 1, false}};

/* ---- what both compute with ---------------------------------------------------------------------- */

static bool add_run(struct layer *l, struct tensor_set *set, struct err *err)
{
	const struct want want = {.kinds = WANT_INPUT | WANT_OUTPUT, .layer = -1, .head = -1};
	struct trace trace;
	if (!model_run(&l->model, &l->in, &want, l->cache, NULL, set->arena, &trace, err))
		return false;
	const struct trace_layer *layer = &trace.layers[0];
	for (size_t i = 0; i < layer->n_weights; i++)
		tensor_set_add(set, layer->weights[i].name, layer->weights[i].at, false);
	tensor_set_add(set, "units", trace.units, false);
	tensor_set_add(set, "output", layer->output, false);
	return true;
}

static bool write_file(struct layer *l, int fd)
{
	struct arena a;
	struct tensor_set set;
	struct err err;
	char *data;
	size_t len;
	arena_init(&a);
	tensor_set_init(&set, &a);
	for (size_t i = 0; i < l->model.n_leaves; i++)
		tensor_set_add(&set, arena_printf(&a, "leaf.%s", l->model.leaves[i].base),
			       model_leaf_at(&l->model, &l->model.leaves[i]), false);
	const bool ok =
		add_run(l, &set, &err) && tensor_write_safetensors(&set, &a, &data, &len, &err);
	if (!ok)
		printf("%s\n", err.text);
	const bool written = ok && write(fd, data, len) == (ssize_t)len;
	arena_release(&a);
	return written;
}

/* ---- the other side -------------------------------------------------------------------------------- */

/* The script reads the file or directory `path`; scheme NULL: it asks for no more. */
static void torch_exec(const char *script, const char *path, const char *scheme, size_t heads)
{
	char of_heads[16], threads[16];
	snprintf(of_heads, sizeof of_heads, "%zu", heads);
	snprintf(threads, sizeof threads, "%zu", machine_threads());
	setenv("OPENBLAS_CORETYPE", openblas_get_corename(), 1);
	setenv("OPENBLAS_NUM_THREADS", threads, 1);
	execl(python_path(), python_path(), script, path, threads, scheme, of_heads, NULL);
	_exit(127);
}

static bool torch_open(struct torch *t, const char *script, const char *path, const char *scheme,
		       size_t heads)
{
	int to[2], from[2];
	if (pipe(to) != 0 || pipe(from) != 0)
		return false;
	fflush(stdout);
	t->pid = fork();
	if (t->pid == 0) {
		dup2(to[0], STDIN_FILENO);
		dup2(from[1], STDOUT_FILENO);
		close(to[0]), close(to[1]), close(from[0]), close(from[1]);
		torch_exec(script, path, scheme, heads);
	}
	close(to[0]);
	close(from[1]);
	t->ask = fdopen(to[1], "w");
	t->answer = fdopen(from[0], "r");
	return t->pid > 0 && t->ask && t->answer;
}

static void torch_close(struct torch *t)
{
	fclose(t->ask);
	fclose(t->answer);
	waitpid(t->pid, NULL, 0);
}

/* Its answer; negative when there is none. */
static double torch_hear(struct torch *t)
{
	double x;
	return fscanf(t->answer, "%lf", &x) == 1 ? x : -1;
}

static double torch_ms(struct torch *t, const char *type, size_t runs)
{
	fprintf(t->ask, "%s %zu\n", type, runs);
	fflush(t->ask);
	return torch_hear(t);
}

/* ---- in turns -------------------------------------------------------------------------------------- */

static double own_ms(void (*run)(void *), void *context, size_t runs)
{
	double ms[ROUNDS_MAX];
	run(context);
	for (size_t i = 0; i < runs; i++) {
		const double start = now_ms();
		run(context);
		ms[i] = now_ms() - start;
	}
	return median(ms, runs);
}

static struct pair take_turns(struct torch *t, const char *type, void (*run)(void *), void *context,
			      size_t runs)
{
	double theirs[TURNS], ours[TURNS], ratio[TURNS];
	for (size_t i = 0; i < TURNS; i++) {
		theirs[i] = torch_ms(t, type, runs);
		usleep(PAUSE_US);
		ours[i] = own_ms(run, context, runs);
		usleep(PAUSE_US);
		ratio[i] = theirs[i] / ours[i];
	}
	return (struct pair){median(theirs, TURNS), median(ours, TURNS), median(ratio, TURNS)};
}

static void compare_types(struct torch *t, const char *scheme, struct layer *l,
			  const struct size *s)
{
	static const struct {
		const char *type;
		double goal;
	} types[] = {{"float64", 1.5}, {"float32", 1}};
	for (size_t i = 0; i < 1 + (size_t)s->single; i++) {
		const struct pair p = take_turns(t, types[i].type, layer_run, l, s->runs);
		printf("%-10s %6zu %5zu %3zu %8s %10.2f %10.2f %7.2f", scheme, s->n, s->d, s->heads,
		       types[i].type, p.a, p.b, p.ratio);
		goal_at_least(p.ratio, types[i].goal, "%s, n %zu, beside %s", scheme, s->n,
			      types[i].type);
		putchar('\n');
	}
}

static void compare_scheme(const char *scheme, const struct size *s)
{
	char path[] = "/tmp/posviz-bench-XXXXXX";
	struct layer l;
	struct torch t;
	if (!layer_open(&l, scheme, s->n, s->d, s->heads))
		return;
	const int fd = mkstemp(path);
	if (fd >= 0 && write_file(&l, fd) &&
	    torch_open(&t, "tests/bench/torch_block.py", path, scheme, s->heads)) {
		const double apart = torch_hear(&t);
		if (apart >= 0 && apart <= 1e-9)
			compare_types(&t, scheme, &l, s);
		else
			printf("%-10s %6zu  the outputs are %g apart\n", scheme, s->n, apart);
		torch_close(&t);
	}
	close(fd);
	remove(path);
	layer_close(&l);
}

/* A pass of a trained model: posviz reads its files each time, PyTorch has them in memory. */
static void compare_passes(struct torch *t, struct pass *p, size_t n)
{
	static const struct {
		const char *type;
		double goal;
	} types[] = {{"float64", 0.7}, {"float32", 0.3}};
	for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
		const struct pair pair = take_turns(t, types[i].type, pass_run, p, 3);
		printf("%-10s %6zu %5d %3d %8s %10.2f %10.2f %7.2f", "trained", n, MODEL_D,
		       MODEL_HEADS, types[i].type, pair.a, pair.b, pair.ratio);
		goal_at_least(pair.ratio, types[i].goal, "trained, n %zu, beside %s", n,
			      types[i].type);
		putchar('\n');
	}
}

static void compare_model(size_t n)
{
	char path[64];
	struct pass p;
	struct torch t;
	if (!model_make(path, sizeof path))
		return;
	if (pass_open(&p, path, n)) {
		if (pass_write(&p, path) &&
		    torch_open(&t, "tests/bench/torch_model.py", path, NULL, 0)) {
			const double apart = torch_hear(&t);
			if (apart >= 0 && apart <= 1e-9)
				compare_passes(&t, &p, n);
			else
				printf("%-10s %6zu  the outputs are %g apart\n", "trained", n,
				       apart);
			torch_close(&t);
		}
		pass_close(&p);
	}
	model_remove(path);
}

/* ---- a step of training --------------------------------------------------------------------------- */

enum {
	DIFFERENT =
		16, /* steps whose sentences PyTorch has in memory; posviz draws them as it goes */
	STEPS_A_TURN = 40
};

/* Adds the sentences of some steps, -1 behind their end and where nothing is asked. */
static bool add_sentences(const struct learner *l, struct tensor_set *set, struct err *err)
{
	struct mat letters = mat_new(set->arena, DIFFERENT * LEARN_BATCH, l->task.longest);
	struct mat answers = mat_new(set->arena, letters.rows, letters.cols);
	mat_fill(letters, -1);
	mat_fill(answers, -1);
	for (size_t i = 0; i < letters.rows; i++) {
		struct example e;
		if (!task_train(&l->task, l->o.seed, i / LEARN_BATCH, i % LEARN_BATCH, set->arena,
				&e, err))
			return false;
		for (size_t t = 0; t < e.n; t++) {
			mat_row(letters, i)[t] = e.letter[t];
			mat_row(answers, i)[t] = e.answer[t];
		}
	}
	tensor_set_add(set, "letters", letters, false);
	tensor_set_add(set, "answers", answers, false);
	return true;
}

static bool write_learner(struct learner *l, int fd, struct err *err)
{
	struct arena a;
	struct tensor_set set;
	char *data;
	size_t len;
	arena_init(&a);
	tensor_set_init(&set, &a);
	for (size_t i = 0; i < l->n_learned; i++)
		tensor_set_add(&set, l->learned[i].name, l->learned[i].at, false);
	double loss, norm;
	const struct mat gradient = mat_new(&a, 1, l->n);
	bool ok = learner_gradient(l, 0, &loss, gradient.at, err) && add_sentences(l, &set, err);
	norm = ok ? mat_norm(gradient) : 0;
	tensor_set_add(&set, "loss", mat_view(&loss, 1, 1), false);
	tensor_set_add(&set, "norm", mat_view(&norm, 1, 1), false);
	ok = ok && tensor_write_safetensors(&set, &a, &data, &len, err) &&
	     write(fd, data, len) == (ssize_t)len;
	arena_release(&a);
	return ok;
}

static void step_run(void *learner)
{
	struct learner *const l = learner;
	struct err err = {""};
	if (!learner_train(l, l->step + 1, NULL, &err))
		die("%s", err.text);
}

static void compare_steps(struct torch *t, const char *scheme, struct learner *l)
{
	static const char *const types[] = {"float64", "float32"};
	for (size_t i = 0; i < 2; i++) {
		const struct pair p = take_turns(t, types[i], step_run, l, STEPS_A_TURN);
		printf("%-12s %5zu %3zu %8s %10.2f %10.2f %7.2f", scheme, l->o.d, l->o.heads,
		       types[i], p.a, p.b, p.ratio);
		goal_at_least(p.ratio, 1, "a step of training of %s, beside %s", scheme, types[i]);
		putchar('\n');
	}
}

static void compare_learning(const char *scheme)
{
	char path[] = "/tmp/posviz-bench-XXXXXX";
	struct learn_options o;
	struct learner *l = NULL;
	struct torch t;
	struct err err = {""};
	learn_defaults(&o);
	o.scheme = scheme;
	o.steps = 10000; /* more than are made */
	const int fd = mkstemp(path);
	if (fd >= 0 && learner_new(&l, &o, &err) && write_learner(l, fd, &err) &&
	    torch_open(&t, "tests/bench/torch_learn.py", path, scheme, o.heads)) {
		const double apart = torch_hear(&t);
		if (apart >= 0 && apart <= 1e-9)
			compare_steps(&t, scheme, l);
		else
			printf("%-12s  losses and gradients are %g apart\n", scheme, apart);
		torch_close(&t);
	} else {
		printf("%-12s %s\n", scheme, err.text);
	}
	learner_free(l);
	close(fd);
	remove(path);
}

static void compare_trainings(void)
{
	static const char *const schemes[] = {"none", "shaw(clip=8)", "rope", "alibi"};
	printf("\na step of training beside PyTorch's, 32 sentences of 8 to 16 letters; ms\n");
	printf("%-12s %5s %3s %8s %10s %10s %7s\n", "scheme", "d", "h", "type", "torch", "posviz",
	       "ratio");
	for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
		compare_learning(schemes[i]);
}

void bench_torch(void)
{
	static const char *const schemes[] = {"none", "rope", "t5", "shaw", "deberta"};
	printf("\none layer beside PyTorch's, as many threads and kernels of the same type; ms\n");
	if (!python_has("torch"))
		return;
	signal(SIGPIPE, SIG_IGN);
	printf("%-10s %6s %5s %3s %8s %10s %10s %7s\n", "scheme", "n", "d", "h", "type", "torch",
	       "posviz", "ratio");
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++)
			compare_scheme(schemes[k], &sizes[i]);
	compare_model(32);
	compare_trainings();
}
