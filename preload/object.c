/* SPDX-License-Identifier: MIT */
#include "preload/object.h"

#include <gnu/libc-version.h>
#include <string.h>
#include <sys/mman.h>

#include "libhp/linux.h"

static const ElfW(Phdr) *
	segment_of(const struct hp_object *o, ElfW(Word) type, uintptr_t addr)
{
	for (size_t i = 0; i < o->n_segments; i++) {
		const ElfW(Phdr) *h = &o->segments[i];

		if (h->p_type == type &&
		    addr - o->base - h->p_vaddr < h->p_memsz)
			return h;
	}
	return NULL;
}

bool hp_object_has(const struct hp_object *o, uintptr_t addr)
{
	return segment_of(o, PT_LOAD, addr);
}

static const ElfW(Dyn) * dynamic_of(const struct hp_object *o)
{
	for (size_t i = 0; i < o->n_segments; i++)
		if (o->segments[i].p_type == PT_DYNAMIC)
			return (const ElfW(Dyn) *)(o->base +
						   o->segments[i].p_vaddr);
	return NULL;
}

/* the loader has made addresses of most of them; not so in the vdso */
static const void *place_of(const struct hp_object *o, const ElfW(Dyn) * d)
{
	return hp_object_has(o, d->d_un.d_ptr) ? (const void *)d->d_un.d_ptr
					       : NULL;
}

static void read_entry(const ElfW(Dyn) * d, struct hp_object *o)
{
	switch (d->d_tag) {
	case DT_GNU_HASH:
		o->hash = place_of(o, d);
		break;
	case DT_SYMTAB:
		o->symbols = (ElfW(Sym) *)place_of(o, d);
		break;
	case DT_STRTAB:
		o->strings = place_of(o, d);
		break;
	case DT_RELA:
		o->bound[0].first = place_of(o, d);
		break;
	case DT_RELASZ:
		o->bound[0].n = d->d_un.d_val / sizeof(ElfW(Rela));
		break;
	case DT_JMPREL:
		o->bound[1].first = place_of(o, d);
		break;
	case DT_PLTRELSZ:
		o->bound[1].n = d->d_un.d_val / sizeof(ElfW(Rela));
		break;
	}
}

bool hp_object_read(const struct dl_phdr_info *info, struct hp_object *out)
{
	struct hp_object o = {.base = info->dlpi_addr,
			      .segments = info->dlpi_phdr,
			      .n_segments = info->dlpi_phnum};
	const ElfW(Dyn) *d = dynamic_of(&o);

	for (; d && d->d_tag != DT_NULL; d++)
		read_entry(d, &o);
	for (size_t i = 0; i < HP_ARRAY_SIZE(o.bound); i++)
		if (!o.bound[i].first)
			o.bound[i].n = 0;
	*out = o;
	return o.symbols && o.strings;
}

static int is_libc(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct hp_object *o = arg;

	(void)size;
	return hp_object_read(info, o) &&
	       hp_object_has(o, (uintptr_t)gnu_get_libc_version);
}

bool hp_object_libc(struct hp_object *out)
{
	return dl_iterate_phdr(is_libc, out);
}

static uint32_t hash_of(const char *name)
{
	uint32_t hash = 5381;

	for (; *name; name++)
		hash = hash * 33 + (unsigned char)*name;
	return hash;
}

static bool is_defined(const struct hp_object *o, const ElfW(Sym) * symbol,
		       const char *name)
{
	return symbol->st_shndx != SHN_UNDEF &&
	       ELF64_ST_TYPE(symbol->st_info) == STT_FUNC &&
	       !strcmp(o->strings + symbol->st_name, name);
}

/*
 * Buckets, first symbol, words of a filter, its shift; the filter, the buckets,
 * then a hash for each symbol, of which bit 0 ends a chain.
 */
ElfW(Sym) * hp_object_find(const struct hp_object *o, const char *name)
{
	static const uint32_t none[4];
	const uint32_t *head = o->hash ? o->hash : none;
	const uint32_t *bucket = head + 4 + head[2] * (sizeof(ElfW(Addr)) / 4);
	const uint32_t *chain = bucket + head[0];
	uint32_t hash = hash_of(name);
	uint32_t i = head[0] ? bucket[hash % head[0]] : 0;

	for (; i >= head[1] && i > 0; i++) {
		uint32_t has = chain[i - head[1]];

		if ((has | 1) == (hash | 1) &&
		    is_defined(o, &o->symbols[i], name))
			return &o->symbols[i];
		if (has & 1)
			break;
	}
	return NULL;
}

uintptr_t hp_object_function(const struct hp_object *o, const char *name)
{
	const ElfW(Sym) *symbol = hp_object_find(o, name);

	return symbol ? o->base + symbol->st_value : 0;
}

/* read-only since the loader wrote to it: whole pages of such a segment */
static bool is_sealed(const struct hp_object *o, uintptr_t addr)
{
	const ElfW(Phdr) *h = segment_of(o, PT_GNU_RELRO, addr);

	return h && addr < hp_align_down(o->base + h->p_vaddr + h->p_memsz,
					 hp_linux_page_size());
}

static int prot_of(const struct hp_object *o, uintptr_t addr)
{
	const ElfW(Phdr) *h = segment_of(o, PT_LOAD, addr);
	ElfW(Word) flags = h ? h->p_flags : 0;

	if (is_sealed(o, addr))
		flags &= ~(ElfW(Word))PF_W;
	return (flags & PF_R ? PROT_READ : 0) |
	       (flags & PF_W ? PROT_WRITE : 0) | (flags & PF_X ? PROT_EXEC : 0);
}

static int protect(uintptr_t start, uintptr_t end, int prot)
{
	size_t page = hp_linux_page_size();

	start = hp_align_down(start, page);
	end = hp_align_up(end, page);
	return hp_linux_protect((void *)start, end - start, prot);
}

int hp_object_open(const struct hp_object *o, uintptr_t start, uintptr_t end)
{
	return protect(start, end, prot_of(o, start) | PROT_WRITE);
}

void hp_object_close(const struct hp_object *o, uintptr_t start, uintptr_t end)
{
	protect(start, end, prot_of(o, start));
}
