/* SPDX-License-Identifier: MIT */
#include "libhp/alone.h"

#include <string.h>
#include <sys/single_threaded.h>

#include "libhp/altstack.h"
#include "libhp/textfile.h"

/* two buffers of a page each, and what is around them */
#define STACK_SIZE (32 * HP_KIB)

/* each bit is a line that has been seen and says what it should */
enum { ONE_THREAD = 1, NONE_PINNED = 2 };

/* Threads also counts those that clone() made behind libc's back. VmPin is
 * what is registered with the kernel. */
static int status_line(char *text, void *arg)
{
	unsigned int *seen = arg;
	uint64_t n;

	if (hp_text_field(text, "Threads", &n) == 0 && n == 1)
		*seen |= ONE_THREAD;
	if (hp_text_field(text, "VmPin", &n) == 0 && n == 0)
		*seen |= NONE_PINNED;
	return 0;
}

/* who has a ring of either kind may have reads under way */
static int map_line(char *text, void *arg)
{
	(void)arg;
	return strstr(text, "/[aio]") || strstr(text, "[io_uring]");
}

static void ask(void *arg)
{
	unsigned int seen = 0;
	bool *alone = arg;

	*alone = hp_textfile_lines("/proc/self/status", status_line, &seen) ==
			 0 &&
		 seen == (ONE_THREAD | NONE_PINNED) &&
		 hp_textfile_lines("/proc/self/maps", map_line, NULL) == 0;
}

bool hp_alone(void)
{
	static struct hp_altstack stack; /* no other thread opens it */
	bool alone = false;

	if (!__libc_single_threaded)
		return false;
	if (!stack.top)
		hp_altstack_open(&stack, STACK_SIZE);
	return hp_altstack_run(&stack, ask, &alone) && alone;
}
