/* SPDX-License-Identifier: MIT */
/*
 * plot_granule.c - granule sweeps with the steps fitted to them
 *
 * A panel per kind of page. Where the granule is known, the horizontal axis
 * is what the curves have in common, the translations needed: blocks, or
 * bytes per granule where several blocks share one. All curves then lie on
 * the fitted staircase; a wrong granule would pull them apart.
 */
#include "probe/plot.h"

#include <json-c/json.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { PANEL_HEIGHT = 400, VALUES_MAX = 1 << 16 };

struct panel {
	const struct hp_plot_input *in;
	json_object *finding;
	size_t number;
	double granule, first, last, top;
};

static json_object *findings(const struct hp_plot_input *in)
{
	return hp_plot_get(in->json, "granules");
}

static json_object *levels(const struct panel *p)
{
	return hp_plot_get(p->finding, "levels");
}

static double figure(json_object *level, const char *what, const char *key)
{
	return hp_plot_number(hp_plot_get(level, what), key);
}

static bool has_points(json_object *finding)
{
	json_object *sweeps = hp_plot_get(finding, "sweeps");

	for (size_t s = 0; s < hp_plot_len(sweeps); s++)
		if (hp_plot_len(hp_plot_get(hp_plot_at(sweeps, s), "curves")))
			return true;
	return false;
}

static double element(json_object *array, size_t i)
{
	json_object *value = hp_plot_at(array, i);

	return value ? json_object_get_double(value) : NAN;
}

/* translations that @blocks blocks @spacing bytes apart need */
static double needed(const struct panel *p, double spacing, double blocks)
{
	return p->granule > spacing ? blocks * spacing / p->granule : blocks;
}

static void put_curve(FILE *script, struct panel *p, json_object *curve,
		      bool below)
{
	json_object *points = hp_plot_get(curve, "points");
	double spacing = hp_plot_number(curve, "spacing");

	if ((spacing < p->granule) != below)
		return;
	for (size_t i = 0; i < hp_plot_len(points); i++) {
		json_object *point = hp_plot_at(points, i);
		double x = needed(p, spacing, element(point, 0));
		double y = element(point, 1);

		if (!(x > 0) || !isfinite(y))
			continue;
		fprintf(script, "%.6g %.6g\n", x, y);
		p->first = fmin(p->first, x);
		p->last = fmax(p->last, x);
	}
	fprintf(script, "\n");
}

