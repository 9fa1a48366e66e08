/* scheme_list.h: the families of schemes, one line each, in menu order. Each names an array
 * `const struct scheme scheme_<family>[]` that ends with id == NULL. */
FAMILY(plain)
FAMILY(learned)
FAMILY(sinusoid)
FAMILY(shortformer)
FAMILY(shaw)
FAMILY(t5)
FAMILY(txl)
FAMILY(deberta)
FAMILY(rope)
FAMILY(alibi)
FAMILY(cope)
FAMILY(gauss)
