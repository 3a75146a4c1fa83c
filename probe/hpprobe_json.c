/* SPDX-License-Identifier: MIT */
/*
 * hpprobe_json.c - results as probe/hpprobe.schema.json describes them
 */
#include "probe/hpprobe.h"

#include <json-c/json.h>
#include <math.h>

typedef struct json_object json;

static void add(json *object, const char *key, json *value)
{
	json_object_object_add(object, key, value);
}

json *hp_json_number(double value)
{
	static char digits[] = "%.6g";
	json *number;

	if (!isfinite(value))
		return NULL; /* json-c's null */
	number = json_object_new_double(value);
	json_object_set_serializer(number, json_object_double_to_json_string,
				   digits, NULL);
	return number;
}

static json *text_or_null(const char *text)
{
	return text && text[0] ? json_object_new_string(text) : NULL;
}

static json *count_or_null(uint64_t count)
{
	return count == UINT64_MAX ? NULL
				   : json_object_new_int64((int64_t)count);
}

static json *size_or_null(uint64_t size)
{
	return size ? json_object_new_int64((int64_t)size) : NULL;
}

static json *summary(const struct hp_probe_summary *ns)
{
	json *object = json_object_new_object();

	add(object, "median", hp_json_number(ns->median));
	add(object, "q1", hp_json_number(ns->q1));
	add(object, "q3", hp_json_number(ns->q3));
	add(object, "min", hp_json_number(ns->min));
	return object;
}

static json *interval(const struct hp_probe_interval *is)
{
	json *object;

	if (!isfinite(is->value))
		return NULL;
	object = json_object_new_object();
	add(object, "value", hp_json_number(is->value));
	add(object, "lo", hp_json_number(is->lo));
	add(object, "hi", hp_json_number(is->hi));
	return object;
}

static json *chunks(const struct hp_probe_chunks *is)
{
	json *object = json_object_new_object();
	json *dropped = json_object_new_object();

	for (unsigned int i = 0; i < HP_PROBE_DROPS; i++)
		add(dropped, hp_probe_drop_text((enum hp_probe_drop)i),
		    json_object_new_int64(is->dropped[i]));
	add(object, "kept", json_object_new_int64(is->kept));
	add(object, "total", json_object_new_int64(is->total));
	add(object, "dropped", dropped);
	return object;
}

static json *backing(const struct hp_probe_backing *is)
{
	json *object = json_object_new_object();

	add(object, "asked", text_or_null(is->asked));
	add(object, "huge_bytes", count_or_null(is->huge_bytes));
	add(object, "bytes", count_or_null(is->bytes));
	add(object, "source", text_or_null(is->source));
	add(object, "verified", json_object_new_boolean(is->verified));
	return object;
}

static json *touch(const struct hp_probe_touch *is)
{
	json *object;

	if (!isfinite(is->p50))
		return NULL;
	object = json_object_new_object();
	add(object, "p50", hp_json_number(is->p50));
	add(object, "p90", hp_json_number(is->p90));
	add(object, "p99", hp_json_number(is->p99));
	add(object, "max", hp_json_number(is->max));
	add(object, "ns_per_kib", hp_json_number(is->ns_per_kib));
	return object;
}

static json *counters(const struct hp_probe_counters *is)
{
	json *object = json_object_new_object();

	add(object, "dtlb_misses", hp_json_number(is->dtlb_misses));
	add(object, "walks", hp_json_number(is->walks));
	return object;
}

/* a baseline is compared with nothing */
static json *verdict(enum hp_probe_verdict is)
{
	return is == HP_PROBE_BASELINE
		       ? NULL
		       : json_object_new_string(hp_probe_verdict_text(is));
}

static void add_what(json *object, const struct hp_probe_arm *arm)
{
	add(object, "pages", text_or_null(arm->pages));
	add(object, "pattern", text_or_null(arm->pattern));
	add(object, "role", text_or_null(arm->role));
	add(object, "span", size_or_null(arm->span));
	add(object, "stride", size_or_null(arm->stride));
	add(object, "nodes", size_or_null(arm->nodes));
	add(object, "streams", json_object_new_int64(arm->streams));
	add(object, "rounds", json_object_new_int64(arm->rounds));
}

