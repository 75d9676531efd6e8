"""What Earwright exports for the Hub, in transformers.

python3 transformers_loads_export.py EARWRIGHT LOG_PROBS

Of encoders with CTC (tests/cases/model/hub: a wav2vec 2.0, and with LoRA a WavLM in the older layout) and of a small Whisper (in the
older layout, and in the newer with LoRA): EARWRIGHT trains the folder on noises and `earwright export --format hub` writes it. transformers must find every
weight in it and no other. Of an encoder the log-probabilities of every utterance, which LOG_PROBS computes of the run, must be those
that transformers' encoder gives with the layers behind it; of a Whisper the loss of the validation and the texts of a greedy search.
Ends with 77, which ctest counts as skipped, where transformers cannot be imported.
"""
import json
import math
import os
import pathlib
import re
import shutil
import sys
import tempfile
import zipfile

import peer

CASES = peer.ROOT / "tests" / "cases"
ENCODERS = {"ctc": "model.safetensors", "older": "pytorch_model.bin"}
ROWS = 8
TOLERANCE = 1e-5
LOG_PROBS_TOLERANCE = 1e-4  # nats
LETTERS = "ABCDEF"
SEED = 3
LORA = """{key}: !new:speechbrain.nnet.adapters.AdaptedModel
    model_to_adapt: !ref <plain_{key}>
    adapter_class: !name:speechbrain.nnet.adapters.LoRA
    all_linear: True
    adapter_kwargs: {{rank: 2, alpha: 3.0}}
"""
GREEDY = """test_search: !new:speechbrain.decoders.seq2seq.S2SWhisperGreedySearcher
    model: !ref <whisper>
    min_decode_ratio: 0.0
    max_decode_ratio: 1.0
    suppress_tokens: ""
    suppress_blank: False
"""


def demand(holds, what):
    if not holds:
        sys.exit(f"FAIL: {what}")


def replaced(text, pattern, by):
    text, count = re.subn(pattern, by, text, flags=re.MULTILINE)
    demand(count == 1, f"the recipe has {count} of '{pattern}'")
    return text


def with_lora(text, key, before):
    """The recipe with adapters around the object of this key."""
    text = replaced(text, f"^{key}: !new:speech", f"plain_{key}: !new:speech")
    return replaced(text, f"^{before}: ", LORA.format(key=key) + f"{before}: ")


class Run:
    """One recipe that EARWRIGHT has trained on the noises, and its export."""

    def __init__(self, earwright, data, name, recipe, *overrides):
        self.earwright, self.path, self.hub = earwright, data / name, data / f"{name}-hub"
        self.manifest = data / "train.csv"
        written = data / f"{name}.yaml"
        written.write_text(recipe)
        peer.call(earwright, "train", written, "--devices", "cpu", "--run-dir", self.path, f"--data_folder={data}", *overrides)
        said = peer.call(earwright, "export", self.path, self.hub, "--format", "hub")[1]
        demand(("LoRA" in said) == name.endswith("lora"), f"export of {name} said: {said}")

    def capsule(self):
        file = self.path.with_suffix(".zip")
        peer.call(self.earwright, "export", self.path, file)
        return file

    def texts(self):
        lines = peer.call(self.earwright, "transcribe", self.path, self.manifest, "--device", "cpu", "--batch-size", "1")[0]
        return [line.partition("\t")[2] for line in lines.splitlines()]


def quieten():
    import transformers

    transformers.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()


def loaded(model_class, folder):
    """The model, of which transformers drew no weight and left none out."""
    model, info = model_class.from_pretrained(folder, output_loading_info=True)
    for what in ("missing_keys", "unexpected_keys", "mismatched_keys"):
        demand(not info[what], f"{folder.name}: {what}: {info[what]}")
    return model.eval()


def ctc_log_probs(run, utterances):
    """[utterances, frames, labels] by transformers' encoder, and the layers of the recipe behind it."""
    import safetensors.torch
    import torch
    import transformers
    from torch.nn.functional import layer_norm, leaky_relu, linear

    with zipfile.ZipFile(run.capsule()) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith("/model.safetensors")]
        weights = safetensors.torch.load_file(archive.extract(name, run.path / "unpacked"))
    extractor = transformers.AutoFeatureExtractor.from_pretrained(run.hub)
    waves, samples = peer.padded([peer.read_wave(path) for path, _ in utterances])
    if extractor.do_normalize:  # with its padding, as SpeechBrain
        waves = layer_norm(waves, waves.shape[1:])
    mask = torch.arange(waves.shape[1]) < samples[:, None]
    with torch.no_grad():
        y = loaded(transformers.AutoModel, run.hub)(waves, attention_mask=mask.long()).last_hidden_state
        y = layer_norm(y, y.shape[1:])  # output_norm
        y = leaky_relu(linear(y, weights["enc.linear1.w.weight"], weights["enc.linear1.w.bias"]))
        return linear(y, weights["ctc_lin.w.weight"], weights["ctc_lin.w.bias"]).log_softmax(-1)


