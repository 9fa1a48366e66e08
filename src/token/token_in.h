/* token_in.h: the parts of a tokenizer: a vocabulary, steps that change or divide a text, a model
 * that cuts words into pieces, tokens that were added, and the frame around a text. */
#ifndef TOKEN_IN_H
#define TOKEN_IN_H

#include <stdint.h>

#include "posviz/base/strbuf.h"
#include "posviz/format/json_read.h"
#include "posviz/token/tokenizer.h"

enum {
	TOKEN_MOST_IDS = 1 << 22,
	TOKEN_MOST_TEXT = 1 << 17, /* bytes of a text */
	TOKEN_MOST_STEPS = 64,
	TOKEN_PIECE_MOST = 1 << 16, /* bytes of a piece */
};

#define BLANK "\xE2\x96\x81" /* U+2581, which SentencePiece has for a blank */

/* ---- a text on its way ----------------------------------------------------------------------- */

/* Some text between two steps. */
struct word {
	const char *at;
	size_t len;
	bool first; /* it begins where the text does */
};

struct words {
	struct word *at;
	size_t n, room;
	struct arena *a;
};

void add_word(struct words *w, const char *at, size_t len, bool first);

/* Cutting a text takes half a second of the processor at most, whatever the tokenizer and the text are. */
struct cut {
	struct arena *a;
	double until; /* as cut_seconds */
	struct err *err;
};

/* Returns the processor time of the thread in seconds. */
double cut_seconds(void);
bool cut_in_time(const struct cut *c);

void pieces_add(struct pieces *p, struct arena *a, struct piece piece);

/* Returns the code point at text[0..len), which is UTF-8 and not empty; *n gets its bytes. */
uint32_t code_at(const char *text, size_t len, size_t *n);

/* ---- lexicon.c: a vocabulary ------------------------------------------------------------------- */

struct entry {
	const char *text; /* NULL: no token has this id */
	uint32_t len;
	double score;
	bool bare;  /* never found in a word: a control token */
	bool added; /* its text is as a text would have it */
};

struct lexicon {
	struct entry *at;
	size_t n;
	uint32_t *slots; /* id + 1 by the hash of its text */
	size_t mask;
};

void lexicon_init(struct lexicon *l, size_t n, struct arena *a);
/* Gives an id its text; of two ids with the same text the later is found. */
bool lexicon_set(struct lexicon *l, long id, const char *text, size_t len, struct err *err);
/* Returns the id of a text; -1: there is none. */
long lexicon_find(const struct lexicon *l, const char *text, size_t len);

/* Texts in order, to find all that a text begins with. */
struct prefixes {
	struct prefix {
		const char *text;
		size_t len;
		long id;
	} * at;
	size_t n;
};

/* A walk along a text, from prefix to prefix. */
struct walk {
	size_t lo, hi, depth;
};

void prefixes_sort(struct prefixes *p);
struct walk prefixes_begin(const struct prefixes *p);
/* Returns the next longer text that text[0..len) begins with; NULL: there is none. */
const struct prefix *prefixes_next(const struct prefixes *p, struct walk *w, const char *text,
				   size_t len);

/* ---- pattern.c: regular expressions -------------------------------------------------------------- */

struct pattern;

/* Compiles an expression in the syntax of Oniguruma, as tokenizers have them. */
struct pattern *pattern_new(const char *text, struct arena *a, struct err *err);
/* A part of a text that matches, or one between these. */
struct part {
	size_t from, to;
	bool matches;
};
/* Divides a text into matches and what is between them. */
bool pattern_parts(const struct pattern *p, struct cut *c, const char *text, size_t len,
		   struct part **out, size_t *n);

/* ---- charsmap.c: SentencePiece's table of replacements ------------------------------------------- */

struct charsmap;

struct charsmap *charsmap_new(const unsigned char *data, size_t len, struct arena *a,
			      struct err *err);
/* Returns what replaces the shortest, or the longest, beginning of text[0..len) that has a
 * replacement, and *taken, its bytes; NULL: none has. */
const char *charsmap_find(const struct charsmap *m, const char *text, size_t len, bool longest,
			  size_t *taken);

/* ---- steps ----------------------------------------------------------------------------------- */

enum behaviour { REMOVED, ISOLATED, WITH_PREVIOUS, WITH_NEXT, CONTIGUOUS, BEHAVIOURS };

