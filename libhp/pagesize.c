/* SPDX-License-Identifier: MIT */
#include "libhp/pagesize.h"

#include <string.h>
#include <unistd.h>

#include "libhp/cgroup.h"
#include "libhp/common.h"
#include "libhp/linux.h"
#include "libhp/textfile.h"

#define THP_DIR "/sys/kernel/mm/transparent_hugepage"
#define HUGETLB_DIR "/sys/kernel/mm/hugepages"
#define SIZES_MAX 16

_Static_assert(HP_HUGETLB_MAX <= SIZES_MAX && HP_MTHP_MAX <= SIZES_MAX,
	       "a directory lists both kinds");

struct sizes {
	unsigned int n;
	size_t size[SIZES_MAX]; /* largest first */
};

/* keeps the largest when there are more than fit */
static void sizes_add(struct sizes *sizes, size_t size)
{
	unsigned int i = sizes->n;

	if (i == SIZES_MAX && sizes->size[--i] >= size)
		return;
	for (; i > 0 && sizes->size[i - 1] < size; i--)
		sizes->size[i] = sizes->size[i - 1];
	sizes->size[i] = size;
	if (sizes->n < SIZES_MAX)
		sizes->n++;
}

/* "hugepages-2048kB"; anything else in the directory is not a size */
static int sizes_name(const char *name, void *arg)
{
	const char *end, *number = hp_text_after(name, "hugepages-");
	uint64_t kib;

	if (!number || hp_text_u64(number, &end, &kib) || strcmp(end, "kB"))
		return 0;
	if (hp_is_pow2(kib) && kib <= SIZE_MAX / HP_KIB)
		sizes_add(arg, kib * HP_KIB);
	return 0;
}

/* a masked or absent directory leaves @out empty */
static void sizes_read(const char *dir, struct sizes *out)
{
	out->n = 0;
	hp_textfile_names(dir, sizes_name, out);
}

/* "@dir/hugepages-2048kB/@file"; every path here fits by far */
static void size_path(char *buf, size_t bufsize, const char *dir, size_t size,
		      const char *file)
{
	buf[0] = '\0';
	hp_text_append(buf, bufsize, dir);
	hp_text_append(buf, bufsize, "/hugepages-");
	hp_text_append_u64(buf, bufsize, size / HP_KIB);
	hp_text_append(buf, bufsize, "kB/");
	hp_text_append(buf, bufsize, file);
}

static int read_mode(const char *path, enum hp_thp_mode *out)
{
	static const char *const words[] = {
		[HP_THP_ALWAYS] = "always",
		[HP_THP_INHERIT] = "inherit",
		[HP_THP_MADVISE] = "madvise",
		[HP_THP_NEVER] = "never",
	};
	char word[16];
	int ret = hp_textfile_choice(path, word, sizeof(word));

	*out = HP_THP_UNKNOWN;
	if (ret)
		return ret;
	for (unsigned int i = HP_THP_ALWAYS; i < HP_ARRAY_SIZE(words); i++)
		if (strcmp(word, words[i]) == 0)
			*out = (enum hp_thp_mode)i;
	return 0;
}

static int read_size_mode(size_t size, enum hp_thp_mode *out)
{
	char path[128];

	size_path(path, sizeof(path), THP_DIR, size, "enabled");
	return read_mode(path, out);
}

/*
 * Linux 4.10 and newer tell. A table is one page of 8-byte entries on every
 * machine libhp knows, so one PMD entry maps base / 8 pages; what the kernel
 * says can be no more.
 */
static void read_pmd(struct hp_pagesizes *out)
{
	size_t derived = out->base * (out->base / 8);
	uint64_t size = 0;

	/* stays 0, which is no size, where it cannot be read */
	hp_textfile_u64(THP_DIR "/hpage_pmd_size", &size);
	out->pmd_known =
		hp_is_pow2(size) && size > out->base && size <= derived;
	out->pmd = out->pmd_known ? size : derived;
}

