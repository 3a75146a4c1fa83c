/* SPDX-License-Identifier: MIT */
/*
 * options_word.h - the words of LIBHP_* values, in the order of their enums
 */
#ifndef HP_OPTIONS_WORD_H
#define HP_OPTIONS_WORD_H

/* each ends with NULL */
extern const char *const hp_mode_words[];
extern const char *const hp_mmap_words[];
extern const char *const hp_fork_words[];
extern const char *const hp_numa_words[]; /* "bind" without its nodes */
extern const char *const hp_flag_words[]; /* 0, 1 */

/* hp_word_find - index of @text in @words; -EINVAL not there */
int hp_word_find(const char *const *words, const char *text);

/**
 * hp_signal_number - number of "USR2"
 *
 * Only signals that a program can be sent without ending it by surprise or
 * losing its own use of them. Return: -EINVAL for any other.
 */
int hp_signal_number(const char *name);

/* hp_signal_name - the reverse; NULL for a number never returned */
const char *hp_signal_name(int number);

#endif
