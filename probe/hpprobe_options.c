/* SPDX-License-Identifier: MIT */
#include "probe/hpprobe.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "libhp/hp.h"
#include "libhp/pagesize.h"
#include "libhp/size.h"
#include "probe/kind.h"
#include "probe/pin.h"

enum {
	OPT_SPAN = 256,
	OPT_PAGES,
	OPT_PATTERN,
	OPT_STRIDE,
	OPT_STREAMS,
	OPT_ROUNDS,
	OPT_CHUNKS,
	OPT_CPU,
	OPT_SEED,
	OPT_JSON,
	OPT_CSV,
	OPT_OUTPUT,
	OPT_QUIET,
	OPT_HELP,
	OPT_VERSION,
};

static const struct option long_options[] = {
	{"span", required_argument, NULL, OPT_SPAN},
	{"pages", required_argument, NULL, OPT_PAGES},
	{"pattern", required_argument, NULL, OPT_PATTERN},
	{"stride", required_argument, NULL, OPT_STRIDE},
	{"streams", required_argument, NULL, OPT_STREAMS},
	{"rounds", required_argument, NULL, OPT_ROUNDS},
	{"chunks", required_argument, NULL, OPT_CHUNKS},
	{"cpu", required_argument, NULL, OPT_CPU},
	{"seed", required_argument, NULL, OPT_SEED},
	{"json", no_argument, NULL, OPT_JSON},
	{"csv", no_argument, NULL, OPT_CSV},
	{"output", required_argument, NULL, OPT_OUTPUT},
	{"quiet", no_argument, NULL, OPT_QUIET},
	{"help", no_argument, NULL, OPT_HELP},
	{"version", no_argument, NULL, OPT_VERSION},
	{NULL, 0, NULL, 0},
};

static const char option_help[] =
	"  --span N[K|M|G]   bytes to measure over\n"
	"  --pages LIST      kinds of page: 4k, thp, 2M, 1G, mthp:64K, ...;\n"
	"                    default: all this machine has\n"
	"  --pattern LIST    table: random,dense,streams,sparse,packed;\n"
	"                    sweep: dense,sparse\n"
	"  --stride N        below one page: bytes between dense nodes (128);\n"
	"                    else bytes per block of the sparse chain (16K)\n"
	"  --streams N       parallel chains, 1 to 16 (8)\n"
	"  --rounds N        fresh allocations, 1 to 256 (5; control 10)\n"
	"  --chunks N        timed chunks per round, 1 to 256 (8; sweep 3)\n"
	"  --cpu N           cpu to run on\n"
	"  --seed N          of every random choice\n"
	"  --json, --csv     for machines\n"
	"  -o, --output FILE write the result there\n"
	"  --quiet           no progress, no time bound\n"
	"  --help, --version\n";

static int print_help(void)
{
	printf("Usage: hpprobe COMMAND [OPTIONS]\n"
	       "What memory costs, per kind of page, with the backing "
	       "proven.\n\nCommands:\n");
	for (const struct hp_command *c = hp_commands; c->name; c++)
		printf("  %-10s  %s\n", c->name, c->help);
	printf("\nOptions:\n%s", option_help);
	return hp_cli_close(&(struct hp_cli){.output = NULL}, stdout);
}

static int complain(const char *what, const char *text, const char *wanted)
{
	fprintf(stderr, "hpprobe: bad %s '%s': wanted %s\n", what, text,
		wanted);
	return HP_EXIT_USAGE;
}

static int parse_size(const char *name, const char *text, uint64_t *out)
{
	size_t size;

	if (hp_size_parse(text, &size))
		return complain(name, text, "bytes, as in 4096, 64K, 1G");
	*out = size;
	return -1;
}

/* The span alone may be 0: an impossible size, not a slip of the pen. */
static int parse_span(struct hp_cli *cli, const char *text)
{
	int status = parse_size("--span", text, &cli->options.span);

	if (status >= 0 || cli->options.span)
		return status;
	fprintf(stderr, "hpprobe: 0 bytes of span: %s\n", strerror(EINVAL));
	return HP_EXIT_IMPOSSIBLE;
}

static int parse_stride(struct hp_cli *cli, const char *text)
{
	uint64_t *stride = &cli->options.stride;
	int status = parse_size("--stride", text, stride);

	if (status >= 0 || (*stride && *stride % sizeof(uint64_t) == 0))
		return status;
	return complain("--stride", text, "a multiple of 8");
}

static int parse_number(const char *name, const char *text, uint64_t least,
			uint64_t most, uint64_t *out)
{
	char *end, wanted[64];
	unsigned long long value;

	errno = 0;
	value = strtoull(text, &end, 10);
	if (!errno && *text >= '0' && *text <= '9' && !*end && value >= least &&
	    value <= most) {
		*out = value;
		return -1;
	}
	snprintf(wanted, sizeof(wanted), "%llu to %llu",
		 (unsigned long long)least, (unsigned long long)most);
	return complain(name, text, wanted);
}

