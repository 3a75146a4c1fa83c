/* SPDX-License-Identifier: MIT */
#include "libhp/span.h"

#include "libhp/backing.h"

int hp_span_inside(uintptr_t addr, size_t len, size_t size, struct hp_span *out)
{
	uintptr_t end, start = hp_align_up(addr, size);

	if (__builtin_add_overflow(addr, len, &end))
		return -EINVAL;
	out->start = start;
	out->size = size;
	/* start < addr: no aligned address above */
	out->n = start >= addr && start < end ? (end - start) / size : 0;
	return 0;
}

struct count {
	size_t size;
	uint64_t end; /* huge up to here, from start */
	uint64_t start;
	long n;
};

static void close_run(struct count *c)
{
	struct hp_span run;

	if (hp_span_inside(c->start, c->end - c->start, c->size, &run) == 0)
		c->n += (long)run.n;
}

/* one stretch may arrive in pieces */
static void add_extent(const struct hp_extent *e, void *arg)
{
	struct count *c = arg;

	if (!e->huge)
		return;
	if (e->start != c->end) {
		close_run(c);
		c->start = e->start;
	}
	c->end = e->end;
}

long hp_span_huge(const struct hp_span *span)
{
	struct count c = {.size = span->size};
	int ret = hp_backing_visit(span->start,
				   span->start + span->n * span->size,
				   add_extent, &c);

	if (ret)
		return ret;
	close_run(&c);
	return c.n;
}
