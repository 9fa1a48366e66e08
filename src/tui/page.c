/* page.c: the page as the terminal draws pictures, on the whole screen but its last line.
 *
 * It is drawn by another thread, and sent in pieces as the terminal takes them, past curses, which knows
 * blank cells there. Until it stands a line says what is awaited. Where the terminal draws no pictures
 * the figure stands there in cells, which can be read where a picture of halved cells could not, and the
 * line says why. */
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "posviz/math/machine.h"
#include "tui_in.h"

bool page_is_open(const struct tui *t)
{
	return t->page.state != PAGE_OFF;
}

static int page_rows(const struct tui *t)
{
	return t->terminal.rows > 1 ? t->terminal.rows - 1 : 1;
}

/* ---- sequences around it -------------------------------------------------------------------- */

static void add_kitty(struct strbuf *b, const char *body, bool tmux)
{
	export_tmux_begin(b, tmux);
	strbuf_printf(b, "_G%s", body);
	export_tmux_end(b, tmux);
}

/* Bytes that take the picture away: from somewhere in it, where a string may be open, or when all was sent. */
static const char *end_of(const struct page_shown *p, bool whole, struct arena *a)
{
	struct strbuf b;
	const bool kitty = p->graphics.way == GRAPHICS_KITTY, tmux = p->graphics.tmux;
	strbuf_init(&b, a);
	if (!whole)
		strbuf_add(&b, "\033\\");
	if (!whole && kitty && tmux)
		strbuf_add(&b, "\033Ptmux;\033\033\\\033\\");
	if (!whole && kitty)
		add_kitty(&b, "q=2,m=0;", tmux);
	if (kitty)
		add_kitty(&b, arena_printf(a, "a=d,d=I,i=%u,q=2;", graphics_id()), tmux);
	if (!whole)
		strbuf_add(&b, "\0338");
	return b.at;
}

/* The cursor and its colours are curses'. */
static void frame_bytes(struct tui *t, const struct result *r)
{
	struct page_shown *const p = &t->page;
	struct strbuf b;
	strbuf_init(&b, &p->arena);
	if (p->graphics.way == GRAPHICS_SIXEL)
		strbuf_add(&b, graphics_registers(&t->terminal.answers));
	strbuf_add(&b, "\0337");
	strbuf_add_n(&b, r->bytes, r->n_bytes);
	strbuf_add(&b, "\0338");
	p->bytes = b.at;
	p->len = b.len;
	p->sent = 0;
}

/* ---- from asking to sending ----------------------------------------------------------------- */

/* tmux answers for itself; the terminal around it is asked through it, once. */
static void ask_around(struct tui *t)
{
	struct page_shown *const p = &t->page;
	const struct tui_tier tier = {.tmux = t->terminal.in_tmux};
	const struct questions q = {.kitty = true, .tmux = true};
	if (p->asked || !t->terminal.in_tmux)
		return;
	p->asked = true;
	p->tmux = graphics_tmux(&tier);
	if (p->tmux == TMUX_HANDS_ON && t->settings.graphics == GRAPHICS_AUTO)
		terminal_ask(&t->terminal, &q);
}

static bool draw_it(struct tui *t)
{
	struct page_shown *const p = &t->page;
	struct scene scene = app_seen(t->app);
	struct write_look look = {0};
	if (!graphics_page(&t->terminal.answers, p->graphics.way, t->terminal.cols, page_rows(t),
			   &scene, &look.place))
		return false;
	look.place.id = graphics_id();
	look.place.tmux = p->graphics.tmux;
	p->width = (long)scene.size.width;
	p->height = (long)scene.size.height;
	p->state = PAGE_DRAWING;
	worker_submit_page(t->worker, &scene, graphics_format(p->graphics.way), &look);
	return true;
}

static void show_cells(struct tui *t)
{
	struct page_shown *const p = &t->page;
	if (p->graphics.way != GRAPHICS_CELLS)
		p->graphics = (struct graphics){.way = GRAPHICS_CELLS, .why = graphics_no_room};
	p->state = PAGE_SHOWN;
	p->len = 0;
}

