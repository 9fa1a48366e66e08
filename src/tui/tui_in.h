/* tui_in.h: the state of the terminal program, and what its files share.
 *
 * The scene that the user changes is app->scene; what is on the screen is `picture`, which may
 * be of an older scene while a newer one is computed. Figure, title and status are always of the
 * picture, so the screen never mixes two scenes; list and prompts are of the user's. */
#ifndef POSVIZ_TUI_IN_H
#define POSVIZ_TUI_IN_H

#include "posviz/app/worker.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "posviz/tour/tour.h"
#include "box.h"
#include "guide.h"
#include "posviz/tui/graphics.h"
#include "line.h"
#include "mode.h"
#include "motion.h"
#include "notes_server.h"
#include "page.h"
#include "part.h"
#include "pictures.h"
#include "prompt.h"
#include "quizzing.h"
#include "terminal.h"
#include "touring.h"
#include "views_menu.h"
#include "zones.h"

/* `quit` leads to LEFT, or where files are being written to FINISHING; their end, or another `quit`, from
 * there to FINISHED. */
enum life { LIFE_RUNNING, LIFE_FINISHING, LIFE_LEFT, LIFE_FINISHED };

struct tui {
	struct app *app;
	struct terminal terminal;
	struct settings settings; /* as the terminal was told */
	struct worker *worker;
	struct arena frame;	      /* of one drawing */
	struct canvas_report *report; /* of it; NULL: none is wanted */
	struct arena figures[2];      /* the figure on the screen, and the one before it */
	size_t figure_at;
	struct result *picture; /* the last that could be made; NULL at first */
	struct scene drawn;	/* the scene of its figure: the picture's, looked at anew */
	enum figure_state figure;
	struct result *measures;
	struct result *curves; /* of the list of schemes; NULL: not yet */
	struct err trouble;    /* why app->scene has no picture */
	const char *noted;     /* said of given files last; interned */
	enum asked_state asked;
	bool unmeasured; /* the measures were given up, or cannot be made */
	unsigned measures_wanted,
		measures_first; /* enum measured: what is said of them, and in sight */

	enum mode mode;
	enum overlay overlay;
	size_t scroll;	  /* of the overlay; the row chosen in a menu */
	size_t help_page; /* of the help, which is open; from 0 */
	struct box box;
	struct box_search search; /* in the box */
	struct views_menu menu;
	struct prompt prompt;
	struct pasted pasted;
	size_t match;		   /* which of the schemes found is chosen */
	bool finds_second;	   /* what is looked for is the second scheme of the view Compare */
	char sought[PROMPT_BYTES]; /* what was last looked for with success */
	struct permute permute;
	struct page_shown page;
	struct notes_server *notes; /* NULL: no tour was shown yet */
	struct drag drag;
	struct touring tour;
	struct guide guide;
	struct motion motion;
	struct quizzing quiz;
	struct zone zones[ZONES];
	size_t n_zones;
	size_t page_rows, page_cols; /* of the matrix that are in sight */

	struct recorder *recorder;   /* keeps what is done; NULL: nothing is kept */
	char said[512], unread[512]; /* the message on the screen, */
	bool said_nothing;	     /* it is that a key does nothing */
	double said_at;		     /* since then; one that the last key found not yet read; "" */
	bool placed;		     /* the cursor was put somewhere for the first picture */
	bool presenter_kept;	     /* as it was when that was last kept */
	enum life life;
	bool dirty;
	double draw_at; /* when the screen is to be drawn, in seconds of the steady clock */
	double again_at; /* when anew although nothing changed, for what the clock moves; INFINITY: never */
	double drawn_at, frame_seconds; /* when it was, and how long that took */
	int code;			/* exit code */
	int cursor_row, cursor_col;	/* of the terminal; row -1: hidden */
};

/* Places of things; rows of lines are -1 when there is no room for them. */
struct layout {
	/* rows == 0: not there; band: words of a tour, or of the first minute */
	struct rect title, list, figure, band;
	/* rows; -1: not there; said: of a message over the figure, above the words of a tour */
	int cell, footer, said;
	int cols;
	struct rect panel[FIGURE_PANELS];
};

/* loop.c */
static const double TUI_SETTLE = 0.012; /* seconds that a picture has to come before the screen is
                                         * drawn without it */
void tui_dirty(struct tui *t, double wait); /* draw in that many seconds */
void tui_again(struct tui *t,
	       double wait); /* the same without a change: keys need not wait for it */
void tui_react(struct tui *t, unsigned reactions);
bool tui_run_line(struct tui *t, const char *line);
/* The same, the error for the caller. */
bool tui_try_line(struct tui *t, const char *line, struct err *err);
void tui_complain(struct tui *t, const struct err *err);
void tui_end(
	struct tui
		*t); /* the loop's turn is the last, or that of files that are being written was */

/* files.c: those that commands ask for; and the end, after them. */
void files_write(struct tui *t);
void files_finish(struct tui *t);

/* key_press.c: keys and requests. What a request means in a mode is said by functions X_answer, false: it is
 * nothing of the mode's own. */
