"""What Earwright exports, in SpeechBrain's own classes.

python3 upstream_loads_export.py EARWRIGHT LOG_PROBS [RECIPE…]

Trains each RECIPE (default: a Conformer, a CRDNN with LiGRU, an LSTM and a joint CTC and attention of
tests/cases/train/equal, and what VARIANTS makes of them) for an epoch with EARWRIGHT on noises and exports it, loads
model.safetensors strictly into the objects that HyperPyYAML makes of the same recipe, and weights that are exported alone and
by `earwright average`, and compares the log-probabilities of every utterance, which LOG_PROBS computes of the export, and the loss
of the validation that Earwright logged, with SpeechBrain's. Ends with 77, which ctest counts as skipped, where SpeechBrain cannot
be imported.
"""
import math
import os
import pathlib
import re
import sys
import tempfile
import zipfile

import peer

CASES = peer.ROOT / "tests" / "cases" / "train" / "equal"
RECIPES = [CASES / f"{name}.yaml" for name in ("conformer", "crdnn", "lstm", "joint")]
CONFORMER = "encoder_module: conformer\n    attention_type: RelPosMHAXL\n"
# Another encoder in one of them: its base, what is replaced there and by what.
VARIANTS = {
    "transformer": ("conformer", CONFORMER, "encoder_module: transformer\n    attention_type: regularMHA\n"),
    "rotary_conformer": ("conformer", "RelPosMHAXL", "RoPEMHA"),
    "branchformer": ("conformer", CONFORMER, "encoder_module: branchformer\n    attention_type: RelPosMHAXL\n    csgu_linear_units: 32\n"),
    "gru": ("lstm", "RNN.LSTM", "RNN.GRU"),
    "rnn": ("lstm", "RNN.LSTM", "RNN.RNN"),
    "ligru": ("lstm", r"RNN.LSTM\n    input_shape: \[null, null, 8, 4\]", "RNN.LiGRU\n    input_shape: [8, 10, 8, 4]"),
    "vanillann": ("crdnn", r"CRDNN\.CRDNN\n(    .*\n)+", "VanillaNN.VanillaNN\n    input_shape: [null, null, 16]\n    dnn_neurons: 16\n"),
}
ROWS = 12
TOLERANCE = 1e-5
LOG_PROBS_TOLERANCE = 1e-4  # nats
STATISTICS = "normalize."


def variants(folder):
    """Recipes written there."""
    for name, (base, replaced, by) in VARIANTS.items():
        text, count = re.subn(replaced, by, (CASES / f"{base}.yaml").read_text())
        if count != 1:
            sys.exit(f"FAIL: {base}.yaml has {count} of '{replaced}'")
        recipe = folder / f"{name}.yaml"
        recipe.write_text(text)
        yield recipe


def shares(lengths):
    """Of each row that is not padding."""
    return lengths / lengths.max()


def weights_in(capsule, folder):
    import safetensors.torch

    with zipfile.ZipFile(capsule) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith("/model.safetensors")]
        return safetensors.torch.load_file(archive.extract(name, folder))


def load(objects, weights):
    """Every module that is trained strictly; the statistics of the normalization, which are no part of its state_dict."""
    for key, module in objects["modules"].items():
        own = {name[len(key) + 1:]: tensor for name, tensor in weights.items() if name.startswith(key + ".")}
        if key != "normalize":
            module.load_state_dict(own, strict=True)
        module.eval()
    for name, tensor in weights.items():
        if name.startswith(STATISTICS):
            setattr(objects["normalize"], name[len(STATISTICS):], tensor)


def load_alone(earwright, objects, run, weights, folder):
    """Weights of the capsule again, but as the safetensors that Earwright writes without one."""
    import safetensors.torch
    import torch

    for name, command in {"exported": ["export", run], "mean": ["average", run, "--num=1", "--out"]}.items():
        file = folder / f"{run.name}-{name}.safetensors"
        peer.call(earwright, *command, file)
        alone = safetensors.torch.load_file(file)
        load(objects, alone)
        if alone.keys() != weights.keys() or not all(torch.equal(alone[key], weights[key]) for key in weights):
            sys.exit(f"FAIL: {file.name} has other weights than the capsule")


def encoded(objects, features, lengths):
    """As upstream's scripts call each encoder: a recurrent one by itself is told lengths behind a CNN, as Earwright does."""
    hidden = objects["CNN"](features) if "CNN" in objects["modules"] else features
    name = type(objects["enc"]).__name__
    if name == "EncoderWrapper":
        return objects["enc"](hidden, lengths)
    if name in ("CRDNN", "VanillaNN"):
        return objects["enc"](hidden)
    return objects["enc"](hidden)[0] if name == "LiGRU" else objects["enc"](hidden, lengths=lengths)[0]


