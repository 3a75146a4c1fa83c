/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "libhp/common.h"
#include "libhp/doctor/exam.h"
#include "libhp/size.h"
#include "libhp/textfile.h"

#define THP "/sys/kernel/mm/transparent_hugepage/"
#define KHUGEPAGED THP "khugepaged/"

/* a word of a THP file, and what it does to memory that was advised */
struct word {
	const char *word;
	enum hp_state state;
	const char *means;
};

static void judge_word(struct hp_finding *f, const struct word *words, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (strcmp(words[i].word, f->value))
			continue;
		f->state = words[i].state;
		hp_finding_means(f, "%s", words[i].means);
		return;
	}
	f->state = HP_STATE_UNKNOWN;
	hp_finding_means(f, "a word this version does not know");
}

/* the chosen word as the value; unknown when the file does not tell */
static struct hp_finding *read_word(struct hp_exam *x, const char *id,
				    const char *path, const struct word *words,
				    size_t n)
{
	char word[32];
	struct hp_finding *f;
	int ret = hp_textfile_choice(path, word, sizeof(word));

	if (ret)
		return hp_finding_unreadable(&x->found, id, path, ret);
	f = hp_finding_add(&x->found, id, HP_STATE_OK, "%s", word);
	judge_word(f, words, n);
	hp_finding_data(f, "mode", json_object_new_string(word));
	return f;
}

static void exam_enabled(struct hp_exam *x)
{
	static const struct word words[] = {
		{"always", HP_STATE_OK, "all memory may be huge"},
		{"madvise", HP_STATE_OK, "memory that asks may be huge"},
		{"never", HP_STATE_LIMITS,
		 "no page fault gives a huge page, whatever is asked"},
	};
	struct hp_finding *f = read_word(x, "thp.enabled", THP "enabled", words,
					 HP_ARRAY_SIZE(words));

	if (f->state != HP_STATE_LIMITS)
		return;
	hp_finding_fix(f, "echo madvise >%senabled", THP);
	/* a setting of the size itself wins */
	if (x->ps.thp_pmd == HP_THP_ALWAYS || x->ps.thp_pmd == HP_THP_MADVISE) {
		f->state = HP_STATE_OK;
		hp_finding_means(f, "overruled by the setting for slots");
		f->fix[0] = '\0';
	}
}

/* the setting of one size, absent before Linux 6.8 */
static void exam_slot_size(struct hp_exam *x)
{
	static const struct word words[] = {
		{"inherit", HP_STATE_OK, "the setting above counts"},
		{"always", HP_STATE_OK, "all memory may be huge"},
		{"madvise", HP_STATE_OK, "memory that asks may be huge"},
		{"never", HP_STATE_LIMITS,
		 "pages of a slot's size are switched off"},
	};
	char path[128];
	struct hp_finding *f;

	snprintf(path, sizeof(path), THP "hugepages-%zukB/enabled",
		 x->ps.pmd / HP_KIB);
	if (x->ps.thp != HP_THP_UNKNOWN && x->ps.thp_pmd == HP_THP_INHERIT &&
	    hp_textfile_choice(path, (char[16]){0}, 16) == -ENOENT)
		return;
	f = read_word(x, "thp.size", path, words, HP_ARRAY_SIZE(words));
	if (f->state == HP_STATE_LIMITS)
		hp_finding_fix(f, "echo inherit >%s", path);
}

static void exam_defrag(struct hp_exam *x)
{
	static const struct word words[] = {
		{"always", HP_STATE_OK,
		 "every fault makes room, and may stall"},
		{"defer+madvise", HP_STATE_OK,
		 "faults in advised memory make room"},
		{"madvise", HP_STATE_OK, "faults in advised memory make room"},
		{"defer", HP_STATE_LIMITS,
		 "a fault takes a small page when none is free, and wakes "
		 "compaction"},
		{"never", HP_STATE_LIMITS,
		 "a fault takes a small page when no huge one is free"},
	};
	struct hp_finding *f = read_word(x, "thp.defrag", THP "defrag", words,
					 HP_ARRAY_SIZE(words));

	if (f->state == HP_STATE_LIMITS)
		hp_finding_fix(f, "echo madvise >%sdefrag", THP);
}

static int number(const char *path, uint64_t *out)
{
	*out = HP_UNKNOWN;
	return hp_textfile_u64(path, out);
}

static double scan_rate(const struct hp_exam *x, uint64_t pages, uint64_t ms)
{
	return (double)pages * (double)x->ps.base / (double)HP_MIB * 1000 /
	       (double)(ms ? ms : 1);
}

