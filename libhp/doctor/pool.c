/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "libhp/common.h"
#include "libhp/doctor/exam.h"
#include "libhp/linux.h"
#include "libhp/size.h"
#include "libhp/text.h"
#include "libhp/textfile.h"

#define NODES "/sys/devices/system/node"
#define HUGETLB "/sys/kernel/mm/hugepages"

/* what a fix asks for: so much memory, but not too much of all there is */
#define WORTH HP_GIB
#define SHARE 8

static char ids[HP_HUGETLB_MAX][32];

struct nodes {
	size_t size;
	struct json_object *list;
};

static uint64_t node_count(const char *node, size_t size, const char *file)
{
	char path[160];
	uint64_t n = HP_UNKNOWN;

	snprintf(path, sizeof(path),
		 NODES "/%.32s/hugepages/hugepages-%zukB/%s", node,
		 size / HP_KIB, file);
	hp_textfile_u64(path, &n);
	return n;
}

static int add_node(const char *name, void *arg)
{
	struct nodes *nodes = arg;
	const char *end, *number = hp_text_after(name, "node");
	struct json_object *o;
	uint64_t n;

	if (!number || hp_text_u64(number, &end, &n) || *end)
		return 0;
	o = json_object_new_object();
	json_object_object_add(o, "node", hp_json_count(n));
	json_object_object_add(
		o, "total",
		hp_json_count(node_count(name, nodes->size, "nr_hugepages")));
	json_object_object_add(
		o, "free",
		hp_json_count(node_count(name, nodes->size, "free_hugepages")));
	json_object_array_add(nodes->list, o);
	return 0;
}

/* -1: null, not known */
static int64_t member(struct json_object *o, const char *key)
{
	struct json_object *value = NULL;

	json_object_object_get_ex(o, key, &value);
	return value ? json_object_get_int64(value) : -1;
}

/* with one node there is nothing to tell; not all need have such pages */
static void describe_nodes(struct hp_finding *f, struct json_object *list)
{
	char text[64];
	size_t n = json_object_array_length(list);

	for (size_t i = 0; n > 1 && i < n; i++) {
		struct json_object *o = json_object_array_get_idx(list, i);
		int64_t free = member(o, "free"), total = member(o, "total");

		if (free < 0 || total < 0)
			continue;
		snprintf(text, sizeof(text), "node%jd %jd of %jd free",
			 (intmax_t)member(o, "node"), (intmax_t)free,
			 (intmax_t)total);
		hp_finding_extend(f, text);
	}
}

static void add_data(struct hp_finding *f, const struct hp_pool *p)
{
	struct nodes nodes = {p->size, json_object_new_array()};

	hp_finding_data(f, "page_bytes", hp_json_count(p->size));
	hp_finding_data(f, "total", hp_json_count(p->total));
	hp_finding_data(f, "free", hp_json_count(p->free));
	hp_finding_data(f, "reserved", hp_json_count(p->reserved));
	hp_finding_data(f, "surplus", hp_json_count(p->surplus));
	hp_finding_data(f, "overcommit", hp_json_count(p->overcommit));
	/* no such directory: not a machine with nodes */
	hp_textfile_names(NODES, add_node, &nodes);
	describe_nodes(f, nodes.list);
	hp_finding_data(f, "nodes", nodes.list);
}

static void suggest(const struct hp_exam *x, struct hp_finding *f,
		    const struct hp_pool *p, const char *size)
{
	uint64_t used = p->total - p->free + p->reserved;
	uint64_t bytes = hp_min(WORTH, hp_linux_ram() / SHARE);
	uint64_t pages = hp_max(bytes / p->size, 1);

	hp_finding_fix(f, "echo %ju >" HUGETLB "/hugepages-%zukB/nr_hugepages",
		       (uintmax_t)(used + pages), p->size / HP_KIB);
	if (p->size > x->ps.pmd)
		hp_finding_advice(f,
				  "pages this large are best reserved at "
				  "boot: hugepagesz=%s hugepages=%ju",
				  size, (uintmax_t)pages);
}

