/* SPDX-License-Identifier: MIT */
/*
 * hpprobe_granule.c - the granule command, for people and as CSV
 */
#include "probe/hpprobe_granule.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

enum { SIZE_TEXT = 24 };

/* three figures and a unit, as entries times granule is seldom round */
static const char *size_text(double size, char *buf)
{
	static const char unit[] = " KMGTP";
	int u = 0;

	while (size >= 1024 && u < 5) {
		size /= 1024;
		u++;
	}
	snprintf(buf, SIZE_TEXT, "%.*f%.1s",
		 size < 10 && size != floor(size) ? 1 : 0, size,
		 u ? unit + u : "");
	return buf;
}

static void put_range(FILE *out, const struct hp_granule_range *r, bool bytes)
{
	char value[SIZE_TEXT], lo[SIZE_TEXT], hi[SIZE_TEXT];

	if (r->value <= 0)
		fprintf(out, "%10s %16s", "-", "");
	else if (bytes)
		fprintf(out, "%10s [%6s %6s]", size_text(r->value, value),
			size_text(r->lo, lo), size_text(r->hi, hi));
	else
		fprintf(out, "%10.0f [%6.0f %6.0f]", r->value, r->lo, r->hi);
}

static void put_level(FILE *out, size_t i, const struct hp_granule_level *level)
{
	fprintf(out, "  level %zu", i + 1);
	put_range(out, &level->entries, false);
	put_range(out, &level->reach, true);
	put_range(out, &level->granule, true);
	fprintf(out, "%8.2f  %s\n", level->ns,
		hp_granule_diagnosis_name(level->diagnosis));
}

static void put_finding(FILE *out, const struct hp_granule_finding *f)
{
	const struct hp_granule_result *r = &f->result;
	char claimed[SIZE_TEXT], effective[SIZE_TEXT];

	fprintf(out, "%s: claimed %s, effective %s, %s: %s\n", f->pages,
		size_text((double)f->claim.claimed, claimed),
		r->effective ? size_text((double)r->effective, effective)
			     : "unknown",
		hp_granule_diagnosis_name(r->diagnosis), r->reason);
	if (f->reason[0])
		fprintf(out, "  %s\n", f->reason);
	for (size_t i = 0; i < r->len; i++)
		put_level(out, i, &r->level[i]);
}

static void put_chunks(FILE *out, const struct hp_granule_study *study)
{
	unsigned int kept = 0, total = 0;

	for (size_t i = 0; i < study->nfindings; i++)
		for (size_t pass = 0; pass < 2; pass++) {
			kept += study->findings[i].chunks[pass].kept;
			total += study->findings[i].chunks[pass].total;
		}
	fprintf(out, "%u of %u chunks kept, %.0f s\n", kept, total,
		study->elapsed_s);
}

static void write_text(FILE *out, const struct hp_granule_study *study)
{
	fprintf(out, "%s, %s%s\n", study->machine.cpu_model,
		study->machine.kernel,
		study->machine.hypervisor == 1 ? ", virtual machine" : "");
	fprintf(out, "%9s%10s %-16s%10s %-16s%10s %-16s%8s\n", "", "entries",
		"  between", "reach", "  between", "granule", "  between",
		"ns/miss");
	for (size_t i = 0; i < study->nfindings; i++)
		put_finding(out, &study->findings[i]);
	put_chunks(out, study);
	if (study->interrupted)
		fprintf(out, "stopped before all was measured\n");
}

static void csv_number(FILE *out, double value)
{
	if (isfinite(value) && value > 0)
		fprintf(out, ",%.6g", value);
	else
		fputc(',', out);
}

static void csv_range(FILE *out, const struct hp_granule_range *r)
{
	csv_number(out, r->value);
	csv_number(out, r->lo);
	csv_number(out, r->hi);
}

static void csv_line(FILE *out, const struct hp_granule_finding *f, size_t i)
{
	static const struct hp_granule_level none;
	const struct hp_granule_level *level =
		i < f->result.len ? &f->result.level[i] : &none;

	fprintf(out, "granule,%s,%s,%zu", f->pages,
		f->backing.verified ? "true" : "false", f->claim.claimed);
	csv_number(out, (double)f->result.effective);
	fprintf(out, ",%s", hp_granule_diagnosis_name(f->result.diagnosis));
	csv_number(out, i < f->result.len ? (double)i + 1 : NAN);
	csv_range(out, &level->entries);
	csv_range(out, &level->reach);
	csv_range(out, &level->granule);
	csv_number(out, level->ns);
	fprintf(out, ",\"%s\"\n", f->reason[0] ? f->reason : f->result.reason);
}

void hp_write_granule_csv(FILE *out, const struct hp_granule_study *study)
{
	fprintf(out, "command,pages,verified,claimed,effective,diagnosis,level,"
		     "entries,entries_lo,entries_hi,reach,reach_lo,reach_hi,"
		     "granule,granule_lo,granule_hi,ns,reason\n");
	for (size_t i = 0; i < study->nfindings; i++) {
		const struct hp_granule_finding *f = &study->findings[i];
		size_t lines = f->result.len ? f->result.len : 1;

		for (size_t k = 0; k < lines; k++)
			csv_line(out, f, k);
	}
}

static void write_study(const struct hp_cli *cli, FILE *out,
			const struct hp_granule_study *study)
{
	switch (cli->format) {
	case HP_OUTPUT_JSON:
		hp_write_granule_json(out, study);
		break;
	case HP_OUTPUT_CSV:
		hp_write_granule_csv(out, study);
		break;
	case HP_OUTPUT_TEXT:
		write_text(out, study);
	}
}

static int study_take(const struct hp_cli *cli, struct hp_granule_study **study)
{
	struct hp_probe_options options = cli->options;
	int err;

	options.stop = &hp_cli_stop;
	if (!cli->quiet)
		options.announce = hp_cli_announce;
	if (!cli->quiet && isatty(STDERR_FILENO))
		options.progress = hp_cli_progress;
	err = hp_probe_granule(&options, study);
	if (options.progress)
		hp_cli_progress_clear();
	return err;
}

/* What a script must notice even if it does not read the study. */
static int judge(const struct hp_granule_study *study)
{
	for (size_t i = 0; i < study->nfindings; i++)
		if (study->findings[i].reason[0])
			fprintf(stderr, "hpprobe: %s: %s\n",
				study->findings[i].pages,
				study->findings[i].reason);
	return study->conclusions_valid ? HP_EXIT_OK : HP_EXIT_USAGE;
}

int hp_cli_granule(const struct hp_cli *cli)
{
	struct hp_granule_study *study;
	FILE *out = hp_cli_open(cli);
	int err, status;

	if (!out)
		return HP_EXIT_IMPOSSIBLE;
	err = study_take(cli, &study);
	if (err) {
		hp_cli_close(cli, out);
		return hp_cli_fail(cli, err);
	}
	write_study(cli, out, study);
	err = hp_cli_close(cli, out);
	status = judge(study);
	hp_granule_study_free(study);
	return err ? err : status;
}
