# SPDX-License-Identifier: MIT
"""figures - samples of many runs -> medians, quartiles, ratios"""
import math
import statistics


def summary(samples):
    middle = statistics.median(samples)
    if len(samples) < 2:
        low = high = middle
    else:
        low, _, high = statistics.quantiles(samples, n=4, method="inclusive")
    return {"median": middle, "q1": low, "q3": high, "samples": samples}


def collect(runs):
    """a list of {figure: number} -> {figure: summary}"""
    return {name: summary([run[name] for run in runs]) for name in runs[0]}


def geometric_mean(values):
    values = list(values)
    if not values:
        return None
    return math.exp(sum(map(math.log, values)) / len(values))


class Results:
    """{program: {arm: {figure: summary}}}, asked for by name"""

    def __init__(self, programs):
        self.programs = programs

    def median(self, program, arm, figure):
        at = self.programs.get(program, {}).get(arm, {}).get(figure)
        return at["median"] if at else None

    def ratio(self, program, figure, arm, base):
        above = self.median(program, arm, figure)
        below = self.median(program, base, figure)
        return above / below if above is not None and below else None

    def mean_ratio(self, programs, figure, arm, base):
        ratios = [self.ratio(p, figure, arm, base) for p in programs]
        return geometric_mean(r for r in ratios if r)
