/* SPDX-License-Identifier: MIT */
/*
 * smaps.h - /proc/PID/smaps and smaps_rollup, a mapping at a time
 *
 * Reads fields by name, so that kernels with fewer or more of them do not
 * matter (Documentation/filesystems/proc.rst). Walking smaps makes the kernel
 * visit every page: 12 ms per GiB of small pages. Nothing allocates.
 */
#ifndef HP_SMAPS_H
#define HP_SMAPS_H

#include <stdbool.h>
#include <stdint.h>

#define HP_SMAPS_NAME 128

/* one mapping; of smaps_rollup, which has but one, the whole process */
struct hp_smaps {
	uint64_t start, end;
	uint64_t rss;	  /* bytes present, hugetlb not among them */
	uint64_t thp;	  /* of these, mapped by a PMD: anon, shmem, file */
	uint64_t hugetlb; /* bytes of hugetlb pages present */
	bool is_hugetlb;  /* a hugetlb mapping, present or not */
	bool shared;	  /* MAP_SHARED */
	bool file;	  /* has an inode: a file, shmem or hugetlb */
	bool advised;	  /* MADV_HUGEPAGE */
	bool refused;	  /* MADV_NOHUGEPAGE */
	char name[HP_SMAPS_NAME]; /* as the kernel prints it, cut; may be "" */
};

/**
 * hp_smaps_visit - call @fn for every mapping, ascending
 *
 * Return: 0; -ENODATA no mapping in the file, or one without Rss; -EINVAL a
 * figure that is none; else what open(2) or read(2) said. @fn may have been
 * called before an error shows.
 */
int hp_smaps_visit(const char *path,
		   void (*fn)(const struct hp_smaps *mapping, void *arg),
		   void *arg);

/**
 * hp_smaps_visit_self - the same for the calling process
 * @file: "smaps" or "smaps_rollup"
 */
int hp_smaps_visit_self(const char *file,
			void (*fn)(const struct hp_smaps *mapping, void *arg),
			void *arg);

#endif
