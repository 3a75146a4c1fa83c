/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libhp/common.h"
#include "preload/settings.h"

void hp_settings_init(struct hp_settings *s)
{
	char name[64];

	memset(s, 0, sizeof(*s));
	hp_options_default(&s->options);
	for (unsigned int i = 0; hp_options_names[i]; i++) {
		const char *value;

		snprintf(name, sizeof(name), "LIBHP_%s", hp_options_names[i]);
		value = getenv(name);
		/* a bad one keeps the default here as it will in the program */
		if (value)
			hp_options_set(&s->options, name, value);
	}
}

static struct hp_setting *find(struct hp_settings *s, const char *name)
{
	for (unsigned int i = 0; i < s->n; i++)
		if (!strcmp(s->set[i].name, name))
			return &s->set[i];
	if (s->n == HP_SETTINGS_MAX)
		return NULL;
	s->set[s->n].name = name;
	return &s->set[s->n++];
}

int hp_settings_set(struct hp_settings *s, const char *name, const char *value)
{
	int err = hp_options_set(&s->options, name, value);
	struct hp_setting *slot;
	char *copy;

	if (err)
		return err;
	copy = strdup(value);
	slot = copy ? find(s, name) : NULL;
	if (!slot) {
		free(copy);
		return -ENOMEM;
	}
	free(slot->value);
	slot->value = copy;
	return 0;
}

static bool is_file(const char *sink)
{
	return strcmp(sink, "off") && strcmp(sink, "stderr") &&
	       strncmp(sink, "fd:", 3);
}

/* "%" starts an escape in a report's path, and directories may contain one */
static void append_escaped(char *to, const char *text)
{
	to += strlen(to);
	for (; *text; text++) {
		if (*text == '%')
			*to++ = '%';
		*to++ = *text;
	}
	*to = '\0';
}

static char *absolute(const char *format, const char *file)
{
	char *cwd = getcwd(NULL, 0);
	char *text = NULL;

	if (cwd)
		text = malloc(strlen(format) + 2 * strlen(cwd) + strlen(file) +
			      2);
	if (text) {
		strcpy(text, format);
		append_escaped(text, cwd);
		strcat(text, "/");
		strcat(text, file);
	}
	free(cwd);
	return text;
}

char *hp_settings_report(const char *arg)
{
	const char *format = "", *sink = arg ? arg : "stderr";
	char *text;

	if (!strncmp(sink, "json", 4) && (!sink[4] || sink[4] == ':')) {
		format = "json:";
		sink += 4;
		if (!*sink)
			sink = ":stderr";
	}
	if (*sink == ':')
		sink++;
	if (*sink && *sink != '/' && is_file(sink))
		return absolute(format, sink);
	return asprintf(&text, "%s%s", format, sink) < 0 ? NULL : text;
}

int hp_settings_export(const struct hp_settings *s)
{
	for (unsigned int i = 0; i < s->n; i++)
		if (setenv(s->set[i].name, s->set[i].value, 1))
			return -errno;
	return 0;
}

void hp_settings_clear(struct hp_settings *s)
{
	while (s->n)
		free(s->set[--s->n].value);
}
