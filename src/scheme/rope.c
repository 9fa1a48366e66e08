/* rope.c: rotary position embedding (Su et al. 2021).
 *
 * Queries and keys are rotated by angles proportional to their positions; a product of two rotated
 * vectors depends only on the difference of the angles. The survey's eq. 26 prints R_(t-s), the
 * opposite rotation: with q'_t = R_t q_t and k'_s = R_s k_s it is q_t·R_(s-t) k_s.
 *
 * On a grid half of the pairs rotate by the row and half by the column, each half like the pairs
 * of a head of half the width. */
#include "scheme/rope.h"
#include "scheme/rotation.h"

#include <math.h>
#include <string.h>

#include "posviz/base/num.h"
#include "scheme/encoding.h"
#include "scheme/grid.h"
#include "scheme/pairwise.h"
#include "scheme/rates.h"
#include "scheme/rope_precision.h"

const char *const rope_layout_names[] = {"interleaved", "half", NULL};
const char *const rope_exponent_names[] = {"part", "head", NULL};
const char *const rope_precision_names[] = {"exact", "float32", "float16", "bfloat16", NULL};
const char *const rope_rounds_names[] = {"positions", "angles", "tables", NULL};

/* The rotation: cos and sin of position times frequency, [n, D/2]; shared by all heads. */
struct turn {
	size_t pairs;
	double attention;
	struct mat cos, sin; /* times attention */
	bool half;
	struct grid grid; /* n 0: positions are on a line */
};

/* Returns D/2 for the greatest even D within partial·dk, on a grid the greatest divisible by
 * four; a fraction such as 0.7·10 may fall short of its whole number by rounding. */
static size_t count_rotating(const struct rope *p, size_t dk)
{
	const size_t pairs = (size_t)floor(p->partial * (double)dk / 2 + 1e-9);
	return p->grid > 0 ? pairs - pairs % 2 : pairs;
}

/* Returns the number of pairs with a cosine and a sine: with exponent=head those that do not rotate
 * have them too, 1 and 0, since the partner of a column is then half a head away. */
static size_t count_pairs(const struct rope *p, size_t dk)
{
	const size_t rotating = count_rotating(p, dk);
	return p->exponent == EXPONENT_HEAD && rotating > 0 ? dk / 2 : rotating;
}

/* Returns the frequencies of one axis: of all pairs, or those of the row, or those of the
 * column. */
static struct rope_wheel axis_wheel(const struct rope *p, size_t dk, size_t t_max, double n)
{
	const size_t pairs = count_pairs(p, dk), rotating = count_rotating(p, dk);
	const double original = p->scaling.original;
	return (struct rope_wheel){.scaling = &p->scaling,
				   .base = p->base,
				   .pairs = p->grid > 0 ? pairs / 2 : pairs,
				   .rotating = p->exponent == EXPONENT_HEAD ? rotating : pairs,
				   .cut = p->cut,
				   .round = p->round,
				   .trained = original > 0 ? fmax(original, 1) : (double)t_max,
				   .n = n};
}

bool rope_declare(struct model *model, const struct member *m, struct err *err)
{
	const struct rope *p = m->param;
	const size_t pairs = count_pairs(p, model->dk);
	if (!rotation_has_pairs(model, m, err))
		return false;
	if (p->rotary_value && 2 * pairs > model->dv)
		return err_set(
			err,
			"value-dim: %s rotates %zu components of values too, which have %zu; "
			"value-dim %zu, or rotary_value=off, would be right",
			m->text, 2 * pairs, model->dv, 2 * pairs);
	if (pairs == 0)
		return true;
	const struct rope_wheel w = axis_wheel(p, model->dk, model->config.t_max, 0);
	return scaling_fits(&w, m->text, err);
}

/* Returns the side of a token's picture over which its coordinates are from -1 to 1. */
static double side_of(const struct rope *p, const struct grid *g, size_t t, bool row)
{
	const double high = g->rows[t], wide = g->cols[t];
	return p->coordinates == NUMBERS_MAX   ? fmax(high, wide)
	       : p->coordinates == NUMBERS_MIN ? fmin(high, wide)
					       : (row ? high : wide);
}

