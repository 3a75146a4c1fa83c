/* SPDX-License-Identifier: MIT */
#include "libhp/promoter/promoted.h"

static void put(struct json_object *o, const char *key,
		struct json_object *value)
{
	json_object_object_add(o, key, value);
}

static struct json_object *text(const char *s)
{
	return s && s[0] ? json_object_new_string(s) : NULL;
}

static struct json_object *number(uint64_t n)
{
	return json_object_new_int64((int64_t)n);
}

/* null: smaps_rollup could not be read, or was not asked */
static struct json_object *backing(const struct hp_process_backing *p,
				   bool known)
{
	struct json_object *o;

	if (!known)
		return NULL;
	o = json_object_new_object();
	put(o, "present_bytes", number(p->present));
	put(o, "huge_bytes", number(p->huge));
	put(o, "coverage", p->present ? json_object_new_double(
						(double)p->huge /
						(double)p->present)
				      : NULL);
	return o;
}

static struct json_object *slots(const struct hp_job *job)
{
	struct json_object *o = json_object_new_object();
	size_t promoted = job->outcomes[HP_OUTCOME_PROMOTED];

	put(o, "candidates", number(job->found.n));
	put(o, "promoted", number(promoted));
	put(o, "failed", number(job->nfailures));
	put(o, "not_tried", number(job->found.n - promoted - job->nfailures));
	put(o, "huge_before", number(job->found.huge));
	put(o, "sparse", number(job->found.sparse));
	put(o, "program_advice", number(job->found.refused));
	return o;
}

static struct json_object *errors(const struct hp_job *job)
{
	struct json_object *o = json_object_new_object();

	for (int i = HP_OUTCOME_PROMOTED + 1; i < HP_OUTCOME_COUNT; i++)
		if (job->outcomes[i])
			put(o, hp_outcome_text((enum hp_outcome)i),
			    number(job->outcomes[i]));
	return o;
}

static struct json_object *failures(const struct hp_job *job)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < job->nfailures; i++) {
		struct json_object *o = json_object_new_object();
		char address[24];

		snprintf(address, sizeof(address), "%jx",
			 (uintmax_t)job->failures[i].start);
		put(o, "start", text(address));
		put(o, "reason", text(hp_outcome_text(job->failures[i].outcome)));
		json_object_array_add(list, o);
	}
	return list;
}

struct json_object *hp_promoted_json(const struct hp_job *job,
				     const struct hp_wish *wish)
{
	struct json_object *o = json_object_new_object();

	put(o, "pid", json_object_new_int(job->target.pid));
	put(o, "name", text(job->target.name));
	put(o, "exe", text(job->target.exe));
	put(o, "success", text(hp_success_text(hp_job_success(job, wish))));
	put(o, "stopped", text(hp_stop_text(job->stop)));
	put(o, "slot_bytes", number(job->slot));
	put(o, "before", backing(&job->before, job->has_before));
	put(o, "after", backing(&job->after, job->has_after));
	put(o, "slots", slots(job));
	put(o, "errors", errors(job));
	put(o, "failures", failures(job));
	put(o, "unknown_bytes", number(job->found.unknown));
	put(o, "seconds", json_object_new_double((double)job->took / 1e9));
	return o;
}
