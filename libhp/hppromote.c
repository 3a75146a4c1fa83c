/* SPDX-License-Identifier: MIT */
/*
 * hppromote - put the memory of running processes on huge pages
 */
#include <err.h>
#include <getopt.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libhp/common.h"
#include "libhp/promoter/promoted.h"
#include "libhp/size.h"
#include "libhp/tool/json.h"
#include "libhp/tool/tool.h"
#include "preload/quote.h"

#define PIDS_MAX 4096
#define RESIDENT 80 /* percent: costs a quarter, as LIBHP_BLOAT allows */
#define PROGRESS 100000000ULL /* nanoseconds between two lines */

struct command {
	struct hp_wish wish;
	bool json, verbose;
	const char *exe;
	size_t rate; /* bytes a second; 0: no limit */
	unsigned int n;
	pid_t pids[PIDS_MAX];
};

enum {
	OPT_DRY_RUN,
	OPT_EXE,
	OPT_HELP,
	OPT_JSON,
	OPT_RATE,
	OPT_RESIDENT,
	OPT_UNTIL,
	OPT_VERBOSE,
	OPT_VERSION
};

static const struct option options[] = {
	{"dry-run", no_argument, NULL, OPT_DRY_RUN},
	{"exe", required_argument, NULL, OPT_EXE},
	{"help", no_argument, NULL, OPT_HELP},
	{"json", no_argument, NULL, OPT_JSON},
	{"rate", required_argument, NULL, OPT_RATE},
	{"resident", required_argument, NULL, OPT_RESIDENT},
	{"until", required_argument, NULL, OPT_UNTIL},
	{"verbose", no_argument, NULL, OPT_VERBOSE},
	{"version", no_argument, NULL, OPT_VERSION},
	{NULL, 0, NULL, 0},
};

static volatile sig_atomic_t stop_signal;

static void stop(int sig)
{
	stop_signal = sig;
}

/* the slot at work is finished, what was done is told, and then it counts */
static void catch_signals(void)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction act = {.sa_handler = stop}, old;

	for (size_t i = 0; i < HP_ARRAY_SIZE(signals); i++) {
		sigaction(signals[i], NULL, &old);
		if (old.sa_handler != SIG_IGN)
			sigaction(signals[i], &act, NULL);
	}
}

__attribute__((noreturn)) static void help(void)
{
	puts("Usage: hppromote [OPTION]... PID...\n"
	     "       hppromote [OPTION]... --exe=NAME\n"
	     "Put private memory of running processes on huge pages. They run "
	     "on "
	     "meanwhile.\n\n"
	     "  --exe=NAME           every process of this program\n"
	     "  --until=PERCENT      stop when so much of its memory is huge\n"
	     "  --rate=BYTES         promote no more a second, such as 512M\n"
	     "  --resident=PERCENT   leave slots alone of which less is "
	     "present "
	     "(80)\n"
	     "  --dry-run            say what would be promoted\n"
	     "  --verbose            list every slot that failed\n"
	     "  --json               one JSON object instead of text\n"
	     "  --help               print this\n"
	     "  --version            print the version\n\n"
	     "Exit status: 0 done; 1 partly; 2 nothing could be promoted: "
	     "privileges, kernel,\n"
	     "memory; 125 bad option or no such process; 128+N stopped by "
	     "signal N.");
	hp_tool_finish(0);
}

static void add_pid(pid_t pid, void *arg)
{
	struct command *cmd = arg;

	for (unsigned int i = 0; i < cmd->n; i++)
		if (cmd->pids[i] == pid)
			return;
	if (cmd->n == PIDS_MAX)
		errx(HP_TOOL_ERROR, "more than %d processes: name fewer",
		     PIDS_MAX);
	cmd->pids[cmd->n++] = pid;
}

static size_t parse_rate(const char *text)
{
	size_t rate;

	if (hp_size_parse(text, &rate) || rate == 0)
		hp_tool_bad_value("rate", text,
				  "bytes a second, such as 512M or 2G");
	return rate;
}

static unsigned int parse_percent(const char *option, const char *text,
				  unsigned int least)
{
	return (unsigned int)hp_tool_number(option, text, least, 100);
}

static void take_option(struct command *cmd, int got, char **argv)
{
	switch (got) {
	case OPT_DRY_RUN:
		cmd->wish.dry_run = true;
		break;
	case OPT_EXE:
		cmd->exe = optarg;
		break;
	case OPT_HELP:
		help();
	case OPT_JSON:
		cmd->json = true;
		break;
	case OPT_RATE:
		cmd->rate = parse_rate(optarg);
		break;
	case OPT_RESIDENT:
		cmd->wish.resident = parse_percent("resident", optarg, 0);
		break;
	case OPT_UNTIL:
		cmd->wish.until = parse_percent("until", optarg, 1);
		break;
	case OPT_VERBOSE:
		cmd->verbose = true;
		break;
	case OPT_VERSION:
		printf("hppromote (libhp) %s\n", HP_VERSION);
		hp_tool_finish(0);
	default:
		hp_tool_bad_option(argv[optind - 1], got);
	}
}

static void find_by_name(struct command *cmd)
{
	char shown[120];
	int found;

	if (!cmd->exe[0])
		hp_tool_bad_value("exe", cmd->exe,
				  "a program, such as python3");
	found = hp_target_find(cmd->exe, add_pid, cmd);
	if (found < 0)
		errx(HP_TOOL_ERROR, "--exe: %s", hp_target_obstacle(found));
	if (found == 0)
		errx(HP_TOOL_ERROR, "no process runs '%s'",
		     hp_quote_line(cmd->exe, shown, sizeof(shown)));
}

