/* bench_program.c: the program on a pseudo-terminal: keys, what is written, rest, memory. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "help_keys.h"
#include "help_pty.h"
#include "posviz/app/app.h"

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

/* With the goal of the median, and of 99 % of them unless it is 0. */
static void print_samples(const char *what, struct samples *s, const char *unit, double goal,
			  double goal_99)
{
	const double middle = median(s->at, s->n); /* sorts */
	const double most = s->n ? s->at[(s->n - 1) * 99 / 100] : 0;
	printf("%-42s %4zu  median %6.1f  99 %% %6.1f  worst %6.1f %s%s%s%s", what, s->n, middle,
	       most, s->most, unit, s->of ? " (" : "", s->of ? s->of : "", s->of ? ")" : "");
	goal_at_most(middle, goal, "%s, median %s", what, unit);
	if (goal_99 > 0)
		goal_at_most(most, goal_99, "%s, 99 %% %s", what, unit);
	putchar('\n');
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
	enum { ROUNDS = 2 };
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
	print_samples(what, &took, "ms", 16, 33);
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
	print_samples("typing while computing, n 512 d 768 h 12", &took, "ms", 16, 33);
	pty_stop(&p);
}

static void print_bytes(struct pty *p, const char *what, const char *colours, const char *keys[],
			size_t n, size_t steps, double goal)
{
	struct samples kb = {0};
	double ms;
	size_t bytes;
	char line[80];
	for (size_t i = 0; i < steps; i++)
		if (frame_of(p, keys[i % n], &ms, &bytes))
			sample(&kb, (double)bytes / 1000, NULL);
	snprintf(line, sizeof line, "%s, %s", what, strchr(colours, '=') ? "direct" : "256");
	print_samples(line, &kb, "kB", goal, 0);
}

/* Of a screen of panes, and of one matrix that is there as a whole. */
static void bench_bytes(const char *colours, double most)
{
	static const char *again[] = {"\014"};
	static const char *moves[] = {"\033OB", "\033OC", "\033OB", "\033OA", "\033OD"};
	struct pty p;
	if (!program_open(&p, 50, 200, 64, "64", "4", colours))
		return;
	print_bytes(&p, "200x50, n 64, whole screen", colours, again, 1, 3, most);
	pty_type(&p, "z");
	pty_settle(&p);
	print_bytes(&p, "one pane of 64x64, whole", colours, again, 1, 3, most);
	print_bytes(&p, "one pane of 64x64, step of the cursor", colours, moves, 5, 80, 3);
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
	const double work = work_ms(p.pid) - before, bytes = (double)(p.written - written);
	printf("2 s at rest: %.0f ms of work, %.0f bytes", work, bytes);
	goal_at_most(work, 0, "work at rest, ms");
	goal_at_most(bytes, 0, "written at rest, bytes");
	putchar('\n');
	pty_stop(&p);
}

/* What moves by itself: its pictures, and the bytes of each. */
static void bench_motion(void)
{
	static const struct {
		const char *what, *before, *key;
	} rows[] = {{"9 tokens walk", "p", "R"},
		    {"8 dials turn through 9 places", ":cursor 3 2\r:clocks\r", "T"}};
	const double longest = 4000, apart = 400;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct samples bytes = {0};
		struct pty p;
		if (!program_open(&p, 36, 120, 9, "64", "4", "COLORTERM=truecolor"))
			return;
		pty_type(&p, rows[i].before);
		pty_settle(&p);
		pty_type(&p, rows[i].key);
		const double start = now_ms();
		size_t frame = p.written;
		for (double last = start; now_ms() < start + longest && now_ms() < last + apart;) {
			if (pty_pump(&p, 1))
				last = now_ms();
			else if (p.written > frame && now_ms() > last + FRAME_MS) {
				sample(&bytes, (double)(p.written - frame), NULL);
				frame = p.written;
			}
		}
		print_samples(rows[i].what, &bytes, "bytes a picture", 6000, 0);
		pty_stop(&p);
	}
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
	print_samples("start to first frame", &first, "ms", 20, 0);
}

static void bench_memory(void)
{
	static const struct {
		size_t n;
		double most_ms, goal;
	} rows[] = {{9, 10000, 80}, {4096, 60000, 1500}};
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
		const double peak = peak_mb(p.pid);
		printf("n %4zu d 64 h 4: %.0f MB", rows[i].n, peak);
		goal_at_most(peak, rows[i].goal, "resident memory, n %zu, MB", rows[i].n);
		putchar('\n');
		pty_stop(&p);
		arena_release(&a);
	}
}

void bench_program(void)
{
	printf("\nthe program on a pseudo-terminal\n");
	bench_start();
	bench_keys(36, 120, 9);
	bench_keys(36, 120, 64);
	bench_keys(50, 200, 64);
	bench_while_computing();
	bench_bytes("COLORTERM=truecolor", 100);
	bench_bytes("COLORTERM", 50);
	bench_motion();
	bench_idle();
	bench_memory();
}
