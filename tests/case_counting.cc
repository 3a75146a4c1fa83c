/* SPDX-License-Identifier: MIT */
/*
 * case_counting.cc - a library that replaces some operators and counts: the
 * others, which are libstdc++'s, lead to it or do not; opened as a plugin it
 * says what it saw of its own
 */
#include <cstdio>
#include <cstdlib>
#include <new>

int counted_new, counted_delete;

/* a block of ours does not begin where malloc's does */
static const std::size_t head = 32;

void *operator new(std::size_t n)
{
	char *p = static_cast<char *>(std::malloc(n + head));

	if (!p)
		throw std::bad_alloc();
	counted_new++;
	return p + head;
}

void operator delete(void *p) noexcept
{
	if (!p)
		return;
	counted_delete++;
	std::free(static_cast<char *>(p) - head);
}

__attribute__((constructor)) static void try_own()
{
	int *volatile one = new int;
	int *volatile many = new int[3];

	delete one;
	delete[] many;
	std::printf("at load: %d %d\n", counted_new, counted_delete);
}
