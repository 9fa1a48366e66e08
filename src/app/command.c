/* command.c: the table of commands, and the execution of a command line.
 *
 * The first word is a command or a field of the scene, the rest its argument. A command only
 * changes the scene; the consequences for history, evaluation and screen are found here by
 * comparing the scene before and after, so that no command can forget one. */
#include <ctype.h>
#include <string.h>

#include "app_in.h"
#include "posviz/app/places.h"
#include "posviz/base/text.h"
#include "posviz/scene/sweep.h"

const struct command commands[] = {
	{"pick", "NAME|N|next|prev",
	 "look at another scheme; masks stay. By number: another sentence of the file", "scheme",
	 run_pick, complete_pick},
	{"pick-row", "", "look at the scheme of the chosen row of the table or the map", "scheme",
	 run_pick_row, NULL},
	{"scheme-next", "", "the next scheme of the menu", "scheme", run_scheme_beside,
	 .fixed = "next"},
	{"scheme-prev", "", "the previous scheme of the menu", "scheme", run_scheme_beside,
	 .fixed = "prev"},
	{"add", "MEMBER", "add a member to the expression", "scheme", run_add, complete_scheme},
	{"remove", "[N]", "remove member N, or the last one", "scheme", run_remove, NULL},
	{"causal", "", "turn the causal mask on or off", "scheme", run_causal, NULL},
	{"member", "N|next|prev|0",
	 "the member whose card and parameters are shown; 0: the first that acts on the shown head",
	 "scheme", run_member, complete_step},
	{"param", "NAME VALUE", "set a parameter of the member that is shown, or its weight",
	 "scheme", run_param, complete_param},
	{"param-next", "", "let + and - change the next parameter", "scheme", run_param_beside,
	 .fixed = "next"},
	{"param-prev", "", "let + and - change the previous parameter", "scheme", run_param_beside,
	 .fixed = "prev"},
	{"pin", "", "compare the scheme with the next that is chosen, in the view Compare",
	 "scheme", run_pin, NULL},
	{"pin-input", "", "compare the tokens and their order with what is then typed or moved",
	 "input", run_pin_input, NULL},
	{"pin-row", "",
	 "compare the scheme of the chosen row of the table or the map, in the view Compare",
	 "scheme", run_pin_row, NULL},
	{"unpin", "[N|all]", "no longer compare number N; that with the focus, or the last",
	 "scheme", run_unpin, complete_unpin},
	{"front", "[N]", "of those compared number N becomes 1, and 1 takes its place", "scheme",
	 run_front, complete_front},
	{"versus", "[EXPR]",
	 "compare with this scheme, in the view Compare; alone: choose it from the list", "scheme",
	 run_versus, complete_scheme},
	{"versus-mask", "", "compare the scheme with itself with, or without, the causal mask",
	 "scheme", run_versus_mask, NULL},
	{"compare", "EXPR; @ SENTENCE; @order ORDER|none",
	 "what the view Compare shows beside the scheme: expressions, or the same on other words",
	 "scheme", run_compare, complete_compare},
	{"param-step", "+1|-1", "change the chosen parameter by its step", "scheme", run_param_step,
	 .was = "step"},
	{"define", "NAME EXPRESSION",
	 "a name of your own for an expression; NAME alone: what it is", "scheme", run_define,
	 complete_define},
	{"undefine", "NAME", "forget a name of your own", "scheme", run_undefine,
	 complete_undefine},
	{"reset-param", "", "the chosen parameter's default", "scheme", run_reset_param, NULL},

	{"retype", "TEXT", "another sentence, in the order in which it is typed", "input",
	 run_retype, NULL},
	{"patches", "ROWSxCOLUMNS",
	 "a picture as a grid of patches in place of the sentence: 14x14; 2x14x14 is two frames; "
	 "several are parted by blanks",
	 "input", run_patches, NULL},
	{"move", "FROM TO", "move the token at a position to another, from 1", "input", run_move,
	 NULL},
	{"swap", "A B", "exchange the tokens at two positions", "input", run_swap, NULL},
	{"hang", "WORD HEAD", "hang a word of the tree on another, by number or 'word'; 0: a root",
	 "input", run_hang, NULL},
	{"wire", "EDGE FROM TO",
	 "put an edge of the graph between two nodes, by numbers or a node by 'name'", "input",
	 run_wire, NULL},
	{"shuffle", "[SEED]", "a random order; the next seed when none is given", "input",
	 run_shuffle, NULL},
	{"reverse", "", "reverse the present order", "input", run_reverse, NULL},
	{"restore", "", "the order as written", "input", run_restore, NULL},

	{"cursor",
	 "up|down|left|right|page-up|page-down|half-up|half-down|top|bottom|first|last|off|ROW COL",
	 "move the cell cursor; a token for a position: 'dog', the second of several 'the'#2",
	 "look", run_cursor, complete_cursor},
	{"head", "N|mean|next|prev", "the head that is shown, or the mean of all", "look", run_head,
	 complete_mean},
	{"layer", "N|mean|next|prev", "the layer that is shown, or the mean of all", "look",
	 run_layer, complete_mean},
	{"heads-of", "layer|head|grid|next|prev",
	 "the view Heads: heads of the layer, layers of the head, or all", "look", run_heads_of,
	 complete_heads_of},
	{"walk", "left|right|up|down",
	 "the view Profile: the next head of the panel with the focus, in its order or in its plane",
	 "look", run_walk, complete_walk},
	{"open-head", "", "look at the head that is chosen, on the sentence", "look", run_open_head,
	 NULL},
	{"leave-head", "", "back to where the head was opened", "look", run_leave_head, NULL},
	{"vectors", "N|next|prev",
	 "which of the scheme's vectors and tables the view Vectors shows", "look", run_vectors,
	 complete_step},
	{"figure", "NAME|next|prev", "a figure of the papers, in the view Figures", "look",
	 run_figure, complete_figure},
	{"sweep", "PARAMETER=VALUE,VALUE,...|next|prev|none",
	 "the view Heads shows a parameter at several values; next, prev: the scheme takes the value "
	 "beside its own; none: heads again",
	 "look", run_sweep, complete_sweep},
	{"moment", "N|+N|-N|next|prev|last",
	 "the step of the training that the view Learn shows; next, prev: ten steps on, back",
	 "look", run_moment, complete_moment},
	{"trained", "[VIEW]",
	 "the model of the view Learn in another view, with the numbers of the shown step; there: back",
	 "look", run_trained, complete_view},
	{"play", "",
	 "the training of the view Learn from its first step, or the shown one, to the last; again: "
	 "it stops",
	 "look", .request = REQUEST_PLAY},
	{"train-task", "NAME|RULE|FILE|next|prev", "what the view Learn trains the scheme on",
	 "look", run_train_task, complete_train_task},
	{"train-seed", "N|next|prev", "the seed of the numbers and sentences of that training",
	 "look", run_train_seed, complete_step},
	{"train-grid", "[off|1x|2x|4x|8x|next|prev]",
	 "the view Learn trains all its schemes on several tasks, and shows them at so many times the "
	 "trained length; alone: the grid, and back",
	 "look", run_train_grid, complete_train_grid},
	{"matrix", "NAME|next|prev", "the matrix beside the bias", "look", run_matrix,
	 complete_matrix},
	{"probe", "ones|WORD|off|next",
	 "bias with one token vector at every position, or of the sentence", "look", run_probe,
	 complete_probe},
	{"colormap", "NAME|auto|next|prev", "colours of values", "look", run_colormap,
	 complete_colormap},
	{"scale", "auto|linear|sqrt|symlog|next|prev", "how values are spread over the colours",
	 "look", run_scale, complete_scale},
	{"lock", "[on|off]", "keep the colours' limits as they are now", "look", run_lock, NULL},
	{"grid", "auto|fit|cells|next", "a matrix larger than its pane: all by means, or cells",
	 "look", run_grid, complete_grid},
	{"model", "NAME|FILE", "a released model or a config.json: its positions and sizes",
	 "scheme", run_model, complete_model},
	{"for", "NAME", "size, letters and caption of pictures for a paper, a slide, a poster",
	 "file", run_for, complete_for},
	{"panel", "NAME,NAME|all", "some panels of the view alone, also in pictures", "look",
	 run_panel, complete_panel},
	{"zoom", "", "one pane on the whole screen, and back", "look", run_zoom, NULL},
	{"pane", "next|prev|NAME", "give another pane the focus", "look", run_pane, complete_pane},
	{"presenter", "[on|off]", "for the back row: one panel, large, and back", "look",
	 run_presenter, NULL},
	{"view", "NAME|N|next|prev", "what is shown; NAME or OTHER: the first that there is",
	 "look", run_view, complete_view},
	{"why", "", "how the logit and weight of the cell come about; there: back", "look", run_why,
	 NULL},
	{"clocks", "", "a dial for each pair of columns that is rotated, for the cell; there: back",
	 "look", run_clocks, NULL},
	{"turn", "", "the dials rotate: the key goes through all positions, and back", "look",
	 .request = REQUEST_TURN},
	{"term", "[LABEL|N|all]", "a term out of the sum, or in again; the one with the focus",
	 "look", run_term, complete_term},

	{"pair", "A-B|next|prev", "which two of those compared the difference is of", "look",
	 run_pair, complete_pair},
	{"reach", "N|next|prev", "curves of the view Compare to N times t-max; 0: to the tokens",
	 "look", run_reach, complete_step},

	{"help", "[WORD]",
	 "the keys that work here, or what a word, a key, a command, a scheme or a parameter means",
	 "app", run_help, complete_help},
	{"find", "", "find a scheme as you type", "app", .request = REQUEST_FIND},
	{"find-next", "", "the next scheme that was found last", "app",
	 .request = REQUEST_MATCH_NEXT, .was = "match-next"},
	{"find-prev", "", "the previous scheme that was found last", "app",
	 .request = REQUEST_MATCH_PREV, .was = "match-prev"},
	{"views", "", "choose a view", "app", .request = REQUEST_VIEWS},
	{"edit", "", "edit the sentence", "app", .request = REQUEST_EDIT},
	{"permute", "", "move tokens", "app", .request = REQUEST_PERMUTE},
	{"rehang", "", "hang words of the tree elsewhere, or move edges of the graph", "app",
	 run_rehang, NULL},
	{"words", "", "the figure as words and ranked numbers", "app", .request = REQUEST_WORDS},
	{"copy", "[cell|command|bibtex]",
	 "put the cell, the command that makes the figure, or the scheme's papers on the clipboard; "
	 "without a word the next key chooses",
	 "app", run_copy, complete_copy},
	{"page", "", "the page as a picture on the whole screen; any key comes back", "app",
	 .request = REQUEST_PAGE},
	{"command", "[TEXT]", "type a command, or the rest of one", "app", run_command_prompt,
	 NULL},
	{"value", "[TEXT]", "a value for the chosen parameter; without one, type it", "app",
	 run_value_prompt, complete_value},
	{"accept", "", "take what is chosen", "app", .request = REQUEST_ACCEPT},
	{"back", "", "leave what is open", "app", .request = REQUEST_BACK},
	{"hang-root", "", "the word under the cursor becomes a root", "app",
	 .request = REQUEST_HANG_ROOT},
	{"lift", "", "lift or drop the token under the cursor", "app", .request = REQUEST_LIFT},
	{"token-left", "", "the token before, or the lifted one to the left", "app",
	 .request = REQUEST_TOKEN_LEFT},
	{"token-right", "", "the token after, or the lifted one to the right", "app",
	 .request = REQUEST_TOKEN_RIGHT},
	{"token-first", "", "the first position", "app", .request = REQUEST_TOKEN_FIRST},
	{"token-last", "", "the last position", "app", .request = REQUEST_TOKEN_LAST},
	{"scroll", "up|down|page-up|page-down|top|bottom", "a box over the figure, or choices",
	 "app", .request = REQUEST_SCROLL_UP},
	{"topic", "N|next|prev", "a topic of the help", "app", run_topic, complete_step},
	{"line",
	 "char-left|char-right|word-left|word-right|start|end|erase-left|erase-right|erase-word|"
	 "erase-start|erase-end|complete|complete-back|older|newer",
	 "edit the line that is typed", "app", .request = REQUEST_CHAR_LEFT},
	{"undo", "", "take back the last change", "app", run_history, .fixed = "prev"},
	{"redo", "", "do again what was taken back", "app", run_history, .fixed = "next"},
	{"reset", "", "all fields at their defaults", "app", run_reset, NULL},
	{"open", "FILE|@SAMPLE", "open a snapshot, a script of commands, trees, a graph, or a text",
	 "file", run_open, complete_open},
	{"snapshot", "[FILE]", "write the figure as PNG, numbered when no file is named", "file",
	 run_snapshot, complete_snapshot},
	{"save", "FILE", "write figure or numbers, whichever the ending says", "file", run_save,
	 complete_save},
	{"export", "[FILE]", "write the numbers, numbered when no file is named", "file",
	 run_export, complete_export},
	{"bind", "[CONTEXT] KEY COMMAND", "let a key run a command", "app", run_bind,
	 complete_bind},
	{"unbind", "[CONTEXT] KEY", "let a key do nothing", "app", run_unbind, complete_unbind},
	{"cancel", "", "give up what is being computed", "app", .request = REQUEST_CANCEL},
	{"tour", "[NAME|FILE|N|off]",
	 "a tour from its first step, NAME#3 from another; in one, its step N, or off to leave it; alone what there is to choose from",
	 "app", run_tour, complete_tour},
	{"record", "[FILE|off]",
	 "keep what is done as a tour to be edited, a step for each change; alone: what is kept",
	 "file", run_record, complete_record},
	{"tour-next", "", "the tour: what comes next, or back to it", "app",
	 .request = REQUEST_TOUR_NEXT},
	{"tour-back", "", "the tour: what was before", "app", .request = REQUEST_TOUR_BACK},
	{"tour-leave", "", "back to the tour's picture, else out of the tour", "app",
	 .request = REQUEST_TOUR_LEAVE},
	{"tour-on", "", "the tour that follows this one in the list", "app",
	 .request = REQUEST_TOUR_ON},
	{"tour-pause", "", "the tour's clock stands, or runs again", "app",
	 .request = REQUEST_TOUR_PAUSE},
	{"save-config", "",
	 "write settings, bound keys and names of your own into the configuration", "app",
	 run_save_config, NULL},
	{"redraw", "", "draw the screen anew", "app", .request = REQUEST_REDRAW},
	{"suspend", "", "stop, until the shell's fg", "app", .request = REQUEST_SUSPEND},
	{"quit", "", "leave", "app", run_quit, NULL},
	{"quiz", "[LEVEL] [SEED] [COUNT] [KIND]",
	 "questions: which scheme drew this? families, schemes, relatives, variants or structures",
	 "app", run_quiz, complete_quiz},
	{"quiz-answer", "a|b|c|d", "the quiz: this is the answer", "app", run_quiz_answer, NULL},
	{0},
};