static void exam_khugepaged(struct hp_exam *x)
{
	uint64_t none, pages, ms, defrag;
	struct hp_finding *f;
	int ret = number(KHUGEPAGED "max_ptes_none", &none);

	if (ret) {
		hp_finding_unreadable(&x->found, "thp.khugepaged",
				      KHUGEPAGED "max_ptes_none", ret);
		return;
	}
	number(KHUGEPAGED "pages_to_scan", &pages);
	number(KHUGEPAGED "scan_sleep_millisecs", &ms);
	number(KHUGEPAGED "defrag", &defrag);
	f = hp_finding_add(&x->found, "thp.khugepaged", HP_STATE_OK,
			   "max_ptes_none %ju", (uintmax_t)none);
	if (pages != HP_UNKNOWN && ms != HP_UNKNOWN)
		hp_finding_means(f, "looks at %.1f MiB/s at most",
				 scan_rate(x, pages, ms));
	hp_finding_data(f, "max_ptes_none", hp_json_count(none));
	hp_finding_data(f, "pages_to_scan", hp_json_count(pages));
	hp_finding_data(f, "scan_sleep_millisecs", hp_json_count(ms));
	hp_finding_data(f, "defrag", hp_json_count(defrag));
	if (defrag == 0) {
		hp_finding_limits(f);
		hp_finding_means(f, "it makes no room when none is free");
		hp_finding_fix(f, "echo 1 >%sdefrag", KHUGEPAGED);
	}
}

/*
 * mm/huge_memory.c, thp_underused(): under memory pressure a huge page with
 * more zero-filled small pages than max_ptes_none is split, so 511 of 512 spare
 * all of them.
 */
static void exam_shrink(struct hp_exam *x)
{
	static const char id[] = "thp.shrink_underused";
	static const char path[] = THP "shrink_underused";
	uint64_t on, none;
	struct hp_finding *f;
	int ret = number(path, &on);

	if (ret == -ENOENT && x->ps.thp != HP_THP_UNKNOWN) {
		hp_finding_add(&x->found, id, HP_STATE_OK,
			       "not in this kernel");
		return;
	}
	if (ret) {
		hp_finding_unreadable(&x->found, id, path, ret);
		return;
	}
	f = hp_finding_add(&x->found, id, HP_STATE_OK, "%ju", (uintmax_t)on);
	hp_finding_data(f, "on", json_object_new_boolean(on != 0));
	number(KHUGEPAGED "max_ptes_none", &none);
	if (!on || none >= x->ps.pmd / x->ps.base - 1) {
		hp_finding_means(f, "%s",
				 on ? "spares all with max_ptes_none "
				      "as it is"
				    : "off");
		return;
	}
	f->state = HP_STATE_LIMITS;
	hp_finding_means(f,
			 "short of memory, the kernel splits huge pages with "
			 "more than %ju zero small ones",
			 (uintmax_t)none);
	hp_finding_fix(f, "echo 0 >%s", path);
}

static const char *mode_text(enum hp_thp_mode mode)
{
	static const char *const words[] = {
		[HP_THP_UNKNOWN] = "unknown", [HP_THP_ALWAYS] = "always",
		[HP_THP_INHERIT] = "inherit", [HP_THP_MADVISE] = "madvise",
		[HP_THP_NEVER] = "never",
	};

	return words[mode];
}

static void exam_small_sizes(struct hp_exam *x)
{
	struct hp_finding *f;
	char size[HP_SIZE_TEXT], text[48];

	if (x->ps.nmthp == 0)
		return;
	f = hp_finding_add(&x->found, "thp.smaller", HP_STATE_OK, "%s", "");
	for (unsigned int i = 0; i < x->ps.nmthp; i++) {
		const struct hp_mthp *m = &x->ps.mthp[i];

		hp_size_format(m->size, size);
		hp_finding_data(f, size,
				json_object_new_string(mode_text(m->mode)));
		if (m->mode == HP_THP_NEVER)
			continue;
		snprintf(text, sizeof(text), "%s %s", size, mode_text(m->mode));
		hp_finding_extend(f, text);
	}
	if (f->value[0])
		hp_finding_means(f, "not counted as huge");
	else
		hp_finding_extend(f, "all never");
}

void hp_exam_thp(struct hp_exam *x)
{
	exam_enabled(x);
	exam_slot_size(x);
	exam_defrag(x);
	exam_khugepaged(x);
	exam_shrink(x);
	exam_small_sizes(x);
}
