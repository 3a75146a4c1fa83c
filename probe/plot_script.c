/* SPDX-License-Identifier: MIT */
/*
 * plot_script.c - what painters have in common
 */
#include "probe/plot.h"

#include <json-c/json.h>
#include <math.h>

#include "libhp/size.h"

const char *hp_plot_colour(size_t i)
{
	static const char *const okabe_ito[HP_PLOT_COLOURS] = {
		"#0072B2", "#D55E00", "#009E73", "#CC79A7",
		"#E69F00", "#56B4E9", "#000000",
	};

	return okabe_ito[i % HP_PLOT_COLOURS];
}

int hp_plot_point(size_t i)
{
	/* filled and empty circle, square, triangle, diamond of gnuplot */
	static const int points[] = {7, 4, 9, 12, 5, 8, 13, 6};

	return points[i % (sizeof(points) / sizeof(points[0]))];
}

void hp_plot_quote(FILE *script, const char *text)
{
	fputc('\'', script);
	for (; *text; text++) {
		if (*text == '\'')
			fputc('\'', script);
		fputc((unsigned char)*text < ' ' ? ' ' : *text, script);
	}
	fputc('\'', script);
}

void hp_plot_title(FILE *script, const struct hp_plot_input *in,
		   const char *what)
{
	json_object *machine = hp_plot_get(in->json, "machine");
	const char *cpu = hp_plot_text(machine, "cpu_model");
	json_object *guest = hp_plot_get(machine, "hypervisor");
	char title[256];

	snprintf(title, sizeof(title), "%s%s%s%s", what, cpu[0] ? " - " : "",
		 cpu,
		 json_object_get_boolean(guest) ? ", virtual machine" : "");
	fprintf(script, "set title ");
	hp_plot_quote(script, title);
	fprintf(script, " offset 0,0.5\n");
}

void hp_plot_sizes(FILE *script, double from, double to)
{
	int first = (int)floor(log2(from)), last = (int)ceil(log2(to));
	int step = last - first > 14 ? 2 : 1;
	char text[HP_SIZE_TEXT];

	fprintf(script, "set xtics (");
	for (int k = first + first % step; k <= last; k += step)
		fprintf(script, "%s'%s' %.0f",
			k > first + first % step ? "," : "",
			hp_size_format((size_t)1 << k, text), exp2(k));
	fprintf(script, ")\n");
}

json_object *hp_plot_get(json_object *object, const char *key)
{
	json_object *value;

	if (!json_object_is_type(object, json_type_object) ||
	    !json_object_object_get_ex(object, key, &value))
		return NULL;
	return value;
}

double hp_plot_number(json_object *object, const char *key)
{
	json_object *value = hp_plot_get(object, key);

	if (!json_object_is_type(value, json_type_double) &&
	    !json_object_is_type(value, json_type_int))
		return NAN;
	return json_object_get_double(value);
}

const char *hp_plot_text(json_object *object, const char *key)
{
	json_object *value = hp_plot_get(object, key);

	return json_object_is_type(value, json_type_string)
		       ? json_object_get_string(value)
		       : "";
}

size_t hp_plot_len(json_object *array)
{
	return json_object_is_type(array, json_type_array)
		       ? (size_t)json_object_array_length(array)
		       : 0;
}

json_object *hp_plot_at(json_object *array, size_t i)
{
	return i < hp_plot_len(array) ? json_object_array_get_idx(array, i)
				      : NULL;
}
