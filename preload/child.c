/* SPDX-License-Identifier: MIT */
#include "preload/child.h"

#include <unistd.h>

#include "libhp/arena.h"
#include "libhp/common.h"
#include "libhp/gate.h"
#include "preload/next.h"
#include "preload/outcome.h"
#include "preload/probing.h"
#include "preload/sampling.h"

void hp_child_begins(void)
{
	hp_arena_forked();
	hp_gate_forked();
	hp_probing_forked();
	hp_outcome_forked();
	hp_sampling_forked();
}

pid_t _Fork(void);

HP_EXPORT pid_t _Fork(void)
{
	pid_t pid;

	hp_next_init();
	pid = hp_next.fork_now ? hp_next.fork_now() : fork();
	if (pid == 0)
		hp_child_begins();
	return pid;
}

/*
 * The child runs on the parent's stack, so nothing of ours may be on it when
 * libc makes the child: vfork() asks where to go on, and goes there.
 */
void *hp_child_vfork(void) HP_HIDDEN;

__attribute__((used)) void *hp_child_vfork(void)
{
	hp_next_init();
	hp_outcome_vforks();
	return (void *)hp_next.vfork;
}

#if defined(__x86_64__)
__asm__(".pushsection .text\n"
	".globl vfork\n"
	".type vfork, @function\n"
	"vfork:\n"
	"	.cfi_startproc\n"
	"	endbr64\n"
	"	subq $8, %rsp\n"
	"	.cfi_def_cfa_offset 16\n"
	"	callq hp_child_vfork\n"
	"	addq $8, %rsp\n"
	"	.cfi_def_cfa_offset 8\n"
	"	jmpq *%rax\n"
	"	.cfi_endproc\n"
	".size vfork, . - vfork\n"
	".popsection\n");
#elif defined(__aarch64__)
__asm__(".pushsection .text\n"
	".balign 4\n"
	".globl vfork\n"
	".type vfork, %function\n"
	"vfork:\n"
	"	.cfi_startproc\n"
	"	stp x29, x30, [sp, #-16]!\n"
	"	.cfi_def_cfa_offset 16\n"
	"	.cfi_offset 29, -16\n"
	"	.cfi_offset 30, -8\n"
	"	bl hp_child_vfork\n"
	"	mov x16, x0\n"
	"	ldp x29, x30, [sp], #16\n"
	"	.cfi_restore 30\n"
	"	.cfi_restore 29\n"
	"	.cfi_def_cfa_offset 0\n"
	"	br x16\n"
	"	.cfi_endproc\n"
	".size vfork, . - vfork\n"
	".popsection\n");
#endif
