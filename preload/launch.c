/* SPDX-License-Identifier: MIT */
#include "preload/launch.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

/* of a child in which no program was started; nobody is shown it */
#define HP_EXIT_UNSTARTED 125

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

/*
 * A caller that kills hprun means the program. The kernel forgets this when a
 * set-user-ID program is executed.
 */
static void die_with(pid_t parent)
{
	pid_t now;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	now = getppid();
	/* 0: hprun is outside of the namespace of its children */
	if (now && now != parent)
		_exit(HP_EXIT_UNSTARTED);
}

/* errno goes through @error, which hprun shares: no descriptor is in the way */
__attribute__((noreturn)) static void become(const struct hp_launch *launch,
					     const struct hp_relay *relay,
					     pid_t parent, int *error)
{
	int err;

	die_with(parent);
	err = take_streams(launch->streams);
	if (!err)
		err = export(launch);
	if (!err) {
		hp_relay_hand_over(relay);
		hp_relay_release();
		execvp(launch->argv[0], launch->argv);
		err = -errno;
	}
	*error = -err;
	_exit(HP_EXIT_UNSTARTED);
}

int hp_launch_exec(const struct hp_launch *launch)
{
	int err = export(launch);

	if (err)
		return err;
	execvp(launch->argv[0], launch->argv);
	return -errno;
}

static int run(const struct hp_launch *launch, struct hp_ending *ending,
	       int *error)
{
	struct hp_relay relay = {.watch = launch->watch, .arg = launch->arg};
	pid_t self = getpid(), child;

	hp_relay_begin(&relay);
	child = fork();
	if (child < 0)
		return -errno;
	if (child == 0)
		become(launch, &relay, self, error);
	hp_relay_wait(&relay, child, ending);
	ending->exec_errno = *error;
	return 0;
}

int hp_launch_run(const struct hp_launch *launch, struct hp_ending *ending)
{
	int *error = mmap(NULL, sizeof(*error), PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int err;

	if (error == MAP_FAILED)
		return -errno;
	err = run(launch, ending, error);
	munmap(error, sizeof(*error));
	return err;
}
