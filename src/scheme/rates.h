/* rates.h: the rates of each family that rotates (posviz/scheme/rates.h). */
#ifndef SCHEME_RATES_H
#define SCHEME_RATES_H

#include "posviz/scheme/rates.h"
#include "scheme/rope_scaling.h"

/* Fill in the rates of a member with these parameters; false as member_rates. */
bool rope_member_rates(const void *param, size_t dk, size_t t_max, double n, struct arena *a,
		       struct member_rates *out);
bool mla_member_rates(const void *param, size_t dk, size_t t_max, double n, struct arena *a,
		      struct member_rates *out);
bool mrope_member_rates(const void *param, size_t dk, size_t t_max, double n, struct arena *a,
			struct member_rates *out);

/* Fills in the rates of a wheel, its base, and its training length. */
void wheel_rates(const struct rope_wheel *w, struct arena *a, struct member_rates *out);

#endif
