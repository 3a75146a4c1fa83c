/* SPDX-License-Identifier: MIT */
/*
 * finding.h - what hpdoctor found out about one thing, and the list of all
 */
#ifndef HP_FINDING_H
#define HP_FINDING_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>

#define HP_FINDINGS_MAX 48
#define HP_FINDING_TEXT 480

enum hp_state {
	HP_STATE_OK,
	HP_STATE_LIMITS,  /* keeps memory off huge pages, or makes them dear */
	HP_STATE_UNKNOWN, /* the kernel could not be asked */
};

struct hp_finding {
	const char *id; /* "thp.enabled", stable: scripts rely on it */
	enum hp_state state;
	char value[HP_FINDING_TEXT];
	char means[HP_FINDING_TEXT];
	char fix[HP_FINDING_TEXT]; /* a shell command; may be empty */
	bool own_shell; /* for the shell that starts the program, not root's */
	char advice[HP_FINDING_TEXT]; /* what no command can do */
	struct json_object *data;     /* figures, or NULL */
};

struct hp_findings {
	unsigned int n;
	struct hp_finding list[HP_FINDINGS_MAX];
};

/* hp_finding_add - ids are string literals; never fails */
__attribute__((format(printf, 4, 5))) struct hp_finding *
hp_finding_add(struct hp_findings *all, const char *id, enum hp_state state,
	       const char *value, ...);

/* hp_finding_unreadable - unknown: "cannot be read: Permission denied", @path
 */
struct hp_finding *hp_finding_unreadable(struct hp_findings *all,
					 const char *id, const char *path,
					 int err);

/* each replaces what was there */
__attribute__((format(printf, 2, 3))) void
hp_finding_means(struct hp_finding *f, const char *text, ...);
__attribute__((format(printf, 2, 3))) void
hp_finding_fix(struct hp_finding *f, const char *command, ...);
__attribute__((format(printf, 2, 3))) void
hp_finding_advice(struct hp_finding *f, const char *text, ...);

/* each is put behind what was there, after "; ": a command, too */
__attribute__((format(printf, 2, 3))) void
hp_finding_means_too(struct hp_finding *f, const char *text, ...);
__attribute__((format(printf, 2, 3))) void
hp_finding_own_fix(struct hp_finding *f, const char *command, ...);

/* hp_finding_extend - @text behind the value, after ", " if there is one */
void hp_finding_extend(struct hp_finding *f, const char *text);

/* hp_finding_limits - it limits, unless it was unknown before */
void hp_finding_limits(struct hp_finding *f);

/* @value's ownership passes; NULL is null, "not known" */
void hp_finding_data(struct hp_finding *f, const char *key,
		     struct json_object *value);

/* HP_UNKNOWN becomes null */
struct json_object *hp_json_count(uint64_t n);

const char *hp_state_text(enum hp_state state);
unsigned int hp_findings_count(const struct hp_findings *all,
			       enum hp_state state);
const struct hp_finding *hp_findings_find(const struct hp_findings *all,
					  const char *id);
void hp_findings_clear(struct hp_findings *all);

#endif
