/* SPDX-License-Identifier: MIT */
/*
 * json.h - JSON written straight to an hp_out
 *
 * For reports out of a process that may be exiting or out of memory, where a
 * JSON library that allocates cannot be used. Keys are literals of ours and
 * need no escaping. HP_BYTES_UNKNOWN becomes null.
 */
#ifndef HP_JSON_H
#define HP_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "libhp/out.h"

struct hp_json {
	struct hp_out *out;
	bool comma; /* something precedes in this object or array */
};

/* @bracket is '{' or '['; @key is NULL inside arrays and at the top */
void hp_json_open(struct hp_json *json, const char *key, char bracket);
void hp_json_close(struct hp_json *json, char bracket);

void hp_json_u64(struct hp_json *json, const char *key, uint64_t n);
/* @text NULL: null; bytes that are not UTF-8 become U+FFFD */
void hp_json_text(struct hp_json *json, const char *key, const char *text);
void hp_json_bool(struct hp_json *json, const char *key, bool value);
void hp_json_null(struct hp_json *json, const char *key);
/* four decimals; null when either is unknown or @den is 0 */
void hp_json_ratio(struct hp_json *json, const char *key, uint64_t num,
		   uint64_t den);
/* @value is JSON already; NULL: null */
void hp_json_raw(struct hp_json *json, const char *key, const char *value);

#endif
