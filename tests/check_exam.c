/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "libhp/doctor/elf.h"
#include "tests/exam.h"
#include "tests/suite.h"

#define THP "/sys/kernel/mm/transparent_hugepage/"

START_TEST(settings_of_a_usual_machine_are_ok)
{
	use("x86-64");
	hp_exam_thp(&x);
	expect("thp.enabled", HP_STATE_OK, "madvise");
	expect("thp.size", HP_STATE_OK, "inherit");
	expect("thp.khugepaged", HP_STATE_OK, "max_ptes_none");
	/* a file the tree lacks is not a setting that is fine */
	expect("thp.defrag", HP_STATE_UNKNOWN, "cannot be read");
}
END_TEST

static void write_thp(const char *enabled, const char *size, const char *defrag)
{
	fixture_open();
	fixture_write(THP "hpage_pmd_size", "2097152\n");
	fixture_write(THP "enabled", enabled);
	fixture_write(THP "hugepages-2048kB/enabled", size);
	fixture_write(THP "defrag", defrag);
	read_machine();
	hp_exam_thp(&x);
	fixture_close();
}

START_TEST(never_limits_and_names_the_command)
{
	write_thp("always madvise [never]\n",
		  "always [inherit] madvise never\n",
		  "always defer defer+madvise madvise [never]\n");
	expect("thp.enabled", HP_STATE_LIMITS, "never");
	expect_fix("thp.enabled", "echo madvise >" THP "enabled");
	expect("thp.size", HP_STATE_OK, "inherit");
	expect("thp.defrag", HP_STATE_LIMITS, "never");
	expect_fix("thp.defrag", "echo madvise >" THP "defrag");
}
END_TEST

START_TEST(a_size_of_its_own_overrules_never)
{
	write_thp("always madvise [never]\n",
		  "[always] inherit madvise never\n",
		  "always defer defer+madvise [madvise] never\n");
	expect("thp.enabled", HP_STATE_OK, "overruled");
	expect_fix("thp.enabled", "");
}
END_TEST

START_TEST(a_size_that_is_off_limits)
{
	write_thp("[always] madvise never\n",
		  "always inherit madvise [never]\n",
		  "always [defer] defer+madvise madvise never\n");
	expect("thp.size", HP_STATE_LIMITS, "switched off");
	expect_fix("thp.size", "echo inherit >" THP "hugepages-2048kB/enabled");
	expect("thp.defrag", HP_STATE_LIMITS, "defer");
}
END_TEST

START_TEST(a_word_nobody_knows_is_unknown)
{
	write_thp("always [sometimes] never\n", "[inherit]\n", "[madvise]\n");
	expect("thp.enabled", HP_STATE_UNKNOWN, "sometimes");
}
END_TEST

static void write_shrink(const char *on, const char *none)
{
	fixture_open();
	fixture_write(THP "hpage_pmd_size", "2097152\n");
	fixture_write(THP "enabled", "always [madvise] never\n");
	fixture_write(THP "shrink_underused", on);
	fixture_write(THP "khugepaged/max_ptes_none", none);
	read_machine();
	hp_exam_thp(&x);
	fixture_close();
}

START_TEST(shrinking_limits_only_with_a_low_max_ptes_none)
{
	write_shrink("1\n", "511\n");
	expect("thp.shrink_underused", HP_STATE_OK, "1");
	write_shrink("1\n", "0\n");
	expect("thp.shrink_underused", HP_STATE_LIMITS, "more than 0 zero");
	expect_fix("thp.shrink_underused", "echo 0 >" THP "shrink_underused");
	write_shrink("0\n", "0\n");
	expect("thp.shrink_underused", HP_STATE_OK, "off");
}
END_TEST

START_TEST(nothing_is_ok_where_sys_is_masked)
{
	use("masked-sys");
	hp_exam_thp(&x);
	hp_exam_pools(&x);
	hp_exam_slots(&x);
	expect("thp.enabled", HP_STATE_UNKNOWN, "No such file");
	expect("thp.shrink_underused", HP_STATE_UNKNOWN, "No such file");
	expect("memory.slots", HP_STATE_UNKNOWN, "No such file");
	ck_assert_uint_eq(hp_findings_count(&x.found, HP_STATE_LIMITS), 0);
}
END_TEST

static void balloon(const char *features)
{
	fixture_open();
	fixture_write("/proc/cpuinfo", "flags\t\t: fpu hypervisor lahf_lm\n");
	fixture_write("/proc/self/cgroup", "0::/\n");
	fixture_write("/proc/self/uid_map", "0 0 4294967295\n");
	fixture_write("/sys/bus/virtio/devices/virtio3/device", "0x0005\n");
	fixture_write("/sys/bus/virtio/devices/virtio3/features", features);
	read_machine();
	hp_exam_host(&x);
	fixture_close();
}

START_TEST(a_guest_that_reports_free_pages_is_limited)
{
	balloon("01100101000\n");
	expect("host.page_reporting", HP_STATE_LIMITS, "virtio3");
	expect("host.vm", HP_STATE_OK, "guest");
	expect("host.container", HP_STATE_OK, "no sign");
	balloon("01100001000\n");
	expect("host.page_reporting", HP_STATE_OK, "off");
}
END_TEST

static void machine_of(const char *maker, const char *cpuinfo)
{
	fixture_open();
	fixture_write("/proc/cpuinfo", cpuinfo);
	fixture_write("/sys/class/dmi/id/sys_vendor", maker);
	read_machine();
	hp_exam_host(&x);
	fixture_close();
}

