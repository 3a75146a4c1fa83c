/* SPDX-License-Identifier: MIT */
/*
 * hpprobe.h - what the files of the hpprobe tool share
 *
 * Exit statuses: 0 done, at least two kinds of page stand; 1 impossible size
 * or input/output error; 2 bad usage, or fewer than two kinds stand.
 */
#ifndef HP_HPPROBE_H
#define HP_HPPROBE_H

#include <stdio.h>

#include "probe/hp_probe.h"

enum { HP_EXIT_OK = 0, HP_EXIT_IMPOSSIBLE = 1, HP_EXIT_USAGE = 2 };

enum hp_output_format { HP_OUTPUT_TEXT, HP_OUTPUT_JSON, HP_OUTPUT_CSV };

struct hp_command;

struct hp_cli {
	const struct hp_command *command;
	struct hp_probe_options options;
	enum hp_output_format format;
	const char *output; /* file, NULL: standard output */
	int quiet;
	char **files; /* what stands behind the options */
	int nfiles;
};

struct hp_command {
	const char *name;
	int (*run)(const struct hp_cli *cli); /* returns the exit status */
	/* measured by hp_cli_measure(); NULL for other commands */
	int (*probe)(const struct hp_probe_options *options,
		     struct hp_probe_result **out);
	bool takes_files;
	const char *help;
};

extern const struct hp_command hp_commands[]; /* ends with a NULL name */

/**
 * hp_cli_parse - arguments -> what to do
 *
 * Return: -1 go on; otherwise the status to exit with, everything said.
 */
int hp_cli_parse(struct hp_cli *cli, int argc, char **argv);

/* hp_cli_measure - run cli->command->probe and write the result */
int hp_cli_measure(const struct hp_cli *cli);

/* hp_cli_open, hp_cli_close - where results go; NULL or status after a line */
FILE *hp_cli_open(const struct hp_cli *cli);
int hp_cli_close(const struct hp_cli *cli, FILE *out);

/* hp_cli_fail - say why a command found nothing; the exit status */
int hp_cli_fail(const struct hp_cli *cli, int err);

/* hp_cli_announce - the time bound, for hp_probe_options.announce */
void hp_cli_announce(const char *command, double bound_s, void *arg);

/* hp_cli_progress - the progress line, for hp_probe_options.progress */
void hp_cli_progress(const char *step, double done, void *arg);
void hp_cli_progress_clear(void);

/* hp_cli_stop - set once the user has asked to stop */
extern volatile int hp_cli_stop;

void hp_write_json(FILE *out, const struct hp_probe_result *result);
void hp_write_csv(FILE *out, const struct hp_probe_result *result);
void hp_write_text(FILE *out, const struct hp_probe_result *result);

struct json_object;
/* parts other writers may use; the caller owns the object */
struct json_object *hp_json_machine(const struct hp_probe_machine *machine);
struct json_object *hp_json_options(const struct hp_probe_result *result);
struct json_object *hp_json_number(double value); /* NAN: null */

#endif
