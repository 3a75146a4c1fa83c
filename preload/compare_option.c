/* SPDX-License-Identifier: MIT */
#include "preload/compare_option.h"

#include <err.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libhp/common.h"
#include "libhp/text.h"
#include "preload/program.h"
#include "preload/quote.h"
#include "preload/verdict.h"
#include "probe/gnuplot.h"
#include "probe/stats.h"

enum { USUAL_ROUNDS = 5, SHOWN = 120 };

/* each arm has its own mode, and reports would only add to what is timed */
static const struct {
	const char *variable, *option;
} single_run[] = {
	{"LIBHP_MODE", "--mode"},
	{"LIBHP_REPORT", "--report"},
	{"LIBHP_REQUIRE", "--require"},
};

unsigned int hp_compare_rounds(const char *text)
{
	char shown[SHOWN];
	const char *end;
	uint64_t n;

	if (!text)
		return USUAL_ROUNDS;
	if (hp_text_u64(text, &end, &n) || *end || n < 1 ||
	    n > HP_STATS_PAIRS_MAX)
		errx(HP_STATUS_OWN_ERROR,
		     "--compare: bad number of rounds '%s': give 1 to %d",
		     hp_quote_line(text, shown, sizeof(shown)),
		     HP_STATS_PAIRS_MAX);
	return (unsigned int)n;
}

/* better before many long runs than at their end */
static void check_writable(const char *option, const char *file)
{
	char *copy = strdup(file), shown[SHOWN];
	const char *directory = copy ? dirname(copy) : "/";

	if (access(file, F_OK) ? access(directory, W_OK | X_OK)
			       : access(file, W_OK))
		err(HP_STATUS_OWN_ERROR, "%s: '%s'", option,
		    hp_quote_line(file, shown, sizeof(shown)));
	free(copy);
}

void hp_compare_take_json(struct hp_compare_option *option, const char *file)
{
	option->json = true;
	option->json_file = file;
	if (file)
		check_writable("--json", file);
}

void hp_compare_take_plot(struct hp_compare_option *option, const char *file)
{
	char shown[SHOWN], *gnuplot;

	option->plot = file;
	if (!hp_gnuplot_takes(file))
		errx(HP_STATUS_OWN_ERROR,
		     "--plot: bad file '%s': give one that ends in .png or "
		     ".svg",
		     hp_quote_line(file, shown, sizeof(shown)));
	check_writable("--plot", file);
	gnuplot = hp_program_find("gnuplot");
	if (!gnuplot)
		errx(HP_STATUS_OWN_ERROR,
		     "--plot needs gnuplot; install gnuplot-nox or gnuplot");
	free(gnuplot);
}

static void check_single(const struct hp_compare_option *option)
{
	const char *stray = option->listed;

	if (option->json)
		stray = "--json";
	if (option->plot)
		stray = "--plot";
	if (option->ignore_output)
		stray = "--ignore-output";
	if (stray && stray == option->listed)
		errx(HP_STATUS_OWN_ERROR,
		     "--%s: bad value: several are for --compare", stray);
	if (stray)
		errx(HP_STATUS_OWN_ERROR, "%s is for --compare", stray);
}

static void check_settings(const struct hp_settings *settings)
{
	for (unsigned int i = 0; i < settings->n; i++)
		for (size_t k = 0; k < HP_ARRAY_SIZE(single_run); k++)
			if (!strcmp(settings->set[i].name,
				    single_run[k].variable))
				errx(HP_STATUS_OWN_ERROR,
				     "%s does not go with --compare, which "
				     "runs modes off and try and reports of "
				     "both",
				     single_run[k].option);
}

void hp_compare_check(const struct hp_compare_option *option,
		      const struct hp_settings *settings, bool dry_run)
{
	if (!option->rounds) {
		check_single(option);
		return;
	}
	check_settings(settings);
	if (dry_run)
		errx(HP_STATUS_OWN_ERROR,
		     "--dry-run does not go with --compare");
}
