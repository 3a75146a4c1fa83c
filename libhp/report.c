/* SPDX-License-Identifier: MIT */
#include "libhp/report.h"

#include <string.h>

#include "libhp/common.h"
#include "libhp/linux.h"
#include "libhp/report_form.h"
#include "libhp/textfile.h"

/* parts in ten thousand; @present must not be 0 */
static int coverage(uint64_t huge, uint64_t present)
{
	return (int)((unsigned __int128)huge * 10000 / present);
}

static enum hp_verdict grade(uint64_t huge, uint64_t present)
{
	int part = present > 0 ? coverage(huge, present) : 0;

	if (part >= 9000)
		return HP_VERDICT_HUGE;
	return part >= 100 ? HP_VERDICT_PARTIAL : HP_VERDICT_NONE;
}

enum hp_verdict hp_report_verdict(const struct hp_report *r)
{
	const struct hp_source_stats *m = &r->stats->managed;
	enum hp_verdict worst, best;

	if (m->present == HP_BYTES_UNKNOWN || m->huge == HP_BYTES_UNKNOWN)
		return HP_VERDICT_UNKNOWN;
	worst = grade(m->huge, m->present + m->unknown);
	best = grade(m->huge + m->unknown, m->present + m->unknown);
	if (worst != best)
		return HP_VERDICT_UNKNOWN;
	if (r->options && r->options->mode == HP_MODE_OFF && m->huge == 0)
		return HP_VERDICT_OFF;
	return worst;
}

const char *hp_report_verdict_text(enum hp_verdict verdict)
{
	static const char *const texts[] = {
		[HP_VERDICT_HUGE] = "huge",
		[HP_VERDICT_PARTIAL] = "partial",
		[HP_VERDICT_NONE] = "none",
		[HP_VERDICT_OFF] = "off",
		[HP_VERDICT_UNKNOWN] = "unknown",
	};

	return texts[verdict];
}

int hp_report_coverage(const struct hp_report *r)
{
	const struct hp_process_backing *p = &r->stats->process;

	if (p->present == HP_BYTES_UNKNOWN || p->huge == HP_BYTES_UNKNOWN ||
	    p->present == 0)
		return -1;
	return coverage(p->huge, p->present);
}

enum hp_met hp_report_met(const struct hp_report *r)
{
	int covered = hp_report_coverage(r);

	if (!r->options || r->options->require < 0)
		return HP_MET_NOT_ASKED;
	if (covered < 0)
		return HP_MET_UNKNOWN;
	return covered >= r->options->require * 100 ? HP_MET_YES : HP_MET_NO;
}

struct hp_pool hp_report_pool(const struct hp_report *r, unsigned int i)
{
	struct hp_pool pool = r->pagesizes->pools[i];

	if (r->sandboxed || hp_pool_read(&pool))
		pool.total = pool.free = pool.reserved = pool.surplus =
			HP_UNKNOWN;
	return pool;
}

int hp_report_print(const struct hp_report *r, int fd, enum hp_format format)
{
	struct hp_out out;

	hp_out_open(&out, fd);
	if (format == HP_FORMAT_JSON)
		hp_report_json(r, &out);
	else
		hp_report_text(r, &out);
	return hp_out_close(&out);
}

static void read_exe(char *out, size_t size)
{
	if (hp_textfile_read("/proc/self/comm", out, size) < 0)
		out[0] = '\0';
	out[strcspn(out, "\n")] = '\0';
}

HP_EXPORT int hp_report_write(int fd, enum hp_format format)
{
	struct hp_pagesizes ps;
	struct hp_stats stats;
	struct hp_report r = {
		.pagesizes = &ps,
		.stats = &stats,
		.pid = hp_linux_getpid(),
		.when = "now",
	};

	if (format != HP_FORMAT_TEXT && format != HP_FORMAT_JSON)
		return -EINVAL;
	hp_pagesizes_read(&ps);
	hp_stats_collect(&stats, &ps);
	read_exe(r.exe, sizeof(r.exe));
	return hp_report_print(&r, fd, format);
}
