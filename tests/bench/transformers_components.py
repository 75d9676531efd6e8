"""Pretrained encoders and a Whisper of transformers and Earwright on the same input: CPU seconds of one pass on one core and their ratio.

Started by components.sh in a venv with transformers: python transformers_components.py FOLDER_OF_THE_PROGRAMS [COMPONENT…]
Weights are random, of the sizes of wav2vec 2.0 base with a third of its layers, and of Whisper tiny; dropout is on, as in a training.
"""
import json
import pathlib
import sys
import tempfile

import torch

torch.set_num_threads(1)
import transformers  # noqa: E402

from ratio_row import head, row  # noqa: E402

LAYERS = {"num_hidden_layers": 4, "layerdrop": 0.0, "apply_spec_augment": False}
TINY = {"vocab_size": 51864, "d_model": 384, "encoder_layers": 4, "decoder_layers": 4, "encoder_attention_heads": 6,
        "decoder_attention_heads": 6, "encoder_ffn_dim": 1536, "decoder_ffn_dim": 1536}
FRAMES = 1500  # of 30 s

# Name: kind, class of SpeechBrain's wrapper, config of transformers, rows, extent, width.
COMPONENTS = {
    "wav2vec2": ("layer", "wav2vec2.Wav2Vec2", transformers.Wav2Vec2Config(**LAYERS), 2, 64000, 0),
    "wavlm": ("layer", "wavlm.WavLM", transformers.WavLMConfig(**LAYERS), 2, 64000, 0),
    "whisper_encoder": ("mel", "whisper.Whisper", transformers.WhisperConfig(**TINY), 1, 2 * FRAMES, 80),
    "whisper_steps": ("steps", "whisper.Whisper", transformers.WhisperConfig(**TINY), 1, 32, TINY["d_model"]),
}


def make_folder(folder, config):
    """As the Hub has it; the model."""
    torch.manual_seed(1)
    is_whisper = config.model_type == "whisper"
    model = (transformers.WhisperForConditionalGeneration if is_whisper else transformers.AutoModel.from_config)(config)
    model.save_pretrained(folder)
    features = {"feature_size": config.num_mel_bins} if is_whisper else {"do_normalize": False}
    (folder / "preprocessor_config.json").write_text(json.dumps(features))
    return model


def write_recipe(file, name, wrapper, folder):
    file.write_text(f"{name}: !new:speechbrain.integrations.huggingface.{wrapper}\n    source: {folder}\n    save_path: {folder}\n"
                    + ("" if name.startswith("whisper") else "    output_norm: False\n    freeze: False\n"))


def trained(model, x):
    model.train()

    def one():
        model.zero_grad()
        model(x).last_hidden_state.sum().backward()
    return one


@torch.no_grad()
def steps(model, rows, count, width):
    model.eval()
    encoded = transformers.modeling_outputs.BaseModelOutput(torch.randn(rows, FRAMES, width))
    token = torch.ones(rows, 1, dtype=torch.long)

    @torch.no_grad()
    def one():
        cache = None
        for _ in range(count):
            cache = model(decoder_input_ids=token, encoder_outputs=encoded, past_key_values=cache, use_cache=True).past_key_values
    return one


def upstream(kind, model, rows, extent, width):
    if kind == "steps":
        return steps(model, rows, extent, width)
    if kind == "mel":
        return trained(model.model.encoder, torch.randn(rows, width, extent))
    return trained(model, torch.randn(rows, extent) * 0.1)


def main(folder, *only):
    transformers.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    program = pathlib.Path(folder) / "component_bench"
    head("transformers")
    for name in only or COMPONENTS:
        kind, wrapper, config, rows, extent, width = COMPONENTS[name]
        with tempfile.TemporaryDirectory() as scratch:
            scratch = pathlib.Path(scratch)
            model = make_folder(scratch / "hub", config)
            write_recipe(scratch / "recipe.yaml", name, wrapper, scratch / "hub")
            row(name, kind, program, upstream(kind, model, rows, extent, width),
                [kind, str(scratch / "recipe.yaml"), name, *map(str, (rows, extent, width))])


main(*sys.argv[1:])