def joint_outputs(objects, features, lengths, tokens, counts):
    """Of the CTC output and of the decoder, which is told the text behind bos_index; their loss."""
    import torch

    rows = torch.arange(len(tokens))
    before = torch.nn.functional.pad(tokens, (1, 0), value=objects["bos_index"])
    after = torch.nn.functional.pad(tokens, (0, 1))
    after[rows, counts] = objects["eos_index"]
    encoder, decoder = objects["Transformer"](objects["CNN"](features), before, lengths, pad_idx=0)
    ctc = objects["log_softmax"](objects["ctc_lin"](encoder))
    seq = objects["log_softmax"](objects["seq_lin"](decoder))
    ctc_loss = objects["ctc_cost"](ctc, tokens, lengths, shares(counts)).sum()
    seq_loss = objects["seq_cost"](seq, after, shares(counts + 1)).sum()
    share = objects["ctc_weight"]
    return [ctc, seq], share * ctc_loss + (1 - share) * seq_loss


def outputs(objects, encoder, utterances):
    """Log-probabilities of each output for all utterances, and the loss."""
    import torch

    waves, samples = peer.padded([peer.read_wave(path) for path, _ in utterances])
    tokens, counts = peer.padded([encoder.encode_sequence_torch(list(text)) for _, text in utterances])
    with torch.no_grad():
        lengths = shares(samples)
        features = objects["normalize"](objects["compute_features"](waves), lengths)
        if "Transformer" in objects["modules"]:
            return joint_outputs(objects, features, lengths, tokens, counts)
        log_probs = objects["log_softmax"](objects["ctc_lin"](encoded(objects, features, lengths)))
        return [log_probs], objects["ctc_cost"](log_probs, tokens, lengths, shares(counts))


def frames_of(log_probs, place, samples, counts):
    """Whole frames of each row; of the decoder's output tokens with the end."""
    return [round(count.item()) for count in shares(samples) * log_probs.shape[1]] if place == 0 else [n + 1 for n in counts.tolist()]


def farthest(ours, theirs, utterances):
    """The largest difference of log-probabilities within the rows' own frames."""
    import torch

    samples = torch.tensor([len(peer.read_wave(path)) for path, _ in utterances])
    counts = torch.tensor([len(text) for _, text in utterances])
    most = 0.0
    for place, expected in enumerate(theirs):
        for row, frames in enumerate(frames_of(expected, place, samples, counts)):
            apart = ours[str(place)][row, :frames] - expected[row, :frames]
            most = max(most, apart.abs().max().item())
    return most


def check(earwright, log_probs, recipe, data, utterances):
    import hyperpyyaml
    import safetensors.torch

    run = data / recipe.stem
    peer.call(earwright, "train", recipe, "--devices", "cpu", "--run-dir", run, f"--data_folder={data}", f"--batch_size={ROWS}",
              "--number_of_epochs=1")
    capsule = data / f"{recipe.stem}.zip"
    peer.call(earwright, "export", run, capsule)
    with open(recipe) as file:
        objects = hyperpyyaml.load_hyperpyyaml(file, {"data_folder": str(data)})
    weights = weights_in(capsule, data / "unpacked" / recipe.stem)
    load_alone(earwright, objects, run, weights, data)
    load(objects, weights)
    objects["label_encoder"].load(str(run / "label_encoder.txt"))
    theirs, loss = outputs(objects, objects["label_encoder"], utterances)
    found = data / f"{recipe.stem}.safetensors"
    peer.call(log_probs, capsule, data / "train.csv", found)
    apart = farthest(safetensors.torch.load_file(found), theirs, utterances)
    ours = peer.logged_loss(earwright, run)
    print(f"{recipe.stem}: validation loss: Earwright {ours:.7g}, SpeechBrain {loss.item():.7g}; "
          f"log-probabilities at most {apart:.2g} apart", flush=True)
    if apart > LOG_PROBS_TOLERANCE:
        sys.exit(f"FAIL: log-probabilities differ by more than {LOG_PROBS_TOLERANCE:g}")
    if not math.isclose(ours, loss.item(), rel_tol=TOLERANCE):
        sys.exit(f"FAIL: losses differ by more than {TOLERANCE:g} of their size")


def main(earwright, log_probs, *recipes):
    peer.import_or_skip(["hyperpyyaml", "safetensors.torch", "speechbrain"], "tests/bench/against_speechbrain.sh")
    earwright, log_probs = pathlib.Path(earwright).resolve(), pathlib.Path(log_probs).resolve()
    with tempfile.TemporaryDirectory() as scratch:
        data = pathlib.Path(scratch)
        os.chdir(data)  # the Checkpointer makes a folder
        recipes = [pathlib.Path(recipe).resolve() for recipe in recipes] or [*RECIPES, *variants(data)]
        utterances = peer.write_noises(data, ROWS)
        for recipe in recipes:
            check(earwright, log_probs, recipe, data, utterances)


if __name__ == "__main__":
    main(*sys.argv[1:])
