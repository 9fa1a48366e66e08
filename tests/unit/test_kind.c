/* test_kind.c: what a file is, by its bytes, its name and its first lines; and what takes it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test.h"
#include "help_cli.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "posviz/format/kind.h"
#include "posviz/scene/scene.h"

FIXTURE(cli_enter, cli_leave)

static bool is_command(const char *word)
{
	return strcmp(word, "scheme") == 0 || strcmp(word, "graph") == 0 ||
	       strcmp(word, "heads") == 0;
}

struct row {
	const char *name, *bytes;
	size_t len;
	enum kind_id id;
	const char *detail;
};
#define ROW(name, bytes, id, detail)                       \
	{                                                  \
		name, bytes, sizeof(bytes) - 1, id, detail \
	}

#define CONLLU	   "1\tdog\t_\tX\t_\t_\t2\tnsubj\t_\t_\n2\tbites\t_\tX\t_\t_\t0\troot\t_\t_\n"
#define HTML	   "<!DOCTYPE html>\n<html><head>"
#define PNG(texts) "\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\1\0\0\0\1\x08\2\0\0\0\0\0\0\0" texts

static const struct row rows[] = {
	/* Bytes tell, whatever the name is. */
	ROW("x.txt", "GGUF\3\0\0\0", KIND_GGUF, ""),
	ROW("a.dat", "\x93NUMPY\1\0v\0", KIND_NPY, ""),
	ROW("a.npz", "PK\3\4\x14\0", KIND_NPZ, ""),
	ROW("a", "PK\3\4\x14\0\0\0\0\0layer5.npy", KIND_NPZ, ""),
	ROW("a.bin", "PK\3\4\x14\0\0\0\0\0archive/data.pkl", KIND_PICKLE, "PyTorch"),
	ROW("a.docx", "PK\3\4\x14\0\0\0\0\0word/document.xml", KIND_ARCHIVE, "zip"),
	ROW("m.pt", "\x80\2}q\1", KIND_PICKLE, ""),
	ROW("a.gz", "\x1f\x8b\x08", KIND_ARCHIVE, "gzip"),
	ROW("m", "\x40\0\0\0\0\0\0\0{\"w\":{\"dtype\":\"F32\"", KIND_SAFETENSORS, ""),
	ROW("m.txt", "\x40\0\0\0\0\0\0\0[1]", KIND_TEXT, ""),
	ROW("p.png", PNG("\0\0\0\x15tEXtposviz-scene\0scheme r0000"), KIND_PICTURE, ""),
	ROW("p", PNG("\0\0\0\x03tEXta\0b0000\0\0\0\x15iTXtposviz-scene\0s"), KIND_PICTURE, ""),
	ROW("p.png", PNG("\0\0\0\x10tEXtposviz-version\0001"), KIND_PAGE, "PNG"),
	ROW("p.png", PNG("\0\0\0\x01IDATx0000\0\0\0\x15tEXtposviz-scene\0"), KIND_IMAGE, "PNG"),
	ROW("p.png", PNG(""), KIND_IMAGE, "PNG"),
	ROW("p.jpg", "\xff\xd8\xff\xe0", KIND_IMAGE, "JPEG"),
	ROW("p.pdf", "%PDF-1.5\n", KIND_PDF, ""),
	ROW("p", "%PDF-1.7\n%\xE2\xE3\xCF\xD3\n1 0 obj", KIND_PDF, ""),
	ROW("p.pdf", "%PDF-1.5\n<< /Subject (posviz render t5) >>", KIND_PAGE, "PDF"),
	ROW("p.webp", "RIFF\0\0\0\0WEBPVP8 ", KIND_IMAGE, "WebP"),
	ROW("p.svg", "<?xml version=\"1.0\"?>\n<svg class=\"posviz\">", KIND_PAGE, "SVG"),
	ROW("p.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\">", KIND_IMAGE, "SVG"),
	/* A page for a browser: ours has its scene in its head. */
	ROW("p.html", HTML "<meta name=\"posviz-scene\" content=\"heads 2\"/><svg>", KIND_PICTURE,
	    ""),
	ROW("p", HTML "<meta name=\"posviz-scene\" content=\"\">", KIND_PICTURE, ""),
	ROW("p.html", HTML "<meta name=\"posviz-version\" content=\"1\"/><svg class=\"posviz\">",
	    KIND_DOCUMENT, "HTML"),
	ROW("p.html", HTML "&lt;meta name=\"posviz-scene\" content=\"", KIND_DOCUMENT, "HTML"),
	ROW("p.html", "<HTML><body><svg></svg>", KIND_DOCUMENT, "HTML"),
	ROW("p.html", "<svg><meta name=\"posviz-scene\" content=\"heads 2\"/>", KIND_IMAGE, "SVG"),
	ROW("p.html", "<p>heads 2</p>", KIND_DOCUMENT, ""),
	/* JSON by its names and first values. */
	ROW("config.json", "{\n \"model_type\": \"qwen2\", \"hidden_size\": 8}", KIND_MODEL_CONFIG,
	    "model_type qwen2"),
	ROW("c.json", "{\"hidden_size\": 8}", KIND_JSON, ""),
	ROW("c.json", "{\"hidden_size\": 8, \"num_attention_heads\": 2}", KIND_MODEL_CONFIG, ""),
	ROW("c.json", "{\"model_type\": \"\\u001b[31m\"}", KIND_MODEL_CONFIG, ""),
	ROW("c.json", "{\"a\": {\"model_type\": \"x\"}}", KIND_JSON, ""),
	ROW("m.index.json", "{\"metadata\": {\"total_size\": 1}, \"weight_map\": {}}",
	    KIND_MODEL_INDEX, ""),
	ROW("tokenizer.json", "{\"version\": \"1.0\", \"added_tokens\": []}", KIND_TOKENIZER, ""),
	ROW("d.json", "{\"metadata\": {\"a\": \"}\"}, \"tensors\": {}}", KIND_TENSORS, ""),
	ROW("n.json", "{\"attention\": [[[0.5, 0.5", KIND_TENSORS, ""),
	ROW("l.json", "[[1, 2], [3, \"nan\"]]", KIND_TENSORS, ""),
	ROW("l.json", "[\"-inf\", 1]", KIND_TENSORS, ""),
	ROW("t.json", "[\"the\", \"cat]\"]\n", KIND_TOKENS, ""),
	ROW("o.json", "{\"a\": 1}", KIND_JSON, ""),
	ROW("o.json", "[[\"the\", \"cat\"], [\"a\"]]", KIND_JSON, ""),
	ROW("b.json", "{\"a\" 1}", KIND_JSON, ""),
	ROW("b.json", "not JSON", KIND_JSON, ""),
	ROW("t.txt", "[CLS] the cat [SEP]\n", KIND_TEXT, ""),
	ROW("t", "[1] a note\n", KIND_TEXT, ""),
	/* Marks of texts. */
	ROW("g.xml", "<?xml version=\"1.0\"?>\n<graphml xmlns=\"x\">", KIND_GRAPHML, ""),
	ROW("i.html", "<!DOCTYPE html>", KIND_DOCUMENT, "HTML"),
	ROW("i", "<?xml version=\"1.0\"?><a/>", KIND_DOCUMENT, "XML"),
	ROW("s.txt", "<s> the cat </s>", KIND_TEXT, ""),
	ROW("s.txt", "# text = dog bites\n" CONLLU, KIND_CONLLU, ""),
	ROW("s.csv", "1\t2\t3\t4\t5\t6\t7\t8\t9\t10\n", KIND_TABLE, ""),
	ROW("s.conllu", "# global.columns = ID FORM\n1\tdog\n", KIND_CONLLUP, ""),
	ROW("s.conllup", "1\tdog\n", KIND_CONLLUP, ""),
	/* Suffixes, in any letter case, of whatever is text. */
	ROW("s.CoNLLU", "# a comment\n", KIND_CONLLU, ""),
	ROW("dir.npy/s.conll", "x", KIND_CONLLU, ""),
	ROW("s.mrg", "( (S (NP a)))", KIND_BRACKETS, ""),
	ROW("s.gv", "# nothing", KIND_DOT, ""),
	ROW("s.edges", "a b\n", KIND_EDGES, ""),
	ROW("s.posviz", "anything", KIND_SCRIPT, ""),
	ROW("s.tour", "title x\n", KIND_TOUR, ""),
	ROW("s.tours", "title x\n", KIND_TOURS, ""),
	ROW("s.cfg", "nonsense", KIND_CONFIG, ""),
	ROW("a/config", "heads 2\n", KIND_CONFIG, ""),
	ROW("README.md", "# posviz\n", KIND_DOCUMENT, ""),
	ROW("main.c", "int main(void)\n", KIND_PROGRAM, ""),
	ROW("m.csv", "a,b\n1,2\n", KIND_TABLE, ""),
	ROW("m.tsv", "1\t2\n", KIND_TABLE, ""),
	ROW("m.tsv", "Paris\tFrance\tcapital of\n", KIND_TEXT, ""),
	ROW("a.txt", "(Laughter) a\n", KIND_TEXT, ""),
	ROW("a.npy", "no such bytes", KIND_NPY, ""),
	/* Lines, where no suffix tells; a script may be called .txt. */
	ROW("s", "# mine\n\n  heads 2\n", KIND_SCRIPT, ""),
	ROW("s.txt", "scheme rope\n", KIND_SCRIPT, ""),
	ROW("s", "headstrong people\n", KIND_TEXT, ""),
	ROW("g", "graph x.dot\nscheme formula{b}\n", KIND_SCRIPT, ""),
	ROW("g", "strict digraph \"a b\"\n{ a -> b }", KIND_DOT, ""),
	ROW("g", "graph{a--b}", KIND_DOT, ""),
	ROW("g", "(w / want-01 :ARG0 (b / boy))", KIND_PENMAN, ""),
	ROW("g", "# ::id 1\ninstance(w, want-01) ^", KIND_TRIPLES, ""),
	ROW("g", "(S (NP the/DT cat))", KIND_BRACKETS, ""),
	ROW("g", "// edges\na -> b c d\n", KIND_EDGES, ""),
	ROW("g", "undirected\na b\n", KIND_EDGES, ""),
	ROW("g", "undirected by anyone\n", KIND_TEXT, ""),
	ROW("t", "the cat sat\n", KIND_TEXT, ""),
	ROW("t", "\xef\xbb\xbfthe cat\n", KIND_TEXT, ""),
	ROW("t", "", KIND_EMPTY, ""),
	ROW("b", "heads 2\0", KIND_BINARY, ""),
	ROW("b", "\xe9t\xe9", KIND_BINARY, ""),
	ROW("b.posviz", "\xff\xfe", KIND_BINARY, ""),
	ROW("b.txt", "\xe9t\xe9", KIND_TEXT, ""),
	ROW(NULL, CONLLU, KIND_CONLLU, ""),
	ROW(NULL, "the cat", KIND_TEXT, ""),
};

