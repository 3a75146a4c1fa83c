/* SPDX-License-Identifier: MIT */
/*
 * gnuplot.h - a script in, a picture out
 *
 * For tools: says what is wrong in one line on stderr, behind the program's
 * name.
 */
#ifndef HP_GNUPLOT_H
#define HP_GNUPLOT_H

#include <stdbool.h>
#include <stdio.h>

enum { HP_GNUPLOT_WIDTH = 960 };

enum hp_gnuplot_status {
	HP_GNUPLOT_DRAWN = 0,
	HP_GNUPLOT_FAILED = 1,	  /* it cannot be drawn or written */
	HP_GNUPLOT_MISSING = 127, /* what shells say: command not found */
};

struct hp_gnuplot {
	const char *path;    /* ends in .svg or .png; removed on failure */
	unsigned int height; /* pixels at a width of HP_GNUPLOT_WIDTH */
	/* writes the script, below the terminal's settings */
	void (*write)(FILE *script, const void *arg);
	const void *arg;
};

/* hp_gnuplot_takes - does the name say a format that can be drawn? */
bool hp_gnuplot_takes(const char *path);

enum hp_gnuplot_status hp_gnuplot_draw(const struct hp_gnuplot *picture);

#endif
