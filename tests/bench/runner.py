# SPDX-License-Identifier: MIT
"""runner - one run of one program under one arm"""
import hashlib
import os
import re
import subprocess
import time

import machine
from programs import built

METRIC = re.compile(r"^(\w+) (-?[0-9.]+)$", re.MULTILINE)
SAMPLE_EVERY = 0.02  # seconds, in runs that are not timed


class Failed(Exception):
    """a program ended as it should not"""


def command(arm, program, figures):
    settings = [f"{name}={value}" for name, value in arm.settings.items()]
    return [built("timed"), figures, *settings, "--", *program.command]


def start(arm, program, work):
    figures = os.path.join(work, "figures")
    out = os.path.join(work, "stdout")
    open(figures, "w").close()
    with open(out, "w") as stdout, open(program.stdin) as stdin:
        process = subprocess.Popen(
            command(arm, program, figures),
            stdin=stdin,
            stdout=stdout,
            stderr=subprocess.PIPE,
            cwd=program.directory or work,
        )
    return process, figures, out


def finish(process, arm, program):
    error = process.communicate()[1]
    if process.returncode:
        text = error.decode(errors="replace").strip()
        raise Failed(f"{program.name} under {arm.name}: {process.returncode} {text}")


def numbers(path):
    with open(path, errors="replace") as file:
        return {name: float(value) for name, value in METRIC.findall(file.read())}


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def timed(arm, program, work):
    """figures of a run, started on warm memory"""
    subprocess.run([built("warm"), str(program.warm_mib)], check=True)
    process, figures, out = start(arm, program, work)
    finish(process, arm, program)
    result = numbers(figures)
    del result["pid"]
    result["rss_mib"] = result.pop("rss_kib") / 1024
    if program.metrics:
        result.update(numbers(out))
    return result, digest(out) if program.same else None


def rollup(pid):
    """(present, huge) MiB of a process now, None when it is gone"""
    text = machine.read(f"/proc/{pid}/smaps_rollup")
    if not text:
        return None
    kib = {}
    for line in text.splitlines()[1:]:
        name, _, value = line.partition(":")
        kib[name] = int(value.split()[0])
    hugetlb = kib.get("Private_Hugetlb", 0) + kib.get("Shared_Hugetlb", 0)
    huge = hugetlb + sum(
        kib.get(name, 0)
        for name in ("AnonHugePages", "ShmemPmdMapped", "FilePmdMapped")
    )
    return (kib["Rss"] + hugetlb) / 1024, huge / 1024


def pid_in(figures):
    for _ in range(1000):
        pid = numbers(figures).get("pid")
        if pid:
            return int(pid)
        time.sleep(0.005)
    return None


def coverage(arm, program, work):
    """(present, huge) MiB when most was present; a run that is not timed"""
    process, figures, _ = start(arm, program, work)
    pid = pid_in(figures)
    most = (0, 0)
    while process.poll() is None:
        now = rollup(pid) if pid else None
        if now and now[0] >= most[0]:
            most = now
        time.sleep(SAMPLE_EVERY)
    finish(process, arm, program)
    return most
