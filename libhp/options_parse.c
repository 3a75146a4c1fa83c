/* SPDX-License-Identifier: MIT */
#include "libhp/options_value.h"

#include <limits.h>
#include <string.h>

#include "libhp/common.h"
#include "libhp/options_word.h"
#include "libhp/size.h"
#include "libhp/text.h"

#define BLOAT_MAX 10000
#define ITEM_SIZE 32 /* holds any valid item of a comma list */

static int parse_number(const char *text, uint64_t max, uint64_t *out)
{
	const char *end;
	uint64_t n;

	if (hp_text_u64(text, &end, &n) || *end != '\0' || n > max)
		return -EINVAL;
	*out = n;
	return 0;
}

static int copy_text(char *out, size_t size, const char *text)
{
	size_t len = strlen(text);

	if (len == 0 || len >= size)
		return -EINVAL;
	memcpy(out, text, len + 1);
	return 0;
}

/* calls @fn for every item of a comma list until one is refused */
static int each_item(const char *list, int (*fn)(const char *item, void *arg),
		     void *arg)
{
	char item[ITEM_SIZE];
	int ret;

	do {
		size_t len = strcspn(list, ",");

		if (len >= sizeof(item))
			return -EINVAL;
		memcpy(item, list, len);
		item[len] = '\0';
		ret = fn(item, arg);
		list += len;
	} while (ret == 0 && *list++ == ',');
	return ret;
}

static int parse_mode(struct hp_options *opt, const char *value)
{
	int i = hp_word_find(hp_mode_words, value);

	if (i < 0)
		return i;
	opt->mode = (enum hp_mode)i;
	return 0;
}

struct rungs {
	unsigned int n;
	size_t sizes[HP_LADDER_MAX];
};

/* no base page is smaller than 4 KiB, so "1" is not meant as a size */
static bool is_huge(size_t size)
{
	return hp_is_pow2(size) && size > 4 * HP_KIB;
}

static int parse_rung(const char *item, void *arg)
{
	struct rungs *rungs = arg;
	size_t size = HP_RUNG_THP;

	if (rungs->n == HP_LADDER_MAX)
		return -EINVAL;
	if (strcmp(item, "thp") != 0 &&
	    (hp_size_parse(item, &size) || !is_huge(size)))
		return -EINVAL;
	rungs->sizes[rungs->n++] = size;
	return 0;
}

static int parse_pages(struct hp_options *opt, const char *value)
{
	struct rungs rungs = {0};

	if (each_item(value, parse_rung, &rungs))
		return -EINVAL;
	opt->nrungs = rungs.n;
	memcpy(opt->rungs, rungs.sizes, sizeof(opt->rungs));
	return 0;
}

static int parse_mmap(struct hp_options *opt, const char *value)
{
	int i = hp_word_find(hp_mmap_words, value);

	if (i < 0)
		return i;
	opt->mmap = (enum hp_mmap_mode)i;
	return 0;
}

static int parse_start(struct hp_options *opt, const char *value)
{
	return hp_size_parse(value, &opt->start) ? -EINVAL : 0;
}

static int parse_bloat(struct hp_options *opt, const char *value)
{
	uint64_t n;

	if (parse_number(value, BLOAT_MAX, &n))
		return -EINVAL;
	opt->bloat = (unsigned int)n;
	return 0;
}

static int parse_require(struct hp_options *opt, const char *value)
{
	uint64_t n;

	if (parse_number(value, 100, &n))
		return -EINVAL;
	opt->require = (int)n;
	return 0;
}

/* a pattern's only per cent signs are %p, %e and %% */
static bool is_pattern(const char *path)
{
	while ((path = strchr(path, '%'))) {
		if (path[1] == '\0' || !strchr("pe%", path[1]))
			return false;
		path += 2;
	}
	return true;
}

static int parse_sink(struct hp_report_option *report, const char *text)
{
	const char *fd = hp_text_after(text, "fd:");
	uint64_t n;

	if (strcmp(text, "off") == 0) {
		report->sink = HP_SINK_OFF;
	} else if (strcmp(text, "stderr") == 0) {
		report->sink = HP_SINK_STDERR;
	} else if (fd) {
		if (parse_number(fd, INT_MAX, &n))
			return -EINVAL;
		report->sink = HP_SINK_FD;
		report->fd = (int)n;
	} else {
		if (!is_pattern(text))
			return -EINVAL;
		report->sink = HP_SINK_PATH;
		return copy_text(report->path, sizeof(report->path), text);
	}
	return 0;
}

static int parse_report(struct hp_options *opt, const char *value)
{
	const char *sink = hp_text_after(value, "json:");
	struct hp_report_option report = {.json = sink != NULL};

	if (parse_sink(&report, sink ? sink : value))
		return -EINVAL;
	opt->report = report;
	return 0;
}

