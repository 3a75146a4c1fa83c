/* SPDX-License-Identifier: MIT */
/*
 * hpprobe_text.c - results for people
 */
#include "probe/hpprobe.h"

#include <math.h>
#include <string.h>

#include "libhp/size.h"

static const char *size_text(uint64_t size, char *buf)
{
	static const char unit[] = "KMGT";
	int u = -1;

	while (size >= 1024 && size % 1024 == 0 && u < 3) {
		size /= 1024;
		u++;
	}
	snprintf(buf, HP_SIZE_TEXT, "%llu%.1s", (unsigned long long)size,
		 u < 0 ? "" : unit + u);
	return buf;
}

static void put_machine(FILE *out, const struct hp_probe_machine *machine)
{
	fprintf(out, "%s, %s%s", machine->cpu_model, machine->kernel,
		machine->hypervisor == 1 ? ", virtual machine" : "");
	if (machine->cpu >= 0)
		fprintf(out, ", cpu %d", machine->cpu);
	fprintf(out, ", %.2f GHz\n", 1 / machine->cycle_ns);
}

/* Three figures, as many decimals as that leaves. */
static void put_ns(FILE *out, int width, double ns)
{
	if (!isfinite(ns))
		fprintf(out, "%*s", width, "-");
	else
		fprintf(out, "%*.*f", width,
			ns < 10	   ? 2
			: ns < 100 ? 1
				   : 0,
			ns);
}

static void put_huge(FILE *out, const struct hp_probe_backing *backing)
{
	if (backing->huge_bytes == UINT64_MAX || !backing->bytes)
		fprintf(out, "%6s", "?");
	else
		fprintf(out, "%5.0f%%",
			100.0 * (double)backing->huge_bytes /
				(double)backing->bytes);
}

static void put_ratio(FILE *out, const struct hp_probe_interval *ratio)
{
	if (isfinite(ratio->value))
		fprintf(out, "  %5.3f [%5.3f %5.3f]", ratio->value, ratio->lo,
			ratio->hi);
	else
		fprintf(out, "  %21s", "");
}

static void put_verdict(FILE *out, const struct hp_probe_arm *arm)
{
	if (arm->reason[0])
		fprintf(out, "  %s", arm->reason);
	else
		fprintf(out, "  %s%s", hp_probe_verdict_text(arm->verdict),
			strcmp(arm->role, "control") ? "" : " (control)");
}

/* A kind that could not be had says so once, not once per pattern. */
static bool repeats_reason(const struct hp_probe_result *result, size_t i)
{
	const struct hp_probe_arm *is = &result->arms[i];

	return i && is->reason[0] && !is->rounds &&
	       !strcmp(is->reason, is[-1].reason) &&
	       !strcmp(is->pages, is[-1].pages);
}

static void put_arm(FILE *out, const struct hp_probe_arm *arm)
{
	char span[HP_SIZE_TEXT];

	fprintf(out, "%-9s %-9s %6s", arm->pages, arm->pattern,
		size_text(arm->span, span));
	put_ns(out, 8, arm->ns.median);
	put_ns(out, 8, arm->ns.q1);
	put_ns(out, 8, arm->ns.q3);
	put_ns(out, 8, arm->ns.min);
	put_ns(out, 8, arm->cycles);
	fprintf(out, " %4u/%-4u", arm->chunks.kept, arm->chunks.total);
	put_huge(out, &arm->backing);
	put_ratio(out, &arm->ratio);
	put_verdict(out, arm);
	fputc('\n', out);
}

static void put_arms(FILE *out, const struct hp_probe_result *result)
{
	fprintf(out, "%-9s %-9s %6s%8s%8s%8s%8s%8s %-9s%6s  %-21s  %s\n",
		"pages", "pattern", "span", "ns/load", "q1", "q3", "min",
		"cycles", "kept/all", "huge", "ratio to baseline", "verdict");
	for (size_t i = 0; i < result->narms; i++)
		if (!repeats_reason(result, i))
			put_arm(out, &result->arms[i]);
}

static void put_touch(FILE *out, const struct hp_probe_arm *arm)
{
	fprintf(out, "%-9s %-9s", arm->pages, arm->pattern);
	put_ns(out, 10, arm->touch.p50);
	put_ns(out, 10, arm->touch.p90);
	put_ns(out, 10, arm->touch.p99);
	put_ns(out, 12, arm->touch.max);
	put_ns(out, 10, arm->touch.ns_per_kib);
	put_huge(out, &arm->backing);
	put_ratio(out, &arm->ratio);
	put_verdict(out, arm);
	fputc('\n', out);
}

static void put_touches(FILE *out, const struct hp_probe_result *result)
{
	fprintf(out, "%-9s %-9s%10s%10s%10s%12s%10s%6s  %-21s  %s\n", "pages",
		"memory", "p50 ns", "p90 ns", "p99 ns", "max ns", "ns/KiB",
		"huge", "ns/KiB to baseline", "verdict");
	for (size_t i = 0; i < result->narms; i++)
		if (!repeats_reason(result, i))
			put_touch(out, &result->arms[i]);
}

static void put_translation(FILE *out, const struct hp_probe_arm *arm)
{
	if (!isfinite(arm->translation.value) || !strcmp(arm->role, "control"))
		return;
	fprintf(out,
		"translation on %s pages: %.1f ns a load [%.1f %.1f], one "
		"line per %llu bytes against the same lines packed\n",
		arm->pages, arm->translation.value, arm->translation.lo,
		arm->translation.hi, (unsigned long long)arm->stride);
}

static const char *answer(enum hp_probe_finding finding)
{
	if (finding == HP_PROBE_UNKNOWN)
		return "cannot be told";
	return finding == HP_PROBE_YES ? "yes" : "no";
}

static void put_integrity(FILE *out,
			  const struct hp_probe_integrity_findings *is)
{
	fprintf(out,
		"prefetches what lines point to: %s\n"
		"predicts loaded values: %s\n"
		"replays old sequences: %s\n",
		answer(is->content_prefetcher), answer(is->value_predictor),
		answer(is->temporal_prefetcher));
}

static void put_counters(FILE *out, const struct hp_probe_result *result)
{
	const struct hp_probe_machine *machine = &result->machine;

	if (machine->counters_error[0]) {
		fprintf(out, "dTLB counters unavailable: %s\n",
			machine->counters_error);
		return;
	}
	for (size_t i = 0; i < result->narms; i++) {
		const struct hp_probe_arm *arm = &result->arms[i];

		if (isfinite(arm->counters.dtlb_misses))
			fprintf(out, "%s %s: %.3f dTLB misses a load\n",
				arm->pages, arm->pattern,
				arm->counters.dtlb_misses);
	}
}

void hp_write_text(FILE *out, const struct hp_probe_result *result)
{
	put_machine(out, &result->machine);
	if (!strcmp(result->command, "fault"))
		put_touches(out, result);
	else
		put_arms(out, result);
	for (size_t i = 0; i < result->narms; i++)
		put_translation(out, &result->arms[i]);
	if (isfinite(result->noise_floor))
		fprintf(out, "noise floor: %.1f %%\n",
			100 * result->noise_floor);
	if (!strcmp(result->command, "integrity"))
		put_integrity(out, &result->integrity);
	if (strcmp(result->command, "fault"))
		put_counters(out, result);
	for (unsigned int i = 0; i < result->nnotes; i++)
		fprintf(out, "note: %s\n", result->notes[i]);
	if (result->interrupted)
		fprintf(out, "stopped before all rounds were done\n");
	if (!result->conclusions_valid)
		fprintf(out, "no conclusion: fewer than two kinds stand\n");
}
