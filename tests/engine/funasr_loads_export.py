"""Earwright's weights in FunASR's own classes, and FunASR's in Earwright.

python3 funasr_loads_export.py EARWRIGHT

For a small Paraformer with each of two predictors and a small SeACo-Paraformer (tests/cases/engine/funasr):
- out: EARWRIGHT trains it on noises and `earwright export` writes it; the class of FunASR loads model.safetensors strictly;
- in: the class draws weights of its own, which torch.save writes as FunASR's trainer does; EARWRIGHT starts from that
  model.pt, where no name may be missing or left over, and exports the same numbers.
Both ways the loss of a batch and the texts of all utterances, with hotwords too, must be FunASR's. Ends with 77, which
ctest counts as skipped, where FunASR cannot be imported.
"""
import math
import os
import pathlib
import re
import sys
import tempfile
import zipfile

import peer

CASES = peer.ROOT / "tests" / "cases" / "engine" / "funasr"
ROWS = 12
TOLERANCE = 1e-5
HOTWORDS = ["AB", "CDE", "FA", "BBC"]
SEED = 3


class Earwright:
    """The program on one recipe and one set of noises."""

    def __init__(self, program, recipe, folder):
        self.program, self.recipe, self.folder = program, recipe, folder
        self.is_seaco = "seaco" in recipe.name
        (folder / "words.txt").write_text("\n".join(HOTWORDS) + "\n")
        self.overrides = {"data_folder": str(folder), "cmvn_file": str(folder / "am.mvn")}

    def train(self, run, *more):
        """What it said."""
        overrides = [f"--{key}={value}" for key, value in self.overrides.items()]
        return peer.call(self.program, "train", self.recipe, "--devices", "cpu", "--run-dir", run, *overrides, *more)[1]

    def export(self, run):
        """The capsule, and the weights in it."""
        capsule = self.folder / f"{run.name}.zip"
        peer.call(self.program, "export", run, capsule)
        with zipfile.ZipFile(capsule) as archive:
            (name,) = [name for name in archive.namelist() if name.endswith("/model.safetensors")]
            weights = self.folder / f"{run.name}.safetensors"
            weights.write_bytes(archive.read(name))
        return capsule, weights

    def start(self, weights, run):
        """A run that starts from these weights and leaves them as they are; what it said."""
        # SeACo draws a batch's hotwords; no text is long enough for these.
        no_hotwords = ["--hotword_min_length=8"] if self.is_seaco else []
        return self.train(run, f"--init_param={weights}", "--lr=0.0", "--number_of_epochs=1", *no_hotwords)

    def texts(self, source, *more):
        # A row at a time, as upstream by default: the last token of a shorter row hangs on its padding, in both.
        lines = peer.call(self.program, "transcribe", source, self.folder / "train.csv", "--device", "cpu",
                          "--batch-size", "1", *more)[0]
        return [line.partition("\t")[2] for line in lines.splitlines()]

    def labels(self, run):
        """{letter: number}"""
        text = (run / "label_encoder.txt").read_text(encoding="utf-8")
        return {letter: int(number) for letter, number in re.findall(r"^'(\w)' => (\d+)$", text, re.MULTILINE)}


def demand(holds, what):
    if not holds:
        sys.exit(f"FAIL: {what}")


def compare(earwright, upstream, weights, name, has_exact_loss):
    """`weights` are what upstream's model holds: start from them, and compare what both make of the noises."""
    import safetensors.torch
    import torch

    utterances = earwright.utterances
    run = earwright.folder / name
    said = earwright.start(weights, run)
    demand(re.search(r"info: weights start from \S+$", said, re.MULTILINE), f"{name}: not every name was there:\n{said}")
    capsule, exported = earwright.export(run)
    numbers = safetensors.torch.load_file(exported)
    for key, tensor in upstream.model.state_dict().items():
        demand(torch.equal(numbers.pop(key), tensor), f"{name}: '{key}' has other numbers")
    demand(not numbers, f"{name}: FunASR has none of {sorted(numbers)}")
    if has_exact_loss:
        ours, theirs = peer.logged_loss(earwright.program, run), upstream.loss(utterances)
        print(f"{name}: validation loss: Earwright {ours:.7g}, FunASR {theirs:.7g}")
        demand(math.isclose(ours, theirs, rel_tol=TOLERANCE), f"they differ by more than {TOLERANCE:g} of their size")
    lists = [[], HOTWORDS] if earwright.is_seaco else [[]]
    for hotwords in lists:
        more = ["--hotwords", earwright.folder / "words.txt"] if hotwords else []
        ours, theirs = earwright.texts(capsule, *more), upstream.texts(utterances, hotwords)
        print(f"{name}: texts{' with hotwords' if hotwords else ''}: {' '.join(ours)}")
        demand(ours == theirs, f"FunASR hears {' '.join(theirs)}")
        demand(len(set(ours)) > 1, "all texts are the same: that says little")


def check(program, recipe, folder, has_exact_loss):
    import safetensors.torch
    import torch

    from funasr_classes import Upstream, read_recipe, write_cmvn

    folder.mkdir()
    earwright = Earwright(program, recipe, folder)
    earwright.utterances = peer.write_noises(folder, ROWS)
    read = read_recipe(recipe, earwright.overrides)
    write_cmvn(folder / "am.mvn", read["encoder"][1]["input_size"])
    trained = folder / "trained"
    earwright.train(trained)
    _, exported = earwright.export(trained)

    torch.manual_seed(SEED)
    upstream = Upstream(read, earwright.labels(trained))
    drawn = folder / "model.pt"
    torch.save({"epoch": 1, "step": None, "state_dict": upstream.model.state_dict(), "best_step_or_epoch": ""}, drawn)
    compare(earwright, upstream, drawn, "in", has_exact_loss)
    upstream.model.load_state_dict(safetensors.torch.load_file(exported), strict=True)
    compare(earwright, upstream, exported, "out", has_exact_loss)


def main(program):
    peer.import_or_skip(["hyperpyyaml", "safetensors.torch", "funasr.models.seaco_paraformer.model"],
                        "tests/bench/components.sh")
    program = pathlib.Path(program).resolve()
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        os.chdir(scratch)
        # Of the predictor that fires from sums the threshold is 1: rounding decides whether a text's last token fires,
        # and with it the loss. In recognition no sum is whole.
        from_sums = scratch / "paraformer_v2.yaml"
        from_sums.write_text((CASES / "paraformer.yaml").read_text().replace(".CifPredictor\n", ".CifPredictorV2\n"))
        for recipe in (CASES / "paraformer.yaml", from_sums, CASES / "seaco_paraformer.yaml"):
            print(f"--- {recipe.stem}", flush=True)
            check(program, recipe, scratch / recipe.stem, has_exact_loss=recipe != from_sums)


if __name__ == "__main__":
    main(*sys.argv[1:])
