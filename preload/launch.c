/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libhp/common.h"
#include "preload/launch.h"

/* hprun's own faults, and what the terminal stops both processes with */
static const int not_passed_on[] = {SIGSEGV, SIGBUS,  SIGFPE,  SIGILL, SIGTRAP,
				    SIGSYS,  SIGTSTP, SIGTTIN, SIGTTOU};

/* what people and their tools end a job with */
static const int asks_to_end[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

enum { WATCH_MS = 20 };

static struct {
	sigset_t held;
	sigset_t inherited;
	struct sigaction child; /* inherited disposition of SIGCHLD */
} signals;

void hp_launch_hold(void)
{
	/* an inherited SIG_IGN would let the kernel throw the status away */
	struct sigaction wanted = {.sa_handler = SIG_DFL};

	sigaction(SIGCHLD, &wanted, &signals.child);
	sigfillset(&signals.held);
	for (size_t i = 0; i < HP_ARRAY_SIZE(not_passed_on); i++)
		sigdelset(&signals.held, not_passed_on[i]);
	sigprocmask(SIG_BLOCK, &signals.held, &signals.inherited);
}

static bool is_stop(int sig)
{
	for (size_t i = 0; i < HP_ARRAY_SIZE(asks_to_end); i++)
		if (asks_to_end[i] == sig)
			return true;
	return false;
}

int hp_launch_stop(void)
{
	const struct timespec now = {0, 0};
	sigset_t set;
	int sig;

	sigemptyset(&set);
	for (size_t i = 0; i < HP_ARRAY_SIZE(asks_to_end); i++)
		sigaddset(&set, asks_to_end[i]);
	sig = sigtimedwait(&set, NULL, &now);
	return sig > 0 ? sig : 0;
}

void hp_launch_release(void)
{
	sigaction(SIGCHLD, &signals.child, NULL);
	sigprocmask(SIG_SETMASK, &signals.inherited, NULL);
}

/*
 * With an auditor the loader lays thread-local storage out before it knows of
 * the preload, and jemalloc's 2.6 KB do not fit into what it sets aside.
 */
static int make_room_beside_auditor(void)
{
	const char *tunables = getenv("GLIBC_TUNABLES");
	char *text = NULL;
	int err;

	if (!getenv("LD_AUDIT") ||
	    (tunables && strstr(tunables, "optional_static_tls")))
		return 0;
	if (asprintf(&text, "%s%sglibc.rtld.optional_static_tls=8192",
		     tunables ? tunables : "", tunables ? ":" : "") < 0)
		return -ENOMEM;
	err = setenv("GLIBC_TUNABLES", text, 1) ? -errno : 0;
	free(text);
	return err;
}

static int export(const struct hp_launch *launch)
{
	int err = hp_settings_export(launch->settings);

	if (!err && launch->result)
		err = hp_result_export(launch->result, getpid());
	if (!err && launch->preload && setenv("LD_PRELOAD", launch->preload, 1))
		err = -errno;
	if (!err && launch->preload)
		err = make_room_beside_auditor();
	return err;
}

static int take_streams(const int *streams)
{
	for (int fd = 0; streams && fd < 3; fd++)
		if (dup2(streams[fd], fd) < 0)
			return -errno;
	return 0;
}

/* errno goes through @fd, which a successful exec closes unwritten */
static void become(const struct hp_launch *launch, int fd)
{
	int err = -export(launch);

	if (!err)
		err = -take_streams(launch->streams);
	if (!err) {
		hp_launch_release();
		execvp(launch->argv[0], launch->argv);
		err = errno;
	}
	while (write(fd, &err, sizeof(err)) < 0 && errno == EINTR)
		;
	_exit(125);
}

/* keys typed at the terminal reach the whole foreground group, child included
 */
static bool had_by_child(const siginfo_t *info, pid_t child)
{
	return info->si_code == SI_KERNEL && getpgid(child) == getpgrp();
}

static int next_signal(const struct hp_launch *launch, siginfo_t *info)
{
	const struct timespec a_while = {0, WATCH_MS * 1000000L};

	return launch->watch ? sigtimedwait(&signals.held, info, &a_while)
			     : sigwaitinfo(&signals.held, info);
}

static void wait_for(pid_t child, const struct hp_launch *launch,
		     struct hp_ending *ending)
{
	siginfo_t info;

	while (wait4(child, &ending->status, WNOHANG, &ending->usage) !=
	       child) {
		int sig = next_signal(launch, &info);

		if (is_stop(sig))
			ending->stop = sig;
		if (sig > 0 && sig != SIGCHLD && !had_by_child(&info, child))
			kill(child, sig);
		if (launch->watch)
			launch->watch(child, launch->arg);
	}
}

static int exec_errno(int fd)
{
	ssize_t n;
	int err;

	do
		n = read(fd, &err, sizeof(err));
	while (n < 0 && errno == EINTR);
	return n == sizeof(err) ? err : 0;
}

int hp_launch_run(const struct hp_launch *launch, struct hp_ending *ending)
{
	int fds[2];
	pid_t child;

	if (pipe2(fds, O_CLOEXEC))
		return -errno;
	child = fork();
	if (child == 0)
		become(launch, fds[1]);
	close(fds[1]);
	if (child > 0) {
		ending->exec_errno = exec_errno(fds[0]);
		ending->stop = 0;
		wait_for(child, launch, ending);
	}
	close(fds[0]);
	return child < 0 ? -EAGAIN : 0;
}
