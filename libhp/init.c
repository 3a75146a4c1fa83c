/* SPDX-License-Identifier: MIT */
#include "libhp/init.h"

#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "libhp/linux.h"
#include "libhp/quiet.h"
#include "libhp/region.h"
#include "libhp/text.h"

#define PREFIX "LIBHP_"
#define VALUE_SHOWN 40 /* bytes of a bad value that a message repeats */

static struct hp_context context;

/* control characters of a hostile value do not reach the terminal */
static void append_value(char *line, size_t size, const char *value)
{
	char shown[VALUE_SHOWN + 1];
	size_t n = strnlen(value, VALUE_SHOWN);

	for (size_t i = 0; i < n; i++)
		shown[i] = (unsigned char)value[i] < ' ' ? '?' : value[i];
	shown[n] = '\0';
	hp_text_append(line, size, "\"");
	hp_text_append(line, size, shown);
	hp_text_append(line, size, value[n] ? "...\"" : "\"");
}

static void complain_use(const char *name, const char *value,
			 const char *accepted)
{
	char line[512] = "libhp: " PREFIX;
	char used[128];

	hp_text_append(line, sizeof(line), name);
	hp_text_append(line, sizeof(line), "=");
	append_value(line, sizeof(line), value);
	hp_text_append(line, sizeof(line), ": not ");
	hp_text_append(line, sizeof(line), accepted);
	hp_text_append(line, sizeof(line), "; using ");
	hp_text_append(
		line, sizeof(line),
		hp_options_text(&context.options, name, used, sizeof(used)));
	hp_text_append(line, sizeof(line) - 1, "\n");
	hp_quiet_say(line);
}

static void complain(const char *name, const char *value)
{
	complain_use(name, value, hp_options_accepts(name));
}

static void complain_unknown(const char *variable, size_t len)
{
	char line[128] = "libhp: ";
	char name[64];

	len = len < sizeof(name) ? len : sizeof(name) - 1;
	memcpy(name, variable, len);
	name[len] = '\0';
	hp_text_append(line, sizeof(line), name);
	hp_text_append(line, sizeof(line),
		       " is not a variable of libhp; ignored\n");
	hp_quiet_say(line);
}

static const char *known_name(const char *name, size_t len)
{
	for (const char *const *n = hp_options_names; *n; n++)
		if (strlen(*n) == len && !strncmp(*n, name, len))
			return *n;
	return NULL;
}

static void read_variable(const char *variable)
{
	const char *text = hp_text_after(variable, PREFIX);
	const char *value = text ? strchr(text, '=') : NULL;
	const char *name;

	if (!value)
		return;
	name = known_name(text, (size_t)(value - text));
	if (!name)
		complain_unknown(variable, (size_t)(value - variable));
	else if (hp_options_set(&context.options, name, value + 1) < 0)
		complain(name, value + 1);
}

static void name_program(const char *exe)
{
	hp_text_append(context.exe, sizeof(context.exe),
		       exe ? hp_text_base(exe) : "");
}

/* pools and limits are some forty files: only for those who use them */
static void read_machine(void)
{
	const struct hp_options *o = &context.options;
	bool whole = o->report.sink != HP_SINK_OFF || o->require >= 0 ||
		     o->result_pid == context.pid;

	for (unsigned int i = 0; i < o->nrungs; i++)
		whole = whole || o->rungs[i] != HP_RUNG_THP;
	if (whole)
		hp_pagesizes_read(&context.pagesizes);
	else
		hp_pagesizes_read_thp(&context.pagesizes);
}

/* of the nodes asked for, those there are; to interleave over, all */
static bool choose_nodes(uint64_t *nodes, const uint64_t *allowed)
{
	bool all = context.options.numa == HP_NUMA_INTERLEAVE, any = false;

	for (unsigned int i = 0; i < HP_NODES_MAX / 64; i++) {
		nodes[i] = (all ? ~0ULL : nodes[i]) & allowed[i];
		any = any || nodes[i];
	}
	return any;
}

static void check_nodes(void)
{
	struct hp_options *o = &context.options;
	uint64_t allowed[HP_NODES_MAX / 64] = {0};
	char asked[128];

	if (o->numa == HP_NUMA_LOCAL ||
	    hp_linux_nodes((unsigned long *)allowed, HP_NODES_MAX) < 0)
		return;
	hp_options_text(o, "NUMA", asked, sizeof(asked));
	if (choose_nodes(o->numa_nodes, allowed))
		return;
	o->numa = HP_NUMA_LOCAL;
	complain_use("NUMA", asked, "a node this process may use");
}

const struct hp_context *hp_init(char *const *envp, const char *exe)
{
	if (context.ready)
		return &context;
	context.ready = true;
	context.pid = hp_linux_getpid();
	name_program(exe);
	hp_options_default(&context.options);
	for (; envp && *envp; envp++)
		read_variable(*envp);
	check_nodes();
	context.passive = !hp_options_admits(&context.options, context.exe);
	read_machine();
	hp_region_default_ladder(context.options.rungs, context.options.nrungs);
	return &context;
}

const struct hp_context *hp_context(void)
{
	const char *exe = (const char *)getauxval(AT_EXECFN);

	return hp_init(getauxval(AT_SECURE) ? NULL : environ, exe);
}

/* programs that link libhp.so: what regions take by default */
__attribute__((constructor)) static void start(void)
{
	(void)hp_context();
}