/* A normalizer or a pre-tokenizer with its settings; each kind uses some of them. */
struct step {
	const struct step_kind *kind;
	struct pattern *pattern;
	const char *text, *content;
	size_t text_len, content_len;
	enum behaviour behaviour;
	bool invert, left, right, clean, chinese, lower, accents, prefix, only_first, regex, each;
	struct charsmap *map;
};

struct step_kind {
	const char *name;
	/* Reads the settings; NULL: there are none. */
	bool (*read)(struct step *s, const struct json_value *v, struct arena *a, struct err *err);
	/* A normalizer has `change`, a pre-tokenizer `divide`; the other one is NULL. */
	bool (*change)(const struct step *s, struct cut *c, struct word *io);
	bool (*divide)(const struct step *s, struct cut *c, const struct word *in,
		       struct words *out);
};

struct steps {
	struct step at[TOKEN_MOST_STEPS];
	size_t n;
};

extern const struct step_kind normalizer_kinds[], pretokenizer_kinds[]; /* end with name NULL */

/* Adds a step of a kind by its name, which the table has. */
struct step *steps_add(struct steps *s, const struct step_kind *kinds, const char *name);
/* Reads a step, or those of a sequence, whose list is named `list`; null is none. */
bool steps_read(struct steps *s, const struct step_kind *kinds, const char *list,
		const struct json_value *v, struct arena *a, struct err *err);
bool steps_change(const struct steps *s, struct cut *c, struct word *io);
bool steps_divide(const struct steps *s, struct cut *c, const struct word *in, struct words *out);
bool steps_have(const struct steps *s, const char *name);
/* Reads {"String": "x"} or {"Regex": "x"}. */
bool step_read_pattern(struct step *s, const struct json_value *v, struct arena *a,
		       struct err *err);
bool step_pattern_parts(const struct step *s, struct cut *c, const struct word *in,
			struct part **out, size_t *n);

/* byte_letters.c: the letter that stands for a byte in a vocabulary of bytes, and the way back; -1. */
size_t byte_letter(unsigned char byte, char out[4]);
int byte_of_letter(uint32_t code);

/* ---- models ---------------------------------------------------------------------------------- */

/* tokenizer_json.c: fills the vocabulary from {"the": 5} or [["the", -3.2]], and the tokens that were added
 * to it (NULL: none). */
bool vocabulary_read(struct tokenizer *t, const struct json_value *vocab,
		     const struct json_value *added, struct err *err);

struct joins; /* pairs of ids, each with its rank and the id of both together */

struct joins *joins_new(size_t n, struct arena *a);
void joins_add(struct joins *j, long left, long right, long rank, long made);

struct model {
	const struct model_kind *kind;
	struct joins *joins;
	bool scored; /* pieces are joined by their scores, and not by ranks of pairs */
	bool fuse_unk, byte_fallback, ignore_merges;
	const char *prefix, *suffix; /* of a piece inside a word, of the last one; NULL: none */
	long unk;		     /* -1: there is none */
	long bytes[256];	     /* ids of <0x00> to <0xFF>; -1 */
	size_t most_letters;	     /* of a word of WordPiece */
	struct prefixes prefixes;
	double unk_score;
};

struct model_kind {
	const char *name;
	bool (*read)(struct tokenizer *t, const struct json_value *v, struct err *err);
	bool (*cut)(const struct tokenizer *t, struct cut *c, const struct word *in,
		    struct pieces *out);
};

extern const struct model_kind model_bpe, model_wordpiece, model_unigram;

/* Fills the ids of <0x00> to <0xFF>. */
void model_find_bytes(struct tokenizer *t);
/* Prepares what Unigram needs beside the vocabulary with its scores. */
void unigram_prepare(struct tokenizer *t);
/* Adds an id, with the text of the vocabulary. */
void model_add(const struct tokenizer *t, struct cut *c, long id, struct pieces *out);
/* Adds the bytes of a text as tokens; false: the vocabulary lacks one. */
bool model_add_bytes(const struct tokenizer *t, struct cut *c, const char *text, size_t len,
		     struct pieces *out);
bool model_no_token(const struct cut *c, const char *text, size_t len);

/* ---- added.c: tokens that a text may hold as they are --------------------------------------------- */

struct added {
	const char *text;
	size_t len;
	long id;
	/* `normalized`: sought in what the normalizer made; `ready`: its text is in that form. */
	bool single_word, lstrip, rstrip, normalized, ready;
};

struct addeds {
	struct added *at;
	size_t n, room;
	struct prefixes raw, normalized; /* ids are indices of `at` */
};

