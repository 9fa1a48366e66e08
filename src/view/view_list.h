/* view_list.h: every view, in the order of the keys 1 to 9 and of menus. A file VIEW.c defines view_VIEW. */
VIEW(explore)
VIEW(terms)
VIEW(order)
VIEW(compare)
VIEW(relation)
VIEW(table)
VIEW(heads)
VIEW(why)
