/* SPDX-License-Identifier: MIT */
#include "probe/watch.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include "libhp/common.h"
#include "probe/clock.h"

/* /proc/stat lists the cpus first; 256 of them fit well within this. */
enum { STAT_TEXT = 16384, SCHEDSTAT_TEXT = 128 };

void hp_watch_open(struct hp_watch *watch)
{
	watch->stat_fd = open("/proc/stat", O_RDONLY | O_CLOEXEC);
	watch->schedstat_fd =
		open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
}

static void close_if_open(int fd)
{
	if (fd >= 0)
		close(fd);
}

void hp_watch_close(struct hp_watch *watch)
{
	close_if_open(watch->stat_fd);
	close_if_open(watch->schedstat_fd);
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static const char *take_number(const char *text, uint64_t *out)
{
	while (*text == ' ')
		text++;
	*out = 0;
	while (is_digit(*text))
		*out = *out * 10 + (uint64_t)(*text++ - '0');
	return text;
}

static const char *next_line(const char *text)
{
	while (*text && *text != '\n')
		text++;
	return *text ? text + 1 : NULL;
}

static bool is_cpu_line(const char *text, unsigned int cpu)
{
	uint64_t number;

	if (text[0] != 'c' || text[1] != 'p' || text[2] != 'u' ||
	    !is_digit(text[3]))
		return false;
	take_number(text + 3, &number);
	return number == cpu;
}

uint64_t hp_watch_steal(const char *stat, unsigned int cpu)
{
	uint64_t value = 0;

	while (stat && !is_cpu_line(stat, cpu))
		stat = next_line(stat);
	if (!stat)
		return 0;
	stat = take_number(stat + 3, &value);
	for (unsigned int field = 0; field < 8; field++)
		stat = take_number(stat, &value);
	return value;
}

static ssize_t read_text(int fd, char *text, size_t size)
{
	ssize_t got = fd < 0 ? -1 : pread(fd, text, size - 1, 0);

	text[got > 0 ? got : 0] = '\0';
	return got;
}

static uint64_t read_steal(int fd, unsigned int cpu)
{
	char text[STAT_TEXT];

	return read_text(fd, text, sizeof(text)) > 0 ? hp_watch_steal(text, cpu)
						     : 0;
}

static uint64_t read_delay(int fd)
{
	char text[SCHEDSTAT_TEXT];
	uint64_t delay;

	if (read_text(fd, text, sizeof(text)) <= 0)
		return 0;
	take_number(take_number(text, &delay), &delay);
	return delay;
}

static void read_usage(struct hp_moment *moment)
{
	struct rusage usage = {0};

	getrusage(RUSAGE_THREAD, &usage);
	moment->involuntary = usage.ru_nivcsw;
	moment->faults = usage.ru_minflt + usage.ru_majflt;
}

static unsigned int this_cpu(void)
{
	int cpu = sched_getcpu();

	return cpu < 0 ? 0 : (unsigned int)cpu;
}

void hp_watch_before(const struct hp_watch *watch, struct hp_moment *moment)
{
	moment->cpu = this_cpu();
	moment->steal = read_steal(watch->stat_fd, moment->cpu);
	moment->delay_ns = read_delay(watch->schedstat_fd);
	moment->cycle_ns = hp_clock_cycle_ns();
	read_usage(moment);
}

void hp_watch_after(const struct hp_watch *watch, struct hp_moment *moment)
{
	read_usage(moment);
	moment->cycle_ns = hp_clock_cycle_ns();
	moment->cpu = this_cpu();
	moment->delay_ns = read_delay(watch->schedstat_fd);
	moment->steal = read_steal(watch->stat_fd, moment->cpu);
}

enum hp_probe_drop hp_watch_verdict(const struct hp_moment *before,
				    const struct hp_moment *after)
{
	if (before->cpu != after->cpu)
		return HP_PROBE_MIGRATED;
	if (before->involuntary != after->involuntary ||
	    before->delay_ns != after->delay_ns)
		return HP_PROBE_PREEMPTED;
	if (before->faults != after->faults)
		return HP_PROBE_FAULTED;
	if (before->steal != after->steal)
		return HP_PROBE_STOLEN;
	if (!hp_clock_steady(before->cycle_ns, after->cycle_ns))
		return HP_PROBE_CLOCK;
	return HP_WATCH_KEPT;
}
