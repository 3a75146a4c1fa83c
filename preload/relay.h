/* SPDX-License-Identifier: MIT */
/*
 * relay.h - signals and stops between hprun's caller and the program
 *
 * hprun waits while the program runs in a process of its own. Signals sent to
 * hprun are passed on to it, but for those it got itself: from the terminal,
 * which has them sent to the whole process group, or from its own kill(0, n).
 * When the program stops hprun stops likewise, which is what a shell's job
 * control looks at.
 */
#ifndef HP_RELAY_H
#define HP_RELAY_H

#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

struct hp_relay {
	/* called every now and then; NULL: not wanted */
	void (*watch)(pid_t child, void *arg);
	void *arg;

	pid_t child;
	sigset_t early; /* pending before it was there */
	int stop;	/* it has been stopped by this, and hprun not yet */
	bool continued; /* it had a SIGCONT that hprun may still be to get */
};

struct hp_ending {
	int exec_errno; /* not 0: the program could not be executed */
	int status;	/* as of wait(2) */
	int stop;	/* signal hprun got that asks to end; 0: none */
	struct rusage usage;
};

/**
 * hp_relay_hold - hold back every signal
 *
 * From here to the end of the process hprun itself is ended by none but
 * SIGKILL and its own faults, so that whatever it created is removed. Call it
 * once.
 */
void hp_relay_hold(void);

/* hp_relay_asked - a held signal that asks to end, taken; 0: none */
int hp_relay_asked(void);

/* hp_relay_release - in a child: signals as hprun itself was given them */
void hp_relay_release(void);

/* hp_relay_begin - takes what is pending; then make the child by fork(2) */
void hp_relay_begin(struct hp_relay *r);

/* hp_relay_hand_over - in the child: makes that pending again */
void hp_relay_hand_over(const struct hp_relay *r);

/* hp_relay_wait - to the end of @child; all of @ending but exec_errno */
void hp_relay_wait(struct hp_relay *r, pid_t child, struct hp_ending *ending);

/* hp_relay_end_as - by signal @sig, without a core; returns where init cannot */
void hp_relay_end_as(int sig);

#endif