bool addeds_prepare(struct tokenizer *t, struct err *err);
/* Divides a text into tokens that were added and what is between them: parts, and of each the
 * index of its token, or -1. */
bool addeds_parts(const struct addeds *s, const struct prefixes *p, struct cut *c, const char *text,
		  size_t len, struct part **parts, long **which, size_t *n);

/* ---- frame.c: what stands around a text ------------------------------------------------------------ */

struct frame_item {
	int sequence; /* 0, 1: the text, the second of a pair; -1: a token */
	long id;
	size_t type;
};

struct frame {
	struct frame_item *at;
	size_t n;
};

bool frame_read(struct tokenizer *t, const struct json_value *v, struct err *err);
/* Sets the frame from ids that may be absent (-1): in front, behind, and once more between a pair. */
void frame_simple(struct tokenizer *t, long first, long last, bool types);
void frame_two_between(struct tokenizer *t, long first, long last);
void frame_behind(struct tokenizer *t, long first, long last);
bool frame_fill(const struct tokenizer *t, const struct pieces *parts, size_t n, struct arena *a,
		struct pieces *out, struct err *err);

/* ---- all of it ------------------------------------------------------------------------------- */

enum shown { SHOWN_PLAIN, SHOWN_BYTES, SHOWN_BLANKS };

struct tokenizer {
	struct arena own;
	const char *path;
	struct lexicon vocab;
	struct steps *normalizers, *pretokenizers;
	struct model model;
	struct addeds added;
	struct frame single, pair;
	enum shown shown;
};

/* Sets what all readers set first: no step, no token that is unknown, no frame. */
void tokenizer_begin(struct tokenizer *t);
/* Lets a text hold the token as it is. */
void tokenizer_add(struct tokenizer *t, struct added added);

/* ---- named.c: what the class of a tokenizer says ----------------------------------------------- */

/* The files that are read together; those that are not there are empty or NULL. */
struct token_files {
	struct span data, merges;
	const struct json_value *config; /* tokenizer_config.json */
	const struct json_value *model;	 /* config.json */
};

/* Around a text: first A last, and of a pair first A last B last, in one segment or, TYPES, in two;
 * TWO_BETWEEN: first A last last B last; BEHIND: A last first, and A last B last first, in segments 0, 1
 * and, of the first, 2. */
enum named_frame { NAMED_ONE_SEGMENT, NAMED_TYPES, NAMED_TWO_BETWEEN, NAMED_BEHIND };

struct named {
	const char *name, *type; /* type: the model_type of which it is the usual class; or NULL */
	const char *first, *last;
	enum named_frame frame;
	bool bytes; /* of vocab.json and merges.txt; else of a model of SentencePiece */
	bool moved; /* <s>, <pad>, </s>, <unk> are in front of SentencePiece's pieces, <mask> behind */
	bool text;				  /* quotes and accents are changed before */
	bool lower;				  /* letters too, if the file says no other */
	const char *bos, *eos, *pad, *unk, *mask; /* NULL: none */
};
extern const struct named named_classes[]; /* ends with name NULL */

/* Finds the class of the files; NULL with an error: it is not known. */
const struct named *named_find(const struct token_files *f, bool bytes, struct err *err);
/* Adds the steps by which the class changes a text. */
bool named_change(struct tokenizer *t, const struct named *n, const struct token_files *f,
		  struct err *err);
/* Sets special tokens and the frame; false: ids of config.json are others. */
bool named_apply(struct tokenizer *t, const struct named *n, const struct token_files *f,
		 struct err *err);
/* Returns the text of a special token, which is a text, or an object with it as content. */
const char *named_special(const struct json_value *config, const char *key, const char *usual);

/* ---- readers: each fills a tokenizer from the bytes of a file ---------------------------------------- */

bool read_tokenizer_json(struct tokenizer *t, const char *data, size_t len, struct err *err);
bool read_vocab_txt(struct tokenizer *t, const struct token_files *f, struct err *err);
bool read_vocab_json(struct tokenizer *t, const struct token_files *f, struct err *err);
bool read_spm_model(struct tokenizer *t, const struct token_files *f, struct err *err);
struct tensor_file;
bool read_gguf_vocabulary(struct tokenizer *t, const struct tensor_file *f, struct err *err);

/* Members of a JSON object, with what they are when absent or null. */
const char *json_text_or(const struct json_value *v, const char *name, const char *otherwise);
bool json_flag_or(const struct json_value *v, const char *name, bool otherwise);
long json_id_or(const struct json_value *v, const char *name, long otherwise);

#endif
