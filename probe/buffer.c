/* SPDX-License-Identifier: MIT */
#include "probe/buffer.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "libhp/hp.h"
#include "libhp/linux.h"
#include "libhp/text.h"
#include "libhp/textfile.h"
#include "probe/buffer_mthp.h"
#include "probe/words.h"

/* A stop is noticed after this much populating. */
#define PIECE (64 * HP_MIB)

static int line_available(char *text, void *arg)
{
	return hp_text_field(text, "MemAvailable", arg) == 0;
}

uint64_t hp_buffer_room(void)
{
	struct hp_pagesizes sizes;
	uint64_t kib, room = UINT64_MAX;

	hp_pagesizes_read(&sizes);
	if (hp_textfile_lines("/proc/meminfo", line_available, &kib) == 1)
		room = kib * HP_KIB;
	if (sizes.memcg_limit != HP_UNKNOWN)
		room = hp_min(room, sizes.memcg_limit);
	return room == UINT64_MAX ? room : room - room / 10;
}

static int check_thp(const struct hp_pagesizes *sizes, char *why, size_t size)
{
	enum hp_reason reason = hp_pagesizes_thp_reason(sizes);

	if (reason == HP_REASON_NONE)
		return 0;
	hp_words(why, size, "%s: the kernel gives no transparent huge pages",
		 hp_reason_text(reason));
	return -ENOENT;
}

static int check_pool(struct hp_pagesizes *sizes, const struct hp_kind *kind,
		      size_t len, char *why, size_t why_size)
{
	struct hp_pool *pool = hp_pagesizes_pool(sizes, kind->size);
	uint64_t needed = (len + kind->size - 1) / kind->size, has;

	if (!pool || pool->free == HP_UNKNOWN)
		return 0; /* let the map call decide */
	has = pool->free - hp_min(pool->free, pool->reserved);
	if (has + pool->overcommit >= needed)
		return 0;
	hp_words(why, why_size,
		 "pool-empty: %llu pages of %s are free, %llu are needed",
		 (unsigned long long)has, kind->name,
		 (unsigned long long)needed);
	return -ENOMEM;
}

static int check_memory(size_t len, char *why, size_t why_size)
{
	uint64_t room = hp_buffer_room();

	if (len <= room)
		return 0;
	hp_words(why, why_size, "%llu bytes do not fit the %llu that are free",
		 (unsigned long long)len, (unsigned long long)room);
	return -ENOMEM;
}

static int check_kind(const struct hp_kind *kind, size_t len, char *why,
		      size_t why_size)
{
	struct hp_pagesizes sizes;
	int err = 0;

	hp_pagesizes_read(&sizes);
	switch (kind->family) {
	case HP_KIND_HUGETLB:
		return check_pool(&sizes, kind, len, why, why_size);
	case HP_KIND_MTHP:
		err = hp_mthp_check(&sizes, kind->size, why, why_size);
		break;
	case HP_KIND_THP:
		err = check_thp(&sizes, why, why_size);
		break;
	case HP_KIND_BASE:
		break;
	}
	return err ? err : check_memory(len, why, why_size);
}

static int map_bytes(struct hp_buffer *buffer, int flags, char *why,
		     size_t why_size)
{
	long got = hp_linux_map(NULL, buffer->mapped, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);

	if (hp_linux_failed(got)) {
		hp_words(why, why_size, "%llu bytes of %s pages: %s",
			 (unsigned long long)buffer->mapped, buffer->kind.name,
			 strerror((int)-got));
		return (int)got;
	}
	buffer->mapping = (void *)got;
	return 0;
}

static int map_hugetlb(struct hp_buffer *buffer, char *why, size_t why_size)
{
	size_t page = buffer->kind.size;
	int flags = MAP_HUGETLB | (int)(hp_log2(page) << MAP_HUGE_SHIFT);
	int err;

	buffer->mapped = hp_align_up(buffer->len, page);
	err = map_bytes(buffer, flags, why, why_size);
	buffer->addr = buffer->mapping;
	return err;
}

static int map_plain(struct hp_buffer *buffer, char *why, size_t why_size)
{
	size_t slot = hp_slot_size();
	int err;

	buffer->mapped = hp_align_up(buffer->len, buffer->kind.size) + slot;
	err = map_bytes(buffer, 0, why, why_size);
	if (err)
		return err;
	buffer->addr = (void *)hp_align_up((uintptr_t)buffer->mapping, slot);
	/* Fails only in kernels without THP, where there is nothing to ask. */
	hp_linux_advise(buffer->mapping, buffer->mapped,
			buffer->kind.family == HP_KIND_THP ? MADV_HUGEPAGE
							   : MADV_NOHUGEPAGE);
	return 0;
}

