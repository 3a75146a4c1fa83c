/* SPDX-License-Identifier: MIT */
/*
 * target.h - a process that a tool looks at from outside
 *
 * Everything comes from /proc/PID; nothing stops or traces the process.
 */
#ifndef HP_TARGET_H
#define HP_TARGET_H

#include <stdbool.h>
#include <sys/types.h>

struct hp_target {
	pid_t pid, parent;
	char name[64]; /* as the kernel knows it */
	char exe[256]; /* empty: not known */
	int thp;       /* 1 allowed, 0 PR_SET_THP_DISABLE, -1 not known */
	bool kernel;   /* a kernel thread */
};

/* hp_target_look - Return: 0; -ENOENT no such process; -ENODEV no /proc */
int hp_target_look(pid_t pid, struct hp_target *out);

/* "/proc/@pid/@file"; Return: @buf, of HP_TARGET_PATH bytes */
#define HP_TARGET_PATH 64
char *hp_target_path(pid_t pid, const char *file, char *buf);

/**
 * hp_target_find - call @fn for every process called @name, but this one
 *
 * The name, not empty, is the base name of its executable or of its first
 * argument, or what the kernel knows it by; with a slash, the path of its
 * executable. Return: how many; -errno of /proc.
 */
int hp_target_find(const char *name, void (*fn)(pid_t pid, void *arg),
		   void *arg);

/* why its memory could not be seen, for a message: "no such process" */
const char *hp_target_obstacle(int err);

#endif
