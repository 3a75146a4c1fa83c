/* SPDX-License-Identifier: MIT */
/*
 * hpprobe_csv.c - one line per arm; an empty field is a missing value to R and
 * to pandas
 */
#include "probe/hpprobe.h"

#include <math.h>

static void put_number(FILE *out, double value)
{
	if (isfinite(value))
		fprintf(out, ",%.6g", value);
	else
		fputc(',', out);
}

static void put_count(FILE *out, uint64_t count)
{
	if (count == UINT64_MAX)
		fputc(',', out);
	else
		fprintf(out, ",%llu", (unsigned long long)count);
}

static void put_quoted(FILE *out, const char *text)
{
	fputs(",\"", out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

static void put_interval(FILE *out, const struct hp_probe_interval *is)
{
	put_number(out, is->value);
	put_number(out, is->lo);
	put_number(out, is->hi);
}

static void put_what(FILE *out, const char *command,
		     const struct hp_probe_arm *arm)
{
	fprintf(out, "%s,%s,%s,%s", command, arm->pages, arm->pattern,
		arm->role);
	put_count(out, arm->span);
	put_count(out, arm->stride);
	put_count(out, arm->nodes);
	put_count(out, arm->streams);
	put_count(out, arm->rounds);
}

static void put_found(FILE *out, const struct hp_probe_arm *arm)
{
	put_number(out, arm->ns.median);
	put_number(out, arm->ns.q1);
	put_number(out, arm->ns.q3);
	put_number(out, arm->ns.min);
	put_number(out, arm->cycles);
	put_interval(out, &arm->ratio);
	put_interval(out, &arm->translation);
	put_number(out, arm->touch.p50);
	put_number(out, arm->touch.p90);
	put_number(out, arm->touch.p99);
	put_number(out, arm->touch.max);
	put_number(out, arm->touch.ns_per_kib);
	put_number(out, arm->counters.dtlb_misses);
	put_number(out, arm->counters.walks);
}

static void put_trust(FILE *out, const struct hp_probe_arm *arm)
{
	put_count(out, arm->chunks.kept);
	put_count(out, arm->chunks.total);
	put_count(out, arm->backing.huge_bytes);
	put_count(out, arm->backing.bytes);
	fprintf(out, ",%s,%s", arm->backing.source ? arm->backing.source : "",
		arm->backing.verified ? "TRUE" : "FALSE");
	put_number(out, arm->floor);
	fprintf(out, ",%s",
		arm->verdict == HP_PROBE_BASELINE
			? ""
			: hp_probe_verdict_text(arm->verdict));
	put_quoted(out, arm->reason);
}

void hp_write_csv(FILE *out, const struct hp_probe_result *result)
{
	fputs("command,pages,pattern,role,span,stride,nodes,streams,rounds,"
	      "ns,ns_q1,ns_q3,ns_min,cycles,ratio,ratio_lo,ratio_hi,"
	      "translation_ns,translation_lo,translation_hi,"
	      "touch_p50,touch_p90,touch_p99,touch_max,touch_ns_per_kib,"
	      "dtlb_misses,walks,chunks_kept,chunks_total,huge_bytes,bytes,"
	      "source,verified,floor,verdict,reason\n",
	      out);
	for (size_t i = 0; i < result->narms; i++) {
		const struct hp_probe_arm *arm = &result->arms[i];

		put_what(out, result->command, arm);
		put_found(out, arm);
		put_trust(out, arm);
		fputc('\n', out);
	}
}
