/* SPDX-License-Identifier: MIT */
/* JSON reports of every sort, one a line, for tests/report.sh */
#include "tests/figures.h"

static int print(const struct figures *f)
{
	return hp_report_print(&f->report, 1, HP_FORMAT_JSON);
}

static void put_sites(struct hp_json *json)
{
	hp_json_open(json, "sites", '[');
	hp_json_close(json, ']');
}

static int print_odd(struct figures *f)
{
	strcpy(f->report.exe, "\"\\\x7f\x80 \xf0\x9f\x90\xa7");
	f->report.probe = "{}";
	f->report.sites = put_sites;
	f->options.require = 100;
	f->options.nrungs = 3;
	f->options.rungs[0] = HP_GIB;
	f->options.rungs[1] = 2 * HP_MIB;
	f->options.rungs[2] = HP_RUNG_THP;
	f->pagesizes.npools = 2;
	f->pagesizes.pools[0].size = HP_GIB;
	f->pagesizes.pools[1].size = 2 * HP_MIB;
	for (int i = 1; i < HP_REASON_COUNT; i++)
		f->stats.reasons[i] = (uint64_t)1 << i;
	return print(f);
}

int main(void)
{
	struct figures f;
	int err = 0;

	for (uint64_t huge = 0; huge <= 52; huge += 26) {
		figures_make(&f, huge);
		err |= print(&f);
	}
	err |= print_odd(&f);
	figures_forget(&f);
	err |= print(&f);
	f.report.options = NULL;
	f.report.when = NULL;
	f.report.exe[0] = '\0';
	err |= print(&f);
	err |= hp_report_write(1, HP_FORMAT_JSON);
	return err ? 1 : 0;
}
