/* SPDX-License-Identifier: MIT */
#include "probe/host.h"

#include <string.h>
#include <sys/utsname.h>

#include "libhp/common.h"
#include "libhp/pagesize.h"
#include "libhp/size.h"
#include "libhp/textfile.h"
#include "probe/words.h"

#define CPU_DIR "/sys/devices/system/cpu/cpu%d/"

static void read_word(char *out, size_t size, const char *path)
{
	ssize_t got = hp_textfile_read(path, out, size);

	out[got > 0 ? strcspn(out, "\n") : 0] = '\0';
}

static void read_cpu_word(char *out, size_t size, int cpu, const char *file)
{
	char path[128];

	hp_words(path, sizeof(path), CPU_DIR "%s", cpu, file);
	read_word(out, size, path);
}

static void read_cache_word(char *out, size_t size, int cpu, unsigned int index,
			    const char *file)
{
	char name[64];

	hp_words(name, sizeof(name), "cache/index%u/%s", index, file);
	read_cpu_word(out, size, cpu, name);
}

static uint64_t read_cache_size(int cpu, unsigned int index, const char *file)
{
	char text[32];
	size_t size;

	read_cache_word(text, sizeof(text), cpu, index, file);
	return hp_size_parse(text, &size) ? 0 : size;
}

static void read_caches(struct hp_probe_machine *machine, int cpu)
{
	for (unsigned int i = 0; i < 8; i++) {
		struct hp_probe_cache cache;
		char type[24];

		read_cache_word(type, sizeof(type), cpu, i, "type");
		if (!type[0] ||
		    machine->ncaches == HP_ARRAY_SIZE(machine->caches))
			return;
		cache.level = (unsigned int)read_cache_size(cpu, i, "level");
		cache.size = read_cache_size(cpu, i, "size");
		cache.line = read_cache_size(cpu, i, "coherency_line_size");
		if (strcmp(type, "Instruction") && cache.size)
			machine->caches[machine->ncaches++] = cache;
	}
}

const struct hp_probe_cache *
hp_host_cache(const struct hp_probe_machine *machine, unsigned int level)
{
	for (unsigned int i = 0; i < machine->ncaches; i++)
		if (machine->caches[i].level == level)
			return &machine->caches[i];
	return NULL;
}

static int line_model(char *text, void *arg)
{
	struct hp_probe_machine *machine = arg;
	const char *colon = strchr(text, ':');

	if (!colon ||
	    (strncmp(text, "model name", 10) && strncmp(text, "CPU part", 8)))
		return 0;
	colon += strspn(colon, ": \t");
	hp_words(machine->cpu_model, sizeof(machine->cpu_model), "%s%s",
		 text[0] == 'C' ? "part " : "", colon);
	return 1;
}

static void read_kernel(struct hp_probe_machine *machine)
{
	struct utsname names;

	if (uname(&names))
		return;
	hp_words(machine->kernel, sizeof(machine->kernel), "%s %s",
		 names.sysname, names.release);
	hp_words(machine->arch, sizeof(machine->arch), "%s", names.machine);
}

#if defined(__x86_64__)
#include <cpuid.h>

static int read_hypervisor(void)
{
	unsigned int a, b, c, d;

	if (!__get_cpuid(1, &a, &b, &c, &d))
		return -1;
	return (c >> 31) & 1;
}
#else
static int read_hypervisor(void)
{
	char text[64];

	/* Says yes when a file says so; no file says no. */
	if (hp_textfile_read("/sys/hypervisor/type", text, sizeof(text)) > 0 ||
	    hp_textfile_read("/proc/device-tree/hypervisor/compatible", text,
			     sizeof(text)) > 0)
		return 1;
	return -1;
}
#endif

static const char *thp_word(enum hp_thp_mode mode)
{
	switch (mode) {
	case HP_THP_ALWAYS:
		return "always";
	case HP_THP_MADVISE:
		return "madvise";
	case HP_THP_NEVER:
		return "never";
	default:
		return "";
	}
}

static void read_pages(struct hp_probe_machine *machine)
{
	struct hp_pagesizes sizes;

	hp_pagesizes_read(&sizes);
	machine->base_page = sizes.base;
	machine->huge_page = sizes.pmd;
	hp_words(machine->thp, sizeof(machine->thp), "%s", thp_word(sizes.thp));
}

void hp_host_read(struct hp_probe_machine *machine, int cpu)
{
	memset(machine, 0, sizeof(*machine));
	machine->cpu = cpu;
	machine->hypervisor = read_hypervisor();
	read_kernel(machine);
	read_pages(machine);
	hp_textfile_lines("/proc/cpuinfo", line_model, machine);
	cpu = cpu < 0 ? 0 : cpu;
	read_caches(machine, cpu);
	read_cpu_word(machine->governor, sizeof(machine->governor), cpu,
		      "cpufreq/scaling_governor");
}
