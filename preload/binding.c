/* SPDX-License-Identifier: MIT */
#include "preload/binding.h"

#include <dlfcn.h>
#include <link.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "libhp/heap.h"
#include "libhp/linux.h"
#include "preload/foreign.h"

void __libc_free(void *p);
void cfree(void *p);

#define FOUND(name)                                                            \
	{                                                                      \
#name, (uintptr_t)name                                         \
	}

/* what the program at large finds under these names */
static const struct {
	const char *name;
	uintptr_t address;
} family[] = {
	FOUND(malloc), FOUND(calloc),	     FOUND(realloc),
	FOUND(free),   FOUND(aligned_alloc), FOUND(memalign),
	FOUND(valloc), FOUND(pvalloc),	     FOUND(posix_memalign),
	FOUND(cfree),  FOUND(malloc_trim),   FOUND(malloc_usable_size),
};

/* a library's own table of the names it has, as the loader reads it */
struct names {
	uintptr_t base;
	const uint32_t *hash; /* DT_GNU_HASH */
	ElfW(Sym) * symbols;
	const char *strings;
	int prot; /* of the table's mapping */
};

static void read_names(const ElfW(Dyn) * d, struct names *n)
{
	for (; d->d_tag != DT_NULL; d++) {
		if (d->d_tag == DT_GNU_HASH)
			n->hash = (const uint32_t *)d->d_un.d_ptr;
		else if (d->d_tag == DT_SYMTAB)
			n->symbols = (ElfW(Sym) *)d->d_un.d_ptr;
		else if (d->d_tag == DT_STRTAB)
			n->strings = (const char *)d->d_un.d_ptr;
	}
}

static const ElfW(Phdr) *
	segment_of(const struct dl_phdr_info *info, uintptr_t addr)
{
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *h = &info->dlpi_phdr[i];

		if (h->p_type == PT_LOAD &&
		    addr - info->dlpi_addr - h->p_vaddr < h->p_memsz)
			return h;
	}
	return NULL;
}

static int prot_of(const ElfW(Phdr) * h)
{
	if (!h)
		return 0;
	return (h->p_flags & PF_R ? PROT_READ : 0) |
	       (h->p_flags & PF_W ? PROT_WRITE : 0) |
	       (h->p_flags & PF_X ? PROT_EXEC : 0);
}

/* libc is the object that __libc_free is in */
static int find_libc(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct names *n = arg;

	(void)size;
	if (!segment_of(info, (uintptr_t)__libc_free))
		return 0;
	n->base = info->dlpi_addr;
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
			read_names(
				(const ElfW(Dyn) *)(info->dlpi_addr +
						    info->dlpi_phdr[i].p_vaddr),
				n);
	n->prot = prot_of(segment_of(info, (uintptr_t)n->symbols));
	return n->prot && n->hash && n->strings;
}

static uint32_t hash_of(const char *name)
{
	uint32_t hash = 5381;

	for (; *name; name++)
		hash = hash * 33 + (unsigned char)*name;
	return hash;
}

static bool is_defined(const struct names *n, const ElfW(Sym) * symbol,
		       const char *name)
{
	return symbol->st_shndx != SHN_UNDEF &&
	       !strcmp(n->strings + symbol->st_name, name);
}

/*
 * Buckets, first symbol, words of a filter, its shift; the filter, the buckets,
 * then a hash for each symbol, of which bit 0 ends a chain.
 */
static ElfW(Sym) * find_name(const struct names *n, const char *name)
{
	uint32_t buckets = n->hash[0], first = n->hash[1];
	const uint32_t *bucket =
		n->hash + 4 + n->hash[2] * (sizeof(ElfW(Addr)) / 4);
	const uint32_t *chain = bucket + buckets;
	uint32_t hash = hash_of(name);
	uint32_t i = buckets ? bucket[hash % buckets] : 0;

	for (; i >= first && i > 0; i++) {
		uint32_t has = chain[i - first];

		if ((has | 1) == (hash | 1) &&
		    is_defined(n, &n->symbols[i], name))
			return &n->symbols[i];
		if (has & 1)
			break;
	}
	return NULL;
}

static ElfW(Sym) * found[HP_ARRAY_SIZE(family)];

/* pages with all the entries; false when there are none */
static bool find_all(const struct names *n, uintptr_t *start, uintptr_t *end)
{
	size_t page = hp_linux_page_size();

	*start = UINTPTR_MAX;
	*end = 0;
	for (size_t i = 0; i < HP_ARRAY_SIZE(family); i++) {
		found[i] = find_name(n, family[i].name);
		if (!found[i])
			continue;
		*start = hp_min(*start, (uintptr_t)found[i]);
		*end = hp_max(*end, (uintptr_t)(found[i] + 1));
	}
	*start = hp_align_down(*start, page);
	*end = hp_align_up(*end, page);
	return *start < *end;
}

/* the loader adds the base to a value, and the sum may wrap around */
static void bind_all(const struct names *n)
{
	for (size_t i = 0; i < HP_ARRAY_SIZE(family); i++)
		if (found[i])
			__atomic_store_n(&found[i]->st_value,
					 family[i].address - n->base,
					 __ATOMIC_RELAXED);
}

static void tell_foreign(const struct names *n)
{
	const ElfW(Sym) *symbol = find_name(n, "malloc_usable_size");

	if (symbol)
		hp_foreign_init(
			(size_t(*)(void *))(n->base + symbol->st_value));
}

/*
 * A program, or a library before this one, may have its own malloc. Addresses do
 * not tell: in a program at a fixed place a function has that of the program's
 * own entry for it.
 */
static bool is_ours(void)
{
	void *(*take)(size_t) =
		(void *(*)(size_t))dlsym(RTLD_DEFAULT, "malloc");
	void (*give)(void *) = (void (*)(void *))dlsym(RTLD_DEFAULT, "free");
	void *block = take && give ? take(1) : NULL;
	bool ours = block && hp_heap_owns(block);

	if (block)
		give(block);
	return ours;
}

void hp_binding_init(void)
{
	struct names n = {0};
	uintptr_t start, end;

	if (!is_ours() || !dl_iterate_phdr(find_libc, &n) ||
	    !find_all(&n, &start, &end))
		return;
	tell_foreign(&n);
	if (hp_linux_protect((void *)start, end - start, n.prot | PROT_WRITE))
		return;
	bind_all(&n);
	hp_linux_protect((void *)start, end - start, n.prot);
}
