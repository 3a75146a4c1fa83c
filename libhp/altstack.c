/* SPDX-License-Identifier: MIT */
#include "libhp/altstack.h"

#include "libhp/linux.h"
#include "libhp/signals.h"

/*
 * The frame pointer finds the way back, for the return as for unwinders and
 * debuggers, which the .cfi lines tell so.
 */
void hp_altstack_switch(hp_altstack_fn fn, void *arg, char *top) HP_HIDDEN;

#if defined(__x86_64__)
__asm__(".pushsection .text\n"
	".globl hp_altstack_switch\n"
	".hidden hp_altstack_switch\n"
	".type hp_altstack_switch, @function\n"
	"hp_altstack_switch:\n"
	"	.cfi_startproc\n"
	"	pushq %rbp\n"
	"	.cfi_def_cfa_offset 16\n"
	"	.cfi_offset %rbp, -16\n"
	"	movq %rsp, %rbp\n"
	"	.cfi_def_cfa_register %rbp\n"
	"	movq %rdx, %rsp\n"
	"	movq %rdi, %rax\n"
	"	movq %rsi, %rdi\n"
	"	callq *%rax\n"
	"	leaveq\n"
	"	.cfi_def_cfa %rsp, 8\n"
	"	retq\n"
	"	.cfi_endproc\n"
	".size hp_altstack_switch, . - hp_altstack_switch\n"
	".popsection\n");
#elif defined(__aarch64__)
__asm__(".pushsection .text\n"
	".balign 4\n"
	".globl hp_altstack_switch\n"
	".hidden hp_altstack_switch\n"
	".type hp_altstack_switch, %function\n"
	"hp_altstack_switch:\n"
	"	.cfi_startproc\n"
	"	stp x29, x30, [sp, #-16]!\n"
	"	.cfi_def_cfa_offset 16\n"
	"	.cfi_offset 29, -16\n"
	"	.cfi_offset 30, -8\n"
	"	mov x29, sp\n"
	"	.cfi_def_cfa_register 29\n"
	"	mov sp, x2\n"
	"	mov x2, x0\n"
	"	mov x0, x1\n"
	"	blr x2\n"
	"	mov sp, x29\n"
	"	.cfi_def_cfa_register 31\n"
	"	ldp x29, x30, [sp], #16\n"
	"	.cfi_def_cfa_offset 0\n"
	"	.cfi_restore 29\n"
	"	.cfi_restore 30\n"
	"	ret\n"
	"	.cfi_endproc\n"
	".size hp_altstack_switch, . - hp_altstack_switch\n"
	".popsection\n");
#endif

/* the lowest page is a guard */
void hp_altstack_open(struct hp_altstack *s, size_t size)
{
	size_t page = hp_linux_page_size();
	long ret = hp_linux_map(
		NULL, size + page, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);

	if (hp_linux_failed(ret))
		return;
	hp_linux_protect((void *)ret, page, PROT_NONE);
	hp_linux_advise((void *)ret, size + page, MADV_NOHUGEPAGE);
	s->top = (char *)ret + page + size;
}

/* with the lock held */
static void call(struct hp_altstack *s, hp_altstack_fn fn, void *arg)
{
	if (s->top)
		hp_altstack_switch(fn, arg, s->top);
	else
		fn(arg);
}

static bool enter(struct hp_altstack *s, bool waits, hp_altstack_fn fn,
		  void *arg)
{
	struct hp_signals before = {0};
	bool mine;

	/* before the lock: whoever holds it is never interrupted */
	if (!s->sandbox)
		hp_signals_block(&before);
	mine = waits ? hp_lock_take(&s->lock) : hp_lock_try(&s->lock);
	if (mine) {
		call(s, fn, arg);
		hp_lock_drop(&s->lock);
	}
	hp_signals_restore(&before);
	return mine;
}

bool hp_altstack_try(struct hp_altstack *s, hp_altstack_fn fn, void *arg)
{
	return enter(s, false, fn, arg);
}

bool hp_altstack_run(struct hp_altstack *s, hp_altstack_fn fn, void *arg)
{
	return enter(s, true, fn, arg);
}

void hp_altstack_keep(struct hp_altstack *s)
{
	s->sandbox = true;
}

void hp_altstack_forked(struct hp_altstack *s)
{
	hp_lock_reset(&s->lock);
}
