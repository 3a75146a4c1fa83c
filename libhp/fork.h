/* SPDX-License-Identifier: MIT */
/*
 * fork.h - hugetlb memory across fork
 *
 * The kernel guarantees pool pages to the process that reserved them only.
 * After fork either side's first write needs another page; if there is none
 * the parent takes the child's, and the child dies by SIGBUS when it looks.
 * So unless the user asked for sharing, the child gets a copy on ordinary
 * (transparent huge) pages at the same addresses, made before the fork. A parent
 * without other threads moves over to the copies itself. A threaded one keeps
 * its pool pages; the child has them, too, until its first handler, ours, puts
 * the copies there.
 *
 * What is left: libc's child writes to a few things before it runs handlers,
 * locks of streams and thread-specific data, and its stack may lie in the heap.
 * If such a write finds the pool completely used up, the child of a threaded
 * process dies by SIGBUS.
 *
 * THP memory needs nothing. vfork and posix_spawn run no handlers and change
 * nothing; a raw clone system call runs none either and is not protected.
 */
#ifndef HP_FORK_H
#define HP_FORK_H

#include "libhp/filler.h"

/*
 * hp_fork_prepare - locks the filler and copies what must be copied
 *
 * After hp_streams_fork_prepare().
 */
void hp_fork_prepare(struct hp_filler *f);
void hp_fork_parent(struct hp_filler *f);
void hp_fork_child(struct hp_filler *f);

#endif
