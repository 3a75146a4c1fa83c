/* SPDX-License-Identifier: MIT */
#include "libhp/text.h"

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

int hp_text_append(char *buf, size_t size, const char *text)
{
	size_t at = strlen(buf), len = strlen(text);
	size_t n = hp_min(len, size - 1 - at);

	memcpy(buf + at, text, n);
	buf[at + n] = '\0';
	return n < len ? -ENAMETOOLONG : 0;
}

int hp_text_append_u64(char *buf, size_t size, uint64_t n)
{
	char digits[24];
	char *p = digits + sizeof(digits) - 1;

	*p = '\0';
	do
		*--p = (char)('0' + n % 10);
	while (n /= 10);
	return hp_text_append(buf, size, p);
}

const char *hp_text_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}
