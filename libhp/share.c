/* SPDX-License-Identifier: MIT */
#include "libhp/share.h"

#include <string.h>

#include "libhp/altstack.h"
#include "libhp/cgroup.h"
#include "libhp/linux.h"
#include "libhp/textfile.h"

/* code, stacks and tables come first, and a quarter is for small pages */
#define MOST_BESIDE (8 * HP_MIB)

/* what is left is not asked for again so soon */
#define FRESH_MS 100

/* more processes of one name than these are not told apart */
#define SIBLINGS_MAX 64

#define NAME_SIZE 32

/* reading takes two buffers of a page each, a path, and what is around them */
#define STACK_SIZE (32 * HP_KIB)

static struct hp_cgroup group; /* whose limit binds */
static const char *limit_file;
static struct hp_altstack stack;

/* of what was left when the files were last read; racing threads may both take
 * it, which a quarter is kept back for */
static struct {
	uint64_t until_ms, left;
} granted;

static uint64_t most_of(uint64_t limit)
{
	return limit > MOST_BESIDE ? (limit - MOST_BESIDE) / 4 * 3 : 1;
}

void hp_share_init(struct hp_start *start, uint64_t limit)
{
	/* short of memory itself the kernel hands out less, and kills nobody */
	if (limit >= hp_linux_ram())
		return;
	start->most = most_of(limit);
	if (hp_cgroup_find(&group, "memory"))
		return;
	limit_file = group.v2 ? "memory.max" : "memory.limit_in_bytes";
	if (hp_cgroup_tightest(&group, limit_file) == HP_CGROUP_UNKNOWN)
		limit_file = NULL;
	else
		hp_altstack_open(&stack, STACK_SIZE);
}

static int file_of_group(char *path, size_t size, const char *name)
{
	path[0] = '\0';
	if (hp_text_append(path, size, group.dir) ||
	    hp_text_append(path, size, "/"))
		return -1;
	return hp_text_append(path, size, name);
}

/* what cannot be dropped as the cache of files can */
static int anonymous_line(char *text, void *arg)
{
	const char *number =
		hp_text_after(text, group.v2 ? "anon " : "total_rss ");

	return number && hp_text_u64(number, NULL, arg) == 0;
}

static bool room_left(uint64_t *out)
{
	char path[sizeof(group.dir) + 64];
	uint64_t limit, used;

	if (file_of_group(path, sizeof(path), limit_file) ||
	    hp_textfile_u64(path, &limit) ||
	    file_of_group(path, sizeof(path), "memory.stat") ||
	    hp_textfile_lines(path, anonymous_line, &used) != 1)
		return false;
	used += MOST_BESIDE;
	*out = limit > used ? limit - used : 0;
	return true;
}

struct siblings {
	char name[NAME_SIZE];
	uint64_t n;
};

/* pid 0: in no namespace of ours */
static int sibling_line(char *text, void *arg)
{
	char path[NAME_SIZE] = "/proc/", name[NAME_SIZE];
	struct siblings *s = arg;

	if (hp_text_append(path, sizeof(path), text) ||
	    hp_text_append(path, sizeof(path), "/comm"))
		return 0;
	s->n += hp_textfile_read(path, name, sizeof(name)) > 0 &&
		strcmp(name, s->name) == 0;
	return s->n == SIBLINGS_MAX;
}

/* processes of this name in the group: workers, that may all grow at once */
static uint64_t siblings(void)
{
	char path[sizeof(group.dir) + 64];
	struct siblings s = {.n = 0};

	if (hp_textfile_read("/proc/self/comm", s.name, sizeof(s.name)) > 0 &&
	    !file_of_group(path, sizeof(path), "cgroup.procs"))
		hp_textfile_lines(path, sibling_line, &s);
	return hp_max(s.n, 1);
}

static uint64_t resident(void)
{
	char text[128];
	uint64_t pages;
	const char *end;

	if (hp_textfile_read("/proc/self/statm", text, sizeof(text)) < 0 ||
	    hp_text_u64(text, &end, &pages) || *end != ' ' ||
	    hp_text_u64(end + 1, NULL, &pages))
		return 0;
	return pages * hp_linux_page_size();
}

/* each of them sees what was left before the others filled theirs, and some
 * began when there were fewer */
static uint64_t part_of(uint64_t room, uint64_t n)
{
	return n == 1 ? room / 4 * 3 : room / (2 * n);
}

struct share {
	uint64_t advised, left;
};

/* of what is left, less what was advised and may still be filled */
static void ask(void *arg)
{
	struct share *s = arg;
	uint64_t filled = resident(), room, pending;

	if (!room_left(&room))
		return;
	room = part_of(room, siblings());
	pending = s->advised > filled ? s->advised - filled : 0;
	s->left = room > pending ? room - pending : 0;
}

static bool take(uint64_t left, uint64_t bytes, uint64_t until_ms)
{
	if (bytes > left)
		return false;
	HP_WRITE_ONCE(granted.left, left - bytes);
	HP_WRITE_ONCE(granted.until_ms, until_ms);
	return true;
}

void hp_share_forked(void)
{
	granted.until_ms = 0;
	hp_altstack_forked(&stack);
}

void hp_share_keep(struct hp_start *start)
{
	HP_WRITE_ONCE(start->sealed, true);
	hp_altstack_keep(&stack);
}

bool hp_share_affords(const struct hp_start *start, uint64_t bytes)
{
	struct share s = {.left = UINT64_MAX};
	uint64_t now, until;

	if (start->most == 0)
		return true;
	s.advised = HP_READ_ONCE(start->slots) + HP_READ_ONCE(start->mapped);
	if (s.advised + bytes > start->most)
		return false;
	if (!limit_file || HP_READ_ONCE(start->sealed))
		return true;
	now = hp_linux_now_ms();
	until = HP_READ_ONCE(granted.until_ms);
	if (now < until && take(HP_READ_ONCE(granted.left), bytes, until))
		return true;
	return hp_altstack_run(&stack, ask, &s) &&
	       take(s.left, bytes, now + FRESH_MS);
}
