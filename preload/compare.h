/* SPDX-License-Identifier: MIT */
/*
 * compare.h - hprun --compare: is the program faster on huge pages?
 */
#ifndef HP_COMPARE_H
#define HP_COMPARE_H

#include "preload/command.h"

/**
 * hp_compare - run all arms, print what came of it
 * @preload: LD_PRELOAD of the arms with libhp; NULL: libhp cannot enter
 *
 * Return: exit status.
 */
int hp_compare(const struct hp_command *cmd, const char *preload);

#endif