/* Each from a block of exactly its length, so that a sanitizer sees what is read behind it. */
TEST(a_file_is_told_by_bytes_name_and_lines)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct row *const r = &rows[i];
		struct kind_seen seen;
		char *const block = malloc(r->len + 1);
		assert_non_null(block);
		memcpy(block, r->bytes, r->len);
		kind_look(r->name, block, r->len, is_command, &seen);
		if (seen.kind->id != r->id || strcmp(seen.detail, r->detail) != 0)
			fail_msg("row %zu, %s: %s (%s), not %s", i, r->name ? r->name : "-",
				 seen.kind->name, seen.detail, kinds[r->id].name);
		free(block);
	}
}

/* Whoever reads only the head learns the same. */
TEST(the_head_of_a_long_file_is_enough)
{
	struct kind_seen seen;
	struct err err;
	struct arena a;
	struct strbuf text;
	arena_init(&a);
	strbuf_init(&text, &a);
	/* A letter of two bytes stands across the end of the head. */
	strbuf_add(&text, "a");
	while (text.len < KIND_HEAD + 100)
		strbuf_add(&text, "é");
	cli_write("long", text.at, text.len);
	assert_true(kind_of_file("long", NULL, &seen, &err));
	assert_int_equal(seen.kind->id, KIND_TEXT);
	assert_int_equal(mkdir("d", 0700), 0);
	assert_true(kind_of_file("d", NULL, &seen, &err));
	assert_int_equal(seen.kind->id, KIND_DIRECTORY);
	cli_write("d/config.json", "{}", 2);
	assert_true(kind_of_file("d/", NULL, &seen, &err));
	assert_int_equal(seen.kind->id, KIND_MODEL_DIR);
	assert_false(kind_of_file("none", NULL, &seen, &err));
	assert_string_equal(err.text, "cannot read \"none\": no such file");
	assert_int_equal(mkfifo("pipe", 0600), 0);
	assert_false(kind_of_file("pipe", NULL, &seen, &err));
	assert_string_equal(err.text, "cannot read \"pipe\": it is no regular file");
	cli_remove("long");
	cli_remove("pipe");
	cli_remove("d/config.json");
	assert_int_equal(rmdir("d"), 0);
	arena_release(&a);
}

