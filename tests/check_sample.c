/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "libhp/common.h"
#include "probe/sample.h"
#include "tests/suite.h"

static const struct hp_moment quiet = {
	.cpu = 1,
	.involuntary = 3,
	.faults = 9,
	.delay_ns = 70,
	.steal = 5,
	.cycle_ns = 0.25,
};

START_TEST(keeps_an_undisturbed_chunk)
{
	ck_assert_int_eq(hp_watch_verdict(&quiet, &quiet), HP_WATCH_KEPT);
}
END_TEST

START_TEST(each_disturbance_has_its_cause)
{
	struct hp_moment after[] = {quiet, quiet, quiet, quiet, quiet, quiet};
	static const enum hp_probe_drop cause[] = {
		HP_PROBE_MIGRATED, HP_PROBE_PREEMPTED, HP_PROBE_PREEMPTED,
		HP_PROBE_FAULTED,  HP_PROBE_STOLEN,    HP_PROBE_CLOCK,
	};

	after[0].cpu++;
	after[1].involuntary++;
	after[2].delay_ns++;
	after[3].faults++;
	after[4].steal++;
	after[5].cycle_ns *= 1.1;
	for (size_t i = 0; i < HP_ARRAY_SIZE(after); i++)
		ck_assert_int_eq(hp_watch_verdict(&quiet, &after[i]), cause[i]);
}
END_TEST

START_TEST(clocks_within_five_percent_are_steady)
{
	ck_assert(hp_clock_steady(0.25, 0.26));
	ck_assert(!hp_clock_steady(0.25, 0.27));
	ck_assert(!hp_clock_steady(0.25, 0.23));
	ck_assert(!hp_clock_steady(0, 0));
	ck_assert(!hp_clock_steady(-1, -1));
}
END_TEST

START_TEST(finds_the_steal_of_its_cpu)
{
	static const char stat[] = "cpu  1 2 3 4 5 6 7 88 9 10\n"
				   "cpu0 11 12 13 14 15 16 17 18 19 20\n"
				   "cpu1 21 22 23 24 25 26 27 28 29 30\n"
				   "cpu11 1 1 1 1 1 1 1 99 1 1\n"
				   "intr 5 6\n";

	ck_assert_uint_eq(hp_watch_steal(stat, 0), 18);
	ck_assert_uint_eq(hp_watch_steal(stat, 1), 28);
	ck_assert_uint_eq(hp_watch_steal(stat, 11), 99);
	ck_assert_uint_eq(hp_watch_steal(stat, 2), 0);
	ck_assert_uint_eq(hp_watch_steal("", 0), 0);
	ck_assert_uint_eq(hp_watch_steal("cpu0 1 2", 0), 0);
}
END_TEST

static void fill(struct hp_chunk *chunk, size_t n, double cycle_ns)
{
	for (size_t i = 0; i < n; i++)
		chunk[i] = (struct hp_chunk){100, cycle_ns, HP_WATCH_KEPT};
}

START_TEST(drops_chunks_below_the_best_clock_tier)
{
	struct hp_chunk chunk[10];
	struct hp_sample sample;

	fill(chunk, 10, 0.25);
	fill(chunk, 3, 0.40);
	hp_sample_judge(chunk, 10, 0.25, &sample);
	ck_assert_uint_eq(sample.chunks.kept, 7);
	ck_assert_uint_eq(sample.chunks.total, 10);
	ck_assert_uint_eq(sample.chunks.dropped[HP_PROBE_CLOCK], 3);
	ck_assert_double_eq(sample.cycle_ns, 0.25);
}
END_TEST

START_TEST(a_passing_tier_does_not_drop_everything)
{
	struct hp_chunk chunk[10];
	struct hp_sample sample;

	fill(chunk, 10, 0.40);
	hp_sample_judge(chunk, 10, 0.25, &sample);
	ck_assert_uint_eq(sample.chunks.kept, 10);
	ck_assert_double_eq(sample.cycle_ns, 0.40);
}
END_TEST

START_TEST(nothing_kept_is_nothing_known)
{
	struct hp_chunk chunk[4];
	struct hp_sample sample;

	fill(chunk, 4, 0.25);
	for (size_t i = 0; i < 4; i++)
		chunk[i].fate = HP_PROBE_STOLEN;
	hp_sample_judge(chunk, 4, 0.25, &sample);
	ck_assert_uint_eq(sample.chunks.kept, 0);
	ck_assert_uint_eq(sample.chunks.dropped[HP_PROBE_STOLEN], 4);
	ck_assert_double_nan(sample.cycle_ns);
	hp_sample_judge(chunk, 0, 0.25, &sample);
	ck_assert_uint_eq(sample.chunks.total, 0);
}
END_TEST

