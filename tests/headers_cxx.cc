/* SPDX-License-Identifier: MIT */
/* a program that starts with one public header, twice; see headers.sh */
#include HP_HEADER
#include HP_HEADER

int main(void)
{
	return 0;
}
