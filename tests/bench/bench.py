# SPDX-License-Identifier: MIT
"""bench - libhp against plain runs and against its peers, side by side

Arms are interleaved and shuffled in every round, memory is touched right
before each run, and medians with quartiles are given: absolute times move
from run to run, only ratios within one benchmark mean something.
"""
import argparse
import json
import os
import random
import signal
import sys
import tempfile

import arms
import budgets
import figures
import machine
import programs
import runner
import table


def words(text):
    return [word for word in text.split(",") if word]


def rounds(text):
    n = int(text)
    if n < 1:
        raise argparse.ArgumentTypeError("at least one round")
    return n


def arguments():
    parser = argparse.ArgumentParser(prog="run", description=__doc__)
    parser.add_argument("--rounds", type=rounds, help="5, or 3 with --quick")
    parser.add_argument("--quick", action="store_true", help="small inputs, no peers")
    parser.add_argument("--arms", type=words, metavar="A,B", help="only these")
    parser.add_argument("--programs", type=words, metavar="A,B", help="only these")
    parser.add_argument("--json", default="bench.json", metavar="FILE")
    parser.add_argument(
        "--mbench",
        default=os.environ.get("MBENCH"),
        metavar="DIR",
        help="mimalloc-bench, built, with its out/bench and bench",
    )
    args = parser.parse_args()
    args.json = os.path.join(os.environ.get("BENCH_PWD", "."), args.json)
    args.rounds = args.rounds or (3 if args.quick else 5)
    if args.quick and not args.arms:
        args.arms = ["plain", "off", "try"]
    return args


def say(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
    else:
        print(text, file=sys.stderr, flush=True)


def usable(arm, program):
    if program.arms and arm.name not in program.arms:
        return False
    return not arm.pool or machine.free_pool() >= program.warm_mib << 20


class Samples:
    """runs of one program, by arm; an arm that fails is left out, and said"""

    def __init__(self, program, chosen, work):
        self.program, self.work = program, work
        self.arms = [arm for arm in chosen if usable(arm, program)]
        self.runs = {arm.name: [] for arm in self.arms}
        self.outputs = {}
        self.notes = []

    def attempt(self, what, arm):
        try:
            return what(arm, self.program, self.work)
        except runner.Failed as error:
            self.notes.append(str(error))
            self.arms.remove(arm)
            del self.runs[arm.name]
            return None

    def once(self, arm):
        result = self.attempt(runner.timed, arm)
        if result:
            self.runs[arm.name].append(result[0])
            self.outputs.setdefault(result[1], arm.name)

    def cover(self, arm):
        """peak memory and coverage, from a further run; none of a short one"""
        present, huge = self.attempt(runner.coverage, arm) or (0, 0)
        for run in self.runs.get(arm.name, ()):
            run["peak_mib"] = max(run["rss_mib"], present)
            if present:
                run["huge_mib"] = huge
                run.setdefault("coverage", huge / present)

    def collected(self):
        if len(self.outputs) > 1:
            self.notes.append(
                f"{self.program.name}: other output under "
                f"{', '.join(list(self.outputs.values())[1:])}"
            )
        return {
            arm.name: figures.collect(self.runs[arm.name])
            for arm in self.arms
            if self.runs[arm.name]
        }


def measure(program, chosen, args, work):
    samples = Samples(program, chosen, work)
    order = random.Random(program.name)
    for turn in range(args.rounds):
        shuffled = list(samples.arms)
        order.shuffle(shuffled)
        for arm in shuffled:
            say(f"{program.name}: round {turn + 1} of {args.rounds}, {arm.name}")
            samples.once(arm)
    for arm in list(samples.arms):
        say(f"{program.name}: coverage, {arm.name}")
        samples.cover(arm)
    return samples


def select(every, names):
    missing = set(names or ()) - {program.name for program in every}
    if missing:
        known = ", ".join(program.name for program in every)
        raise ValueError(f"no program {', '.join(missing)}; there are {known}")
    return [p for p in every if not names or p.name in names]


def without_pool(chosen, measured):
    names = [
        arm.name
        for arm in chosen
        if arm.pool and not any(arm.name in by_arm for by_arm in measured.values())
    ]
    if not names:
        return []
    return [
        f"no {', '.join(names)}: of use only with a hugetlb pool that holds "
        "a program's memory"
    ]


def run(args, work):
    chosen = arms.choose(args.arms)
    every = programs.every(work, args.quick, args.mbench)
    measured, notes = {}, []
    for program in select(every, args.programs):
        samples = measure(program, chosen, args, work)
        collected = samples.collected()
        if collected:
            measured[program.name] = collected
        notes += samples.notes
    say("")
    return figures.Results(measured), notes + without_pool(chosen, measured)


def document(args, results, notes):
    return {
        "schema": "libhp.bench/1",
        "machine": machine.describe(),
        "rounds": args.rounds,
        "quick": args.quick,
        "programs": results.programs,
        # a budget is a promise about the full size
        "budgets": [] if args.quick else budgets.every(results),
        "notes": notes,
    }


def show(found, results):
    lines = [*table.machine(found["machine"]), "", *table.programs(results)]
    if found["budgets"]:
        lines += ["", *table.budgets(found["budgets"])]
    lines += [f"note: {note}" for note in found["notes"]]
    print("\n".join(lines))


def main():
    args = arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with tempfile.TemporaryDirectory(prefix="libhp-bench.") as work:
        try:
            results, notes = run(args, work)
        except ValueError as error:
            sys.exit(f"bench: {error}")
    found = document(args, results, notes)
    with open(args.json, "w") as file:
        json.dump(found, file, indent=1)
    show(found, results)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
