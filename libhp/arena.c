/* SPDX-License-Identifier: MIT */
#include "libhp/arena.h"

#define JEMALLOC_NO_RENAME
#define JEMALLOC_NO_DEMANGLE
#include <jemalloc/jemalloc.h>

#include "libhp/bloat.h"
#include "libhp/linux.h"
#include "libhp/text.h"

/*
 * Free extents go straight to the filler (no decay), so that there is one
 * cache of free pages and one bound on it.
 */
#define CONF                                                                   \
	"retain:false,oversize_threshold:0,dirty_decay_ms:0,"                  \
	"muzzy_decay_ms:0,metadata_thp:disabled,thp:default,dss:disabled,"     \
	"background_thread:false,narenas:"

struct hp_arena_fork hp_arena_fork;
struct hp_arena_watch hp_arena_watch;

/*
 * Large blocks are smeared over cache sets at the price of a page each, and a
 * block of 1 MiB then no longer shares a slot with another. There is an option
 * for it, but 5.3.0 does not parse it; later versions may hide the variable.
 */
extern bool je_opt_cache_oblivious __attribute__((weak));

static unsigned int narenas;
static unsigned int hooked; /* arenas that have our hooks */
static struct hp_lock hooking;

static size_t pages_of(size_t size)
{
	return size >> hp_heap.slots.page_shift;
}

static void watch(void (**fn)(uintptr_t start, size_t len), void *addr,
		  size_t size)
{
	void (*call)(uintptr_t start, size_t len) =
		__atomic_load_n(fn, __ATOMIC_RELAXED);

	if (HP_UNLIKELY(call != NULL))
		call((uintptr_t)addr, size);
}

/* jemalloc's hooks answer false for success; NULL is the usual failure */

/* an arena's base blocks are zeroed and made of whole, aligned slots */
static bool is_metadata(size_t size, size_t alignment, bool zero)
{
	return zero && alignment == hp_heap.slots.slot &&
	       hp_is_aligned(size, hp_heap.slots.slot);
}

static void *hook_alloc(extent_hooks_t *hooks, void *new_addr, size_t size,
			size_t alignment, bool *zero, bool *commit,
			unsigned int arena)
{
	size_t align = hp_max(pages_of(alignment), 1);
	void *addr = new_addr;
	bool clean;

	if (!new_addr && is_metadata(size, alignment, *zero))
		addr = hp_filler_take_sparse(&hp_heap, pages_of(size), &clean);
	else if (!new_addr)
		addr = hp_filler_take(&hp_heap, pages_of(size), align, &clean);
	else if (!hp_filler_take_at(&hp_heap, new_addr, pages_of(size), &clean))
		return NULL;
	if (!addr)
		return NULL;
	if (*zero && !clean)
		__builtin_memset(addr, 0, size);
	*zero = *zero || clean;
	*commit = true;
	watch(&hp_arena_watch.grown, addr, size);
	(void)hooks;
	(void)arena;
	return addr;
}

static bool hook_dalloc(extent_hooks_t *hooks, void *addr, size_t size,
			bool committed, unsigned int arena)
{
	(void)hooks;
	(void)committed;
	(void)arena;
	hp_filler_give(&hp_heap, addr, pages_of(size));
	watch(&hp_arena_watch.shrunk, addr, size);
	return false;
}

static void hook_destroy(extent_hooks_t *hooks, void *addr, size_t size,
			 bool committed, unsigned int arena)
{
	hook_dalloc(hooks, addr, size, committed, arena);
}

static bool hook_commit(extent_hooks_t *hooks, void *addr, size_t size,
			size_t offset, size_t length, unsigned int arena)
{
	(void)hooks;
	(void)addr;
	(void)size;
	(void)offset;
	(void)length;
	(void)arena;
	return false;
}

/* decommit and purge: refused, the filler alone decides what goes back */
static bool hook_refuse(extent_hooks_t *hooks, void *addr, size_t size,
			size_t offset, size_t length, unsigned int arena)
{
	return !hook_commit(hooks, addr, size, offset, length, arena);
}

/* extents are only numbers to the filler: cutting and joining costs nothing */

static bool hook_split(extent_hooks_t *hooks, void *addr, size_t size,
		       size_t size_a, size_t size_b, bool committed,
		       unsigned int arena)
{
	(void)hooks;
	(void)addr;
	(void)size;
	(void)size_a;
	(void)size_b;
	(void)committed;
	(void)arena;
	return false;
}

static bool hook_merge(extent_hooks_t *hooks, void *addr_a, size_t size_a,
		       void *addr_b, size_t size_b, bool committed,
		       unsigned int arena)
{
	(void)addr_b;
	return hook_split(hooks, addr_a, size_a + size_b, size_a, size_b,
			  committed, arena);
}

static extent_hooks_t hooks = {
	.alloc = hook_alloc,
	.dalloc = hook_dalloc,
	.destroy = hook_destroy,
	.commit = hook_commit,
	.decommit = hook_refuse,
	.purge_lazy = hook_refuse,
	.purge_forced = hook_refuse,
	.split = hook_split,
	.merge = hook_merge,
};

const char *hp_arena_conf(void)
{
	static char conf[sizeof(CONF) + 10] = CONF;

	if (&je_opt_cache_oblivious)
		je_opt_cache_oblivious = false;
	if (!narenas) {
		narenas = hp_linux_ncpus();
		hp_text_append_u64(conf, sizeof(conf), narenas);
	}
	return conf;
}

/* "arena.@i.@leaf" */
static const char *arena_name(char *buf, size_t size, unsigned int i,
			      const char *leaf)
{
	buf[0] = '\0';
	hp_text_append(buf, size, "arena.");
	hp_text_append_u64(buf, size, i);
	hp_text_append(buf, size, leaf);
	return buf;
}

/*
 * A new arena gets its hooks as it is made, but then takes its metadata from
 * them too, in blocks of 2 MiB, which is what we want: one heap, one bound.
 */
static void hook_arenas(unsigned int n)
{
	char name[48];

	if (!hp_lock_take(&hooking))
		return;
	for (; hooked < n && hooked < narenas; hooked++) {
		extent_hooks_t *ours = &hooks;

		arena_name(name, sizeof(name), hooked, ".extent_hooks");
		if (je_mallctl(name, NULL, NULL, &ours, sizeof(ours)))
			break;
	}
	hp_lock_drop(&hooking);
}

void hp_arena_init(void)
{
	hp_arena_boot();
	hp_arena_conf();
	hook_arenas(1);
}

void hp_arena_for_thread(void)
{
	if (hooked < narenas)
		hook_arenas(hooked + 1);
}

void hp_arena_forked(void)
{
	hp_lock_forked();
	hp_lock_reset(&hooking);
}

void hp_arena_trim(void)
{
	char name[48];

	je_mallctl("thread.tcache.flush", NULL, NULL, NULL, 0);
	arena_name(name, sizeof(name), MALLCTL_ARENAS_ALL, ".purge");
	je_mallctl(name, NULL, NULL, NULL, 0);
	hp_bloat_trim(&hp_heap);
}
