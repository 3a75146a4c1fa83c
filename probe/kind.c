/* SPDX-License-Identifier: MIT */
#include "probe/kind.h"

#include <string.h>

#include "libhp/size.h"
#include "probe/words.h"

static void name_base(struct hp_kind *kind)
{
	hp_words(kind->name, sizeof(kind->name), "%lluk",
		 (unsigned long long)(kind->size / HP_KIB));
}

static void name_sized(struct hp_kind *kind, const char *prefix)
{
	char size[HP_SIZE_TEXT];

	hp_size_format(kind->size, size);
	hp_words(kind->name, sizeof(kind->name), "%s%s", prefix, size);
}

static struct hp_kind make_kind(enum hp_family family, size_t size)
{
	struct hp_kind kind = {.family = family, .size = size};

	if (family == HP_KIND_BASE)
		name_base(&kind);
	else if (family == HP_KIND_THP)
		strcpy(kind.name, "thp");
	else
		name_sized(&kind, family == HP_KIND_MTHP ? "mthp:" : "");
	return kind;
}

static int add_kind(struct hp_kinds *kinds, struct hp_kind kind)
{
	if (kinds->n == HP_KINDS_MAX)
		return -EINVAL;
	for (size_t i = 0; i < kinds->n; i++)
		if (!strcmp(kinds->kind[i].name, kind.name))
			return -EINVAL;
	kinds->kind[kinds->n++] = kind;
	return 0;
}

static bool has_pool(const struct hp_pagesizes *sizes, size_t size)
{
	for (unsigned int i = 0; i < sizes->npools; i++)
		if (sizes->pools[i].size == size)
			return true;
	return false;
}

static bool has_mthp(const struct hp_pagesizes *sizes, size_t size)
{
	for (unsigned int i = 0; i < sizes->nmthp; i++)
		if (sizes->mthp[i].size == size)
			return true;
	return false;
}

static bool offered(const struct hp_mthp *mthp,
		    const struct hp_pagesizes *sizes)
{
	enum hp_thp_mode mode =
		mthp->mode == HP_THP_INHERIT ? sizes->thp : mthp->mode;

	return mode == HP_THP_ALWAYS || mode == HP_THP_MADVISE;
}

static void add_all(struct hp_kinds *kinds, const struct hp_pagesizes *sizes)
{
	int full = add_kind(kinds, make_kind(HP_KIND_BASE, sizes->base));

	full |= add_kind(kinds, make_kind(HP_KIND_THP, sizes->pmd));
	for (unsigned int i = sizes->npools; i-- > 0;)
		full |= add_kind(kinds, make_kind(HP_KIND_HUGETLB,
						  sizes->pools[i].size));
	for (unsigned int i = 0; i < sizes->nmthp && !full; i++)
		if (offered(&sizes->mthp[i], sizes))
			full = add_kind(kinds, make_kind(HP_KIND_MTHP,
							 sizes->mthp[i].size));
}

static int parse_sized(struct hp_kind *kind, const char *name,
		       const struct hp_pagesizes *sizes)
{
	bool mthp = !strncmp(name, "mthp:", 5);
	size_t size;

	if (hp_size_parse(mthp ? name + 5 : name, &size))
		return -EINVAL;
	if (mthp ? !has_mthp(sizes, size) : !has_pool(sizes, size))
		return -EINVAL;
	*kind = make_kind(mthp ? HP_KIND_MTHP : HP_KIND_HUGETLB, size);
	return 0;
}

static int parse_kind(struct hp_kind *kind, const char *name,
		      const struct hp_pagesizes *sizes)
{
	struct hp_kind base = make_kind(HP_KIND_BASE, sizes->base);

	if (!strcmp(name, base.name) || !strcmp(name, "base"))
		*kind = base;
	else if (!strcmp(name, "thp"))
		*kind = make_kind(HP_KIND_THP, sizes->pmd);
	else
		return parse_sized(kind, name, sizes);
	return 0;
}

/* Copies up to the next comma; returns what follows it, or NULL. */
static const char *take_name(const char *list, char *name)
{
	size_t len = strcspn(list, ",");

	size_t copied = hp_min(len, HP_KIND_BAD_NAME - 1);

	memcpy(name, list, copied);
	name[copied] = '\0';
	return list[len] ? list + len + 1 : NULL;
}

int hp_kinds_parse(struct hp_kinds *kinds, const char *list,
		   const struct hp_pagesizes *sizes, char *bad)
{
	kinds->n = 0;
	bad[0] = '\0';
	if (!list)
		add_all(kinds, sizes);
	while (list) {
		struct hp_kind kind;

		list = take_name(list, bad);
		if (parse_kind(&kind, bad, sizes) || add_kind(kinds, kind))
			return -EINVAL;
	}
	bad[0] = '\0';
	return 0;
}
