/* dot_label.c: the text of a label in DOT, as Graphviz draws it.
 *
 * Graphviz processes a label in this order: the fields of a record, in each \G \N \E \T \H, then
 * &amp; and the like, then line ends. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "input/dot_label.h"
#include "posviz/base/text.h"

/* Decodes an entity such as &amp; or &#228; at `at`; returns the bytes read, or 0. */
static size_t entity(const char *at, struct strbuf *out)
{
	static const struct {
		const char *name, *text;
	} known[] = {{"&amp;", "&"},   {"&lt;", "<"},	{"&gt;", ">"},
		     {"&quot;", "\""}, {"&apos;", "'"}, {"&nbsp;", " "}};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (strncmp(at, known[i].name, strlen(known[i].name)) == 0) {
			strbuf_add(out, known[i].text);
			return strlen(known[i].name);
		}
	const bool hex = strncmp(at, "&#x", 3) == 0;
	if (strncmp(at, "&#", 2) != 0 || !isalnum((unsigned char)at[hex ? 3 : 2]))
		return 0;
	char *end = NULL, bytes[4];
	const unsigned long code = strtoul(at + (hex ? 3 : 2), &end, hex ? 16 : 10);
	if (*end != ';' || code == 0 || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000))
		return 0;
	strbuf_add_n(out, bytes, text_encode(bytes, (uint32_t)code));
	return (size_t)(end + 1 - at);
}

const char *dot_label_html(struct arena *a, const char *html)
{
	struct strbuf out;
	strbuf_init(&out, a);
	size_t depth = 0;
	for (const char *at = html; *at != '\0';) {
		const size_t n = depth == 0 && *at == '&' ? entity(at, &out) : 0;
		if (n > 0) {
			at += n;
			continue;
		}
		if (*at == '<' && depth++ == 0)
			strbuf_add_char(&out, ' ');
		if (depth == 0)
			strbuf_add_char(&out, *at);
		if (*at == '>' && depth > 0)
			depth--;
		at++;
	}
	return out.at;
}

/* Adds the text of \c to a label. A letter without a meaning here is added itself, as every
 * other character. */
static void add_escape(struct strbuf *out, char c, const struct dot_names *names)
{
	const char *const named = c == 'G'   ? names->graph
				  : c == 'N' ? names->node
				  : c == 'T' ? names->tail
				  : c == 'H' ? names->head
					     : NULL;
	if (named)
		strbuf_add(out, named);
	else if (c == 'E' && names->tail)
		strbuf_printf(out, "%s%s%s", names->tail, names->arrow, names->head);
	else if (strchr("nlr", c))
		strbuf_add_char(out, ' ');
	else if (c != 'E')
		strbuf_add_char(out, c);
}

const char *dot_label_plain(struct arena *a, const char *text, const struct dot_names *names)
{
	struct strbuf out;
	strbuf_init(&out, a);
	for (const char *at = text; *at != '\0'; at++) {
		const size_t n = *at == '&' ? entity(at, &out) : 0;
		if (n > 0)
			at += n - 1;
		else if (*at == '\\' && at[1] != '\0')
			add_escape(&out, *++at, names);
		else
			strbuf_add_char(&out, *at);
	}
	return out.at;
}

/* ---- records --------------------------------------------------------------------------------- */

/* The state of the record field that is being read. */
enum field {
	FIELD_TEXT = 1 << 0,
	FIELD_PORT = 1 << 1, /* it has a port */
	FIELD_IN_PORT = 1 << 2,
	FIELD_TABLE = 1 << 3 /* it is a table { } of fields, and nothing besides */
};

struct record {
	struct strbuf *out;
	bool html;     /* < and > are tags, and no ports */
	unsigned mode; /* enum field */
	size_t depth;
};

/* Adds a character of a field's text, or skips one of its port, which is not shown. */
static bool record_text(struct record *r, const char *at, size_t n)
{
	if (*at != ' ' && (r->mode & FIELD_TABLE))
		return false;
	if (!(r->mode & FIELD_IN_PORT)) {
		strbuf_add_n(r->out, at, n);
		r->mode |= *at != ' ' ? FIELD_TEXT : 0;
	}
	return true;
}

static bool record_sign(struct record *r, char c, char next)
{
	const bool in_port = r->mode & FIELD_IN_PORT;
	switch (c) {
	case '<':
		if (r->mode & (FIELD_TABLE | FIELD_PORT))
			return false;
		r->mode |= FIELD_PORT | FIELD_IN_PORT;
		return true;
	case '>':
		r->mode &= ~(unsigned)FIELD_IN_PORT;
		return in_port;
	case '{':
		if (r->mode != 0 || next == '\0')
			return false;
		r->depth++;
		return true;
	default: /* | and } end a field */
		strbuf_add_char(r->out, ' ');
		r->depth -= c == '}';
		r->mode = c == '}' ? FIELD_TABLE : 0;
		return !in_port;
	}
}

enum dot_record dot_label_record(struct arena *a, const char *text, bool html, const char **fields)
{
	struct strbuf out;
	strbuf_init(&out, a);
	struct record r = {.out = &out, .html = html};
	const char *const signs = html ? "{}|" : "{}|<>";
	const char *at = text;
	bool ok = true;
	for (; *at != '\0' && ok && (*at != '}' || r.depth > 0); at++) {
		if ((unsigned char)*at < ' ')
			continue;
		if (strchr(signs, *at)) {
			ok = record_sign(&r, *at, at[1]);
		} else if (*at == '\\' && at[1] != '\0') {
			at++;
			ok = strchr("{}|<> ", *at) ? record_text(&r, at, 1)
						   : record_text(&r, at - 1, 2);
		} else {
			ok = record_text(&r, at, 1);
		}
	}
	*fields = out.at;
	if (!ok || r.depth > 0 || (r.mode & FIELD_IN_PORT))
		return DOT_RECORD_BAD;
	return *at == '\0' ? DOT_RECORD_WHOLE : DOT_RECORD_CUT;
}
