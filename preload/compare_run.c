/* SPDX-License-Identifier: MIT */
#include "preload/compare_run.h"

#include <errno.h>
#include <math.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libhp/common.h"
#include "preload/compare_scratch.h"
#include "preload/launch.h"
#include "preload/verdict.h"
#include "probe/clock.h"

static double seconds(const struct timeval *t)
{
	return (double)t->tv_sec + (double)t->tv_usec * 1e-6;
}

static void take_usage(struct hp_compare_run *run, const struct rusage *usage)
{
	run->value[HP_MEASURE_USER] = seconds(&usage->ru_utime);
	run->value[HP_MEASURE_SYS] = seconds(&usage->ru_stime);
	run->value[HP_MEASURE_MINOR] = (double)usage->ru_minflt;
	run->value[HP_MEASURE_MAJOR] = (double)usage->ru_majflt;
	run->value[HP_MEASURE_RSS] = (double)usage->ru_maxrss * HP_KIB;
}

static double figure(struct json_object *report, const char *key)
{
	struct json_object *process, *value;

	if (!json_object_object_get_ex(report, "process", &process) ||
	    !json_object_object_get_ex(process, key, &value) || !value)
		return NAN;
	return json_object_get_double(value);
}

/* how libhp fared; in plain runs nothing is known but what was watched */
static void take_report(const struct hp_result *result,
			struct hp_compare_run *run,
			struct hp_compare_trace *trace)
{
	struct json_object *report;

	trace->libhp = hp_result_read(result, &report);
	run->loaded = trace->libhp == HP_RESULT_REPORT;
	run->value[HP_MEASURE_COVERAGE] = figure(report, "coverage");
	run->value[HP_MEASURE_HUGETLB] = figure(report, "hugetlb_bytes");
	json_object_put(report);
}

static int status_of(int status)
{
	return WIFSIGNALED(status) ? HP_STATUS_SIGNAL + WTERMSIG(status)
				   : WEXITSTATUS(status);
}

static int launch(const struct hp_launch *launch, struct hp_ending *ending,
		  struct hp_compare_run *run)
{
	uint64_t start = hp_clock_ns();
	int err = hp_launch_run(launch, ending);

	run->value[HP_MEASURE_WALL] = (double)(hp_clock_ns() - start) * 1e-9;
	return err;
}

static void finish(const struct hp_launch *launch, struct hp_compare_run *run,
		   struct hp_compare_trace *trace)
{
	const struct hp_ending *ending = &trace->ending;

	/* it may have ended before its signal was looked at here */
	trace->stop = ending->stop ? ending->stop : hp_relay_asked();
	take_usage(run, &ending->usage);
	if (launch->watch)
		run->value[HP_MEASURE_COVERAGE] =
			hp_watch_coverage(launch->arg);
	if (launch->result)
		take_report(launch->result, run, trace);
	run->status = status_of(ending->status);
	run->done = !ending->exec_errno && !trace->stop;
}

static int run_with(const struct hp_compare_job *job, struct hp_launch *what,
		    struct hp_compare_run *run, struct hp_compare_trace *trace)
{
	const int streams[] = {job->input, trace->out, trace->err};
	int err;

	/* a device has no place to go back to */
	lseek(job->input, job->input_start, SEEK_SET);
	what->streams = streams;
	err = launch(what, &trace->ending, run);
	if (!err)
		finish(what, run, trace);
	return err;
}

static int open_trace(struct hp_compare_trace *trace)
{
	*trace = (struct hp_compare_trace){.out = hp_scratch_open(),
					   .err = hp_scratch_open()};
	if (trace->out < 0)
		return trace->out;
	return trace->err < 0 ? trace->err : 0;
}

int hp_compare_run(const struct hp_compare_job *job,
		   const struct hp_compare_arm *arm, struct hp_watch *watch,
		   struct hp_compare_run *run, struct hp_compare_trace *trace)
{
	struct hp_launch what = {.argv = job->argv,
				 .settings = &arm->settings,
				 .watch = watch ? hp_watch_look : NULL,
				 .arg = watch};
	struct hp_result result;
	int err = open_trace(trace);

	if (err || !hp_compare_has_libhp(arm))
		return err ? err : run_with(job, &what, run, trace);
	err = hp_result_create(&result);
	if (err)
		return err;
	what.preload = job->preload;
	what.result = &result;
	err = run_with(job, &what, run, trace);
	hp_result_remove(&result);
	return err;
}

void hp_compare_trace_close(struct hp_compare_trace *trace)
{
	if (trace->out >= 0)
		close(trace->out);
	if (trace->err >= 0)
		close(trace->err);
}
