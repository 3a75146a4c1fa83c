/* SPDX-License-Identifier: MIT */
/*
 * sink.h - where the report goes, and what is said at exit
 *
 * By then a daemon may have closed the descriptors it began with, and files of
 * its own may have got their numbers: those are written to by nobody here.
 */
#ifndef HP_SINK_H
#define HP_SINK_H

#include "libhp/init.h"
#include "libhp/report.h"

/* hp_sink_init - remembers what is behind the descriptors now */
void hp_sink_init(const struct hp_context *context);

/* hp_sink_keep - a sandbox is near: open nothing, and trust the descriptors */
void hp_sink_keep(void);

/**
 * hp_sink_write - the report to where LIBHP_REPORT sends it
 *
 * A full disk leaves an empty file, not half a report. One line on standard
 * error tells of what could not be written.
 */
void hp_sink_write(const struct hp_report *r);

/* hp_sink_export - call stacks to where LIBHP_SITES sends them, likewise */
void hp_sink_export(void);

/* hp_sink_say - @line on standard error, if that is still what it was */
void hp_sink_say(const char *line);

#endif
