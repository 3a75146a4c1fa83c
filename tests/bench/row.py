# SPDX-License-Identifier: MIT
"""row NAME PLAIN-WALLS LIBHP-WALLS REPORT - one line of the demonstration"""
import json
import statistics
import sys


def median(path):
    with open(path) as file:
        return statistics.median(float(line) for line in file)


def percent(value):
    return "?" if value is None else f"{100 * value:.1f} %"


def mib(value):
    return "?" if value is None else f"{value / 2**20:.1f}"


def reasons(report):
    """most slots first; slots without a page take no memory and are left out"""
    by_slots = sorted(report["reasons"].items(), key=lambda item: -item[1])
    by_slots = [item for item in by_slots if item[0] != "not-touched"]
    return ", ".join(f"{slots} {reason}" for reason, slots in by_slots)


def main():
    name, plain, libhp = sys.argv[1], median(sys.argv[2]), median(sys.argv[3])
    with open(sys.argv[4]) as file:
        report = json.load(file)
    process = report["process"]
    print(
        f"{name:9}{plain:9.3f}{libhp:9.3f}{libhp / plain:7.2f}"
        f"{mib(process['present_bytes']):>10}{percent(process['coverage']):>8} "
        f"{report['verdict']:9}{reasons(report)}",
        flush=True,
    )


main()
