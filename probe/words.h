/* SPDX-License-Identifier: MIT */
/*
 * words.h - reasons and names put into words, without stdio or a locale
 */
#ifndef HP_WORDS_H
#define HP_WORDS_H

#include <stdarg.h>
#include <stddef.h>

/**
 * hp_words - a small printf into a buffer
 * @buf:    receives the text, cut where it does not fit; NULL: nothing is done
 * @size:   of @buf
 * @format: knows %s, %d, %u and %llu, without widths or flags
 */
__attribute__((format(printf, 3, 4))) void hp_words(char *buf, size_t size,
						    const char *format, ...);

/* hp_words_list - the same with the arguments in a list */
__attribute__((format(printf, 3, 0))) void
hp_words_list(char *buf, size_t size, const char *format, va_list args);

#endif
