/* SPDX-License-Identifier: MIT */
/*
 * synthetic_tlb.c - a processor whose translation is known
 */
#include "synthetic_tlb.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "libhp/common.h"

#define L1_WAYS 12
#define L2_WAYS 16
#define LINE 64
#define ORDER 12345
/* costs in ns at about 4 GHz */
#define L1_NS 1.25
#define L2_NS 3.5
#define L3_NS 15.0
#define TLB_NS 1.75
#define WALK_NS 4.5
#define NESTED_NS 9.0
/* page tables live far away from the data */
#define TABLES (UINT64_C(1) << 46)

/* sets of tags in order of use; a slot of 0 is empty */
struct cache {
	size_t sets, ways;
	bool hashed, random;
	uint64_t *tags, draw;
};

struct machine {
	const struct synthetic_machine *is;
	struct cache tlb[SYNTHETIC_LEVELS_MAX], l1, l2;
};

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static struct cache cache_make(size_t entries, size_t ways)
{
	struct cache c = {.ways = ways ? ways : entries,
			  .draw = 88172645463325};

	c.sets = entries / c.ways;
	c.tags = calloc(entries, sizeof(*c.tags));
	if (!c.tags)
		abort();
	return c;
}

static size_t cache_set(const struct cache *c, uint64_t key)
{
	uint64_t fold = c->hashed ? key / c->sets : 0;

	return (key ^ fold) % c->sets;
}

/* true on a hit; a miss takes the place of the oldest or of a random tag */
static bool cache_use(struct cache *c, uint64_t key)
{
	uint64_t *set = c->tags + cache_set(c, key) * c->ways;
	size_t i = 0;

	while (i < c->ways && set[i] != key + 1)
		i++;
	bool hit = i < c->ways;

	if (!hit && c->random && set[c->ways - 1])
		i = next_random(&c->draw) % c->ways;
	else if (!hit)
		i = c->ways - 1;
	memmove(set + 1, set, i * sizeof(*set));
	set[0] = key + 1;
	return hit;
}

static double line_ns(struct machine *m, uint64_t address)
{
	bool l1 = cache_use(&m->l1, address / LINE);
	bool l2 = l1 || cache_use(&m->l2, address / LINE);

	return l1 ? L1_NS : l2 ? L2_NS : L3_NS;
}

static size_t leaf_at(const struct synthetic_machine *is, uint64_t address)
{
	size_t host = is->host;

	if (is->mixed && address / is->guest % 2)
		host = is->mixed;
	return host ? hp_min(host, is->guest) : is->guest;
}

static double walk_ns(struct machine *m, uint64_t address, size_t leaf)
{
	uint64_t entry = TABLES + address / leaf * 8;

	return (m->is->host ? NESTED_NS : WALK_NS) + line_ns(m, entry) - L1_NS;
}

static double load_ns(struct machine *m, uint64_t address)
{
	size_t leaf = leaf_at(m->is, address);
	/* sizes share the entries, told apart by their tag */
	uint64_t key = address / (leaf * m->is->coalesce) +
		       (uint64_t)(leaf != leaf_at(m->is, 0)) * (TABLES + 1);
	double ns = line_ns(m, address);

	for (size_t i = 0; i < m->is->levels; i++) {
		if (cache_use(&m->tlb[i], key))
			return ns;
		ns += i + 1 < m->is->levels ? TLB_NS : 0;
	}
	return ns + TLB_NS + walk_ns(m, address, leaf);
}

static struct machine machine_make(const struct synthetic_machine *is)
{
	struct machine m = {.is = is,
			    .l1 = cache_make(is->l1_lines, L1_WAYS),
			    .l2 = cache_make(is->l2_lines, L2_WAYS)};

	for (size_t i = 0; i < is->levels; i++) {
		m.tlb[i] = cache_make(is->level[i].entries, is->level[i].ways);
		m.tlb[i].hashed = is->level[i].hashed;
		m.tlb[i].random = is->level[i].random;
	}
	return m;
}

static void machine_free(struct machine *m)
{
	for (size_t i = 0; i < m->is->levels; i++)
		free(m->tlb[i].tags);
	free(m->l1.tags);
	free(m->l2.tags);
}

