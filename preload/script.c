/* SPDX-License-Identifier: MIT */
#include "preload/script.h"

#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libhp/text.h"
#include "preload/program.h"

#define HEAD 256 /* as much as the kernel looks at */
#define DEPTH_MAX 5

static const char blanks[] = " \t";

static ssize_t read_head(const char *path, char *head)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t n = -1;

	if (fd < 0)
		return -1;
	n = read(fd, head, HEAD);
	close(fd);
	if (n >= 0)
		head[n] = '\0';
	return n;
}

/* "env NAME" and "env -S NAME ..."; with other options: env, as it stands */
static char *behind_env(char *words)
{
	char *rest = words, *word;

	while ((word = strsep(&rest, blanks))) {
		if (!strncmp(word, "-S", 2))
			word += 2;
		if (*word == '-')
			return NULL;
		if (*word && !strchr(word, '='))
			return hp_program_find(word);
	}
	return NULL;
}

/* of the @head of a script; NULL: nothing the kernel can use */
static char *interpreter(char *head)
{
	char *name = head + 2 + strspn(head + 2, blanks);
	char *end = name + strcspn(name, " \t\n");
	char *argument = end + strcspn(end, "\n");
	char *found = NULL;

	if (end == name || end == head + HEAD)
		return NULL;
	*argument = '\0';
	argument = *end ? end + 1 : end;
	*end = '\0';
	if (!strcmp(hp_text_base(name), "env"))
		found = behind_env(argument);
	return found ? found : strdup(name);
}

/* the file to look at after @path; NULL: it is loaded itself, or unreadable */
static char *next(const char *path)
{
	char head[HEAD + 1];
	ssize_t n = read_head(path, head);
	char *name = NULL;

	if (n < 0 || (n >= SELFMAG && !memcmp(head, ELFMAG, SELFMAG)))
		return NULL;
	if (!strncmp(head, "#!", 2))
		name = interpreter(head);
	return name ? name : strdup("/bin/sh");
}

char *hp_script_image(const char *path)
{
	char *image = strdup(path), *further;

	for (int depth = 0; image && depth <= DEPTH_MAX; depth++) {
		further = next(image);
		if (!further)
			break;
		free(image);
		image = further;
	}
	return image;
}
