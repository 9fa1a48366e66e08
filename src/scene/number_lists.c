/* number_lists.c: fields that are lists of numbers, in the notations that programs print and save.
 *
 * A field keeps the numbers, separated by blanks, instead of the file's name, so that a picture can
 * be made again without the file. */
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "posviz/base/num.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "posviz/format/file.h"
#include "posviz/format/tensor.h"
#include "scene_in.h"

enum { LIST_LIMIT = 1 << 20 };

static bool ends_with(const char *text, const char *end)
{
	const size_t len = strlen(text), size = strlen(end);
	return len > size && strcasecmp(text + len - size, end) == 0;
}

static bool is_tensor(const char *value)
{
	return ends_with(value, ".npy") || ends_with(value, ".npz");
}

/* True if the value names a file: it ends like one, or a file of this name exists and the value has
 * other characters than those of lists of numbers. */
static bool names_file(const char *value)
{
	struct stat st;
	if (is_tensor(value) || ends_with(value, ".json") || ends_with(value, ".txt") ||
	    ends_with(value, ".csv"))
		return true;
	return value[strspn(value, "0123456789+-,; \t\r\n")] != '\0' && stat(value, &st) == 0 &&
	       S_ISREG(st.st_mode);
}

/* The shape of a tensor with such numbers, for messages. */
static const char *const shapes[] = {[SPELLED_LIST] = "one row of numbers",
				     [SPELLED_PAIRS] = "pairs, [n, 2],",
				     [SPELLED_ROWS] = "one row of numbers, or three, [3, n],"};

/* Returns what comes before number i of a tensor. */
static const char *before_number(enum spelled_kind kind, struct mat m, size_t i)
{
	if (i == 0)
		return "";
	if (kind == SPELLED_PAIRS && i % 2 == 1)
		return "-";
	return kind == SPELLED_ROWS && m.cols > 1 && i % m.cols == 0 ? "; " : " ";
}

/* Reads one row or one column of whole numbers; of pairs, two columns; or three rows. */
static bool read_tensor(const char *path, enum spelled_kind kind, struct arena *a, const char **out,
			struct err *err)
{
	struct tensor_set set;
	const struct tensor *t = NULL;
	struct strbuf b;
	tensor_set_init(&set, a);
	strbuf_init(&b, a);
	const bool read = tensor_read_one(&set, path, (const char *[]){NULL}, &t, err);
	const struct mat m = read ? tensor_mat(t) : (struct mat){0};
	const bool fits = kind == SPELLED_PAIRS ? m.cols == 2
						: m.rows == 1 || m.cols == 1 ||
							  (kind == SPELLED_ROWS && m.rows == 3);
	for (size_t i = 0; read && fits && i < m.rows * m.cols; i++) {
		char number[32];
		strbuf_printf(&b, "%s%s", before_number(kind, m, i),
			      num_print(number, sizeof number, mat_row(m, i / m.cols)[i % m.cols]));
	}
	*out = b.at;
	return read && (fits || err_set(err, "%s has the shape %s; %s would be right",
					text_quote(a, path, strlen(path)), tensor_shape_text(t, a),
					shapes[kind]));
}

/* Returns how many numbers each of three lines has; 0: there are not three, or not as many in each. */
static size_t in_each_line(const char *text)
{
	size_t lines = 0, first = 0;
	while (*(text += strspn(text, " \t\r\n")) != '\0') {
		const char *const end = text + strcspn(text, "\r\n");
		size_t n = 0;
		while ((text += strspn(text, ", \t")) < end) {
			text += strcspn(text, ", \t\r\n");
			n++;
		}
		first = lines++ == 0 ? n : first;
		if (n != first)
			return 0;
	}
	return lines == 3 ? first : 0;
}

/* Puts ';' behind each line but the last if the text is three rows of several numbers; returns whether
 * rows are parted so. */
static bool part_rows(char *text)
{
	const bool parted = strchr(text, ';') != NULL;
	if (!parted && in_each_line(text) < 2)
		return false;
	for (char *c = text; (c = strchr(c, '\r')) != NULL;)
		*c = ' ';
	if (parted)
		return true;
	for (char *c = text; (c = strchr(c, '\n')) != NULL; c++)
		if (!strchr("\n", c[1 + strspn(c + 1, " \t\r")]))
			*c = ';';
	return true;
}

static bool read_text(const char *path, enum spelled_kind kind, struct arena *a, const char **out,
		      struct err *err)
{
	char *data;
	size_t len;
	struct stat st;
	const char *const shown = text_quote(a, path, strlen(path));
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return err_set(err, "%s is no regular file", shown);
	if (!file_read(path, LIST_LIMIT, a, &data, &len, err))
		return false;
	/* Pairs are mostly written as "1-1 2-3", which the field takes unchanged. */
	if (kind == SPELLED_PAIRS && !input_is_spelled(data, len)) {
		for (char *end = data; (end = strpbrk(end, "\r\n")) != NULL;)
			*end = ' ';
		*out = data;
		return true;
	}
	if (kind == SPELLED_ROWS && !input_is_spelled(data, len) && part_rows(data)) {
		*out = data;
		return true;
	}
	return (input_spelled(data, len, kind, a, out, err) || err_prefix(err, "%s: ", shown));
}

bool number_list(const char *field, enum spelled_kind kind, const char **value, struct arena *a,
		 struct err *err)
{
	const char *const text = *value;
	if (input_is_spelled(text, strlen(text)))
		return input_spelled(text, strlen(text), kind, a, value, err) ||
		       err_prefix(err, "%s: ", field);
	if (!names_file(text))
		return true;
	return (is_tensor(text) ? read_tensor : read_text)(text, kind, a, value, err) ||
	       err_prefix(err, "%s: ", field);
}

bool check_order(const char **value, struct arena *a, struct err *err)
{
	return number_list("order", SPELLED_LIST, value, a, err);
}

bool check_governors(const char **value, struct arena *a, struct err *err)
{
	return number_list("governors", SPELLED_LIST, value, a, err);
}

bool check_alignment(const char **value, struct arena *a, struct err *err)
{
	return number_list("alignment", SPELLED_PAIRS, value, a, err);
}

/* A word order in brackets is no list of numbers, also with numbers in it if they have no
 * commas. */
bool check_reorder(const char **value, struct arena *a, struct err *err)
{
	const char *const text = *value + strspn(*value, " \t\n");
	if (*text == '[' && (strpbrk(text, "<>") || !strchr(text, ',')))
		return true;
	return number_list("reorder", SPELLED_LIST, value, a, err);
}
