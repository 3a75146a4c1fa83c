/* SPDX-License-Identifier: MIT */
/*
 * tool.h - what the command line tools have in common
 *
 * Functions that meet bad input print one line, naming it, and exit.
 */
#ifndef HP_TOOL_H
#define HP_TOOL_H

#include <stdint.h>
#include <sys/types.h>

/* exit status of every tool: bad input, or the tool could not do its work */
#define HP_TOOL_ERROR 125

/**
 * hp_tool_start - first thing in main()
 *
 * Sees to it that descriptors 0 to 2 are taken: with standard output closed,
 * a file opened later would become it. Writing to such a place-holder fails.
 */
void hp_tool_start(char *name);

/* hp_tool_finish - exit with @status, or say that output was lost */
__attribute__((noreturn)) void hp_tool_finish(int status);

/* an option getopt_long() did not take; @got is ':' or '?' */
__attribute__((noreturn)) void hp_tool_bad_option(const char *word, int got);

/* "--@option: bad value '@value': give @accepts" */
__attribute__((noreturn)) void
hp_tool_bad_value(const char *option, const char *value, const char *accepts);

/* a process ID, all of @text */
pid_t hp_tool_pid(const char *text);

/* hp_tool_number - a decimal number of @least to @most, the value of @option */
uint64_t hp_tool_number(const char *option, const char *text, uint64_t least,
			uint64_t most);

#define HP_TOOL_BYTES 24

/* "1.5 GiB", "12.0 MiB", "640 KiB"; Return: @buf of HP_TOOL_BYTES */
char *hp_tool_bytes(uint64_t bytes, char *buf);

#endif
