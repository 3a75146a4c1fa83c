/* SPDX-License-Identifier: MIT */
#include "probe/gnuplot.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libhp/common.h"

extern char **environ;

static const struct format {
	const char *ending, *terminal;
} formats[] = {
	{".svg", "svg font 'DejaVu Sans,13' background 'white'"},
	{".png", "pngcairo font 'DejaVu Sans,10' background 'white'"},
};

static bool ends_in(const char *text, const char *end)
{
	size_t len = strlen(text), tail = strlen(end);

	return len > tail && !strcmp(text + len - tail, end);
}

static const char *terminal_of(const char *path)
{
	for (size_t i = 0; i < HP_ARRAY_SIZE(formats); i++)
		if (ends_in(path, formats[i].ending))
			return formats[i].terminal;
	return NULL;
}

bool hp_gnuplot_takes(const char *path)
{
	return terminal_of(path) != NULL;
}

static enum hp_gnuplot_status complain(const char *path, const char *what)
{
	warnx("%s: %s", path, what);
	return HP_GNUPLOT_FAILED;
}

static void write_script(FILE *script, const struct hp_gnuplot *picture)
{
	fprintf(script,
		"set terminal %s size %d,%u noenhanced\n"
		"set border 3 lc rgb '#404040'\nset tics nomirror out\n"
		"set grid y lc rgb '#d8d8d8' lw 0.6\n",
		terminal_of(picture->path), HP_GNUPLOT_WIDTH, picture->height);
	picture->write(script, picture->arg);
}

/* gnuplot reads @from and writes @to; returns its pid or -errno */
static pid_t spawn(int from, int to)
{
	char name[] = "gnuplot", *argv[] = {name, NULL};
	posix_spawn_file_actions_t actions;
	pid_t pid;
	int error;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, from, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, to, STDOUT_FILENO);
	error = posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return error ? -error : pid;
}

static enum hp_gnuplot_status finish(const struct hp_gnuplot *picture,
				     pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return complain("gnuplot", strerror(errno));
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return HP_GNUPLOT_DRAWN;
	unlink(picture->path);
	return complain(picture->path, "gnuplot could not draw it");
}

static enum hp_gnuplot_status missing(const struct hp_gnuplot *picture,
				      int error)
{
	unlink(picture->path);
	warnx("plot needs gnuplot, which cannot be run: %s; install "
	      "gnuplot-nox or gnuplot",
	      strerror(error));
	return HP_GNUPLOT_MISSING;
}

static enum hp_gnuplot_status feed(const struct hp_gnuplot *picture, int out)
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
		return missing(picture, pid < 0 ? -pid : errno);
	}
	/* a gnuplot that dies early shows in its exit status */
	signal(SIGPIPE, SIG_IGN);
	write_script(script, picture);
	fclose(script);
	return finish(picture, pid);
}

enum hp_gnuplot_status hp_gnuplot_draw(const struct hp_gnuplot *picture)
{
	const char *path = picture->path;
	enum hp_gnuplot_status status;
	int out = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

	if (out < 0)
		return complain(path, strerror(errno));
	status = feed(picture, out);
	if (close(out) && !status)
		return complain(path, strerror(errno));
	return status;
}
