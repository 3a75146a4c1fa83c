# SPDX-License-Identifier: MIT
"""programs - what is run under every arm"""
import os
import shutil
import sys
from dataclasses import dataclass

HERE = os.path.dirname(os.path.abspath(__file__))
BUILT = os.path.join(os.environ.get("top_builddir", "../.."), "tests", "bench")

ROWS = """
CREATE TABLE t(a INTEGER PRIMARY KEY, b INTEGER, c TEXT);
WITH RECURSIVE s(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM s WHERE x < {n})
INSERT INTO t SELECT x, x * 2654435761 % 1000000007, 'payload-' || x FROM s;
CREATE INDEX tb ON t(b);
SELECT count(*), sum(a.b % 7) FROM t a JOIN t b ON b.b = a.b;
"""
TRUE_300 = "i=0; while [ $i -lt {n} ]; do /bin/true; i=$((i + 1)); done"


@dataclass(frozen=True)
class Program:
    name: str
    command: tuple
    warm_mib: int  # more than any arm needs
    stdin: str = "/dev/null"
    directory: str = None
    metrics: bool = False  # stdout is lines "name number"
    same: bool = False  # stdout is the same under every arm
    arms: tuple = ()  # only these; empty: all
    group: str = "own"


def built(name):
    return os.path.join(BUILT, name)


def write(work, name, text):
    path = os.path.join(work, name)
    with open(path, "w") as file:
        file.write(text)
    return path


def lines(work, count):
    path = os.path.join(work, "lines")
    os.system(f"'{sys.executable}' '{HERE}/lines.py' {count} >'{path}'")
    return path


def scaled(quick, full, small):
    return small if quick else full


def own_c(quick):
    mib = scaled(quick, 768, 192)
    asked = scaled(quick, 1024, 256)
    return [
        Program("nodes", (built("nodes"), str(mib)), 2 * mib, metrics=True),
        Program(
            "loops",
            (built("loops"), scaled(quick, "1", "5")),
            512,
            metrics=True,
        ),
        Program(
            "query",
            (built("query"), str(asked)),
            asked + 64,
            metrics=True,
            arms=("plain",),
        ),
        Program(
            "prefault",
            (built("prefault"), str(asked)),
            asked + 64,
            metrics=True,
            arms=("plain",),
        ),
    ]


def python_dict(quick):
    entries = scaled(quick, 4000000, 1000000)
    lookups = scaled(quick, 3000000, 750000)
    return Program(
        "dict",
        (sys.executable, f"{HERE}/dict.py", str(entries), str(lookups)),
        scaled(quick, 1200, 320),
        metrics=True,
    )


def sqlite(quick, work):
    text = ROWS.format(n=scaled(quick, 3000000, 600000))
    return Program(
        "sqlite",
        ("sqlite3", ":memory:"),
        scaled(quick, 320, 96),
        stdin=write(work, "rows.sql", text),
        same=True,
    )


def sort(quick, work):
    return Program(
        "sort",
        (
            "env",
            "LC_ALL=C",
            "sort",
            "--parallel=2",
            "-S",
            "1G",
            "-o",
            "/dev/null",
            lines(work, scaled(quick, 6000000, 1500000)),
        ),
        scaled(quick, 1200, 500),
    )


def start_up(quick):
    loop = TRUE_300.format(n=scaled(quick, 300, 100))
    return [
        Program("true300", ("/bin/sh", "-c", loop), 64),
        Program("true", ("/bin/true",), 64),
    ]


def mimalloc_bench(where):
    """its programs, in a directory with its build output and its sources"""
    built_in = os.path.join(where, "out", "bench")
    built_in = built_in if os.path.isdir(built_in) else where
    data = os.path.join(where, "bench")
    commands = {
        "cfrac": ("17545186520507317056371138836327483792789528",),
        "espresso": (os.path.join(data, "espresso", "largest.espresso"),),
        "alloc-test": ("2",),
        "mstress": ("2", "200", "400"),
        "glibc-simple": (),
        "malloc-large": (),
        "mleak": ("50",),
        "barnes": (),
    }
    stdin = {"barnes": os.path.join(data, "barnes", "input")}
    for name, arguments in commands.items():
        path = os.path.join(built_in, name)
        if os.access(path, os.X_OK):
            yield Program(
                name,
                (path, *arguments),
                1024,
                stdin=stdin.get(name, "/dev/null"),
                directory=built_in,
                group="mbench",
            )


def every(work, quick, mbench):
    programs = [
        *own_c(quick),
        python_dict(quick),
        sqlite(quick, work),
        sort(quick, work),
        *start_up(quick),
    ]
    if mbench:
        programs += mimalloc_bench(os.path.abspath(mbench))
    return [p for p in programs if shutil.which(p.command[0])]
