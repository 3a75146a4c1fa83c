/* SPDX-License-Identifier: MIT */
/*
 * jemalloc_api.c - jemalloc's own public names
 *
 * A program linked with libjemalloc.so.2 (redis-server) takes malloc from us
 * and would take these from there: two heaps in one program. So they are ours.
 */
#include <errno.h>
#include <string.h>

#include "libhp/common.h"
#include "libhp/jemalloc.h"
#include "preload/sampling.h"

/* in place for programs that define or read them; they have no effect here */
extern const char *malloc_conf, *malloc_conf_2_conf_harder;
extern void (*malloc_message)(void *arg, const char *text);
HP_EXPORT const char *malloc_conf;
HP_EXPORT const char *malloc_conf_2_conf_harder;
HP_EXPORT void (*malloc_message)(void *arg, const char *text);

void *mallocx(size_t size, int flags);
void *rallocx(void *p, size_t size, int flags);
size_t xallocx(void *p, size_t size, size_t extra, int flags);
size_t sallocx(const void *p, int flags);
void dallocx(void *p, int flags);
void sdallocx(void *p, size_t size, int flags);
size_t nallocx(size_t size, int flags);
int mallctl(const char *name, void *old, size_t *old_len, void *new,
	    size_t new_len);
int mallctlnametomib(const char *name, size_t *mib, size_t *len);
int mallctlbymib(const size_t *mib, size_t len, void *old, size_t *old_len,
		 void *new, size_t new_len);
void malloc_stats_print(void (*write)(void *, const char *), void *arg,
			const char *opts);

HP_EXPORT void *mallocx(size_t size, int flags)
{
	return SAMPLED(size, je_mallocx(size, flags));
}

HP_EXPORT void *rallocx(void *p, size_t size, int flags)
{
	struct hp_site_block known;
	void *moved;

	hp_sampling_move(p, &known);
	moved = SAMPLED(size, je_rallocx(p, size, flags));
	if (HP_UNLIKELY(!moved))
		hp_sampling_stay(&known);
	return moved;
}

HP_EXPORT size_t xallocx(void *p, size_t size, size_t extra, int flags)
{
	return je_xallocx(p, size, extra, flags);
}

HP_EXPORT size_t sallocx(const void *p, int flags)
{
	return je_sallocx(p, flags);
}

HP_EXPORT void dallocx(void *p, int flags)
{
	hp_sampling_free(p);
	je_dallocx(p, flags);
}

HP_EXPORT void sdallocx(void *p, size_t size, int flags)
{
	hp_sampling_free(p);
	je_sdallocx(p, size, flags);
}

HP_EXPORT size_t nallocx(size_t size, int flags)
{
	return je_nallocx(size, flags);
}

/* blocks of an arena with the program's own hooks could not be told as ours */
static bool brings_hooks(const char *name, const void *new)
{
	return new && (!strcmp(name, "arenas.create") ||
		       strstr(name, "arenas_create_ext") ||
		       strstr(name, "extent_hooks"));
}

/* the same by number; an arena's own is the second of three */
static bool brings_hooks_by_mib(const size_t *mib, size_t len, const void *new)
{
	static const char *const names[] = {"arenas.create",
					    "experimental.arenas_create_ext",
					    "arena.0.extent_hooks"};
	size_t is[3];

	for (size_t i = 0; new &&i < HP_ARRAY_SIZE(names); i++) {
		size_t n = HP_ARRAY_SIZE(is);

		if (je_mallctlnametomib(names[i], is, &n) || n != len ||
		    is[0] != mib[0] || is[n - 1] != mib[n - 1])
			continue;
		if (n == 3 || is[1] == mib[1])
			return true;
	}
	return false;
}

/* libhp has no thread that was not asked for; jemalloc would write to stderr */
static bool wants_threads(const char *name)
{
	return !strcmp(name, "background_thread") ||
	       !strcmp(name, "max_background_threads");
}

HP_EXPORT int mallctl(const char *name, void *old, size_t *old_len, void *new,
		      size_t new_len)
{
	if (brings_hooks(name, new))
		return EPERM;
	if (wants_threads(name))
		return ENOENT; /* as jemalloc built without them */
	return je_mallctl(name, old, old_len, new, new_len);
}

HP_EXPORT int mallctlnametomib(const char *name, size_t *mib, size_t *len)
{
	if (wants_threads(name))
		return ENOENT;
	return je_mallctlnametomib(name, mib, len);
}

HP_EXPORT int mallctlbymib(const size_t *mib, size_t len, void *old,
			   size_t *old_len, void *new, size_t new_len)
{
	if (brings_hooks_by_mib(mib, len, new))
		return EPERM;
	return je_mallctlbymib(mib, len, old, old_len, new, new_len);
}

HP_EXPORT void malloc_stats_print(void (*write)(void *, const char *),
				  void *arg, const char *opts)
{
	je_malloc_stats_print(write, arg, opts);
}
