/* SPDX-License-Identifier: MIT */
/*
 * streams.h - the lock of stdio's list of streams, before any lock of a heap
 *
 * fork() of a threaded process takes that lock after all handlers, so after the
 * heap's locks. But fflush(NULL) waits for streams while it holds it, and
 * getline allocates while it holds a stream: each would wait for the next.
 * Where a handler takes it first, nobody waits in a circle, and fork() gets it
 * a second time.
 *
 * Also safe in a signal handler as far as fork() itself is.
 */
#ifndef HP_STREAMS_H
#define HP_STREAMS_H

#include "libhp/common.h"

/* hp_streams_fork_prepare - the first of what is done before a fork */
void hp_streams_fork_prepare(void);
/* the last of what is done in the parent, anywhere in the child */
void hp_streams_fork_parent(void);
void hp_streams_fork_child(void);

#endif
