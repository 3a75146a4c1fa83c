/* SPDX-License-Identifier: MIT */
/*
 * granule.c - the effective translation granule of every kind of page
 */
#include "probe/granule.h"

#include <stdlib.h>
#include <string.h>

#include "probe/buffer.h"
#include "probe/granule_settings.h"
#include "probe/granule_sweep.h"
#include "probe/host.h"
#include "probe/kind.h"
#include "probe/pin.h"
#include "probe/words.h"

/* a study and the memory it points into */
struct whole {
	struct hp_granule_study study;
	struct hp_granule_finding findings[HP_KINDS_MAX];
	struct hp_granule_trace *trace[HP_KINDS_MAX][2];
};

struct study_run {
	struct whole *whole;
	struct hp_granule_study *study; /* of it */
	struct hp_granule_plan plan;	/* of the kind at hand */
	struct hp_sampler sampler;
	struct hp_pin pin;
	struct hp_kinds kinds;
	size_t kind, pass; /* at hand, for the progress */
};

static const char unmeasured[] = "not measured: stopped or out of time";

static void say_progress(double done, void *arg)
{
	const struct study_run *run = arg;
	const struct hp_probe_options *options = &run->study->options;
	double passes = 2 * (double)run->kinds.n;
	char step[64];

	hp_words(step, sizeof(step), "sweep %u of 2, %s",
		 (unsigned int)run->pass + 1, run->kinds.kind[run->kind].name);
	options->progress(step,
			  (2 * (double)run->kind + (double)run->pass + done) /
				  passes,
			  options->arg);
}

static void give_reason(struct hp_granule_finding *f, const char *why)
{
	if (!f->reason[0])
		hp_words(f->reason, sizeof(f->reason), "%s", why);
}

static void verify(struct hp_granule_finding *f, const struct hp_buffer *buffer,
		   bool first)
{
	struct hp_probe_backing now;
	char why[96];

	hp_buffer_verify(buffer, &now, why, sizeof(why));
	if (first || (f->backing.verified && !now.verified))
		f->backing = now;
	if (!now.verified)
		give_reason(f, why);
}

static int take_sweep(struct study_run *run, struct hp_granule_finding *f,
		      void *base)
{
	const struct hp_probe_options *options = &run->study->options;
	struct hp_granule_trace *trace = calloc(1, sizeof(*trace));
	struct hp_granule_setup setup = {
		.plan = run->plan,
		.rounds = options->rounds,
		.seed = options->seed + run->pass,
		.sampler = &run->sampler,
		.progress = options->progress ? say_progress : NULL,
		.arg = run,
	};
	int err;

	if (!trace)
		return -ENOMEM;
	run->whole->trace[run->kind][run->pass] = trace;
	err = hp_granule_sweep_take(&setup, base, trace);
	f->sweep[run->pass] = trace->sweep;
	f->chunks[run->pass] = trace->chunks;
	return err;
}

static int sweep_buffer(struct study_run *run, struct hp_granule_finding *f,
			struct hp_buffer *buffer)
{
	int err = hp_buffer_populate(buffer, run->study->options.stop);

	if (err)
		return err;
	verify(f, buffer, run->pass == 0);
	err = take_sweep(run, f, buffer->addr);
	verify(f, buffer, false);
	return err;
}

static int sweep_kind(struct study_run *run, struct hp_granule_finding *f)
{
	struct hp_buffer buffer;
	int err = hp_buffer_map(&buffer, &run->kinds.kind[run->kind],
				run->plan.span, f->reason, sizeof(f->reason));

	if (err)
		return err;
	err = sweep_buffer(run, f, &buffer);
	hp_buffer_close(&buffer);
	if (err)
		give_reason(f, err == -EINTR ? unmeasured : strerror(-err));
	return err;
}

static void finding_open(struct study_run *run, struct hp_granule_finding *f)
{
	const struct hp_probe_machine *machine = &run->study->machine;
	const struct hp_kind *kind = &run->kinds.kind[run->kind];

	memcpy(f->pages, kind->name, sizeof(f->pages));
	run->plan =
		hp_granule_plan_of(machine, &run->study->options, kind->size);
	f->span = run->plan.span;
	f->backing.huge_bytes = UINT64_MAX;
	f->claim = (struct hp_granule_claim){
		.base = machine->base_page,
		.leaf = hp_granule_leaf(machine->base_page, kind->size),
		.claimed = kind->size,
		.virtualised = machine->hypervisor == 1,
	};
	f->result.reason = "not measured";
}

