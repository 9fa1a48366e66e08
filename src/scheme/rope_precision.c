/* rope_precision.c: see rope_precision.h. A type has `bits` binary digits, exponents from `least` to
 * `most`; below there are fewer digits. */
#include "scheme/rope_precision.h"

#include <math.h>
#include <string.h>

#include "posviz/scheme/reach.h"

static const struct type {
	int bits, least, most;
} types[] = {[PRECISION_FLOAT32] = {24, -126, 127},
	     [PRECISION_FLOAT16] = {11, -14, 15},
	     [PRECISION_BFLOAT16] = {8, -126, 127}};

double precision_round(int precision, double x)
{
	if (precision == PRECISION_EXACT || x == 0 || !isfinite(x))
		return x;
	const struct type *const t = &types[precision];
	const int exponent = ilogb(x) > t->least ? ilogb(x) : t->least;
	const double step = ldexp(1, exponent - t->bits + 1);
	const double near = rint(x / step) * step;
	return fabs(near) < ldexp(1, t->most + 1) ? near : copysign(INFINITY, x);
}

double reach_of_rounded(const char *type)
{
	int precision = PRECISION_EXACT;
	while (strcmp(rope_precision_names[precision], type) != 0)
		precision++;
	/* Powers of two have all types; what is behind the last one with a neighbour is rounded to it. */
	double power = 1;
	while (precision_round(precision, power + 1) > power)
		power *= 2;
	return power + 1;
}

struct wave precision_wave(const struct rope *p, double position, double theta)
{
	if (p->precision == PRECISION_EXACT)
		return (struct wave){cos(position * theta), sin(position * theta)};
	const bool angles = p->rounds == ROUNDS_ANGLES, tables = p->rounds == ROUNDS_TABLES;
	const double at = angles || tables ? position : precision_round(p->precision, position);
	const double angle = angles ? precision_round(p->precision, at * theta) : at * theta;
	const struct wave out = {cos(angle), sin(angle)};
	return tables ? (struct wave){precision_round(p->precision, out.cosine),
				      precision_round(p->precision, out.sine)}
		      : out;
}

bool precision_check(const struct rope *p, struct err *err)
{
	return p->precision != PRECISION_EXACT || p->rounds == ROUNDS_POSITIONS ||
	       err_set(err, "rounds does nothing with precision=exact; it is for the other types");
}

static bool equal_rows(struct mat m, size_t a, size_t b)
{
	for (size_t i = 0; i < m.cols; i++)
		if (fabs(mat_row(m, a)[i] - mat_row(m, b)[i]) > 0)
			return false;
	return true;
}

bool precision_note(struct run *run, const struct member *m, const double *position,
		    struct mat cosine, struct mat sine, struct err *err)
{
	const struct rope *p = m->param;
	const char *const name = rope_precision_names[p->precision];
	for (size_t t = 0; t < run->n && p->precision != PRECISION_EXACT; t++)
		if (isinf(precision_round(p->precision, position[t] + (double)p->start)))
			return err_set(err,
				       "%s: %s has no number for position %g; its greatest is "
				       "below %g",
				       m->text, name, position[t] + (double)p->start,
				       ldexp(1, types[p->precision].most + 1));
	for (size_t t = 1; t < run->n && p->precision != PRECISION_EXACT; t++)
		if (fabs(position[t] - position[t - 1]) > 0 && equal_rows(cosine, t, t - 1) &&
		    equal_rows(sine, t, t - 1)) {
			run_note(run, m,
				 arena_printf(run->arena,
					      "in %s positions %g and %g fall together, the first "
					      "neighbours that do",
					      name, position[t - 1], position[t]));
			break;
		}
	return true;
}
