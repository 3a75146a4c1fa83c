/* SPDX-License-Identifier: MIT */
#include "probe/hpprobe.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "probe/hpprobe_granule.h"
#include "probe/plot.h"

volatile int hp_cli_stop;

static int plot(const struct hp_cli *cli)
{
	return (int)hp_plot_files(cli->files, (size_t)cli->nfiles, cli->output);
}

const struct hp_command hp_commands[] = {
	{"table", hp_cli_measure, hp_probe_table, false,
	 "random, dense, parallel and sparse loads per kind of page"},
	{"sweep", hp_cli_measure, hp_probe_sweep, false,
	 "latency against span, one curve per kind of page"},
	{"fault", hp_cli_measure, hp_probe_fault, false,
	 "cost of the first touch, fresh and recycled memory apart"},
	{"control", hp_cli_measure, hp_probe_control, false,
	 "the method's own noise: two arms of one kind"},
	{"integrity", hp_cli_measure, hp_probe_integrity, false,
	 "does the hardware see through the method?"},
	{"granule", hp_cli_granule, NULL, false,
	 "what one translation really covers, against what is claimed"},
	{"plot", plot, NULL, true,
	 "draws results of table, sweep and granule as SVG or PNG"},
	{NULL, NULL, NULL, false, NULL},
};

static void on_interrupt(int signal)
{
	(void)signal;
	hp_cli_stop = 1;
}

/* The first Ctrl-C ends the measurement, the second one the program. */
static void catch_interrupt(void)
{
	struct sigaction action = {.sa_handler = on_interrupt,
				   .sa_flags = SA_RESETHAND};

	sigaction(SIGINT, &action, NULL);
}

void hp_cli_progress(const char *step, double done, void *arg)
{
	(void)arg;
	fprintf(stderr, "\r%3.0f %%  %-50.50s", done * 100, step);
}

void hp_cli_progress_clear(void)
{
	if (isatty(STDERR_FILENO))
		fprintf(stderr, "\r%-58s\r", "");
}

/*
 * Told before measuring, not after.  What was closed is open for reading only
 * by now: reserve_standard_files().
 */
static bool stdout_is_open(void)
{
	return (fcntl(STDOUT_FILENO, F_GETFL) & O_ACCMODE) != O_RDONLY;
}

FILE *hp_cli_open(const struct hp_cli *cli)
{
	FILE *out = cli->output ? fopen(cli->output, "we") : stdout;

	if (!cli->output && !stdout_is_open()) {
		errno = EBADF;
		out = NULL;
	}
	if (!out)
		fprintf(stderr, "hpprobe: cannot write %s: %s\n",
			cli->output ? cli->output : "standard output",
			strerror(errno));
	return out;
}

int hp_cli_close(const struct hp_cli *cli, FILE *out)
{
	int failed = fflush(out) || ferror(out);

	if (cli->output)
		failed |= fclose(out);
	if (!failed)
		return HP_EXIT_OK;
	fprintf(stderr, "hpprobe: cannot write %s: %s\n",
		cli->output ? cli->output : "standard output", strerror(errno));
	return HP_EXIT_IMPOSSIBLE;
}

static void write_result(const struct hp_cli *cli, FILE *out,
			 const struct hp_probe_result *result)
{
	switch (cli->format) {
	case HP_OUTPUT_JSON:
		hp_write_json(out, result);
		break;
	case HP_OUTPUT_CSV:
		hp_write_csv(out, result);
		break;
	case HP_OUTPUT_TEXT:
		hp_write_text(out, result);
	}
}

/* What a script must notice even if it does not read the result. */
static int judge(const struct hp_probe_result *result)
{
	for (size_t i = 0; i < result->narms; i++) {
		const struct hp_probe_arm *arm = &result->arms[i];

		if (arm->reason[0] &&
		    (i == 0 || strcmp(arm->pages, result->arms[i - 1].pages)))
			fprintf(stderr, "hpprobe: %s: %s\n", arm->pages,
				arm->reason);
	}
	return result->conclusions_valid ? HP_EXIT_OK : HP_EXIT_USAGE;
}

int hp_cli_fail(const struct hp_cli *cli, int err)
{
	const char *name = cli->command->name;

	if (err == -ENOENT) {
		fprintf(stderr,
			"hpprobe: bad --pattern '%s' for %s; see --help\n",
			cli->options.pattern, name);
		return HP_EXIT_USAGE;
	}
	if (cli->options.span)
		fprintf(stderr, "hpprobe %s: a span of %llu bytes: %s\n", name,
			(unsigned long long)cli->options.span, strerror(-err));
	else
		fprintf(stderr, "hpprobe %s: %s; try a --span\n", name,
			strerror(-err));
	return HP_EXIT_IMPOSSIBLE;
}

void hp_cli_announce(const char *command, double bound_s, void *arg)
{
	(void)arg;
	fprintf(stderr, "hpprobe %s: at most %.0f s\n", command, bound_s);
}

int hp_cli_measure(const struct hp_cli *cli)
{
	struct hp_probe_options options = cli->options;
	struct hp_probe_result *result;
	FILE *out = hp_cli_open(cli);
	int err, status;

	if (!out)
		return HP_EXIT_IMPOSSIBLE;
	options.stop = &hp_cli_stop;
	if (!cli->quiet)
		options.announce = hp_cli_announce;
	if (!cli->quiet && isatty(STDERR_FILENO))
		options.progress = hp_cli_progress;
	err = cli->command->probe(&options, &result);
	if (options.progress)
		hp_cli_progress_clear();
	if (err) {
		hp_cli_close(cli, out);
		return hp_cli_fail(cli, err);
	}
	write_result(cli, out, result);
	err = hp_cli_close(cli, out);
	status = judge(result);
	hp_probe_result_free(result);
	return err ? err : status;
}

/*
 * A file opened later must not become standard output because that was closed.
 * What takes its place is open the wrong way round, so that using it fails.
 */
static void reserve_standard_files(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null",
			 fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
			return;
}

int main(int argc, char **argv)
{
	struct hp_cli cli;
	int status;

	reserve_standard_files();
	status = hp_cli_parse(&cli, argc, argv);
	if (status >= 0)
		return status;
	catch_interrupt();
	return cli.command->run(&cli);
}
