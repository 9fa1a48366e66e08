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
#include "graphics.h"
#include "page.h"
#include "part.h"
#include "quizzing.h"
#include "terminal.h"
#include "touring.h"
#include "zones.h"

/* What keys are for. A box or a menu lies over what was before. */
enum mode {
	MODE_LOOK,
	MODE_COMMAND, /* a line is typed: a command, the sentence, or a search */
	MODE_SENTENCE,
	MODE_FIND,
	MODE_PERMUTE,
	MODE_HANG,
	MODE_COPY, /* the next key says what; any other leaves it */
	MODE_BOX,
	MODE_SEARCH, /* in a box: what is looked for is typed */
	MODE_MENU,
	MODE_TOURS /* a menu of tours, or of steps */
};
enum overlay { OVERLAY_NONE, OVERLAY_HELP, OVERLAY_VIEWS, OVERLAY_TOURS, OVERLAY_TEXT, OVERLAYS };
enum { PROMPT_BYTES = 8192 };

/* A line being edited. */
struct prompt {
	char text[PROMPT_BYTES];
	size_t len, at;		  /* bytes; `at`: the cursor */
	size_t given;		  /* bytes that it began with and Ctrl-u leaves at first */
	struct scene before;	  /* what Esc restores, */
	size_t param;		  /* and the parameter chosen then */
	char typed[PROMPT_BYTES]; /* what completion or recall began with */
	bool completing;	  /* `candidate` of those for `typed` stands in the line */
	size_t candidate;
	/* How what was typed may go on; made anew when that is another text. */
	struct arena arena;
	const char *of; /* NULL: not made yet */
	struct completion *menu;
	size_t n_menu;
	size_t recall;	  /* lines back in the history; 0: the new line */
	char said[256];	  /* what is asked for; "" for nothing */
	struct err wrong; /* why the command that is typed could not be run; "" for none */
};

/* The state of both modes, moving tokens and hanging words. */
struct permute {
	size_t token; /* place of the cursor, or word */
	bool lifted;
	struct scene before; /* what dropping by Esc restores */
};

/* Scenes on the way to the app's. While one of them is wanted on the screen, app->scene is what it ends at. */
struct motion {
	struct arena arena;    /* of what is below */
	struct scene *frames;  /* [n], the last is app->scene */
	size_t n, at;	       /* at: the one that is wanted */
	double begun, seconds; /* of all */
	bool runs;
	bool walk; /* tokens on their way: no key is lost to ending it */
	bool owed; /* the terminal was asked whether it has taken the frame, and has not answered, */
	double asked; /* since then */
	const char *name,
		*const *values; /* what runs, and [n] as it is in each frame; NULL: nothing is said */
	/* With motion off: the first frame's picture, to be kept, and what was kept of it. */
	enum { GHOST_NONE, GHOST_AWAITED, GHOST_KEPT } ghost;
	struct figure first;
};

/* The picture of app->scene. tui_submit leads to AWAITED, its result or an error from there to ANSWERED,
 * tui_cancel to CANCELLED. */
enum asked_state { ASKED_ANSWERED, ASKED_AWAITED, ASKED_CANCELLED };

/* The figure of `picture`. Made, it is RIGHT; a change of the scene that leaves the numbers leads to
 * MOVED, measures and another background to WRONG; drawing makes it anew, but moves the cursor alone
 * where it was MOVED by nothing else. */
enum figure_state { FIGURE_RIGHT, FIGURE_MOVED, FIGURE_WRONG };

/* `quit` leads to LEFT, or where files are being written to FINISHING; their end, or another `quit`, from
 * there to FINISHED. */
enum life { LIFE_RUNNING, LIFE_FINISHING, LIFE_LEFT, LIFE_FINISHED };

/* The text that is pasted where no line is typed, until its end comes. */
enum { PASTED_BYTES = 1 << 16 };
struct pasted {
	char text[PASTED_BYTES];
	size_t len;
	bool more; /* there was no room for all of it */
};

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
	size_t scroll; /* of the overlay; the row chosen in a menu */
	struct box box;
	struct box_search search; /* in the box */
	struct prompt prompt;
	struct pasted pasted;
	size_t match;		   /* which of the schemes found is chosen */
	char sought[PROMPT_BYTES]; /* what was last looked for with success */
	struct permute permute;
	struct page_shown page;
	struct notes_server *notes; /* NULL: no tour was shown yet */
	struct drag drag;
	struct touring tour;
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

/* Where things are; rows of lines are -1 when there is no room for them. */
struct layout {
	struct rect title, list, figure, band; /* rows == 0: not there; band: words of a tour */
	int cell, footer;		       /* rows; -1: not there */
	int cols;
	struct rect panel[FIGURE_PANELS];
};

/* A line of words being written from the left: items whole or not at all, so that nothing is cut in
 * the middle of a number. */
