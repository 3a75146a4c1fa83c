/* SPDX-License-Identifier: MIT */
/*
 * check_init.c - what a process was told, and the one line about a bad value
 */
#include "tests/memory.h"

#include <inttypes.h>
#include <sys/wait.h>

#include "libhp/init.h"
#include "libhp/linux.h"

#define SHOW "--show"

static char said[2048]; /* on stderr */
static char shown[256]; /* what show() saw */

/* a process with these variables; it reads them before main */
static int show(void)
{
	const struct hp_context *c = hp_context();

	printf("mode %d start %zu bloat %u exe %s passive %d pid %d",
	       c->options.mode, c->options.start, c->options.bloat, c->exe,
	       c->passive, c->pid == getpid());
	if (c->options.numa != HP_NUMA_LOCAL)
		printf(" nodes %" PRIx64 " %" PRIx64, c->options.numa_nodes[0],
		       c->options.numa_nodes[15]);
	return 0;
}

static void drain(int fd, char *text, size_t size)
{
	size_t len = 0;
	ssize_t n;

	while ((n = read(fd, text + len, size - 1 - len)) > 0)
		len += (size_t)n;
	text[len] = '\0';
	close(fd);
}

static void start(const char *const *env)
{
	const char *const argv[] = {"check_init", SHOW, NULL};
	int out[2], err[2], status;
	pid_t child;

	ck_assert(pipe2(out, O_CLOEXEC) == 0 && pipe2(err, O_CLOEXEC) == 0);
	child = fork();
	if (child == 0) {
		dup2(out[1], STDOUT_FILENO);
		dup2(err[1], STDERR_FILENO);
		execve("/proc/self/exe", (char *const *)(uintptr_t)argv,
		       (char *const *)(uintptr_t)env);
		_exit(127);
	}
	close(out[1]);
	close(err[1]);
	drain(err[0], said, sizeof(said));
	drain(out[0], shown, sizeof(shown));
	waitpid(child, &status, 0);
	ck_assert_int_eq(status, 0);
}

static size_t lines(void)
{
	size_t n = 0;

	for (const char *p = said; (p = strchr(p, '\n')); p++)
		n++;
	return n;
}

START_TEST(reads_its_variables_and_says_nothing)
{
	const char *env[] = {"PATH=/bin",      "LIBHP_MODE=off",
			     "LIBHP_START=1M", "LIBHP_BLOAT=7",
			     "XLIBHP_MODE=on", NULL};

	start(env);
	ck_assert_str_eq(said, "");
	ck_assert_str_eq(shown, "mode 2 start 1048576 bloat 7 exe exe "
				"passive 0 pid 1");
}
END_TEST

START_TEST(no_environment_means_defaults)
{
	const char *env[] = {NULL};

	start(env);
	ck_assert_str_eq(said, "");
	ck_assert_str_eq(shown, "mode 0 start 4194304 bloat 25 exe exe "
				"passive 0 pid 1");
}
END_TEST

START_TEST(each_bad_value_costs_one_line_and_changes_nothing)
{
	const char *env[] = {"LIBHP_MODE=perhaps",
			     "LIBHP_BLOAT=", "LIBHP_MOOD=x",
			     "LIBHP_START=\033[31m1", NULL};

	start(env);
	ck_assert_uint_eq(lines(), 4);
	ck_assert_ptr_nonnull(strstr(said, "LIBHP_MODE=\"perhaps\""));
	ck_assert_ptr_nonnull(strstr(said, "using try"));
	ck_assert_ptr_nonnull(strstr(said, "LIBHP_MOOD is not a variable"));
	ck_assert_ptr_null(strchr(said, '\033'));
	ck_assert_str_eq(shown, "mode 0 start 4194304 bloat 25 exe exe "
				"passive 0 pid 1");
}
END_TEST

START_TEST(a_long_value_is_cut)
{
	static char variable[100000] = "LIBHP_PAGES=";
	const char *env[] = {variable, NULL};

	memset(variable + 12, 'x', sizeof(variable) - 13);
	start(env);
	ck_assert_uint_eq(lines(), 1);
	ck_assert_uint_lt(strlen(said), 300);
	ck_assert_ptr_nonnull(strstr(said, "xxx...\""));
}
END_TEST

/* the last node the kernel could number; few machines have it */
START_TEST(nodes_are_those_there_are)
{
	const char *none[] = {"LIBHP_NUMA=bind:1023", NULL};
	const char *some[] = {"LIBHP_NUMA=bind:0,1023", NULL};
	const char *all[] = {"LIBHP_NUMA=interleave", NULL};
	unsigned long mask[HP_NODES_MAX / 64] = {0};

	if (hp_linux_nodes(mask, HP_NODES_MAX) < 0 || !(mask[0] & 1) ||
	    mask[15] >> 63)
		return;
	start(none);
	ck_assert_uint_eq(lines(), 1);
	ck_assert_ptr_nonnull(strstr(said, "LIBHP_NUMA=\"bind:1023\": not a "
					   "node this process may use; using "
					   "local"));
	start(some);
	ck_assert_str_eq(said, "");
	ck_assert_ptr_nonnull(strstr(shown, "nodes 1 0"));
	start(all);
	ck_assert_str_eq(said, "");
	ck_assert_ptr_null(strstr(shown, "nodes 0 0"));
}
END_TEST

START_TEST(other_programs_than_those_named_are_passed_by)
{
	const char *others[] = {"LIBHP_ONLY=redis-server:python3", NULL};
	const char *this[] = {"LIBHP_ONLY=redis-server:exe", NULL};

	start(others);
	ck_assert_ptr_nonnull(strstr(shown, "passive 1"));
	start(this);
	ck_assert_ptr_nonnull(strstr(shown, "passive 0"));
}
END_TEST

START_TEST(the_first_call_decides)
{
	char *later[] = {(char[]){"LIBHP_MODE=off"}, NULL};
	const struct hp_context *c = hp_context();

	ck_assert_ptr_eq(hp_init(later, "later"), c);
	ck_assert_int_eq(c->options.mode, HP_MODE_TRY);
	ck_assert_str_ne(c->exe, "later");
}
END_TEST

static Suite *init_suite(void)
{
	Suite *suite = suite_create("init");
	TCase *tcase = tcase_create("init");

	tcase_add_test(tcase, reads_its_variables_and_says_nothing);
	tcase_add_test(tcase, no_environment_means_defaults);
	tcase_add_test(tcase,
		       each_bad_value_costs_one_line_and_changes_nothing);
	tcase_add_test(tcase, a_long_value_is_cut);
	tcase_add_test(tcase, nodes_are_those_there_are);
	tcase_add_test(tcase, other_programs_than_those_named_are_passed_by);
	tcase_add_test(tcase, the_first_call_decides);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], SHOW))
		return show();
	return run_suite(init_suite());
}
