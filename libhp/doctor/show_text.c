/* SPDX-License-Identifier: MIT */
#include "libhp/doctor/show.h"

#include <string.h>

#define WIDTH 79
#define VALUE 30 /* column of values */
#define MORE 12	 /* column of what is below them */

void hp_show_wrapped(FILE *out, const char *text, int at, int indent)
{
	bool first = true;

	while (*(text += strspn(text, " "))) {
		int len = (int)strcspn(text, " ");

		if (!first && at + 1 + len > WIDTH) {
			fprintf(out, "\n%*s", indent, "");
			at = indent;
		} else if (!first) {
			putc(' ', out);
			at++;
		}
		fprintf(out, "%.*s", len, text);
		at += len;
		text += len;
		first = false;
	}
	putc('\n', out);
}

static void show_more(FILE *out, const char *label, const char *text)
{
	if (!text[0])
		return;
	fprintf(out, "%*s%s", MORE, "", label);
	hp_show_wrapped(out, text, MORE + (int)strlen(label), MORE + 2);
}

/* a command stays on its line, to be copied */
static void show_fix(FILE *out, const struct hp_finding *f)
{
	if (f->fix[0])
		fprintf(out, "%*s%s %s\n", MORE, "", f->own_shell ? "$" : "#",
			f->fix);
}

static void show_finding(FILE *out, const struct hp_finding *f)
{
	char line[2 * HP_FINDING_TEXT + 4];
	bool is_ok = f->state == HP_STATE_OK;

	snprintf(line, sizeof(line), "%s%s%s", f->value,
		 is_ok && f->means[0] ? ": " : "", is_ok ? f->means : "");
	fprintf(out, "%-8s %-20s ", hp_state_text(f->state), f->id);
	hp_show_wrapped(out, line, VALUE, VALUE);
	if (is_ok)
		return;
	show_more(out, "", f->means);
	show_fix(out, f);
	show_more(out, f->fix[0] ? "or: " : "", f->advice);
}

static void show_counts(FILE *out, const struct hp_exam *x)
{
	unsigned int limits = hp_findings_count(&x->found, HP_STATE_LIMITS);
	unsigned int unknown = hp_findings_count(&x->found, HP_STATE_UNKNOWN);

	if (limits)
		fprintf(out, "; %u thing%s limit%s you", limits,
			limits == 1 ? "" : "s", limits == 1 ? "s" : "");
	if (unknown)
		fprintf(out, "; %u could not be found out", unknown);
}

static const char *can_be_had(const struct hp_exam *x)
{
	if (hp_exam_verdict(x) == HP_VERDICT_CANNOT)
		return x->trial.huge ? "no page of --pages can be had"
				     : "no huge page can be had";
	if (x->trial.huge == 0)
		return "nothing known forbids huge pages";
	return "huge pages can be had";
}

static bool has_root_fix(const struct hp_findings *all)
{
	for (unsigned int i = 0; i < all->n; i++)
		if (all->list[i].state != HP_STATE_OK && all->list[i].fix[0] &&
		    !all->list[i].own_shell)
			return true;
	return false;
}

void hp_show_text(FILE *out, const struct hp_exam *x)
{
	fprintf(out, "%s: %s", hp_verdict_text(hp_exam_verdict(x)),
		can_be_had(x));
	show_counts(out, x);
	putc('\n', out);
	for (unsigned int i = 0; i < x->found.n; i++)
		show_finding(out, &x->found.list[i]);
	if (x->contained && has_root_fix(&x->found))
		fputs("Commands marked # are for root on the host, outside the "
		      "container.\n",
		      out);
}
