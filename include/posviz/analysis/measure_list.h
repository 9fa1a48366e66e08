/* measure_list.h: every number that is measured of a whole model, in the order of cards, lists and
 * posviz_measures: its name as a quantity, its title, what is measured with it (MEASURED_...), the member of struct
 * measures, and one sentence. */
MEASURE("order", "equivariance", ORDER, equivariance,
	"change of the output, ‖P·T(X) − T(P·X)‖ / ‖T(X)‖, mean over 8 shuffles of the tokens")
MEASURE("your-order", "own order", OWN_ORDER, own_order,
	"change of the output in the order that is shown")
MEASURE("invariance", "invariance", ORDER, invariance,
	"change of the mean over tokens when they are shuffled")
MEASURE("shift", "shift", SHIFT, shift,
	"change of the logits when positions move by 3, on the probe")
MEASURE("shift-random", "shift, random", SHIFT_RANDOM, shift_random,
	"the same with random projections on the sentence")
MEASURE("insertion", "insertion", INSERTION, insertion,
	"change of the common block when 2 tokens are put in front")
