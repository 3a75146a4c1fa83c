/* SPDX-License-Identifier: MIT */
/*
 * start.c - the order of events in a preloaded process
 *
 *	first malloc	jemalloc asks for its options: hp_arena_boot() reads
 *			environment and machine and prepares the heap
 *	constructor	hooks, fork handlers, mmap placement, mode on
 *	exit, _exit	the report
 */
#include <sys/mman.h>
#include "libhp/arena.h"
#include "libhp/cause.h"
#include "libhp/fork.h"
#include "libhp/gate.h"
#include "libhp/linux.h"
#include "libhp/streams.h"
#include "preload/binding.h"
#include "preload/demand.h"
#include "preload/inherit.h"
#include "preload/next.h"
#include "preload/object.h"
#include "preload/outcome.h"
#include "preload/place.h"
#include "preload/record.h"
#include "preload/probing.h"
#include "preload/sampling.h"
#include "preload/stack.h"
#include "preload/start.h"

static const struct hp_context *context;

const struct hp_context *hp_start_context(void)
{
	return context;
}

static void fork_prepare(void)
{
	hp_streams_fork_prepare();
	hp_cause_fork();
	hp_gate_enter();
	if (hp_arena_fork.prepare)
		hp_arena_fork.prepare();
	hp_record_fork_prepare();
	hp_fork_prepare(&hp_heap);
}

static void fork_parent(void)
{
	hp_fork_parent(&hp_heap);
	hp_record_fork_parent();
	if (hp_arena_fork.parent)
		hp_arena_fork.parent();
	hp_gate_leave();
	hp_streams_fork_parent();
}

static void fork_child(void)
{
	hp_streams_fork_child();
	hp_fork_child(&hp_heap);
	hp_record_fork_child();
	hp_arena_forked();
	if (hp_arena_fork.child)
		hp_arena_fork.child();
	hp_gate_forked();
	hp_probing_forked();
	hp_outcome_forked();
	hp_sampling_forked();
}

/*
 * Less than jemalloc takes before the first block, with room to work in. It
 * makes metadata in blocks of 2 MiB and more, and each arena has some.
 */
static bool is_cramped(size_t slot)
{
	size_t len = 8 * HP_MIB + 4 * slot;
	long addr = hp_linux_map(NULL, len, PROT_READ | PROT_WRITE,
				 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
				 -1, 0);

	if (hp_linux_failed(addr))
		return true;
	hp_linux_unmap((void *)addr, len);
	return false;
}

/*
 * Before any other library's: these touch the heap. Our own __register_atfork()
 * would have libc's looked up, and lookups may allocate. Of no object, so that
 * they stay while destructors run.
 */
static void handle_forks(void)
{
	struct hp_object libc;
	hp_register_fn *fn = NULL;

	if (hp_object_libc(&libc))
		fn = (hp_register_fn *)hp_object_function(&libc,
							  "__register_atfork");
	if (fn)
		fn(fork_prepare, fork_parent, fork_child, NULL);
}

static void boot(void)
{
	struct hp_stack stack;

	if (context)
		return;
	hp_stack_read(&stack);
	context = hp_init(stack.secure ? NULL : stack.env, stack.exe);
	if (hp_heap_init(&context->options, &context->pagesizes,
			 context->passive) < 0)
		__builtin_trap(); /* no address space for a single page */
	hp_heap_closed = is_cramped(hp_heap.slots.slot);
	handle_forks();
}

void hp_arena_boot(void)
{
	boot();
}

static void disinherit(void)
{
	struct hp_stack stack;

	hp_stack_read(&stack);
	hp_inherit_not(stack.env);
}

__attribute__((constructor)) static void start(void)
{
	hp_next_init();
	boot();
	if (!hp_heap_closed)
		hp_arena_init();
	hp_binding_init();
	hp_place_init(context);
	hp_outcome_init(context);
	if (hp_outcome_wanted())
		hp_sampling_init(context);
	hp_probing_init(context);
	if (context->options.mode == HP_MODE_ON && !context->passive)
		hp_demand_first_slot(context);
	if (!context->options.inherit)
		disinherit();
}

void hp_start_sandbox(void)
{
	hp_probing_keep();
	hp_outcome_keep();
	hp_sampling_keep();
	hp_filler_seal(&hp_heap);
	hp_place_keep();
}

__attribute__((destructor)) static void finish(void)
{
	hp_outcome_report();
}