/* Chooses a way by what the terminal said so far. */
static void decide(struct tui *t)
{
	struct page_shown *const p = &t->page;
	const struct tui_tier tier = {.talks = t->terminal.talks, .tmux = t->terminal.in_tmux};
	p->graphics = graphics_choose(&t->settings, &tier, p->tmux, &t->terminal.answers);
	p->trouble.text[0] = '\0';
	if (p->graphics.way == GRAPHICS_CELLS || !draw_it(t))
		show_cells(t);
	tui_dirty(t, 0);
}

/* Nothing is asked of one whose pictures the user decided on. */
static bool may_answer(const struct tui *t)
{
	const struct terminal *const terminal = &t->terminal;
	const bool known = terminal->answers.kitty ||
			   (terminal->answers.attributes && t->page.tmux != TMUX_HANDS_ON);
	return t->settings.graphics == GRAPHICS_AUTO && terminal->talks && !known &&
	       machine_seconds() - terminal->asked < GRAPHICS_SECONDS;
}

static void answered(struct tui *t)
{
	if (t->page.state != PAGE_ASKING)
		return;
	if (may_answer(t))
		tui_again(t, t->terminal.asked + GRAPHICS_SECONDS - machine_seconds());
	else
		decide(t);
}

void page_open(struct tui *t)
{
	ask_around(t);
	arena_clear(&t->page.arena);
	t->page.state = PAGE_ASKING;
	answered(t);
}

static void take(struct tui *t)
{
	struct page_shown *const p = &t->page;
	struct result *const r = worker_take_page(t->worker);
	if (!r || p->state != PAGE_DRAWING)
		return;
	if (r->ok) {
		arena_clear(&p->arena);
		frame_bytes(t, r);
		terminal_picture(end_of(p, false, &t->frame));
		p->state = PAGE_SENDING;
	} else {
		p->trouble = r->err;
		p->state = PAGE_SHOWN;
	}
	tui_dirty(t, 0);
}

static bool is_amid(const struct tui *t)
{
	return t->page.state == PAGE_SENDING && t->page.sent > 0;
}

static bool sends(const struct tui *t)
{
	return is_amid(t) || (t->page.state == PAGE_SENDING && !t->dirty);
}

static void send_more(struct tui *t)
{
	struct page_shown *const p = &t->page;
	p->sent += terminal_send(p->bytes + p->sent, p->len - p->sent);
	if (p->sent < p->len)
		return;
	terminal_picture(end_of(p, true, &t->frame));
	p->state = PAGE_SHOWN;
	tui_dirty(t, 0);
}

/* ---- leaving --------------------------------------------------------------------------------- */

static void close_page(struct tui *t)
{
	worker_cancel_page(t->worker);
	terminal_picture_ends();
	t->page.state = PAGE_OFF;
	terminal_resize(&t->terminal, true);
	tui_dirty(t, 0);
}

static void resized(struct tui *t)
{
	if (!page_is_open(t))
		return;
	terminal_picture_ends();
	terminal_resize(&t->terminal, true);
	if (t->page.state != PAGE_ASKING)
		decide(t);
}

static void lost(struct tui *t)
{
	struct page_shown *const p = &t->page;
	terminal_picture_ends();
	if (p->state != PAGE_SENDING && (p->state != PAGE_SHOWN || p->len == 0))
		return;
	p->sent = 0;
	terminal_picture(end_of(p, false, &t->frame));
	p->state = PAGE_SENDING;
}

/* Keys that mean the same everywhere mean it here too. */
bool page_key(struct tui *t, const struct key *key)
{
	if (!page_is_open(t) || tui_fixed(key))
		return false;
	const enum mouse_kind mouse = key->mouse.kind;
	if (mouse == MOUSE_NONE || mouse == MOUSE_PRESS)
		close_page(t);
	return true;
}

/* ---- what curses shows ----------------------------------------------------------------------- */

