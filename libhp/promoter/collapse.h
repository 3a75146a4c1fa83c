/* SPDX-License-Identifier: MIT */
/*
 * collapse.h - making slots of another process huge, one at a time
 *
 * process_madvise(2) with MADV_COLLAPSE. The process runs on: it waits only
 * when it touches the very slot that is being copied, as with khugepaged.
 */
#ifndef HP_COLLAPSE_H
#define HP_COLLAPSE_H

#include <stdint.h>
#include <sys/types.h>

/* what became of a slot; madvise(2), ERRORS */
enum hp_outcome {
	HP_OUTCOME_PROMOTED,
	HP_OUTCOME_NO_MEMORY, /* ENOMEM: no free memory in one piece */
	HP_OUTCOME_MEMCG,     /* EBUSY: the memory cgroup refuses the charge */
	HP_OUTCOME_BUSY,      /* EAGAIN: a page is pinned, locked or moving */
	HP_OUTCOME_REFUSED,   /* EINVAL: the mapping changed, or is special */
	HP_OUTCOME_ENDED,     /* ESRCH */
	HP_OUTCOME_DENIED,    /* EPERM, EACCES */
	HP_OUTCOME_ERROR,     /* another errno */
	HP_OUTCOME_COUNT
};

/* the code, as in hp_reason_text() where it is one: "memcg" */
const char *hp_outcome_text(enum hp_outcome outcome);

/* @err is 0 or -errno */
enum hp_outcome hp_outcome_of(int err);

/**
 * hp_collapse_open - a descriptor for hp_collapse_slot(); hp_linux_close() it
 *
 * Finds out whether the process may be promoted, too, without changing it.
 * Return: the descriptor; -errno, see hp_collapse_obstacle().
 */
int hp_collapse_open(pid_t pid);

/* why it may not: names the capability or the kernel */
const char *hp_collapse_obstacle(int err);

enum hp_outcome hp_collapse_slot(int pidfd, uint64_t start, uint64_t size);

#endif
