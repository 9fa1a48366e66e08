/* profile_filter.h: the field profile-filter: which heads the view Profile and the sub-command heads show.
 *
 * Conditions parted by blanks, all of which hold: NAME>NUMBER, also with < >= <= =, of a name in profile_names,
 * shares in percent; or the name of a score alone: it has a star. "all": every head. */
#ifndef POSVIZ_PROFILE_FILTER_H
#define POSVIZ_PROFILE_FILTER_H

#include "posviz/scene/scene.h"

enum profile_sign {
	PROFILE_STARRED,
	PROFILE_ABOVE,
	PROFILE_BELOW,
	PROFILE_FROM,
	PROFILE_TO,
	PROFILE_EQUAL
};

struct profile_condition {
	size_t column; /* index in profile_names */
	enum profile_sign sign;
	double value;
};

/* Reads the conditions; false with one line that says what would be right. */
bool profile_filter_read(const char *text, struct arena *a, struct profile_condition **out,
			 size_t *n, struct err *err);
/* Returns the index of a name among those of profile_names; PROFILE_COLUMNS: there is none. */
size_t profile_name_find(const char *name, size_t len);

#endif
