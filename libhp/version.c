/* SPDX-License-Identifier: MIT */
#include "libhp/common.h"
#include "libhp/hp.h"

HP_EXPORT const char *hp_version(void)
{
	return PACKAGE_VERSION;
}
