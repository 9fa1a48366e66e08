/* reach.h: the distance up to which a rotated pair of columns stays within the angles of
 * training. */
#ifndef POSVIZ_REACH_H
#define POSVIZ_REACH_H

/* Returns the greatest whole distance whose angle occurred in training; INFINITY: all do. In
 * training with `positions` positions, a pair rotated by `then` per position had the angles [0,
 * positions · then), half-open as in Position Interpolation, which maps positions of [0, L')
 * into [0, L) (Chen et al. 2023, equation 3); from 2π on these are all angles. Now it is rotated
 * by `now` per position. Both in radians;
 * 0: it does not rotate. */
double reach_of_pair(double now, double then, double positions);

/* Returns the first whole position that falls together with the one before it where a program rounds
 * position numbers to a type, by its name as a parameter: "bfloat16", "float16", "float32". */
double reach_of_rounded(const char *type);

#endif
