/* test_paper.c: every scheme can be cited, and what is printed for it is a bibliography that tools read:
 * keys that are one paper's, braces in pairs, ASCII, identifiers of the form and the time they claim. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_svg.h"
#include "help_arena.h"
#include "posviz/scheme/paper.h"

FIXTURE(open_arena, close_arena)

static void require(const char *key, const char *what, bool holds)
{
	if (!holds)
		fail_msg("%s: %s", key, what);
}

static const struct scheme *scheme_named(const char *id)
{
	return scheme_find(id, strlen(id), NULL);
}

/* Whether a scheme has no paper: it was made here, or its numbers are the user's. */
static bool is_own(const struct scheme *s)
{
	return s->evidence == EVIDENCE_OURS && strchr(s->cite, '@') == NULL;
}

/* ---- the table ---------------------------------------------------------------------------------- */

TEST(keys_are_in_order_and_named_after_author_and_year)
{
	const struct paper *p, *before = NULL;
	for (size_t i = 0; (p = paper_at(i)) != NULL; before = p, i++) {
		const size_t letters = strspn(p->key, "abcdefghijklmnopqrstuvwxyz");
		if (before && strcmp(before->key, p->key) >= 0)
			fail_msg("%s stands before %s", before->key, p->key);
		require(p->key, "small letters, year, word",
			strcmp(p->key, "bloc972023ntk") == 0 ||
				atoi(arena_strndup(&arena, p->key + letters, 4)) == p->year);
		assert_ptr_equal(paper_find(p->key, strlen(p->key)), p);
	}
	assert_null(paper_find("vaswani2017attentio", 19));
	assert_null(paper_find("", 0));
}

/* YYMM.NNNN up to 2014, YYMM.NNNNN since; printed in the year of its paper or up to three before. */
static void check_arxiv(const struct paper *p)
{
	int year, month, number, read = 0;
	require(p->key, "the form of arXiv",
		sscanf(p->arxiv, "%2d%2d.%5d%n", &year, &month, &number, &read) == 3 &&
			read == 10 && p->arxiv[read] == '\0');
	require(p->key, "a month of arXiv", year >= 15 && month >= 1 && month <= 12 && number > 0);
	require(p->key, "the year of arXiv", 2000 + year <= p->year && 2000 + year + 3 >= p->year);
}

/* ACL's are its anthology's names, whose year or letter and year are known. */
static void check_acl(const struct paper *p)
{
	const char *const id = p->doi + strlen("10.18653/v1/");
	char letter;
	int two, year = 0, read = 0;
	if (sscanf(id, "%c%2d-%n", &letter, &two, &read) == 2 && isupper((unsigned char)letter) &&
	    read == 4)
		year = 2000 + two;
	else
		year = atoi(id);
	require(p->key, "the year of the anthology", year == p->year);
	require(p->key, "a paper of the anthology",
		strchr(id, '-') && id[strlen(id) - 1] >= '0' && id[strlen(id) - 1] <= '9');
}

TEST(identifiers_have_the_form_and_time_of_their_papers)
{
	const struct paper *p;
	for (size_t i = 0; (p = paper_at(i)) != NULL; i++) {
		require(p->key, "doi, arXiv or url", p->doi || p->arxiv || p->url);
		if (p->arxiv)
			check_arxiv(p);
		if (p->doi)
			require(p->key, "the form of a doi",
				strncmp(p->doi, "10.", 3) == 0 && strchr(p->doi, '/') &&
					!strpbrk(p->doi, " {}%\\"));
		if (p->doi && strncmp(p->doi, "10.18653/v1/", 12) == 0)
			check_acl(p);
		if (p->url)
			require(p->key, "an address of the web",
				strncmp(p->url, "https://", 8) == 0 && !strpbrk(p->url, " {}%\\"));
	}
}

