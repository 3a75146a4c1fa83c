/* SPDX-License-Identifier: MIT */
/*
 * json.h - what the tools put into JSON, the same way everywhere
 */
#ifndef HP_TOOL_JSON_H
#define HP_TOOL_JSON_H

#include <json-c/json.h>
#include <stdint.h>
#include <stdio.h>

/**
 * hp_tool_json_text - @text as a JSON string; null where NULL or empty
 *
 * Names of files need not be UTF-8, JSON must: a byte that is not becomes '?'.
 */
struct json_object *hp_tool_json_text(const char *text);

struct json_object *hp_tool_json_count(uint64_t n);

/* prints @o, which is freed */
void hp_tool_json_print(FILE *out, struct json_object *o);

#endif
