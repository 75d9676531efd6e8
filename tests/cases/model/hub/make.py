"""Makes the folders beside it: tiny encoders with random weights, saved by transformers (5.17.0), and what SpeechBrain's
wrapper (1.1.2) makes of a wave with each: in.wav, in.lengths, out.y of expected.safetensors.

    python3 make.py
"""

import json
import shutil
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from speechbrain.integrations.huggingface.w2v_bert import W2VBert
from speechbrain.integrations.huggingface.wav2vec2 import Wav2Vec2
from transformers import (
    Data2VecAudioConfig,
    Data2VecAudioModel,
    HubertConfig,
    HubertModel,
    SeamlessM4TFeatureExtractor,
    Wav2Vec2BertConfig,
    Wav2Vec2BertModel,
    Wav2Vec2Config,
    Wav2Vec2FeatureExtractor,
    Wav2Vec2ForCTC,
    Wav2Vec2ForPreTraining,
    WavLMConfig,
    WavLMModel,
)

HERE = Path(__file__).resolve().parent
SMALL = dict(
    vocab_size=7, hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=24,
    conv_dim=[6] * 3, conv_kernel=[10, 3, 2], conv_stride=[5, 2, 2], num_conv_pos_embeddings=8,
    num_conv_pos_embedding_groups=2,
)
LARGE = dict(do_stable_layer_norm=True, feat_extract_norm="layer", conv_bias=True)


def perturbed(model):
    """Norms and biases matter."""
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() <= 1 or parameter.shape[:2] == (1, 1):
                parameter.add_(0.3 * torch.randn_like(parameter))
    return model


def save(name, model, normalize=True, extractor=None, **options):
    folder = HERE / name
    shutil.rmtree(folder, ignore_errors=True)
    perturbed(model).save_pretrained(folder, **options)
    extractor = extractor or Wav2Vec2FeatureExtractor(do_normalize=normalize, return_attention_mask=True)
    extractor.save_pretrained(folder)
    return folder


def older_layout(folder):
    """pytorch_model.bin in half precision with the older names of weight norm; the extractor within processor_config.json."""
    weights = load_file(folder / "model.safetensors")
    names = {"parametrizations.weight.original0": "weight_g", "parametrizations.weight.original1": "weight_v"}
    for name in list(weights):
        for new, old in names.items():
            if name.endswith(new):
                weights[name.replace(new, old)] = weights.pop(name)
    torch.save({name: weight.half() for name, weight in weights.items()}, folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()
    extractor = json.loads((folder / "preprocessor_config.json").read_text())
    (folder / "processor_config.json").write_text(json.dumps({"feature_extractor": extractor}))
    (folder / "preprocessor_config.json").unlink()


def expect(folder, wrapper_class=Wav2Vec2, samples=400):
    wav = torch.randn(2, samples) * 0.3
    lengths = torch.tensor([1.0, 0.7])
    wav[1, int(0.7 * samples):] = 0
    wrapper = wrapper_class(str(folder), str(folder / "none"), output_norm=False).float().eval()
    with torch.no_grad():
        y = wrapper(wav, lengths)
    save_file({"in.wav": wav, "in.lengths": lengths, "out.y": y}, folder / "expected.safetensors")
    shutil.rmtree(folder / "none", ignore_errors=True)
    print(folder.name, tuple(y.shape), sum(file.stat().st_size for file in folder.iterdir()))


def main():
    torch.manual_seed(0)
    folders = [
        save("ctc", Wav2Vec2ForCTC(Wav2Vec2Config(**SMALL))),
        save("pretraining", Wav2Vec2ForPreTraining(Wav2Vec2Config(
            **SMALL, **LARGE, num_codevectors_per_group=4, codevector_dim=8, proj_codevector_dim=8))),
        save("sharded", HubertModel(HubertConfig(**SMALL, **LARGE)), normalize=False, max_shard_size="8KB"),
        save("older", WavLMModel(WavLMConfig(**SMALL, num_buckets=16, max_bucket_distance=20))),
        save("mms", Wav2Vec2ForCTC(Wav2Vec2Config(**SMALL, **LARGE, adapter_attn_dim=4))),
        save("data2vec", Data2VecAudioModel(Data2VecAudioConfig(**{**SMALL, "num_conv_pos_embeddings": 2}, conv_pos_kernel_size=5))),
    ]
    older_layout(HERE / "older")
    for folder in folders:
        expect(folder)
    bert = Wav2Vec2BertConfig(
        hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=24, conv_depthwise_kernel_size=5,
        left_max_position_embeddings=4, right_max_position_embeddings=2)
    expect(save("bert", Wav2Vec2BertModel(bert), extractor=SeamlessM4TFeatureExtractor()), W2VBert, samples=4000)
    for file in HERE.glob("*/*"):
        file.chmod(0o644)


if __name__ == "__main__":
    main()
