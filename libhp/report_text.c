/* SPDX-License-Identifier: MIT */
#include "libhp/common.h"
#include "libhp/report_form.h"

#define MAX_REASONS 8 /* lines; the report is to fit a screen */
#define MAX_POOLS 3

static const char *const explanations[HP_REASON_COUNT] = {
	[HP_REASON_BELOW_START] = "memory has not yet outgrown LIBHP_START",
	[HP_REASON_NOT_TOUCHED] = "no page of it is present",
	[HP_REASON_MODE_OFF] = "LIBHP_MODE=off",
	[HP_REASON_SYSFS_NEVER] =
		"/sys/kernel/mm/transparent_hugepage/enabled says never",
	[HP_REASON_SIZE_DISABLED] =
		"never for this size under transparent_hugepage/hugepages-*",
	[HP_REASON_PRCTL] = "THP disabled for this process (prctl)",
	[HP_REASON_UNALIGNED] = "the mapping has no whole slot there",
	[HP_REASON_POOL_EMPTY] = "no free page in the hugetlb pool",
	[HP_REASON_HUGETLB_LIMIT] = "limit of the hugetlb cgroup",
	[HP_REASON_MEMCG] = "limit of the memory cgroup",
	[HP_REASON_NODE_BOUND] = "no free page on the bound NUMA nodes",
	[HP_REASON_NO_CONTIGUOUS] = "no free memory in one piece",
	[HP_REASON_SPLIT] = "munmap, mprotect or madvise inside the slot",
	[HP_REASON_RELEASED] = "free pages went back to the kernel",
	[HP_REASON_AFTER_FORK] = "copied or demoted at fork",
	[HP_REASON_PROGRAM_ADVICE] = "the program asked for small pages",
	[HP_REASON_UNKNOWN] = "the kernel gives no cause",
};

static void put_bytes(struct hp_out *out, uint64_t bytes)
{
	if (bytes == HP_BYTES_UNKNOWN) {
		hp_out_text(out, "     unknown");
		return;
	}
	hp_out_fraction(out, bytes, HP_MIB, 1, 8);
	hp_out_text(out, " MiB");
}

static void put_percent(struct hp_out *out, uint64_t part, uint64_t all)
{
	if (part == HP_BYTES_UNKNOWN || all == HP_BYTES_UNKNOWN || all == 0) {
		hp_out_text(out, "       -");
		return;
	}
	hp_out_fraction(out, part * 100, all, 1, 6);
	hp_out_text(out, " %");
}

static void put_who(struct hp_out *out, const struct hp_report *r)
{
	hp_out_text(out, " (");
	if (r->exe[0]) {
		hp_out_text(out, r->exe);
		hp_out_text(out, ", ");
	}
	hp_out_text(out, "pid ");
	hp_out_u64(out, (uint64_t)r->pid, 0);
	hp_out_text(out, r->when ? ", " : "");
	hp_out_text(out, r->when ? r->when : "");
	hp_out_text(out, ")\n");
}

static void put_verdict(struct hp_out *out, const struct hp_report *r)
{
	enum hp_verdict verdict = hp_report_verdict(r);
	const struct hp_source_stats *m = &r->stats->managed;

	hp_out_text(out, "libhp: ");
	hp_out_text(out, hp_report_verdict_text(verdict));
	if (verdict == HP_VERDICT_UNKNOWN) {
		hp_out_text(out, ": the kernel would not say how memory is "
				 "mapped");
	} else if (m->present == 0) {
		hp_out_text(out, ": libhp manages no memory that is present");
	} else {
		hp_out_text(out, ": ");
		hp_out_fraction(out, m->huge * 100, m->present + m->unknown, 1,
				0);
		hp_out_text(out, " % of ");
		hp_out_fraction(out, m->present + m->unknown, HP_MIB, 1, 0);
		hp_out_text(out, " MiB managed is on huge pages");
	}
	put_who(out, r);
}

static void put_line(struct hp_out *out, const char *name, uint64_t present,
		     uint64_t huge)
{
	hp_out_text(out, "  ");
	hp_out_left(out, name, 9);
	put_bytes(out, present);
	hp_out_text(out, " present ");
	put_bytes(out, huge);
	hp_out_text(out, " huge ");
	put_percent(out, huge, present);
}

static void put_process(struct hp_out *out, const struct hp_process_backing *p)
{
	put_line(out, "process", p->present, p->huge);
	if (p->hugetlb != HP_BYTES_UNKNOWN && p->hugetlb > 0) {
		hp_out_text(out, ", hugetlb ");
		put_bytes(out, p->hugetlb);
	}
	hp_out_text(out, "\n");
}

static void put_source(struct hp_out *out, const char *name,
		       const struct hp_source_stats *s)
{
	if (s->slots == 0)
		return;
	put_line(out, name, s->present, s->huge);
	hp_out_text(out, ", used ");
	put_bytes(out, s->used);
	if (s->unknown > 0) {
		hp_out_text(out, ", not known ");
		put_bytes(out, s->unknown);
	}
	hp_out_text(out, "\n");
}

static void put_reason(struct hp_out *out, int reason, uint64_t slots)
{
	hp_out_text(out, "  ");
	hp_out_u64(out, slots, 8);
	hp_out_text(out, "  ");
	hp_out_left(out, hp_reason_text((enum hp_reason)reason), 21);
	hp_out_text(out, explanations[reason]);
	hp_out_text(out, "\n");
}

