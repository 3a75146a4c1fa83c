/* SPDX-License-Identifier: MIT */
#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "libhp/common.h"
#include "preload/program.h"
#include "preload/quote.h"
#include "preload/script.h"
#include "preload/verdict.h"

#define NAME_SHOWN 200

/* bytes of a file that surely hold a report */
#define REPORT_ROOM 65536

bool hp_demand_any(const struct hp_demand *demand)
{
	return demand->report || demand->on || demand->require >= 0;
}

static int not_executed(const char *program, int error)
{
	char *path = hp_program_find(program);
	char shown[NAME_SHOWN];

	warnx("'%s': %s%s", hp_quote_line(program, shown, sizeof(shown)),
	      path && error == ENOENT ? "its interpreter or loader: " : "",
	      strerror(error));
	free(path);
	return error == ENOENT ? HP_STATUS_NOT_FOUND : HP_STATUS_NOT_EXECUTABLE;
}

/* does a limit on the size of files explain that there is no report? */
static bool has_no_room(const char *shown)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_FSIZE, &limit) || limit.rlim_cur >= REPORT_ROOM)
		return false;
	warnx("there is no report of '%s', and files may not be larger than "
	      "%llu bytes; raise that limit (ulimit -f)",
	      shown, (unsigned long long)limit.rlim_cur);
	return true;
}

static int could_not(const char *path, const char *image, const char *shown,
		     enum hp_obstacle obstacle)
{
	char interpreter[NAME_SHOWN];

	if (strcmp(path, image))
		warnx("libhp was not loaded into '%s', which runs '%s': %s",
		      hp_quote_line(image, interpreter, sizeof(interpreter)),
		      shown, hp_obstacle_text(obstacle));
	else
		warnx("libhp was not loaded into '%s': %s", shown,
		      hp_obstacle_text(obstacle));
	return HP_STATUS_NOT_LOADED;
}

static int left_nothing(const char *shown)
{
	if (has_no_room(shown))
		return HP_STATUS_OWN_ERROR;
	warnx("libhp was not loaded into '%s': %s", shown,
	      hp_obstacle_text(HP_OBSTACLE_NONE_SEEN));
	return HP_STATUS_NOT_LOADED;
}

static int left_no_report(const char *shown)
{
	warnx("libhp was loaded into '%s', but left no report: the program "
	      "ended without its knowledge, or executed another that is "
	      "static, "
	      "set-user-ID or of another user",
	      shown);
	return HP_STATUS_NOT_LOADED;
}

static int without_report(const char *path, const char *image,
			  const char *shown, enum hp_result_state state)
{
	enum hp_obstacle obstacle =
		image ? hp_program_obstacle(image) : HP_OBSTACLE_NONE_SEEN;

	if (obstacle != HP_OBSTACLE_NONE_SEEN)
		return could_not(path, image, shown, obstacle);
	return state == HP_RESULT_EMPTY ? left_nothing(shown)
					: left_no_report(shown);
}

int hp_verdict_unloaded(const char *program, enum hp_result_state state)
{
	char *path = hp_program_find(program);
	char *image = path ? hp_script_image(path) : NULL;
	char shown[NAME_SHOWN];
	int status;

	hp_quote_line(program, shown, sizeof(shown));
	status = without_report(path, image, shown, state);
	free(image);
	free(path);
	return status;
}

static struct json_object *member(struct json_object *o, const char *first,
				  const char *second)
{
	struct json_object *outer, *inner;

	if (!json_object_object_get_ex(o, first, &outer) ||
	    !json_object_object_get_ex(outer, second, &inner))
		return NULL;
	return inner;
}

static bool is_met(struct json_object *report, int require)
{
	struct json_object *met = member(report, "requirement", "met");
	struct json_object *coverage = member(report, "process", "coverage");

	if (json_object_is_type(met, json_type_boolean))
		return json_object_get_boolean(met);
	return coverage && json_object_get_double(coverage) * 100 >= require;
}

/* the reason with most slots that hold memory; NULL where none is given */
static const char *main_reason(struct json_object *report)
{
	struct json_object *reasons;
	const char *name = NULL;
	int64_t most = 0;

	if (!json_object_object_get_ex(report, "reasons", &reasons))
		return NULL;
	json_object_object_foreach(reasons, key, value)
	{
		int64_t slots = json_object_get_int64(value);

		if (slots > most && strcmp(key, "not-touched")) {
			most = slots;
			name = key;
		}
	}
	return name;
}

static double mib(struct json_object *report, const char *key)
{
	return (double)json_object_get_int64(member(report, "process", key)) /
	       (double)HP_MIB;
}

static int unmet(struct json_object *report, const char *shown, int require)
{
	struct json_object *coverage = member(report, "process", "coverage");
	const char *reason = main_reason(report);

	if (!coverage)
		warnx("'%s': %d %% on huge pages required, but the kernel "
		      "could not be asked",
		      shown, require);
	else
		warnx("'%s': %d %% on huge pages required, %.1f %% reached "
		      "(%.1f of %.1f MiB)%s%s",
		      shown, require, json_object_get_double(coverage) * 100,
		      mib(report, "huge_bytes"), mib(report, "present_bytes"),
		      reason ? "; mostly " : "", reason ? reason : "");
	return HP_STATUS_UNMET;
}

/* the library on its own, without hprun, exits so and has said why */
static bool said_by_program(int status)
{
	return status == HP_STATUS_UNMET;
}

static int judge(const char *shown, const struct hp_demand *demand, int status,
		 struct json_object *report)
{
	if (demand->require < 0 || is_met(report, demand->require))
		return status;
	if (said_by_program(status))
		return status;
	return unmet(report, shown, demand->require);
}

static int by_result(const char *program, const struct hp_demand *demand,
		     int status, const struct hp_result *result)
{
	struct json_object *report;
	enum hp_result_state state = hp_result_read(result, &report);
	char shown[NAME_SHOWN];

	hp_quote_line(program, shown, sizeof(shown));
	if (state == HP_RESULT_REPORT)
		status = judge(shown, demand, status, report);
	else if (demand->on && status == HP_STATUS_OWN_ERROR)
		; /* refused to start, and the library has said why */
	else
		status = hp_verdict_unloaded(program, state);
	json_object_put(report);
	return status;
}

int hp_verdict_status(const char *program, const struct hp_demand *demand,
		      const struct hp_ending *ending,
		      const struct hp_result *result)
{
	if (ending->exec_errno)
		return not_executed(program, ending->exec_errno);
	if (WIFSIGNALED(ending->status))
		return HP_STATUS_SIGNAL + WTERMSIG(ending->status);
	return by_result(program, demand, WEXITSTATUS(ending->status), result);
}
