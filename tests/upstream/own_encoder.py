"""Weights of the layers that a recipe's Pretrainer loads, as SpeechBrain draws and saves them, in a folder under the names of the recipe's
`paths`."""
import pathlib
import tempfile

FRAMES = 50  # of noise, by which an input normalisation learns statistics


def save(obj, path):
    import torch
    if type(obj).__name__ == "InputNormalization":
        obj.train()(torch.randn(2, FRAMES, 80), torch.ones(2))
        obj._save(path)
    else:
        torch.save(obj.state_dict(), path)


def own_encoder(text, filled, folder):
    """`filled`: what stands in the recipe's placeholders, of which this needs none."""
    from hyperpyyaml import load_hyperpyyaml
    making = folder.with_name(f"{folder.name}.part")
    making.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as output:
        pretrainer = load_hyperpyyaml(text, {**filled, "output_folder": output})["pretrainer"]
    for name, obj in pretrainer.loadables.items():
        save(obj, making / pathlib.PurePath(str(pretrainer.paths[name])).name)
    making.rename(folder)
    return folder
