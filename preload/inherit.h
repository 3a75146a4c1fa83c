/* SPDX-License-Identifier: MIT */
/*
 * inherit.h - LIBHP_INHERIT=0: what the program execs starts without libhp
 */
#ifndef HP_INHERIT_H
#define HP_INHERIT_H

/**
 * hp_inherit_not - takes this library, and no other, out of LD_PRELOAD
 * @env: the environment the process began with
 *
 * In @env, which main() is given, and in environ, which a constructor may have
 * changed since. The variable goes when nothing is left in it. Not by setenv():
 * shells define their own, and it knows nothing yet.
 */
void hp_inherit_not(char **env);

#endif
