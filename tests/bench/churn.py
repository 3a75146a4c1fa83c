# SPDX-License-Identifier: MIT
"""churn - memory alive, memory held and memory on huge pages over time

Runs tests/bench/churn under each arm and samples smaps_rollup beside it;
writes churn.csv and, where gnuplot is, churn.svg.
"""
import argparse
import os
import shutil
import subprocess
import sys

import arms
from programs import built

MIB = 1 << 20
PLOT = """
set terminal svg size 1000,{height} font 'sans,11' background 'white'
set output '{picture}'
set datafile separator ','
set multiplot layout {rows},1
set xlabel 'seconds'
set ylabel 'MiB'
set key outside right
set style fill solid 0.25 noborder
"""
PANEL = """
set title '{arm}'
plot '{data}' using ($1):(strcol(2) eq '{arm}' ? $5 : NaN) with filledcurves x1 \\
    lc rgb '#0072b2' title 'huge', \\
  '' using ($1):(strcol(2) eq '{arm}' ? $4 : NaN) with lines lw 2 \\
    lc rgb '#000000' title 'resident', \\
  '' using ($1):(strcol(2) eq '{arm}' ? $3 : NaN) with lines lw 2 dt 2 \\
    lc rgb '#d55e00' title 'alive'
"""


def rollup(pid):
    """resident and huge MiB; hugetlb pages count as both"""
    found = {}
    with open(f"/proc/{pid}/smaps_rollup") as file:
        for line in file:
            words = line.split()
            if len(words) == 3 and words[2] == "kB":
                found[words[0]] = int(words[1]) / 1024
    pool = found["Private_Hugetlb:"] + found["Shared_Hugetlb:"]
    return found["Rss:"] + pool, found["AnonHugePages:"] + pool


def samples(arm, seconds):
    """(seconds, alive, resident, huge) in MiB, four a second"""
    process = subprocess.Popen(
        [built("churn"), str(seconds)],
        env={**os.environ, **arm.settings},
        stdout=subprocess.PIPE,
        text=True,
    )
    for line in process.stdout:
        when, alive = line.split()
        yield (float(when), int(alive) / MIB, *rollup(process.pid))
    if process.wait():
        sys.exit(f"churn: {arm.name} ends with {process.returncode}")


def summary(rows):
    """what is held and alive, and the share on huge pages, at the end of each
    phase: what a phase change leaves behind has had time to settle"""
    seconds = rows[-1][0]
    ends = [
        max((r for r in rows if r[0] <= seconds * k / 6 - 0.3), key=lambda r: r[0])
        for k in range(1, 7)
    ]
    return "  ".join(f"{held:5.0f}/{alive:5.0f} {huge / held:4.0%}" for _, alive, held, huge in ends)


def plot(names, data, picture):
    text = PLOT.format(height=260 * len(names), picture=picture, rows=len(names))
    text += "".join(PANEL.format(arm=name, data=data) for name in names)
    subprocess.run(["gnuplot"], input=text, text=True, check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--arms", default="plain,off,try,jemalloc-thp")
    parser.add_argument("--output", default="churn", metavar="STEM")
    args = parser.parse_args()
    wanted = arms.choose([n for n in args.arms.split(",") if n])
    os.chdir(os.environ.get("BENCH_PWD", "."))
    print("held/alive MiB and share on huge pages at the end of each phase")
    with open(f"{args.output}.csv", "w") as out:
        print("seconds,arm,alive_mib,resident_mib,huge_mib", file=out)
        for arm in wanted:
            rows = list(samples(arm, args.seconds))
            for when, *figures in rows:
                print(f"{when},{arm.name}", *(f"{f:.1f}" for f in figures), sep=",", file=out)
            print(f"{arm.name:13}{summary(rows)}")
    if shutil.which("gnuplot"):
        plot([arm.name for arm in wanted], f"{args.output}.csv", f"{args.output}.svg")


main()
