/* SPDX-License-Identifier: MIT */
#include "preload/compare_arms.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int hp_alternatives_add(struct hp_alternatives *all, const char *value)
{
	char *copy;

	if (all->n == HP_ALTERNATIVES_MAX)
		return -E2BIG;
	copy = strdup(value);
	if (!copy)
		return -ENOMEM;
	all->value[all->n++] = copy;
	return 0;
}

void hp_alternatives_clear(struct hp_alternatives *all)
{
	while (all->n)
		free(all->value[--all->n]);
}

static void forget(struct hp_compare_run *run)
{
	*run = (struct hp_compare_run){.done = false};
	for (size_t i = 0; i < HP_MEASURES; i++)
		run->value[i] = NAN;
}

static struct hp_compare_arm *add_arm(struct hp_comparison *c,
				      enum hp_role role, const char *name)
{
	struct hp_compare_arm *arm;

	if (c->n == HP_COMPARE_ARMS_MAX)
		return NULL;
	arm = &c->arm[c->n++];
	arm->role = role;
	arm->runs = calloc(c->rounds, sizeof(*arm->runs));
	for (unsigned int i = 0; arm->runs && i < c->rounds; i++)
		forget(&arm->runs[i]);
	snprintf(arm->name, sizeof(arm->name), "%s", name);
	return arm;
}

static int set(struct hp_compare_arm *arm, const char *name, const char *value)
{
	return value ? hp_settings_set(&arm->settings, name, value) : 0;
}

static int fill(struct hp_compare_arm *arm, const struct hp_settings *common,
		const char *mode)
{
	int err = arm->runs ? 0 : -ENOMEM;

	for (unsigned int i = 0; i < common->n && !err; i++)
		err = set(arm, common->set[i].name, common->set[i].value);
	if (!err)
		err = set(arm, "LIBHP_MODE", mode);
	if (!err)
		err = set(arm, "LIBHP_PAGES", arm->pages);
	if (!err)
		err = set(arm, "LIBHP_MMAP", arm->mmap);
	return err;
}

static const char *pick(const struct hp_alternatives *all, unsigned int i)
{
	return i < all->n ? all->value[i] : NULL;
}

static int add_try(struct hp_comparison *c, const struct hp_settings *common,
		   const char *pages, const char *mmap, unsigned int number)
{
	struct hp_compare_arm *arm = add_arm(c, HP_ROLE_TRY, "try");

	if (!arm)
		return -E2BIG;
	if (number > 1)
		snprintf(arm->name, sizeof(arm->name), "try-%u", number);
	arm->pages = pages;
	arm->mmap = mmap;
	return fill(arm, common, "try");
}

static int add_tries(struct hp_comparison *c, const struct hp_settings *common,
		     const struct hp_alternatives *pages,
		     const struct hp_alternatives *mmap)
{
	unsigned int across = mmap->n ? mmap->n : 1;
	unsigned int all = (pages->n ? pages->n : 1) * across;
	int err = 0;

	for (unsigned int i = 0; i < all && !err; i++)
		err = add_try(c, common, pick(pages, i / across),
			      pick(mmap, i % across), i + 1);
	return err;
}

int hp_comparison_init(struct hp_comparison *c, unsigned int rounds,
		       const struct hp_settings *common,
		       const struct hp_alternatives *pages,
		       const struct hp_alternatives *mmap)
{
	int err;

	memset(c, 0, sizeof(*c));
	c->rounds = rounds;
	c->floor = NAN;
	c->load = NAN;
	forget(&c->first);
	if (!add_arm(c, HP_ROLE_PLAIN, "plain")->runs ||
	    !add_arm(c, HP_ROLE_CONTROL, "plain-2")->runs)
		return -ENOMEM;
	err = fill(add_arm(c, HP_ROLE_OFF, "off"), common, "off");
	return err ? err : add_tries(c, common, pages, mmap);
}

void hp_comparison_clear(struct hp_comparison *c)
{
	while (c->n) {
		struct hp_compare_arm *arm = &c->arm[--c->n];

		hp_settings_clear(&arm->settings);
		free(arm->runs);
	}
}

struct hp_compare_arm *hp_comparison_find(struct hp_comparison *c,
					  enum hp_role role)
{
	for (unsigned int i = 0; i < c->n; i++)
		if (c->arm[i].role == role)
			return &c->arm[i];
	assert(!"hp_comparison_init() makes an arm of each role");
	return NULL;
}

bool hp_compare_has_libhp(const struct hp_compare_arm *arm)
{
	return arm->role == HP_ROLE_OFF || arm->role == HP_ROLE_TRY;
}
