/* test_verify.c: pictures from anywhere that carry a scene and numbers, none of which is believed. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test.h"
#include "help_pictures.h"
#include "help_cli.h"
#include "posviz/app/snapshot.h"
#include "posviz/base/rng.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "posviz/export/export.h"
#include "posviz/picture/picture.h"

FIXTURE(cli_enter, cli_leave)

/* ---- texts of our own making ------------------------------------------------------------------- */

/* A PNG of four pixels with these texts; NULL: without. */
static void make_png(const char *scene, const char *matrices, const char *version, struct arena *a,
		     char **data, size_t *len)
{
	static uint8_t pixels[12];
	const struct image image = {2, 2, pixels};
	struct export_text texts[3];
	size_t n = 0;
	if (scene)
		texts[n++] = (struct export_text){SNAPSHOT_SCENE, scene};
	if (version)
		texts[n++] = (struct export_text){SNAPSHOT_VERSION, version};
	if (matrices)
		texts[n++] = (struct export_text){SNAPSHOT_MATRICES, matrices};
	assert_true(export_png(&image, 96, texts, n, a, data, len, NULL));
}

static const char small_scene[] = "sentence a b c\nscheme t5+causal\nlayers 1\nheads 1\n";

static const char *small_matrices(struct arena *a)
{
	struct scene scene;
	struct err err;
	struct picture *const p = arena_calloc(a, 1, sizeof *p);
	assert_true(scene_parse(&scene, small_scene, &err));
	assert_true(picture_make(&scene, NULL, false, BACKGROUND_LIGHT, NULL, NULL, a, p, &err));
	return snapshot_matrices(&p->figure, a);
}

/* `text` with the value behind the nth "key": made another one. */
static const char *with(const char *text, const char *key, size_t nth, const char *value,
			struct arena *a)
{
	const char *at = text;
	for (size_t i = 0; i <= nth; i++) {
		at = strstr(at + (i > 0), arena_printf(a, "\"%s\":", key));
		assert_non_null(at);
	}
	at += strlen(key) + 3;
	const size_t len = *at == '[' ? strcspn(at, "]") + 1 : strcspn(at, ",}");
	return arena_printf(a, "%.*s%s%s", (int)(at - text), text, value, at + len);
}

static double number_of(const char *text, const char *key, struct arena *a)
{
	return strtod(strstr(text, arena_printf(a, "\"%s\":", key)) + strlen(key) + 3, NULL);
}

static const char *scaled(const char *text, const char *key, double factor, struct arena *a)
{
	return with(text, key, 0, arena_printf(a, "%.17g", number_of(text, key, a) * factor), a);
}

struct outcome {
	bool done;
	struct err err;
	struct verification *rows;
	size_t n;
};

static struct outcome verify(const char *scene, const char *matrices, struct arena *a)
{
	struct outcome o = {0};
	struct scene made;
	const char *version;
	char *data;
	size_t len;
	make_png(scene, matrices, "0.0.1", a, &data, &len);
	o.done = snapshot_verify(data, len, NULL, a, 1e15, &made, &o.rows, &o.n, &version, &o.err);
	if (o.done)
		assert_string_equal(version, "0.0.1");
	return o;
}

TEST(other_numbers_differ)
{
	struct arena a;
	arena_init(&a);
	const char *const right = small_matrices(&a);
	const char *const longer =
		arena_printf(&a, "%.*s,%s", (int)strlen(right) - 1, right, right + 1);
	const char *const first_end = strstr(right, "},{");
	const struct {
		const char *text, *trouble; /* NULL: a number differs */
		size_t row;
	} rows[] = {
		{scaled(right, "norm", 1 + 1e-6, &a), NULL, 0},
		{scaled(right, "min", 1 + 1e-6, &a), NULL, 0},
		{with(right, "max", 1, "\"inf\"", &a), NULL, 1},
		{with(right, "projections", 1, "[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]", &a), NULL, 1},
		{with(right, "rows", 0, "1000000000", &a), "1000000000x3", 0},
		{with(right, "cols", 1, "0", &a), "3x0", 1},
		{with(right, "title", 1, "\"Logits\"", &a), "Logits", 1},
		{with(right, "title", 0, "\"\\u001b[31m\"", &a), "\\x1B", 0},
		{longer, "not computed", 2},
		{arena_printf(&a, "%.*s}]", (int)(first_end - right), right), "not in the picture",
		 1},
		{"[]", "not in the picture", 0},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct outcome o = verify(small_scene, rows[i].text, &a);
		if (!o.done)
			fail_msg("%s: %s", rows[i].text, o.err.text);
		assert_true(o.n > rows[i].row);
		const struct verification *const v = &o.rows[rows[i].row];
		assert_false(v->ok);
		if (rows[i].trouble ? !v->trouble || !strstr(v->trouble, rows[i].trouble)
				    : v->trouble != NULL)
			fail_msg("%zu: trouble %s", i, v->trouble ? v->trouble : "none");
		assert_true(!v->trouble || !strchr(v->trouble, '\033'));
	}
	arena_release(&a);
}

