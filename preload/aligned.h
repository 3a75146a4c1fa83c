/* SPDX-License-Identifier: MIT */
/*
 * aligned.h - anonymous mappings that begin where a slot does
 */
#ifndef HP_ALIGNED_H
#define HP_ALIGNED_H

#include <stddef.h>

/**
 * hp_aligned_map - map @len bytes at a border of @slot bytes
 *
 * Where only the alignment cannot be had it does without.
 *
 * Return: the address, or -errno (hp_linux_failed()).
 */
long hp_aligned_map(size_t len, size_t slot, int prot, int flags);

#endif
