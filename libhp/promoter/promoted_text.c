/* SPDX-License-Identifier: MIT */
#include "libhp/promoter/promoted.h"

#include "libhp/common.h"
#include "libhp/tool/tool.h"

static double percent(const struct hp_process_backing *p)
{
	return p->present ? 100 * (double)p->huge / (double)p->present : 0;
}

static double seconds(const struct hp_job *job)
{
	return (double)job->took / 1e9;
}

/* an empty name is a kernel without one, or a process that has just ended */
static void show_head(FILE *out, const struct hp_job *job)
{
	fprintf(out, "PID %d (%s): ", (int)job->target.pid, job->target.name);
}

static void show_change(FILE *out, const struct hp_job *job)
{
	char from[HP_TOOL_BYTES], to[HP_TOOL_BYTES];

	if (!job->has_before || !job->has_after) {
		fputs("coverage unknown", out);
		return;
	}
	fprintf(out, "coverage %.1f %% -> %.1f %%", percent(&job->before),
		percent(&job->after));
	fprintf(out, ", huge %s -> %s", hp_tool_bytes(job->before.huge, from),
		hp_tool_bytes(job->after.huge, to));
	fprintf(out, ", present %s -> %s",
		hp_tool_bytes(job->before.present, from),
		hp_tool_bytes(job->after.present, to));
}

static void show_done(FILE *out, const struct hp_job *job)
{
	static const char *const ends[] = {
		[HP_STOP_NONE] = "",
		[HP_STOP_UNTIL] = "; enough, as --until says",
		[HP_STOP_INTERRUPTED] = "; interrupted",
		[HP_STOP_NO_MEMORY] =
			"; given up, as no free memory is left in "
			"one piece",
		[HP_STOP_ENDED] = "; the process ended",
		[HP_STOP_DENIED] = "; the process changed its privileges",
	};

	show_head(out, job);
	show_change(out, job);
	fprintf(out, "\n  promoted %zu of %zu slots in %.2f s%s\n",
		job->outcomes[HP_OUTCOME_PROMOTED], job->found.n, seconds(job),
		ends[job->stop]);
}

/* until coverage is reached, or all: also where it cannot be known */
static size_t planned(const struct hp_job *job, const struct hp_wish *wish)
{
	size_t n = job->found.n;
	bool ends = wish->until < 100 && job->has_before;

	for (size_t i = 0; ends && i < n; i++)
		if (hp_job_foresee(&job->before, &job->found, i) * 100 >=
		    wish->until)
			return i;
	return n;
}

static void show_plan(FILE *out, const struct hp_job *job,
		      const struct hp_wish *wish)
{
	size_t n = planned(job, wish);
	char bytes[HP_TOOL_BYTES];

	show_head(out, job);
	fprintf(out, "would promote %zu of %zu slots (%s)", n, job->found.n,
		hp_tool_bytes(n * job->slot, bytes));
	if (job->has_before)
		fprintf(out, ", coverage %.1f %% -> %.1f %%",
			percent(&job->before),
			100 * hp_job_foresee(&job->before, &job->found, n));
	putc('\n', out);
}

/* "1 slot", "2 slots" */
static void show_slots(FILE *out, const char *label, uint64_t n)
{
	fprintf(out, "  %s: %ju slot%s", label, (uintmax_t)n,
		n == 1 ? "" : "s");
}

static void show_failures(FILE *out, const struct hp_job *job, bool each)
{
	for (int i = HP_OUTCOME_PROMOTED + 1; i < HP_OUTCOME_COUNT; i++)
		if (job->outcomes[i]) {
			show_slots(out, "failed", job->outcomes[i]);
			fprintf(out, ", %s\n",
				hp_outcome_text((enum hp_outcome)i));
		}
	for (size_t i = 0; each && i < job->nfailures; i++)
		fprintf(out, "  %012jx %s\n", (uintmax_t)job->failures[i].start,
			hp_outcome_text(job->failures[i].outcome));
}

static void show_left_alone(FILE *out, const struct hp_job *job,
			    const struct hp_wish *wish)
{
	const struct hp_candidates *c = &job->found;

	if (c->huge) {
		show_slots(out, "huge before", c->huge);
		putc('\n', out);
	}
	if (c->sparse) {
		show_slots(out, "left alone", c->sparse);
		fprintf(out, " less than %u %% resident (--resident)\n",
			wish->resident);
	}
	if (c->refused) {
		show_slots(out, "left alone", c->refused);
		fputs(" the program marked MADV_NOHUGEPAGE\n", out);
	}
	if (c->unknown)
		fputs("  left alone: memory this kernel does not tell about "
		      "(PAGEMAP_SCAN, Linux 6.7)\n",
		      out);
}

void hp_promoted_text(FILE *out, const struct hp_job *job,
		      const struct hp_wish *wish, bool each)
{
	if (wish->dry_run)
		show_plan(out, job, wish);
	else
		show_done(out, job);
	show_failures(out, job, each);
	show_left_alone(out, job, wish);
}

void hp_promoted_progress(FILE *out, const struct hp_job *job)
{
	size_t done = job->outcomes[HP_OUTCOME_PROMOTED];

	fprintf(out, "\rPID %d: %zu of %zu slots promoted, %zu failed ",
		(int)job->target.pid, done, job->found.n, job->nfailures);
	fflush(out);
}

void hp_promoted_clear(FILE *out)
{
	fprintf(out, "\r%78s\r", "");
	fflush(out);
}