/* an overcommit that is not known grants nothing */
static bool is_empty(const struct hp_pool *p)
{
	return p->free <= p->reserved &&
	       (p->overcommit == HP_UNKNOWN || p->surplus == HP_UNKNOWN ||
		p->overcommit <= p->surplus);
}

static void judge(const struct hp_exam *x, struct hp_finding *f,
		  const struct hp_pool *p, enum hp_trial_result trial,
		  const char *size)
{
	bool none = is_empty(p);
	bool had =
		trial == HP_TRIAL_YES || (trial == HP_TRIAL_UNKNOWN && !none);

	if (!hp_exam_wants(x, p->size)) {
		hp_finding_means(f,
				 had ? "yours with --pages=%s,thp"
				     : "only used with --pages=%s,thp",
				 size);
		return;
	}
	if (had) {
		hp_finding_means(f, "can be had");
		return;
	}
	f->state = HP_STATE_LIMITS;
	hp_finding_means(f, "%s",
			 none ? "none is free: slots fall to the next kind of "
				"--pages"
			 : p->free > p->reserved
				 ? "free, but refused to this process: see "
				   "cgroup.hugetlb"
				 : "none is free, and none was had though "
				   "nr_overcommit_hugepages allows it");
	if (none)
		suggest(x, f, p, size);
}

static void exam_pool(struct hp_exam *x, unsigned int i)
{
	const struct hp_pool *p = &x->ps.pools[i];
	char size[HP_SIZE_TEXT];
	struct hp_finding *f;

	hp_size_format(p->size, size);
	snprintf(ids[i], sizeof(ids[i]), "hugetlb.%s", size);
	if (p->free == HP_UNKNOWN || p->total == HP_UNKNOWN ||
	    p->reserved == HP_UNKNOWN) {
		hp_finding_unreadable(&x->found, ids[i], HUGETLB, -ENODATA);
		return;
	}
	f = hp_finding_add(&x->found, ids[i], HP_STATE_OK,
			   "%ju pages, %ju free, %ju of these reserved",
			   (uintmax_t)p->total, (uintmax_t)p->free,
			   (uintmax_t)p->reserved);
	if (p->total == 0 && p->reserved == 0)
		snprintf(f->value, sizeof(f->value), "no pages");
	add_data(f, p);
	judge(x, f, p, x->trial.hugetlb[i], size);
}

static int stop(const char *name, void *arg)
{
	(void)name;
	(void)arg;
	return 1;
}

/* no pool: none of this size, or nobody to tell */
static void exam_none(struct hp_exam *x)
{
	int ret = hp_textfile_names(HUGETLB, stop, NULL);
	struct hp_finding *f;

	if (ret == -ENOENT &&
	    hp_textfile_names("/sys/kernel", stop, NULL) == 1) {
		f = hp_finding_add(&x->found, "hugetlb", HP_STATE_OK,
				   "not in this kernel");
		hp_finding_means(f, "--pages can only be thp");
		return;
	}
	hp_finding_unreadable(&x->found, "hugetlb", HUGETLB,
			      ret < 0 ? ret : -ENODATA);
}

/* a size asked for that the machine does not have */
static void exam_missing(struct hp_exam *x)
{
	char size[HP_SIZE_TEXT];
	struct hp_finding *f;

	for (unsigned int i = 0; i < x->options.nrungs; i++) {
		size_t rung = x->options.rungs[i];

		if (rung == HP_RUNG_THP || hp_pagesizes_pool(&x->ps, rung))
			continue;
		f = hp_finding_add(&x->found, "hugetlb.missing",
				   x->ps.npools ? HP_STATE_LIMITS
						: HP_STATE_UNKNOWN,
				   "no pool of %s pages is seen",
				   hp_size_format(rung, size));
		hp_finding_means(f, "slots fall to the next kind of --pages");
		hp_finding_advice(f, "leave %s out of --pages", size);
	}
}

void hp_exam_pools(struct hp_exam *x)
{
	for (unsigned int i = 0; i < x->ps.npools; i++)
		exam_pool(x, i);
	if (x->ps.npools == 0)
		exam_none(x);
	exam_missing(x);
}
