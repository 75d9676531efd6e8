"""Trainings by earwright, and what their run folders say."""
import csv
import hashlib
import io
import json
import shutil
import statistics
import struct
import time

from places import DEVICE, EARWRIGHT, STEPS, WORK
from process import Failed, log, need, sh


def json_events(run, rank=0):
    """Read from the rank's event log, whose records hold one JSON object each (core/run/FORMAT.md)."""
    told = []
    for file in sorted((run / "events" / f"rank{rank}").glob("events.out.tfevents.*")):
        data, at = file.read_bytes(), 0
        while at + 12 <= len(data):
            (length,) = struct.unpack_from("<Q", data, at)
            body = data[at + 12:at + 12 + length]
            at += 16 + length
            begin, end = body.find(b'{"'), body.rfind(b"}")
            if 0 <= begin < end:
                try:
                    told.append(json.loads(body[begin:end + 1]))
                except ValueError:
                    pass
    return told


def scalars(run):
    """{tag: [(step, value)]}"""
    found = {}
    code, out, _ = sh([EARWRIGHT, "runs", run], 60, name=f"runs {run.name}", check=False)
    for row in csv.DictReader(io.StringIO(out)) if code == 0 else []:
        found.setdefault(row["tag"], []).append((int(row["step"]), float(row["value"])))
    return found


def logs_of(run):
    text = ""
    for file in sorted((run / "logs").glob("*.log")) if (run / "logs").is_dir() else []:
        text += f"--- {file.name}\n" + file.read_text(errors="replace")[-3000:]
    return text


def cause_of(text):
    lines = text.splitlines()
    causes = [line for line in lines if "failed" in line or "rror" in line or "killed" in line]
    return (causes or lines or ["no output"])[-1][:400]


def watched(command, name, timeout, env, check):
    run, begin = WORK / name, time.time()
    code, out, err = sh(command, timeout, env=env, name=name, check=False)
    if code != 0:
        log(logs_of(run))
        if check:
            raise Failed(f"{name}: rc={code}: {cause_of(err + out)}")
    is_there = run.is_dir()
    return {"rc": code, "seconds": round(time.time() - begin, 1), "events": json_events(run) if is_there else [],
            "scalars": scalars(run) if is_there else {}, "run": run, "text": out + err}


def train(name, recipe, data, overrides=(), device=DEVICE, precision="fp32", steps=STEPS, timeout=90, env=None, check=True):
    """Into WORK/name. `data` is a data set of audio.py; its sampling rate is the recipe's."""
    run = WORK / name
    shutil.rmtree(run, ignore_errors=True)
    command = [EARWRIGHT, "train", recipe, *data.overrides(), "--devices", device, "--precision", precision, "--eval-precision", precision,
               f"--optimizer_step_limit={steps}", "--run-dir", run, *overrides]
    return watched(command, name, timeout, env, check)


def resume(name, timeout=90, env=None):
    return watched([EARWRIGHT, "resume", WORK / name], name, timeout, env, True)


def losses(result):
    return [value for _, value in result["scalars"].get("train/loss", [])]


def rates(result, skip):
    """Steps a second of each step after the first `skip`."""
    return [rate for step, rate in result["scalars"].get("train/it_per_s", []) if step > skip and rate > 0]


def rate(result, skip):
    """Of the median step."""
    found = rates(result, skip)
    need(found, f"{result['run'].name} has no rate after step {skip}")
    return statistics.median(found)


def shares(result, stage="train"):
    """Of the work, by the type that did it."""
    return next((event.get("share_by_dtype", {}) for event in result["events"]
                 if event.get("kind") == "dtype_census" and event.get("stage") == stage), {})


def weights_hash(run):
    """Of the weights of the last checkpoint: all after the header of its safetensors file."""
    complete = [folder for folder in (run / "checkpoints").iterdir() if (folder / "manifest.json").exists()]
    need(complete, f"{run.name} has no checkpoint")
    last = max(complete, key=lambda folder: (folder / "manifest.json").stat().st_mtime)
    data = (last / "model.safetensors").read_bytes()
    (header,) = struct.unpack_from("<Q", data, 0)
    return hashlib.sha256(data[8 + header:]).hexdigest()[:16]


def worst(ours, theirs):
    """The largest relative difference of two lists of losses."""
    need(len(ours) == len(theirs) and ours, f"{len(ours)} losses beside {len(theirs)}")
    return max(abs(a - b) / max(abs(b), 1e-6) for a, b in zip(ours, theirs))
