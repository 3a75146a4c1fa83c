/* SPDX-License-Identifier: MIT */
#include "preload/operators.h"

#include <stdlib.h>
#include <string.h>

#include "libhp/heap.h"
#include "preload/object.h"

/* name ends: m size_t, St11align_val_t alignment, RKSt9nothrow_t nothrow */
static struct {
	const char *name;
	uintptr_t theirs, ours;
} operators[] = {
	{"_Znwm", 0, 0},
	{"_Znam", 0, 0},
	{"_ZnwmSt11align_val_t", 0, 0},
	{"_ZnamSt11align_val_t", 0, 0},
	{"_ZnwmRKSt9nothrow_t", 0, 0},
	{"_ZnamRKSt9nothrow_t", 0, 0},
	{"_ZnwmSt11align_val_tRKSt9nothrow_t", 0, 0},
	{"_ZnamSt11align_val_tRKSt9nothrow_t", 0, 0},
	{"_ZdlPv", 0, 0},
	{"_ZdaPv", 0, 0},
	{"_ZdlPvm", 0, 0},
	{"_ZdaPvm", 0, 0},
	{"_ZdlPvSt11align_val_t", 0, 0},
	{"_ZdaPvSt11align_val_t", 0, 0},
	{"_ZdlPvmSt11align_val_t", 0, 0},
	{"_ZdaPvmSt11align_val_t", 0, 0},
	{"_ZdlPvRKSt9nothrow_t", 0, 0},
	{"_ZdaPvRKSt9nothrow_t", 0, 0},
	{"_ZdlPvSt11align_val_tRKSt9nothrow_t", 0, 0},
	{"_ZdaPvSt11align_val_tRKSt9nothrow_t", 0, 0},
};

/* not their delete: jemalloc's calls free by name, which leads back here */
static void (*their_free)(void *p);

/* sizes, alignments and tags lie in registers nobody needs to read */
static void delete_either(void *p)
{
	if (HP_LIKELY(hp_heap_owns(p) || !p))
		free(p);
	else
		their_free(p);
}

struct pair {
	struct hp_object allocator, runtime;
	bool past_us, has_allocator, has_runtime;
};

/* a library's operators may count; those of the C++ runtime only call malloc */
static void keep_runtime(struct pair *pair, const struct hp_object *o)
{
	if (pair->has_runtime || !hp_object_find(o, "_ZSt15get_new_handlerv"))
		return;
	pair->runtime = *o;
	pair->has_runtime = true;
}

/*
 * The first of each kind, in the order in which the loader looks. An object
 * before us has the malloc that all use, and made it out of ours.
 */
static int find_pair(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct pair *pair = arg;
	struct hp_object o;

	(void)size;
	if (!hp_object_read(info, &o))
		return 0;
	pair->past_us |= hp_object_has(&o, (uintptr_t)find_pair);
	if (!hp_object_find(&o, "_Znwm"))
		return 0;
	if (!hp_object_find(&o, "malloc"))
		keep_runtime(pair, &o);
	else if (pair->past_us && !pair->has_allocator) {
		pair->allocator = o;
		pair->has_allocator = true;
	}
	return 0;
}

/* false when there is no way to give blocks back that are theirs */
static bool choose(const struct pair *pair)
{
	for (size_t i = 0; i < HP_ARRAY_SIZE(operators); i++) {
		const char *name = operators[i].name;

		operators[i].theirs =
			hp_object_function(&pair->allocator, name);
		operators[i].ours =
			name[2] == 'd'
				? (uintptr_t)delete_either
				: hp_object_function(&pair->runtime, name);
	}
	their_free =
		(void (*)(void *))hp_object_function(&pair->allocator, "free");
	return their_free;
}

static void write_word(const struct hp_object *o, uintptr_t *word,
		       uintptr_t value)
{
	uintptr_t start = (uintptr_t)word;

	if (hp_object_open(o, start, start + sizeof(*word)))
		return;
	HP_WRITE_ONCE(*word, value);
	hp_object_close(o, start, start + sizeof(*word));
}

/* 0: this is not the address of their operator @name */
static uintptr_t instead_of(const char *name, uintptr_t address)
{
	for (size_t i = 0; i < HP_ARRAY_SIZE(operators); i++)
		if (operators[i].theirs == address &&
		    !strcmp(operators[i].name, name))
			return operators[i].ours;
	return 0;
}

static bool is_operator(const char *name)
{
	return !strncmp(name, "_Zn", 3) || !strncmp(name, "_Zd", 3);
}

/* a word bound at the first call is not bound yet, and will be by name */
static void rebind_word(const struct hp_object *o, const ElfW(Rela) * r)
{
	uint32_t symbol = ELF64_R_SYM(r->r_info);
	const char *name = o->strings + o->symbols[symbol].st_name;
	uintptr_t *word = (uintptr_t *)(o->base + r->r_offset);
	uintptr_t value;

	if (!symbol || !is_operator(name) ||
	    !hp_is_aligned((uintptr_t)word, sizeof(*word)))
		return;
	value = instead_of(name, HP_READ_ONCE(*word));
	if (value)
		write_word(o, word, value);
}

static int rebind_object(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct hp_object o;

	(void)size;
	(void)arg;
	if (!hp_object_read(info, &o))
		return 0;
	for (size_t i = 0; i < HP_ARRAY_SIZE(o.bound); i++)
		for (size_t k = 0; k < o.bound[i].n; k++)
			rebind_word(&o, &o.bound[i].first[k]);
	return 0;
}

/* what is looked up from now on: calls bound late, libraries opened later */
static void rename_all(const struct hp_object *allocator)
{
	for (size_t i = 0; i < HP_ARRAY_SIZE(operators); i++) {
		ElfW(Sym) *s = hp_object_find(allocator, operators[i].name);

		if (s && operators[i].ours)
			write_word(allocator, &s->st_value,
				   operators[i].ours - allocator->base);
	}
}

void hp_operators_init(void)
{
	struct pair pair = {0};

	dl_iterate_phdr(find_pair, &pair);
	if (!pair.has_allocator || !pair.has_runtime || !choose(&pair))
		return;
	dl_iterate_phdr(rebind_object, NULL);
	rename_all(&pair.allocator);
}
