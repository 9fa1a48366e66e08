/* part_list.h: the parts of the terminal program in their order. Open, serve, tick, draw and what follows a frame go from
 * the first to the last; close and gone from the last to the first.
 *
 * The order matters where one line below says so. */
PART(progress) /* counts which measures a frame says, before `page` or anything else is drawn */
PART(page)     /* takes keys before all others, and while it is open nothing behind it is drawn */
PART(pictures) /* is drawn below all that follows; has the worker, which goes after all that use its results */
PART(files) /* says its last word behind that of `recording` */
PART(schemes)
PART(title)
PART(quiz)    /* keeps the tour that `touring` leaves when it closes */
PART(touring) /* reads the message that Esc takes away, before `message` forgets it; */
PART(reading) /* so does this one, which shows what it has read before `notes` tells where the tour is */
PART(guide)
PART(notes)
PART(status)
PART(recording) /* with `reading` says its word before `message` notes what is said */
PART(presenting)
PART(pasting)
PART(message)
PART(motion) /* asks the terminal behind a frame that nothing has made old, and its keys come after the message's */
PART(prompt) /* lies over `status`, */
PART(boxes)  /* and these over all */
PART(mouse)  /* has what the keys of the others have left */
