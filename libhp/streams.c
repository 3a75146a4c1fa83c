/* SPDX-License-Identifier: MIT */
#include "libhp/streams.h"

#include <sys/single_threaded.h>

/* exported by glibc since 2.2.5, for libstdc++ of old */
void _IO_list_lock(void);
void _IO_list_unlock(void);
void _IO_list_resetlock(void);

/* more than one: a fork in a handler that interrupted a fork. Guarded by it. */
static unsigned int held;

void hp_streams_fork_prepare(void)
{
	if (__libc_single_threaded)
		return;
	_IO_list_lock();
	held++;
}

void hp_streams_fork_parent(void)
{
	if (!held)
		return;
	held--;
	_IO_list_unlock();
}

/* libc has done so, if it thought as we did that there are threads */
void hp_streams_fork_child(void)
{
	if (held)
		_IO_list_resetlock();
	held = 0;
}
