/* SPDX-License-Identifier: MIT */
#include "libhp/size.h"

#include <string.h>

#include "libhp/common.h"
#include "libhp/text.h"

static const char units[] = "KMGT";

/* power of 1024 behind a unit letter; 0 for none, -1 for another letter */
static int unit_power(char c)
{
	const char *unit;

	if (c == '\0')
		return 0;
	if (c >= 'a' && c <= 'z')
		c = (char)(c - 'a' + 'A');
	unit = strchr(units, c);
	return unit ? (int)(unit - units) + 1 : -1;
}

int hp_size_parse(const char *text, size_t *out)
{
	const char *end;
	uint64_t n;
	size_t bytes;
	int power, ret = hp_text_u64(text, &end, &n);

	if (ret)
		return ret;
	power = unit_power(*end);
	if (power < 0 || (power > 0 && end[1] != '\0'))
		return -EINVAL;
	if (__builtin_mul_overflow(n, (uint64_t)1 << (10 * power), &bytes))
		return -ERANGE;
	*out = bytes;
	return 0;
}

char *hp_size_format(size_t size, char *buf)
{
	int power = 0;

	while (size && size % 1024 == 0 && units[power]) {
		size /= 1024;
		power++;
	}
	buf[0] = '\0';
	hp_text_append_u64(buf, HP_SIZE_TEXT, size);
	if (power > 0)
		hp_text_append(buf, HP_SIZE_TEXT,
			       (char[]){units[power - 1], '\0'});
	return buf;
}
