/* SPDX-License-Identifier: MIT */
/* case_counted.cc - what of a program's news and deletes a library counts */
#include <cstdio>
#include <new>
#include <string>
#include <vector>

extern int counted_new, counted_delete;

static void say(const char *what)
{
	std::printf("%s: %d %d\n", what, counted_new, counted_delete);
}

int main()
{
	char *volatile many = new char[100];
	int *volatile one = new (std::nothrow) int;

	say("new[] and nothrow");
	delete[] many;
	delete one;
	say("their deletes");
	std::vector<std::string>(10, std::string(100, 'x'));
	say("libstdc++'s own");
	return 0;
}
