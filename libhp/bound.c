/* SPDX-License-Identifier: MIT */
#include "libhp/bound.h"

#include "libhp/linux.h"

/* slots that may stay whatever the percentage says: it would not be a slot */
#define SLOTS_FREE 2

/* runs given back before the slots are looked through again in vain */
#define PATIENCE 64

/* as long may the bound be exceeded */
#define SETTLE_MS 50

/* what is taken again so soon should not have gone back */
#define ROUND_MS 200

uint64_t hp_bound_allowed(const struct hp_filler *f)
{
	return hp_max(f->used * f->bloat / 100,
		      (uint64_t)SLOTS_FREE * f->slots.pages);
}

uint64_t hp_bound_excess(const struct hp_filler *f)
{
	return f->resident > f->used ? f->resident - f->used : 0;
}

bool hp_bound_exceeded(struct hp_filler *f)
{
	uint64_t excess = hp_bound_excess(f);

	if (f->keep)
		return false;
	if (excess <= hp_bound_allowed(f)) {
		f->exceeded_ms = 0;
		return false;
	}
	if (!f->exceeded_ms || excess >= f->recheck || f->patience == 0)
		return true;
	f->patience--;
	return false;
}

void hp_bound_wait(struct hp_filler *f)
{
	uint64_t excess = hp_bound_excess(f);

	f->patience = PATIENCE;
	f->recheck =
		excess > hp_bound_allowed(f) ? excess + f->slots.pages / 8 : 0;
}

/*
 * The bound is exceeded again. If that is so because pages came back that had
 * just gone, the program works in rounds; and it still does if what stayed was
 * of use, or the bound would have been exceeded all the time.
 */
static void learn(struct hp_filler *f, uint64_t now)
{
	bool again = now - f->released_ms < ROUND_MS && f->resident > f->left;
	bool still = now - f->rounds_ms < ROUND_MS;

	f->rounds_ms = again || still ? now : 0;
}

/*
 * A program that frees much is likely to free more at once, which empties
 * slots that would have been broken, or to allocate again, which takes those
 * that are empty. So it is given a moment. What nobody took for so long was of
 * no use.
 */
static bool has_settled(struct hp_filler *f)
{
	uint64_t now = hp_linux_now_ms();

	if (!f->exceeded_ms) {
		learn(f, now);
		f->exceeded_ms = now;
	}
	if (now - f->exceeded_ms < SETTLE_MS)
		return false;
	f->rounds_ms = 0;
	return true;
}

/*
 * But it may also fall idle meanwhile, and then nobody comes back here: it is
 * not given more than twice the bound, or what it had in use at the height of
 * its rounds.
 */
static uint64_t most_excess(const struct hp_filler *f)
{
	uint64_t twice = 2 * hp_bound_allowed(f);

	return f->rounds_ms && f->high > f->used
		       ? hp_max(twice, f->high - f->used)
		       : twice;
}

bool hp_bound_due(struct hp_filler *f, struct hp_bound_target *out)
{
	if (!has_settled(f) && hp_bound_excess(f) <= most_excess(f))
		return false;
	out->allowed = f->rounds_ms ? most_excess(f) : hp_bound_allowed(f);
	out->low = f->rounds_ms ? out->allowed : out->allowed / 2;
	return true;
}

void hp_bound_released(struct hp_filler *f)
{
	f->released_ms = hp_linux_now_ms();
	f->left = f->resident;
	if (f->rounds_ms)
		return;
	f->exceeded_ms = 0;
	f->high = f->used;
}
