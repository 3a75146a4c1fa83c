/* SPDX-License-Identifier: MIT */
/*
 * case_close_all.c - a daemon: closes every descriptor, then owns the numbers
 * 0, 1 and 2 as files of its own
 */
#include <fcntl.h>
#include <unistd.h>
#include "tests/case.h"

int main(int argc, char **argv)
{
	const char *path = argc > 1 ? argv[1] : "out.txt";
	int fd = -1;
	char *p;

	for (int i = 0; i < 1024; i++)
		close(i);
	for (int i = 0; i < 3; i++)
		fd = open(path, O_CREAT | O_WRONLY, 0600);
	p = case_keep(malloc(64 * MIB));
	if (!p || fd != 2)
		return 1;
	memset(p, 1, 64 * MIB);
	return write(fd, "data", 4) != 4;
}