static const struct command *command_find(const char *name)
{
	for (const struct command *c = commands; c->name; c++)
		if (strcmp(c->name, name) == 0 || (c->was && strcmp(c->was, name) == 0))
			return c;
	return NULL;
}

bool command_usage(const char *name, struct err *err)
{
	const struct command *const c = command_find(name);
	const struct field *f = c ? NULL : field_find(name);
	if (!c && !f)
		f = setting_find(name);
	BUG_IF(!c && !f);
	struct arena a;
	arena_init(&a);
	err_set(err, "%s: give %s", name, c ? c->args : field_args(f, &a));
	arena_release(&a);
	return false;
}

const char *command_word(const char **line, struct arena *a)
{
	const size_t len = strcspn(*line, " \t");
	const char *const word = arena_strndup(a, *line, len);
	*line += len + strspn(*line + len, " \t");
	return word;
}

int command_direction(const char *args)
{
	if (strcmp(args, "next") == 0)
		return 1;
	return strcmp(args, "prev") == 0 ? -1 : 0;
}

/* ---- running ----------------------------------------------------------------------------- */

/* Returns the only candidate that begins with the name; NULL if there are none or several. */
static const char *only_one(const struct candidates *all, const char *name)
{
	const char *found = NULL;
	for (size_t i = 0; i < all->n; i++) {
		if (!command_begins(all->at[i], name))
			continue;
		if (found)
			return NULL;
		found = all->at[i];
	}
	return found;
}

