/* completion.h: options and their values as a shell sees them, for the scripts of all shells. */
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
	const char *suffixes; /* endings of files that fit, parted by blanks; NULL or "": any */
	/* VALUE_WORDS: parted by blanks; VALUE_SAMPLE: the samples that may replace a file, without
	 * their @ */
	const char *words;
};

/* Returns the number of options of a sub-command, or of all sub-commands (NULL); *out gets them. */
size_t completion_options(const struct subcommand *sub, struct arena *a, struct word **out);
/* Returns the arguments that follow a sub-command. */
struct word completion_operand(const struct subcommand *sub, struct arena *a);
/* Returns the names of all sub-commands that users call, parted by blanks. */
const char *completion_subcommands(struct arena *a);

void completion_add_subcommands(struct strbuf *out);
/* Returns the samples for a field, without their @; NULL: for all fields. */
const char *completion_samples(const char *field, struct arena *a);

void completion_bash(struct strbuf *out);
void completion_zsh(struct strbuf *out);
void completion_fish(struct strbuf *out);

#endif
