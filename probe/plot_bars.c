/* SPDX-License-Identifier: MIT */
/*
 * plot_bars.c - a table as bars: groups of patterns, a bar per kind of page
 */
#include "probe/plot.h"

#include <json-c/json.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { GROUPS_MAX = 16, BARS_MAX = 32 };

/* arms that share a colour */
struct bar {
	const struct hp_plot_input *in;
	const char *pages;
	bool control;
};

struct chart {
	const char *pattern[GROUPS_MAX];
	size_t patterns, bars;
	struct bar bar[BARS_MAX];
};

static json_object *arms_of(const struct hp_plot_input *in)
{
	return hp_plot_get(in->json, "arms");
}

static bool is_control(json_object *arm)
{
	return !strcmp(hp_plot_text(arm, "role"), "control");
}

static bool is_drawn(json_object *arm)
{
	return hp_plot_number(hp_plot_get(arm, "ns"), "median") > 0;
}

static bool belongs(const struct bar *b, json_object *arm)
{
	return b->control == is_control(arm) &&
	       !strcmp(b->pages, hp_plot_text(arm, "pages"));
}

static void add_pattern(struct chart *chart, const char *pattern)
{
	for (size_t i = 0; i < chart->patterns; i++)
		if (!strcmp(chart->pattern[i], pattern))
			return;
	if (chart->patterns < GROUPS_MAX)
		chart->pattern[chart->patterns++] = pattern;
}

static void add_bar(struct chart *chart, const struct hp_plot_input *in,
		    json_object *arm)
{
	for (size_t i = 0; i < chart->bars; i++)
		if (chart->bar[i].in == in && belongs(&chart->bar[i], arm))
			return;
	if (chart->bars < BARS_MAX)
		chart->bar[chart->bars++] = (struct bar){
			in, hp_plot_text(arm, "pages"), is_control(arm)};
}

static struct chart chart_make(const struct hp_plot_input *in, size_t n)
{
	struct chart chart = {.patterns = 0};

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < hp_plot_len(arms_of(&in[i])); k++) {
			json_object *arm = hp_plot_at(arms_of(&in[i]), k);

			if (!is_drawn(arm))
				continue;
			add_pattern(&chart, hp_plot_text(arm, "pattern"));
			add_bar(&chart, &in[i], arm);
		}
	return chart;
}

static size_t pattern_index(const struct chart *chart, json_object *arm)
{
	size_t i = 0;

	while (i < chart->patterns &&
	       strcmp(chart->pattern[i], hp_plot_text(arm, "pattern")))
		i++;
	return i;
}

/* one empty place between groups */
static double place(const struct chart *chart, size_t group, size_t bar)
{
	return (double)(group * (chart->bars + 1) + bar);
}

static void put_bar(FILE *script, const struct chart *chart, size_t number)
{
	const struct bar *b = &chart->bar[number];
	json_object *arms = arms_of(b->in);

	fprintf(script, "$b%zu << EOD\n", number);
	for (size_t k = 0; k < hp_plot_len(arms); k++) {
		json_object *arm = hp_plot_at(arms, k);
		json_object *ns = hp_plot_get(arm, "ns");
		double y = hp_plot_number(ns, "median");
		double lo = hp_plot_number(ns, "q1");
		double hi = hp_plot_number(ns, "q3");

		if (!is_drawn(arm) || !belongs(b, arm))
			continue;
		fprintf(script, "%g %.6g %.6g %.6g \"%.*f\"\n",
			place(chart, pattern_index(chart, arm), number), y,
			lo > 0 ? lo : y, hi > 0 ? hi : y, y < 10 ? 1 : 0, y);
	}
	fprintf(script, "EOD\n");
}

static void put_axes(FILE *script, const struct chart *chart)
{
	double middle = ((double)chart->bars - 1) / 2;

	fprintf(script,
		"set yrange [0:*]\nset offsets 0,0,graph 0.08,0\n"
		"set ylabel 'ns per load'\nset boxwidth 0.86\n"
		"set xrange [-1:%g]\nset xtics scale 0 (",
		place(chart, chart->patterns, 0));
	for (size_t i = 0; i < chart->patterns; i++) {
		fprintf(script, "%s", i ? "," : "");
		hp_plot_quote(script, chart->pattern[i]);
		fprintf(script, " %g", place(chart, i, 0) + middle);
	}
	fprintf(script, ")\nset key outside bottom center horizontal "
			"samplen 2\n");
}

static void put_name(FILE *script, const struct bar *b)
{
	char name[128];

	snprintf(name, sizeof(name), "%s%s%s%s", b->in->name,
		 b->in->name[0] ? ": " : "", b->pages,
		 b->control ? " (control)" : "");
	hp_plot_quote(script, name);
}

/* the control has the colour of the arm it repeats, with another fill */
static size_t colour_of(const struct chart *chart, size_t number)
{
	for (size_t i = 0; i < chart->bars; i++)
		if (chart->bar[i].in == chart->bar[number].in &&
		    !strcmp(chart->bar[i].pages, chart->bar[number].pages))
			return i;
	return number;
}

static int fill_of(const struct chart *chart, size_t number)
{
	/* of gnuplot: solid, then hatches that differ in print, empty last */
	static const int fills[] = {3, 2, 1, 6, 4, 7, 5};
	enum { EMPTY = 0 };

	return chart->bar[number].control ? EMPTY : fills[number % 7];
}

static void put_boxes(FILE *script, const struct chart *chart)
{
	fprintf(script, "plot ");
	for (size_t i = 0; i < chart->bars; i++) {
		const char *colour = hp_plot_colour(colour_of(chart, i));

		fprintf(script,
			"$b%zu using 1:2 with boxes lc rgb '%s' fs pattern %d "
			"border lc rgb '%s' title ",
			i, colour, fill_of(chart, i), colour);
		put_name(script, &chart->bar[i]);
		fprintf(script,
			", $b%zu using 1:3:(0):($4-$3) with vectors heads size "
			"graph 0.006,90 lw 1.3 lc rgb '#202020' notitle, "
			"$b%zu using 1:4:5 with labels offset 0,0.7 "
			"font ',9' notitle%s",
			i, i, i + 1 < chart->bars ? ", \\\n" : "\n");
	}
}

static unsigned int height(const struct hp_plot_input *in, size_t n)
{
	struct chart chart = chart_make(in, n);

	return chart.bars ? 520 : 0;
}

static void paint(FILE *script, const struct hp_plot_input *in, size_t n)
{
	struct chart chart = chart_make(in, n);

	for (size_t i = 0; i < chart.bars; i++)
		put_bar(script, &chart, i);
	hp_plot_title(script, in, "Cost of a load, median and quartiles");
	put_axes(script, &chart);
	put_boxes(script, &chart);
}

const struct hp_plot_painter hp_plot_bars = {"table,control,integrity", height,
					     paint};
