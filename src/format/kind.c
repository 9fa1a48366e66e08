/* kind.c: the table of kinds of files, and look-ups in it: the kind of a file, and the options that
 * take it.
 *
 * The bytes decide first, then the suffix, then the first significant line. A file without a
 * mark and a known suffix is a text. */
#include "format/kind_in.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/file_in.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "posviz/format/disk.h"

#define TENSORS "params weights units matrix-from open"
#define MODEL	"params weights units"

const struct kind kinds[] = {
	{KIND_PICTURE, "a picture of posviz", "png", "open render verify", NULL, "html htm"},
	{KIND_PAGE, "a page of posviz that carries no scene", "", "",
	 "a PNG or a page of HTML that posviz render wrote carries its own, and opens"},
	{KIND_IMAGE, "a picture", "svg jpg jpeg gif webp bmp tif tiff", "",
	 "of pictures only a PNG or a page of HTML of posviz opens, which carries its scene"},
	{KIND_PDF, "a document in PDF", "pdf", "",
	 "a file of the text, numbers or graph that it shows would be right"},
	{KIND_SCRIPT, "a script of commands", "posviz", "open render config", NULL},
	{KIND_CONFIG, "a configuration of posviz", "cfg conf", "config open", NULL},
	{KIND_TOUR, "a tour", "tour", "tour open", NULL},
	{KIND_TOURS, "a list of tours", "tours", "tour open", NULL},
	{KIND_SAFETENSORS, "tensors in safetensors", "safetensors", TENSORS, NULL},
	{KIND_NPY, "a tensor in npy", "npy", TENSORS, NULL},
	{KIND_NPZ, "tensors in npz", "npz", TENSORS, NULL},
	{KIND_TABLE, "a table of numbers in CSV", "csv tsv", TENSORS, NULL},
	{KIND_TENSORS, "tensors in JSON", "", TENSORS, NULL},
	{KIND_CONLLU, "a treebank in CoNLL-U", "conllu conll", "conllu open", NULL},
	{KIND_CONLLUP, "a treebank in CoNLL-U Plus", "conllup", "conllu open", NULL},
	{KIND_BRACKETS, "a tree in brackets", "brackets mrg ptb tree", "tree open", NULL},
	{KIND_PENMAN, "a graph in PENMAN", "amr penman", "graph open", NULL},
	{KIND_TRIPLES, "triples of PENMAN", "triples", "graph open", NULL},
	{KIND_DOT, "a graph in DOT", "dot gv", "graph open", NULL},
	{KIND_GRAPHML, "a graph in GraphML", "graphml", "graph open", NULL},
	{KIND_EDGES, "a list of edges", "edges edgelist", "graph open", NULL},
	{KIND_TOKENS, "a list of tokens in JSON", "", "file open", NULL},
	{KIND_TEXT, "a text", "txt text", "file open", NULL},
	{KIND_DOCUMENT, "a document with marks of its own",
	 "md markdown rst org adoc html htm xml tex bib rtf", "file", NULL},
	{KIND_PROGRAM, "a program or its settings",
	 "c h cc cpp hpp py js ts sh rs go java r jl ipynb yaml yml toml ini mk log", "file", NULL},
	{KIND_MODEL_CONFIG, "a model's configuration", "", "open render check", NULL},
	{KIND_MODEL_INDEX, "an index of a model's files of tensors", "", MODEL, NULL},
	{KIND_TOKENIZER, "a tokenizer", "", "",
	 "its tokens, as a text or a JSON list, would be right"},
	{KIND_MODEL_DIR, "the directory of a model", "", "open render check " MODEL, NULL},
	{KIND_GGUF, "a model in GGUF", "gguf", "open render check " MODEL, NULL},
	{KIND_PICKLE, "a pickle", "pt pth ckpt pkl pickle", "",
	 "it runs programs and is not read; safetensors.torch.save_file or numpy.save writes what "
	 "is"},
	{KIND_ARCHIVE, "an archive", "zip gz xz zst bz2 tar tgz 7z", "",
	 "what is packed in it would be right"},
	{KIND_JSON, "JSON of no kind that is known here", "json jsonl", "", NULL},
	{KIND_DIRECTORY, "a directory", "", "", "a file in it would be right"},
	{KIND_EMPTY, "an empty file", "", "", NULL},
	{KIND_BINARY, "neither a picture of posviz nor a script or text in UTF-8", "", "",
	 "it holds bytes of no format that is known here"},
};

bool kind_set(struct kind_seen *out, enum kind_id id, enum kind_by by, const char *detail)
{
	BUG_IF(kinds[id].id != id);
	*out = (struct kind_seen){.kind = &kinds[id], .by = by};
	const size_t len = strlen(detail);
	if (len < sizeof out->detail)
		memcpy(out->detail, detail, len + 1);
	return true;
}

static bool has_word(const char *words, const char *word, size_t len)
{
	for (const char *at = words; len > 0 && *at; at += strspn(at, " ")) {
		const size_t n = strcspn(at, " ");
		if (n == len && strncasecmp(at, word, len) == 0)
			return true;
		at += n;
	}
	return false;
}

