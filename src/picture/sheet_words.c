/* sheet_words.c: the words of a contact sheet: its title, the common properties of its maps, their
 * input, and the numbers beside them. */
#include <math.h>
#include <string.h>

#include "posviz/base/num.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "sheet_in.h"

/* Prints three digits, two decimals for small numbers; zeros at the end go, unless the number is
 * zero. */
const char *sheet_number(double x, struct arena *a)
{
	const int decimals = fabs(x) >= 100 ? 0 : fabs(x) >= 10 ? 1 : 2;
	char *const text = arena_strdup(a, heatmap_number(a, x, decimals, false));
	size_t len = strlen(text);
	if (fabs(x) < 0.005 || !strchr(text, '.'))
		return text;
	while (text[len - 1] == '0')
		text[--len] = '\0';
	if (text[len - 1] == '.')
		text[len - 1] = '\0';
	return text;
}

const char *sheet_percent(double share, struct arena *a)
{
	if (isnan(share))
		return NULL;
	const double whole = share > 1 - 1e-9 ? 100 : fmin(99, round(100 * share));
	return arena_printf(a, "%.0f %%", whole);
}

const char *sheet_joined(const char *const *parts, size_t n, const char *between, struct arena *a)
{
	struct strbuf b;
	strbuf_init(&b, a);
	for (size_t i = 0; i < n; i++)
		if (parts[i] && *parts[i])
			strbuf_printf(&b, "%s%s", b.len ? between : "", parts[i]);
	return b.len ? b.at : "";
}

int sheet_year(const char *expression)
{
	struct arena a;
	arena_init(&a);
	const struct expr *const e = expr_of(expression, &a, NULL);
	const int year = e ? expr_main(e)->scheme->year : 0;
	arena_release(&a);
	return year;
}

/* heads 0: the maps differ in their number. */
static const char *head_words(const struct scene *s, long heads, struct arena *a)
{
	const char *const name = scene_name_of(s, NAMED_HEAD, (size_t)s->head, a);
	if (name && s->head > 0)
		return name;
	if (s->head == SCENE_MEAN)
		return heads ? arena_printf(a, "mean of %ld heads", heads) : "mean of heads";
	return heads ? arena_printf(a, "head %ld of %ld", s->head, heads)
		     : arena_printf(a, "head %ld", s->head);
}

static const char *layer_words(const struct scene *s, struct arena *a)
{
	const char *const name = scene_name_of(s, NAMED_LAYER, (size_t)s->layer, a);
	return name && s->layer > 0	? name
	       : s->layer == 1		? NULL
	       : s->layer == SCENE_MEAN ? "mean of layers"
					: arena_printf(a, "layer %ld", s->layer);
}

static const char *probe_words(const struct setup *s, struct arena *a)
{
	return strcmp(s->probe, "ones") == 0 ? "the same token vector at every position"
	       : strcmp(s->probe, "off") == 0
		       ? "the sentence itself"
		       : arena_printf(a, "“%s” at every position",
				      text_escape(a, s->probe, strlen(s->probe)));
}

/* Describes all maps, and the numbers beside them. */
const char *sheet_subtitle(const struct contact_request *r, const struct sheet_facts *f,
			   const struct contact *k, struct arena *a)
{
	static const char *const what[MATRIX_COUNT] = {"Position bias", "Logits",
						       "Attention weights", "Mask"};
	static const char *const scales[] = {
		[CONTACT_SHARE_OFF] = "each map to its own largest absolute value, least and "
				      "largest beside it",
		[CONTACT_SHARE_SENTENCE] = "one scale for each sentence, least and largest beside "
					   "each map",
		[CONTACT_SHARE_ALL] = "one scale for all, least and largest beside each map"};
	const struct scene *const s = &r->scenes[0];
	const char *const of[] = {what[f->what], f->axes.heads ? head_words(s, f->heads, a) : NULL,
				  f->axes.layers ? layer_words(s, a) : NULL};
	const char *const parts[] = {
		sheet_joined(of, sizeof of / sizeof *of, ", ", a),
		f->probed ? probe_words(&s->setup, a) : NULL, "query t down, key s to the right",
		f->what == MATRIX_MASK ? "a stroke: the key is hidden" : scales[r->share],
		k->wide_percent ? "%: share of it that s − t alone tells" : NULL};
	return sheet_joined(parts, sizeof parts / sizeof *parts, "   ·   ", a);
}

const char *sheet_tokens(const struct scene *s, size_t *n, struct arena *a)
{
	struct input in;
	struct strbuf b;
	strbuf_init(&b, a);
	*n = 0;
	if (!setup_tokens(&s->setup, a, &in, NULL, NULL, NULL))
		return "";
	for (size_t i = 0; i < in.n; i++)
		strbuf_printf(&b, "%s%s", i ? " " : "", in.tokens[i].label);
	*n = in.n;
	return text_shorten(a, b.at, SHEET_TOKENS, false);
}

/* Adds the model of drawn or learned numbers; with numbers of files only, there is none. */
static void add_model(const struct contact_request *r, const struct sheet_facts *f,
		      struct strbuf *b)
{
	const struct setup *const s = &r->scenes[0].setup;
	char content[32];
	if (!f->drawn) {
		if (f->heads > 0)
			strbuf_printf(b, " · h %ld", f->heads);
		return;
	}
	strbuf_printf(b, " · d %ld · h %ld%s · seed %llu · %s projection · content %s · %s",
		      s->d_model, s->heads, setup_heads_text(s, b->arena),
		      (unsigned long long)s->seed, projection_names[s->proj],
		      num_show(content, sizeof content, s->content, 3),
		      *s->params     ? "learned tables from a file, else demonstration values"
		      : s->init == 0 ? "learned tables hold demonstration values, not trained"
				     : "learned tables as the papers initialise them");
}

const char *sheet_caption(const struct contact_request *r, const struct sheet_facts *f,
			  struct arena *a)
{
	struct strbuf b;
	strbuf_init(&b, a);
	for (size_t i = 0; i < r->n_scenes; i++) {
		strbuf_add(&b, i ? " · " : "");
		if (r->n_scenes > 1)
			strbuf_printf(&b, "%zu: ", i + 1);
		strbuf_add(&b, f->inputs[i]);
	}
	add_model(r, f, &b);
	return b.at;
}

const char *sheet_title(const struct contact *k, struct arena *a)
{
	const char *const what =
		k->n == 1 ? k->entries[0].name : arena_printf(a, "%zu position schemes", k->n);
	return k->columns == 1 ? what : arena_printf(a, "%s on %zu sentences", what, k->columns);
}
