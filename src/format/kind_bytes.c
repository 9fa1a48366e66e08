/* kind_bytes.c: kinds of files that begin with characteristic bytes. */
#include "format/kind_in.h"

#include <string.h>
#include <strings.h>

enum { SAFETENSORS_HEADER = 8, PNG_SIGNATURE = 8, PNG_CHUNK = 8, PNG_CRC = 4 };

struct magic {
	const char *bytes;
	size_t len;
	enum kind_id id;
	const char *detail;
};
#define MAGIC(text, id, detail)                    \
	{                                          \
		text, sizeof(text) - 1, id, detail \
	}

static const struct magic magics[] = {
	MAGIC("GGUF", KIND_GGUF, ""),
	MAGIC("\x93NUMPY", KIND_NPY, ""),
	MAGIC("\xFF\xD8\xFF", KIND_IMAGE, "JPEG"),
	MAGIC("GIF8", KIND_IMAGE, "GIF"),
	MAGIC("II*\0", KIND_IMAGE, "TIFF"),
	MAGIC("MM\0*", KIND_IMAGE, "TIFF"),
	MAGIC("\x1F\x8B", KIND_ARCHIVE, "gzip"),
	MAGIC("\xFD"
	      "7zXZ",
	      KIND_ARCHIVE, "xz"),
	MAGIC("\x28\xB5\x2F\xFD", KIND_ARCHIVE, "zstd"),
	MAGIC("BZh", KIND_ARCHIVE, "bzip2"),
	MAGIC("7z\xBC\xAF", KIND_ARCHIVE, "7z"),
	MAGIC("\x80\x02", KIND_PICKLE, ""),
	MAGIC("\x80\x03", KIND_PICKLE, ""),
	MAGIC("\x80\x04", KIND_PICKLE, ""),
	MAGIC("\x80\x05", KIND_PICKLE, ""),
};

static bool contains(const char *at, size_t len, const char *part)
{
	const size_t n = strlen(part);
	const char *const end = at + len;
	while ((size_t)(end - at) >= n) {
		at = memchr(at, part[0], (size_t)(end - at) - n + 1);
		if (!at)
			return false;
		if (memcmp(at, part, n) == 0)
			return true;
		at++;
	}
	return false;
}

static size_t big_endian(const char *at)
{
	size_t out = 0;
	for (int i = 0; i < 4; i++)
		out = out << 8 | (unsigned char)at[i];
	return out;
}

/* Text chunks come before the pixels; the keywords of posviz begin with "posviz-". */
static bool look_png(const char *at, size_t len, struct kind_seen *out)
{
	static const char ours[] = "posviz-", scene[] = "posviz-scene";
	bool of_ours = false;
	if (len < PNG_SIGNATURE || memcmp(at, "\x89PNG\r\n\x1a\n", PNG_SIGNATURE) != 0)
		return false;
	for (size_t i = PNG_SIGNATURE; i + PNG_CHUNK <= len;) {
		const size_t size = big_endian(at + i);
		const char *const name = at + i + 4, *const data = name + 4;
		const size_t rest = len - i - PNG_CHUNK, there = size < rest ? size : rest;
		if (memcmp(name, "IDAT", 4) == 0)
			break;
		if (memcmp(name + 1, "TXt", 3) == 0 || memcmp(name, "tEXt", 4) == 0) {
			if (there >= sizeof scene && memcmp(data, scene, sizeof scene) == 0)
				return kind_set(out, KIND_PICTURE, KIND_BY_BYTES, "");
			of_ours |= there >= sizeof ours && memcmp(data, ours, sizeof ours - 1) == 0;
		}
		if (size > rest)
			break;
		i += PNG_CHUNK + size + PNG_CRC;
	}
	return kind_set(out, of_ours ? KIND_PAGE : KIND_IMAGE, KIND_BY_BYTES, "PNG");
}

