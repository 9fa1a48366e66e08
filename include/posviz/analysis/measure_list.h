/* measure_list.h: every number that is measured of a whole model, in the order of lists and
 * posviz_measures: its name as a quantity, its title, its word in the JSON of `posviz show`, what is
 * measured with it (MEASURED_...), the member of struct measures, and one sentence. A number for each
 * layer is a MEASURE_BY_LAYER, where that is defined; it is not in posviz_measures. */
MEASURE("order", "equivariance", "equivariance", ORDER, equivariance,
	"change of the output when the tokens are shuffled, ‖P·T(X) − T(P·X)‖ / ‖T(X)‖, mean of 8 "
	"shuffles")
MEASURE("your-order", "your order", "own order", OWN_ORDER, own_order,
	"change of the output in the order that is shown")
MEASURE("invariance", "invariance", "invariance", ORDER, invariance,
	"change of the mean of all output vectors under the same shuffles")
MEASURE("shift", "shift", "shift", SHIFT, shift,
	"change of the logits when positions move by 3, with all tokens equal")
MEASURE("shift-random", "shift, random", "shift, random", SHIFT_RANDOM, shift_random,
	"the same with random projections on the sentence")
MEASURE("insertion", "insertion", "insertion", INSERTION, insertion,
	"change of the logits of the others when 2 tokens are put in front")
#ifdef MEASURE_BY_LAYER
MEASURE_BY_LAYER("prefix-order", "prefix order", "prefix", PREFIX, prefix,
		 "change of the last row when the tokens before it are shuffled")
#undef MEASURE_BY_LAYER
#endif
#undef MEASURE
