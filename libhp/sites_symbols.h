/* SPDX-License-Identifier: MIT */
/*
 * sites_symbols.h - the symbol table of an ELF file, read from a mapping of it
 */
#ifndef HP_SITES_SYMBOLS_H
#define HP_SITES_SYMBOLS_H

#include <link.h>

#include "libhp/common.h"

struct hp_symbols {
	const ElfW(Sym) * list; /* NULL: none */
	size_t n;
	const char *names; /* ends with a NUL */
	size_t bytes;
	bool full; /* .symtab, static functions included; not .dynsym */
};

/**
 * hp_symbols_open - find the fullest table of file @path
 *
 * The mapping stays. A file that is no ELF file of this machine's word size,
 * or whose headers lead outside of it, leaves @out as it is.
 */
void hp_symbols_open(struct hp_symbols *out, const char *path);

/* hp_symbols_find - the function that holds @address of the file, or NULL */
const char *hp_symbols_find(const struct hp_symbols *symbols, uint64_t address,
			    uint64_t *offset);

#endif
