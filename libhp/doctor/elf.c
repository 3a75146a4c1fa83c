/* SPDX-License-Identifier: MIT */
#include "libhp/doctor/elf.h"

#include <elf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libhp/common.h"

struct image {
	const char *base;
	size_t size;
};

/* @n objects of @each bytes at @offset, or NULL where the file ends before */
static const void *part(const struct image *i, uint64_t offset, uint64_t n,
			size_t each)
{
	uint64_t bytes, end;

	if (__builtin_mul_overflow(n, each, &bytes) ||
	    __builtin_add_overflow(offset, bytes, &end) || end > i->size ||
	    offset % 4)
		return NULL;
	return i->base + offset;
}

static bool is_named(const struct image *i, const Elf64_Shdr *strings,
		     uint32_t at, const char *name)
{
	uint64_t room = strings->sh_size;
	const char *text = part(i, strings->sh_offset & ~3ULL, 1, 1);

	if (!text || strings->sh_offset + room > i->size || at >= room)
		return false;
	text = i->base + strings->sh_offset + at;
	return strlen(name) < room - at &&
	       memcmp(text, name, strlen(name) + 1) == 0;
}

static int search(const struct image *i, const Elf64_Shdr *table,
		  const Elf64_Shdr *strings, const char *name)
{
	uint64_t n = table->sh_size / sizeof(Elf64_Sym);
	const Elf64_Sym *symbols =
		part(i, table->sh_offset, n, sizeof(Elf64_Sym));

	if (!symbols)
		return -ENOEXEC;
	for (uint64_t s = 0; s < n; s++)
		if (symbols[s].st_shndx != SHN_UNDEF &&
		    is_named(i, strings, symbols[s].st_name, name))
			return 1;
	return 0;
}

static int search_image(const struct image *i, const char *name)
{
	const Elf64_Ehdr *head = part(i, 0, 1, sizeof(*head));
	const Elf64_Shdr *sections;

	if (!head || memcmp(head->e_ident, ELFMAG, SELFMAG) ||
	    head->e_ident[EI_CLASS] != ELFCLASS64)
		return -ENOEXEC;
	sections = part(i, head->e_shoff, head->e_shnum, sizeof(*sections));
	if (!sections)
		return -ENOEXEC;
	for (unsigned int s = 0; s < head->e_shnum; s++)
		if (sections[s].sh_type == SHT_DYNSYM &&
		    sections[s].sh_link < head->e_shnum)
			return search(i, &sections[s],
				      &sections[sections[s].sh_link], name);
	return -ENOEXEC;
}

int hp_elf_defines(const char *path, const char *symbol)
{
	struct image i;
	struct stat st;
	int ret, fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return -errno;
	ret = -ENOEXEC;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size == 0)
		goto close;
	i.size = (size_t)st.st_size;
	i.base = mmap(NULL, i.size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (i.base == MAP_FAILED)
		goto close;
	ret = search_image(&i, symbol);
	munmap((void *)i.base, i.size);
close:
	close(fd);
	return ret;
}
