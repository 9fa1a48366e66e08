/* view_list.h: every view, in the order of menus; the first nine have the keys 1 to 9. A file VIEW.c defines
 * view_VIEW. */
VIEW(explore)
VIEW(terms)
VIEW(order)
VIEW(compare)
VIEW(rank)
VIEW(split)
VIEW(relation)
VIEW(heads)
VIEW(metrics)
VIEW(gradients)
VIEW(table)
VIEW(why)