static void read_thp(struct hp_pagesizes *out)
{
	read_pmd(out);
	read_mode(THP_DIR "/enabled", &out->thp);
	/* before Linux 6.8 there were no settings per size */
	if (read_size_mode(out->pmd, &out->thp_pmd) == -ENOENT)
		out->thp_pmd = HP_THP_INHERIT;
	out->prctl = hp_linux_thp_disabled();
}

/* a size without the file is one for shmem only */
static void read_mthp(struct hp_pagesizes *out)
{
	struct sizes sizes;

	sizes_read(THP_DIR, &sizes);
	for (unsigned int i = 0; i < sizes.n && out->nmthp < HP_MTHP_MAX; i++) {
		struct hp_mthp *mthp = &out->mthp[out->nmthp];

		if (sizes.size[i] >= out->pmd)
			continue;
		mthp->size = sizes.size[i];
		if (read_size_mode(mthp->size, &mthp->mode) != -ENOENT)
			out->nmthp++;
	}
}

static void pool_forget(struct hp_pool *pool, size_t size)
{
	pool->size = size;
	pool->total = HP_UNKNOWN;
	pool->free = HP_UNKNOWN;
	pool->reserved = HP_UNKNOWN;
	pool->surplus = HP_UNKNOWN;
	pool->overcommit = HP_UNKNOWN;
	pool->cgroup_free = HP_UNKNOWN;
}

static int read_count(size_t size, const char *file, uint64_t *out)
{
	char path[128];

	size_path(path, sizeof(path), HUGETLB_DIR, size, file);
	return hp_textfile_u64(path, out);
}

static int pool_from_sysfs(struct hp_pool *pool)
{
	int ret = read_count(pool->size, "free_hugepages", &pool->free);

	if (ret)
		return ret;
	/* left unknown where missing */
	read_count(pool->size, "nr_hugepages", &pool->total);
	read_count(pool->size, "resv_hugepages", &pool->reserved);
	read_count(pool->size, "surplus_hugepages", &pool->surplus);
	read_count(pool->size, "nr_overcommit_hugepages", &pool->overcommit);
	return 0;
}

static int meminfo_line(char *text, void *arg)
{
	struct hp_pool *pool = arg;
	uint64_t kib;

	hp_text_field(text, "HugePages_Total", &pool->total);
	hp_text_field(text, "HugePages_Free", &pool->free);
	hp_text_field(text, "HugePages_Rsvd", &pool->reserved);
	hp_text_field(text, "HugePages_Surp", &pool->surplus);
	if (!hp_text_field(text, "Hugepagesize", &kib) && hp_is_pow2(kib) &&
	    kib <= SIZE_MAX / HP_KIB)
		pool->size = kib * HP_KIB;
	return 0;
}

/* the pool of the default size, which is all that /proc/meminfo tells */
static int pool_from_meminfo(struct hp_pool *out)
{
	int ret;

	pool_forget(out, 0);
	ret = hp_textfile_lines("/proc/meminfo", meminfo_line, out);
	if (ret == 0 && (out->size == 0 || out->free == HP_UNKNOWN))
		ret = -ENODATA;
	return ret;
}

/*
 * Mapping charges the rsvd limit and touching the other one; whoever wants a
 * page has to pass both. The files are named as the kernel's mem_fmt() does.
 */
static uint64_t hugetlb_room(const struct hp_cgroup *cgroup, size_t size,
			     const char *which)
{
	char limit[64] = "hugetlb.", usage[64], text[HP_SIZE_TEXT];

	hp_text_append(limit, sizeof(limit), hp_size_format(size, text));
	hp_text_append(limit, sizeof(limit), which);
	memcpy(usage, limit, sizeof(usage));
	hp_text_append(limit, sizeof(limit),
		       cgroup->v2 ? "max" : "limit_in_bytes");
	hp_text_append(usage, sizeof(usage),
		       cgroup->v2 ? "current" : "usage_in_bytes");
	return hp_cgroup_room(cgroup, limit, usage);
}

