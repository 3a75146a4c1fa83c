/* SPDX-License-Identifier: MIT */
#include "probe/contest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probe/rng.h"
#include "probe/stats.h"
#include "probe/words.h"

enum { FRESH, RECYCLED, TOUCHES };

static const struct hp_defaults defaults = {
	.span = 64 * HP_MIB,
	.patterns = "fresh,recycled",
	.rounds = 5,
	.chunks = 1,
};

/* All single faults of one arm, over all rounds. */
struct faults {
	double *ns;
	size_t n, room;
};

struct study {
	struct hp_contest *contest;
	struct faults faults[HP_ENTRANTS_MAX][TOUCHES];
	/* Kept mapped, so that the next round cannot get the same pages. */
	struct hp_buffer held[HP_ENTRANTS_MAX];
	bool holds[HP_ENTRANTS_MAX];
};

static size_t step_of(const struct hp_kind *kind)
{
	return kind->family == HP_KIND_MTHP ? (size_t)getpagesize()
					    : kind->size;
}

static void add_fault(struct faults *faults, double ns)
{
	if (faults->n < faults->room)
		faults->ns[faults->n++] = ns;
}

static bool stopped(const struct study *study)
{
	const volatile int *stop = study->contest->sampler.stop;

	return stop && *stop;
}

/* One write per page, each timed; returns ns per KiB, NAN when stopped. */
static double touch_all(const struct study *study, struct faults *faults,
			const struct hp_buffer *buffer)
{
	double clock_ns = study->contest->sampler.clock.read_ns;
	size_t step = step_of(&buffer->kind);
	volatile char *byte = buffer->addr;
	double sum = 0;

	for (size_t i = 0; i < buffer->len; i += step) {
		uint64_t before = hp_clock_ns();
		double ns;

		if (stopped(study))
			return NAN;
		byte[i] = 1;
		ns = (double)(hp_clock_ns() - before) - clock_ns;
		add_fault(faults, ns);
		sum += ns;
	}
	return sum / ((double)buffer->len / HP_KIB);
}

static void check(struct study *study, size_t entrant, size_t what,
		  const struct hp_buffer *buffer, bool first)
{
	struct hp_probe_arm *arm =
		hp_contest_arm(study->contest, entrant, what);
	struct hp_probe_backing now;
	char why[96];

	hp_buffer_verify(buffer, &now, why, sizeof(why));
	if (first || !now.verified)
		arm->backing = now;
	if (!now.verified)
		hp_words(arm->reason, sizeof(arm->reason), "%s", why);
}

static void study_buffer(struct study *study, size_t entrant,
			 unsigned int round, struct hp_buffer *buffer)
{
	for (size_t what = FRESH; what < TOUCHES; what++) {
		double *values =
			hp_contest_values(study->contest, entrant, what);

		if (what == RECYCLED && hp_buffer_recycle(buffer))
			return;
		values[round] =
			touch_all(study, &study->faults[entrant][what], buffer);
		if (stopped(study))
			return;
		check(study, entrant, what, buffer, round == 0);
	}
}

static void let_go(struct study *study, size_t entrant)
{
	if (study->holds[entrant])
		hp_buffer_close(&study->held[entrant]);
	study->holds[entrant] = false;
}

static void give_up(struct study *study, size_t entrant, const char *why)
{
	study->contest->entrants[entrant].out = true;
	for (size_t what = FRESH; what < TOUCHES; what++) {
		struct hp_probe_arm *arm =
			hp_contest_arm(study->contest, entrant, what);

		hp_words(arm->reason, sizeof(arm->reason), "%s", why);
		arm->backing.verified = false;
	}
}

/* A pool may be too small for two buffers: then the old one goes first. */
static int map_next(struct study *study, size_t entrant,
		    struct hp_buffer *buffer, char *why, size_t why_size)
{
	const struct hp_kind *kind = &study->contest->entrants[entrant].kind;
	size_t len = hp_align_up(study->contest->result->options.span,
				 step_of(kind));
	int err = hp_buffer_map(buffer, kind, len, why, why_size);

	if (!err || !study->holds[entrant])
		return err;
	let_go(study, entrant);
	return hp_buffer_map(buffer, kind, len, why, why_size);
}

