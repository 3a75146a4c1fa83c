/* SPDX-License-Identifier: MIT */
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "libhp/common.h"
#include "preload/program.h"

#define SEGMENTS_MAX 64
#define OWN_CLASS (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32)

static char *in_directory(const char *directory, size_t len, const char *name)
{
	struct stat st;
	char *path;

	if (asprintf(&path, "%.*s%s%s", (int)len, directory, len ? "/" : "",
		     name) < 0)
		return NULL;
	if (!access(path, X_OK) && !stat(path, &st) && S_ISREG(st.st_mode))
		return path;
	free(path);
	return NULL;
}

char *hp_program_find(const char *name)
{
	const char *path = getenv("PATH");
	char *found = NULL;

	if (strchr(name, '/'))
		return in_directory("", 0, name);
	for (path = path ? path : "/bin:/usr/bin"; !found; path++) {
		size_t len = strcspn(path, ":");

		found = in_directory(path, len, name);
		path += len;
		if (!*path)
			break;
	}
	return found;
}

static bool is_privileged(const char *path)
{
	struct stat st;

	if (getxattr(path, "security.capability", NULL, 0) > 0)
		return geteuid() != 0;
	if (stat(path, &st))
		return false;
	return ((st.st_mode & S_ISUID) && st.st_uid != geteuid()) ||
	       ((st.st_mode & S_ISGID) && st.st_gid != getegid());
}

static enum hp_obstacle by_loader(int fd, const ElfW(Phdr) * interp)
{
	char loader[256] = "";

	if (interp->p_filesz < sizeof(loader) &&
	    pread(fd, loader, interp->p_filesz, (off_t)interp->p_offset) > 0 &&
	    !strstr(loader, "/ld-linux"))
		return HP_OBSTACLE_OTHER_LIBC;
	return HP_OBSTACLE_NONE_SEEN;
}

static enum hp_obstacle by_segments(int fd, const ElfW(Ehdr) * head)
{
	ElfW(Phdr) segments[SEGMENTS_MAX];
	size_t size = head->e_phnum * sizeof(segments[0]);

	if (head->e_phnum > SEGMENTS_MAX ||
	    pread(fd, segments, size, (off_t)head->e_phoff) != (ssize_t)size)
		return HP_OBSTACLE_NONE_SEEN;
	for (unsigned int i = 0; i < head->e_phnum; i++)
		if (segments[i].p_type == PT_INTERP)
			return by_loader(fd, &segments[i]);
	return HP_OBSTACLE_STATIC;
}

static enum hp_obstacle by_header(int fd)
{
	ElfW(Ehdr) head, own;
	int self = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	bool known = self >= 0 && read(self, &own, sizeof(own)) == sizeof(own);

	if (self >= 0)
		close(self);
	if (read(fd, &head, sizeof(head)) != sizeof(head) ||
	    memcmp(head.e_ident, ELFMAG, SELFMAG))
		return HP_OBSTACLE_NONE_SEEN;
	if (head.e_ident[EI_CLASS] != OWN_CLASS ||
	    (known && head.e_machine != own.e_machine))
		return HP_OBSTACLE_OTHER_CLASS;
	return by_segments(fd, &head);
}

enum hp_obstacle hp_program_obstacle(const char *path)
{
	enum hp_obstacle obstacle;
	int fd;

	if (is_privileged(path))
		return HP_OBSTACLE_PRIVILEGED;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return HP_OBSTACLE_NONE_SEEN;
	obstacle = by_header(fd);
	close(fd);
	return obstacle;
}

const char *hp_obstacle_text(enum hp_obstacle obstacle)
{
	switch (obstacle) {
	case HP_OBSTACLE_STATIC:
		return "it is statically linked";
	case HP_OBSTACLE_PRIVILEGED:
		return "it is set-user-ID or has file capabilities";
	case HP_OBSTACLE_OTHER_LIBC:
		return "its loader is not glibc's";
	case HP_OBSTACLE_OTHER_CLASS:
		return "it is for another architecture";
	case HP_OBSTACLE_NONE_SEEN:
		break;
	}
	return "the loader left it out, as it does for static, set-user-ID and "
	       "non-glibc programs";
}
