"""What the tests share that hold Earwright against an upstream's own classes."""
import csv
import importlib
import io
import os
import pathlib
import random
import struct
import subprocess
import sys
import wave

ROOT = pathlib.Path(__file__).resolve().parents[2]
PEER = ROOT / "build" / "peer" / "bin" / "python"
PEER_TRANSFORMERS = ROOT / "build" / "peer-transformers" / "bin" / "python"
RATE = 8000


def import_or_skip(modules, installer, python=PEER):
    """Starts the test anew by `python` where this one lacks a module; exits with 77, aloud, where that one does too."""
    try:
        for module in modules:
            importlib.import_module(module)
    except ImportError as error:
        if python.exists() and pathlib.Path(sys.executable) != python:
            os.execv(python, [str(python), *sys.argv])
        print(f"SKIP: {error}; {installer} installs it into {python.parents[1].relative_to(ROOT)}", file=sys.stderr)
        sys.exit(77)


def write_noises(folder, rows):
    """train.csv: noises of 0.3 to 0.6 s with one to four letters. Their paths and letters."""
    draw = random.Random(7)
    manifest = [["ID", "duration", "wav", "spk_id", "wrd"]]
    for number in range(rows):
        samples = [int(3000 * draw.gauss(0, 1)) for _ in range(draw.randrange(2400, 4800))]
        path = folder / f"{number}.wav"
        with wave.open(str(path), "wb") as file:
            file.setparams((1, 2, RATE, 0, "NONE", ""))
            file.writeframes(struct.pack(f"<{len(samples)}h", *(max(-32768, min(32767, s)) for s in samples)))
        letters = "".join(draw.choice("ABCDEF") for _ in range(draw.randrange(1, 5)))
        manifest.append([number, len(samples) / RATE, path, "s", letters])
    with open(folder / "train.csv", "w", newline="") as file:
        csv.writer(file).writerows(manifest)
    return [(row[2], row[4]) for row in manifest[1:]]


def call(*command):
    """What it writes to (stdout, stderr)."""
    # On a busy machine threads that spin while they wait for each other cost minutes.
    patient = {**os.environ, "OMP_WAIT_POLICY": "PASSIVE"}
    ended = subprocess.run([str(word) for word in command], capture_output=True, text=True, env=patient)
    if ended.returncode:
        sys.exit(f"FAIL: {' '.join(ended.args)}\n{ended.stderr}")
    return ended.stdout, ended.stderr


def logged_loss(earwright, run):
    """Of the last validation."""
    points = csv.DictReader(io.StringIO(call(earwright, "runs", run)[0]))
    return [float(point["value"]) for point in points if point["tag"] == "valid/loss"][-1]


def read_wave(path):
    import torch

    with wave.open(str(path)) as file:
        bytes_read = bytearray(file.readframes(file.getnframes()))
    return torch.frombuffer(bytes_read, dtype=torch.int16).float() / 32768


def padded(rows, value=0):
    """[batch, longest] and the length of each row."""
    import torch

    lengths = torch.tensor([len(row) for row in rows])
    return torch.nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=value), lengths
