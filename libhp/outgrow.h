/* SPDX-License-Identifier: MIT */
/*
 * outgrow.h - a small process becomes a large one
 *
 * Below LIBHP_START slots stay on small pages, so that a small program costs
 * nothing. When it outgrows the threshold everything mapped so far is advised
 * and what is in use is collapsed.
 */
#ifndef HP_OUTGROW_H
#define HP_OUTGROW_H

#include "libhp/filler.h"

/* hp_outgrow_note - @pages are about to be taken; may turn the filler over */
void hp_outgrow_note(struct hp_filler *f, size_t pages);
void hp_outgrow_forget(struct hp_filler *f, size_t pages);

/* hp_outgrow_mark_sparse - keep these slots on small pages for now */
void hp_outgrow_mark_sparse(struct hp_filler *f, uintptr_t addr, size_t pages);

/* hp_outgrow_sparse - large enough for these as well? */
void hp_outgrow_sparse(struct hp_filler *f);

/* hp_outgrow_now - whatever the threshold says */
void hp_outgrow_now(struct hp_filler *f);

#endif
