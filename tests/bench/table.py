# SPDX-License-Identifier: MIT
"""table - results as text"""

COMMON = (
    "wall",
    "user",
    "sys",
    "minor",
    "major",
    "rss_mib",
    "peak_mib",
    "huge_mib",
    "coverage",
)
HEAD = (
    f"{'':14}{'wall s':>9} {'(q1 - q3)':>15}{'/plain':>8}{'sys s':>8}"
    f"{'peak MiB':>10}{'/plain':>8}{'huge':>7}"
)


def number(value, digits=2):
    return "-" if value is None else f"{value:.{digits}f}"


def span(figure):
    return f"({figure['q1']:.3f} - {figure['q3']:.3f})"


def arm_line(results, program, arm):
    figures = results.programs[program][arm]
    wall = figures["wall"]
    times = number(results.ratio(program, "wall", arm, "plain"))
    larger = number(results.ratio(program, "peak_mib", arm, "plain"))
    peak = number(results.median(program, arm, "peak_mib"), 1)
    share = number(results.median(program, arm, "coverage"), 3)
    line = (
        f"  {arm:12}{wall['median']:9.3f} {span(wall):>15}{times:>8}"
        f"{figures['sys']['median']:8.3f}{peak:>10}{larger:>8}{share:>7}"
    )
    own = [
        f"{name} {figure['median']:.4g}"
        for name, figure in figures.items()
        if name not in COMMON
    ]
    return [line] + (["  " + " " * 12 + "  " + ", ".join(own)] if own else [])


def programs(results):
    lines = [HEAD]
    for program, by_arm in results.programs.items():
        lines.append(program)
        for arm in by_arm:
            lines += arm_line(results, program, arm)
    return lines


def budgets(rows):
    lines = [f"{'budget':38}{'bound':>9}{'reached':>10}"]
    for row in rows:
        if row["reached"] is None:
            verdict = "not taken"
        else:
            verdict = "met" if row["met"] else "MISSED"
        reached = number(row["reached"], 3)
        lines.append(f"{row['figure']:38}{row['bound']:>9}{reached:>10}  {verdict}")
    return lines


def machine(facts):
    pools = [f"{n} x {name[10:]}" for name, n in facts["pools"].items() if n]
    return [
        f"{facts['cpus']} CPUs {facts['cpu']}, {facts['memory_mib']} MiB, "
        f"Linux {facts['kernel']}, {facts['libc']}",
        f"THP {facts['thp']}, defrag {facts['defrag']}, "
        f"hugetlb pool {', '.join(pools) or 'empty'}",
    ]
