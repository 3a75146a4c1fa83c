/* SPDX-License-Identifier: MIT */
#include "preload/outcome.h"

#include <fcntl.h>
#include <string.h>

#include "libhp/alone.h"
#include "libhp/altstack.h"
#include "libhp/cause.h"
#include "libhp/heap.h"
#include "libhp/linux.h"
#include "libhp/quiet.h"
#include "libhp/report.h"
#include "libhp/signals.h"
#include "libhp/sites_form.h"
#include "libhp/sites_sum.h"
#include "libhp/text.h"
#include "preload/probing.h"
#include "preload/record.h"
#include "preload/sampling.h"
#include "preload/sink.h"

/* figures and report take 15 KiB, a probe 40 */
#define STACK (256 * HP_KIB)

#define LOADED "{\"schema\":\"libhp.report/1\",\"loaded\":true}\n"

enum progress { NOT_BEGUN, BEING_WRITTEN, WRITTEN };

/* how often and how long the end of the process waits for its report */
#define REPORT_WAITS 500
#define REPORT_WAIT_MS 10

static const struct hp_context *context;
static struct hp_stats peak;
static bool peaked, wanted, sandboxed;
static bool shared;	 /* since a sandbox began, with a child of vfork */
static uint64_t highest; /* bytes in use, ever seen */
static uint64_t sampled; /* of these when the last sample was taken */
static struct hp_altstack stack; /* its lock guards peak */
static uint32_t progress;	 /* of the report, of enum progress */
static bool waiting;		 /* has somebody, for its end? */

static bool has_result(void)
{
	return context->options.result_pid == context->pid;
}

/* the launcher's private file, which exists already */
static void write_loaded(void)
{
	int fd = hp_linux_open(context->options.result_path, O_WRONLY | O_TRUNC,
			       0);
	struct hp_quiet quiet;

	if (fd < 0)
		return;
	hp_quiet_begin(&quiet);
	hp_linux_write(fd, LOADED, strlen(LOADED));
	hp_quiet_end(&quiet);
	hp_linux_close(fd);
}

static void falling(struct hp_filler *f, size_t pages)
{
	hp_outcome_falling(pages << f->slots.page_shift);
}

void hp_outcome_init(const struct hp_context *c)
{
	context = c;
	if (c->passive)
		return;
	wanted = c->options.report.sink != HP_SINK_OFF ||
		 c->options.require >= 0 || has_result() ||
		 c->options.sites_path[0];
	if (!wanted)
		return;
	hp_altstack_open(&stack, STACK);
	hp_cause_start();
	hp_sink_init(c);
	hp_heap.watch = falling;
	if (has_result())
		write_loaded();
}

bool hp_outcome_wanted(void)
{
	return wanted;
}

static void collect_sites(void)
{
	if (hp_sampling)
		hp_sites_collect(&context->pagesizes);
}

static void sample(void *unused)
{
	struct hp_stats now;

	(void)unused;
	collect_sites();
	hp_stats_collect(&now, &context->pagesizes);
	if (peaked && now.managed.present <= peak.managed.present)
		return;
	peak = now;
	peaked = true;
}

static void sample_and_probe(void *before)
{
	sample(NULL);
	hp_probing_peak(*(uint64_t *)before);
}

/* where another thread is at it already, its figures will do */
void hp_outcome_sample(void)
{
	(void)hp_altstack_try(&stack, sample, NULL);
}

uint64_t hp_outcome_used(void)
{
	return (hp_heap.used << hp_heap.slots.page_shift) + hp_record_used();
}

void hp_outcome_falling(size_t bytes)
{
	uint64_t before;

	if (!wanted || sandboxed)
		return;
	before = hp_outcome_used();
	if (before > highest)
		highest = before;
	if (before - bytes >= highest - highest / 16 ||
	    highest <= sampled + sampled / 8)
		return;
	sampled = highest;
	(void)hp_altstack_try(&stack, sample_and_probe, &before);
}

static void write_result(const struct hp_report *r)
{
	int fd;

	if (!has_result() || sandboxed)
		return;
	fd = hp_linux_open(context->options.result_path, O_WRONLY | O_TRUNC, 0);
	if (fd < 0)
		return;
	if (hp_report_print(r, fd, HP_FORMAT_JSON) < 0)
		hp_linux_truncate(fd, 0); /* not half a result */
	hp_linux_close(fd);
}

static void append_percent(char *line, size_t size, int hundredths)
{
	if (hundredths < 0) {
		hp_text_append(line, size, "unknown");
		return;
	}
	hp_text_append_u64(line, size, (unsigned int)hundredths / 100);
	hp_text_append(line, size, ".");
	hp_text_append_u64(line, size, (unsigned int)hundredths / 10 % 10);
	hp_text_append(line, size, " %");
}

