/* SPDX-License-Identifier: MIT */
#include <err.h>
#include <errno.h>
#include <getopt.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libhp/common.h"
#include "libhp/hp.h"
#include "libhp/text.h"
#include "libhp/tool/tool.h"
#include "preload/command.h"
#include "preload/quote.h"

/* an option that sets one variable; the variable's own check is used */
static const struct choice {
	const char *option;
	int has_arg;
	const char *variable;
	const char *implied; /* without an argument */
	const char *usage;
	const char *help;
} choices[] = {
	{"mode", required_argument, "LIBHP_MODE", NULL, "=MODE",
	 "off, try (default) or on: refuse to start without"},
	{"pages", required_argument, "LIBHP_PAGES", NULL, "=LIST",
	 "kinds to try in turn: 1G, 2M (hugetlb), thp"},
	{"mmap", required_argument, "LIBHP_MMAP", NULL, "=HOW",
	 "the program's own maps: pack, align or off"},
	{"start", required_argument, "LIBHP_START", NULL, "=BYTES",
	 "memory used before the first huge page (4M)"},
	{"bloat", required_argument, "LIBHP_BLOAT", NULL, "=PERCENT",
	 "memory above use that huge pages may cost (25)"},
	{"require", required_argument, "LIBHP_REQUIRE", NULL, "=PERCENT",
	 "fail with 123 when coverage at exit is less"},
	{"report", optional_argument, "LIBHP_REPORT", "stderr",
	 "[=json][:FILE]", "report at exit, to stderr or FILE (%p %e)"},
	{"probe", optional_argument, "LIBHP_PROBE", "exit", "[=WHEN]",
	 "measure inside: exit, signal:USR2, every:30s"},
	{"sites", optional_argument, "LIBHP_SITES", "1", "[=FILE]",
	 "call stacks in the report, FILE.heap, FILE.folded"},
	{"fork", required_argument, "LIBHP_FORK", NULL, "=HOW",
	 "hugetlb memory of children: auto, share, demote"},
	{"numa", required_argument, "LIBHP_NUMA", NULL, "=POLICY",
	 "local, interleave or bind:N[,N]"},
	{"only", required_argument, "LIBHP_ONLY", NULL, "=NAMES",
	 "colon list of programs; others stay untouched"},
	{"no-inherit", no_argument, "LIBHP_INHERIT", "0", "",
	 "not for programs that PROGRAM executes"},
};

#define NCHOICES HP_ARRAY_SIZE(choices)

/* options of hprun's own; getopt values below these index choices[] */
enum own_option {
	OPT_LIBRARY = NCHOICES,
	OPT_DRY_RUN,
	OPT_COMPARE,
	OPT_JSON,
	OPT_PLOT,
	OPT_IGNORE_OUTPUT,
	OPT_HELP,
	OPT_VERSION,
};

static const struct option own_options[] = {
	{"library", required_argument, NULL, OPT_LIBRARY},
	{"dry-run", no_argument, NULL, OPT_DRY_RUN},
	{"compare", optional_argument, NULL, OPT_COMPARE},
	{"json", optional_argument, NULL, OPT_JSON},
	{"plot", required_argument, NULL, OPT_PLOT},
	{"ignore-output", no_argument, NULL, OPT_IGNORE_OUTPUT},
	{"help", no_argument, NULL, OPT_HELP},
	{"version", no_argument, NULL, OPT_VERSION},
	{NULL, 0, NULL, 0},
};

