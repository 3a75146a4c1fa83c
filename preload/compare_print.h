/* SPDX-License-Identifier: MIT */
/*
 * compare_print.h - a judged comparison as text, JSON and picture
 */
#ifndef HP_COMPARE_PRINT_H
#define HP_COMPARE_PRINT_H

#include <stdio.h>

#include "preload/compare_arms.h"

#define HP_COMPARE_SCHEMA "libhp.compare/1"

/* hp_compare_print_text - for people, first line the verdict */
void hp_compare_print_text(FILE *out, struct hp_comparison *c);

/* hp_compare_print_json - as compare.schema.json says; 0 or -errno */
int hp_compare_print_json(FILE *out, struct hp_comparison *c);

/* hp_compare_print_plot - gnuplot's script; fits hp_gnuplot_draw() */
void hp_compare_print_plot(FILE *script, const void *comparison);

#endif