int hp_buffer_map(struct hp_buffer *buffer, const struct hp_kind *kind,
		  size_t len, char *why, size_t why_size)
{
	struct hp_buffer made = {.kind = *kind, .len = len};
	int err = 0;

	if (!len || len > SIZE_MAX / 4)
		err = -ENOMEM;
	if (!err)
		err = check_kind(kind, len, why, why_size);
	if (!err)
		err = kind->family == HP_KIND_HUGETLB
			      ? map_hugetlb(&made, why, why_size)
			      : map_plain(&made, why, why_size);
	if (!err)
		*buffer = made;
	return err;
}

/*
 * Kernels before 5.14 have no call for it; a mapping whose pages are reserved
 * can be touched instead.
 */
static int touch(char *at, size_t len)
{
	size_t page = (size_t)getpagesize();
	volatile char *byte = at;

	for (size_t i = 0; i < len; i += page)
		byte[i] = 0;
	return 0;
}

static int populate_piece(char *at, size_t len)
{
	int err = hp_linux_populate(at, len);

	return err == -EINVAL ? touch(at, len) : err;
}

int hp_buffer_populate(struct hp_buffer *buffer, const volatile int *stop)
{
	size_t step = hp_max(PIECE, buffer->kind.size);
	char *at = buffer->addr;
	size_t len = hp_align_up(buffer->len, buffer->kind.size);
	int err = 0;

	if (buffer->kind.family == HP_KIND_MTHP)
		return hp_mthp_populate(buffer);
	len = hp_min(len, buffer->mapped);
	for (size_t done = 0; done < len && !err; done += step) {
		if (stop && *stop)
			return -EINTR;
		err = populate_piece(at + done, hp_min(step, len - done));
	}
	return err;
}

int hp_buffer_recycle(struct hp_buffer *buffer)
{
	return hp_linux_advise(buffer->mapping, buffer->mapped, MADV_DONTNEED);
}

void hp_buffer_close(struct hp_buffer *buffer)
{
	hp_linux_unmap(buffer->mapping, buffer->mapped);
	buffer->mapping = NULL;
}

static const char *source_name(enum hp_source source)
{
	if (source == HP_SOURCE_PAGEMAP_SCAN)
		return "pagemap-scan";
	return source == HP_SOURCE_SMAPS ? "smaps" : NULL;
}

static bool is_of_kind(const struct hp_buffer *buffer,
		       const struct hp_backing *is)
{
	uint64_t enough = buffer->len - buffer->len / 20;

	switch (buffer->kind.family) {
	case HP_KIND_BASE:
		return is->huge == 0;
	case HP_KIND_THP:
		return is->huge - is->hugetlb >= enough;
	case HP_KIND_HUGETLB:
		return is->hugetlb >= enough;
	case HP_KIND_MTHP:
		return is->huge == 0 && hp_mthp_holds(buffer);
	}
	return false;
}

static void explain(const struct hp_buffer *buffer, const struct hp_backing *is,
		    char *why, size_t why_size)
{
	unsigned long long len = buffer->len;

	if (is->source == HP_SOURCE_NONE)
		hp_words(why, why_size,
			 "the kernel does not say how it is mapped");
	else if (is->present < buffer->len)
		hp_words(why, why_size, "only %llu of %llu bytes are present",
			 (unsigned long long)is->present, len);
	else if (buffer->kind.family == HP_KIND_MTHP)
		hp_words(why, why_size, "%llu pages of %s given, %llu needed",
			 (unsigned long long)buffer->mthp_pages,
			 buffer->kind.name, len / buffer->kind.size);
	else
		hp_words(why, why_size,
			 "%llu of %llu bytes are huge, wanted %s",
			 (unsigned long long)is->huge, len,
			 buffer->kind.family == HP_KIND_BASE ? "none" : "all");
}

void hp_buffer_verify(const struct hp_buffer *buffer,
		      struct hp_probe_backing *backing, char *why,
		      size_t why_size)
{
	struct hp_backing is = {.unknown = buffer->len};

	hp_backing_query(buffer->addr, buffer->len, &is);
	memcpy(backing->asked, buffer->kind.name, sizeof(backing->asked));
	backing->bytes = is.present;
	backing->huge_bytes = is.unknown ? UINT64_MAX : is.huge;
	backing->source = buffer->kind.family == HP_KIND_MTHP
				  ? "mthp-counters"
				  : source_name(is.source);
	backing->verified = !is.unknown && is.present >= buffer->len &&
			    is_of_kind(buffer, &is);
	hp_words(why, why_size, "%s", "");
	if (!backing->verified)
		explain(buffer, &is, why, why_size);
}