TEST(rounding_does_not_differ)
{
	struct arena a;
	arena_init(&a);
	const char *const right = small_matrices(&a);
	const struct {
		const char *text;
		double least, most; /* of the worst difference of the first matrix */
	} rows[] = {{right, 0, 0},
		    {scaled(right, "norm", 1 + 1e-11, &a), 1e-12, 1e-10},
		    {scaled(right, "min", 1 - 1e-12, &a), 1e-14, 1e-11}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct outcome o = verify(small_scene, rows[i].text, &a);
		assert_true(o.done);
		assert_true(o.rows[0].ok && o.rows[1].ok);
		assert_true(o.rows[0].worst >= rows[i].least && o.rows[0].worst <= rows[i].most);
	}
	arena_release(&a);
}

/* A message for people: one line, and nothing in it that a terminal would act on. */
static void check_message(const struct err *err, const char *says)
{
	const size_t len = strlen(err->text);
	if (len == 0 || !text_valid(err->text, len) || !strstr(err->text, says))
		fail_msg("expected \"%s\": %s", says, err->text);
	for (size_t i = 0; i < len; i++)
		assert_false((unsigned char)err->text[i] < ' ' || err->text[i] == 0x7F);
}

TEST(damaged_numbers_are_told)
{
	struct arena a;
	arena_init(&a);
	const char *const right = small_matrices(&a);
	struct strbuf many, deep;
	strbuf_init(&many, &a);
	strbuf_init(&deep, &a);
	for (size_t i = 0; i < 140000; i++) {
		strbuf_add(&many, i == 0 ? "[{}" : ",{}");
		strbuf_add_char(&deep, '[');
	}
	strbuf_add_char(&many, ']');
	const struct {
		const char *text, *says;
	} rows[] = {
		{NULL, "no numbers to compare"},
		{"", "not JSON"},
		{"[", "not JSON"},
		{"[{\"title\":\"\033[2J\"}]", "not JSON"},
		{deep.at, "not JSON"},
		{"{}", "a list of at most"},
		{"7", "not JSON"},
		{many.at, "a list of at most"},
		{"[7]", "matrix 1"},
		{"[{}]", "matrix 1"},
		{with(right, "rows", 0, "-1", &a), "matrix 1"},
		{with(right, "rows", 0, "3.5", &a), "matrix 1"},
		{with(right, "rows", 0, "\"3\"", &a), "matrix 1"},
		{with(right, "rows", 0, "99999999999999999999", &a), "not JSON"},
		{with(right, "norm", 1, "\"nan\"", &a), "matrix 2"},
		{with(right, "norm", 1, "null", &a), "matrix 2"},
		{with(right, "norm", 1, "1e999", &a), "not JSON"},
		{with(right, "projections", 0, "[1]", &a), "matrix 1"},
		{with(right, "projections", 0, "{}", &a), "matrix 1"},
		{with(right, "title", 0, "5", &a), "matrix 1"},
		{with(right, "title", 0, "\"a\",\"title\":\"b\"", &a), "not JSON"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct outcome o = verify(small_scene, rows[i].text, &a);
		if (o.done)
			fail_msg("%zu: accepted", i);
		check_message(&o.err, rows[i].says);
	}
	arena_release(&a);
}

TEST(hostile_scenes_are_refused)
{
	static const struct {
		const char *scene, *says;
	} rows[] = {
		{"snapshot x.png\n", "no field \"snapshot\""},
		{"save x.png\n", "no field \"save\""},
		{"quit\n", "no field \"quit\""},
		{"open /etc/passwd\n", "no field \"open\""},
		{"heads 4\n\033[31mheads 4\n", "line 2"},
		{"heads 1e9\n", "line 1: heads"},
		{"scheme \033]0;title\a\n", "line 1"},
		{"file -\n", "standard input"},
		{"units -\n", "standard input"},
		{"file pipe\n", "no regular file"},
		{"units pipe:x\n", "no regular file"},
		{"weights /dev/zero\n", "no regular file"},
		{"file missing.txt\n", "missing.txt"},
		{"weights missing.npy\n", "missing.npy"},
		{"view nothing\n", "no view"},
		{"size 0x0\n",
		 "line 1: size: the width: \"0\" is out of range, it must be from 200 to 8000"},
		{"size 320x-240\n", "size: the height: \"-240\" is out of range"},
		{"size 8000x8001\n", "size: the height: \"8001\" is out of range"},
		{"size 99999999999999999999x300\n", "is out of range"},
		{"size 1e3x300\n", "size: the width: \"1e3\" is not a whole number"},
	};
	assert_int_equal(mkfifo("pipe", 0600), 0);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena a;
		arena_init(&a);
		const struct outcome o = verify(rows[i].scene, "[]", &a);
		if (o.done)
			fail_msg("%s: accepted", rows[i].scene);
		check_message(&o.err, rows[i].says);
		arena_release(&a);
	}
	cli_remove("pipe");
	assert_int_equal(cli_files(), 0);
}

