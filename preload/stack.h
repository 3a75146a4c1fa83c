/* SPDX-License-Identifier: MIT */
/*
 * stack.h - arguments and environment as the kernel laid them on the stack
 *
 * ld.so calls malloc before libc knows its environment, so it is read from
 * where the kernel put it. Nothing here calls anything.
 */
#ifndef HP_STACK_H
#define HP_STACK_H

#include <stdbool.h>

struct hp_stack {
	char **env;	 /* NULL-terminated */
	const char *exe; /* path the program was executed by, or NULL */
	bool secure;	 /* set-user-ID and the like: do not trust env */
};

void hp_stack_read(struct hp_stack *out);

#endif
