/* SPDX-License-Identifier: MIT */
/*
 * hp.h - huge pages that are proven to be there
 *
 * Sizes and lengths are bytes. Functions return 0 (or a count) on success and
 * -errno on failure, touch no errno, print nothing and never exit. A *slot* is
 * one naturally aligned range of the size one page-middle-directory entry maps
 * (2 MiB on x86-64); hp_slot_size() tells.
 */
#ifndef HP_H
#define HP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HP_VERSION "0.1.0"

/* hp_version - the version of the library at run time, e.g. "0.1.0" */
const char *hp_version(void);

/**
 * hp_slot_size - bytes one slot spans on this machine
 *
 * From /sys/kernel/mm/transparent_hugepage/hpage_pmd_size, or derived from the
 * base page size where that file is missing.
 */
size_t hp_slot_size(void);

/* not known: the kernel could not be asked or would not say */
#define HP_BYTES_UNKNOWN UINT64_MAX

/**
 * enum hp_reason - why a slot is not huge; a closed list
 *
 * Every managed slot that is not huge has exactly one. One that is huge by THP
 * because a hugetlb page was refused keeps why: pool-empty, hugetlb-limit or
 * node-bound.
 */
enum hp_reason {
	HP_REASON_NONE,		 /* it is huge */
	HP_REASON_BELOW_START,	 /* below-start: LIBHP_START not yet reached */
	HP_REASON_NOT_TOUCHED,	 /* not-touched: no page present */
	HP_REASON_MODE_OFF,	 /* mode-off: LIBHP_MODE=off */
	HP_REASON_SYSFS_NEVER,	 /* sysfs-never: THP "never" */
	HP_REASON_SIZE_DISABLED, /* size-disabled: never for the PMD size */
	HP_REASON_PRCTL,	 /* prctl: PR_SET_THP_DISABLE */
	HP_REASON_UNALIGNED,	 /* unaligned: no whole slot in the mapping */
	HP_REASON_POOL_EMPTY,	 /* pool-empty: no free hugetlb page */
	HP_REASON_HUGETLB_LIMIT, /* hugetlb-limit: hugetlb cgroup */
	HP_REASON_MEMCG,	 /* memcg: memory cgroup */
	HP_REASON_NODE_BOUND,	 /* node-bound: none on the bound nodes */
	HP_REASON_NO_CONTIGUOUS, /* no-contiguous-memory: fragmentation */
	HP_REASON_SPLIT,      /* split-by-program: munmap, mprotect, madvise */
	HP_REASON_RELEASED,   /* released: libhp gave pages back */
	HP_REASON_AFTER_FORK, /* after-fork: copied on write, demoted */
	HP_REASON_PROGRAM_ADVICE, /* program-advice: its own MADV_NOHUGEPAGE */
	HP_REASON_UNKNOWN,	  /* unknown */
	HP_REASON_COUNT
};

/* hp_reason_text - the code as reports print it; NULL for HP_REASON_NONE */
const char *hp_reason_text(enum hp_reason reason);

/* how a backing was found out */
enum hp_source {
	HP_SOURCE_NONE,		/* nobody could be asked */
	HP_SOURCE_PAGEMAP_SCAN, /* Linux 6.7 and newer, exact to the page */
	HP_SOURCE_SMAPS,	/* no pagemap in /proc; whole mappings only */
	/*
	 * Before Linux 6.7, pagemap and smaps together: as exact, except that
	 * full slots of a mapping that has huge and small ones are unknown.
	 */
	HP_SOURCE_PAGEMAP,
};

/**
 * struct hp_backing - what the kernel maps a range with
 *
 * present + unknown + (what is not there) = the range. Bytes mapped by a PTE
 * are not huge, even if the folio behind them is; the huge zero page is not
 * present.
 */
struct hp_backing {
	uint64_t huge;	  /* mapped by a PMD (THP, file or shmem) or hugetlb */
	uint64_t hugetlb; /* of these, hugetlb */
	uint64_t present; /* mapped by anything */
	uint64_t unknown; /* could not be found out */
	enum hp_source source;
};

/**
 * hp_backing_query - ask the kernel how [@addr, @addr + @len) is mapped
 * @addr: any address; @len: any length; both rounded out to whole pages
 *
 * Costs about 40 us per GiB of huge and 0.6 ms per GiB of small pages, before
 * Linux 6.7 a walk of all memory of the process. Holes
 * and reserved (PROT_NONE) address space are not present. Thread-safe; opens
 * and closes descriptors; not for use after a sandbox forbade open(2).
 *
 * Return: 0, also when all is unknown; -EINVAL the range wraps around.
 */
int hp_backing_query(const void *addr, size_t len, struct hp_backing *out);

/* whole-process figures, from /proc/self/smaps_rollup or the sum of smaps */
struct hp_process_backing {
	uint64_t present; /* Rss + hugetlb */
	uint64_t huge;	  /* thp + hugetlb */
	uint64_t hugetlb; /* Private_Hugetlb + Shared_Hugetlb */
	uint64_t thp;	  /* AnonHugePages + ShmemPmdMapped + FilePmdMapped */
};

/**
 * hp_process_query - the figures of process @pid, 0 for the caller
 *
 * Return: 0; -EACCES, -ENOENT, -ESRCH… as the kernel said, @out untouched.
 */
