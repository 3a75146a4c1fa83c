/* SPDX-License-Identifier: MIT */
#include "libhp/textfile.h"

#include <fcntl.h>
#include <string.h>

#include "libhp/common.h"
#include "libhp/linux.h"

#define BUFFER_SIZE 4096

/*
 * No file of the kernel's is this long; something mounted over one may be
 * endless, and start-up must not be.
 */
#define ENDLESS HP_GIB

static const char *root = "";

void hp_textfile_root(const char *path)
{
	root = path;
}

/* O_NONBLOCK: a fifo mounted over the file must not stop the program */
static int open_file(const char *path, int flags)
{
	char full[BUFFER_SIZE];
	size_t nroot = strlen(root), npath = strlen(path);

	if (nroot + npath >= sizeof(full))
		return -ENAMETOOLONG;
	memcpy(full, root, nroot);
	memcpy(full + nroot, path, npath + 1);
	return hp_linux_open(full, O_RDONLY | O_NONBLOCK | flags, 0);
}

/* Bytes read, fewer than @size only at the end: /proc reads come in pieces. */
static ssize_t read_fully(int fd, char *buf, size_t size)
{
	size_t len = 0;

	while (len < size) {
		ssize_t n = hp_linux_read(fd, buf + len, size - len);

		if (n < 0)
			return n;
		if (n == 0)
			break;
		len += (size_t)n;
	}
	return (ssize_t)len;
}

ssize_t hp_textfile_read(const char *path, char *buf, size_t size)
{
	int fd = open_file(path, 0);
	char more;
	ssize_t n;

	if (fd < 0)
		return fd;
	n = read_fully(fd, buf, size - 1);
	buf[n < 0 ? 0 : n] = '\0';
	if (n == (ssize_t)size - 1 && hp_linux_read(fd, &more, 1) != 0)
		n = -EFBIG;
	hp_linux_close(fd);
	return n;
}

/* like hp_textfile_read(), but a file with nothing in it is an error */
static int read_value(const char *path, char *buf, size_t size)
{
	ssize_t n = hp_textfile_read(path, buf, size);

	if (n < 0)
		return (int)n;
	return buf[0] == '\0' || buf[0] == '\n' ? -ENODATA : 0;
}

int hp_textfile_u64(const char *path, uint64_t *out)
{
	char buf[64];
	const char *end;
	uint64_t n;
	int ret = read_value(path, buf, sizeof(buf));

	if (ret)
		return ret;
	ret = hp_text_u64(buf, &end, &n);
	if (ret)
		return ret;
	if (*end != '\0' && strcmp(end, "\n") != 0)
		return -EINVAL;
	*out = n;
	return 0;
}

int hp_textfile_choice(const char *path, char *word, size_t size)
{
	char buf[256];
	const char *start, *end;
	int ret = read_value(path, buf, sizeof(buf));

	if (ret)
		return ret;
	start = strchr(buf, '[');
	end = start ? strchr(start, ']') : NULL;
	if (!end || end == start + 1)
		return -EINVAL;
	start++;
	if ((size_t)(end - start) >= size)
		return -EFBIG;
	memcpy(word, start, (size_t)(end - start));
	word[end - start] = '\0';
	return 0;
}

struct stream {
	int fd;
	uint64_t total;
	size_t len; /* bytes in buf: the beginning of a line */
	bool cut;   /* the beginning of this line was handed over already */
	char buf[BUFFER_SIZE];
	int (*line)(char *text, void *arg);
	void *arg;
};

static int hand_over(struct stream *s, char *text)
{
	if (s->cut)
		return 0;
	return s->line(text, s->arg);
}

/* hands over what is in the buffer as one line, terminated or not */
static int hand_over_rest(struct stream *s)
{
	s->buf[s->len] = '\0';
	s->len = 0;
	return hand_over(s, s->buf);
}

static int hand_over_lines(struct stream *s)
{
	char *text = s->buf, *end = s->buf + s->len, *newline;

	while ((newline = memchr(text, '\n', (size_t)(end - text)))) {
		int ret;

		*newline = '\0';
		ret = hand_over(s, text);
		if (ret)
			return ret;
		s->cut = false;
		text = newline + 1;
	}
	s->len = (size_t)(end - text);
	memmove(s->buf, text, s->len);
	return 0;
}

/* false: the end; @ret is 0 or what stopped it */
static bool stream_step(struct stream *s, int *ret)
{
	size_t room = sizeof(s->buf) - 1 - s->len;
	ssize_t n = hp_linux_read(s->fd, s->buf + s->len, room);

	if (n <= 0) {
		*ret = (int)n;
		if (n == 0 && s->len > 0)
			*ret = hand_over_rest(s);
		return false;
	}
	s->len += (size_t)n;
	s->total += (uint64_t)n;
	*ret = s->total > ENDLESS ? -EFBIG : hand_over_lines(s);
	if (*ret == 0 && s->len == sizeof(s->buf) - 1) {
		*ret = hand_over_rest(s);
		s->cut = true;
	}
	return *ret == 0;
}

int hp_textfile_lines(const char *path, int (*line)(char *text, void *arg),
		      void *arg)
{
	struct stream s;
	int ret;

	s.fd = open_file(path, 0);
	if (s.fd < 0)
		return s.fd;
	s.total = 0;
	s.len = 0;
	s.cut = false;
	s.line = line;
	s.arg = arg;
	while (stream_step(&s, &ret))
		;
	hp_linux_close(s.fd);
	return ret;
}

static int walk_entries(const char *buf, size_t len,
			int (*name)(const char *text, void *arg), void *arg)
{
	int ret = 0;

	for (size_t at = 0; at < len && ret == 0;) {
		const struct hp_linux_entry *entry = (const void *)(buf + at);

		if (entry->name[0] != '.')
			ret = name(entry->name, arg);
		at += entry->len;
	}
	return ret;
}

int hp_textfile_names(const char *path,
		      int (*name)(const char *text, void *arg), void *arg)
{
	_Alignas(struct hp_linux_entry) char buf[1024];
	int fd = open_file(path, O_DIRECTORY), ret = 0;
	ssize_t n;

	if (fd < 0)
		return fd;
	while (ret == 0 && (n = hp_linux_entries(fd, buf, sizeof(buf))) != 0)
		ret = n < 0 ? (int)n : walk_entries(buf, (size_t)n, name, arg);
	hp_linux_close(fd);
	return ret;
}
