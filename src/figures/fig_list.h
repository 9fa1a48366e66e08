/* fig_list.h: every figure of the sources, in the order of lists. A file NAME.c defines source_figure_NAME. */
FIGURE(survey_6)
FIGURE(rosendahl_table_2)
FIGURE(rosendahl_clip)
FIGURE(kexue_buckets)
FIGURE(kexue_hierarchy)
FIGURE(kexue_decay)
FIGURE(kexue_fused)