struct spin {
	size_t calls, units;
	volatile int *stop;
};

/* A unit is ten nanoseconds or so of work. */
static size_t spin(void *arg, size_t units)
{
	struct spin *spin = arg;

	spin->calls++;
	spin->units += units;
	for (volatile size_t i = 0; i < 10 * units; i++)
		;
	if (spin->stop && spin->calls > 3)
		*spin->stop = 1;
	return units;
}

START_TEST(the_number_of_tries_is_bounded)
{
	struct spin counter = {0};
	struct hp_work work = {spin, &counter, 0};
	struct hp_sampler sampler;
	struct hp_sample sample;

	hp_sampler_open(&sampler);
	hp_sample_take(&sampler, &work, 6, &sample);
	hp_sampler_close(&sampler);
	ck_assert_uint_ge(sample.chunks.total, 6);
	ck_assert_uint_le(sample.chunks.total, 18);
	ck_assert_uint_le(sample.chunks.kept, 6);
	for (size_t i = 0; i < sample.chunks.kept; i++)
		ck_assert(sample.ns[i] > 0);
}
END_TEST

START_TEST(stops_when_told)
{
	volatile int stop = 0;
	struct spin counter = {.stop = &stop};
	struct hp_work work = {spin, &counter, 0};
	struct hp_sampler sampler;
	struct hp_sample sample;

	hp_sampler_open(&sampler);
	sampler.stop = &stop;
	hp_sample_take(&sampler, &work, HP_SAMPLE_CHUNKS_MAX, &sample);
	ck_assert(hp_sampler_done(&sampler));
	hp_sampler_close(&sampler);
	ck_assert_uint_lt(sample.chunks.total, HP_SAMPLE_CHUNKS_MAX);
}
END_TEST

START_TEST(a_passed_deadline_ends_sampling)
{
	struct spin counter = {0};
	struct hp_work work = {spin, &counter, 0};
	struct hp_sampler sampler;
	struct hp_sample sample;

	hp_sampler_open(&sampler);
	sampler.deadline_ns = hp_clock_ns();
	hp_sample_take(&sampler, &work, 100, &sample);
	hp_sampler_close(&sampler);
	ck_assert_uint_eq(sample.chunks.total, 0);
}
END_TEST

START_TEST(warms_before_every_chunk)
{
	struct spin cold = {0}, warm = {0};
	struct hp_work work = {spin, &cold, 0};
	struct hp_sampler sampler;
	struct hp_sample sample;

	hp_sampler_open(&sampler);
	hp_sample_take(&sampler, &work, 2, &sample);
	work = (struct hp_work){spin, &warm, 100};
	hp_sample_take(&sampler, &work, 2, &sample);
	hp_sampler_close(&sampler);
	ck_assert_uint_ge(warm.calls, 2 * sample.chunks.total + 2);
}
END_TEST

START_TEST(calibration_finds_a_clock_and_a_core)
{
	struct hp_clock clock;

	hp_clock_calibrate(&clock);
	ck_assert(clock.read_ns > 0);
	ck_assert(clock.cycle_ns > 0.05 && clock.cycle_ns < 50);
}
END_TEST

static Suite *sample_suite(void)
{
	Suite *suite = suite_create("sample");
	TCase *watch = tcase_create("watch");
	TCase *sample = tcase_create("sample");

	tcase_set_timeout(sample, 120);
	tcase_add_test(watch, keeps_an_undisturbed_chunk);
	tcase_add_test(watch, each_disturbance_has_its_cause);
	tcase_add_test(watch, clocks_within_five_percent_are_steady);
	tcase_add_test(watch, finds_the_steal_of_its_cpu);
	tcase_add_test(sample, drops_chunks_below_the_best_clock_tier);
	tcase_add_test(sample, a_passing_tier_does_not_drop_everything);
	tcase_add_test(sample, nothing_kept_is_nothing_known);
	tcase_add_test(sample, the_number_of_tries_is_bounded);
	tcase_add_test(sample, stops_when_told);
	tcase_add_test(sample, a_passed_deadline_ends_sampling);
	tcase_add_test(sample, warms_before_every_chunk);
	tcase_add_test(sample, calibration_finds_a_clock_and_a_core);
	suite_add_tcase(suite, watch);
	suite_add_tcase(suite, sample);
	return suite;
}

int main(void)
{
	return run_suite(sample_suite());
}
