/* SPDX-License-Identifier: MIT */
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "libhp/common.h"
#include "preload/program.h"

#define SEGMENTS_MAX 64

/* hprun's own, by the linker */
extern const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden")));

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

/* the kernel then executes it as an ordinary program */
static bool gains_nothing(const char *path)
{
	struct statvfs fs;

	return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ||
	       (!statvfs(path, &fs) && (fs.f_flag & ST_NOSUID));
}

static bool is_privileged(const char *path)
{
	const mode_t set_group = S_ISGID | S_IXGRP;
	struct stat st;

	if (stat(path, &st) || gains_nothing(path))
		return false;
	if (getxattr(path, "security.capability", NULL, 0) > 0)
		return geteuid() != 0;
	return ((st.st_mode & S_ISUID) && st.st_uid != geteuid()) ||
	       ((st.st_mode & set_group) == set_group &&
		st.st_gid != getegid());
}

/* "/ld64.so" on POWER and System z, "/ld.so." on MIPS */
static bool is_of_glibc(const char *loader)
{
	return strstr(loader, "/ld-linux") || strstr(loader, "/ld64.so.") ||
	       strstr(loader, "/ld.so.");
}

static enum hp_obstacle by_loader(int fd, const ElfW(Phdr) * interp)
{
	char loader[256] = "";

	if (interp->p_filesz < sizeof(loader) &&
	    pread(fd, loader, interp->p_filesz, (off_t)interp->p_offset) > 0 &&
	    !is_of_glibc(loader))
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
	ElfW(Ehdr) head;

	if (read(fd, &head, sizeof(head)) != sizeof(head) ||
	    memcmp(head.e_ident, ELFMAG, SELFMAG))
		return HP_OBSTACLE_NONE_SEEN;
	if (head.e_ident[EI_CLASS] != __ehdr_start.e_ident[EI_CLASS] ||
	    head.e_machine != __ehdr_start.e_machine)
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
