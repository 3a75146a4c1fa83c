/* SPDX-License-Identifier: MIT */
#include "libhp/json.h"

#include <string.h>

#include "libhp/hp.h"

static void put_key(struct hp_json *json, const char *key)
{
	if (json->comma)
		hp_out_text(json->out, ", ");
	json->comma = true;
	if (!key)
		return;
	hp_out_text(json->out, "\"");
	hp_out_text(json->out, key);
	hp_out_text(json->out, "\": ");
}

void hp_json_open(struct hp_json *json, const char *key, char bracket)
{
	put_key(json, key);
	hp_out_bytes(json->out, &bracket, 1);
	json->comma = false;
}

void hp_json_close(struct hp_json *json, char bracket)
{
	hp_out_bytes(json->out, &bracket, 1);
	json->comma = true;
}

void hp_json_raw(struct hp_json *json, const char *key, const char *value)
{
	put_key(json, key);
	hp_out_text(json->out, value ? value : "null");
}

void hp_json_null(struct hp_json *json, const char *key)
{
	hp_json_raw(json, key, NULL);
}

void hp_json_bool(struct hp_json *json, const char *key, bool value)
{
	hp_json_raw(json, key, value ? "true" : "false");
}

void hp_json_u64(struct hp_json *json, const char *key, uint64_t n)
{
	if (n == HP_BYTES_UNKNOWN) {
		hp_json_null(json, key);
		return;
	}
	put_key(json, key);
	hp_out_u64(json->out, n, 0);
}

void hp_json_ratio(struct hp_json *json, const char *key, uint64_t num,
		   uint64_t den)
{
	if (num == HP_BYTES_UNKNOWN || den == HP_BYTES_UNKNOWN || den == 0) {
		hp_json_null(json, key);
		return;
	}
	put_key(json, key);
	hp_out_fraction(json->out, num, den, 4, 0);
}

/* bytes a UTF-8 sequence has by its first byte; 0: none starts so */
static size_t utf8_len(unsigned char c)
{
	if (c < 0x80)
		return 1;
	if (c >= 0xc2 && c < 0xe0)
		return 2;
	if (c >= 0xe0 && c < 0xf0)
		return 3;
	return c >= 0xf0 && c < 0xf5 ? 4 : 0;
}

/* overlong forms, surrogates and what lies above U+10FFFF: RFC 3629 */
static bool utf8_second_ok(unsigned char first, unsigned char second)
{
	switch (first) {
	case 0xe0:
		return second >= 0xa0;
	case 0xed:
		return second < 0xa0;
	case 0xf0:
		return second >= 0x90;
	case 0xf4:
		return second < 0x90;
	default:
		return true;
	}
}

/* the length of the valid sequence at @text, or 0 */
static size_t utf8_check(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t len = utf8_len(s[0]);

	for (size_t i = 1; i < len; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	return len > 1 && !utf8_second_ok(s[0], s[1]) ? 0 : len;
}

static void put_control(struct hp_out *out, unsigned char c)
{
	static const char hex[] = "0123456789abcdef";
	const char escape[] = {'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]};

	hp_out_bytes(out, escape, sizeof(escape));
}

/* returns how many bytes of @text were dealt with */
static size_t put_char(struct hp_out *out, const char *text)
{
	size_t len = utf8_check(text);

	if (len == 0) {
		hp_out_text(out, "\\ufffd");
		return 1;
	}
	if (*text == '"' || *text == '\\')
		hp_out_text(out, "\\");
	if ((unsigned char)*text < 0x20)
		put_control(out, (unsigned char)*text);
	else
		hp_out_bytes(out, text, len);
	return len;
}

void hp_json_text(struct hp_json *json, const char *key, const char *text)
{
	if (!text) {
		hp_json_null(json, key);
		return;
	}
	put_key(json, key);
	hp_out_text(json->out, "\"");
	while (*text)
		text += put_char(json->out, text);
	hp_out_text(json->out, "\"");
}
