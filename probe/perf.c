/* SPDX-License-Identifier: MIT */
#include "probe/perf.h"

#include <linux/perf_event.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "libhp/common.h"
#include "libhp/textfile.h"

enum { MISSES, WALKS };

/* Arm names this event in sysfs; the generic events have no page walk. */
#define PMU_DIR "/sys/bus/event_source/devices/armv8_pmuv3_0/"

static int open_event(uint32_t type, uint64_t config)
{
	struct perf_event_attr attr = {
		.type = type,
		.size = sizeof(attr),
		.config = config,
		.disabled = 1,
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
	    hp_textfile_read(PMU_DIR "events/dtlb_walk", text,
			     sizeof(text)) <= 0 ||
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
		snprintf(why, size, "%s", strerror(-perf->fd[MISSES]));
}

void hp_perf_close(struct hp_perf *perf)
{
	for (unsigned int i = 0; i < HP_PERF_EVENTS; i++)
		if (perf->fd[i] >= 0)
			close(perf->fd[i]);
}

void hp_perf_start(const struct hp_perf *perf)
{
	for (unsigned int i = 0; i < HP_PERF_EVENTS; i++) {
		if (perf->fd[i] < 0)
			continue;
		ioctl(perf->fd[i], PERF_EVENT_IOC_RESET, 0);
		ioctl(perf->fd[i], PERF_EVENT_IOC_ENABLE, 0);
	}
}

/* NAN unless the event was on the processor the whole time. */
static double read_count(int fd)
{
	struct {
		uint64_t value, enabled, running;
	} got;

	if (fd < 0)
		return NAN;
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	if (read(fd, &got, sizeof(got)) != sizeof(got))
		return NAN;
	if (!got.running || got.running < got.enabled)
		return NAN;
	return (double)got.value;
}

void hp_perf_stop(const struct hp_perf *perf, double loads,
		  struct hp_probe_counters *out)
{
	out->dtlb_misses = read_count(perf->fd[MISSES]) / loads;
	out->walks = read_count(perf->fd[WALKS]) / loads;
}
