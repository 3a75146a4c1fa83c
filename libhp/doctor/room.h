/* SPDX-License-Identifier: MIT */
/*
 * room.h - how much more memory the control group lets this process have
 */
#ifndef HP_ROOM_H
#define HP_ROOM_H

#include <stdint.h>

#include "libhp/cgroup.h"

/**
 * hp_room_read - bytes below the tightest memory limit of @group
 *
 * Idle page cache counts as room: the kernel drops it before it refuses. Of an
 * ancestor's only what this group holds is known, so it may be more.
 *
 * Return: bytes; HP_CGROUP_UNKNOWN no limit, or not known.
 */
uint64_t hp_room_read(const struct hp_cgroup *group);

/* the same for the group this process is in */
uint64_t hp_room_here(void);

#endif
