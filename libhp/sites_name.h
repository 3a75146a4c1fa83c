/* SPDX-License-Identifier: MIT */
/*
 * sites_name.h - code addresses -> functions, for the report
 *
 * Names come from the symbol tables of the files themselves, static functions
 * included, or from the separate debug file their build-id leads to. Nothing
 * allocates and no lock of the loader's is taken (dladdr(3) would), because a
 * report may be written by a signal handler that ends the process.
 */
#ifndef HP_SITES_NAME_H
#define HP_SITES_NAME_H

#include "libhp/common.h"

#define HP_BUILD_ID_TEXT 65

struct hp_site_name {
	const char *function; /* NULL: not known */
	uint64_t offset;      /* into it */
	const char *object;   /* path of the file; NULL: no object holds it */
	uint64_t address;     /* as the file counts: what addr2line takes */
	const char *build_id; /* hex, may be "" */
};

/**
 * hp_sites_name - what lies before return address @pc
 *
 * Not thread-safe: there is one report. Strings stay valid.
 */
void hp_sites_name(uintptr_t pc, struct hp_site_name *out);

/* hp_sites_name_blindly - open no file from now on: a sandbox */
void hp_sites_name_blindly(void);

#endif
