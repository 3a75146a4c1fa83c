/* SPDX-License-Identifier: MIT */
#include "libhp/sites.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

#ifdef HAVE_LIBUNWIND
#define UNW_LOCAL_ONLY
#include <libunwind.h>
#endif

#include "libhp/linux.h"
#include "libhp/sites_libc.h"

/* the interface of libunwind 1.1 to 1.8 */
#define LIBUNWIND "libunwind.so.8"

#define OWN_FRAMES 12 /* at most, between the hook and the unwinder */

#if defined(HAVE_LIBUNWIND) && defined(DLFO_STRUCT_HAS_EH_DBASE)

static __typeof__(unw_backtrace) *backtrace;
static uintptr_t own_start, own_end; /* this library */

struct relocations {
	const ElfW(Sym) * symbols;
	const char *names;
	const ElfW(Rela) * list[2]; /* of calls, of data */
	size_t bytes[2];
};

static void read_dynamic(const ElfW(Dyn) * dyn, struct relocations *out)
{
	memset(out, 0, sizeof(*out));
	for (; dyn->d_tag != DT_NULL; dyn++) {
		if (dyn->d_tag == DT_SYMTAB)
			out->symbols = (const void *)dyn->d_un.d_ptr;
		else if (dyn->d_tag == DT_STRTAB)
			out->names = (const void *)dyn->d_un.d_ptr;
		else if (dyn->d_tag == DT_JMPREL)
			out->list[0] = (const void *)dyn->d_un.d_ptr;
		else if (dyn->d_tag == DT_PLTRELSZ)
			out->bytes[0] = dyn->d_un.d_val;
		else if (dyn->d_tag == DT_RELA)
			out->list[1] = (const void *)dyn->d_un.d_ptr;
		else if (dyn->d_tag == DT_RELASZ)
			out->bytes[1] = dyn->d_un.d_val;
	}
}

/* the loader may have made the page read-only once it had filled it in */
static bool point(void **slot, hp_sites_fn target)
{
	size_t page = hp_linux_page_size();
	void *start = (void *)hp_align_down((uintptr_t)slot, page);

	if (hp_linux_protect(start, page, PROT_READ | PROT_WRITE))
		return false;
	*slot = __extension__(void *) target;
	return true;
}

/* 1 when it was the first of them */
static int redirect(void **slot, const char *name)
{
	const struct hp_sites_libc *to = hp_sites_libc;

	for (; to->name; to++)
		if (!strcmp(name, to->name))
			return point(slot, to->fn) ? to == hp_sites_libc
						   : -ENOTSUP;
	return 0;
}

/* false: what it calls cannot be replaced, or not what is needed */
static bool redirect_all(const struct link_map *map)
{
	struct relocations r;
	int needed = 0, ret;

	read_dynamic(map->l_ld, &r);
	if (!r.symbols || !r.names)
		return false;
	for (int i = 0; i < 2; i++)
		for (size_t n = 0; n < r.bytes[i] / sizeof(**r.list); n++) {
			const ElfW(Rela) *rela = &r.list[i][n];
			const ElfW(Sym) *symbol =
				&r.symbols[ELF64_R_SYM(rela->r_info)];

			ret = redirect((void **)(map->l_addr + rela->r_offset),
				       r.names + symbol->st_name);
			if (ret < 0)
				return false;
			needed += ret;
		}
	return needed > 0;
}

static int find_self(void)
{
	struct dl_find_object self;

	if (_dl_find_object(__extension__(void *) hp_sites_open, &self))
		return -ENOTSUP;
	own_start = (uintptr_t)self.dlfo_map_start;
	own_end = (uintptr_t)self.dlfo_map_end;
	return 0;
}

int hp_sites_open(void)
{
	void *handle = dlopen(LIBUNWIND, RTLD_NOW | RTLD_LOCAL);
	uintptr_t pcs[HP_SITES_DEPTH];
	struct link_map *map;

	if (!handle)
		return -ENOENT;
	backtrace = (__typeof__(backtrace))dlsym(handle, "unw_backtrace");
	if (!backtrace || find_self() ||
	    dlinfo(handle, RTLD_DI_LINKMAP, &map) || !hp_sites_libc_init(map) ||
	    !redirect_all(map)) {
		backtrace = NULL;
		dlclose(handle);
		return -ENOTSUP;
	}
	/* once in peace: its key, one of the first, which then needs no malloc */
	hp_sites_walk(pcs);
	return 0;
}

unsigned int hp_sites_walk(uintptr_t *pcs)
{
	void *frames[HP_SITES_DEPTH + OWN_FRAMES];
	int saved = errno, n;
	unsigned int kept = 0;

	if (!backtrace)
		return 0;
	hp_sites_walking = true;
	n = backtrace(frames, HP_SITES_DEPTH + OWN_FRAMES);
	hp_sites_walking = false;
	errno = saved;
	for (int i = 0; i < n && kept < HP_SITES_DEPTH; i++) {
		uintptr_t pc = (uintptr_t)frames[i];

		if (pc && pc - own_start >= own_end - own_start)
			pcs[kept++] = pc;
	}
	return kept;
}

#else

int hp_sites_open(void)
{
	return -ENOTSUP;
}

unsigned int hp_sites_walk(uintptr_t *pcs)
{
	(void)pcs;
	return 0;
}

#endif
