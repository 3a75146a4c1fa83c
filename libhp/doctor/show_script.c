/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "libhp/doctor/show.h"

/* @text may hold a name from the machine: a newline must not end the comment */
static void comment(FILE *out, const char *text)
{
	fputs("# ", out);
	for (; *text; text++)
		putc(*text == '\n' ? ' ' : *text, out);
	putc('\n', out);
}

static void show_finding(FILE *out, const struct hp_finding *f)
{
	char line[2 * HP_FINDING_TEXT + 64];

	putc('\n', out);
	snprintf(line, sizeof(line), "%s: %s", f->id, f->value);
	comment(out, line);
	if (f->means[0])
		comment(out, f->means);
	if (f->fix[0] && f->own_shell) {
		snprintf(line, sizeof(line),
			 "in the shell that starts the program: %s", f->fix);
		comment(out, line);
	} else if (f->fix[0]) {
		fprintf(out, "%s\n", f->fix);
	}
	if (f->advice[0])
		comment(out, f->advice);
}

void hp_show_script(FILE *out, const struct hp_exam *x)
{
	bool any = false;

	fputs("#!/bin/sh\n"
	      "# What hpdoctor would change. Read it, then run it as root.\n"
	      "# Settings last until the next boot.\n",
	      out);
	if (x->contained)
		fputs("# This is a container: run it on the host.\n", out);
	fputs("set -e\n", out);
	for (unsigned int i = 0; i < x->found.n; i++) {
		const struct hp_finding *f = &x->found.list[i];

		if (f->state == HP_STATE_OK || (!f->fix[0] && !f->advice[0]))
			continue;
		show_finding(out, f);
		any = true;
	}
	if (!any)
		fputs("\n# nothing to change\n", out);
}