/* One identifier is one paper's. */
TEST(identifiers_are_of_one_paper)
{
	const struct paper *p, *q;
	for (size_t i = 0; (p = paper_at(i)) != NULL; i++)
		for (size_t k = 0; k < i && (q = paper_at(k)) != NULL; k++) {
			require(p->key, "its doi",
				!p->doi || !q->doi || strcmp(p->doi, q->doi) != 0);
			require(p->key, "its arXiv number",
				!p->arxiv || !q->arxiv || strcmp(p->arxiv, q->arxiv) != 0);
			require(p->key, "its title", strcmp(p->title, q->title) != 0);
		}
}

TEST(every_paper_is_some_schemes)
{
	const struct paper *p, *of[PAPERS_OF_SCHEME];
	for (size_t i = 0; (p = paper_at(i)) != NULL; i++) {
		bool used = false;
		for (size_t s = 0; s < scheme_count(); s++) {
			const size_t n = scheme_papers(scheme_at(s), of);
			for (size_t k = 0; k < n; k++)
				used |= of[k] == p;
		}
		require(p->key, "it is of no scheme", used);
	}
}

/* ---- entries ------------------------------------------------------------------------------------- */

static void check_entry(const char *key, const char *entry)
{
	long depth = 0;
	for (const char *c = entry; *c; c++) {
		require(key, "ASCII", (unsigned char)*c < 0x80);
		depth += *c == '{' ? 1 : *c == '}' ? -1 : 0;
		require(key, "braces open before they close", depth >= 0);
		require(key, "one entry", *c != '@' || c == entry);
	}
	require(key, "as many braces close", depth == 0);
	require(key, "no empty field", !strstr(entry, "{}"));
	require(key, "an address", strstr(entry, "\n  doi ") || strstr(entry, "\n  url "));
	require(key, "an author", help_count(entry, "\n  author ") == 1);
	require(key, "a title", help_count(entry, "\n  title ") == 1);
}

TEST(entries_are_well_formed)
{
	const struct paper *p;
	for (size_t i = 0; (p = paper_at(i)) != NULL; i++)
		check_entry(p->key, paper_bibtex(p, &arena));
}

