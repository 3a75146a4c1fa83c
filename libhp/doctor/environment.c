/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libhp/common.h"
#include "libhp/doctor/elf.h"
#include "libhp/doctor/exam.h"
#include "libhp/textfile.h"
#include "libhp/tool/json.h"
#include "preload/quote.h"

/* settings of other allocators, which do nothing once malloc is libhp's */
static const struct setting {
	const char *name;
	const char *part; /* of its value, or NULL: any */
	const char *means;
} settings[] = {
	{"GLIBC_TUNABLES", "glibc.malloc.",
	 "glibc's malloc is not used under hprun, so its tunables do nothing"},
	{"MALLOC_CONF", NULL,
	 "libhp's jemalloc is set up by libhp; this may change it"},
	{"HUGETLB_MORECORE", NULL,
	 "libhugetlbfs' heap does nothing since glibc 2.34"},
	{"HUGETLB_ELFMAP", NULL,
	 "libhugetlbfs remaps the program's own segments"},
};

static void exam_settings(struct hp_exam *x)
{
	struct hp_finding *f = hp_finding_add(&x->found, "env.allocator",
					      HP_STATE_OK, "%s", "");
	char text[96];

	for (size_t i = 0; i < HP_ARRAY_SIZE(settings); i++) {
		const struct setting *s = &settings[i];
		const char *value = getenv(s->name);

		if (!value || (s->part && !strstr(value, s->part)))
			continue;
		hp_finding_extend(f, s->name);
		f->state = HP_STATE_LIMITS;
		hp_finding_means_too(f, "%s", s->means);
		hp_finding_own_fix(f, "unset %s", s->name);
		hp_finding_data(f, s->name,
				hp_tool_json_text(hp_quote_line(value, text,
								sizeof(text))));
	}
	if (!f->value[0])
		hp_finding_extend(f, "nothing set for other allocators");
}

static bool is_ours(const char *library)
{
	return hp_text_after(hp_text_base(library), "libhp-preload.so") != NULL;
}

struct loaded {
	const char *name; /* without a directory */
	const char *path;
};

static int match_loaded(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct loaded *l = arg;

	(void)size;
	if (strcmp(hp_text_base(info->dlpi_name), l->name))
		return 0;
	l->path = info->dlpi_name;
	return 1;
}

/* a name without a directory is the loader's to find: it has done so for us */
static int defines_malloc(const char *library)
{
	struct loaded l = {.name = library, .path = library};

	if (!strchr(library, '/') && !dl_iterate_phdr(match_loaded, &l))
		return -ENOENT;
	return hp_elf_defines(l.path, "malloc");
}

static void judge_library(struct hp_finding *f, const char *library)
{
	char text[96];
	int ret = defines_malloc(library);

	hp_finding_extend(
		f, hp_quote_line(hp_text_base(library), text, sizeof(text)));
	if (is_ours(library) || ret == 0)
		return;
	if (ret < 0) {
		if (f->state == HP_STATE_OK)
			f->state = HP_STATE_UNKNOWN;
		hp_finding_means_too(f, "%s could not be looked into: %s", text,
				     strerror(-ret));
		return;
	}
	f->state = HP_STATE_LIMITS;
	hp_finding_means_too(f,
			     "%s has a malloc, too: only the library named "
			     "first is used",
			     text);
}

/* ld.so(8): blanks and colons stand between the names */
static void judge_list(struct hp_finding *f, const char *list, const char *ends)
{
	char library[1024];

	while (*(list += strspn(list, ends))) {
		size_t len = strcspn(list, ends);

		snprintf(library, sizeof(library), "%.*s", (int)len, list);
		judge_library(f, library);
		list += len;
	}
}

static int judge_line(char *text, void *arg)
{
	struct hp_finding *f = arg;

	text[strcspn(text, "#")] = '\0';
	judge_list(f, text, " \t:");
	return 0;
}

static void exam_preload(struct hp_exam *x)
{
	struct hp_finding *f =
		hp_finding_add(&x->found, "env.preload", HP_STATE_OK, "%s", "");
	const char *list = getenv("LD_PRELOAD");

	if (list)
		judge_list(f, list, " :");
	if (f->state == HP_STATE_LIMITS)
		hp_finding_own_fix(f, "unset LD_PRELOAD");
	hp_textfile_lines("/etc/ld.so.preload", judge_line, f);
	if (!f->value[0])
		hp_finding_extend(f, "no library is preloaded");
	if (f->state == HP_STATE_LIMITS && !f->fix[0])
		hp_finding_advice(f, "take it out of /etc/ld.so.preload");
}

/* the options of libhp as set, and those whose value is none */
static void exam_own(struct hp_exam *x)
{
	struct hp_finding *f =
		hp_finding_add(&x->found, "env.libhp", HP_STATE_OK, "%s", "");
	struct hp_options scratch;
	char name[64], shown[64], text[160];

	hp_options_default(&scratch);

	for (const char *const *n = hp_options_names; *n; n++) {
		const char *value;

		snprintf(name, sizeof(name), "LIBHP_%s", *n);
		value = getenv(name);
		if (!value)
			continue;
		hp_quote_line(value, shown, sizeof(shown));
		snprintf(text, sizeof(text), "%s=%s", name, shown);
		hp_finding_extend(f, text);
		hp_finding_data(f, name, hp_tool_json_text(shown));
		if (hp_options_set(&scratch, name, value) == 0)
			continue;
		f->state = HP_STATE_LIMITS;
		hp_finding_means_too(f, "%s is not used: it takes %s", name,
				     hp_options_accepts(name));
		hp_finding_own_fix(f, "unset %s", name);
	}
	if (!f->value[0])
		hp_finding_extend(f, "defaults");
	if (x->options.mode == HP_MODE_OFF) {
		hp_finding_limits(f);
		hp_finding_means_too(f, "mode off: libhp keeps off huge pages");
		hp_finding_own_fix(f, "unset LIBHP_MODE");
	}
}

void hp_exam_environment(struct hp_exam *x)
{
	exam_settings(x);
	exam_preload(x);
	exam_own(x);
}