/* ---- hostile files ----------------------------------------------------------------------------- */

/* Cut anywhere, and with any byte changed: an answer, and never a wrong "ok". */
TEST(a_damaged_snapshot_never_verifies)
{
	struct arena kept;
	char *data;
	size_t len;
	arena_init(&kept);
	make_png(small_scene, small_matrices(&kept), POSVIZ_VERSION, &kept, &data, &len);
	for (size_t i = 0; i < 2 * len; i++) {
		struct arena a;
		struct scene scene;
		struct err err = {""};
		const size_t at = i % len, size = i < len ? at : len;
		char *const copy = malloc(size + 1); /* so that a read beyond the end is seen */
		arena_init(&a);
		memcpy(copy, data, size);
		if (i >= len)
			copy[at] ^= 0x20;
		const bool ok = snapshot_scene(copy, size, &a, &scene, &err);
		/* The checksum of every chunk covers all but lengths of chunks nobody needs. */
		if (ok && i < len)
			fail_msg("cut at %zu of %zu it opens", at, len);
		if (!ok)
			check_message(&err, "");
		free(copy);
		arena_release(&a);
	}
	arena_release(&kept);
}

static void put_u32(struct strbuf *out, size_t x)
{
	for (int shift = 24; shift >= 0; shift -= 8)
		strbuf_add_char(out, (char)(x >> shift));
}

static void put_chunk(struct strbuf *out, const char *type, const char *data, size_t len)
{
	put_u32(out, len);
	const size_t from = out->len;
	strbuf_add_n(out, type, 4);
	strbuf_add_n(out, data, len);
	put_u32(out, help_png_crc((const uint8_t *)out->at + from, out->len - from));
}

/* Bits from the least one on, as deflate takes them; codes of Huffman's begin with their highest. */
struct bits {
	struct strbuf *out;
	unsigned have, n;
};

static void put_bit(struct bits *b, unsigned bit)
{
	b->have |= bit << b->n;
	if (++b->n == 8) {
		strbuf_add_char(b->out, (char)b->have);
		b->have = b->n = 0;
	}
}

static void put_code(struct bits *b, unsigned code, int len)
{
	while (len-- > 0)
		put_bit(b, code >> len & 1);
}

/* A zlib stream that becomes 258 letters for every 13 bits: "a" (code 10010001), then itself over and
 * over: length 258 (code 11000101) at distance 1 (RFC 1951, 3.2.6). */
