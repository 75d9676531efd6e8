"""Makes the bundle, unpacks it elsewhere and runs what of its checks says something on a CPU.

Ends with 77, which ctest counts as skipped, where there is no speech to train on or no Python with LibTorch.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile

SCRIPT = pathlib.Path(__file__).resolve().parents[1] / "gpu.sh"
VENV = pathlib.Path(os.environ.get("EARWRIGHT_VENV", SCRIPT.parents[1] / "build/venv"))
RUN = ("machine", "devices", "smoke", "parity", "reference", "matrix.fp32")
NEEDS_GPU = ("sync", "matrix.fp16", "matrix.tf32", "shapes", "gemm", "overflow", "profile.ctc_crdnn.fp16", "two_on_one", "transcribe")
ONLY = "^(" + "|".join(name.replace(".", r"\.") for name in RUN + NEEDS_GPU) + ")$"
MODELS = ("conformer", "attention")
CELLS = tuple(f"train.{model}.fp32" for model in MODELS)


def skip(why):
    print(f"SKIP: {why}", file=sys.stderr)
    sys.exit(77)


def environment(work):
    """As on a machine that knows of no checkout."""
    mine = {name: value for name, value in os.environ.items() if not name.startswith(("GPU_", "EARWRIGHT_"))}
    return {**mine, "VENV": str(VENV.absolute()), "DEVICE": "cpu", "OMP_NUM_THREADS": "1", "STEPS": "2", "GPU_BUDGET": "400",
            "GPU_ONLY": ONLY, "GPU_MODELS": " ".join(MODELS), "WORK": str(work), "OUT": str(work / "out")}


def bundle(folder):
    """Packed quickly, and without the download of SpeechBrain."""
    told = subprocess.run(["bash", SCRIPT, "bundle", folder], text=True, capture_output=True, check=False,
                          env={**os.environ, "DEVICE": "cpu", "PEER": "no", "XZ_OPT": "-0", "WORK": str(folder / "work"), "OUT": str(folder / "work")})
    if "no speech" in told.stderr:
        skip(told.stderr.strip().splitlines()[-1])
    if told.returncode != 0:
        sys.exit(f"the bundle cannot be made: {told.stdout}{told.stderr}")
    print(told.stdout, end="")


def problems(lines):
    """What the results should say and do not."""
    told = {line["check"]: line for line in lines}
    for name in RUN + CELLS:
        if told.get(name, {}).get("status") != "passed":
            yield f"{name} has not passed: {told.get(name)}"
        elif told[name]["device"] != "cpu":
            yield f"{name} says that it ran on {told[name]['device']}"
    for name in NEEDS_GPU:
        line = told.get(name, {})
        if line.get("status") != "skipped" or "no GPU" not in line.get("why", "") or line["device"] is not None:
            yield f"{name} is not skipped for want of a GPU: {line}"
    expected = set(RUN + CELLS + NEEDS_GPU)
    if set(told) != expected or len(lines) != len(expected):
        yield f"lines of {sorted(set(told) ^ expected)}, {len(lines)} in all"


def main():
    if not (VENV / "bin/python3").exists():
        skip(f"{VENV} has no Python with LibTorch")
    with tempfile.TemporaryDirectory() as temporary:
        here, there = pathlib.Path(temporary) / "here", pathlib.Path(temporary) / "there"
        here.mkdir()
        bundle(here)
        there.mkdir()
        for name in ("gpu.sh", "earwright-gpu.tar.xz"):
            shutil.move(here / name, there / name)
        work = there / "work"
        with tarfile.open(there / "earwright-gpu.tar.xz") as packed:
            programs = {pathlib.Path(name).name for name in packed.getnames() if "/bin/" in name}
        if programs != {"earwright", "earwright_cuda.so", "test_step_reads_gpu", "test_model"}:
            sys.exit(f"the bundle holds the programs {sorted(programs)}")
        run = subprocess.run(["bash", "gpu.sh", "run", "earwright-gpu.tar.xz"], cwd=there, text=True, capture_output=True, check=False,
                             env=environment(work))
        print(run.stdout + run.stderr, end="")
        results = work / "out/results.jsonl"
        lines = [json.loads(line) for line in results.read_text().splitlines()] if results.exists() else []
        bad = list(problems(lines))
        if run.returncode != 0 or "Nothing was run on a GPU" not in run.stdout:
            bad.append(f"gpu.sh ended with {run.returncode}")
    print("\n".join(bad), file=sys.stderr)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
