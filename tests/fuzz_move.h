/* SPDX-License-Identifier: MIT */
/*
 * fuzz_move.h - mremap and fork, random calls of
 */
#ifndef TESTS_FUZZ_MOVE_H
#define TESTS_FUZZ_MOVE_H

#include "tests/fuzz_ops.h"

/* whether there is room to grow in place is the kernel's affair: take back */
static inline void grow_in_place(const struct range *r)
{
	size_t more = (1 + below(64)) * page_size;

	if (via->mremap(r->addr, r->bytes, r->bytes + more, 0) == MAP_FAILED)
		return;
	via->munmap(r->addr + r->bytes, more);
}

/* a stretch becomes an area of its own, with the pages it had */
static inline void moved(const struct range *r, struct area *to, char *addr,
			 unsigned int pages, bool keeps_old)
{
	unsigned int same = pages < r->len ? pages : r->len;

	area_set(to, addr, pages);
	memcpy(to->state, r->area->state + r->first, same);
	for (unsigned int i = 0; i < pages; i++) {
		to->past[i] = r->area->past[r->first];
		to->state[i] |= r->area->state[r->first] & PAGE_NOFORK;
	}
	if (!keeps_old)
		range_mark(r, 0);
}

static inline void op_resize(void)
{
	struct area *to = free_area();
	unsigned int pages = one_in(3) ? 0 : some_pages();
	int flags = one_in(8) && !locks ? MREMAP_MAYMOVE | MREMAP_DONTUNMAP
					: MREMAP_MAYMOVE;
	struct range r;
	char *p;

	if (!to || !pick_uniform(&r))
		return;
	if (one_in(4))
		grow_in_place(&r);
	if (!pages)
		pages = 1 + below(r.len);
	if (flags & MREMAP_DONTUNMAP)
		pages = r.len;
	errno = 0;
	p = via->mremap(r.addr, r.bytes, pages * page_size, flags, NULL);
	note("flags %d pages %u ", flags, pages);
	note_call("remap", &r, p == MAP_FAILED ? -1 : 0);
	if (p == MAP_FAILED)
		return;
	if (p != r.addr) {
		moved(&r, to, p, pages, flags & MREMAP_DONTUNMAP);
	} else if (pages > r.len) {
		/* grew where it was: as if it had moved */
		moved(&r, to, p, pages, false);
	} else if (pages < r.len) {
		struct range tail =
			range_of(r.area, r.first + pages, r.len - pages);
		range_mark(&tail, 0);
	}
}

/* onto pages of one's own, which go */
static inline void op_move_fixed(void)
{
	int flags = MREMAP_MAYMOVE | MREMAP_FIXED;
	struct range r, to;
	char *p;

	if (!pick_uniform(&r) || !pick(&to))
		return;
	if (r.len > to.len)
		r = range_of(r.area, r.first, to.len);
	to = range_of(to.area, to.first, r.len);
	if (one_in(8) && !locks)
		flags |= MREMAP_DONTUNMAP;
	errno = 0;
	p = via->mremap(r.addr, r.bytes, to.bytes, flags, to.addr);
	note("to %u+%u flags %d ", to.id, to.first, flags);
	note_call("move", &r, p == MAP_FAILED ? -1 : 0);
	if (p == MAP_FAILED)
		return;
	memcpy(to.area->state + to.first, r.area->state + r.first, r.len);
	range_changed(&to);
	range_changed(&r);
	if (!(flags & MREMAP_DONTUNMAP))
		range_mark(&r, 0);
}

static inline void op_remap_badly(void)
{
	struct range r;

	if (!pick(&r))
		return;
	errno = 0;
	note_call("bad remap", &r,
		  via->mremap(r.addr + 1, r.bytes, r.bytes, MREMAP_MAYMOVE) ==
				  MAP_FAILED
			  ? -1
			  : 0);
	note_call("bad remap", &r,
		  via->mremap(r.addr, r.bytes, 0, MREMAP_MAYMOVE) == MAP_FAILED
			  ? -1
			  : 0);
	note_call("bad remap", &r,
		  via->mremap(r.addr, r.bytes, r.bytes, 64) == MAP_FAILED ? -1
									  : 0);
	note_call("bad remap", &r,
		  via->mremap(r.addr, r.bytes, r.bytes, MREMAP_FIXED, r.addr) ==
				  MAP_FAILED
			  ? -1
			  : 0);
	note_call("bad remap", &r,
		  via->mremap(r.addr, r.bytes, SIZE_MAX / 2, MREMAP_MAYMOVE) ==
				  MAP_FAILED
			  ? -1
			  : 0);
}

/* the child sees what a child is to see, and the parent nothing of it */
static inline void child_of_fork(int out)
{
	trace_hash = 0;
	drop_unforked();
	note_contents();
	op_map();
	op_access();
	op_unmap();
	op_resize();
	note_contents();
	if (write(out, &trace_hash, sizeof(trace_hash)) < 0)
		_exit(1);
	_exit(0);
}

static inline void op_fork(void)
{
	uint64_t hash = 0;
	int fds[2], status = -1;
	pid_t child;

	if (pipe2(fds, O_CLOEXEC) < 0)
		return;
	child = fork();
	if (child == 0)
		child_of_fork(fds[1]);
	close(fds[1]);
	while (read(fds[0], &hash, sizeof(hash)) < 0 && errno == EINTR)
		;
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	close(fds[0]);
	note("fork: %d %llx\n", status, (unsigned long long)hash);
}

#endif
