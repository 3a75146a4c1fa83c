/* SPDX-License-Identifier: MIT */
/*
 * case_untabled.c - code without unwind tables, as compilers at run time make
 * it, allocates at many depths; the program has closed every descriptor it does
 * not know, as daemons do, and finds in its files what it wrote
 *
 * exit status: 10 more than the lowest descriptor that was free
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tests/case.h"

#define FILES 4
#define BLOCKS 20
#define TEXT "abcdefghijklmnopqrstuvwxyz"
#define LEN (sizeof(TEXT) - 1)

static void allocate(void)
{
	char *blocks[BLOCKS];

	for (int i = 0; i < BLOCKS; i++) {
		blocks[i] = malloc(600000 + (size_t)i * 4000);
		*(volatile char *)blocks[i] = 1;
	}
	for (int i = 0; i < BLOCKS; i++)
		free(blocks[i]);
}

static int deep(int n)
{
	volatile char room[9000];

	room[0] = (char)n;
	if (n > 0)
		return deep(n - 1) + room[0];
	allocate();
	return room[0];
}

static int lowest(void)
{
	int fd = 0;

	while (fcntl(fd, F_GETFD) >= 0)
		fd++;
	return fd;
}

static int open_file(int i)
{
	char name[20];
	int fd;

	snprintf(name, sizeof(name), "untabled.%d", i);
	fd = open(name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	unlink(name);
	MUST(write(fd, TEXT, LEN) == LEN && lseek(fd, 0, SEEK_SET) == 0);
	return fd;
}

static void check_file(int fd)
{
	char text[2 * LEN];

	MUST(lseek(fd, 0, SEEK_CUR) == 0);
	MUST(read(fd, text, sizeof(text)) == LEN && !memcmp(text, TEXT, LEN));
}

int main(void)
{
	int fds[FILES], free_fd;

	allocate();
	free_fd = lowest();
	for (int fd = 3; fd < 1024; fd++)
		close(fd);
	for (int i = 0; i < FILES; i++)
		fds[i] = open_file(i);
	for (int n = 1; n < 6; n++)
		deep(3 * n);
	for (int i = 0; i < FILES; i++)
		check_file(fds[i]);
	return 10 + free_fd;
}
