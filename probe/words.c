/* SPDX-License-Identifier: MIT */
#include "probe/words.h"

#include <stdint.h>

#include "libhp/text.h"

struct sheet {
	char *buf;
	size_t size;
};

static void put(struct sheet *sheet, const char *text)
{
	if (hp_text_append(sheet->buf, sheet->size, text))
		return; /* cut: said in words.h */
}

static void put_number(struct sheet *sheet, uint64_t n)
{
	if (hp_text_append_u64(sheet->buf, sheet->size, n))
		return;
}

static void put_signed(struct sheet *sheet, int n)
{
	if (n < 0)
		put(sheet, "-");
	put_number(sheet, n < 0 ? -(uint64_t)n : (uint64_t)n);
}

/* One conversion; returns what follows it. */
static const char *convert(struct sheet *sheet, const char *at, va_list *args)
{
	switch (*at) {
	case 's':
		put(sheet, va_arg(*args, const char *));
		return at + 1;
	case 'd':
		put_signed(sheet, va_arg(*args, int));
		return at + 1;
	case 'u':
		put_number(sheet, va_arg(*args, unsigned int));
		return at + 1;
	default:
		put_number(sheet, va_arg(*args, unsigned long long));
		return at + sizeof("llu") - 1;
	}
}

void hp_words_list(char *buf, size_t size, const char *format, va_list args)
{
	struct sheet sheet = {buf, size};
	va_list mine;

	if (!buf || !size)
		return;
	va_copy(mine, args);
	buf[0] = '\0';
	while (*format) {
		if (*format == '%') {
			format = convert(&sheet, format + 1, &mine);
		} else {
			put(&sheet, (char[]){*format, '\0'});
			format++;
		}
	}
	va_end(mine);
}

void hp_words(char *buf, size_t size, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	hp_words_list(buf, size, format, args);
	va_end(args);
}
