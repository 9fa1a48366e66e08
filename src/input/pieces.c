/* pieces.c: see pieces.h.
 *
 * Graphs and trees extend from a bracket to the one that closes it, over any number of lines. If
 * none closes, the layout shows what was meant: people begin each at the left margin, usually
 * after a blank line, and indent its content. Except for the blank line, the layout counts only
 * when brackets fail. */
#include "input/pieces.h"

#include <string.h>

bool piece_opens_bracket(const char *line, const char *end)
{
	return line < end && *line == '(';
}

static const char *next_line(const char *at, const char *end)
{
	const char *const lf = memchr(at, '\n', (size_t)(end - at));
	return lf ? lf + 1 : end;
}

static bool is_blank_line(const char *line, const char *end)
{
	while (line < end && (*line == ' ' || *line == '\t' || *line == '\r'))
		line++;
	return line == end || *line == '\n';
}

/* Returns the next line that opens a piece; with `parted` only one after a blank line and
 * comments. */
static const char *next_opening(const struct pieces *p, const char *at, bool parted)
{
	const char *const end = p->source->end;
	bool blank = false;
	for (at = next_line(at, end); at < end; at = next_line(at, end)) {
		if (p->opens(at, end) && (blank || !parted))
			return at;
		blank = is_blank_line(at, end) || (blank && *at == '#');
	}
	return end;
}

const char *piece_limit(struct pieces *p, const char *begin)
{
	if (!p->end || begin >= p->end) {
		p->end = p->blocks ? next_opening(p, begin, true) : p->source->end;
		p->broken = false;
	}
	const char *const next = p->broken ? next_opening(p, begin, false) : p->end;
	return next < p->end ? next : p->end;
}

const char *piece_resume(struct pieces *p, const char *begin)
{
	p->broken = true;
	return piece_limit(p, begin);
}
