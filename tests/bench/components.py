"""Components of SpeechBrain and Earwright on the same input: CPU seconds of one pass on one core and their ratio.

Started by components.sh in a venv with SpeechBrain: python components.py FOLDER_OF_THE_PROGRAMS MANIFEST DATA_ROOT [COMPONENT…]
With names of COMPONENTS only these are timed.
"""
import csv
import inspect
import logging
import pathlib
import sys
import tempfile

import torch

torch.set_num_threads(1)
logging.disable(logging.WARNING)
import soundfile  # noqa: E402
import speechbrain as sb  # noqa: E402
from hyperpyyaml import load_hyperpyyaml  # noqa: E402
from speechbrain.augment.time_domain import SpeedPerturb  # noqa: E402
from speechbrain.dataio.dataloader import make_dataloader  # noqa: E402
from speechbrain.decoders import ctc_greedy_decode  # noqa: E402

from ratio_row import head, row  # noqa: E402

RECIPE = pathlib.Path(__file__).parent / "components.yaml"

# Key of the recipe: kind, rows, samples or frames, width.
COMPONENTS = {
    "fbank": ("features", 8, 64000, 0),
    "fbank_context": ("features", 8, 64000, 0),
    "normalize": ("forward", 8, 400, 80),
    "normalize_sentence": ("forward", 8, 400, 80),
    "add_reverb": ("waves", 8, 64000, 0),
    "add_noise": ("waves", 8, 64000, 0),
    "drop_freq": ("waves", 8, 64000, 0),
    "drop_chunk": ("waves", 8, 64000, 0),
    "spectrogram_drop": ("spectra", 8, 400, 80),
    "warping": ("spectra", 8, 400, 80),
    "vanillann": ("layer", 4, 200, 80),
    "conv_front_end": ("layer", 4, 200, 80),
    "crdnn": ("layer", 4, 200, 80),
    "lstm": ("layer", 4, 200, 80),
    "gru": ("layer", 4, 200, 80),
    "ligru": ("layer", 4, 200, 80),
    "transformer": ("layer", 4, 200, 80),
    "conformer": ("layer", 4, 200, 80),
    "branchformer": ("layer", 4, 200, 80),
    "hyperconformer": ("layer", 4, 200, 80),
    "hyperbranchformer": ("layer", 4, 200, 80),
    "transformer_decoder": ("transduce", 4, 200, 80),
}
SPEEDS = (90, 97.5)  # percent
GREEDY = (8, 400, 30)  # rows, frames, vocabulary


def trained(layer, x, lengths):
    layer.train()
    takes_lengths = type(layer).__name__ == "EncoderWrapper"

    def one():
        layer.zero_grad()
        y = layer(x, lengths) if takes_lengths else layer(x)
        (y[0] if isinstance(y, tuple) else y).sum().backward()
    return one


def transduced(transformer, x, lengths):
    tokens = torch.randint(1, transformer.custom_tgt_module.layers[0].emb.Embedding.num_embeddings, (x.shape[0], x.shape[1] // 5))

    def one():
        transformer.zero_grad()
        encoded, decoded = transformer(x, tokens, lengths)
        (encoded.sum() + decoded.sum()).backward()
    return one


def write_reverb(manifest):
    """The impulse response of a room: noise that dies away in half a second."""
    wave = manifest.with_suffix(".wav")
    soundfile.write(wave, (torch.randn(8000) * torch.logspace(-0.3, -3.3, 8000)).numpy(), 16000)
    manifest.write_text(f"ID,duration,wav,wav_format,wav_opts\nroom,0.5,{wave},wav,\n")


def upstream(kind, component, rows, extent, width):
    torch.manual_seed(1)
    x = torch.randn((rows, extent, width) if width else (rows, extent)) * 0.1
    lengths = torch.ones(rows)
    if kind == "layer":
        return trained(component, x, lengths)
    if kind == "transduce":
        return transduced(component, x, lengths)
    takes_lengths = kind != "spectra" and len(inspect.signature(component.forward).parameters) > 1
    return torch.no_grad()(lambda: component(x, lengths) if takes_lengths else component(x))


def speed_pass(percent, rows, samples):
    # An object draws its speed; with one there is nothing to draw.
    perturb = SpeedPerturb(orig_freq=16000, speeds=[percent])
    x = torch.full((rows, samples), 0.1)
    return torch.no_grad()(lambda: perturb(x))


def greedy_pass(rows, frames, vocabulary):
    probs = torch.randn(rows, frames, vocabulary).log_softmax(-1)
    return lambda: ctc_greedy_decode(probs, torch.ones(rows), 0)


def as_wav(manifest, root, folder):
    """A manifest of the same sounds, decoded: what a loader costs without a codec."""
    with open(manifest, encoding="utf-8", newline="") as text:
        rows = list(csv.DictReader(text))
    for number, one in enumerate(rows):
        samples, rate = soundfile.read(one["wav"].replace("$data_root", root), dtype="int16")
        one["wav"] = str(folder / f"{number}.wav")
        soundfile.write(one["wav"], samples, rate)
    decoded = folder / "wav.csv"
    with decoded.open("w", encoding="utf-8", newline="") as text:
        writer = csv.DictWriter(text, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    return str(decoded)


def loader_rows(program, manifest, root):
    with tempfile.TemporaryDirectory() as folder:
        decoded = as_wav(manifest, root, pathlib.Path(folder))
        for name, epoch, sounds in (("loader, 1st epoch", "loader", manifest), ("loader, 1st, WAV", "loader", decoded),
                                    ("loader, later", "later", manifest)):
            row(name, "loader", program, loader_pass(sounds, root, 8), [epoch, sounds, root, "8"])


def loader_pass(manifest, root, rows):
    data = sb.dataio.dataset.DynamicItemDataset.from_csv(manifest, replacements={"data_root": root})
    encoder = sb.dataio.encoder.CTCTextEncoder()

    @sb.utils.data_pipeline.takes("wav")
    @sb.utils.data_pipeline.provides("sig")
    def audio(path):
        return torch.from_numpy(soundfile.read(path, dtype="float32")[0])

    @sb.utils.data_pipeline.takes("wrd")
    @sb.utils.data_pipeline.provides("chars", "tokens")
    def text(words):
        yield list(words)
        yield encoder.encode_sequence_torch(list(words))

    for item in (audio, text):
        data.add_dynamic_item(item)
    data.set_output_keys(["chars"])
    encoder.insert_blank(index=0)
    encoder.update_from_didataset(data, "chars", sequence_input=True)
    data.set_output_keys(["id", "sig", "tokens"])

    def one():
        for _ in make_dataloader(data, batch_size=rows, num_workers=0):
            pass
    return one


def main(folder, manifest, root, *only):
    program = pathlib.Path(folder) / "component_bench"
    write_reverb(pathlib.Path("build/reverb.csv"))
    with RECIPE.open(encoding="utf-8") as text:
        made = load_hyperpyyaml(text)
    head("SpeechBrain")
    if not only:
        loader_rows(program, manifest, root)
    for percent in SPEEDS if not only else ():
        row(f"speed {percent}", "speed", program, speed_pass(percent, 8, 64000), ["speed", str(percent), "8", "64000"])
    if not only:
        row("ctc greedy", "greedy", program, greedy_pass(*GREEDY), ["greedy", *map(str, GREEDY)])
    for key in only or COMPONENTS:
        kind, rows, extent, width = COMPONENTS[key]
        row(key, kind, program, upstream(kind, made[key], rows, extent, width),
            [kind, str(RECIPE), key, *map(str, (rows, extent, width))])


main(*sys.argv[1:])