static json *arm(const struct hp_probe_arm *is)
{
	json *object = json_object_new_object();

	add_what(object, is);
	add(object, "ns", summary(&is->ns));
	add(object, "cycles", hp_json_number(is->cycles));
	add(object, "chunks", chunks(&is->chunks));
	add(object, "backing", backing(&is->backing));
	add(object, "ratio", interval(&is->ratio));
	add(object, "translation", interval(&is->translation));
	add(object, "touch", touch(&is->touch));
	add(object, "counters", counters(&is->counters));
	add(object, "floor", hp_json_number(is->floor));
	add(object, "verdict", verdict(is->verdict));
	add(object, "reason", text_or_null(is->reason));
	return object;
}

static json *caches(const struct hp_probe_machine *machine)
{
	json *array = json_object_new_array();

	for (unsigned int i = 0; i < machine->ncaches; i++) {
		const struct hp_probe_cache *cache = &machine->caches[i];
		json *object = json_object_new_object();

		add(object, "level", json_object_new_int64(cache->level));
		add(object, "size", size_or_null(cache->size));
		add(object, "line", size_or_null(cache->line));
		json_object_array_add(array, object);
	}
	return array;
}

static json *known_boolean(int value)
{
	return value < 0 ? NULL : json_object_new_boolean(value);
}

json *hp_json_machine(const struct hp_probe_machine *machine)
{
	json *object = json_object_new_object();
	json *cpu =
		machine->cpu < 0 ? NULL : json_object_new_int64(machine->cpu);

	add(object, "cpu_model", text_or_null(machine->cpu_model));
	add(object, "arch", text_or_null(machine->arch));
	add(object, "kernel", text_or_null(machine->kernel));
	add(object, "governor", text_or_null(machine->governor));
	add(object, "hypervisor", known_boolean(machine->hypervisor));
	add(object, "cpu", cpu);
	add(object, "caches", caches(machine));
	add(object, "clock_read_ns", hp_json_number(machine->clock_read_ns));
	add(object, "cycle_ns", hp_json_number(machine->cycle_ns));
	add(object, "base_page", size_or_null(machine->base_page));
	add(object, "huge_page", size_or_null(machine->huge_page));
	add(object, "thp", text_or_null(machine->thp));
	add(object, "counters_error", text_or_null(machine->counters_error));
	return object;
}

json *hp_json_options(const struct hp_probe_result *result)
{
	const struct hp_probe_options *is = &result->options;
	json *object = json_object_new_object();

	add(object, "span", size_or_null(is->span));
	add(object, "pages", text_or_null(result->pages));
	add(object, "stride", size_or_null(is->stride));
	add(object, "streams", json_object_new_int64(is->streams));
	add(object, "rounds", json_object_new_int64(is->rounds));
	add(object, "chunks", json_object_new_int64(is->chunks));
	add(object, "seed", json_object_new_uint64(is->seed));
	return object;
}

static json *notes(const struct hp_probe_result *result)
{
	json *array = json_object_new_array();

	for (unsigned int i = 0; i < result->nnotes; i++)
		json_object_array_add(array,
				      json_object_new_string(result->notes[i]));
	return array;
}

static json *integrity(const struct hp_probe_integrity_findings *is)
{
	json *object = json_object_new_object();

	add(object, "content_prefetcher",
	    known_boolean(is->content_prefetcher));
	add(object, "value_predictor", known_boolean(is->value_predictor));
	add(object, "temporal_prefetcher",
	    known_boolean(is->temporal_prefetcher));
	return object;
}

static json *arms(const struct hp_probe_result *result)
{
	json *array = json_object_new_array();

	for (size_t i = 0; i < result->narms; i++)
		json_object_array_add(array, arm(&result->arms[i]));
	return array;
}

void hp_write_json(FILE *out, const struct hp_probe_result *result)
{
	json *top = json_object_new_object();

	add(top, "schema", json_object_new_string(HP_PROBE_SCHEMA));
	add(top, "machine", hp_json_machine(&result->machine));
	add(top, "command", json_object_new_string(result->command));
	add(top, "options", hp_json_options(result));
	add(top, "arms", arms(result));
	add(top, "noise_floor", hp_json_number(result->noise_floor));
	add(top, "integrity", integrity(&result->integrity));
	add(top, "conclusions_valid",
	    json_object_new_boolean(result->conclusions_valid));
	add(top, "interrupted", json_object_new_boolean(result->interrupted));
	add(top, "bound_s", hp_json_number(result->bound_s));
	add(top, "elapsed_s", hp_json_number(result->elapsed_s));
	add(top, "notes", notes(result));
	fprintf(out, "%s\n",
		json_object_to_json_string_ext(
			top, JSON_C_TO_STRING_PRETTY |
				     JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(top);
}