def check_encoder(earwright, log_probs, data, name, has_lora, utterances):
    import safetensors.torch

    folder = CASES / "model" / "hub" / name
    demand((folder / ENCODERS[name]).exists(), f"{folder} has no {ENCODERS[name]}")
    recipe = (CASES / "train" / "pretrained.yaml").read_text()
    if has_lora:
        recipe = with_lora(recipe, "wav2vec2", "ctc_lin")
    run = Run(earwright, data, f"{name}-lora" if has_lora else name, recipe, f"--wav2vec2_hub={folder}", "--sample_rate=16000",
              "--number_of_epochs=2", "--warmup_steps=0", "--lr_wav2vec=0.01")
    found = data / f"{run.path.name}.safetensors"
    peer.call(log_probs, run.capsule(), run.manifest, found)
    ours, theirs = safetensors.torch.load_file(found)["0"], ctc_log_probs(run, utterances)
    demand(ours.shape == theirs.shape, f"{run.path.name}: {tuple(ours.shape)} and {tuple(theirs.shape)} log-probabilities")
    apart = (ours - theirs).abs().max().item()
    print(f"{run.path.name}: log-probabilities at most {apart:.2g} apart", flush=True)
    demand(apart <= LOG_PROBS_TOLERANCE, f"they differ by more than {LOG_PROBS_TOLERANCE:g}")


def make_whisper(folder, is_older):
    """Random weights, with which each sound has another text: letters have the longest vectors, and sounds and places count."""
    import torch
    import transformers

    shutil.copytree(CASES / "train" / "whisper", folder)
    torch.manual_seed(SEED)
    model = transformers.WhisperForConditionalGeneration(transformers.WhisperConfig.from_pretrained(folder))
    vocabulary = json.loads((folder / "vocab.json").read_text(encoding="utf-8"))
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if name != "model.encoder.embed_positions.weight":
                parameter.add_(0.3 * torch.randn_like(parameter))
        model.model.decoder.embed_tokens.weight.mul_(0.1)
        model.model.decoder.embed_tokens.weight[[vocabulary[letter] for letter in LETTERS]] = torch.randn(len(LETTERS), model.config.d_model)
        model.model.decoder.embed_positions.weight.mul_(5)
        for layer in model.model.decoder.layers:
            layer.encoder_attn.out_proj.weight.mul_(8)
            layer.encoder_attn.q_proj.weight.mul_(30)
    if is_older:
        torch.save(model.state_dict(), folder / "pytorch_model.bin")
    else:
        model.save_pretrained(folder)
        transformers.WhisperFeatureExtractor(feature_size=80).save_pretrained(folder)


def whisper_results(run, utterances):
    """The loss and the texts of a greedy search, an utterance at a time."""
    import torch
    import transformers

    processor = transformers.WhisperProcessor.from_pretrained(run.hub)
    model = loaded(transformers.WhisperForConditionalGeneration, run.hub)
    model.generation_config.begin_suppress_tokens = model.generation_config.suppress_tokens = None
    tokenizer = processor.tokenizer
    prefix = tokenizer.convert_tokens_to_ids(["<|startoftranscript|>", "<|notimestamps|>"])
    # Upstream's greedy search counts what it was told among what it has said.
    most = model.config.max_target_positions - (2 * len(prefix) - 1)
    losses, texts = [], []
    with torch.no_grad():
        for path, text in utterances:
            features = processor(peer.read_wave(path).numpy(), sampling_rate=peer.RATE, return_tensors="pt").input_features
            told = torch.tensor([prefix + tokenizer.encode(text, add_special_tokens=False)])
            targets = torch.nn.functional.pad(told[:, 1:], (0, 1), value=tokenizer.eos_token_id)
            logits = model(input_features=features, decoder_input_ids=told).logits
            losses.append(torch.nn.functional.cross_entropy(logits[0], targets[0]).item())
            said = model.generate(features, decoder_input_ids=torch.tensor([prefix]), max_new_tokens=most, num_beams=1, do_sample=False)
            texts.append(tokenizer.decode(said[0], skip_special_tokens=True).strip())
    return sum(losses) / len(losses), texts


def check_whisper(earwright, data, is_older, has_lora, utterances):
    name = "-".join(["whisper"] + ["older"] * is_older + ["lora"] * has_lora)
    folder = data / f"{name}-from"
    make_whisper(folder, is_older)
    recipe = (CASES / "train" / "whisper.yaml").read_text()
    recipe = replaced(recipe, r"^test_search: (.*\n)(    .*\n)+", GREEDY)
    if has_lora:
        recipe = with_lora(replaced(recipe, "freeze_encoder: True", "freeze_encoder: False"), "whisper", "log_softmax")
    run = Run(earwright, data, name, recipe, f"--whisper_hub={folder}", "--number_of_epochs=1", "--valid_loader_kwargs.batch_size=1",
              "--normalized_transcripts=False", "--nll_loss.label_smoothing=0.0")
    loss, texts = whisper_results(run, utterances)
    ours, own = peer.logged_loss(earwright, run.path), run.texts()
    print(f"{name}: validation loss: Earwright {ours:.7g}, transformers {loss:.7g}; texts such as {texts[:3]}", flush=True)
    demand(math.isclose(ours, loss, rel_tol=TOLERANCE), f"losses differ by more than {TOLERANCE:g} of their size")
    demand(len(set(texts)) > 2, "sounds have the same text, which shows little")
    demand(own == texts, f"Earwright wrote {own}, transformers {texts}")


def main(earwright, log_probs):
    peer.import_or_skip(["safetensors.torch", "torch", "transformers"], "packaging/test.sh --with-upstream", peer.PEER_TRANSFORMERS)
    earwright, log_probs = pathlib.Path(earwright).resolve(), pathlib.Path(log_probs).resolve()
    quieten()
    peer.RATE = 16000
    with tempfile.TemporaryDirectory() as scratch:
        data = pathlib.Path(scratch)
        os.chdir(data)
        utterances = peer.write_noises(data, ROWS)
        for has_lora, name in enumerate(ENCODERS):
            check_encoder(earwright, log_probs, data, name, bool(has_lora), utterances)
        for has_lora in (False, True):
            check_whisper(earwright, data, not has_lora, has_lora, utterances)


if __name__ == "__main__":
    main(*sys.argv[1:])