static void put_bomb(struct strbuf *out, size_t repeats)
{
	struct bits b = {.out = out};
	strbuf_add_n(out, "\x78\x9c", 2);
	put_bit(&b, 1);
	put_bit(&b, 1); /* fixed codes: 01, the lowest first */
	put_bit(&b, 0);
	put_code(&b, 0x91, 8);
	for (size_t i = 0; i < repeats; i++) {
		put_code(&b, 0xc5, 8);
		put_code(&b, 0, 5);
	}
	put_code(&b, 0, 7);
	while (b.n != 0)
		put_bit(&b, 0);
	uint32_t low = 1, high = 0; /* Adler-32 of all the letters (RFC 1950) */
	for (size_t i = 0; i < 1 + 258 * repeats; i++) {
		low = (low + 'a') % 65521;
		high = (high + low) % 65521;
	}
	put_u32(out, high << 16 | low);
}

/* A snapshot with `n` chunks of a kind in front of its own texts. */
static void make_crowd(const char *type, const char *chunk, size_t chunk_len, size_t n,
		       struct arena *a, struct strbuf *out)
{
	enum { SIGNATURE = 8, IHDR = 25 };
	char *data;
	size_t len;
	make_png(small_scene, "[]", POSVIZ_VERSION, a, &data, &len);
	strbuf_init(out, a);
	strbuf_add_n(out, data, SIGNATURE + IHDR);
	for (size_t i = 0; i < n; i++)
		put_chunk(out, type, chunk, chunk_len);
	strbuf_add_n(out, data + SIGNATURE + IHDR, len - SIGNATURE - IHDR);
}

static long peak_kilobytes(void)
{
	struct rusage usage;
	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_maxrss;
}

TEST(bombs_and_crowds_cost_little)
{
	struct arena a;
	struct strbuf ztxt, itxt;
	arena_init(&a);
	strbuf_init(&ztxt, &a);
	strbuf_init(&itxt, &a);
	strbuf_add_n(&ztxt, "Comment\0\0", 9);
	strbuf_add_n(&itxt, "Comment\0\1\0\0\0", 12);
	put_bomb(&ztxt, 100000); /* 25 MB each */
	put_bomb(&itxt, 100000);
	const struct {
		const char *type, *chunk;
		size_t len, n;
	} rows[] = {{"zTXt", ztxt.at, ztxt.len, 50},
		    {"iTXt", itxt.at, itxt.len, 50},
		    {"tEXt", "Comment\0caf\xe9", 12, 100000},
		    {"prVt", "anything", 8, 100000}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena each;
		struct strbuf file;
		struct scene scene;
		struct err err = {""};
		arena_init(&each);
		make_crowd(rows[i].type, rows[i].chunk, rows[i].len, rows[i].n, &each, &file);
		const long before = peak_kilobytes();
		if (!snapshot_scene(file.at, file.len, &each, &scene, &err))
			check_message(&err, "");
		assert_true(peak_kilobytes() - before < 300 << 10);
		arena_release(&each);
	}
	arena_release(&a);
}

/* ---- the sub-command --------------------------------------------------------------------------- */

static void write_png(const char *name, const char *scene, const char *matrices)
{
	struct arena a;
	char *data;
	size_t len;
	arena_init(&a);
	make_png(scene, matrices, matrices ? "0.0.1" : NULL, &a, &data, &len);
	cli_write(name, data, len);
	arena_release(&a);
}

static void put_text(const char *name, const char *text)
{
	cli_write(name, text, strlen(text));
}

/* The page with another norm of its first matrix. */
static const char *changed_page(const char *name, struct arena *a)
{
	static const char norm[] = "&quot;norm&quot;:";
	size_t len;
	const char *const text = cli_read(name, a, &len), *const at = strstr(text, norm);
	assert_non_null(at);
	const char *const from = at + sizeof norm - 1;
	return arena_printf(a, "%.*s1%s", (int)(from - text), text, from);
}

