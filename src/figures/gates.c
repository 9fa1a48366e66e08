/* gates.c: contextual positions: gates say which keys count, positions are their sums, and the query reads its
 * addend between whole positions. */
#include <math.h>
#include <string.h>

#include "fig.h"

/* Matrices of one head; each [n,n], NaN where the mask hides a key. */
struct counted {
	size_t n;
	struct mat gates, position, added;
	const struct fig_run *run;
	const struct trace_head *head;
};

static struct mat term(const struct trace_head *h, const char *label)
{
	for (size_t i = 0; i < h->n_terms; i++)
		if (strcmp(h->terms[i].label, label) == 0)
			return h->terms[i].at;
	BUG("no term %s", label);
}

/* g = σ(z) of what is in the logits before positions, p_ts the sum of the gates from s to t. */
static bool count(struct fig *f, struct counted *c)
{
	c->run = fig_run(f,
			 "scheme cope\nd-model 8\nheads 1\nlayers 1\ncontent 4\n"
			 "sentence the cat that the dog chased fell asleep .\n",
			 WANT_TERMS | WANT_QKV);
	if (!c->run)
		return false;
	c->head = &c->run->trace.layers[0].heads[0];
	const struct mat z = term(c->head, "unit–unit");
	c->n = z.rows;
	c->added = term(c->head, "query–e");
	c->gates = mat_zero(f->a, c->n, c->n);
	c->position = mat_zero(f->a, c->n, c->n);
	for (size_t t = 0; t < c->n; t++) {
		double sum = 0;
		for (size_t s = t + 1; s-- > 0;) {
			sum += mat_row(c->gates, t)[s] = 1 / (1 + exp(-mat_row(z, t)[s]));
			mat_row(c->position, t)[s] = sum;
		}
	}
	return true;
}

/* (1 − w) q·e[⌊p⌋] + w q·e[⌈p⌉], w = p − ⌊p⌋. */
static double between(const struct counted *c, size_t t, double p)
{
	const struct mat e = fig_leaf(c->run, "e");
	const double *const q = mat_row(c->head->q, t);
	const double w = p - floor(p);
	const size_t low = (size_t)p, high = w > 0 ? low + 1 : low;
	double sum = 0;
	for (size_t j = 0; j < e.cols; j++)
		sum += q[j] * ((1 - w) * mat_row(e, low)[j] + w * mat_row(e, high)[j]);
	return sum;
}

/* ---- panels -------------------------------------------------------------------------------------- */

/* `most`: its values go from 0 to this; 0: they have signs. */
static struct panel *draw(struct fig *f, const struct counted *c, struct mat m, double most,
			  const char *name, const char *title)
{
	static const unsigned char across = 2;
	const unsigned char at = (unsigned char)f->out->n;
	struct panel *const p = fig_panel(f, name, title, at / across, at % across, 1, at);
	fig_map(f, p, c->run, m,
		&(struct paint){.allowed = c->head->mask,
				.is_signed = most == 0,
				.ranged = most > 0,
				.lo = 0,
				.hi = most});
	p->heatmap.linear = true;
	return p;
}

static void draw_last(struct fig *f, const struct counted *c)
{
	struct panel *const p = fig_panel(f, "last", "Positions of the last query", 1, 1, 1, 2);
	double *const plain = arena_calloc(f->a, c->n, sizeof *plain);
	for (size_t s = 0; s < c->n; s++)
		plain[s] = (double)(c->n - s);
	fig_curves(f, p, "key s", "position");
	p->curves.integer_x = true;
	fig_curve(f, p, "count", c->n, fig_steps(f, 1, 1, c->n), plain);
	fig_curve(f, p, "gates", c->n, fig_steps(f, 1, 1, c->n), mat_row(c->position, c->n - 1));
	p->subtitle = "keys from s to the query, counted, and as their gates add up";
}

/* ---- numbers ------------------------------------------------------------------------------------- */

static void say(struct fig *f, const struct counted *c)
{
	double apart = 0, least = INFINITY, over = -INFINITY, rises = -INFINITY;
	for (size_t t = 0; t < c->n; t++)
		for (size_t s = 0; s <= t; s++) {
			const double p = mat_row(c->position, t)[s];
			apart = fmax(apart, fabs(mat_row(c->added, t)[s] - between(c, t, p)));
			least = fmin(least, p);
			over = fmax(over, p - (double)(t - s + 1));
			if (s > 0)
				rises = fmax(rises, p - mat_row(c->position, t)[s - 1]);
		}
	fig_number(f, "added.differs", apart,
		   "the most that the scheme's addend and q·e at the sum of gates differ");
	fig_number(f, "position.least", least, "the smallest position");
	fig_number(f, "position.over", over, "the most that a position exceeds the count of keys");
	fig_number(f, "position.rises", rises, "the most that it rises from a key to the next");
	fig_number(f, "self", mat_row(c->gates, 0)[0], "gate of a word on itself");
	fig_number(f, "first.position", mat_row(c->position, 0)[0], "position of the first");
}

void draw_gates(struct fig *f)
{
	struct counted c;
	if (!count(f, &c))
		return;
	draw(f, &c, c.gates, 1, "gates", "Gates")->subtitle = "σ(q·k/√d_h): how much a key counts";
	draw(f, &c, c.position, (double)c.n, "positions", "Positions")->subtitle =
		"gates from the key to the query, added up";
	draw(f, &c, c.added, 0, "added", "Added to the logits")->subtitle =
		"q·e, between whole positions";
	draw_last(f, &c);
	say(f, &c);
}
