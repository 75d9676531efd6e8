"""The weights that Kymo saves, in SpeechBrain's own classes.

python3 upstream_loads_export.py KYMO [RECIPE]

Trains RECIPE (default: the small Conformer of tests/cases/train/equal) for an epoch with KYMO on noises, loads the
checkpoint's model.safetensors strictly into the objects that HyperPyYAML makes of the same recipe, and compares
the loss of the validation that Kymo logged with SpeechBrain's. Ends with 77, which ctest counts as skipped, where
SpeechBrain cannot be imported.
"""
import math
import os
import pathlib
import sys
import tempfile

import peer

ROWS = 12
TOLERANCE = 1e-5


def shares(lengths):
    """Of each row that is not padding."""
    return lengths / lengths.max()


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
    waves, samples = peer.padded([peer.read_wave(path) for path, _ in utterances])
    tokens, counts = peer.padded([encoder.encode_sequence_torch(list(text)) for _, text in utterances])
    with torch.no_grad():
        features = objects["normalize"](objects["compute_features"](waves), shares(samples))
        hidden = objects["enc"](objects["CNN"](features), shares(samples))
        log_probs = objects["log_softmax"](objects["ctc_lin"](hidden))
        return objects["ctc_cost"](log_probs, tokens, shares(samples), shares(counts)).item()


def main(kymo, recipe=peer.ROOT / "tests" / "cases" / "train" / "equal" / "conformer.yaml"):
    peer.import_or_skip(["hyperpyyaml", "safetensors.torch", "speechbrain"], "tests/bench/against_speechbrain.sh")
    kymo, recipe = pathlib.Path(kymo).resolve(), pathlib.Path(recipe).resolve()
    with tempfile.TemporaryDirectory() as scratch:
        data = pathlib.Path(scratch)
        os.chdir(data)  # the Checkpointer makes a folder
        run = data / "run"
        utterances = peer.write_noises(data, ROWS)
        peer.call(kymo, "train", recipe, "--devices", "cpu", "--run-dir", run, f"--data_folder={data}",
                  f"--batch_size={ROWS}", "--number_of_epochs=1")
        ours = peer.logged_loss(kymo, run)
        theirs = upstream_loss(recipe, data, run, utterances)
    print(f"validation loss: Kymo {ours:.7g}, SpeechBrain {theirs:.7g}")
    if not math.isclose(ours, theirs, rel_tol=TOLERANCE):
        sys.exit(f"FAIL: they differ by more than {TOLERANCE:g} of their size")


if __name__ == "__main__":
    main(*sys.argv[1:])
