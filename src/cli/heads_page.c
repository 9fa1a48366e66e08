/* heads_page.c: a page of all kernels, for a paper. */
#include "heads.h"

bool heads_page(struct cli *c, const struct heads_measured *of, const struct heads_measured *other,
		struct err *err)
{
	(void)c, (void)of, (void)other;
	return err_set(err, "later");
}
