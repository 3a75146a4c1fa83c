/* SPDX-License-Identifier: MIT */
#include "libhp/promoter/collapse.h"

#include <errno.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "libhp/linux.h"

#define TRIES 3 /* pages isolated by someone else come back soon */

const char *hp_outcome_text(enum hp_outcome outcome)
{
	static const char *const words[HP_OUTCOME_COUNT] = {
		[HP_OUTCOME_PROMOTED] = "promoted",
		[HP_OUTCOME_NO_MEMORY] = "no-contiguous-memory",
		[HP_OUTCOME_MEMCG] = "memcg",
		[HP_OUTCOME_BUSY] = "busy",
		[HP_OUTCOME_REFUSED] = "refused",
		[HP_OUTCOME_ENDED] = "ended",
		[HP_OUTCOME_DENIED] = "denied",
		[HP_OUTCOME_ERROR] = "error",
	};

	return words[outcome];
}

enum hp_outcome hp_outcome_of(int err)
{
	switch (-err) {
	case 0:
		return HP_OUTCOME_PROMOTED;
	case ENOMEM:
		return HP_OUTCOME_NO_MEMORY;
	case EBUSY:
		return HP_OUTCOME_MEMCG;
	case EAGAIN:
		return HP_OUTCOME_BUSY;
	case EINVAL:
		return HP_OUTCOME_REFUSED;
	case ESRCH:
		return HP_OUTCOME_ENDED;
	case EPERM:
	case EACCES:
		return HP_OUTCOME_DENIED;
	default:
		return HP_OUTCOME_ERROR;
	}
}

int hp_collapse_open(pid_t pid)
{
	int pidfd = hp_linux_pidfd(pid);
	ssize_t ret;

	if (pidfd < 0)
		return pidfd == -EINVAL ? -ENOENT : pidfd; /* a thread's ID */
	ret = hp_linux_advise_process(pidfd, NULL, 0, MADV_COLLAPSE);
	if (ret == 0)
		return pidfd;
	hp_linux_close(pidfd);
	return (int)ret;
}

/* mm/madvise.c: mm_access() first, then capable(CAP_SYS_NICE) */
const char *hp_collapse_obstacle(int err)
{
	switch (-err) {
	case EACCES:
		if (geteuid() == 0)
			return "not permitted, not even to this root: "
			       "CAP_SYS_PTRACE is missing, or a container or "
			       "security module protects it";
		return "not permitted: run as root, or as its user, or with "
		       "CAP_SYS_PTRACE; CAP_SYS_NICE is needed as well";
	case EPERM:
		return "not permitted: needs CAP_SYS_NICE in the initial user "
		       "namespace (run as root outside of containers)";
	case ENOSYS:
		return "this kernel has no process_madvise (Linux 5.10), or a "
		       "seccomp filter forbids it";
	case EINVAL:
		return "this kernel cannot collapse memory of another process "
		       "(Linux 6.1)";
	case ESRCH:
	case ENOENT:
		return "no such process";
	default:
		return strerror(-err);
	}
}

enum hp_outcome hp_collapse_slot(int pidfd, uint64_t start, uint64_t size)
{
	struct iovec slot = {(void *)(uintptr_t)start, size};
	ssize_t ret = 0;

	for (int i = 0; i < TRIES; i++) {
		ret = hp_linux_advise_process(pidfd, &slot, 1, MADV_COLLAPSE);
		if (ret != -EAGAIN)
			break;
	}
	return hp_outcome_of(ret < 0 ? (int)ret : 0);
}
