/* SPDX-License-Identifier: MIT */
/*
 * plot_sweep.c - latency against span, a curve per kind of page
 */
#include "probe/plot.h"

#include <json-c/json.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { SERIES_MAX = 32 };

/* arms of one input that form one curve */
struct series {
	const struct hp_plot_input *in;
	const char *pages, *pattern;
};

struct extent {
	double x_lo, x_hi, y_lo, y_hi;
};

static json_object *arms_of(const struct hp_plot_input *in)
{
	return hp_plot_get(in->json, "arms");
}

static double median_of(json_object *arm)
{
	return hp_plot_number(hp_plot_get(arm, "ns"), "median");
}

/* the control repeats the baseline and would only hide it */
static bool is_drawn(json_object *arm)
{
	return median_of(arm) > 0 && hp_plot_number(arm, "span") > 0 &&
	       strcmp(hp_plot_text(arm, "role"), "control");
}

static bool belongs(const struct series *s, json_object *arm)
{
	return is_drawn(arm) && !strcmp(s->pages, hp_plot_text(arm, "pages")) &&
	       !strcmp(s->pattern, hp_plot_text(arm, "pattern"));
}

static size_t add_series(struct series *all, size_t n,
			 const struct hp_plot_input *in, json_object *arm)
{
	for (size_t i = 0; i < n; i++)
		if (all[i].in == in && belongs(&all[i], arm))
			return n;
	if (n < SERIES_MAX)
		all[n++] = (struct series){in, hp_plot_text(arm, "pages"),
					   hp_plot_text(arm, "pattern")};
	return n;
}

static size_t find_series(struct series *all, const struct hp_plot_input *in,
			  size_t inputs)
{
	size_t n = 0;

	for (size_t i = 0; i < inputs; i++)
		for (size_t k = 0; k < hp_plot_len(arms_of(&in[i])); k++) {
			json_object *arm = hp_plot_at(arms_of(&in[i]), k);

			if (is_drawn(arm))
				n = add_series(all, n, &in[i], arm);
		}
	return n;
}

static double or_else(double value, double other)
{
	return value > 0 ? value : other;
}

static void widen(struct extent *e, double x, double lo, double hi)
{
	e->x_lo = fmin(e->x_lo, x);
	e->x_hi = fmax(e->x_hi, x);
	e->y_lo = fmin(e->y_lo, lo);
	e->y_hi = fmax(e->y_hi, hi);
}

static void put_data(FILE *script, const struct series *s, size_t number,
		     struct extent *e)
{
	json_object *arms = arms_of(s->in);

	fprintf(script, "$s%zu << EOD\n", number);
	for (size_t k = 0; k < hp_plot_len(arms); k++) {
		json_object *arm = hp_plot_at(arms, k);
		json_object *ns = hp_plot_get(arm, "ns");
		double y = median_of(arm);

		if (!belongs(s, arm))
			continue;
		double lo = or_else(hp_plot_number(ns, "q1"), y);
		double hi = or_else(hp_plot_number(ns, "q3"), y);
		double x = hp_plot_number(arm, "span");

		fprintf(script, "%.0f %.6g %.6g %.6g\n", x, y, lo, hi);
		widen(e, x, lo, hi);
	}
	fprintf(script, "EOD\n");
}

static void put_caches(FILE *script, const struct hp_plot_input *in,
		       const struct extent *e)
{
	json_object *caches =
		hp_plot_get(hp_plot_get(in->json, "machine"), "caches");

	for (size_t i = 0; i < hp_plot_len(caches); i++) {
		json_object *cache = hp_plot_at(caches, i);
		double size = hp_plot_number(cache, "size");

		if (!(size > e->x_lo && size < e->x_hi))
			continue;
		fprintf(script,
			"set arrow from %.0f, graph 0 to %.0f, graph 1 nohead "
			"dt (4,4) lc rgb '#909090'\n"
			"set label 'L%.0f' at %.0f, graph 1 offset 0.3,-0.7 "
			"tc rgb '#606060'\n",
			size, size, hp_plot_number(cache, "level"), size);
	}
}

static void put_axes(FILE *script, const struct extent *e)
{
	fprintf(script,
		"set logscale x 2\nset logscale y 10\n"
		"set xrange [%.0f:%.0f]\nset yrange [%.6g:%.6g]\n"
		"set xlabel 'span'\nset ylabel 'ns per load'\n"
		"set ytics (0.5,1,2,5,10,20,50,100,200,500,1000)\n"
		"set key top left reverse Left samplen 2.5\n",
		e->x_lo, e->x_hi, e->y_lo * 0.8, e->y_hi * 1.4);
	hp_plot_sizes(script, e->x_lo, e->x_hi);
}

static bool several_patterns(const struct series *s, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (strcmp(s[i].pattern, s[0].pattern))
			return true;
	return false;
}

static void put_name(FILE *script, const struct series *s, bool pattern)
{
	char name[128];

	snprintf(name, sizeof(name), "%s%s%s%s%s", s->in->name,
		 s->in->name[0] ? ": " : "", s->pages, pattern ? ", " : "",
		 pattern ? s->pattern : "");
	hp_plot_quote(script, name);
}

static void put_curves(FILE *script, const struct series *s, size_t n)
{
	bool pattern = several_patterns(s, n);

	fprintf(script, "plot ");
	for (size_t i = 0; i < n; i++)
		fprintf(script,
			"$s%zu using 1:3:4 with filledcurves notitle "
			"fs transparent solid 0.2 noborder lc rgb '%s', \\\n",
			i, hp_plot_colour(i));
	for (size_t i = 0; i < n; i++) {
		fprintf(script,
			"$s%zu using 1:2 with linespoints lc rgb '%s' lw 1.8 "
			"dt %zu pt %d ps 0.6 title ",
			i, hp_plot_colour(i), i / HP_PLOT_COLOURS + 1,
			hp_plot_point(i));
		put_name(script, &s[i], pattern);
		fprintf(script, i + 1 < n ? ", \\\n" : "\n");
	}
}

static unsigned int height(const struct hp_plot_input *in, size_t n)
{
	struct series all[SERIES_MAX];

	return find_series(all, in, n) ? 560 : 0;
}

static void paint(FILE *script, const struct hp_plot_input *in, size_t inputs)
{
	struct extent e = {INFINITY, 0, INFINITY, 0};
	struct series all[SERIES_MAX];
	size_t n = find_series(all, in, inputs);

	for (size_t i = 0; i < n; i++)
		put_data(script, &all[i], i, &e);
	hp_plot_title(script, in, "Latency against span, median and quartiles");
	put_axes(script, &e);
	put_caches(script, in, &e);
	put_curves(script, all, n);
}

const struct hp_plot_painter hp_plot_sweep = {"sweep", height, paint};
