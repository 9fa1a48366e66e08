/* grid.h: tokens as cells of a grid, for schemes whose positions are rows and columns. */
#ifndef SCHEME_GRID_H
#define SCHEME_GRID_H

#include "posviz/model/stage.h"

/* The rows and columns of the tokens, and the picture that each belongs to. */
struct grid {
	size_t n;
	double *row, *col;   /* [n] from 0, by the column of positions also others */
	size_t *picture;     /* [n] from 1; 0: the token is in no picture */
	double *rows, *cols; /* [n] the size of the token's picture; 0 for the others */
	double *top, *left;  /* [n] the least row and column of that picture */
	bool of_text;	     /* the tokens of a text, of which `wide` fill a row */
};

/* Reads the cells of the input: patches of pictures; or two of three given ids, height and width,
 * as one picture; or tokens of a text that fill rows of `wide` by m's column, as one picture.
 * `asked`: the user chose `wide`, so a picture with another width is an error. */
bool grid_read(struct run *run, const struct member *m, long wide, bool asked, struct grid *out,
	       struct err *err);

/* For hooks.relation: two tokens of a grid differ by two numbers, which no single number
 * represents; on a plain text there is none either. */
bool grid_relation(struct run *run, const struct member *m, struct relation *out, struct err *err);

/* The row of a parameter `grid` of this default. */
#define GRID_WIDTH_PARAM(type, wide)              \
	NUMBER_PARAM(type, grid, wide, 1, 1e6, 1, \
		     "W: tokens of a text fill rows of W; a picture has its own rows and columns")

/* Why such a scheme is not relative along a line of text. */
#define GRID_CLAIM                                                                               \
	"logits depend on differences of rows and of columns; only a shift within a row, or by " \
	"whole rows, keeps them"

#endif
