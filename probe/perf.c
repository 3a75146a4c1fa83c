/* SPDX-License-Identifier: MIT */
#include "probe/perf.h"

#include <linux/perf_event.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "libhp/common.h"
#include "libhp/textfile.h"
#include "probe/words.h"

enum { MISSES, WALKS };

/* Arm names this event in sysfs; the generic events have no page walk. */
#define PMU_DIR "/sys/bus/event_source/devices/armv8_pmuv3_0/"

static int open_event(uint32_t type, uint64_t config)
{
	struct perf_event_attr attr = {
		.type = type,
		.size = sizeof(attr),
		.config = config,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
			       PERF_FORMAT_TOTAL_TIME_RUNNING,
	};
	long fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1,
			  PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : (int)fd;
}

static int open_misses(void)
{
	return open_event(PERF_TYPE_HW_CACHE,
			  PERF_COUNT_HW_CACHE_DTLB |
				  PERF_COUNT_HW_CACHE_OP_READ << 8 |
				  PERF_COUNT_HW_CACHE_RESULT_MISS << 16);
}

static int open_walks(void)
{
	char text[64];
	uint64_t type;

	if (hp_textfile_u64(PMU_DIR "type", &type) ||
	    hp_textfile_read(PMU_DIR "events/dtlb_walk", text, sizeof(text)) <=
		    0 ||
	    strncmp(text, "event=", 6))
		return -ENOENT;
	return open_event((uint32_t)type, strtoull(text + 6, NULL, 0));
}

void hp_perf_open(struct hp_perf *perf, char *why, size_t size)
{
	perf->fd[MISSES] = open_misses();
	perf->fd[WALKS] = perf->fd[MISSES] < 0 ? -1 : open_walks();
	why[0] = '\0';
	if (perf->fd[MISSES] < 0)
		hp_words(why, size, "%s", strerror(-perf->fd[MISSES]));
}

void hp_perf_close(struct hp_perf *perf)
{
	for (unsigned int i = 0; i < HP_PERF_EVENTS; i++)
		if (perf->fd[i] >= 0)
			close(perf->fd[i]);
}

static bool read_event(int fd, struct hp_perf_count *count)
{
	return fd >= 0 && read(fd, count, sizeof(*count)) == sizeof(*count);
}

void hp_perf_start(struct hp_perf *perf)
{
	for (unsigned int i = 0; i < HP_PERF_EVENTS; i++)
		if (!read_event(perf->fd[i], &perf->start[i]))
			perf->start[i] = (struct hp_perf_count){0};
}

/* NAN unless the event was on the processor all the time. */
static double events_since(int fd, const struct hp_perf_count *start)
{
	struct hp_perf_count now;
	uint64_t ran;

	if (!read_event(fd, &now))
		return NAN;
	ran = now.running_ns - start->running_ns;
	if (!ran || ran < now.enabled_ns - start->enabled_ns)
		return NAN;
	return (double)(now.value - start->value);
}

void hp_perf_stop(const struct hp_perf *perf, double loads,
		  struct hp_probe_counters *out)
{
	out->dtlb_misses =
		events_since(perf->fd[MISSES], &perf->start[MISSES]) / loads;
	out->walks = events_since(perf->fd[WALKS], &perf->start[WALKS]) / loads;
}