static bool unknown(const char *name, struct err *err)
{
	struct arena a;
	arena_init(&a);
	struct candidates all = {.arena = &a};
	complete_commands(&all);
	const char *near = text_nearest(name, all.at, all.n);
	struct candidates fit = {.arena = &a};
	if (!near)
		near = only_one(&all, name);
	if (!near && candidates_rank(&all, name, &fit))
		near = fit.at[0];
	char quoted[120];
	text_quote_buf(quoted, sizeof quoted, name, strlen(name));
	if (near)
		err_set(err, "no command %s; did you mean \"%s\"?", quoted, near);
	else
		err_set(err, "no command %s; \"help\" shows what there is", quoted);
	arena_release(&a);
	return false;
}

bool command_exists(const char *name, struct err *err)
{
	return command_find(name) || field_find(name) || setting_find(name) || unknown(name, err);
}

/* Removes blanks around the line; blanks at the end of a value are kept only in quotes. */
static char *trim(struct arena *a, const char *line)
{
	line += strspn(line, " \t");
	char *const out = arena_strdup(a, line);
	size_t len = strlen(out);
	while (len > 0 && isspace((unsigned char)out[len - 1]))
		out[--len] = '\0';
	return out;
}

/* Runs the request of the command's word: the words of `args` are in the order of the requests. */
static bool run_request(struct app *app, const struct command *c, const char *args, struct err *err)
{
	enum request request = c->request;
	for (const char *word = c->args; *word; request++) {
		const size_t len = strcspn(word, "|");
		if (strlen(args) == len && memcmp(args, word, len) == 0)
			return command_request(app, request, NULL);
		word += len + (word[len] == '|');
	}
	return *c->args ? command_usage(c->name, err) : command_request(app, request, NULL);
}

