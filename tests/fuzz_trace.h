/* SPDX-License-Identifier: MIT */
/*
 * fuzz_trace.h - what a sequence saw, as text or as one number
 *
 * A twin of the same sequence must see the same, so nothing goes in that may
 * differ between two runs: no address, no residency of untouched pages.
 */
#ifndef TESTS_FUZZ_TRACE_H
#define TESTS_FUZZ_TRACE_H

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool verbose;
static __thread uint64_t trace_hash;

static inline void put(const char *text, size_t len)
{
	while (len > 0) {
		ssize_t n = write(STDOUT_FILENO, text, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			_exit(3);
		text += n;
		len -= (size_t)n;
	}
}

__attribute__((format(printf, 1, 2))) static inline void
note(const char *format, ...)
{
	int saved = errno;
	char line[256];
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	/* FNV-1a */
	for (int i = 0; i < len; i++)
		trace_hash =
			(trace_hash ^ (unsigned char)line[i]) * 0x100000001b3;
	if (verbose)
		put(line, (size_t)len);
	errno = saved;
}

/* accesses that may fault: 0, or signal * 10 + code */

static __thread sigjmp_buf fault_back;
static __thread volatile bool fault_awaited;
static __thread volatile int fault_seen;

static inline void fault_handler(int sig, siginfo_t *info, void *context)
{
	(void)context;
	if (!fault_awaited) {
		/* not one of the sequence's own: comes again, and is fatal */
		signal(sig, SIG_DFL);
		return;
	}
	fault_seen = sig * 10 + info->si_code;
	siglongjmp(fault_back, 1);
}

static inline void fault_catch(void)
{
	struct sigaction action = {.sa_sigaction = fault_handler,
				   .sa_flags = SA_SIGINFO | SA_NODEFER};

	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGBUS, &action, NULL);
}

static inline int try_read(const volatile uint64_t *p, uint64_t *value)
{
	fault_seen = 0;
	fault_awaited = true;
	if (sigsetjmp(fault_back, 0) == 0)
		*value = *p;
	fault_awaited = false;
	return fault_seen;
}

static inline int try_write(volatile uint64_t *p, uint64_t value)
{
	fault_seen = 0;
	fault_awaited = true;
	if (sigsetjmp(fault_back, 0) == 0)
		*p = value;
	fault_awaited = false;
	return fault_seen;
}

#endif
