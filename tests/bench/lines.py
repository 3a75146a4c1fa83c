# SPDX-License-Identifier: MIT
"""lines.py COUNT: lines of seeded random numbers, to be sorted"""
import random
import sys


def main():
    chance = random.Random(2)
    count = int(sys.argv[1])
    while count > 0:
        some = min(count, 10000)
        sys.stdout.write(
            "".join(f"{chance.getrandbits(40):x}\n" for _ in range(some))
        )
        count -= some


main()