void tui_key(struct tui *t, const struct key *key);
void tui_answer(struct tui *t);	      /* does what a command asked for */
bool tui_typing(const struct tui *t); /* a line is being typed */
/* The context of the mode, or of the pane; and of what lies over it. */
const char *tui_context(const struct tui *t);
const char *tui_context_of_keys(const struct tui *t);
const char *tui_view_context(const struct tui *t);
const char *tui_pane_context(const struct tui *t, size_t pane);
const struct binding *tui_binding(const struct tui *t, const char *key);
/* The binding as if the pane of that context had the focus. */
const struct binding *tui_binding_in(const struct tui *t, const char *context, const char *key);
/* The binding of a key that means the same everywhere; NULL: the key does not. */
const struct binding *tui_fixed(const struct key *key);
/* Esc where nothing is typed and nothing lies over the figure. */
bool tui_escapes(const struct tui *t, const struct key *key);

/* message.c: app->message. After a drawing; and before one: what lies over the figure goes after a while. */
void message_drawn(struct tui *t);
void message_ends(struct tui *t);
/* A release, or a mouse that only moves, says nothing new. */
bool key_says(const struct key *key);
/* Before a key, which takes the message away if it says something; always false. */
bool message_goes(struct tui *t, const struct key *key);
/* A message for a key that does nothing: again the one that nobody had time to read. */
void message_nothing(struct tui *t, const struct key *key);

/* mouse.c */
struct zone *zone_add(struct tui *t, enum zone_kind kind, struct rect at);
bool drag_cancel(struct tui *t); /* false when nothing is dragged */
/* Uses of the mouse, for help: pairs of a gesture and what it means, then NULL. */
extern const char *const mouse_help[];

/* layout.c */
void layout_make(const struct tui *t, struct layout *out);
bool layout_has_list(const struct tui *t);
bool tui_presents(const struct tui *t); /* the picture is one for the back row */
bool tui_is_bare(const struct tui *t);	/* it has no line of its cell */

/* draw.c */
struct canvas *tui_frame(struct tui *t); /* all of a screen, until the next one */
void tui_draw(struct tui *t);

/* progress.c: how far the work behind the screen is, where it takes more than a second; NULL: it does not.
 * Of the picture; of files and measures; of the page. */
const char *progress_text(struct tui *t, int cols, struct arena *a);
const char *progress_note(struct tui *t, struct arena *a);
const char *progress_page(struct tui *t, struct arena *a);
bool tui_measuring(const struct tui *t); /* what the screen says of measures is not all known */

/* title.c: the views of the first line, for screens of at least so many columns; they do not depend on
 * the scene. */
enum { TABS = 9 };
struct tabs {
	int from; /* columns */
	bool brand;
	bool more;		    /* the key of the menu, with the view that has no tab here */
	const char *name[TABS + 1]; /* of views, in the order of their keys */
};
extern const struct tabs tab_rows[]; /* the widest first; ends with from == 0 */
const struct tabs *tabs_at(int cols);

/* status.c, cell_line.c, footer.c: the lines below the figure */
unsigned status_measures(const struct tui *t, const struct layout *l, struct arena *a);
void cell_draw(struct tui *t, struct canvas *c, int row);
/* The name of a unit in so many columns. */
const char *tui_unit(const struct tui *t, struct arena *a, const char *name, size_t most);
void footer_draw(struct tui *t, struct canvas *c, int row, int right);
/* Tells whether a key does something here, as far as its table says that it works; and its word, which may depend on the
 * scene; NULL: it has none. */
bool footer_offers(struct tui *t, const struct binding *b);
const char *footer_word(struct tui *t, const struct binding *b);
void footer_draw_at(struct tui *t, struct canvas *c, int row, int col, int right);
/* Columns that all of its keys take. */
int footer_cols(struct tui *t, const struct canvas *c);

/* schemes_pane.c, schemes_find.c */
/* The schemes that fit what is typed, the best first; out[*n] from `a`. */
const struct scheme **schemes_found(const struct tui *t, const char *typed, struct arena *a,
				    size_t *n);
const struct scheme *schemes_chosen(const struct tui *t, size_t *count);
/* Tells whether what is typed can be taken: a scheme fits, or it is an expression. */
bool schemes_takes(const struct tui *t, struct arena *a);
/* The command that takes the chosen one, with the parameters that its name stands for, or, of NULL, the expression;
 * and the words beside the prompt: what is chosen, or that nothing is called so. */
const char *schemes_line(const struct tui *t, const struct scheme *chosen, struct arena *a);
const char *schemes_words(const struct tui *t, struct arena *a);

/* clipboard.c */
void clipboard_copy(struct tui *t); /* what a command wants there */
void copy_open(struct tui *t);	    /* the next key says what */
bool copy_answer(struct tui *t, enum request what);

/* recording.c: the session kept as a tour. */
void recording_answer(struct tui *t);	   /* begins, ends, or says what there is */
void recording_answer_over(struct tui *t); /* begins over a file that exists */

/* help.c */
void help_draw(struct tui *t, struct canvas *c);
void help_topic(struct tui *t); /* the page that a command asks for */
/* Help on a word: of a key alone a message, what it does here; else a box. */
void help_word(struct tui *t, const char *word);
/* The key as it is written for people: "←", "space". */
const char *help_key(const char *key, bool ascii);

/* words.c */
void words_open(struct tui *t);

#endif
