/* fig_list.h: every figure of the sources, in the order of lists. A file NAME.c defines source_figure_NAME. */
FIGURE(survey_6)
FIGURE(diet_1)
FIGURE(diet_2)
FIGURE(diet_3)
FIGURE(diet_4)
FIGURE(diet_5)
FIGURE(diet_6)
FIGURE(rosendahl_table_2)
