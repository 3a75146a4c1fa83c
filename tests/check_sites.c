/* SPDX-License-Identifier: MIT */
#include "tests/memory.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "libhp/sites_form.h"
#include "libhp/sites_libc.h"
#include "libhp/sites_name.h"
#include "libhp/sites_sum.h"
#include "libhp/sites_symbols.h"
#include "libhp/sites_table.h"
#include "libhp/text.h"

static struct hp_site_block copies[HP_SITES_BLOCKS];
static struct hp_site_map maps[HP_SITES_MAPS];
static char text[1 << 16];

static void open_tables(void)
{
	ck_assert_int_eq(hp_sites_tables(), 0);
}

static uint32_t stack_of(uintptr_t a, uintptr_t b)
{
	const uintptr_t pcs[] = {a, b};

	return hp_sites_stack(pcs, 2);
}

START_TEST(equal_stacks_share_an_id)
{
	unsigned int n;
	uint32_t id;

	open_tables();
	id = stack_of(1, 2);
	ck_assert_uint_ne(id, 0);
	ck_assert_uint_ne(stack_of(2, 1), id);
	ck_assert_uint_eq(stack_of(1, 2), id);
	ck_assert_uint_eq(hp_sites_frames(id, &n)[1], 2);
	ck_assert_uint_eq(n, 2);
	ck_assert_uint_eq(hp_sites_stack(NULL, 0), 0);
}
END_TEST

START_TEST(a_full_stack_table_loses_and_says_so)
{
	open_tables();
	for (uintptr_t i = 1; i < HP_SITES_STACKS; i++)
		ck_assert_uint_ne(stack_of(i, i), 0);
	ck_assert_uint_eq(stack_of(7, 8), 0);
	ck_assert_uint_eq(hp_sites_lost(), 1);
	ck_assert_uint_ne(stack_of(7, 7), 0);
	ck_assert_uint_eq(hp_sites_stacks(), HP_SITES_STACKS);
}
END_TEST

static void add_block(uintptr_t addr, uint64_t size, uint64_t weight)
{
	const struct hp_site_block b = {addr, size, weight, 1};

	hp_sites_block_add(&b);
}

START_TEST(blocks_are_known_until_they_go)
{
	open_tables();
	for (uintptr_t i = 1; i <= 1000; i++)
		add_block(i * 64, 64, 10);
	ck_assert_uint_eq(hp_sites_held(), 10000);
	for (uintptr_t i = 1; i <= 1000; i++)
		ck_assert(hp_sites_block_maybe((void *)(i * 64)));
	for (uintptr_t i = 2; i <= 1000; i++)
		hp_sites_block_drop((void *)(i * 64));
	hp_sites_block_drop((void *)(uintptr_t)12345);
	ck_assert(hp_sites_block_find((void *)(uintptr_t)64, copies));
	ck_assert_uint_eq(copies[0].weight, 10);
	ck_assert(!hp_sites_block_find((void *)(uintptr_t)128, copies));
	ck_assert_uint_eq(hp_sites_copy_blocks(copies), 1);
	ck_assert_uint_eq(copies[0].addr, 64);
	ck_assert_uint_eq(hp_sites_held(), 10);
	ck_assert(!hp_sites_block_maybe((void *)(uintptr_t)128));
}
END_TEST

START_TEST(blocks_that_went_leave_room_and_no_weight)
{
	open_tables();
	for (int round = 0; round < 100; round++) {
		for (uintptr_t i = 1; i <= 1000; i++)
			add_block(i * 65536, 64, 10);
		ck_assert_uint_eq(hp_sites_held(), 10000);
		for (uintptr_t i = 1; i <= 1000; i++)
			hp_sites_block_drop((void *)(i * 65536));
		ck_assert_uint_eq(hp_sites_held(), 0);
	}
	ck_assert_uint_eq(hp_sites_lost(), 0);
	ck_assert_uint_eq(hp_sites_copy_blocks(copies), 0);
}
END_TEST

