/* SPDX-License-Identifier: MIT */
/*
 * change.h - what a program changes about memory it has: protection, advice,
 * locks, policy, or another kind of memory in its place
 *
 * The kernel does what was asked; what is noted is which memory of ours is no
 * longer like the memory next to it, also where a call failed half-way. Results
 * are the kernel's.
 */
#ifndef HP_CHANGE_H
#define HP_CHANGE_H

#include <stddef.h>
#include <sys/types.h>

struct iovec;

long hp_change_protect(void *addr, size_t len, int prot);
/* hp_change_key - pkey_mprotect(2); the key is one, not -1 */
long hp_change_key(void *addr, size_t len, int prot, int key);
long hp_change_advise(void *addr, size_t len, int advice);
/* hp_change_advise_by - process_madvise(2); n or more bytes, or -errno */
ssize_t hp_change_advise_by(int pidfd, const struct iovec *ranges, size_t n,
			    int advice, unsigned int flags);
long hp_change_lock(void *addr, size_t len, int flags); /* mlock2(2) */
long hp_change_unlock(void *addr, size_t len);
/* hp_change_policy - mbind(2) */
long hp_change_policy(void *addr, size_t len, int mode,
		      const unsigned long *mask, unsigned long maxnode,
		      unsigned int flags);
/* hp_change_attach - shmat(2); an address or -errno */
long hp_change_attach(int id, const void *addr, int flags);

/*
 * hp_change_tried - to put something at a fixed address failed, and what was
 * there before may be gone
 */
void hp_change_tried(const void *addr, size_t len);

#endif
