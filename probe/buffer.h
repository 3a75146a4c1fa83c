/* SPDX-License-Identifier: MIT */
/*
 * buffer.h - memory of one kind of page, populated and proven
 *
 * A buffer is fresh from the kernel, every page of it touched, and its backing
 * asked for after that and again whenever the caller wants to know. Nothing on
 * the machine is changed: a pool that is too small, a THP mode that forbids, is
 * a reason in words.
 */
#ifndef HP_BUFFER_H
#define HP_BUFFER_H

#include <stddef.h>
#include <stdint.h>

#include "libhp/common.h"
#include "probe/hp_probe.h"
#include "probe/kind.h"

struct hp_buffer {
	void *addr; /* aligned to the larger of kind and slot */
	size_t len; /* bytes asked for */
	struct hp_kind kind;
	void *mapping; /* what to unmap */
	size_t mapped;
	uint64_t mthp_pages;  /* of this size the kernel gave meanwhile */
	uint64_t mthp_splits; /* its counter of splits at that time */
};

/**
 * hp_buffer_map - map, do not touch yet
 * @buffer: receives it; untouched on failure
 * @kind:   of page
 * @len:    bytes, at least 1
 * @why:    receives words on failure; may be NULL, else @why_size bytes
 *
 * Return: 0; -ENOMEM address space, memory or pool are too small; -ENOENT the
 * kind cannot be had here.
 */
int hp_buffer_map(struct hp_buffer *buffer, const struct hp_kind *kind,
		  size_t len, char *why, size_t why_size) HP_MUST_CHECK;

/**
 * hp_buffer_populate - touch every page
 * @buffer: a mapped buffer
 * @stop:   give up when it becomes non-zero; may be NULL
 *
 * Return: 0; -EINTR stopped; -ENOMEM, -EFAULT… as the kernel said.
 */
int hp_buffer_populate(struct hp_buffer *buffer,
		       const volatile int *stop) HP_MUST_CHECK;

/* hp_buffer_recycle - give the pages back, keep the mapping; 0 or -errno */
int hp_buffer_recycle(struct hp_buffer *buffer) HP_MUST_CHECK;

/* hp_buffer_close - unmap */
void hp_buffer_close(struct hp_buffer *buffer);

/**
 * hp_buffer_verify - ask the kernel what the buffer is mapped with
 * @buffer:  a populated buffer
 * @backing: receives the answer; verified only if at least 95 % (base pages:
 *           all) is of the kind asked for and nothing is unknown
 * @why:     receives words when not verified, else ""; @why_size bytes
 */
void hp_buffer_verify(const struct hp_buffer *buffer,
		      struct hp_probe_backing *backing, char *why,
		      size_t why_size);

/**
 * hp_buffer_room - bytes that can be populated without harm
 *
 * The least of MemAvailable and the memory cgroup's limit, less a tenth.
 *
 * Return: bytes; UINT64_MAX when neither is known.
 */
uint64_t hp_buffer_room(void);

#endif
