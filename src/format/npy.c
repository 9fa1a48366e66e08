/* npy.c: numpy's format for one array.
 *
 * Format: the documentation of numpy.lib.format, versions 1 to 3. The header is the text of a
 * Python dict with three keys; no other Python is parsed. */
#include <stdint.h>
#include <string.h>

#include "format/element.h"
#include "format/tensor_read.h"
#include "posviz/base/num.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"

enum { MAGIC_BYTES = 6, MAX_HEADER = 1 << 16, WORD_BYTES = 32, QUOTED = 256, ALIGN = 64 };

static const unsigned char magic[MAGIC_BYTES] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

struct npy_header {
	bool has_kind, has_order, has_shape;
	enum element_kind kind;
	bool big; /* big-endian */
	bool fortran;
	size_t shape[TENSOR_DIMS], dims, count;
};

/* The rest of a header. */
struct cursor {
	const char *at, *end;
};

static void skip_blanks(struct cursor *c)
{
	while (c->at < c->end && (*c->at == ' ' || *c->at == '\n'))
		c->at++;
}

/* Skips blanks, then `text`; false if something else is there. */
static bool take(struct cursor *c, const char *text)
{
	skip_blanks(c);
	const size_t len = strlen(text);
	if ((size_t)(c->end - c->at) < len || memcmp(c->at, text, len) != 0)
		return false;
	c->at += len;
	return true;
}

/* Reads a short string in quotes, without escapes. */
static bool take_string(struct cursor *c, char word[WORD_BYTES])
{
	const char *quote = take(c, "'") ? "'" : take(c, "\"") ? "\"" : NULL;
	if (quote == NULL)
		return false;
	size_t len = 0;
	while (c->at < c->end && *c->at != *quote && *c->at != '\\' && len + 1 < WORD_BYTES)
		word[len++] = *c->at++;
	word[len] = '\0';
	return take(c, quote);
}

/* Reads a shape: "()", "(3,)", "(3, 4)". */
static bool read_shape(struct cursor *c, struct npy_header *h, struct err *err)
{
	bool separated = take(c, "(");
	while (!take(c, ")")) {
		if (!separated)
			return err_set(err, "the shape is not a tuple");
		if (h->dims == TENSOR_DIMS)
			return err_set(err, "more than %d dimensions", TENSOR_DIMS);
		skip_blanks(c);
		const char *first = c->at;
		while (c->at < c->end && *c->at >= '0' && *c->at <= '9')
			c->at++;
		uint64_t size = 0;
		if (!num_parse_u64(first, (size_t)(c->at - first), &size, err))
			return err_prefix(err, "shape: ");
		h->shape[h->dims++] = (size_t)size;
		separated = take(c, ",");
	}
	h->has_shape = true;
	return true;
}

/* Refuses one of numpy's other types, recognised by the first letter after the byte order, and
 * says what would be right. */
static bool refuse_kind(const char *word, struct err *err)
{
	char quoted[QUOTED];
	const char *const type = text_quote_buf(quoted, sizeof quoted, word, strlen(word));
	switch (word[strspn(word, "<>=|")]) {
	case 'O':
		return err_set(err,
			       "its type is %s, Python objects, which are pickled and not read; a "
			       "plain array of numbers, as array.astype('float32') makes it, would "
			       "be right",
			       type);
	case 'c':
		return err_set(err,
			       "its type is %s, complex numbers; array.real, array.imag or "
			       "abs(array) would be right",
			       type);
	case 'U':
	case 'S':
		return err_set(err, "its type is %s, text; an array of numbers would be right",
			       type);
	default:
		return err_set(err,
			       "type %s is not read, only f8 f4 f2 i8 i4 i2 i1 u8 u4 u2 u1 b1; "
			       "array.astype('float32') would be right",
			       type);
	}
}

static bool read_kind(struct cursor *c, struct npy_header *h, struct err *err)
{
	char word[WORD_BYTES];
	if (take(c, "["))
		return err_set(err, "it has fields of several types; an array of one, as "
				    "array['field'], would be right");
	if (!take_string(c, word))
		return err_set(err, "the type is not a simple one");
	h->kind = element_of_npy(word);
	if (h->kind == ELEMENT_KINDS)
		return refuse_kind(word, err);
	h->big = word[0] == '>';
	h->has_kind = true;
	return true;
}

