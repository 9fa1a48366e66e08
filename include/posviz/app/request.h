/* request.h: requests of commands to the terminal program. */
#ifndef POSVIZ_REQUEST_H
#define POSVIZ_REQUEST_H

/* Actions that only the terminal program can do: a command requests one, the terminal program does
 * it, and other programs ignore it. */
enum request {
	REQUEST_NONE,
	REQUEST_HELP,	 /* for the word request_text; NULL: the keys of this context */
	REQUEST_COMMAND, /* type a line that begins with request_text */
	REQUEST_FIND,
	REQUEST_FIND_SECOND, /* of the view Compare */
	REQUEST_VIEWS,
	REQUEST_EDIT,
	REQUEST_PERMUTE,
	REQUEST_HANG,
	REQUEST_WORDS,
	REQUEST_COPY,	   /* the next key chooses the thing to copy */
	REQUEST_CLIPBOARD, /* copy request_text; `copy` names it */
	REQUEST_PAGE,
	REQUEST_TOUR, /* a tour, or a step of the present one, by request_text; NULL: choose */
	REQUEST_TOUR_NEXT,
	REQUEST_TOUR_BACK,
	REQUEST_TOUR_LEAVE,
	REQUEST_TOUR_PAUSE,
	REQUEST_TOUR_ON,     /* the next tour of the list */
	REQUEST_TURN,	     /* the dials */
	REQUEST_PLAY,	     /* the training */
	REQUEST_QUIZ,	     /* request_text: as quiz_wish_parse reads it */
	REQUEST_QUIZ_ANSWER, /* request_text: "a" */
	REQUEST_RECORD,	     /* to the file request_text; "off" ends it; NULL: report its steps */
	REQUEST_RECORD_OVER, /* the same, replacing an existing file */
	REQUEST_CANCEL,
	REQUEST_REDRAW,
	REQUEST_SUSPEND,
	REQUEST_BACK,
	REQUEST_ACCEPT,
	REQUEST_MATCH_NEXT,
	REQUEST_MATCH_PREV,
	REQUEST_HANG_ROOT,
	REQUEST_LIFT,
	REQUEST_TOKEN_LEFT,
	REQUEST_TOKEN_RIGHT,
	REQUEST_TOKEN_FIRST,
	REQUEST_TOKEN_LAST,
	REQUEST_SCROLL_UP, /* in the order of the words of `scroll` */
	REQUEST_SCROLL_DOWN,
	REQUEST_PAGE_UP,
	REQUEST_PAGE_DOWN,
	REQUEST_SCROLL_TOP,
	REQUEST_SCROLL_BOTTOM,
	REQUEST_TOPIC,	   /* of the help: request_text is its number from 1, "next" or "prev" */
	REQUEST_CHAR_LEFT, /* in the order of the words of `line` */
	REQUEST_CHAR_RIGHT,
	REQUEST_WORD_LEFT,
	REQUEST_WORD_RIGHT,
	REQUEST_LINE_START,
	REQUEST_LINE_END,
	REQUEST_ERASE_LEFT,
	REQUEST_ERASE_RIGHT,
	REQUEST_ERASE_WORD,
	REQUEST_ERASE_START,
	REQUEST_ERASE_END,
	REQUEST_COMPLETE,
	REQUEST_COMPLETE_BACK,
	REQUEST_OLDER,
	REQUEST_NEWER,
	REQUEST_COUNT
};

#endif
