/* SPDX-License-Identifier: MIT */
/*
 * case_reserve.c - reserve 16 TiB of address space, commit 8 MiB of it by
 * mprotect and 8 MiB by MAP_FIXED, as Go, the JVM, V8 and wasmtime do
 */
#include <sys/mman.h>
#include "tests/case.h"

#define RESERVED ((size_t)1 << 44)
#define CHUNK (8 * MIB)

static long grown_kb(long before)
{
	return case_present_kb() - before;
}

int main(void)
{
	long pool = case_field("/proc/meminfo", "HugePages_Free");
	long before;
	char *p, *q, *r;

	p = mmap(NULL, RESERVED, PROT_NONE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	MUST(p != MAP_FAILED);
	before = case_present_kb();
	q = p + ((size_t)1 << 40);
	MUST(!mprotect(q, CHUNK, PROT_READ | PROT_WRITE));
	MUST(case_all(q, CHUNK, 0));
	memset(q, 7, CHUNK);
	MUST(grown_kb(before) >= 8 * 1024 && grown_kb(before) <= 10 * 1024);
	r = mmap(p + ((size_t)1 << 41), CHUNK, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	MUST(r == p + ((size_t)1 << 41));
	memset(r, 9, CHUNK);
	MUST(grown_kb(before) >= 16 * 1024 && grown_kb(before) <= 20 * 1024);
	MUST(case_all(q, CHUNK, 7) && case_all(r, CHUNK, 9));
	/* the reservation takes nothing; the heap's share is seen before it */
	MUST(case_field("/proc/meminfo", "HugePages_Free") == pool);
	MUST(!munmap(p, RESERVED));
	puts("ok");
	return 0;
}
