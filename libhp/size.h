/* SPDX-License-Identifier: MIT */
/*
 * size.h - bytes as people write them; pure
 */
#ifndef HP_SIZE_H
#define HP_SIZE_H

#include <stddef.h>

#define HP_SIZE_TEXT 24 /* room for any formatted size */

/**
 * hp_size_parse - "2M", "64K", "1G", "4096" -> bytes
 *
 * One unit letter of K, M, G, T, either case, powers of 1024; nothing before
 * or after. Return: 0; -EINVAL; -ERANGE does not fit. @out untouched then.
 */
int hp_size_parse(const char *text, size_t *out);

/**
 * hp_size_format - "2M", "64K", "1G", else the plain number
 * @buf: at least HP_SIZE_TEXT bytes
 *
 * Return: @buf.
 */
char *hp_size_format(size_t size, char *buf);

#endif