struct line {
	struct tui *t;
	struct canvas *c;
	struct arena *a;
	int row, col, right;
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

/* pictures.c */
void tui_submit(struct tui *t);				   /* another scene is wanted */
void tui_refigure(struct tui *t, enum figure_state state); /* the same numbers, another figure */
bool tui_measured(const struct tui *t);	 /* the measures are of the scene on the screen */
bool tui_computing(const struct tui *t); /* the picture of the scene is on its way */
enum background tui_background(const struct tui *t);
/* Gives up what is computed; false when nothing is. */
bool tui_cancel(struct tui *t);
/* Before a command: tells it what it may know of the screen; before a frame: makes the figure anew where it is old. */
void pictures_tell_app(struct tui *t);
void pictures_refresh(struct tui *t);

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
/* As if the pane of that context had the focus. */
const struct binding *tui_binding_in(const struct tui *t, const char *context, const char *key);
/* What means the same everywhere; NULL: the key does not. */
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
/* What a key says that does nothing: again what nobody had time to read. */
void message_nothing(struct tui *t, const struct key *key);

/* mouse.c */
struct zone *zone_add(struct tui *t, enum zone_kind kind, struct rect at);
bool drag_cancel(struct tui *t); /* false when nothing is dragged */
/* What the mouse does, for help: pairs of a gesture and what it means, then NULL. */
extern const char *const mouse_help[];

/* layout.c */
void layout_make(const struct tui *t, struct layout *out);
bool layout_has_list(const struct tui *t);
bool tui_presents(const struct tui *t); /* the picture is one for the back row */
bool tui_is_bare(const struct tui *t);	/* it has no lines of its cell and of keys */

/* box.c: what lies over the rest, by enum overlay: the mode that its keys are of, and of a menu what choosing a row does. */
struct overlay_kind {
	enum mode mode;
	void (*draw)(struct tui *t, struct canvas *c);
	void (*choose)(struct tui *t, size_t row);
};
extern const struct overlay_kind overlays[OVERLAYS];

/* draw.c */
struct canvas *tui_frame(struct tui *t); /* all of a screen, until the next one */
void tui_draw(struct tui *t);
void pictures_draw(struct tui *t, struct canvas *c, const struct layout *l);

/* line.c */
struct line line_at(struct tui *t, struct canvas *c, int row, const char *label);
bool line_item(struct line *l, int gap, const char *text, unsigned attrs);
/* "bias -1.31": a dim word and its value, together or not at all. */
bool line_value(struct line *l, int gap, const char *word, const char *text, unsigned attrs);
/* Bytes of `text` that go on a line of `cols`, broken at a blank where there is one. */
size_t line_break(const char *text, size_t cols);
/* An error in a row, and as many above it as it takes. */
void line_error(struct tui *t, struct canvas *c, int row, int right, const char *text);
struct rect line_since(const struct line *l, int col); /* what was written from a column on */

/* progress.c: how far the work behind the screen is, where it takes more than a second; NULL: it does not.
 * Of the picture; of files and measures; of the page. */
const char *progress_text(struct tui *t, int cols, struct arena *a);
const char *progress_note(struct tui *t, struct arena *a);
const char *progress_page(struct tui *t, struct arena *a);
bool tui_measuring(const struct tui *t); /* what the screen says of measures is not all known */

/* title.c: the menu of views */
void views_open(struct tui *t);
void views_draw(struct tui *t, struct canvas *c);
bool views_answer(struct tui *t, enum request what);
void views_choose(struct tui *t, size_t i);

/* status.c, cell_line.c, footer.c: the lines below the figure */
unsigned status_measures(const struct tui *t, const struct layout *l, struct arena *a);
void cell_draw(struct tui *t, struct canvas *c, int row);
/* The name of a unit in so many columns. */
const char *tui_unit(const struct tui *t, struct arena *a, const char *name, size_t most);
void footer_draw(struct tui *t, struct canvas *c, int row, int right);
/* Columns that all of its keys take. */
int footer_cols(struct tui *t, const struct canvas *c);

/* schemes_pane.c, schemes_find.c */
/* The schemes that fit what is typed, the best first; out[*n] from `a`. */
const struct scheme **schemes_found(const struct tui *t, const char *typed, struct arena *a,
				    size_t *n);
const struct scheme *schemes_chosen(const struct tui *t, size_t *count);
/* The command that takes the chosen one, with the parameters that its name stands for; and the words beside the
 * prompt: what is chosen, or that nothing is called so. */
const char *schemes_line(const struct tui *t, const struct scheme *chosen, struct arena *a);
const char *schemes_words(const struct tui *t, struct arena *a);

/* prompt.c, prompt_line.c */
void prompt_open(struct tui *t, enum mode mode, const char *text);
/* pasting.c: takes a key of a text that is pasted where nothing is typed; at its end it becomes the sentence. */
void paste_key(struct tui *t, const struct key *key);
void prompt_type(struct tui *t, const struct key *key); /* what it types, or pastes */
bool prompt_answer(struct tui *t, enum request what);
void prompt_cancel(struct tui *t);
void prompt_preview(struct tui *t); /* of a search: what would be picked */
void prompt_choose(struct tui *t, size_t candidate);
void prompt_draw_search(struct tui *t, struct canvas *c); /* in a box */
void prompt_clear(struct tui *t);			  /* nothing is typed yet */
/* How a command may go on, in t->prompt.menu. */
void prompt_menu(struct tui *t);
/* Moves the cursor or erases; false when the request is neither. */
bool prompt_edit(struct tui *t, enum request what);

/* permute.c */
void permute_open(struct tui *t);
bool permute_answer(struct tui *t, enum request what);
/* The token at a place to another; false when it cannot go there. */
bool permute_move(struct tui *t, size_t from, size_t to);
/* The tokens in the line, those that moved marked by form and by number. */
void permute_draw(struct line *l);
/* The place now of the token behind a unit of an axis; false when it does not move. */
bool permute_place(const struct tui *t, const struct axis *axis, size_t unit, size_t *place);

/* hang.c */
void hang_open(struct tui *t);
bool hang_answer(struct tui *t, enum request what);
/* The words of the tree in a row, and what the one under the cursor hangs on; or the nodes of the graph, and the edge. */
void hang_draw(struct line *l);
/* The footer's word for moving them in the picture, "heads" or "edges"; NULL where there is nothing to move. */
const char *hang_word(const struct tui *t);
/* Tells whether the picture is of a graph. */
bool hang_moves_edges(const struct tui *t);

/* clipboard.c */
void clipboard_copy(struct tui *t); /* what a command wants there */
void copy_open(struct tui *t);	    /* the next key says what */
bool copy_answer(struct tui *t, enum request what);

/* motion.c: scenes shown one after the other, as long as all of them together; the last stays.
 *
 * app->scene is where it ends, from the beginning on: history, files and tours know of no frame. Where it differs
 * from the last frame (theme, presenter, cursor), all of them do. */
void motion_begin(struct tui *t, const struct scene *frames, size_t n, double seconds);
/* What a beat plays, whose scene is the app's; with motion off its last frame, before the curves of the first. */
void motion_play(struct tui *t, const struct tour_play *play);
/* Tokens that walk, where app->scene is in another order than what is on the screen, and in nothing else; false: they
 * do not, or need not. */
bool motion_walk(struct tui *t);
void motion_turn(struct tui *t); /* the dials of the view Clocks: the key through all places */
bool motion_runs(const struct tui *t);
void motion_stop(struct tui *t); /* at once to the last */
void motion_end(struct tui *t);	 /* another picture is on its way */
/* What runs, as it is now: "base 100"; with motion off "base 10 → 10000"; NULL: nothing does. */
const char *motion_says(const struct tui *t, struct arena *a);
/* The scene that is to be on the screen: a frame, or the app's. */
const struct scene *tui_wanted(const struct tui *t);
/* After a command that changed nothing but how pictures look. */
void motion_follow_room(struct tui *t);
/* Of a picture that has come: it was the first frame's, kept, and the last one is on its way. */
bool motion_keeps(struct tui *t);
void motion_figure(struct tui *t); /* of a figure made anew: what it was before stands behind it */

/* notes_server.c: speakers' terminals, which follow the tour that is shown */
struct notes_at;
struct pollfd;
enum { NOTES_FDS = 9 };
/* Tells them where the tour is, or that none is shown any more, as far as they do not know it. */
void notes_tell(struct tui *t);
/* Where it is; false: none is shown. */
bool notes_state(const struct tui *t, struct notes_at *out);
/* What is to be polled for, in fds[NOTES_FDS]: how many; and after that. */
size_t notes_poll(const struct tui *t, struct pollfd *fds);
void notes_serve(struct tui *t, const struct pollfd *fds, size_t n);
void notes_close(struct tui *t);
size_t notes_peers(const struct tui *t); /* terminals that follow */
void notes_pause(struct tui *t);	 /* the clock, or it runs again */

/* recording.c: the session kept as a tour. */
void recording_answer(struct tui *t);	   /* begins, ends, or says what there is */
void recording_answer_over(struct tui *t); /* begins over a file that exists */

/* help.c */
void help_draw(struct tui *t, struct canvas *c);
/* Help on a word: of a key alone a message, what it does here; else a box. */
void help_word(struct tui *t, const char *word);
/* The key as it is written for people: "←", "space". */
const char *help_key(const char *key, bool ascii);

/* words.c */
void words_open(struct tui *t);

#endif
