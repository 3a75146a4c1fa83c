/* SPDX-License-Identifier: MIT */
#include "probe/pin.h"

#include "libhp/common.h"
#include "libhp/textfile.h"
#include "probe/words.h"

static uint64_t cpu_fact(int cpu, const char *file)
{
	char path[96];
	uint64_t value;

	hp_words(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/%s", cpu,
		 file);
	return hp_textfile_u64(path, &value) ? 0 : value;
}

/* Hybrid machines: small cores have less of either. Unknown is 0 for all. */
static uint64_t cpu_speed(int cpu)
{
	uint64_t capacity = cpu_fact(cpu, "cpu_capacity");

	return capacity ? capacity : cpu_fact(cpu, "cpufreq/cpuinfo_max_freq");
}

static int fastest_cpu(const cpu_set_t *allowed)
{
	int best = sched_getcpu();
	uint64_t best_speed = best < 0 ? 0 : cpu_speed(best);

	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, allowed) || cpu_speed(cpu) <= best_speed)
			continue;
		best = cpu;
		best_speed = cpu_speed(cpu);
	}
	return best;
}

int hp_pin_open(struct hp_pin *pin, int cpu)
{
	cpu_set_t one;

	pin->cpu = -1;
	pin->saved = !sched_getaffinity(0, sizeof(pin->before), &pin->before);
	if (cpu < 0)
		cpu = pin->saved ? fastest_cpu(&pin->before) : sched_getcpu();
	if (cpu < 0 || cpu >= CPU_SETSIZE)
		return -EINVAL;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	if (sched_setaffinity(0, sizeof(one), &one))
		return -errno;
	pin->cpu = cpu;
	return 0;
}

void hp_pin_close(struct hp_pin *pin)
{
	if (pin->cpu >= 0 && pin->saved)
		sched_setaffinity(0, sizeof(pin->before), &pin->before);
}