/* "30s" */
static int parse_seconds(const char *text, unsigned int *out)
{
	const char *end;
	uint64_t n;

	if (hp_text_u64(text, &end, &n) || strcmp(end, "s") != 0)
		return -EINVAL;
	if (n == 0 || n > UINT_MAX)
		return -EINVAL;
	*out = (unsigned int)n;
	return 0;
}

static int parse_moment(const char *item, void *arg)
{
	struct hp_probe_option *probe = arg;
	const char *rest;

	if (strcmp(item, "exit") == 0) {
		probe->at_exit = true;
		return 0;
	}
	rest = hp_text_after(item, "signal:");
	if (rest) {
		probe->signal = hp_signal_number(rest);
		return probe->signal < 0 ? -EINVAL : 0;
	}
	rest = hp_text_after(item, "every:");
	return rest ? parse_seconds(rest, &probe->every) : -EINVAL;
}

static int parse_probe(struct hp_options *opt, const char *value)
{
	struct hp_probe_option probe = {0};

	if (strcmp(value, "off") != 0 && each_item(value, parse_moment, &probe))
		return -EINVAL;
	opt->probe = probe;
	return 0;
}

static bool ends(const char *text, const char *with)
{
	size_t len = strlen(text), tail = strlen(with);

	return len > tail && strcmp(text + len - tail, with) == 0;
}

static int parse_sites(struct hp_options *opt, const char *value)
{
	int i = hp_word_find(hp_flag_words, value);

	if (i < 0) {
		if ((!ends(value, ".heap") && !ends(value, ".folded")) ||
		    !is_pattern(value) ||
		    copy_text(opt->sites_path, sizeof(opt->sites_path), value))
			return -EINVAL;
		i = 1;
	} else {
		opt->sites_path[0] = '\0';
	}
	opt->sites = i;
	return 0;
}

static int parse_fork(struct hp_options *opt, const char *value)
{
	int i = hp_word_find(hp_fork_words, value);

	if (i < 0)
		return i;
	opt->fork = (enum hp_fork_mode)i;
	return 0;
}

static int parse_node(const char *item, void *arg)
{
	uint64_t *mask = arg, n;

	if (parse_number(item, HP_NODES_MAX - 1, &n))
		return -EINVAL;
	mask[n / 64] |= (uint64_t)1 << (n % 64);
	return 0;
}

static int parse_numa(struct hp_options *opt, const char *value)
{
	uint64_t mask[HP_NODES_MAX / 64] = {0};
	const char *nodes = hp_text_after(value, "bind:");
	int i = nodes ? HP_NUMA_BIND : hp_word_find(hp_numa_words, value);

	if (i < 0 || (i == HP_NUMA_BIND && !nodes))
		return -EINVAL;
	if (nodes && each_item(nodes, parse_node, mask))
		return -EINVAL;
	opt->numa = (enum hp_numa_mode)i;
	memcpy(opt->numa_nodes, mask, sizeof(mask));
	return 0;
}

/* base names with one colon between any two; a slash can never match */
static int parse_only(struct hp_options *opt, const char *value)
{
	size_t len = strlen(value);

	if (len == 0 || value[0] == ':' || value[len - 1] == ':')
		return -EINVAL;
	if (strchr(value, '/') || strstr(value, "::"))
		return -EINVAL;
	return copy_text(opt->only, sizeof(opt->only), value);
}

static int parse_inherit(struct hp_options *opt, const char *value)
{
	int i = hp_word_find(hp_flag_words, value);

	if (i < 0)
		return i;
	opt->inherit = i;
	return 0;
}

static int parse_result(struct hp_options *opt, const char *value)
{
	const char *path;
	uint64_t pid;

	if (hp_text_u64(value, &path, &pid) || pid == 0 || pid > INT_MAX)
		return -EINVAL;
	if (path[0] != ':' || path[1] != '/')
		return -EINVAL;
	if (copy_text(opt->result_path, sizeof(opt->result_path), path + 1))
		return -EINVAL;
	opt->result_pid = (int)pid;
	return 0;
}

int hp_option_parse(struct hp_options *opt, enum hp_option which,
		    const char *value)
{
	static int (*const parse[HP_OPTIONS])(struct hp_options * opt,
					      const char *value) = {
		[HP_OPTION_MODE] = parse_mode,
		[HP_OPTION_PAGES] = parse_pages,
		[HP_OPTION_MMAP] = parse_mmap,
		[HP_OPTION_START] = parse_start,
		[HP_OPTION_BLOAT] = parse_bloat,
		[HP_OPTION_REQUIRE] = parse_require,
		[HP_OPTION_REPORT] = parse_report,
		[HP_OPTION_PROBE] = parse_probe,
		[HP_OPTION_SITES] = parse_sites,
		[HP_OPTION_FORK] = parse_fork,
		[HP_OPTION_NUMA] = parse_numa,
		[HP_OPTION_ONLY] = parse_only,
		[HP_OPTION_INHERIT] = parse_inherit,
		[HP_OPTION_RESULT] = parse_result,
	};

	return parse[which](opt, value);
}
