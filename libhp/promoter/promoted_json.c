/* SPDX-License-Identifier: MIT */
#include "libhp/promoter/promoted.h"

#include "libhp/tool/json.h"

static void put(struct json_object *o, const char *key,
		struct json_object *value)
{
	json_object_object_add(o, key, value);
}

/* null: smaps_rollup could not be read, or was not asked */
static struct json_object *backing(const struct hp_process_backing *p,
				   bool known)
{
	struct json_object *o;

	if (!known)
		return NULL;
	o = json_object_new_object();
	put(o, "present_bytes", hp_tool_json_count(p->present));
	put(o, "huge_bytes", hp_tool_json_count(p->huge));
	put(o, "coverage",
	    p->present ? json_object_new_double((double)p->huge /
						(double)p->present)
		       : NULL);
	return o;
}

static struct json_object *slots(const struct hp_job *job)
{
	struct json_object *o = json_object_new_object();
	size_t promoted = job->outcomes[HP_OUTCOME_PROMOTED];

	put(o, "candidates", hp_tool_json_count(job->found.n));
	put(o, "promoted", hp_tool_json_count(promoted));
	put(o, "failed", hp_tool_json_count(job->nfailures));
	put(o, "not_tried",
	    hp_tool_json_count(job->found.n - promoted - job->nfailures));
	put(o, "huge_before", hp_tool_json_count(job->found.huge));
	put(o, "sparse", hp_tool_json_count(job->found.sparse));
	put(o, "program_advice", hp_tool_json_count(job->found.refused));
	return o;
}

static struct json_object *errors(const struct hp_job *job)
{
	struct json_object *o = json_object_new_object();

	for (int i = HP_OUTCOME_PROMOTED + 1; i < HP_OUTCOME_COUNT; i++)
		if (job->outcomes[i])
			put(o, hp_outcome_text((enum hp_outcome)i),
			    hp_tool_json_count(job->outcomes[i]));
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
		put(o, "start", hp_tool_json_text(address));
		put(o, "reason",
		    hp_tool_json_text(
			    hp_outcome_text(job->failures[i].outcome)));
		json_object_array_add(list, o);
	}
	return list;
}

struct json_object *hp_promoted_json(const struct hp_job *job,
				     const struct hp_wish *wish)
{
	struct json_object *o = json_object_new_object();

	put(o, "pid", json_object_new_int(job->target.pid));
	put(o, "name", hp_tool_json_text(job->target.name));
	put(o, "exe", hp_tool_json_text(job->target.exe));
	put(o, "success",
	    hp_tool_json_text(hp_success_text(hp_job_success(job, wish))));
	put(o, "stopped", hp_tool_json_text(hp_stop_text(job->stop)));
	put(o, "slot_bytes", hp_tool_json_count(job->slot));
	put(o, "before", backing(&job->before, job->has_before));
	put(o, "after", backing(&job->after, job->has_after));
	put(o, "slots", slots(job));
	put(o, "errors", errors(job));
	put(o, "failures", failures(job));
	put(o, "unknown_bytes", hp_tool_json_count(job->found.unknown));
	put(o, "seconds", json_object_new_double((double)job->took / 1e9));
	return o;
}
