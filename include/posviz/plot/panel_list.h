/* panel_list.h: the kinds of panels: the constant, the name of the file panel_NAME.c with its row,
 * and the member of struct panel. */
PANEL(HEATMAP, heatmap, struct heatmap heatmap)
PANEL(CURVES, curves, struct curves curves)
PANEL(BARS, bars, struct bars bars)
PANEL(TABLE, table, struct table table)
PANEL(CARD, card, struct card card)
PANEL(LINKS, links, struct links links)
PANEL(STRUCTURE, structure, struct drawing drawing)
PANEL(WATERFALL, waterfall, struct waterfall waterfall)
PANEL(COLUMNS, columns, struct columns columns)
PANEL(MULTIPLES, multiples, struct multiples multiples)
PANEL(DIALS, dials, struct dials dials)
PANEL(PLANE, plane, struct plane plane)