static void parse(struct command *cmd, int argc, char **argv)
{
	int got;

	cmd->wish.until = 100;
	cmd->wish.resident = RESIDENT;
	while ((got = getopt_long(argc, argv, ":", options, NULL)) != -1)
		take_option(cmd, got, argv);
	for (int i = optind; i < argc; i++)
		add_pid(hp_tool_pid(argv[i]), cmd);
	if (cmd->n == 0 && !cmd->exe)
		errx(HP_TOOL_ERROR, "no process given: name a PID or "
				    "--exe=NAME");
	if (cmd->exe)
		find_by_name(cmd);
}

/* one unknown PID among several is a mistake to mend before anything is done */
static void check_targets(const struct command *cmd)
{
	struct hp_target t;

	for (unsigned int i = 0; i < cmd->n; i++) {
		int ret = hp_target_look(cmd->pids[i], &t);

		if (ret == 0 && t.kernel)
			ret = -ENODATA;
		/* those found by name may come and go */
		if (ret && !cmd->exe)
			errx(HP_TOOL_ERROR, "PID %d: %s", (int)cmd->pids[i],
			     hp_target_obstacle(ret));
	}
}

static void show_progress(const struct hp_job *job, void *arg)
{
	uint64_t *last = arg, now = hp_pace_now();

	if (now - *last < PROGRESS)
		return;
	*last = now;
	hp_promoted_progress(stderr, job);
}

static void no_progress(const struct hp_job *job, void *arg)
{
	(void)job;
	(void)arg;
}

static int run_job(struct hp_job *job, const struct hp_wish *wish)
{
	uint64_t last = hp_pace_now();
	bool terminal = isatty(STDERR_FILENO);
	int ret = hp_job_run(job, wish, terminal ? show_progress : no_progress,
			     &last);

	if (terminal)
		hp_promoted_clear(stderr);
	return ret;
}

static struct json_object *obstacle_json(const struct hp_target *t,
					 const char *why)
{
	struct json_object *o = json_object_new_object();

	json_object_object_add(o, "pid", json_object_new_int(t->pid));
	json_object_object_add(o, "name", hp_tool_json_text(t->name));
	json_object_object_add(o, "success", json_object_new_string("cannot"));
	json_object_object_add(o, "obstacle", json_object_new_string(why));
	return o;
}

static enum hp_success cannot(const struct command *cmd,
			      const struct hp_target *t, const char *why,
			      struct json_object *list)
{
	warnx("PID %d (%s): %s", (int)t->pid, t->name, why);
	if (cmd->json)
		json_object_array_add(list, obstacle_json(t, why));
	return HP_SUCCESS_CANNOT;
}

static enum hp_success promote(const struct command *cmd, pid_t pid,
			       struct json_object *list)
{
	struct hp_job job = {0};
	enum hp_success success;
	int ret = hp_target_look(pid, &job.target);

	if (ret == 0 && job.target.thp == 0)
		return cannot(cmd, &job.target,
			      "it has PR_SET_THP_DISABLE set, which it or its "
			      "ancestors asked for",
			      list);
	if (ret == 0)
		ret = run_job(&job, &cmd->wish);
	if (ret) {
		success = cannot(cmd, &job.target, hp_collapse_obstacle(ret),
				 list);
	} else {
		success = hp_job_success(&job, &cmd->wish);
		if (cmd->json)
			json_object_array_add(
				list, hp_promoted_json(&job, &cmd->wish));
		else
			hp_promoted_text(stdout, &job, &cmd->wish,
					 cmd->verbose);
	}
	hp_job_clear(&job);
	return success;
}

static void show_json(const struct command *cmd, struct json_object *list)
{
	struct json_object *o = json_object_new_object();

	json_object_object_add(o, "schema",
			       json_object_new_string("libhp.promote/1"));
	json_object_object_add(o, "version",
			       json_object_new_string(HP_VERSION));
	json_object_object_add(o, "dry_run",
			       json_object_new_boolean(cmd->wish.dry_run));
	json_object_object_add(o, "processes", list);
	hp_tool_json_print(stdout, o);
}

/* all alike, or something in between */
static int promote_all(const struct command *cmd)
{
	struct json_object *list = json_object_new_array();
	unsigned int count[HP_SUCCESS_CANNOT + 1] = {0}, n = 0;

	for (; n < cmd->n && !stop_signal; n++)
		count[promote(cmd, cmd->pids[n], list)]++;
	if (cmd->json)
		show_json(cmd, list);
	else
		json_object_put(list);
	if (stop_signal)
		return 128 + stop_signal;
	if (count[HP_SUCCESS_DONE] == n)
		return HP_SUCCESS_DONE;
	return count[HP_SUCCESS_CANNOT] == n ? HP_SUCCESS_CANNOT
					     : HP_SUCCESS_PARTIAL;
}

int main(int argc, char **argv)
{
	static char name[] = "hppromote"; /* whatever the file is called */
	static struct command cmd;
	struct hp_pace pace;

	hp_tool_start(name);
	parse(&cmd, argc, argv);
	check_targets(&cmd);
	catch_signals();
	hp_pace_start(&pace, cmd.rate);
	cmd.wish.pace = &pace;
	cmd.wish.stop = &stop_signal;
	hp_tool_finish(promote_all(&cmd));
}
