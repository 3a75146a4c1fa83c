/* SPDX-License-Identifier: MIT */
#include "libhp/doctor/buddy.h"

#include <string.h>

#include "libhp/common.h"
#include "libhp/textfile.h"

struct reader {
	size_t base;
	unsigned int slot_order;
	unsigned int zones;
	struct hp_buddy sum;
};

static const char *skip_blanks(const char *p)
{
	while (*p == ' ')
		p++;
	return p;
}

static void add_blocks(struct reader *r, unsigned int order, uint64_t blocks)
{
	r->sum.free += (blocks << order) * r->base;
	if (order >= r->slot_order)
		r->sum.slots += blocks << (order - r->slot_order);
}

/* "Node 0, zone   Normal  14878   9095 …": blocks of each order */
static int read_zone(char *text, void *arg)
{
	struct reader *r = arg;
	const char *p = strstr(text, "zone");
	uint64_t blocks;

	if (!hp_text_after(text, "Node ") || !p)
		return -EINVAL;
	p = skip_blanks(p + strlen("zone"));
	p = skip_blanks(p + strcspn(p, " "));
	for (unsigned int order = 0; *p && order < 32; order++) {
		if (hp_text_u64(p, &p, &blocks))
			return -EINVAL;
		add_blocks(r, order, blocks);
		p = skip_blanks(p);
	}
	r->zones++;
	return 0;
}

int hp_buddy_read(size_t base, size_t slot, struct hp_buddy *out)
{
	struct reader r = {.base = base, .slot_order = hp_log2(slot / base)};
	int ret = hp_textfile_lines(HP_BUDDY_PATH, read_zone, &r);

	if (ret == 0 && r.zones == 0)
		ret = -ENODATA;
	if (ret == 0)
		*out = r.sum;
	return ret;
}
