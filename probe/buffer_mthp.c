/* SPDX-License-Identifier: MIT */
#include "probe/buffer_mthp.h"

#include <sys/mman.h>
#include <unistd.h>

#include "libhp/linux.h"
#include "libhp/textfile.h"
#include "probe/words.h"

int hp_mthp_check(const struct hp_pagesizes *sizes, size_t size, char *why,
		  size_t why_size)
{
	for (unsigned int i = 0; i < sizes->nmthp; i++) {
		enum hp_thp_mode mode = sizes->mthp[i].mode;

		if (sizes->mthp[i].size != size)
			continue;
		if (mode == HP_THP_INHERIT)
			mode = sizes->thp;
		if (mode == HP_THP_ALWAYS || mode == HP_THP_MADVISE)
			return 0;
	}
	hp_words(why, why_size,
		 "size-disabled: the kernel offers no %llu-byte transparent "
		 "huge pages now",
		 (unsigned long long)size);
	return -ENOENT;
}

static uint64_t counter(size_t size, const char *name)
{
	char path[128];
	uint64_t value;

	hp_words(path, sizeof(path),
		 "/sys/kernel/mm/transparent_hugepage/hugepages-%llukB/stats/"
		 "%s",
		 (unsigned long long)(size / HP_KIB), name);
	return hp_textfile_u64(path, &value) ? 0 : value;
}

/* A present page in every pair of ranges keeps larger folios away. */
static int plant(char *at, size_t len, size_t pair, size_t page)
{
	int err = hp_linux_advise(at, len, MADV_NOHUGEPAGE);

	for (size_t i = 0; i < len && !err; i += pair)
		err = hp_linux_populate(at + i, page);
	return err;
}

static int populate_all(char *at, size_t len)
{
	int err = hp_linux_advise(at, len, MADV_HUGEPAGE);

	return err ? err : hp_linux_populate(at, len);
}

/* The planted halves are emptied again: their other half now does the job. */
static int uproot(char *at, size_t len, size_t pair)
{
	int err = 0;

	for (size_t i = 0; i < len && !err; i += pair)
		err = hp_linux_advise(at + i, hp_min(pair / 2, len - i),
				      MADV_DONTNEED);
	return err;
}

int hp_mthp_populate(struct hp_buffer *buffer)
{
	size_t size = buffer->kind.size;
	char *at = buffer->addr;
	size_t page = (size_t)getpagesize();
	size_t len = hp_align_up(buffer->len, page);
	uint64_t before = counter(size, "anon_fault_alloc");
	int err = plant(at, len, 2 * size, page);

	if (!err)
		err = populate_all(at, len);
	if (!err)
		err = uproot(at, len, 2 * size);
	if (!err)
		err = hp_linux_populate(at, len);
	buffer->mthp_pages = counter(size, "anon_fault_alloc") - before;
	buffer->mthp_splits = counter(size, "split");
	return err;
}

bool hp_mthp_holds(const struct hp_buffer *buffer)
{
	size_t needed = buffer->len / buffer->kind.size;

	return buffer->mthp_pages >= needed - needed / 20 &&
	       counter(buffer->kind.size, "split") == buffer->mthp_splits;
}