static int parse_uint(const char *name, const char *text, unsigned int most,
		      unsigned int *out)
{
	uint64_t value = 0;
	int status = parse_number(name, text, 1, most, &value);

	*out = (unsigned int)value;
	return status;
}

static int parse_cpu(struct hp_cli *cli, const char *text)
{
	uint64_t value = 0;
	int status = parse_number("--cpu", text, 0, 65535, &value);
	struct hp_pin pin;

	if (status >= 0)
		return status;
	/* refused for another reason, it is a note in the result */
	if (hp_pin_open(&pin, (int)value) == -EINVAL)
		status = complain("--cpu", text,
				  "a cpu this process may run on");
	hp_pin_close(&pin);
	cli->options.cpu = (int)value;
	return status;
}

static int parse_pages(struct hp_cli *cli, const char *text)
{
	struct hp_pagesizes sizes;
	struct hp_kinds kinds;
	char bad[HP_KIND_BAD_NAME];

	hp_pagesizes_read(&sizes);
	cli->options.pages = text;
	if (!hp_kinds_parse(&kinds, text, &sizes, bad))
		return -1;
	return complain("--pages", bad,
			"each kind once, of those this machine has");
}

static int parse_option(struct hp_cli *cli, int option, const char *text)
{
	struct hp_probe_options *o = &cli->options;

	switch (option) {
	case OPT_SPAN:
		return parse_span(cli, text);
	case OPT_PAGES:
		return parse_pages(cli, text);
	case OPT_PATTERN:
		o->pattern = text;
		return -1;
	case OPT_STRIDE:
		return parse_stride(cli, text);
	case OPT_STREAMS:
		return parse_uint("--streams", text, 16, &o->streams);
	case OPT_ROUNDS:
		return parse_uint("--rounds", text, 256, &o->rounds);
	case OPT_CHUNKS:
		return parse_uint("--chunks", text, 256, &o->chunks);
	case OPT_CPU:
		return parse_cpu(cli, text);
	case OPT_SEED:
		return parse_number("--seed", text, 0, UINT64_MAX, &o->seed);
	case OPT_JSON:
		cli->format = HP_OUTPUT_JSON;
		return -1;
	case OPT_CSV:
		cli->format = HP_OUTPUT_CSV;
		return -1;
	case 'o':
	case OPT_OUTPUT:
		cli->output = text;
		return -1;
	case OPT_QUIET:
		cli->quiet = 1;
		return -1;
	case OPT_HELP:
		return print_help();
	case OPT_VERSION:
		printf("hpprobe %s\n", hp_version());
		return hp_cli_close(&(struct hp_cli){.output = NULL}, stdout);
	}
	return HP_EXIT_USAGE;
}

/* getopt's own messages are off: they leave out what to do. */
static int refuse(int option, const char *argument)
{
	fprintf(stderr, "hpprobe: %s '%s'; see hpprobe --help\n",
		option == ':' ? "no value for" : "no option", argument);
	return HP_EXIT_USAGE;
}

static int refuse_operand(const struct hp_cli *cli, char *const *operands)
{
	if (cli->command->takes_files || !operands[0])
		return -1;
	fprintf(stderr,
		"hpprobe: %s takes no '%s', only options; see hpprobe --help\n",
		cli->command->name, operands[0]);
	return HP_EXIT_USAGE;
}

static int find_command(struct hp_cli *cli, const char *name)
{
	for (const struct hp_command *c = hp_commands; c->name; c++)
		if (name && !strcmp(c->name, name))
			cli->command = c;
	if (cli->command)
		return -1;
	if (!name)
		fprintf(stderr, "hpprobe: no command; see hpprobe --help\n");
	else
		fprintf(stderr,
			"hpprobe: no command '%s'; see hpprobe --help\n", name);
	return HP_EXIT_USAGE;
}

int hp_cli_parse(struct hp_cli *cli, int argc, char **argv)
{
	int option, status = -1;

	*cli = (struct hp_cli){.format = HP_OUTPUT_TEXT};
	hp_probe_options_init(&cli->options);
	opterr = 0;
	while (status < 0 &&
	       (option = getopt_long(argc, argv, ":o:", long_options, NULL)) >=
		       0)
		status = option == '?' || option == ':'
				 ? refuse(option, argv[optind - 1])
				 : parse_option(cli, option, optarg);
	if (status < 0)
		status = find_command(cli, argv[optind]);
	if (status < 0)
		status = refuse_operand(cli, argv + optind + 1);
	cli->files = argv + optind + 1;
	cli->nfiles = argc - optind - 1;
	return status;
}
