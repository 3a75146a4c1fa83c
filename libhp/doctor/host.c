/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libhp/common.h"
#include "libhp/doctor/exam.h"
#include "libhp/textfile.h"
#include "libhp/tool/json.h"

#define VIRTIO "/sys/bus/virtio/devices"

/* include/uapi/linux/virtio_ids.h, virtio_balloon.h */
#define BALLOON_ID "0x0005"
#define BALLOON_REPORTING 5

static bool exists(const char *path)
{
	char text[8];
	ssize_t n = hp_textfile_read(path, text, sizeof(text));

	return n >= 0 || n == -EFBIG;
}

/* the first line of a file; false where it is missing or empty */
static bool first_line(const char *path, char *text, size_t size)
{
	ssize_t n = hp_textfile_read(path, text, size);

	if (n <= 0 && n != -EFBIG)
		return false;
	text[strcspn(text, "\n")] = '\0';
	return text[0] != '\0';
}

/* a file that shows what container this is */
static const char *marked_container(char *text, size_t size)
{
	if (exists("/.dockerenv"))
		return "docker (/.dockerenv)";
	if (exists("/run/.containerenv"))
		return "podman (/run/.containerenv)";
	if (first_line("/run/systemd/container", text, size))
		return text;
	if (getenv("KUBERNETES_SERVICE_HOST"))
		return "kubernetes";
	return getenv("container");
}

static int named_group(char *text, void *arg)
{
	static const char *const names[] = {"kubepods", "docker", "libpod",
					    "containerd", "lxc"};
	const char **found = arg;

	for (size_t i = 0; i < HP_ARRAY_SIZE(names) && !*found; i++)
		if (strstr(text, names[i]))
			*found = names[i];
	return 0;
}

/* "0 0 4294967295": every ID is itself */
static int mapped_user(char *text, void *arg)
{
	bool *whole = arg;
	unsigned long inside, outside, n;

	*whole = sscanf(text, "%lu %lu %lu", &inside, &outside, &n) == 3 &&
		 n == UINT32_MAX;
	return 1;
}

static void exam_container(struct hp_exam *x)
{
	const char *sign, *group = NULL;
	char text[64];
	bool whole = false;
	struct hp_finding *f;
	int groups =
		hp_textfile_lines("/proc/self/cgroup", named_group, &group);
	int users =
		hp_textfile_lines("/proc/self/uid_map", mapped_user, &whole);

	sign = marked_container(text, sizeof(text));
	if (!sign)
		sign = group;
	if (!sign && users == 1 && !whole)
		sign = "a user namespace";
	f = hp_finding_add(&x->found, "host.container",
			   sign || (groups >= 0 && users == 1)
				   ? HP_STATE_OK
				   : HP_STATE_UNKNOWN,
			   "%s", sign ? sign : "no sign of one");
	hp_finding_data(f, "sign", hp_tool_json_text(sign));
	x->contained = sign != NULL;
	if (sign)
		hp_finding_means(f, "settings are the host's");
}

static int look_at_flags(char *text, void *arg)
{
	bool *guest = arg;

	if (!hp_text_after(text, "flags"))
		return 0;
	*guest = strstr(text, " hypervisor") != NULL;
	return 1;
}

static bool names_machine(char *text, size_t size)
{
	static const char *const files[] = {
		"/sys/hypervisor/type",
		"/proc/device-tree/hypervisor/compatible",
	};
	static const char *const makers[] = {
		"QEMU",	      "VMware", "Xen",	 "innotek", "Microsoft",
		"Amazon EC2", "Google", "Bochs", "KVM"};

	for (size_t i = 0; i < HP_ARRAY_SIZE(files); i++)
		if (first_line(files[i], text, size))
			return true;
	if (!first_line("/sys/class/dmi/id/sys_vendor", text, size))
		return false;
	for (size_t i = 0; i < HP_ARRAY_SIZE(makers); i++)
		if (strstr(text, makers[i]))
			return true;
	return false;
}

static void exam_vm(struct hp_exam *x)
{
	char text[64];
	struct hp_finding *f;
	bool named = names_machine(text, sizeof(text)), guest = named;
	/* x86 tells; makers of clouds make laptops and bare metal, too */
	int ret = hp_textfile_lines("/proc/cpuinfo", look_at_flags, &guest);

	if (!guest && ret < 0) {
		hp_finding_unreadable(&x->found, "host.vm", "/proc/cpuinfo",
				      ret);
		return;
	}
	f = hp_finding_add(&x->found, "host.vm", HP_STATE_OK, "%s",
			   !guest  ? "no sign of one"
			   : named ? text
				   : "a guest");
	hp_finding_data(f, "guest", json_object_new_boolean(guest));
	if (guest)
		hp_finding_means(f, "the host may use small pages under it");
}

struct balloon {
	bool found, reports;
	char name[32];
};

static int look_at_device(const char *name, void *arg)
{
	struct balloon *b = arg;
	char path[128], text[256];

	snprintf(path, sizeof(path), VIRTIO "/%.32s/device", name);
	if (!first_line(path, text, sizeof(text)) || strcmp(text, BALLOON_ID))
		return 0;
	snprintf(path, sizeof(path), VIRTIO "/%.32s/features", name);
	if (!first_line(path, text, sizeof(text)))
		return 0;
	b->found = true;
	b->reports = strlen(text) > BALLOON_REPORTING &&
		     text[BALLOON_REPORTING] == '1';
	snprintf(b->name, sizeof(b->name), "%.31s", name);
	return b->reports;
}

/* Documentation/mm/free_page_reporting.rst */
static void exam_reporting(struct hp_exam *x)
{
	static const char id[] = "host.page_reporting";
	struct balloon b = {0};
	struct hp_finding *f;
	int ret = hp_textfile_names(VIRTIO, look_at_device, &b);

	/* without the bus there is no such device, if /sys is there at all */
	if (ret < 0 &&
	    !(ret == -ENOENT && exists("/sys/kernel/uevent_seqnum"))) {
		hp_finding_unreadable(&x->found, id, VIRTIO, ret);
		return;
	}
	f = hp_finding_add(&x->found, id,
			   b.reports ? HP_STATE_LIMITS : HP_STATE_OK, "%s",
			   b.reports ? "on" : "off");
	hp_finding_data(f, "on", json_object_new_boolean(b.reports));
	if (!b.reports)
		return;
	hp_finding_extend(f, b.name);
	hp_finding_means(f, "free memory goes back to the host, and touching "
			    "it again waits for the host");
	hp_finding_advice(f, "at the hypervisor, take free page reporting off "
			     "the balloon (QEMU: free-page-reporting=off)");
}

void hp_exam_host(struct hp_exam *x)
{
	exam_container(x);
	exam_vm(x);
	exam_reporting(x);
}