__attribute__((noreturn)) static void help(void)
{
	char left[40];

	puts("Usage: hprun [OPTION]... [--] PROGRAM [ARGUMENT]...\n"
	     "Run PROGRAM on huge pages, and prove it.\n");
	for (size_t i = 0; i < NCHOICES; i++) {
		snprintf(left, sizeof(left), "--%s%s", choices[i].option,
			 choices[i].usage);
		printf("  %-25s  %s\n", left, choices[i].help);
	}
	puts("  --library=FILE             use this libhp-preload.so\n"
	     "  --dry-run                  print what would be run\n"
	     "  --help, --version          print this, print the version\n\n"
	     "Is PROGRAM faster on huge pages?\n"
	     "  --compare[=ROUNDS]         run it without libhp, off and try, "
	     "5 times each;\n"
	     "                             --pages=A:B and --mmap=A:B then try "
	     "several\n"
	     "  --json[=FILE]              figures as JSON too, to stdout or "
	     "FILE\n"
	     "  --plot=FILE                draw the runs into FILE.png or "
	     "FILE.svg\n"
	     "  --ignore-output            runs need not print the same\n\n"
	     "Exit status: PROGRAM's own, 128+N if signal N ended it; 122 "
	     "libhp "
	     "was not loaded\n"
	     "though a report, a requirement or mode on was asked for; 123 "
	     "--require not met;\n"
	     "125 error of hprun, or runs not alike; 126 PROGRAM is not "
	     "executable; 127 not "
	     "found.");
	hp_tool_finish(0);
}

__attribute__((noreturn)) static void version(void)
{
	printf("hprun (libhp) %s\n", HP_VERSION);
	hp_tool_finish(0);
}

__attribute__((noreturn)) static void bad_value(const struct choice *choice,
						const char *value)
{
	hp_tool_bad_value(choice->option, value,
			  hp_options_accepts(choice->variable));
}

static void choose(struct hp_command *cmd, const struct choice *choice,
		   const char *value)
{
	int error = hp_settings_set(&cmd->settings, choice->variable, value);

	if (error == -EINVAL)
		bad_value(choice, value);
	if (error)
		errx(HP_STATUS_OWN_ERROR, "--%s: %s", choice->option,
		     strerror(-error));
}

/* better before a long run than at its end */
static void check_writable(const char *option, const char *file)
{
	char *copy = strdup(file);
	const char *directory = copy ? dirname(copy) : "/";
	char shown[200];

	if (access(file, W_OK) && !strchr(directory, '%') &&
	    access(directory, W_OK | X_OK))
		err(HP_STATUS_OWN_ERROR, "%s: directory '%s'", option,
		    hp_quote_line(directory, shown, sizeof(shown)));
	free(copy);
}

static void choose_report(struct hp_command *cmd, const struct choice *choice,
			  const char *arg)
{
	char *value = hp_settings_report(arg);
	const struct hp_report_option *report = &cmd->settings.options.report;

	if (!value)
		err(HP_STATUS_OWN_ERROR, "--report");
	choose(cmd, choice, value);
	free(value);
	if (report->sink == HP_SINK_PATH)
		check_writable("--report", report->path);
}

/* a relative file is where hprun is, wherever the program goes */
static void choose_sites(struct hp_command *cmd, const struct choice *choice,
			 const char *arg)
{
	struct hp_options *options = &cmd->settings.options;
	char *value;

	if (hp_options_set(options, choice->variable, arg))
		bad_value(choice, arg);
	value = options->sites_path[0] ? hp_settings_report(arg) : strdup(arg);
	if (!value)
		err(HP_STATUS_OWN_ERROR, "--sites");
	choose(cmd, choice, value);
	free(value);
	if (options->sites_path[0])
		check_writable("--sites", options->sites_path);
}

/* --report:FILE, which to getopt is an option of that strange name */
static const char *report_with_colon(const char *word)
{
	return strncmp(word, "--report:", 9) ? NULL : word + 8;
}

static void keep_alternative(struct hp_alternatives *all,
			     const struct choice *choice, const char *value)
{
	int error = hp_alternatives_add(all, value);

	if (error == -E2BIG)
		errx(HP_STATUS_OWN_ERROR, "--%s: no more than %d values",
		     choice->option, HP_ALTERNATIVES_MAX);
	if (error)
		errx(HP_STATUS_OWN_ERROR, "--%s: %s", choice->option,
		     strerror(-error));
}