/* Returns the number of a row or column: from 0; or of its middle, from -1 to 1, times 2π. */
static double coordinate(const struct rope *p, const struct grid *g, size_t t, bool row)
{
	const double at = (row ? g->row[t] : g->col[t]) + (double)p->start;
	return p->coordinates == NUMBERS_INDEX
		       ? at
		       : 2 * M_PI * (2 * (at + 0.5) / side_of(p, g, t, row) - 1);
}

/* Returns what pair i of the token at t rotates by, before its frequency. On a grid a token that
 * is in no picture does not rotate. */
static double axis_position(const struct turn *turn, const double *positions, const struct rope *p,
			    size_t t, size_t i)
{
	const struct grid *const g = &turn->grid;
	if (p->grid == 0)
		return positions[t] + (double)p->start;
	const bool first = i < turn->pairs / 2;
	return g->picture[t] ? coordinate(p, g, t, first == (p->first == FIRST_ROWS)) : 0;
}

/* With `cached`, a token has the frequencies of the length up to it. */
static void fill_angles(struct turn *turn, const double *positions, const struct rope *p,
			const struct rope_wheel *w)
{
	struct rope_wheel own = *w;
	for (size_t i = 0; i < turn->pairs; i++) {
		double theta = scaling_frequency(w, i % w->pairs);
		for (size_t t = 0; t < turn->cos.rows; t++) {
			const double at = axis_position(turn, positions, p, t, i);
			if (p->scaling.cached) {
				own.n = fmin(positions[t] + 1, w->n);
				theta = scaling_frequency(&own, i % w->pairs);
			}
			const struct wave wave = precision_wave(p, at, theta);
			mat_row(turn->cos, t)[i] = turn->attention * wave.cosine;
			mat_row(turn->sin, t)[i] = turn->attention * wave.sine;
		}
	}
}

static struct node *turned(struct tape *tape, struct node *a, const struct turn *turn)
{
	return tape_rotate(tape, a, turn->cos, turn->sin, turn->half);
}

/* Rotates values of a head. The factor of logits does not apply to them: it is removed from the
 * columns that are rotated. */
static struct node *values_turned(struct tape *t, struct node *v, const struct turn *turn)
{
	const size_t n = v->v.rows, wide = 2 * turn->pairs;
	struct node *const first = wide < v->v.cols ? tape_slice(t, v, 0, n, 0, wide) : v;
	struct node *const own = tape_scale(t, turned(t, first, turn), 1 / turn->attention);
	if (first == v)
		return own;
	struct node *const both[] = {own, tape_slice(t, v, 0, n, wide, v->v.cols - wide)};
	return tape_concat_cols(t, both, 2);
}

/* Rotates each head's columns of v, where m acts on the head. */
static void rotation_values(struct run *run, const struct member *m, const struct turn *turn)
{
	const size_t heads = run->model->config.heads, dv = run->model->dv, n = run->n;
	struct node **parts = arena_calloc(run->arena, heads, sizeof(struct node *));
	for (size_t i = 0; i < heads; i++) {
		parts[i] = tape_slice(run->tape, run->v, 0, n, i * dv, dv);
		if (member_on_head(m, i))
			parts[i] = values_turned(run->tape, parts[i], turn);
	}
	run->v = tape_concat_cols(run->tape, parts, heads);
}

static bool is_warm(const struct turn *turn)
{
	return turn->pairs > 0 && (turn->attention < 1 || turn->attention > 1);
}

/* Adds a note about the factor. It is not a property of positions, but the bias contains it,
 * since the bias is the difference to the unrotated q·k. */
