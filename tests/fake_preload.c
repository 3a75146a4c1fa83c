/* SPDX-License-Identifier: MIT */
/*
 * fake_preload - the half of libhp-preload.so that hprun sees
 *
 * Built by tests/hprun.sh. Writes LIBHP_RESULT as the real one does, and at
 * exit what FAKE_REPORT holds; FAKE_REFUSE refuses to start as mode on may,
 * FAKE_STATUS is the exit status of a library that finds a requirement unmet.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *path;

static void put(const char *text)
{
	int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	size_t len = strlen(text);

	if (fd < 0 || write(fd, text, len) != (ssize_t)len)
		abort();
	close(fd);
}

__attribute__((constructor)) static void start(void)
{
	const char *result = getenv("LIBHP_RESULT");
	char *end;

	if (!result || strtol(result, &end, 10) != getpid() || *end != ':')
		return;
	path = end + 1;
	put("{\"schema\":\"libhp.report/1\",\"loaded\":true}\n");
	if (getenv("FAKE_REFUSE")) {
		fputs("libhp: refused\n", stderr);
		_exit(125);
	}
}

__attribute__((noreturn)) static void leave(int status)
{
	for (;;)
		syscall(SYS_exit_group, status);
}

__attribute__((destructor)) static void stop(void)
{
	if (path && getenv("FAKE_REPORT"))
		put(getenv("FAKE_REPORT"));
	if (path && getenv("FAKE_STATUS"))
		leave(atoi(getenv("FAKE_STATUS")));
	path = NULL;
}

/* shells leave through it, past every destructor */
void _exit(int status)
{
	stop();
	leave(status);
}
