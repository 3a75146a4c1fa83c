/* SPDX-License-Identifier: MIT */
#include "libhp/out.h"

#include <string.h>

#include "libhp/linux.h"

#define NUMBER_SIZE 48

void hp_out_open(struct hp_out *out, int fd)
{
	out->fd = fd;
	out->err = 0;
	out->n = 0;
}

static void flush(struct hp_out *out)
{
	if (out->err == 0 && out->n > 0)
		out->err = hp_linux_write(out->fd, out->buf, out->n);
	out->n = 0;
}

int hp_out_close(struct hp_out *out)
{
	flush(out);
	return out->err;
}

void hp_out_bytes(struct hp_out *out, const char *text, size_t len)
{
	while (len > 0) {
		size_t room = sizeof(out->buf) - out->n;
		size_t part = len < room ? len : room;

		memcpy(out->buf + out->n, text, part);
		out->n += part;
		text += part;
		len -= part;
		if (out->n == sizeof(out->buf))
			flush(out);
	}
}

void hp_out_text(struct hp_out *out, const char *text)
{
	hp_out_bytes(out, text, strlen(text));
}

static void pad(struct hp_out *out, size_t len, size_t width)
{
	for (; len < width; len++)
		hp_out_bytes(out, " ", 1);
}

void hp_out_left(struct hp_out *out, const char *text, size_t width)
{
	hp_out_text(out, text);
	pad(out, strlen(text), width);
}

/* digits of @n, ending before @end; returns the first */
static char *put_digits(char *end, uint64_t n)
{
	do {
		*--end = (char)('0' + n % 10);
		n /= 10;
	} while (n > 0);
	return end;
}

static void put_right(struct hp_out *out, const char *start, const char *end,
		      size_t width)
{
	size_t len = (size_t)(end - start);

	pad(out, len, width);
	hp_out_bytes(out, start, len);
}

void hp_out_u64(struct hp_out *out, uint64_t n, size_t width)
{
	char buf[NUMBER_SIZE];
	char *end = buf + sizeof(buf);

	put_right(out, put_digits(end, n), end, width);
}

void hp_out_fraction(struct hp_out *out, uint64_t num, uint64_t den,
		     unsigned int digits, size_t width)
{
	char buf[NUMBER_SIZE];
	char *point = buf + sizeof(buf) / 2, *p = point;
	uint64_t rest = num % den;

	if (digits > 0)
		*p++ = '.';
	for (unsigned int i = 0; i < digits; i++) {
		/* 128 bits: bytes of a large machine times 10 may not fit */
		unsigned __int128 next = (unsigned __int128)rest * 10;

		*p++ = (char)('0' + (int)(next / den));
		rest = (uint64_t)(next % den);
	}
	put_right(out, put_digits(point, num / den), p, width);
}