/* A safetensors file begins with the length of its header, little endian. */
static bool look_safetensors(const char *at, size_t len, struct kind_seen *out)
{
	static const char most = 0x10; /* the fourth byte: 256 MB */
	if (len <= SAFETENSORS_HEADER || at[SAFETENSORS_HEADER] != '{')
		return false;
	for (int i = 4; i < SAFETENSORS_HEADER; i++)
		if (at[i] != 0)
			return false;
	return (unsigned char)at[3] < most && kind_set(out, KIND_SAFETENSORS, KIND_BY_BYTES, "");
}

static bool has_suffix(const char *name, const char *suffix)
{
	const size_t len = name ? strlen(name) : 0, n = strlen(suffix);
	return len > n && strcmp(name + len - n, suffix) == 0;
}

/* An archive of NumPy holds arrays, one of PyTorch a pickle. */
static bool look_zip(const char *name, const char *at, size_t len, struct kind_seen *out)
{
	if (len < 4 || (memcmp(at, "PK\3\4", 4) != 0 && memcmp(at, "PK\5\6", 4) != 0))
		return false;
	if (has_suffix(name, ".npz") || contains(at, len, ".npy"))
		return kind_set(out, KIND_NPZ, KIND_BY_BYTES, "");
	if (contains(at, len, "data.pkl"))
		return kind_set(out, KIND_PICKLE, KIND_BY_BYTES, "PyTorch");
	return kind_set(out, KIND_ARCHIVE, KIND_BY_BYTES, "zip");
}

static bool begins_html(const char *at, size_t len)
{
	static const char *const begins[] = {"<!doctype html", "<html"};
	for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
		if (len >= strlen(begins[i]) && strncasecmp(at, begins[i], strlen(begins[i])) == 0)
			return true;
	return false;
}

/* An HTML page of posviz has its scene in its head; other pages are recognised by marks
 * (kind_lines.c). */
static bool look_html(const char *at, size_t len, struct kind_seen *out)
{
	return begins_html(at, len) &&
	       contains(at, len, "<meta name=\"posviz-scene\" content=\"") &&
	       kind_set(out, KIND_PICTURE, KIND_BY_BYTES, "");
}

static bool look_svg(const char *at, size_t len, struct kind_seen *out)
{
	size_t head = len < 4096 ? len : 4096;
	while (head > 0 && strchr(" \t\r\n", *at) && *at)
		at++, head--;
	if (head == 0 || *at != '<' || begins_html(at, head) || !contains(at, head, "<svg"))
		return false;
	return kind_set(out, contains(at, head, "class=\"posviz\"") ? KIND_PAGE : KIND_IMAGE,
			KIND_BY_BYTES, "SVG");
}

/* A PDF of posviz has its command in the document information, which is at the end. */
static bool look_pdf(const char *at, size_t len, struct kind_seen *out)
{
	static const char mark[] = "%PDF-";
	if (len < sizeof mark - 1 || memcmp(at, mark, sizeof mark - 1) != 0)
		return false;
	return contains(at, len, "/Subject (posviz ")
		       ? kind_set(out, KIND_PAGE, KIND_BY_BYTES, "PDF")
		       : kind_set(out, KIND_PDF, KIND_BY_BYTES, "");
}

bool kind_look_bytes(const char *name, const char *at, size_t len, struct kind_seen *out)
{
	if (look_png(at, len, out) || look_zip(name, at, len, out) ||
	    look_safetensors(at, len, out) || look_html(at, len, out) || look_svg(at, len, out) ||
	    look_pdf(at, len, out))
		return true;
	if (len >= 12 && memcmp(at, "RIFF", 4) == 0 && memcmp(at + 8, "WEBP", 4) == 0)
		return kind_set(out, KIND_IMAGE, KIND_BY_BYTES, "WebP");
	for (size_t i = 0; i < sizeof magics / sizeof *magics; i++)
		if (len >= magics[i].len && memcmp(at, magics[i].bytes, magics[i].len) == 0)
			return kind_set(out, magics[i].id, KIND_BY_BYTES, magics[i].detail);
	return false;
}
