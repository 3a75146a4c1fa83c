/* SPDX-License-Identifier: MIT */
#include "libhp/promoter/candidate.h"

#include <stdlib.h>

#include "libhp/common.h"

static int append(struct hp_candidates *c, const struct hp_candidate *slot)
{
	if (c->n == c->room) {
		size_t room = c->room ? 2 * c->room : 1024;
		void *list = reallocarray(c->list, room, sizeof(*c->list));

		if (!list)
			return -ENOMEM;
		c->list = list;
		c->room = room;
	}
	c->list[c->n++] = *slot;
	return 0;
}

static bool is_whole(const struct hp_candidates *c, const struct hp_stretch *s)
{
	return s->start % c->slot == 0 && s->end - s->start == c->slot;
}

/* one that may be huge already loses nothing by being made so */
int hp_candidates_add(struct hp_candidates *c, const struct hp_smaps *mapping,
		      const struct hp_stretch *s)
{
	if (mapping->file || mapping->shared || s->present == 0)
		return 0;
	if (s->unknown && (s->huge || !is_whole(c, s)))
		c->unknown += s->present;
	else if (!is_whole(c, s))
		return 0;
	else if (s->huge)
		c->huge++;
	else if (mapping->refused)
		c->refused++;
	else if (s->present < c->least)
		c->sparse++;
	else
		return append(c, &(struct hp_candidate){s->start, s->present});
	return 0;
}

static int compare(const void *a, const void *b)
{
	const struct hp_candidate *x = a, *y = b;

	if (x->present != y->present)
		return x->present > y->present ? -1 : 1;
	return x->start < y->start ? -1 : x->start > y->start;
}

void hp_candidates_sort(struct hp_candidates *c)
{
	if (c->n)
		qsort(c->list, c->n, sizeof(*c->list), compare);
}

struct search {
	struct hp_candidates *found;
	int err;
};

static void look_at(const struct hp_smaps *mapping, const struct hp_stretch *s,
		    void *arg)
{
	struct search *search = arg;

	if (search->err == 0)
		search->err = hp_candidates_add(search->found, mapping, s);
}

int hp_candidates_find(pid_t pid, uint64_t slot, unsigned int resident,
		       struct hp_candidates *out)
{
	struct search search = {.found = out};
	int ret;

	*out = (struct hp_candidates){.slot = slot,
				      .least = slot / 100 * resident};
	ret = hp_memory_walk(pid, slot, look_at, &search);
	if (ret == 0)
		ret = search.err;
	if (ret)
		hp_candidates_clear(out);
	else
		hp_candidates_sort(out);
	return ret;
}

void hp_candidates_clear(struct hp_candidates *c)
{
	free(c->list);
	c->list = NULL;
	c->n = c->room = 0;
}
