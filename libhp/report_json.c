/* SPDX-License-Identifier: MIT */
#include "libhp/common.h"
#include "libhp/json.h"
#include "libhp/report_form.h"

/* in the order of enum hp_event; those of mmap stand with its figures */
static const struct event {
	enum hp_event event;
	const char *key;
} events[] = {
	{HP_EVENT_DEMOTED, "demoted"},	 {HP_EVENT_COLLAPSED, "collapsed"},
	{HP_EVENT_BROKEN, "broken"},	 {HP_EVENT_RELEASED, "released"},
	{HP_EVENT_FALLBACK, "fallback"}, {HP_EVENT_FOREIGN, "foreign"},
};

static const struct event mmap_events[] = {
	{HP_EVENT_MMAP_SEEN, "seen"},
	{HP_EVENT_MMAP_PACKED, "packed"},
	{HP_EVENT_MMAP_ALIGNED, "aligned"},
	{HP_EVENT_MMAP_PASSED, "passed"},
};

static void put_events(struct hp_json *j, const struct event *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		hp_json_u64(j, list[i].key,
			    __atomic_load_n(&hp_stats_events[list[i].event],
					    __ATOMIC_RELAXED));
}

static void put_mode(struct hp_json *j, const struct hp_options *opt)
{
	char buf[16];

	hp_json_text(j, "mode",
		     opt ? hp_options_text(opt, "MODE", buf, sizeof(buf))
			 : NULL);
}

static void put_pages(struct hp_json *j, const struct hp_options *opt)
{
	char buf[HP_SIZE_TEXT];

	hp_json_open(j, "pages", '[');
	for (unsigned int i = 0; opt && i < opt->nrungs; i++)
		hp_json_text(j, NULL,
			     opt->rungs[i] == HP_RUNG_THP
				     ? "thp"
				     : hp_size_format(opt->rungs[i], buf));
	hp_json_close(j, ']');
}

static void put_head(struct hp_json *j, const struct hp_report *r)
{
	hp_json_text(j, "schema", "libhp.report/1");
	hp_json_text(j, "version", hp_version());
	hp_json_u64(j, "pid", (uint64_t)r->pid);
	hp_json_text(j, "exe", r->exe[0] ? r->exe : NULL);
	hp_json_text(j, "when", r->when);
	put_mode(j, r->options);
	put_pages(j, r->options);
	hp_json_text(j, "verdict",
		     hp_report_verdict_text(hp_report_verdict(r)));
}

static void put_process(struct hp_json *j, const struct hp_process_backing *p)
{
	hp_json_open(j, "process", '{');
	hp_json_u64(j, "present_bytes", p->present);
	hp_json_u64(j, "huge_bytes", p->huge);
	hp_json_u64(j, "hugetlb_bytes", p->hugetlb);
	hp_json_u64(j, "thp_bytes", p->thp);
	hp_json_ratio(j, "coverage", p->huge, p->present);
	hp_json_close(j, '}');
}

/* memory resident beyond what is used, as a part of what is used */
static void put_bloat(struct hp_json *j, const struct hp_source_stats *s)
{
	uint64_t over = s->present > s->used ? s->present - s->used : 0;

	if (s->present == HP_BYTES_UNKNOWN)
		over = HP_BYTES_UNKNOWN;
	hp_json_ratio(j, "bloat", over, s->used);
}

/* opens the object; the caller adds what is its own and closes it */
static void open_source(struct hp_json *j, const char *key,
			const struct hp_source_stats *s)
{
	hp_json_open(j, key, '{');
	hp_json_u64(j, "present_bytes", s->present);
	hp_json_u64(j, "huge_bytes", s->huge);
	hp_json_u64(j, "unknown_bytes", s->unknown);
	hp_json_ratio(j, "coverage", s->unknown ? HP_BYTES_UNKNOWN : s->huge,
		      s->present);
	hp_json_u64(j, "used_bytes", s->used);
	put_bloat(j, s);
	hp_json_u64(j, "slots", s->slots);
}

static void put_sources(struct hp_json *j, const struct hp_report *r)
{
	open_source(j, "managed", &r->stats->managed);
	hp_json_close(j, '}');
	open_source(j, "heap", &r->stats->heap);
	hp_json_u64(j, "alloc_calls", r->alloc_calls);
	hp_json_close(j, '}');
	open_source(j, "mmap", &r->stats->mmap);
	put_events(j, mmap_events, HP_ARRAY_SIZE(mmap_events));
	hp_json_close(j, '}');
	open_source(j, "region", &r->stats->region);
	hp_json_close(j, '}');
}

static void put_reasons(struct hp_json *j, const uint64_t *reasons)
{
	hp_json_open(j, "reasons", '{');
	for (int i = HP_REASON_NONE + 1; i < HP_REASON_COUNT; i++)
		if (reasons[i])
			hp_json_u64(j, hp_reason_text((enum hp_reason)i),
				    reasons[i]);
	hp_json_close(j, '}');
}

static void put_pools(struct hp_json *j, const struct hp_report *r)
{
	char buf[HP_SIZE_TEXT];

	hp_json_open(j, "pool", '{');
	for (unsigned int i = 0; i < r->pagesizes->npools; i++) {
		struct hp_pool pool = hp_report_pool(r, i);

		hp_json_open(j, hp_size_format(pool.size, buf), '{');
		hp_json_u64(j, "total", pool.total);
		hp_json_u64(j, "free", pool.free);
		hp_json_u64(j, "reserved", pool.reserved);
		hp_json_u64(j, "surplus", pool.surplus);
		hp_json_close(j, '}');
	}
	hp_json_close(j, '}');
}

static void put_requirement(struct hp_json *j, const struct hp_report *r)
{
	enum hp_met met = hp_report_met(r);

	hp_json_open(j, "requirement", '{');
	if (met == HP_MET_NOT_ASKED)
		hp_json_null(j, "percent");
	else
		hp_json_u64(j, "percent", (uint64_t)r->options->require);
	if (met == HP_MET_NOT_ASKED || met == HP_MET_UNKNOWN)
		hp_json_null(j, "met");
	else
		hp_json_bool(j, "met", met == HP_MET_YES);
	hp_json_close(j, '}');
}

void hp_report_json(const struct hp_report *r, struct hp_out *out)
{
	struct hp_json j = {.out = out};

	hp_json_open(&j, NULL, '{');
	put_head(&j, r);
	put_process(&j, &r->stats->process);
	put_sources(&j, r);
	put_reasons(&j, r->stats->reasons);
	put_pools(&j, r);
	hp_json_open(&j, "events", '{');
	put_events(&j, events, HP_ARRAY_SIZE(events));
	hp_json_close(&j, '}');
	put_requirement(&j, r);
	hp_json_raw(&j, "probe", r->probe);
	if (r->sites)
		r->sites(&j);
	else
		hp_json_null(&j, "sites");
	hp_json_close(&j, '}');
	hp_out_text(out, "\n");
}