static const char *base_of(const char *name)
{
	const char *const slash = strrchr(name, '/');
	return slash ? slash + 1 : name;
}

const struct kind *kind_by_name(const char *name)
{
	const char *const base = base_of(name), *const dot = strrchr(base, '.');
	if (strcmp(base, "config") == 0)
		return &kinds[KIND_CONFIG];
	if (!dot || dot == base)
		return NULL;
	for (size_t i = 0; i < KIND_COUNT; i++)
		if (has_word(kinds[i].suffixes, dot + 1, strlen(dot + 1)))
			return &kinds[i];
	return NULL;
}

/* Returns whether the bytes are text. The head of a file may end inside a multi-byte character. */
static bool is_text(const char *at, size_t len)
{
	for (size_t cut = 0; cut < 4 && (cut == 0 || len >= KIND_HEAD); cut++)
		if (text_valid(at, len - cut))
			return !memchr(at, '\0', len);
	return false;
}

/* Decides by the suffix if the bytes did not, except for suffixes that fit several kinds: JSON,
 * and columns between tabs. */
static bool look_suffix(const char *name, const char *at, size_t len,
			bool (*is_command)(const char *word), struct kind_seen *out)
{
	const struct kind *const k = name ? kind_by_name(name) : NULL;
	struct kind_seen lines;
	if (!k || k->id == KIND_JSON)
		return false;
	const char *const dot = strrchr(name, '.');
	if (k->id == KIND_TABLE && dot && strcasecmp(dot, ".tsv") == 0 &&
	    !kind_has_numbers(at, len))
		return false;
	kind_set(out, k->id, KIND_BY_NAME, "");
	/* Scripts are often called .txt as well. */
	if (k->id == KIND_TEXT && kind_look_lines(at, len, is_command, &lines) &&
	    lines.kind->id == KIND_SCRIPT)
		*out = lines;
	return true;
}

void kind_look(const char *name, const char *bytes, size_t len,
	       bool (*is_command)(const char *word), struct kind_seen *out)
{
	if (len == 0) {
		kind_set(out, KIND_EMPTY, KIND_BY_BYTES, "");
		return;
	}
	len = len < KIND_HEAD ? len : KIND_HEAD;
	if (kind_look_bytes(name, bytes, len, out))
		return;
	if (!is_text(bytes, len)) {
		const bool told = look_suffix(name, bytes, len, NULL, out);
		if (!told || out->kind->id == KIND_SCRIPT || out->kind->id == KIND_CONFIG)
			kind_set(out, KIND_BINARY, KIND_BY_BYTES, "");
		return;
	}
	static const char mark[] = "\xEF\xBB\xBF";
	const size_t skip = len >= 3 && memcmp(bytes, mark, 3) == 0 ? 3 : 0;
	const char *const at = bytes + skip;
	len -= skip;
	if (kind_look_json(at, len, out) || kind_look_marks(at, len, out) ||
	    look_suffix(name, at, len, is_command, out) ||
	    kind_look_lines(at, len, is_command, out))
		return;
	const struct kind *const k = name ? kind_by_name(name) : NULL;
	kind_set(out, k && k->id == KIND_JSON ? KIND_JSON : KIND_TEXT, KIND_BY_DEFAULT, "");
}

/* ---- files ----------------------------------------------------------------------------------- */

static bool cannot_read(const char *path, int code, struct err *err)
{
	char quoted[200];
	return err_set(err, "cannot read %s: %s",
		       text_quote_buf(quoted, sizeof quoted, path, strlen(path)),
		       code == ENOENT ? "no such file" : file_reason(code));
}

static bool read_head(const char *path, char *head, size_t *len, struct err *err)
{
	const struct asset *const inside = disk_inside(path);
	if (inside) {
		const size_t all = (size_t)(inside->end - inside->begin);
		*len = all < KIND_HEAD ? all : KIND_HEAD;
		memcpy(head, inside->begin, *len);
		return true;
	}
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0)
		return cannot_read(path, errno, err);
	ssize_t got = 1;
	for (*len = 0; *len < KIND_HEAD && got > 0; *len += got > 0 ? (size_t)got : 0)
		got = read(fd, head + *len, KIND_HEAD - *len);
	const int code = errno;
	close(fd);
	return got >= 0 || cannot_read(path, code, err);
}

bool kind_of_file(const char *path, bool (*is_command)(const char *word), struct kind_seen *out,
		  struct err *err)
{
	struct stat st;
	struct arena a;
	size_t len = 0;
	if (disk_stat(path, &st) != 0)
		return cannot_read(path, errno, err);
	arena_init(&a);
	bool ok = true;
	if (S_ISDIR(st.st_mode)) {
		const bool model = file_exists(arena_printf(&a, "%s/config.json", path));
		kind_set(out, model ? KIND_MODEL_DIR : KIND_DIRECTORY, KIND_BY_BYTES, "");
	} else if (!S_ISREG(st.st_mode)) {
		char quoted[200];
		ok = err_set(err, "cannot read %s: it is no regular file",
			     text_quote_buf(quoted, sizeof quoted, path, strlen(path)));
	} else {
		char *const head = arena_alloc(&a, KIND_HEAD);
		ok = read_head(path, head, &len, err);
		if (ok)
			kind_look(path, head, len, is_command, out);
	}
	arena_release(&a);
	return ok;
}