/* A treebank is of any length: bytes behind the head neither cost time nor change the answer. */
TEST(bytes_behind_the_head_are_not_looked_at)
{
	enum { LEN = KIND_HEAD + 4096 };
	struct kind_seen seen;
	char *const bytes = malloc(LEN);
	assert_non_null(bytes);
	memset(bytes, 'a', LEN);
	for (size_t i = 63; i < LEN; i += 64)
		bytes[i] = '\n';
	memset(bytes + KIND_HEAD, 0xFF, LEN - KIND_HEAD);
	kind_look(NULL, bytes, LEN, NULL, &seen);
	assert_int_equal(seen.kind->id, KIND_TEXT);
	bytes[KIND_HEAD - 64] = '\0';
	kind_look(NULL, bytes, LEN, NULL, &seen);
	assert_int_equal(seen.kind->id, KIND_BINARY);
	free(bytes);
}

/* The table: ids in order, a suffix once, takers that there are. */
TEST(the_table_of_kinds_holds_together)
{
	for (size_t i = 0; i < KIND_COUNT; i++) {
		assert_int_equal(kinds[i].id, i);
		char words[200], suffixes[200];
		snprintf(words, sizeof words, "%s", kinds[i].takers);
		for (char *w = strtok(words, " "); w; w = strtok(NULL, " ")) {
			const bool other = strcmp(w, "open") == 0 || strcmp(w, "render") == 0 ||
					   strcmp(w, "verify") == 0 || strcmp(w, "tour") == 0 ||
					   strcmp(w, "config") == 0 || strcmp(w, "check") == 0 ||
					   strcmp(w, "matrix-from") == 0;
			if (!other && !field_find(w))
				fail_msg("%s: no option %s", kinds[i].name, w);
		}
		snprintf(suffixes, sizeof suffixes, "%s", kinds[i].suffixes);
		for (char *w = strtok(suffixes, " "); w; w = strtok(NULL, " ")) {
			char name[64];
			snprintf(name, sizeof name, "x.%s", w);
			assert_ptr_equal(kind_by_name(name), &kinds[i]);
		}
	}
	assert_null(kind_by_name(".conllu"));
	assert_null(kind_by_name("conllu"));
	assert_null(kind_by_name("a.conllu/b"));
}

