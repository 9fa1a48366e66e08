/* views_menu.h: the menu of all views, which v opens. */
#ifndef POSVIZ_TUI_VIEWS_MENU_H
#define POSVIZ_TUI_VIEWS_MENU_H

#include "posviz/app/app.h"
#include "posviz/plot/canvas.h"

struct tui;
struct key;

struct views_menu {
	bool typing;   /* its filter stands in the line at the foot */
	char text[64]; /* what the views shown have in their names or questions; "": all are */
};

void views_open(struct tui *t);
void views_draw(struct tui *t, struct canvas *c);
bool views_answer(struct tui *t, enum request what);
void views_choose(struct tui *t, size_t i); /* row i of those shown */
/* Tells whether a key that is bound to nothing begins the filter. */
bool views_typed(const struct tui *t, const struct key *key);
void views_filter(struct tui *t); /* begins it, with nothing; the line is then typed, and */
void views_sought(struct tui *t); /* was changed */

#endif