static void put_curves(FILE *script, struct panel *p, const char *name,
		       bool below)
{
	json_object *sweeps = hp_plot_get(p->finding, "sweeps");

	/* gnuplot wants a datablock to hold something */
	fprintf(script, "$%s%zu << EOD\n1 NaN\n\n", name, p->number);
	for (size_t s = 0; s < hp_plot_len(sweeps); s++) {
		json_object *curves =
			hp_plot_get(hp_plot_at(sweeps, s), "curves");

		for (size_t c = 0; c < hp_plot_len(curves); c++)
			put_curve(script, p, hp_plot_at(curves, c), below);
	}
	fprintf(script, "EOD\n");
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static size_t gather(const struct panel *p, double *values)
{
	json_object *sweeps = hp_plot_get(p->finding, "sweeps");
	size_t n = 0;

	for (size_t s = 0; s < hp_plot_len(sweeps); s++) {
		json_object *curves =
			hp_plot_get(hp_plot_at(sweeps, s), "curves");

		for (size_t c = 0; c < hp_plot_len(curves); c++) {
			json_object *points =
				hp_plot_get(hp_plot_at(curves, c), "points");

			for (size_t i = 0; i < hp_plot_len(points); i++) {
				double y = element(hp_plot_at(points, i), 1);

				if (n < VALUES_MAX && isfinite(y))
					values[n++] = y;
			}
		}
	}
	return n;
}

/* all but the wildest points are to be seen */
static double top_of(const struct panel *p)
{
	double *values = calloc(VALUES_MAX, sizeof(*values));
	size_t n = values ? gather(p, values) : 0;
	double top = 1;

	if (n) {
		qsort(values, n, sizeof(*values), by_value);
		top = fmax(top, 1.15 * values[(n - 1) * 97 / 100]);
	}
	free(values);
	return top;
}

static double height_of_step(json_object *level)
{
	double ns = hp_plot_number(level, "ns");

	return figure(level, "entries", "value") > 0 && ns > 0 ? ns : 0;
}

static void put_stairs(FILE *script, const struct panel *p)
{
	double y = 0;

	fprintf(script, "$f%zu << EOD\n%.6g 0\n", p->number, p->first);
	for (size_t i = 0; i < hp_plot_len(levels(p)); i++) {
		json_object *level = hp_plot_at(levels(p), i);
		double x = figure(level, "entries", "value");

		if (height_of_step(level) <= 0)
			continue;
		fprintf(script, "%.6g %.6g\n", x, y);
		y += height_of_step(level);
		fprintf(script, "%.6g %.6g\n", x, y);
	}
	fprintf(script, "%.6g %.6g\nEOD\n", p->last, y);
}

static void put_steps(FILE *script, const struct panel *p)
{
	for (size_t i = 0; i < hp_plot_len(levels(p)); i++) {
		json_object *level = hp_plot_at(levels(p), i);
		double entries = figure(level, "entries", "value");

		if (height_of_step(level) <= 0)
			continue;
		fprintf(script,
			"set object rectangle from %.6g, graph 0 to %.6g, "
			"graph 1 behind fs solid 1 noborder fc rgb '#ececec'\n"
			"set label '%.0f entries' at %.6g, graph 0.95 %s\n",
			figure(level, "entries", "lo"),
			figure(level, "entries", "hi"), entries, entries,
			entries > 16 ? "right offset -0.6,0" : "offset 0.6,0");
	}
}

static void put_size(char *buf, size_t room, double bytes)
{
	static const char unit[] = " KMGT";
	int u = 0;

	while (bytes >= 1024 && u < 4) {
		bytes /= 1024;
		u++;
	}
	snprintf(buf, room, "%.4g%.1s", bytes, u ? unit + u : "");
}

static void put_title(FILE *script, const struct panel *p)
{
	double effective = hp_plot_number(p->finding, "effective");
	char title[256], claimed[16], size[16] = "unknown";

	put_size(claimed, sizeof(claimed),
		 hp_plot_number(p->finding, "claimed"));
	if (effective > 0)
		put_size(size, sizeof(size), effective);
	snprintf(title, sizeof(title),
		 "%s%s%s: claimed %s, effective granule %s (%s)", p->in->name,
		 p->in->name[0] ? ": " : "", hp_plot_text(p->finding, "pages"),
		 claimed, size, hp_plot_text(p->finding, "diagnosis"));
	fprintf(script, "set title ");
	hp_plot_quote(script, title);
	fprintf(script, "\nset xlabel '%s'\n",
		p->granule > 0 ? "translations needed" : "blocks touched");
}

static void put_axes(FILE *script, const struct panel *p)
{
	fprintf(script,
		"unset label\nunset object\nset logscale x 2\n"
		"set xrange [%.6g:%.6g]\nset yrange [%.6g:%.6g]\n"
		"set xtics (2,4,8,16,32,64,128,256,512,1024,2048,4096,8192,"
		"16384)\nset ylabel 'ns per load beyond the packed chase'\n"
		"set key left center reverse Left samplen 2.5\n",
		fmax(p->first, 2), p->last, -0.05 * p->top, p->top);
}

static void put_plot(FILE *script, const struct panel *p)
{
	if (p->granule > 0)
		fprintf(script,
			"plot $a%zu using 1:2 with linespoints lc rgb '%s' lw "
			"0.7 pt 7 ps 0.3 title 'blocks a granule or more "
			"apart', $l%zu using 1:2 with linespoints lc rgb '%s' "
			"lw 0.7 pt 4 ps 0.5 title 'several blocks in a "
			"granule', $f%zu using 1:2 with lines lc rgb 'black' "
			"lw 2.5 dt (6,3) title 'fitted steps'\n",
			p->number, hp_plot_colour(5), p->number,
			hp_plot_colour(1), p->number);
	else
		fprintf(script,
			"plot $a%zu using 1:2 with linespoints lc rgb '%s' lw "
			"0.7 pt 7 ps 0.3 title 'all spacings'\n",
			p->number, hp_plot_colour(5));
}

static void paint_panel(FILE *script, struct panel *p)
{
	double granule = hp_plot_number(p->finding, "effective");

	p->granule = granule > 0 ? granule : 0;
	p->first = INFINITY;
	p->last = 0;
	p->top = top_of(p);
	put_curves(script, p, "a", false);
	put_curves(script, p, "l", true);
	put_stairs(script, p);
	put_axes(script, p);
	put_title(script, p);
	if (p->granule > 0)
		put_steps(script, p);
	put_plot(script, p);
}

static size_t panels(FILE *script, const struct hp_plot_input *in, size_t n)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < hp_plot_len(findings(&in[i])); k++) {
			struct panel p = {.in = &in[i], .number = count};

			p.finding = hp_plot_at(findings(&in[i]), k);
			if (!has_points(p.finding))
				continue;
			if (script)
				paint_panel(script, &p);
			count++;
		}
	return count;
}

static unsigned int height(const struct hp_plot_input *in, size_t n)
{
	return (unsigned int)panels(NULL, in, n) * PANEL_HEIGHT;
}

static void paint(FILE *script, const struct hp_plot_input *in, size_t n)
{
	fprintf(script, "set multiplot layout %zu,1\n", panels(NULL, in, n));
	panels(script, in, n);
	fprintf(script, "unset multiplot\n");
}

const struct hp_plot_painter hp_plot_granule = {"granule", height, paint};
