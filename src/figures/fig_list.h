/* fig_list.h: every figure of the sources, in the order of lists. */
FIGURE(survey_6)
FIGURE(survey_table_1)
FIGURE(survey_table_2)
FIGURE(diet_table_7)
FIGURE(rosendahl_table_1)
FIGURE(rosendahl_table_2)
FIGURE(rosendahl_table_3)
FIGURE(rosendahl_table_4)
