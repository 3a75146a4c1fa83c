/* SPDX-License-Identifier: MIT */
#include "libhp/sites_sum.h"

#include <string.h>

#include "libhp/backing.h"
#include "libhp/heap.h"
#include "libhp/linux.h"
#include "libhp/stats.h"

static struct scratch {
	struct hp_site sites[2][HP_SITES_STACKS]; /* being made, fullest */
	struct hp_site_block blocks[HP_SITES_BLOCKS];
	struct hp_site_map maps[HP_SITES_MAPS];
} * scratch;

static struct hp_site_sums best, sums;
static struct hp_site *sites; /* those of @sums */
static uint64_t best_asked, asked;
static size_t nmaps;
static bool busy;

int hp_sites_sums(void)
{
	long ret = hp_linux_map(NULL, sizeof(*scratch), PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
				0);

	if (hp_linux_failed(ret))
		return (int)ret;
	hp_linux_advise((void *)ret, sizeof(*scratch), MADV_NOHUGEPAGE);
	scratch = (struct scratch *)ret;
	sites = scratch->sites[0];
	return 0;
}

/* bytes of one block, and what the kernel has of them */
struct look {
	uint64_t start, end;
	uint64_t present, huge;
	bool unsure;
};

static void add_extent(const struct hp_extent *e, void *arg)
{
	struct look *look = arg;
	uint64_t start = hp_max(e->start, look->start);
	uint64_t end = hp_min(e->end, look->end);

	look->present += end - start;
	look->huge += e->huge ? end - start : 0;
	look->unsure = look->unsure || e->unsure;
}

/* @part of @whole bytes, where these stand for @weight */
static uint64_t scale(uint64_t weight, uint64_t part, uint64_t whole)
{
	return (uint64_t)((unsigned __int128)weight * part / whole);
}

/* a stack so new that there is no room for it yet counts as not known */
static struct hp_site *site_of(uint32_t stack)
{
	return &sites[stack < sums.n ? stack : 0];
}

static void add(uint32_t stack, uint64_t start, uint64_t end, uint64_t weight,
		struct hp_backing_view *view)
{
	struct look look = {.start = start, .end = end};
	struct hp_site *site = site_of(stack);
	uint64_t size = end - start;

	if (size == 0)
		return;
	if (!view || hp_backing_scan(view, start, end, add_extent, &look) ||
	    look.unsure)
		sums.blind = true;
	asked += weight;
	site->asked += weight;
	site->present += scale(weight, look.present, size);
	site->huge += scale(weight, look.huge, size);
	site->blocks += (weight + size / 2) / size;
}

static void add_blocks(struct hp_backing_view *view)
{
	size_t n = hp_sites_copy_blocks(scratch->blocks);

	for (size_t i = 0; i < n; i++) {
		const struct hp_site_block *b = &scratch->blocks[i];

		add(b->stack, b->addr, b->addr + b->size, b->weight, view);
	}
}

static void add_maps(struct hp_backing_view *view)
{
	nmaps = hp_sites_copy_maps(scratch->maps);
	for (size_t i = 0; i < nmaps; i++) {
		const struct hp_site_map *m = &scratch->maps[i];

		add(m->stack, m->start, m->end, m->end - m->start, view);
	}
}

static uint32_t map_owner(uint64_t start, uint64_t end)
{
	for (size_t i = 0; i < nmaps; i++)
		if (scratch->maps[i].end > start)
			return scratch->maps[i].start < end
				       ? scratch->maps[i].stack
				       : 0;
	return 0;
}

static uint64_t heap_bloat(unsigned int i, uint64_t present)
{
	const struct hp_slots *s = &hp_heap.slots;
	uint64_t used = (uint64_t)hp_slots_at(s, i)->used << s->page_shift;

	return present > used ? present - used : 0;
}

static void add_slot(const struct hp_slot_facts *slot, enum hp_reason reason,
		     void *arg)
{
	const size_t *size = arg;
	const struct hp_slots *s = &hp_heap.slots;
	struct hp_site *site;

	if (hp_slots_hold(s, (void *)slot->start)) {
		unsigned int i = hp_slots_index(s, slot->start);

		site = site_of(hp_sites_slot(i));
		site->bloat += heap_bloat(i, slot->present);
	} else {
		site = site_of(map_owner(slot->start, slot->start + *size));
	}
	site->slots++;
	if (reason != HP_REASON_NONE)
		site->reasons[reason]++;
}

static void keep_fullest(void)
{
	if (best.n && asked <= best_asked)
		return;
	best = sums;
	best_asked = asked;
	sites = scratch->sites[sites == scratch->sites[0]];
}

void hp_sites_collect(const struct hp_pagesizes *ps)
{
	size_t slot = ps->pmd;
	struct hp_backing_view view, *can;
	uint32_t n;

	if (!scratch || __atomic_exchange_n(&busy, true, __ATOMIC_ACQUIRE))
		return;
	can = hp_backing_open(&view) < 0 ? NULL : &view;
	/* new stacks may come meanwhile, but hardly that many */
	n = hp_min(hp_sites_stacks() + 64, HP_SITES_STACKS);
	memset(sites, 0, n * sizeof(*sites));
	sums = (struct hp_site_sums){sites, n, !can};
	asked = 0;
	add_blocks(can);
	add_maps(can);
	hp_stats_slots(ps, add_slot, &slot);
	if (can)
		hp_backing_close(can);
	keep_fullest();
	__atomic_store_n(&busy, false, __ATOMIC_RELEASE);
}

const struct hp_site_sums *hp_sites_collected(void)
{
	return &best;
}

uint64_t hp_sites_bytes(const struct hp_site *site)
{
	return best.blind ? site->asked : site->present;
}

static bool is_before(uint32_t a, uint32_t b)
{
	const struct hp_site *x = &best.sites[a], *y = &best.sites[b];

	if (x->present != y->present)
		return x->present > y->present;
	if (x->asked != y->asked)
		return x->asked > y->asked;
	return x->slots != y->slots ? x->slots > y->slots : a < b;
}

uint32_t hp_sites_next(uint32_t id)
{
	uint32_t found = 0;

	for (uint32_t i = 1; i < best.n; i++) {
		if (best.sites[i].asked == 0 && best.sites[i].slots == 0)
			continue;
		if ((id == 0 || is_before(id, i)) &&
		    (found == 0 || is_before(i, found)))
			found = i;
	}
	return found;
}
