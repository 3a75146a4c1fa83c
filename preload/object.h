/* SPDX-License-Identifier: MIT */
/*
 * object.h - a loaded library or program, as the loader reads it from memory
 */
#ifndef HP_OBJECT_H
#define HP_OBJECT_H

#include <link.h>
#include <stddef.h>
#include <stdint.h>

#include "libhp/common.h"

struct hp_object {
	uintptr_t base; /* added to every address inside; may wrap around */
	const ElfW(Phdr) * segments;
	size_t n_segments;
	const uint32_t *hash; /* of the names it defines; NULL: an old one */
	ElfW(Sym) * symbols;
	const char *strings;
	struct hp_object_bound {
		const ElfW(Rela) * first;
		size_t n;
	} bound[2]; /* words the loader fills in: data, then calls */
};

/**
 * hp_object_read - what dl_iterate_phdr() tells of an object
 *
 * Return: false when there are no names to be read (the kernel's vdso).
 */
bool hp_object_read(const struct dl_phdr_info *info, struct hp_object *out);

/* hp_object_libc - as above, of the C library */
bool hp_object_libc(struct hp_object *out);

/* hp_object_has - is this address inside it? */
bool hp_object_has(const struct hp_object *o, uintptr_t addr);

/* hp_object_find - the entry of a function it defines, or NULL */
ElfW(Sym) * hp_object_find(const struct hp_object *o, const char *name);

/* hp_object_function - where that function is; 0 when it defines none */
uintptr_t hp_object_function(const struct hp_object *o, const char *name);

/*
 * hp_object_open, hp_object_close - let the pages of [@start, @end) inside the
 * object be written, and put their protection back. Return: 0 or -errno.
 */
HP_MUST_CHECK
int hp_object_open(const struct hp_object *o, uintptr_t start, uintptr_t end);
void hp_object_close(const struct hp_object *o, uintptr_t start, uintptr_t end);

#endif