/* ---- options for a kind ---------------------------------------------------------------------- */

bool kind_is_taken(const struct kind *kind, const char *option)
{
	return has_word(kind->takers, option, strlen(option));
}

const char *kind_suffixes(const char *option, struct arena *a)
{
	struct strbuf out;
	strbuf_init(&out, a);
	/* Texts and configurations have arbitrary suffixes. */
	if (kind_is_taken(&kinds[KIND_TEXT], option) || kind_is_taken(&kinds[KIND_CONFIG], option))
		return "";
	for (size_t i = 0; i < KIND_COUNT; i++) {
		const struct kind *const k = i == KIND_TENSORS ? &kinds[KIND_JSON] : &kinds[i];
		if (kind_is_taken(&kinds[i], option) && *k->suffixes)
			strbuf_printf(&out, "%s%s%s%s", out.len > 0 ? " " : "", k->suffixes,
				      k->shared ? " " : "", k->shared ? k->shared : "");
	}
	return out.len > 0 ? out.at : "";
}

const char *kind_text(const struct kind_seen *seen, struct arena *a)
{
	return *seen->detail ? arena_printf(a, "%s (%s)", seen->kind->name, seen->detail)
			     : seen->kind->name;
}

/* Returns "posviz FILE", "posviz tour FILE" or "--params FILE". */
static const char *taker_text(const char *word, struct arena *a)
{
	static const char *const subcommands[] = {"tour", "render", "verify", "check"};
	if (strcmp(word, "open") == 0)
		return "posviz FILE";
	for (size_t i = 0; i < sizeof subcommands / sizeof *subcommands; i++)
		if (strcmp(word, subcommands[i]) == 0)
			return arena_printf(a, "posviz %s FILE", word);
	return arena_printf(a, "--%s FILE", word);
}

const char *kind_takers(const struct kind *kind, const char *but, struct arena *a)
{
	const char *words[8];
	struct strbuf out;
	size_t n = 0;
	strbuf_init(&out, a);
	for (const char *at = kind->takers; *at; at += strspn(at, " ")) {
		const size_t len = strcspn(at, " ");
		const char *const word = arena_strndup(a, at, len);
		const bool bare = strcmp(word, "open") == 0;
		if (strcmp(word, but) != 0 && (!bare || at == kind->takers))
			words[n++] = taker_text(word, a);
		at += len;
	}
	for (size_t i = 0; i < n; i++)
		strbuf_printf(&out, "%s%s", i == 0 ? "" : i + 1 < n ? ", " : " or ", words[i]);
	return out.at;
}

/* Returns the kinds that an option takes: "a graph in DOT, a graph in GraphML or a list of
 * edges". */
static const char *accepted_kinds(const char *option, struct arena *a)
{
	const struct kind *all[KIND_COUNT];
	struct strbuf out;
	size_t n = 0;
	strbuf_init(&out, a);
	for (size_t i = 0; i < KIND_COUNT; i++)
		if (kind_is_taken(&kinds[i], option))
			all[n++] = &kinds[i];
	for (size_t i = 0; i < n; i++)
		strbuf_printf(&out, "%s%s", i == 0 ? "" : i + 1 < n ? ", " : " or ", all[i]->name);
	return out.at;
}

bool kind_refuse(const struct kind_seen *seen, const char *option, const char *path,
		 struct err *err)
{
	struct arena a;
	arena_init(&a);
	const bool bare = strcmp(option, "open") == 0;
	const char *const quoted =
		strcmp(path, "-") == 0 ? "standard input" : text_quote(&a, path, strlen(path));
	const char *const is = kind_text(seen, &a);
	const char *const takers = kind_takers(seen->kind, option, &a);
	if (*takers)
		err_set(err, "%s is %s: %s takes it", quoted, is, takers);
	else if (seen->kind->advice)
		err_set(err, "%s is %s: %s", quoted, is, seen->kind->advice);
	else if (bare)
		err_set(err, "%s is %s, which nothing here opens", quoted, is);
	else
		err_set(err, "%s is %s; %s would be right", quoted, is, accepted_kinds(option, &a));
	arena_release(&a);
	return false;
}

bool kind_fits(const char *option, const char *path, const char *bytes, size_t len,
	       struct kind_seen *seen, struct err *err)
{
	struct kind_seen own = {0};
	struct kind_seen *const out = seen ? seen : &own;
	kind_look(path, bytes, len, NULL, out);
	const enum kind_id id = out->kind->id;
	if (kind_is_taken(out->kind, option))
		return true;
	/* The reader itself explains best what is wrong with JSON or an empty file. */
	const bool judged =
		id == KIND_EMPTY ||
		(id == KIND_JSON && kind_is_taken(&kinds[KIND_TENSORS], option)) ||
		(id == KIND_TEXT && strcmp(option, "graph") == 0 && kind_may_be_edges(bytes, len));
	return judged || kind_refuse(out, option, path ? path : "-", err);
}
