/* SPDX-License-Identifier: MIT */
/*
 * reason.h - why a managed slot is not huge
 *
 * The codes are public: hp.h lists them under the same names.
 */
#ifndef HP_REASON_H
#define HP_REASON_H

#include "libhp/hp.h"

/* "pool-empty" for HP_REASON_POOL_EMPTY; NULL for HP_REASON_NONE */
const char *hp_reason_code(enum hp_reason reason);

#endif
