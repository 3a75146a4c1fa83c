/* SPDX-License-Identifier: MIT */
#include "preload/suspend.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libhp/linux.h"

enum { LOOK_MS = 50 };

/* letter of /proc/PID/stat, behind a name that may hold anything; 0: gone */
static char state_of(pid_t pid)
{
	char path[32], text[256];
	const char *name_end;
	ssize_t n = -1;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	fd = hp_linux_open(path, O_RDONLY, 0);
	if (fd >= 0) {
		n = hp_linux_read(fd, text, sizeof(text) - 1);
		hp_linux_close(fd);
	}
	if (n <= 0)
		return 0;
	text[n] = '\0';
	name_end = strrchr(text, ')');
	return name_end && name_end[1] ? name_end[2] : 0;
}

/* by a signal, or under a debugger */
static bool is_stopped(pid_t pid)
{
	char state = state_of(pid);

	return state == 'T' || state == 't';
}

/* in a session of its own: no signal to the job stops or continues it */
__attribute__((noreturn)) static void wake(pid_t stopped, pid_t child)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setsid();
	while (getppid() == stopped) {
		usleep(LOOK_MS * 1000);
		if (is_stopped(stopped) && !is_stopped(child))
			kill(stopped, SIGCONT);
	}
	_exit(0);
}

static void stop_here(int sig)
{
	struct sigaction stops = {.sa_handler = SIG_DFL}, before;
	bool changed = sigaction(sig, &stops, &before) == 0;
	sigset_t only;

	sigemptyset(&only);
	sigaddset(&only, sig);
	raise(sig);
	sigprocmask(SIG_UNBLOCK, &only, NULL);
	sigprocmask(SIG_BLOCK, &only, NULL);
	if (changed)
		sigaction(sig, &before, NULL);
}

void hp_suspend(int sig, pid_t child)
{
	pid_t self = getpid();
	pid_t waker = fork();

	if (waker == 0)
		wake(self, child);
	stop_here(sig);
	if (waker < 0)
		return;
	kill(waker, SIGKILL);
	waitpid(waker, NULL, 0);
}
