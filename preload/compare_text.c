/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "libhp/common.h"
#include "libhp/linux.h"
#include "preload/compare_judge.h"
#include "preload/compare_print.h"
#include "preload/quote.h"

enum { CELL = 16, NAME_SHOWN = 60 };

static void put_seconds(char *cell, double s)
{
	snprintf(cell, CELL, s < 1 ? "%.4f" : "%.3f", s);
}

static void put_count(char *cell, double n)
{
	snprintf(cell, CELL, "%.0f", n);
}

static void put_mib(char *cell, double bytes)
{
	snprintf(cell, CELL, "%.1f", bytes / (double)HP_MIB);
}

static void put_percent(char *cell, double share)
{
	snprintf(cell, CELL, "%.1f %%", share * 100);
}

static const struct column {
	enum hp_measure measure;
	const char *title;
	void (*put)(char *cell, double value);
} columns[] = {
	{HP_MEASURE_WALL, "wall s", put_seconds},
	{HP_MEASURE_USER, "user s", put_seconds},
	{HP_MEASURE_SYS, "sys s", put_seconds},
	{HP_MEASURE_MINOR, "faults", put_count},
	{HP_MEASURE_RSS, "RSS MiB", put_mib},
	{HP_MEASURE_HUGETLB, "pool MiB", put_mib},
	{HP_MEASURE_COVERAGE, "coverage", put_percent},
};

static const char *doubt_text(enum hp_doubt doubt)
{
	static const char *const texts[] = {
		[HP_DOUBT_NONE] = "",
		[HP_DOUBT_NOISE] = "no difference beyond what chance does; "
				   "more rounds may show one",
		[HP_DOUBT_ROUNDS] = "too few rounds: three at least",
		[HP_DOUBT_NOT_LOADED] = "libhp was not in the program",
		[HP_DOUBT_OUTPUT] = "the runs did not print the same",
		[HP_DOUBT_STATUS] = "the runs did not end the same",
	};

	return texts[doubt];
}

static double percent(double ratio)
{
	return 100 * (ratio - 1);
}

static void put_verdict(FILE *out, const struct hp_comparison *c,
			const struct hp_compare_arm *arm)
{
	char shown[NAME_SHOWN];

	fprintf(out, "hprun: %s: %s, %s", hp_compare_verdict_text(arm->verdict),
		hp_quote_line(c->argv[0], shown, sizeof(shown)), arm->name);
	if (arm->doubt != HP_DOUBT_NONE)
		fprintf(out, ": %s\n", doubt_text(arm->doubt));
	else
		fprintf(out,
			" against plain: %+.1f %% time (95 %%: %+.1f to "
			"%+.1f %%)\n",
			percent(arm->to_plain.value), percent(arm->to_plain.lo),
			percent(arm->to_plain.hi));
}

static unsigned int rounds_done(const struct hp_comparison *c)
{
	unsigned int done = 0;

	for (unsigned int i = 0; i < c->rounds; i++) {
		bool whole = true;

		for (unsigned int k = 0; k < c->n; k++)
			whole &= c->arm[k].runs[i].done;
		done += whole;
	}
	return done;
}

static void put_conditions(FILE *out, const struct hp_comparison *c)
{
	fprintf(out,
		"  %u of %u rounds%s; up to %.1f MiB warmed before a run; ",
		rounds_done(c), c->rounds, c->stop ? ", interrupted" : "",
		c->warmed / (double)HP_MIB);
	fprintf(out, c->compares_output ? "outputs compared\n"
					: "outputs ignored\n");
	if (c->load > hp_linux_ncpus() / 2.0)
		fprintf(out,
			"  the machine was busy: load %.1f on %u processors; "
			"expect noise\n",
			c->load, hp_linux_ncpus());
}

/* a pool that no arm uses is not worth a column */
static bool is_shown(const struct hp_comparison *c, const struct column *column)
{
	if (column->measure != HP_MEASURE_HUGETLB)
		return true;
	for (unsigned int i = 0; i < c->n; i++)
		if (c->arm[i].summary[HP_MEASURE_HUGETLB].median > 0)
			return true;
	return false;
}

