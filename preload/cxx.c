/* SPDX-License-Identifier: MIT */
/*
 * cxx.c - operator new and delete, without libstdc++
 *
 * libstdc++'s operators call malloc, so a C++ program needs none of these. But
 * one linked with libjemalloc.so would take them from there, and with them a
 * second heap. Written in C under their mangled names; what throws lives in
 * libstdc++, which is loaded wherever these are called, and is looked up when
 * memory has run out.
 */
#include <dlfcn.h>
#include <malloc.h>
#include <stdlib.h>

#include "libhp/common.h"

typedef void (*handler_fn)(void);

/* libstdc++ may have been opened privately, so the global scope won't do */
static void *find(const char *symbol)
{
	void *lib = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_NOLOAD);

	return lib ? dlsym(lib, symbol) : dlsym(RTLD_DEFAULT, symbol);
}

/* runs the program's new-handler; false when it has none */
static bool handled(void)
{
	handler_fn (*get)(void) =
		(handler_fn(*)(void))find("_ZSt15get_new_handlerv");
	handler_fn handler = get ? get() : NULL;

	if (!handler)
		return false;
	handler();
	return true;
}

static void throw_bad_alloc(void)
{
	void (*raise)(void) = (void (*)(void))find("_ZSt17__throw_bad_allocv");

	if (raise)
		raise();
	abort();
}

static void *try_new(size_t size, size_t align)
{
	size = size ? size : 1;
	return align ? memalign(align, size) : malloc(size);
}

static void *new_slowly(size_t size, size_t align)
{
	void *p;

	do {
		if (!handled())
			throw_bad_alloc();
		p = try_new(size, align);
	} while (!p);
	return p;
}

/* a handler that throws ends the program here: this file has no try block */
static void *new_nothrow_slowly(size_t size, size_t align)
{
	void *p = NULL;

	while (!p && handled())
		p = try_new(size, align);
	return p;
}

static inline void *new (size_t size, size_t align)
{
	void *p = try_new(size, align);

	return HP_LIKELY(p != NULL) ? p : new_slowly(size, align);
}

static inline void *new_nothrow(size_t size, size_t align)
{
	void *p = try_new(size, align);

	return HP_LIKELY(p != NULL) ? p : new_nothrow_slowly(size, align);
}

#define OPERATOR(type, name, args, body)                                       \
	type name args;                                                        \
	HP_EXPORT type name args                                               \
	{                                                                      \
		body;                                                          \
	}

#define NEW(name, args, ...) OPERATOR(void *, name, args, return __VA_ARGS__)
/* further arguments lie in registers nobody reads */
#define DELETE(name) OPERATOR(void, name, (void *p), free(p))

/* name ends: m size_t, St11align_val_t alignment, RKSt9nothrow_t nothrow */
NEW(_Znwm, (size_t n), new (n, 0))
NEW(_Znam, (size_t n), new (n, 0))
NEW(_ZnwmSt11align_val_t, (size_t n, size_t align), new (n, align))
NEW(_ZnamSt11align_val_t, (size_t n, size_t align), new (n, align))
NEW(_ZnwmRKSt9nothrow_t, (size_t n, const void *tag),
    ((void)tag, new_nothrow(n, 0)))
NEW(_ZnamRKSt9nothrow_t, (size_t n, const void *tag),
    ((void)tag, new_nothrow(n, 0)))
NEW(_ZnwmSt11align_val_tRKSt9nothrow_t,
    (size_t n, size_t align, const void *tag),
    ((void)tag, new_nothrow(n, align)))
NEW(_ZnamSt11align_val_tRKSt9nothrow_t,
    (size_t n, size_t align, const void *tag),
    ((void)tag, new_nothrow(n, align)))

/* sizes, alignments and tags of a delete tell us nothing we need */
DELETE(_ZdlPv)
DELETE(_ZdaPv)
DELETE(_ZdlPvm)
DELETE(_ZdaPvm)
DELETE(_ZdlPvSt11align_val_t)
DELETE(_ZdaPvSt11align_val_t)
DELETE(_ZdlPvmSt11align_val_t)
DELETE(_ZdaPvmSt11align_val_t)
DELETE(_ZdlPvRKSt9nothrow_t)
DELETE(_ZdaPvRKSt9nothrow_t)
DELETE(_ZdlPvSt11align_val_tRKSt9nothrow_t)
DELETE(_ZdaPvSt11align_val_tRKSt9nothrow_t)
