/* SPDX-License-Identifier: MIT */
/*
 * text.h - reading numbers in text and putting text together; pure
 *
 * No locale, no errno, no blanks or signs skipped: what libc's parsers accept
 * silently (" 2", "-1", "2x") is an error here. Results are untouched on
 * failure.
 */
#ifndef HP_TEXT_H
#define HP_TEXT_H

#include <stddef.h>
#include <stdint.h>

/**
 * hp_text_u64 - decimal digits up to the first other character
 * @end: receives that character's address; may be NULL
 *
 * Return: 0; -EINVAL no digit; -ERANGE does not fit.
 */
int hp_text_u64(const char *text, const char **end, uint64_t *out);

/**
 * hp_text_field - the number of a "Name:   123 kB" line, as printed
 * @name: without the colon
 *
 * Matches at the start of @text only, so a mapping called "Rss: 9 kB" cannot
 * deceive. Return: 0; -ENODATA another field; -EINVAL, -ERANGE no number.
 */
int hp_text_field(const char *text, const char *name, uint64_t *out);

/**
 * hp_text_append - @text behind the string in @buf, cut where it does not fit
 *
 * Return: 0; -ENAMETOOLONG cut.
 */
int hp_text_append(char *buf, size_t size, const char *text);
int hp_text_append_u64(char *buf, size_t size, uint64_t n);

/* hp_text_after - what follows @prefix in @text; NULL if it starts otherwise */
const char *hp_text_after(const char *text, const char *prefix);

/* hp_text_base - what follows the last slash of @path, or all of it */
const char *hp_text_base(const char *path);

#endif
