/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "preload/quote.h"

static const char plain_characters[] = "abcdefghijklmnopqrstuvwxyz"
				       "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				       "0123456789_@%+:,./-";

void hp_quote_shell(FILE *out, const char *text)
{
	if (*text && text[strspn(text, plain_characters)] == '\0') {
		fputs(text, out);
		return;
	}
	putc('\'', out);
	for (; *text; text++) {
		if (*text == '\'')
			fputs("'\\''", out);
		else
			putc(*text, out);
	}
	putc('\'', out);
}

char *hp_quote_line(const char *text, char *buf, size_t size)
{
	size_t i;

	for (i = 0; i < size - 1 && text[i]; i++) {
		unsigned char c = (unsigned char)text[i];

		buf[i] = c < ' ' || c == 127 ? '?' : text[i];
	}
	buf[i] = '\0';
	if (text[i] && size > 4)
		memcpy(buf + size - 4, "...", 4);
	return buf;
}
