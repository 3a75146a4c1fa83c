/* SPDX-License-Identifier: MIT */
/*
 * show.h - an examination for people, for machines, and as a script
 */
#ifndef HP_SHOW_H
#define HP_SHOW_H

#include <stdio.h>

#include "libhp/doctor/exam.h"

void hp_show_text(FILE *out, const struct hp_exam *x);

/* one object of schema "libhp.doctor/1" */
void hp_show_json(FILE *out, const struct hp_exam *x);

/* a shell script that changes what limits; it is for reading before running */
void hp_show_script(FILE *out, const struct hp_exam *x);

/**
 * hp_show_wrapped - @text in lines of at most 79 columns
 * @at: column the first line starts in
 * @indent: of the lines below it
 */
void hp_show_wrapped(FILE *out, const char *text, int at, int indent);

#endif
