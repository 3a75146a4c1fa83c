/* SPDX-License-Identifier: MIT */
#include "libhp/doctor/view.h"

#include "libhp/tool/json.h"

static void put(struct json_object *o, const char *key,
		struct json_object *value)
{
	json_object_object_add(o, key, value);
}

static void put_text(struct json_object *o, const char *key, const char *text)
{
	put(o, key, hp_tool_json_text(text));
}

static struct json_object *range(const struct hp_range *r)
{
	struct json_object *o = json_object_new_object();
	char address[24];

	/* as text: doubles, which many readers use, end at 2^53 */
	snprintf(address, sizeof(address), "%jx", (uintmax_t)r->start);
	put_text(o, "start", address);
	snprintf(address, sizeof(address), "%jx", (uintmax_t)r->end);
	put_text(o, "end", address);
	put(o, "bytes", hp_json_count(r->end - r->start));
	put(o, "present_bytes", hp_json_count(r->present));
	put_text(o, "kind", hp_kind_text(r->kind));
	put_text(o, "reason", hp_why_text(r->why));
	put(o, "whole_slots", json_object_new_boolean(r->whole));
	put_text(o, "mapping", r->name);
	return o;
}

static struct json_object *total(const struct hp_view *view)
{
	const struct hp_process_backing *p = &view->total;
	struct json_object *o = json_object_new_object();
	bool known = view->has_total;

	put(o, "present_bytes", known ? hp_json_count(p->present) : NULL);
	put(o, "huge_bytes", known ? hp_json_count(p->huge) : NULL);
	put(o, "hugetlb_bytes", known ? hp_json_count(p->hugetlb) : NULL);
	put(o, "thp_bytes", known ? hp_json_count(p->thp) : NULL);
	put(o, "coverage",
	    known && p->present ? json_object_new_double((double)p->huge /
							 (double)p->present)
				: NULL);
	return o;
}

static struct json_object *reasons(const struct hp_view *view)
{
	struct json_object *o = json_object_new_object();

	for (int why = HP_WHY_FILE; why < HP_WHY_COUNT; why++)
		if (view->small[why].present)
			put(o, hp_why_text(why),
			    hp_json_count(view->small[why].present));
	return o;
}

void hp_view_json(FILE *out, const struct hp_view *view)
{
	struct json_object *o = json_object_new_object();
	struct json_object *list = json_object_new_array();

	put_text(o, "schema", "libhp.doctor-process/1");
	put_text(o, "version", HP_VERSION);
	put_text(o, "verdict", hp_verdict_text(hp_view_verdict(view)));
	put(o, "pid", json_object_new_int(view->target.pid));
	put_text(o, "name", view->target.name);
	put_text(o, "exe", view->target.exe);
	put(o, "slot_bytes", hp_json_count(view->ps.pmd));
	put(o, "thp_enabled",
	    view->target.thp < 0 ? NULL
				 : json_object_new_boolean(view->target.thp));
	put(o, "libhp", json_object_new_boolean(view->has_libhp));
	put(o, "process", total(view));
	put(o, "small_bytes", reasons(view));
	for (size_t i = 0; i < view->n; i++)
		json_object_array_add(list, range(&view->ranges[i]));
	put(o, "ranges", list);
	hp_tool_json_print(out, o);
}
