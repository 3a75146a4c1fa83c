# SPDX-License-Identifier: MIT
"""What a shell sees of a job, with a launcher in front of it and without.

job_control.py LAUNCHER... plays the shell of a terminal of its own: it starts a
program, types keys and sends signals, and prints what it was told by wait(2)
and what the program got. Both must be the same whatever is in front.
"""
import ctypes, fcntl, os, signal, subprocess, sys, tempfile, termios, time

PROGRAM = r'''
import ctypes, os, signal, sys, time
log = os.open(sys.argv[1], os.O_WRONLY | os.O_APPEND)
say = lambda text: os.write(log, (text + "\n").encode())
class Info(ctypes.Structure):
    _fields_ = [("head", ctypes.c_int * 6), ("value", ctypes.c_int),
                ("rest", ctypes.c_int * 25)]
def queued_value():
    wanted, info = ctypes.create_string_buffer(128), Info()
    libc = ctypes.CDLL(None)
    libc.sigaddset(wanted, waited[0])
    libc.sigwaitinfo(wanted, ctypes.byref(info))
    return info.value
signal.signal(signal.SIGINT, signal.SIG_DFL)
waited = [getattr(signal, name) for name in sys.argv[3].split(",") if name]
signal.pthread_sigmask(signal.SIG_BLOCK, waited)
say("pid %d" % os.getpid())
if sys.argv[2] == "read":
    say("read " + sys.stdin.readline().strip())
elif sys.argv[2] == "value":
    say("value %d" % queued_value())
elif sys.argv[2] == "stop":
    os.kill(0, signal.SIGTSTP)
while sys.argv[2] == "wait":
    info = signal.sigwaitinfo(waited)
    say("got %s" % signal.Signals(info.si_signo).name)
    if info.si_signo == signal.SIGUSR2:
        break
say("end")
'''


def until(what, condition):
    for _ in range(400):
        value = condition()
        if value:
            return value
        time.sleep(0.025)
    raise SystemExit(f"{what}: nothing within ten seconds")


class Job:
    """One run of the program in the foreground of the terminal."""

    def __init__(self, shell, how, waited=(), before=None):
        self.shell, self.log = shell, tempfile.NamedTemporaryFile("r")
        command = [*shell.launcher, sys.executable, "-c", PROGRAM,
                   self.log.name, how, ",".join(waited)]
        self.pid = os.fork()
        if self.pid == 0:
            (before or shell.in_foreground)()
            os.execvp(command[0], command)
        shell.started.append(self.pid)
        self.program = int(self.lines(1)[0].split()[1])
        shell.started.append(self.program)

    def lines(self, n):
        def enough():
            with open(self.log.name) as log:
                lines = log.read().split("\n")[:-1]
            return lines if len(lines) >= n else None
        return until(f"line {n} of the program", enough)

    def told(self, options=os.WUNTRACED | os.WCONTINUED):
        def look():
            pid, status = os.waitpid(self.pid, options | os.WNOHANG)
            return (status,) if pid else None
        status = until("what becomes of the job", look)[0]
        if os.WIFSTOPPED(status):
            return "stopped by " + signal.Signals(os.WSTOPSIG(status)).name
        if os.WIFCONTINUED(status):
            return "continued"
        if os.WIFSIGNALED(status):
            return "ended by " + signal.Signals(os.WTERMSIG(status)).name
        return "status %d" % os.WEXITSTATUS(status)

    def program_state(self):
        try:
            with open(f"/proc/{self.program}/stat") as stat:
                return stat.read().rpartition(")")[2].split()[0]
        except OSError:
            return "gone"

    def program_is(self, states):
        until(f"program in state {states}",
              lambda: self.program_state() in states)

    def settle(self):
        """What else arrives, arrives now: a signal too many shows."""
        time.sleep(0.2)

    def transcript(self):
        return self.lines(0)[1:]


class Shell:
    def __init__(self, launcher):
        self.launcher, self.started = launcher, []
        self.master, slave = os.openpty()
        os.setsid()
        fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
        os.dup2(slave, 0)
        os.close(slave)

    def foreground(self, group):
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTTOU])
        os.tcsetpgrp(0, group)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTTOU])

    def in_foreground(self):
        os.setpgid(0, 0)
        self.foreground(os.getpgrp())

    def type(self, keys):
        os.write(self.master, keys)

    def resume(self, job):
        self.foreground(job.pid)
        os.kill(-job.pid, signal.SIGCONT)


def interrupt(shell):
    job = Job(shell, "wait", ["SIGINT", "SIGQUIT", "SIGUSR2"])
    shell.type(b"\x03")
    job.lines(2)
    job.settle()
    shell.type(b"\x1c")
    job.lines(3)
    os.kill(job.program, signal.SIGUSR2)
    return [job.told(), *job.transcript()]


def interrupt_kills(shell):
    job = Job(shell, "wait", ["SIGUSR2"])
    shell.type(b"\x03")
    return [job.told()]


