/* notes_wire.c: see notes_wire.h. Reading is strict: what comes may be from any program that can open the socket. */
#include "notes_wire.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "posviz/base/num.h"

enum { COUNT_MOST = 100000, WORDS = 6, HASH_DIGITS = 16 };
static const double seconds_most = 1e7;

static const char *const words[] = {[NOTES_HELLO] = "posviz-notes",
				    [NOTES_TOUR] = "tour",
				    [NOTES_AT] = "at",
				    [NOTES_OVER] = "over",
				    [NOTES_NEXT] = "next",
				    [NOTES_BACK] = "back",
				    [NOTES_GO] = "go",
				    [NOTES_PAUSE] = "pause",
				    [NOTES_CLOCK] = "clock"};
/* That follow the first; the last of `tour` is the rest of its line. */
static const size_t follow[] = {
	[NOTES_HELLO] = 1, [NOTES_TOUR] = 4, [NOTES_AT] = 5,	[NOTES_OVER] = 0, [NOTES_NEXT] = 0,
	[NOTES_BACK] = 0,  [NOTES_GO] = 1,   [NOTES_PAUSE] = 0, [NOTES_CLOCK] = 1};
enum { KINDS = sizeof words / sizeof *words };

/* ---- reading ----------------------------------------------------------------------------- */

static bool read_count(const char *text, size_t len, size_t *out)
{
	long value;
	if (!num_parse_long(text, len, 1, COUNT_MOST, &value, NULL))
		return false;
	*out = (size_t)value;
	return true;
}

/* "3.2" */
static bool read_place(const char *text, struct notes_at *out)
{
	const size_t dot = strcspn(text, ".");
	return text[dot] == '.' && read_count(text, dot, &out->step) &&
	       read_count(text + dot + 1, strlen(text + dot + 1), &out->beat);
}

static bool read_seconds(const char *text, double *out)
{
	return num_parse_double(text, strlen(text), 0, seconds_most, out, NULL);
}

static bool read_either(const char *text, const char *no, const char *yes, bool *out)
{
	*out = strcmp(text, yes) == 0;
	return *out || strcmp(text, no) == 0;
}

static int digit(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *const at = c ? strchr(digits, c) : NULL;
	return at ? (int)(at - digits) : -1;
}

static bool read_hash(const char *text, uint64_t *out)
{
	*out = 0;
	for (size_t i = 0; i < HASH_DIGITS; i++) {
		if (digit(text[i]) < 0)
			return false;
		*out = *out << 4 | (uint64_t)digit(text[i]);
	}
	return text[HASH_DIGITS] == '\0';
}

static bool read_name(const char *text, char *out)
{
	size_t n = 0;
	for (; *text && n + 1 < NOTES_NAME; n++) {
		int code = (unsigned char)*text;
		if (code < 32 || code == 127)
			return false;
		if (code == '%') {
			const int high = digit(text[1]), low = high < 0 ? -1 : digit(text[2]);
			code = low < 0 ? 0 : high * 16 + low;
			text += 2;
		}
		if (code == 0)
			return false;
		out[n] = (char)code;
		text++;
	}
	out[n] = '\0';
	return n > 0 && *text == '\0';
}

/* Cuts the line at its blanks, of which there is one between two words. */
static size_t cut(char *line, size_t most, char **out)
{
	size_t n = 0;
	while (n < most) {
		out[n++] = line;
		char *const blank = n < most ? strchr(line, ' ') : NULL;
		if (!blank)
			break;
		*blank = '\0';
		line = blank + 1;
	}
	return n;
}

static bool read_words(char *const *w, struct notes_message *m)
{
	switch (m->kind) {
	case NOTES_HELLO:
		return num_parse_long(w[1], strlen(w[1]), 1, COUNT_MOST, &m->version, NULL);
	case NOTES_TOUR:
		return read_count(w[1], strlen(w[1]), &m->steps) &&
		       read_count(w[2], strlen(w[2]), &m->beats) && read_hash(w[3], &m->hash) &&
		       read_name(w[4], m->name);
	case NOTES_AT:
		return read_place(w[1], &m->at) && read_seconds(w[2], &m->at.elapsed) &&
		       read_seconds(w[3], &m->at.spent) &&
		       read_either(w[4], "on", "off", &m->at.off) &&
		       read_either(w[5], "runs", "stands", &m->at.stands);
	case NOTES_GO:
		return read_place(w[1], &m->at);
	case NOTES_CLOCK:
		return read_seconds(w[1], &m->at.elapsed);
	default:
		return true;
	}
}

static bool read_line(char *line, struct notes_message *m)
{
	char *w[WORDS];
	const size_t first = strcspn(line, " ");
	size_t kind = 0;
	while (kind < KINDS &&
	       (strlen(words[kind]) != first || memcmp(words[kind], line, first) != 0))
		kind++;
	if (kind == KINDS)
		return false;
	*m = (struct notes_message){.kind = (enum notes_kind)kind};
	/* A word too many stays in the last, which then is none that is known. */
	const size_t most = follow[kind] + 1, n = cut(line, most, w);
	return n == most && (most > 1 || line[first] == '\0') && read_words(w, m);
}

