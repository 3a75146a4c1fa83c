/* SPDX-License-Identifier: MIT */
/*
 * program.h - what keeps a preloaded library out of a program
 */
#ifndef HP_PROGRAM_H
#define HP_PROGRAM_H

enum hp_obstacle {
	HP_OBSTACLE_NONE_SEEN,
	HP_OBSTACLE_STATIC,
	HP_OBSTACLE_PRIVILEGED, /* set-uid, set-gid or file capabilities */
	HP_OBSTACLE_OTHER_LIBC,
	HP_OBSTACLE_OTHER_CLASS, /* 32-bit, or another architecture */
};

/* hp_program_find - the file execvp() would run; caller frees; NULL none */
char *hp_program_find(const char *name);

/* hp_program_obstacle - by the file alone, which is no script */
enum hp_obstacle hp_program_obstacle(const char *path);

/* hp_obstacle_text - "it is statically linked" and so on; never NULL */
const char *hp_obstacle_text(enum hp_obstacle obstacle);

#endif
