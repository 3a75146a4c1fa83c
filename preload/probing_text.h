/* SPDX-License-Identifier: MIT */
/*
 * probing_text.h - a live measurement in words and in JSON
 */
#ifndef HP_PROBING_TEXT_H
#define HP_PROBING_TEXT_H

#include "probe/hp_probe.h"

struct hp_probing_text {
	char json[4096];
	char line[256];
};

/**
 * hp_probing_text_make - put both together
 * @when:  "exit" or "running"
 * @runs:  how many measurements there were so far
 * @fresh: chases over buffers of our own, or NULL
 */
void hp_probing_text_make(struct hp_probing_text *text, const char *when,
			  uint64_t runs, const struct hp_probe_live *live,
			  const struct hp_probe_result *fresh);

#endif