static void draw_figure(struct tui *t, struct canvas *c)
{
	struct canvas *const page =
		canvas_new(&t->frame, page_rows(t), c->cols, c->tier, c->ascii, c->dark);
	page->quadrants = c->quadrants;
	page->contrast = c->contrast;
	canvas_figure(page, &t->picture->picture.figure);
	memcpy(c->cells, page->cells, (size_t)page->rows * (size_t)page->cols * sizeof *c->cells);
}

static const char *line_of(struct tui *t)
{
	const struct page_shown *const p = &t->page;
	const char *const dots = t->terminal.ascii ? "..." : "…";
	struct arena *const a = &t->frame;
	const char *const bar = p->state == PAGE_DRAWING ? progress_page(t, a) : NULL;
	if (p->trouble.text[0])
		return arena_printf(a, "no page: %s", p->trouble.text);
	if (p->state == PAGE_ASKING)
		return arena_printf(a, "asking the terminal %s", dots);
	if (p->state == PAGE_DRAWING)
		return arena_printf(a, "drawing the page %s", bar ? bar : dots);
	if (p->state == PAGE_SENDING)
		return arena_printf(a, "sending the page %s", dots);
	if (p->graphics.way == GRAPHICS_CELLS)
		return arena_printf(a, "in cells: %s", p->graphics.why);
	return arena_printf(a, "the page at %ld x %ld pixels", p->width, p->height);
}

/* The state of the page, or why it is as it is, comes before the way back. */
static void draw_page(struct tui *t, struct canvas *c)
{
	enum { GAP = 2 };
	static const char back[] = "any key goes back", brief[] = "any key: back";
	const bool cells = t->page.state == PAGE_SHOWN && t->page.graphics.way == GRAPHICS_CELLS;
	const char *const line = line_of(t), *const remedy = t->page.graphics.remedy;
	const int last = c->rows - 1, needed = (int)text_width(line);
	const bool tight = needed + GAP + (int)sizeof back + 1 > c->cols;
	const char *const way = tight ? brief : back;
	const int right = c->cols - (int)strlen(way) - 1;
	const bool both = needed + GAP + 1 <= right;
	if (cells && t->picture && c->rows > 1)
		draw_figure(t, c);
	if (both)
		canvas_text(c, last, right, (int)strlen(way), way, ATTR_DIM);
	const int room = (both ? right - GAP : c->cols) - 1;
	canvas_text(c, last, 1, room, text_shorten(&t->frame, line, (size_t)room, c->ascii),
		    t->page.trouble.text[0] ? ATTR_BOLD : 0);
	const char *const more =
		remedy ? arena_printf(&t->frame, "\"%s\" would change that", remedy) : "";
	if (cells && remedy && needed + GAP + (int)text_width(more) <= room)
		canvas_text(c, last, 1 + needed + GAP, room, more, ATTR_DIM);
}

static void draw(struct tui *t, struct canvas *c, const struct layout *l)
{
	(void)l;
	if (page_is_open(t))
		draw_page(t, c);
}

/* ---- in the loop ----------------------------------------------------------------------------- */

static size_t poll_terminal(const struct tui *t, struct pollfd *fds)
{
	fds[0] = (struct pollfd){.fd = STDOUT_FILENO, .events = POLLOUT};
	return sends(t);
}

static void serve(struct tui *t, const struct pollfd *fds, size_t n)
{
	if (n > 0 && fds[0].revents && sends(t))
		send_more(t);
}

const struct tui_part part_page = {.arena = offsetof(struct tui, page.arena),
				   .at = {[PART_TURN] = take,
					  [PART_TICK] = answered,
					  [PART_ANSWERED] = answered,
					  [PART_RESIZED] = resized,
					  [PART_LOST] = lost},
				   .n_fds = 1,
				   .poll = poll_terminal,
				   .serve = serve,
				   .holds = is_amid,
				   .key = page_key,
				   .draw = draw,
				   .alone = page_is_open};