def suspend(shell):
    job = Job(shell, "wait", ["SIGCONT", "SIGUSR2"])
    seen = []
    for _ in range(3):
        shell.type(b"\x1a")
        seen.append(job.told())
        job.program_is("T")
        shell.resume(job)
        seen.append(job.told())
        job.settle()
    os.kill(job.pid, signal.SIGUSR2)
    return [*seen, job.told(), *job.transcript()]


def stopped_alone(shell):
    """The program is stopped and the job continued, as a whole or at its head"""
    job = Job(shell, "wait", ["SIGCONT", "SIGUSR2"])
    seen = []
    for to in (job.pid, -job.pid):
        os.kill(job.program, signal.SIGSTOP)
        seen.append(job.told())
        os.kill(to, signal.SIGCONT)
        seen.append(job.told())
        job.program_is("RS")
        job.settle()
    os.kill(job.pid, signal.SIGCONT)
    job.settle()
    os.kill(job.pid, signal.SIGUSR2)
    return [*seen, job.told(), *job.transcript()]


def continued_alone(shell):
    """Whoever stops and continues the program only leaves nothing stopped"""
    job = Job(shell, "wait", ["SIGUSR2"])
    os.kill(job.program, signal.SIGSTOP)
    seen = [job.told()]
    os.kill(job.program, signal.SIGCONT)
    seen.append(job.told())
    os.kill(job.program, signal.SIGSTOP)
    seen.append(job.told())
    os.kill(job.program, signal.SIGKILL)
    seen.append(job.told(os.WUNTRACED))
    return seen


def stop_signal_to_head(shell):
    job = Job(shell, "wait", ["SIGUSR2"])
    os.kill(job.pid, signal.SIGTSTP)
    seen = [job.told()]
    job.program_is("T")
    shell.resume(job)
    seen.append(job.told())
    os.kill(job.pid, signal.SIGUSR2)
    return [*seen, job.told(), *job.transcript()]


def stops_its_group(shell):
    job = Job(shell, "stop")
    seen = [job.told()]
    shell.resume(job)
    return [*seen, job.told(), job.told(), *job.transcript()]


def background_read(shell):
    job = Job(shell, "read", before=lambda: os.setpgid(0, 0))
    seen = [job.told()]
    shell.resume(job)
    seen.append(job.told())
    shell.type(b"hello\n")
    return [*seen, job.told(), *job.transcript()]


def passed_on(shell):
    names = ["SIG" + name for name in (
        "HUP INT QUIT ILL TRAP ABRT BUS FPE USR1 SEGV PIPE ALRM TERM "
        "TSTP TTIN TTOU URG XCPU XFSZ VTALRM PROF WINCH IO PWR SYS CONT "
        "USR2").split()]
    job = Job(shell, "wait", names)
    for i, name in enumerate(names):
        os.kill(job.pid, getattr(signal, name))
        job.lines(i + 2)
    return [job.told(), *job.transcript()]


def killed(shell):
    job = Job(shell, "wait", ["SIGTERM", "SIGUSR2"])
    os.kill(job.pid, signal.SIGKILL)
    seen = job.told()
    job.program_is(["gone", "Z"])
    return [seen]


def resized(shell):
    job = Job(shell, "wait", ["SIGWINCH", "SIGUSR2"])
    fcntl.ioctl(shell.master, termios.TIOCSWINSZ, b"\x10\0\x10\0\0\0\0\0")
    job.lines(2)
    job.settle()
    os.kill(job.pid, signal.SIGUSR2)
    return [job.told(), *job.transcript()]


def queued(shell):
    job = Job(shell, "value", ["SIGUSR1"])
    ctypes.CDLL(None).sigqueue(job.pid, signal.SIGUSR1, ctypes.c_void_p(1234))
    return [job.told(), *job.transcript()]


def inherits_alarm(shell):
    def before():
        shell.in_foreground()
        signal.alarm(1)
    job = Job(shell, "wait", ["SIGALRM", "SIGUSR2"], before)
    job.lines(2)
    os.kill(job.pid, signal.SIGUSR2)
    return [job.told(), *job.transcript()]


def hung_up(shell):
    """The job leads the session of a terminal that goes away"""
    master, slave = os.openpty()
    def before():
        os.setsid()
        fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
        os.close(master)
        os.close(slave)
    job = Job(shell, "wait", ["SIGHUP", "SIGCONT", "SIGUSR2"], before)
    os.close(master)
    job.lines(3)
    job.settle()
    os.kill(job.pid, signal.SIGUSR2)
    return [job.told(), *sorted(job.transcript())]


def play(scene, launcher):
    shell = Shell(launcher)
    try:
        for line in scene(shell):
            print(scene.__name__ + ":", line)
        sys.stdout.flush()
    finally:
        for pid in shell.started:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass


for scene in (interrupt, interrupt_kills, suspend, stopped_alone,
              continued_alone, stop_signal_to_head, stops_its_group,
              background_read, passed_on, killed, resized, queued,
              inherits_alarm, hung_up):
    pid = os.fork()
    if pid == 0:
        play(scene, sys.argv[1:])
        os._exit(0)
    if os.waitpid(pid, 0)[1]:
        sys.exit(1)
