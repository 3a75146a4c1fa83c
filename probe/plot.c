/* SPDX-License-Identifier: MIT */
/*
 * plot.c - read results, choose a painter
 */
#include "probe/plot.h"

#include <errno.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libhp/common.h"
#include "probe/gnuplot.h"
#include "probe/hp_probe.h"

static const struct hp_plot_painter *const painters[] = {
	&hp_plot_sweep,
	&hp_plot_bars,
	&hp_plot_granule,
};

struct job {
	char *const *files;
	const char *out;
	const struct hp_plot_painter *painter;
	struct hp_plot_input *in;
	size_t n;
};

static enum hp_plot_status complain(const char *path, const char *what)
{
	fprintf(stderr, "hpprobe: %s: %s\n", path, what);
	return HP_PLOT_FAILED;
}

static json_object *parse(const char *path)
{
	json_object *json;

	if (access(path, R_OK)) {
		complain(path, strerror(errno));
		return NULL;
	}
	json = json_object_from_file(path);
	if (!json)
		complain(path,
			 "not JSON; plot wants what hpprobe --json wrote");
	return json;
}

static enum hp_plot_status load(struct hp_plot_input *in, const char *path)
{
	const char *slash = strrchr(path, '/');

	in->path = path;
	in->name = slash ? slash + 1 : path;
	in->json = parse(path);
	if (!in->json)
		return HP_PLOT_FAILED;
	if (!strcmp(hp_plot_text(in->json, "schema"), HP_PROBE_SCHEMA))
		return HP_PLOT_DRAWN;
	return complain(path, "JSON, but no result of hpprobe (its schema is "
			      "not " HP_PROBE_SCHEMA ")");
}

static enum hp_plot_status load_all(struct job *job)
{
	enum hp_plot_status status = HP_PLOT_DRAWN;

	job->in = calloc(job->n, sizeof(*job->in));
	if (!job->in)
		return complain("plot", strerror(ENOMEM));
	for (size_t i = 0; i < job->n && !status; i++)
		status = load(&job->in[i], job->files[i]);
	if (job->n == 1)
		job->in[0].name = "";
	return status;
}

static bool is_listed(const char *list, const char *word)
{
	size_t len = strlen(word);

	for (; *list; list += list[strcspn(list, ",")] ? 1 : 0) {
		if (len && strcspn(list, ",") == len &&
		    !strncmp(list, word, len))
			return true;
		list += strcspn(list, ",");
	}
	return false;
}

static const struct hp_plot_painter *painter_of(const struct hp_plot_input *in)
{
	const char *command = hp_plot_text(in->json, "command");

	for (size_t i = 0; i < HP_ARRAY_SIZE(painters); i++)
		if (is_listed(painters[i]->commands, command))
			return painters[i];
	return NULL;
}

static enum hp_plot_status choose_painter(struct job *job)
{
	job->painter = painter_of(&job->in[0]);
	for (size_t i = 0; i < job->n; i++) {
		const struct hp_plot_painter *p = painter_of(&job->in[i]);

		if (!p)
			return complain(job->in[i].path,
					"results of this command cannot be "
					"drawn; table, control, integrity, "
					"sweep and granule can");
		if (p != job->painter)
			return complain(job->in[i].path,
					"another kind of result than the "
					"files before it; draw them apart");
	}
	return HP_PLOT_DRAWN;
}

static enum hp_plot_status check_usage(const struct job *job)
{
	if (job->out && hp_gnuplot_takes(job->out) && job->n > 0)
		return HP_PLOT_DRAWN;
	fprintf(stderr, "hpprobe: plot: wanted FILE... -o OUT, with at least "
			"one FILE of --json and OUT ending in .svg or .png\n");
	return HP_PLOT_USAGE;
}

static void write_script(FILE *script, const void *arg)
{
	const struct job *job = arg;

	job->painter->paint(script, job->in, job->n);
}

static enum hp_plot_status draw(struct job *job)
{
	const struct hp_gnuplot picture = {
		.path = job->out,
		.height = job->painter->height(job->in, job->n),
		.write = write_script,
		.arg = job,
	};

	if (!picture.height)
		return complain(job->in[0].path, "nothing to draw: no value");
	return (enum hp_plot_status)hp_gnuplot_draw(&picture);
}

enum hp_plot_status hp_plot_files(char *const *files, size_t n, const char *out)
{
	struct job job = {.files = files, .n = n, .out = out};
	enum hp_plot_status status = check_usage(&job);

	if (!status)
		status = load_all(&job);
	if (!status)
		status = choose_painter(&job);
	if (!status)
		status = draw(&job);
	for (size_t i = 0; job.in && i < job.n; i++)
		json_object_put(job.in[i].json);
	free(job.in);
	return status;
}
