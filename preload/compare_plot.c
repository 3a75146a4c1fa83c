/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "libhp/common.h"
#include "preload/compare_judge.h"
#include "preload/compare_print.h"
#include "preload/quote.h"
#include "probe/plot.h"

static void put_runs(FILE *script, const struct hp_comparison *c,
		     unsigned int number)
{
	const struct hp_compare_arm *arm = &c->arm[number];

	fprintf(script, "$r%u << EOD\n", number);
	for (unsigned int i = 0; i < c->rounds; i++)
		if (arm->runs[i].done)
			fprintf(script, "%u %.6f\n", i + 1,
				arm->runs[i].value[HP_MEASURE_WALL]);
	fprintf(script, "EOD\n");
}

static bool has_runs(const struct hp_comparison *c, unsigned int number)
{
	for (unsigned int i = 0; i < c->rounds; i++)
		if (c->arm[number].runs[i].done)
			return true;
	return false;
}

struct extent {
	double lo, hi;
};

static struct extent extent_of(const struct hp_comparison *c)
{
	struct extent e = {INFINITY, 0};

	for (unsigned int i = 0; i < c->n; i++)
		for (unsigned int k = 0; k < c->rounds; k++) {
			double wall = c->arm[i].runs[k].value[HP_MEASURE_WALL];

			/* fmin() and fmax() pass over NAN */
			e.lo = fmin(e.lo, wall);
			e.hi = fmax(e.hi, wall);
		}
	return e;
}

static void put_run_axes(FILE *script, const struct hp_comparison *c)
{
	struct extent e = extent_of(c);
	double margin = 0.06 * (e.hi - e.lo) + 0.01 * e.hi;
	char title[160], shown[80];

	snprintf(title, sizeof(title), "%s: wall time of each run",
		 hp_quote_line(c->argv[0], shown, sizeof(shown)));
	fprintf(script, "set title ");
	hp_plot_quote(script, title);
	fprintf(script,
		"\nset origin 0,0\nset size 0.62,1\nset bmargin at screen 0.2\n"
		"set xlabel 'round'\nset ylabel 'seconds'\n"
		"set xrange [0.5:%u.5]\nset xtics %u\n"
		"set yrange [%.6f:%.6f]\n"
		"set key at screen 0.33,0.05 center horizontal samplen 2\n",
		c->rounds, c->rounds / 10 + 1, fmax(e.lo - margin, 0),
		e.hi + margin);
}

static void put_run_curves(FILE *script, const struct hp_comparison *c)
{
	fprintf(script, "plot ");
	for (unsigned int i = 0; i < c->n; i++)
		if (has_runs(c, i)) {
			fprintf(script,
				"$r%u using 1:2 with linespoints lc rgb '%s' "
				"lw 1.6 pt %d ps 1 title ",
				i, hp_plot_colour(i), hp_plot_point(i));
			hp_plot_quote(script, c->arm[i].name);
			fputc(',', script);
		}
	fprintf(script, " NaN notitle\n");
}

static bool has_ratio(const struct hp_comparison *c, unsigned int number)
{
	return c->arm[number].role != HP_ROLE_PLAIN &&
	       isfinite(c->arm[number].to_plain.value);
}

/* its settings below the name: who sees the picture may not see the text */
static void put_label(FILE *script, const struct hp_compare_arm *arm)
{
	char text[96];

	hp_plot_quote(script, arm->name);
	if (!arm->pages && !arm->mmap)
		return;
	snprintf(text, sizeof(text), "%s%s%s", arm->pages ? arm->pages : "",
		 arm->pages && arm->mmap ? " " : "",
		 arm->mmap ? arm->mmap : "");
	fprintf(script, ".\"\\n\".");
	hp_plot_quote(script, text);
}

/* names of the arms, one below the other, in place of numbers */
static unsigned int put_ratio_tics(FILE *script, const struct hp_comparison *c)
{
	unsigned int n = 0;

	fprintf(script, "set ytics (");
	for (unsigned int i = 0; i < c->n; i++)
		if (has_ratio(c, i)) {
			fprintf(script, n ? "," : "");
			put_label(script, &c->arm[i]);
			fprintf(script, " -%u", n++);
		}
	fprintf(script, ")\n");
	return n;
}

static void put_floor(FILE *script, const struct hp_comparison *c)
{
	fprintf(script, "set arrow from 1, graph 0 to 1, graph 1 nohead lc rgb "
			"'#606060' front\n");
	if (isfinite(c->floor))
		fprintf(script,
			"set object rectangle from %.6f, graph 0 to %.6f, "
			"graph 1 fc rgb '#d0d0d0' fs solid noborder behind\n",
			1 - c->floor, 1 + c->floor);
}

static void put_ratio_points(FILE *script, const struct hp_comparison *c)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < c->n; i++)
		if (has_ratio(c, i)) {
			const struct hp_probe_interval *r = &c->arm[i].to_plain;

			fprintf(script,
				"$q%u << EOD\n%.6f -%u %.6f %.6f\nEOD\n", i,
				r->value, n++, r->lo, r->hi);
		}
	fprintf(script, "plot ");
	for (unsigned int i = 0; i < c->n; i++)
		if (has_ratio(c, i))
			fprintf(script,
				"$q%u using 1:2:3:4 with xerrorbars lc rgb "
				"'%s' lw 2 pt %d ps 1.2,",
				i, hp_plot_colour(i), hp_plot_point(i));
	fprintf(script, " NaN\n");
}

static void put_ratio_panel(FILE *script, const struct hp_comparison *c)
{
	unsigned int n;

	fprintf(script,
		"set origin 0.62,0\nset size 0.38,1\nunset key\nunset ylabel\n"
		"unset title\nset tmargin at screen 0.9\nset label 'time "
		"relative to plain, 95 %%; grey: "
		"noise' at graph 1, screen 0.95 right\n"
		"set xlabel 'wall ratio'\nset xrange [*<0.98:1.02<*]\n"
		"set xtics autofreq\nset grid x lc rgb '#d8d8d8' lw 0.6\n");
	n = put_ratio_tics(script, c);
	fprintf(script, "set yrange [-%u.5:0.5]\n", n - 1);
	put_floor(script, c);
	put_ratio_points(script, c);
}

void hp_compare_print_plot(FILE *script, const void *comparison)
{
	const struct hp_comparison *c = comparison;
	bool ratios = false;

	for (unsigned int i = 0; i < c->n; i++) {
		put_runs(script, c, i);
		ratios |= has_ratio(c, i);
	}
	fprintf(script, "set multiplot\n");
	put_run_axes(script, c);
	put_run_curves(script, c);
	if (ratios)
		put_ratio_panel(script, c);
	fprintf(script, "unset multiplot\n");
}