/* mean of the second lap over @n addresses on a cold machine */
static double chase_ns(const struct synthetic_machine *is,
		       const uint64_t *address, size_t n)
{
	struct machine m = machine_make(is);
	double ns = 0;

	for (size_t i = 0; i < n; i++)
		load_ns(&m, address[i]);
	for (size_t i = 0; i < n; i++)
		ns += load_ns(&m, address[i]);
	machine_free(&m);
	return ns / (double)n;
}

/* what all curves have in common at one number of blocks */
struct lap {
	uint32_t *order;
	uint64_t *address;
	double packed;
};

static void *must_alloc(size_t n, size_t size)
{
	void *p = calloc(n, size);

	if (!p)
		abort();
	return p;
}

static void lap_make(struct lap *lap, const struct synthetic_machine *machine,
		     const struct hp_granule_plan *plan, size_t n)
{
	lap->order = must_alloc(n, sizeof(*lap->order));
	lap->address = must_alloc(n, sizeof(*lap->address));
	hp_granule_plan_packed(plan, n, ORDER, lap->order);
	for (size_t i = 0; i < n; i++)
		lap->address[i] = lap->order[i] * plan->line;
	lap->packed = chase_ns(machine, lap->address, n);
	hp_granule_plan_order(n, ORDER, lap->order);
}

static void laps_free(struct lap laps[HP_GRANULE_POINTS_MAX])
{
	for (size_t i = 0; i < HP_GRANULE_POINTS_MAX; i++) {
		free(laps[i].order);
		free(laps[i].address);
	}
}

static void point_run(const struct synthetic_machine *machine,
		      const struct hp_granule_plan *plan, size_t spacing,
		      struct lap *lap, struct hp_granule_point *p, double *raw)
{
	if (!lap->order)
		lap_make(lap, machine, plan, p->blocks);
	for (size_t i = 0; i < p->blocks; i++)
		lap->address[i] =
			hp_granule_plan_offset(plan, spacing, lap->order[i]);
	*raw = chase_ns(machine, lap->address, p->blocks);
	p->ns = p->lo = p->hi = *raw - lap->packed;
}

void synthetic_sweep_run(const struct synthetic_machine *machine,
			 const struct hp_granule_plan *plan,
			 struct synthetic_sweep *out)
{
	size_t spacings[HP_GRANULE_CURVES_MAX], counts[HP_GRANULE_POINTS_MAX];
	/* counts of every curve begin alike */
	struct lap laps[HP_GRANULE_POINTS_MAX] = {0};

	memset(out, 0, sizeof(*out));
	out->sweep.curves = out->curves;
	out->sweep.len = hp_granule_plan_spacings(plan, spacings);
	for (size_t c = 0; c < out->sweep.len; c++) {
		size_t n = hp_granule_plan_counts(plan, spacings[c], counts);

		out->curves[c] = (struct hp_granule_curve){spacings[c], n,
							   out->points[c]};
		for (size_t i = 0; i < n; i++) {
			out->points[c][i].blocks = counts[i];
			point_run(machine, plan, spacings[c], &laps[i],
				  &out->points[c][i], &out->raw[c][i]);
		}
	}
	laps_free(laps);
}

static double gauss(uint64_t *state)
{
	double sum = 0;

	for (int i = 0; i < 12; i++)
		sum += (double)(next_random(state) >> 11) * 0x1p-53;
	return sum - 6;
}

static void point_blur(struct hp_granule_point *p, double raw, double share,
		       double wild, uint64_t *state)
{
	double sigma = share * raw;
	bool hit = (double)(next_random(state) >> 11) * 0x1p-53 < wild;

	p->ns += sigma * gauss(state) + (hit ? raw / 2 : 0);
	p->lo = p->ns - 1.96 * sigma;
	p->hi = p->ns + 1.96 * sigma;
}

void synthetic_sweep_blur(const struct synthetic_sweep *clean, double share,
			  double wild, uint64_t seed,
			  struct synthetic_sweep *out)
{
	uint64_t state = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15);

	*out = *clean;
	out->sweep.curves = out->curves;
	for (size_t c = 0; c < out->sweep.len; c++) {
		out->curves[c].points = out->points[c];
		for (size_t i = 0; i < out->curves[c].len; i++)
			point_blur(&out->points[c][i], out->raw[c][i], share,
				   wild, &state);
	}
}