/* the last counts, unless a comparison is to try all of them */
static void choose_each(struct hp_command *cmd, const struct choice *choice,
			const char *arg, struct hp_alternatives *all,
			const char *separators)
{
	char *copy = strdup(arg), *rest = copy, *value;

	if (!copy)
		err(HP_STATUS_OWN_ERROR, "--%s", choice->option);
	if (strpbrk(arg, separators))
		cmd->compare.listed = choice->option;
	while ((value = strsep(&rest, separators))) {
		choose(cmd, choice, value);
		keep_alternative(all, choice, value);
	}
	free(copy);
}

static void take_choice(struct hp_command *cmd, const struct choice *choice,
			const char *arg)
{
	if (!strcmp(choice->option, "report"))
		choose_report(cmd, choice, arg);
	else if (!strcmp(choice->option, "pages"))
		choose_each(cmd, choice, arg, &cmd->compare.pages, ":");
	else if (!strcmp(choice->option, "mmap"))
		choose_each(cmd, choice, arg, &cmd->compare.mmap, ":,");
	else if (arg && !strcmp(choice->option, "sites"))
		choose_sites(cmd, choice, arg);
	else
		choose(cmd, choice, arg ? arg : choice->implied);
}

static void take_unknown(struct hp_command *cmd, const char *word, int got)
{
	const char *file = report_with_colon(word);

	if (file && got == '?') {
		for (size_t i = 0; i < NCHOICES; i++)
			if (!strcmp(choices[i].option, "report"))
				choose_report(cmd, &choices[i], file);
		return;
	}
	hp_tool_bad_option(word, got);
}

static void take_option(struct hp_command *cmd, int got, char **argv)
{
	if (got >= 0 && got < (int)NCHOICES) {
		take_choice(cmd, &choices[got], optarg);
		return;
	}
	switch (got) {
	case OPT_LIBRARY:
		cmd->library = optarg;
		break;
	case OPT_DRY_RUN:
		cmd->dry_run = true;
		break;
	case OPT_COMPARE:
		cmd->compare.rounds = hp_compare_rounds(optarg);
		break;
	case OPT_JSON:
		hp_compare_take_json(&cmd->compare, optarg);
		break;
	case OPT_PLOT:
		hp_compare_take_plot(&cmd->compare, optarg);
		break;
	case OPT_IGNORE_OUTPUT:
		cmd->compare.ignore_output = true;
		break;
	case OPT_HELP:
		help();
	case OPT_VERSION:
		version();
	default:
		take_unknown(cmd, argv[optind - 1], got);
	}
}

static void fill_options(struct option *all)
{
	for (size_t i = 0; i < NCHOICES; i++)
		all[i] = (struct option){choices[i].option, choices[i].has_arg,
					 NULL, (int)i};
	memcpy(all + NCHOICES, own_options, sizeof(own_options));
}

/* what a report shows of others is no reason to doubt a program left out */
static void find_demand(struct hp_command *cmd)
{
	const struct hp_options *options = &cmd->settings.options;

	cmd->demand.require = -1;
	cmd->left_out = !hp_options_admits(options, hp_text_base(cmd->argv[0]));
	if (cmd->left_out)
		return;
	cmd->demand.report = options->report.sink != HP_SINK_OFF;
	cmd->demand.on = options->mode == HP_MODE_ON;
	cmd->demand.require = options->require;
}

void hp_command_parse(struct hp_command *cmd, int argc, char **argv)
{
	struct option all[NCHOICES + HP_ARRAY_SIZE(own_options)];
	int got;

	memset(cmd, 0, sizeof(*cmd));
	hp_settings_init(&cmd->settings);
	fill_options(all);
	while ((got = getopt_long(argc, argv, "+:", all, NULL)) != -1)
		take_option(cmd, got, argv);
	if (optind >= argc)
		errx(HP_STATUS_OWN_ERROR, "no program given; see hprun --help");
	cmd->argv = argv + optind;
	hp_compare_check(&cmd->compare, &cmd->settings, cmd->dry_run);
	find_demand(cmd);
}

void hp_command_clear(struct hp_command *cmd)
{
	hp_settings_clear(&cmd->settings);
	hp_alternatives_clear(&cmd->compare.pages);
	hp_alternatives_clear(&cmd->compare.mmap);
}
