/* SPDX-License-Identifier: MIT */
/*
 * compare_scratch.h - what runs read and print, in files without a name
 */
#ifndef HP_COMPARE_SCRATCH_H
#define HP_COMPARE_SCRATCH_H

#include <sys/types.h>

/**
 * hp_scratch_open - a new empty file, in $TMPDIR or where possible
 *
 * It goes when its last descriptor is closed.
 *
 * Return: descriptor above those of the standard streams, close-on-exec;
 * -errno.
 */
int hp_scratch_open(void);

/**
 * hp_scratch_input - standard input, so that it can be read again and again
 *
 * @start: receives the offset to go back to before each run
 *
 * A file or device is used as it is, from where it stands; a pipe or socket is
 * read to its end; a terminal, a directory or nothing at all counts as empty.
 *
 * Return: descriptor; -errno.
 */
int hp_scratch_input(off_t *start);

/* hp_scratch_show - copy all of @from to @to; 0 or -errno */
int hp_scratch_show(int from, int to);

/**
 * hp_scratch_difference - the first byte at which two files differ
 *
 * What cannot be read differs. Return: its offset; -1 they are equal.
 */
off_t hp_scratch_difference(int a, int b);

#endif
