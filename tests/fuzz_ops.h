/* SPDX-License-Identifier: MIT */
/*
 * fuzz_ops.h - one random call of the mmap family each
 */
#ifndef TESTS_FUZZ_OPS_H
#define TESTS_FUZZ_OPS_H

#include <sys/wait.h>

#include "tests/fuzz_smaps.h"

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#define MADV_POPULATE_WRITE 23
#endif
#ifndef MREMAP_DONTUNMAP
#define MREMAP_DONTUNMAP 4
#endif

#define FILE_PAGES 64

static __thread int
	file; /* FILE_PAGES pages: what lies behind them is SIGBUS */
/* MREMAP_DONTUNMAP unlocks all of the mapping it takes pages from, and how far
 * that reaches is the kernel's affair: a sequence has one or the other */
static __thread bool locks;

static bool alone; /* no other thread may map into a hole just made */

static inline void note_call(const char *call, const struct range *r, long ret)
{
	int err = errno; /* before anything else can change it */

	note("%s %u+%u+%u: %d\n", call, r->id, r->first, r->len,
	     ret == -1 ? -err : 0);
}

static inline int some_prot(void)
{
	static const int prots[] = {PROT_READ | PROT_WRITE,
				    PROT_READ,
				    PROT_NONE,
				    PROT_READ | PROT_WRITE,
				    PROT_READ | PROT_EXEC,
				    PROT_READ | PROT_WRITE | PROT_EXEC};

	return prots[below(6)];
}

/* flags and descriptor of a mapping of any kind */
static inline int some_kind(int *fd)
{
	static const int extra[] = {MAP_NORESERVE, MAP_STACK,	 MAP_POPULATE,
				    MAP_LOCKED,	   MAP_NONBLOCK, MAP_DENYWRITE};
	int flags = one_in(4) ? extra[below(6)] : 0;
	unsigned int dice = below(10);

	*fd = -1;
	if (dice < 7)
		return flags | MAP_PRIVATE | MAP_ANONYMOUS;
	if (dice == 7)
		return flags | MAP_SHARED | MAP_ANONYMOUS;
	*fd = file;
	return flags | (dice == 8 ? MAP_PRIVATE : MAP_SHARED);
}

static inline void op_map(void)
{
	struct area *a = free_area();
	unsigned int pages = some_pages();
	int fd = -1, flags = MAP_PRIVATE | MAP_ANONYMOUS;
	int prot = PROT_READ | PROT_WRITE;
	char *p;

	if (!a)
		return;
	if (one_in(3)) {
		flags = some_kind(&fd);
		prot = some_prot();
	}
	/* all of a large mapping made present costs more than it shows */
	if (pages > 64)
		flags &= ~(MAP_POPULATE | MAP_LOCKED);
	locks = locks || flags & MAP_LOCKED;
	errno = 0;
	p = via->mmap(NULL, pages * page_size - below(2) * 100, prot, flags, fd,
		      0);
	note("map %u pages prot %d flags %x fd %d: %d\n", pages, prot,
	     (unsigned int)flags, fd >= 0, p == MAP_FAILED ? -errno : errno);
	if (p != MAP_FAILED)
		area_set(a, p, pages);
}

static inline void op_map_badly(void)
{
	static const struct {
		size_t len;
		int prot, flags, fd;
		off_t offset;
	} bad[] = {
		{0, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0},
		{SIZE_MAX, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0},
		{(size_t)1 << 50, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0},
		{SIZE_MAX - 4095, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0},
		{(size_t)1 << 62, 0, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0},
		{4096, 3, MAP_ANONYMOUS, -1, 0},
		{4096, 3, 0, -1, 0},
		{4096, 3, MAP_PRIVATE, -1, 0},
		{4096, 3, MAP_SHARED, 1000, 0},
		{65536, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 100},
		{65536, 3,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN | MAP_SHARED, -1,
		 0},
		{65536, 3, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0},
	};
	unsigned int i = below(12);
	void *at = bad[i].flags & MAP_FIXED ? (void *)100 : NULL;
	void *p;

	errno = 0;
	p = via->mmap(at, bad[i].len, bad[i].prot, bad[i].flags, bad[i].fd,
		      bad[i].offset);
	note("bad map %u: %d\n", i, p == MAP_FAILED ? errno : 0);
	if (p != MAP_FAILED)
		via->munmap(p, bad[i].len);
}

