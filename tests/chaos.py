"""Chaos: random faults on real trainings (see chaos.sh).

A training of two CPU ranks is done once undisturbed. Then, until the time is over, the same training is started anew and faults are
injected at random moments: ranks, supervisor, keeper, all of them killed, ranks and supervisor stalled (SIGSTOP), a slow disk, windows
killed, stops by command and by Ctrl-C, pauses. After each fault the run must come to rest: done by
itself, or stopped, failed or interrupted, as the fault has it, with none of its processes left; then it is resumed.

A run has survived its faults when it ends as done and the loss of every step is bit for bit that of the undisturbed training: nothing
was lost and nothing was done twice. Exits with 1 where one has not. A run that is under way when the time is over is left alone to
its end.
"""
import argparse
import csv
import io
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PATIENCE_S = 600  # to come to rest: a loaded machine takes its time
LEAVE_S = 30  # for what is left of a run to go, 5 s where the machine is idle
SKIPPED = 77  # ctest's word for a test that lacks what it needs
SLOW_DISK = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>
/* A disk on which a write that must last takes a tenth of a second. */
int fsync(int fd) { static int (*next)(int); if (!next) next = dlsym(RTLD_NEXT, "fsync"); usleep(100000); return next(fd); }
int fdatasync(int fd) { static int (*next)(int); if (!next) next = dlsym(RTLD_NEXT, "fdatasync"); usleep(100000); return next(fd); }
"""


class Broken(Exception):
    """A run did not survive."""


def wait_for(condition, what, seconds=PATIENCE_S):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.02)
    raise Broken(f"{what}: not within {seconds} s")


class Program:
    """The earwright binary and what is trained with it."""

    def __init__(self, binaries, work, heartbeat):
        self.heartbeat = heartbeat
        self.earwright, self.studio = binaries / "earwright", binaries / "earwright-studio"
        self.work, self.runs = work, work / "runs"
        self.recipe, self.data = self.real_data()
        source = work / "slow_disk.c"
        source.write_text(SLOW_DISK)
        self.slow_disk = work / "slow_disk.so"
        subprocess.run(["gcc", "-shared", "-fPIC", "-o", self.slow_disk, source, "-ldl"], check=True)

    def real_data(self):
        """Two dozen utterances of the digits, else of the demo's prompts."""
        digits = pathlib.Path(os.environ.get("EARWRIGHT_DATA_DIR", "/nowhere")) / "fsdd"
        recipe = ROOT / "configs/fsdd/ctc_conv.yaml"
        if not (digits / "train.csv").exists():
            recipe, digits = ROOT / "configs/demo/ctc_prompts_en.yaml", self.work / "prompts"
            transcripts = pathlib.Path(os.environ["EARWRIGHT_SOUNDS_DIR"]) / "usr/share/doc/asterisk-core-sounds-en/core-sounds-en.txt.gz"
            if self.call("prepare", "prompts", "--lang", "en", "--transcripts", transcripts, "--out", digits).returncode:
                shutil.rmtree(self.work)
                print("SKIP: no real speech is here: packaging/setup.sh installs the demo's prompts")
                sys.exit(SKIPPED)
        rows = (digits / "train.csv").read_text(encoding="utf-8").replace("$data_root", str(digits)).splitlines()[:25]
        data = self.work / "data"
        data.mkdir()
        for split in ("train", "dev", "test"):
            (data / f"{split}.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
        return recipe, data

    def call(self, *words):
        return subprocess.run([self.earwright, *words], capture_output=True, text=True)


class Run:
    """One training and the process that supervises it."""

    def __init__(self, program, name, epochs):
        self.program, self.folder, self.epochs = program, program.runs / name, epochs
        self.process = None

    def start(self, *more, slow=False):
        p = self.program
        words = ["resume", self.folder, *more] if self.folder.exists() else [
            "train", p.recipe, f"--data_folder={p.data}", "--devices", "cpu:2", "--run-dir", self.folder,
            f"--number_of_epochs={self.epochs}", "--ckpt_interval_steps=5", f"--heartbeat_timeout={p.heartbeat}",
            "--threads_per_rank=1", *more]
        environment = {**os.environ, **({"LD_PRELOAD": str(p.slow_disk)} if slow else {})}
        log = open(self.folder.parent / f"{self.folder.name}.txt", "ab")
        self.process = subprocess.Popen([p.earwright, *words], stdout=log, stderr=log, env=environment, start_new_session=True)
        # What is done before its supervisor is at work is done to no run.
        wait_for(lambda: self.process.poll() is not None or len(self.pids("rank")) == 2, "its ranks")

    def pids(self, what):
        """rank | keep: the run's processes of that kind."""
        found = subprocess.run(["pgrep", "-f", f"^[^ ]*earwright {what} {self.folder}$"], capture_output=True, text=True)
        return [int(pid) for pid in found.stdout.split()]

    def losses(self):
        """By step, as the run's curve has them."""
        out = self.program.call("runs", self.folder).stdout
        values = {}
        for point in csv.DictReader(io.StringIO(out)):
            if point["tag"] == "train/loss":
                values[int(point["step"])] = point["value"]
        return values

    def state(self):
        listed = json.loads(self.program.call("runs", "--runs-dir", self.program.runs, "--format", "json").stdout)
        return next((r["state"] for r in listed if pathlib.Path(r["path"]).name == self.folder.name), "none")

    def wait_for_step(self, step):
        wait_for(lambda: self.process.poll() is not None or max(self.losses(), default=0) >= step, f"step {step}")

    def rest(self):
        """Until nothing of it runs; its state then."""
        try:
            self.process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            raise Broken("its supervisor does not end") from None
        wait_for(lambda: not self.pids("rank") and not self.pids("keep"), "its processes are left", LEAVE_S)
        return self.state()

    def end(self):
        for pid in self.pids("rank") + self.pids("keep") + ([self.process.pid] if self.process else []):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass


def send(pids, number):
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass


def one_rank(run, draw):
    ranks = run.pids("rank")
    return [draw.choice(ranks)] if ranks else []


def kill_rank(run, draw):
    send(one_rank(run, draw), signal.SIGKILL)
    return {"failed", "done"}


def kill_supervisor(run, draw):
    send([run.process.pid], signal.SIGKILL)
    return {"interrupted", "done"}


def kill_keeper(run, draw):
    """Before the ranks are there the run cannot start."""
    send(run.pids("keep"), signal.SIGKILL)
    return {"failed", "done", "interrupted", "stopped"}


def kill_all(run, draw):
    send([run.process.pid] + run.pids("keep") + run.pids("rank"), signal.SIGKILL)
    return {"interrupted", "done"}


def stall_rank(run, draw):
    send(one_rank(run, draw), signal.SIGSTOP)
    return {"failed", "done"}


def stall_shortly(run, draw):
    """A machine that swaps: nobody is hung, and the run goes on."""
    processes = one_rank(run, draw) + [run.process.pid]
    send(processes, signal.SIGSTOP)
    time.sleep(draw.uniform(0.2, 0.8))
    send(processes, signal.SIGCONT)
    return {"done"}


def stop(run, draw):
    run.program.call("stop", run.folder)
    return {"stopped", "done"}


def stop_now(run, draw):
    run.program.call("stop", run.folder, "--now")
    return {"stopped", "done"}


def interrupt(run, draw):
    send([run.process.pid], signal.SIGINT)
    return {"stopped", "done"}


def pause(run, draw):
    run.program.call("pause", run.folder)
    time.sleep(draw.uniform(0.1, 1))
    run.program.call("continue", run.folder)
    return {"done"}


def checkpoint(run, draw):
    run.program.call("checkpoint", run.folder)
    return {"done"}


def kill_window(run, draw):
    """A window that looks on and is killed changes nothing."""
    if run.program.studio.exists():
        environment = {**os.environ, "XDG_CONFIG_HOME": str(run.program.work / "config")}
        window = subprocess.Popen([run.program.studio, "--runs-dir", run.program.runs], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
        time.sleep(draw.uniform(0.5, 2))
        window.kill()
        window.wait()
    return {"done"}


FAULTS = [kill_rank, kill_supervisor, kill_keeper, kill_all, stall_rank, stall_shortly, stop, stop_now, interrupt, pause, checkpoint,
          kill_window]


def disturb(run, draw, steps, end, counts):
    """Faults until the run is done or the time is over; then to the end."""
    slow = draw.random() < 0.2
    run.start(*(["--max_restarts=2"] if draw.random() < 0.3 else []), slow=slow)
    counts["slow disk"] = counts.get("slow disk", 0) + slow
    reached = 0
    while True:
        reached = min(steps, max(reached, max(run.losses(), default=0)) + draw.randint(1, 6))
        if time.monotonic() < end:
            run.wait_for_step(reached)
        if run.process.poll() is None and time.monotonic() < end:
            fault = draw.choice(FAULTS)
            counts[fault.__name__] = counts.get(fault.__name__, 0) + 1
            print(f"  {run.folder.name}: {fault.__name__} at step {reached}{' (slow disk)' if slow else ''}", flush=True)
            allowed = fault(run, draw)
            if allowed == {"done"}:
                continue
        else:
            allowed = {"done"}
        state = run.rest()
        if state not in allowed:
            raise Broken(f"it is {state}, not {' or '.join(sorted(allowed))}")
        if state == "done":
            return
        run.start(slow=slow)


def compare(run, reference):
    losses = run.losses()
    for step, value in reference.items():
        if losses.get(step) != value:
            raise Broken(f"step {step} has the loss {losses.get(step)}, undisturbed {value}")
    if set(losses) != set(reference):
        raise Broken(f"it has steps that the undisturbed one has not: {sorted(set(losses) - set(reference))}")
    parts = [p for p in run.folder.rglob("*") if ".part" in p.name or ".tmp" in p.name]
    if parts:
        raise Broken(f"it left {parts[0]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("minutes", type=float)
    parser.add_argument("build", nargs="?", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--heartbeat", type=float, default=3, help="heartbeat_timeout of the runs, s: more where the machine is busy")
    options = parser.parse_intermixed_args()
    binaries = options.build.absolute() / "bin"
    if not (binaries / "earwright").exists():
        sys.exit(f"no {binaries / 'earwright'}: build it first")
    draw = random.Random(options.seed)
    print(f"seed {options.seed}", flush=True)
    work = pathlib.Path(tempfile.mkdtemp(prefix="earwright-chaos-"))
    counts, survived, problems = {}, 0, []
    program = Program(binaries, work, options.heartbeat)
    program.runs.mkdir()
    calm = Run(program, "undisturbed", options.epochs)
    calm.start()
    if calm.rest() != "done":
        sys.exit(f"the undisturbed training ended as {calm.state()}; see {work}")
    reference = calm.losses()
    end = time.monotonic() + 60 * options.minutes
    number = 0
    while time.monotonic() < end:
        number += 1
        run = Run(program, f"run-{number}", options.epochs)
        before = sum(counts.values())
        try:
            disturb(run, draw, max(reference), end, counts)
            compare(run, reference)
            survived += sum(counts.values()) - before
            shutil.rmtree(run.folder)
        except Broken as problem:
            problems.append(f"{run.folder.name}: {problem}")
            print(f"  BROKEN {problems[-1]}", flush=True)
        finally:
            run.end()
    injected = sum(counts.values())
    print(", ".join(f"{name} {count}" for name, count in sorted(counts.items())))
    print(f"{number} runs of {max(reference)} steps: {injected} faults injected, {survived} survived, {len(problems)} runs broken")
    if problems:
        sys.exit(f"what is left of them: {work}")
    shutil.rmtree(work)


if __name__ == "__main__":
    main()