/* more of them near each other than can be counted */
START_TEST(blocks_in_one_place_are_all_told_apart)
{
	open_tables();
	for (uintptr_t i = 1; i <= 300; i++)
		add_block(i * 16, 16, 1);
	for (uintptr_t i = 1; i < 300; i++)
		hp_sites_block_drop((void *)(i * 16));
	ck_assert(hp_sites_block_maybe((void *)(uintptr_t)4800));
	hp_sites_block_drop((void *)(uintptr_t)4800);
	ck_assert_uint_eq(hp_sites_held(), 0);
}
END_TEST

START_TEST(a_block_is_there_once)
{
	open_tables();
	add_block(4096, 64, 10);
	add_block(4096, 128, 30);
	ck_assert_uint_eq(hp_sites_copy_blocks(copies), 1);
	ck_assert_uint_eq(copies[0].size, 128);
	ck_assert_uint_eq(hp_sites_held(), 30);
}
END_TEST

START_TEST(more_blocks_than_fit_are_lost_not_harmful)
{
	const size_t many = 4 * HP_SITES_BLOCKS;
	size_t kept;

	open_tables();
	for (uintptr_t i = 1; i <= many; i++)
		add_block(i * 16, 16, 1);
	kept = hp_sites_copy_blocks(copies);
	ck_assert_uint_le(kept, HP_SITES_BLOCKS);
	ck_assert_uint_gt(kept, HP_SITES_BLOCKS / 2);
	ck_assert_uint_eq(kept + hp_sites_lost(), many);
	ck_assert_uint_eq(hp_sites_held(), kept);
	for (uintptr_t i = 1; i <= many; i++)
		hp_sites_block_drop((void *)(i * 16));
	ck_assert_uint_eq(hp_sites_held(), 0);
}
END_TEST

START_TEST(mappings_are_cut_and_split)
{
	open_tables();
	hp_sites_map_set(100, 200, 1);
	hp_sites_map_set(300, 400, 2);
	hp_sites_map_cut(150, 160);
	hp_sites_map_set(190, 310, 3);
	ck_assert_uint_eq(hp_sites_copy_maps(maps), 4);
	ck_assert_uint_eq(maps[0].end, 150);
	ck_assert_uint_eq(maps[1].start, 160);
	ck_assert_uint_eq(maps[1].end, 190);
	ck_assert_uint_eq(maps[2].stack, 3);
	ck_assert_uint_eq(maps[3].start, 310);
	ck_assert(hp_sites_map_near(399, 500));
	ck_assert(!hp_sites_map_near(400, 500));
	hp_sites_map_cut(0, 1000);
	ck_assert_uint_eq(hp_sites_copy_maps(maps), 0);
	ck_assert(!hp_sites_map_near(0, 1000));
}
END_TEST

/* against one byte of memory a mapping */
START_TEST(random_mappings_agree_with_a_model)
{
	static unsigned char model[512], found[512];
	unsigned int seed = 1;

	open_tables();
	for (int i = 0; i < 20000; i++) {
		unsigned int start = rand_r(&seed) % 511;
		unsigned int len = 1 + rand_r(&seed) % (511 - start);
		uint32_t stack = rand_r(&seed) % 4;

		memset(model + start, (int)stack, len);
		if (stack)
			hp_sites_map_set(start, start + len, stack);
		else
			hp_sites_map_cut(start, start + len);
	}
	memset(found, 0, sizeof(found));
	for (size_t i = hp_sites_copy_maps(maps); i-- > 0;)
		memset(found + maps[i].start, (int)maps[i].stack,
		       maps[i].end - maps[i].start);
	ck_assert_mem_eq(found, model, sizeof(model));
}
END_TEST

static __attribute__((noinline)) int a_static_function(int n)
{
	return n + 1;
}

