/* tour_markdown.c: a hand-out as a folder: what its pictures are called, and its words in Markdown around them. */
#include <ctype.h>
#include <string.h>

#include "posviz/base/markdown.h"
#include "posviz/tour/tour_paper.h"
#include "tour_in.h"

/* ---- pictures ---------------------------------------------------------------------------------------- */

/* "man-bites-dog": what every file system and every link can have. */
static const char *slug(const char *title, struct arena *a)
{
	struct strbuf b;
	strbuf_init(&b, a);
	for (; *title; title++) {
		const unsigned char c = (unsigned char)*title;
		if (c < 0x80 && isalnum(c))
			strbuf_add_char(&b, (char)tolower(c));
		else if (b.len > 0 && b.at[b.len - 1] != '-' && c != '\'')
			strbuf_add_char(&b, '-');
	}
	while (b.len > 0 && b.at[b.len - 1] == '-')
		b.at[--b.len] = '\0';
	return b.len > 0 ? b.at : "step";
}

static struct tour_image image_of(const struct handout *h, size_t step, size_t question, size_t k,
				  const char *ending, struct arena *a)
{
	const struct handout_step *const s = &h->steps[step];
	const bool answer = question != SIZE_MAX;
	const char *const more = k > 0 ? arena_printf(a, "-%zu", k + 1) : "";
	return (struct tour_image){.name = arena_printf(a, "%02zu-%s%s%s.%s", s->number,
							slug(s->title, a), answer ? "-answer" : "",
							more, ending),
				   .step = step,
				   .beat = answer ? s->questions[question].picture : s->pictures[k],
				   .question = question,
				   .alt = s->title};
}

struct tour_image *tour_images(const struct handout *h, const char *ending, struct arena *a,
			       size_t *n)
{
	size_t most = 0;
	for (size_t i = 0; i < h->n_steps; i++)
		most += h->steps[i].n_pictures + h->steps[i].n_questions;
	struct tour_image *const out = arena_calloc(a, most + 1, sizeof *out);
	*n = 0;
	for (size_t i = 0; i < h->n_steps; i++) {
		const struct handout_step *const s = &h->steps[i];
		for (size_t k = 0; k < s->n_pictures; k++)
			out[(*n)++] = image_of(h, i, SIZE_MAX, k, ending, a);
		for (size_t k = 0; k < s->n_questions && h->shows != HANDOUT_QUESTIONS; k++)
			if (s->questions[k].picture != HANDOUT_NO_PICTURE)
				out[(*n)++] = image_of(h, i, k, k, ending, a);
	}
	return out;
}

/* ---- words ------------------------------------------------------------------------------------------- */

static void add_paragraph(struct strbuf *b, const char *before, const char *text, const char *after)
{
	strbuf_add(b, before);
	markdown_add(b, text, *before == '\0');
	strbuf_printf(b, "%s\n\n", after);
}

static void add_images(struct strbuf *b, const struct tour_image *images, size_t n, size_t step,
		       size_t question)
{
	for (size_t i = 0; i < n; i++) {
		const struct tour_image *const is = &images[i];
		if (is->step != step || is->question != question)
			continue;
		if (is->message) {
			add_paragraph(b, "> The program says: ", is->message, "");
			continue;
		}
		add_paragraph(b, "![", is->alt, arena_printf(b->arena, "](%s)", is->name));
	}
}

static void add_question(struct strbuf *b, const struct handout_question *q)
{
	add_paragraph(b, "**", q->ask, "**");
	for (size_t i = 0; i < q->n_options; i++) {
		strbuf_printf(b, "- %c  ", tour_letter((int)i));
		markdown_add(b, q->options[i], false);
		strbuf_add_char(b, '\n');
	}
	if (q->n_options > 0)
		strbuf_add_char(b, '\n');
}

static void add_step(struct strbuf *b, const struct handout *h, size_t step,
		     const struct tour_image *images, size_t n)
{
	const struct handout_step *const s = &h->steps[step];
	if (h->n_parts > 1 && (step == 0 || h->steps[step - 1].part != s->part))
		add_paragraph(b, "## ", h->parts[s->part].title, "");
	strbuf_printf(b, "<a id=\"step-%zu\"></a>\n\n", s->number);
	add_paragraph(b,
		      arena_printf(b->arena, "%s %zu. ", h->n_parts > 1 ? "###" : "##", s->number),
		      s->title, "");
	add_images(b, images, n, step, SIZE_MAX);
	for (size_t i = 0; i < s->n_says; i++)
		add_paragraph(b, "", s->says[i], "");
	for (size_t i = 0; i < s->n_questions; i++)
		add_question(b, &s->questions[i]);
	if (s->n_questions > 0 && h->shows != HANDOUT_QUESTIONS)
		strbuf_printf(b, "[Answer](#answer-%zu)\n\n", s->number);
	for (size_t i = 0; i < s->n_sources; i++)
		add_paragraph(b, "*Source: ", s->sources[i], "*");
}

static void add_answers(struct strbuf *b, const struct handout *h, size_t step,
			const struct tour_image *images, size_t n)
{
	const struct handout_step *const s = &h->steps[step];
	strbuf_printf(b, "<a id=\"answer-%zu\"></a>\n\n", s->number);
	add_paragraph(b, arena_printf(b->arena, "### %zu. ", s->number), s->title, "");
	for (size_t i = 0; i < s->n_questions; i++) {
		const struct handout_question *const q = &s->questions[i];
		const bool chosen = q->right >= 0 && (size_t)q->right < q->n_options;
		add_paragraph(b, "", q->ask, "");
		if (chosen)
			add_paragraph(b, arena_printf(b->arena, "**%c  ", tour_letter(q->right)),
				      q->options[q->right], "**");
		else if (q->answer)
			add_paragraph(b, "**", q->answer, "**");
		add_images(b, images, n, step, i);
		for (size_t k = 0; k < q->n_after; k++)
			add_paragraph(b, "", q->after[k], "");
	}
	strbuf_printf(b, "[Question](#step-%zu)\n\n", s->number);
}

const char *tour_markdown(const struct handout *h, const struct tour_image *images, size_t n,
			  struct arena *a)
{
	struct strbuf b;
	bool any = false;
	strbuf_init(&b, a);
	add_paragraph(&b, "# ", h->title, "");
	if (*h->about)
		add_paragraph(&b, "", h->about, "");
	add_paragraph(&b, "*",
		      *h->author ? arena_printf(a, "%s · %s", h->author, h->length) : h->length,
		      "*");
	for (size_t i = 0; i < h->n_steps; i++)
		add_step(&b, h, i, images, n);
	for (size_t i = 0; i < h->n_steps && h->shows != HANDOUT_QUESTIONS; i++) {
		if (h->steps[i].n_questions == 0)
			continue;
		if (!any)
			strbuf_add(&b, "## Answers\n\n");
		any = true;
		add_answers(&b, h, i, images, n);
	}
	return b.at;
}
