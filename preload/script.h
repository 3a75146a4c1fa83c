/* SPDX-License-Identifier: MIT */
/*
 * script.h - which file the kernel loads when a script is executed
 */
#ifndef HP_SCRIPT_H
#define HP_SCRIPT_H

/**
 * hp_script_image - the file that @path is a script for
 * @path: an executable file, a script or not
 *
 * Goes through "#!" lines as the kernel does, at most five, and through
 * "#!/usr/bin/env NAME". What the kernel does not know execvp() gives to
 * /bin/sh.
 *
 * Return: its path, that of @path where it is no script or cannot be read; the
 * caller frees it. NULL: out of memory.
 */
char *hp_script_image(const char *path);

#endif
