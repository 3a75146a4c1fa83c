/* SPDX-License-Identifier: MIT */
#include "preload/stack.h"

#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>

/* exported by ld.so since glibc 2.2.5: where argc lies */
extern void *__libc_stack_end;

void hp_stack_read(struct hp_stack *out)
{
	uintptr_t *word = __libc_stack_end;
	const ElfW(auxv_t) * aux;

	word += 1 + *word + 1; /* argc, argv[argc], NULL */
	out->env = (char **)word;
	out->exe = NULL;
	out->secure = false;
	while (*word)
		word++;
	for (aux = (const ElfW(auxv_t) *)(word + 1); aux->a_type != AT_NULL;
	     aux++) {
		if (aux->a_type == AT_SECURE)
			out->secure = aux->a_un.a_val != 0;
		else if (aux->a_type == AT_EXECFN)
			out->exe = (const char *)aux->a_un.a_val;
	}
}