static void put_titles(FILE *out, const struct hp_comparison *c)
{
	fprintf(out, "  %-9s     ", "arm");
	for (size_t i = 0; i < HP_ARRAY_SIZE(columns); i++)
		if (is_shown(c, &columns[i]))
			fprintf(out, " %9s", columns[i].title);
	fputc('\n', out);
}

static void put_row(FILE *out, const struct hp_comparison *c,
		    const struct hp_compare_arm *arm, const char *name,
		    const char *figure, size_t offset)
{
	fprintf(out, "  %-9s %-4s", name, figure);
	for (size_t i = 0; i < HP_ARRAY_SIZE(columns); i++) {
		const struct column *column = &columns[i];
		double value;
		char cell[CELL] = "-";

		if (!is_shown(c, column))
			continue;
		memcpy(&value,
		       (const char *)&arm->summary[column->measure] + offset,
		       sizeof(value));
		if (isfinite(value))
			column->put(cell, value);
		fprintf(out, " %9s", cell);
	}
	fputc('\n', out);
}

static void put_arm(FILE *out, const struct hp_comparison *c,
		    const struct hp_compare_arm *arm)
{
	put_row(out, c, arm, arm->name, "med",
		offsetof(struct hp_probe_summary, median));
	put_row(out, c, arm, "", "q1", offsetof(struct hp_probe_summary, q1));
	put_row(out, c, arm, "", "q3", offsetof(struct hp_probe_summary, q3));
}

static void put_ratio(FILE *out, const struct hp_compare_arm *arm,
		      const char *base, const struct hp_probe_interval *ratio,
		      const char *what)
{
	char name[32], range[40];

	snprintf(range, sizeof(range), "%.3f .. %.3f", ratio->lo, ratio->hi);
	snprintf(name, sizeof(name), "%s/%s", arm->name, base);
	if (isfinite(ratio->value))
		fprintf(out, "  %-14s %6.3f   %-16s  %s\n", name, ratio->value,
			range, what);
}

static void put_floor(FILE *out, struct hp_comparison *c)
{
	char what[64];

	snprintf(what, sizeof(what), "chance alone; noise floor %.1f %%",
		 100 * c->floor);
	put_ratio(out, hp_comparison_find(c, HP_ROLE_CONTROL), "plain",
		  &hp_comparison_find(c, HP_ROLE_CONTROL)->to_plain, what);
}

static void put_ratios(FILE *out, struct hp_comparison *c)
{
	struct hp_compare_arm *off = hp_comparison_find(c, HP_ROLE_OFF);

	if (!isfinite(off->to_plain.value))
		return;
	fputs("  wall ratio             95 % interval\n", out);
	put_ratio(out, off, "plain", &off->to_plain, "the allocator alone");
	for (unsigned int i = 0; i < c->n; i++) {
		const struct hp_compare_arm *arm = &c->arm[i];

		if (arm->role != HP_ROLE_TRY)
			continue;
		put_ratio(out, arm, "plain", &arm->to_plain,
			  "allocator and huge pages");
		put_ratio(out, arm, "off", &arm->to_off, "huge pages alone");
		put_ratio(out, arm, "plain", &arm->cpu_to_plain,
			  "processor time instead of wall time");
	}
	put_floor(out, c);
}

static void put_legend(FILE *out, const struct hp_compare_arm *arm)
{
	if (!arm->pages && !arm->mmap)
		return;
	fprintf(out, "  %s:%s%s%s%s\n", arm->name,
		arm->pages ? " --pages " : "", arm->pages ? arm->pages : "",
		arm->mmap ? " --mmap " : "", arm->mmap ? arm->mmap : "");
}

void hp_compare_print_text(FILE *out, struct hp_comparison *c)
{
	for (unsigned int i = 0; i < c->n; i++)
		if (c->arm[i].role == HP_ROLE_TRY)
			put_verdict(out, c, &c->arm[i]);
	put_conditions(out, c);
	put_titles(out, c);
	for (unsigned int i = 0; i < c->n; i++)
		put_arm(out, c, &c->arm[i]);
	put_ratios(out, c);
	for (unsigned int i = 0; i < c->n; i++)
		put_legend(out, &c->arm[i]);
}
