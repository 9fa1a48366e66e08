/* papers.h: the rows of the table of papers, and proceedings that contain several of them. */
#ifndef SCHEME_PAPERS_H
#define SCHEME_PAPERS_H

#include "posviz/scheme/paper.h"

/* Each array ends with key == NULL; keys of the first come before those of the second. */
extern const struct paper papers_a_to_k[], papers_l_to_z[];

#define IN(short_name, full_name) \
	.kind = PAPER_PROCEEDINGS, .venue = (short_name), .where = (full_name)
#define NEURIPS(n) IN("NeurIPS", "Advances in Neural Information Processing Systems"), .volume = (n)
#define ICLR	   IN("ICLR", "International Conference on Learning Representations")
#define ICML(nth, n)                                                                           \
	IN("ICML", "Proceedings of the " nth " International Conference on Machine Learning"), \
		.series = "Proceedings of Machine Learning Research", .volume = (n)
#define ACL(nth)                            \
	IN("ACL", "Proceedings of the " nth \
		  " Annual Meeting of the Association for Computational Linguistics")
#define ACL_2021(part)                                                                           \
	IN("ACL", "Proceedings of the 59th Annual Meeting of the Association for Computational " \
		  "Linguistics and the 11th International Joint Conference on Natural Language " \
		  "Processing (" part ")")
#define ACL_2023(part)                                                                           \
	IN("ACL", "Proceedings of the 61st Annual Meeting of the Association for Computational " \
		  "Linguistics (" part ")")
#define NAACL(n, part)                                                                            \
	IN("NAACL", "Proceedings of the " n " Conference of the North {American} Chapter of the " \
		    "Association for Computational Linguistics: Human Language Technologies" part)
#define EMNLP_2019                                                                                 \
	IN("EMNLP", "Proceedings of the 2019 Conference on Empirical Methods in Natural Language " \
		    "Processing and the 9th International Joint Conference on Natural Language "   \
		    "Processing")
#define FINDINGS(n)             \
	IN("Findings of EMNLP", \
	   "Findings of the Association for Computational Linguistics: {EMNLP} " n)
#define COLING_2020  \
	IN("COLING", \
	   "Proceedings of the 28th International Conference on Computational Linguistics")
#define AAAI(n) \
	IN("AAAI", "Proceedings of the {AAAI} Conference on Artificial Intelligence"), .volume = (n)
#define PREPRINT .kind = PAPER_PREPRINT

#endif
