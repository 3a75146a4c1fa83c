/* SPDX-License-Identifier: MIT */
/* case_dlopen.c - open the library named, say ok */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	void *h = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;

	if (!h)
		fprintf(stderr, "%s\n", dlerror());
	puts(h ? "ok" : "failed");
	return !h;
}
