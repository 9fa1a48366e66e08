/* completion.h: what the scripts for shells share: options and what they take, as a shell sees them. */
#ifndef CLI_COMPLETION_H
#define CLI_COMPLETION_H

#include "cli.h"
#include "template.h"

enum value {
	VALUE_NONE,
	VALUE_OTHER,
	VALUE_FILE,
	VALUE_SAMPLE,
	VALUE_EXPR,
	VALUE_TENSOR, /* FILE or FILE:TENSOR */
	VALUE_MAP,    /* LEAF=TENSOR */
	VALUE_WORDS
};

/* An option as a shell sees it. */
struct word {
	const char *name, *help;
	char letter;
	enum value value;
	const char *suffixes; /* of files that fit: parted by blanks; NULL or "": any */
	const char *words; /* VALUE_WORDS: parted by blanks; VALUE_SAMPLE: those that are as good as
			    * files, without their @ */
};

/* The options of a sub-command, or of all of them (NULL); returns how many. */
size_t completion_options(const struct subcommand *sub, struct arena *a, struct word **out);
/* What stands behind a sub-command. */
struct word completion_operand(const struct subcommand *sub, struct arena *a);
/* The names of all sub-commands that are for people, parted by blanks. */
const char *completion_subcommands(struct arena *a);

void completion_add_subcommands(struct strbuf *out);
/* The samples for a field, without their @; NULL: of all fields. */
const char *completion_samples(const char *field, struct arena *a);

void completion_bash(struct strbuf *out);
void completion_zsh(struct strbuf *out);
void completion_fish(struct strbuf *out);

#endif
