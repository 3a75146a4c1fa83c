/* SPDX-License-Identifier: MIT */
/*
 * inject.c - run a program while one system call of one library fails
 *
 *	inject -m LIBRARY PROGRAM [ARG...]
 *		lists "CALL COUNT" of the calls LIBRARY makes, to stderr
 *	inject -m LIBRARY -c CALL -n WHEN -e ERRNO [-s] PROGRAM [ARG...]
 *		the WHENth call of that number, counted over all threads and
 *		children, fails; with -s all after it too
 *
 * Only a call whose instruction lies in a mapping of LIBRARY is touched, so
 * the program's, the loader's and libc's own go on. It is done by ptrace, so
 * neither side knows: orig_rax becomes -1, and rax -ERRNO at the exit stop.
 *
 * Status: the program's, 128+n for signals; 124 the fault was never reached.
 */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/types.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#if !defined(__x86_64__)
int main(void)
{
	puts("inject knows the registers of x86-64 only");
	return 77;
}
#else

#define NR_MAX 512
#define TRACED_MAX 4096
#define LISTED 1024

static const char *library;
static long fail_nr = -1, fail_when, fail_errno;
static bool sticky, reached;
static unsigned long counts[NR_MAX];

/* a thread of the program */
static struct thread {
	pid_t pid;
	bool inside, failing; /* between entry and exit of a call */
} traced[TRACED_MAX];
static size_t ntraced;

static size_t find(pid_t pid)
{
	size_t i = 0;

	while (i < ntraced && traced[i].pid != pid)
		i++;
	if (i == TRACED_MAX)
		exit(125);
	if (i == ntraced)
		traced[ntraced++] = (struct thread){.pid = pid};
	return i;
}

static void forget(pid_t pid)
{
	size_t i = find(pid);

	traced[i] = traced[--ntraced];
}

/* does the code at @ip belong to the library? The maps are read again for
 * another process, and until the library is in them */
static bool is_library(pid_t pid, unsigned long ip)
{
	static unsigned long low, high;
	static pid_t known;
	char path[64], line[LISTED];
	FILE *maps;

	if (known == pid && high)
		return ip >= low && ip < high;
	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	maps = fopen(path, "r");
	low = high = 0;
	while (maps && fgets(line, sizeof(line), maps)) {
		unsigned long start, end;
		char prot[8];

		if (sscanf(line, "%lx-%lx %7s", &start, &end, prot) == 3 &&
		    prot[2] == 'x' && strstr(line, library))
			low = start, high = end;
	}
	if (maps)
		fclose(maps);
	known = pid;
	return ip >= low && ip < high;
}

static bool must_fail(const struct user_regs_struct *regs)
{
	unsigned long nr = regs->orig_rax;

	if (nr >= NR_MAX)
		return false;
	counts[nr]++;
	if ((long)nr != fail_nr)
		return false;
	return sticky ? counts[nr] >= (unsigned long)fail_when
		      : counts[nr] == (unsigned long)fail_when;
}

static void entered(size_t i)
{
	struct user_regs_struct regs;

	if (ptrace(PTRACE_GETREGS, traced[i].pid, NULL, &regs) < 0 ||
	    !is_library(traced[i].pid, regs.rip) || !must_fail(&regs))
		return;
	reached = traced[i].failing = true;
	regs.orig_rax = (unsigned long)-1;
	ptrace(PTRACE_SETREGS, traced[i].pid, NULL, &regs);
}

static void left(size_t i)
{
	struct user_regs_struct regs;

	if (!traced[i].failing ||
	    ptrace(PTRACE_GETREGS, traced[i].pid, NULL, &regs) < 0)
		return;
	traced[i].failing = false;
	regs.rax = (unsigned long)-fail_errno;
	ptrace(PTRACE_SETREGS, traced[i].pid, NULL, &regs);
}

/* Return: the signal to pass on */
static int stopped(pid_t pid, int status)
{
	int sig = WSTOPSIG(status);
	size_t i = find(pid);

	if (sig == (SIGTRAP | 0x80)) {
		traced[i].inside = !traced[i].inside;
		if (traced[i].inside)
			entered(i);
		else
			left(i);
		return 0;
	}
	if (status >> 16 == PTRACE_EVENT_EXEC)
		traced[i].inside = true; /* its exit stop is still to come */
	return sig == SIGTRAP || sig == SIGSTOP ? 0 : sig;
}

static int follow(pid_t program)
{
	int status, result = 125;
	pid_t pid;

	while ((pid = waitpid(-1, &status, __WALL)) > 0) {
		if (WIFSTOPPED(status)) {
			ptrace(PTRACE_SYSCALL, pid, NULL,
			       (long)stopped(pid, status));
			continue;
		}
		forget(pid);
		if (pid == program)
			result = WIFSIGNALED(status) ? 128 + WTERMSIG(status)
						     : WEXITSTATUS(status);
	}
	return result;
}

static pid_t start(char **argv)
{
	pid_t pid = fork();
	int status;

	if (pid != 0) {
		waitpid(pid, &status, 0);
		ptrace(PTRACE_SETOPTIONS, pid, NULL,
		       (long)(PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE |
			      PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
			      PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL));
		ptrace(PTRACE_SYSCALL, pid, NULL, 0L);
		return pid;
	}
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0)
		_exit(77);
	raise(SIGSTOP);
	execvp(argv[0], argv);
	_exit(127);
}

int main(int argc, char **argv)
{
	int option, result;

	while ((option = getopt(argc, argv, "+m:c:n:e:s")) != -1)
		switch (option) {
		case 'm':
			library = optarg;
			break;
		case 'c':
			fail_nr = atol(optarg);
			break;
		case 'n':
			fail_when = atol(optarg);
			break;
		case 'e':
			fail_errno = atol(optarg);
			break;
		case 's':
			sticky = true;
			break;
		default:
			return 125;
		}
	if (!library || optind == argc)
		return 125;
	result = follow(start(argv + optind));
	for (long nr = 0; fail_nr < 0 && nr < NR_MAX; nr++)
		if (counts[nr])
			fprintf(stderr, "%ld %lu\n", nr, counts[nr]);
	return fail_nr >= 0 && !reached && result == 0 ? 124 : result;
}
#endif