static uint64_t sum_reasons(const uint64_t *reasons)
{
	uint64_t sum = 0;

	for (int i = HP_REASON_NONE + 1; i < HP_REASON_COUNT; i++)
		sum += reasons[i];
	return sum;
}

/* the reason with most slots of those not in @done; 0 when there is no more */
static int next_reason(const uint64_t *reasons, uint32_t done)
{
	int best = HP_REASON_NONE;

	for (int i = HP_REASON_NONE + 1; i < HP_REASON_COUNT; i++) {
		if (reasons[i] == 0 || (done & 1u << i))
			continue;
		if (best == HP_REASON_NONE || reasons[i] > reasons[best])
			best = i;
	}
	return best;
}

static void put_reasons(struct hp_out *out, const struct hp_stats *s)
{
	uint64_t left = sum_reasons(s->reasons);
	uint32_t done = 0;
	int reason;

	if (left == 0)
		return;
	hp_out_text(out, "  slots not as asked: ");
	hp_out_u64(out, left, 0);
	hp_out_text(out, " of ");
	hp_out_u64(out, s->managed.slots, 0);
	hp_out_text(out, "\n");
	for (int i = 0; i < MAX_REASONS; i++) {
		reason = next_reason(s->reasons, done);
		if (reason == HP_REASON_NONE)
			return;
		put_reason(out, reason, s->reasons[reason]);
		done |= 1u << reason;
		left -= s->reasons[reason];
	}
	if (left == 0)
		return;
	hp_out_text(out, "  ");
	hp_out_u64(out, left, 8);
	hp_out_text(out, "  for other reasons\n");
}

static void put_count(struct hp_out *out, const char *name, uint64_t n)
{
	hp_out_text(out, name);
	if (n == HP_UNKNOWN)
		hp_out_text(out, "unknown");
	else
		hp_out_u64(out, n, 0);
}

static void put_pool(struct hp_out *out, const struct hp_pool *pool)
{
	char size[HP_SIZE_TEXT];

	hp_out_text(out, "  pool of ");
	hp_out_text(out, hp_size_format(pool->size, size));
	put_count(out, ": total ", pool->total);
	put_count(out, ", free ", pool->free);
	put_count(out, ", reserved ", pool->reserved);
	put_count(out, ", surplus ", pool->surplus);
	hp_out_text(out, "\n");
}

/* empty pools say nothing, unless one is what was missing */
static void put_pools(struct hp_out *out, const struct hp_report *r)
{
	bool missed = r->stats->reasons[HP_REASON_POOL_EMPTY] > 0;
	unsigned int lines = 0;

	for (unsigned int i = 0; i < r->pagesizes->npools; i++) {
		struct hp_pool pool = hp_report_pool(r, i);

		if ((pool.total > 0 || missed) && lines++ < MAX_POOLS)
			put_pool(out, &pool);
	}
}

static void put_event(struct hp_out *out, const char *name, enum hp_event event)
{
	put_count(out, name,
		  __atomic_load_n(&hp_stats_events[event], __ATOMIC_RELAXED));
}

static void put_events(struct hp_out *out)
{
	put_event(out, "  slots collapsed ", HP_EVENT_COLLAPSED);
	put_event(out, ", broken ", HP_EVENT_BROKEN);
	put_event(out, ", released ", HP_EVENT_RELEASED);
	put_event(out, ", demoted ", HP_EVENT_DEMOTED);
	put_event(out, ", fallbacks ", HP_EVENT_FALLBACK);
	put_event(out, "; foreign blocks ", HP_EVENT_FOREIGN);
	hp_out_text(out, "\n");
}

static void put_mmap(struct hp_out *out)
{
	if (!__atomic_load_n(&hp_stats_events[HP_EVENT_MMAP_SEEN],
			     __ATOMIC_RELAXED))
		return;
	put_event(out, "  mmaps seen ", HP_EVENT_MMAP_SEEN);
	put_event(out, ", packed ", HP_EVENT_MMAP_PACKED);
	put_event(out, ", aligned ", HP_EVENT_MMAP_ALIGNED);
	put_event(out, ", passed ", HP_EVENT_MMAP_PASSED);
	hp_out_text(out, "\n");
}

static void put_requirement(struct hp_out *out, const struct hp_report *r)
{
	static const char *const texts[] = {
		[HP_MET_UNKNOWN] = " %: not known whether met\n",
		[HP_MET_NO] = " %: not met\n",
		[HP_MET_YES] = " %: met\n",
	};
	enum hp_met met = hp_report_met(r);

	if (met == HP_MET_NOT_ASKED)
		return;
	hp_out_text(out, "  required coverage ");
	hp_out_u64(out, (uint64_t)r->options->require, 0);
	hp_out_text(out, texts[met]);
}

static void put_probe(struct hp_out *out, const struct hp_report *r)
{
	if (!r->probe_line)
		return;
	hp_out_text(out, "  probe: ");
	hp_out_text(out, r->probe_line);
	hp_out_text(out, "\n");
}

void hp_report_text(const struct hp_report *r, struct hp_out *out)
{
	const struct hp_stats *s = r->stats;

	put_verdict(out, r);
	put_process(out, &s->process);
	put_source(out, "managed", &s->managed);
	put_source(out, "heap", &s->heap);
	put_source(out, "mmap", &s->mmap);
	put_source(out, "region", &s->region);
	put_reasons(out, s);
	put_pools(out, r);
	put_mmap(out);
	put_events(out);
	put_probe(out, r);
	put_requirement(out, r);
	if (r->sites_table)
		r->sites_table(out);
}
