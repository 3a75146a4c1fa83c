/* SPDX-License-Identifier: MIT */
/*
 * out.h - text to a descriptor through a buffer of one's own
 *
 * For code that may not use stdio: everything stays in the struct, which lives
 * on the caller's stack. The first error of write(2) is kept and ends output.
 */
#ifndef HP_OUT_H
#define HP_OUT_H

#include <stddef.h>
#include <stdint.h>

struct hp_out {
	int fd;
	int err; /* 0 or the first -errno */
	size_t n;
	char buf[1024];
};

void hp_out_open(struct hp_out *out, int fd);

/* hp_out_close - writes the rest; returns 0 or the first -errno */
int hp_out_close(struct hp_out *out);

void hp_out_bytes(struct hp_out *out, const char *text, size_t len);
void hp_out_text(struct hp_out *out, const char *text);

/* @text and blanks, @width characters in all or more */
void hp_out_left(struct hp_out *out, const char *text, size_t width);

/* decimal, blanks before it up to @width characters */
void hp_out_u64(struct hp_out *out, uint64_t n, size_t width);

/**
 * hp_out_fraction - @num / @den with @digits decimals, cut, not rounded
 *
 * Cut, so that 0.99999 never reads as all of it. @den must not be 0.
 */
void hp_out_fraction(struct hp_out *out, uint64_t num, uint64_t den,
		     unsigned int digits, size_t width);

#endif
