/* SPDX-License-Identifier: MIT */
/*
 * textfile.h - one /proc or /sys file, read without libc
 *
 * Any of these files may be absent, masked, empty, endless or malformed: a
 * failure is a -errno, a value that is not there is -ENODATA, one that is not
 * what it should be is -EINVAL, -ERANGE or -EFBIG; none is ever 0, and results
 * are then untouched. Nothing allocates. All are thread-safe;
 * hp_textfile_root() is for tests, before threads start.
 */
#ifndef HP_TEXTFILE_H
#define HP_TEXTFILE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "libhp/text.h"

/**
 * hp_textfile_root - prefix put before every path; "" is the machine itself
 * @root: kept, not copied
 */
void hp_textfile_root(const char *root);

/**
 * hp_textfile_read - the whole of a small file, NUL-terminated
 *
 * Return: bytes read; -EFBIG when @size - 1 bytes did not hold it (the buffer
 * then holds the beginning, terminated).
 */
ssize_t hp_textfile_read(const char *path, char *buf, size_t size);

/* hp_textfile_u64 - a file that is one decimal number */
int hp_textfile_u64(const char *path, uint64_t *out);

/**
 * hp_textfile_choice - the bracketed word of "always [madvise] never"
 * @word: receives it, NUL-terminated; -EFBIG when @size is too small
 */
int hp_textfile_choice(const char *path, char *word, size_t size);

/**
 * hp_textfile_lines - call @line for every line, however large the file
 *
 * A line longer than the internal buffer (4 KiB) is handed over cut, once.
 * @line gets it without the newline and returns 0 to go on, anything else to
 * stop, which is then returned.
 */
int hp_textfile_lines(const char *path, int (*line)(char *text, void *arg),
		      void *arg);

/**
 * hp_textfile_names - call @name for every entry of a directory, unordered
 *
 * Names that start with a dot are left out.
 * @name returns 0 to go on, anything else to stop, which is then returned.
 */
int hp_textfile_names(const char *path,
		      int (*name)(const char *text, void *arg), void *arg);

#endif