START_TEST(static_functions_have_names)
{
	uintptr_t pc = (uintptr_t)a_static_function + 1;
	struct hp_site_name name;

	ck_assert_int_eq(a_static_function(1), 2);
	hp_sites_name(pc, &name);
	ck_assert_ptr_nonnull(name.function);
	ck_assert_str_eq(name.function, "a_static_function");
	ck_assert_uint_eq(name.offset, 0);
	ck_assert_ptr_nonnull(strstr(hp_text_base(name.object), "check_sites"));
	hp_sites_name(1, &name);
	ck_assert_ptr_null(name.object);
	ck_assert_ptr_null(name.function);
}
END_TEST

START_TEST(names_come_from_shared_objects_too)
{
	struct hp_site_name name;

	hp_sites_name((uintptr_t)dlsym(RTLD_NEXT, "gnu_get_libc_version") + 1,
		      &name);
	ck_assert_ptr_nonnull(strstr(name.object, "libc"));
	ck_assert_str_eq(name.function, "gnu_get_libc_version");
}
END_TEST

/* every length and a flipped byte here and there: no crash, no wild name */
START_TEST(broken_files_have_no_symbols)
{
	int from = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	int to = memfd_create("elf", MFD_CLOEXEC);
	unsigned int seed = 1;
	char path[64];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", to);
	while ((n = read(from, text, sizeof(text))) > 0)
		ck_assert_int_eq(write(to, text, (size_t)n), n);
	for (int i = 0; i < 400; i++) {
		struct hp_symbols symbols = {0};
		uint64_t offset;
		char old, new = (char)rand_r(&seed);
		off_t at = rand_r(&seed) % 64;

		ck_assert_int_eq(pread(to, &old, 1, at), 1);
		ck_assert_int_eq(pwrite(to, &new, 1, at), 1);
		hp_symbols_open(&symbols, path);
		hp_symbols_find(&symbols, 0x1234, &offset);
		ck_assert_int_eq(pwrite(to, &old, 1, at), 1);
	}
	for (off_t len = lseek(to, 0, SEEK_END) - 1; len > 0;
	     len = len * 3 / 4) {
		struct hp_symbols symbols = {0};

		ck_assert_int_eq(ftruncate(to, len), 0);
		hp_symbols_open(&symbols, path);
		ck_assert_ptr_null(symbols.list);
	}
	close(from);
	close(to);
}
END_TEST

static void export(const char *ending)
{
	char path[64];
	int fd;
	ssize_t n;

	snprintf(path, sizeof(path), "/tmp/libhp-sites-%d%s", getpid(), ending);
	ck_assert_int_eq(hp_sites_export(path), 0);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	unlink(path);
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	ck_assert_int_gt(n, 0);
	text[n] = '\0';
}