static void study_kind(struct study_run *run)
{
	struct hp_granule_finding *f = &run->study->findings[run->kind];

	finding_open(run, f);
	for (run->pass = 0; run->pass < 2; run->pass++) {
		if (hp_sampler_done(&run->sampler)) {
			give_reason(f, unmeasured);
			return;
		}
		if (sweep_kind(run, f))
			return;
	}
	if (hp_sampler_done(&run->sampler))
		give_reason(f, "cut short: stopped or out of time");
	f->claim.whole = f->backing.verified;
	if (hp_granule_infer(&f->sweep[0], &f->sweep[1], &f->claim, &f->result))
		give_reason(f, "page sizes that are no powers of two");
	run->study->conclusions_valid = true;
}

/* populating cannot be cut short: leave time for one of them */
static uint64_t sampling_ns(const struct hp_granule_study *study)
{
	double gib = (double)study->options.span / (double)HP_GIB;
	double left = study->bound_s - HP_GRANULE_POPULATE_S_PER_GIB * gib -
		      HP_GRANULE_SPARE_S / 2;

	return (uint64_t)(1e9 * (left > 0 ? left : study->bound_s / 2));
}

static void study_all(struct study_run *run)
{
	struct hp_granule_study *study = run->study;
	uint64_t start = hp_clock_ns();

	run->sampler.deadline_ns = start + sampling_ns(study);
	for (run->kind = 0; run->kind < run->kinds.n; run->kind++) {
		study->nfindings++;
		study_kind(run);
		study->interrupted |= hp_sampler_done(&run->sampler);
	}
	study->elapsed_s = (double)(hp_clock_ns() - start) / 1e9;
}

/* pointers of the caller must not outlive the call */
static void seal(struct hp_granule_study *study)
{
	struct hp_probe_options *options = &study->options;

	hp_words(study->pages, sizeof(study->pages), "%s",
		 options->pages ? options->pages : "");
	options->pages = options->pattern = NULL;
	options->progress = NULL;
	options->announce = NULL;
	options->arg = NULL;
	options->stop = NULL;
}

static void study_announce(struct hp_granule_study *study,
			   const struct hp_kinds *kinds)
{
	const struct hp_probe_options *options = &study->options;

	study->bound_s = hp_granule_seconds(&study->machine, options, kinds);
	if (options->limit_s > 0 && options->limit_s < study->bound_s)
		study->bound_s = options->limit_s;
	if (options->announce)
		options->announce("granule", study->bound_s, options->arg);
}

static void study_measure(struct study_run *run)
{
	struct hp_granule_study *study = run->study;

	hp_pin_open(&run->pin, study->options.cpu);
	hp_host_read(&study->machine, run->pin.cpu);
	study_announce(study, &run->kinds);
	hp_sampler_open(&run->sampler);
	run->sampler.stop = study->options.stop;
	study->machine.clock_read_ns = run->sampler.clock.read_ns;
	study->machine.cycle_ns = run->sampler.clock.cycle_ns;
	study_all(run);
	hp_sampler_close(&run->sampler);
	hp_pin_close(&run->pin);
	seal(study);
}

HP_EXPORT int hp_probe_granule(const struct hp_probe_options *options,
			       struct hp_granule_study **out)
{
	struct study_run run = {.whole = calloc(1, sizeof(*run.whole))};
	int err;

	if (!run.whole)
		return -ENOMEM;
	run.study = &run.whole->study;
	run.study->findings = run.whole->findings;
	err = hp_granule_complete(options, &run.study->options, &run.kinds);
	if (err) {
		free(run.whole);
		return err;
	}
	study_measure(&run);
	*out = run.study;
	return 0;
}

HP_EXPORT void hp_granule_study_free(struct hp_granule_study *study)
{
	struct whole *whole = (struct whole *)study;

	_Static_assert(!offsetof(struct whole, study), "the cast above");
	for (size_t i = 0; study && i < study->nfindings; i++) {
		free(whole->trace[i][0]);
		free(whole->trace[i][1]);
	}
	free(whole);
}
