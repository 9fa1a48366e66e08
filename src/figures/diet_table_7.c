/* diet_table_7.c: how the models of DIET were trained, and what of it is a size here. */
#include "fig.h"

enum { COLS = 6, ROWS = 6 };

static const char *const head[COLS] = {"setting",
				       "English, pre-training",
				       "English, fine-tuning",
				       "multilingual, pre-training",
				       "multilingual, fine-tuning",
				       "here"};

static const char *const cells[ROWS * COLS] = {
	"max steps",
	"500K",
	"5 or 10 epochs",
	"125K",
	"3 epochs",
	"nothing is trained",
	"learning rate",
	"0.0018",
	"{1e-5, 2e-5, 3e-5, 4e-5}",
	"0.0018",
	"{1e-5, 2e-5, 3e-5, 4e-5}",
	"–",
	"warmup proportion",
	"0.025",
	"0.1",
	"0.025",
	"0.1",
	"–",
	"sequence length",
	"128",
	"128",
	"512",
	"512",
	"128 and 512: diet-2, diet-8",
	"batch size",
	"4096",
	"32",
	"4096",
	"32",
	"one sentence",
	"checkpoint interval",
	"20k",
	"3.5k",
	"20k",
	"3.5k",
	"–",
};

void draw_diet_table_7(struct fig *f)
{
	/* Steps, batch and length of pre-training as they stand in the table. */
	static const double english = 500e3 * 4096 * 128, multilingual = 125e3 * 4096 * 512;
	static const unsigned char priority[COLS] = {0, 1, 3, 2, 4, 5};
	struct panel *const p =
		fig_panel(f, "table", "Hyper-parameters for all models", 0, 0, 1, 0);
	fig_table(f, p, head, COLS, cells, ROWS, COLS);
	p->table.priority = priority;
	fig_number(f, "tokens.english", english, "tokens of pre-training: steps · batch · length");
	fig_number(f, "tokens.multilingual", multilingual, "the same of the multilingual model");
}