static bool dispatch(struct app *app, const char *args, struct err *err)
{
	const char *const name = command_word(&args, app->scratch);
	const struct command *const c = command_find(name);
	if (c && c->args[0] == '\0' && *args)
		return err_set(err, "%s takes no argument", c->name);
	if (c)
		return c->run ? c->run(app, c->fixed ? c->fixed : args, err)
			      : run_request(app, c, args, err);
	const struct field *const f = field_find(name), *const setting = setting_find(name);
	if (setting)
		return command_setting(app, setting, args, err);
	return f ? command_field(app, f, args, err) : unknown(name, err);
}

/* True if only the order of the tokens differs, so that no text must be read again. */
static bool same_text(const struct setup *a, const struct setup *b)
{
	struct setup ordered = *a;
	ordered.order = b->order;
	return setup_equal(&ordered, b);
}

/* A user who goes through the schemes may reach one without the parameter of the sweep: then the
 * heads are shown. */
static void settle_sweep(struct app *app, const struct scene *before)
{
	struct scene *const now = &app->scene;
	struct sweep s;
	if (before->setup.scheme == now->setup.scheme || strcmp(now->sweep, "none") == 0 ||
	    sweep_of(now->setup.scheme, now->sweep, app->scratch, &s, NULL))
		return;
	app_say(app, "the scheme has no sweep %s: heads again; undo brings it back", now->sweep);
	now->sweep = scene_intern("none"); /* texts of scenes are compared by address */
}

