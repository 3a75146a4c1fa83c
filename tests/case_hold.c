/* SPDX-License-Identifier: MIT */
/* case_hold.c - its constructor holds the loader's lock for ever */
#include <stdio.h>
#include <unistd.h>

__attribute__((constructor)) static void hold(void)
{
	puts("held");
	fflush(stdout);
	for (;;)
		pause();
}
