/* SPDX-License-Identifier: MIT */
/*
 * report_form.h - the two forms of a report, and what both of them need
 */
#ifndef HP_REPORT_FORM_H
#define HP_REPORT_FORM_H

#include "libhp/out.h"
#include "libhp/report.h"

enum hp_met { HP_MET_NOT_ASKED, HP_MET_UNKNOWN, HP_MET_NO, HP_MET_YES };

/* LIBHP_REQUIRE against the coverage of the process */
enum hp_met hp_report_met(const struct hp_report *r);

/* pool @i with its counts of now, all HP_UNKNOWN if they cannot be read */
struct hp_pool hp_report_pool(const struct hp_report *r, unsigned int i);

void hp_report_text(const struct hp_report *r, struct hp_out *out);
void hp_report_json(const struct hp_report *r, struct hp_out *out);

#endif
