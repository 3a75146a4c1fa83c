/* SPDX-License-Identifier: MIT */
/*
 * suite.h - how every Check program ends
 */
#ifndef HP_TESTS_SUITE_H
#define HP_TESTS_SUITE_H

#include <check.h>
#include <stdlib.h>

/* run a suite; the exit status of the program */
static inline int run_suite(Suite *suite)
{
	SRunner *runner = srunner_create(suite);
	int failed;

	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