/* Drops the name of an expression that another replaces. */
static void settle_names(const struct scene *before, struct scene *now)
{
	if (now->names != before->names)
		return;
	if (now->setup.scheme != before->setup.scheme)
		scene_unname_expression(now, 1);
	for (size_t i = 2; now->setup.compare != before->setup.compare && i <= COMPARE_MAX; i++)
		scene_unname_expression(now, i);
}

static void settle(struct app *app, const struct scene *before)
{
	if (app->series == app_no_entry) /* undo and redo restore a consistent scene */
		return;
	settle_sweep(app, before);
	/* The rows of the map get another order. */
	if (before->distance_of != app->scene.distance_of)
		app->scene.row = 0;
	if (!same_text(&before->setup, &app->scene.setup) && app_settle(&app->scene))
		app_say(app, "the order did not fit the new tokens and is the identity again");
	const char *const said =
		same_text(&before->setup, &app->scene.setup) ? NULL : app_settle_words(&app->scene);
	if (said)
		app_say(app, "%s", said);
	if (!app_has_pair(&app->scene))
		app->scene.pair = 0;
	settle_names(before, &app->scene);
}

bool command_line(struct app *app, const char *line, struct err *err)
{
	const struct scene before = app->scene;
	const struct settings settings = app->settings;
	struct arena a, *const outer = app->scratch;
	arena_init(&a);
	app->scratch = &a;
	char *const words = trim(&a, line);
	const bool ok = *words == '\0' || *words == '#' || dispatch(app, words, err);
	if (ok) {
		settle(app, &before);
	} else {
		app->scene = before;
		app->settings = settings;
		app->request = REQUEST_NONE;
		app->write = NULL;
		app->n_later = 0;
	}
	app->scratch = outer;
	arena_release(&a);
	return ok;
}

/* Returns the reactions to a changed scene. */
static unsigned consequences(struct app *app, const struct scene *before)
{
	if (scene_equal(before, &app->scene))
		return 0;
	unsigned reactions = 0;
	if (before->view != app->scene.view) { /* interned; it has panes of its own */
		app->pane = app->next_pane;
		app->next_pane = 0;
		reactions |= REACT_LAYOUT;
	} else if (before->panel != app->scene.panel) {
		app->pane = 0;
		reactions |= REACT_LAYOUT;
	}
	return reactions | (app_same_numbers(before, &app->scene) ? REACT_FIGURE : REACT_COMPUTE);
}

bool app_command(struct app *app, const char *line, unsigned *reactions, struct err *err)
{
	const struct scene before = app->scene;
	*reactions = app->reactions = 0;
	app->series = NULL;
	if (!command_line(app, line, err))
		return false;
	history_add(app, &before);
	places_hold(&app->scene);
	*reactions = app->reactions | consequences(app, &before);
	return true;
}

bool app_preview(struct app *app, const struct scene *from, const char *line, unsigned *reactions,
		 struct err *err)
{
	const struct scene before = app->scene;
	app->scene = *from;
	const bool ok = command_line(app, line, err);
	if (!ok)
		app->scene = before;
	*reactions = consequences(app, &before);
	return ok;
}
