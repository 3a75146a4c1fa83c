/* SPDX-License-Identifier: MIT */
#include "preload/detour.h"

#include "libhp/arena.h"

bool hp_detour = true;

bool hp_detour_libc(void)
{
	hp_arena_boot();
	hp_detour = hp_heap_closed || hp_sampling;
	return hp_heap_closed;
}
