/* SPDX-License-Identifier: MIT */
#include "libhp/options_value.h"

#include <string.h>

#include "libhp/options_word.h"
#include "libhp/size.h"
#include "libhp/text.h"

/* what does not fit is dropped */
struct out {
	char *buf;
	size_t size;
};

static void put(struct out *out, const char *text)
{
	hp_text_append(out->buf, out->size, text);
}

static void put_number(struct out *out, uint64_t n)
{
	hp_text_append_u64(out->buf, out->size, n);
}

static void put_comma(struct out *out, bool first)
{
	if (!first)
		put(out, ",");
}

static void print_pages(const struct hp_options *opt, struct out *out)
{
	char size[HP_SIZE_TEXT];

	for (unsigned int i = 0; i < opt->nrungs; i++) {
		put_comma(out, i == 0);
		if (opt->rungs[i] == HP_RUNG_THP)
			put(out, "thp");
		else
			put(out, hp_size_format(opt->rungs[i], size));
	}
}

static void print_start(const struct hp_options *opt, struct out *out)
{
	char size[HP_SIZE_TEXT];

	put(out, hp_size_format(opt->start, size));
}

static void print_require(const struct hp_options *opt, struct out *out)
{
	if (opt->require < 0)
		put(out, "none");
	else
		put_number(out, (uint64_t)opt->require);
}

static void print_report(const struct hp_options *opt, struct out *out)
{
	const struct hp_report_option *report = &opt->report;

	if (report->json)
		put(out, "json:");
	switch (report->sink) {
	case HP_SINK_OFF:
		put(out, "off");
		break;
	case HP_SINK_STDERR:
		put(out, "stderr");
		break;
	case HP_SINK_FD:
		put(out, "fd:");
		put_number(out, (uint64_t)report->fd);
		break;
	case HP_SINK_PATH:
		put(out, report->path);
		break;
	}
}

static void print_probe(const struct hp_options *opt, struct out *out)
{
	const struct hp_probe_option *probe = &opt->probe;

	if (probe->at_exit)
		put(out, "exit");
	if (probe->signal) {
		put_comma(out, out->buf[0] == '\0');
		put(out, "signal:");
		put(out, hp_signal_name(probe->signal));
	}
	if (probe->every) {
		put_comma(out, out->buf[0] == '\0');
		put(out, "every:");
		put_number(out, probe->every);
		put(out, "s");
	}
	if (out->buf[0] == '\0')
		put(out, "off");
}

static void print_numa(const struct hp_options *opt, struct out *out)
{
	bool first = true;

	put(out, hp_numa_words[opt->numa]);
	if (opt->numa != HP_NUMA_BIND)
		return;
	put(out, ":");
	for (unsigned int i = 0; i < HP_NODES_MAX; i++) {
		if (!(opt->numa_nodes[i / 64] >> (i % 64) & 1))
			continue;
		put_comma(out, first);
		put_number(out, i);
		first = false;
	}
}

static void print_result(const struct hp_options *opt, struct out *out)
{
	if (!opt->result_pid) {
		put(out, "none");
		return;
	}
	put_number(out, (uint64_t)opt->result_pid);
	put(out, ":");
	put(out, opt->result_path);
}

static void print(const struct hp_options *opt, enum hp_option which,
		  struct out *out)
{
	switch (which) {
	case HP_OPTION_MODE:
		put(out, hp_mode_words[opt->mode]);
		break;
	case HP_OPTION_PAGES:
		print_pages(opt, out);
		break;
	case HP_OPTION_MMAP:
		put(out, hp_mmap_words[opt->mmap]);
		break;
	case HP_OPTION_START:
		print_start(opt, out);
		break;
	case HP_OPTION_BLOAT:
		put_number(out, opt->bloat);
		break;
	case HP_OPTION_REQUIRE:
		print_require(opt, out);
		break;
	case HP_OPTION_REPORT:
		print_report(opt, out);
		break;
	case HP_OPTION_PROBE:
		print_probe(opt, out);
		break;
	case HP_OPTION_SITES:
		put(out, opt->sites_path[0] ? opt->sites_path
					    : hp_flag_words[opt->sites]);
		break;
	case HP_OPTION_FORK:
		put(out, hp_fork_words[opt->fork]);
		break;
	case HP_OPTION_NUMA:
		print_numa(opt, out);
		break;
	case HP_OPTION_ONLY:
		put(out, opt->only[0] ? opt->only : "every program");
		break;
	case HP_OPTION_INHERIT:
		put(out, hp_flag_words[opt->inherit]);
		break;
	case HP_OPTION_RESULT:
		print_result(opt, out);
		break;
	case HP_OPTIONS:
		break;
	}
}

char *hp_option_print(const struct hp_options *opt, enum hp_option which,
		      char *buf, size_t size)
{
	struct out out = {.buf = buf, .size = size};

	buf[0] = '\0';
	print(opt, which, &out);
	return buf;
}
