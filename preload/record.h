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

/* does all of it lie in one entry of this kind? */
bool hp_record_holds(uintptr_t start, uintptr_t end, enum hp_map_kind kind);

/* is it memory of the program whose place or advice comes from us? */
bool hp_record_in_hand(uintptr_t start, uintptr_t end);

/* false: in a handler, nothing was recorded */
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