TEST(the_exit_status_tells)
{
	struct arena a;
	arena_init(&a);
	const char *const right = small_matrices(&a);
	const struct cli_case render = {.args = {"render", "shaw+causal", "-o", "ours.png"}};
	cli_good(&render);
	const struct cli_case page = {.args = {"render", "shaw+causal", "-o", "ours.html"}};
	cli_good(&page);
	write_png("right.png", small_scene, right);
	write_png("\033[2J.png", small_scene, right);
	write_png("wrong.png", small_scene, scaled(right, "norm", 1.001, &a));
	write_png("empty.png", NULL, NULL);
	write_png("evil.png", "quit\n", "[]");
	put_text("changed.html", changed_page("ours.html", &a));
	put_text("other.html", "<!DOCTYPE html>\n<html><body><svg></svg></body></html>\n");
	put_text("evil.html",
		 "<!DOCTYPE html>\n<meta name=\"posviz-scene\" content=\"quit&#10;\"/></html>");
	cli_write("text.png", "no picture", 10);
	cli_write("cut.png", "\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16);
	const struct {
		const char *args[3];
		int code;
		const char *out, *err; /* parts */
	} rows[] = {
		{{"ours.png"}, 0, "ok", ""},
		{{"ours.html"}, 0, "ok", ""},
		{{"ours.html", "ours.png"}, 0, "ours.png\n", ""},
		{{"changed.html"}, 1, "DIFFERS", ""},
		{{"other.html"},
		 2,
		 "",
		 "\"other.html\" is a document with marks of its own (HTML): "},
		{{"evil.html"}, 2, "", "evil.html: the scene in the picture: line 1"},
		{{"right.png"}, 0, "ok", "made by posviz 0.0.1"},
		{{"\033[2J.png"}, 0, "\\x1B[2J.png", "made by"},
		{{"wrong.png"}, 1, "DIFFERS", ""},
		{{"wrong.png", "ours.png"}, 1, "ours.png\n", ""},
		{{"empty.png"}, 2, "", "empty.png: this picture carries no scene"},
		{{"evil.png"}, 2, "", "evil.png: the scene in the picture: line 1"},
		{{"text.png"}, 2, "", "text.png: not a PNG file"},
		{{"cut.png"}, 2, "", "cut.png: damaged PNG"},
		{{"missing.png"}, 2, "", "missing.png"},
		{{"."}, 2, "", "it is a directory"},
		{{"missing.png", "wrong.png"}, 2, "DIFFERS", "missing.png"},
		{{"missing.png", "text.png"}, 2, "", "missing.png"},
		{{NULL}, 2, "", "verify: give a picture"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct cli_case c = {.args = {"verify"}};
		struct cli_result r;
		memcpy(c.args + 1, rows[i].args, sizeof rows[i].args);
		cli_run(&r, &c);
		if (r.code != rows[i].code || !strstr(r.out, rows[i].out) ||
		    !strstr(r.err, rows[i].err) || strchr(r.out, '\033') || strchr(r.err, '\033'))
			fail_msg("%zu: exit %d: %s%s", i, r.code, r.out, r.err);
		cli_done(&r);
	}
	static const char *const files[] = {
		"ours.png", "right.png", "\033[2J.png", "wrong.png",	"empty.png",  "evil.png",
		"text.png", "cut.png",	 "ours.html",	"changed.html", "other.html", "evil.html"};
	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		cli_remove(files[i]);
	arena_release(&a);
}

/* A page for a browser stands for its scene wherever a PNG does, and a PNG of it for the same one. */
TEST(pages_for_a_browser_stand_for_their_scene)
{
	static const struct cli_case cases[] = {
		{.args = {"render", "t5+causal", "-s", "a </script> & \"b\"", "--theme", "dark",
			  "-o", "a.htm"}},
		{.args = {"render", "a.htm", "-o", "a.png"}},
		{.args = {"render", "a.png", "-o", "b.html"}},
		{.args = {"render", "-c", "open a.htm", "-o", "c.html"}},
		{.args = {"show", "a.htm"}},
		{.args = {"check", "a.htm", "--expect", "tokens = 9"}},
		{.args = {"verify", "a.htm", "b.html", "c.html", "a.png"}},
	};
	static const char *const pages[] = {"a.htm", "b.html", "c.html"};
	struct arena a;
	const char *text[3];
	size_t len[3];
	arena_init(&a);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		cli_good(&cases[i]);
	for (size_t i = 0; i < 3; i++)
		text[i] = cli_read(pages[i], &a, &len[i]);
	for (size_t i = 1; i < 3; i++) {
		assert_int_equal(len[i], len[0]);
		assert_memory_equal(text[i], text[0], len[0]);
	}
	for (size_t i = 0; i < 3; i++)
		cli_remove(pages[i]);
	cli_remove("a.png");
	assert_int_equal(cli_files(), 0);
	arena_release(&a);
}
