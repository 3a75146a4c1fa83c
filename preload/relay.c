/* SPDX-License-Identifier: MIT */
#include "preload/relay.h"

#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libhp/common.h"
#include "preload/suspend.h"

/* what people and their tools end a job with */
static const int asks_to_end[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

/* what the kernel sends to whole process groups */
static const int to_group[] = {SIGINT,	SIGQUIT, SIGTSTP,  SIGTTIN,
			       SIGTTOU, SIGHUP,	 SIGWINCH, SIGCONT};

enum { WATCH_MS = 20 };

static struct {
	sigset_t held;
	sigset_t inherited;
	struct sigaction child; /* inherited disposition of SIGCHLD */
} signals;

void hp_relay_hold(void)
{
	/* an inherited SIG_IGN would let the kernel throw the status away */
	struct sigaction wanted = {.sa_handler = SIG_DFL};

	sigaction(SIGCHLD, &wanted, &signals.child);
	sigfillset(&signals.held);
	sigprocmask(SIG_BLOCK, &signals.held, &signals.inherited);
}

void hp_relay_release(void)
{
	sigaction(SIGCHLD, &signals.child, NULL);
	sigprocmask(SIG_SETMASK, &signals.inherited, NULL);
}

static bool is_among(int sig, const int *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (list[i] == sig)
			return true;
	return false;
}

int hp_relay_asked(void)
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

/* a terminal that hangs up tells the leader of its session and nobody else */
static bool is_for_leader(int sig)
{
	return (sig == SIGHUP || sig == SIGCONT) && getsid(0) == getpid();
}

static bool had_by_child(const struct hp_relay *r, const siginfo_t *info)
{
	int sig = info->si_signo;

	if (info->si_code == SI_USER)
		return info->si_pid == r->child;
	return info->si_code == SI_KERNEL &&
	       is_among(sig, to_group, HP_ARRAY_SIZE(to_group)) &&
	       !is_for_leader(sig) && getpgid(r->child) == getpgrp();
}

/* a shell continues the whole job; another may continue hprun alone */
static void pass_on_continue(struct hp_relay *r)
{
	siginfo_t unused;

	if (!r->continued) {
		kill(r->child, SIGCONT);
		waitid(P_PID, (id_t)r->child, &unused, WCONTINUED | WNOHANG);
	}
	r->continued = false;
}

static void pass_on(struct hp_relay *r, const siginfo_t *info)
{
	int sig = info->si_signo;

	if (sig == SIGCHLD || had_by_child(r, info))
		return;
	if (sig == SIGCONT)
		pass_on_continue(r);
	else if (info->si_code == SI_QUEUE)
		sigqueue(r->child, sig, info->si_value);
	else
		kill(r->child, sig);
}

static int next_signal(const struct hp_relay *r, siginfo_t *info)
{
	const struct timespec a_while = {0, WATCH_MS * 1000000L};

	return r->watch ? sigtimedwait(&signals.held, info, &a_while)
			: sigwaitinfo(&signals.held, info);
}

/* takes note of every stop and continuation on the way */
static bool has_ended(struct hp_relay *r, struct hp_ending *ending)
{
	int *status = &ending->status;

	while (wait4(r->child, status, WNOHANG | WUNTRACED | WCONTINUED,
		     &ending->usage) == r->child) {
		if (!WIFSTOPPED(*status) && !WIFCONTINUED(*status))
			return true;
		r->stop = WIFSTOPPED(*status) ? WSTOPSIG(*status) : 0;
		r->continued = WIFCONTINUED(*status);
	}
	return false;
}

static void follow_stop(struct hp_relay *r)
{
	int sig = r->stop;

	r->stop = 0;
	if (sig)
		hp_suspend(sig, r->child);
}

void hp_relay_begin(struct hp_relay *r)
{
	const struct timespec now = {0, 0};
	int sig;

	sigemptyset(&r->early);
	while ((sig = sigtimedwait(&signals.held, NULL, &now)) > 0)
		if (sig != SIGCHLD)
			sigaddset(&r->early, sig);
}

void hp_relay_hand_over(const struct hp_relay *r)
{
	for (int sig = 1; sig <= SIGRTMAX; sig++)
		if (sigismember(&r->early, sig) == 1)
			kill(getpid(), sig);
}

/* what the child was handed over may have been to end more than the child */
static int early_stop(const struct hp_relay *r)
{
	for (size_t i = 0; i < HP_ARRAY_SIZE(asks_to_end); i++)
		if (sigismember(&r->early, asks_to_end[i]))
			return asks_to_end[i];
	return 0;
}

void hp_relay_wait(struct hp_relay *r, pid_t child, struct hp_ending *ending)
{
	r->child = child;
	ending->stop = early_stop(r);
	for (;;) {
		siginfo_t info;
		int sig = next_signal(r, &info);

		if (is_among(sig, asks_to_end, HP_ARRAY_SIZE(asks_to_end)))
			ending->stop = sig;
		if (has_ended(r, ending))
			return;
		if (sig > 0)
			pass_on(r, &info);
		if (r->watch)
			r->watch(child, r->arg);
		follow_stop(r);
	}
}

void hp_relay_end_as(int sig)
{
	struct sigaction fatal = {.sa_handler = SIG_DFL};
	sigset_t only;

	prctl(PR_SET_DUMPABLE, 0);
	sigaction(sig, &fatal, NULL);
	sigemptyset(&only);
	sigaddset(&only, sig);
	raise(sig);
	sigprocmask(SIG_UNBLOCK, &only, NULL);
}