START_TEST(sums_are_what_the_kernel_has)
{
	const size_t page = hp_linux_page_size();
	char *p = mmap(NULL, 8 * page, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct hp_pagesizes ps = {.pmd = hp_slot_size()};
	const struct hp_site *site;
	char line[80];
	uint32_t id;

	open_tables();
	ck_assert_int_eq(hp_sites_sums(), 0);
	madvise(p, 8 * page, MADV_NOHUGEPAGE);
	p[0] = p[page] = 1;
	id = stack_of((uintptr_t)a_static_function + 1, 1);
	hp_sites_map_set((uintptr_t)p, (uintptr_t)p + 8 * page, id);
	hp_sites_collect(&ps);
	site = &hp_sites_collected()->sites[id];
	ck_assert_uint_eq(site->asked, 8 * page);
	ck_assert_uint_eq(site->present, 2 * page);
	ck_assert_uint_eq(site->huge, 0);
	ck_assert_uint_eq(hp_sites_next(0), id);
	ck_assert_uint_eq(hp_sites_next(id), 0);
	export(".folded");
	snprintf(line, sizeof(line), "[unknown];a_static_function %zu\n",
		 2 * page);
	ck_assert_str_eq(text, line);
	export(".heap");
	snprintf(line, sizeof(line), "heap profile:      1: %8zu [", 2 * page);
	ck_assert_ptr_eq(strstr(text, line), text);
	/* less than there was is not kept */
	hp_sites_map_cut((uintptr_t)p, (uintptr_t)p + page);
	hp_sites_collect(&ps);
	ck_assert_uint_eq(hp_sites_collected()->sites[id].present, 2 * page);
	munmap(p, 8 * page);
}
END_TEST

START_TEST(walks_end_at_the_thread_s_start)
{
	uintptr_t pcs[HP_SITES_DEPTH];
	int ret = hp_sites_open();
	struct hp_site_name name;
	unsigned int n;

	if (ret == -ENOENT || ret == -ENOTSUP) {
		puts("no libunwind that can be used: walks are not tested");
		return;
	}
	ck_assert_int_eq(ret, 0);
	errno = 4711;
	n = hp_sites_walk(pcs);
	ck_assert_int_eq(errno, 4711);
	/* this program's own frames are left out, as a library's would be */
	ck_assert_uint_ge(n, 1);
	hp_sites_name(pcs[n - 1], &name);
	ck_assert_ptr_nonnull(strstr(name.object, "libc"));
}
END_TEST

#if defined(HAVE_LIBUNWIND) && defined(DLFO_STRUCT_HAS_EH_DBASE)

static hp_sites_fn replacement(const char *name)
{
	const struct hp_sites_libc *r = hp_sites_libc;

	while (r->name && strcmp(r->name, name))
		r++;
	ck_assert_ptr_nonnull(r->name);
	return r->fn;
}

/* as libunwind does: a byte from there into its pipe */
static bool can_write(const char *from)
{
	int fds[2] = {-1, -1}, before = dup(0);
	ssize_t n;

	ck_assert_int_eq(
		((int (*)(int *, int))replacement("pipe2"))(fds, O_CLOEXEC), 0);
	ck_assert_int_eq(fcntl(fds[0], F_GETFD), -1);
	n = ((ssize_t(*)(int, const void *, size_t))replacement("write"))(
		fds[1], from, 1);
	ck_assert_int_eq(((int (*)(int))replacement("close"))(fds[0]), 0);
	close(before);
	ck_assert_int_eq(dup(0), before);
	close(before);
	return n == 1;
}

START_TEST(what_can_be_read_is_known_without_a_pipe)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *p = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (hp_sites_open())
		return;
	mprotect(p + page, page, PROT_NONE);
	ck_assert(can_write(p));
	ck_assert(can_write(p + page - 1));
	ck_assert(!can_write(p + page));
	munmap(p, 2 * page);
	ck_assert(!can_write(p));
}
END_TEST

#endif

static void add_walks(TCase *tcase)
{
	tcase_add_test(tcase, walks_end_at_the_thread_s_start);
#if defined(HAVE_LIBUNWIND) && defined(DLFO_STRUCT_HAS_EH_DBASE)
	tcase_add_test(tcase, what_can_be_read_is_known_without_a_pipe);
#endif
}

static Suite *sites_suite(void)
{
	Suite *suite = suite_create("sites");
	TCase *tcase = tcase_create("sites");

	tcase_add_test(tcase, equal_stacks_share_an_id);
	tcase_add_test(tcase, a_full_stack_table_loses_and_says_so);
	tcase_add_test(tcase, blocks_are_known_until_they_go);
	tcase_add_test(tcase, blocks_that_went_leave_room_and_no_weight);
	tcase_add_test(tcase, blocks_in_one_place_are_all_told_apart);
	tcase_add_test(tcase, a_block_is_there_once);
	tcase_add_test(tcase, more_blocks_than_fit_are_lost_not_harmful);
	tcase_add_test(tcase, mappings_are_cut_and_split);
	tcase_add_test(tcase, random_mappings_agree_with_a_model);
	tcase_add_test(tcase, static_functions_have_names);
	tcase_add_test(tcase, names_come_from_shared_objects_too);
	tcase_add_test(tcase, broken_files_have_no_symbols);
	tcase_add_test(tcase, sums_are_what_the_kernel_has);
	if (getenv("HP_VALGRIND"))
		puts("NOTE: no walks: valgrind minds looks at what is not "
		     "there");
	else
		add_walks(tcase);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	return run_suite(sites_suite());
}
