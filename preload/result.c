/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libhp/common.h"
#include "preload/result.h"

static int create_in(struct hp_result *result, const char *directory)
{
	char *real = realpath(directory, NULL);
	int len, fd;

	if (!real)
		return -errno;
	len = snprintf(result->path, sizeof(result->path), "%s/hprun.XXXXXX",
		       real);
	free(real);
	if (len >= (int)sizeof(result->path))
		return -ENAMETOOLONG;
	fd = mkostemp(result->path, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

int hp_result_create(struct hp_result *result)
{
	const char *const places[] = {getenv("TMPDIR"), "/tmp", "/dev/shm"};
	int err = -ENOENT;

	for (size_t i = 0; i < HP_ARRAY_SIZE(places) && err; i++)
		if (places[i] && *places[i])
			err = create_in(result, places[i]);
	return err;
}

int hp_result_export(const struct hp_result *result, pid_t pid)
{
	char text[HP_PATH_MAX + 24];

	snprintf(text, sizeof(text), "%d:%s", (int)pid, result->path);
	return setenv("LIBHP_RESULT", text, 1) ? -errno : 0;
}

static bool is_empty(const char *path)
{
	struct stat st;

	return stat(path, &st) || st.st_size == 0;
}

enum hp_result_state hp_result_read(const struct hp_result *result,
				    struct json_object **report)
{
	struct json_object *object = json_object_from_file(result->path);

	*report = NULL;
	if (!object)
		/* not empty: killed in the middle of writing */
		return is_empty(result->path) ? HP_RESULT_EMPTY
					      : HP_RESULT_STARTED;
	if (json_object_object_get_ex(object, "process", NULL)) {
		*report = object;
		return HP_RESULT_REPORT;
	}
	json_object_put(object);
	return HP_RESULT_STARTED;
}

void hp_result_remove(const struct hp_result *result)
{
	unlink(result->path);
}