static void study_entrant(struct study *study, size_t entrant,
			  unsigned int round)
{
	struct hp_buffer buffer;
	char why[96] = "";
	int err = map_next(study, entrant, &buffer, why, sizeof(why));

	if (err) {
		give_up(study, entrant, why[0] ? why : strerror(-err));
		return;
	}
	study_buffer(study, entrant, round, &buffer);
	let_go(study, entrant);
	study->held[entrant] = buffer;
	study->holds[entrant] = true;
}

static void study_round(struct study *study, unsigned int round,
			struct hp_rng *rng)
{
	struct hp_contest *contest = study->contest;
	unsigned int order[HP_ENTRANTS_MAX];

	for (unsigned int i = 0; i < contest->nentrants; i++)
		order[i] = i;
	hp_rng_shuffle(rng, order, contest->nentrants);
	for (size_t i = 0; i < contest->nentrants; i++) {
		if (hp_sampler_done(&contest->sampler))
			return;
		if (!contest->entrants[order[i]].out)
			study_entrant(study, order[i], round);
	}
}

static void sum_up(struct study *study, size_t entrant, size_t what)
{
	struct hp_contest *contest = study->contest;
	struct hp_probe_arm *arm = hp_contest_arm(contest, entrant, what);
	struct faults *faults = &study->faults[entrant][what];

	hp_stats_sort(faults->ns, faults->n);
	arm->touch.p50 = hp_stats_quantile(faults->ns, faults->n, 0.50);
	arm->touch.p90 = hp_stats_quantile(faults->ns, faults->n, 0.90);
	arm->touch.p99 = hp_stats_quantile(faults->ns, faults->n, 0.99);
	arm->touch.max = hp_stats_quantile(faults->ns, faults->n, 1);
	/* The summary of an arm is ns per KiB here; so is its ratio. */
	arm->touch.ns_per_kib = arm->ns.median;
	arm->ns = (struct hp_probe_summary){NAN, NAN, NAN, NAN};
}

static int make_room(struct study *study)
{
	struct hp_contest *contest = study->contest;

	for (size_t e = 0; e < contest->nentrants; e++)
		for (size_t what = FRESH; what < TOUCHES; what++) {
			struct faults *faults = &study->faults[e][what];
			size_t step = step_of(&contest->entrants[e].kind);
			uint64_t span = contest->result->options.span;

			faults->room = (span / step + 1) *
				       contest->result->options.rounds;
			faults->ns = calloc(faults->room, sizeof(double));
			if (!faults->ns)
				return -ENOMEM;
			/* No faults of our own while timing theirs. */
			memset(faults->ns, 1, faults->room * sizeof(double));
		}
	return 0;
}

static void measure(struct study *study)
{
	struct hp_contest *contest = study->contest;
	const struct hp_probe_options *options = &contest->result->options;
	uint64_t start = hp_clock_ns();
	struct hp_rng rng;

	hp_rng_seed(&rng, options->seed);
	for (unsigned int round = 0; round < options->rounds; round++)
		if (!hp_sampler_done(&contest->sampler))
			study_round(study, round, &rng);
	contest->result->interrupted = hp_sampler_done(&contest->sampler);
	contest->result->elapsed_s = (double)(hp_clock_ns() - start) / 1e9;
}

static void finish(struct study *study)
{
	struct hp_contest *contest = study->contest;

	hp_contest_summarise(contest);
	hp_contest_compare(contest);
	for (size_t e = 0; e < contest->nentrants; e++) {
		sum_up(study, e, FRESH);
		sum_up(study, e, RECYCLED);
		let_go(study, e);
	}
}

static void drop_faults(struct study *study)
{
	for (size_t e = 0; e < HP_ENTRANTS_MAX; e++)
		for (size_t what = FRESH; what < TOUCHES; what++)
			free(study->faults[e][what].ns);
}

static int run(struct hp_contest *contest)
{
	struct study study = {.contest = contest};
	struct hp_trial trials[TOUCHES] = {
		[FRESH] = {.pattern = "fresh"},
		[RECYCLED] = {.pattern = "recycled"},
	};
	int err;

	for (size_t what = FRESH; what < TOUCHES; what++)
		trials[what].span = contest->result->options.span;
	err = hp_contest_trials(contest, trials, TOUCHES);
	if (!err)
		err = make_room(&study);
	if (!err) {
		measure(&study);
		finish(&study);
	}
	drop_faults(&study);
	return err;
}

HP_EXPORT int hp_probe_fault(const struct hp_probe_options *options,
			     struct hp_probe_result **out)
{
	return hp_contest_command("fault", options, &defaults, false, run, out);
}
