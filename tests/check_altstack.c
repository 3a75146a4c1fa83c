/* SPDX-License-Identifier: MIT */
/*
 * check_altstack.c - a call on another stack, and nobody else on it
 */
#include "tests/memory.h"

#include <signal.h>

#include "libhp/altstack.h"

#define SIZE (64 * HP_KIB)

static struct hp_altstack stack;

static void open_stack(void)
{
	hp_altstack_open(&stack, SIZE);
	ck_assert_ptr_nonnull(stack.top);
}

static void note_place(void *arg)
{
	*(uintptr_t *)arg = (uintptr_t)__builtin_frame_address(0);
}

START_TEST(the_call_is_made_there)
{
	uintptr_t at = 0;

	ck_assert(hp_altstack_run(&stack, note_place, &at));
	ck_assert_uint_lt((uintptr_t)stack.top - at, SIZE);
	ck_assert(hp_altstack_try(&stack, note_place, &at));
	ck_assert_uint_lt((uintptr_t)stack.top - at, SIZE);
}
END_TEST

START_TEST(without_memory_for_one_it_is_made_here)
{
	struct hp_altstack none = {.top = NULL};
	uintptr_t here = (uintptr_t)__builtin_frame_address(0), at = 0;

	ck_assert(hp_altstack_run(&none, note_place, &at));
	ck_assert_uint_lt(here - at, SIZE);
}
END_TEST

static void fill(void *unused)
{
	volatile char most[SIZE - 4 * HP_KIB];

	for (size_t i = 0; i < sizeof(most); i++)
		most[i] = 1;
	(void)unused;
}

START_TEST(all_of_it_can_be_used)
{
	ck_assert(hp_altstack_run(&stack, fill, NULL));
}
END_TEST

static void try_again(void *got)
{
	uintptr_t at;

	*(bool *)got = hp_altstack_try(&stack, note_place, &at) ||
		       hp_altstack_run(&stack, note_place, &at);
}

START_TEST(a_second_call_meanwhile_is_not_made)
{
	bool got = true;

	ck_assert(hp_altstack_run(&stack, try_again, &got));
	ck_assert(!got);
}
END_TEST

static volatile sig_atomic_t handled;

static void handle(int sig)
{
	(void)sig;
	handled++;
}

static void interrupt(void *seen)
{
	raise(SIGUSR1);
	*(int *)seen = handled;
}

START_TEST(a_signal_waits_until_it_is_over)
{
	int seen = -1;

	signal(SIGUSR1, handle);
	ck_assert(hp_altstack_run(&stack, interrupt, &seen));
	ck_assert_int_eq(seen, 0);
	ck_assert_int_eq(handled, 1);
}
END_TEST

START_TEST(in_a_sandbox_no_signal_is_blocked)
{
	int seen = -1;

	signal(SIGUSR1, handle);
	hp_altstack_keep(&stack);
	ck_assert(hp_altstack_run(&stack, interrupt, &seen));
	ck_assert_int_eq(seen, 1);
}
END_TEST

static Suite *altstack_suite(void)
{
	Suite *suite = suite_create("altstack");
	TCase *tcase = tcase_create("altstack");

	tcase_add_checked_fixture(tcase, open_stack, NULL);
	tcase_add_test(tcase, the_call_is_made_there);
	tcase_add_test(tcase, without_memory_for_one_it_is_made_here);
	tcase_add_test(tcase, all_of_it_can_be_used);
	tcase_add_test(tcase, a_second_call_meanwhile_is_not_made);
	tcase_add_test(tcase, a_signal_waits_until_it_is_over);
	tcase_add_test(tcase, in_a_sandbox_no_signal_is_blocked);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	return run_suite(altstack_suite());
}
