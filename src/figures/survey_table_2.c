/* survey_table_2.c: the survey's papers by topic and reference point, with the schemes that they are here. */
#include <string.h>

#include "fig.h"

enum { COLS = 4 };

/* A paper in one of the columns, absolute, both, relative, and what shows it here: schemes, or a view. */
static const struct cited {
	const char *topic;
	int column;
	const char *paper, *here;
	const struct view *view;
} cited[] = {
	{"Generic", 0, "Devlin et al. 2019", "bert"},
	{"Generic", 0, "Kitaev et al. 2020", "axial"},
	{"Generic", 0, "Liu et al. 2020", "floater"},
	{"Generic", 0, "Press et al. 2021", "shortformer"},
	{"Generic", 0, "Wang et al. 2020", "complex"},
	{"Generic", 1, "Shaw et al. 2018", "shaw shaw_abs"},
	{"Generic", 1, "Ke et al. 2021", "tupe_a tupe_r"},
	{"Generic", 1, "Dufter et al. 2020", "dufter_abs dufter_rel"},
	{"Generic", 1, "He et al. 2021", "deberta"},
	{"Generic", 2, "Dai et al. 2019", "txl"},
	{"Generic", 2, "Raffel et al. 2020", "t5"},
	{"Generic", 2, "Chang et al. 2021", "composite"},
	{"Generic", 2, "Wu et al. 2021", "da"},
	{"Generic", 2, "Huang et al. 2020", "huang1 huang2 huang3 huang4"},
	{"Generic", 2, "Shen et al. 2018", "disan"},
	{"Generic", 2, "Neishi and Yoshinaga 2019", "gru rr"},
	{"Generic", 2, "Liutkus et al. 2021", "spe_sine spe_conv"},
	{"Sinusoidal", 0, "Vaswani et al. 2017", "sinusoidal"},
	{"Sinusoidal", 0, "Dehghani et al. 2019", "ut"},
	{"Sinusoidal", 0, "Li et al. 2019", "mvpe"},
	{"Sinusoidal", 0, "Likhomanenko et al. 2021", "cape"},
	{"Sinusoidal", 2, "Yan et al. 2019", "tener"},
	{"Sinusoidal", 2, "Su et al. 2021", "rope"},
	{"Graphs", 0, "Shiv and Quirk 2019", "tpe"},
	{"Graphs", 0, "Dwivedi and Bresson 2020", "laplacian"},
	{"Graphs", 1, "Wang et al. 2019", "spr_abs spr_rel"},
	{"Graphs", 1, "Zhang et al. 2020", "graphbert"},
	{"Graphs", 2, "Zhu et al. 2019", "struct_tr"},
	{"Graphs", 2, "Cai and Lam 2020", "graph_tr"},
	{"Graphs", 2, "Schmitt et al. 2021", "graformer"},
	{"Decoder", 0, "Takase and Okazaki 2019", "ldpe lrpe"},
	{"Decoder", 0, "Oka et al. 2020", "lennoise"},
	{"Decoder", 0, "Bao et al. 2019", "pnat"},
	{"Crosslingual", 0, "Artetxe et al. 2020", "langpe"},
	{"Crosslingual", 0, "Ding et al. 2020", "xlpe"},
	{"Crosslingual", 0, "Liu et al. 2021a", "resdrop"},
	{"Crosslingual", 0, "Liu et al. 2021b", "ort shuffle freezepe"},
	{"Analysis", 0, "Yang et al. 2019", .view = &view_order},
	{"Analysis", 0, "Wang and Chen 2020", .view = &view_vectors},
	{"Analysis", 1, "Rosendahl et al. 2019", "ros_sin ros_konly ros_abs lstm"},
	{"Analysis", 1, "Wang et al. 2021", .view = &view_metrics},
	{"Analysis", 1, "Chen et al. 2021", "diet_abs diet_rel diet_abslin"},
};
enum { CITED = sizeof cited / sizeof *cited };

static bool is_here(const struct cited *c)
{
	if (c->view)
		return true;
	for (const char *at = c->here; *at; at += strcspn(at, " "), at += *at == ' ')
		if (!scheme_find(at, strcspn(at, " "), NULL))
			return false;
	return true;
}

static const char *cell(struct fig *f, const struct cited *c)
{
	return c->view ? arena_printf(f->a, "%s · view %s", c->paper, c->view->name)
		       : arena_printf(f->a, "%s · %s", c->paper, c->here);
}

/* A topic has as many lines as its longest column. */
static size_t fill(struct fig *f, const char **cells)
{
	size_t lines = 0, first = 0, used[COLS - 1] = {0};
	for (size_t i = 0; i < CITED; i++) {
		const bool next = i == 0 || strcmp(cited[i].topic, cited[i - 1].topic) != 0;
		if (next) {
			first = lines;
			memset(used, 0, sizeof used);
		}
		const size_t line = first + used[cited[i].column]++;
		for (; lines <= line; lines++)
			for (size_t k = 0; k < COLS; k++)
				cells[lines * COLS + k] = "";
		cells[first * COLS] = cited[i].topic;
		cells[line * COLS + 1 + (size_t)cited[i].column] = cell(f, &cited[i]);
	}
	return lines;
}

void draw_survey_table_2(struct fig *f)
{
	static const char *const head[COLS] = {"topic", "absolute", "absolute and relative",
					       "relative"};
	const char **const cells = arena_calloc(f->a, CITED * COLS + 1, sizeof *cells);
	double here = 0, columns[COLS - 1] = {0};
	struct panel *const p = fig_panel(f, "table", "Reference point", 0, 0, 1, 0);
	fig_table(f, p, head, COLS, cells, fill(f, cells), COLS);
	for (size_t i = 0; i < CITED; i++) {
		here += is_here(&cited[i]);
		columns[cited[i].column]++;
	}
	fig_number(f, "papers", (double)CITED, "papers in the table");
	fig_number(f, "here", here, "of which this program shows what they are about");
	fig_number(f, "absolute", columns[0], "papers in its first column");
	fig_number(f, "relative", columns[2], "papers in its last column");
}
