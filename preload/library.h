/* SPDX-License-Identifier: MIT */
/*
 * library.h - where libhp-preload.so is, and the LD_PRELOAD that names it
 */
#ifndef HP_LIBRARY_H
#define HP_LIBRARY_H

/**
 * hp_library_find - the preload library that belongs to this hprun
 * @given: the user's own choice, or NULL
 *
 * Looks beside the running binary first (a build tree, a relocated install),
 * then in the configured directory.
 *
 * Return: absolute path the caller frees; NULL not found or not readable.
 */
char *hp_library_find(const char *given);

/* can LD_PRELOAD name @path? it splits at blanks and colons, unescapably */
int hp_library_nameable(const char *path);

/**
 * hp_library_preload - LD_PRELOAD with @library first, others kept behind it
 * @others: the inherited LD_PRELOAD, or NULL
 *
 * Return: a string the caller frees; NULL no memory.
 */
char *hp_library_preload(const char *library, const char *others);

#endif
