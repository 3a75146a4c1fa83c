/* SPDX-License-Identifier: MIT */
/*
 * case_background COMMAND... - in the background of a terminal that stops
 * whoever writes there; the status is the command's, 99 when it was stopped
 */
#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "tests/case.h"

#define STOPPED 99

static int status_of(int status)
{
	return WIFEXITED(status) ? WEXITSTATUS(status) : STOPPED;
}

static int run_behind(char **command)
{
	struct termios settings;
	int status;
	pid_t child;

	MUST(tcgetattr(0, &settings) == 0);
	settings.c_lflag |= TOSTOP;
	MUST(tcsetattr(0, TCSANOW, &settings) == 0);
	child = fork();
	if (child == 0) {
		setpgid(0, 0);
		execvp(command[0], command);
		_exit(127);
	}
	MUST(waitpid(child, &status, WUNTRACED) == child);
	if (WIFSTOPPED(status))
		kill(child, SIGKILL);
	return status_of(status);
}

int main(int argc, char **argv)
{
	int terminal, status;
	char said[4096];
	pid_t leader;

	MUST(argc > 1);
	leader = forkpty(&terminal, NULL, NULL, NULL);
	MUST(leader >= 0);
	if (leader == 0)
		_exit(run_behind(argv + 1));
	while (read(terminal, said, sizeof(said)) > 0)
		continue;
	MUST(waitpid(leader, &status, 0) == leader);
	return status_of(status);
}