static bool read_order(struct cursor *c, struct npy_header *h, struct err *err)
{
	h->fortran = take(c, "True");
	if (!h->fortran && !take(c, "False"))
		return err_set(err, "the order is neither True nor False");
	h->has_order = true;
	return true;
}

static bool read_member(struct cursor *c, struct npy_header *h, struct err *err)
{
	char key[WORD_BYTES];
	if (!take_string(c, key) || !take(c, ":"))
		return err_set(err, "the header is not the text of a dict");
	if (strcmp(key, "descr") == 0 && !h->has_kind)
		return read_kind(c, h, err);
	if (strcmp(key, "fortran_order") == 0 && !h->has_order)
		return read_order(c, h, err);
	if (strcmp(key, "shape") == 0 && !h->has_shape)
		return read_shape(c, h, err);
	return err_set(err, "the header has an unknown or a repeated key");
}

static bool read_header(struct cursor *c, struct npy_header *h, struct err *err)
{
	bool separated = take(c, "{");
	while (!take(c, "}")) {
		if (!separated)
			return err_set(err, "the header is not the text of a dict");
		if (!read_member(c, h, err))
			return false;
		separated = take(c, ",");
	}
	skip_blanks(c);
	if (c->at != c->end || !h->has_kind || !h->has_order || !h->has_shape)
		return err_set(err, "the header is not complete");
	return true;
}

/* Finds the header. A file is magic and version, then 2 (version 1) or 4 bytes of header length,
 * then the header. */
static bool find_header(const unsigned char *bytes, size_t len, struct cursor *c, struct err *err)
{
	if (len < MAGIC_BYTES + 4 || memcmp(bytes, magic, MAGIC_BYTES) != 0)
		return err_set(err, "not an npy file");
	const unsigned version = bytes[MAGIC_BYTES];
	if (version < 1 || version > 3)
		return err_set(err, "npy version %u is not known, 1 to 3 are", version);
	const size_t length_bytes = version == 1 ? 2 : 4, start = MAGIC_BYTES + 2 + length_bytes;
	if (len < start)
		return err_set(err, "the file ends within its header");
	size_t header_len = 0;
	for (size_t i = 0; i < length_bytes; i++)
		header_len |= (size_t)bytes[MAGIC_BYTES + 2 + i] << (8 * i);
	if (header_len > len - start || header_len > MAX_HEADER)
		return err_set(err, "the header's length is wrong");
	c->at = (const char *)bytes + start;
	c->end = c->at + header_len;
	return true;
}

/* Copies from column-major to row-major order: in the file the first dimension runs fastest. */
static void reorder(double *out, const double *in, const struct npy_header *h)
{
	size_t index[TENSOR_DIMS] = {0};
	for (size_t i = 0; i < h->count; i++) {
		size_t at = 0;
		for (size_t d = 0; d < h->dims; d++)
			at = at * h->shape[d] + index[d];
		out[at] = in[i];
		for (size_t d = 0; d < h->dims && ++index[d] == h->shape[d]; d++)
			index[d] = 0;
	}
}

bool npy_read(struct tensor_set *set, const char *name, const unsigned char *bytes, size_t len,
	      struct err *err)
{
	struct cursor c = {0};
	struct npy_header h = {0};
	if (!find_header(bytes, len, &c, err) || !read_header(&c, &h, err))
		return false;
	const unsigned char *data = (const unsigned char *)c.end;
	const size_t data_len = len - (size_t)(data - bytes);
	size_t size = 0;
	if (!shape_count(h.shape, h.dims, &h.count) ||
	    !num_mul(h.count, element_size(h.kind), &size) || size != data_len)
		return err_set(err, "its shape and type do not fill its %zu bytes", data_len);
	double *at = tensor_add_read(set, name, h.shape, h.dims, element_is_whole(h.kind), err);
	if (at == NULL || !element_decode(at, data, h.kind, h.big, h.count, err))
		return false;
	if (!h.fortran || h.dims < 2)
		return true;
	struct arena scratch;
	arena_init(&scratch);
	double *columns = arena_alloc(&scratch, h.count * sizeof *columns);
	memcpy(columns, at, h.count * sizeof *columns);
	reorder(at, columns, &h);
	arena_release(&scratch);
	return true;
}

bool tensor_read_npy(struct tensor_set *set, const char *name, const void *data, size_t len,
		     struct err *err)
{
	return npy_read(set, "data", data, len, err) || tensor_blame(err, name);
}

