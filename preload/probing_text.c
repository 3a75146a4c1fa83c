/* SPDX-License-Identifier: MIT */
#include "preload/probing_text.h"

#include <math.h>

#include "libhp/text.h"

/* JSON under way; a comma precedes all but the first of each bracket. */
struct sheet {
	char *buf;
	size_t size;
	bool comma;
	int cut; /* something did not fit */
};

static void put(struct sheet *sheet, const char *text)
{
	sheet->cut |= hp_text_append(sheet->buf, sheet->size, text);
}

static void put_u64(struct sheet *sheet, uint64_t n)
{
	sheet->cut |= hp_text_append_u64(sheet->buf, sheet->size, n);
}

/* @digits decimals, rounded; no stdio, as in all of the preload */
static void put_fixed(struct sheet *sheet, double value, unsigned int digits)
{
	uint64_t scale = 1, units;

	for (unsigned int i = 0; i < digits; i++)
		scale *= 10;
	if (value < 0)
		put(sheet, "-");
	units = (uint64_t)((value < 0 ? -value : value) * (double)scale + 0.5);
	put_u64(sheet, units / scale);
	put(sheet, ".");
	for (scale /= 10; scale; scale /= 10)
		put_u64(sheet, units / scale % 10);
}

static void put_key(struct sheet *sheet, const char *key)
{
	if (sheet->comma)
		put(sheet, ",");
	sheet->comma = true;
	if (!key)
		return;
	put(sheet, "\"");
	put(sheet, key);
	put(sheet, "\":");
}

static void open_bracket(struct sheet *sheet, const char *key,
			 const char *bracket)
{
	put_key(sheet, key);
	put(sheet, bracket);
	sheet->comma = false;
}

static void close_bracket(struct sheet *sheet, const char *bracket)
{
	put(sheet, bracket);
	sheet->comma = true;
}

static void put_number(struct sheet *sheet, const char *key, double value)
{
	put_key(sheet, key);
	if (isfinite(value))
		put_fixed(sheet, value, 3);
	else
		put(sheet, "null");
}

static void put_count(struct sheet *sheet, const char *key, uint64_t count)
{
	put_key(sheet, key);
	if (count == UINT64_MAX)
		put(sheet, "null");
	else
		put_u64(sheet, count);
}

/* Our own words only: nothing in them needs escaping. */
static void put_text(struct sheet *sheet, const char *key, const char *text)
{
	put_key(sheet, key);
	if (!text || !text[0]) {
		put(sheet, "null");
		return;
	}
	put(sheet, "\"");
	put(sheet, text);
	put(sheet, "\"");
}

static void put_interval(struct sheet *sheet, const char *key,
			 const struct hp_probe_interval *is)
{
	if (!isfinite(is->value)) {
		put_text(sheet, key, NULL);
		return;
	}
	open_bracket(sheet, key, "{");
	put_number(sheet, "value", is->value);
	put_number(sheet, "lo", is->lo);
	put_number(sheet, "hi", is->hi);
	close_bracket(sheet, "}");
}

static void put_live(struct sheet *sheet, const struct hp_probe_live *live)
{
	open_bracket(sheet, "live", "{");
	put_count(sheet, "bytes", live->bytes);
	put_count(sheet, "huge_bytes", live->huge_bytes);
	put_interval(sheet, "ns", &live->ns);
	put_interval(sheet, "translation", &live->translation);
	put_interval(sheet, "small", &live->small);
	put_interval(sheet, "ratio", &live->ratio);
	put_count(sheet, "small_bytes", live->small_bytes);
	put_count(sheet, "chunks_kept", live->chunks.kept);
	put_count(sheet, "chunks_total", live->chunks.total);
	put_number(sheet, "elapsed_s", live->elapsed_s);
	put_text(sheet, "reason", live->reason);
	close_bracket(sheet, "}");
}

static void put_arm(struct sheet *sheet, const struct hp_probe_arm *arm)
{
	open_bracket(sheet, NULL, "{");
	put_text(sheet, "pages", arm->pages);
	put_text(sheet, "pattern", arm->pattern);
	put_text(sheet, "role", arm->role);
	put_number(sheet, "ns", arm->ns.median);
	put_interval(sheet, "ratio", &arm->ratio);
	put_text(sheet, "verdict",
		 arm->verdict == HP_PROBE_BASELINE
			 ? NULL
			 : hp_probe_verdict_text(arm->verdict));
	put_text(sheet, "reason", arm->reason);
	close_bracket(sheet, "}");
}

static void put_fresh(struct sheet *sheet, const struct hp_probe_result *fresh)
{
	if (!fresh) {
		put_text(sheet, "fresh", NULL);
		return;
	}
	open_bracket(sheet, "fresh", "[");
	for (size_t i = 0; i < fresh->narms; i++)
		put_arm(sheet, &fresh->arms[i]);
	close_bracket(sheet, "]");
}

static void put_measured(struct sheet *line, const char *before,
			 const struct hp_probe_interval *is, const char *after)
{
	if (!isfinite(is->value))
		return;
	put(line, before);
	put_fixed(line, is->value, 1);
	put(line, " ns [");
	put_fixed(line, is->lo, 1);
	put(line, " ");
	put_fixed(line, is->hi, 1);
	put(line, "]");
	put(line, after);
}

static void make_line(struct sheet *line, const struct hp_probe_live *live)
{
	line->buf[0] = '\0';
	if (!isfinite(live->ns.value)) {
		put(line, "not measured: ");
		put(line, live->reason);
		return;
	}
	put_measured(line, "a load costs ", &live->ns, "");
	put_measured(line, ", translation ", &live->translation, " of it");
	put_measured(line, "; on small pages ", &live->small, "");
}

void hp_probing_text_make(struct hp_probing_text *text, const char *when,
			  uint64_t runs, const struct hp_probe_live *live,
			  const struct hp_probe_result *fresh)
{
	struct sheet json = {text->json, sizeof(text->json), false, 0};
	struct sheet line = {text->line, sizeof(text->line), false, 0};

	make_line(&line, live);
	text->json[0] = '\0';
	open_bracket(&json, NULL, "{");
	put_text(&json, "when", when);
	put_count(&json, "runs", runs);
	put_live(&json, live);
	put_fresh(&json, fresh);
	close_bracket(&json, "}");
	if (json.cut) /* half an object is none */
		text->json[0] = '\0';
}
