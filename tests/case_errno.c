/* SPDX-License-Identifier: MIT */
/* case_errno.c - errno at main() is 0 and free() leaves it alone */
#include "tests/case.h"

int main(void)
{
	int at_main = errno;

	for (size_t n = 1; n <= 64 * MIB; n *= 4) {
		void *p = case_keep(malloc(n));

		MUST(p);
		memset(p, 1, n);
		case_keep(p);
		errno = 2;
		free(p);
		printf("%zu %d %d\n", n, at_main, errno);
	}
	return 0;
}
