/* SPDX-License-Identifier: MIT */
#include "probe/hp_probe.h"

#include <stdlib.h>

#include "libhp/common.h"

HP_EXPORT const char *hp_probe_verdict_text(enum hp_probe_verdict verdict)
{
	switch (verdict) {
	case HP_PROBE_INDISTINGUISHABLE:
		return "indistinguishable";
	case HP_PROBE_FASTER:
		return "faster";
	case HP_PROBE_SLOWER:
		return "slower";
	case HP_PROBE_BASELINE:
		return "baseline";
	case HP_PROBE_UNVERIFIED:
		break;
	}
	return "unverified";
}

HP_EXPORT const char *hp_probe_drop_text(enum hp_probe_drop cause)
{
	static const char *const names[HP_PROBE_DROPS] = {
		[HP_PROBE_MIGRATED] = "migrated",
		[HP_PROBE_PREEMPTED] = "preempted",
		[HP_PROBE_FAULTED] = "faulted",
		[HP_PROBE_STOLEN] = "stolen",
		[HP_PROBE_CLOCK] = "clock",
	};

	return names[cause];
}

HP_EXPORT void hp_probe_result_free(struct hp_probe_result *result)
{
	if (!result)
		return;
	free(result->arms);
	free(result);
}
