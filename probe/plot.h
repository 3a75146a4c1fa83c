/* SPDX-License-Identifier: MIT */
/*
 * plot.h - the plot command: results in, a picture out, through gnuplot
 *
 * A painter writes a gnuplot script for one command's results. Colours are
 * those of Okabe and Ito ("Color Universal Design", 2008), which stay apart
 * for the colour-blind; every series has a point or fill of its own besides,
 * so that a print in grey can be read.
 */
#ifndef HP_PLOT_H
#define HP_PLOT_H

#include <stddef.h>
#include <stdio.h>

#include "probe/gnuplot.h"

enum hp_plot_status {
	HP_PLOT_DRAWN = HP_GNUPLOT_DRAWN,
	HP_PLOT_FAILED = HP_GNUPLOT_FAILED, /* or a file cannot be read */
	HP_PLOT_USAGE = 2,
	HP_PLOT_NO_GNUPLOT = HP_GNUPLOT_MISSING,
};

enum { HP_PLOT_COLOURS = 7 };

struct json_object;

/**
 * struct hp_plot_input - one file of results
 * @path: as given
 * @name: what tells it from the others in a legend; "" if it is alone
 * @json: its contents, owned by the plot command
 */
struct hp_plot_input {
	const char *path, *name;
	struct json_object *json;
};

/**
 * struct hp_plot_painter - draws the results of some commands
 * @commands: comma list of commands
 * @height:   pixels at a width of HP_GNUPLOT_WIDTH; 0: nothing can be drawn
 * @paint:    writes the script, below the terminal's settings
 */
struct hp_plot_painter {
	const char *commands;
	unsigned int (*height)(const struct hp_plot_input *in, size_t n);
	void (*paint)(FILE *script, const struct hp_plot_input *in, size_t n);
};

extern const struct hp_plot_painter hp_plot_sweep, hp_plot_bars,
	hp_plot_granule;

/**
 * hp_plot_files - draw results of one kind into one picture
 * @files: what hpprobe --json wrote
 * @n:     how many; may be 0, which is bad usage
 * @out:   file to write, ending in .svg or .png; NULL is bad usage
 *
 * Says what is wrong in one line on stderr.
 *
 * Return: exit status.
 */
enum hp_plot_status hp_plot_files(char *const *files, size_t n,
				  const char *out);

/* ---- for painters -------------------------------------------------------- */

/* hp_plot_quote - a string of gnuplot's; nothing in it is interpreted */
void hp_plot_quote(FILE *script, const char *text);

/* hp_plot_title - "what, CPU" above the picture, from the first input */
void hp_plot_title(FILE *script, const struct hp_plot_input *in,
		   const char *what);

/* hp_plot_colour, hp_plot_point - of series @i, in turn */
const char *hp_plot_colour(size_t i);
int hp_plot_point(size_t i);

/* hp_plot_sizes - tics at powers of two from @from to @to, as "64K", "1G" */
void hp_plot_sizes(FILE *script, double from, double to);

/* keys of JSON objects: NULL, NAN and "" stand for what is missing */
struct json_object *hp_plot_get(struct json_object *object, const char *key);
double hp_plot_number(struct json_object *object, const char *key);
const char *hp_plot_text(struct json_object *object, const char *key);

/* hp_plot_len, hp_plot_at - of arrays; anything else is empty */
size_t hp_plot_len(struct json_object *array);
struct json_object *hp_plot_at(struct json_object *array, size_t i);

#endif
