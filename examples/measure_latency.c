/* SPDX-License-Identifier: MIT */
/*
 * measure_latency.c - is a load faster on huge pages here, and by how much?
 *
 *	cc measure_latency.c -o measure_latency $(pkg-config --cflags --libs libhp)
 *	./measure_latency [MIB]
 */
#include <hp_probe.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile int stop;

static void on_interrupt(int signal)
{
	(void)signal;
	stop = 1;
}

static void say_bound(const char *command, double seconds, void *arg)
{
	(void)arg;
	fprintf(stderr, "%s: at most %.0f s\n", command, seconds);
}

static void print_arm(const struct hp_probe_arm *arm)
{
	printf("%-6s %-7s", arm->pages, arm->pattern);
	if (arm->reason[0])
		printf(" %s\n", arm->reason);
	else if (strcmp(arm->role, "baseline"))
		printf(" %6.1f ns, %.3f [%.3f %.3f] of the baseline: %s\n",
		       arm->ns.median, arm->ratio.value, arm->ratio.lo,
		       arm->ratio.hi, hp_probe_verdict_text(arm->verdict));
	else
		printf(" %6.1f ns\n", arm->ns.median);
}

int main(int argc, char **argv)
{
	struct hp_probe_options options;
	struct hp_probe_result *result;
	int err;

	signal(SIGINT, on_interrupt);
	hp_probe_options_init(&options);
	options.span = (argc > 1 ? strtoull(argv[1], NULL, 10) : 64) << 20;
	options.pages = "base,thp";
	options.pattern = "dense";
	options.announce = say_bound;
	options.stop = &stop;

	err = hp_probe_table(&options, &result);
	if (err) {
		fprintf(stderr, "%s: %s\n", argv[0], strerror(-err));
		return EXIT_FAILURE;
	}
	for (size_t i = 0; i < result->narms; i++)
		print_arm(&result->arms[i]);
	printf("noise floor %.1f %%\n", 100 * result->noise_floor);
	hp_probe_result_free(result);
	return EXIT_SUCCESS;
}
