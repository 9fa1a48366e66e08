/* fig_list.h: every figure of the sources, in the order of lists. A file NAME.c defines source_figure_NAME. */
FIGURE(survey_2)
FIGURE(survey_3)
FIGURE(survey_4)
FIGURE(survey_5)
FIGURE(survey_6)
FIGURE(survey_7)
FIGURE(survey_8)
FIGURE(rosendahl_table_2)
