"""Trains a `task: paraformer` recipe by FunASR 1.4.16's own classes, as its Trainer does: the peer of differential.py.

    python peer_funasr.py RECIPE --data_folder=DIR [--key=value ...]

Environment and the JSON line that it prints: as peer_speechbrain.py's, of which it needs THREADS, STEPS, EXPORT and NUDGE. Writes
the recipe's cmvn_file where there is none.
"""
import contextlib
import csv
import json
import logging
import os
import pathlib
import sys

import safetensors.torch
import soundfile
import torch
from rounding import nudge, rounded

HERE = pathlib.Path(__file__).resolve().parent
NUDGE = bool(os.environ.get("NUDGE"))
sys.path.insert(0, str(HERE.parent / "engine"))
logging.disable(logging.WARNING)
with contextlib.redirect_stdout(sys.stderr):
    import funasr_classes
    from funasr.schedulers.warmup_lr import WarmupLR
    from peer import padded


def read_recipe(path, options):
    overrides = dict(option.removeprefix("--").split("=", 1) for option in options)
    return funasr_classes.read_recipe(path, "\n".join(f"{key}: {value}" for key, value in overrides.items()))


def utterances(recipe):
    """Path and text of each, the shortest first."""
    with open(recipe["train_csv"], encoding="utf-8") as file:
        rows = sorted(csv.DictReader(file), key=lambda row: float(row["duration"]))
    return [(row["wav"].replace("$data_root", str(recipe["data_folder"])), row["wrd"]) for row in rows]


def labels_of(texts, recipe):
    """Letters in the order in which they come, around the special labels: Earwright's numbers."""
    taken = {recipe["blank_id"], recipe["sos"], recipe["eos"]}
    free = iter(number for number in range(recipe["vocab_size"]) if number not in taken)
    letters = dict.fromkeys("".join(texts))
    return {letter: next(free) for letter in letters}


def heard(path):
    wave = torch.from_numpy(soundfile.read(path, dtype="float32")[0])
    return rounded(wave) if NUDGE else wave


def batches(recipe):
    rows = utterances(recipe)
    labels = labels_of([text for _, text in rows], recipe)
    for first in range(0, len(rows), recipe["batch_size"]):
        part = rows[first:first + recipe["batch_size"]]
        waves = padded([heard(path) for path, _ in part])
        tokens = padded([torch.tensor([labels[letter] for letter in text]) for _, text in part], -1)
        yield waves, tokens


def train(model, frontend, recipe, steps):
    """The losses of so many steps."""
    optimizer = getattr(torch.optim, recipe["opt_class"][0])(model.parameters(), **recipe["opt_class"][1])
    schedule = WarmupLR(optimizer, **recipe["lr_annealing"][1])
    losses = []
    for (waves, samples), (tokens, counts) in batches(recipe):
        with torch.no_grad():
            features, frames = frontend(waves, samples)
        loss, _, _ = model(speech=features, speech_lengths=frames, text=tokens, text_lengths=counts)
        loss.sum().backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), recipe["max_grad_norm"])
        optimizer.step()
        schedule.step()
        optimizer.zero_grad()
        losses.append(loss.item())
        if len(losses) == steps:
            break
    return losses


def main():
    torch.set_num_threads(int(os.environ.get("THREADS", "1")))
    recipe = read_recipe(sys.argv[1], sys.argv[2:])
    torch.manual_seed(recipe["seed"])
    cmvn = pathlib.Path(recipe["cmvn_file"])
    if not cmvn.exists():
        funasr_classes.write_cmvn(cmvn, recipe["encoder"][1]["input_size"])
    with contextlib.redirect_stdout(sys.stderr):
        model = funasr_classes.model_of(recipe).train()
        frontend = funasr_classes.frontend_of(recipe)
    if os.environ.get("EXPORT"):
        safetensors.torch.save_file({name: tensor.contiguous() for name, tensor in model.state_dict().items()}, os.environ["EXPORT"])
        return
    if NUDGE:
        nudge(model)
    losses = train(model, frontend, recipe, int(os.environ["STEPS"]))
    print(json.dumps({"peer": "funasr", "it_per_s": None, "losses": losses}))


if __name__ == "__main__":
    main()
