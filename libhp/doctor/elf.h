/* SPDX-License-Identifier: MIT */
/*
 * elf.h - does a shared library define a function?
 */
#ifndef HP_ELF_H
#define HP_ELF_H

/**
 * hp_elf_defines - is @symbol defined and exported by the library at @path?
 *
 * Reads the dynamic symbol table of a 64-bit file of this machine's byte order;
 * nothing of it is run. Return: 1, 0; -ENOEXEC another kind of file; -errno.
 */
int hp_elf_defines(const char *path, const char *symbol);

#endif
