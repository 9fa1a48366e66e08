/* reach.h: to what distance a pair of columns that turns stays within angles that training showed. */
#ifndef POSVIZ_REACH_H
#define POSVIZ_REACH_H

/* Trained on `positions` places, a pair that turned by `then` from one to the next showed the angles [0, positions ·
 * then), half-open as Position Interpolation has them, which brings positions of [0, L') into [0, L) (Chen et al. 2023,
 * equation 3); from 2π on these are all that there are. Turned by `now` instead: the greatest distance, a whole number,
 * whose angle is among them; INFINITY: any. All in radians, positive. */
double reach_of_pair(double now, double then, double positions);

#endif
