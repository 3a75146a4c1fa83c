/* SPDX-License-Identifier: MIT */
#include "libhp/doctor/show.h"

#include "libhp/hp.h"
#include "libhp/size.h"
#include "libhp/tool/json.h"

static struct json_object *finding(const struct hp_finding *f)
{
	struct json_object *o = json_object_new_object();

	json_object_object_add(o, "id", json_object_new_string(f->id));
	json_object_object_add(o, "state",
			       json_object_new_string(hp_state_text(f->state)));
	json_object_object_add(o, "value", hp_tool_json_text(f->value));
	json_object_object_add(o, "means", hp_tool_json_text(f->means));
	json_object_object_add(o, "fix", hp_tool_json_text(f->fix));
	json_object_object_add(
		o, "fix_in",
		f->fix[0] ? json_object_new_string(f->own_shell ? "shell"
								: "root")
			  : NULL);
	json_object_object_add(o, "advice", hp_tool_json_text(f->advice));
	json_object_object_add(o, "data", json_object_get(f->data));
	return o;
}

static struct json_object *pages(const struct hp_options *options)
{
	struct json_object *list = json_object_new_array();
	char size[HP_SIZE_TEXT];

	for (unsigned int i = 0; i < options->nrungs; i++)
		json_object_array_add(
			list,
			json_object_new_string(
				options->rungs[i] == HP_RUNG_THP
					? "thp"
					: hp_size_format(options->rungs[i],
							 size)));
	return list;
}

void hp_show_json(FILE *out, const struct hp_exam *x)
{
	struct json_object *o = json_object_new_object();
	struct json_object *list = json_object_new_array();

	json_object_object_add(o, "schema",
			       json_object_new_string("libhp.doctor/1"));
	json_object_object_add(o, "version",
			       json_object_new_string(HP_VERSION));
	json_object_object_add(
		o, "verdict",
		json_object_new_string(hp_verdict_text(hp_exam_verdict(x))));
	json_object_object_add(o, "pages", pages(&x->options));
	for (unsigned int i = 0; i < x->found.n; i++)
		json_object_array_add(list, finding(&x->found.list[i]));
	json_object_object_add(o, "findings", list);
	hp_tool_json_print(out, o);
}
