/* SPDX-License-Identifier: MIT */
/*
 * hp.h - huge pages for a program: get them, see them, count them
 */
#ifndef HP_H
#define HP_H

#ifdef __cplusplus
extern "C" {
#endif

/**
 * hp_version - version of the library that is running
 *
 * Thread-safe and signal-safe.
 *
 * Return: "major.minor.patch"; static, never NULL.
 */
const char *hp_version(void);

#ifdef __cplusplus
}
#endif

#endif
