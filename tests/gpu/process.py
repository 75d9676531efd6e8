"""Runs programs with a time limit and keeps the ends of what they print."""
import atexit
import os
import signal
import subprocess
import time

from places import OUT, SLOWER, environment

RUNNING = set()  # processes that have not been waited for
LOG = open(OUT / "log.txt", "a", encoding="utf-8")


class Failed(Exception):
    """What was checked does not hold."""


class Skipped(Exception):
    """What was to be checked cannot be checked here."""


def need(holds, words):
    if not holds:
        raise Failed(words)


def log(text):
    LOG.write(text)
    LOG.flush()


def last_line(err, out):
    return (err.strip().splitlines() or out.strip().splitlines() or ["no output"])[-1][:300]


def end_all():
    """Trainings run in groups of their own, which an interrupted call would leave behind."""
    for process in list(RUNNING):
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


atexit.register(end_all)
signal.signal(signal.SIGTERM, lambda *_: (end_all(), os._exit(143)))
signal.signal(signal.SIGINT, lambda *_: (end_all(), os._exit(130)))


def ended(process, seconds):
    """(exit code, stdout, stderr); 124 where it was late, and its whole group is ended then."""
    try:
        return ended_within(process, seconds)
    finally:
        RUNNING.discard(process)


def ended_within(process, seconds):
    try:
        out, err = process.communicate(timeout=seconds)
        return process.returncode, out, err or ""
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGTERM)
    try:
        out, err = process.communicate(timeout=5)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
    return 124, out, err or ""


def started(command, env=None, stderr=subprocess.PIPE):
    process = subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE, stderr=stderr, text=True, errors="replace",
                               env=environment(command, env), start_new_session=True)
    RUNNING.add(process)
    return process


def sh(command, timeout, env=None, name="", check=True, quiet=False):
    """(exit code, stdout, stderr) of a command; `check` raises Failed where it does not end with 0."""
    begin = time.time()
    code, out, err = ended(started(command, env), timeout * SLOWER)
    if not quiet:
        log(f"\n=== {name or command[0]} rc={code} {time.time() - begin:.1f}s\n$ {' '.join(map(str, command))}\n{out[-3000:]}\n{err[-4000:]}\n")
    if check and code != 0:
        raise Failed(f"rc={code}: {last_line(err, out)}")
    return code, out, err


def attempt(work):
    """What it returns, or the exception it raises, as a value: one of several that run beside each other."""
    try:
        return work()
    except Exception as problem:  # noqa: BLE001
        return problem
