/* SPDX-License-Identifier: MIT */
/*
 * hprun - run a program on huge pages and say whether it got them
 */
#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "libhp/tool/tool.h"
#include "preload/command.h"
#include "preload/compare.h"
#include "preload/launch.h"
#include "preload/library.h"
#include "preload/program.h"
#include "preload/quote.h"
#include "preload/relay.h"
#include "preload/script.h"
#include "preload/verdict.h"

static char *preload_text(const struct hp_command *cmd)
{
	char *library = hp_library_find(cmd->library);
	char *text;

	if (!library)
		errx(HP_STATUS_OWN_ERROR,
		     "%s is not there or not readable; "
		     "name it with --library=FILE",
		     cmd->library ? cmd->library : "libhp-preload.so");
	if (!hp_library_nameable(library))
		errx(HP_STATUS_OWN_ERROR,
		     "'%s': LD_PRELOAD cannot name a file "
		     "with a blank or a colon in its path; install it "
		     "elsewhere",
		     library);
	text = hp_library_preload(library, getenv("LD_PRELOAD"));
	free(library);
	if (!text)
		errx(HP_STATUS_OWN_ERROR, "out of memory");
	return text;
}

__attribute__((noreturn)) static void show(const struct hp_command *cmd,
					   const char *preload)
{
	printf("env");
	for (unsigned int i = 0; i < cmd->settings.n; i++) {
		printf(" %s=", cmd->settings.set[i].name);
		hp_quote_shell(stdout, cmd->settings.set[i].value);
	}
	printf(" LD_PRELOAD=");
	hp_quote_shell(stdout, preload);
	for (char **word = cmd->argv; *word; word++) {
		putchar(' ');
		hp_quote_shell(stdout, *word);
	}
	putchar('\n');
	hp_tool_finish(0);
}

/* another libc's loader may refuse to start a program for a library's sake */
static bool takes_preload(const char *program)
{
	char *path = hp_program_find(program);
	char *image = path ? hp_script_image(path) : NULL;
	bool takes =
		!image || hp_program_obstacle(image) != HP_OBSTACLE_OTHER_LIBC;

	free(image);
	free(path);
	return takes;
}

static void create_result(struct hp_result *result)
{
	int error = hp_result_create(result);

	if (error)
		errx(HP_STATUS_OWN_ERROR,
		     "no temporary file: %s; set TMPDIR to a writable "
		     "directory",
		     strerror(-error));
}

/* with nothing to be said at its end nobody needs to stand in between */
static int run_undemanded(const struct hp_launch *launch)
{
	int error = hp_launch_exec(launch);
	struct hp_ending ending = {.exec_errno = -error};

	return hp_verdict_status(launch->argv[0], NULL, &ending, NULL);
}

static int run_demanded(const struct hp_command *cmd, struct hp_launch *launch)
{
	struct hp_result result;
	struct hp_ending ending;
	int error, status;

	hp_relay_hold();
	create_result(&result);
	launch->result = &result;
	error = hp_launch_run(launch, &ending);
	status = error ? HP_STATUS_OWN_ERROR
		       : hp_verdict_status(cmd->argv[0], &cmd->demand, &ending,
					   &result);
	hp_result_remove(&result);
	if (error)
		warnx("cannot start a process: %s", strerror(-error));
	else if (WIFSIGNALED(ending.status))
		hp_relay_end_as(WTERMSIG(ending.status));
	return status;
}

static int run(const struct hp_command *cmd, const char *preload)
{
	struct hp_launch launch = {.argv = cmd->argv,
				   .settings = &cmd->settings,
				   .preload = preload};

	return hp_demand_any(&cmd->demand) ? run_demanded(cmd, &launch)
					   : run_undemanded(&launch);
}

int main(int argc, char **argv)
{
	static char name[] = "hprun"; /* whatever a wrapper calls the file */
	struct hp_command cmd;
	char *preload, *entering;
	int status;

	program_invocation_short_name = name;
	hp_command_parse(&cmd, argc, argv);
	preload = preload_text(&cmd);
	if (cmd.dry_run)
		show(&cmd, preload);
	entering = takes_preload(cmd.argv[0]) ? preload : NULL;
	status = cmd.compare.rounds ? hp_compare(&cmd, entering)
				    : run(&cmd, entering);
	free(preload);
	hp_command_clear(&cmd);
	return status;
}
