/* SPDX-License-Identifier: MIT */
/*
 * record.h - what the program's system calls did to memory libhp has a hand in
 *
 * Packed blocks and the list of larger mappings, under one lock. A signal
 * handler that interrupted its holder does without: its call goes to the
 * kernel untouched and the record learns nothing of it, which costs accuracy
 * of the report, never correctness. The same goes for all once a handler left
 * the holder by siglongjmp. Ranges are whole pages.
 */
#ifndef HP_RECORD_H
#define HP_RECORD_H

#include "libhp/hp.h"
#include "libhp/span.h"
#include "preload/maplist.h"

void hp_record_init(bool with_packs);

/* may any of it be memory of ours, the heap included? cheap, needs no lock */
bool hp_record_near(uintptr_t start, uintptr_t end);

/* so many mappings stay apart that no more should be made to */
bool hp_record_has_many(void);

/* does all of it lie in large mappings or reservations that are listed? */
bool hp_record_covers(uintptr_t start, uintptr_t end);

/* is any of it advised? */
bool hp_record_touched(uintptr_t start, uintptr_t end);

/**
 * hp_record_open - a part of a reservation is about to be used
 * @window: power of two; what else of it lies in the same window is opened, too
 * @opened: receives one range that is HP_MAP_READY now: to be advised
 *
 * What the program wants no huge pages for is left out.
 *
 * Return: false when there is none (any more).
 */
bool hp_record_open(uintptr_t start, uintptr_t end, uintptr_t window,
		    struct hp_map *opened);

/**
 * hp_record_turn - what is listed of a range is of this kind from now on
 * @fresh: the program mapped it anew; else what was not advised stays as it is
 */
void hp_record_turn(uintptr_t start, uintptr_t end, enum hp_map_kind kind,
		    bool fresh);

/* is it memory of the program whose place or advice comes from us? */
bool hp_record_in_hand(uintptr_t start, uintptr_t end);

/* did the program want no huge pages for some of it? */
bool hp_record_refuses(uintptr_t start, uintptr_t end);

/* false: in a handler, or within a slot; nothing was recorded */
bool hp_record_set(uintptr_t start, uintptr_t end, enum hp_map_kind kind);

/* hp_record_pack - hp_pack_map() under the lock */
void *hp_record_pack(size_t len, struct hp_span *filled);

/*
 * hp_record_pack_no_more - a huge page under other blocks would fill the pages
 * of new ones before their owner touches them
 */
void hp_record_pack_no_more(void);

/* the kernel put or removed something at the program's own address */
void hp_record_mapped(uintptr_t start, uintptr_t end);
void hp_record_unmapped(uintptr_t start, uintptr_t end);

/* locked with mlock(), all of it or a part */
void hp_record_locked(uintptr_t start, uintptr_t end);

/* protection or advice changed inside memory we gave out; @lasts: hp_mark() */
void hp_record_changed(uintptr_t start, uintptr_t end, bool lasts,
		       enum hp_reason reason);

/* bytes of the program's mappings in hand; needs no lock */
uint64_t hp_record_used(void);

/* hp_record_keep - a sandbox forbids madvise from now on */
void hp_record_keep(void);

void hp_record_fork_prepare(void);
void hp_record_fork_parent(void);
void hp_record_fork_child(void);

#endif
