/* SPDX-License-Identifier: MIT */
/*
 * hpprobe_granule_json.c - a study as probe/granule.schema.json describes it
 */
#include "probe/hpprobe_granule.h"

#include <json-c/json.h>
#include <math.h>
#include <string.h>

typedef struct json_object json;

/* 0 stands for not known */
static json *known(double value)
{
	return hp_json_number(value > 0 ? value : NAN);
}

static json *size(size_t bytes)
{
	return bytes ? json_object_new_int64((int64_t)bytes) : NULL;
}

static json *text_or_null(const char *text)
{
	return text && text[0] ? json_object_new_string(text) : NULL;
}

static json *range(const struct hp_granule_range *r)
{
	json *object = json_object_new_object();

	json_object_object_add(object, "value", known(r->value));
	json_object_object_add(object, "lo", known(r->lo));
	json_object_object_add(object, "hi", known(r->hi));
	return object;
}

static json *diagnosis(enum hp_granule_diagnosis d)
{
	return json_object_new_string(hp_granule_diagnosis_name(d));
}

static json *levels(const struct hp_granule_result *result)
{
	json *array = json_object_new_array();

	for (size_t i = 0; i < result->len; i++) {
		const struct hp_granule_level *is = &result->level[i];
		json *object = json_object_new_object();

		json_object_object_add(object, "entries", range(&is->entries));
		json_object_object_add(object, "reach", range(&is->reach));
		json_object_object_add(object, "granule", range(&is->granule));
		json_object_object_add(object, "ns", known(is->ns));
		json_object_object_add(object, "diagnosis",
				       diagnosis(is->diagnosis));
		json_object_array_add(array, object);
	}
	return array;
}

static json *point(const struct hp_granule_point *p)
{
	json *array = json_object_new_array();

	json_object_array_add(array, json_object_new_int64((int64_t)p->blocks));
	json_object_array_add(array, hp_json_number(p->ns));
	json_object_array_add(array, hp_json_number(p->lo));
	json_object_array_add(array, hp_json_number(p->hi));
	return array;
}

static json *curve(const struct hp_granule_curve *is)
{
	json *object = json_object_new_object();
	json *points = json_object_new_array();

	for (size_t i = 0; i < is->len; i++)
		json_object_array_add(points, point(&is->points[i]));
	json_object_object_add(object, "spacing", size(is->spacing));
	json_object_object_add(object, "points", points);
	return object;
}

static json *chunks(const struct hp_probe_chunks *is)
{
	json *object = json_object_new_object();
	json *dropped = json_object_new_object();

	for (unsigned int i = 0; i < HP_PROBE_DROPS; i++)
		json_object_object_add(
			dropped, hp_probe_drop_text((enum hp_probe_drop)i),
			json_object_new_int64(is->dropped[i]));
	json_object_object_add(object, "kept", json_object_new_int64(is->kept));
	json_object_object_add(object, "total",
			       json_object_new_int64(is->total));
	json_object_object_add(object, "dropped", dropped);
	return object;
}

static json *sweep(const struct hp_granule_sweep *is,
		   const struct hp_probe_chunks *of)
{
	json *object = json_object_new_object();
	json *curves = json_object_new_array();

	for (size_t i = 0; i < is->len; i++)
		json_object_array_add(curves, curve(&is->curves[i]));
	json_object_object_add(object, "chunks", chunks(of));
	json_object_object_add(object, "curves", curves);
	return object;
}

static json *sweeps(const struct hp_granule_finding *f)
{
	json *array = json_object_new_array();

	for (size_t pass = 0; pass < 2; pass++)
		if (f->sweep[pass].len)
			json_object_array_add(array, sweep(&f->sweep[pass],
							   &f->chunks[pass]));
	return array;
}

static json *backing(const struct hp_probe_backing *is)
{
	json *object = json_object_new_object();
	json *huge = is->huge_bytes == UINT64_MAX
			     ? NULL
			     : json_object_new_int64((int64_t)is->huge_bytes);

	json_object_object_add(object, "asked", text_or_null(is->asked));
	json_object_object_add(object, "huge_bytes", huge);
	json_object_object_add(object, "bytes",
			       json_object_new_int64((int64_t)is->bytes));
	json_object_object_add(object, "source", text_or_null(is->source));
	json_object_object_add(object, "verified",
			       json_object_new_boolean(is->verified));
	return object;
}

static json *finding(const struct hp_granule_finding *f)
{
	const struct hp_granule_result *r = &f->result;
	json *object = json_object_new_object();

	json_object_object_add(object, "pages", text_or_null(f->pages));
	json_object_object_add(object, "backing",
			       f->backing.source ? backing(&f->backing) : NULL);
	json_object_object_add(object, "claimed", size(f->claim.claimed));
	json_object_object_add(object, "leaf", size(f->claim.leaf));
	json_object_object_add(object, "effective", size(r->effective));
	json_object_object_add(object, "diagnosis", diagnosis(r->diagnosis));
	json_object_object_add(object, "explanation", text_or_null(r->reason));
	json_object_object_add(object, "reason", text_or_null(f->reason));
	json_object_object_add(object, "span", size(f->span));
	json_object_object_add(object, "levels", levels(r));
	json_object_object_add(object, "sweeps", sweeps(f));
	return object;
}

static json *findings(const struct hp_granule_study *study)
{
	json *array = json_object_new_array();

	for (size_t i = 0; i < study->nfindings; i++)
		json_object_array_add(array, finding(&study->findings[i]));
	return array;
}

static json *options(const struct hp_granule_study *study)
{
	struct hp_probe_result result = {.options = study->options};

	memcpy(result.pages, study->pages, sizeof(result.pages));
	return hp_json_options(&result);
}

void hp_write_granule_json(FILE *out, const struct hp_granule_study *study)
{
	json *top = json_object_new_object();

	json_object_object_add(top, "schema",
			       json_object_new_string(HP_PROBE_SCHEMA));
	json_object_object_add(top, "machine",
			       hp_json_machine(&study->machine));
	json_object_object_add(top, "command",
			       json_object_new_string("granule"));
	json_object_object_add(top, "options", options(study));
	json_object_object_add(top, "granules", findings(study));
	json_object_object_add(
		top, "conclusions_valid",
		json_object_new_boolean(study->conclusions_valid));
	json_object_object_add(top, "interrupted",
			       json_object_new_boolean(study->interrupted));
	json_object_object_add(top, "bound_s", hp_json_number(study->bound_s));
	json_object_object_add(top, "elapsed_s",
			       hp_json_number(study->elapsed_s));
	fprintf(out, "%s\n",
		json_object_to_json_string_ext(top,
					       JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(top);
}
