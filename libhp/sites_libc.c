/* SPDX-License-Identifier: MIT */
#include "libhp/sites_libc.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "libhp/linux.h"
#include "libhp/syscall.h"

#if defined(HAVE_LIBUNWIND) && defined(DLFO_STRUCT_HAS_EH_DBASE)

#define PIPE INT_MAX	/* the kernel gives no such descriptor */
#define NO_SIGMASK (-1) /* nothing sigprocmask could be asked to do */
#define TLS_BYTES 128	/* libunwind 1.1 to 1.8 have 16, 1.9 has 24 */
#define TLS_ALIGN 16

typedef int visit_fn(struct dl_phdr_info *info, size_t size, void *arg);

__thread bool hp_sites_walking;
static _Alignas(TLS_ALIGN) __thread char tls[TLS_BYTES];
static __thread bool tls_filled;
static const void *tls_image; /* what it begins with, the rest is zero */
static size_t tls_image_len;
static bool can_tell; /* what can be read */

/*
 * The first program header of an object follows its ELF header, which the
 * first of its mappings begins with.
 */
static bool describe(const struct dl_find_object *object,
		     struct dl_phdr_info *out)
{
	const ElfW(Ehdr) *ehdr = object->dlfo_map_start;

	if (memcmp(ehdr->e_ident, ELFMAG, SELFMAG))
		return false;
	memset(out, 0, sizeof(*out));
	out->dlpi_addr = object->dlfo_link_map->l_addr;
	out->dlpi_name = object->dlfo_link_map->l_name;
	out->dlpi_phdr = (const void *)((const char *)ehdr + ehdr->e_phoff);
	out->dlpi_phnum = ehdr->e_phnum;
	return true;
}

/*
 * libunwind wants the one object that holds an address, and what it hands on
 * for its visitor begins with that address; were that to change, stacks would
 * end early.
 */
static int visit_object(visit_fn *visit, void *arg)
{
	struct dl_find_object object;
	struct dl_phdr_info info;

	if (_dl_find_object(*(void **)arg, &object) ||
	    !describe(&object, &info))
		return 0;
	return visit(&info, sizeof(info), arg);
}

/*
 * The kernel reads a new signal mask before it looks at what to do with it.
 * That takes no descriptor, and no sandbox forbids it.
 */
static bool is_readable(uintptr_t addr)
{
	const void *word = (const void *)hp_align_down(addr, sizeof(uint64_t));

	return hp_linux_sigmask(NO_SIGMASK, word, NULL) == -EINVAL;
}

static long check(const void *addr)
{
	if (can_tell && is_readable((uintptr_t)addr))
		return 1;
	errno = EFAULT;
	return -1;
}

static int check_pages(const char *addr, size_t len, unsigned char *present)
{
	size_t page = hp_linux_page_size();

	for (size_t i = 0; i * page < len; i++) {
		if (check(addr + i * page) < 0)
			return -1;
		present[i] = 1;
	}
	return 0;
}

static int open_pipe(int fds[2])
{
	fds[0] = fds[1] = PIPE;
	return 0;
}

static ssize_t read_pipe(int fd, void *buf, size_t len)
{
	if (fd != PIPE)
		return read(fd, buf, len);
	errno = EAGAIN;
	return -1;
}

static ssize_t write_pipe(int fd, const void *buf, size_t len)
{
	return fd == PIPE ? check(buf) : write(fd, buf, len);
}

/* arguments that are not given are not looked at */
static long call(long number, long a, long b, long c, long d, long e, long f)
{
	if (number == SYS_write && a == PIPE)
		return check((const void *)b);
	return syscall(number, a, b, c, d, e, f);
}

static int close_pipe(int fd)
{
	return fd == PIPE ? 0 : close(fd);
}

/* some builds look for unwind tables that are not loaded */
static int open_file(const char *path, int flags, mode_t mode)
{
	if (!hp_sites_walking)
		return open(path, flags, mode);
	errno = EACCES;
	return -1;
}

/* as the compiler has it on both machines */
struct tls_index {
	unsigned long module, offset;
};

static void *find_tls(const struct tls_index *at)
{
	if (!tls_filled && tls_image_len)
		memcpy(tls, tls_image, tls_image_len);
	tls_filled = true;
	return tls + at->offset;
}

const struct hp_sites_libc hp_sites_libc[] = {
	{"dl_iterate_phdr", (hp_sites_fn)visit_object},
	{"mincore", (hp_sites_fn)check_pages},
	{"pipe", (hp_sites_fn)open_pipe},
	{"pipe2", (hp_sites_fn)open_pipe},
	{"read", (hp_sites_fn)read_pipe},
	{"write", (hp_sites_fn)write_pipe},
	{"syscall", (hp_sites_fn)call},
	{"close", (hp_sites_fn)close_pipe},
	{"open", (hp_sites_fn)open_file},
	{"__tls_get_addr", (hp_sites_fn)find_tls},
	{NULL, NULL},
};

static bool take_tls(const struct link_map *map, const ElfW(Phdr) * h)
{
	if (h->p_type != PT_TLS)
		return true;
	tls_image = (const void *)(map->l_addr + h->p_vaddr);
	tls_image_len = h->p_filesz;
	return h->p_memsz <= TLS_BYTES && h->p_align <= TLS_ALIGN;
}

bool hp_sites_libc_init(const struct link_map *map)
{
	struct dl_find_object object;
	struct dl_phdr_info info;
	bool fits = true;

	if (_dl_find_object(map->l_ld, &object) || !describe(&object, &info))
		return false;
	for (int i = 0; i < info.dlpi_phnum; i++)
		fits = fits && take_tls(map, &info.dlpi_phdr[i]);
	/* emulators may not look at the mask */
	can_tell = !is_readable(sizeof(uint64_t));
	return fits;
}

#endif
