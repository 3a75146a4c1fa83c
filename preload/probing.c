/* SPDX-License-Identifier: MIT */
#include "preload/probing.h"

#include <pthread.h>
#include <signal.h>

#include "libhp/linux.h"
#include "preload/outcome.h"
#include "preload/probing_text.h"
#include "probe/live.h"

enum { STACK = 512 * 1024, SHARE = 50, PEAK_S = 1 };

/* With the chases over buffers of our own at most two seconds at exit. */
enum { LIMIT_NS = 1000000000, EXIT_NS = 600000000, PEAK_NS = 300000000 };
static const double fresh_limit_s = 1.2;

#define PEAK_BYTES (32 * HP_MIB)

static const struct hp_context *context;
static bool wanted;
static volatile int stop;
static uint32_t due;  /* the signal came */
static uint32_t busy; /* somebody is measuring */
static struct hp_probing_text text;
static struct hp_probe_live live; /* the last measurement */
static const char *when;
static uint64_t runs;
static uint64_t height; /* bytes in use at the last peak measured */
static double spent_s;	/* at peaks */

static bool begin(void)
{
	return !__atomic_exchange_n(&busy, 1, __ATOMIC_ACQUIRE);
}

static void end(void)
{
	__atomic_store_n(&busy, 0, __ATOMIC_RELEASE);
	hp_linux_futex_wake(&busy);
}

static void measure_live(const char *now, uint64_t limit_ns)
{
	struct hp_live_want want = {
		.view.ranges = hp_live_managed,
		.seed = ++runs,
		.limit_ns = limit_ns,
		.stop = &stop,
	};

	when = now;
	hp_live_measure(&want, &live);
}

static struct hp_probe_result *measure_fresh(void)
{
	struct hp_probe_result *result = NULL;
	struct hp_probe_options options;

	hp_probe_options_init(&options);
	options.span = 32 * HP_MIB;
	options.pages = "base,thp";
	options.pattern = "dense,sparse,packed";
	options.rounds = 3;
	options.chunks = 2;
	options.limit_s = fresh_limit_s;
	options.stop = &stop;
	if (hp_probe_table(&options, &result))
		return NULL;
	return result;
}

/* Seconds to wait after a measurement of @took seconds; 0 for ever. */
static unsigned int pause_ms(double took)
{
	double every = context->options.probe.every;

	if (every <= 0)
		return 0;
	every = every > took * SHARE ? every : took * SHARE;
	return (unsigned int)(every * 1000);
}

static void wait_until_due(double took)
{
	unsigned int ms = pause_ms(took);
	uint64_t until = hp_linux_now_ms() + ms;

	while (!stop && !__atomic_exchange_n(&due, 0, __ATOMIC_ACQUIRE)) {
		uint64_t now = hp_linux_now_ms();

		if (ms && now >= until)
			return;
		hp_linux_futex_wait(&due, 0,
				    ms ? (unsigned int)(until - now) : 60000);
	}
}

static void *watch(void *unused)
{
	double took = 0;

	for (;;) {
		wait_until_due(took);
		if (stop)
			return unused;
		if (!begin())
			continue;
		measure_live("running", LIMIT_NS);
		hp_probing_text_make(&text, when, runs, &live, NULL);
		took = live.elapsed_s;
		end();
	}
}

static void on_signal(int signal)
{
	(void)signal;
	__atomic_store_n(&due, 1, __ATOMIC_RELEASE);
	hp_linux_futex_wake(&due);
}

static void catch_signal(int number)
{
	struct sigaction action = {.sa_handler = on_signal,
				   .sa_flags = SA_RESTART};

	sigaction(number, &action, NULL);
}

static void start_thread(void)
{
	sigset_t all, before;
	pthread_attr_t attr;
	pthread_t thread;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	if (pthread_attr_init(&attr) == 0) {
		pthread_attr_setstacksize(&attr, STACK);
		pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
		if (pthread_create(&thread, &attr, watch, NULL))
			wanted = false;
		pthread_attr_destroy(&attr);
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void hp_probing_init(const struct hp_context *c)
{
	const struct hp_probe_option *probe = &c->options.probe;

	context = c;
	wanted = !c->passive && hp_outcome_wanted();
	if (!wanted)
		return;
	if (probe->signal)
		catch_signal(probe->signal);
	if (probe->signal || probe->every)
		start_thread();
}

static void wait_until_idle(void)
{
	stop = 1;
	while (__atomic_load_n(&busy, __ATOMIC_ACQUIRE))
		hp_linux_futex_wait(&busy, 1, 100);
	stop = 0;
}

static bool is_peak(uint64_t bytes)
{
	return wanted && context->options.probe.at_exit &&
	       bytes >= PEAK_BYTES && bytes / 2 >= height && spent_s < PEAK_S;
}

void hp_probing_peak(uint64_t bytes)
{
	if (!is_peak(bytes) || !begin())
		return;
	height = bytes;
	measure_live("peak", PEAK_NS);
	spent_s += live.elapsed_s;
	hp_probing_text_make(&text, when, runs, &live, NULL);
	end();
}

/* What is left at exit is worth a look only if it is not the lesser part. */
static bool is_worth_it(void)
{
	return !runs || hp_outcome_used() >= height;
}

void hp_probing_exit(void)
{
	struct hp_probe_result *fresh;

	if (!wanted)
		return;
	wanted = false;
	wait_until_idle();
	if (!context->options.probe.at_exit || !begin())
		return;
	if (is_worth_it())
		measure_live("exit", EXIT_NS);
	fresh = measure_fresh();
	hp_probing_text_make(&text, when, runs, &live, fresh);
	hp_probe_result_free(fresh);
	end();
}

void hp_probing_keep(void)
{
	wanted = false;
	stop = 1;
}

void hp_probing_forked(void)
{
	wanted = false;
	busy = 0;
}

const char *hp_probing_json(void)
{
	return text.json[0] ? text.json : NULL;
}

const char *hp_probing_line(void)
{
	return text.line[0] ? text.line : NULL;
}
