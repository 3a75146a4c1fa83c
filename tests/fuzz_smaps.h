/* SPDX-License-Identifier: MIT */
/*
 * fuzz_smaps.h - the kernel's own description of every page a sequence owns
 *
 * Protection, sharing and the flags a program can set; not those libhp is
 * there to set (hg, nh) nor what follows from placement.
 */
#ifndef TESTS_FUZZ_SMAPS_H
#define TESTS_FUZZ_SMAPS_H

#include <fcntl.h>

#include "tests/fuzz_area.h"

struct vma {
	unsigned long start, end;
	char perms[8];
	char flags[64];
};

static struct vma vmas[4096];
static unsigned int nvmas;
static char smaps[4 << 20];

static inline void read_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t len = 0;
	ssize_t n;

	do {
		n = read(fd, smaps + len, sizeof(smaps) - 1 - len);
		len += n > 0 ? (size_t)n : 0;
	} while (n > 0 || (n < 0 && errno == EINTR));
	close(fd);
	smaps[len] = '\0';
}

static inline void keep_flags(struct vma *v, const char *line)
{
	static const char *const kept[] = {"lo", "dc", "wf", "dd", "mg",
					   "gd", "sr", "rr", "um"};

	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++)
		if (strstr(line, kept[i]))
			strcat(v->flags, kept[i]);
}

static inline void parse_line(char *line)
{
	struct vma v = {0};

	if (sscanf(line, "%lx-%lx %4s", &v.start, &v.end, v.perms) == 3 &&
	    nvmas < 4096)
		vmas[nvmas++] = v;
	else if (!strncmp(line, "VmFlags:", 8) && nvmas)
		keep_flags(&vmas[nvmas - 1], line + 8);
}

static inline void read_vmas(bool flags)
{
	read_file(flags ? "/proc/self/smaps" : "/proc/self/maps");
	nvmas = 0;
	for (char *line = smaps, *end; (end = strchr(line, '\n'));
	     line = end + 1) {
		*end = '\0';
		parse_line(line);
	}
}

static inline const struct vma *vma_of(const char *addr)
{
	for (unsigned int i = 0; i < nvmas; i++)
		if ((unsigned long)addr < vmas[i].end)
			return (unsigned long)addr >= vmas[i].start ? &vmas[i]
								    : NULL;
	return NULL;
}

static inline bool same_vma(const struct vma *a, const struct vma *b)
{
	return a && b ? !strcmp(a->perms, b->perms) &&
				!strcmp(a->flags, b->flags)
		      : a == b;
}

/* runs of equal pages, however the kernel has cut them into mappings */
static inline void note_vmas(bool flags)
{
	read_vmas(flags);
	for (unsigned int i = 0; i < AREAS; i++) {
		const struct vma *last = NULL;

		if (areas[i].pages)
			note("maps %u:", i);
		for (unsigned int p = 0; p < areas[i].pages; p++) {
			const struct vma *v;

			if (!areas[i].state[p])
				continue;
			v = vma_of(areas[i].addr + p * page_size);
			if (p == 0 || !areas[i].state[p - 1] ||
			    !same_vma(v, last))
				note(" %u=%s%s", p, v ? v->perms : "none",
				     v ? v->flags : "");
			last = v;
		}
		if (areas[i].pages)
			note("\n");
	}
}

#endif
