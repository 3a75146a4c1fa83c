/* SPDX-License-Identifier: MIT */
#include "libhp/ladder.h"

#include "libhp/common.h"

static bool has_pool(const struct hp_pagesizes *ps, size_t size)
{
	for (unsigned int i = 0; i < ps->npools; i++)
		if (ps->pools[i].size == size)
			return true;
	return false;
}

void hp_ladder_build(struct hp_ladder *out, const struct hp_options *opt,
		     const struct hp_pagesizes *ps)
{
	*out = (struct hp_ladder){0};
	if (opt->mode == HP_MODE_OFF)
		return;
	for (unsigned int i = 0; i < opt->nrungs; i++) {
		bool hugetlb = opt->rungs[i] != HP_RUNG_THP;
		struct hp_rung *rung = &out->rungs[out->n];

		if (hugetlb && !has_pool(ps, opt->rungs[i]))
			continue;
		rung->size = hugetlb ? opt->rungs[i] : ps->pmd;
		rung->hugetlb = hugetlb;
		out->n++;
	}
}

void hp_ladder_failed(struct hp_ladder *ladder, unsigned int i)
{
	ladder->rungs[i].wait = HP_LADDER_BACKOFF;
}

bool hp_ladder_pass(struct hp_ladder *ladder, unsigned int i)
{
	struct hp_rung *rung = &ladder->rungs[i];

	if (rung->wait == 0)
		return true;
	rung->wait--;
	return false;
}

/*
 * Mapping reserves from the machine's whole pool and charges only the rsvd
 * limit, so any other limit and the choice of node first show when populating.
 * There the kernel turns a short pool or limit into SIGBUS, seen as EFAULT, and
 * a memory cgroup that counts hugetlb pages into ENOMEM.
 */
enum hp_reason hp_ladder_reason(int err, bool populate, bool bound)
{
	if (err < 0)
		err = -err;
	if (!populate)
		return err == ENOMEM ? HP_REASON_POOL_EMPTY : HP_REASON_UNKNOWN;
	if (err != ENOMEM && err != EFAULT)
		return HP_REASON_UNKNOWN;
	if (bound)
		return HP_REASON_NODE_BOUND;
	return err == EFAULT ? HP_REASON_HUGETLB_LIMIT : HP_REASON_MEMCG;
}
