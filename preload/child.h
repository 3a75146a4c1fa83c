/* SPDX-License-Identifier: MIT */
/*
 * child.h - children made without fork handlers: _Fork, vfork, by number
 */
#ifndef HP_CHILD_H
#define HP_CHILD_H

/*
 * hp_child_begins - first of all in a child that has this memory for itself
 *
 * Whoever held a lock or measured stayed in the parent, and what the child
 * leaves behind is nobody's report. Pool pages are not protected: libhp/fork.h.
 */
void hp_child_begins(void);

#endif
