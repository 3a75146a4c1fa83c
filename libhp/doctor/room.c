/* SPDX-License-Identifier: MIT */
#include "libhp/doctor/room.h"

#include <stdio.h>

#include "libhp/textfile.h"

struct stat_field {
	const char *name; /* with the blank behind it */
	uint64_t bytes;
};

static int read_field(char *text, void *arg)
{
	struct stat_field *field = arg;
	const char *value = hp_text_after(text, field->name);

	return value ? hp_text_u64(value, NULL, &field->bytes) : 0;
}

/* memory.stat sums up over the groups below, in v1 under this name */
static uint64_t idle_cache(const struct hp_cgroup *group)
{
	struct stat_field field = {
		.name = group->v2 ? "inactive_file " : "total_inactive_file ",
	};
	char path[sizeof(group->dir) + 16];

	snprintf(path, sizeof(path), "%s/memory.stat", group->dir);
	hp_textfile_lines(path, read_field, &field);
	return field.bytes;
}

uint64_t hp_room_read(const struct hp_cgroup *group)
{
	uint64_t room =
		group->v2
			? hp_cgroup_room(group, "memory.max", "memory.current")
			: hp_cgroup_room(group, "memory.limit_in_bytes",
					 "memory.usage_in_bytes");

	return room == HP_CGROUP_UNKNOWN ? room : room + idle_cache(group);
}

uint64_t hp_room_here(void)
{
	struct hp_cgroup group;

	if (hp_cgroup_find(&group, "memory"))
		return HP_CGROUP_UNKNOWN;
	return hp_room_read(&group);
}
