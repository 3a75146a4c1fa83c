/* SPDX-License-Identifier: MIT */
#include "preload/compare.h"

#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "preload/compare_judge.h"
#include "preload/compare_print.h"
#include "preload/compare_scratch.h"
#include "preload/compare_session.h"
#include "preload/relay.h"
#include "preload/verdict.h"
#include "probe/gnuplot.h"

static void make_arms(struct hp_comparison *c, const struct hp_command *cmd)
{
	int error = hp_comparison_init(c, cmd->compare.rounds, &cmd->settings,
				       &cmd->compare.pages, &cmd->compare.mmap);

	if (error == -E2BIG)
		errx(HP_STATUS_OWN_ERROR,
		     "--compare: no more than %d arms; give --pages and --mmap "
		     "fewer values",
		     HP_COMPARE_ARMS_MAX);
	if (error)
		errx(HP_STATUS_OWN_ERROR, "--compare: %s", strerror(-error));
	c->argv = cmd->argv;
	c->compares_output = !cmd->compare.ignore_output;
}

/* what an arm inherits must not make it other than it is called */
static void clean_environment(void)
{
	const char *preload = getenv("LD_PRELOAD");

	if (preload && strstr(preload, "libhp-preload"))
		errx(HP_STATUS_OWN_ERROR,
		     "--compare: no run would be without libhp, which "
		     "LD_PRELOAD names already; unset it");
	unsetenv("LIBHP_REPORT");
	unsetenv("LIBHP_REQUIRE");
}

static void take_input(struct hp_compare_job *job)
{
	job->input = hp_scratch_input(&job->input_start);
	if (job->input < 0)
		errx(HP_STATUS_OWN_ERROR, "--compare: standard input: %s",
		     strerror(-job->input));
}

static FILE *open_json(const struct hp_compare_option *wish)
{
	if (!wish->json)
		return NULL;
	return wish->json_file ? fopen(wish->json_file, "we") : stdout;
}

static int put_json(const struct hp_compare_option *wish,
		    struct hp_comparison *c)
{
	const char *name =
		wish->json_file ? wish->json_file : "standard output";
	FILE *out = open_json(wish);
	int error = out ? -hp_compare_print_json(out, c) : errno;

	if (out && (out == stdout ? fflush(out) : fclose(out)) && !error)
		error = errno;
	if (error)
		warnx("--json: '%s': %s", name, strerror(error));
	return error;
}

static int put_plot(const struct hp_compare_option *wish,
		    struct hp_comparison *c)
{
	const struct hp_gnuplot picture = {.path = wish->plot,
					   .height = 480,
					   .write = hp_compare_print_plot,
					   .arg = c};

	return hp_gnuplot_draw(&picture);
}

static bool any_done(const struct hp_comparison *c)
{
	for (unsigned int i = 0; i < c->n; i++)
		for (unsigned int k = 0; k < c->rounds; k++)
			if (c->arm[i].runs[k].done)
				return true;
	return false;
}

static int print(const struct hp_compare_option *wish, struct hp_comparison *c)
{
	int failed = 0;

	hp_compare_judge(c);
	hp_compare_print_text(stderr, c);
	if (wish->json)
		failed |= put_json(wish, c);
	if (wish->plot)
		failed |= put_plot(wish, c);
	return failed;
}

int hp_compare(const struct hp_command *cmd, const char *preload)
{
	const struct hp_compare_option *wish = &cmd->compare;
	struct hp_comparison c;
	struct hp_session s = {.c = &c,
			       .job = {.argv = cmd->argv, .preload = preload},
			       .shows_output = !wish->json || wish->json_file,
			       .partial = cmd->left_out};
	int status;

	clean_environment();
	make_arms(&c, cmd);
	take_input(&s.job);
	hp_relay_hold();
	status = hp_session_run(&s);
	if (any_done(&c) && print(wish, &c))
		status = HP_STATUS_OWN_ERROR;
	close(s.job.input);
	hp_comparison_clear(&c);
	return status;
}
