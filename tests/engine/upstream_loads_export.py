"""The weights that Kymo saves, in SpeechBrain's own classes.

python3 upstream_loads_export.py KYMO [RECIPE]

Trains RECIPE (default: the small Conformer of tests/cases/train/equal) for an epoch with KYMO on noises, loads the
checkpoint's model.safetensors strictly into the objects that HyperPyYAML makes of the same recipe, and compares
the loss of the validation that Kymo logged with SpeechBrain's. Ends with 77, which ctest counts as skipped, where
SpeechBrain cannot be imported (tests/bench/against_speechbrain.sh installs it into build/peer).
"""
import csv
import io
import math
import os
import pathlib
import random
import struct
import subprocess
import sys
import tempfile
import wave

ROOT = pathlib.Path(__file__).resolve().parents[2]
PEER = ROOT / "build" / "peer" / "bin" / "python"
ROWS = 12
RATE = 8000
TOLERANCE = 1e-5


def import_upstream():
    """Exits with 77, aloud, where there is none."""
    try:
        import hyperpyyaml  # noqa: F401
        import safetensors.torch  # noqa: F401
        import speechbrain  # noqa: F401
    except ImportError as error:
        if PEER.exists() and pathlib.Path(sys.executable) != PEER:
            os.execv(PEER, [str(PEER), *sys.argv])
        print(f"SKIP: {error}; tests/bench/against_speechbrain.sh installs SpeechBrain", file=sys.stderr)
        sys.exit(77)


def write_noises(folder):
    """train.csv: noises of 0.3 to 0.6 s with one to four letters."""
    draw = random.Random(7)
    rows = [["ID", "duration", "wav", "spk_id", "wrd"]]
    for number in range(ROWS):
        samples = [int(3000 * draw.gauss(0, 1)) for _ in range(draw.randrange(2400, 4800))]
        path = folder / f"{number}.wav"
        with wave.open(str(path), "wb") as file:
            file.setparams((1, 2, RATE, 0, "NONE", ""))
            file.writeframes(struct.pack(f"<{len(samples)}h", *(max(-32768, min(32767, s)) for s in samples)))
        letters = "".join(draw.choice("ABCDEF") for _ in range(draw.randrange(1, 5)))
        rows.append([number, len(samples) / RATE, path, "s", letters])
    with open(folder / "train.csv", "w", newline="") as file:
        csv.writer(file).writerows(rows)
    return [(row[2], row[4]) for row in rows[1:]]


def call(*command):
    """Standard output."""
    return subprocess.run([str(word) for word in command], check=True, stdout=subprocess.PIPE, text=True).stdout


def logged_loss(kymo, run):
    points = list(csv.DictReader(io.StringIO(call(kymo, "runs", run))))
    return [float(point["value"]) for point in points if point["tag"] == "valid/loss"][-1]


def padded(rows):
    """[batch, longest] and the share of each row that is not padding."""
    import torch

    longest = max(len(row) for row in rows)
    batch = torch.zeros(len(rows), longest, dtype=rows[0].dtype)
    for number, row in enumerate(rows):
        batch[number, : len(row)] = row
    return batch, torch.tensor([len(row) / longest for row in rows])


def read_wave(path):
    import torch

    with wave.open(str(path)) as file:
        bytes_read = bytearray(file.readframes(file.getnframes()))
    return torch.frombuffer(bytes_read, dtype=torch.int16).float() / 32768


def upstream_loss(recipe, data, run, utterances):
    import hyperpyyaml
    import safetensors.torch
    import torch

    with open(recipe) as file:
        objects = hyperpyyaml.load_hyperpyyaml(file, {"data_folder": str(data)})
    (checkpoint,) = pathlib.Path(run, "checkpoints").glob("step-*/model.safetensors")
    weights = safetensors.torch.load_file(checkpoint)
    for key, module in objects["modules"].items():
        own = {name[len(key) + 1:]: tensor for name, tensor in weights.items() if name.startswith(key + ".")}
        if key != "normalize":  # its statistics are no parameters
            module.load_state_dict(own, strict=True)
        module.eval()
    encoder = objects["label_encoder"]
    encoder.load(str(pathlib.Path(run, "label_encoder.txt")))
    waves, wave_lengths = padded([read_wave(path) for path, _ in utterances])
    tokens, token_lengths = padded([encoder.encode_sequence_torch(list(text)) for _, text in utterances])
    with torch.no_grad():
        features = objects["normalize"](objects["compute_features"](waves), wave_lengths)
        hidden = objects["enc"](objects["CNN"](features), wave_lengths)
        log_probs = objects["log_softmax"](objects["ctc_lin"](hidden))
        return objects["ctc_cost"](log_probs, tokens, wave_lengths, token_lengths).item()


def main(kymo, recipe=ROOT / "tests" / "cases" / "train" / "equal" / "conformer.yaml"):
    import_upstream()
    kymo, recipe = pathlib.Path(kymo).resolve(), pathlib.Path(recipe).resolve()
    with tempfile.TemporaryDirectory() as scratch:
        data = pathlib.Path(scratch)
        os.chdir(data)  # the Checkpointer makes a folder
        run = data / "run"
        utterances = write_noises(data)
        call(kymo, "train", recipe, "--devices", "cpu", "--run-dir", run, f"--data_folder={data}",
             f"--batch_size={ROWS}", "--number_of_epochs=1")
        ours = logged_loss(kymo, run)
        theirs = upstream_loss(recipe, data, run, utterances)
    print(f"validation loss: Kymo {ours:.7g}, SpeechBrain {theirs:.7g}")
    if not math.isclose(ours, theirs, rel_tol=TOLERANCE):
        sys.exit(f"FAIL: they differ by more than {TOLERANCE:g} of their size")


if __name__ == "__main__":
    main(*sys.argv[1:])
