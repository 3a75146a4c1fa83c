/* SPDX-License-Identifier: MIT */
#include "libhp/sites_name.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>

#include "libhp/linux.h"
#include "libhp/sites_symbols.h"
#include "libhp/syscall.h"
#include "libhp/text.h"

#define OBJECTS 256
#define CACHE 4096

struct object {
	uintptr_t start;
	uintptr_t bias; /* address in memory less that in the file */
	char build_id[HP_BUILD_ID_TEXT];
	struct hp_symbols symbols;
	const char *path;
};

static struct object objects[OBJECTS];
static unsigned int nobjects;
static bool blind;
static char exe[1024] = "";

static struct {
	uintptr_t pc;
	struct hp_site_name name;
} cache[CACHE];

void hp_sites_name_blindly(void)
{
	blind = true;
}

static void put_hex(char *out, const unsigned char *bytes, size_t n)
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < n; i++) {
		*out++ = digits[bytes[i] >> 4];
		*out++ = digits[bytes[i] & 15];
	}
	*out = '\0';
}

/* the note of type NT_GNU_BUILD_ID and owner "GNU" among @len bytes of notes */
static void read_notes(const char *at, size_t len, char *out)
{
	while (len >= sizeof(ElfW(Nhdr))) {
		const ElfW(Nhdr) *note = (const void *)at;
		size_t desc = sizeof(*note) + hp_align_up(note->n_namesz, 4);
		size_t all = desc + hp_align_up(note->n_descsz, 4);

		if (all > len)
			return;
		if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 &&
		    !memcmp(note + 1, "GNU", 4)) {
			put_hex(out, (const unsigned char *)at + desc,
				hp_min(note->n_descsz, HP_BUILD_ID_TEXT / 2));
			return;
		}
		at += all;
		len -= all;
	}
}

static void read_build_id(struct object *o)
{
	const ElfW(Ehdr) *ehdr = (const void *)o->start;
	const ElfW(Phdr) *phdr = (const void *)(o->start + ehdr->e_phoff);

	for (unsigned int i = 0; i < ehdr->e_phnum && !o->build_id[0]; i++)
		if (phdr[i].p_type == PT_NOTE)
			read_notes((const char *)(o->bias + phdr[i].p_vaddr),
				   phdr[i].p_filesz, o->build_id);
}

static const char *program(void)
{
	long n;

	if (exe[0] || blind)
		return exe;
	n = hp_syscall(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", exe,
		       sizeof(exe) - 1);
	exe[n > 0 ? n : 0] = '\0';
	return exe;
}

/* where Debian, Fedora and gdb keep what was stripped off */
static void open_debug(struct object *o)
{
	char path[160] = "/usr/lib/debug/.build-id/";
	char first[3] = {o->build_id[0], o->build_id[1], '\0'};

	if (strlen(o->build_id) < 3)
		return;
	hp_text_append(path, sizeof(path), first);
	hp_text_append(path, sizeof(path), "/");
	hp_text_append(path, sizeof(path), o->build_id + 2);
	hp_text_append(path, sizeof(path), ".debug");
	hp_symbols_open(&o->symbols, path);
}

static void read_symbols(struct object *o)
{
	if (blind)
		return;
	hp_symbols_open(&o->symbols, o->path);
	if (!o->symbols.full)
		open_debug(o);
}

#ifdef DLFO_STRUCT_HAS_EH_DBASE
static struct object *find_object(uintptr_t pc)
{
	struct dl_find_object found;
	struct object *o = objects;

	if (_dl_find_object((void *)pc, &found))
		return NULL;
	for (; o < objects + nobjects; o++)
		if (o->start == (uintptr_t)found.dlfo_map_start)
			return o;
	if (nobjects == OBJECTS ||
	    memcmp(found.dlfo_map_start, ELFMAG, SELFMAG))
		return NULL;
	nobjects++;
	o->start = (uintptr_t)found.dlfo_map_start;
	o->bias = found.dlfo_link_map->l_addr;
	o->path = found.dlfo_link_map->l_name;
	if (!o->path[0])
		o->path = program();
	read_build_id(o);
	read_symbols(o);
	return o;
}
#else
static struct object *find_object(uintptr_t pc)
{
	(void)pc;
	return NULL;
}
#endif

static void look_up(uintptr_t pc, struct hp_site_name *out)
{
	struct object *o = find_object(pc - 1);

	memset(out, 0, sizeof(*out));
	out->address = pc - 1;
	if (!o)
		return;
	out->address -= o->bias;
	out->object = o->path;
	out->build_id = o->build_id;
	out->function =
		hp_symbols_find(&o->symbols, out->address, &out->offset);
}

void hp_sites_name(uintptr_t pc, struct hp_site_name *out)
{
	size_t i = (pc * 0x9e3779b97f4a7c15u) >> (64 - 12);

	if (cache[i].pc != pc) {
		look_up(pc, &cache[i].name);
		cache[i].pc = pc;
	}
	*out = cache[i].name;
}
