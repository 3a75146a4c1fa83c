/* SPDX-License-Identifier: MIT */
/* case_audit.c - the smallest LD_AUDIT library: it loads in its own namespace */
unsigned int la_version(unsigned int v);

unsigned int la_version(unsigned int v)
{
	return v;
}
