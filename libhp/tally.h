/* SPDX-License-Identifier: MIT */
/*
 * tally.h - ranges and the kernel's answer -> bytes and slots of one source
 *
 * Ranges arrive ascending. A slot that several of them share, as packed
 * mappings do, is one slot: it is counted when the next one begins.
 */
#ifndef HP_TALLY_H
#define HP_TALLY_H

#include "libhp/cause.h"
#include "libhp/hp.h"
#include "libhp/stats.h"

struct hp_tally {
	struct hp_source_stats *sums;
	uint64_t *reasons; /* HP_REASON_COUNT of them */
	struct hp_cause *cause;
	struct hp_backing_view *view; /* NULL: nobody can be asked */
	struct hp_slot_facts slot;    /* not yet counted; span 0: none */
	uint64_t at; /* the range is accounted for up to here */
	/* told of every slot counted one by one; may be NULL */
	hp_slot_fn each;
	void *arg;
};

/* hp_tally_range - count one range; @sums and @reasons only grow */
void hp_tally_range(struct hp_tally *tally, const struct hp_range *range);

/* hp_tally_finish - count the slot that is still open */
void hp_tally_finish(struct hp_tally *tally);

#endif
