/* SPDX-License-Identifier: MIT */
/* case_process.c - the figures of process PID, or why there are none */
#include "libhp/hp.h"
#include "tests/case.h"

int main(int argc, char **argv)
{
	struct hp_process_backing b;
	int pid = argc > 1 ? atoi(argv[1]) : 0;
	int ret = hp_process_query(pid, &b);

	if (ret < 0) {
		printf("unknown: %s\n", strerrorname_np(-ret));
		return 1;
	}
	printf("present %llu huge %llu hugetlb %llu thp %llu\n",
	       (unsigned long long)b.present, (unsigned long long)b.huge,
	       (unsigned long long)b.hugetlb, (unsigned long long)b.thp);
	return 0;
}
