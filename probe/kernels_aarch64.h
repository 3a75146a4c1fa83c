/* SPDX-License-Identifier: MIT */
/*
 * kernels_aarch64.h - the steps of probe/kernels.c in AArch64 assembly
 *
 * There are registers enough for sixteen streams; an asm statement takes only
 * thirty operands, so streams beyond the tenth use registers named here.
 */
#ifndef HP_KERNELS_AARCH64_H
#define HP_KERNELS_AARCH64_H

#define HP_LOOP_END "subs %[n], %[n], #1\n\tb.ne 1b\n\t"

#define HP_RAW(i) "ldr %[p" #i "], [%[p" #i "]]\n\t"
#define HP_MASKED                                                             \
	"ldr %[p0], [%[p0]]\n\t"                                              \
	"eor %[p0], %[p0], %[key]\n\t"

#define HP_SPARE(i) "x" #i
#define HP_SPARE_CLOBBERS "x10", "x11", "x12", "x13", "x14", "x15"
#define HP_SPARE_GET(i) "ldr " HP_SPARE(i) ", [%[at], #8*" #i "]\n\t"
#define HP_SPARE_PUT(i) "str " HP_SPARE(i) ", [%[at], #8*" #i "]\n\t"
#define HP_SPARE_STEP(i) "ldr " HP_SPARE(i) ", [" HP_SPARE(i) "]\n\t"

#define HP_RANDOM                                                             \
	"ldr %[i], [%[base], %[i], lsl #3]\n\t"                               \
	"mov %[last], %[i]\n\t"                                               \
	"eor %[i], %[i], %[k]\n\t"                                            \
	"add %[k], %[k], %[c]\n\t"                                            \
	"and %[i], %[i], %[mask]\n\t"

#define HP_BLIND                                                              \
	"ldr %[o], [%[table]], #8\n\t"                                        \
	"add %[o], %[o], %[base]\n\t"                                         \
	"ldr %[t], [%[o], %[t]]\n\t"                                          \
	"and %[t], %[t], %[z]\n\t"

#endif
