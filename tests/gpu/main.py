"""Runs the checks within a budget: each has time limits, none stops another. tests/gpu.sh sets the paths.

GPU_BUDGET seconds in all, GPU_ONLY and GPU_SKIP expressions for names, GPU_DONE an earlier results.jsonl whose passed checks are
left out. Ends with 1 where a check failed.
"""
import argparse
import os
import pathlib
import re
import sys
import time

import results
from check_machine import nvidia_smi
from check_numbers import load_reference
from checks import CHECKS
from places import DEVICE, IS_GPU
from process import Failed, Skipped


def options():
    parser = argparse.ArgumentParser(prog="gpu.sh", description=__doc__)
    parser.add_argument("--budget", type=float, default=float(os.environ.get("GPU_BUDGET", "560")), help="seconds in all")
    parser.add_argument("--only", default=os.environ.get("GPU_ONLY", ""), help="checks whose name holds this expression")
    parser.add_argument("--skip", default=os.environ.get("GPU_SKIP", ""), help="no checks whose name holds this expression")
    parser.add_argument("--done", default=os.environ.get("GPU_DONE", ""), help="an earlier results.jsonl: what passed there is left out")
    parser.add_argument("--list", action="store_true", help="only names, with the seconds that each may take on a GPU")
    return parser.parse_args()


def why_not(check, seconds_left):
    """Why a check cannot be run; empty where it can."""
    if check.gpu_only and not IS_GPU:
        return f"there is no GPU: {check.gpu_only}"
    if seconds_left < (min(check.seconds, 20) if IS_GPU else 1):
        return f"{max(0, seconds_left):.0f} s of the budget are left"
    return ""


def run(check, seconds_left):
    why = why_not(check, seconds_left)
    if why:
        results.record(check.name, "skipped", why=why)
        return
    begin = time.time()

    def record(status, found=None, why=None):
        results.record(check.name, status, found, why, round(time.time() - begin, 1), check.device)
    try:
        record("passed", check.work())
    except Skipped as reason:
        record("skipped", why=str(reason))
    except Failed as problem:
        record("failed", why=str(problem))
    except Exception as problem:  # noqa: BLE001 - the next check is worth its chance
        record("failed", why=f"{type(problem).__name__}: {problem}")


def summary():
    counts = ", ".join(f"{count} {status}" for status, count in results.counts.items())
    print(f"{counts}, {time.time() - results.START:.0f} s: {results.FILE}")
    if not IS_GPU:
        print(f"Nothing was run on a GPU: what passed, passed on the device '{DEVICE}'.")


def main():
    chosen = options()
    done = set()
    if chosen.done and os.path.exists(chosen.done):
        done = results.passed_before(chosen.done)
        load_reference(pathlib.Path(chosen.done).parent)
    for check in CHECKS:
        if check.name in done or not re.search(chosen.only, check.name) or (chosen.skip and re.search(chosen.skip, check.name)):
            continue
        if chosen.list:
            print(f"{check.seconds:4d} s  {check.name}")
        else:
            run(check, chosen.budget - (time.time() - results.START))
    if chosen.list:
        return 0
    results.write_table(nvidia_smi("name").splitlines()[0] if IS_GPU else "")
    summary()
    return 1 if results.counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
