/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "libhp/common.h"
#include "libhp/report.h"

#define PID_SIZE 12

/* @buf holds PID_SIZE bytes; returns the digits in it */
static const char *pid_text(int pid, char *buf)
{
	char *p = buf + PID_SIZE - 1;

	*p = '\0';
	do {
		*--p = (char)('0' + pid % 10);
		pid /= 10;
	} while (pid > 0);
	return p;
}

static int append(char **out, size_t *room, const char *text, size_t len)
{
	if (len >= *room)
		return -ENAMETOOLONG;
	memcpy(*out, text, len);
	*out += len;
	*room -= len;
	return 0;
}

/* a program's name may hold anything but '/'; argv[0] even that */
static const char *base_name(const char *exe)
{
	const char *slash = strrchr(exe, '/');

	return slash ? slash + 1 : exe;
}

static const char *expand(char code, int pid, const char *exe, char *buf)
{
	switch (code) {
	case 'p':
		return pid_text(pid, buf);
	case 'e':
		return base_name(exe);
	case '%':
		return "%";
	default:
		return NULL;
	}
}

int hp_report_path(const char *pattern, int pid, const char *exe, char *out,
		   size_t size)
{
	char digits[PID_SIZE];
	int ret = 0;

	while (*pattern && ret == 0) {
		const char *text = NULL;

		if (*pattern == '%')
			text = expand(pattern[1], pid, exe, digits);
		if (text) {
			ret = append(&out, &size, text, strlen(text));
			pattern += 2;
		} else {
			ret = append(&out, &size, pattern++, 1);
		}
	}
	if (ret == 0 && size == 0)
		ret = -ENAMETOOLONG;
	if (ret == 0)
		*out = '\0';
	return ret;
}
