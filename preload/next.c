/* SPDX-License-Identifier: MIT */
#include "preload/next.h"

#include <dlfcn.h>

struct hp_next hp_next;

#define FIND(field, name)                                                      \
	(hp_next.field = (__typeof__(hp_next.field))dlsym(RTLD_NEXT, name))

void hp_next_init(void)
{
	if (hp_next.exit)
		return;
	FIND(libc_start_main, "__libc_start_main");
	FIND(exit_now, "_exit");
	FIND(quick_exit, "quick_exit");
	FIND(fork_now, "_Fork");
	FIND(vfork, "vfork");
	FIND(daemon, "daemon");
	FIND(pthread_create, "pthread_create");
	FIND(register_atfork, "__register_atfork");
	FIND(prctl, "prctl");
	FIND(syscall, "syscall");
	FIND(exit, "exit");
}
