/* SPDX-License-Identifier: MIT */
/*
 * altstack.h - calls that need more stack than whoever leads to them has
 *
 * The program calls malloc and munmap on any stack: 16 KiB of a thread, 8 KiB
 * of a coroutine, with anything below. How much is left is not to be found out
 * there, so what needs much runs on a stack of its own, one call at a time.
 *
 * Signals are blocked meanwhile: a handler must not run on a stack that is not
 * its thread's (collectors of garbage look at it), nor leave by siglongjmp.
 */
#ifndef HP_ALTSTACK_H
#define HP_ALTSTACK_H

#include "libhp/lock.h"

struct hp_altstack {
	struct hp_lock lock;
	char *top;    /* NULL: there is none, calls stay where they are */
	bool sandbox; /* it may forbid to block signals */
};

typedef void (*hp_altstack_fn)(void *arg);

/* hp_altstack_open - @size bytes, touched only as far as they are used */
void hp_altstack_open(struct hp_altstack *s, size_t size);

/* hp_altstack_try - @fn(@arg) there; false: the stack is in use, not called */
bool hp_altstack_try(struct hp_altstack *s, hp_altstack_fn fn, void *arg);

/* hp_altstack_run - the same after a wait; false: in use for too long */
bool hp_altstack_run(struct hp_altstack *s, hp_altstack_fn fn, void *arg);

/* hp_altstack_keep - a sandbox is near */
void hp_altstack_keep(struct hp_altstack *s);

/* hp_altstack_forked - in the child: whoever used it is gone */
void hp_altstack_forked(struct hp_altstack *s);

#endif
