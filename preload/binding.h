/* SPDX-License-Identifier: MIT */
/*
 * binding.h - who finds libc's own malloc, and must not
 */
#ifndef HP_BINDING_H
#define HP_BINDING_H

/**
 * hp_binding_init - lookups in libc itself find our malloc family too
 *
 * Two ways lead past a preloaded library to libc's: dlopen with RTLD_DEEPBIND,
 * as PHP opens its extensions, and dlsym on libc's handle, as Python's ctypes
 * does. Their free would get blocks of ours, and libc does not survive that.
 * So the entries in libc's symbol table point to ours from here on. Nothing is
 * changed where the program's malloc is not ours.
 */
void hp_binding_init(void);

#endif
