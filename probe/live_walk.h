/* SPDX-License-Identifier: MIT */
/*
 * live_walk.h - the walks of a live probe, a pinned burst at a time
 *
 * While a burst lasts the gate is shut, so that nothing is unmapped, and the
 * thread takes no signals. In between mappings may change; tables that do not
 * fit them any more are made anew.
 */
#ifndef HP_LIVE_WALK_H
#define HP_LIVE_WALK_H

#include <signal.h>

#include "probe/kernels.h"
#include "probe/live_tables.h"
#include "probe/sample.h"

struct hp_live_walker {
	struct hp_live_view *view; /* open */
	struct hp_live_tables tables;
	struct hp_sampler sampler;
	struct hp_walk walk[HP_LIVE_WALKS];
	size_t units[HP_LIVE_WALKS];
	uint64_t stamp; /* of the mappings the tables belong to */
	bool stamped;
};

/**
 * hp_live_walker_chunk - time a chunk, the caches being as they should be
 *
 * Return: false when the memory could not be pinned or there is none.
 */
bool hp_live_walker_chunk(struct hp_live_walker *walker,
			  enum hp_live_walk which, struct hp_chunk *chunk);

/*
 * hp_live_walker_visit - all lines of a walk once
 *
 * The twin's were just written, the others perhaps not touched for an hour:
 * after this both start alike.
 */
void hp_live_walker_visit(struct hp_live_walker *walker,
			  enum hp_live_walk which);

/* a handler that unmapped something would wait for us, and we for it */
void hp_live_block_signals(sigset_t *before);

#endif
