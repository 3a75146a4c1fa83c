/* SPDX-License-Identifier: MIT */
/*
 * plot.c - read results, choose a painter, run gnuplot
 */
#include "probe/plot.h"

#include <errno.h>
#include <fcntl.h>
#include <json-c/json.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libhp/common.h"
#include "probe/hp_probe.h"

extern char **environ;

static const struct hp_plot_painter *const painters[] = {
	&hp_plot_sweep,
	&hp_plot_bars,
	&hp_plot_granule,
};

struct job {
	char *const *files;
	const char *out;
	const struct hp_plot_painter *painter;
	const char *terminal;
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

static bool ends_in(const char *text, const char *end)
{
	size_t len = strlen(text), tail = strlen(end);

	return len > tail && !strcmp(text + len - tail, end);
}

static enum hp_plot_status check_usage(struct job *job)
{
	const char *out = job->out;

	if (out && ends_in(out, ".svg"))
		job->terminal = "svg font 'DejaVu Sans,13' background 'white'";
	else if (out && ends_in(out, ".png"))
		job->terminal = "pngcairo font 'DejaVu Sans,10' "
				"background 'white'";
	if (job->terminal && job->n > 0)
		return HP_PLOT_DRAWN;
	fprintf(stderr, "hpprobe: plot: wanted FILE... -o OUT, with at least "
			"one FILE of --json and OUT ending in .svg or .png\n");
	return HP_PLOT_USAGE;
}

static void write_script(FILE *script, const struct job *job)
{
	fprintf(script,
		"set terminal %s size %d,%u noenhanced\n"
		"set border 3 lc rgb '#404040'\nset tics nomirror out\n"
		"set grid y lc rgb '#d8d8d8' lw 0.6\n",
		job->terminal, HP_PLOT_WIDTH,
		job->painter->height(job->in, job->n));
	job->painter->paint(script, job->in, job->n);
}

/* gnuplot reads @from and writes @to; returns its pid or -errno */
static pid_t spawn(int from, int to)
{
	char name[] = "gnuplot", *argv[] = {name, NULL};
	posix_spawn_file_actions_t actions;
	pid_t pid;
	int err;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, from, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, to, STDOUT_FILENO);
	err = posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return err ? -err : pid;
}

static enum hp_plot_status finish(const struct job *job, pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return complain("gnuplot", strerror(errno));
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return HP_PLOT_DRAWN;
	unlink(job->out);
	return complain(job->out, "gnuplot could not draw it");
}

static enum hp_plot_status no_gnuplot(const struct job *job, int err)
{
	unlink(job->out);
	fprintf(stderr,
		"hpprobe: plot needs gnuplot, which cannot be run: %s; "
		"install gnuplot-nox or gnuplot\n",
		strerror(err));
	return HP_PLOT_NO_GNUPLOT;
}

static enum hp_plot_status feed(const struct job *job, int out)
{
	FILE *script;
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC))
		return complain("plot", strerror(errno));
	pid = spawn(ends[0], out);
	close(ends[0]);
	script = pid > 0 ? fdopen(ends[1], "w") : NULL;
	if (!script) {
		close(ends[1]);
		return no_gnuplot(job, pid < 0 ? -pid : errno);
	}
	/* a gnuplot that dies early shows in its exit status */
	signal(SIGPIPE, SIG_IGN);
	write_script(script, job);
	fclose(script);
	return finish(job, pid);
}

static enum hp_plot_status draw(const struct job *job)
{
	const char *path = job->out;
	enum hp_plot_status status;
	int out;

	if (!job->painter->height(job->in, job->n))
		return complain(job->in[0].path, "nothing to draw: no value");
	out = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (out < 0)
		return complain(path, strerror(errno));
	status = feed(job, out);
	if (close(out) && !status)
		return complain(path, strerror(errno));
	return status;
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