static uint64_t cgroup_free(const struct hp_cgroup *cgroup, size_t size)
{
	return hp_min(hugetlb_room(cgroup, size, "B."),
		      hugetlb_room(cgroup, size, "B.rsvd."));
}

/* @cgroup is NULL where there is none */
static int pool_read(struct hp_pool *pool, const struct hp_cgroup *cgroup)
{
	struct hp_pool now;
	int ret;

	pool_forget(&now, pool->size);
	ret = pool_from_sysfs(&now);
	if (ret && (pool_from_meminfo(&now) || now.size != pool->size))
		return ret;
	if (cgroup)
		now.cgroup_free = cgroup_free(cgroup, now.size);
	*pool = now;
	return 0;
}

int hp_pool_read(struct hp_pool *pool)
{
	struct hp_cgroup cgroup;

	return pool_read(pool,
			 hp_cgroup_find(&cgroup, "hugetlb") ? NULL : &cgroup);
}

static void read_pools(struct hp_pagesizes *out)
{
	struct sizes sizes;
	struct hp_pool standard;
	struct hp_cgroup found;
	const struct hp_cgroup *cgroup = &found;

	sizes_read(HUGETLB_DIR, &sizes);
	if (sizes.n == 0 && pool_from_meminfo(&standard) == 0)
		sizes_add(&sizes, standard.size);
	if (sizes.n == 0)
		return;
	if (hp_cgroup_find(&found, "hugetlb"))
		cgroup = NULL;
	out->npools = (unsigned int)hp_min(sizes.n, HP_HUGETLB_MAX);
	for (unsigned int i = 0; i < out->npools; i++) {
		pool_forget(&out->pools[i], sizes.size[i]);
		/* stays unknown where it cannot be read */
		pool_read(&out->pools[i], cgroup);
	}
}

static uint64_t read_memcg(void)
{
	struct hp_cgroup cgroup;

	if (hp_cgroup_find(&cgroup, "memory"))
		return HP_UNKNOWN;
	return hp_cgroup_room(
		&cgroup, cgroup.v2 ? "memory.max" : "memory.limit_in_bytes",
		NULL);
}

static void clear(struct hp_pagesizes *out, size_t base)
{
	memset(out, 0, sizeof(*out));
	out->base = base;
	out->memcg_limit = HP_UNKNOWN;
}

void hp_pagesizes_read_as(struct hp_pagesizes *out, size_t base)
{
	clear(out, base);
	read_thp(out);
	read_mthp(out);
	read_pools(out);
	out->memcg_limit = read_memcg();
}

/* getpagesize() is a load from the loader's memory; it may run this early */
void hp_pagesizes_read(struct hp_pagesizes *out)
{
	hp_pagesizes_read_as(out, (size_t)getpagesize());
}

void hp_pagesizes_read_thp(struct hp_pagesizes *out)
{
	clear(out, (size_t)getpagesize());
	read_thp(out);
	out->memcg_limit = read_memcg();
}

struct hp_pool *hp_pagesizes_pool(struct hp_pagesizes *ps, size_t size)
{
	for (unsigned int i = 0; i < ps->npools; i++)
		if (ps->pools[i].size == size)
			return &ps->pools[i];
	return NULL;
}

/* With prctl 3 (Linux 6.18) only advised memory gets huge pages: ours is. */
enum hp_reason hp_pagesizes_thp_reason(const struct hp_pagesizes *ps)
{
	if (ps->prctl == 1)
		return HP_REASON_PRCTL;
	if (ps->thp_pmd == HP_THP_NEVER)
		return HP_REASON_SIZE_DISABLED;
	if (ps->thp_pmd == HP_THP_INHERIT && ps->thp == HP_THP_NEVER)
		return HP_REASON_SYSFS_NEVER;
	return HP_REASON_NONE;
}
