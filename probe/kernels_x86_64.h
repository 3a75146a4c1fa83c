/* SPDX-License-Identifier: MIT */
/*
 * kernels_x86_64.h - the steps of probe/kernels.c in x86-64 assembly
 *
 * x86-64 has fourteen registers to give away once the stack pointer and the
 * loop counter are taken, so streams beyond the tenth wait in XMM registers
 * and pass through a scratch register; that costs them a few cycles each,
 * which only a chase inside the first-level cache could see.
 */
#ifndef HP_KERNELS_X86_64_H
#define HP_KERNELS_X86_64_H

#define HP_LOOP_END "dec %[n]\n\tjnz 1b\n\t"

#define HP_RAW(i) "mov (%[p" #i "]), %[p" #i "]\n\t"
#define HP_MASKED                                                             \
	"mov (%[p0]), %[p0]\n\t"                                              \
	"xor %[key], %[p0]\n\t"

#define HP_SPARE(i) "%%xmm" #i
#define HP_SPARE_CLOBBERS                                                     \
	"xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15"
#define HP_SPARE_GET(i) "movq 8*" #i "(%[at]), " HP_SPARE(i) "\n\t"
#define HP_SPARE_PUT(i) "movq " HP_SPARE(i) ", 8*" #i "(%[at])\n\t"
#define HP_SPARE_STEP(i)                                                      \
	"movq " HP_SPARE(i) ", %[t]\n\t"                                      \
	"mov (%[t]), %[t]\n\t"                                                \
	"movq %[t], " HP_SPARE(i) "\n\t"

#define HP_RANDOM                                                             \
	"mov (%[base],%[i],8), %[i]\n\t"                                      \
	"mov %[i], %[last]\n\t"                                               \
	"xor %[k], %[i]\n\t"                                                  \
	"add %[c], %[k]\n\t"                                                  \
	"and %[mask], %[i]\n\t"

#define HP_BLIND                                                              \
	"mov (%[table]), %[o]\n\t"                                            \
	"add $8, %[table]\n\t"                                                \
	"add %[base], %[o]\n\t"                                               \
	"mov (%[o],%[t]), %[t]\n\t"                                           \
	"and %[z], %[t]\n\t"

#endif
