# SPDX-License-Identifier: MIT
"""budgets - what libhp promises, and what was reached

A figure that could not be taken is None and shown as such; nothing here makes
the benchmark fail, since machines differ.
"""
MBENCH = (
    "cfrac",
    "espresso",
    "alloc-test",
    "mstress",
    "glibc-simple",
    "malloc-large",
    "mleak",
    "barnes",
)
RSS_PROGRAMS = ("nodes", "dict", "sqlite", "sort", *MBENCH)


def at_least(name, bound, value):
    return (name, f">= {bound}", value, value is not None and value >= bound)


def at_most(name, bound, value):
    return (name, f"<= {bound}", value, value is not None and value <= bound)


def coverages(of):
    return [
        at_least(f"coverage, {name}", bound, of.median(name, "try", "coverage"))
        for name, bound in (("nodes", 0.99), ("dict", 0.98), ("sqlite", 0.97))
    ]


def speeds(of):
    return [
        at_most("dict, wall / plain", 0.92, of.ratio("dict", "wall", "try", "plain")),
        at_most(
            "nodes, malloc / jemalloc-thp",
            1.05,
            of.ratio("nodes", "malloc_ns", "try", "jemalloc-thp"),
        ),
        at_most(
            "nodes, free / jemalloc-thp",
            1.0,
            of.ratio("nodes", "free_ns", "try", "jemalloc-thp"),
        ),
        at_most(
            "malloc pair / jemalloc",
            1.08,
            of.ratio("loops", "pair_ns", "try", "jemalloc"),
        ),
        at_most(
            "malloc replace / jemalloc",
            1.08,
            of.ratio("loops", "replace_ns", "try", "jemalloc"),
        ),
        at_most(
            "mimalloc-bench, wall / plain, mean",
            0.83,
            of.mean_ratio(MBENCH, "wall", "try", "plain"),
        ),
        at_most(
            "malloc-large, wall / plain",
            0.5,
            of.ratio("malloc-large", "wall", "try", "plain"),
        ),
    ]


def worst_rss(of):
    ratios = [of.ratio(p, "peak_mib", "try", "jemalloc") for p in RSS_PROGRAMS]
    return max((r for r in ratios if r), default=None)


def start_rss(of):
    ours, plain = (of.median("true", arm, "rss_mib") for arm in ("try", "plain"))
    return ours - plain if ours and plain else None


def memory(of):
    return [
        at_most("peak RSS / jemalloc on 4K, worst", 1.05, worst_rss(of)),
        at_most(
            "peak RSS / plain, mean",
            1.10,
            of.mean_ratio(RSS_PROGRAMS, "peak_mib", "try", "plain"),
        ),
        at_most("/bin/true, RSS above plain, MiB", 2, start_rss(of)),
        at_most(
            "/bin/true x300, wall / jemalloc",
            0.85,
            of.ratio("true300", "wall", "try", "jemalloc"),
        ),
    ]


def kernel(of):
    one = of.median("prefault", "plain", "one_ms")
    two = of.median("prefault", "plain", "two_ms")
    return [
        at_most("query 1 GiB of THP, us", 60, of.median("query", "plain", "thp_us")),
        at_most(
            "query 1 GiB of small pages, us",
            1000,
            of.median("query", "plain", "small_us"),
        ),
        at_least("prefault, 1 thread / 2 threads", 1.7, one / two if two else None),
    ]


def every(of):
    rows = [*coverages(of), *speeds(of), *memory(of), *kernel(of)]
    return [
        {"figure": name, "bound": bound, "reached": value, "met": met}
        for name, bound, value, met in rows
    ]
