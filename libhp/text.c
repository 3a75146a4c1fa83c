/* SPDX-License-Identifier: MIT */
#include "libhp/text.h"

#include <stddef.h>
#include <string.h>

#include "libhp/common.h"

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

int hp_text_u64(const char *text, const char **end, uint64_t *out)
{
	uint64_t n = 0;

	if (!is_digit(*text))
		return -EINVAL;
	for (; is_digit(*text); text++)
		if (__builtin_mul_overflow(n, 10, &n) ||
		    __builtin_add_overflow(n, (uint64_t)(*text - '0'), &n))
			return -ERANGE;
	if (end)
		*end = text;
	*out = n;
	return 0;
}

const char *hp_text_after(const char *text, const char *prefix)
{
	size_t len = strlen(prefix);

	return strncmp(text, prefix, len) == 0 ? text + len : NULL;
}

int hp_text_field(const char *text, const char *name, uint64_t *out)
{
	const char *end, *value = hp_text_after(text, name);
	uint64_t n;
	int ret;

	if (!value || *value != ':')
		return -ENODATA;
	do
		value++;
	while (*value == ' ' || *value == '\t');
	ret = hp_text_u64(value, &end, &n);
	if (ret)
		return ret;
	if (*end != '\0' && *end != ' ' && *end != '\n')
		return -EINVAL;
	*out = n;
	return 0;
}