TEST(a_refusal_says_what_it_is_and_what_takes_it)
{
	static const struct {
		const char *option, *name, *bytes, *says; /* NULL: it is taken */
	} asked[] = {
		{"graph", "s.txt", CONLLU,
		 "\"s.txt\" is a treebank in CoNLL-U: --conllu FILE takes it"},
		{"conllu", "s.txt", CONLLU, NULL},
		{"graph", "p.txt", "the cat sat on the mat\n",
		 "\"p.txt\" is a text: --file FILE takes it"},
		{"graph", "p.txt", "a b\n\nb c of course\n",
		 "\"p.txt\" is a text: --file FILE takes it"},
		{"graph", "p.txt", "a b\n# c d e f\nb -> c of course\n", NULL},
		{"graph", "p.tsv", "a\tb\tof the best\n", NULL},
		{"graph", "p.txt", "alone\n", "\"p.txt\" is a text: --file FILE takes it"},
		{"graph", "p.txt", "\"New York\" \"a b c\" d\n", NULL},
		{"tree", "c.json", "{\"model_type\": \"llama\"}",
		 "\"c.json\" is a model's configuration (model_type llama): posviz FILE, posviz render "
		 "FILE or posviz check FILE takes it"},
		{"file", "m.npy", "\x93NUMPY",
		 "\"m.npy\" is a tensor in npy: --params FILE, --weights FILE, --units FILE or "
		 "--matrix-from FILE takes it"},
		{"file", "README.md", "# a\n", NULL},
		{"params", "bad.json", "{", NULL},
		{"file", "bad.json", "{",
		 "\"bad.json\" is JSON of no kind that is known here; a list of tokens in JSON, a text, "
		 "a document with marks of its own or a program or its settings would be right"},
		{"file", "a.tour", "title", "\"a.tour\" is a tour: posviz tour FILE takes it"},
		{"units", NULL, "(S (NP a))",
		 "standard input is a tree in brackets: --tree FILE takes it"},
		{"conllu", "a\033[31m.txt", "x",
		 "\"a\\x1B[31m.txt\" is a text: --file FILE takes it"},
		{"tree", "x.zip", "PK\3\4",
		 "\"x.zip\" is an archive (zip): what is packed in it would be right"},
	};
	for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
		struct err err = {""};
		const bool ok = kind_fits(asked[i].option, asked[i].name, asked[i].bytes,
					  strlen(asked[i].bytes), NULL, &err);
		assert_int_equal(ok, asked[i].says == NULL);
		if (asked[i].says)
			assert_string_equal(err.text, asked[i].says);
	}
}