TEST(entries_say_where_a_paper_was_printed)
{
	static const struct {
		const char *key, *entry;
	} cases[] = {
		{"shaw2018selfattention",
		 "@inproceedings{shaw2018selfattention,\n"
		 "  author        = {Shaw, Peter and Uszkoreit, Jakob and Vaswani, Ashish},\n"
		 "  title         = {Self-Attention with Relative Position Representations},\n"
		 "  booktitle     = {Proceedings of the 2018 Conference of the North {American} "
		 "Chapter of the Association for Computational Linguistics: Human Language "
		 "Technologies, Volume 2 (Short Papers)},\n"
		 "  pages         = {464--468},\n"
		 "  year          = {2018},\n"
		 "  doi           = {10.18653/v1/N18-2074},\n"
		 "  archivePrefix = {arXiv},\n"
		 "  eprint        = {1803.02155}\n"
		 "}\n"},
		{"beltagy2020longformer",
		 "@misc{beltagy2020longformer,\n"
		 "  author        = {Beltagy, Iz and Peters, Matthew E. and Cohan, Arman},\n"
		 "  title         = {{Longformer}: The Long-Document {Transformer}},\n"
		 "  year          = {2020},\n"
		 "  archivePrefix = {arXiv},\n"
		 "  eprint        = {2004.05150},\n"
		 "  url           = {https://arxiv.org/abs/2004.05150}\n"
		 "}\n"},
		{"meta2025llama4",
		 "@misc{meta2025llama4,\n"
		 "  author        = {{Meta AI}},\n"
		 "  title         = {The {Llama 4} Herd: The Beginning of a New Era of Natively "
		 "Multimodal {AI} Innovation},\n"
		 "  howpublished  = {ai.meta.com},\n"
		 "  year          = {2025},\n"
		 "  url           = {https://ai.meta.com/blog/llama-4-multimodal-intelligence/}\n"
		 "}\n"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(
			paper_bibtex(paper_find(cases[i].key, strlen(cases[i].key)), &arena),
			cases[i].entry);
}

TEST(letters_beyond_ascii_are_as_latex_has_them)
{
	static const char *const parts[][2] = {
		{"dehghani2019universal", "Kaiser, {\\L}ukasz"},
		{"dufter2020increasing", "Sch{\\\"u}tze, Hinrich"},
		{"liutkus2021relative", "C{\\'\\i}fka, Ond{\\v{r}}ej"},
		{"liutkus2021relative", "{\\c{S}}im{\\c{s}}ekli"},
		{"liutkus2021relative", "Ga{\\\"e}l"}};
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		require(parts[i][0], parts[i][1],
			strstr(paper_bibtex(paper_find(parts[i][0], strlen(parts[i][0])), &arena),
			       parts[i][1]) != NULL);
}

/* ---- lines --------------------------------------------------------------------------------------- */

TEST(lines_are_of_the_same_rows)
{
	static const char *const cases[][2] = {
		{"sinusoidal", "Vaswani, Shazeer, Parmar, Uszkoreit, Jones, Gomez, Kaiser, "
			       "Polosukhin: Attention is all you need. NeurIPS 2017"},
		{"xpos", "Sun, Dong, Patra, Ma, Huang, Benhaim, Chaudhary, Song, Wei: A "
			 "length-extrapolatable Transformer. ACL 2023"},
		{"fire", "Li et al.: Functional interpolation for relative positions improves long "
			 "context Transformers. ICLR 2024"},
		{"llama3",
		 "Grattafiori et al.: The Llama 3 herd of models. arXiv 2407.21783, 2024"},
		{"shaw_abs", "Shaw, Uszkoreit, Vaswani: Self-attention with relative position "
			     "representations. NAACL 2018, section 3.1"},
		{"graphormer", "Ying, Cai, Luo, Zheng, Ke, He, Shen, Liu: Do Transformers really "
			       "perform badly for graph representation? NeurIPS 2021"},
		{"gemma3", "Gemma Team: Gemma 3 technical report. arXiv 2503.19786, 2025"},
		{"pope", "Gopalakrishnan, Csordás, Schmidhuber, Mozer: Decoupling the \"what\" and "
			 "\"where\" with polar coordinate positional embeddings. arXiv "
			 "2509.10534, 2025"},
		{"t5",
		 "Raffel, Shazeer, Roberts, Lee, Narang, Matena, Zhou, Li, Liu: Exploring the "
		 "limits of transfer learning with a unified text-to-text Transformer. JMLR "
		 "21, 2020"},
		{"mpt", "MosaicML NLP Team: Introducing MPT-7B: a new standard for open-source, "
			"commercially usable LLMs. mosaicml.com, 2023"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(scheme_cite(scheme_named(cases[i][0])), cases[i][1]);
}

/* What stands on a card beside the title is the first paper's authors. */
TEST(schemes_are_their_papers_authors)
{
	const struct paper *of[PAPERS_OF_SCHEME];
	for (size_t i = 0; i < scheme_count(); i++) {
		const struct scheme *const s = scheme_at(i);
		const char *const line = scheme_cite(s);
		const size_t first = strcspn(s->authors, " ,;");
		if (is_own(s) || strcmp(s->id, "rel_proj") == 0)
			continue;
		require(s->id, "it has papers", scheme_papers(s, of) > 0);
		require(s->id, "its first author", strncmp(line, s->authors, first) == 0);
	}
}

/* Whether a scheme of the survey comes from it. */
static bool survey_cites(const struct paper *p)
{
	const struct paper *of[PAPERS_OF_SCHEME];
	for (size_t i = 0; i < scheme_count(); i++)
		if (!(scheme_at(i)->flags & SCHEME_NOT_IN_SURVEY) &&
		    scheme_papers(scheme_at(i), of) > 0 && of[0] == p)
			return true;
	return false;
}

/* The year in which the first paper was printed; of what the survey lists and what was printed after it, the
 * year by which it cites it, that of arXiv. */
TEST(years_follow_one_rule)
{
	enum { SURVEY = 2021 };
	const struct paper *of[PAPERS_OF_SCHEME];
	for (size_t i = 0; i < scheme_count(); i++) {
		const struct scheme *const s = scheme_at(i);
		if (is_own(s) || strcmp(s->id, "rel_proj") == 0)
			continue;
		require(s->id, "it has papers", scheme_papers(s, of) > 0);
		const bool cited = of[0]->year > SURVEY && survey_cites(of[0]);
		const int year =
			cited ? 2000 + atoi(arena_strndup(&arena, of[0]->arxiv, 2)) : of[0]->year;
		if (s->year != year)
			fail_msg("%s: %d, and the rule says %d", s->id, s->year, year);
	}
}

/* Neurocomputing prints other names, and in another order, than arXiv. */
TEST(roformer_has_the_authors_that_the_journal_prints)
{
	const struct paper *const p = paper_find("su2024roformer", 14);
	assert_non_null(strstr(paper_bibtex(p, &arena),
			       "= {Su, Jianlin and Ahmed, Murtadha and Lu, Yu and Pan, "
			       "Shengfeng and Bo, Wen and Liu, Yunfeng}"));
}

/* ---- schemes and expressions --------------------------------------------------------------------- */

static const char *entries_of_scheme(const struct scheme *s)
{
	const struct expr alone = {.members = {{.scheme = s}}, .n = 1};
	return expr_bibtex(&alone, &arena);
}

TEST(every_scheme_but_ones_own_is_cited)
{
	for (size_t i = 0; i < scheme_count(); i++) {
		const struct scheme *const s = scheme_at(i);
		const char *const entries = entries_of_scheme(s);
		require(s->id, "entries", (entries == NULL) == is_own(s));
		require(s->id, "a line without names of papers", !strchr(scheme_cite(s), '@'));
	}
	assert_int_equal(help_count(entries_of_scheme(scheme_named("learned")), "\n}\n"), 3);
}

static const char *entries_of(const char *expression)
{
	struct expr e;
	struct err err = {""};
	if (!expr_parse(&e, expression, &arena, &err))
		fail_msg("%s: %s", expression, err.text);
	return expr_bibtex(&e, &arena);
}

TEST(a_mixture_has_each_paper_once)
{
	const char *const two = entries_of("rope+alibi");
	assert_int_equal(help_count(two, "\n}\n"), 2);
	assert_non_null(strstr(two, "@article{su2024roformer,"));
	assert_non_null(strstr(two, "}\n\n@inproceedings{press2022train,"));
	assert_string_equal(entries_of("t5+t5"), entries_of("t5"));
	assert_string_equal(entries_of("sinusoidal+causal"), entries_of("sinusoidal"));
}

TEST(own_numbers_have_no_paper)
{
	assert_null(entries_of("formula"));
	assert_null(entries_of_scheme(scheme_named("matrix")));
	const char *const mixed = entries_of("rope+formula");
	assert_int_equal(strncmp(mixed, "% formula: yours; ", 18), 0);
	assert_int_equal(help_count(mixed, "@"), 1);
}

/* A name of the user's own is read as what it stands for. */
TEST(own_names_are_cited_as_what_they_stand_for)
{
	struct err err = {""};
	assert_true(define_set("ours", "rope+alibi", &err));
	assert_string_equal(entries_of("ours"), entries_of("rope+alibi"));
	assert_null(entries_of_scheme(scheme_named("ours")));
	assert_true(define_remove("ours", &err));
}

/* What BibTeX needs before an ampersand is not on cards. */
TEST(an_ampersand_is_one_on_cards_and_escaped_in_entries)
{
	const struct paper *const p = paper_find("openai2025gptoss", 16);
	assert_non_null(p);
	assert_non_null(strstr(paper_line(p, &arena), "gpt-oss-120b & gpt-oss-20b"));
	assert_non_null(strstr(paper_bibtex(p, &arena), "gpt-oss-120b \\& gpt-oss-20b"));
}
