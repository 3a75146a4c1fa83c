/* SPDX-License-Identifier: MIT */
#include "libhp/cgroup.h"

#include <string.h>

#include "libhp/common.h"
#include "libhp/textfile.h"

#define DIR_SIZE sizeof(((struct hp_cgroup *)0)->dir)

/*
 * v1 writes "no limit" as the largest page count times the page size, rounded
 * down to its own granule: a little below 2^63.
 */
#define V1_NO_LIMIT ((uint64_t)1 << 62)

/* is @word one of a comma list that ends at @end? */
static bool has_word(const char *list, const char *end, const char *word)
{
	size_t len = strlen(word);

	while (list < end) {
		const char *comma = memchr(list, ',', (size_t)(end - list));

		if (!comma)
			comma = end;
		if ((size_t)(comma - list) == len && !memcmp(list, word, len))
			return true;
		list = comma + 1;
	}
	return false;
}

struct search {
	const char *controller;
	struct hp_cgroup *out;
	bool found;
	char group[DIR_SIZE]; /* in its hierarchy */
};

/* "4:memory:/a/b" or, for v2, "0::/a/b" of /proc/self/cgroup */
static int match_group(char *text, void *arg)
{
	struct search *s = arg;
	char *names = strchr(text, ':');
	char *end = names ? strchr(++names, ':') : NULL;
	bool v1, v2 = hp_text_after(text, "0::");

	if (!end || end[1] != '/')
		return 0;
	v1 = has_word(names, end, s->controller);
	if (!v1 && !v2)
		return 0;
	s->group[0] = '\0';
	if (hp_text_append(s->group, sizeof(s->group), end + 1))
		return -ENAMETOOLONG;
	s->found = true;
	s->out->v2 = v2;
	return v1; /* v1 wins over a v2 group seen before or after */
}

static int octal(const char *p)
{
	int n = 0;

	for (int i = 0; i < 3; i++) {
		if (p[i] < '0' || p[i] > '7')
			return -1;
		n = n * 8 + (p[i] - '0');
	}
	return n;
}

/* mountinfo writes blanks and backslashes as \040 and the like; in place */
static void unescape(char *text)
{
	char *to = text;

	for (; *text; to++) {
		int c = *text == '\\' ? octal(text + 1) : -1;

		*to = c < 0 ? *text : (char)c;
		text += c < 0 ? 1 : 4;
	}
	*to = '\0';
}

/* cuts the next blank-separated field off @text; NULL when there is none */
static char *next_field(char **text)
{
	char *field = *text, *end;

	if (!field || *field == '\0')
		return NULL;
	end = strchr(field, ' ');
	if (end)
		*end++ = '\0';
	*text = end;
	return field;
}

struct mount {
	char *root, *point, *type, *options;
};

/* "31 23 0:28 /root /point rw shared:1 - type source options" */
static bool split_mount(char *text, struct mount *out)
{
	char *tail = strstr(text, " - ");

	if (!tail)
		return false;
	*tail = '\0';
	tail += 3;
	for (int i = 0; i < 3; i++)
		next_field(&text);
	out->root = next_field(&text);
	out->point = next_field(&text);
	out->type = next_field(&tail);
	next_field(&tail);
	out->options = next_field(&tail);
	return out->root && out->point && out->options;
}

static bool is_hierarchy(const struct mount *m, const struct search *s)
{
	if (s->out->v2)
		return strcmp(m->type, "cgroup2") == 0;
	return strcmp(m->type, "cgroup") == 0 &&
	       has_word(m->options, m->options + strlen(m->options),
			s->controller);
}

/*
 * The part of the group's path below the mount. A group outside of the mount
 * ("/..", or the host's path in a container) has no files to read here; the
 * best that can be known is then the limit of what is mounted.
 */
static const char *below_root(const char *root, const char *group)
{
	const char *rest = group;

	if (strcmp(root, "/") != 0)
		rest = hp_text_after(group, root);
	if (!rest || *rest != '/' || rest[1] == '\0' ||
	    hp_text_after(rest, "/.."))
		return "";
	return rest;
}

/* the first mount of the hierarchy; a cut or foreign line does not matter */
static int match_mount(char *text, void *arg)
{
	struct search *s = arg;
	struct hp_cgroup *out = s->out;
	struct mount m;
	const char *below;

	if (!split_mount(text, &m) || !is_hierarchy(&m, s))
		return 0;
	unescape(m.root);
	unescape(m.point);
	below = below_root(m.root, s->group);
	out->nroot = strlen(m.point);
	out->dir[0] = '\0';
	if (hp_text_append(out->dir, sizeof(out->dir), m.point) ||
	    hp_text_append(out->dir, sizeof(out->dir), below))
		return -ENAMETOOLONG;
	return 1;
}

int hp_cgroup_find(struct hp_cgroup *out, const char *controller)
{
	struct search s = {.controller = controller, .out = out};
	int ret = hp_textfile_lines("/proc/self/cgroup", match_group, &s);

	if (ret < 0)
		return ret;
	if (!s.found)
		return -ENOENT;
	ret = hp_textfile_lines("/proc/self/mountinfo", match_mount, &s);
	if (ret < 0)
		return ret;
	return ret ? 0 : -ENOENT;
}

static int read_number(const char *dir, const char *name, uint64_t *out)
{
	char path[DIR_SIZE + 64] = "";

	if (hp_text_append(path, sizeof(path), dir) ||
	    hp_text_append(path, sizeof(path), "/") ||
	    hp_text_append(path, sizeof(path), name))
		return -ENAMETOOLONG;
	return hp_textfile_u64(path, out);
}

/* "max" is no number, and so no limit */
static uint64_t room_in(const char *dir, const char *limit, const char *usage)
{
	uint64_t max, used = 0;

	if (read_number(dir, limit, &max) || max >= V1_NO_LIMIT)
		return HP_CGROUP_UNKNOWN;
	if (usage && read_number(dir, usage, &used))
		return HP_CGROUP_UNKNOWN;
	return max > used ? max - used : 0;
}

uint64_t hp_cgroup_room(const struct hp_cgroup *cgroup, const char *limit,
			const char *usage)
{
	struct hp_cgroup at = *cgroup;
	uint64_t least = room_in(at.dir, limit, usage);

	while (strlen(at.dir) > at.nroot) {
		*strrchr(at.dir, '/') = '\0';
		least = hp_min(least, room_in(at.dir, limit, usage));
	}
	return least;
}

uint64_t hp_cgroup_tightest(struct hp_cgroup *cgroup, const char *limit)
{
	struct hp_cgroup at = *cgroup;
	uint64_t least = room_in(at.dir, limit, NULL);

	while (strlen(at.dir) > at.nroot) {
		uint64_t room;

		*strrchr(at.dir, '/') = '\0';
		room = room_in(at.dir, limit, NULL);
		if (room < least) {
			least = room;
			cgroup->dir[strlen(at.dir)] = '\0';
		}
	}
	return least;
}
