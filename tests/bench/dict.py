# SPDX-License-Identifier: MIT
"""dict.py ENTRIES LOOKUPS: a dictionary of integers to one-element lists"""
import random
import sys
import time


def build(entries):
    return {key * 7919: [key] for key in range(entries)}


def look_up(table, keys):
    return sum(table[key][0] for key in keys)


def timed(name, work, *args):
    start = time.perf_counter()
    result = work(*args)
    print(f"{name}_s {time.perf_counter() - start:.4f}")
    return result


def main():
    entries, lookups = int(sys.argv[1]), int(sys.argv[2])
    table = timed("build", build, entries)
    chance = random.Random(1)
    keys = [chance.randrange(entries) * 7919 for _ in range(lookups)]
    total = timed("lookup", look_up, table, keys)
    print(f"sum: {total}")


main()
