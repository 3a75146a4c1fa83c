# SPDX-License-Identifier: MIT
"""arms - what a program is run with: plain, libhp, and who else is installed"""
import glob
import os
from dataclasses import dataclass, field

LIBRARY_DIRS = ("/usr/lib/*-linux-gnu*", "/usr/lib64", "/usr/lib", "/usr/local/lib")


@dataclass(frozen=True)
class Arm:
    name: str
    settings: dict = field(default_factory=dict)
    pool: bool = False  # of use only with free hugetlb pages


def library(name):
    for place in LIBRARY_DIRS:
        for path in sorted(glob.glob(os.path.join(place, name))):
            return path
    return None


def preloaded(name, file, pool=False, **settings):
    path = library(file)
    return [Arm(name, {"LD_PRELOAD": path, **settings}, pool)] if path else []


def libhp(mode):
    path = os.environ["HP_PRELOAD"]
    return Arm(mode, {"LD_PRELOAD": path, "LIBHP_MODE": mode})


def peers():
    """each at its best huge-page setting; jemalloc also without, as measure"""
    return [
        Arm("glibc-thp", {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}),
        *preloaded("jemalloc", "libjemalloc.so.2"),
        *preloaded(
            "jemalloc-thp",
            "libjemalloc.so.2",
            MALLOC_CONF="thp:always,metadata_thp:always",
        ),
        *preloaded(
            "mimalloc", "libmimalloc.so.2*", True, MIMALLOC_LARGE_OS_PAGES="1"
        ),
        *preloaded("tcmalloc", "libtcmalloc_minimal.so.4"),
        *preloaded(
            "tbb", "libtbbmalloc_proxy.so.2", True, TBB_MALLOC_USE_HUGE_PAGES="1"
        ),
        *preloaded("libhugetlbfs", "libhugetlbfs.so.0", HUGETLB_MORECORE="thp"),
    ]


def every():
    return [Arm("plain"), libhp("off"), libhp("try"), *peers()]


def choose(names):
    arms = every()
    if not names:
        return arms
    known = {arm.name: arm for arm in arms}
    missing = [name for name in names if name not in known]
    if missing:
        raise ValueError(
            f"no arm {', '.join(missing)} here; there are {', '.join(known)}"
        )
    return [known[name] for name in names]