/* what a range just given up answers; at once, or something else is there */
static inline void probe_hole(const struct range *r)
{
	unsigned char seen[AREA_PAGES];
	uint64_t value;
	int fault;

	if (!alone)
		return;
	fault = try_read((uint64_t *)(r->addr + (r->bytes / 2 & -page_size)),
			 &value);
	note("hole: %d\n", fault);
	switch (below(4)) {
	case 0:
		note_call("hole mprotect", r,
			  via->mprotect(r->addr, r->bytes, PROT_READ));
		break;
	case 1:
		note_call("hole madvise", r,
			  via->madvise(r->addr, r->bytes, MADV_DONTNEED));
		break;
	case 2:
		note_call("hole msync", r, msync(r->addr, r->bytes, MS_ASYNC));
		break;
	default:
		note_call("hole mincore", r, mincore(r->addr, r->bytes, seen));
	}
}

static inline void refill_hole(struct range *r)
{
	int flags = one_in(2) ? MAP_FIXED : MAP_FIXED_NOREPLACE;
	char *p;

	if (!alone)
		return;
	p = via->mmap(r->addr, r->bytes, PROT_READ | PROT_WRITE,
		      flags | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	note("refill: %d\n", p == r->addr ? 0 : p == MAP_FAILED ? -errno : 1);
	if (p == r->addr)
		range_mark(r, PAGE_OWN | PAGE_TOUCHED);
}

static inline void op_unmap(void)
{
	struct range r;
	long ret;

	if (!pick(&r))
		return;
	errno = 0;
	if (one_in(20)) {
		note_call("bad unmap", &r, via->munmap(r.addr + 1, r.bytes));
		note_call("bad unmap", &r, via->munmap(r.addr, 0));
		note_call("bad unmap", &r, via->munmap(r.addr, SIZE_MAX));
		return;
	}
	ret = via->munmap(r.addr, r.bytes - below(2) * 50);
	note_call("unmap", &r, ret);
	if (ret < 0)
		return;
	memset(r.area->state + r.first, 0, r.len);
	probe_hole(&r);
	if (one_in(3))
		refill_hole(&r);
	if (!r.area->state[r.first])
		range_mark(&r, 0);
}

static inline void op_protect(void)
{
	int prot = some_prot();
	struct range r;

	if (!pick(&r))
		return;
	errno = 0;
	if (one_in(30))
		note_call("bad protect", &r,
			  via->mprotect(r.addr + 8, 8, prot));
	if (one_in(30))
		note_call("bad protect", &r,
			  via->mprotect(r.addr, r.bytes, 0x100000));
	range_changed(&r);
	note("prot %d ", prot);
	note_call("protect", &r, via->mprotect(r.addr, r.bytes, prot));
}

static inline void note_advice(uint8_t *state, int advice)
{
	if (advice == MADV_FREE)
		*state |= PAGE_VAGUE;
	else if (advice == MADV_DONTFORK)
		*state |= PAGE_NOFORK;
	else if (advice == MADV_DOFORK)
		*state &= (uint8_t)~PAGE_NOFORK;
}

static inline void op_advise(void)
{
	static const int all[] = {
		MADV_NORMAL,
		MADV_RANDOM,
		MADV_SEQUENTIAL,
		MADV_WILLNEED,
		MADV_DONTNEED,
		MADV_DONTNEED,
		MADV_DONTNEED,
		MADV_FREE,
		MADV_REMOVE,
		MADV_DONTFORK,
		MADV_DOFORK,
		MADV_WIPEONFORK,
		MADV_KEEPONFORK,
		MADV_DONTDUMP,
		MADV_DODUMP,
		MADV_HUGEPAGE,
		MADV_NOHUGEPAGE,
		MADV_COLD,
		MADV_PAGEOUT,
		MADV_POPULATE_READ,
		MADV_POPULATE_WRITE,
		MADV_UNMERGEABLE,
		999,
		-1,
	};
	int advice = all[below(sizeof(all) / sizeof(all[0]))];
	struct range r;
	int ret;

	if (!pick(&r))
		return;
	errno = 0;
	if (one_in(30))
		note_call("bad advise", &r,
			  via->madvise(r.addr + 1, 1, advice));
	ret = one_in(8) && advice <= MADV_DONTNEED && advice >= 0
		      ? via->posix_madvise(r.addr, r.bytes, advice)
		      : via->madvise(r.addr, r.bytes, advice);
	range_changed(&r);
	note("advice %d ", advice);
	note_call("advise", &r, ret);
	for (unsigned int i = r.first; i < r.first + r.len; i++)
		note_advice(&r.area->state[i], advice);
}

static inline void access_page(struct area *a, unsigned int page, bool writes)
{
	uint64_t *p = (uint64_t *)(a->addr + page * page_size);
	unsigned long long word = draw_word(&draw);
	uint64_t value = 0;
	int fault = try_read(p, &value);

	note("read %u+%u: %d %llx\n", (unsigned int)(a - areas), page, fault,
	     a->state[page] & PAGE_VAGUE ? 0 : (unsigned long long)value);
	if (!writes)
		return;
	fault = try_write(p, word);
	note("write: %d\n", fault);
	a->state[page] |= PAGE_TOUCHED;
	if (!fault)
		a->state[page] &= (uint8_t)~PAGE_VAGUE;
}

static inline void op_access(void)
{
	struct range r;

	if (!pick(&r))
		return;
	for (unsigned int i = 0; i < 6; i++)
		access_page(r.area, r.first + below(r.len), !one_in(4));
}

/* the kernel's own accesses fail where ours would */
static inline void op_write_from(void)
{
	struct range r;
	int fds[2];
	ssize_t n;

	if (!pick(&r) || pipe2(fds, O_NONBLOCK | O_CLOEXEC) < 0)
		return;
	n = write(fds[1], r.addr, 64);
	note("write from %u+%u: %zd %d\n", r.id, r.first, n, n < 0 ? errno : 0);
	n = read(fds[0], r.addr + r.bytes - 64, 64);
	note("read into: %zd %d\n", n, n < 0 ? errno : 0);
	r.area->state[r.first + r.len - 1] |= PAGE_TOUCHED;
	close(fds[0]);
	close(fds[1]);
}

static inline void op_lock(void)
{
	struct range r;

	if (!pick(&r) || r.len > 64)
		return;
	locks = true;
	range_changed(&r);
	errno = 0;
	if (one_in(2))
		note_call("unlock", &r, munlock(r.addr, r.bytes));
	else if (one_in(3))
		note_call("lock2", &r, via->mlock2(r.addr, r.bytes, 1));
	else
		note_call("lock", &r, via->mlock(r.addr, r.bytes));
}

static inline void op_sync(void)
{
	static const int flags[] = {MS_ASYNC,		MS_SYNC, MS_INVALIDATE,
				    MS_SYNC | MS_ASYNC, 0,	 64};
	unsigned char seen[AREA_PAGES];
	struct range r;

	if (!pick(&r))
		return;
	errno = 0;
	note_call("sync", &r, msync(r.addr, r.bytes, flags[below(6)]));
	note_call("mincore", &r, mincore(r.addr, r.bytes, seen));
	note_call("mincore", &r, mincore(r.addr + 3, r.bytes, seen));
}

/* over pages of one's own, of any kind */
static inline void op_map_fixed(void)
{
	struct range r;
	int fd = -1, prot = some_prot(), flags;
	char *p;

	if (!pick(&r))
		return;
	flags = one_in(2) ? some_kind(&fd) : MAP_PRIVATE | MAP_ANONYMOUS;
	flags |= one_in(6) ? MAP_FIXED_NOREPLACE : MAP_FIXED;
	if (r.len > 64)
		flags &= ~(MAP_POPULATE | MAP_LOCKED);
	locks = locks || flags & MAP_LOCKED;
	errno = 0;
	p = via->mmap(r.addr, r.bytes, prot, flags, fd,
		      fd >= 0 ? (off_t)(below(FILE_PAGES) * page_size) : 0);
	note("flags %x prot %d ", (unsigned int)flags, prot);
	note_call("fixed", &r, p == MAP_FAILED ? -1 : 0);
	if (p != MAP_FAILED)
		range_mark(&r, PAGE_OWN | PAGE_TOUCHED);
}

#endif
