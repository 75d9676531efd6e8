"""The parts of FunASR's Paraformer and Earwright's on inputs of the same size: CPU seconds on one core and their ratio.

Started by components.sh in a venv with FunASR: python paraformer_components.py FOLDER_OF_THE_PROGRAMS
"""
import logging
import pathlib
import sys

import torch

torch.set_num_threads(1)
logging.disable(logging.WARNING)
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "engine"))
import funasr_classes  # noqa: E402
from funasr.models.specaug.specaug import SpecAugLFR  # noqa: E402
from ratio_row import head, row  # noqa: E402

RECIPE = HERE / "paraformer.yaml"
ROWS, SAMPLES = 4, 192000  # 12 s
FRAMES, TOKENS = 200, 40
HOTWORDS = 20

# Key of the recipe: kind, samples or frames, width, tokens or hotwords.
COMPONENTS = {
    "frontend": ("features", SAMPLES, 0, 0),
    "specaug": ("spectra", FRAMES, 560, 0),
    "encoder": ("layer", FRAMES, 560, 0),
    "predictor": ("layer", FRAMES, 256, TOKENS),
    "predictor_v3": ("layer", FRAMES, 256, TOKENS),
    "decoder": ("layer", FRAMES, 256, TOKENS),
    "paraformer": ("greedy", SAMPLES, 0, 0),
    "seaco_paraformer": ("greedy", SAMPLES, 0, HOTWORDS),
}


def hidden(extent, width):
    """Of another layer, which wants its gradient."""
    return torch.randn(ROWS, extent, width, requires_grad=True)


def lengths(extent):
    return torch.full((ROWS,), extent)


def part(recipe, model, key):
    if key == "frontend":
        return funasr_classes.frontend_of(recipe)
    if key == "specaug":
        return SpecAugLFR(**recipe[key][1])
    if key == "predictor_v3":
        return funasr_classes.CifPredictorV3(**recipe[key][1])
    return getattr(model, key)


def frontend_pass(frontend):
    x = torch.randn(ROWS, SAMPLES) * 0.1
    return torch.no_grad()(lambda: frontend(x, lengths(SAMPLES)))


def specaug_pass(specaug):
    x = torch.randn(ROWS, FRAMES, 560)
    return torch.no_grad()(lambda: specaug(x, lengths(FRAMES)))


def outputs(key, layer):
    """What training asks of it."""
    if key == "encoder":
        x = torch.randn(ROWS, FRAMES, 560) * 0.1
        return lambda: layer(x, lengths(FRAMES))
    x = hidden(FRAMES, 256)
    if key == "decoder":
        tokens = hidden(TOKENS, 256)
        return lambda: layer(x, lengths(FRAMES), tokens, lengths(TOKENS))
    targets, mask = torch.ones(ROWS, TOKENS, dtype=torch.long), torch.ones(ROWS, 1, FRAMES)
    return lambda: layer(x, targets, mask, ignore_id=-1)


def trained_pass(key, layer):
    layer.train()
    output = outputs(key, layer)

    def one():
        layer.zero_grad()
        output()[0].sum().backward()
    return one


def greedy_pass(recipe, model, hotwords):
    """Upstream's inference, from samples to tokens."""
    frontend = funasr_classes.frontend_of(recipe)
    frontend.dither = 0.0  # Earwright draws it in training alone
    waves = list(torch.randn(ROWS, SAMPLES) * 0.1)
    words = [[first, first + 1, first + 2] for first in range(3, 3 + 3 * hotwords, 3)]
    # Upstream cuts hotwords with a tokenizer, and gives numbers where it has none.
    model.generate_hotwords_list = lambda *_, **__: words + [[model.sos]]
    # As many tokens as in Earwright: every frame has the same weight.
    for parameter in model.predictor.cif_output.parameters():
        torch.nn.init.zeros_(parameter)
    return torch.no_grad()(lambda: model.inference(data_in=waves, key=["utterance"] * ROWS, frontend=frontend, device="cpu"))


def upstream_pass(recipe, key, hotwords):
    kept = recipe if key == "seaco_paraformer" else {name: value for name, value in recipe.items() if name != "bias_encoder"}
    model = funasr_classes.model_of(kept)
    if key.endswith("paraformer"):
        return greedy_pass(recipe, model, hotwords)
    layer = part(recipe, model, key)
    forward = {"frontend": frontend_pass, "specaug": specaug_pass}
    return forward[key](layer) if key in forward else trained_pass(key, layer)


def main(folder):
    program = pathlib.Path(folder) / "paraformer_bench"
    recipe = funasr_classes.read_recipe(RECIPE, {})
    funasr_classes.write_cmvn(pathlib.Path(recipe["cmvn_file"]), recipe["encoder"][1]["input_size"])
    head("FunASR")
    for key, (kind, extent, width, tokens) in COMPONENTS.items():
        torch.manual_seed(1)
        row(key, kind, program, upstream_pass(recipe, key, tokens),
            [str(RECIPE), key, *map(str, (ROWS, extent, width, tokens))])


main(*sys.argv[1:])
