/* SPDX-License-Identifier: MIT */
/*
 * hpdoctor - what this machine, container or process can give, and what to
 * change
 */
#include <err.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "libhp/common.h"
#include "libhp/doctor/show.h"
#include "libhp/doctor/view.h"
#include "libhp/hp.h"
#include "libhp/tool/tool.h"

#define TRY 32 /* slots: enough to tell luck from plenty, 64 MiB on x86-64 */
#define TRY_MOST 1000000

struct command {
	bool json, fix, all, try;
	const char *pages;
	unsigned int slots;
	pid_t pid; /* 0: the machine */
};

enum { OPT_ALL, OPT_FIX, OPT_HELP, OPT_JSON, OPT_PAGES, OPT_TRY, OPT_VERSION };

static const struct option options[] = {
	{"all", no_argument, NULL, OPT_ALL},
	{"fix", no_argument, NULL, OPT_FIX},
	{"help", no_argument, NULL, OPT_HELP},
	{"json", no_argument, NULL, OPT_JSON},
	{"pages", required_argument, NULL, OPT_PAGES},
	{"try", required_argument, NULL, OPT_TRY},
	{"version", no_argument, NULL, OPT_VERSION},
	{NULL, 0, NULL, 0},
};

__attribute__((noreturn)) static void help(void)
{
	puts("Usage: hpdoctor [OPTION]... [PID]\n"
	     "Say what huge pages this machine and container can give, or "
	     "what\n"
	     "process PID has got, and what to change.\n\n"
	     "  --json           one JSON object instead of text\n"
	     "  --fix            print a script that changes what limits; "
	     "nothing is run\n"
	     "  --pages=LIST     kinds of page that count: 1G, 2M (hugetlb), "
	     "thp (default)\n"
	     "  --try=SLOTS      slots to have for a moment (32); 0: none\n"
	     "  --all            with PID: list mappings without a whole slot, "
	     "too\n"
	     "  --help           print this\n"
	     "  --version        print the version\n\n"
	     "Exit status: 0 good; 1 limited, or not all is known; 2 no huge "
	     "page can be had;\n"
	     "125 bad option, no such process, or not permitted to see it.");
	hp_tool_finish(0);
}

static void take_option(struct command *cmd, int got, char **argv)
{
	switch (got) {
	case OPT_ALL:
		cmd->all = true;
		break;
	case OPT_FIX:
		cmd->fix = true;
		break;
	case OPT_HELP:
		help();
	case OPT_JSON:
		cmd->json = true;
		break;
	case OPT_PAGES:
		cmd->pages = optarg;
		break;
	case OPT_TRY:
		cmd->try = true;
		cmd->slots = (unsigned int)hp_tool_number("try", optarg, 0,
							  TRY_MOST);
		break;
	case OPT_VERSION:
		printf("hpdoctor (libhp) %s\n", HP_VERSION);
		hp_tool_finish(0);
	default:
		hp_tool_bad_option(argv[optind - 1], got);
	}
}

static void check(const struct command *cmd)
{
	if (cmd->fix && (cmd->json || cmd->pid))
		errx(HP_TOOL_ERROR, "--fix goes with neither --json nor a PID; "
				    "give it alone");
	if (cmd->all && !cmd->pid)
		errx(HP_TOOL_ERROR, "--all needs a PID");
	if (cmd->pid && (cmd->pages || cmd->try))
		errx(HP_TOOL_ERROR, "--pages and --try are about the machine; "
				    "give them without a PID");
}

static void parse(struct command *cmd, int argc, char **argv)
{
	int got;

	*cmd = (struct command){.slots = TRY};
	while ((got = getopt_long(argc, argv, ":", options, NULL)) != -1)
		take_option(cmd, got, argv);
	if (argc - optind > 1)
		errx(HP_TOOL_ERROR, "%d PIDs given: one at a time",
		     argc - optind);
	if (optind < argc)
		cmd->pid = hp_tool_pid(argv[optind]);
	check(cmd);
}

static void examine(struct hp_exam *x)
{
	hp_exam_kernel(x);
	hp_exam_thp(x);
	hp_exam_prctl(x);
	hp_exam_trial(x);
	hp_exam_slots(x);
	hp_exam_pools(x);
	hp_exam_cgroups(x);
	hp_exam_limits(x);
	hp_exam_host(x);
	hp_exam_environment(x);
}

static int show_machine(const struct command *cmd)
{
	static struct hp_exam x; /* half a stack page of texts each finding */
	int status;

	if (hp_exam_begin(&x, cmd->pages, cmd->slots))
		hp_tool_bad_value("pages", cmd->pages,
				  hp_options_accepts("LIBHP_PAGES"));
	examine(&x);
	if (cmd->fix)
		hp_show_script(stdout, &x);
	else if (cmd->json)
		hp_show_json(stdout, &x);
	else
		hp_show_text(stdout, &x);
	status = (int)hp_exam_verdict(&x);
	hp_findings_clear(&x.found);
	return status;
}

static int show_process(const struct command *cmd)
{
	struct hp_view view;
	int status, ret = hp_view_read(cmd->pid, &view);

	if (ret)
		errx(HP_TOOL_ERROR, "PID %d: %s", (int)cmd->pid,
		     hp_target_obstacle(ret));
	if (cmd->json)
		hp_view_json(stdout, &view);
	else
		hp_view_text(stdout, &view, cmd->all);
	status = (int)hp_view_verdict(&view);
	hp_view_clear(&view);
	return status;
}

int main(int argc, char **argv)
{
	static char name[] = "hpdoctor"; /* whatever the file is called */
	struct command cmd;

	hp_tool_start(name);
	parse(&cmd, argc, argv);
	hp_tool_finish(cmd.pid ? show_process(&cmd) : show_machine(&cmd));
}
