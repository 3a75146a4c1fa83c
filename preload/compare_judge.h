/* SPDX-License-Identifier: MIT */
/*
 * compare_judge.h - from runs to medians, ratios and a verdict; pure
 */
#ifndef HP_COMPARE_JUDGE_H
#define HP_COMPARE_JUDGE_H

#include "preload/compare_arms.h"

/**
 * hp_compare_judge - fill in summaries, ratios, floor, verdicts and doubts
 *
 * Ratios are those of runs of the same round, so what makes a whole round slow
 * does not matter; a round that an arm did not finish is left out of its
 * ratios. A doubt about the comparison is one about every arm. The same runs
 * give the same figures.
 */
void hp_compare_judge(struct hp_comparison *c);

/* hp_compare_verdict_text - "faster", "slower" or "inconclusive" */
const char *hp_compare_verdict_text(enum hp_probe_verdict verdict);

/* hp_compare_doubt_word - the JSON's; NULL for none */
const char *hp_compare_doubt_word(enum hp_doubt doubt);

#endif
