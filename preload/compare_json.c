/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <json-c/json.h>
#include <math.h>

#include "libhp/common.h"
#include "libhp/hp.h"
#include "libhp/tool/json.h"
#include "preload/compare_judge.h"
#include "preload/compare_print.h"

typedef struct json_object json;

/* in the order of enum hp_measure */
static const struct {
	const char *key;
	const char *digits;
} measures[HP_MEASURES] = {
	[HP_MEASURE_WALL] = {"wall_s", "%.6f"},
	[HP_MEASURE_USER] = {"user_s", "%.6f"},
	[HP_MEASURE_SYS] = {"sys_s", "%.6f"},
	[HP_MEASURE_MINOR] = {"minor_faults", "%.0f"},
	[HP_MEASURE_MAJOR] = {"major_faults", "%.0f"},
	[HP_MEASURE_RSS] = {"rss_bytes", "%.0f"},
	[HP_MEASURE_HUGETLB] = {"hugetlb_bytes", "%.0f"},
	[HP_MEASURE_COVERAGE] = {"coverage", "%.6f"},
};

static const char *const roles[] = {
	[HP_ROLE_PLAIN] = "plain",
	[HP_ROLE_CONTROL] = "control",
	[HP_ROLE_OFF] = "off",
	[HP_ROLE_TRY] = "try",
};

static void add(json *object, const char *key, json *value)
{
	json_object_object_add(object, key, value);
}

static json *number(double value, const char *digits)
{
	json *object;

	if (!isfinite(value))
		return NULL; /* json-c's null */
	object = json_object_new_double(value);
	json_object_set_serializer(object, json_object_double_to_json_string,
				   (void *)(uintptr_t)digits, NULL);
	return object;
}

static json *text(const char *value)
{
	return value ? json_object_new_string(value) : NULL;
}

static json *count(int64_t value)
{
	return json_object_new_int64(value);
}

static json *summary(const struct hp_probe_summary *is, const char *digits)
{
	json *object;

	if (!isfinite(is->median))
		return NULL;
	object = json_object_new_object();
	add(object, "median", number(is->median, digits));
	add(object, "q1", number(is->q1, digits));
	add(object, "q3", number(is->q3, digits));
	add(object, "min", number(is->min, digits));
	return object;
}

static json *interval(const struct hp_probe_interval *is)
{
	json *object;

	if (!isfinite(is->value))
		return NULL;
	object = json_object_new_object();
	add(object, "value", number(is->value, "%.6f"));
	add(object, "lo", number(is->lo, "%.6f"));
	add(object, "hi", number(is->hi, "%.6f"));
	return object;
}

static json *values(const struct hp_compare_run *run)
{
	json *object = json_object_new_object();

	for (size_t i = 0; i < HP_MEASURES; i++)
		add(object, measures[i].key,
		    number(run->value[i], measures[i].digits));
	add(object, "status", count(run->status));
	return object;
}

static json *runs(const struct hp_comparison *c,
		  const struct hp_compare_arm *arm)
{
	json *array = json_object_new_array();

	for (unsigned int i = 0; i < c->rounds; i++) {
		json *run;

		if (!arm->runs[i].done)
			continue;
		run = values(&arm->runs[i]);
		add(run, "round", count(i + 1));
		add(run, "place", count(arm->runs[i].place));
		json_object_array_add(array, run);
	}
	return array;
}

/* with libhp: true when it was in every run, null when there was none */
static json *loaded(const struct hp_comparison *c,
		    const struct hp_compare_arm *arm)
{
	bool all = true, any = false;

	if (!hp_compare_has_libhp(arm))
		return json_object_new_boolean(false);
	for (unsigned int i = 0; i < c->rounds; i++)
		if (arm->runs[i].done) {
			any = true;
			all &= arm->runs[i].loaded;
		}
	return any ? json_object_new_boolean(all) : NULL;
}

static json *setting(const struct hp_compare_arm *arm, const char *name)
{
	char value[256];

	if (!hp_compare_has_libhp(arm))
		return NULL;
	return text(hp_options_text(&arm->settings.options, name, value,
				    sizeof(value)));
}

static void add_judgement(json *object, const struct hp_compare_arm *arm)
{
	bool judged = arm->role == HP_ROLE_TRY;

	add(object, "ratio", interval(&arm->to_plain));
	add(object, "ratio_off", interval(&arm->to_off));
	add(object, "ratio_cpu", interval(&arm->cpu_to_plain));
	add(object, "verdict",
	    judged ? text(hp_compare_verdict_text(arm->verdict)) : NULL);
	add(object, "doubt",
	    judged ? text(hp_compare_doubt_word(arm->doubt)) : NULL);
}

static json *arm_object(const struct hp_comparison *c,
			const struct hp_compare_arm *arm)
{
	json *object = json_object_new_object();

	add(object, "name", text(arm->name));
	add(object, "role", text(roles[arm->role]));
	add(object, "mode", setting(arm, "LIBHP_MODE"));
	add(object, "pages", setting(arm, "LIBHP_PAGES"));
	add(object, "mmap", setting(arm, "LIBHP_MMAP"));
	add(object, "loaded", loaded(c, arm));
	for (size_t i = 0; i < HP_MEASURES; i++)
		add(object, measures[i].key,
		    summary(&arm->summary[i], measures[i].digits));
	add_judgement(object, arm);
	add(object, "runs", runs(c, arm));
	return object;
}

static json *arms(const struct hp_comparison *c)
{
	json *array = json_object_new_array();

	for (unsigned int i = 0; i < c->n; i++)
		json_object_array_add(array, arm_object(c, &c->arm[i]));
	return array;
}

static json *program(char *const *argv)
{
	json *array = json_object_new_array();

	for (; *argv; argv++)
		json_object_array_add(array, **argv ? hp_tool_json_text(*argv)
						    : text(""));
	return array;
}

static json *comparison(struct hp_comparison *c)
{
	const struct hp_compare_arm *arm = hp_comparison_find(c, HP_ROLE_TRY);
	json *object = json_object_new_object();

	add(object, "schema", text(HP_COMPARE_SCHEMA));
	add(object, "version", text(HP_VERSION));
	add(object, "program", program(c->argv));
	add(object, "status", count(c->first.status));
	add(object, "rounds", count(c->rounds));
	add(object, "interrupted", json_object_new_boolean(c->stop != 0));
	add(object, "output_compared",
	    json_object_new_boolean(c->compares_output));
	add(object, "warmed_bytes", number(c->warmed, "%.0f"));
	add(object, "load_average", number(c->load, "%.2f"));
	add(object, "first_run", values(&c->first));
	add(object, "arms", arms(c));
	add(object, "noise_floor", number(c->floor, "%.6f"));
	add(object, "verdict", text(hp_compare_verdict_text(arm->verdict)));
	add(object, "doubt", text(hp_compare_doubt_word(arm->doubt)));
	return object;
}

int hp_compare_print_json(FILE *out, struct hp_comparison *c)
{
	json *object = comparison(c);
	const char *written = json_object_to_json_string_ext(
		object,
		JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE);
	int err = 0;

	if (fprintf(out, "%s\n", written) < 0)
		err = -errno;
	json_object_put(object);
	return err;
}
