/* SPDX-License-Identifier: MIT */
#include "libhp/sites_symbols.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>

#include "libhp/linux.h"

struct file {
	const char *at;
	size_t len;
};

/* @n entries of @size bytes at @offset, or NULL when not all are there */
static const void *part(const struct file *f, uint64_t offset, uint64_t n,
			size_t size)
{
	uint64_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes) || bytes > f->len ||
	    offset > f->len - bytes || offset % 8)
		return NULL;
	return f->at + offset;
}

static bool map_file(struct file *f, const char *path)
{
	int fd = hp_linux_open(path, O_RDONLY, 0);
	long size, ret;

	if (fd < 0)
		return false;
	size = hp_linux_file_size(fd);
	ret = size > 0 ? hp_linux_map(NULL, (size_t)size, PROT_READ,
				      MAP_PRIVATE, fd, 0)
		       : -1;
	hp_linux_close(fd);
	if (hp_linux_failed(ret))
		return false;
	*f = (struct file){(const char *)ret, (size_t)size};
	return true;
}

static const ElfW(Shdr) * find_sections(const struct file *f, unsigned int *n)
{
	const ElfW(Ehdr) *ehdr = part(f, 0, 1, sizeof(*ehdr));

	if (!ehdr || memcmp(ehdr->e_ident, ELFMAG, SELFMAG) ||
	    ehdr->e_ident[EI_CLASS] != ELFCLASS64 ||
	    ehdr->e_shentsize != sizeof(ElfW(Shdr)))
		return NULL;
	*n = ehdr->e_shnum;
	return part(f, ehdr->e_shoff, *n, sizeof(ElfW(Shdr)));
}

/* names are text: they need not be aligned */
static const char *find_names(const struct file *f, const ElfW(Shdr) * s)
{
	if (s->sh_type != SHT_STRTAB || s->sh_size == 0 ||
	    s->sh_size > f->len || s->sh_offset > f->len - s->sh_size)
		return NULL;
	return f->at[s->sh_offset + s->sh_size - 1] ? NULL
						    : f->at + s->sh_offset;
}

static void take(struct hp_symbols *out, const struct file *f,
		 const ElfW(Shdr) * sections, unsigned int n,
		 const ElfW(Shdr) * s)
{
	const ElfW(Sym) * list;
	const char *names;
	size_t count = s->sh_size / sizeof(*list);

	if (s->sh_link >= n)
		return;
	list = part(f, s->sh_offset, count, sizeof(*list));
	names = find_names(f, &sections[s->sh_link]);
	if (!list || !names)
		return;
	*out = (struct hp_symbols){list, count, names,
				   sections[s->sh_link].sh_size,
				   s->sh_type == SHT_SYMTAB};
}

void hp_symbols_open(struct hp_symbols *out, const char *path)
{
	const struct hp_symbols before = *out;
	const ElfW(Shdr) * sections;
	struct file f;
	unsigned int n;

	if (!map_file(&f, path))
		return;
	sections = find_sections(&f, &n);
	for (unsigned int i = 0; sections && i < n; i++)
		if (sections[i].sh_type == SHT_SYMTAB ||
		    (sections[i].sh_type == SHT_DYNSYM && !out->full))
			take(out, &f, sections, n, &sections[i]);
	if (out->list == before.list)
		hp_linux_unmap((void *)(uintptr_t)f.at, f.len);
}

static bool holds(const struct hp_symbols *symbols, const ElfW(Sym) * s,
		  uint64_t address)
{
	int type = ELF64_ST_TYPE(s->st_info);

	return (type == STT_FUNC || type == STT_GNU_IFUNC) &&
	       address - s->st_value < s->st_size && s->st_shndx != SHN_UNDEF &&
	       s->st_name < symbols->bytes;
}

const char *hp_symbols_find(const struct hp_symbols *symbols, uint64_t address,
			    uint64_t *offset)
{
	const char *found = NULL;

	for (size_t i = 0; i < symbols->n; i++) {
		const ElfW(Sym) *s = &symbols->list[i];
		bool local = ELF64_ST_BIND(s->st_info) == STB_LOCAL;

		if (!holds(symbols, s, address) || (found && local))
			continue;
		*offset = address - s->st_value;
		found = symbols->names + s->st_name;
		/* of several names the one that others use */
		if (!local)
			break;
	}
	return found;
}
