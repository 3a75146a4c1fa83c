/* SPDX-License-Identifier: MIT */
/*
 * The input is the content of one file, read in every way there is, and, cut in
 * two at its first NUL, of /proc/self/cgroup and /proc/self/mountinfo.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libhp/cgroup.h"
#include "libhp/textfile.h"

#define LONGEST 4095 /* what hp_textfile_lines() hands over of a line */

static char root[] = "/tmp/fuzz_textfile.XXXXXX";

static void must(int holds)
{
	if (!holds)
		abort();
}

static void path_of(const char *name, char *path, size_t size)
{
	must(snprintf(path, size, "%s%s", root, name) < (int)size);
}

static void write_file(const char *name, const void *data, size_t size)
{
	char path[128];
	int fd;

	path_of(name, path, sizeof(path));
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	must(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	close(fd);
}

static void remove_root(void)
{
	static const char *const names[] = {"/file", "/proc/self/cgroup",
					    "/proc/self/mountinfo"};
	char path[128];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		path_of(names[i], path, sizeof(path));
		unlink(path);
	}
	path_of("/proc/self", path, sizeof(path));
	rmdir(path);
	path_of("/proc", path, sizeof(path));
	rmdir(path);
	rmdir(root);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	char path[128];

	(void)argc;
	(void)argv;
	must(mkdtemp(root) != NULL);
	path_of("/proc", path, sizeof(path));
	must(mkdir(path, 0700) == 0);
	path_of("/proc/self", path, sizeof(path));
	must(mkdir(path, 0700) == 0);
	hp_textfile_root(root);
	atexit(remove_root);
	return 0;
}

/* what is left of the input, for comparison with the lines handed over */
struct rest {
	const char *at;
	size_t len;
};

static int compare_line(char *text, void *arg)
{
	struct rest *rest = arg;
	const char *newline = memchr(rest->at, '\n', rest->len);
	size_t len = newline ? (size_t)(newline - rest->at) : rest->len;
	size_t given = len < LONGEST ? len : LONGEST;
	uint64_t n;

	must(rest->len > 0);
	must(strlen(text) == strnlen(rest->at, given));
	must(memcmp(text, rest->at, strlen(text)) == 0);
	hp_text_field(text, "Rss", &n);
	len += newline != NULL;
	rest->at += len;
	rest->len -= len;
	return 0;
}

static void read_every_way(const uint8_t *data, size_t size)
{
	struct rest rest = {(const char *)data, size};
	char buf[64], word[8];
	uint64_t n;
	ssize_t len;

	write_file("/file", data, size);
	len = hp_textfile_read("/file", buf, sizeof(buf));
	must(len == (size < sizeof(buf) ? (ssize_t)size : -EFBIG));
	if (hp_textfile_u64("/file", &n) == 0)
		must(n == strtoull((const char *)buf, NULL, 10));
	if (hp_textfile_choice("/file", word, sizeof(word)) == 0)
		must(strlen(word) > 0 && strlen(word) < sizeof(word));
	must(hp_textfile_lines("/file", compare_line, &rest) == 0);
	must(rest.len == 0);
}

static void find_group(const uint8_t *data, size_t size)
{
	const uint8_t *nul = memchr(data, 0, size);
	size_t first = nul ? (size_t)(nul - data) : size;
	size_t skip = nul ? first + 1 : first;
	struct hp_cgroup cgroup;

	write_file("/proc/self/cgroup", data, first);
	write_file("/proc/self/mountinfo", data + skip, size - skip);
	if (hp_cgroup_find(&cgroup, "memory"))
		return;
	must(cgroup.nroot <= strlen(cgroup.dir));
	hp_cgroup_room(&cgroup, "memory.max", NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	read_every_way(data, size);
	find_group(data, size);
	return 0;
}
