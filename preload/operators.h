/* SPDX-License-Identifier: MIT */
/*
 * operators.h - C++'s new and delete of another allocator
 */
#ifndef HP_OPERATORS_H
#define HP_OPERATORS_H

/**
 * hp_operators_init - who took another allocator's operators takes libstdc++'s
 *
 * libstdc++'s operators call malloc, which is ours, so libhp has none. But a
 * program linked with libjemalloc.so (tcmalloc, mimalloc, ...) finds operators
 * there first, and with them a second heap. An object that brings malloc and
 * operators loses both to the preload; operators of anything else are the
 * program's own choice. Blocks that constructors had before stay with the other
 * allocator, and their delete finds it.
 */
void hp_operators_init(void);

#endif
