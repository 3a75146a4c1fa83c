/* SPDX-License-Identifier: MIT */
/*
 * quote.h - text of the user's, made safe to print
 */
#ifndef HP_QUOTE_H
#define HP_QUOTE_H

#include <stddef.h>
#include <stdio.h>

/* hp_quote_shell - @text as one word a POSIX shell reads back unchanged */
void hp_quote_shell(FILE *out, const char *text);

/**
 * hp_quote_line - @text fit for the middle of a one-line message
 *
 * Control characters become '?', a text longer than @size is cut and ends in
 * three dots.
 *
 * Return: @buf.
 */
char *hp_quote_line(const char *text, char *buf, size_t size);

#endif
