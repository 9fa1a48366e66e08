/* diet_3.c: what the logits of a head are the sum of, with absolute positions and with relative ones. */
#include <math.h>
#include <string.h>

#include "fig.h"

enum { TERMS = 3 };
static const char lines[] = "sentence the cat sat ||| it fell asleep\nscheme ";

static const struct {
	const char *scheme, *name, *title, *position;
} models[] = {{"diet_abs", "abs", "DIET-ABS", "(P_Q P_K^⊤)_{ts}"},
	      {"diet_rel", "rel", "DIET-REL", "R_{t−s}"}};
enum { MODELS = sizeof models / sizeof *models };

/* ---- numbers ------------------------------------------------------------------------------------ */

/* How far the terms are from adding up. */
static double residual(const struct trace_head *head)
{
	double worst = 0;
	for (size_t t = 0; t < head->logits.rows; t++)
		for (size_t s = 0; s < head->logits.cols; s++) {
			double sum = 0;
			for (size_t k = 0; k < head->n_terms; k++)
				sum += mat_row(head->terms[k].at, t)[s];
			worst = fmax(worst, fabs(sum - mat_row(head->logits, t)[s]));
		}
	return worst;
}

/* The most that two cells of one diagonal differ. */
static double uneven(struct mat m)
{
	double worst = 0;
	for (size_t t = 1; t < m.rows; t++)
		for (size_t s = 1; s < m.cols; s++)
			worst = fmax(worst, fabs(mat_row(m, t)[s] - mat_row(m, t - 1)[s - 1]));
	return worst;
}

static bool is_new(struct mat m, size_t cell)
{
	for (size_t i = 0; i < cell; i++)
		if (fabs(mat_row(m, i / m.cols)[i % m.cols] -
			 mat_row(m, cell / m.cols)[cell % m.cols]) < 1e-12)
			return false;
	return true;
}

static size_t different(struct mat m)
{
	size_t n = 0;
	for (size_t cell = 0; cell < m.rows * m.cols; cell++)
		n += is_new(m, cell);
	return n;
}

static void say(struct fig *f, const char *name, const struct trace_head *head)
{
	fig_number(f, arena_printf(f->a, "%s.residual", name), residual(head),
		   "the most that terms and logits differ");
	fig_number(f, arena_printf(f->a, "%s.uneven", name), uneven(head->terms[1].at),
		   "of positions, the most that cells of one diagonal differ");
	fig_number(f, arena_printf(f->a, "%s.segments", name), (double)different(head->terms[2].at),
		   "different values that the term of segments has");
}

/* ---- the two equations --------------------------------------------------------------------------- */

/* All on one scale, by the words of the source. */
static void name(struct panel *p, size_t model, size_t term, double limit)
{
	static const char *const titles[TERMS] = {"Tokens", "Positions", "Segments"};
	p->title = p->paper_title = term < TERMS ? titles[term] : models[model].title;
	p->subtitle = NULL;
	p->operand.formula = term == 1	 ? models[model].position
			     : term == 2 ? "E_S(S(t), S(s))"
					 : p->operand.formula;
	p->heatmap.scale.lo = -limit;
	p->heatmap.scale.hi = limit;
}

void draw_diet_3(struct fig *f)
{
	struct panel *const panels = f->out->panels;
	double limit = 0;
	for (size_t m = 0; m < MODELS; m++) {
		const char *const scene = arena_printf(f->a, "%s%s\n", lines, models[m].scheme);
		const struct fig_run *const r = fig_run(f, scene, WANT_TERMS | WANT_LOGITS);
		if (!r || !fig_take(f, &view_terms, scene, "terms,sum", (unsigned char)m, 0, 1))
			return;
		say(f, models[m].name, &r->trace.layers[0].heads[0]);
	}
	for (size_t i = 0; i < f->out->n; i++)
		limit = fmax(limit, panels[i].heatmap.scale.hi);
	for (size_t i = 0; i < f->out->n; i++)
		name(&panels[i], i / (TERMS + 1), i % (TERMS + 1), limit);
}
