/* SPDX-License-Identifier: MIT */
#include "libhp/options_word.h"

#include <signal.h>
#include <string.h>

#include "libhp/common.h"
#include "libhp/options.h"

const char *const hp_mode_words[] = {
	[HP_MODE_TRY] = "try",
	[HP_MODE_ON] = "on",
	[HP_MODE_OFF] = "off",
	NULL,
};

const char *const hp_mmap_words[] = {
	[HP_MMAP_PACK] = "pack",
	[HP_MMAP_ALIGN] = "align",
	[HP_MMAP_OFF] = "off",
	NULL,
};

const char *const hp_fork_words[] = {
	[HP_FORK_AUTO] = "auto",
	[HP_FORK_SHARE] = "share",
	[HP_FORK_DEMOTE] = "demote",
	NULL,
};

const char *const hp_numa_words[] = {
	[HP_NUMA_LOCAL] = "local",
	[HP_NUMA_INTERLEAVE] = "interleave",
	[HP_NUMA_BIND] = "bind",
	NULL,
};

const char *const hp_flag_words[] = {"0", "1", NULL};

static const struct {
	const char *name;
	int number;
} signals[] = {
	{"HUP", SIGHUP},   {"USR1", SIGUSR1}, {"USR2", SIGUSR2},
	{"URG", SIGURG},   {"IO", SIGIO},     {"WINCH", SIGWINCH},
	{"PROF", SIGPROF}, {"PWR", SIGPWR},
};

int hp_word_find(const char *const *words, const char *text)
{
	for (int i = 0; words[i]; i++)
		if (strcmp(text, words[i]) == 0)
			return i;
	return -EINVAL;
}

int hp_signal_number(const char *name)
{
	for (size_t i = 0; i < HP_ARRAY_SIZE(signals); i++)
		if (strcmp(name, signals[i].name) == 0)
			return signals[i].number;
	return -EINVAL;
}

const char *hp_signal_name(int number)
{
	for (size_t i = 0; i < HP_ARRAY_SIZE(signals); i++)
		if (signals[i].number == number)
			return signals[i].name;
	return NULL;
}
