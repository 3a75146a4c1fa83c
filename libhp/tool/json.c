/* SPDX-License-Identifier: MIT */
#include "libhp/tool/json.h"

#include <stdlib.h>
#include <string.h>

#include "libhp/common.h"

/* bytes of the UTF-8 character at @p, 0 where there is none; RFC 3629 */
static size_t character(const unsigned char *p)
{
	static const struct form {
		unsigned char mask, lead;
		uint32_t least;
	} forms[] = {
		{0x80, 0x00, 0},
		{0xe0, 0xc0, 0x80},
		{0xf0, 0xe0, 0x800},
		{0xf8, 0xf0, 0x10000},
	};

	for (size_t n = 0; n < HP_ARRAY_SIZE(forms); n++) {
		uint32_t code = *p & (unsigned char)~forms[n].mask;

		if ((*p & forms[n].mask) != forms[n].lead)
			continue;
		for (size_t i = 1; i <= n; i++) {
			if ((p[i] & 0xc0) != 0x80)
				return 0;
			code = code << 6 | (p[i] & 0x3f);
		}
		if (code < forms[n].least || code > 0x10ffff ||
		    (code >= 0xd800 && code < 0xe000))
			return 0;
		return n + 1;
	}
	return 0;
}

static void mend(char *text)
{
	while (*text) {
		size_t n = character((unsigned char *)text);

		if (n == 0)
			*text = '?';
		text += n ? n : 1;
	}
}

struct json_object *hp_tool_json_text(const char *text)
{
	struct json_object *o;
	char *copy;

	if (!text || !*text)
		return NULL;
	copy = strdup(text);
	if (!copy)
		return NULL;
	mend(copy);
	o = json_object_new_string(copy);
	free(copy);
	return o;
}

struct json_object *hp_tool_json_count(uint64_t n)
{
	return json_object_new_int64((int64_t)n);
}

void hp_tool_json_print(FILE *out, struct json_object *o)
{
	fputs(json_object_to_json_string_ext(
		      o,
		      JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE),
	      out);
	putc('\n', out);
	json_object_put(o);
}