static void note_temperature(struct run *run, const struct member *m, const struct turn *turn)
{
	char number[32];
	const double by = turn->attention * turn->attention;
	if (is_warm(turn))
		run_note(run, m,
			 arena_printf(run->arena,
				      "%s multiplied by %s at any distance, the temperature; at "
				      "distance 0 that is all of the bias",
				      2 * turn->pairs == run->model->dk
					      ? "logits are"
					      : "what rotated columns add to logits is",
				      num_show(number, sizeof number, by, 4)));
}

/* Declares the factor of q·k, unless some columns are not rotated. */
bool rope_logits(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct turn *turn = head_state(head, m);
	if (is_warm(turn) && 2 * turn->pairs == head->q->v.cols)
		head_part_factor(head, "temperature", turn->attention * turn->attention);
	return true;
}

/* On a grid two tokens differ by two numbers, which no single number represents; a rule of pairs
 * has a relation of its own. */
bool rope_relation(struct run *run, const struct member *m, struct relation *out, struct err *err)
{
	const struct rope *p = m->param;
	return p->grid > 0 || pairwise_of(run) || encoding_relate_signed(run, m, out, err);
}

bool rope_only_qk(const struct member *m)
{
	const struct rope *p = m->param;
	return !p->rotary_value;
}

/* Returns the length that counts: for given positions the greatest plus one, as in the authors'
 * code, else that of the input. The column is not read otherwise: a shift of it would change the
 * logits. */
static double length_of_input(const struct run *run, const struct member *m)
{
	if (!run_reads_given(run, m))
		return (double)run->n;
	double most = run->in->position[0];
	for (size_t i = 1; i < run->in->axis.n; i++)
		most = fmax(most, run->in->position[i]);
	return most + 1;
}

bool rope_is(const struct member *m)
{
	return m->hooks->qk == rope_qk;
}

bool rope_rates(struct run *run, const struct member *m, struct rope_rates *out)
{
	const struct rope *p = m->param;
	const size_t pairs = count_pairs(p, run->model->dk);
	double *const rate = arena_calloc(run->arena, pairs + 1, sizeof *rate);
	*out = (struct rope_rates){pairs, p->layout == ROPE_HALF, rate};
	if (p->grid > 0 || p->scaling.cached || p->precision != PRECISION_EXACT)
		return false;
	if (pairs == 0)
		return true;
	const struct rope_wheel w =
		axis_wheel(p, run->model->dk, run->model->config.t_max, length_of_input(run, m));
	for (size_t i = 0; i < pairs; i++)
		rate[i] = scaling_frequency(&w, i);
	return true;
}

bool rope_member_rates(const void *param, size_t dk, size_t t_max, double n, struct arena *a,
		       struct member_rates *out)
{
	const struct rope *p = param;
	if (p->grid > 0 || p->scaling.cached || p->precision != PRECISION_EXACT ||
	    count_pairs(p, dk) == 0)
		return false;
	const struct rope_wheel w = axis_wheel(p, dk, t_max, n);
	wheel_rates(&w, a, out);
	out->half = p->layout == ROPE_HALF;
	out->attention = scaling_attention(&w);
	return true;
}

/* Keeps the rate of each pair before it was scaled, and the number of positions in training. */
static void keep_trained(struct run *run, const struct member *m, const struct turn *turn,
			 const struct rope_wheel *w)
{
	const struct mat theta = mat_new(run->arena, 1, turn->pairs);
	for (size_t i = 0; i < turn->pairs; i++)
		theta.at[i] = scaling_trained_frequency(w, i % w->pairs);
	run_keep(run, m, "trained", theta);
	const struct mat length = mat_new(run->arena, 1, 1);
	length.at[0] = w->trained;
	run_keep(run, m, "length", length);
}

/* Returns whether the user chose the width of the grid. */
static bool asks_width(const struct member *m)
{
	const struct param *q = m->scheme ? m->scheme->params : NULL;
	while (q && q->name && strcmp(q->name, "grid") != 0)
		q++;
	return q && q->name && !param_is_default(q, m->param);
}

/* Keeps which number of a cell each pair rotates by, and how far for a row or column more; if
 * coordinates depend on the size of the picture and sizes differ, that is not one number. */
