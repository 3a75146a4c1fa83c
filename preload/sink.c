/* SPDX-License-Identifier: MIT */
#include "preload/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "libhp/linux.h"
#include "libhp/sites_form.h"
#include "libhp/text.h"

/* what a descriptor led to when the program began; nothing: inode 0 */
struct remembered {
	int fd;
	struct hp_file_id id;
};

static const struct hp_context *context;
static struct remembered chosen, errors = {.fd = STDERR_FILENO};
static bool sandboxed, complained;

static void remember(struct remembered *it)
{
	if (hp_linux_file_id(it->fd, &it->id) < 0)
		it->id = (struct hp_file_id){0};
}

static bool was_open(const struct remembered *it)
{
	return it->id.device || it->id.inode;
}

static bool is_unchanged(const struct remembered *it)
{
	struct hp_file_id now;

	if (sandboxed)
		return true;
	return hp_linux_file_id(it->fd, &now) == 0 &&
	       now.device == it->id.device && now.inode == it->id.inode;
}

void hp_sink_init(const struct hp_context *c)
{
	const struct hp_report_option *r = &c->options.report;

	context = c;
	chosen.fd = r->sink == HP_SINK_FD ? r->fd : STDERR_FILENO;
	remember(&chosen);
	remember(&errors);
}

void hp_sink_keep(void)
{
	sandboxed = true;
}

void hp_sink_say(const char *line)
{
	if (is_unchanged(&errors))
		hp_linux_write(errors.fd, line, strlen(line));
}

/* strerrordesc_np() neither translates nor allocates */
static const char *why(int err)
{
	bool unread = err == -ENXIO || err == -EAGAIN;
	const char *text = unread ? "nobody reads it" : strerrordesc_np(-err);

	return text ? text : "unknown error";
}

static void complain(const char *what, const char *where, int err)
{
	char line[HP_PATH_MAX + 128] = "libhp: ";

	if (complained)
		return;
	complained = true;
	hp_text_append(line, sizeof(line) - 1, what);
	hp_text_append(line, sizeof(line) - 1, " '");
	hp_text_append(line, sizeof(line) - 1, where);
	hp_text_append(line, sizeof(line) - 1, "' not written: ");
	hp_text_append(line, sizeof(line) - 1, why(err));
	hp_text_append(line, sizeof(line), "\n");
	hp_sink_say(line);
}

static int expand(const char *pattern, char *path, size_t size)
{
	return hp_report_path(pattern, context->pid, context->exe, path, size);
}

static int print_to_path(const struct hp_report *r, enum hp_format format,
			 const char *path)
{
	int fd = hp_linux_create(path), ret;

	if (fd < 0)
		return fd;
	ret = hp_report_print(r, fd, format);
	if (ret < 0)
		hp_linux_truncate(fd, 0);
	hp_linux_close(fd);
	return ret;
}

static void write_to_path(const struct hp_report *r, enum hp_format format)
{
	const char *pattern = context->options.report.path;
	char path[2 * HP_PATH_MAX];
	int ret = expand(pattern, path, sizeof(path));

	if (ret == 0)
		ret = print_to_path(r, format, path);
	if (ret < 0)
		complain("report", pattern, ret);
}

/* closed by the program: it wants nothing there; never there: a mistake */
static void write_to_fd(const struct hp_report *r, enum hp_format format)
{
	char number[24] = "fd:";
	int ret = 0;

	if (!was_open(&chosen))
		ret = -EBADF;
	else if (is_unchanged(&chosen))
		ret = hp_report_print(r, chosen.fd, format);
	if (ret == 0 || chosen.fd == errors.fd)
		return;
	hp_text_append_u64(number, sizeof(number), (unsigned int)chosen.fd);
	complain("report", number, ret);
}

void hp_sink_write(const struct hp_report *r)
{
	const struct hp_report_option *to = &context->options.report;
	enum hp_format format = to->json ? HP_FORMAT_JSON : HP_FORMAT_TEXT;

	if (to->sink == HP_SINK_PATH && !sandboxed)
		write_to_path(r, format);
	else if (to->sink == HP_SINK_STDERR || to->sink == HP_SINK_FD)
		write_to_fd(r, format);
}

void hp_sink_export(void)
{
	const char *pattern = context->options.sites_path;
	char path[2 * HP_PATH_MAX];
	int ret;

	if (!pattern[0] || sandboxed)
		return;
	ret = expand(pattern, path, sizeof(path));
	if (ret == 0)
		ret = hp_sites_export(path);
	if (ret < 0)
		complain("call stacks", pattern, ret);
}
