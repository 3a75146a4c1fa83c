/* SPDX-License-Identifier: MIT */
#include "libhp/cause.h"

#include "libhp/common.h"
#include "libhp/textfile.h"

/* Documentation/admin-guide/mm/transhuge.rst, "Monitoring usage" */
struct counters {
	uint64_t fallback; /* faults that wanted a huge page and got none */
	uint64_t charge;   /* of these, refused by the memory cgroup */
};

static struct counters before;
static bool started;

static int read_counter(char *text, void *arg)
{
	struct counters *c = arg;
	const char *value = hp_text_after(text, "thp_fault_fallback ");

	if (value)
		return hp_text_u64(value, NULL, &c->fallback);
	value = hp_text_after(text, "thp_fault_fallback_charge ");
	return value ? hp_text_u64(value, NULL, &c->charge) : 0;
}

static int read_counters(struct counters *c)
{
	*c = (struct counters){0};
	return hp_textfile_lines("/proc/vmstat", read_counter, c);
}

static bool forked;

void hp_cause_fork(void)
{
	forked = true;
}

void hp_cause_start(void)
{
	static bool taken;
	struct counters now;

	if (__atomic_exchange_n(&taken, true, __ATOMIC_RELAXED))
		return;
	if (read_counters(&now))
		return;
	before = now;
	__atomic_store_n(&started, true, __ATOMIC_RELEASE);
}

static void compare_counters(struct hp_cause *cause)
{
	struct counters now;
	uint64_t failed;

	cause->uncharged = cause->unfound = 0;
	if (!__atomic_load_n(&started, __ATOMIC_ACQUIRE) || read_counters(&now))
		return;
	failed = now.fallback - before.fallback;
	cause->uncharged = now.charge - before.charge;
	if (failed > cause->uncharged)
		cause->unfound = failed - cause->uncharged;
}

void hp_cause_open(struct hp_cause *cause, const struct hp_pagesizes *ps,
		   struct hp_backing_view *view)
{
	cause->ps = ps;
	cause->thp = hp_pagesizes_thp_reason(ps);
	cause->view = view;
	compare_counters(cause);
}

/* a slot that one mapping does not hold whole cannot be huge */
static bool is_split(const struct hp_cause *cause,
		     const struct hp_slot_facts *slot)
{
	struct hp_mapping m;

	if (!cause->view || hp_backing_mapping(cause->view, slot->start, &m))
		return false;
	return m.start > slot->start || m.end < slot->start + cause->ps->pmd;
}

static bool take(uint64_t *left)
{
	if (*left == 0)
		return false;
	--*left;
	return true;
}

static enum hp_reason look_closer(struct hp_cause *cause,
				  const struct hp_slot_facts *slot)
{
	if (slot->span < cause->ps->pmd)
		return HP_REASON_UNALIGNED;
	if (is_split(cause, slot))
		return HP_REASON_SPLIT;
	if (take(&cause->uncharged))
		return HP_REASON_MEMCG;
	if (take(&cause->unfound))
		return HP_REASON_NO_CONTIGUOUS;
	return forked && !slot->unknown ? HP_REASON_AFTER_FORK
					: HP_REASON_UNKNOWN;
}

/* the pool page the ladder asked for first was refused; THP came instead */
static bool is_missed_pool(enum hp_reason reason)
{
	return reason == HP_REASON_POOL_EMPTY ||
	       reason == HP_REASON_HUGETLB_LIMIT ||
	       reason == HP_REASON_NODE_BOUND;
}

bool hp_cause_expected(enum hp_reason recorded)
{
	return recorded == HP_REASON_NONE || is_missed_pool(recorded);
}

enum hp_reason hp_cause_find(struct hp_cause *cause,
			     const struct hp_slot_facts *slot)
{
	if (slot->huge == slot->span)
		return is_missed_pool(slot->reason) && !slot->hugetlb
			       ? slot->reason
			       : HP_REASON_NONE;
	if (slot->present + slot->unknown == 0)
		return HP_REASON_NOT_TOUCHED;
	if (slot->reason != HP_REASON_NONE)
		return slot->reason;
	if (cause->thp != HP_REASON_NONE && !slot->hugetlb)
		return cause->thp;
	return look_closer(cause, slot);
}