int hp_process_query(int pid, struct hp_process_backing *out);

/* hp_pages_needed - whole slots that hold @bytes; -ERANGE never, 0 for 0 */
size_t hp_pages_needed(size_t bytes);

/**
 * hp_promote - make huge pages of the present small ones in a range, now
 *
 * Whole slots inside the range are advised and collapsed (MADV_COLLAPSE, Linux
 * 6.1), one by one, so one failure does not stop the rest. May take
 * milliseconds per slot; call it with no lock of yours held.
 *
 * Return: slots that are huge afterwards; -EINVAL no whole slot in the range
 * or a kernel without the call.
 */
long hp_promote(void *addr, size_t len);

/* one rung of a ladder */
#define HP_THP ((size_t)0)

enum hp_region_flags {
	HP_REGION_STRICT = 1 << 0,   /* first rung for all of it or -ENOMEM */
	HP_REGION_SHARED = 1 << 1,   /* memfd behind it; see hp_region_fd() */
	HP_REGION_PREFAULT = 1 << 2, /* touched before the call returns */
};

/**
 * struct hp_region_want - what to ask for; zero is a good default
 */
struct hp_region_want {
	const size_t *ladder; /* page sizes in bytes, HP_THP, best first */
	size_t nladder;	      /* 0: LIBHP_PAGES, or thp */
	size_t align;  /* of start - offset, power of two; at least a slot */
	size_t offset; /* (start - offset) % slot == 0; whole base pages */
	unsigned int flags;    /* HP_REGION_* */
	unsigned int threads;  /* for prefault; 0: as many as CPUs */
	const uint64_t *nodes; /* NUMA nodes to bind to, bit mask, or NULL */
	size_t nnodes;	       /* words of it */
	/* called now and then by one thread while prefaulting */
	void (*progress)(size_t done, size_t total, void *arg);
	void *progress_arg;
};

struct hp_region;

/**
 * hp_region_open - map a span backed by the largest pages that can be had
 * @out:  receives the region; untouched on failure
 * @len:  bytes wanted; rounded up to whole pages of the kind obtained
 * @want: ladder, strictness, nodes, alignment; NULL for defaults
 *
 * Hugetlb slots are populated before the call returns, so a short pool fails
 * here and never by SIGBUS later (MADV_POPULATE_WRITE, Linux 5.14; private
 * ones are moved into place, Linux 5.16). Strict THP is touched, collapsed where
 * need be, and proven. The caller owns the region: hp_region_close().
 * Thread-safe; not signal-safe.
 *
 * Return: 0; -EINVAL len is 0, overflows, or a bad alignment, size, flag or
 * node; -ENOMEM no memory, or the strict kind cannot be had; -EPERM, -ENOSYS a
 * container or kernel that forbids mbind(2).
 */
int hp_region_open(struct hp_region **out, size_t len,
		   const struct hp_region_want *want);
void *hp_region_addr(const struct hp_region *region);
size_t hp_region_len(const struct hp_region *region);
/* descriptor of a shared region, owned by it; -EBADF for a private one */
int hp_region_fd(const struct hp_region *region);
/**
 * hp_region_reason - why slot @index is not on the first kind of page asked for
 *
 * As known when it was mapped: a slot that a later rung took may be huge all
 * the same, and hp_backing_query() tells. Slot 0 holds the first byte, whole
 * or not. Return: HP_REASON_NONE nothing stood against it; HP_REASON_UNKNOWN
 * no such slot.
 */
enum hp_reason hp_region_reason(const struct hp_region *region, size_t index);
void hp_region_close(struct hp_region *region);

/**
 * struct hp_stats - what libhp manages in this process
 *
 * HP_BYTES_UNKNOWN where the kernel could not be asked.
 */
struct hp_source_stats {
	uint64_t present, huge, unknown; /* bytes */
	uint64_t used;			 /* bytes handed to the program */
	uint64_t slots;
};

struct hp_stats {
	struct hp_process_backing process; /* all UNKNOWN if not readable */
	struct hp_source_stats managed, heap, mmap, region;
	uint64_t reasons[HP_REASON_COUNT]; /* slots */
};

/* hp_stats_read - ask the kernel and the tables; thread-safe */
int hp_stats_read(struct hp_stats *out);

enum hp_format { HP_FORMAT_TEXT, HP_FORMAT_JSON };

/**
 * hp_report_write - what hp_stats_read() found, for people or machines
 * @fd: an open descriptor; not closed
 *
 * JSON is one object of schema "libhp.report/1".
 */
int hp_report_write(int fd, enum hp_format format);

/**
 * hp_guest_blocks - slots of a guest's memory that stage 2 can map huge
 * @hva: where the hypervisor maps it; @gpa: guest-physical address; @len: bytes
 *
 * A slot counts when it is whole inside the range, @hva and @gpa are congruent
 * modulo the slot, and the kernel maps it with one PMD (or hugetlb) now:
 * conditions of KVM's stage-2 block mapping.
 *
 * Return: slots; -EINVAL the range wraps; -ENODATA the kernel cannot be asked.
 */
long hp_guest_blocks(const void *hva, uint64_t gpa, size_t len);

#ifdef __cplusplus
}
#endif

#endif
