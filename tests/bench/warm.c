/* SPDX-License-Identifier: MIT */
/*
 * warm MIB - touch memory and leave, so that a virtual machine's host has it
 *
 * Guests that report free pages lose them to the host within seconds, and the
 * next first touch then measures the host. Run this immediately before what
 * is to be timed. Memory is touched twice through huge pages: the second pass
 * catches what the host took back during the first.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#define MIB ((size_t)1 << 20)
#define STEP 4096

static void touch(volatile char *at, size_t len)
{
	for (size_t i = 0; i < len; i += STEP)
		at[i] = 1;
}

int main(int argc, char **argv)
{
	size_t len = argc > 1 ? strtoul(argv[1], NULL, 10) * MIB : 0;
	char *at;

	if (len == 0) {
		fputs("usage: warm MIB\n", stderr);
		return 2;
	}
	at = mmap(NULL, len, PROT_READ | PROT_WRITE,
		  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (at == MAP_FAILED) {
		perror("warm: mmap");
		return 1;
	}
	madvise(at, len, MADV_HUGEPAGE);
	touch(at, len);
	touch(at, len);
	return 0;
}