static void keep_axes(struct run *run, const struct member *m, const struct turn *turn,
		      const struct rope_wheel *w)
{
	const struct rope *p = m->param;
	const struct grid *const g = &turn->grid;
	const struct mat rate = mat_new(run->arena, 1, turn->pairs);
	const struct mat axis = mat_new(run->arena, 1, turn->pairs);
	for (size_t i = 0; i < turn->pairs; i++) {
		const bool row = (i < turn->pairs / 2) == (p->first == FIRST_ROWS);
		double side = 0;
		axis.at[i] = row ? PLACE_HEIGHT : PLACE_WIDTH;
		for (size_t t = 0; t < g->n; t++) {
			const double own = g->picture[t] ? side_of(p, g, t, row) : side;
			side = side > 0 && fabs(side - own) > 0.5 ? NAN : own;
		}
		rate.at[i] = scaling_frequency(w, i % w->pairs) *
			     (p->coordinates == NUMBERS_INDEX ? 1 : 4 * M_PI / side);
	}
	run_keep(run, m, "rate", rate);
	run_keep(run, m, "axis", axis);
}

bool rope_prepare(struct run *run, const struct member *m, struct err *err)
{
	const struct rope *p = m->param;
	struct turn *turn = run_state(run, m, sizeof *turn);
	turn->half = p->layout == ROPE_HALF;
	turn->pairs = count_pairs(p, run->model->dk);
	const double *const positions = p->grid > 0 ? NULL : run_column(run, m, err);
	if (p->grid > 0 ? !grid_read(run, m, p->grid, asks_width(m), &turn->grid, err) : !positions)
		return false;
	if (turn->pairs == 0)
		return true;
	const struct rope_wheel w =
		axis_wheel(p, run->model->dk, run->model->config.t_max, length_of_input(run, m));
	turn->attention = scaling_attention(&w);
	note_temperature(run, m, turn);
	turn->cos = mat_new(run->arena, run->n, turn->pairs);
	turn->sin = mat_new(run->arena, run->n, turn->pairs);
	fill_angles(turn, positions, p, &w);
	if (!precision_note(run, m, positions, turn->cos, turn->sin, err))
		return false;
	run_keep(run, m, "cos", turn->cos);
	run_keep(run, m, "sin", turn->sin);
	if (p->grid > 0)
		keep_axes(run, m, turn, &w);
	if (scaling_kind(&p->scaling) != SCALING_NONE)
		keep_trained(run, m, turn, &w);
	if (p->rotary_value && run->v)
		rotation_values(run, m, turn);
	return true;
}

/* q'_t = R_t q_t, k'_s = R_s k_s */
bool rope_qk(struct head *head, const struct member *m, struct err *err)
{
	const struct turn *turn = head_state(head, m);
	if (turn->pairs == 0)
		return true;
	if (!rotation_fits(head, m, 2 * turn->pairs, err))
		return false;
	head->q = turned(head->tape, head->q, turn);
	head->k = turned(head->tape, head->k, turn);
	return true;
}

/* Tokens at distance m are up to ceil(m/W) rows apart, and training covered R of them. Columns
 * are never farther apart than W-1, which training covered as soon as there was a second row. */
static double grid_reach(const struct rope *p, struct rope_wheel w)
{
	if (p->coordinates != NUMBERS_INDEX)
		return INFINITY; /* any number of rows is from -1 to 1 */
	const double rows = floor((w.trained - 1) / (double)p->grid);
	w.trained = rows + 1;
	return scaling_reach(w) * (double)p->grid;
}

double rope_reach(const void *param, const struct model_config *config)
{
	const struct rope *p = param;
	const size_t pairs = count_pairs(p, model_dk(config));
	if (pairs == 0)
		return INFINITY;
	const struct rope_wheel w = axis_wheel(p, model_dk(config), config->t_max, 0);
	return p->grid > 0 ? grid_reach(p, w) : scaling_reach(w);
}
