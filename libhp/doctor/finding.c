/* SPDX-License-Identifier: MIT */
#include "libhp/doctor/finding.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "libhp/pagesize.h"
#include "libhp/text.h"
#include "libhp/tool/json.h"

#define FORMAT(buf, format)                                                    \
	do {                                                                   \
		va_list args;                                                  \
		va_start(args, format);                                        \
		vsnprintf(buf, sizeof(buf), format, args);                     \
		va_end(args);                                                  \
	} while (0)

struct hp_finding *hp_finding_add(struct hp_findings *all, const char *id,
				  enum hp_state state, const char *value, ...)
{
	struct hp_finding *f = &all->list[all->n];

	assert(all->n < HP_FINDINGS_MAX);
	all->n++;
	memset(f, 0, sizeof(*f));
	f->id = id;
	f->state = state;
	FORMAT(f->value, value);
	return f;
}

struct hp_finding *hp_finding_unreadable(struct hp_findings *all,
					 const char *id, const char *path,
					 int err)
{
	struct hp_finding *f =
		hp_finding_add(all, id, HP_STATE_UNKNOWN, "cannot be read: %s",
			       strerror(-err));

	hp_finding_means(f, "%s", path);
	return f;
}

void hp_finding_means(struct hp_finding *f, const char *text, ...)
{
	FORMAT(f->means, text);
}

static void join(char *buf, const char *text)
{
	if (buf[0])
		hp_text_append(buf, HP_FINDING_TEXT, "; ");
	hp_text_append(buf, HP_FINDING_TEXT, text);
}

void hp_finding_means_too(struct hp_finding *f, const char *text, ...)
{
	char more[HP_FINDING_TEXT];

	FORMAT(more, text);
	join(f->means, more);
}

void hp_finding_fix(struct hp_finding *f, const char *command, ...)
{
	FORMAT(f->fix, command);
}

void hp_finding_own_fix(struct hp_finding *f, const char *command, ...)
{
	char more[HP_FINDING_TEXT];

	FORMAT(more, command);
	join(f->fix, more);
	f->own_shell = true;
}

void hp_finding_advice(struct hp_finding *f, const char *text, ...)
{
	FORMAT(f->advice, text);
}

void hp_finding_extend(struct hp_finding *f, const char *text)
{
	if (f->value[0])
		hp_text_append(f->value, sizeof(f->value), ", ");
	hp_text_append(f->value, sizeof(f->value), text);
}

void hp_finding_limits(struct hp_finding *f)
{
	if (f->state == HP_STATE_OK)
		f->state = HP_STATE_LIMITS;
}

void hp_finding_data(struct hp_finding *f, const char *key,
		     struct json_object *value)
{
	if (!f->data)
		f->data = json_object_new_object();
	json_object_object_add(f->data, key, value);
}

struct json_object *hp_json_count(uint64_t n)
{
	return n == HP_UNKNOWN ? NULL : hp_tool_json_count(n);
}

const char *hp_state_text(enum hp_state state)
{
	static const char *const words[] = {
		[HP_STATE_OK] = "ok",
		[HP_STATE_LIMITS] = "limits",
		[HP_STATE_UNKNOWN] = "unknown",
	};

	return words[state];
}

unsigned int hp_findings_count(const struct hp_findings *all,
			       enum hp_state state)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < all->n; i++)
		n += all->list[i].state == state;
	return n;
}

const struct hp_finding *hp_findings_find(const struct hp_findings *all,
					  const char *id)
{
	for (unsigned int i = 0; i < all->n; i++)
		if (!strcmp(all->list[i].id, id))
			return &all->list[i];
	return NULL;
}

void hp_findings_clear(struct hp_findings *all)
{
	for (unsigned int i = 0; i < all->n; i++)
		json_object_put(all->list[i].data);
	all->n = 0;
}
