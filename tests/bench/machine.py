# SPDX-License-Identifier: MIT
"""machine - what the figures were measured on"""
import glob
import os
import platform


def read(path):
    try:
        with open(path) as file:
            return file.read()
    except OSError:
        return None


def chosen(path):
    """the [word] of a file of choices, None where there is no such file"""
    text = read(path)
    return text.partition("[")[2].partition("]")[0] if text else None


def free_pool():
    """bytes of free hugetlb pages of the PMD size"""
    size = int(read("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size") or 0)
    where = f"/sys/kernel/mm/hugepages/hugepages-{size >> 10}kB"
    return size * int(read(f"{where}/free_hugepages") or 0)


def cpu():
    for line in (read("/proc/cpuinfo") or "").splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def memory_mib():
    for line in (read("/proc/meminfo") or "").splitlines():
        if line.startswith("MemTotal:"):
            return int(line.split()[1]) >> 10
    return None


def describe():
    thp = "/sys/kernel/mm/transparent_hugepage"
    return {
        "cpu": cpu(),
        "cpus": len(os.sched_getaffinity(0)),
        "memory_mib": memory_mib(),
        "kernel": platform.release(),
        "libc": " ".join(platform.libc_ver()),
        "thp": chosen(f"{thp}/enabled"),
        "defrag": chosen(f"{thp}/defrag"),
        "pools": {
            os.path.basename(pool): int(read(f"{pool}/nr_hugepages") or 0)
            for pool in sorted(glob.glob("/sys/kernel/mm/hugepages/*"))
        },
    }