/* Allocates a file with its header, of version 1, and space for the data at its end. */
static unsigned char *new_file(struct strbuf *header, size_t data_len, struct arena *a, size_t *len)
{
	const size_t start = MAGIC_BYTES + 4;
	while ((start + header->len + 1) % ALIGN != 0)
		strbuf_add_char(header, ' ');
	strbuf_add_char(header, '\n');
	*len = start + header->len + data_len;
	unsigned char *const out = arena_alloc(a, *len);
	memcpy(out, magic, MAGIC_BYTES);
	out[MAGIC_BYTES] = 1;
	out[MAGIC_BYTES + 1] = 0;
	out[MAGIC_BYTES + 2] = (unsigned char)(header->len & 0xFF);
	out[MAGIC_BYTES + 3] = (unsigned char)(header->len >> 8);
	memcpy(out + start, header->at, header->len);
	return out;
}

/* ---- a text of no dimensions ----------------------------------------------------------------- */

enum { CODE_BYTES = 4 };

/* Reads the header of a text: "<U12" is twelve code points of four bytes, little-endian. */
static bool take_text_header(struct cursor *c, uint64_t *codes)
{
	char word[WORD_BYTES];
	return take(c, "{") && take(c, "'descr'") && take(c, ":") && take_string(c, word) &&
	       strncmp(word, "<U", 2) == 0 &&
	       num_parse_u64(word + 2, strlen(word + 2), codes, NULL) && take(c, ",") &&
	       take(c, "'fortran_order'") && take(c, ":") && take(c, "False") && take(c, ",") &&
	       take(c, "'shape'") && take(c, ":") && take(c, "(") && take(c, ")");
}

const char *npy_text(const unsigned char *bytes, size_t len, struct arena *a)
{
	struct cursor c = {0};
	struct strbuf out;
	uint64_t codes = 0;
	if (!find_header(bytes, len, &c, NULL))
		return NULL;
	const unsigned char *const data = (const unsigned char *)c.end;
	const size_t data_len = len - (size_t)(data - bytes);
	if (!take_text_header(&c, &codes) || codes != data_len / CODE_BYTES ||
	    data_len % CODE_BYTES != 0)
		return NULL;
	strbuf_init(&out, a);
	for (size_t i = 0; i < data_len; i += CODE_BYTES) {
		const uint32_t code = (uint32_t)data[i] | (uint32_t)data[i + 1] << 8 |
				      (uint32_t)data[i + 2] << 16 | (uint32_t)data[i + 3] << 24;
		char utf8[4];
		if (code == 0 || code > 0x10FFFF)
			return NULL;
		strbuf_add_n(&out, utf8, text_encode(utf8, code));
	}
	return out.at;
}

unsigned char *npy_of_text(const char *text, struct arena *a, size_t *len)
{
	const size_t bytes = strlen(text);
	uint32_t *const codes = arena_calloc(a, bytes + 1, sizeof *codes);
	size_t n = 0;
	for (size_t at = 0, step; at < bytes; at += step) {
		step = text_decode(text + at, bytes - at, &codes[n++]);
		BUG_IF(step == 0);
	}
	struct strbuf b;
	strbuf_init(&b, a);
	strbuf_printf(&b, "{'descr': '<U%zu', 'fortran_order': False, 'shape': (), }", n);
	unsigned char *const out = new_file(&b, CODE_BYTES * n, a, len);
	unsigned char *at = out + *len - CODE_BYTES * n;
	for (size_t i = 0; i < n; i++)
		for (int k = 0; k < CODE_BYTES; k++)
			*at++ = (unsigned char)(codes[i] >> (8 * k));
	return out;
}

bool tensor_write_npy(const struct tensor *t, struct arena *a, char **data, size_t *len,
		      struct err *err)
{
	(void)err; /* every tensor has an npy form */
	struct strbuf b;
	strbuf_init(&b, a);
	strbuf_printf(&b, "{'descr': '%s', 'fortran_order': False, 'shape': (",
		      t->integer ? "<i8" : "<f8");
	for (size_t i = 0; i < t->dims; i++)
		strbuf_printf(&b, i == 0 ? "%zu," : i == 1 ? " %zu" : ", %zu", t->shape[i]);
	strbuf_add(&b, "), }");
	size_t count = 0;
	BUG_IF(!shape_count(t->shape, t->dims, &count));
	unsigned char *const out = new_file(&b, 8 * count, a, len);
	element_encode(out + *len - 8 * count, t->at, count, t->integer);
	*data = (char *)out;
	return true;
}
