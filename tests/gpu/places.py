"""Where things are, and which device is checked: read once from the environment."""
import json
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(os.environ.get("GPU_ROOT", pathlib.Path(__file__).resolve().parents[2]))  # a checkout, or an unpacked bundle
PROGRAMS = pathlib.Path(os.environ.get("GPU_PROGRAMS", ROOT / "build/release/bin"))
EARWRIGHT = PROGRAMS / "earwright"
WORK = pathlib.Path(os.environ.get("WORK", "/tmp/earwright-gpu"))
OUT = pathlib.Path(os.environ.get("OUT", WORK / "out"))
LIBRARIES = os.environ.get("GPU_LIBRARIES", "")  # of a bundle; a build finds its own
PYTHON = os.environ.get("GPU_PYTHON", sys.executable)  # has LibTorch's Python side
PEER_PYTHON = os.environ.get("GPU_PEER_PYTHON", "")  # has SpeechBrain; empty: it is not there
PEER_SITE = os.environ.get("GPU_PEER_SITE", "")

BENCH_RECIPES = ROOT / "tests/bench/recipes"
PARAFORMER_RECIPES = ROOT / "configs/aishell1s"


def environment(command, more=None):
    """A bundle's libraries are for its programs alone: Python and nvidia-smi have the machine's."""
    variables = {**os.environ, **(more or {})}
    is_own = str(command[0]).startswith(str(PROGRAMS)) or command[0] == "ldd"
    if is_own and LIBRARIES:
        variables["LD_LIBRARY_PATH"] = LIBRARIES
    return variables


def first_device():
    """cuda:0 where earwright sees a GPU, else cpu."""
    command = [str(EARWRIGHT), "devices", "--json"]
    told = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment(command), check=False)
    try:
        return "cuda:0" if json.loads(told.stdout).get("gpus") else "cpu"
    except ValueError:
        # A program that does not run says nothing of the machine: the first check tells why.
        return "cuda:0" if shutil.which("nvidia-smi") else "cpu"


DEVICE = os.environ.get("DEVICE") or first_device()
IS_GPU = DEVICE.startswith("cuda")
STEPS = int(os.environ.get("STEPS", "8"))  # of the trainings that are compared
SLOWER = float(os.environ.get("SLOWER", "1" if IS_GPU else "8"))  # than a GPU: time limits are as much longer

WORK.mkdir(parents=True, exist_ok=True)
OUT.mkdir(parents=True, exist_ok=True)
