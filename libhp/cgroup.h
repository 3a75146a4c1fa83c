/* SPDX-License-Identifier: MIT */
/*
 * cgroup.h - limits of the control group this process is in, v1 or v2
 *
 * Limits hold for a group and everything below it, so the tightest of the
 * process' own group and its visible ancestors counts. Nothing allocates.
 */
#ifndef HP_CGROUP_H
#define HP_CGROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HP_CGROUP_UNKNOWN UINT64_MAX

struct hp_cgroup {
	bool v2;
	size_t nroot;	/* length of the mount point at the start of dir */
	char dir[1024]; /* the process' group */
};

/**
 * hp_cgroup_find - where @controller keeps this process' files
 * @controller: "memory" or "hugetlb"
 *
 * Where v1 does not have the controller, the v2 group is taken, whether it has
 * the controller or not. Return: 0; -ENOENT no such group is visible;
 * -ENAMETOOLONG; -errno of /proc/self/cgroup or mountinfo.
 */
int hp_cgroup_find(struct hp_cgroup *out, const char *controller);

/**
 * hp_cgroup_room - the tightest limit, less what is used
 * @limit: file name, e.g. "memory.max"
 * @usage: file name, or NULL: the limit itself
 *
 * Return: bytes; HP_CGROUP_UNKNOWN when there is no limit or it is not known.
 */
uint64_t hp_cgroup_room(const struct hp_cgroup *cgroup, const char *limit,
			const char *usage);

/**
 * hp_cgroup_tightest - the group whose limit binds this process
 * @cgroup: found; its dir becomes that of the group itself or an ancestor
 *
 * Return: the limit; HP_CGROUP_UNKNOWN when there is none or it is not known.
 */
uint64_t hp_cgroup_tightest(struct hp_cgroup *cgroup, const char *limit);

#endif
