/* format_in.h: common functions of the writers of formats. */
#ifndef POSVIZ_FORMAT_IN_H
#define POSVIZ_FORMAT_IN_H

#include "posviz/app/format.h"
#include "posviz/picture/picture.h"

#define FORMAT(id) extern const struct format format_##id;
#include "format_list.h"
#undef FORMAT

/* Makes the figure with its measures, as on cells with this background. */
bool format_figure(struct write_job *j, enum background background, struct figure **out,
		   struct err *err);
/* The same for a page, which is white unless the scene says dark. */
bool format_page_figure(struct write_job *j, struct figure **out, struct err *err);
/* Evaluates the scene for its numbers; results live in j->a. NULL: an error. */
struct picture *format_evaluate(struct write_job *j, struct want *want, struct err *err);
/* Makes the bytes of a format that is a page, with the job's scene in it. */
bool format_on_page(const struct format *format, struct write_job *j, struct err *err);

#endif