/* The greeting first, and once. */
static bool take_line(struct notes_reader *r, struct notes_message *out)
{
	const bool ok = memchr(r->line, '\0', r->n) == NULL;
	r->line[r->n] = '\0';
	r->n = 0;
	if (!ok || !read_line(r->line, out) || (out->kind == NOTES_HELLO) == r->greeted) {
		r->wrong = true;
		return false;
	}
	if (r->greeted)
		return true;
	r->greeted = true;
	r->version = out->version;
	r->wrong = out->version != NOTES_VERSION;
	return false;
}

size_t notes_take(struct notes_reader *r, const char *bytes, size_t len, struct notes_message *out,
		  bool *got)
{
	*got = false;
	if (r->wrong || len == 0)
		return 0;
	const char *const end = memchr(bytes, '\n', len);
	const size_t part = end ? (size_t)(end - bytes) : len;
	if (part >= NOTES_LINE - r->n) {
		r->wrong = true;
		return 0;
	}
	memcpy(r->line + r->n, bytes, part);
	r->n += part;
	if (end)
		*got = take_line(r, out);
	return part + (end != NULL);
}

/* ---- writing ----------------------------------------------------------------------------- */

static double bounded(double seconds)
{
	return fmin(fmax(seconds, 0), seconds_most);
}

static void print_name(const char *name, struct strbuf *out)
{
	for (; *name; name++) {
		const unsigned char c = (unsigned char)*name;
		if (c < 32 || c == 127 || c == '%')
			strbuf_printf(out, "%%%02x", c);
		else
			strbuf_add_char(out, *name);
	}
}

void notes_print(const struct notes_message *m, struct strbuf *out)
{
	strbuf_add(out, words[m->kind]);
	switch (m->kind) {
	case NOTES_HELLO:
		strbuf_printf(out, " %d", NOTES_VERSION);
		break;
	case NOTES_TOUR:
		strbuf_printf(out, " %zu %zu %016" PRIx64 " ", m->steps, m->beats, m->hash);
		print_name(m->name, out);
		break;
	case NOTES_AT:
		strbuf_printf(out, " %zu.%zu %.3f %.3f %s %s", m->at.step, m->at.beat,
			      bounded(m->at.elapsed), bounded(m->at.spent),
			      m->at.off ? "off" : "on", m->at.stands ? "stands" : "runs");
		break;
	case NOTES_GO:
		strbuf_printf(out, " %zu.%zu", m->at.step, m->at.beat);
		break;
	case NOTES_CLOCK:
		strbuf_printf(out, " %.3f", bounded(m->at.elapsed));
		break;
	default:
		break;
	}
	strbuf_add_char(out, '\n');
}

/* ---- telling texts apart ------------------------------------------------------------------ */

/* FNV-1a (Fowler, Noll, Vo), 64 bits: no secret hangs on it. */
uint64_t notes_hash_bytes(uint64_t from, const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		from = (from ^ (unsigned char)bytes[i]) * 1099511628211u;
	return from;
}

/* With its end, so that no two lists of texts run into one. */
static uint64_t add_text(uint64_t hash, const char *text)
{
	return text ? notes_hash_bytes(hash, text, strlen(text) + 1)
		    : notes_hash_bytes(hash, "\1", 1);
}

static uint64_t add_texts(uint64_t hash, const char *const *texts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		hash = add_text(hash, texts[i]);
	return add_text(hash, NULL);
}

static uint64_t add_beat(uint64_t hash, const struct tour_beat *b)
{
	hash = add_text(add_text(add_text(hash, b->say), b->ask), b->answer);
	hash = add_texts(hash, (const char *const *)b->options, b->n_options);
	for (size_t i = 0; i < b->n_wrong; i++) {
		hash = notes_hash_bytes(hash, (const char[]){(char)b->wrong[i].option}, 1);
		hash = add_text(hash, b->wrong[i].text);
	}
	return notes_hash_bytes(hash, (const char[]){(char)b->right, (char)b->reveals}, 2);
}

uint64_t notes_hash(const struct tour *t)
{
	uint64_t hash = add_text(NOTES_EMPTY, t->title);
	for (size_t i = 0; i < t->n_steps; i++) {
		const struct tour_step *const s = &t->steps[i];
		const uint32_t seconds = (uint32_t)s->seconds;
		hash = add_text(hash, s->title);
		hash = notes_hash_bytes(hash, (const char *)&seconds, sizeof seconds);
		hash = add_texts(hash, s->notes, s->n_notes);
		hash = add_texts(hash, s->sources, s->n_sources);
		for (size_t k = 0; k < s->n; k++)
			hash = add_beat(hash, &t->beats[s->first + k]);
	}
	return hash;
}
