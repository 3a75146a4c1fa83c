/* SPDX-License-Identifier: MIT */
#include "preload/compare_scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "preload/result.h"

enum { BLOCK = 1 << 16 };

/* a stream that hprun was started without leaves its number free */
static int above_streams(int fd)
{
	int high, err;

	if (fd < 0)
		return -errno;
	if (fd > STDERR_FILENO)
		return fd;
	high = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	err = errno;
	close(fd);
	return high < 0 ? -err : high;
}

int hp_scratch_open(void)
{
	struct hp_result file;
	int err = hp_result_create(&file), fd;

	if (err)
		return err;
	fd = above_streams(open(file.path, O_RDWR | O_CLOEXEC));
	hp_result_remove(&file);
	return fd;
}

static int write_all(int fd, const char *text, ssize_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, text, (size_t)len);

		if (n < 0 && errno != EINTR)
			return -errno;
		if (n > 0) {
			text += n;
			len -= n;
		}
	}
	return 0;
}

static int copy(int from, int to)
{
	char block[BLOCK];
	ssize_t n;
	int err;

	while ((n = read(from, block, sizeof(block))) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		err = n < 0 ? -errno : write_all(to, block, n);
		if (err)
			return err;
	}
	return 0;
}

/* what gives the same again when it is read again, or is endless */
static bool is_as_good(mode_t mode)
{
	return S_ISREG(mode) || S_ISBLK(mode) ||
	       (S_ISCHR(mode) && !isatty(STDIN_FILENO));
}

static int spool(void)
{
	int fd = hp_scratch_open();
	int err = fd < 0 ? fd : copy(STDIN_FILENO, fd);

	if (err && fd >= 0)
		close(fd);
	return err ? err : fd;
}

int hp_scratch_input(off_t *start)
{
	struct stat st;

	*start = 0;
	if (fstat(STDIN_FILENO, &st))
		st.st_mode = 0;
	if (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode))
		return spool();
	if (!is_as_good(st.st_mode))
		return above_streams(open("/dev/null", O_RDONLY | O_CLOEXEC));
	*start = lseek(STDIN_FILENO, 0, SEEK_CUR);
	return above_streams(fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0));
}

int hp_scratch_show(int from, int to)
{
	return lseek(from, 0, SEEK_SET) < 0 ? -errno : copy(from, to);
}

static ssize_t block_at(int fd, char *block, off_t at)
{
	ssize_t n;

	do
		n = pread(fd, block, BLOCK, at);
	while (n < 0 && errno == EINTR);
	return n;
}

static ssize_t equal_bytes(const char *a, const char *b, ssize_t n)
{
	ssize_t i = 0;

	while (i < n && a[i] == b[i])
		i++;
	return i;
}

off_t hp_scratch_difference(int a, int b)
{
	char one[BLOCK], other[BLOCK];

	for (off_t at = 0;; at += BLOCK) {
		ssize_t n = block_at(a, one, at), m = block_at(b, other, at);
		ssize_t equal, shorter = n < m ? n : m;

		if (shorter < 0)
			return at;
		equal = equal_bytes(one, other, shorter);
		if (equal < shorter || n != m)
			return at + equal;
		if (n < BLOCK)
			return -1;
	}
}
