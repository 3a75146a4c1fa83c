/* SPDX-License-Identifier: MIT */
#include "preload/compare_warm.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libhp/common.h"
#include "libhp/linux.h"
#include "preload/relay.h"
#include "probe/buffer.h"

#define SPARE (16 * HP_MIB)

static void offer_to_oom_killer(void)
{
	static const char most[] = "1000";
	int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	hp_linux_write(fd, most, strlen(most));
	close(fd);
}

/* the second pass meets what the host took back during the first */
static void touch_twice(volatile char *at, size_t len)
{
	size_t step = hp_linux_page_size();

	for (size_t i = 0; i < 2 * len; i += step)
		at[i % len] = 1;
}

__attribute__((noreturn)) static void warm(size_t len)
{
	long at;

	/* ^Z is for the next run, whose stop hprun sees */
	signal(SIGTSTP, SIG_IGN);
	hp_relay_release();
	offer_to_oom_killer();
	at = hp_linux_map(NULL, len, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (hp_linux_failed(at))
		_exit(EXIT_FAILURE);
	/* refused on kernels without: then through small pages */
	hp_linux_advise((void *)at, len, MADV_HUGEPAGE);
	touch_twice((volatile char *)at, len);
	_exit(EXIT_SUCCESS);
}

static size_t wanted(uint64_t peak)
{
	uint64_t bytes = hp_min(peak + peak / 4 + SPARE, hp_buffer_room());

	return hp_align_down(bytes, hp_linux_page_size());
}

uint64_t hp_warm(uint64_t peak)
{
	size_t len = wanted(peak);
	int status = -1;
	pid_t child = len ? fork() : -1;

	if (child == 0)
		warm(len);
	if (child < 0)
		return 0;
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return status == 0 ? len : 0;
}
