/* SPDX-License-Identifier: MIT */
#include "libhp/doctor/show.h"

#include "libhp/hp.h"
#include "libhp/size.h"

/* empty is not there */
static struct json_object *text_or_null(const char *text)
{
	return text[0] ? json_object_new_string(text) : NULL;
}

static struct json_object *finding(const struct hp_finding *f)
{
	struct json_object *o = json_object_new_object();

	json_object_object_add(o, "id", json_object_new_string(f->id));
	json_object_object_add(o, "state", json_object_new_string(
						   hp_state_text(f->state)));
	json_object_object_add(o, "value", json_object_new_string(f->value));
	json_object_object_add(o, "means", text_or_null(f->means));
	json_object_object_add(o, "fix", text_or_null(f->fix));
	json_object_object_add(
		o, "fix_in",
		f->fix[0] ? json_object_new_string(f->own_shell ? "shell"
								: "root")
			  : NULL);
	json_object_object_add(o, "advice", text_or_null(f->advice));
	json_object_object_add(o, "data", json_object_get(f->data));
	return o;
}

static struct json_object *pages(const struct hp_options *options)
{
	struct json_object *list = json_object_new_array();
	char size[HP_SIZE_TEXT];

	for (unsigned int i = 0; i < options->nrungs; i++)
		json_object_array_add(
			list, json_object_new_string(
				      options->rungs[i] == HP_RUNG_THP
					      ? "thp"
					      : hp_size_format(
							options->rungs[i],
							size)));
	return list;
}

void hp_show_object(FILE *out, struct json_object *o)
{
	fputs(json_object_to_json_string_ext(
		      o, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE),
	      out);
	putc('\n', out);
	json_object_put(o);
}

void hp_show_json(FILE *out, const struct hp_exam *x)
{
	struct json_object *o = json_object_new_object();
	struct json_object *list = json_object_new_array();

	json_object_object_add(o, "schema",
			       json_object_new_string("libhp.doctor/1"));
	json_object_object_add(o, "version", json_object_new_string(HP_VERSION));
	json_object_object_add(o, "verdict",
			       json_object_new_string(
				       hp_verdict_text(hp_exam_verdict(x))));
	json_object_object_add(o, "pages", pages(&x->options));
	for (unsigned int i = 0; i < x->found.n; i++)
		json_object_array_add(list, finding(&x->found.list[i]));
	json_object_object_add(o, "findings", list);
	hp_show_object(out, o);
}
