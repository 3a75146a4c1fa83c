/* SPDX-License-Identifier: MIT */
#include "libhp/tool/target.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "libhp/common.h"
#include "libhp/textfile.h"

char *hp_target_path(pid_t pid, const char *file, char *buf)
{
	snprintf(buf, HP_TARGET_PATH, "/proc/%d/%s", (int)pid, file);
	return buf;
}

static int read_status_line(char *text, void *arg)
{
	struct hp_target *t = arg;
	const char *name = hp_text_after(text, "Name:\t");
	uint64_t n;

	if (name) {
		t->name[0] = '\0';
		hp_text_append(t->name, sizeof(t->name), name);
	}
	if (!hp_text_field(text, "PPid", &n))
		t->parent = (pid_t)n;
	if (!hp_text_field(text, "THP_enabled", &n))
		t->thp = n != 0;
	if (!hp_text_field(text, "Kthread", &n)) /* Linux 6.8 */
		t->kernel = n != 0;
	return 0;
}

/* without what the kernel adds when the file is gone */
static void read_exe(struct hp_target *t)
{
	static const char deleted[] = " (deleted)";
	char path[HP_TARGET_PATH];
	ssize_t n = readlink(hp_target_path(t->pid, "exe", path), t->exe,
			     sizeof(t->exe) - 1);
	char *end;

	t->exe[n > 0 ? n : 0] = '\0';
	end = strstr(t->exe, deleted);
	if (end && end[sizeof(deleted) - 1] == '\0')
		*end = '\0';
}

/* not in some chroots and sandboxes */
static bool has_proc(void)
{
	char text[16];

	return hp_textfile_read("/proc/self/stat", text, sizeof(text)) !=
	       -ENOENT;
}

int hp_target_look(pid_t pid, struct hp_target *out)
{
	char path[HP_TARGET_PATH];
	int ret;

	*out = (struct hp_target){.pid = pid, .thp = -1};
	ret = hp_textfile_lines(hp_target_path(pid, "status", path),
				read_status_line, out);
	if (ret == -ENOENT && !has_proc())
		return -ENODEV;
	if (ret < 0)
		return ret;
	read_exe(out);
	return 0;
}

/* the first argument, which others may read where the executable is hidden */
static bool is_started_as(pid_t pid, const char *name)
{
	char path[HP_TARGET_PATH], text[PATH_MAX];
	ssize_t n = hp_textfile_read(hp_target_path(pid, "cmdline", path), text,
				     sizeof(text));

	return (n > 0 || n == -EFBIG) && !strcmp(hp_text_base(text), name);
}

/* a name with a directory is the whole path of the executable */
static bool is_called(const struct hp_target *t, const char *name)
{
	if (strchr(name, '/'))
		return !strcmp(t->exe, name);
	return !strcmp(hp_text_base(t->exe), name) || !strcmp(t->name, name) ||
	       is_started_as(t->pid, name);
}

struct search {
	const char *name;
	void (*fn)(pid_t pid, void *arg);
	void *arg;
	int found;
};

static int match(const char *entry, void *arg)
{
	struct search *s = arg;
	struct hp_target t;
	const char *end;
	uint64_t pid;

	if (hp_text_u64(entry, &end, &pid) || *end || pid > INT_MAX ||
	    (pid_t)pid == getpid() || hp_target_look((pid_t)pid, &t))
		return 0;
	if (!t.kernel && is_called(&t, s->name)) {
		s->found++;
		s->fn(t.pid, s->arg);
	}
	return 0;
}

int hp_target_find(const char *name, void (*fn)(pid_t pid, void *arg),
		   void *arg)
{
	struct search s = {.name = name, .fn = fn, .arg = arg};
	int ret = hp_textfile_names("/proc", match, &s);

	if (ret == 0 && !has_proc())
		ret = -ENODEV;
	return ret < 0 ? ret : s.found;
}

const char *hp_target_obstacle(int err)
{
	switch (-err) {
	case ENOENT:
	case ESRCH:
		return "no such process";
	case ENODEV:
		return "/proc is not mounted here";
	case EACCES:
	case EPERM:
		return "not permitted: be its user, or have CAP_SYS_PTRACE";
	case ENODATA:
		return "it has no memory of its own: a kernel thread, or ended";
	default:
		return strerror(-err);
	}
}
