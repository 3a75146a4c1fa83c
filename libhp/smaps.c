/* SPDX-License-Identifier: MIT */
#include "libhp/smaps.h"

#include <string.h>

#include "libhp/common.h"
#include "libhp/textfile.h"

/* the mapping being read, and whom to tell when it is complete */
struct reader {
	struct hp_smaps now;
	bool open;    /* a header line was seen */
	bool has_rss; /* so the figures are to be trusted */
	void (*fn)(const struct hp_smaps *mapping, void *arg);
	void *arg;
};

/* where a field of smaps is added up */
static const struct field {
	const char *name;
	size_t offset;
} fields[] = {
	{"Rss", offsetof(struct hp_smaps, rss)},
	{"AnonHugePages", offsetof(struct hp_smaps, thp)},
	{"ShmemPmdMapped", offsetof(struct hp_smaps, thp)},
	{"FilePmdMapped", offsetof(struct hp_smaps, thp)},
	{"Shared_Hugetlb", offsetof(struct hp_smaps, hugetlb)},
	{"Private_Hugetlb", offsetof(struct hp_smaps, hugetlb)},
};

/* only lower case: field names begin with a capital, "Anon…" among them */
static const char *parse_hex(const char *text, uint64_t *out)
{
	uint64_t n = 0;
	const char *p = text;

	for (;; p++) {
		if (*p >= '0' && *p <= '9')
			n = n * 16 + (uint64_t)(*p - '0');
		else if (*p >= 'a' && *p <= 'f')
			n = n * 16 + (uint64_t)(*p - 'a') + 10;
		else
			break;
	}
	*out = n;
	return p > text ? p : NULL;
}

static const char *skip_blanks(const char *p)
{
	while (*p == ' ')
		p++;
	return p;
}

static const char *skip_word(const char *p)
{
	while (*p && *p != ' ')
		p++;
	return skip_blanks(p);
}

/* behind the addresses: "r--p 00000000 fd:00 1234      /usr/bin/true" */
static void parse_rest(const char *text, struct hp_smaps *out)
{
	const char *p = skip_blanks(text);

	out->shared = strnlen(p, 4) == 4 && p[3] == 's';
	p = skip_word(skip_word(skip_word(p)));
	out->file = *p && *p != '0';
	p = skip_word(p);
	out->name[0] = '\0';
	hp_text_append(out->name, sizeof(out->name), p);
}

/* "55d0c0a00000-55d0c0a02000 r--p …" */
static bool parse_header(const char *text, struct hp_smaps *out)
{
	uint64_t start, end;
	const char *p = parse_hex(text, &start);

	if (!p || *p != '-')
		return false;
	p = parse_hex(p + 1, &end);
	if (!p || *p != ' ')
		return false;
	*out = (struct hp_smaps){.start = start, .end = end};
	parse_rest(p, out);
	return true;
}

static int finish(struct reader *r)
{
	if (!r->open)
		return 0;
	if (!r->has_rss)
		return -ENODATA;
	r->now.is_hugetlb |= r->now.hugetlb > 0;
	r->fn(&r->now, r->arg);
	return 0;
}

static int add_kib(uint64_t *sum, uint64_t kib)
{
	uint64_t bytes;

	if (__builtin_mul_overflow(kib, 1024, &bytes) ||
	    __builtin_add_overflow(*sum, bytes, sum))
		return -EINVAL;
	return 0;
}

static int read_field(struct reader *r, const char *text)
{
	uint64_t kib;

	for (size_t i = 0; i < HP_ARRAY_SIZE(fields); i++) {
		int ret = hp_text_field(text, fields[i].name, &kib);

		if (ret == -ENODATA)
			continue;
		if (ret < 0)
			return ret;
		r->has_rss |=
			fields[i].offset == offsetof(struct hp_smaps, rss);
		return add_kib((uint64_t *)((char *)&r->now + fields[i].offset),
			       kib);
	}
	return 0;
}

static int read_line(char *text, void *arg)
{
	struct reader *r = arg;
	struct hp_smaps next;
	int ret;

	if (parse_header(text, &next)) {
		ret = finish(r);
		r->now = next;
		r->open = true;
		r->has_rss = false;
		return ret;
	}
	if (!strncmp(text, "VmFlags:", 8)) {
		r->now.is_hugetlb = strstr(text, " ht") != NULL;
		r->now.advised = strstr(text, " hg") != NULL;
		r->now.refused = strstr(text, " nh") != NULL;
		return 0;
	}
	return read_field(r, text);
}

int hp_smaps_visit(const char *path,
		   void (*fn)(const struct hp_smaps *mapping, void *arg),
		   void *arg)
{
	struct reader r = {.fn = fn, .arg = arg};
	int ret = hp_textfile_lines(path, read_line, &r);

	if (ret < 0)
		return ret;
	return r.open ? finish(&r) : -ENODATA;
}

static int visit_in(const char *dir, const char *file,
		    void (*fn)(const struct hp_smaps *mapping, void *arg),
		    void *arg)
{
	char path[48] = "/proc/";

	hp_text_append(path, sizeof(path), dir);
	hp_text_append(path, sizeof(path), file);
	return hp_smaps_visit(path, fn, arg);
}

/* self is empty once the first thread has left; gVisor has no thread-self */
int hp_smaps_visit_self(const char *file,
			void (*fn)(const struct hp_smaps *mapping, void *arg),
			void *arg)
{
	int ret = visit_in("thread-self/", file, fn, arg);

	return ret == -ENOENT ? visit_in("self/", file, fn, arg) : ret;
}