START_TEST(a_maker_of_clouds_makes_other_machines_too)
{
	machine_of("Amazon EC2\n", "flags\t\t: fpu hypervisor lahf_lm\n");
	expect("host.vm", HP_STATE_OK, "Amazon EC2");
	machine_of("Amazon EC2\n", "flags\t\t: fpu lahf_lm\n");
	expect("host.vm", HP_STATE_OK, "no sign of one");
	machine_of("Amazon EC2\n", "Features\t: fp asimd\n");
	expect("host.vm", HP_STATE_OK, "Amazon EC2");
}
END_TEST

START_TEST(containers_are_seen_by_their_marks)
{
	fixture_open();
	fixture_write("/proc/self/cgroup", "0::/kubepods/besteffort/pod1\n");
	fixture_write("/proc/self/uid_map", "0 0 4294967295\n");
	read_machine();
	hp_exam_host(&x);
	expect("host.container", HP_STATE_OK, "kubepods");
	fixture_write("/proc/self/cgroup", "0::/\n");
	fixture_write("/proc/self/uid_map", "0 1000 1\n");
	read_machine();
	hp_exam_host(&x);
	expect("host.container", HP_STATE_OK, "user namespace");
	expect("host.vm", HP_STATE_UNKNOWN, "/proc/cpuinfo");
	fixture_close();
}
END_TEST

START_TEST(what_is_not_known_is_not_good)
{
	read_machine();
	x.trial = (struct hp_trial){.huge = 1, .fault = HP_TRIAL_YES};
	hp_finding_add(&x.found, "a", HP_STATE_OK, "fine");
	ck_assert_int_eq(hp_exam_verdict(&x), HP_VERDICT_GOOD);
	hp_finding_add(&x.found, "b", HP_STATE_UNKNOWN, "who knows");
	ck_assert_int_eq(hp_exam_verdict(&x), HP_VERDICT_LIMITED);
	x.trial = (struct hp_trial){.fault = HP_TRIAL_NO};
	ck_assert_int_eq(hp_exam_verdict(&x), HP_VERDICT_CANNOT);
}
END_TEST

static void set_env(const char *name, const char *value)
{
	ck_assert_int_eq(setenv(name, value, 1), 0);
}

START_TEST(clashing_settings_are_named)
{
	unsetenv("LD_PRELOAD");
	set_env("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1");
	set_env("LIBHP_MODE", "fast");
	set_env("LIBHP_BLOAT", "10");
	read_machine();
	hp_exam_environment(&x);
	expect("env.allocator", HP_STATE_LIMITS, "GLIBC_TUNABLES");
	expect("env.libhp", HP_STATE_LIMITS, "LIBHP_MODE is not used");
	expect_fix("env.libhp", "unset LIBHP_MODE");
	ck_assert(found("env.libhp")->own_shell);
}
END_TEST

START_TEST(every_clash_has_its_words_and_its_command)
{
	set_env("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1");
	set_env("MALLOC_CONF", "thp:always");
	set_env("LIBHP_MODE", "fast");
	set_env("LIBHP_BLOAT", "some");
	read_machine();
	hp_exam_environment(&x);
	expect("env.allocator", HP_STATE_LIMITS,
	       "tunables do nothing; libhp's");
	expect_fix("env.allocator", "unset GLIBC_TUNABLES; unset MALLOC_CONF");
	expect("env.libhp", HP_STATE_LIMITS, "LIBHP_MODE is not used");
	expect("env.libhp", HP_STATE_LIMITS, "LIBHP_BLOAT is not used");
	expect_fix("env.libhp", "unset LIBHP_MODE; unset LIBHP_BLOAT");
}
END_TEST

START_TEST(a_preloaded_malloc_is_told_from_another_library)
{
	char self[64];

	ck_assert_int_eq(hp_elf_defines("/etc/passwd", "malloc"), -ENOEXEC);
	ck_assert_int_eq(hp_elf_defines("/nonexistent", "malloc"), -ENOENT);
	ck_assert_int_eq(hp_elf_defines("/dev", "malloc"), -ENOEXEC);
	/* imports malloc, defines it not */
	snprintf(self, sizeof(self), "/proc/%d/exe", (int)getpid());
	ck_assert_int_eq(hp_elf_defines(self, "malloc"), 0);
}
END_TEST

static Suite *exam_suite(void)
{
	Suite *suite = suite_create("exam");
	TCase *tcase = tcase_create("findings");

	tcase_add_test(tcase, settings_of_a_usual_machine_are_ok);
	tcase_add_test(tcase, never_limits_and_names_the_command);
	tcase_add_test(tcase, a_size_of_its_own_overrules_never);
	tcase_add_test(tcase, a_size_that_is_off_limits);
	tcase_add_test(tcase, a_word_nobody_knows_is_unknown);
	tcase_add_test(tcase, shrinking_limits_only_with_a_low_max_ptes_none);
	tcase_add_test(tcase, nothing_is_ok_where_sys_is_masked);
	tcase_add_test(tcase, a_guest_that_reports_free_pages_is_limited);
	tcase_add_test(tcase, a_maker_of_clouds_makes_other_machines_too);
	tcase_add_test(tcase, containers_are_seen_by_their_marks);
	tcase_add_test(tcase, what_is_not_known_is_not_good);
	tcase_add_test(tcase, clashing_settings_are_named);
	tcase_add_test(tcase, every_clash_has_its_words_and_its_command);
	tcase_add_test(tcase, a_preloaded_malloc_is_told_from_another_library);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	return run_suite(exam_suite());
}