/* the launcher says it itself, and turns it into a status */
static void check_requirement(const struct hp_report *r)
{
	int want = context->options.require;
	int got = hp_report_coverage(r);
	char line[160] = "libhp: coverage ";

	if (want < 0 || has_result() || got >= want * 100)
		return;
	append_percent(line, sizeof(line), got);
	hp_text_append(line, sizeof(line), ", required ");
	append_percent(line, sizeof(line), want * 100);
	hp_text_append(line, sizeof(line), "\n");
	hp_sink_say(line);
}

/* A sandbox may allow write(2) and nothing that could keep it from signals. */
static void deliver(const struct hp_report *r)
{
	struct hp_quiet quiet = {0};

	if (!sandboxed)
		hp_quiet_begin(&quiet);
	if (r->sites)
		hp_sink_export();
	hp_sink_write(r);
	write_result(r);
	check_requirement(r);
	hp_quiet_end(&quiet);
}

static void report(void *unused)
{
	static struct hp_stats now;
	struct hp_report r = {0};

	(void)unused;
	r.stats = &peak;
	r.when = "peak";
	if (!sandboxed) {
		collect_sites();
		hp_stats_collect(&now, &context->pagesizes);
	}
	if (!sandboxed &&
	    (!peaked || now.managed.present >= peak.managed.present)) {
		r.stats = &now;
		r.when = "exit";
	}
	r.sandboxed = sandboxed;
	r.options = &context->options;
	r.pagesizes = &context->pagesizes;
	r.pid = context->pid;
	r.alloc_calls = hp_heap.calls;
	r.probe = hp_probing_json();
	r.probe_line = hp_probing_line();
	if (hp_sites_collected()->n > 0) {
		r.sites = hp_sites_put_json;
		r.sites_table = hp_sites_put_text;
	}
	hp_text_append(r.exe, sizeof(r.exe), context->exe);
	deliver(&r);
}

/* A sandbox may forbid to ask, but hardly one in which children are made. */
static bool is_child(void)
{
	return (!sandboxed || shared) && hp_linux_getpid() != context->pid;
}

static bool is_due(void)
{
	return wanted && HP_READ_ONCE(progress) == NOT_BEGUN && !is_child();
}

/* one thread of those that end the process at the same time */
static bool begin(void)
{
	uint32_t none = NOT_BEGUN;

	return is_due() && __atomic_compare_exchange_n(
				   &progress, &none, BEING_WRITTEN, false,
				   __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

/* a sandbox may allow write and exit alone: no call that nobody needs */
static void end(void)
{
	__atomic_store_n(&progress, WRITTEN, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&waiting, __ATOMIC_SEQ_CST))
		hp_linux_futex_wake(&progress);
}

/* the others must not end it under that one's hands; a sandbox may have no
 * clock for us, so waits are counted */
static void wait_for_report(void)
{
	for (int n = 0; n < REPORT_WAITS; n++) {
		if (HP_READ_ONCE(progress) != BEING_WRITTEN)
			return;
		__atomic_store_n(&waiting, true, __ATOMIC_SEQ_CST);
		hp_linux_futex_wait(&progress, BEING_WRITTEN, REPORT_WAIT_MS);
	}
}

/*
 * A sample that takes longer than we wait keeps nobody from the report. Here as
 * there no handler may end the process in the middle of it.
 */
static void run_to_end(hp_altstack_fn fn)
{
	struct hp_signals before = {0};

	if (hp_altstack_run(&stack, fn, NULL))
		return;
	if (!sandboxed)
		hp_signals_block(&before);
	fn(NULL);
	hp_signals_restore(&before);
}

static void write_report(void *unused)
{
	if (!begin())
		return;
	report(unused);
	end();
}

void hp_outcome_report(void)
{
	if (is_due())
		run_to_end(write_report);
	wait_for_report();
}

/* A thread made behind libc's back ends like this too; a sandbox forbids to ask
 * for those. */
void hp_outcome_exit_thread(void)
{
	if (is_due() && !sandboxed && hp_alone())
		hp_outcome_report();
}

static void probe_and_report(void *unused)
{
	hp_probing_exit();
	write_report(unused);
}

void hp_outcome_exit(void)
{
	if (is_due())
		run_to_end(probe_and_report);
	wait_for_report();
}

void hp_outcome_forked(void)
{
	wanted = false;
	progress = NOT_BEGUN;
	hp_heap.watch = NULL;
	hp_altstack_forked(&stack);
}

void hp_outcome_vforks(void)
{
	shared = true;
}

void hp_outcome_keep(void)
{
	if (wanted && !sandboxed)
		hp_outcome_sample();
	shared = false;
	sandboxed = true;
	hp_altstack_keep(&stack);
	hp_sink_keep();
}
